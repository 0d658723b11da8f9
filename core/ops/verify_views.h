// SPDX-License-Identifier: Apache-2.0
/// \file
/// Views lie where their operands do.
#pragma once

#include "core/ir/graph.h"

#include <optional>
#include <string>

namespace cutaway::ops {

/// A view of \p graph whose strides are not those that its operation gives of the operand as it
/// lies (a pass laid the operand otherwise and left its reader): what is wrong, by name; nullopt
/// where all agree. Views whose sizes or strides are symbols are left out.
std::optional<std::string> verifyViews(const ir::Graph& graph);

} // namespace cutaway::ops
