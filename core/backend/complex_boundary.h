// SPDX-License-Identifier: Apache-2.0
/// \file
/// Complex numbers end where compiled graphs begin: there, inputs and outputs are pairs of real ones,
/// so that no stage, kernel or device knows any other dtype.
#pragma once

#include "core/capture/world.h"

namespace cutaway::backend {

bool hasComplex(const ir::Graph& graph);

/// A captured graph on pairs, and which of its inputs and outputs the script knows as complex.
struct PairsGraph {
    std::shared_ptr<const ir::Graph> graph;
    std::vector<bool> inputs, outputs;
};
/// Errors: user error for an operation on complex numbers other than seeing them as pairs.
base::Result<PairsGraph> onPairs(const ir::Graph& captured);

/// Calls \p inner on pairs; the tape goes through the views.
std::shared_ptr<capture::CompiledGraph> behindPairs(std::shared_ptr<capture::CompiledGraph> inner,
                                                    PairsGraph pairs, capture::EagerOps& eager);

} // namespace cutaway::backend
