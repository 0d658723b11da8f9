// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/cuda_tools.h"

#include "core/base/said.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace cutaway::schedule {

namespace {

/// Values of more operations than this are kept for a later pass rather than made again.
constexpr double kDearValue = 4;
constexpr double kLongBody = 256;  // operations: more, times the vector, leave the code cache
constexpr double kLongest = 2048;  // operations that leave it whatever the vector
constexpr double kLatencyUs = 0.6; // from asking memory to having reduced a few values
constexpr int kThreadsEach = 2048; // threads that a multiprocessor holds

/// Of the bandwidth, with accesses of so many elements.
double accessEfficiency(int vector) {
    return vector == 4 ? 1 : vector == 2 ? 0.93 : 0.8;
}

} // namespace

int64_t powerOfTwoUp(int64_t n) {
    int64_t p = 1;
    while (p < n)
        p *= 2;
    return p;
}

static bool isPowerOfTwo(int64_t n) {
    return n > 0 && (n & (n - 1)) == 0;
}

bool rowsShare(const RowFacts& facts) {
    return facts.reducesRows || facts.reducesColumns;
}

bool columnsOnly(const RowFacts& facts) {
    return facts.reducesColumns && !facts.reducesRows && !facts.reducesAll;
}

int64_t rowChunks(const RowFacts& facts, int64_t vector) {
    return std::max<int64_t>(divideUp(facts.inner, vector), 1);
}

int64_t elementChunks(const RowFacts& facts, int64_t vector) {
    return std::max<int64_t>(facts.rows * facts.inner / vector, 1);
}

int64_t rowSets(const RowFacts& facts, int64_t together) {
    return divideUp(std::max<int64_t>(facts.rows, 1), together);
}

int64_t blocksAtOnce(const DeviceModel& model, const CudaPlan& plan, int64_t shared) {
    int64_t resident = kThreadsEach / plan.threads;
    if (shared > 0) resident = std::min(resident, model.nearBytes / shared);
    return std::max<int64_t>(resident, 1) * model.units;
}

const Kept& keptBy(const RowFacts& facts, const Decisions& these) {
    return facts.kept(these.get("keep-values", 1) != 0 ? kDearValue
                                                       : std::numeric_limits<double>::infinity());
}

int64_t registerWords(const RowFacts& facts, int64_t vector, int64_t rowThreads) {
    const int64_t columns = facts.reducesColumns ? facts.columnBytes() : 0;
    const int64_t bytes = std::max<int64_t>(facts.kept(kDearValue).peak + columns, 4);
    return divideUp(rowChunks(facts, vector), rowThreads) * vector * bytes / 4;
}

int64_t sharedBytes(const RowFacts& facts, const Decisions& these) {
    const int64_t vector = these.get("vector", 1), across = these.get("row-threads", 1);
    return keptBy(facts, these).bytes * divideUp(rowChunks(facts, vector), across) * vector *
           across;
}

CudaPlan startPlan(const RowFacts& facts, const Decisions& these) {
    CudaPlan plan;
    plan.vector = static_cast<int>(these.get("vector", 1));
    plan.threads = static_cast<int>(these.get("threads", 256));
    plan.longIndex = facts.needsLongIndex();
    return plan;
}

CudaPlan rowsPlan(const RowFacts& facts, const Decisions& these) {
    CudaPlan plan = startPlan(facts, these);
    plan.style = CudaPlan::Style::Rows;
    plan.tx = static_cast<int>(these.get("row-threads"));
    plan.ty = plan.threads / plan.tx;
    plan.persistent = facts.reducesColumns || facts.reducesAll;
    plan.chunks = divideUp(rowChunks(facts, plan.vector), plan.tx);
    plan.tileColumns = facts.inner;
    plan.splits = these.get("splits", rowSets(facts, plan.ty));
    plan.splitGroup = these.get("split-group", plan.splits);
    plan.parts = these.get("parts", 1);
    plan.blocks = plan.splits * plan.parts;
    plan.columnsInScratch = these.get("columns-in-scratch") != 0;
    plan.prefetch = these.get("prefetch") != 0;
    return plan;
}

