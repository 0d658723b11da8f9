// SPDX-License-Identifier: Apache-2.0
/// \file
/// The cost model's choices for one kernel, with their reasons. Internal to core/fusion.
#pragma once

#include "core/fusion/build.h"
#include "core/fusion/fuse.h"

namespace cutaway::fusion {

void chooseSchedule(const kernel::LoopProgram& program, kernel::Kernel& kernel, int peakLive,
                    const FusionOptions& options);

} // namespace cutaway::fusion
