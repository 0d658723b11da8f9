// SPDX-License-Identifier: Apache-2.0
// GPU: the threads of a warp, or of a block, share a row; what waits from one pass over the row to
// the next stays in their registers.
#include "core/schedule/cuda_tools.h"

#include "core/base/said.h"

#include <fmt/format.h>

namespace cutaway::schedule {

namespace {

constexpr int kRegisterWords = 32;     // a thread's share for cached values and column sums
constexpr int kMostRegisterWords = 52; // the same in blocks of 1024, where more are not to be had
constexpr int kPrefetchWords = 16;     // of the next row, loaded while this one is worked on

CudaPlan planOf(const RowFacts& facts, const Decisions& these) {
    CudaPlan plan = rowsPlan(facts, these);
    keepIn(CudaPlan::Cache::Registers, facts, these, plan);
    return plan;
}

/// Why the next row cannot be loaded ahead; empty: it can.
std::string refusePrefetch(const RowFacts& facts, const CudaPlan& plan) {
    if (!plan.persistent)
        return base::said("a block has one set of rows: there is none to load ahead");
    if (!facts.constantSizes) return base::said("how many rows there are is not known");
    if (plan.chunks * plan.tx * plan.vector != facts.inner)
        return base::said(
            "a thread has no whole chunk at the row's end: loads ahead would leave the row");
    if (plan.longIndex)
        return base::said("offsets beyond 32 bits take the registers of loads ahead");
    if (facts.form.rows.size() != 1) return base::said("rows are digits of several loops");
    if (plan.splits * plan.ty >= facts.rows) return base::said("a block has one set of rows");
    const int64_t ahead =
        plan.chunks * plan.vector * static_cast<int64_t>(facts.kept(4).loads.size());
    if (ahead > kPrefetchWords)
        return base::said("{} registers for the next row, of {}", ahead, kPrefetchWords);
    return {};
}

std::vector<Decisions> propose(const RowFacts& facts, const DeviceModel& model) {
    std::vector<Decisions> all;
    for (int vector : vectorWidths(facts)) {
        const int64_t first = std::min<int64_t>(powerOfTwoUp(rowChunks(facts, vector)), 32);
        int proposed = 0;
        for (int64_t across = first; across <= 1024 && proposed < 3;
             across = across == 32 ? 128 : across * 2) {
            // More threads than chunks, or fewer than hold what waits, help nobody.
            if (proposed > 0 && across / 2 >= powerOfTwoUp(rowChunks(facts, vector))) break;
            if (registerWords(facts, vector, across) > kMostRegisterWords && across < 1024)
                continue;
            ++proposed;
            const int64_t together = across > 32 ? 1 : 256 / across;
            Decisions these{
                {"vector", vector}, {"row-threads", across}, {"threads", across * together}};
            if (facts.reducesColumns || facts.reducesAll) {
                const int64_t each = std::max<int64_t>(1, 1024 / (across * together));
                setSplits(facts, std::min(rowSets(facts, together), fullSplits(model, each, 1)),
                          these);
            }
            const CudaPlan plan = planOf(facts, these);
            if (refusePrefetch(facts, plan).empty()) {
                Decisions ahead = these;
                ahead.set("prefetch", 1);
                all.push_back(std::move(ahead));
            }
            all.push_back(std::move(these));
        }
    }
    return all;
}

std::string check(const RowFacts& facts, const DeviceModel&, const Decisions& these) {
    const std::string problem = firstOf({checkVector(facts, these), checkThreads(these),
                                         checkRows(facts, these), checkArrays(facts, these)});
    if (!problem.empty()) return problem;
    if (!facts.constantRow && facts.kept(4).bytes > 0)
        return base::said(
            "rows are as long as the call says: what waits between passes may not fit");
    const int64_t across = these.get("row-threads");
    const int64_t words = registerWords(facts, these.get("vector", 1), across);
    if (words > kMostRegisterWords)
        return base::said("{} registers of each of {} threads for what waits between passes, of {}",
                          words, across, kMostRegisterWords);
    if (these.get("prefetch") == 0) return {};
    return refusePrefetch(facts, planOf(facts, these));
}

Prediction predict(const RowFacts& facts, const DeviceModel& model, const Decisions& these) {
    Prediction prediction;
    const CudaPlan plan = planOf(facts, these);
    double work = workUs(facts, model, plan, prediction);
    double turns = turnsUs(facts, model, plan, prediction);
    const int64_t words = registerWords(facts, plan.vector, plan.tx);
    prediction.reasons.push_back(
        base::said("{} registers of a thread for what waits between passes", words));
    // Fewer threads fit, and have less to load at once; more threads a row would mend it, to 1024.
    if (words > kRegisterWords) {
        const double slower = plan.tx < 1024 ? 2.5 : 1.5;
        work *= slower, turns *= slower;
    }
    if (plan.prefetch) {
        work *= 0.95, turns *= 0.95;
        prediction.reasons.push_back(
            base::said("the next row is loaded while this one is worked on"));
    }
    prediction.us = model.launchUs + std::max(work, turns);
    return prediction;
}

} // namespace

Template rowsTemplate() {
    return {.name = "rows",
            .device = ir::Device::Kind::Cuda,
            .summary = base::said("threads share a row and keep what waits in registers"),
            .decisions = {"vector", "row-threads", "threads", "splits", "split-group", "prefetch"},
            .refuse = refuseSharedRows,
            .propose = propose,
            .check = check,
            .predict = predict,
            .plan = planOf,
            .addsInAnyOrder = true};
}

} // namespace cutaway::schedule
