// SPDX-License-Identifier: Apache-2.0
/// \file
/// Zip archives in memory, through libzip.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cutaway::formats {

/// Files in order; names are unique.
struct ZipEntries : std::vector<std::pair<std::string, std::string>> {
    using vector::vector;
    const std::string* find(const std::string& name) const;
};

/// The archive's bytes: deflated, with a fixed time stamp, so equal entries give equal bytes.
base::Result<std::string> writeZip(const ZipEntries& entries);
/// Errors: user error when the bytes are no zip, an entry is damaged, or all of them together
/// unpack to more than \p limit bytes (a small zip can hold a sea of zeros).
base::Result<ZipEntries> readZip(std::string_view bytes, size_t limit = size_t{256} << 20);

} // namespace cutaway::formats
