// SPDX-License-Identifier: Apache-2.0
#include "core/passes/collapse_one_hot.h"

#include "core/base/said.h"
#include "core/passes/sweep.h"

namespace cutaway::passes {
namespace {

const ir::Node* argument(const ir::Graph& graph, const ir::Node& node, size_t i) {
    return i < node.args.size() && node.args[i].node() ? &graph.node(*node.args[i].node())
                                                       : nullptr;
}

bool isCall(const ir::Node* node, std::string_view op) {
    return node && node->kind == ir::NodeKind::Call && node->op == op;
}

size_t dimOf(const ir::Arg& arg, size_t rank) {
    const int64_t dim = std::get<ir::Sym>(arg).constant();
    return static_cast<size_t>(dim < 0 ? dim + static_cast<int64_t>(rank) : dim);
}

/// The one dimension that a sum runs along; nothing for several or all.
std::optional<size_t> summedDim(const ir::Graph& graph, const ir::Node& sum) {
    const ir::ArgList* dims = sum.args.size() > 1 ? sum.args[1].list() : nullptr;
    if (!dims || dims->size() != 1) return std::nullopt;
    return dimOf(dims->front(), argument(graph, sum, 0)->type().rank());
}

/// One nonzero element in each slice along \p dim.
bool isOneHot(const ir::Graph& graph, const ir::Node& node, size_t dim) {
    if (!isCall(&node, "scatter.value") || node.type().rank() == 0) return false;
    const ir::Node* zeros = argument(graph, node, 0);
    if (!isCall(zeros, "full") || numberOf(zeros->args[1]) != 0 ||
        dimOf(node.args[1], node.type().rank()) != dim)
        return false;
    std::vector<ir::Sym> oneEach = node.type().sizes;
    oneEach[dim] = ir::Sym(1);
    return argument(graph, node, 2)->type().sizes == oneEach;
}

/// What a one-hot tensor is multiplied with, one factor a slice, and the value in its hot places.
struct Scaled {
    ir::NodeId factor; ///< invalid: 1
    double hot = 0;
};

bool oneEachSlice(const ir::TensorType& factor, const ir::TensorType& hot, size_t dim) {
    std::vector<ir::Sym> sizes(hot.rank() - factor.rank(), ir::Sym(1));
    sizes.insert(sizes.end(), factor.sizes.begin(), factor.sizes.end());
    std::vector<ir::Sym> expected = hot.sizes;
    expected[dim] = ir::Sym(1);
    return sizes == expected;
}

std::optional<Scaled> scaledOneHot(const ir::Graph& graph, const ir::Node& x, size_t dim) {
    if (isOneHot(graph, x, dim)) return Scaled{{}, *numberOf(x.args[3])};
    if (!isCall(&x, "mul.Tensor")) return std::nullopt;
    for (size_t i : {0u, 1u}) {
        const ir::Node *hot = argument(graph, x, i), *factor = argument(graph, x, 1 - i);
        if (!hot || !factor || !isOneHot(graph, *hot, dim) || hot->type().sizes != x.type().sizes ||
            hot->type().dtype != x.type().dtype || factor->type().dtype != x.type().dtype)
            continue;
        if (!oneEachSlice(factor->type(), x.type(), dim)) continue;
        return Scaled{factor->id, *numberOf(hot->args[3])};
    }
    return std::nullopt;
}

} // namespace

base::Status collapseOneHot(ir::Graph& graph) {
    Sweep sweep(graph);
    ops::Builder& b = sweep.builder();
    auto visit = [&](ir::Node& node) -> base::Status {
        if (!isCall(&node, "sum.dim_IntList")) return {};
        auto dim = summedDim(graph, node);
        if (!dim) return {};
        const ir::Node& x = *argument(graph, node, 0);
        auto found = scaledOneHot(graph, x, *dim);
        if (!found || x.type().dtype != node.type().dtype) return {};
        b.provenance.rule = base::said("sum of a one-hot tensor");
        sweep.because(base::said("it sums along the dimension in which a tensor is one-hot"));
        const ir::TensorType type = node.type();
        const ir::NodeId id = node.id;
        std::vector<ir::Sym> kept = x.type().sizes;
        kept[*dim] = ir::Sym(1);
        ir::NodeId value;
        if (found->factor.valid())
            value = b.mul(found->factor, ir::Arg(found->hot));
        else
            value =
                b.call("full", {ir::Arg(ir::ArgList(kept.begin(), kept.end())), ir::Arg(found->hot),
                                ir::Arg(type.dtype), ir::Arg{}, ir::Arg(type.device)});
        if (b.type(value).sizes != type.sizes) value = b.reshape(value, type.sizes);
        if (sameType(b.type(value), type)) sweep.replace(id, value);
        return {};
    };
    return sweep.run(visit, false);
}

} // namespace cutaway::passes
