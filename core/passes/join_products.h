// SPDX-License-Identifier: Apache-2.0
/// \file
/// Products of one matrix with several frozen weights (q, k and v of an attention; gate and up of a
/// gated layer) become one product with the weights side by side, of which each reads its columns.
/// The weights are joined once, outside the calls (partition/frozen_part.h).
///
/// fires:     linear(x, w1), linear(x, w2), .. on a GPU, each too small to keep it busy: one launch
///            instead of several, and units that had nothing to do (a gated layer and an attention
///            on an H200: 130 us instead of 174 for 16 rows, 262 instead of 282 for 256)
/// must not:  weights that calls bring (join_trained is for these, before autograd); a product that
///            the caller gets (eager's lies by itself)
/// nearly:    on the CPU: no gain was seen over three small products (768 columns each, 1 to 256
///            rows); products that fill a GPU by themselves; with a bias and without
/// Source: torch/_inductor/fx_passes/freezing_patterns.py (concat linears).
#pragma once

#include "core/base/said.h"
#include "core/passes/gpu_tiles.h"
#include "core/passes/pass.h"

namespace cutaway::passes {

inline constexpr PassArgument kJoinProducts{
    "tiles", kBusyTiles, 1, 65536,
    base::said("a product of fewer tiles of 64 by 64 is too small to fill a GPU")};
base::Status joinProducts(ir::Graph& graph, int64_t tiles = kJoinProducts.usual);

} // namespace cutaway::passes
