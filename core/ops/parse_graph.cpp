// SPDX-License-Identifier: Apache-2.0
#include "core/ops/parse_graph.h"

#include "core/ir/parser.h"
#include "core/ir/printer.h"
#include "core/ops/call_forms.h"
#include "core/ops/catalogue.h"
#include "core/ops/rule_guard.h"
#include "core/ops/unknown_sizes.h"

#include <fmt/format.h>

namespace cutaway::ops {

namespace {

base::Diagnostic at(const ir::Node& node, std::string message) {
    return base::userError(node.source->back().where, std::move(message));
}

base::Status selectFrom(const ir::Graph& graph, const ir::Node& node) {
    const ir::NodeId* tuple = node.args.size() == 2 ? node.args[0].node() : nullptr;
    const auto* index = tuple ? std::get_if<ir::Sym>(&node.args[1]) : nullptr;
    if (index && index->isConst() && index->constant() >= 0 &&
        static_cast<size_t>(index->constant()) < graph.node(*tuple).types.size())
        return {};
    return at(node, "expected getitem(TUPLE, INDEX)");
}

base::Status complete(ir::Graph& graph, ir::Node& node) {
    if (node.op == "getitem") return selectFrom(graph, node);
    const OpDef* def = catalogue().find(node.op);
    if (!def) return at(node, fmt::format("no operation is called {}", node.op));
    const size_t most = def->parsed.args.size();
    if (node.args.size() > most)
        return at(node,
                  fmt::format("{} takes {} arguments, found {}", node.op, most, node.args.size()));
    // What a text leaves out at the end is None, where that can be, or the default.
    for (size_t i = node.args.size(); i < most; ++i) {
        const SchemaArg& argument = def->parsed.args[i];
        if (!argument.optional && !argument.defaultValue)
            return at(node, fmt::format("{}: argument '{}' is missing", node.op, argument.name));
        node.args.push_back(argument.optional ? ir::Arg() : *argument.defaultValue);
    }
    if (auto fit = checkKinds(*def, node.args); !fit.ok())
        return at(node, fmt::format("{}: {}", node.op, fit.error().message));
    using Types = decltype(def->shape(OpCall(*def, node.args, graph)));
    auto types = guardRule(node.op, node.source, "shape rule", [&]() -> Types {
        try {
            return def->shape(OpCall(*def, node.args, graph));
        } catch (const UnknownSizes&) {
            return node.types; // it depends on hints, which the text does not have
        }
    });
    if (!types) return at(node, types.error().message);
    bool same = types->size() == node.types.size();
    for (size_t i = 0; same && i < node.types.size(); ++i)
        same = (*types)[i].dtype == node.types[i].dtype && (*types)[i].sizes == node.types[i].sizes;
    if (same) return {};
    std::string given;
    for (const ir::TensorType& type : *types)
        given += (given.empty() ? "" : ", ") + ir::typeText(type);
    return at(node, fmt::format("{} gives {}, the text says otherwise", node.op, given));
}

base::Status complete(ir::Graph& graph) {
    for (ir::NodeId id : graph.order())
        if (graph.node(id).kind == ir::NodeKind::Call)
            CUTAWAY_CHECK(complete(graph, graph.node(id)));
    return {};
}

} // namespace

base::Result<ir::Graph> parseGraph(std::string_view text, const std::string& file) {
    CUTAWAY_TRY(ir::Graph graph, ir::parseGraph(text, file));
    CUTAWAY_CHECK(complete(graph));
    return graph;
}

base::Result<std::vector<ir::Graph>> parseGraphs(std::string_view text, const std::string& file) {
    CUTAWAY_TRY(std::vector<ir::Graph> graphs, ir::parseGraphs(text, file));
    for (ir::Graph& graph : graphs)
        CUTAWAY_CHECK(complete(graph));
    return graphs;
}

} // namespace cutaway::ops
