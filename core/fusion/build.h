// SPDX-License-Identifier: Apache-2.0
/// \file
/// Statements of one group's kernel. Internal to core/fusion.
#pragma once

#include "core/fusion/loops.h"

namespace cutaway::fusion {

/// A kernel's loops, and what it touches.
struct BuiltKernel {
    kernel::LoopTree tree;
    std::optional<kernel::LoopTree> oneLoop; ///< see kernel::Kernel
    std::vector<std::string> reasons;
    std::vector<BufferId> members; ///< computed here, recomputed ones included
    std::vector<BufferId> reads, writes;
    double flops = 0;
};

BuiltKernel buildKernel(kernel::LoopProgram& program, const Analysis& analysis,
                        const Grouping& grouping, const Group& group,
                        const std::vector<bool>& stores);

} // namespace cutaway::fusion
