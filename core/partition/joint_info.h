// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the partitioner knows of each node of the joint graph before it decides anything (PyTorch:
/// classify_nodes in torch/_functorch/partitioners.py).
#pragma once

#include "core/autodiff/joint_graph.h"

namespace cutaway::partition {

/// "No path to the backward".
constexpr int kFarFromBackward = 1000000000;

/// A primal that holds other values when the backward runs: what is computed of it is saved. What the
/// backward reads of it itself is saved all the same, as a copy where \p copied; else who runs the
/// backward sees that it has changed.
struct WrittenPrimal {
    size_t number = 0;
    bool copied = false;
};

/// Tables by node id.
struct JointInfo {
    explicit JointInfo(const autodiff::JointGraph& joint,
                       const std::vector<WrittenPrimal>& written = {});

    const ir::Graph& graph;
    std::vector<ir::NodeId> primals, tangents;
    std::vector<ir::NodeId> forwardOutputs, gradients; ///< gradients: invalid ids for None
    std::vector<std::vector<ir::NodeId>> users;
    std::vector<bool> isOutput;         ///< of the joint graph, forward result or gradient
    std::vector<bool> tangentClosure;   ///< a tangent, or computed from one
    std::vector<bool> requiredBackward; ///< that, or returned as a gradient
    std::vector<bool> requiredForward;  ///< a primal, or needed for a forward output
    /// Inside a checkpointed region, and no result of it: to be computed again, not saved.
    std::vector<bool> checkpointed;
    /// A primal that holds other values in the backward, which can do without it.
    std::vector<bool> written;
    std::vector<bool> copied;      ///< a primal that is saved as a copy
    std::vector<int> position;     ///< in the joint graph's order
    std::vector<int> forwardOrder; ///< position among requiredForward; -1 for the others
    std::vector<ir::NodeId> forwardNodes;
    /// Uses between the node and the nearest node outside the forward; 0 outside it.
    std::vector<int> distance;

    bool needsBackward = false; ///< some node is requiredBackward

private:
    void classify(int forwardOutputCount);
    void markCheckpointed();
    void measureDistance();
    void markWritten(const std::vector<WrittenPrimal>& given);
};

} // namespace cutaway::partition
