// SPDX-License-Identifier: Apache-2.0
#include "core/passes/view_identity.h"

#include "core/passes/sweep.h"

namespace cutaway::passes {
namespace {

constexpr int kDepth = 4;

/// The coordinates of an element of a tensor; 0 where there is only one.
std::vector<ir::Sym> coordinates(const ir::TensorType& type) {
    std::vector<ir::Sym> coords;
    for (size_t i = 0; i < type.rank(); ++i)
        coords.push_back(type.sizes[i].is(1) ? ir::Sym(0)
                                             : ir::Sym(ir::Var{'d', static_cast<uint16_t>(i)}));
    return coords;
}

} // namespace

std::optional<ir::NodeId> equalViewedValue(const ir::Graph& graph, const ir::Node& node) {
    const ir::TensorType& type = node.type();
    auto bound = [&](ir::Var variable) -> std::optional<ir::Sym> {
        if (variable.kind != 'd') return std::nullopt;
        return type.sizes[variable.index];
    };
    const std::vector<ir::Sym> own = coordinates(type);
    std::vector<ir::Sym> coords = own;
    const ir::Node* at = &node;
    for (int depth = 0; depth < kDepth; ++depth) {
        const ops::OpDef* def = opOf(*at);
        const auto* view = def ? std::get_if<ops::View>(&def->lowering) : nullptr;
        if (!view || at->op == "detach" || !at->args[0].node()) return std::nullopt;
        coords = view->map(ops::OpCall(*def, at->args, graph), coords);
        for (ir::Sym& coord : coords)
            coord = coord.simplify(bound);
        at = &graph.node(*at->args[0].node());
        if (coords == own && sameType(at->type(), type)) return at->id;
    }
    return std::nullopt;
}

} // namespace cutaway::passes
