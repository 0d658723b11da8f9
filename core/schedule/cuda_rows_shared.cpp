// SPDX-License-Identifier: Apache-2.0
// GPU: a block of 1024 threads shares a row; what waits from one pass to the next is in shared
// memory.
#include "core/schedule/cuda_tools.h"

#include "core/base/said.h"

#include <fmt/format.h>

namespace cutaway::schedule {

namespace {

constexpr int64_t kThreads = 1024;

std::vector<Decisions> propose(const RowFacts& facts, const DeviceModel& model) {
    std::vector<Decisions> all;
    const int vector = vectorWidths(facts).front();
    for (int64_t values : {1, 0}) {
        Decisions these{{"vector", vector},
                        {"row-threads", kThreads},
                        {"threads", kThreads},
                        {"keep-values", values}};
        if (facts.reducesColumns || facts.reducesAll)
            setSplits(facts, std::min(rowSets(facts, 1), fullSplits(model, 1, 1)), these);
        if (manyColumns(facts, vector, kThreads)) these.set("columns-in-scratch", 1);
        all.push_back(std::move(these));
    }
    return all;
}

std::string check(const RowFacts& facts, const DeviceModel& model, const Decisions& these) {
    const std::string problem =
        firstOf({checkVector(facts, these), checkThreads(these), checkRows(facts, these)});
    if (!problem.empty()) return problem;
    if (these.get("row-threads") != these.get("threads"))
        return base::said("a block keeps one row in shared memory");
    if (keptBy(facts, these).bytes == 0)
        return base::said("nothing waits from one pass to the next");
    if (!facts.constantRow)
        return base::said(
            "rows are as long as the call says: what waits between passes may not fit");
    const int64_t bytes = sharedBytes(facts, these);
    if (bytes > model.nearBytes)
        return base::said("{} bytes wait between passes; a block has {} of shared memory", bytes,
                          model.nearBytes);
    if (these.get("columns-in-scratch") != 0 && !facts.reducesColumns)
        return base::said("there are no column sums to put into scratch memory");
    return {};
}

CudaPlan planOf(const RowFacts& facts, const Decisions& these) {
    CudaPlan plan = rowsPlan(facts, these);
    keepIn(CudaPlan::Cache::Shared, facts, these, plan);
    plan.sharedBytes = sharedBytes(facts, these);
    return plan;
}

Prediction predict(const RowFacts& facts, const DeviceModel& model, const Decisions& these) {
    Prediction prediction;
    const CudaPlan plan = planOf(facts, these);
    double us =
        std::max(workUs(facts, model, plan, prediction), turnsUs(facts, model, plan, prediction));
    us *= 1.6 * (plan.columnsInScratch ? 1.1 : 1) * (these.get("keep-values") != 0 ? 1 : 1.05);
    prediction.reasons.push_back(
        base::said("{} bytes of shared memory: one block a multiprocessor, which waits at every "
                   "barrier",
                   plan.sharedBytes));
    prediction.us = model.launchUs + us;
    return prediction;
}

} // namespace

Template rowsSharedTemplate() {
    return {.name = "rows-shared",
            .device = ir::Device::Kind::Cuda,
            .summary = base::said("a block shares a row and keeps what waits in shared memory"),
            .decisions = {"vector", "row-threads", "threads", "keep-values", "splits",
                          "split-group", "columns-in-scratch"},
            .refuse = refuseSharedRows,
            .propose = propose,
            .check = check,
            .predict = predict,
            .plan = planOf,
            .addsInAnyOrder = true};
}

} // namespace cutaway::schedule
