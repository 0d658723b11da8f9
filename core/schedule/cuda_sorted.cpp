// SPDX-License-Identifier: Apache-2.0
// GPU: sums at computed places, by sorting. Every block has places of its own, looks at all
// iterations, lists those whose updates are of its places, sorts the list by place (equal ones keep
// their order), and adds what goes to a place in that order. Which iterations are sorted together
// follows from the places alone, so the same bits come in every run.
#include "core/schedule/cuda_tools.h"

#include "core/base/said.h"

#include <fmt/format.h>

#include <cmath>

namespace cutaway::schedule {

using namespace kernel;

namespace {

constexpr int64_t kMostOwners = 4096;
constexpr double kList = 2048; ///< iterations that a block sorts at once

/// The statement that adds; null unless all others define values.
const RowTree::Statement* scatterOf(const RowFacts& facts) {
    const RowTree::Statement* scatter = nullptr;
    for (const RowTree::Pass& phase : facts.form.passes)
        for (const RowTree::Statement& s : phase.statements) {
            if (s.op == RowOp::Let) continue;
            if (scatter || s.op != RowOp::Store || !s.accumulates()) return nullptr;
            scatter = &s;
        }
    return scatter;
}

std::string refuse(const RowFacts& facts) {
    if (facts.scans) return base::said("values run along rows");
    if (!facts.scatters) return base::said("nothing is added at computed places");
    if (facts.reducesColumns || facts.reducesAll || facts.reducesRows)
        return base::said("rows or columns are reduced as well: their threads share results");
    const RowTree::Statement* scatter = scatterOf(facts);
    if (!scatter) return base::said("something else is stored beside what is added");
    if (scatter->step->conflict == Conflict::None)
        return base::said("updates never meet: nothing to sort");
    if (facts.needsLongIndex() || facts.rows * facts.inner > int64_t{1} << 30)
        return base::said("places or iterations may be more than 32 bits count");
    return {};
}

std::vector<Decisions> propose(const RowFacts&, const DeviceModel& model) {
    std::vector<Decisions> all;
    for (int64_t each : {1, 4})
        all.push_back({{"threads", 512}, {"owners", each * model.units}});
    return all;
}

std::string check(const RowFacts&, const DeviceModel&, const Decisions& these) {
    if (const int64_t owners = these.get("owners"); owners < 1 || owners > kMostOwners)
        return base::said("{} blocks that own places: 1 to {}", owners, kMostOwners);
    return checkThreads(these);
}

CudaPlan planOf(const RowFacts& facts, const Decisions& these) {
    CudaPlan plan = startPlan(facts, these);
    plan.style = CudaPlan::Style::Sorted;
    plan.owners = plan.blocks = these.get("owners", 1);
    plan.apart = rowsHaveOnePlace(facts);
    return plan;
}

Prediction predict(const RowFacts& facts, const DeviceModel& model, const Decisions& these) {
    Prediction prediction;
    const bool apart = rowsHaveOnePlace(facts);
    const auto inner = static_cast<double>(facts.inner), rows = static_cast<double>(facts.rows);
    const double updates = apart ? rows : rows * inner, along = apart ? inner : 1;
    const auto owners = static_cast<double>(these.get("owners")),
               threads = static_cast<double>(these.get("threads"));
    const double together = std::max(1.0, owners / model.units); // blocks of a multiprocessor
    // A look at a place; a step of the network that sorts; an update that is read from memory, one
    // after the other in a place. (On an H200, measured against predicted us: 8 192 updates of rows
    // of 768 2 531 and 1 953, 100 000 of rows of 3 170 and 106, 2 000 000 elements 798 and 614, the
    // same into 16 places 9 661 and 5 425.)
    constexpr double kLookUs = 0.01, kStepUs = 0.3, kAddUs = 0.6;
    const double look = updates / threads * kLookUs * together + 0.002 * updates * owners * 8 / 1e4;
    const double places = std::max(1.0, static_cast<double>(ownedLoops(facts).places));
    const double own = updates / std::min(owners, places); // of a block that has any
    const double lists = std::max(1.0, own / kList);
    const double steps = std::log2(std::min(own, kList) + 2);
    const double sort = lists * steps * (steps + 1) / 2 * kStepUs;
    const double groups = std::max(1.0, threads / along);
    const double add = own * std::max(1.0, along / threads) *
                       std::max(1 / groups, 1 / std::max(1.0, places / owners)) *
                       (apart ? kAddUs : 0.03);
    prediction.us = model.launchUs + look + sort + add;
    prediction.reasons.push_back(
        base::said("{:.0f} blocks look at {:.0f} places each: {:.1f} us", owners, updates, look));
    prediction.reasons.push_back(base::said(
        "{:.0f} updates of a block are sorted: {:.1f} us, and added: {:.1f} us", own, sort, add));
    prediction.reasons.push_back(
        base::said("updates of a place in the order of the program: the same bits in "
                   "every run"));
    return prediction;
}

} // namespace

bool rowsHaveOnePlace(const RowFacts& facts) {
    const RowTree::Statement* scatter = scatterOf(facts);
    if (!scatter || !facts.form.inner || facts.form.rows.empty()) return false;
    bool computed = false, along = false;
    for (const Coord& coord : scatter->step->coords) {
        if (coord.indirect.valid()) {
            if (computed || facts.varies(coord.indirect)) return false;
            computed = true;
        } else if (coord.index.asVar() == innerVar()) {
            along = true;
        } else if (!coord.index.isConst()) {
            return false;
        }
    }
    return computed && along;
}

Template sortedTemplate() {
    return {
        .name = "sorted",
        .device = ir::Device::Kind::Cuda,
        .summary = base::said(
            "sums at computed places: each block sorts what goes to its places, and adds in order"),
        .decisions = {"threads", "owners"},
        .refuse = refuse,
        .propose = propose,
        .check = check,
        .predict = predict,
        .plan = planOf};
}

} // namespace cutaway::schedule
