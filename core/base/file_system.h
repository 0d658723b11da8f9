// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reading and writing whole files, with messages a person can act on.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace cutaway::base {

constexpr size_t kLargestFile = size_t{512} << 20;
constexpr size_t kLargestScript = size_t{16} << 20;

/// The bytes of a regular file of at most \p limit bytes. Errors: user error naming the file and
/// the system's reason; pipes and devices, which may have no end, are refused.
Result<std::string> readFile(const std::string& path, size_t limit = kLargestFile);

/// Writes beside the target, flushes and renames, so a full disk or a crash never leaves half a
/// file where the old one stood, whose permissions stay. Creates missing folders. Errors:
/// environment error.
Status writeFileAtomically(const std::string& path, std::string_view bytes);

/// \returns false, with errno set, when not all bytes could be written to the descriptor.
bool writeAll(int file, std::string_view bytes);

/// The folder for cached kernels: $CUTAWAY_CACHE_DIR, else $XDG_CACHE_HOME/cutaway, else
/// ~/.cache/cutaway. Not created here. Errors: environment error when none of them is set.
Result<std::string> defaultCacheFolder();

} // namespace cutaway::base
