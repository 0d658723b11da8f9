// SPDX-License-Identifier: Apache-2.0
// GPU: every thread takes a few chunks of consecutive elements, wherever they are.
#include "core/schedule/cuda_tools.h"

#include "core/base/said.h"

#include <fmt/format.h>

namespace cutaway::schedule {

namespace {

constexpr double kDearBody = 12;   // operations: worth several chunks in flight
constexpr double kLongBody = 256;  // operations: enough for one
constexpr int kChunksInFlight = 4; // measured on an H200: 1 loses 6 %, 8 loses 2 %

/// What atomics take beyond moving the bytes: updates of one element wait for each other, and each
/// sector that they touch is changed in the cache. (On an H200, measured us: 2 000 000 elements into
/// 16 places 521, into 1 000 000 32; 100 000 rows of 3 into 900 places 17; 8 192 rows of 768 into a
/// table 84.)
double meetingsUs(const RowFacts& facts, double us, Prediction& into) {
    constexpr double kSameUs = 0.0041, kSectorUs = 1.15e-5;
    constexpr int64_t kSector = 8; // elements
    const double updates = static_cast<double>(facts.rows) * static_cast<double>(facts.inner);
    const OwnedLoops loops = ownedLoops(facts);
    const bool beside =
        facts.form.inner &&
        std::ranges::find(loops.apart, facts.form.inner->variable) != loops.apart.end();
    const double each = updates / static_cast<double>(loops.places * loops.apartCount);
    const double touched =
        updates / static_cast<double>(beside ? std::clamp<int64_t>(facts.inner, 1, kSector) : 1);
    const double waits = each * kSameUs, sectors = touched * kSectorUs;
    into.reasons.push_back(base::said("{:.0f} updates of an element, one after the other: {:.1f} "
                                      "us; {:.1f} us for the sectors that they touch",
                                      each, waits, sectors));
    return std::max(us, waits) + sectors;
}

std::string refuse(const RowFacts& facts) {
    if (facts.scans) return base::said("values run along rows");
    if (rowsShare(facts))
        return base::said("a row or column is reduced: its threads share results");
    if (facts.reducesAll) return base::said("everything is reduced: blocks share results");
    return {};
}

std::vector<Decisions> propose(const RowFacts& facts, const DeviceModel&) {
    std::vector<Decisions> all;
    for (int vector : vectorWidths(facts)) {
        const int64_t chunks = elementChunks(facts, vector);
        const int64_t threads = std::clamp<int64_t>(powerOfTwoUp(chunks), 32, 256);
        for (int inFlight : {1, kChunksInFlight})
            if (inFlight == 1 || chunks >= threads * inFlight)
                all.push_back({{"vector", vector}, {"threads", threads}, {"in-flight", inFlight}});
    }
    return all;
}

std::string check(const RowFacts& facts, const DeviceModel&, const Decisions& these) {
    const int64_t inFlight = these.get("in-flight", 1);
    if (inFlight < 1 || inFlight > 64) return base::said("{} chunks in flight", inFlight);
    return firstOf({checkVector(facts, these), checkThreads(these)});
}

CudaPlan planOf(const RowFacts& facts, const Decisions& these) {
    CudaPlan plan = startPlan(facts, these);
    plan.chunksPerThread = static_cast<int>(these.get("in-flight", 1));
    plan.blocks =
        divideUp(elementChunks(facts, plan.vector), int64_t{plan.threads} * plan.chunksPerThread);
    return plan;
}

Prediction predict(const RowFacts& facts, const DeviceModel& model, const Decisions& these) {
    Prediction prediction;
    const CudaPlan plan = planOf(facts, these);
    double us = workUs(facts, model, plan, prediction);
    const double body = facts.bodyFlops();
    const int64_t full = int64_t{model.units} * 2048 * 8;
    const bool dear =
        body > kDearBody && body < kLongBody && elementChunks(facts, plan.vector) >= full;
    us *= plan.chunksPerThread > 1 ? (dear ? 1 : 1.02) : (dear ? 1.06 : 1);
    prediction.reasons.push_back(
        dear ? base::said("{} chunks of a thread in flight: {:.0f} operations would keep it from "
                          "asking for the next",
                          plan.chunksPerThread, body)
             : base::said("{} chunks of a thread in flight, {} blocks of {} threads",
                          plan.chunksPerThread, plan.blocks, plan.threads));
    // Where sectors decide, wide accesses still make fewer requests of the others.
    if (const double sectors = sectorsUs(facts, model, us, prediction); sectors > us)
        us = sectors * (1 + 0.01 * (4 - plan.vector));
    if (facts.scatters) us = meetingsUs(facts, us, prediction);
    prediction.us = model.launchUs + us;
    return prediction;
}

} // namespace

Template linearTemplate() {
    return {.name = "linear",
            .device = ir::Device::Kind::Cuda,
            .summary = base::said("a thread takes chunks of consecutive elements"),
            .decisions = {"vector", "threads", "in-flight"},
            .refuse = refuse,
            .propose = propose,
            .check = check,
            .predict = predict,
            .plan = planOf,
            .addsInAnyOrder = true};
}

} // namespace cutaway::schedule
