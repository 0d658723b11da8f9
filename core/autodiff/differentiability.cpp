// SPDX-License-Identifier: Apache-2.0
#include "core/autodiff/differentiability.h"

#include "core/ops/catalogue.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace cutaway::autodiff {
namespace {

bool ignoresValues(std::string_view op) {
    static constexpr std::array<std::string_view, 10> kOps = {
        "detach",    "zeros_like", "ones_like", "full_like", "empty_like",
        "rand_like", "randn_like", "new_zeros", "new_ones",  "new_full"};
    std::string_view base = op.substr(0, op.find('.'));
    return std::find(kOps.begin(), kOps.end(), base) != kOps.end();
}

/// A result of an operation whose first one alone has a gradient (the mean of native_layer_norm).
bool isStatistic(const ir::Graph& graph, const ir::Node& node) {
    if (node.op != "getitem" || std::get<ir::Sym>(node.args[1]).is(0)) return false;
    const ops::OpDef* def = ops::catalogue().find(graph.node(*node.args[0].node()).op);
    return def && def->traits.oneGradient;
}

bool floating(const ir::Node& node) {
    return std::any_of(node.types.begin(), node.types.end(),
                       [](const ir::TensorType& type) { return ir::isFloating(type.dtype); });
}

} // namespace

std::vector<bool> carriesGradient(const ir::Graph& captured) {
    std::vector<bool> carries(captured.idLimit());
    for (ir::NodeId id : captured.order()) {
        const ir::Node& node = captured.node(id);
        if (!floating(node)) continue;
        bool reached = false;
        if (node.kind == ir::NodeKind::Placeholder) {
            reached = node.type().requiresGrad;
        } else if (!ignoresValues(node.op) && !isStatistic(captured, node)) {
            ir::forEachNode(node.args, [&](ir::NodeId input) {
                if (carries[input.index]) reached = true;
            });
        }
        carries[id.index] = reached;
    }
    return carries;
}

} // namespace cutaway::autodiff
