// SPDX-License-Identifier: Apache-2.0
/// \file
/// The account of grouping: for every pair of buffers that share data, fused or not, and why.
/// Internal to core/fusion.
#pragma once

#include "core/fusion/grouping.h"

namespace cutaway::fusion {

std::vector<kernel::FusionDecision> explain(const kernel::LoopProgram& program,
                                            const Analysis& analysis, const Grouping& grouping,
                                            const std::vector<bool>& stores, bool fuse);

} // namespace cutaway::fusion
