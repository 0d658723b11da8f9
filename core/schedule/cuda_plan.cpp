// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/cuda_plan.h"

#include "core/schedule/cuda_tools.h"

namespace cutaway::schedule {

namespace {

void spreadRows(const RowFacts& facts, const Candidate& candidate, CudaPlan& plan) {
    const Decisions& decisions = candidate.decisions;
    const int64_t chunks = rowChunks(facts, plan.vector);
    plan.style = CudaPlan::Style::Rows;
    plan.tx = static_cast<int>(decisions.get("row-threads"));
    plan.ty = plan.threads / plan.tx;
    plan.persistent = facts.reducesColumns || facts.reducesAll;
    if (candidate.by == kColumns) {
        plan.cutsColumns = true;
        plan.tileColumns = int64_t{plan.tx} * plan.vector;
        plan.tiles = divideUp(std::max<int64_t>(facts.inner, 1), plan.tileColumns);
    } else {
        plan.chunks = divideUp(chunks, plan.tx);
        plan.tileColumns = facts.inner;
    }
    plan.splits = decisions.get("splits", rowSets(facts, plan.ty));
    plan.splitGroup = decisions.get("split-group", plan.splits);
    plan.parts = decisions.get("parts", 1);
    plan.blocks = plan.splits * plan.tiles * plan.parts;
    plan.columnsInScratch = decisions.get("columns-in-scratch") != 0;
    plan.prefetch = decisions.get("prefetch") != 0;
    plan.beside = candidate.by == kRowsBeside;
    if (candidate.by == kColumns || candidate.by == kRowsReread || candidate.by == kRowsScan ||
        candidate.by == kRowsParts || plan.beside)
        return;
    const bool shared = candidate.by == kRowsShared;
    plan.cache = shared ? CudaPlan::Cache::Shared : CudaPlan::Cache::Registers;
    const Kept& kept = keptBy(facts, candidate.decisions);
    plan.cachedLocals = kept.locals;
    plan.cachedLoads = kept.loads;
    if (shared) plan.sharedBytes = sharedBytes(facts, decisions);
}

} // namespace

CudaPlan cudaPlan(const RowFacts& facts, const Candidate& candidate) {
    CudaPlan plan;
    const Decisions& decisions = candidate.decisions;
    plan.vector = static_cast<int>(decisions.get("vector", 1));
    plan.threads = static_cast<int>(decisions.get("threads", 256));
    plan.longIndex = facts.needsLongIndex();
    if (candidate.by == kLinear) {
        plan.chunksPerThread = static_cast<int>(decisions.get("in-flight", 1));
        plan.blocks = divideUp(elementChunks(facts, plan.vector),
                               int64_t{plan.threads} * plan.chunksPerThread);
    } else if (candidate.by == kOwned) {
        plan.style = CudaPlan::Style::Serial;
        plan.owners = decisions.get("owners");
        const int64_t all = std::max<int64_t>(plan.owners, 1) * ownedLoops(facts).apartCount;
        plan.blocks = divideUp(all, plan.threads);
    } else if (candidate.by == kSortedPlaces) {
        plan.style = CudaPlan::Style::Sorted;
        plan.owners = plan.blocks = decisions.get("owners", 1);
        plan.apart = rowsHaveOnePlace(facts);
    } else if (candidate.by == kTiles) {
        plan.style = CudaPlan::Style::Tiles;
        plan.turned = facts.turned().row;
        plan.tx = static_cast<int>(decisions.get("tile"));
        plan.ty = plan.threads / plan.tx;
        const int64_t along = facts.program.hint(facts.form.rows[plan.turned].extent);
        plan.tiles = divideUp(facts.inner, plan.tx);
        plan.splits = divideUp(along, plan.tx);
        plan.blocks = facts.rows / along * plan.tiles * plan.splits;
        plan.cachedLoads = facts.turned().loads;
        plan.cachedLocals = facts.turned().stored;
    } else if (candidate.by == kTotal) {
        plan.persistent = true;
        plan.blocks = plan.splits = plan.splitGroup = decisions.get("blocks", 1);
    } else {
        spreadRows(facts, candidate, plan);
    }
    return plan;
}

} // namespace cutaway::schedule
