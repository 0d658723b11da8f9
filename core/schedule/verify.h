// SPDX-License-Identifier: Apache-2.0
/// \file
/// Invariants of schedules.
#pragma once

#include "core/schedule/schedule.h"

#include <optional>
#include <string>

namespace cutaway::schedule {

/// Whether a measured time is so much shorter than that of what is predicted to be the fastest that it is
/// no accident: by 3 %, and by more than a GPU's clock tells apart.
inline bool isWorthChanging(double measuredUs, double predictedsUs) {
    return measuredUs < 0.97 * predictedsUs - 0.5;
}

/// First broken invariant of the schedule of a kernel with loops, or nothing: what is taken was not
/// refused, is the smallest prediction unless it was asked for, is of a template that knows such
/// loops and its decisions, and makes a tree of loops that verifyLoops finds nothing in.
std::optional<std::string> verify(const kernel::KernelProgram& program,
                                  const kernel::Kernel& kernel, const Schedule& schedule,
                                  const DeviceModel& model);

/// First broken invariant of a kernel's loops as a candidate runs them, or nothing: it stores what
/// the kernel's own tree stores; every loop runs where the device has a place for it, and no loop is
/// inside lanes; iterations that are shared depend on each other in no way that is not declared;
/// lanes divide their loop, or it has a tail.
std::optional<std::string> verifyLoops(const kernel::LoopProgram& program,
                                       const kernel::LoopTree& original,
                                       const kernel::LoopTree& scheduled, ir::Device::Kind device);

/// First limit of the device that the candidate goes beyond, or nothing: threads and shared memory of
/// a block, registers of a thread; lanes of a vector.
std::optional<std::string> verifyLimits(const kernel::KernelProgram& program,
                                        const kernel::Kernel& kernel, const Candidate& candidate,
                                        const DeviceModel& model);

} // namespace cutaway::schedule
