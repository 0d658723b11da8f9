// SPDX-License-Identifier: Apache-2.0
// GPU: sums over the rows only. Columns do not depend on each other: a block takes a tile of them
// and a share of the rows.
#include "core/schedule/cuda_tools.h"

#include "core/base/said.h"

#include <fmt/format.h>

namespace cutaway::schedule {

namespace {

constexpr int64_t kThreads = 256;

std::string refuse(const RowFacts& facts) {
    if (facts.scans) return base::said("values run along rows");
    if (!facts.reducesColumns) return base::said("no columns are reduced");
    if (!columnsOnly(facts)) return base::said("other results need the whole row, or all rows");
    return {};
}

std::vector<Decisions> propose(const RowFacts& facts, const DeviceModel& model) {
    std::vector<Decisions> all;
    for (int vector : vectorWidths(facts)) {
        const int64_t chunks = std::max<int64_t>(facts.inner / vector, 1);
        const int64_t across = std::min<int64_t>(powerOfTwoUp(chunks), 32);
        const int64_t together = kThreads / across;
        const int64_t tiles = divideUp(std::max<int64_t>(facts.inner, 1), across * vector);
        const int64_t most = std::min(rowSets(facts, together), fullSplits(model, 8, tiles));
        // A split should have some rows of its own before more blocks pay.
        const int64_t useful = std::min(most, rowSets(facts, together * 4));
        std::vector<int64_t> splits = {useful};
        for (int64_t other : {most, int64_t{1}})
            if (std::find(splits.begin(), splits.end(), other) == splits.end())
                splits.push_back(other);
        for (int64_t count : splits) {
            Decisions these{{"vector", vector}, {"row-threads", across}, {"threads", kThreads}};
            setSplits(facts, count, these);
            all.push_back(std::move(these));
        }
    }
    return all;
}

std::string check(const RowFacts& facts, const DeviceModel&, const Decisions& these) {
    if (these.get("row-threads") > 32)
        return base::said("{} threads across a tile: up to 32", these.get("row-threads"));
    return firstOf({checkVector(facts, these), checkThreads(these), checkRows(facts, these)});
}

CudaPlan planOf(const RowFacts& facts, const Decisions& these) {
    CudaPlan plan = rowsPlan(facts, these);
    plan.chunks = 1;
    plan.cutsColumns = true;
    plan.tileColumns = int64_t{plan.tx} * plan.vector;
    plan.tiles = divideUp(std::max<int64_t>(facts.inner, 1), plan.tileColumns);
    plan.blocks *= plan.tiles;
    return plan;
}

Prediction predict(const RowFacts& facts, const DeviceModel& model, const Decisions& these) {
    Prediction prediction;
    const CudaPlan plan = planOf(facts, these);
    const double busy = std::min(1.0, static_cast<double>(plan.blocks) / model.units);
    const double work = workUs(facts, model, plan, prediction) / busy;
    const double turns = turnsUs(facts, model, plan, prediction);
    prediction.us = model.launchUs + std::max(work, turns);
    return prediction;
}

} // namespace

Template columnsTemplate() {
    return {.name = "columns",
            .device = ir::Device::Kind::Cuda,
            .summary = base::said(
                "sums over rows: a block takes a tile of columns and a share of the rows"),
            .decisions = {"vector", "row-threads", "threads", "splits", "split-group"},
            .refuse = refuse,
            .propose = propose,
            .check = check,
            .predict = predict,
            .plan = planOf,
            .addsInAnyOrder = true};
}

} // namespace cutaway::schedule
