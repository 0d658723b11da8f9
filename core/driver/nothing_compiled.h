// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/diagnostic.h"

#include <string_view>

namespace cutaway::driver {

/// What is told of a script that ran without compiling anything: which switch is off, when its text
/// compiles under a condition on a variable that it sets to False itself.
base::Diagnostic nothingCompiled(const std::string& path, std::string_view text);

} // namespace cutaway::driver
