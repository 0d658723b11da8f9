// SPDX-License-Identifier: Apache-2.0
#include "core/passes/join_trained.h"

#include "core/passes/gpu_tiles.h"
#include "core/passes/relaid.h"
#include "core/passes/shared_memory.h"

#include <algorithm>
#include <tuple>

namespace cutaway::passes {
namespace {

using ir::Arg;
using ir::NodeId;

/// Layers of the same input, in order.
struct Group {
    std::vector<NodeId> members;
    NodeId joined;
};

class Joiner {
public:
    explicit Joiner(ir::Graph& graph)
        : graph_(graph), sweep_(graph), b_(sweep_.builder()), relaid_(sweep_) {}

    base::Status run() {
        findGroups();
        if (groupOf_.empty()) return {};
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
                         type.sizes.back().constant());
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
        for (auto& [input, members] : byInput) {
            if (members.size() < 2) continue;
            for (NodeId member : members)
                groupOf_[member] = groups_.size();
            groups_.push_back({std::move(members), {}});
        }
    }

    /// Casts of weights come before the first layer that needs them.
    void raiseWeights() {
        std::vector<bool> early(graph_.idLimit());
        for (NodeId id : graph_.order())
            early[id.index] = graph_.node(id).kind == ir::NodeKind::Placeholder;
        for (const auto& [member, group] : groupOf_)
            for (size_t i = 1; i < graph_.node(member).args.size(); ++i)
                if (auto weight = graph_.node(member).args[i].node()) early[weight->index] = true;
        std::vector<NodeId> order = graph_.order();
        std::ranges::stable_partition(order, [&](NodeId id) { return early[id.index]; });
        graph_.setOrder(std::move(order));
    }

    base::Status visit(ir::Node& node) {
        const auto found = groupOf_.find(node.id);
        if (found == groupOf_.end()) return relaid_.follow(node);
        Group& group = groups_[found->second];
        b_.provenance.rule = "trained layers of one input, each too small to fill a GPU";
        sweep_.because("other layers of the same input leave a GPU idle, too");
        if (!group.joined.valid()) group.joined = join(group, node);
        ir::Sym begin(0);
        for (NodeId member : group.members) {
            if (member == node.id) break;
            begin = begin + b_.type(member).sizes.back();
        }
        const auto last = static_cast<int64_t>(node.type().rank()) - 1;
        const NodeId piece =
            b_.call("slice.Tensor", {Arg(group.joined), Arg(ir::Sym(last)), Arg(begin),
                                     Arg(begin + node.type().sizes.back()), Arg(ir::Sym(1))});
        relaid_.add(piece, node.types);
        sweep_.replace(node.id, piece);
        return {};
    }

    NodeId join(const Group& group, const ir::Node& node) {
        ir::ArgList args{node.args[0], Arg(joinOf(group, 1))};
        if (hasBias(node)) args.push_back(Arg(joinOf(group, 2)));
        return b_.call("linear", std::move(args));
    }

    NodeId joinOf(const Group& group, size_t argument) {
        ir::ArgList pieces;
        for (NodeId member : group.members)
            pieces.push_back(Arg(*graph_.node(member).args[argument].node()));
        return b_.call("cat", {Arg(std::move(pieces)), Arg(ir::Sym(0))});
    }

    ir::Graph& graph_;
    Sweep sweep_;
    ops::Builder& b_;
    Relaid relaid_;
    std::vector<Group> groups_;
    std::map<NodeId, size_t> groupOf_;
};

} // namespace

base::Status joinTrained(ir::Graph& graph) {
    return Joiner(graph).run();
}

} // namespace cutaway::passes
