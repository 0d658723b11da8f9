// SPDX-License-Identifier: Apache-2.0
#include "core/passes/thin_products.h"

#include "core/base/said.h"
#include "core/ops/formula.h"
#include "core/passes/sweep.h"

namespace cutaway::passes {
namespace {

using ir::NodeId;

class ThinProducts {
public:
    explicit ThinProducts(ir::Graph& graph) : graph_(graph), sweep_(graph) {
        uses_.resize(graph.idLimit());
        for (NodeId id : graph.order())
            ir::forEachNode(graph.node(id).args, [&](NodeId input) { ++uses_[input.index]; });
        for (NodeId id : graph.outputs)
            if (id.valid()) ++uses_[id.index];
    }

    base::Status run() {
        return sweep_.run([this](ir::Node& node) { return visit(node); }, false);
    }

private:
    /// A pointwise result that only the product reads, but for views on the way.
    bool isMadeForIt(NodeId id) const {
        for (;;) {
            if (id.index >= uses_.size() || uses_[id.index] != 1) return false;
            const ops::OpDef* def = opOf(graph_.node(id));
            if (!def) return false;
            if (std::holds_alternative<ops::Pointwise>(def->lowering)) return true;
            const NodeId* operand = std::holds_alternative<ops::View>(def->lowering)
                                        ? graph_.node(id).args[0].node()
                                        : nullptr;
            if (!operand) return false;
            id = *operand;
        }
    }

    base::Status visit(ir::Node& node) {
        if (node.kind != ir::NodeKind::Call) return {};
        const bool vector = node.op == "mv";
        if (!vector && node.op != "mm" && node.op != "bmm") return {};
        if (!ir::isFloating(node.type().dtype)) return {};
        const NodeId a = *node.args[0].node(), b = *node.args[1].node();
        const ir::Shape sizes = graph_.node(b).type().sizes;
        ops::Builder& builder = sweep_.builder();
        if (!vector && sizes[sizes.size() - 2].is(1)) {
            builder.provenance.rule = base::said("product that sums one number");
            sweep_.because(base::said("its inner size is 1"));
            put(node, builder.mul(a, ir::Arg(b)));
            return {};
        }
        const bool column = vector || sizes.back().is(1);
        if (!column || ir::isHalf(node.type().dtype) || !isMadeForIt(a)) return {};
        builder.provenance.rule = base::said("product with one column");
        sweep_.because(
            base::said("it has one column, and the graph computes the matrix for it alone"));
        NodeId row = b;
        if (!vector) {
            ir::Shape turned = sizes;
            std::swap(turned[turned.size() - 2], turned.back());
            row = builder.reshape(b, turned);
        }
        const NodeId products = builder.mul(a, ir::Arg(row));
        put(node, builder.call("sum.dim_IntList",
                               {products, ir::ArgList{ir::Arg(ir::Sym(-1))}, ir::Arg(!vector)}));
        return {};
    }
    void put(const ir::Node& node, NodeId with) {
        if (sameType(graph_.node(with).type(), node.type()))
            sweep_.replace(node.id, with);
        else
            sweep_.drop(with);
    }

    ir::Graph& graph_;
    Sweep sweep_;
    std::vector<int> uses_;
};

} // namespace

base::Status thinProducts(ir::Graph& graph) {
    return ThinProducts(graph).run();
}

} // namespace cutaway::passes
