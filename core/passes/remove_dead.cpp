// SPDX-License-Identifier: Apache-2.0
#include "core/passes/remove_dead.h"

#include "core/base/said.h"
#include "core/ir/printer.h"
#include "core/passes/rewrite_log.h"

#include <algorithm>

namespace cutaway::passes {

static void tell(const ir::Graph& graph, const ir::Node& node) {
    std::vector<std::string> inputs;
    ir::forEachNode(node.args, [&](ir::NodeId id) { inputs.push_back(graph.node(id).name); });
    detail::listening->push_back({node.id,
                                  node.name,
                                  ir::print(node, graph),
                                  std::move(inputs),
                                  base::said("what nothing uses is removed"),
                                  base::said("no value that is needed reads it"),
                                  {},
                                  {},
                                  {node.id}});
}

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
    if (detail::listening)
        for (ir::NodeId id : dead)
            tell(graph, graph.node(id));
    if (!dead.empty()) graph.erase(dead);
    return {};
}

} // namespace cutaway::passes
