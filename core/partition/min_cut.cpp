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
    weight.canSave = !node.tuple && node.kind != ir::NodeKind::Constant && !isView(node) &&
                     !info.checkpointed[id.index];
    weight.materialized = isMaterialized(info, node);
    int distance = std::clamp(info.distance[id.index], 1, 100);
    auto bytes = static_cast<double>(bytesOf(node, info.graph));
    weight.value = static_cast<int64_t>(bytes * std::pow(1.1, distance));
    if (!weight.materialized) weight.value *= 2;
    return weight;
}

static FlowNetwork networkOf(const JointInfo& info, const MinCut& cut) {
    const std::vector<ir::NodeId>& order = info.graph.order();
    FlowNetwork network(2 * static_cast<int>(order.size()));
    for (ir::NodeId id : order)
        addNode(network, info, cut, id);
    return network;
}

/// What is wanted saved costs nothing and cannot be had otherwise; what is wanted again cannot be
/// saved, and no rule of thumb forbids it.
static void followWishes(MinCut& cut, const std::vector<WishedNode>& wished) {
    for (const WishedNode& wish : wished) {
        Weight& weight = cut.weights[wish.id.index];
        cut.bans[wish.id.index] = wish.save ? Ban::Wished : Ban::None;
        weight.canSave = wish.save;
        if (wish.save) weight.value = 0;
    }
}

base::Result<MinCut> solveMinCut(const JointInfo& info, std::vector<WishedNode> wished) {
    const std::vector<ir::NodeId>& order = info.graph.order();
    MinCut plain;
    plain.bans = findBans(info);
    plain.weights.resize(info.graph.idLimit());
    for (ir::NodeId id : order) {
        base::tick();
        plain.weights[id.index] = weightOf(info, id);
    }
    MinCut cut = plain;
    followWishes(cut, wished);
    FlowNetwork network = networkOf(info, cut);
    for (auto path = network.infinitePath(); !path.empty(); path = network.infinitePath()) {
        if (wished.empty()) return unboundedError(info, path);
        wished.pop_back();
        cut = plain;
        followWishes(cut, wished);
        network = networkOf(info, cut);
    }

    FlowNetwork::Cut result = network.minimumCut();
    cut.value = result.value;
    for (ir::NodeId id : order) {
        bool before = !result.sinkSide[static_cast<size_t>(in(info, id))];
        if (before && result.sinkSide[static_cast<size_t>(out(info, id))]) cut.saved.push_back(id);
    }
    cut.wished = std::move(wished);
    return cut;
}

} // namespace cutaway::partition
