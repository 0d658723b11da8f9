// SPDX-License-Identifier: Apache-2.0
// GPU: the threads of a warp, or of a block, walk a row from end to end, an element each at a time;
// what runs along it is combined by steps among them and carried to the next elements.
#include "core/schedule/cuda_tools.h"

#include "core/base/said.h"

#include <fmt/format.h>

namespace cutaway::schedule {

using kernel::RowOp;
using kernel::RowTree;

namespace {

int64_t scanCount(const RowFacts& facts) {
    int64_t count = 0;
    for (const RowTree::Pass& pass : facts.form.passes)
        for (const RowTree::Statement& s : pass.statements)
            count += s.op == RowOp::Scan;
    return count;
}

std::string refuse(const RowFacts& facts) {
    if (!facts.scans) return base::said("nothing runs along the rows");
    if (facts.reducesColumns || facts.reducesAll || facts.scatters)
        return base::said("rows add to what is not theirs, beside values that run along them");
    if (facts.runningAgain().valid())
        return base::said("a later pass needs a running value of an earlier one");
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
    if (these.get("row-threads") < 32) return base::said("whole warps walk a row");
    return firstOf({checkThreads(these), checkRows(facts, these)});
}

Prediction predict(const RowFacts& facts, const DeviceModel& model, const Decisions& these) {
    Prediction prediction;
    const CudaPlan plan = rowsPlan(facts, these);
    const double work = workUs(facts, model, plan, prediction);
    // The elements of a turn wait for those before: five steps in a warp, then barriers. Down
    // columns every lane waits for a line of its own. Measured on an H200.
    constexpr double kWarpUs = 0.1, kBlockUs = 0.25, kColumnUs = 1, kLineUs = 0.014;
    const double turn = facts.turned().any() ? static_cast<double>(scanCount(facts)) *
                                                   (kColumnUs + kLineUs * plan.tx)
                        : plan.tx > 32 ? kWarpUs + kBlockUs
                                       : kWarpUs;
    const auto waves = static_cast<double>(divideUp(plan.blocks, blocksAtOnce(model, plan)));
    const double walk = waves * static_cast<double>(plan.chunks) * turn;
    prediction.reasons.push_back(base::said("{} threads a row: {} turns of {:.2f} us, {:.0f} times",
                                            plan.tx, plan.chunks, turn, waves));
    prediction.us = model.launchUs + sectorsUs(facts, model, std::max(work, walk), prediction);
    return prediction;
}

// --- rows that lie beside each other: neighbouring threads have neighbouring rows

std::string refuseBeside(const RowFacts& facts) {
    if (std::string refused = refuse(facts); !refused.empty()) return refused;
    if (facts.reducesRows) return base::said("rows are reduced, too: their threads lie along them");
    const Turned& turned = facts.turned();
    if (!turned.any() || turned.row + 1 != facts.form.rows.size())
        return base::said("rows do not lie beside each other");
    return {};
}

std::vector<Decisions> proposeBeside(const RowFacts& facts, const DeviceModel&) {
    std::vector<Decisions> all = {{{"row-threads", 1}, {"threads", 128}}};
    for (const auto& [across, threads] : {std::pair(8, 256), {32, 256}, {128, 1024}})
        if (across < 2 * facts.inner)
            all.push_back({{"row-threads", across}, {"threads", threads}});
    return all;
}

std::string checkBeside(const RowFacts& facts, const DeviceModel&, const Decisions& these) {
    const int64_t threads = these.get("threads", 128), across = these.get("row-threads", 1);
    if (across < 1 || across > threads || threads % across != 0)
        return base::said("{} threads a row in blocks of {}", across, threads);
    // A place of two words for every thread.
    if (const int64_t bytes = across > 1 ? scanCount(facts) * threads * 16 : 0; bytes > 48 << 10)
        return base::said("running values take {} bytes of shared memory", bytes);
    return checkThreads(these);
}

CudaPlan planBeside(const RowFacts& facts, const Decisions& these) {
    CudaPlan plan = rowsPlan(facts, these);
    plan.beside = true;
    return plan;
}

Prediction predictBeside(const RowFacts& facts, const DeviceModel& model, const Decisions& these) {
    Prediction prediction;
    const CudaPlan plan = planBeside(facts, these);
    // Fewer neighbours than a sector has elements: the rest of it is wasted.
    const double sector =
        std::min(1.0, plan.ty * static_cast<double>(facts.turned().narrowest) / 32);
    const double work = workUs(facts, model, plan, prediction) / sector;
    // Measured on an H200: a thread alone waits for memory and for each running value; several
    // combine theirs one after the other, more slowly where threads fill the multiprocessors.
    constexpr double kLoadUs = 0.1, kStepUs = 0.2, kMeetUs = 0.14, kThreadsAtEase = 512;
    const auto steps = static_cast<double>(scanCount(facts));
    const auto there = static_cast<double>(std::min(plan.blocks, blocksAtOnce(model, plan))) *
                       plan.threads / model.units;
    const double turn = plan.tx == 1
                            ? kLoadUs + kStepUs * steps
                            : kMeetUs * steps * plan.tx * std::max(1.0, there / kThreadsAtEase);
    const auto waves = static_cast<double>(divideUp(plan.blocks, blocksAtOnce(model, plan)));
    prediction.reasons.push_back(base::said(
        "{} rows beside each other, {} threads for each: {} turns of {:.2f} us, {:.0f} times",
        plan.ty, plan.tx, plan.chunks, turn, waves));
    prediction.us =
        model.launchUs + std::max(work, waves * static_cast<double>(plan.chunks) * turn);
    return prediction;
}

} // namespace

Template rowsBesideTemplate() {
    return {.name = "rows-beside",
            .device = ir::Device::Kind::Cuda,
            .summary =
                base::said("threads beside each other run down columns, one or several each"),
            .decisions = {"row-threads", "threads"},
            .refuse = refuseBeside,
            .propose = proposeBeside,
            .check = checkBeside,
            .predict = predictBeside,
            .plan = planBeside};
}

Template rowsScanTemplate() {
    return {.name = "rows-scan",
            .device = ir::Device::Kind::Cuda,
            .summary = base::said("a warp or a block walks a row and combines what runs along it"),
            .decisions = {"row-threads", "threads"},
            .refuse = refuse,
            .propose = propose,
            .check = check,
            .predict = predict,
            .plan = rowsPlan};
}

} // namespace cutaway::schedule
