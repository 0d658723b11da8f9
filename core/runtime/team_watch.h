// SPDX-License-Identifier: Apache-2.0
/// \file
/// What each thread of a team computes and when, told by LLVM's OpenMP runtime.
#pragma once

#include <chrono>
#include <vector>

namespace cutaway::runtime {

/// From a moment until a thread waits for the others, or is through.
struct TeamPart {
    int thread = 0; ///< of the team; 0 is the one that called
    double begin = 0, us = 0;
};

/// While one lives, the teams of the thread that made it are watched; there is one at a time. What
/// it costs others: nothing.
class TeamWatch {
public:
    using Clock = std::chrono::steady_clock;
    TeamWatch();
    ~TeamWatch();
    TeamWatch(const TeamWatch&) = delete;
    TeamWatch& operator=(const TeamWatch&) = delete;

    /// What was computed since the construction or the last call, which is where the times begin:
    /// by begin. Where the runtime tells nothing of its teams (thread sanitizer), all of it is of
    /// thread 0.
    std::vector<TeamPart> take();
};

} // namespace cutaway::runtime
