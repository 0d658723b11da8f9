// SPDX-License-Identifier: Apache-2.0
#include "core/passes/fixed_values.h"

#include "core/passes/sweep.h"

#include <algorithm>

namespace cutaway::passes {

bool FixedValues::fixed(ir::NodeId id) {
    if (known_.size() < graph_.idLimit()) known_.resize(graph_.idLimit());
    // Inputs first: a chain of any length takes no recursion.
    std::vector<ir::NodeId> open{id};
    while (!open.empty()) {
        const ir::NodeId at = open.back();
        const size_t before = open.size();
        if (!known_[at.index].asked && graph_.node(at).kind == ir::NodeKind::Call)
            ir::forEachNode(graph_.node(at).args, [&](ir::NodeId input) {
                if (!known_[input.index].asked) open.push_back(input);
            });
        if (open.size() > before) continue;
        open.pop_back();
        if (!known_[at.index].asked) find(at);
    }
    return known_[id.index].fixed;
}

void FixedValues::find(ir::NodeId id) {
    const ir::Node& node = graph_.node(id);
    Known& known = known_[id.index];
    known.asked = true;
    if (node.kind == ir::NodeKind::Placeholder) {
        known.fixed = known.frozen = node.frozen && node.type().staticSizes();
        return;
    }
    const ops::OpDef* def = opOf(node);
    known.fixed =
        !(def && def->isRandom()) && std::ranges::all_of(node.types, &ir::TensorType::staticSizes);
    ir::forEachNode(node.args, [&](ir::NodeId input) {
        known.fixed = known.fixed && known_[input.index].fixed;
        known.frozen = known.frozen || known_[input.index].frozen;
    });
}

} // namespace cutaway::passes
