// SPDX-License-Identifier: Apache-2.0
/// \file
/// What C++ and CUDA C++ write alike.
#pragma once

#include "core/kernel/expr.h"

#include <string_view>

namespace cutaway::codegen {

/// "<=" and the like; empty for what is no comparison.
std::string_view comparisonSign(kernel::ScalarOp op);

} // namespace cutaway::codegen
