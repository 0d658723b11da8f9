// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a graph node's result is while it is lowered: a window of index arithmetic on a buffer, or
/// one constant for every element. Internal to core/lower.
#pragma once

#include "core/kernel/loop_program.h"
#include "core/kernel/substitute.h"

namespace cutaway::lower {

struct Value {
    kernel::BufferId buffer;     ///< invalid for a constant
    std::vector<ir::Sym> coords; ///< of the buffer, over dimVar(0..) of this value
    kernel::ExprId constant;     ///< the value of every element, when there is no buffer
    ir::Shape sizes;
    std::vector<uint32_t> through; ///< nodes without a buffer that the value goes through

    bool isConstant() const { return constant.valid(); }
};

/// dimVar(i) for every size; 0 where the size is 1, so that equal places look equal.
std::vector<ir::Sym> loopCoords(const ir::Shape& sizes);
/// Bounds of d.. by \p sizes and r.. by \p reduced, for Sym::simplify.
ir::Sym::Bound bounds(const ir::Shape& sizes, const ir::Shape& reduced);
/// Element \p coords of the value (one per size) as an expression. \p bound simplifies.
kernel::ExprId loadValue(kernel::LoopProgram& program, const Value& value,
                         const std::vector<kernel::Coord>& coords, const ir::Sym::Bound& bound);

} // namespace cutaway::lower
