// SPDX-License-Identifier: Apache-2.0
#include "core/partition/joint_info.h"

#include "core/partition/op_kinds.h"

#include <algorithm>

namespace cutaway::partition {
namespace {

/// The nodes that \p outputs need.
std::vector<bool> ancestors(const ir::Graph& graph, const std::vector<ir::NodeId>& outputs) {
    std::vector<bool> needed(graph.idLimit());
    for (ir::NodeId id : outputs)
        if (id.valid()) needed[id.index] = true;
    const std::vector<ir::NodeId>& order = graph.order();
    for (auto at = order.rbegin(); at != order.rend(); ++at)
        if (needed[at->index])
            ir::forEachNode(graph.node(*at).args,
                            [&](ir::NodeId input) { needed[input.index] = true; });
    return needed;
}

} // namespace

JointInfo::JointInfo(const autodiff::JointGraph& joint, const std::vector<WrittenPrimal>& written)
    : graph(joint.graph), users(graph.users()), isOutput(graph.idLimit()),
      tangentClosure(graph.idLimit()), checkpointed(graph.idLimit()), written(graph.idLimit()),
      copied(graph.idLimit()), position(graph.idLimit(), -1), forwardOrder(graph.idLimit(), -1),
      distance(graph.idLimit(), kFarFromBackward) {
    std::vector<ir::NodeId> placeholders = graph.placeholders();
    auto middle = placeholders.end() - static_cast<std::ptrdiff_t>(joint.tangentOutputs.size());
    primals.assign(placeholders.begin(), middle);
    tangents.assign(middle, placeholders.end());
    for (size_t i = 0; i < graph.order().size(); ++i)
        position[graph.order()[i].index] = static_cast<int>(i);
    for (ir::NodeId id : graph.outputs)
        if (id.valid()) isOutput[id.index] = true;
    classify(joint.forwardOutputs);
    markCheckpointed();
    measureDistance();
    markWritten(written);
}

void JointInfo::classify(int forwardOutputCount) {
    auto border = graph.outputs.begin() + forwardOutputCount;
    forwardOutputs.assign(graph.outputs.begin(), border);
    gradients.assign(border, graph.outputs.end());

    for (ir::NodeId id : tangents)
        tangentClosure[id.index] = true;
    for (ir::NodeId id : graph.order())
        if (tangentClosure[id.index])
            for (ir::NodeId user : users[id.index])
                tangentClosure[user.index] = true;
    requiredBackward = tangentClosure;
    for (ir::NodeId id : gradients)
        if (id.valid()) requiredBackward[id.index] = true;
    needsBackward =
        std::find(requiredBackward.begin(), requiredBackward.end(), true) != requiredBackward.end();

    requiredForward = ancestors(graph, forwardOutputs);
    for (ir::NodeId id : primals)
        requiredForward[id.index] = true;
    for (ir::NodeId id : graph.order()) {
        if (!requiredForward[id.index]) continue;
        forwardOrder[id.index] = static_cast<int>(forwardNodes.size());
        forwardNodes.push_back(id);
    }
}

/// What a region gives to the forward outside of it may be saved as any other value; what the
/// backward alone asks of it, the region computes again (PyTorch: cleanup_recompute_tags). Views of
/// such a result are looked through.
void JointInfo::markCheckpointed() {
    const std::vector<ir::NodeId>& order = graph.order();
    std::vector<bool> leaves(graph.idLimit());
    for (ir::NodeId id : forwardOutputs)
        leaves[id.index] = true;
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
        const ir::Node& node = graph.node(*at);
        if (requiredForward[at->index])
            for (ir::NodeId user : users[at->index]) {
                const ir::Node& reader = graph.node(user);
                if (!requiredForward[user.index]) continue;
                if (reader.checkpoint != node.checkpoint || (isView(reader) && leaves[user.index]))
                    leaves[at->index] = true;
            }
        checkpointed[at->index] = node.checkpoint > 0 && node.kind == ir::NodeKind::Call &&
                                  !leaves[at->index] && !isRandom(node);
    }
}

/// What is looked for are values that the backward has to have, and those that stand behind values
/// which cannot be saved in their place.
void JointInfo::markWritten(const std::vector<WrittenPrimal>& given) {
    if (given.empty()) return;
    std::vector<bool> wanted(graph.idLimit());
    const std::vector<ir::NodeId>& order = graph.order();
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
        if (tangentClosure[at->index]) continue;
        wanted[at->index] =
            requiredBackward[at->index] ||
            std::ranges::any_of(users[at->index], [&](ir::NodeId user) {
                const ir::Node& reader = graph.node(user);
                const bool savable = !reader.tuple && !isView(reader) && !checkpointed[user.index];
                return tangentClosure[user.index] || (wanted[user.index] && !savable);
            });
    }
    for (const WrittenPrimal& primal : given) {
        const size_t index = primals[primal.number].index;
        written[index] = !wanted[index];
        copied[index] = primal.copied;
    }
}

void JointInfo::measureDistance() {
    const std::vector<ir::NodeId>& order = graph.order();
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
        int& mine = distance[at->index];
        if (!requiredForward[at->index]) {
            mine = 0;
            continue;
        }
        for (ir::NodeId user : users[at->index])
            mine = std::min(mine, distance[user.index] + 1);
    }
}

} // namespace cutaway::partition
