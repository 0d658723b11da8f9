// SPDX-License-Identifier: Apache-2.0
/// \file
/// What depends on frozen parameters only leaves the graph that every call runs: it is computed
/// once, and again when a parameter has changed.
#pragma once

#include "core/ir/graph.h"

#include <vector>

namespace cutaway::partition {

/// A graph of its own whose outputs are the last placeholders of what is left.
struct FrozenPart {
    ir::Graph graph{"frozen"};
    std::vector<int> inputs; ///< of its placeholders: numbers of the placeholders of the whole

    bool empty() const { return graph.outputs.empty(); }
};

/// Takes the part out of \p graph, an inference graph; empty when there is none. Stay behind: views
/// (they cost nothing), what the caller gets (it may write to it), and placeholders, used or not.
FrozenPart takeFrozenPart(ir::Graph& graph);

} // namespace cutaway::partition
