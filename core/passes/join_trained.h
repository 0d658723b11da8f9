// SPDX-License-Identifier: Apache-2.0
/// \file
/// Linear layers of one input whose weights are trained (q, k and v of an attention; gate and up of a
/// gated layer) become one layer with the weights side by side, of which each reads its columns.
/// Before autograd: the gradients of the input and of the weights are one product each, too. Every
/// call joins the weights anew, which is little beside what the launches cost.
///
/// fires:     linear(x, w1, b1), linear(x, w2, b2), .. on a GPU, with weights that want gradients,
///            each product too small to keep the GPU busy. A training step of three layers of 64
///            and 512 rows, 256 to 2048 columns, on an H200: 0.66 to 1.15 of the time, 0.85 in the
///            mean (geometric, float32 and bfloat16)
/// must not:  on the CPU: on one core a training step of three layers takes 1.05 to 9 times as long
///            so (bfloat16 1.1 to 31 times), for 1 to 512 rows of 16 to 768 columns; where nothing is
///            differentiated (join_products joins frozen weights, once for all calls); a result that
///            the caller gets (eager's lies by itself)
/// nearly:    products that fill a GPU by themselves; some with a bias and some without; weights that
///            are computed from others (autocast's casts are followed, nothing else)
/// Source: own; torch/_inductor/fx_passes/freezing_patterns.py (concat linears) for frozen weights.
#pragma once

#include "core/base/said.h"
#include "core/passes/gpu_tiles.h"
#include "core/passes/pass.h"

namespace cutaway::passes {

inline constexpr PassArgument kJoinTrained{
    "tiles", kBusyTiles, 1, 65536,
    base::said("a layer of fewer tiles of 64 by 64 is too small to fill a GPU")};
base::Status joinTrained(ir::Graph& graph, int64_t tiles = kJoinTrained.usual);

} // namespace cutaway::passes
