// SPDX-License-Identifier: Apache-2.0
/// \file
/// Convolutions compute with the channels innermost: their images are copied into that
/// order once, and what is computed from them keeps it (batch norms, pools, relus, gradients), as
/// if the script had said memory_format=torch.channels_last. Results of the graph keep the strides
/// that the script gives them.
///
/// Why: oneDNN computes as fast on channels-last images as on its own blocked ones and needs no
/// copies around every call; sums over batch and places become sums over rows. A GPU's tensor cores
/// read channels side by side: cuDNN is about twice as fast, and takes bias and relu with it.
///
/// fires:     convolution of a row-major image, one to three spatial dimensions, on the CPU; on a
///            GPU of float32 with two, where all of a graph's are predicted to gain more than the
///            copies of its inputs and results cost (of an image with few channels the weight is
///            copied instead, which the result follows)
/// must not:  an image that is channels-last already
/// nearly:    a view that has no strides in the new order: it reads a row-major copy
/// Source: torch/_inductor/graph.py (decide_layout_opt).
#pragma once

#include "core/passes/pass.h"

namespace cutaway::passes {

base::Status channelsLast(ir::Graph& graph);

} // namespace cutaway::passes
