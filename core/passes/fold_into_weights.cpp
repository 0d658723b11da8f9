// SPDX-License-Identifier: Apache-2.0
#include "core/passes/fold_into_weights.h"

#include "core/base/said.h"
#include "core/passes/fixed_values.h"
#include "core/passes/sweep.h"

#include <algorithm>

namespace cutaway::passes {
namespace {

using ir::Arg;
using ir::NodeId;

enum class Sign : uint8_t { Add, Sub, Mul, Div };
constexpr std::pair<std::string_view, Sign> kOperations[] = {{"add.Tensor", Sign::Add},
                                                             {"sub.Tensor", Sign::Sub},
                                                             {"mul.Tensor", Sign::Mul},
                                                             {"div.Tensor", Sign::Div}};

std::optional<Sign> signOf(const ir::Node& node) {
    for (const auto& [op, sign] : kOperations) {
        if (node.op != op) continue;
        const bool scaled = node.args.size() > 2 && !node.args[2].isNone();
        return scaled && numberOf(node.args[2]) != 1 ? std::nullopt : std::optional(sign);
    }
    return std::nullopt;
}

/// A convolution or a product of two matrices, and where its channels are.
struct Product {
    NodeId id;
    NodeId seen;     ///< id, or the view of it that the operation reads
    size_t channels; ///< dimension of `seen`
    bool convolution;

    // Places of arguments.
    size_t input() const { return convolution ? 0 : first; }
    size_t weight() const { return input() + 1; }
    std::optional<size_t> bias; ///< none: the operation takes none
    size_t first = 0;           ///< of a product: 1 behind a bias
};

class Folder {
public:
    explicit Folder(ir::Graph& graph)
        : graph_(graph), sweep_(graph), b_(sweep_.builder()), values_(graph),
          uses_(graph.idLimit()) {
        for (NodeId id : graph.order())
            ir::forEachNode(graph.node(id).args, [&](NodeId input) { ++uses_[input.index]; });
        for (NodeId id : graph.outputs)
            if (id.valid()) uses_[id.index] += 2; // its value is wanted as it is
    }

    base::Status run() {
        const auto frozen = [&](NodeId id) { return graph_.node(id).frozen; };
        if (std::ranges::none_of(graph_.order(), frozen)) return {};
        return sweep_.run([this](ir::Node& node) { return visit(node); }, false);
    }

private:
    base::Status visit(ir::Node& node) {
        const auto sign = node.kind == ir::NodeKind::Call ? signOf(node) : std::nullopt;
        if (!sign) return {};
        const ir::DType dtype = node.type().dtype;
        if (dtype != ir::DType::Float32 && dtype != ir::DType::Float64) return {};
        const bool swaps = *sign == Sign::Add || *sign == Sign::Mul;
        for (size_t which = 0; which < (swaps ? 2u : 1u); ++which)
            if (fold(node, *sign, which)) return {};
        return {};
    }

    bool fold(ir::Node& node, Sign sign, size_t which) {
        const auto product =
            node.args[which].node() ? productAt(*node.args[which].node()) : std::nullopt;
        if (!product) return false;
        const auto operand = perChannel(node.args[1 - which], *product);
        if (!operand) return false;
        b_.provenance.rule = base::said("folded into frozen weights");
        sweep_.because(
            base::said("it combines a product with frozen weights, which nothing else reads, and a "
                       "number or frozen values of each channel"));
        auto args = folded(*product, sign, *operand);
        if (!args) return false;
        const ir::Node& old = graph_.node(product->id);
        const bool addsBias = old.op == "mm" && args->size() == 3;
        NodeId with = b_.call(addsBias ? "addmm" : old.op, std::move(*args));
        use(with);
        if (product->seen != product->id) {
            const ir::Node& view = graph_.node(product->seen);
            ir::ArgList viewArgs = view.args;
            viewArgs[0] = Arg(with);
            with = b_.call(view.op, std::move(viewArgs));
        }
        if (!sameType(b_.type(with), node.type())) return false;
        use(with, uses_[node.id.index]);
        sweep_.replace(node.id, with);
        return true;
    }

    void use(NodeId id, int count = 1) {
        if (uses_.size() <= id.index) uses_.resize(graph_.idLimit());
        uses_[id.index] = count;
    }

