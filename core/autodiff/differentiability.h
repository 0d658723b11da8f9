// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which values of a captured graph depend differentiably on an input that wants a gradient.
#pragma once

#include "core/ir/graph.h"

namespace cutaway::autodiff {

/// By node id: floating, and reached from a placeholder with requiresGrad through floating values.
/// detach, and operations that read only the sizes of their argument (zeros_like), stop the walk.
/// \p leaves: nodes that want a gradient besides those inputs, whatever they depend on.
std::vector<bool> carriesGradient(const ir::Graph& captured,
                                  std::span<const ir::NodeId> leaves = {});

} // namespace cutaway::autodiff
