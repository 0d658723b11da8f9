// SPDX-License-Identifier: Apache-2.0
/// \file
/// Joint graph to forward and backward graph by minimum cut (PyTorch:
/// torch/_functorch/partitioners.py, min_cut_rematerialization_partition).
#pragma once

#include "core/autodiff/joint_graph.h"
#include "core/base/result.h"

#include <string>
#include <vector>

namespace cutaway::partition {

struct SavedTensor {
    ir::NodeId node; ///< in the joint graph
    int64_t bytes = 0;
    bool input = false; ///< a primal: kept alive, not copied
    std::string reason; ///< in words, with numbers
};

struct RecomputedValue {
    ir::NodeId node;
    int64_t bytes = 0;
    std::string reason;
};

struct Partition {
    /// Inputs: the primals. Outputs: forward outputs, then saved tensors. from = joint graph's ids.
    ir::Graph forward;
    /// Inputs: saved tensors, then tangents. Outputs: gradients (invalid: none). Recomputed values
    /// sit right before their first use. from = joint graph's ids.
    ir::Graph backward;
    std::vector<SavedTensor> saved; ///< in joint-graph order
    std::vector<RecomputedValue> recomputed;
    std::string algorithm; ///< "min_cut" or "default"
    double cutWeight = 0;
};

enum class Partitioner { MinCut, Default };

/// What somebody wants of a forward value that the backward needs, whatever the cut would say.
struct Wish {
    std::string node; ///< its name in the joint graph
    bool save = true; ///< false: compute it again
    bool met = false;
    std::string problem{}; ///< why a joint graph that has the node could not do so
};

/// \param wishes those of nodes of this graph are met where they can be, and say so; may be null.
/// The default partitioner knows none.
base::Result<Partition> partitionJointGraph(const autodiff::JointGraph& joint, Partitioner how,
                                            std::vector<Wish>* wishes = nullptr);

} // namespace cutaway::partition
