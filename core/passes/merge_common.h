// SPDX-License-Identifier: Apache-2.0
/// \file
/// Common subexpressions: of calls with the same operation, arguments and types the first stays,
/// and gathers the provenance of the others. Two factors of a commutative operation may stand in
/// either order.
///
/// fires:     cos(x), cos(x); add(a, b), add(b, a); equal constants
/// must not:  random operations: each draw is its own
/// nearly:    cos(x) and cos(x) both returned: eager execution returns two tensors, and the caller
///            may write to one of them; sub(a, b) and sub(b, a)
/// Source: textbook value numbering by hashing, O(n); the rule on results is PyTorch's fx_graph_cse
/// (torch/_functorch/compile_utils.py).
#pragma once

#include "core/passes/pass.h"

namespace cutaway::passes {

base::Status mergeCommon(ir::Graph& graph);

} // namespace cutaway::passes
