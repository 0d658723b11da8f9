// SPDX-License-Identifier: Apache-2.0
#include "core/autodiff/differentiability.h"

#include "core/ops/gradients.h"

#include <algorithm>

namespace cutaway::autodiff {
namespace {

bool cutsGradient(const ir::Node& node) {
    const ops::OpDef* def = ops::catalogue().find(node.op);
    return def && ops::cutsGradient(*def);
}

/// A result of an operation whose first one alone has a gradient (the mean of native_layer_norm).
bool isStatistic(const ir::Graph& graph, const ir::Node& node) {
    if (node.op != "getitem" || std::get<ir::Sym>(node.args[1]).is(0)) return false;
    const ops::OpDef* def = ops::catalogue().find(graph.node(*node.args[0].node()).op);
    return def && def->traits.oneGradient;
}

bool floating(const ir::Node& node) {
    return std::any_of(node.types.begin(), node.types.end(),
                       [](const ir::TensorType& type) { return ir::hasGradients(type.dtype); });
}

} // namespace

std::vector<bool> carriesGradient(const ir::Graph& captured, std::span<const ir::NodeId> leaves) {
    std::vector<bool> carries(captured.idLimit());
    for (ir::NodeId leaf : leaves)
        carries[leaf.index] = true;
    for (ir::NodeId id : captured.order()) {
        const ir::Node& node = captured.node(id);
        if (!floating(node)) continue;
        bool reached = false;
        if (node.kind == ir::NodeKind::Placeholder) {
            reached = node.type().requiresGrad;
        } else if (!cutsGradient(node) && !isStatistic(captured, node)) {
            ir::forEachNode(node.args, [&](ir::NodeId input) {
                if (carries[input.index]) reached = true;
            });
        }
        if (reached) carries[id.index] = true;
    }
    return carries;
}

} // namespace cutaway::autodiff
