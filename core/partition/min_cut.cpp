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
                     !info.checkpointed[id.index] && !info.written[id.index];
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

namespace {
struct Posed {
    MinCut cut; ///< all but what the network will tell
    FlowNetwork network{0};
};
} // namespace

static base::Result<Posed> pose(const JointInfo& info, std::vector<WishedNode> wished) {
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
    cut.wished = std::move(wished);
    return Posed{std::move(cut), std::move(network)};
}

static std::vector<ir::NodeId> cutNodes(const JointInfo& info, const std::vector<bool>& sinkSide) {
    std::vector<ir::NodeId> saved;
    for (ir::NodeId id : info.graph.order()) {
        const bool before = !sinkSide[static_cast<size_t>(in(info, id))];
        if (before && sinkSide[static_cast<size_t>(out(info, id))]) saved.push_back(id);
    }
    return saved;
}

base::Result<MinCut> solveMinCut(const JointInfo& info, std::vector<WishedNode> wished) {
    CUTAWAY_TRY(Posed posed, pose(info, std::move(wished)));
    const FlowNetwork::Cut result = posed.network.minimumCut();
    posed.cut.value = result.value;
    posed.cut.saved = cutNodes(info, result.sinkSide);
    return std::move(posed.cut);
}

base::Result<CutStory> followMinCut(const JointInfo& info, std::vector<WishedNode> wished) {
    constexpr size_t kMostNodes = 2000;
    const std::vector<ir::NodeId>& order = info.graph.order();
    if (order.size() > kMostNodes)
        return base::userError({}, fmt::format("a joint graph of {} nodes is too large to follow "
                                               "its cut path by path; the most is {}",
                                               order.size(), kMostNodes));
    CUTAWAY_TRY(const Posed posed, pose(info, std::move(wished)));
    const FlowNetwork::Story told = posed.network.follow();
    auto nodeOf = [&](int vertex) {
        return static_cast<size_t>(vertex / 2) < order.size() ? order[vertex / 2] : ir::NodeId();
    };
    CutStory story;
    story.value = told.value;
    for (const FlowNetwork::Story::Path& path : told.paths) {
        CutStep step;
        for (int vertex : path.vertices)
            if (const ir::NodeId id = nodeOf(vertex);
                id.valid() && (step.path.empty() || step.path.back() != id))
                step.path.push_back(id);
        step.narrow = nodeOf(path.narrow);
        step.flow = path.flow;
        step.total = path.flow + (story.steps.empty() ? 0 : story.steps.back().total);
        story.steps.push_back(std::move(step));
    }
    std::vector<bool> sinkSide;
    for (int distance : told.fromSink)
        sinkSide.push_back(distance >= 0);
    for (ir::NodeId id : order) {
        const int distance = told.fromSink[static_cast<size_t>(out(info, id))];
        if (distance < 0) continue;
        if (story.rounds.size() <= static_cast<size_t>(distance))
            story.rounds.resize(static_cast<size_t>(distance) + 1);
        story.rounds[static_cast<size_t>(distance)].push_back(id);
    }
    std::erase_if(story.rounds, [](const auto& round) { return round.empty(); });
    story.saved = cutNodes(info, sinkSide);
    return story;
}

} // namespace cutaway::partition
