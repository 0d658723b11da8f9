// SPDX-License-Identifier: Apache-2.0
#include "core/passes/join_products.h"

#include "core/passes/fixed_values.h"
#include "core/passes/gpu_tiles.h"
#include "core/passes/relaid.h"
#include "core/passes/shared_memory.h"

#include <algorithm>

namespace cutaway::passes {
namespace {

using ir::Arg;
using ir::NodeId;

/// Products with the same first matrix.
struct Group {
    std::vector<NodeId> members; ///< in order
    NodeId joined;
};

class Joiner {
public:
    explicit Joiner(ir::Graph& graph)
        : graph_(graph), sweep_(graph), b_(sweep_.builder()), relaid_(sweep_), values_(graph) {}

    base::Status run() {
        const auto frozen = [&](NodeId id) { return graph_.node(id).frozen; };
        if (std::ranges::none_of(graph_.order(), frozen)) return {};
        findGroups();
        if (groupOf_.empty()) return {};
        raiseFixed();
        CUTAWAY_CHECK(sweep_.run([this](ir::Node& node) { return visit(node); }, false));
        relaid_.restoreOutputs();
        return {};
    }

private:
    static size_t firstOf(const ir::Node& node) { return node.op == "addmm" ? 1 : 0; }

    bool joins(const ir::Node& node) {
        if (node.kind != ir::NodeKind::Call || (node.op != "mm" && node.op != "addmm"))
            return false;
        const ir::TensorType& type = node.type();
        if (!type.device.isCuda() || !type.staticSizes()) return false;
        if (fillsGpu(type.sizes[0].constant(), type.sizes[1].constant())) return false;
        const size_t first = firstOf(node);
        if (!values_.ofFrozen(*node.args[first + 1].node())) return false;
        if (first == 0) return true;
        for (size_t i = 3; i < node.args.size(); ++i) // beta, alpha
            if (!node.args[i].isNone() && numberOf(node.args[i]) != 1) return false;
        const NodeId bias = *node.args[0].node();
        return b_.type(bias).sizes == ir::Shape{type.sizes[1]} && values_.ofFrozen(bias);
    }

    void findGroups() {
        std::map<std::pair<NodeId, std::string>, std::vector<NodeId>> byInput;
        const SharedMemory memory(graph_);
        for (NodeId id : graph_.order()) {
            const ir::Node& node = graph_.node(id);
            if (!memory.isShown(id) && joins(node) && !values_.fixed(id))
                byInput[{*node.args[firstOf(node)].node(), node.op}].push_back(id);
        }
        for (auto& [input, members] : byInput) {
            if (members.size() < 2) continue;
            for (NodeId member : members)
                groupOf_[member] = groups_.size();
            groups_.push_back({std::move(members), {}});
        }
    }

    /// Weights come before the first product that needs them.
    void raiseFixed() {
        std::vector<NodeId> order = graph_.order();
        std::ranges::stable_partition(order, [&](NodeId id) {
            return graph_.node(id).kind == ir::NodeKind::Placeholder || values_.fixed(id);
        });
        graph_.setOrder(std::move(order));
    }

    base::Status visit(ir::Node& node) {
        const auto found = groupOf_.find(node.id);
        if (found == groupOf_.end()) return relaid_.follow(node);
        Group& group = groups_[found->second];
        b_.provenance.rule = "products of one matrix, each too small to fill a GPU";
        sweep_.because(
            "other products of the same matrix with frozen weights leave a GPU idle, too");
        if (!group.joined.valid()) group.joined = join(group, node);
        ir::Sym begin(0);
        for (NodeId member : group.members) {
            if (member == node.id) break;
            begin = begin + b_.type(member).sizes[1];
        }
        const NodeId piece =
            b_.call("slice.Tensor", {Arg(group.joined), Arg(ir::Sym(1)), Arg(begin),
                                     Arg(begin + node.type().sizes[1]), Arg(ir::Sym(1))});
        relaid_.add(piece, node.types);
        sweep_.replace(node.id, piece);
        return {};
    }

    NodeId join(const Group& group, const ir::Node& node) {
        const size_t first = firstOf(node);
        ir::ArgList args{node.args[first], Arg(joinOf(group, first + 1, 1))};
        if (first == 1) args.insert(args.begin(), Arg(joinOf(group, 0, 0)));
        return b_.call(node.op, std::move(args));
    }

    NodeId joinOf(const Group& group, size_t argument, int64_t dim) {
        ir::ArgList pieces;
        for (NodeId member : group.members)
            pieces.push_back(Arg(*graph_.node(member).args[argument].node()));
        return b_.call("cat", {Arg(std::move(pieces)), Arg(ir::Sym(dim))});
    }

    ir::Graph& graph_;
    Sweep sweep_;
    ops::Builder& b_;
    Relaid relaid_;
    FixedValues values_;
    std::vector<Group> groups_;
    std::map<NodeId, size_t> groupOf_;
};

} // namespace

base::Status joinProducts(ir::Graph& graph) {
    return Joiner(graph).run();
}

} // namespace cutaway::passes
