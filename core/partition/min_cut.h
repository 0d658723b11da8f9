// SPDX-License-Identifier: Apache-2.0
/// \file
/// The saved values as a minimum cut (PyTorch: solve_min_cut in torch/_functorch/partitioners.py).
///
/// Every value v is an edge v_in -> v_out whose capacity is the price of saving it; v_out -> u_in
/// is infinite for each user u. The source feeds what cannot be recomputed, the sink drains what
/// only the backward can compute: whatever is cut in between is saved.
#pragma once

#include "core/base/result.h"
#include "core/partition/bans.h"

namespace cutaway::partition {

/// A value that somebody wants saved, or computed again.
struct WishedNode {
    ir::NodeId id;
    bool save = true;
};

/// The price of saving a value.
struct Weight {
    int64_t value = 0;
    bool canSave = true;       ///< not a view, a tuple or a constant, nor checkpointed, nor written
    bool materialized = false; ///< it is in memory anyway: saving adds no write
};

struct MinCut {
    std::vector<ir::NodeId> saved;  ///< in joint-graph order
    std::vector<Weight> weights;    ///< by node id
    std::vector<Ban> bans;          ///< by node id
    std::vector<WishedNode> wished; ///< those that were not given up
    int64_t value = 0;
};

/// bytes * 1.1^clamp(distance, 1, 100), doubled when the value is not in memory anyway.
Weight weightOf(const JointInfo& info, ir::NodeId id);

/// \param wished wishes that leave no cut are given up, from the last. Errors: bug, with the path,
/// when a value can be neither saved nor computed where it is needed.
base::Result<MinCut> solveMinCut(const JointInfo& info, std::vector<WishedNode> wished = {});

/// How the cut comes about, in nodes of the joint graph.
struct CutStep {
    std::vector<ir::NodeId> path; ///< from what cannot be computed again to the backward
    ir::NodeId narrow;            ///< the value whose price is used up now
    int64_t flow = 0, total = 0;  ///< price that this path pays, and all until now
};
struct CutStory {
    std::vector<CutStep> steps;
    /// The backward's side as it grows against the edges that have room left, from the sink on.
    std::vector<std::vector<ir::NodeId>> rounds;
    std::vector<ir::NodeId> saved; ///< in joint-graph order
    int64_t value = 0;
};

/// The cut of solveMinCut, followed path by path. Errors: as there; user error for a graph that is
/// too large to be followed.
base::Result<CutStory> followMinCut(const JointInfo& info, std::vector<WishedNode> wished = {});

} // namespace cutaway::partition
