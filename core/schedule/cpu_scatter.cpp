// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/cpu_scatter.h"

#include "core/base/said.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace cutaway::schedule {

using namespace kernel;

namespace {

constexpr std::string_view kAtomics = "atomics", kCopies = "copies", kSorted = "sorted";
constexpr std::array kWays = {kAtomics, kCopies, kSorted};
constexpr int64_t kColumnsEach = 16;         ///< of a thread that owns columns, at least
constexpr double kMostCopyBytes = 256 << 20; ///< of all threads together

struct Meeting {
    const Step& store;
    const Buffer& target;
    double updates = 1;     ///< additions of one call
    double iterations = 1;  ///< rows, or elements of one long loop
    double places = 1;      ///< elements of the target
    double bytes = 0;       ///< of it
    bool byElement = false; ///< the innermost variable is a coordinate: threads have columns
};

Meeting meetingOf(const RowFacts& facts) {
    const Step& store = *meetingStatement(facts)->step;
    Meeting meeting{store, facts.program.buffer(store.target)};
    meeting.updates = static_cast<double>(facts.rows) * static_cast<double>(facts.inner);
    meeting.iterations = static_cast<double>(facts.form.isOneLongLoop() ? facts.inner : facts.rows);
    for (const ir::Sym& size : meeting.target.sizes)
        meeting.places *= static_cast<double>(facts.program.hint(size));
    meeting.bytes = meeting.places * static_cast<double>(ir::sizeBytes(meeting.target.dtype));
    meeting.byElement = std::ranges::any_of(store.coords, [](const Coord& coord) {
        return !coord.indirect.valid() && coord.index.asVar() == innerVar();
    });
    return meeting;
}

/// Whether no element of the memory between the first and the last is left out.
bool isDense(const Buffer& buffer) {
    if (buffer.strides == ir::contiguousStrides(buffer.sizes)) return true;
    int64_t last = 0, count = 1;
    for (size_t k = 0; k < buffer.sizes.size(); ++k) {
        if (!buffer.sizes[k].isConst() || !buffer.strides[k].isConst()) return false;
        last += (buffer.sizes[k].constant() - 1) * buffer.strides[k].constant();
        count *= buffer.sizes[k].constant();
    }
    return last + 1 == count;
}

/// Whether the local is computed in a loop over the row.
bool inPass(const RowFacts& facts, LocalId local) {
    return std::ranges::any_of(facts.form.passes, [&](const RowTree::Pass& pass) {
        return pass.inner && std::ranges::any_of(pass.statements, [&](const RowTree::Statement& s) {
                   return s.local == local;
               });
    });
}

/// Whether all of a row goes to one value of the computed coordinate.
bool sameAlongRow(const RowFacts& facts) {
    const Step& store = *meetingStatement(facts)->step;
    const int dimension = computedDimension(store);
    return dimension >= 0 && !facts.varies(store.coords[static_cast<size_t>(dimension)].indirect);
}

std::string whyNotSorted(const RowFacts& facts, const Decisions& these) {
    const Step& store = *meetingStatement(facts)->step;
    const int dimension = computedDimension(store);
    if (dimension < 0) return base::said("no coordinate is computed: there is nothing to sort by");
    const bool elements = facts.form.isOneLongLoop();
    const ExprId place = store.coords[static_cast<size_t>(dimension)].indirect;
    if (!elements && !sameAlongRow(facts))
        return base::said("places differ along a row: rows cannot be sorted");
    std::vector<ExprId> todo = {place};
    std::set<LocalId> seen;
    while (!todo.empty()) {
        std::vector<LocalId> read;
        facts.pool.visit(todo.back(), [&](ExprId, const Expr& e) {
            if (e.kind == ExprKind::Local && seen.insert(e.local).second) read.push_back(e.local);
        });
        todo.pop_back();
        for (LocalId local : read) {
            const RowTree::Statement* let = facts.definition(local);
            if (!let || (!elements && inPass(facts, local)))
                return base::said("places are known only after a loop over the row");
            todo.push_back(let->step->value);
        }
    }
    if (elements && these.get("vector", 1) != 1)
        return base::said("elements that are sorted are done one at a time: vector 1");
    return {};
}

} // namespace

std::span<const std::string_view> waysToMeet() {
    return kWays;
}

const RowTree::Statement* meetingStatement(const RowFacts& facts) {
    for (const RowTree::Pass& pass : facts.form.passes)
        for (const RowTree::Statement& s : pass.statements)
            if (s.accumulates() && s.step->conflict != Conflict::None) return &s;
    return nullptr;
}

int computedDimension(const Step& store) {
    const auto computed = std::ranges::find_if(
        store.coords, [](const Coord& coord) { return coord.indirect.valid(); });
    return computed == store.coords.end() ? -1 : static_cast<int>(computed - store.coords.begin());
}

