// SPDX-License-Identifier: Apache-2.0
#include "core/passes/decompose.h"

#include "core/base/said.h"
#include "core/ops/formula.h"
#include "core/ops/memory_order.h"
#include "core/ops/refusal.h"
#include "core/ops/rules.h"
#include "core/passes/sweep.h"

#include <fmt/format.h>

namespace cutaway::passes {
namespace {

base::Status checkResults(const ir::Graph& graph, const ir::Node& node,
                          const std::vector<ir::NodeId>& results) {
    if (results.size() != node.types.size())
        return base::bugError(fmt::format("decomposition of {} gives {} values, expected {}",
                                          node.op, results.size(), node.types.size()));
    for (size_t i = 0; i < results.size(); ++i) {
        // A result that nothing selects may be left out.
        if (!results[i].valid()) continue;
        const ir::TensorType& found = graph.node(results[i]).type();
        const ir::TensorType& expected = node.types[i];
        if (found.dtype != expected.dtype || found.sizes != expected.sizes)
            return base::bugError(fmt::format("decomposition of {} gives {}, expected {}", node.op,
                                              found.str(), expected.str()));
    }
    return {};
}

/// Where statistics or parameters are float32 beside operands of 16 bits, a formula goes on in
/// float32: its result is what the operation says.
void restoreHalves(ops::Builder& builder, const ir::Node& node, std::vector<ir::NodeId>& results) {
    for (size_t i = 0; i < results.size() && i < node.types.size(); ++i) {
        if (!results[i].valid()) continue;
        const ir::DType found = builder.graph().node(results[i]).type().dtype;
        const ir::DType expected = node.types[i].dtype;
        const bool half = ir::isHalf(expected) || ir::isHalf(found);
        if (half && found != expected && ir::isFloating(found) && ir::isFloating(expected))
            results[i] =
                ops::Value(ops::formula::convert(ops::Value(builder, results[i]), expected));
    }
}

/// A row-major copy of the value in the order of \p type, seen as the value.
ir::NodeId laidOut(ops::Builder& builder, ir::NodeId value, const ir::TensorType& type) {
    const std::vector<size_t> order = ops::memoryOrder(type);
    if (type.numel().is(0)) { // no order says the strides of nothing
        ops::Value rows =
            ops::formula::aten("clone", ops::Value(builder, value), "contiguous_format");
        return ops::Value(ops::formula::aten("as_strided", rows, type.sizes, type.strides, 0));
    }
    std::vector<int> outwards, back(order.size());
    for (size_t at = 0; at < order.size(); ++at) {
        outwards.push_back(static_cast<int>(order[at]));
        back[order[at]] = static_cast<int>(at);
    }
    ops::Value rows = ops::formula::permute(ops::Value(builder, value), outwards);
    return ops::Value(
        ops::formula::permute(ops::formula::aten("clone", rows, "contiguous_format"), back));
}

/// Whether two types lie alike, but for dimensions that have no second element.
bool lieAlike(const ir::TensorType& a, const ir::TensorType& b) {
    for (size_t i = 0; i < a.rank(); ++i)
        if (!a.sizes[i].is(1) && !(a.strides[i] == b.strides[i])) return false;
    return true;
}

/// Users rely on the strides that the operation promised (softmax's are row-major): a loop that was
/// made for its result, with a number from \p fresh on, writes in their order; what lies otherwise
/// is copied, and so is everything before autograd, where calls may still run one by one by their
/// own rules. A view lies as its operand does.
void keepStrides(ops::Builder& builder, const ir::Node& node, std::vector<ir::NodeId>& results,
                 size_t fresh, ops::DecomposeWhen phase) {
    ir::Graph& graph = builder.graph();
    const ops::OpDef* whole = opOf(node);
    for (size_t i = 0; i < results.size(); ++i) {
        if (!results[i].valid()) continue;
        ir::Node& result = graph.node(results[i]);
        const ops::OpDef* def = opOf(result);
        const bool loop = def && (std::holds_alternative<ops::Pointwise>(def->lowering) ||
                                  std::holds_alternative<ops::Indexed>(def->lowering) ||
                                  std::holds_alternative<ops::Scatter>(def->lowering) ||
                                  std::holds_alternative<ops::Decompose>(def->lowering));
        const bool made = results[i].index >= fresh && def && !def->isView() && !result.tuple;
        const bool own = phase != ops::DecomposeWhen::BeforeAutograd && loop;
        const bool alike = lieAlike(result.types[0], node.types[i]);
        if (made && (own || (alike && !whole->isView())))
            result.types[0].strides = node.types[i].strides;
        else if (!alike && !whole->isView() && ops::isDense(node.types[i]))
            results[i] = laidOut(builder, results[i], node.types[i]);
    }
}

constexpr std::string_view kDecomposed = " decomposition", kBetween = "; ";

/// What a pass has said of the node, why it is not something else; empty: nothing.
std::string reasonIn(const std::string& rule) {
    const size_t at = rule.find(kDecomposed);
    if (at == std::string::npos) return rule;
    const size_t behind = at + kDecomposed.size() + kBetween.size();
    return behind < rule.size() ? rule.substr(behind) : std::string();
}

/// The backward of an operation, called as such: what it is made of has gradients.
bool differentiatedApart(const ops::OpDef& def) {
    return std::holds_alternative<ops::ThroughDecomposition>(def.gradient);
}

/// What the node consists of. Tensors on several devices are the user's, whichever call of the rule
/// meets them.
base::Result<std::vector<ir::NodeId>> partsOf(const ops::Decompose& rule, const ops::OpDef& def,
                                              ops::Builder& builder, const ir::Node& node) {
    const auto wantOneDevice = [&]() -> base::Status {
        auto device = ops::commonDevice(ops::OpCall(def, node.args, builder.graph()));
        return device.ok() ? base::Status() : base::Status(device.error());
    };
    try {
        std::vector<ir::NodeId> results = rule.build({builder, node});
        restoreHalves(builder, node, results);
        base::Status same = checkResults(builder.graph(), node, results);
        if (!same.ok()) {
            CUTAWAY_CHECK(wantOneDevice());
            // A backward, called with what belongs to no call.
            if (differentiatedApart(def))
                return base::userError({},
                                       fmt::format("{}: the arguments do not belong together: {}",
                                                   def.parsed.base, same.error().message));
            return same.error();
        }
        return results;
    } catch (const ops::Refusal& refused) {
        CUTAWAY_CHECK(wantOneDevice());
        // What the rule itself says is the user's, and so are a formula that takes fewer dtypes than
        // the operation and a script's call of a backward. Whatever else one of the rule's calls
        // refuses, the rule should not have called.
        const bool own = dynamic_cast<const ops::CallRefused*>(&refused);
        const bool fewer = refused.error.errorClass == base::ErrorClass::NotImplemented;
        const bool asked = !node.backward && def.parsed.base.find("_backward") != std::string::npos;
        if (refused.error.fault != base::Fault::User || !(own || fewer || asked)) throw;
        base::Diagnostic error = refused.error;
        if (!error.where.known() && node.source && !node.source->empty())
            error.where = node.source->back().where;
        throw ops::CallRefused(std::move(error));
    }
}

base::Status decompose(ir::Graph& graph, ops::DecomposeWhen phase,
                       const std::function<bool(const ir::Node&)>& stays = {}) {
    Sweep sweep(graph);
    auto visit = [&](ir::Node& node) -> base::Status {
        const ops::OpDef* def = opOf(node);
        const auto* rule = def ? std::get_if<ops::Decompose>(&def->lowering) : nullptr;
        if (!rule || (rule->when > phase && !differentiatedApart(*def))) return {};
        if (stays && stays(node)) return {};
        const std::string reason = reasonIn(node.rule);
        sweep.builder().provenance.rule =
            reason.empty() ? base::said("{} decomposition", def->name())
                           : base::said("{} decomposition; {}", def->name(), reason);
        sweep.because(base::said(
            "it calls {}, whose record decomposes it {}", def->name(),
            rule->when == ops::DecomposeWhen::BeforeAutograd  ? base::said("before autograd")
            : rule->when == ops::DecomposeWhen::AfterAutograd ? base::said("after autograd")
                                                              : base::said("before lowering")));
        const size_t fresh = graph.idLimit();
        CUTAWAY_TRY(std::vector<ir::NodeId> results, partsOf(*rule, *def, sweep.builder(), node));
        keepStrides(sweep.builder(), node, results, fresh, phase);
        if (node.tuple) {
            sweep.replaceTuple(node.id, std::move(results));
        } else {
            sweep.replace(node.id, results.front());
        }
        return {};
    };
    return sweep.run(visit, true);
}

} // namespace

base::Status decomposeBeforeAutograd(ir::Graph& graph) {
    return decompose(graph, ops::DecomposeWhen::BeforeAutograd);
}

base::Status decomposeBeforeAutograd(ir::Graph& graph,
                                     const std::function<bool(const ir::Node&)>& stays) {
    return decompose(graph, ops::DecomposeWhen::BeforeAutograd, stays);
}

base::Status decomposeAfterAutograd(ir::Graph& graph) {
    return decompose(graph, ops::DecomposeWhen::AfterAutograd);
}

base::Status decomposeBeforeLowering(ir::Graph& graph) {
    return decompose(graph, ops::DecomposeWhen::BeforeLowering);
}

} // namespace cutaway::passes
