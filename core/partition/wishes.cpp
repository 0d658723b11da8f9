// SPDX-License-Identifier: Apache-2.0
#include "core/partition/wishes.h"

#include "core/base/said.h"
#include "core/partition/op_kinds.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::partition {

static std::optional<ir::NodeId> nodeCalled(const JointInfo& info, const std::string& name) {
    for (ir::NodeId id : info.graph.order())
        if (info.graph.node(id).name == name) return id;
    return std::nullopt;
}

/// Why a value cannot be; empty: it can be tried.
static std::string impossible(const JointInfo& info, const ir::Node& node, bool save) {
    if (!info.requiredForward[node.id.index] || info.tangentClosure[node.id.index])
        return base::said("{} is a value of the backward", node.name);
    if (save) {
        if (isView(node)) return base::said("{} is a view: it has no memory of its own", node.name);
        if (node.tuple || node.kind == ir::NodeKind::Constant)
            return base::said("{} is no tensor that could be saved", node.name);
        if (info.written[node.id.index])
            return base::said("{} is changed in place before the backward runs", node.name);
        return {};
    }
    if (node.kind == ir::NodeKind::Placeholder)
        return base::said("{} is an input: it is computed by nobody here", node.name);
    const ir::Node& maker = isGetitem(node) ? info.graph.node(*node.args[0].node()) : node;
    if (isRandom(maker))
        return base::said("{} is random: a second draw would give other values", node.name);
    return {};
}

std::vector<WishedNode> wishedNodes(const JointInfo& info, std::vector<Wish>& wishes) {
    std::vector<WishedNode> wished;
    for (Wish& wish : wishes) {
        const auto id = nodeCalled(info, wish.node);
        if (!id) continue;
        const ir::Node& node = info.graph.node(*id);
        wish.problem = impossible(info, node, wish.save);
        if (wish.problem.empty()) wished.push_back({*id, wish.save});
    }
    return wished;
}

void tellMet(const JointInfo& info, const Extracted& extracted, std::vector<Wish>& wishes) {
    for (Wish& wish : wishes) {
        const auto id = nodeCalled(info, wish.node);
        if (!id || !wish.problem.empty()) continue;
        const auto& list = wish.save ? extracted.saved : extracted.recomputed;
        if (std::find(list.begin(), list.end(), *id) != list.end())
            wish.met = true;
        else
            wish.problem =
                std::find(extracted.saved.begin(), extracted.saved.end(), *id) !=
                        extracted.saved.end()
                    ? base::said("what {} is made of cannot be had in the backward", wish.node)
                    : base::said("the backward does not need {}", wish.node);
    }
}

} // namespace cutaway::partition
