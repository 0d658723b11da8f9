// SPDX-License-Identifier: Apache-2.0
// CPU: values that run along one row, which threads walk in parts, twice: first every part's total,
// without storing anything; then its running values, from what the parts before it come to (the two
// passes of G. E. Blelloch: Prefix sums and their applications, 1990). There are as many parts as
// decided, whatever number of threads comes, so the same sums are made in every run.
#include "core/schedule/cpu_tools.h"

#include "core/base/said.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace cutaway::schedule {

using namespace kernel;

namespace {

/// Whether a scan is of what another one of the same row makes.
bool scansOfScans(const RowFacts& facts) {
    std::set<LocalId> running;
    for (const RowTree::Statement& s : facts.form.passes.front().statements) {
        bool reads = false;
        if (s.step->value.valid())
            facts.pool.visit(s.step->value, [&](ExprId, const Expr& e) {
                reads = reads || (e.kind == ExprKind::Local && running.contains(e.local));
            });
        if (s.op == RowOp::Scan && reads) return true;
        if (s.op == RowOp::Scan || reads)
            running.insert(s.step->locals.begin(), s.step->locals.end());
    }
    return false;
}

std::string refuse(const RowFacts& facts) {
    if (!facts.scans) return base::said("nothing runs along a row");
    if (!facts.form.rows.empty()) return base::said("there are rows: a thread takes whole ones");
    if (facts.reducesRows || facts.reducesColumns || facts.reducesAll || facts.scatters)
        return base::said("the row is summed or added to, beside values that run along it");
    if (facts.form.passes.size() != 1 || !facts.form.finish.empty())
        return base::said("the row is walked more than once");
    if (scansOfScans(facts))
        return base::said("a running value of running values: totals are not known");
    return {};
}

std::vector<Decisions> propose(const RowFacts& facts, const DeviceModel& model) {
    std::vector<Decisions> all;
    for (int64_t vector : lanesOf(facts, model))
        for (int64_t stream : {0, 1}) {
            Decisions these{{"vector", vector}, {"threads", std::max<int64_t>(model.units, 2)}};
            if (stream == 1) these.set("stream", 1);
            all.push_back(std::move(these));
        }
    return all;
}

std::string check(const RowFacts& facts, const DeviceModel& model, const Decisions& these) {
    if (these.get("threads", 1) < 2) return base::said("one thread has no part: 'rows' walks once");
    if (these.get("threads") > 256)
        return base::said("{} parts: 256 at most", these.get("threads"));
    Decisions alone = these;
    alone.set("threads", 1);
    return checkCpu(facts, model, alone);
}

Prediction predict(const RowFacts& facts, const DeviceModel& model, const Decisions& these) {
    const int64_t threads = these.get("threads", 2), at = std::min<int64_t>(threads, model.units);
    Decisions walk = these;
    walk.set("threads", at);
    Prediction prediction = predictCpu(facts, model, walk);
    // Lanes are put together once a part, not in every vector. Measured: 0.3 (places) to 0.6 (sums).
    constexpr double kTotals = 0.5;
    const double again = kTotals * (prediction.us - model.launchUs);
    prediction.us += again + model.wake(at);
    prediction.reasons.push_back(
        base::said("{} parts of the row, each walked twice: {:.1f} us for their totals before",
                   threads, again + model.wake(at)));
    return prediction;
}

} // namespace

Template cpuPartsTemplate() {
    return {
        kCpuParts,
        ir::Device::Kind::Cpu,
        base::said("parts of one row in which values run: their totals, then what runs from those"),
        {"vector", "threads", "stream"},
        refuse,
        propose,
        check,
        predict};
}

} // namespace cutaway::schedule
