// SPDX-License-Identifier: Apache-2.0
/// \file
/// CUDA text of attention with 16-bit operands. A warp's scores, weights and sums stay in registers;
/// products run on tensor cores (before those knew the types, by shuffles) and are summed in
/// float32; weights are rounded to the operands' dtype.
#pragma once

#include <string_view>

namespace cutaway::runtime {

// Behind the constants that halfAttentionSources writes: the tiles, then one of the others.
extern const std::string_view kHalfTiles, kHalfForward, kHalfBackward;

} // namespace cutaway::runtime
