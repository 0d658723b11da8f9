// SPDX-License-Identifier: Apache-2.0
/// \file
/// From a captured graph to something that runs, in two parts: the backward graph is compiled when
/// its first gradient arrives.
#pragma once

#include "core/pipeline/stage_context.h"

namespace cutaway::pipeline {

/// Where the graph runs: a scalar from the host goes along with the tensors of a device.
ir::Device deviceOf(const ir::Graph& graph);

/// Passes, joint graph, partition. \p gradMode false: inference whatever the inputs say.
base::Result<Partitioned> partitionGraph(const ir::Graph& captured, bool gradMode,
                                         const Options& options, EntryRecorder* recorder);

/// \param graph "forward" or "backward"; its placeholders' strides are what the kernels expect.
base::Result<ExecutableGraph> compileGraph(const ir::Graph& graph, Toolchain& toolchain,
                                           const Options& options, EntryRecorder* recorder);

} // namespace cutaway::pipeline
