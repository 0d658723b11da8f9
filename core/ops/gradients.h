// SPDX-License-Identifier: Apache-2.0
/// \file
/// Asking operations for gradients.
#pragma once

#include "core/ops/builder.h"

namespace cutaway::ops {

/// The gradients of the arguments of \p forward from those of its results (an invalid id is "no
/// gradient"), in the order of gradientTargets; invalid where there is none. The rule adds its
/// nodes to the builder's graph.
std::vector<ir::NodeId> gradientsOf(VjpRule rule, Builder& builder, ir::NodeId forward,
                                    std::span<const ir::NodeId> gradOutputs);
/// Whether the results require no gradient whatever the arguments do: detach, zeros_like.
bool cutsGradient(const OpDef& def);
/// PyTorch's name for the function of the tape: "AddBackward0", "MeanBackward1": the words of the
/// operation, and which of its overloads it is.
std::string gradientName(const OpDef& def);
/// Of a function of the tape that is called \p name: those of its inputs that PyTorch's has an edge
/// for, nothing standing for an argument that was no tensor ("x * 2"). \p inputs: whether each
/// takes a gradient
std::vector<std::optional<size_t>> edgesOf(const std::string& name,
                                           const std::vector<bool>& inputs);
/// Whether a composite is one function of PyTorch's tape, under gradientName().
bool isOneGradient(const OpDef& def);

} // namespace cutaway::ops
