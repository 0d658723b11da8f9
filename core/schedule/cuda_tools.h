// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the CUDA templates share: sizes that follow from decisions, checks, and parts of a
/// predicted time. Private to this folder.
#pragma once

#include "core/schedule/cuda_plan.h"
#include "core/schedule/templates.h"

#include <algorithm>

namespace cutaway::schedule {

constexpr int64_t divideUp(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}
int64_t powerOfTwoUp(int64_t n);

// --- sizes that follow

/// Whether threads share rows (else any thread takes any elements).
bool rowsShare(const RowFacts& facts);
/// Whether rows only add to columns: a block may then take a tile of the columns.
bool columnsOnly(const RowFacts& facts);
/// Chunks of \p vector elements of one row, and of everything; at least one.
int64_t rowChunks(const RowFacts& facts, int64_t vector);
int64_t elementChunks(const RowFacts& facts, int64_t vector);
/// Sets of \p together rows.
int64_t rowSets(const RowFacts& facts, int64_t together);
/// What is kept from pass to pass ("keep-values 0": loads only).
const Kept& keptBy(const RowFacts& facts, const Decisions& these);
/// Words of a thread's registers that kept values and column sums take.
int64_t registerWords(const RowFacts& facts, int64_t vector, int64_t rowThreads);
/// Shared memory of a block that keeps its row there.
int64_t sharedBytes(const RowFacts& facts, const Decisions& these);

/// Loops of a kernel that adds at computed places.
struct OwnedLoops {
    std::vector<ir::Var> apart; ///< their variables are coordinates: updates never meet along them
    int64_t apartCount = 1;     ///< iterations of those, all together
    int owned = 0;              ///< the first computed coordinate
    int64_t places = 1;         ///< along it
};
OwnedLoops ownedLoops(const RowFacts& facts);
/// Whether what one row adds goes to one place, element by element.
bool rowsHaveOnePlace(const RowFacts& facts);

// --- what decisions mean

/// What all templates decide: the width of accesses, and threads of a block.
CudaPlan startPlan(const RowFacts& facts, const Decisions& these);
/// Of templates whose threads share rows. Nothing waits from one pass to the next.
CudaPlan rowsPlan(const RowFacts& facts, const Decisions& these);
/// What waits from one pass to the next does so in \p cache.
void keepIn(CudaPlan::Cache cache, const RowFacts& facts, const Decisions& these, CudaPlan& plan);

// --- what is worth proposing

/// Widths of vector accesses that the rows allow, most promising first; 1 always.
std::vector<int> vectorWidths(const RowFacts& facts);
/// Column sums of a thread that threads along the row share: in scratch, not in registers.
bool manyColumns(const RowFacts& facts, int64_t vector, int64_t rowThreads);
/// Adds "splits", and "split-group" where column sums of many splits are added up in two steps.
void setSplits(const RowFacts& facts, int64_t splits, Decisions& these);
/// Splits that keep every multiprocessor busy with so many blocks.
int64_t fullSplits(const DeviceModel& model, int64_t blocksEach, int64_t tiles);

// --- "" or what is wrong

std::string checkVector(const RowFacts& facts, const Decisions& these);
std::string checkThreads(const Decisions& these);
/// row-threads, threads, splits and split-group of a template whose threads share rows.
std::string checkRows(const RowFacts& facts, const Decisions& these);
/// Arrays of a thread are as long as numbers say: column sums of rows of unknown length.
std::string checkArrays(const RowFacts& facts, const Decisions& these);
/// Loops that no template whose threads share rows can run.
std::string refuseSharedRows(const RowFacts& facts);
/// The first that is not empty.
std::string firstOf(std::initializer_list<std::string> problems);

// --- predicted times

/// Blocks that the device runs at once. \param shared bytes of shared memory that a block declares
int64_t blocksAtOnce(const DeviceModel& model, const CudaPlan& plan, int64_t shared = 0);

/// Moving the kernel's bytes and computing, whichever takes longer, by all multiprocessors.
double workUs(const RowFacts& facts, const DeviceModel& model, const CudaPlan& plan,
              Prediction& into);
/// What turned accesses take when threads walk the inner loop, if that is more than \p us.
double sectorsUs(const RowFacts& facts, const DeviceModel& model, double us, Prediction& into);
/// One turn of a block after the other, from reading to reducing; and adding up partial results.
double turnsUs(const RowFacts& facts, const DeviceModel& model, const CudaPlan& plan,
               Prediction& into);

} // namespace cutaway::schedule
