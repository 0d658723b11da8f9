// SPDX-License-Identifier: Apache-2.0
#include "core/passes/relaid.h"

#include "core/base/said.h"
#include "core/ops/memory_order.h"

#include <algorithm>

namespace cutaway::passes {

using ir::Arg;
using ir::NodeId;

static constexpr const char* kRestored = base::said("results keep the script's strides");

static bool fits(const ir::Node& node, const std::vector<ir::TensorType>& types) {
    for (size_t i = 0; i < types.size(); ++i)
        if (i >= node.types.size() || types[i].sizes != node.types[i].sizes) return false;
    return types.size() == node.types.size();
}

void Relaid::add(NodeId value, std::vector<ir::TensorType> had) {
    if (!had.empty()) given_.emplace(value, std::move(had));
    changed_.insert(value);
}

base::Status Relaid::follow(ir::Node& node) {
    if (node.kind != ir::NodeKind::Call) return {};
    bool touched = false;
    ir::forEachNode(node.args,
                    [&](NodeId input) { touched = touched || changed_.contains(input); });
    if (!touched) return {};
    if (node.op == "getitem") {
        const auto at = static_cast<size_t>(std::get<ir::Sym>(node.args[1]).constant());
        take(node, {graph_.node(*node.args[0].node()).types[at]});
        return {};
    }
    const ops::OpDef* def = opOf(node);
    if (!def) return {};
    auto types = def->shape(ops::OpCall(*def, node.args, graph_));
    sweep_.because(base::said("it reads a value that lies otherwise now"));
    if (types.ok() && fits(node, *types)) {
        take(node, *types);
        return {};
    }
    ir::rewriteNodes(node.args, [&](NodeId input) { return asBefore(input); });
    // A copy of what left gaps in memory leaves none: what is seen through it lies otherwise too.
    types = def->shape(ops::OpCall(*def, node.args, graph_));
    if (types.ok() && fits(node, *types)) take(node, *types);
    return {};
}

/// Gives the node the strides of \p types and remembers what it had.
void Relaid::take(ir::Node& node, const std::vector<ir::TensorType>& types) {
    bool same = true;
    for (size_t i = 0; i < types.size(); ++i)
        same = same && types[i].strides == node.types[i].strides;
    if (same) return;
    add(node.id, node.types);
    for (size_t i = 0; i < types.size(); ++i)
        node.types[i].strides = types[i].strides;
}

NodeId Relaid::copy(NodeId value, const char* format, const char* rule) {
    sweep_.builder().provenance.rule = rule;
    return sweep_.builder().call("clone", {Arg(value), Arg(std::string(format))});
}

/// The value as it lay before, for what cannot read it otherwise.
NodeId Relaid::asBefore(NodeId value) {
    if (!given_.contains(value)) return value;
    NodeId& before = before_[value];
    if (!before.valid()) before = restored(value, "as it lay before, for a view");
    return before;
}

/// The value with the strides that the script gave it: a copy of what it is a view of, seen through
/// the same views.
NodeId Relaid::restored(NodeId value, const char* rule) {
    auto had = given_.find(value);
    if (had == given_.end()) return value;
    const ir::Node& node = graph_.node(value);
    const ops::OpDef* def = node.op == "getitem" ? nullptr : opOf(node);
    if (!def || !def->isView()) return laidAs(value, had->second.front(), rule);
    ir::ArgList args = node.args;
    args[0] = Arg(restored(*args[0].node(), rule));
    sweep_.builder().provenance.rule = rule;
    return sweep_.builder().call(node.op, std::move(args));
}

/// A copy that lies in memory as a dense \p type does.
NodeId Relaid::laidAs(NodeId value, const ir::TensorType& type, const char* rule) {
    const std::vector<size_t> order = ops::memoryOrder(type);
    if (!ops::isDense(type) || std::is_sorted(order.begin(), order.end()))
        return copy(value, "contiguous_format", rule);
    std::vector<int> outwards(order.size()), back(order.size());
    for (size_t i = 0; i < order.size(); ++i) {
        outwards[i] = static_cast<int>(order[i]);
        back[order[i]] = static_cast<int>(i);
    }
    sweep_.builder().provenance.rule = rule;
    const NodeId turned = sweep_.builder().permute(value, outwards);
    return sweep_.builder().permute(copy(turned, "contiguous_format", rule), back);
}

void Relaid::restoreOutputs() {
    std::map<NodeId, NodeId> done;
    for (NodeId& output : graph_.outputs) {
        if (!output.valid() || !given_.contains(output)) continue;
        const ir::Node& node = graph_.node(output);
        sweep_.builder().provenance = {node.source, node.modulePath, node.from, node.backward,
                                       node.rule};
        auto [at, fresh] = done.emplace(output, NodeId());
        if (fresh) at->second = restored(output, kRestored);
        output = at->second;
    }
}

} // namespace cutaway::passes
