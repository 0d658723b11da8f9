// SPDX-License-Identifier: Apache-2.0
/// \file
/// Computes at compile time what does not depend on inputs, and removes arithmetic with neutral
/// constants. A tensor whose elements are all equal (scalar_tensor, full, views of these, pointwise
/// functions of these) is followed as one number, whatever its size; other constants are followed
/// up to 4096 elements, evaluated by the operation's reference function.
///
/// fires:     add(full(2), full(3)) -> full(5); x + 0, x - 0, x * 1, x / 1 -> x;
///            where(True, a, b) -> a; a function of a small constant tensor
/// must not:  x * 0 (NaN, infinity); random operations; constants beyond 4096 elements
/// nearly:    x + 0 where x is int64 and the sum is float32; x + zeros([4]) where x is [1]; x + 0
///            returned to the caller, who would get x itself
/// x + 0 -> x keeps every value but turns +0.0 of -0.0 + 0 into -0.0 (PyTorch's remove_no_ops does
/// the same). Source: torch/_inductor/fx_passes/joint_graph.py (constant_fold_uniform_value),
/// post_grad.py (remove_no_ops), torch/_inductor/constant_folding.py.
#pragma once

#include "core/base/said.h"
#include "core/passes/pass.h"

namespace cutaway::passes {

inline constexpr PassArgument kFoldConstants{
    "elements", 4096, 0, 16777216,
    base::said("the largest tensor that is computed at compile time, in elements")};
base::Status foldConstants(ir::Graph& graph, int64_t elements = kFoldConstants.usual);

} // namespace cutaway::passes
