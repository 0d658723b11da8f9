// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads whose place may lie outside of what is read (padding, windows at a rim): the place is moved
/// inside, so that no load leaves its buffer, and a condition says whether the value counts.
#pragma once

#include "core/kernel/expr.h"

namespace cutaway::ops {

/// \p at, or the end of 0 .. \p size - 1 that is nearer to it.
inline ir::Sym movedInside(const ir::Sym& at, const ir::Sym& size) {
    return ir::minimum(ir::maximum(at, ir::Sym(0)), size - ir::Sym(1));
}

/// That both hold; one that is invalid always does.
inline kernel::ExprId bothHold(kernel::ExprPool& pool, kernel::ExprId a, kernel::ExprId b) {
    if (!a.valid()) return b;
    return b.valid() ? pool.op(kernel::ScalarOp::And, {a, b}) : a;
}

/// That 0 <= \p at < \p size, as far as that is not known; invalid: it is known.
inline kernel::ExprId isInside(kernel::ExprPool& pool, const ir::Sym& at, const ir::Sym& size,
                               bool mayBeBelow = true, bool mayBeAbove = true) {
    using kernel::ScalarOp;
    kernel::ExprId low, high;
    if (mayBeBelow) low = pool.op(ScalarOp::Ge, {pool.index(at), pool.index(ir::Sym(0))});
    if (mayBeAbove) high = pool.op(ScalarOp::Lt, {pool.index(at), pool.index(size)});
    return bothHold(pool, low, high);
}

/// \p value where \p inside holds (invalid: always), else \p neutral.
inline kernel::ExprId insideOr(kernel::ExprPool& pool, kernel::ExprId inside, kernel::ExprId value,
                               kernel::ExprId neutral) {
    return inside.valid() ? pool.op(kernel::ScalarOp::Where, {inside, value, neutral}) : value;
}

} // namespace cutaway::ops
