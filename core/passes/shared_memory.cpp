// SPDX-License-Identifier: Apache-2.0
#include "core/passes/shared_memory.h"

#include "core/passes/sweep.h"

namespace cutaway::passes {

SharedMemory::SharedMemory(const ir::Graph& graph) : graph_(graph), shown_(graph.idLimit()) {
    for (ir::NodeId id : graph.outputs)
        if (id.valid()) walk(id, [&](ir::NodeId on) { ++shown_[on.index]; });
}

ir::NodeId SharedMemory::walk(ir::NodeId id, const std::function<void(ir::NodeId)>& visit) const {
    for (;;) {
        for (auto at = now_.find(id.index); at != now_.end(); at = now_.find(id.index))
            id = at->second;
        visit(id);
        const ir::Node* node = &graph_.node(id);
        // An element of a split shows the memory of what was split.
        if (node->op == "getitem") node = &graph_.node(*node->args[0].node());
        const ops::OpDef* def = opOf(*node);
        if (!def || !def->isView() || node->args.empty() || !node->args[0].node()) return id;
        id = *node->args[0].node();
    }
}

ir::NodeId SharedMemory::root(ir::NodeId id) const {
    return walk(id, [](ir::NodeId) {});
}

int SharedMemory::shown(ir::NodeId id) const {
    return id.index < shown_.size() ? shown_[id.index] : 0;
}

bool SharedMemory::mayReplace(ir::NodeId old, ir::NodeId with) {
    if (shown(old) == 0) return true; // no output's memory changes
    const ir::NodeId from = root(old), to = root(with);
    if (from == to) return true;
    const bool allMove = shown(from) == shown(old) && graph_.node(from).kind == ir::NodeKind::Call;
    return allMove && shown(to) == 0 && graph_.node(to).kind == ir::NodeKind::Call;
}

void SharedMemory::replaced(ir::NodeId old, ir::NodeId with) {
    shown_.resize(graph_.idLimit());
    const int outputs = shown_[old.index];
    if (outputs) {
        walk(old, [&](ir::NodeId on) { shown_[on.index] -= outputs; });
        walk(with, [&](ir::NodeId on) { shown_[on.index] += outputs; });
    }
    bool showsOld = false;
    walk(with, [&](ir::NodeId on) { showsOld |= on == old; });
    if (!showsOld) now_[old.index] = with;
}

} // namespace cutaway::passes
