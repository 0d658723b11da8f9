// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which values of the forward must not be computed a second time, and why (PyTorch:
/// should_ban_recomputation and the two global heuristics of solve_min_cut in
/// torch/_functorch/partitioners.py; same rules, same order, same thresholds).
#pragma once

#include "core/partition/joint_info.h"

namespace cutaway::partition {

enum class Ban : uint8_t {
    None,
    Input,                ///< a primal cannot be computed at all
    NotRecomputable,      ///< matrix product, scatter, sort, random ...
    MaterializedBackward, ///< some backward user reads it from memory anyway
    Reduction,            ///< the result is less than a quarter of what it reads
    UsedFarApart,         ///< its input is also used before something that cannot be fused
    LongChain,            ///< more than 100 fusible operations since the chain's start
    Wished                ///< somebody wants it saved
};

/// By node id.
std::vector<Ban> findBans(const JointInfo& info);

} // namespace cutaway::partition