void keepIn(CudaPlan::Cache cache, const RowFacts& facts, const Decisions& these, CudaPlan& plan) {
    const Kept& kept = keptBy(facts, these);
    plan.cache = cache;
    plan.cachedLocals = kept.locals;
    plan.cachedLoads = kept.loads;
}

std::vector<int> vectorWidths(const RowFacts& facts) {
    // Four of any dtype: 8-byte values take two accesses, which costs less than half-width ones
    // for their 4-byte neighbours. Without alignment: one at a time.
    std::vector<int> widths;
    if (facts.kernel.aligned)
        for (int width : {4, 2})
            if (facts.dividesRow(width) && facts.anySideBySide(width)) widths.push_back(width);
    widths.push_back(1);
    if (facts.bodyFlops() > kLongBody && widths.size() == 3) std::swap(widths[0], widths[1]);
    return widths;
}

bool manyColumns(const RowFacts& facts, int64_t vector, int64_t rowThreads) {
    const int64_t columns = facts.reducesColumns ? facts.columnBytes() : 0;
    if (!facts.constantRow) return columns > 0;
    return divideUp(rowChunks(facts, vector), rowThreads) * vector * columns / 4 > 32;
}

void setSplits(const RowFacts& facts, int64_t splits, Decisions& these) {
    these.set("splits", splits);
    if (splits > 16 && facts.reducesColumns)
        these.set("split-group",
                  static_cast<int64_t>(std::ceil(std::sqrt(static_cast<double>(splits)))));
}

int64_t fullSplits(const DeviceModel& model, int64_t blocksEach, int64_t tiles) {
    return std::max<int64_t>(int64_t{model.units} * blocksEach / tiles, 1);
}

std::string firstOf(std::initializer_list<std::string> problems) {
    for (const std::string& problem : problems)
        if (!problem.empty()) return problem;
    return {};
}

std::string refuseSharedRows(const RowFacts& facts) {
    if (facts.scans) return base::said("values run along rows");
    if (!rowsShare(facts)) return base::said("rows share nothing: any thread takes any elements");
    if (columnsOnly(facts))
        return base::said("only columns are reduced: blocks take tiles of them");
    return {};
}

std::string checkVector(const RowFacts& facts, const Decisions& these) {
    const int64_t vector = these.get("vector", 1);
    if (vector != 1 && vector != 2 && vector != 4)
        return base::said("vectors of {} elements: there are accesses of 1, 2 and 4", vector);
    if (!facts.dividesRow(vector))
        return base::said("rows of {} elements are no multiple of {}",
                          facts.form.inner ? facts.form.inner->extent.str() : "1", vector);
    if (vector > 1 && !facts.kernel.aligned)
        return base::said("tensors may begin anywhere: accesses of {} elements need alignment",
                          vector);
    return {};
}

std::string checkThreads(const Decisions& these) {
    const int64_t threads = these.get("threads", 256);
    if (threads % 32 != 0 || threads < 32 || threads > 1024)
        return base::said("blocks of {} threads: whole warps of 32, up to 1024", threads);
    return {};
}

std::string checkRows(const RowFacts& facts, const Decisions& these) {
    const int64_t threads = these.get("threads", 256), across = these.get("row-threads");
    if (!isPowerOfTwo(across) || across > threads || threads % across != 0 ||
        (across > 32 && across != threads))
        return base::said("{} threads a row in blocks of {}: a power of two, up to 32, or all",
                          across, threads);
    const int64_t sets = rowSets(facts, threads / across), splits = these.get("splits", sets);
    if (splits < 1 || splits > sets)
        return base::said("{} blocks along {} sets of rows", splits, sets);
    const int64_t group = these.get("split-group", splits);
    if (group < 1 || group > splits) return base::said("groups of {} of {} blocks", group, splits);
    if (these.has("splits") && !facts.reducesColumns && !facts.reducesAll)
        return base::said("rows add nothing up: a block for each set of rows");
    return {};
}

