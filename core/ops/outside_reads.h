// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads whose place may lie outside of what is read (padding, windows at a rim): loads that a
/// condition masks, with a neutral value elsewhere.
#pragma once

#include "core/kernel/expr.h"

namespace cutaway::ops {

/// That 0 <= \p at < \p size, as far as that is not known; invalid: it is known.
inline kernel::ExprId isInside(kernel::ExprPool& pool, const ir::Sym& at, const ir::Sym& size,
                               bool mayBeBelow = true, bool mayBeAbove = true) {
    using kernel::ScalarOp;
    kernel::ExprId low, high;
    if (mayBeBelow) low = pool.op(ScalarOp::Ge, {pool.index(at), pool.index(ir::Sym(0))});
    if (mayBeAbove) high = pool.op(ScalarOp::Lt, {pool.index(at), pool.index(size)});
    return pool.both(low, high);
}

/// \p value where \p inside holds (invalid: always), else \p neutral.
inline kernel::ExprId insideOr(kernel::ExprPool& pool, kernel::ExprId inside, kernel::ExprId value,
                               kernel::ExprId neutral) {
    return inside.valid() ? pool.op(kernel::ScalarOp::Where, {inside, value, neutral}) : value;
}

/// \p element, which a LoadArg has given, read where \p inside holds (invalid: always), else
/// \p neutral. Its coordinates may lie outside of what it reads where \p inside does not hold.
inline kernel::ExprId readInside(kernel::ExprPool& pool, kernel::ExprId inside,
                                 kernel::ExprId element, kernel::ExprId neutral) {
    const kernel::Expr load(pool[element]);
    if (load.kind != kernel::ExprKind::Load) return insideOr(pool, inside, element, neutral);
    return pool.load(load.buffer, load.dtype, load.coords, inside, neutral);
}

} // namespace cutaway::ops
