// SPDX-License-Identifier: Apache-2.0
/// \file
/// The one runner of stages: stop if cancelled, leave out what is not wanted, tell, time, run, verify,
/// record.
#pragma once

#include "core/pipeline/stage_table.h"

namespace cutaway::pipeline {

/// What is told when the last of the stages is through and the script goes on.
inline constexpr const char* kRunsAgain = "running the script";

/// Runs the rows of the stage table from \p first to \p last. Errors: those of the stages;
/// cancelledError(); a bug naming the stage for an exception, for a broken invariant (with
/// Options::verify), and for a stage whose needs nothing has given; environment error when memory
/// runs out.
base::Status runStages(StageId first, StageId last, StageContext& context);

} // namespace cutaway::pipeline
