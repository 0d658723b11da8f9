// SPDX-License-Identifier: Apache-2.0
// GPU: sums at computed places in the order of the program. A thread has elements of the target
// that no other thread adds to: those at its own place along the loops whose variables are
// coordinates (columns of an embedding's gradient), and every so many of the computed places, of
// which it takes the updates out of all.
#include "core/schedule/cuda_tools.h"

#include "core/base/said.h"

#include <fmt/format.h>

namespace cutaway::schedule {

namespace {

constexpr int64_t kMostOwners = 4096;
constexpr int64_t kMostThreads = 1 << 18; ///< that look at all updates at once

std::string refuse(const RowFacts& facts) {
    if (facts.scans) return base::said("values run along rows");
    if (!facts.scatters) return base::said("nothing is added at computed places");
    if (facts.reducesColumns || facts.reducesAll || facts.reducesRows)
        return base::said("rows or columns are reduced as well: their threads share results");
    return {};
}

std::vector<Decisions> propose(const RowFacts& facts, const DeviceModel&) {
    const OwnedLoops loops = ownedLoops(facts);
    if (!loops.apart.empty()) {
        std::vector<Decisions> all = {{{"threads", 128}}};
        for (int64_t owners : {16, 32, 64, 256})
            if (owners < 2 * loops.places && owners * loops.apartCount <= kMostThreads)
                all.push_back({{"threads", 128}, {"owners", owners}});
        return all;
    }
    const int64_t owners = std::clamp<int64_t>(powerOfTwoUp(loops.places), 32, kMostOwners);
    return {{{"threads", std::min<int64_t>(owners, 128)}, {"owners", owners}}};
}

std::string check(const RowFacts& facts, const DeviceModel&, const Decisions& these) {
    const int64_t owners = these.get("owners");
    const OwnedLoops loops = ownedLoops(facts);
    const bool apart = !loops.apart.empty();
    if (apart && (owners < 0 || owners * loops.apartCount > kMostThreads))
        return base::said("{} owners of {} columns", owners, loops.apartCount);
    if (!apart && (owners < 1 || owners % these.get("threads", 128) != 0))
        return base::said("{} owners in blocks of {} threads", owners, these.get("threads", 128));
    return checkThreads(these);
}

CudaPlan planOf(const RowFacts& facts, const Decisions& these) {
    CudaPlan plan = startPlan(facts, these);
    plan.style = CudaPlan::Style::Serial;
    plan.owners = these.get("owners");
    const int64_t all = std::max<int64_t>(plan.owners, 1) * ownedLoops(facts).apartCount;
    plan.blocks = divideUp(all, plan.threads);
    return plan;
}

/// Looks are done by every thread: with many threads their instructions count, with few the wait
/// for one place after the other. (8 192 updates of rows of 768 on an H200: 983, 970 and 2 060 us
/// with 16, 64 and 256 owners, 3 531 without; 2 000 000 elements by 4 096 owners 180 ms.)
Prediction predict(const RowFacts& facts, const DeviceModel& model, const Decisions& these) {
    constexpr double kLookUs = 0.1, kLookOps = 36, kAddUs = 0.3, kFoundUs = 0.05;
    Prediction prediction;
    const double updates = static_cast<double>(facts.rows) * static_cast<double>(facts.inner);
    const OwnedLoops loops = ownedLoops(facts);
    const double mine = updates / static_cast<double>(loops.apartCount);
    const bool looks = these.get("owners") > 0;
    const auto owners = static_cast<double>(std::max<int64_t>(these.get("owners"), 1));
    const auto places = static_cast<double>(std::max<int64_t>(loops.places, 1));
    const double instructions = updates * owners * kLookOps / (model.units * model.opsPerUs);
    const double look = looks ? std::max(mine * kLookUs, instructions) : 0;
    const double add = looks ? mine / std::min(owners, places) * kFoundUs : mine * kAddUs;
    prediction.us = model.launchUs + look + add;
    prediction.reasons.push_back(
        looks ? base::said("{} threads look at {:.0f} updates each ({:.0f} us), and do those of "
                           "their places ({:.0f} us)",
                           these.get("owners") * loops.apartCount, mine, look, add)
              : base::said("{} threads do {:.0f} updates each", loops.apartCount, mine));
    prediction.reasons.push_back(
        base::said("updates of a place in the order of the program: the same bits in "
                   "every run"));
    return prediction;
}

} // namespace

OwnedLoops ownedLoops(const RowFacts& facts) {
    OwnedLoops loops;
    const kernel::RowTree::Statement* scatter = nullptr;
    for (const kernel::RowTree::Pass& phase : facts.form.passes)
        for (const kernel::RowTree::Statement& s : phase.statements)
            if (s.accumulates()) scatter = &s;
    if (!scatter) return loops;
    auto look = [&](const kernel::Axis& dim) {
        for (const kernel::Coord& coord : scatter->step->coords)
            if (!coord.indirect.valid() && coord.index.asVar() == dim.variable) {
                loops.apart.push_back(dim.variable);
                loops.apartCount *= std::max<int64_t>(facts.program.hint(dim.extent), 1);
                return;
            }
    };
    for (const kernel::Axis& dim : facts.form.rows)
        look(dim);
    if (facts.form.inner) look(*facts.form.inner);
    const ir::Shape& sizes = facts.program.buffer(scatter->step->target).sizes;
    for (size_t k = scatter->step->coords.size(); k-- > 0;)
        if (scatter->step->coords[k].indirect.valid()) {
            loops.owned = static_cast<int>(k);
            loops.places = std::max<int64_t>(facts.program.hint(sizes[k]), 1);
        }
    return loops;
}

Template ownedTemplate() {
    return {.name = "owned",
            .device = ir::Device::Kind::Cuda,
            .summary = base::said(
                "sums at computed places: every element has one thread, which adds in order"),
            .decisions = {"threads", "owners"},
            .refuse = refuse,
            .propose = propose,
            .check = check,
            .predict = predict,
            .plan = planOf};
}

} // namespace cutaway::schedule
