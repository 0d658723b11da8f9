// SPDX-License-Identifier: Apache-2.0
/// \file
/// One loop becomes two.
#pragma once

#include "core/kernel/loop_tree.h"

namespace cutaway::kernel {

/// Loops over the innermost variable i become a loop over pieces and one over the \p piece elements
/// of each; \p piece divides the extent. \p program's pool gets the new expressions.
void splitInner(LoopProgram& program, LoopTree& tree, int64_t piece);

} // namespace cutaway::kernel
