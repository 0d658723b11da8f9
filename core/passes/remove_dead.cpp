// SPDX-License-Identifier: Apache-2.0
#include "core/passes/remove_dead.h"

#include <algorithm>

namespace cutaway::passes {

base::Status removeDead(ir::Graph& graph) {
    std::vector<bool> live(graph.idLimit());
    for (ir::NodeId id : graph.outputs)
        if (id.valid()) live[id.index] = true;
    std::vector<ir::NodeId> dead;
    const std::vector<ir::NodeId>& order = graph.order();
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
        const ir::Node& node = graph.node(*at);
        if (live[at->index]) {
            ir::forEachNode(node.args, [&](ir::NodeId input) { live[input.index] = true; });
        } else if (node.kind != ir::NodeKind::Placeholder) {
            dead.push_back(*at);
        }
    }
    if (!dead.empty()) graph.erase(dead);
    return {};
}

} // namespace cutaway::passes
