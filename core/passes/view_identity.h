// SPDX-License-Identifier: Apache-2.0
/// \file
/// Recognises views that together change nothing, from the index maps of the operations' records:
/// no list of pairs (permute and permute, squeeze and unsqueeze, view and view ...) is needed.
#pragma once

#include "core/ir/graph.h"

#include <optional>

namespace cutaway::passes {

/// The value of equal type, at most four views before \p node, whose elements the view shows in the
/// same places. Not through detach, which means something to autograd.
std::optional<ir::NodeId> equalViewedValue(const ir::Graph& graph, const ir::Node& node);

} // namespace cutaway::passes
