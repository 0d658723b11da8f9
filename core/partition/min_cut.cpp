// SPDX-License-Identifier: Apache-2.0
#include "core/partition/min_cut.h"

#include "core/base/tick.h"
#include "core/partition/flow_network.h"
#include "core/partition/op_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cutaway::partition {
namespace {

/// In memory whether saved or not. A view is looked through: what reads it reads its base. (PyTorch
/// may save the view itself instead; here the base stands for all its views.)
bool isMaterialized(const JointInfo& info, const ir::Node& node) {
    if (node.kind == ir::NodeKind::Placeholder) return true;
    std::vector<ir::NodeId> open{node.id};
    while (!open.empty()) {
        const ir::Node& at = info.graph.node(open.back());
        open.pop_back();
        if (info.isOutput[at.id.index]) return true;
        for (ir::NodeId user : info.users[at.id.index]) {
            if (!areFusible(at, info.graph.node(user))) return true;
            if (isView(info.graph.node(user))) open.push_back(user);
        }
    }
    return false;
}

int in(const JointInfo& info, ir::NodeId id) {
    return 2 * info.position[id.index];
}
int out(const JointInfo& info, ir::NodeId id) {
    return in(info, id) + 1;
}

void addNode(FlowNetwork& network, const JointInfo& info, const MinCut& cut, ir::NodeId id) {
    constexpr int64_t kInfinite = FlowNetwork::kInfinite;
    if (info.tangentClosure[id.index]) {
        network.addEdge(in(info, id), network.sink(), kInfinite);
        return;
    }
    // A forward value that is itself a gradient must reach the backward's outputs.
    if (info.requiredBackward[id.index]) network.addEdge(out(info, id), network.sink(), kInfinite);
    if (cut.bans[id.index] != Ban::None) network.addEdge(network.source(), in(info, id), kInfinite);
    const Weight& weight = cut.weights[id.index];
    network.addEdge(in(info, id), out(info, id), weight.canSave ? weight.value : kInfinite);
    for (ir::NodeId user : info.users[id.index])
        network.addEdge(out(info, id), in(info, user), kInfinite);
}

base::Diagnostic unboundedError(const JointInfo& info, const std::vector<int>& path) {
    std::string names;
    for (int vertex : path) {
        auto position = static_cast<size_t>(vertex / 2);
        if (position >= info.graph.order().size() || vertex % 2 == 1) continue;
        if (!names.empty()) names += " -> ";
        names += info.graph.node(info.graph.order()[position]).name;
    }
    return base::bugError(
        fmt::format("no cut separates forward from backward: {} can be neither saved nor "
                    "recomputed",
                    names.empty() ? "a value" : names));
}

} // namespace

Weight weightOf(const JointInfo& info, ir::NodeId id) {
    const ir::Node& node = info.graph.node(id);
    Weight weight;
    weight.canSave = !node.tuple && node.kind != ir::NodeKind::Constant && !isView(node);
    weight.materialized = isMaterialized(info, node);
    int distance = std::clamp(info.distance[id.index], 1, 100);
    auto bytes = static_cast<double>(bytesOf(node, info.graph));
    weight.value = static_cast<int64_t>(bytes * std::pow(1.1, distance));
    if (!weight.materialized) weight.value *= 2;
    return weight;
}

base::Result<MinCut> solveMinCut(const JointInfo& info) {
    const std::vector<ir::NodeId>& order = info.graph.order();
    MinCut cut;
    cut.bans = findBans(info);
    cut.weights.resize(info.graph.idLimit());
    FlowNetwork network(2 * static_cast<int>(order.size()));
    for (ir::NodeId id : order) {
        base::tick();
        cut.weights[id.index] = weightOf(info, id);
        addNode(network, info, cut, id);
    }
    if (auto path = network.infinitePath(); !path.empty()) return unboundedError(info, path);

    FlowNetwork::Cut result = network.minimumCut();
    cut.value = result.value;
    for (ir::NodeId id : order) {
        bool before = !result.sinkSide[static_cast<size_t>(in(info, id))];
        if (before && result.sinkSide[static_cast<size_t>(out(info, id))]) cut.saved.push_back(id);
    }
    return cut;
}

} // namespace cutaway::partition
