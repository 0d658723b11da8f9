// SPDX-License-Identifier: Apache-2.0
#include "core/partition/partition.h"

#include "core/partition/op_kinds.h"
#include "core/partition/reasons.h"
#include "core/partition/wishes.h"

#include <algorithm>

namespace cutaway::partition {
namespace {

/// Every value of the forward that an operation outside it reads (PyTorch: default_partition).
std::vector<ir::NodeId> allForwardValuesUsed(const JointInfo& info) {
    std::vector<bool> forward = info.requiredForward;
    for (ir::NodeId id : info.graph.order()) {
        // An element that only the backward takes from a forward tuple is a forward value, too.
        const ir::Node& node = info.graph.node(id);
        if (isGetitem(node) && forward[node.args[0].node()->index]) forward[id.index] = true;
    }
    std::vector<ir::NodeId> saved;
    for (ir::NodeId id : info.graph.order()) {
        const ir::Node& node = info.graph.node(id);
        if (!forward[id.index] || node.tuple || node.kind == ir::NodeKind::Constant) continue;
        const auto& users = info.users[id.index];
        const auto& gradients = info.gradients;
        bool used = std::find(gradients.begin(), gradients.end(), id) != gradients.end() ||
                    std::any_of(users.begin(), users.end(),
                                [&](ir::NodeId user) { return !forward[user.index]; });
        if (used) saved.push_back(id);
    }
    return saved;
}

} // namespace

base::Result<Partition> partitionJointGraph(const autodiff::JointGraph& joint, Partitioner how,
                                            std::vector<Wish>* wishes) {
    JointInfo info(joint);
    Partition result;
    std::vector<ir::NodeId> saved;
    MinCut cut;
    bool minCut = how == Partitioner::MinCut && info.needsBackward;
    if (minCut) {
        const std::vector<WishedNode> wished =
            wishes ? wishedNodes(info, *wishes) : std::vector<WishedNode>();
        CUTAWAY_TRY(cut, solveMinCut(info, wished));
        saved = cut.saved;
    } else {
        saved = allForwardValuesUsed(info);
    }
    CUTAWAY_TRY(Extracted extracted, extractGraphs(info, std::move(saved)));
    if (minCut && wishes) tellMet(info, extracted, *wishes);
    result.algorithm = minCut ? "min_cut" : "default";
    result.cutWeight = static_cast<double>(cut.value);
    result.saved = explainSaved(info, extracted, minCut ? &cut : nullptr);
    result.recomputed = explainRecomputed(info, extracted);
    result.forward = std::move(extracted.forward);
    result.backward = std::move(extracted.backward);
    return result;
}

} // namespace cutaway::partition
