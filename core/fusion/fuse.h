// SPDX-License-Identifier: Apache-2.0
/// \file
/// Loop IR to kernels: groups buffers, orders the groups, and says why.
#pragma once

#include "core/base/result.h"
#include "core/fusion/wishes.h"
#include "core/kernel/kernel_program.h"

namespace cutaway::fusion {

struct FusionOptions {
    bool fuse = true;      ///< false: one kernel a buffer (eager, aot_eager)
    bool epilogues = true; ///< what follows a library call may go into it
    /// Told which were met, or why not; may be null.
    std::vector<Wish>* wishes = nullptr;
};

/// Vertical (producer into consumer), horizontal (same loops), reductions with producers and
/// followers, per-column and whole-tensor sums beside row kernels, epilogues into matrix products.
/// Every pair of buffers that share data gets a decision with its reason.
kernel::KernelProgram fuse(kernel::LoopProgram program, const FusionOptions& options);

} // namespace cutaway::fusion
