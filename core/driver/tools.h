// SPDX-License-Identifier: Apache-2.0
/// \file
/// Private to driver: what Tools holds.
#pragma once

#include "core/driver/session.h"
#include "core/pipeline/options.h"

namespace cutaway::driver {

struct Tools::Parts {
    explicit Parts(const std::string& cacheFolder) : toolchain(cacheFolder) {}
    pipeline::Toolchain toolchain;
    std::optional<base::Diagnostic> noCache; ///< why there is no cache folder, until it is told
    std::set<std::string> generated;         ///< codeHash() of what was compiled here
};

/// Tells texts of kernels apart.
std::string codeHash(const record::Code& code);

} // namespace cutaway::driver
