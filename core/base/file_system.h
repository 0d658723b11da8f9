// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reading and writing whole files, with messages a person can act on.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace cutaway::base {

/// The bytes of \p path. Errors: user error naming the file and the system's reason.
Result<std::string> readFile(const std::string& path);

/// Writes beside the target, flushes and renames, so a full disk or a crash never leaves half a
/// file where the old one stood. Creates missing folders. Errors: environment error.
Status writeFileAtomically(const std::string& path, std::string_view bytes);

/// The folder for cached kernels: $CUTAWAY_CACHE_DIR, else $XDG_CACHE_HOME/cutaway, else
/// ~/.cache/cutaway. Not created here.
std::string defaultCacheFolder();

} // namespace cutaway::base
