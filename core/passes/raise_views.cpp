// SPDX-License-Identifier: Apache-2.0
#include "core/passes/raise_views.h"

#include "core/base/said.h"
#include "core/passes/relaid.h"

#include <algorithm>

namespace cutaway::passes {
namespace {

using ir::Arg;
using ir::NodeId;

class ViewRaiser {
public:
    explicit ViewRaiser(ir::Graph& graph)
        : graph_(graph), sweep_(graph), relaid_(sweep_), users_(graph.users()), shown_(shown()) {}

    base::Status run() {
        CUTAWAY_CHECK(sweep_.run([this](ir::Node& node) { return visit(node); }, true));
        relaid_.restoreOutputs();
        return {};
    }

private:
    static bool makesMemory(const ops::OpDef& def) {
        using ops::Category;
        return def.isPointwise() || def.category == Category::Reduction ||
               def.category == Category::MatrixProduct || def.category == Category::Softmax ||
               def.category == Category::Loss;
    }
    static bool isRowMajor(const ir::TensorType& type) {
        return type.strides == ir::contiguousStrides(type.sizes);
    }
    /// Values whose memory the caller may get, itself or through views.
    std::vector<bool> shown() const {
        std::vector<bool> shown(graph_.idLimit());
        for (NodeId id : graph_.outputs)
            if (id.valid()) shown[id.index] = true;
        const std::vector<NodeId>& order = graph_.order();
        for (auto at = order.rbegin(); at != order.rend(); ++at) {
            const ir::Node& node = graph_.node(*at);
            const ops::OpDef* def = opOf(node);
            const bool looks = node.op == "getitem" || (def && !makesMemory(*def));
            if (looks && shown[at->index])
                ir::forEachNode(node.args, [&](NodeId input) { shown[input.index] = true; });
        }
        return shown;
    }
    /// Whether the caller would see that the rows are apart in memory.
    bool isShownApart(const ir::Node& node) const {
        return node.id.index < shown_.size() && shown_[node.id.index] && !isRowMajor(node.type());
    }
    bool isReadOnce(NodeId id) const {
        return id.index < users_.size() && users_[id.index].size() == 1 &&
               std::ranges::find(graph_.outputs, id) == graph_.outputs.end();
    }

    /// Whether row i of the result is computed of row i of the first operand and a matrix.
    bool isProductOfRows(const ir::Node& node) const {
        if (node.op == "linear") return true;
        if (node.op != "matmul" && node.op != "mm") return false;
        const NodeId left = *node.args[0].node(), right = *node.args[1].node();
        return graph_.node(left).type().rank() == node.type().rank() &&
               graph_.node(right).type().rank() == 2;
    }
    /// A pointwise call of one tensor and numbers.
    static bool isUnary(const ir::Node& node) {
        const ops::OpDef* def = opOf(node);
        if (!def || node.tuple || !def->isPointwise() || def->isRandom()) return false;
        if (node.args.empty() || !node.args[0].node()) return false;
        int tensors = 0;
        ir::forEachNode(node.args, [&](NodeId) { ++tensors; });
        return tensors == 1;
    }
    /// Whether \p node shows at most half of its operand's rows, in another than the last dimension.
    bool showsFewRows(const ir::Node& node) const {
        if (node.op != "select.int" && node.op != "slice.Tensor") return false;
        const ir::TensorType& from = graph_.node(*node.args[0].node()).type();
        const auto* dim = std::get_if<ir::Sym>(&node.args[1]);
        if (!dim || !dim->isConst()) return false;
        const auto rank = static_cast<int64_t>(from.rank());
        const int64_t at = dim->constant() < 0 ? dim->constant() + rank : dim->constant();
        if (at >= rank - 1) return false;
        if (node.op == "select.int") return !from.sizes[static_cast<size_t>(at)].is(1);
        return ir::provable(ir::atMost(node.type().numel() * ir::Sym(2), from.numel()));
    }

    base::Status visit(ir::Node& node) {
        if (node.kind != ir::NodeKind::Call || !showsFewRows(node) || isShownApart(node))
            return relaid_.follow(node);
        std::vector<NodeId> between; // from the view upwards
        NodeId at = *node.args[0].node();
        while (isReadOnce(at) && isUnary(graph_.node(at)) && isRowMajor(graph_.node(at).type())) {
            between.push_back(at);
            at = *graph_.node(at).args[0].node();
        }
        const ir::Node& product = graph_.node(at);
        if (!isReadOnce(at) || product.kind != ir::NodeKind::Call || !isProductOfRows(product) ||
            !isRowMajor(product.type()) || (product.op == "mm" && node.op == "select.int"))
            return relaid_.follow(node);
        ops::Builder& builder = sweep_.builder();
        builder.provenance.rule = base::said("rows of a product chosen before it");
        sweep_.because(base::said("nothing reads the product's other rows"));
        const auto call = [&](NodeId like, NodeId operand) {
            const std::string op = graph_.node(like).op;
            ir::ArgList args = graph_.node(like).args;
            args[0] = Arg(operand);
            return builder.call(op, std::move(args));
        };
        NodeId value = call(node.id, *product.args[0].node());
        value = call(at, value);
        for (auto each = between.rbegin(); each != between.rend(); ++each)
            value = call(*each, value);
        if (!sameType(graph_.node(value).type(), node.type())) relaid_.add(value, node.types);
        sweep_.replace(node.id, value);
        for (NodeId id : between)
            sweep_.drop(id);
        sweep_.drop(at);
        return {};
    }

    ir::Graph& graph_;
    Sweep sweep_;
    Relaid relaid_;
    std::vector<std::vector<NodeId>> users_;
    std::vector<bool> shown_;
};

} // namespace

base::Status raiseViews(ir::Graph& graph) {
    return ViewRaiser(graph).run();
}

} // namespace cutaway::passes
