// SPDX-License-Identifier: Apache-2.0
#include "core/fusion/grouping.h"

#include "core/base/said.h"
#include "core/base/tick.h"
#include "core/fusion/legality.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cutaway::fusion {

using kernel::Buffer;
using kernel::BufferKind;
using kernel::LoopProgram;

namespace {

// Groups looked at before a merge is refused as too hard to check.
constexpr int kSearchLimit = 4096;

Role firstRole(LoopKind kind) {
    switch (kind) {
    case LoopKind::Map:
        return Role::Element;
    case LoopKind::RowReduce:
        return Role::RowReduce;
    case LoopKind::ColumnReduce:
        return Role::ColumnReduce;
    case LoopKind::FullReduce:
        return Role::FullReduce;
    case LoopKind::RowScan:
        return Role::RowScan;
    case LoopKind::ColumnScan:
        return Role::ColumnScan;
    case LoopKind::None:
        break;
    }
    return Role::Library;
}

/// A member's share of its kernel's length: one, or more when its body is long or reads at places
/// that need arithmetic (a gather is many instructions).
size_t workOf(const BufferInfo& info) {
    constexpr size_t kUsualBody = 8, kElsewhere = 16;
    const auto elsewhere = static_cast<size_t>(
        std::count_if(info.loads.begin(), info.loads.end(),
                      [](const Access& access) { return access.relation == Relation::Other; }));
    return 1 + info.nodes / kUsualBody + kElsewhere * elsewhere;
}

class Grouper {
public:
    Grouper(const LoopProgram& program, const Analysis& analysis,
            const std::vector<BufferId>& epilogueOf, const std::vector<WishedPair>& wished)
        : program_(program), analysis_(analysis), epilogueOf_(epilogueOf), wished_(wished) {}

    Grouping run(bool fuse) {
        makeGroups();
        if (fuse) {
            for (const WishedPair& pair : wished_)
                if (pair.wish->together) mergeWished(pair);
            for (const Buffer& buffer : program_.buffers)
                mergeWithProducers(buffer.id);
            for (const Buffer& buffer : program_.buffers)
                mergeReaders(buffer.id);
        }
        return std::move(result_);
    }

private:
    void makeGroups();
    void mergeWithProducers(BufferId consumer);
    void mergeReaders(BufferId read);
    void mergeWished(const WishedPair& pair);
    bool keptApart(uint32_t a, uint32_t b) const;
    /// \param wished somebody wants it: rules of thumb do not count
    std::optional<Refusal> tryMerge(uint32_t a, uint32_t b, BufferId producer, BufferId consumer,
                                    bool wished = false);
    void startOrder();
    /// A group that lies on a path between the two, or kNoGroup; then the groups marked as visited
    /// by this search are those that wait for `from` and stand before `to`.
    uint32_t between(uint32_t from, uint32_t to, int& budget) const;
    void merge(uint32_t a, uint32_t b, const MergePlan& plan);
    void closeRanks(uint32_t before, uint32_t after, uint32_t merged);

