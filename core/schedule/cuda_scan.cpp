// SPDX-License-Identifier: Apache-2.0
// GPU: the threads of a warp, or of a block, walk a row from end to end, an element each at a time;
// what runs along it is combined by steps among them and carried to the next elements.
#include "core/schedule/cuda_tools.h"

#include <fmt/format.h>

namespace cutaway::schedule {

namespace {

std::string refuse(const RowFacts& facts) {
    if (!facts.scans) return "nothing runs along the rows";
    if (facts.reducesColumns || facts.reducesAll || facts.scatters)
        return "rows add to what is not theirs, beside values that run along them";
    if (facts.runningAgain().valid()) return "a later pass needs a running value of an earlier one";
    return {};
}

std::vector<Decisions> propose(const RowFacts& facts, const DeviceModel&) {
    std::vector<Decisions> all;
    for (int64_t across : {32, 128, 512, 1024}) {
        if (across > 32 && across / 4 >= powerOfTwoUp(facts.inner)) break;
        all.push_back({{"row-threads", across}, {"threads", std::max<int64_t>(across, 128)}});
    }
    return all;
}

std::string check(const RowFacts& facts, const DeviceModel&, const Decisions& these) {
    if (these.get("row-threads") < 32) return "whole warps walk a row";
    return firstOf({checkThreads(these), checkRows(facts, these)});
}

Prediction predict(const RowFacts& facts, const DeviceModel& model, const Decisions& these) {
    Prediction prediction;
    const CudaPlan plan = cudaPlan(facts, {std::string(kRowsScan), these, 0, {}, {}});
    const double work = workUs(facts, model, plan, prediction);
    // The elements of a turn wait for those before: five steps in a warp, then barriers.
    constexpr double kWarpUs = 0.1, kBlockUs = 0.25;
    const double turn = plan.tx > 32 ? kWarpUs + kBlockUs : kWarpUs;
    const int64_t resident = std::max<int64_t>(2048 / plan.threads, 1) * model.units;
    const auto waves = static_cast<double>(divideUp(plan.blocks, resident));
    const double walk = waves * static_cast<double>(plan.chunks) * turn;
    prediction.reasons.push_back(fmt::format(
        "{} threads a row: {} turns of {:.2f} us, {:.0f} times", plan.tx, plan.chunks, turn, waves));
    prediction.us = model.launchUs + std::max(work, walk);
    return prediction;
}

} // namespace

Template rowsScanTemplate() {
    return {kRowsScan,
            ir::Device::Kind::Cuda,
            "a warp or a block walks a row and combines what runs along it",
            {"row-threads", "threads"},
            refuse,
            propose,
            check,
            predict};
}

} // namespace cutaway::schedule
