// SPDX-License-Identifier: Apache-2.0
#include "core/partition/bans.h"

#include "core/base/tick.h"
#include "core/partition/op_kinds.h"

#include <algorithm>
#include <queue>

namespace cutaway::partition {
namespace {

constexpr int kLongChain = 100;
constexpr int64_t kReductionFactor = 4;

class BanFinder {
public:
    explicit BanFinder(const JointInfo& info) : info_(info), bans_(info.graph.idLimit()) {}

    std::vector<Ban> find() {
        for (ir::NodeId id : info_.primals)
            ban(id, Ban::Input);
        for (ir::NodeId id : info_.forwardNodes)
            ban(id, banByItself(node(id)));
        banUsedFarApart();
        banLongChains();
        return std::move(bans_);
    }

private:
    using Entry = std::pair<int, ir::NodeId>; ///< forward order, node
    using Heap = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

    const ir::Node& node(ir::NodeId id) const { return info_.graph.node(id); }
    bool forward(ir::NodeId id) const { return info_.requiredForward[id.index]; }
    int order(ir::NodeId id) const { return info_.forwardOrder[id.index]; }

    void ban(ir::NodeId id, Ban why) {
        if (why == Ban::None || isView(node(id)) || info_.checkpointed[id.index]) return;
        if (bans_[id.index] == Ban::None) bans_[id.index] = why;
    }

    Ban banByItself(const ir::Node& n) const {
        if (n.kind != ir::NodeKind::Call || isGetitem(n) || isView(n)) return Ban::None;
        if (!isRecomputable(n)) return Ban::NotRecomputable;
        if (isMaterializedInBackward(n.id)) return Ban::MaterializedBackward;
        int64_t read = 0;
        for (const ir::Arg& arg : n.args)
            if (arg.node()) read += bytesOf(node(*arg.node()), info_.graph);
        return bytesOf(n, info_.graph) * kReductionFactor < read ? Ban::Reduction : Ban::None;
    }

    /// Being returned to the caller counts as a use that reads memory.
    bool isMaterializedInBackward(ir::NodeId id) const {
        std::vector<ir::NodeId> open{id};
        while (!open.empty()) {
            base::tick();
            ir::NodeId at = open.back();
            open.pop_back();
            if (info_.isOutput[at.index]) return true;
            for (ir::NodeId user : info_.users[at.index]) {
                if (!forward(user) && !areFusible(node(at), node(user))) return true;
                if (isView(node(user))) open.push_back(user);
            }
        }
        return false;
    }

    /// Walks the users of the users of a value in forward order to the first one that cannot be
    /// fused with the value it reads; its order, or \p limit when there is none before.
    int firstUnfusible(const std::vector<ir::NodeId>& starts, int limit) {
        struct Step {
            int order;
            bool fusible;
            ir::NodeId id;
            bool operator>(const Step& other) const {
                return std::pair(order, fusible) > std::pair(other.order, other.fusible);
            }
        };
        std::priority_queue<Step, std::vector<Step>, std::greater<>> open;
        for (ir::NodeId id : starts)
            open.push({order(id), true, id});
        int last = -1;
        while (!open.empty()) {
            base::tick();
            Step step = open.top();
            open.pop();
            if (!step.fusible) return step.order;
            // Uses come later than definitions: equal steps are neighbours in this order.
            if (step.order == last) continue;
            last = step.order;
            for (ir::NodeId user : info_.users[step.id.index])
                if (forward(user) && order(user) <= limit)
                    open.push({order(user), areFusible(node(step.id), node(user)), user});
        }
        return limit;
    }

    void banUsedFarApart() {
        for (ir::NodeId id : info_.forwardNodes) {
            if (!isFusible(node(id))) continue; // then no user is fusible with it
            std::vector<ir::NodeId> users;
            int limit = -1;
            for (ir::NodeId user : info_.users[id.index]) {
                if (!forward(user)) continue;
                users.push_back(user);
                limit = std::max(limit, order(user));
            }
            // One user cannot lie behind itself.
            if (users.size() < 2) continue;
            int barrier = firstUnfusible(users, limit);
            for (ir::NodeId user : users)
                if (order(user) > barrier && areFusible(node(id), node(user)))
                    ban(user, Ban::UsedFarApart);
        }
    }

    void banLongChains() {
        std::vector<bool> visited(info_.graph.idLimit());
        for (ir::NodeId start : info_.forwardNodes) {
            Heap open;
            open.emplace(order(start), start);
            while (!open.empty()) {
                base::tick();
                ir::NodeId at = open.top().second;
                open.pop();
                if (visited[at.index]) continue;
                visited[at.index] = true;
                if (order(at) > order(start) + kLongChain && open.empty()) {
                    ban(at, Ban::LongChain);
                    break;
                }
                for (ir::NodeId user : info_.users[at.index])
                    if (forward(user) && areFusible(node(at), node(user)) &&
                        bans_[user.index] == Ban::None)
                        open.emplace(order(user), user);
            }
        }
    }

    const JointInfo& info_;
    std::vector<Ban> bans_;
};

} // namespace

std::vector<Ban> findBans(const JointInfo& info) {
    return BanFinder(info).find();
}

} // namespace cutaway::partition
