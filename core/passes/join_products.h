// SPDX-License-Identifier: Apache-2.0
/// \file
/// Products of one matrix with several frozen weights (q, k and v of an attention; gate and up of a
/// gated layer) become one product with the weights side by side, of which each reads its columns.
/// The weights are joined once, outside the calls (partition/frozen_part.h).
///
/// fires:     linear(x, w1), linear(x, w2), .. on a GPU, each too small to keep it busy: one launch
///            instead of several, and units that had nothing to do (a gated layer and an attention
///            on an H200: 130 us instead of 174 for 16 rows, 262 instead of 282 for 256)
/// must not:  weights that calls bring, as in training: every call would join them anew, and their
///            gradients would be cut apart again. On one core a training step of three products of
///            one matrix takes 1.05 to 9 times as long so (bfloat16 1.1 to 31 times), for 1 to 512
///            rows of 16 to 768 columns; as one batched product of three matrices and three weights
///            1 to 3.7 times. A product that the caller gets (eager's lies by itself)
/// nearly:    on the CPU: no gain was seen over three small products (768 columns each, 1 to 256
///            rows); products that fill a GPU by themselves; with a bias and without
/// Source: torch/_inductor/fx_passes/freezing_patterns.py (concat linears).
#pragma once

#include "core/passes/pass.h"

namespace cutaway::passes {

base::Status joinProducts(ir::Graph& graph);

} // namespace cutaway::passes
