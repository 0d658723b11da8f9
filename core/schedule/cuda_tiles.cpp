// SPDX-License-Identifier: Apache-2.0
// GPU: reads and writes that disagree on what lies side by side, as in a transposition. A block has
// a square of elements: what lies along the other loop goes through shared memory.
#include "core/schedule/cuda_tools.h"

#include "core/base/said.h"

#include <fmt/format.h>

namespace cutaway::schedule {

namespace {

constexpr int64_t kStaticShared = 48 << 10; // bytes that a block may declare
constexpr double kTurnUs = 1;               // a block's way: asking memory, a barrier, computing

/// A row of shared memory has one element more, so that its columns lie in banks of their own.
int64_t tileBytes(const Turned& turned, int64_t tile) {
    return turned.bytes * tile * (tile + 1);
}

std::string refuse(const RowFacts& facts) {
    if (facts.scans) return base::said("values run along rows");
    if (rowsShare(facts))
        return base::said("a row or column is reduced: its threads share results");
    if (facts.reducesAll) return base::said("everything is reduced: blocks share results");
    if (facts.scatters) return base::said("elements are added at computed places");
    if (!facts.turned().any())
        return base::said("no accesses lie along another loop than the inner one");
    if (facts.rows * facts.inner == 0) return base::said("there are no elements");
    return {};
}

std::vector<Decisions> propose(const RowFacts&, const DeviceModel&) {
    // Of equal predictions the first: 24 MB took an H200 9.3, 9.8 and 10.1 us.
    return {{{"tile", 32}, {"threads", 256}},
            {{"tile", 64}, {"threads", 256}},
            {{"tile", 64}, {"threads", 512}}};
}

std::string check(const RowFacts& facts, const DeviceModel&, const Decisions& these) {
    const int64_t tile = these.get("tile"), threads = these.get("threads", 256);
    if (tile != 32 && tile != 64)
        return base::said("tiles of {}: there are those of 32 and 64", tile);
    if (const int64_t bytes = tileBytes(facts.turned(), tile); bytes > kStaticShared)
        return base::said("tiles take {} bytes of shared memory: a block declares up to {}", bytes,
                          kStaticShared);
    if (threads < tile || threads % tile != 0 || tile % (threads / tile) != 0)
        return base::said("{} threads do not share a tile of {} in whole rows", threads, tile);
    return checkThreads(these);
}

CudaPlan planOf(const RowFacts& facts, const Decisions& these) {
    CudaPlan plan = startPlan(facts, these);
    const Turned& turned = facts.turned();
    plan.style = CudaPlan::Style::Tiles;
    plan.turned = turned.row;
    plan.tx = static_cast<int>(these.get("tile"));
    plan.ty = plan.threads / plan.tx;
    const int64_t along = facts.program.hint(facts.form.rows[turned.row].extent);
    plan.tiles = divideUp(facts.inner, plan.tx);
    plan.splits = divideUp(along, plan.tx);
    plan.blocks = facts.rows / along * plan.tiles * plan.splits;
    plan.cachedLoads = turned.loads;
    plan.cachedLocals = turned.stored;
    return plan;
}

Prediction predict(const RowFacts& facts, const DeviceModel& model, const Decisions& these) {
    Prediction prediction;
    const Turned& turned = facts.turned();
    const CudaPlan plan = planOf(facts, these);
    const double elements = static_cast<double>(facts.rows) * static_cast<double>(facts.inner);
    const double lanes = static_cast<double>(plan.blocks) * plan.tx * plan.tx;
    // Rows of a tile fill whole lines of the cache, or pay for them.
    const double line = std::min(1.0, static_cast<double>(plan.tx * turned.narrowest) / 128);
    const double work =
        workUs(facts, model, plan, prediction) * (lanes / elements) / (0.7 + 0.3 * line);
    const int64_t shared = tileBytes(turned, plan.tx);
    const int64_t atOnce = blocksAtOnce(model, plan, shared);
    const int64_t waves = divideUp(plan.blocks, atOnce);
    prediction.reasons.push_back(base::said("{} reads and {} writes lie along {}: tiles of {} x "
                                            "{} in {} bytes of shared memory, {:.2f} "
                                            "lanes an element",
                                            turned.loads.size(), turned.stored.size(),
                                            facts.form.rows[turned.row].variable.str(), plan.tx,
                                            plan.tx, shared, lanes / elements));
    prediction.reasons.push_back(base::said("{} blocks, {} at once: {} turns of {:.1f} us",
                                            plan.blocks, atOnce, waves, kTurnUs));
    prediction.us = model.launchUs + std::max(work, static_cast<double>(waves) * kTurnUs);
    return prediction;
}

} // namespace

Template tilesTemplate() {
    return {.name = "tiles",
            .device = ir::Device::Kind::Cuda,
            .summary = base::said("a block turns squares of elements in shared memory"),
            .decisions = {"tile", "threads"},
            .refuse = refuse,
            .propose = propose,
            .check = check,
            .predict = predict,
            .plan = planOf};
}

} // namespace cutaway::schedule
