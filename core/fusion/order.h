// SPDX-License-Identifier: Apache-2.0
/// \file
/// The order in which a kernel computes its members. Internal to core/fusion.
#pragma once

#include "core/fusion/grouping.h"

namespace cutaway::fusion {

/// The group's members, producers before consumers: in the program's order while few values wait
/// for their use at a time, else each value right before its first use (depth first), when then
/// fewer wait. A sum of 512 leaves written level by level has 512 values waiting, depth first 10.
std::vector<BufferId> executionOrder(const Analysis& analysis, const Grouping& grouping,
                                     const Group& group);

} // namespace cutaway::fusion
