// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a matrix product's library call can do after the product: add a tensor or a number,
/// multiply by a number, relu. Internal to core/fusion.
#pragma once

#include "core/fusion/analysis.h"
#include "core/kernel/loop_nest.h"

namespace cutaway::fusion {

struct Epilogues {
    std::vector<BufferId> owner;                       ///< by BufferId: the product, or invalid
    std::vector<std::vector<kernel::Epilogue>> chains; ///< by the product's BufferId
};

Epilogues findEpilogues(const kernel::LoopProgram& program, Analysis& analysis, bool fuse);

} // namespace cutaway::fusion
