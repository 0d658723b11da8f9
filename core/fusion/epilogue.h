// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a matrix product's library call can do after the product: add a tensor or a number,
/// multiply by a number, relu. Internal to core/fusion.
#pragma once

#include "core/fusion/analysis.h"
#include "core/fusion/wishes.h"

namespace cutaway::fusion {

struct Epilogues {
    std::vector<BufferId> owner;                       ///< by BufferId: the product, or invalid
    std::vector<std::vector<kernel::Epilogue>> chains; ///< by the product's BufferId
};

/// \param taken whether what follows a call goes into it; otherwise only where \p wished wants it.
/// What is wanted apart from any part of the call ends its chain.
Epilogues findEpilogues(const kernel::LoopProgram& program, Analysis& analysis, bool taken,
                        const std::vector<WishedPair>& wished);

} // namespace cutaway::fusion
