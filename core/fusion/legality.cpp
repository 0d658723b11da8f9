// SPDX-License-Identifier: Apache-2.0
#include "core/fusion/legality.h"

#include "core/base/said.h"
#include "core/kernel/device_traits.h"

#include <fmt/format.h>

#include <fmt/ranges.h>
#include <set>

#include <algorithm>

namespace cutaway::fusion {

using kernel::Buffer;

namespace {

// A whole-tensor sum that elements of the same kernel read runs as one row: no threads, so short.
constexpr int64_t kLongestSingleRow = 16384;
// Compilers' passes over one function take time that grows faster than its length, and with the
// square of the number of its loops: 16 000 statements took ten times as long as 4 000, 2 048
// stores nearly three times as long as 1 024, 128 dependent sums twelve times as long as 32. One
// more kernel is one more launch and, for what it shares with its neighbour, one trip through
// memory.
constexpr size_t kMostWork = 1024;
constexpr size_t kMostReductions = 32;

/// One value per row and inner index, known in the iteration that computes it.
bool isElement(Role role) {
    return role == Role::Element || role == Role::RowScan || role == Role::ColumnScan;
}
bool isElementLevel(Role role) {
    return isElement(role) || role == Role::RowReduce || role == Role::ColumnReduce ||
           role == Role::FullReduce;
}
bool isRowValue(Role role) {
    return role == Role::Row || role == Role::RowReduce;
}
bool isAfterAllRows(Role role) {
    return role == Role::ColumnReduce || role == Role::FullReduce || role == Role::RowAll ||
           role == Role::Column || role == Role::Scalar;
}
bool isOneValue(Role role) {
    return role == Role::FullReduce || role == Role::RowAll || role == Role::Scalar;
}

class Planner {
public:
    Planner(const MergeRequest& request, MergePlan& plan)
        : request_(request), plan_(plan), a_(request.grouping.groups[request.a]),
          b_(request.grouping.groups[request.b]) {}

    std::optional<Refusal> run() {
        if (a_.library || b_.library)
            return Refusal{base::said("library call"),
                           base::said("a library call computes one of both; only sums, "
                                      "products with a number and relu can follow inside it")};
        if (a_.device != b_.device)
            return Refusal{base::said("devices"), base::said("one runs on {}, the other on {}",
                                                             a_.device.str(), b_.device.str())};
        if (a_.points == 0 || b_.points == 0)
            return Refusal{base::said("empty"), base::said("there is nothing to compute")};
        if (!request_.wished && a_.work + b_.work > kMostWork)
            return tooManyValues(a_.work, b_.work);
        if (!request_.wished && a_.reductions + b_.reductions > kMostReductions)
            return tooManyReductions(a_.reductions, b_.reductions);
        if (auto refusal = checkScatter()) return refusal;
        if (auto refusal = checkColumns()) return refusal;
        if (auto refusal = a_.points == b_.points ? sameLoops() : nested()) return refusal;
        if (const BufferId scatter = a_.scatter.valid() ? a_.scatter : b_.scatter;
            scatter.valid() && plan_.rows)
            return Refusal{base::said("scatter"),
                           base::said("{} adds at computed places, which no sum over "
                                      "rows or columns can share loops with",
                                      name(scatter))};
        if (auto refusal = checkScans()) return refusal;
        return checkEdges();
    }

private:
    std::string name(BufferId id) const { return request_.program.buffer(id).name; }
    bool isScatter(BufferId id) const {
        return request_.program.buffer(id).kind == kernel::BufferKind::Scatter;
    }
    Role roleOf(BufferId id) const {
        for (auto& [changed, role] : plan_.roles)
            if (changed == id) return role;
        return request_.grouping.roles[id.index];
    }
    Refusal differentLoops() const {
        return {base::said("different loops"),
                base::said("one loops over [{}], the other over [{}]", fmt::join(a_.dims, ", "),
                           fmt::join(b_.dims, ", "))};
    }

    static Refusal tooManyValues(size_t a, size_t b) {
        return {base::said("kernel size"),
                base::said("one kernel has {} values, the other {}: of more than {} in one kernel "
                           "the compilation takes longer than a second kernel costs",
                           a, b, kMostWork)};
    }
    static Refusal tooManyReductions(size_t a, size_t b) {
        return {base::said("kernel size"),
                base::said("one kernel has {} reductions, the other {}: of more than {} in one "
                           "kernel the compilation takes longer than a second kernel costs",
                           a, b, kMostReductions)};
    }

