// SPDX-License-Identifier: Apache-2.0
#include "core/record/record.h"

#include <algorithm>

namespace cutaway::record {

const GraphStage* Entry::graph(const std::string& name) const {
    for (const GraphStage& stage : graphs)
        if (stage.name == name) return &stage;
    return nullptr;
}

LinkIndex::LinkIndex(const Record& record)
    : up_(record.items.size()), down_(record.items.size()), captured_(record.items.size()) {
    for (const Link& link : record.links) {
        up_[link.item].push_back(link.from);
        down_[link.from].push_back(link.item);
    }
    for (const Item& item : record.items)
        kinds_.push_back(item.kind);
    for (const Function& function : record.functions)
        for (const Entry& entry : function.entries)
            if (const GraphStage* captured = entry.graph("captured"))
                for (const GraphNode& node : captured->nodes)
                    if (node.item < captured_.size()) captured_[node.item] = true;
}

static std::vector<ItemId> closure(const std::vector<ItemId>& start,
                                   const std::vector<std::vector<ItemId>>& edges) {
    std::vector<bool> seen(edges.size());
    std::vector<ItemId> stack, result;
    auto reach = [&](ItemId id) {
        if (id >= seen.size() || seen[id]) return;
        seen[id] = true;
        stack.push_back(id);
    };
    for (ItemId id : start)
        reach(id);
    while (!stack.empty()) {
        ItemId id = stack.back();
        stack.pop_back();
        result.push_back(id);
        for (ItemId next : edges[id])
            reach(next);
    }
    std::sort(result.begin(), result.end());
    return result;
}

std::vector<ItemId> LinkIndex::ancestors(const std::vector<ItemId>& items) const {
    return closure(items, up_);
}

std::vector<ItemId> LinkIndex::descendants(const std::vector<ItemId>& items) const {
    return closure(items, down_);
}

LinkIndex::Related LinkIndex::related(const std::vector<ItemId>& items) const {
    Related result;
    std::vector<ItemId> above = ancestors(items), below = descendants(items);
    std::set_union(above.begin(), above.end(), below.begin(), below.end(),
                   std::back_inserter(result.direct));
    std::vector<ItemId> origins;
    for (ItemId id : above)
        if (captured_[id]) origins.push_back(id);
    std::vector<ItemId> more = descendants(origins);
    std::set_difference(more.begin(), more.end(), result.direct.begin(), result.direct.end(),
                        std::back_inserter(result.through));
    return result;
}

} // namespace cutaway::record
