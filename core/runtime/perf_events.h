// SPDX-License-Identifier: Apache-2.0
/// \file
/// Linux' perf events, as counters and samples open them. Private to this folder.
#pragma once

#include <linux/perf_event.h>
#include <string>

namespace cutaway::runtime {

/// An event of the calling thread and all that come of it later, in user mode.
/// \param cpu the processor that it is about; -1: all. \returns a file; negative: -errno
int openEvent(perf_event_attr how, int cpu);

/// Why openEvent() gave \p error (positive), for people.
std::string whyNoEvent(int error);

} // namespace cutaway::runtime
