// SPDX-License-Identifier: Apache-2.0
#include "core/ops/seen_formula.h"

#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/composite.h"
#include "core/ops/refusal.h"
#include "core/ops/unknown_sizes.h"
#include "core/ops/view_strides.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

/// What node \p id shows the elements of where they lie, of a formula's graph; else nothing.
std::optional<ir::NodeId> shownBy(const ir::Graph& graph, ir::NodeId id) {
    const ir::Node& node = graph.node(id);
    if (node.kind != ir::NodeKind::Call || node.tuple || node.args.empty()) return {};
    const OpDef* def = catalogue().find(node.op);
    const ir::NodeId* of = node.args[0].node();
    if (!def || !of || def->schema.find("-> Tensor(a") == std::string_view::npos) return {};
    const ir::TensorType& type = node.type();
    ir::TensorType from = graph.node(*of).type();
    from.requiresGrad = type.requiresGrad;
    if (!def->traits.mayCopy || from == type) return *of;
    // As written: whether sizes that are written otherwise are the same is not asked here.
    const auto strides = viewStrides(from, type.sizes);
    if (!strides) return {};
    from.sizes = type.sizes;
    from.strides = *strides;
    if (from != type) return {};
    return *of;
}

ir::NodeId startOf(const ir::Graph& graph, ir::NodeId id) {
    while (const auto of = shownBy(graph, id))
        id = *of;
    return id;
}

bool typesOf(const OpCall& call, std::vector<ir::TensorType>& types) {
    auto found = call.def.shape(call);
    if (found.ok()) types = std::move(*found);
    return found.ok();
}

} // namespace

std::optional<SeenFormula> seenFormula(const OpCall& call) {
    const auto* decompose = std::get_if<Decompose>(&call.def.lowering);
    if (!decompose || decompose->when != DecomposeWhen::BeforeAutograd) return {};
    SeenFormula seen{ir::Graph("seen"), {}};
    seen.graph.shapes = call.graph.shapes;
    ir::Node node;
    node.op = call.def.parsed.name;
    node.args = call.args;
    ir::rewriteNodes(node.args, [&](ir::NodeId id) {
        return seen.graph.addPlaceholder("x", call.graph.node(id).type());
    });
    Builder builder(seen.graph);
    try {
        // A composite's formula does not read the types of its results, which cost it once more.
        if (!isComposite(call.def) && !typesOf(call, node.types)) return {};
        seen.results = decompose->build({builder, node});
    } catch (const Refusal&) {
        return {};
    } catch (const UnknownSizes&) {
        return {};
    }
    for (ir::NodeId result : seen.results)
        if (seen.graph.node(startOf(seen.graph, result)).kind != ir::NodeKind::Placeholder)
            return {};
    if (seen.results.empty() || (node.types.empty() && !typesOf(call, node.types))) return {};
    for (size_t i = 0; i < seen.results.size(); ++i) {
        ir::TensorType shown = seen.graph.node(seen.results[i]).type();
        shown.requiresGrad = node.types[i].requiresGrad;
        if (shown != node.types[i]) return {};
    }
    return seen;
}

Value owned(const Operands& x, const Value& result) {
    const ir::NodeId start = startOf(x.b.graph(), result);
    bool given = false;
    ir::ArgList args = x.node.args;
    ir::rewriteNodes(args, [&](ir::NodeId id) {
        given |= id == start || startOf(x.b.graph(), id) == start;
        return id;
    });
    return given ? Value(aten("clone", result, "contiguous_format")) : result;
}

} // namespace cutaway::ops
