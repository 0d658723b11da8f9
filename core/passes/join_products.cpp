// SPDX-License-Identifier: Apache-2.0
#include "core/passes/join_products.h"

#include "core/base/said.h"
#include "core/passes/fixed_values.h"
#include "core/passes/gpu_tiles.h"
#include "core/passes/shared_memory.h"
#include "core/passes/side_by_side.h"

#include <algorithm>

namespace cutaway::passes {
namespace {

using ir::Arg;
using ir::NodeId;

class Joiner {
public:
    Joiner(ir::Graph& graph, int64_t tiles)
        : graph_(graph), tiles_(tiles), sweep_(graph), b_(sweep_.builder()), relaid_(sweep_),
          groups_(sweep_, relaid_), values_(graph) {}

    base::Status run() {
        const auto frozen = [&](NodeId id) { return graph_.node(id).frozen; };
        if (std::ranges::none_of(graph_.order(), frozen)) return {};
        findGroups();
        if (groups_.none()) return {};
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
        if (fillsGpu(type.sizes[0].constant(), type.sizes[1].constant(), tiles_)) return false;
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
        for (auto& [input, members] : byInput)
            groups_.add(std::move(members));
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
        if (!groups_.has(node.id)) return relaid_.follow(node);
        b_.provenance.rule = base::said("products of one matrix, each too small to fill a GPU");
        sweep_.because(base::said(
            "other products of the same matrix with frozen weights leave a GPU idle, too"));
        groups_.replace(node, [&](const SideBySide::Members& members) {
            const size_t first = firstOf(node);
            ir::ArgList args{node.args[first], Arg(groups_.joined(members, first + 1, 1))};
            if (first == 1) args.insert(args.begin(), Arg(groups_.joined(members, 0, 0)));
            return b_.call(node.op, std::move(args));
        });
        return {};
    }

    ir::Graph& graph_;
    int64_t tiles_; ///< that fill a GPU
    Sweep sweep_;
    ops::Builder& b_;
    Relaid relaid_;
    SideBySide groups_;
    FixedValues values_;
};

} // namespace

base::Status joinProducts(ir::Graph& graph, int64_t tiles) {
    return Joiner(graph, tiles).run();
}

} // namespace cutaway::passes
