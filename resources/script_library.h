// SPDX-License-Identifier: Apache-2.0
/// \file
/// The modules that are written in the script language: the files of script_library, laid out as
/// Python lays out a package (torch/nn/functional.py, torch/nn/__init__.py).
#pragma once

#include <span>
#include <string_view>

namespace cutaway::resources {

struct ScriptModule {
    std::string_view name; ///< "torch.nn.functional"
    std::string_view file; ///< "torch/nn/functional.py"
    std::string_view text;
};

/// Sorted by name.
std::span<const ScriptModule> scriptModules();

} // namespace cutaway::resources
