// SPDX-License-Identifier: Apache-2.0
/// \file
/// Zip archives in memory, through libzip.
#pragma once

#include "core/base/result.h"

#include <string>
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
/// Errors: user error when the bytes are no zip, an entry is damaged, or it unpacks to more than 4
/// GiB.
base::Result<ZipEntries> readZip(const std::string& bytes);

} // namespace cutaway::formats
