// SPDX-License-Identifier: Apache-2.0
/// \file
/// A Scalar argument inside a graph: a number, or a 0-dim tensor that holds it when the graph runs.
/// Internal to core/ops.
#pragma once

#include "core/ops/formula.h"

namespace cutaway::ops {

/// Argument \p i as a 0-dim value of \p dtype on the device of argument 0.
inline Value numberValue(const Operands& x, size_t i, ir::DType dtype) {
    if (x.isValue(i)) return convert(x[i], dtype);
    // Integers beyond 2^53 are not doubles.
    if (const auto* integer = std::get_if<ir::Sym>(&x.node.args[i]);
        integer && !ir::isFloating(dtype))
        return {x.b, x.b.call("scalar_tensor", {*integer, ir::Arg(dtype), ir::Arg{},
                                                ir::Arg(x.type(0).device), ir::Arg{}})};
    return scalar(x.b, x.call().real(i), dtype, x.type(0).device);
}

} // namespace cutaway::ops