    std::optional<Refusal> sameLoops() {
        auto dims = commonLoops(a_.dims, b_.dims);
        if (!dims) return differentLoops();
        plan_.dims = std::move(*dims);
        plan_.points = a_.points;
        plan_.rows = a_.rows ? a_.rows : b_.rows;
        if (a_.rows && b_.rows && !(a_.rows == b_.rows)) return differentRows(a_.rows, b_.rows);
        return wantSingleRow();
    }

    Refusal differentRows(const Extent& a, const Extent& b) const {
        return {base::said("different rows"),
                base::said("one needs {} rows, the other {}, of the same {} elements", a, b,
                           a_.points)};
    }

    // Elements that read a sum over all elements: possible when everything is one short row.
    std::optional<Refusal> wantSingleRow() {
        if (!request_.producer.valid()) return std::nullopt;
        const Role from = request_.grouping.roles[request_.producer.index];
        const Role to = request_.grouping.roles[request_.consumer.index];
        if (!isOneValue(from) || !isElementLevel(to) || plan_.points == 1) return std::nullopt;
        if ((plan_.rows && !(plan_.rows == 1)) ||
            (!request_.wished && plan_.points > kLongestSingleRow))
            return needsAllRows();
        plan_.rows = 1;
        for (const Group* group : {&a_, &b_})
            for (BufferId id : group->members) {
                const Role role = request_.grouping.roles[id.index];
                if (role == Role::FullReduce) plan_.roles.emplace_back(id, Role::RowReduce);
                if (role == Role::Scalar) plan_.roles.emplace_back(id, Role::Row);
                if (role == Role::RowAll) return needsAllRows();
            }
        return std::nullopt;
    }

    Refusal needsAllRows() const {
        const Extent& rows = a_.rows > b_.rows ? a_.rows : b_.rows;
        return needsAllRows(request_.producer, request_.consumer, rows);
    }
    Refusal needsAllRows(BufferId producer, BufferId consumer, const Extent& rows) const {
        const BufferInfo& info = request_.analysis[producer];
        return {base::said("needs all rows"),
                rows > 1
                    ? base::said("{} is complete only after all {} rows; {} reads it for every "
                                 "element",
                                 name(producer), rows, name(consumer))
                    : base::said("{} is complete only after all {} elements; {} reads it for "
                                 "every element",
                                 name(producer), info.points, name(consumer))};
    }

    // One group is smaller: values of rows, of columns, or single ones.
    std::optional<Refusal> nested() {
        const Group& big = a_.points > b_.points ? a_ : b_;
        const Group& small = &big == &a_ ? b_ : a_;
        plan_.dims = big.dims;
        plan_.points = big.points;
        plan_.rows = big.rows;
        if (!request_.producer.valid()) return differentLoops();
        for (BufferId id : small.members) {
            const Role role = request_.grouping.roles[id.index];
            const bool one = role == Role::Scalar || role == Role::FullReduce;
            if (role != Role::Element && !one) return differentLoops();
        }
        const bool smallReads = request_.grouping.groupOf[request_.consumer.index] ==
                                request_.grouping.groupOf[small.members.front().index];
        const Role from = request_.grouping.roles[request_.producer.index];
        if (smallReads && isElement(from))
            return Refusal{base::said("another index"),
                           base::said("{} reads single elements of {}", name(request_.consumer),
                                      name(request_.producer))};
        if (smallReads && small.points == 1 && isOneValue(from)) return takeAs(small, Role::Scalar);
        if (smallReads && (from == Role::ColumnReduce || from == Role::Column))
            return takeAs(small, Role::Column);
        return takeAsRows(big, small);
    }

    std::optional<Refusal> takeAs(const Group& small, Role role) {
        for (BufferId id : small.members) {
            if (request_.grouping.roles[id.index] != Role::Element) return differentLoops();
            plan_.roles.emplace_back(id, role);
        }
        if (role != Role::Column) return std::nullopt;
        if (!(plan_.points == plan_.rows * small.points)) return differentLoops();
        const auto cut = cutAt(plan_.dims, plan_.rows);
        if (!cut) return differentLoops();
        const auto [rows, inner] = parts(plan_.dims, *cut);
        const auto columns = commonLoops(inner, small.dims);
        if (!columns) return differentLoops();
        plan_.dims = joined(rows, *columns);
        return std::nullopt;
    }