    const LoopProgram& program_;
    const Analysis& analysis_;
    const std::vector<BufferId>& epilogueOf_;
    const std::vector<WishedPair>& wished_;
    Grouping result_;
    std::vector<uint32_t> order_;           ///< groups so that each stands behind what it waits for
    std::vector<uint32_t> position_;        ///< by group: its place in order_
    mutable std::vector<uint32_t> visited_; ///< by group: the search that saw it last
    mutable uint32_t search_ = 0;
};

void Grouper::makeGroups() {
    result_.groupOf.assign(program_.buffers.size(), Grouping::kNoGroup);
    result_.roles.assign(program_.buffers.size(), Role::Library);
    for (const Buffer& buffer : program_.buffers) {
        const BufferInfo& info = analysis_[buffer.id];
        if (buffer.kind == BufferKind::Input || buffer.kind == BufferKind::Constant) continue;
        if (info.numel == 0 || isOnlyRecomputed(program_, analysis_, buffer.id)) continue;
        const BufferId owner = buffer.of.valid() ? buffer.of : epilogueOf_[buffer.id.index];
        if (owner.valid()) {
            const uint32_t index = result_.groupOf[owner.index];
            Group& group = result_.groups[index];
            group.members.push_back(buffer.id);
            group.consumers.insert(group.consumers.end(), info.consumers.begin(),
                                   info.consumers.end());
            result_.groupOf[buffer.id.index] = index;
            if (buffer.of.valid()) result_.roles[buffer.id.index] = firstRole(info.kind);
            continue;
        }
        Group group;
        group.members = {buffer.id};
        group.dims = info.dims;
        group.points = info.points;
        group.rows = info.rows;
        group.device = buffer.device;
        group.library = info.kind == LoopKind::None;
        group.scans = info.kind == LoopKind::RowScan;
        group.scanned = info.scanned;
        group.scansUp = info.scanned && program_.leader(buffer.id).call->row.backwards;
        if (buffer.kind == BufferKind::Scatter) group.scatter = buffer.id;
        group.work = workOf(info);
        group.reductions = buffer.kind == BufferKind::Reduction || group.scans || group.scanned;
        group.first = buffer.id.index;
        group.consumers = info.consumers;
        result_.groupOf[buffer.id.index] = static_cast<uint32_t>(result_.groups.size());
        result_.roles[buffer.id.index] = firstRole(info.kind);
        result_.groups.push_back(std::move(group));
    }
    // What libraries read makes no load; order between kernels needs it all the same.
    for (const Buffer& buffer : program_.buffers) {
        if (!buffer.call || analysis_[buffer.id].kind != LoopKind::None) continue;
        for (const kernel::StridedView& view : buffer.call->reads()) {
            const uint32_t group = result_.groupOf[view.buffer.index];
            if (group != Grouping::kNoGroup) result_.groups[group].consumers.push_back(buffer.id);
        }
    }
    visited_.assign(result_.groups.size(), 0);
    startOrder();
}

// Buffers are in an order of computation, groups need not be: an epilogue waits for its operands.
void Grouper::startOrder() {
    const size_t count = result_.groups.size();
    std::vector<uint32_t> waiting(count);
    auto eachReader = [&](uint32_t group, auto&& visit) {
        for (BufferId consumer : result_.groups[group].consumers)
            if (const uint32_t next = result_.groupOf[consumer.index];
                next != Grouping::kNoGroup && next != group)
                visit(next);
    };
    for (uint32_t group = 0; group < count; ++group)
        eachReader(group, [&](uint32_t next) { ++waiting[next]; });
    for (uint32_t group = 0; group < count; ++group)
        if (waiting[group] == 0) order_.push_back(group);
    position_.resize(count);
    for (uint32_t at = 0; at < order_.size(); ++at) {
        position_[order_[at]] = at;
        eachReader(order_[at], [&](uint32_t next) {
            if (--waiting[next] == 0) order_.push_back(next);
        });
    }
    if (order_.size() != count) throw std::logic_error("buffers that wait for each other");
}

void Grouper::mergeWithProducers(BufferId consumer) {
    if (result_.groupOf[consumer.index] == Grouping::kNoGroup) return;
    std::vector<BufferId> producers;
    for (const Access& access : analysis_[consumer].loads)
        producers.push_back(access.buffer);
    // Nearest first: a chain grows along its end.
    std::sort(producers.rbegin(), producers.rend());
    producers.erase(std::unique(producers.begin(), producers.end()), producers.end());
    for (BufferId producer : producers) {
        const uint32_t a = result_.groupOf[producer.index], b = result_.groupOf[consumer.index];
        if (a == Grouping::kNoGroup || a == b) continue;
        if (auto refusal = tryMerge(a, b, producer, consumer))
            result_.refusals[{producer, consumer}] = std::move(*refusal);
    }
}

void Grouper::mergeReaders(BufferId read) {
    for (auto [x, y] : sharedReaders(program_, analysis_, result_, read)) {
        const uint32_t a = result_.groupOf[x.index], b = result_.groupOf[y.index];
        if (a == b) continue;
        if (auto refusal = tryMerge(a, b, {}, {})) result_.refusals[{x, y}] = std::move(*refusal);
    }
}

void Grouper::mergeWished(const WishedPair& pair) {
    const uint32_t a = result_.groupOf[pair.a.index], b = result_.groupOf[pair.b.index];
    if (a == Grouping::kNoGroup || b == Grouping::kNoGroup || a == b) return;
    const auto& loads = analysis_[pair.b].loads;
    const bool flows = std::any_of(loads.begin(), loads.end(),
                                   [&](const Access& access) { return access.buffer == pair.a; });
    if (auto refusal =
            tryMerge(a, b, flows ? pair.a : BufferId(), flows ? pair.b : BufferId(), true))
        pair.wish->problem = refusal->reason;
}

bool Grouper::keptApart(uint32_t a, uint32_t b) const {
    return std::any_of(wished_.begin(), wished_.end(), [&](const WishedPair& pair) {
        const uint32_t x = result_.groupOf[pair.a.index], y = result_.groupOf[pair.b.index];
        return !pair.wish->together && ((x == a && y == b) || (x == b && y == a));
    });
}

uint32_t Grouper::between(uint32_t from, uint32_t to, int& budget) const {
    ++search_;
    const uint32_t end = position_[to];
    struct Step {
        uint32_t group, first;
    };
    std::vector<Step> stack;
    auto expand = [&](uint32_t group, uint32_t first, bool start) {
        base::tick();
        for (BufferId consumer : result_.groups[group].consumers) {
            const uint32_t next = result_.groupOf[consumer.index];
            if (next == Grouping::kNoGroup || next == group) continue;
            if (next == to) {
                if (start) continue;
                return true;
            }
            // No group behind `to` leads to it.
            if (visited_[next] == search_ || position_[next] > end) continue;
            visited_[next] = search_;
            stack.push_back({next, start ? next : first});
        }
        return false;
    };
    expand(from, Grouping::kNoGroup, true);
    while (!stack.empty()) {
        const Step step = stack.back();
        stack.pop_back();
        if (--budget < 0) return step.first;
        if (expand(step.group, step.first, false)) return step.first;
    }
    return Grouping::kNoGroup;
}

std::optional<Refusal> Grouper::tryMerge(uint32_t a, uint32_t b, BufferId producer,
                                         BufferId consumer, bool wished) {
    if (!wished_.empty() && keptApart(a, b))
        return Refusal{base::said("asked for"), base::said("kept apart by your decision")};
    const MergeRequest request{program_, analysis_, result_, a, b, producer, consumer, wished};
    MergePlan plan;
    if (auto refusal = planMerge(request, plan)) return refusal;
    int budget = kSearchLimit;
    const uint32_t before = position_[a] < position_[b] ? a : b, after = before == a ? b : a;
    const uint32_t middle = between(before, after, budget);
    if (middle != Grouping::kNoGroup) {
        const std::string name = program_.buffer(result_.groups[middle].members.front()).name;
        if (budget < 0)
            return Refusal{base::said("order"),
                           base::said("more than {} kernels to check for a path between "
                                      "the two, starting at {}",
                                      kSearchLimit, name)};
        return Refusal{base::said("order"),
                       base::said("the kernel of {} needs one of them and feeds the other", name)};
    }
    merge(a, b, plan);
    closeRanks(before, after, result_.groups[a].alive ? a : b);
    return std::nullopt;
}

// What waits for `before` and stood between the two moves behind the merged group. What stands
// between them does not move otherwise (after D. Pearce and P. Kelly, "A dynamic topological sort
// algorithm for directed acyclic graphs", 2006, with whole stretches in place of sets).
void Grouper::closeRanks(uint32_t before, uint32_t after, uint32_t merged) {
    const uint32_t begin = position_[before];
    uint32_t to = position_[after];
    std::vector<uint32_t> ahead;
    auto put = [&](uint32_t group) {
        order_[to] = group;
        if (group != Grouping::kNoGroup) position_[group] = to;
        --to;
    };
    for (uint32_t at = to; at-- > begin + 1;) {
        const uint32_t group = order_[at];
        if (group == Grouping::kNoGroup) continue;
        if (visited_[group] == search_)
            put(group);
        else
            ahead.push_back(group);
    }
    put(merged);
    for (uint32_t group : ahead)
        put(group);
    std::fill(order_.begin() + begin, order_.begin() + to + 1, Grouping::kNoGroup);
}

void Grouper::merge(uint32_t a, uint32_t b, const MergePlan& plan) {
    // The longer list stays, so that a chain of n merges moves O(n) members.
    if (result_.groups[a].members.size() < result_.groups[b].members.size()) std::swap(a, b);
    Group &into = result_.groups[a], &from = result_.groups[b];
    for (auto [id, role] : plan.roles)
        result_.roles[id.index] = role;
    for (BufferId id : from.members)
        result_.groupOf[id.index] = a;
    into.members.insert(into.members.end(), from.members.begin(), from.members.end());
    into.consumers.insert(into.consumers.end(), from.consumers.begin(), from.consumers.end());
    std::erase_if(into.consumers, [&](BufferId id) { return result_.groupOf[id.index] == a; });
    if (from.scatter.valid()) into.scatter = from.scatter;
    into.scans = into.scans || from.scans;
    if (from.scanned) {
        into.scanned = from.scanned;
        into.scansUp = from.scansUp;
    }
    into.dims = plan.dims;
    into.points = plan.points;
    into.rows = plan.rows;
    into.work += from.work;
    into.reductions += from.reductions;
    into.first = std::min(into.first, from.first);
    from.alive = false;
    from.members.clear();
    from.consumers.clear();
}

} // namespace

