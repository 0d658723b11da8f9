// SPDX-License-Identifier: Apache-2.0
/// \file
/// The one loop that runs graph passes: stop if cancelled, skip if disabled, time, run, verify, and
/// keep what changed.
#pragma once

#include "core/pipeline/options.h"
#include "core/pipeline/pass_table.h"
#include "core/record/record.h"

#include <vector>

namespace cutaway::pipeline {

/// Runs the passes of \p point on \p graph. \p runs, when not null, receives one row per pass with
/// its changes. Errors: cancelledError(), or a bug naming the pass.
base::Status runPasses(PassPoint point, ir::Graph& graph, const Options& options,
                       std::vector<record::PassRun>* runs);

/// A copy whose nodes come from their namesakes: `from` of every node is its own id. Stages begin
/// with it, so that provenance over several passes stays one step per stage.
ir::Graph beginStage(const ir::Graph& graph);

} // namespace cutaway::pipeline
