// SPDX-License-Identifier: Apache-2.0
/// \file
/// Graph to loop IR: every node that is not a view becomes one buffer.
#pragma once

#include "core/base/result.h"
#include "core/ir/graph.h"
#include "core/kernel/loop_program.h"

namespace cutaway::lower {

/// \param graph decomposed: only operations that lower by themselves (no Decompose left).
/// \returns buffers in the graph's order; Buffer::from holds node ids of \p graph.
/// Errors: bug when a composite operation is left; user error for an operation that has no lowering.
base::Result<kernel::LoopProgram> lowerGraph(const ir::Graph& graph);

} // namespace cutaway::lower