    std::optional<Product> productAt(NodeId seen) {
        auto once = [&](NodeId id) { return uses_[id.index] == 1; };
        if (!once(seen)) return std::nullopt;
        const ir::Node* node = &graph_.node(seen);
        if (node->type().rank() == 0) return std::nullopt;
        const size_t last = node->type().rank() - 1;
        if (node->op == "view" || node->op == "_unsafe_view") {
            const ir::TensorType& under = b_.type(*node->args[0].node());
            if (under.rank() != 2 || under.sizes[1] != node->type().sizes[last] ||
                !once(*node->args[0].node()))
                return std::nullopt;
            node = &graph_.node(*node->args[0].node());
            if (node->op == "convolution") return std::nullopt;
        }
        if (node->kind != ir::NodeKind::Call) return std::nullopt;
        if (node->op == "convolution") return Product{node->id, seen, 1, true, 2};
        if (node->op == "mm") return Product{node->id, seen, last, false, {}};
        if (node->op != "addmm") return std::nullopt;
        for (size_t i = 3; i < node->args.size(); ++i) // beta, alpha
            if (!node->args[i].isNone() && numberOf(node->args[i]) != 1) return std::nullopt;
        return Product{node->id, seen, last, false, 0, 1};
    }

    /// The operand as a number, or as a fixed tensor [channels].
    std::optional<Arg> perChannel(const Arg& operand, const Product& product) {
        if (numberOf(operand)) return operand;
        if (!operand.node() || !values_.fixed(*operand.node())) return std::nullopt;
        const ir::TensorType type = b_.type(*operand.node()), &whole = b_.type(product.seen);
        if (type.dtype != whole.dtype || type.device != whole.device || type.rank() > whole.rank())
            return std::nullopt;
        const size_t ahead = whole.rank() - type.rank();
        for (size_t d = 0; d < type.rank(); ++d)
            if (!type.sizes[d].is(1) &&
                (d + ahead != product.channels || type.sizes[d] != whole.sizes[product.channels]))
                return std::nullopt; // among them one that stretches a product of one channel
        const ir::Shape channels{whole.sizes[product.channels]};
        if (!channels[0].isConst()) return std::nullopt;
        const bool one = product.channels < ahead || type.sizes[product.channels - ahead].is(1);
        NodeId vector = b_.reshape(*operand.node(), {one ? ir::Sym(1) : channels[0]});
        if (one) vector = b_.expand(vector, channels);
        return Arg(vector);
    }

    NodeId apply(Sign sign, NodeId value, const Arg& operand) {
        switch (sign) {
        case Sign::Add:
            return b_.add(value, operand);
        case Sign::Sub:
            return b_.sub(value, operand);
        case Sign::Mul:
            return b_.mul(value, operand);
        case Sign::Div:
            return b_.div(value, operand);
        }
        return value;
    }

    /// The product's arguments with \p operand in them.
    std::optional<ir::ArgList> folded(const Product& product, Sign sign, const Arg& operand) {
        ir::ArgList args = graph_.node(product.id).args;
        const bool scales = sign == Sign::Mul || sign == Sign::Div;
        const NodeId* bias = product.bias ? args[*product.bias].node() : nullptr;
        const NodeId weight = *args[product.weight()].node();
        if (bias && !values_.fixed(*bias)) return std::nullopt;
        if (scales && !values_.ofFrozen(weight)) return std::nullopt;
        if (scales) {
            const auto along = alongWeight(operand, product, args);
            if (!along) return std::nullopt;
            args[product.weight()] = Arg(apply(sign, weight, *along));
        }
        if (bias) {
            args[*product.bias] = Arg(apply(sign, *bias, operand));
        } else if (!scales) {
            if (!operand.node() || !values_.ofFrozen(weight)) return std::nullopt;
            const Arg added = sign == Sign::Sub ? Arg(b_.neg(*operand.node())) : operand;
            if (product.bias)
                args[*product.bias] = added;
            else
                args.insert(args.begin(), added);
        }
        return args;
    }

    /// The operand as it meets the weight: [o, i, k..]; [k, n]; transposed [i, o, k..].
    std::optional<Arg> alongWeight(const Arg& operand, const Product& product,
                                   const ir::ArgList& args) {
        if (!product.convolution || !operand.node()) return operand;
        constexpr size_t kTransposed = 6, kGroups = 8;
        const bool transposed = numberOf(args[kTransposed]) != 0;
        if (transposed && numberOf(args[kGroups]) != 1) return std::nullopt;
        const ir::TensorType& weight = b_.type(*args[product.weight()].node());
        ir::Shape sizes(weight.rank(), ir::Sym(1));
        sizes[transposed ? 1 : 0] = b_.type(*operand.node()).sizes[0];
        return Arg(b_.reshape(*operand.node(), sizes));
    }

    ir::Graph& graph_;
    Sweep sweep_;
    ops::Builder& b_;
    FixedValues values_;
    std::vector<int> uses_; ///< by id
};

} // namespace

base::Status foldIntoWeights(ir::Graph& graph) {
    return Folder(graph).run();
}

} // namespace cutaway::passes
