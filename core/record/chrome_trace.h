// SPDX-License-Identifier: Apache-2.0
/// \file
/// A record as a trace in the JSON of Chrome's trace event format, which Perfetto, chrome://tracing
/// and speedscope open.
#pragma once

#include "core/record/record.h"

namespace cutaway::record {

/// A process for each compiled entry, with its stages and the passes within them; and one for each
/// run, with the calls that were measured, and one call's kernels and library calls in their order,
/// by graph, with what the call takes beside them. Stages and kernels stand one behind the other, as
/// long as each took: when they began is not recorded.
std::string chromeTrace(const Record& record);

} // namespace cutaway::record
