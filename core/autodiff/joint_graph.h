// SPDX-License-Identifier: Apache-2.0
/// \file
/// Captured graph to joint forward and backward graph (PyTorch: torch/_functorch/aot_autograd.py).
#pragma once

#include "core/base/result.h"
#include "core/ir/graph.h"

namespace cutaway::autodiff {

/// The joint graph and how its inputs and outputs relate to the captured graph's.
struct JointGraph {
    /// Placeholders: primals_1.. (one per placeholder of the captured graph, same order), then
    /// tangents_1.. (one per differentiable output). Outputs: the forward outputs, then one
    /// gradient per primal (an invalid id where there is none). Node::from refers to the captured
    /// graph; nodes made by differentiation have backward = true, and from = the captured node that
    /// they are the gradient of.
    ir::Graph graph;
    int forwardOutputs = 0;
    std::vector<int> tangentOutputs; ///< which forward output each tangent belongs to
};

/// \param captured after the decompositions that come before autograd; placeholders that want a
/// gradient have requiresGrad. An output wants a tangent when it is floating and depends on one of
/// those differentiably. \p tangentTypes: types (strides!) of the tangents where known, else
/// they lie as their outputs do where those are dense, or in rows. Errors: user error at a node whose operation has no gradient, with the operation's
/// own reason.
base::Result<JointGraph> buildJointGraph(const ir::Graph& captured,
                                         const std::vector<ir::TensorType>& tangentTypes = {});

/// True when some output can need a gradient: else there is no joint graph.
bool needsGradient(const ir::Graph& captured);

} // namespace cutaway::autodiff
