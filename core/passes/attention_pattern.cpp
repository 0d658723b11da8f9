// SPDX-License-Identifier: Apache-2.0
#include "core/passes/attention_pattern.h"

#include "core/passes/sweep.h"

#include <algorithm>
#include <cmath>

namespace cutaway::passes {

using ir::Arg;
using ir::Node;
using ir::NodeId;

namespace {

/// At most this hides a score, where every row sees some other.
constexpr double kHidden = -1e9;

bool is(const Node* node, std::initializer_list<std::string_view> ops) {
    return node && node->kind == ir::NodeKind::Call &&
           std::find(ops.begin(), ops.end(), node->op) != ops.end();
}
bool isNoneOr(const Node& node, size_t i, double wanted) {
    return i >= node.args.size() || node.args[i].isNone() || numberOf(node.args[i]) == wanted;
}
bool isLastDim(const Arg& dim, size_t rank) {
    const auto number = numberOf(dim);
    return number == -1 || number == static_cast<double>(rank) - 1;
}

/// Where the label stands in \p labels.
int placeOf(std::string_view labels, char label) {
    return static_cast<int>(labels.find(label));
}

} // namespace

AttentionMatcher::AttentionMatcher(const ir::Graph& graph)
    : graph_(graph), uses_(graph.idLimit()), gradient_(graph.idLimit()) {
    for (NodeId id : graph.order()) {
        const Node& node = graph.node(id);
        bool wants = node.kind == ir::NodeKind::Placeholder && node.type().requiresGrad;
        ir::forEachNode(node.args, [&](NodeId input) {
            ++uses_[input.index];
            wants = wants || gradient_[input.index];
        });
        gradient_[id.index] = wants;
    }
    for (NodeId id : graph.outputs)
        if (id.valid()) ++uses_[id.index];
}

const Node* AttentionMatcher::argument(const Node& node, size_t i) const {
    return i < node.args.size() && node.args[i].node() ? &graph_.node(*node.args[i].node())
                                                       : nullptr;
}
const Node* AttentionMatcher::only(const Node& node, size_t i) const {
    const Node* found = argument(node, i);
    return found && isUsedOnce(found->id) ? found : nullptr;
}

const Node* AttentionMatcher::pastCast(const Node* node) const {
    if (!is(node, {"to.dtype", "_to_copy", "prims.convert_element_type"})) return node;
    const Node* inner = only(*node, 0);
    if (!inner) return node;
    const ir::DType from = inner->type().dtype, to = node->type().dtype;
    const bool half =
        from == ir::DType::Float32 ? ir::isHalf(to) : to == ir::DType::Float32 && ir::isHalf(from);
    return half ? inner : node;
}

std::optional<double> AttentionMatcher::valueOf(const Arg& arg) const {
    if (const auto number = numberOf(arg)) return number;
    if (!arg.node()) return std::nullopt;
    const Node& node = graph_.node(*arg.node());
    if (node.kind == ir::NodeKind::Constant && node.constant && node.constant->numel() == 1)
        return node.constant->get(0);
    if (is(&node, {"full", "full_like"})) return numberOf(node.args[1]);
    if (is(&node, {"ones", "ones_like"})) return 1;
    if (is(&node, {"zeros", "zeros_like"})) return 0;
    if (is(&node, {"scalar_tensor"})) return numberOf(node.args[0]);
    return std::nullopt;
}

std::optional<AttentionMatcher::Product> AttentionMatcher::productOf(const Node& node) const {
    if (is(&node, {"einsum"})) return einsumOf(node);
    Product product;
    size_t first = 0;
    if (is(&node, {"baddbmm"})) {
        const auto number = [&](size_t i) {
            return i < node.args.size() ? numberOf(node.args[i]) : 1;
        };
        const auto beta = number(3), alpha = number(4);
        if (!beta || !alpha || (*beta != 0 && *beta != 1)) return std::nullopt;
        product.factor = *alpha;
        if (*beta == 1) product.added = *node.args[0].node();
        first = 1;
    } else if (!is(&node, {"matmul", "bmm", "mm"})) {
        return std::nullopt;
    }
    const Node *a = argument(node, first), *b = argument(node, first + 1);
    const size_t rank = node.type().rank();
    if (!a || !b || rank < 2 || rank > 4 || a->type().rank() != rank || b->type().rank() != rank)
        return std::nullopt;
    product.a = {a->id, {}};
    product.b = {b->id, {}};
    return product;
}

/// Two operands, four dimensions at most, no label twice: "bqhd,bkhd->bhqk".
std::optional<AttentionMatcher::Product> AttentionMatcher::einsumOf(const Node& node) const {
    const auto* text = std::get_if<std::string>(&node.args[0]);
    const ir::ArgList* operands = node.args.size() > 1 ? node.args[1].list() : nullptr;
    if (!text || !operands || operands->size() != 2) return std::nullopt;
    std::string equation;
    std::copy_if(text->begin(), text->end(), std::back_inserter(equation),
                 [](char c) { return c != ' '; });
    const size_t comma = equation.find(','), arrow = equation.find("->");
    if (comma == std::string::npos || arrow == std::string::npos || arrow < comma)
        return std::nullopt;
    const std::string a = equation.substr(0, comma),
                      b = equation.substr(comma + 1, arrow - comma - 1),
                      out = equation.substr(arrow + 2);
    const auto has = [](const std::string& labels, char c) {
        return labels.find(c) != std::string::npos;
    };
    for (const std::string* labels : {&a, &b, &out})
        for (char c : *labels)
            if (!std::isalpha(static_cast<unsigned char>(c)) ||
                std::count(labels->begin(), labels->end(), c) != 1)
                return std::nullopt;
    // Labels of both operands and the result are batch dimensions, in the result's order.
    std::string batch, rows, columns, summed;
    for (char c : out)
        (has(a, c) && has(b, c) ? batch : has(a, c) ? rows : columns) += c;
    for (char c : a)
        if (has(b, c) && !has(out, c)) summed += c;
    const size_t rank = batch.size() + 2;
    if (rows.size() != 1 || columns.size() != 1 || summed.size() != 1 || a.size() != rank ||
        b.size() != rank || out.size() != rank || rank > 4)
        return std::nullopt;
    const auto ordered = [](const std::string& wanted, const std::string& labels) {
        std::vector<int> order;
        for (char c : wanted)
            order.push_back(placeOf(labels, c));
        return order;
    };
    Product product;
    product.a = {*(*operands)[0].node(), ordered(batch + rows + summed, a)};
    product.b = {*(*operands)[1].node(), ordered(batch + summed + columns, b)};
    product.result = ordered(out, batch + rows + columns);
    return product;
}

AttentionMatcher::Triangle AttentionMatcher::triangle(NodeId mask, int depth) const {
    const Node& node = graph_.node(mask);
    if (node.kind != ir::NodeKind::Call || depth > 16) return Triangle::None;
    const auto turned = [&](bool turn) {
        const Triangle inner = triangle(*node.args[0].node(), depth + 1);
        if (!turn || inner == Triangle::None) return inner;
        return inner == Triangle::Lower ? Triangle::Upper : Triangle::Lower;
    };
    const Node* inner = argument(node, 0);
    if (!inner) return Triangle::None;
    if (is(&node, {"tril", "triu"})) {
        const auto diagonal = node.args.size() > 1 ? numberOf(node.args[1]) : 0;
        const auto value = valueOf(node.args[0]);
        if (!value || *value == 0) return Triangle::None;
        if (node.op == "tril") return diagonal == 0 ? Triangle::Lower : Triangle::None;
        return diagonal == 1 ? Triangle::Upper : Triangle::None;
    }
    if (is(&node, {"eq.Scalar", "ne.Scalar", "gt.Scalar"})) {
        // Elements are 0 or 1, or 0 and something else.
        const auto with = numberOf(node.args[1]);
        if (with == 0) return turned(node.op == "eq.Scalar");
        return Triangle::None;
    }
    if (is(&node, {"logical_not", "bitwise_not"}))
        return node.op == "logical_not" || inner->type().dtype == ir::DType::Bool ? turned(true)
                                                                                  : Triangle::None;
    if (is(&node, {"to.dtype", "_to_copy", "prims.convert_element_type", "type_as", "clone",
                   "contiguous", "lift_fresh_copy", "detach", "alias"}))
        return turned(false);
    if (is(&node, {"unsqueeze", "view", "reshape", "expand"})) {
        const ir::Shape &from = inner->type().sizes, &to = node.type().sizes;
        if (from.size() < 2 || to.size() < 2) return Triangle::None;
        return std::equal(from.end() - 2, from.end(), to.end() - 2) ? turned(false)
                                                                    : Triangle::None;
    }
    return Triangle::None;
}

/// Scores where \p condition is true (or false) become \p with.
bool AttentionMatcher::hide(NodeId condition, bool trueHides, std::optional<double> with,
                            AttentionPattern& found) const {
    const ir::TensorType& type = graph_.node(condition).type();
    if (!with || *with > kHidden || type.dtype != ir::DType::Bool) return false;
    const Triangle hidden = triangle(condition);
    const ir::Shape& s = type.sizes;
    const bool square = s.size() >= 2 && s[s.size() - 1] == found.scores.back() &&
                        s[s.size() - 2] == found.scores[found.scores.size() - 2];
    if (square && !found.causal && hidden == (trueHides ? Triangle::Upper : Triangle::Lower)) {
        found.exact = found.exact && std::isinf(*with);
        return found.causal = true;
    }
    if (found.mask.valid() || !std::isinf(*with) || type.rank() > found.scores.size()) return false;
    found.mask = condition;
    found.meaning = trueHides ? AttentionPattern::Mask::Hidden : AttentionPattern::Mask::Seen;
    return true;
}

/// Whether adding \p mask hides the keys behind each row.
bool AttentionMatcher::hideAdded(NodeId mask, AttentionPattern& found) const {
    const Node* node = &graph_.node(mask);
    while (is(node, {"unsqueeze", "view", "reshape", "expand", "clone", "contiguous"}))
        node = argument(*node, 0);
    if (is(node, {"masked_fill.Scalar"}) && valueOf(node->args[0]) == 0) {
        AttentionPattern trial = found;
        if (!hide(*node->args[1].node(), true, numberOf(node->args[2]), trial) || !trial.causal ||
            found.causal)
            return false;
        found = trial;
        return true;
    }
    if (!is(node, {"triu"}) || found.causal || triangle(mask) != Triangle::Upper) return false;
    const auto value = valueOf(node->args[0]);
    const ir::Shape& s = graph_.node(mask).type().sizes;
    if (!value || *value > kHidden || s[s.size() - 2] != found.scores[found.scores.size() - 2])
        return false;
    found.exact = found.exact && std::isinf(*value);
    return found.causal = true;
}

/// One step from the softmax towards the product. \returns whether the node was read
bool AttentionMatcher::readMask(const Node*& scores, AttentionPattern& found) const {
    const Node& node = *scores;
    const auto goOn = [&](size_t i) {
        const Node* next = only(node, i);
        if (!next || next->type().sizes != node.type().sizes ||
            next->type().dtype != node.type().dtype)
            return false;
        scores = next;
        return true;
    };
    if (is(&node, {"masked_fill.Scalar", "masked_fill.Tensor"}))
        return hide(*node.args[1].node(), true, valueOf(node.args[2]), found) && goOn(0);
    if (is(&node, {"where.self", "where.ScalarSelf", "where.ScalarOther"})) {
        const auto first = valueOf(node.args[1]), second = valueOf(node.args[2]);
        if (second) return hide(*node.args[0].node(), false, second, found) && goOn(1);
        return hide(*node.args[0].node(), true, first, found) && goOn(2);
    }
    if (is(&node, {"mul.Tensor", "div.Tensor", "mul.Scalar", "div.Scalar"})) {
        const bool divides = node.op.starts_with("div");
        auto factor = valueOf(node.args[1]);
        size_t other = 0;
        if (!factor && !divides) factor = valueOf(node.args[0]), other = 1;
        if (!factor || !(*factor > 0) || std::isinf(*factor)) return false;
        found.scale *= divides ? 1 / *factor : *factor;
        return goOn(other);
    }
    if (!is(&node, {"add.Tensor"}) || !isNoneOr(node, 2, 1)) return false;
    // Further out nothing may have been scaled: the mask would have to be, too.
    if (found.scale != 1) return false;
    for (size_t i : {0u, 1u}) {
        const Node *mask = argument(node, 1 - i), *rest = only(node, i);
        if (!mask || !rest || hasGradient(mask->id) || mask->type().dtype != node.type().dtype ||
            rest->type().sizes != node.type().sizes)
            continue;
        if (i == 0 && productOf(*mask) && !productOf(*rest)) continue;
        if (hideAdded(mask->id, found)) return goOn(i);
        if (found.mask.valid()) return false;
        found.mask = mask->id;
        found.meaning = AttentionPattern::Mask::Added;
        return goOn(i);
    }
    return false;
}

bool AttentionMatcher::readMasks(const Node*& scores, AttentionPattern& found) const {
    for (int steps = 0; steps < 8; ++steps) {
        if (productOf(*scores)) return true;
        if (!readMask(scores, found)) return false;
        scores = pastCast(scores);
    }
    return false;
}

std::optional<AttentionPattern> AttentionMatcher::wholeOf(const Node& node) const {
    AttentionPattern found;
    found.whole = true;
    const auto dropout = numberOf(node.args[4]);
    const Node *q = argument(node, 0), *k = argument(node, 1), *v = argument(node, 2);
    const size_t rank = node.type().rank();
    if (dropout != 0 || rank < 2 || rank > 4 || q->type().rank() != rank ||
        k->type().rank() != rank || v->type().rank() != rank ||
        numberOf(node.args[7]).value_or(0) != 0)
        return std::nullopt;
    found.query = {q->id, {}}, found.key = {k->id, {}}, found.value = {v->id, {}};
    found.causal = numberOf(node.args[5]).value_or(0) != 0;
    const auto scale = numberOf(node.args[6]);
    const ir::Sym& width = q->type().sizes.back();
    if (!scale && !width.isConst()) return std::nullopt;
    found.scale = scale ? *scale : 1 / std::sqrt(static_cast<double>(width.constant()));
    found.scores = node.type().sizes;
    found.scores.back() = k->type().sizes[rank - 2];
    const Node* mask = argument(node, 3);
    if (!mask) return found;
    if (hasGradient(mask->id)) return std::nullopt;
    found.mask = mask->id;
    found.safe = true;
    const bool truth = mask->type().dtype == ir::DType::Bool;
    if (!truth && mask->type().dtype != q->type().dtype) return std::nullopt;
    found.meaning = truth ? AttentionPattern::Mask::Seen : AttentionPattern::Mask::Added;
    return found;
}

std::optional<AttentionPattern> AttentionMatcher::match(const Node& last) const {
    if (is(&last, {"scaled_dot_product_attention"})) return wholeOf(last);
    const auto outer = productOf(last);
    if (!outer || outer->factor != 1 || outer->added.valid()) return std::nullopt;
    if (!outer->a.order.empty() && !std::is_sorted(outer->a.order.begin(), outer->a.order.end()))
        return std::nullopt;
    const Node* weights = &graph_.node(outer->a.node);
    if (!isUsedOnce(weights->id)) return std::nullopt;
    weights = pastCast(weights);
    while (is(weights, {"dropout"}) &&
           (numberOf(weights->args[1]) == 0 || numberOf(weights->args[2]) == 0))
        if (!(weights = only(*weights, 0))) return std::nullopt;
    weights = pastCast(weights);
    if (!is(weights, {"softmax.int", "_softmax", "_safe_softmax"}) ||
        !isLastDim(weights->args[1], weights->type().rank()))
        return std::nullopt;
    const Node* scores = only(*weights, 0);
    if (!scores) return std::nullopt;
    // softmax(.., dtype=torch.float32) of 16 bits, too.
    const ir::DType summed = weights->type().dtype, given = scores->type().dtype;
    if (given != summed && !(summed == ir::DType::Float32 && ir::isHalf(given)))
        return std::nullopt;
    scores = pastCast(scores);
    AttentionPattern found;
    found.safe = weights->op == "_safe_softmax";
    found.scores = scores->type().sizes;
    if (found.scores.size() > 4 || !readMasks(scores, found)) return std::nullopt;
    const auto inner = productOf(*scores);
    if (!inner->result.empty() && !std::is_sorted(inner->result.begin(), inner->result.end()))
        return std::nullopt;
    if (inner->added.valid()) {
        if (found.mask.valid() || found.scale != 1 || hasGradient(inner->added))
            return std::nullopt;
        found.mask = inner->added;
    }
    // Behind a number in place of -inf, a row that sees nothing has equal weights.
    if (!found.exact && found.mask.valid()) return std::nullopt;
    found.scale *= inner->factor;
    found.query = inner->a;
    found.value = outer->b;
    // b is [batch.., k, j]; keys are [batch.., S, E].
    found.key = inner->b;
    const size_t rank = found.scores.size();
    if (found.key.order.empty())
        for (size_t d = 0; d < rank; ++d)
            found.key.order.push_back(static_cast<int>(d));
    std::swap(found.key.order[rank - 2], found.key.order[rank - 1]);
    found.result = outer->result;
    return found;
}

std::vector<NodeId> AttentionMatcher::inside(const Node& last,
                                             const AttentionPattern& found) const {
    std::vector<NodeId> all;
    const auto add = [&](NodeId id) {
        const bool given = id == found.query.node || id == found.key.node ||
                           id == found.value.node || id == found.mask;
        if (!given && isUsedOnce(id) && graph_.node(id).kind == ir::NodeKind::Call)
            all.push_back(id);
    };
    ir::forEachNode(last.args, add);
    for (size_t i = 0; i < all.size(); ++i)
        ir::forEachNode(graph_.node(all[i]).args, add);
    return all;
}

} // namespace cutaway::passes
