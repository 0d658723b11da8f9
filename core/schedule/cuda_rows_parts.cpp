// SPDX-License-Identifier: Apache-2.0
// GPU: few rows that are summed up and not read again (batch norm's sums): several blocks share a
// row, the last of them to finish adds up what they found, in order, and does what comes after.
#include "core/schedule/cuda_tools.h"

#include "core/base/said.h"

#include <fmt/format.h>

namespace cutaway::schedule {

namespace {

constexpr int64_t kMostThreads = 512;
constexpr int64_t kMostParts = 1024;

/// Only the last block goes on when a row is summed up: nothing may walk the row then.
std::string refuse(const RowFacts& facts) {
    if (std::string problem = refuseSharedRows(facts); !problem.empty()) return problem;
    if (facts.reducesColumns || facts.reducesAll)
        return base::said("columns are reduced as well: blocks take whole rows");
    bool reduced = false;
    for (const kernel::RowTree::Pass& phase : facts.form.passes) {
        if (phase.inner && reduced) return base::said("a row is walked again when it is summed up");
        for (const kernel::RowTree::Statement& s : phase.statements) {
            reduced |= s.op == kernel::RowOp::ReduceRow;
            if (s.accumulates())
                return base::said("a block adds to memory, and others would do so again");
        }
    }
    return {};
}

std::vector<Decisions> propose(const RowFacts& facts, const DeviceModel& model) {
    std::vector<Decisions> all;
    const int vector = vectorWidths(facts).front();
    int64_t threads = kMostThreads;
    while (threads > 32 && rowChunks(facts, vector) < 4 * threads)
        threads /= 2;
    const int64_t chunks = divideUp(rowChunks(facts, vector), threads); // of a thread
    const int64_t rows = std::max<int64_t>(facts.rows, 1);
    for (int64_t each : {2, 4, 8}) {
        const int64_t parts = std::min({divideUp(each * model.units, rows), chunks, kMostParts});
        if (parts < 2 || (!all.empty() && all.back().get("parts") == parts)) continue;
        all.push_back(
            {{"vector", vector}, {"row-threads", threads}, {"threads", threads}, {"parts", parts}});
    }
    return all;
}

std::string check(const RowFacts& facts, const DeviceModel&, const Decisions& these) {
    const std::string problem =
        firstOf({checkVector(facts, these), checkThreads(these), checkRows(facts, these)});
    if (!problem.empty()) return problem;
    if (these.get("row-threads") != these.get("threads"))
        return base::said("a block has a part of one row");
    if (const int64_t parts = these.get("parts"); parts < 2 || parts > kMostParts)
        return base::said("{} parts of a row: 2 to {}", parts, kMostParts);
    if (divideUp(rowChunks(facts, these.get("vector", 1)), these.get("threads", 256)) < 2)
        return base::said("a row is one chunk of each thread of a block");
    return {};
}

Prediction predict(const RowFacts& facts, const DeviceModel& model, const Decisions& these) {
    Prediction prediction;
    const CudaPlan plan = rowsPlan(facts, these);
    const double busy =
        std::min(1.0, static_cast<double>(plan.blocks) / static_cast<double>(model.units));
    const double work = workUs(facts, model, plan, prediction) / busy;
    const double turns = turnsUs(facts, model, plan, prediction);
    const double combined = 1 + 0.001 * static_cast<double>(plan.parts);
    prediction.reasons.push_back(
        base::said("{} blocks share a row; {:.1f} us for the last of them to add up what they "
                   "found",
                   plan.parts, combined));
    prediction.us = model.launchUs + std::max(work, turns) + combined;
    return prediction;
}

} // namespace

Template rowsPartsTemplate() {
    return {.name = "rows-parts",
            .device = ir::Device::Kind::Cuda,
            .summary = base::said("several blocks share a row, the last one adds up"),
            .decisions = {"vector", "row-threads", "threads", "parts"},
            .refuse = refuse,
            .propose = propose,
            .check = check,
            .predict = predict,
            .plan = rowsPlan};
}

} // namespace cutaway::schedule