std::string checkMeeting(const RowFacts& facts, const DeviceModel& model, const Decisions& these) {
    const auto decided =
        std::ranges::count_if(kWays, [&](std::string_view way) { return these.get(way) != 0; });
    if (decided == 0) return {};
    if (!meetingStatement(facts)) return base::said("no threads meet where they add");
    if (decided > 1)
        return base::said("threads that meet do one of 'atomics', 'copies' and 'sorted'");
    if (these.get("threads", 1) < 2) return base::said("one thread meets nobody");
    const Meeting meeting = meetingOf(facts);
    if (these.get(kAtomics) != 0) {
        if (model.deterministic && facts.orderCounts)
            return base::said(
                "values that meet in one place are added in any order, and the same bits are "
                "wanted in every run");
        return {};
    }
    if (these.get(kSorted) != 0) return whyNotSorted(facts, these);
    if (!isDense(meeting.target)) return base::said("the target has gaps, which copies have not");
    if (ir::isStorageOnly(meeting.target.dtype))
        return base::said("sums in {} are rounded in every copy", ir::name(meeting.target.dtype));
    const double all = meeting.bytes * static_cast<double>(these.get("threads", 1));
    if (all > kMostCopyBytes)
        return base::said("copies of {:.0f} bytes in all: {:.0f} is the most", all, kMostCopyBytes);
    return {};
}

double meetingUs(const RowFacts& facts, const DeviceModel& model, const Decisions& these,
                 double oneUs, std::vector<std::string>& reasons) {
    const Meeting meeting = meetingOf(facts);
    const auto threads = static_cast<double>(these.get("threads", 1));
    const bool rows = !facts.form.isOneLongLoop() && (meeting.byElement || sameAlongRow(facts));
    // Additions one after the other, in lines that lie anywhere.
    const bool near = meeting.bytes <= static_cast<double>(model.nearBytes);
    const double spread =
        rows ? meeting.iterations * (near ? 0 : 0.02) : meeting.updates * (near ? 0.001 : 0.005);
    const double shared = (oneUs + spread) / threads;
    if (threads < 2) return shared;
    if (these.get(kAtomics) != 0) {
        // Where threads meet in a line, they wait for it to come over.
        const double met = std::min(1.0, 16 * threads / meeting.places);
        const double each = 0.015 + 0.03 * met * (threads - 1);
        const double us = meeting.updates * each / threads;
        reasons.push_back(base::said("{:.1f} us for {:.0f} atomic updates of {:.0f} places, in any "
                                     "order",
                                     us, meeting.updates, meeting.places));
        return shared + us;
    }
    if (these.get(kCopies) != 0) {
        const bool far = meeting.bytes * threads > static_cast<double>(model.cacheBytes) / 2;
        const double rate = far ? model.bytesPerUs / threads : model.cacheBytesPerUs;
        const double us = meeting.bytes / rate + (threads + 2) / threads * meeting.bytes / rate;
        reasons.push_back(
            base::said("{:.1f} us to clear a copy of {:.0f} bytes a thread and to add "
                       "them up in order",
                       us, meeting.bytes));
        return shared + us;
    }
    if (these.get(kSorted) != 0) {
        // One thread sorts; elements are then read in an order that no cache likes.
        const auto dimension = static_cast<size_t>(computedDimension(meeting.store));
        const auto keys = static_cast<double>(facts.program.hint(meeting.target.sizes[dimension]));
        const double us = meeting.iterations * (rows ? 0.012 : 0.02) + keys * 0.001;
        const double anywhere = rows ? 0 : meeting.iterations * 0.03 / threads;
        reasons.push_back(base::said("{:.1f} us to sort {:.0f} iterations by place; a place is one "
                                     "thread's, in the order of the program",
                                     us, meeting.iterations));
        return shared + us + anywhere;
    }
    if (meeting.byElement) {
        const int64_t parts = (facts.inner + kColumnsEach - 1) / kColumnsEach;
        const double busy = std::min(threads, static_cast<double>(std::max<int64_t>(parts, 1)));
        reasons.push_back(base::said("{:.0f} threads have columns of their own of {}", busy,
                                     meeting.target.name));
        return (oneUs + spread) / busy;
    }
    reasons.push_back(
        rows ? base::said("each thread looks at all {:.0f} rows and does those of its places",
                          meeting.iterations)
             : base::said("each thread looks at all {:.0f} elements and does those of its places",
                          meeting.iterations));
    return rows ? shared + meeting.iterations * 0.003 : oneUs + spread / threads;
}

double bytesWritten(const RowFacts& facts) {
    const auto all = static_cast<double>(facts.kernel.bytesWritten);
    if (!meetingStatement(facts)) return all;
    const Meeting meeting = meetingOf(facts);
    const double touched =
        meeting.updates * static_cast<double>(ir::sizeBytes(meeting.target.dtype));
    return all - std::max(0.0, meeting.bytes - touched);
}

} // namespace cutaway::schedule
