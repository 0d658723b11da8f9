// SPDX-License-Identifier: Apache-2.0
/// \file
/// A join of many slices of one tensor is one gather, with the places in a constant:
/// cat([x[3], x[0], ...]) -> gather(x, 0, [3, 0, ...]). A join compares the index of every element
/// with the end of every piece; a gather looks its place up.
///
/// fires:     cat of more than 16 pieces, all select(x, 0, i), all slice(x, d, a, b, step) along
/// the
///            joined dimension d, or all unsqueeze(select(x, d, i), d) (a stack)
/// must not:  16 pieces; slices of two tensors; slices along another dimension
/// nearly:    slices of a slice: the inner one is the one tensor
/// Source: own.
#pragma once

#include "core/base/said.h"
#include "core/passes/pass.h"

namespace cutaway::passes {

inline constexpr PassArgument kGatherJoinedSlices{
    "pieces", 16, 1, 4096, base::said("a join of more slices than these becomes a gather")};
base::Status gatherJoinedSlices(ir::Graph& graph, int64_t pieces = kGatherJoinedSlices.usual);

} // namespace cutaway::passes
