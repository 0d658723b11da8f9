// SPDX-License-Identifier: Apache-2.0
/// \file
/// Passes of several loops, one in the other: the axes of a sum over N and H x W stay loops,
/// as long as they do not lie one behind the other in every access.
///
///     for o0 in 0..64:                        for o0 in 0..64:
///         sum: f32 = start sum                    sum: f32 = start sum
///         for o1 in 0..16 reduce:                 for i in 0..12544 reduce:
///             for i in 0..784 reduce:                 sum sum= x[i / 784, o0, i % 784]
///                 sum sum= x[o1, o0, i]
#pragma once

#include "core/kernel/loop_tree.h"

namespace cutaway::kernel {

/// \p tree with one loop instead of each such nest, which divides its index where the axes were;
/// nothing when passes are not all the same loops one in the other, or \p tree is rows x passes
/// already (row_tree.h). \p program's pool gets the new expressions.
std::optional<LoopTree> withOneLoop(LoopProgram& program, const LoopTree& tree);

} // namespace cutaway::kernel
