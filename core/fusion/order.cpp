// SPDX-License-Identifier: Apache-2.0
#include "core/fusion/order.h"

#include <algorithm>
#include <unordered_map>

namespace cutaway::fusion {

namespace {

// A vector unit has 32 registers; what waits beyond them goes to memory and back.
constexpr size_t kRegisters = 32;

/// The most members that are computed but still wait for a use by a later one.
size_t mostWaiting(const Analysis& analysis, const std::vector<BufferId>& order) {
    std::unordered_map<uint32_t, size_t> place;
    for (size_t at = 0; at < order.size(); ++at)
        place[order[at].index] = at;
    std::vector<size_t> lastUse(order.size(), 0), ends(order.size(), 0);
    for (size_t at = 0; at < order.size(); ++at)
        for (const Access& access : analysis[order[at]].loads)
            if (auto used = place.find(access.buffer.index); used != place.end())
                lastUse[used->second] = at;
    size_t waiting = 0, most = 0;
    for (size_t at = 0; at < order.size(); ++at) {
        waiting -= ends[at];
        if (lastUse[at] > at) {
            ++ends[lastUse[at]];
            ++waiting;
        }
        most = std::max(most, waiting);
    }
    return most;
}

std::vector<BufferId> depthFirst(const Analysis& analysis, const Grouping& grouping,
                                 const std::vector<BufferId>& members) {
    std::vector<BufferId> order;
    std::unordered_map<uint32_t, bool> finished; ///< false: its operands are being computed
    std::vector<BufferId> stack(members.rbegin(), members.rend());
    auto isUsed = [&](BufferId id) {
        return std::any_of(analysis[id].consumers.begin(), analysis[id].consumers.end(),
                           [&](BufferId user) { return grouping.together(id, user); });
    };
    // From the results: a value that has a use waits for it.
    std::erase_if(stack, isUsed);
    while (!stack.empty()) {
        const BufferId id = stack.back();
        auto [known, first] = finished.try_emplace(id.index, false);
        if (!first) {
            stack.pop_back();
            if (!known->second) order.push_back(id);
            known->second = true;
            continue;
        }
        const auto& loads = analysis[id].loads;
        for (auto access = loads.rbegin(); access != loads.rend(); ++access)
            if (grouping.together(id, access->buffer) && !finished.contains(access->buffer.index))
                stack.push_back(access->buffer);
    }
    return order;
}

} // namespace

std::vector<BufferId> executionOrder(const Analysis& analysis, const Grouping& grouping,
                                     const Group& group) {
    std::vector<BufferId> members = group.members;
    std::sort(members.begin(), members.end());
    if (members.size() <= kRegisters) return members;
    const size_t waiting = mostWaiting(analysis, members);
    if (waiting <= kRegisters) return members;
    std::vector<BufferId> deep = depthFirst(analysis, grouping, members);
    return deep.size() == members.size() && mostWaiting(analysis, deep) < waiting ? deep : members;
}

} // namespace cutaway::fusion
