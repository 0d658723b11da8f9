// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a candidate for a processor means, and a kernel's loops as it runs them. Computed from the
/// decisions, and nothing else.
#pragma once

#include "core/schedule/schedule.h"

namespace cutaway::schedule {

struct CpuPlan {
    bool chunked = false;    ///< the threads share one long inner loop; else they share the rows
    int vector = 16;         ///< lanes of the inner loop; 1: scalar
    int accumulators = 4;    ///< of a sum along the row, where they divide it
    int threads = 1;         ///< at most
    int64_t threadsFrom = 0; ///< fewer elements are done by one thread
    int64_t loops = 1;       ///< of a pass: 1, or as many as the kernel's tree has
    int64_t tile = 0;        ///< parts of rows that all rows of turned accesses do before the next
    bool stream = false;     ///< outputs bypass the caches
    bool parts =
        false; ///< values run along one row, of which every thread has a part: its total first
    bool prefetch = false;    ///< loads ask for what lies further on
    bool keepInOutput = true; ///< a row that waits for a later pass is read back from its output,
                              ///< where it has one
    /// What threads do where they meet at computed places.
    kernel::Conflict sums = kernel::Conflict::Owner;
};

/// \param candidate of a CPU template, checked.
CpuPlan cpuPlan(const Candidate& candidate);

/// A kernel's tree with the places that a candidate gives its loops.
struct CpuLoops {
    CpuPlan plan;
    kernel::LoopTree tree;
    /// The program with the expressions of shorter loops, where rows are cut into tiles.
    std::optional<kernel::LoopProgram> split;
};

/// \param candidate of a CPU template, checked. Of "tree" the tree is run as it is.
CpuLoops cpuLoops(const kernel::KernelProgram& program, const kernel::Kernel& kernel,
                  const Candidate& candidate);

} // namespace cutaway::schedule