std::vector<std::pair<BufferId, BufferId>> sharedReaders(const LoopProgram& program,
                                                         const Analysis& analysis,
                                                         const Grouping& grouping, BufferId read) {
    std::vector<std::pair<BufferId, BufferId>> pairs;
    if (program.buffer(read).numel().is(1)) return pairs;
    std::vector<BufferId> readers;
    for (BufferId consumer : analysis[read].consumers)
        if (grouping.groupOf[consumer.index] != Grouping::kNoGroup) readers.push_back(consumer);
    // Nearest first: neighbours are the likeliest to share their loops.
    for (size_t apart = 1; apart <= kReadersReach && apart < readers.size(); ++apart)
        for (size_t i = 0; i + apart < readers.size(); ++i)
            pairs.emplace_back(readers[i], readers[i + apart]);
    return pairs;
}

std::optional<std::vector<Extent>> commonLoops(const std::vector<Extent>& a,
                                               const std::vector<Extent>& b) {
    if (a == b) return a;
    std::vector<Extent> common;
    size_t i = a.size(), j = b.size();
    Extent x = 1, y = 1; // what is left of the current dimension of each
    while (true) {
        if (x == 1 && i > 0) x = a[--i];
        if (y == 1 && j > 0) y = b[--j];
        if (x == 1 && y == 1) break;
        const Extent step = std::min(x, y);
        if (step <= 1 || !divides(step, x) || !divides(step, y)) return std::nullopt;
        common.push_back(step);
        x /= step;
        y /= step;
    }
    std::reverse(common.begin(), common.end());
    return common;
}

Grouping groupBuffers(const LoopProgram& program, const Analysis& analysis,
                      const std::vector<BufferId>& epilogueOf, bool fuse,
                      const std::vector<WishedPair>& wished) {
    return Grouper(program, analysis, epilogueOf, wished).run(fuse);
}

} // namespace cutaway::fusion
