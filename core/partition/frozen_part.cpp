// SPDX-License-Identifier: Apache-2.0
#include "core/partition/frozen_part.h"

#include "core/passes/fixed_values.h"
#include "core/passes/remove_dead.h"
#include "core/passes/sweep.h"

#include <algorithm>

namespace cutaway::partition {
namespace {

using ir::NodeId;

class Splitter {
public:
    explicit Splitter(ir::Graph& graph)
        : graph_(graph), values_(graph), stays_(graph.idLimit()), taken_(graph.idLimit()),
          copies_(graph.idLimit()), number_(graph.idLimit()) {}

    FrozenPart run() {
        findWhatStays();
        const std::vector<NodeId> order = graph_.order();
        for (NodeId id : order)
            if (graph_.node(id).kind == ir::NodeKind::Placeholder)
                number_[id.index] = placeholders_++;
        // All is copied before anything is rewritten: what stays may be needed in the part, too.
        for (NodeId id : order)
            if (stays_[id.index])
                ir::forEachNode(graph_.node(id).args, [&](NodeId input) { given(input); });
        for (NodeId id : order)
            if (stays_[id.index])
                ir::rewriteNodes(graph_.node(id).args, [&](NodeId input) { return given(input); });
        return std::move(part_);
    }

private:
    bool isView(const ir::Node& node) const {
        const ops::OpDef* def = passes::opOf(node);
        return def && def->isView();
    }

    /// Backwards from the outputs: all that is not computed from frozen parameters alone, all that
    /// shares memory with a result, and the views that these look through.
    void findWhatStays() {
        std::vector<bool> shown(graph_.idLimit()); // memory that the caller gets
        for (NodeId id : graph_.outputs)
            if (id.valid()) stays_[id.index] = shown[id.index] = true;
        const std::vector<NodeId>& order = graph_.order();
        for (auto at = order.rbegin(); at != order.rend(); ++at) {
            const ir::Node& node = graph_.node(*at);
            if (!stays_[at->index] || node.kind != ir::NodeKind::Call) continue;
            const bool looks = node.op == "getitem" || isView(node);
            ir::forEachNode(node.args, [&](NodeId input) {
                shown[input.index] = shown[input.index] || (looks && shown[at->index]);
                const ir::Node& from = graph_.node(input);
                const bool computed = from.kind == ir::NodeKind::Call && !isView(from) &&
                                      !shown[input.index] && values_.ofFrozen(input);
                if (!computed) stays_[input.index] = true;
            });
        }
    }

    /// What a node that stays reads instead of \p id.
    NodeId given(NodeId id) {
        const ir::Node& node = graph_.node(id);
        if (stays_[id.index]) return id;
        NodeId& input = taken_[id.index];
        if (input.valid()) return input;
        const NodeId computed = copy(id);
        part_.graph.outputs.push_back(computed);
        part_.graph.outputNames.push_back(node.name);
        ir::TensorType type = node.type();
        type.requiresGrad = false;
        input = graph_.addPlaceholder("frozen_" + node.name, type);
        ir::Node& placeholder = graph_.node(input);
        placeholder.inputSource = "frozen " + node.name;
        placeholder.source = node.source;
        placeholder.modulePath = node.modulePath;
        placeholder.from = node.from;
        return input;
    }

    /// \p wanted in the part, with all that it needs.
    NodeId copy(NodeId wanted) {
        std::vector<NodeId> open{wanted};
        while (!open.empty()) {
            const NodeId id = open.back();
            const size_t before = open.size();
            const ir::Node& node = graph_.node(id);
            if (!copies_[id.index].valid())
                ir::forEachNode(node.args, [&](NodeId input) {
                    if (!copies_[input.index].valid()) open.push_back(input);
                });
            if (open.size() > before) continue;
            open.pop_back();
            if (copies_[id.index].valid()) continue;
            if (node.kind == ir::NodeKind::Placeholder) part_.inputs.push_back(number_[id.index]);
            copies_[id.index] =
                part_.graph.addCopy(node, [&](NodeId input) { return copies_[input.index]; });
            part_.graph.node(copies_[id.index]).from = {id};
        }
        return copies_[wanted.index];
    }

    ir::Graph& graph_;
    passes::FixedValues values_;
    std::vector<bool> stays_;    ///< by id
    std::vector<NodeId> taken_;  ///< by id: the placeholder that stands for it
    std::vector<NodeId> copies_; ///< by id: the node of the part
    std::vector<int> number_;    ///< by id: of a placeholder
    int placeholders_ = 0;
    FrozenPart part_;
};

} // namespace

FrozenPart takeFrozenPart(ir::Graph& graph) {
    const auto frozen = [&](NodeId id) { return graph.node(id).frozen; };
    if (std::ranges::none_of(graph.order(), frozen)) return FrozenPart();
    FrozenPart part = Splitter(graph).run();
    (void)passes::removeDead(graph);
    return part;
}

} // namespace cutaway::partition
