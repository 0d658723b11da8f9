// SPDX-License-Identifier: Apache-2.0
#include "core/passes/sweep.h"

#include "core/base/tick.h"
#include "core/ops/rule_guard.h"

namespace cutaway::passes {

const ops::OpDef* opOf(const ir::Node& node) {
    if (node.kind != ir::NodeKind::Call || node.op == "getitem") return nullptr;
    return ops::catalogue().find(node.op);
}

std::optional<double> numberOf(const ir::Arg& arg) {
    if (const double* real = std::get_if<double>(&arg)) return *real;
    if (const bool* truth = std::get_if<bool>(&arg)) return *truth ? 1 : 0;
    const ir::Sym* integer = std::get_if<ir::Sym>(&arg);
    if (integer && integer->isConst()) return static_cast<double>(integer->constant());
    return std::nullopt;
}

bool sameType(const ir::TensorType& a, const ir::TensorType& b) {
    return a.dtype == b.dtype && a.device == b.device && a.sizes == b.sizes &&
           a.strides == b.strides;
}

void Sweep::replace(ir::NodeId old, ir::NodeId with) {
    if (with_.size() <= old.index) with_.resize(graph_.idLimit());
    with_[old.index] = resolve(with);
    dead_.push_back(old);
}

void Sweep::replaceTuple(ir::NodeId old, std::vector<ir::NodeId> with) {
    if (tupleAt_.size() <= old.index) tupleAt_.resize(graph_.idLimit());
    tuples_.emplace_back(old, std::move(with));
    tupleAt_[old.index] = static_cast<uint32_t>(tuples_.size());
    dead_.push_back(old);
}

ir::NodeId Sweep::resolve(ir::NodeId id) const {
    // Chains stay short: a replacement is resolved when it is entered, and only a node that was
    // replaced later than its replacement was entered adds a link.
    while (id.valid() && id.index < with_.size() && with_[id.index].valid())
        id = with_[id.index];
    return id;
}

bool Sweep::selectFromReplacedTuple(ir::Node& node) {
    if (node.op != "getitem" || !node.args[0].node()) return false;
    ir::NodeId tuple = *node.args[0].node();
    if (tuple.index >= tupleAt_.size() || tupleAt_[tuple.index] == 0) return false;
    const auto& values = tuples_[tupleAt_[tuple.index] - 1].second;
    replace(node.id, values[static_cast<size_t>(std::get<ir::Sym>(node.args[1]).constant())]);
    return true;
}

base::Status Sweep::process(ir::NodeId id, const Visit& visit, bool visitBuilt) {
    base::tick();
    ir::Node& node = graph_.node(id);
    ir::rewriteNodes(node.args, [&](ir::NodeId input) { return resolve(input); });
    if (selectFromReplacedTuple(node)) return {};

    builder_.provenance = {node.source,   node.modulePath, node.from,
                           node.backward, node.rule,       node.checkpoint};
    size_t before = graph_.order().size();
    CUTAWAY_CHECK(ops::guardRule(node.op, node.source, builder_.provenance.rule,
                                 [&] { return visit(node); }));
    std::vector<ir::NodeId> built(graph_.order().begin() + static_cast<std::ptrdiff_t>(before),
                                  graph_.order().end());
    for (ir::NodeId made : built) {
        if (visitBuilt) {
            CUTAWAY_CHECK(process(made, visit, true));
        } else {
            order_.push_back(made);
        }
    }
    // What a visited built node was replaced by is known only now.
    ir::rewriteNodes(node.args, [&](ir::NodeId input) { return resolve(input); });
    order_.push_back(id);
    return {};
}

base::Status Sweep::run(const Visit& visit, bool visitBuilt) {
    const std::vector<ir::NodeId> originals = graph_.order();
    order_.reserve(originals.size());
    for (ir::NodeId id : originals)
        CUTAWAY_CHECK(process(id, visit, visitBuilt));
    for (ir::NodeId& output : graph_.outputs)
        output = resolve(output);
    // A tuple's getitem may be an output of the graph; it was replaced above.
    graph_.setOrder(std::move(order_));
    graph_.erase(dead_);
    return {};
}

} // namespace cutaway::passes
