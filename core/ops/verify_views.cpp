// SPDX-License-Identifier: Apache-2.0
#include "core/ops/verify_views.h"

#include "core/ir/printer.h"
#include "core/ops/catalogue.h"
#include "core/ops/unknown_sizes.h"

#include <algorithm>
#include <fmt/format.h>

namespace cutaway::ops {

static bool hasSymbols(const ir::TensorType& type) {
    auto symbolic = [](const ir::Sym& size) { return !size.isConst(); };
    return std::ranges::any_of(type.sizes, symbolic) || std::ranges::any_of(type.strides, symbolic);
}

/// Whether both place every element alike: strides of what is not walked along may be any.
static bool liesAlike(const ir::TensorType& a, const ir::TensorType& b) {
    if (a.sizes != b.sizes) return false;
    if (std::ranges::any_of(a.sizes, [](const ir::Sym& size) { return size.is(0); })) return true;
    for (size_t i = 0; i < a.rank(); ++i)
        if (!a.sizes[i].is(1) && a.strides[i] != b.strides[i]) return false;
    return true;
}

static std::optional<std::string> verifyView(const ir::Graph& graph, const ir::Node& node) {
    const OpDef* def = node.kind == ir::NodeKind::Call ? catalogue().find(node.op) : nullptr;
    if (!def || !def->isView() || node.types.size() != 1 || hasSymbols(node.type())) return {};
    const ir::NodeId* viewed = node.args.empty() ? nullptr : node.args[0].node();
    if (!viewed || hasSymbols(graph.node(*viewed).type())) return {};
    try {
        auto types = def->shape(OpCall(*def, node.args, graph));
        if (!types.ok()) return fmt::format("{}: {}", node.name, types.error().message);
        if (types->size() == 1 && liesAlike(types->front(), node.type())) return {};
        return fmt::format("{} is {}, its operation gives {}", node.name, ir::typeText(node.type()),
                           types->empty() ? "nothing" : ir::typeText(types->front()));
    } catch (const UnknownSizes&) {
        return {};
    }
}

std::optional<std::string> verifyViews(const ir::Graph& graph) {
    for (ir::NodeId id : graph.order())
        if (auto broken = verifyView(graph, graph.node(id))) return broken;
    return {};
}

} // namespace cutaway::ops
