// SPDX-License-Identifier: Apache-2.0
// GPU: a block of 1024 threads shares a row that no memory of the block can hold; every pass reads
// it again.
#include "core/schedule/cuda_tools.h"

#include "core/base/said.h"

#include <fmt/format.h>

namespace cutaway::schedule {

namespace {

constexpr int64_t kThreads = 1024;

std::vector<Decisions> propose(const RowFacts& facts, const DeviceModel& model) {
    const int vector = vectorWidths(facts).front();
    Decisions these{{"vector", vector}, {"row-threads", kThreads}, {"threads", kThreads}};
    if (facts.reducesColumns || facts.reducesAll)
        setSplits(facts, std::min(rowSets(facts, 1), fullSplits(model, 2, 1)), these);
    if (manyColumns(facts, vector, kThreads)) these.set("columns-in-scratch", 1);
    return {these};
}

std::string check(const RowFacts& facts, const DeviceModel&, const Decisions& these) {
    if (these.get("columns-in-scratch") != 0 && !facts.reducesColumns)
        return base::said("there are no column sums to put into scratch memory");
    return firstOf({checkVector(facts, these), checkThreads(these), checkRows(facts, these),
                    checkArrays(facts, these)});
}

Prediction predict(const RowFacts& facts, const DeviceModel& model, const Decisions& these) {
    Prediction prediction;
    const CudaPlan plan = rowsPlan(facts, these);
    const double us =
        std::max(workUs(facts, model, plan, prediction), turnsUs(facts, model, plan, prediction));
    const int64_t again = facts.kept(4).bytes;
    prediction.reasons.push_back(
        again > 0
            ? base::said("{} bytes of every element are read or made again in later passes", again)
            : base::said("nothing waits from one pass to the next"));
    prediction.us = model.launchUs + us * (again > 0 ? 2.5 : 1.7);
    return prediction;
}

} // namespace

Template rowsRereadTemplate() {
    return {.name = "rows-reread",
            .device = ir::Device::Kind::Cuda,
            .summary = base::said("a block shares a row and reads it again in every pass"),
            .decisions = {"vector", "row-threads", "threads", "splits", "split-group",
                          "columns-in-scratch"},
            .refuse = refuseSharedRows,
            .propose = propose,
            .check = check,
            .predict = predict,
            .plan = rowsPlan,
            .addsInAnyOrder = true};
}

} // namespace cutaway::schedule
