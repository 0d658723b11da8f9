// SPDX-License-Identifier: Apache-2.0
#include "core/passes/reassociate_constants.h"

#include "core/base/said.h"
#include "core/passes/sweep.h"

#include <cmath>
#include <limits>

namespace cutaway::passes {
namespace {

/// x + constant or x * constant, as a node computes it.
struct Step {
    bool product = false;
    double constant = 0;
    bool whole = false; ///< the constant is written as an integer
};

double roundedTo(ir::DType dtype, double value) {
    return ir::computeType(dtype) == ir::DType::Float32
               ? static_cast<double>(static_cast<float>(value))
               : value;
}

std::optional<Step> stepOf(const ir::Node& node) {
    bool sum = node.op == "add.Tensor", difference = node.op == "sub.Tensor";
    bool product = node.op == "mul.Tensor";
    if (!sum && !difference && !product) return std::nullopt;
    if (!node.args[0].node() || std::holds_alternative<bool>(node.args[1])) return std::nullopt;
    auto constant = numberOf(node.args[1]);
    if (!constant) return std::nullopt;
    if (!product && node.args.size() > 2 && !node.args[2].isNone()) {
        if (numberOf(node.args[2]) != 1) return std::nullopt;
    }
    double value = roundedTo(node.type().dtype, *constant);
    bool whole = std::holds_alternative<ir::Sym>(node.args[1]);
    return Step{product, difference ? -value : value, whole};
}

/// The exact sum or product, when \p dtype can represent it.
std::optional<double> combine(const Step& a, const Step& b, ir::DType dtype) {
    double result = a.product ? a.constant * b.constant : a.constant + b.constant;
    if (ir::isIntegral(dtype)) {
        constexpr double kExact = 9007199254740992.0; // 2^53
        if (!a.whole || !b.whole || std::abs(result) > kExact) return std::nullopt;
        return result;
    }
    if (!std::isfinite(result) || roundedTo(dtype, result) != result) return std::nullopt;
    if (a.product) {
        bool large = std::abs(a.constant) >= 1 && std::abs(b.constant) >= 1;
        bool small = std::abs(a.constant) <= 1 && std::abs(b.constant) <= 1;
        bool exact = std::fma(a.constant, b.constant, -result) == 0 &&
                     (result == 0) == (a.constant == 0 || b.constant == 0);
        return (large || small) && exact ? std::optional(result) : std::nullopt;
    }
    if (std::signbit(a.constant) != std::signbit(b.constant)) return std::nullopt;
    // Knuth's two-sum: the rounding error of a + b in double.
    double part = result - a.constant;
    double error = (a.constant - (result - part)) + (b.constant - part);
    return error == 0 ? std::optional(result) : std::nullopt;
}

ir::Arg asArg(double value, bool whole) {
    return whole ? ir::Arg(ir::Sym(static_cast<int64_t>(value))) : ir::Arg(value);
}

} // namespace

base::Status reassociateConstants(ir::Graph& graph) {
    std::vector<std::vector<ir::NodeId>> users = graph.users();
    std::vector<bool> isOutput(graph.idLimit());
    for (ir::NodeId id : graph.outputs)
        if (id.valid()) isOutput[id.index] = true;

    Sweep sweep(graph);
    auto visit = [&](ir::Node& node) -> base::Status {
        auto outer = stepOf(node);
        if (!outer) return {};
        ir::Node& inner = graph.node(*node.args[0].node());
        auto before = stepOf(inner);
        if (!before || before->product != outer->product) return {};
        if (!sameType(inner.type(), node.type()) || isOutput[inner.id.index] ||
            users[inner.id.index].size() != 1)
            return {};
        // The chain must start from a tensor of the same dtype: int tensor + 0.5 converts first.
        if (graph.node(*inner.args[0].node()).type().dtype != node.type().dtype) return {};
        auto constant = combine(*before, *outer, node.type().dtype);
        if (!constant) return {};
        double written = node.op == "sub.Tensor" ? -*constant : *constant;
        node.args[0] = inner.args[0];
        node.args[1] = asArg(written, before->whole && outer->whole);
        // The inner node dies; its provenance moves on, so that a long chain costs linear time.
        std::vector<ir::NodeId> from = std::move(inner.from);
        for (ir::NodeId id : node.from)
            if (from.empty() || from.back() != id) from.push_back(id);
        node.from = std::move(from);
        sweep.because(base::said("its operand {} has a constant, too, and nothing else reads it",
                                 inner.name));
        if (node.rule.empty()) node.rule = base::said("constants of a chain combined");
        sweep.drop(inner.id);
        return {};
    };
    return sweep.run(visit, false);
}

} // namespace cutaway::passes
