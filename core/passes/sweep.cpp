// SPDX-License-Identifier: Apache-2.0
#include "core/passes/sweep.h"

#include "core/base/tick.h"
#include "core/ir/printer.h"
#include "core/ops/rule_guard.h"
#include "core/passes/rewrite_log.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>

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

/// Tells who listens what a visit did, if it did anything.
class Sweep::Watch {
public:
    Watch(Sweep& sweep, const ir::Node& node)
        : sweep_(sweep), node_(node), rule_(node.rule), args_(node.args), types_(node.types),
          fresh_(sweep.graph_.idLimit()), dead_(sweep.dead_.size()) {
        sweep.condition_.clear();
    }

    void finish(const std::vector<ir::NodeId>& built) const {
        const std::span gone = std::span(sweep_.dead_).subspan(dead_);
        const auto stays = [&](ir::NodeId made) { return std::ranges::count(gone, made) == 0; };
        std::vector<ir::NodeId> made, replaced;
        std::ranges::copy_if(built, std::back_inserter(made), stays);
        // What was tried and did not fit is dropped again.
        std::ranges::copy_if(gone, std::back_inserter(replaced),
                             [&](ir::NodeId id) { return id.index < fresh_; });
        const bool changed = node_.args != args_ || !std::ranges::equal(node_.types, types_, alike);
        if (made.empty() && replaced.empty() && !changed) return;
        ir::Node seen = node_;
        seen.args = args_;
        seen.types = types_;
        const std::string& given = sweep_.builder_.provenance.rule;
        const std::string& rule = given != rule_ ? given : node_.rule;
        detail::listening->push_back({node_.id, node_.name, ir::print(seen, sweep_.graph_),
                                      inputs(), rule != rule_ ? rule : std::string(),
                                      sweep_.condition_, becomes(), std::move(made),
                                      std::move(replaced)});
    }

private:
    static bool alike(const ir::TensorType& a, const ir::TensorType& b) { return sameType(a, b); }

    std::vector<std::string> inputs() const {
        std::vector<std::string> names;
        ir::forEachNode(args_,
                        [&](ir::NodeId id) { names.push_back(sweep_.graph_.node(id).name); });
        return names;
    }
    std::vector<std::string> becomes() const {
        const size_t at = node_.id.index;
        std::vector<std::string> names;
        const auto add = [&](ir::NodeId id) {
            if (id.valid()) names.push_back(sweep_.graph_.node(id).name);
        };
        if (at < sweep_.with_.size()) add(sweep_.with_[at]);
        if (at < sweep_.tupleAt_.size() && sweep_.tupleAt_[at] > 0)
            for (ir::NodeId id : sweep_.tuples_[sweep_.tupleAt_[at] - 1].second)
                add(id);
        return names;
    }

    Sweep& sweep_;
    const ir::Node& node_;
    std::string rule_;
    ir::ArgList args_;
    std::vector<ir::TensorType> types_;
    size_t fresh_, dead_; ///< limits before the visit
};

base::Status Sweep::process(ir::NodeId id, const Visit& visit, bool visitBuilt) {
    base::tick();
    ir::Node& node = graph_.node(id);
    ir::rewriteNodes(node.args, [&](ir::NodeId input) { return resolve(input); });
    if (selectFromReplacedTuple(node)) return {};

    builder_.provenance = {node.source,   node.modulePath, node.from,
                           node.backward, node.rule,       node.checkpoint};
    size_t before = graph_.order().size();
    std::optional<Watch> watch;
    if (detail::listening) watch.emplace(*this, node);
    CUTAWAY_CHECK(ops::guardRule(node.op, node.source, builder_.provenance.rule,
                                 [&] { return visit(node); }));
    std::vector<ir::NodeId> built(graph_.order().begin() + static_cast<std::ptrdiff_t>(before),
                                  graph_.order().end());
    if (watch) watch->finish(built);
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
