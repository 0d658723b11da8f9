// SPDX-License-Identifier: Apache-2.0
/// \file
/// Joins and slices of one another: what is cut and put together again is what it was.
///
/// fires:     cat of neighbouring slices, chunks or splits of x, in order -> x, or one slice of it;
///            cat([a, cat([b, c])]) -> cat([a, b, c]); slice, select, chunk or split of a cat that
///            reads one piece only -> that piece, or the same of it
/// must not:  slices of two tensors; steps other than 1; sizes along the joined dimension that are
///            symbols; pieces of another dtype than the join's
/// nearly:    slices in another order; an inner cat that others read, too; x itself where the caller
///            would get the input instead of fresh memory; a piece with other strides where a view
///            or the caller reads it
/// Source: own; PyTorch has parts of it in torch/_inductor/fx_passes/split_cat.py.
#pragma once

#include "core/base/said.h"
#include "core/passes/pass.h"

namespace cutaway::passes {

inline constexpr PassArgument kCutJoins{
    "pieces", 256, 2, 4096, base::said("the most pieces of a join that takes in another one")};
base::Status cutJoins(ir::Graph& graph, int64_t pieces = kCutJoins.usual);

} // namespace cutaway::passes
