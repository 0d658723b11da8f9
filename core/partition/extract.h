// SPDX-License-Identifier: Apache-2.0
/// \file
/// Cuts the forward and the backward graph out of the joint graph (PyTorch:
/// _extract_fwd_bwd_modules and reordering_to_mimic_autograd_engine in
/// torch/_functorch/partitioners.py).
#pragma once

#include "core/base/result.h"
#include "core/partition/joint_info.h"

namespace cutaway::partition {

struct Extracted {
    ir::Graph forward, backward;
    std::vector<ir::NodeId> saved;      ///< without what the backward does not use
    std::vector<ir::NodeId> recomputed; ///< calls of both graphs, in joint-graph order
};

/// \param saved in joint-graph order. Errors: bug, when the backward needs a value that it can
/// neither read nor compute.
base::Result<Extracted> extractGraphs(const JointInfo& info, std::vector<ir::NodeId> saved);

} // namespace cutaway::partition
