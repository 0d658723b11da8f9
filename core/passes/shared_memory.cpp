// SPDX-License-Identifier: Apache-2.0
#include "core/passes/shared_memory.h"

#include "core/passes/sweep.h"

namespace cutaway::passes {

SharedMemory::SharedMemory(const ir::Graph& graph) : graph_(graph), roots_(graph.idLimit()) {
    for (ir::NodeId id : graph.order())
        root(id);
    escapes_.resize(graph.idLimit());
    for (ir::NodeId id : graph.outputs)
        if (id.valid()) escapes_[root(id).index] = true;
}

ir::NodeId SharedMemory::root(ir::NodeId id) {
    std::vector<ir::NodeId> chain;
    ir::NodeId at = id;
    for (;;) {
        if (roots_.size() <= at.index) roots_.resize(graph_.idLimit());
        if (roots_[at.index].valid()) {
            at = roots_[at.index];
            break;
        }
        chain.push_back(at);
        const ir::Node* node = &graph_.node(at);
        // An element of a split shows the memory of what was split.
        if (node->op == "getitem") node = &graph_.node(*node->args[0].node());
        const ops::OpDef* def = opOf(*node);
        if (!def || !def->isView() || node->args.empty() || !node->args[0].node()) break;
        at = *node->args[0].node();
    }
    for (ir::NodeId seen : chain)
        roots_[seen.index] = at;
    return at;
}

bool SharedMemory::mayReplace(ir::NodeId old, ir::NodeId with) {
    ir::NodeId from = root(old), to = root(with);
    escapes_.resize(graph_.idLimit());
    if (from == to || !escapes_[from.index]) return true;
    return !escapes_[to.index] && graph_.node(to).kind == ir::NodeKind::Call;
}

void SharedMemory::replaced(ir::NodeId old, ir::NodeId with) {
    ir::NodeId from = root(old), to = root(with);
    escapes_.resize(graph_.idLimit());
    if (escapes_[from.index]) escapes_[to.index] = true;
}

} // namespace cutaway::passes
