// SPDX-License-Identifier: Apache-2.0
/// \file
/// Can one loop nest compute two groups? Internal to core/fusion.
#pragma once

#include "core/fusion/grouping.h"

namespace cutaway::fusion {

struct MergeRequest {
    const kernel::LoopProgram& program;
    const Analysis& analysis;
    const Grouping& grouping;
    uint32_t a, b;
    BufferId producer, consumer; ///< the data flow that asks for it; invalid: shared reads
    bool wished = false;         ///< the kernel may be longer than is good for it
};

/// What the merged group looks like.
struct MergePlan {
    std::vector<Extent> dims;
    Extent points = 1;
    Extent rows = 0;
    std::vector<std::pair<BufferId, Role>> roles; ///< those that change
};

/// Fills \p plan, or says why not. Does not look at other groups.
std::optional<Refusal> planMerge(const MergeRequest& request, MergePlan& plan);

} // namespace cutaway::fusion
