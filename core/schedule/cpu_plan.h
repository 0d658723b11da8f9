// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a candidate for a processor means. Computed from the decisions, and nothing else.
#pragma once

#include "core/schedule/schedule.h"

namespace cutaway::schedule {

struct CpuPlan {
    bool chunked = false;     ///< the threads share one long inner loop; else they share the rows
    int vector = 16;          ///< lanes of the inner loop; 1: scalar
    int accumulators = 4;     ///< of a sum along the row, where they divide it
    int threads = 1;          ///< at most
    int64_t threadsFrom = 0;  ///< fewer elements are done by one thread
    int64_t piece = 0;        ///< a row is cut into parts of so many elements; 0: it is not
    bool stream = false;      ///< outputs bypass the caches
    bool keepInOutput = true; ///< a row that waits for a later pass is read back from its output,
                              ///< where it has one
};

/// \param candidate of a CPU template, checked.
CpuPlan cpuPlan(const Candidate& candidate);

} // namespace cutaway::schedule
