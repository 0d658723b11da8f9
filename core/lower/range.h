// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is known of computed integers. Internal to core/lower.
#pragma once

#include "core/kernel/loop_program.h"

#include <optional>

namespace cutaway::lower {

struct Range {
    int64_t least = 0, most = 0;
};

/// What an integer can be, where that follows from loop bounds and constants alone.
std::optional<Range> rangeOf(const kernel::LoopProgram& program, kernel::ExprId id);

} // namespace cutaway::lower
