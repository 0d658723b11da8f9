// SPDX-License-Identifier: Apache-2.0
/// \file
/// A join of very many tensors becomes a join of joins: cat([a0 .. a4999]) -> cat([cat([a0 ..
/// a70]), cat([a71 .. a141]), ...]). Loops choose the piece of every element by comparisons, one a
/// piece, so a join of n pieces costs n comparisons an element, and its text has n lines; of two
/// levels each costs the square root, for one more trip through memory.
///
/// fires:     cat of more than 96 tensors
/// must not:  cat of 96 tensors
/// nearly:    pieces of several dtypes: each is converted to the result's first, since the pieces
/// of
///            one part alone might have a common dtype that cannot hold them
/// Source: own.
#pragma once

#include "core/base/said.h"
#include "core/passes/pass.h"

namespace cutaway::passes {

inline constexpr PassArgument kSplitWideJoins{
    "pieces", 96, 2, 4096, base::said("a join of more tensors than these becomes a join of joins")};
base::Status splitWideJoins(ir::Graph& graph, int64_t most = kSplitWideJoins.usual);

} // namespace cutaway::passes
