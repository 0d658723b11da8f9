// SPDX-License-Identifier: Apache-2.0
// GPU: sums over everything. Every block takes chunks in turn; the last block to finish adds up the
// blocks' results, in order.
#include "core/schedule/cuda_tools.h"

#include "core/base/said.h"

#include <fmt/format.h>

namespace cutaway::schedule {

namespace {

std::string refuse(const RowFacts& facts) {
    if (facts.scans) return base::said("values run along rows");
    if (rowsShare(facts))
        return base::said("a row or column is reduced: its threads share results");
    if (!facts.reducesAll) return base::said("nothing is reduced over everything");
    return {};
}

std::vector<Decisions> propose(const RowFacts& facts, const DeviceModel& model) {
    std::vector<Decisions> all;
    for (int vector : vectorWidths(facts)) {
        const int64_t chunks = elementChunks(facts, vector);
        const int64_t threads = std::clamp<int64_t>(powerOfTwoUp(chunks), 32, 256);
        const int64_t most = int64_t{model.units} * 2048 / threads;
        // Four chunks a thread, so that its loads are in flight together.
        const int64_t blocks = std::clamp<int64_t>(divideUp(chunks, threads * 4), 1, most);
        all.push_back({{"vector", vector}, {"threads", threads}, {"blocks", blocks}});
        if (blocks > 1) all.push_back({{"vector", vector}, {"threads", threads}, {"blocks", 1}});
    }
    return all;
}

std::string check(const RowFacts& facts, const DeviceModel&, const Decisions& these) {
    const int64_t blocks = these.get("blocks", 1);
    const int64_t most = elementChunks(facts, these.get("vector", 1));
    if (blocks < 1 || blocks > most)
        return base::said("{} blocks for {} chunks of elements", blocks, most);
    return firstOf({checkVector(facts, these), checkThreads(these)});
}

CudaPlan planOf(const RowFacts& facts, const Decisions& these) {
    CudaPlan plan = startPlan(facts, these);
    plan.persistent = true;
    plan.blocks = plan.splits = plan.splitGroup = these.get("blocks", 1);
    return plan;
}

Prediction predict(const RowFacts& facts, const DeviceModel& model, const Decisions& these) {
    Prediction prediction;
    const CudaPlan plan = planOf(facts, these);
    // Few blocks ask for few bytes at once.
    const double busy = std::min(1.0, static_cast<double>(plan.blocks) / model.units);
    const double work = workUs(facts, model, plan, prediction) / busy;
    const int64_t each =
        divideUp(elementChunks(facts, plan.vector), plan.blocks * int64_t{plan.threads});
    double us = std::max(work, static_cast<double>(divideUp(each, 4)) * 0.6);
    if (plan.blocks > 1) us += 0.5 + 0.0005 * static_cast<double>(plan.blocks);
    prediction.reasons.push_back(
        base::said("{} blocks of {} threads, {} chunks a thread{}", plan.blocks, plan.threads, each,
                   plan.blocks > 1 ? base::said("; the last block adds up") : ""));
    prediction.us = model.launchUs + us;
    return prediction;
}

} // namespace

Template totalTemplate() {
    return {.name = "total",
            .device = ir::Device::Kind::Cuda,
            .summary = base::said("sums over everything: blocks take chunks, the last one adds up"),
            .decisions = {"vector", "threads", "blocks"},
            .refuse = refuse,
            .propose = propose,
            .check = check,
            .predict = predict,
            .plan = planOf,
            .addsInAnyOrder = true};
}

} // namespace cutaway::schedule
