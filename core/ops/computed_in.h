// SPDX-License-Identifier: Apache-2.0
/// \file
/// Decompositions that compute in a wider dtype than their operands'. Internal to core/ops.
#pragma once

#include "core/ops/formula.h"
#include "core/ops/op_def.h"

namespace cutaway::ops {

bool hasTensorOf(const Operands& x, bool (*kind)(ir::DType));
/// The call itself on tensors of \p to in the place of those that \p narrow tells of, its results
/// converted back.
Results computedIn(const Operands& x, ir::DType to, bool (*narrow)(ir::DType));

/// \p build in float32 where tensors have 16 bits: rounded once, at the end (ATen's opmath).
template <DecomposeRule build> Results inFloat(const Operands& x) {
    auto half = [](ir::DType t) { return t == ir::DType::Float16 || t == ir::DType::BFloat16; };
    return hasTensorOf(x, half) ? computedIn(x, ir::DType::Float32, half) : build(x);
}
/// \p build in float64 where tensors are of integers, whose sums and products it holds up to 2^53;
/// what is no integer is cut off.
template <DecomposeRule build> Results inDouble(const Operands& x) {
    auto whole = [](ir::DType t) { return !ir::isFloating(t) && t != ir::DType::Bool; };
    const bool first = x.isValue(0) && whole(x.type(0).dtype);
    return first ? computedIn(x, ir::DType::Float64, whole) : build(x);
}

} // namespace cutaway::ops
