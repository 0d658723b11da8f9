// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is added to, or multiplied with, each channel of a convolution's or a product's result is
/// folded into its weight and bias, where these are frozen: a batch norm in evaluation mode
/// disappears. The folded weights are computed once, outside the calls (partition/frozen_part.h).
///
/// fires:     (conv(x, w, b) - mean) * scale + shift; linear(x, w, b) * scale, also of three and
///            more dimensions; x / 2 behind either
/// must not:  a weight that is no frozen one: every call would fold it anew; float16 and bfloat16,
///            whose weights would be rounded a second time
/// nearly:    a product that something else reads, too; an addend with a value for each place;
///            c - conv(x, w) and c / conv(x, w); relu(conv(x, w)) + c; mm(x, w) + 1
/// Source: torch/_inductor/fx_passes/binary_folding.py, torch/nn/utils/fusion.py
/// (fuse_conv_bn_weights).
#pragma once

#include "core/passes/pass.h"

namespace cutaway::passes {

base::Status foldIntoWeights(ir::Graph& graph);

} // namespace cutaway::passes
