// SPDX-License-Identifier: Apache-2.0
/// \file
/// Joint graph to forward and backward graph by minimum cut (PyTorch:
/// torch/_functorch/partitioners.py, min_cut_rematerialization_partition), or by what a memory
/// budget allows.
#pragma once

#include "core/autodiff/joint_graph.h"
#include "core/base/result.h"
#include "core/partition/estimate.h"

#include <optional>
#include <string>
#include <vector>

namespace cutaway::partition {

struct SavedTensor {
    ir::NodeId node; ///< in the joint graph
    int64_t bytes = 0;
    bool input = false; ///< a primal that is kept alive; a copy of one is made
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
    std::string algorithm; ///< "min_cut", "default" or "budget"
    double cutWeight = 0;
    Estimate point;              ///< what was chosen, where choices were predicted
    std::vector<Estimate> curve; ///< none beaten in peak and time; from the highest peak
    std::string budget;          ///< what was asked for and what came of it; empty: no budget
};

enum class Partitioner { MinCut, Default };

/// What somebody wants of a forward value that the backward needs, whatever the cut would say.
struct Wish {
    std::string node; ///< its name in the joint graph
    bool save = true; ///< false: compute it again
    bool met = false;
    std::string problem{}; ///< why a joint graph that has the node could not do so
};

/// How much memory a training step may take for what the backward needs.
struct Budget {
    /// Of the bytes that min_cut saves beside inputs and results (PyTorch:
    /// activation_memory_budget); 0: compute again whatever can be, 1: min_cut itself.
    double share = 1;
    int64_t peakBytes = 0; ///< of forward and backward by liveness, without inputs; 0: no limit
};

struct PartitionOptions {
    PartitionOptions(Partitioner how = Partitioner::MinCut, std::vector<Wish>* wishes = nullptr)
        : how(how), wishes(wishes) {}

    Partitioner how;
    /// Those of nodes of this graph are met where they can be, and say so; may be null. The default
    /// partitioner knows none.
    std::vector<Wish>* wishes;
    std::optional<Budget> budget; ///< the default partitioner knows none
    Rates rates{};                ///< of the device, for predictions
    std::vector<WrittenPrimal> written{};
};

/// Values inside checkpointed regions (ir::Node::checkpoint) are computed again whatever \p options
/// say, unless a wish wants them saved.
base::Result<Partition> partitionJointGraph(const autodiff::JointGraph& joint,
                                            const PartitionOptions& options);

/// What other choices of memory against time would come to: fills `curve` and `point` of what
/// partitionJointGraph() gave for the same graph and options, where the budget has not done so. Takes
/// several times as long as the partition itself.
base::Status predictChoices(const autodiff::JointGraph& joint, const PartitionOptions& options,
                            Partition& partition);

} // namespace cutaway::partition