    std::optional<Refusal> takeAsRows(const Group& big, const Group& small) {
        if (big.rows && !(big.rows == small.points)) {
            // A reduction of rows' values may itself be followed by values of rows.
            return Refusal{base::said("different rows"),
                           base::said("the loops have {} rows, {} has {} values", big.rows,
                                      name(small.members.front()), small.points)};
        }
        const auto cut = cutAt(big.dims, small.points);
        if (!cut) return differentLoops();
        plan_.rows = small.points;
        const auto [outer, inner] = parts(big.dims, *cut);
        const auto rows = commonLoops(outer, small.dims);
        if (!rows) return differentLoops();
        plan_.dims = joined(*rows, inner);
        for (BufferId id : small.members) {
            const Role role = request_.grouping.roles[id.index];
            if (role != Role::Scalar)
                plan_.roles.emplace_back(id, role == Role::FullReduce ? Role::RowAll : Role::Row);
        }
        return std::nullopt;
    }

    using Dims = std::vector<Extent>;
    /// The loops over rows, and those within a row.
    static std::pair<Dims, Dims> parts(const Dims& dims, size_t cut) {
        const auto at = dims.begin() + static_cast<std::ptrdiff_t>(cut);
        return {{dims.begin(), at}, {at, dims.end()}};
    }
    static Dims joined(Dims outer, const Dims& inner) {
        outer.insert(outer.end(), inner.begin(), inner.end());
        return outer;
    }

    /// Where running values do not wait for a later pass, nothing may need one: no reduction behind
    /// them, no scan the other way.
    std::optional<Refusal> checkScans() const {
        if (!(a_.scans || b_.scans) || kernel::traitsOf(a_.device).keepsScans) return std::nullopt;
        BufferId first, reduction;
        std::optional<bool> backwards;
        for (const Group* group : {&a_, &b_})
            for (BufferId id : group->members) {
                const Role role = roleOf(id);
                if (isElementLevel(role) && !isElement(role) &&
                    (!reduction.valid() || reduction < id))
                    reduction = id;
                if (role != Role::RowScan) continue;
                if (!first.valid() || id < first) first = id;
                const bool back = request_.program.leader(id).call->row.backwards;
                if (backwards.value_or(back) != back)
                    return Refusal{base::said("running value"),
                                   base::said("{} runs the other way along its rows", name(id))};
                backwards = back;
            }
        const bool before =
            reduction.valid() && reduction < first && roleOf(reduction) == Role::RowReduce;
        if (!reduction.valid() || (before && scansBehind(reduction))) return std::nullopt;
        return Refusal{base::said("running value"),
                       base::said("{} needs another pass, for which {} does not wait",
                                  name(reduction), name(first))};
    }

    /// Whether every running value of the two is made of what \p reduction gives: then they are in
    /// the passes behind it anyway.
    bool scansBehind(BufferId reduction) const {
        std::set<BufferId> behind{reduction};
        std::vector<BufferId> todo{reduction};
        while (!todo.empty()) {
            const BufferId at = todo.back();
            todo.pop_back();
            for (BufferId consumer : request_.analysis[at].consumers)
                if (behind.insert(consumer).second) todo.push_back(consumer);
        }
        for (const Group* group : {&a_, &b_})
            for (BufferId id : group->members)
                if (roleOf(id) == Role::RowScan && !behind.contains(id)) return false;
        return true;
    }

    /// Running values of columns share their loops with each other and with elements, no more.
    std::optional<Refusal> checkColumns() const {
        if (!a_.scanned && !b_.scanned) return std::nullopt;
        for (const Group* group : {&a_, &b_}) {
            if (group->scanned) continue;
            if (group->reductions > 0 || group->rows || group->scatter.valid())
                return Refusal{base::said("running value"),
                               base::said("{} runs down columns, which no row or sum can share "
                                          "loops with",
                                          name((group == &a_ ? b_ : a_).members.front()))};
        }
        const bool apart =
            a_.scanned && b_.scanned && (!(a_.scanned == b_.scanned) || a_.scansUp != b_.scansUp);
        if (apart || !(a_.points == b_.points)) return differentLoops();
        return std::nullopt;
    }

