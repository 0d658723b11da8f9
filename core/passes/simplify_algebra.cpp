// SPDX-License-Identifier: Apache-2.0
#include "core/passes/simplify_algebra.h"

#include "core/base/said.h"

#include "core/passes/shared_memory.h"
#include "core/passes/sweep.h"
#include "core/passes/view_identity.h"

#include <algorithm>

#include <cmath>

namespace cutaway::passes {
namespace {

using Found = std::optional<ir::NodeId>;

/// What a rule may look at and build with.
struct Context {
    ir::Graph& graph;
    ops::Builder& builder;

    /// The call that makes argument \p i, if it is a call of \p op.
    const ir::Node* made(const ir::Node& node, size_t i, std::string_view op) const {
        if (i >= node.args.size() || !node.args[i].node()) return nullptr;
        const ir::Node& input = graph.node(*node.args[i].node());
        return input.kind == ir::NodeKind::Call && input.op == op ? &input : nullptr;
    }
    bool floating(const ir::Node& node) const { return ir::isFloating(node.type().dtype); }
};

ir::NodeId first(const ir::Node& node) {
    return *node.args[0].node();
}

bool unitAlpha(const ir::Node& node) {
    return node.args.size() < 3 || node.args[2].isNone() || numberOf(node.args[2]) == 1;
}

Found inverseOf(Context& c, const ir::Node& node, std::string_view outer, std::string_view inner) {
    if (node.op != outer) return {};
    const ir::Node* input = c.made(node, 0, inner);
    return input ? Found(first(*input)) : std::nullopt;
}

Found logOfExp(Context& c, const ir::Node& node) {
    return inverseOf(c, node, "log", "exp");
}
Found negOfNeg(Context& c, const ir::Node& node) {
    return inverseOf(c, node, "neg", "neg");
}

/// The neg that made an operand, unless it wrapped around before the operand's dtype was widened:
/// 1.0 - (-b) is no 1.0 + b for a uint8 b.
const ir::Node* negated(Context& c, const ir::Node& node, size_t argument) {
    const ir::Node* made = c.made(node, argument, "neg");
    return made && (c.floating(*made) || made->type().dtype == node.type().dtype) ? made : nullptr;
}

Found absOfSigned(Context& c, const ir::Node& node) {
    if (node.op != "abs") return {};
    if (c.made(node, 0, "abs")) return first(node);
    const ir::Node* input = c.made(node, 0, "neg");
    return input && ir::info(node.type().dtype).category != ir::DTypeInfo::Category::Unsigned
               ? Found(c.builder.call("abs", {input->args[0]}))
               : std::nullopt;
}

Found reluOfRelu(Context& c, const ir::Node& node) {
    return node.op == "relu" && c.made(node, 0, "relu") ? Found(first(node)) : std::nullopt;
}

Found sameOperands(Context&, const ir::Node& node) {
    if ((node.op == "maximum" || node.op == "minimum") && node.args[0] == node.args[1])
        return first(node);
    if (node.op == "where.self" && node.args[1] == node.args[2]) return *node.args[1].node();
    return {};
}

Found signedSum(Context& c, const ir::Node& node) {
    const bool sum = node.op == "add.Tensor";
    if ((!sum && node.op != "sub.Tensor") || !unitAlpha(node)) return {};
    for (size_t i : {0, 1}) // nothing is subtracted from a bool
        if (!node.args[i].node() ||
            c.graph.node(*node.args[i].node()).type().dtype == ir::DType::Bool)
            return {};
    if (const ir::Node* b = negated(c, node, 1))
        return sum ? c.builder.sub(first(node), b->args[0])
                   : c.builder.add(first(node), b->args[0]);
    const ir::Node* a = negated(c, node, 0);
    return sum && a ? Found(c.builder.sub(*node.args[1].node(), a->args[0])) : std::nullopt;
}

Found signedProduct(Context& c, const ir::Node& node) {
    if (node.op != "mul.Tensor" && node.op != "div.Tensor") return {};
    const ir::Node* a = negated(c, node, 0);
    const ir::Node* b = negated(c, node, 1);
    return a && b ? Found(c.builder.call(node.op, {a->args[0], b->args[0]})) : std::nullopt;
}

Found smallPower(Context& c, const ir::Node& node) {
    if (node.op != "pow.Tensor_Scalar") return {};
    auto exponent = numberOf(node.args[1]);
    if (exponent == 1) return first(node);
    return exponent == 2 ? Found(c.builder.mul(first(node), node.args[0])) : std::nullopt;
}

/// Every value of \p a is a value of \p b.
bool holdsExactly(ir::DType a, ir::DType b) {
    if (a == b || a == ir::DType::Bool) return true;
    if (b == ir::DType::Bool) return false;
    const bool fromFloat = ir::isFloating(a), toFloat = ir::isFloating(b);
    if (fromFloat && !toFloat) return false;
    if (fromFloat) {
        const ir::FloatLimits from = ir::floatLimits(a), to = ir::floatLimits(b);
        return to.eps <= from.eps && to.max >= from.max &&
               to.smallestNormal * to.eps <= from.smallestNormal * from.eps;
    }
    const bool isSigned = ir::info(a).category == ir::DTypeInfo::Category::Signed;
    const size_t bits = 8 * ir::sizeBytes(a) - isSigned;
    if (toFloat)
        return std::ldexp(1.0, static_cast<int>(bits)) * ir::floatLimits(b).eps <= 2 &&
               std::ldexp(1.0, static_cast<int>(bits)) <= ir::floatLimits(b).max;
    const bool toSigned = ir::info(b).category == ir::DTypeInfo::Category::Signed;
    return 8 * ir::sizeBytes(b) - toSigned >= bits && (toSigned || !isSigned);
}

Found conversion(Context& c, const ir::Node& node) {
    constexpr std::string_view kConvert = "prims.convert_element_type";
    if (node.op != kConvert) return {};
    if (c.builder.type(first(node)).dtype == node.type().dtype) return first(node);
    const ir::Node* inner = c.made(node, 0, kConvert);
    if (!inner || !holdsExactly(c.builder.type(first(*inner)).dtype, inner->type().dtype))
        return {};
    return c.builder.convert(first(*inner), node.type().dtype);
}

Found viewChain(Context& c, const ir::Node& node) {
    return equalViewedValue(c.graph, node);
}

std::vector<int> permutation(const ir::Node& node) {
    std::vector<int> dims;
    int rank = static_cast<int>(node.type().rank());
    for (const ir::Arg& arg : *node.args[1].list()) {
        int dim = static_cast<int>(std::get<ir::Sym>(arg).constant());
        dims.push_back(dim < 0 ? dim + rank : dim);
    }
    return dims;
}

Found permuteOfPermute(Context& c, const ir::Node& node) {
    if (node.op != "permute") return {};
    const ir::Node* inner = c.made(node, 0, "permute");
    if (!inner) return {};
    std::vector<int> dims = permutation(node), before = permutation(*inner);
    for (int& dim : dims)
        dim = before[static_cast<size_t>(dim)];
    return c.builder.permute(first(*inner), dims);
}

/// Sizes are all that the outer call depends on, as long as the value looked at is contiguous.
Found viewOfView(Context& c, const ir::Node& node) {
    if (node.op != "view") return {};
    const ir::Node* inner = c.made(node, 0, "view");
    if (!inner || !c.builder.type(first(*inner)).isContiguous()) return {};
    return c.builder.reshape(first(*inner), node.type().sizes);
}

Found expandOfExpand(Context& c, const ir::Node& node) {
    const ir::Node* inner = node.op == "expand" ? c.made(node, 0, "expand") : nullptr;
    return inner ? Found(c.builder.expand(first(*inner), node.type().sizes)) : std::nullopt;
}

Found copy(Context&, const ir::Node& node) {
    return node.op == "clone" ? Found(first(node)) : std::nullopt;
}

/// Nothing is put around it, or cut off.
Found neutralPad(Context&, const ir::Node& node) {
    if (node.op != "constant_pad_nd") return {};
    for (const ir::Arg& width : *node.args[1].list()) {
        const auto* size = std::get_if<ir::Sym>(&width);
        if (!size || !size->is(0)) return {};
    }
    return first(node);
}

struct Rule {
    std::string_view name, condition;
    Found (*apply)(Context&, const ir::Node&);
};
/// Tried in this order; the first that gives a value of the same type wins.
constexpr Rule kRules[] = {
    {base::said("log of exp"), base::said("its operand is computed by exp"), logOfExp},
    {base::said("negated twice"), base::said("its operand is computed by neg"), negOfNeg},
    {base::said("absolute value of a signed value"),
     base::said("its operand is computed by neg or abs"), absOfSigned},
    {base::said("relu of relu"), base::said("its operand is computed by relu"), reluOfRelu},
    {base::said("equal operands"), base::said("both operands are one value"), sameOperands},
    {base::said("sum with a negated value"), base::said("an operand is computed by neg"),
     signedSum},
    {base::said("product of negated values"), base::said("both operands are computed by neg"),
     signedProduct},
    {base::said("small power"), base::said("the exponent is 1 or 2"), smallPower},
    {base::said("conversion that changes nothing"),
     base::said("the conversions before it lose nothing"), conversion},
    {base::said("views that change nothing"),
     base::said("an earlier value has these elements in these places"), viewChain},
    {base::said("permute of permute"), base::said("its operand is computed by permute"),
     permuteOfPermute},
    {base::said("view of view"), base::said("its operand is a view of contiguous values"),
     viewOfView},
    {base::said("expand of expand"), base::said("its operand is computed by expand"),
     expandOfExpand},
    {base::said("copy that nobody can tell apart"),
     base::said("nobody writes to it or sees that it is the same memory"), copy},
    {base::said("pad of nothing"), base::said("all of its widths are 0"), neutralPad},
};

} // namespace

base::Status simplifyAlgebra(ir::Graph& graph) {
    Sweep sweep(graph);
    SharedMemory shared(graph);
    Context context{graph, sweep.builder()};
    auto visit = [&](ir::Node& node) -> base::Status {
        if (node.kind != ir::NodeKind::Call || node.op == "getitem" || node.tuple) return {};
        for (const Rule& rule : kRules) {
            size_t before = graph.idLimit();
            sweep.builder().provenance.rule = rule.name;
            Found with = rule.apply(context, node);
            if (!with) continue;
            bool built = with->index >= before;
            if (!sameType(graph.node(*with).type(), node.type()) ||
                !shared.mayReplace(node.id, *with)) {
                if (built) sweep.drop(*with);
                continue;
            }
            shared.replaced(node.id, *with);
            sweep.replace(node.id, *with);
            sweep.because(std::string(rule.condition));
            return {};
        }
        return {};
    };
    return sweep.run(visit, false);
}

} // namespace cutaway::passes
