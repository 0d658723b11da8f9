// SPDX-License-Identifier: Apache-2.0
/// \file
/// The three passes that expand composite operations into simpler ones. Each also expands what an
/// earlier phase would have expanded, since rules may build such calls (the gradient of a product
/// is written with matmul).
///
/// fires:     linear(x, w, b) -> permute, addmm (before autograd); gelu(x) -> mul, erf, ... (after
///            it); var_mean(x) -> sums (before lowering)
/// must not:  relu, which is primitive; gelu before autograd: its gradient rule wants it whole
/// nearly:    a tuple result (native_layer_norm): its getitems are replaced one by one
#pragma once

#include "core/passes/pass.h"

#include <functional>

namespace cutaway::passes {

/// ATen's CompositeImplicitAutograd operations: linear, layer_norm, cross_entropy_loss, matmul; and
/// backward operations that are called as such (gelu_backward), whose derivatives are their formulas'.
/// Source: PyTorch aten/src/ATen/native/native_functions.yaml.
base::Status decomposeBeforeAutograd(ir::Graph& graph);
/// The same but for the calls that \p stays says yes of.
base::Status decomposeBeforeAutograd(ir::Graph& graph,
                                     const std::function<bool(const ir::Node&)>& stays);

/// Fused operations that had a gradient rule of their own, and their backward operations.
/// Source: PyTorch torch/_decomp/decompositions.py, torch/_inductor/decomposition.py.
base::Status decomposeAfterAutograd(ir::Graph& graph);

/// What the partitioner should still see as one value (var_mean), but loops should not.
/// Source: own; PyTorch lowers these by hand in torch/_inductor/lowering.py.
base::Status decomposeBeforeLowering(ir::Graph& graph);

} // namespace cutaway::passes