std::string checkArrays(const RowFacts& facts, const Decisions& these) {
    if (facts.constantRow) return {};
    if (facts.reducesColumns && these.get("columns-in-scratch") == 0)
        return base::said(
            "rows are as long as the call says: no registers are set aside for their columns");
    return {};
}

double workUs(const RowFacts& facts, const DeviceModel& model, const CudaPlan& plan,
              Prediction& into) {
    const auto bytes = static_cast<double>(facts.kernel.bytesRead + facts.kernel.bytesWritten);
    const bool cached = bytes < static_cast<double>(model.cacheBytes) / 2;
    const double used = accessEfficiency(plan.vector);
    const double memory = bytes / (cached ? model.cacheBytesPerUs : model.bytesPerUs);
    const double body = facts.bodyFlops();
    const double compute = body * static_cast<double>(facts.rows) *
                           static_cast<double>(facts.inner) / (model.units * model.opsPerUs);
    into.reasons.push_back(base::said(
        "accesses of {} elements: {:.1f} us to move {:.0f} bytes ({}), {:.1f} us to compute",
        plan.vector, memory / used, bytes,
        cached ? base::said("in the cache") : base::said("from memory"), compute));
    double us = std::max(memory, compute) / used;
    if (plan.vector > (body > kLongest ? 1 : 2) && body > kLongBody) {
        us *= 1.3;
        into.reasons.push_back(
            base::said("{} times {:.0f} operations leave the code cache", plan.vector, body));
    }
    return us;
}

double sectorsUs(const RowFacts& facts, const DeviceModel& model, double us, Prediction& into) {
    const Turned& turned = facts.turned();
    if (!turned.any()) return us;
    // Measured on an H200: sectors pass at half of what the cache moves.
    const double sectors = turned.sectorBytes * static_cast<double>(facts.rows) *
                           static_cast<double>(facts.inner) / (model.cacheBytesPerUs / 2);
    if (sectors <= us) return us;
    into.reasons.push_back(base::said("{:.1f} us for sectors of which an element each is used: "
                                      "their neighbours lie along {}",
                                      sectors, facts.form.rows[turned.row].variable.str()));
    return sectors;
}

double turnsUs(const RowFacts& facts, const DeviceModel& model, const CudaPlan& plan,
               Prediction& into) {
    const int64_t resident = std::max(1, kThreadsEach / plan.threads) * int64_t{model.units};
    const int64_t turns = plan.persistent ? divideUp(rowSets(facts, plan.ty), plan.splits)
                                          : divideUp(plan.blocks, resident);
    const double barrier = plan.tx > 32 ? 0.25 + 0.05 * std::log2(plan.tx / 32) : 0;
    // Light rows are unrolled by four.
    const bool light = plan.persistent && plan.chunks == 1 && !facts.reducesRows;
    const auto waits = static_cast<double>(light ? divideUp(turns, 4) : turns);
    double us = waits * (kLatencyUs + barrier) / accessEfficiency(plan.vector);
    into.reasons.push_back(
        base::said("{} threads a row, {} rows in a block of {}, {} blocks: {} turns of a block{}",
                   plan.tx, plan.ty, plan.threads, plan.blocks, turns,
                   plan.tx > 32 ? base::said(", each with barriers") : ""));
    if (plan.persistent && plan.splits > 1) {
        const double steps = plan.groups() > 1 ? 2 : 1;
        const double combined =
            0.5 * steps + 0.001 * static_cast<double>(plan.splitGroup + plan.groups());
        us += combined;
        into.reasons.push_back(base::said(
            "{:.1f} us to add up the results of {} blocks along the rows{}", combined, plan.splits,
            plan.groups() > 1 ? base::said(", {} at a time", plan.splitGroup) : ""));
    }
    return us;
}

} // namespace cutaway::schedule