    /// Updates are elements of plain loops, in one kernel's own order.
    std::optional<Refusal> checkScatter() const {
        if (!a_.scatter.valid() && !b_.scatter.valid()) return std::nullopt;
        if (request_.producer.valid() && isScatter(request_.producer))
            return Refusal{base::said("scatter"),
                           base::said("{} is complete only after all its updates; {} "
                                      "reads it",
                                      name(request_.producer), name(request_.consumer))};
        if (a_.scatter.valid() && b_.scatter.valid())
            return Refusal{base::said("scatter"),
                           base::said("{} and {} both add at computed places: each "
                                      "shares its elements among the threads",
                                      name(a_.scatter), name(b_.scatter))};
        const BufferId scatter = a_.scatter.valid() ? a_.scatter : b_.scatter;
        const BufferId base = request_.program.buffer(scatter).base;
        for (const Group* group : {&a_, &b_})
            if (std::find(group->members.begin(), group->members.end(), base) !=
                group->members.end())
                return Refusal{base::said("scatter"),
                               base::said("{} adds to all of {}, which must be there "
                                          "before the first update",
                                          name(scatter), name(base))};
        return std::nullopt;
    }

    std::optional<Refusal> checkEdges() const {
        const bool aSmaller = a_.members.size() <= b_.members.size();
        const uint32_t mine = aSmaller ? request_.a : request_.b;
        const uint32_t other = aSmaller ? request_.b : request_.a;
        for (BufferId id : request_.grouping.groups[mine].members) {
            for (const Access& access : request_.analysis[id].loads)
                if (request_.grouping.groupOf[access.buffer.index] == other)
                    if (auto refusal = checkEdge(access, id)) return refusal;
            for (BufferId consumer : request_.analysis[id].consumers) {
                if (request_.grouping.groupOf[consumer.index] != other) continue;
                for (const Access& access : request_.analysis[consumer].loads)
                    if (access.buffer == id)
                        if (auto refusal = checkEdge(access, consumer)) return refusal;
            }
        }
        return std::nullopt;
    }

    std::optional<Refusal> checkEdge(const Access& access, BufferId consumer) const {
        const Role from = roleOf(access.buffer), to = roleOf(consumer);
        if (isScatter(access.buffer))
            return Refusal{base::said("scatter"),
                           base::said("{} is complete only after all its updates; {} "
                                      "reads it",
                                      name(access.buffer), name(consumer))};
        const bool afterRows = to == Role::Column || to == Role::Scalar;
        if (isAfterAllRows(from) && !afterRows)
            return needsAllRows(access.buffer, consumer, plan_.rows);
        const bool same = access.relation == Relation::Same || access.relation == Relation::Single;
        if (afterRows) {
            const bool reachable =
                isOneValue(from) || (to == Role::Column && isAfterAllRows(from) && same);
            if (reachable) return std::nullopt;
            return Refusal{base::said("another index"),
                           base::said("{} runs after all rows, when {} is gone", name(consumer),
                                      name(access.buffer))};
        }
        const bool consumerOnRows = to == Role::Row || to == Role::RowAll;
        if (consumerOnRows && isRowValue(from) && same) return std::nullopt;
        if (!consumerOnRows && isElement(from) && access.relation == Relation::Same)
            return std::nullopt;
        if (!consumerOnRows && isRowValue(from)) {
            const bool oneRow = plan_.rows == 1 && access.relation == Relation::Single;
            const bool prefix = access.relation == Relation::Prefix ||
                                (access.relation == Relation::Same && plan_.points == plan_.rows);
            if (oneRow || prefix) return std::nullopt;
        }
        const BufferInfo& info = request_.analysis[access.buffer];
        return Refusal{base::said("another index"),
                       base::said("{} reads {} at other places than its own loops; computing it "
                                  "there again would cost {} operations an element",
                                  name(consumer), name(access.buffer), info.flops)};
    }

    const MergeRequest& request_;
    MergePlan& plan_;
    const Group &a_, &b_;
};

} // namespace

std::optional<Refusal> planMerge(const MergeRequest& request, MergePlan& plan) {
    return Planner(request, plan).run();
}

} // namespace cutaway::fusion
