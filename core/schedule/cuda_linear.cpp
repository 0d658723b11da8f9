// SPDX-License-Identifier: Apache-2.0
// GPU: every thread takes a few chunks of consecutive elements, wherever they are.
#include "core/schedule/cuda_tools.h"

#include <fmt/format.h>

namespace cutaway::schedule {

namespace {

constexpr double kDearBody = 12;   // operations: worth several chunks in flight
constexpr double kLongBody = 256;  // operations: enough for one
constexpr int kChunksInFlight = 4; // measured on an H200: 1 loses 6 %, 8 loses 2 %

std::string refuse(const RowFacts& facts) {
    if (facts.scans) return "values run along rows";
    if (rowsShare(facts)) return "a row or column is reduced: its threads share results";
    if (facts.reducesAll) return "everything is reduced: blocks share results";
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
    if (inFlight < 1 || inFlight > 64) return fmt::format("{} chunks in flight", inFlight);
    return firstOf({checkVector(facts, these), checkThreads(these)});
}

Prediction predict(const RowFacts& facts, const DeviceModel& model, const Decisions& these) {
    Prediction prediction;
    const CudaPlan plan = cudaPlan(facts, {std::string(kLinear), these, 0, {}, {}});
    double us = workUs(facts, model, plan, prediction);
    const double body = facts.bodyFlops();
    const int64_t full = int64_t{model.units} * 2048 * 8;
    const bool dear =
        body > kDearBody && body < kLongBody && elementChunks(facts, plan.vector) >= full;
    us *= plan.chunksPerThread > 1 ? (dear ? 1 : 1.02) : (dear ? 1.06 : 1);
    prediction.reasons.push_back(
        dear ? fmt::format("{} chunks of a thread in flight: {:.0f} operations would keep it from "
                           "asking for the next",
                           plan.chunksPerThread, body)
             : fmt::format("{} chunks of a thread in flight, {} blocks of {} threads",
                           plan.chunksPerThread, plan.blocks, plan.threads));
    // Where sectors decide, wide accesses still make fewer requests of the others.
    if (const double sectors = sectorsUs(facts, model, us, prediction); sectors > us)
        us = sectors * (1 + 0.01 * (4 - plan.vector));
    prediction.us = model.launchUs + us;
    return prediction;
}

} // namespace

Template linearTemplate() {
    return {kLinear,
            ir::Device::Kind::Cuda,
            "a thread takes chunks of consecutive elements",
            {"vector", "threads", "in-flight"},
            refuse,
            propose,
            check,
            predict,
            true};
}

} // namespace cutaway::schedule
