// SPDX-License-Identifier: Apache-2.0
/// \file
/// One loop becomes two, where that makes divisions of its index plain variables.
#pragma once

#include "core/kernel/loop_tree.h"

namespace cutaway::kernel {

/// The length at which the innermost loop of \p tree is best cut: places that are read or written
/// divide the index by it (a row over N, H and W of an [N, C, H, W] tensor is N pieces of H * W
/// elements). 0: nothing divides it, pieces would be shorter than \p least, or columns are summed.
int64_t bestPiece(const LoopProgram& program, const LoopTree& tree, int64_t least);

/// Loops over the innermost variable i become a loop over pieces and one over the \p piece elements
/// of each; \p piece divides the extent. \p program's pool gets the new expressions.
void splitInner(LoopProgram& program, LoopTree& tree, int64_t piece);

} // namespace cutaway::kernel
