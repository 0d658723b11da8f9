// SPDX-License-Identifier: Apache-2.0
/// \file
/// The stage that times the candidates of schedules instead of believing their predictions, where
/// torch.compile was told to: mode "max-autotune" or "max-autotune-no-cudagraphs", or max_autotune
/// among its options or in torch._inductor.config.
#pragma once

#include "core/pipeline/recorder.h"
#include "core/pipeline/stage_context.h"

namespace cutaway::pipeline {

bool wantsAutotune(const StageContext& context);

/// Runs every loop kernel by each of its candidates, on made-up inputs (floating numbers from 0.5 to
/// 1.5, whole ones all 0 or all 1; open sizes as the captured call had them), and takes the fastest
/// where it is faster than the one with the smallest prediction by 3 % and half a microsecond. Times that other
/// programs disturbed do not count; where there are no others, predictions stand. What somebody asked for
/// stays, and library calls are not timed. Where the kernels refuse such inputs, predictions stand and
/// the schedule's reasons say so. Errors: those of emitting, compiling and loading.
base::Status runAutotune(StageContext& context);

void recordAutotune(EntryRecorder& recorder, const StageContext& context);

} // namespace cutaway::pipeline
