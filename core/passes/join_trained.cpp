// SPDX-License-Identifier: Apache-2.0
#include "core/passes/join_trained.h"

#include "core/base/said.h"
#include "core/passes/gpu_tiles.h"
#include "core/passes/shared_memory.h"
#include "core/passes/side_by_side.h"

#include <algorithm>
#include <tuple>

namespace cutaway::passes {
namespace {

using ir::Arg;
using ir::NodeId;

class Joiner {
public:
    Joiner(ir::Graph& graph, int64_t tiles)
        : graph_(graph), tiles_(tiles), sweep_(graph), b_(sweep_.builder()), relaid_(sweep_),
          groups_(sweep_, relaid_) {}

    base::Status run() {
        findGroups();
        if (groups_.none()) return {};
        raiseWeights();
        CUTAWAY_CHECK(sweep_.run([this](ir::Node& node) { return visit(node); }, false));
        relaid_.restoreOutputs();
        return {};
    }

private:
    /// What autocast casts, which it does anew for every layer; other values themselves.
    NodeId beforeCast(NodeId id) const {
        const ir::Node& node = graph_.node(id);
        return node.op == "prims.convert_element_type" ? *node.args[0].node() : id;
    }
    bool isWeight(NodeId id) const {
        const ir::Node& node = graph_.node(beforeCast(id));
        return node.kind == ir::NodeKind::Placeholder && node.type().requiresGrad;
    }

    bool joins(const ir::Node& node) const {
        if (node.kind != ir::NodeKind::Call || node.op != "linear") return false;
        const ir::TensorType& type = node.type();
        if (!type.device.isCuda() || !type.staticSizes()) return false;
        const NodeId weight = *node.args[1].node();
        if (graph_.node(weight).type().rank() != 2 || !isWeight(weight)) return false;
        if (hasBias(node) && !isWeight(*node.args[2].node())) return false;
        return !fillsGpu(type.numel().constant() / type.sizes.back().constant(),
                         type.sizes.back().constant(), tiles_);
    }
    static bool hasBias(const ir::Node& node) {
        return node.args.size() > 2 && !node.args[2].isNone();
    }

    void findGroups() {
        std::map<std::tuple<NodeId, bool, ir::DType>, std::vector<NodeId>> byInput;
        const SharedMemory memory(graph_);
        for (NodeId id : graph_.order()) {
            const ir::Node& node = graph_.node(id);
            if (joins(node) && !memory.isShown(id))
                byInput[{beforeCast(*node.args[0].node()), hasBias(node), node.type().dtype}]
                    .push_back(id);
        }
        for (auto& [input, members] : byInput)
            groups_.add(std::move(members));
    }

    /// Casts of weights come before the first layer that needs them.
    void raiseWeights() {
        std::vector<bool> early(graph_.idLimit());
        for (NodeId id : graph_.order())
            early[id.index] = graph_.node(id).kind == ir::NodeKind::Placeholder;
        for (NodeId id : graph_.order())
            for (size_t i = 1; groups_.has(id) && i < graph_.node(id).args.size(); ++i)
                if (auto weight = graph_.node(id).args[i].node()) early[weight->index] = true;
        std::vector<NodeId> order = graph_.order();
        std::ranges::stable_partition(order, [&](NodeId id) { return early[id.index]; });
        graph_.setOrder(std::move(order));
    }

    base::Status visit(ir::Node& node) {
        if (!groups_.has(node.id)) return relaid_.follow(node);
        b_.provenance.rule =
            base::said("trained layers of one input, each too small to fill a GPU");
        sweep_.because(base::said("other layers of the same input leave a GPU idle, too"));
        groups_.replace(node, [&](const SideBySide::Members& members) {
            ir::ArgList args{node.args[0], Arg(groups_.joined(members, 1, 0))};
            if (hasBias(node)) args.push_back(Arg(groups_.joined(members, 2, 0)));
            return b_.call("linear", std::move(args));
        });
        return {};
    }

    ir::Graph& graph_;
    int64_t tiles_; ///< that fill a GPU
    Sweep sweep_;
    ops::Builder& b_;
    Relaid relaid_;
    SideBySide groups_;
};

} // namespace

base::Status joinTrained(ir::Graph& graph, int64_t tiles) {
    return Joiner(graph, tiles).run();
}

} // namespace cutaway::passes
