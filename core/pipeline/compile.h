// SPDX-License-Identifier: Apache-2.0
/// \file
/// From a captured graph to something that runs: the story of a compilation, stage by stage.
#pragma once

#include "core/pipeline/options.h"
#include "core/pipeline/recorder.h"
#include "core/runtime/executable.h"

#include <memory>

namespace cutaway::pipeline {

/// Joint graph and partition of a captured graph, before any code exists. When nothing wants a
/// gradient, only `forward` is set.
struct Partitioned {
    ir::Graph forward;
    bool training = false;
    ir::Graph backward;
    int forwardOutputs = 0;          ///< the first outputs of `forward`; the rest are saved tensors
    std::vector<int> tangentOutputs; ///< forward output of each tangent (backward's last inputs)
    int64_t savedBytes = 0;          ///< of all saved tensors
    int64_t savedNewBytes = 0;       ///< of those that are not inputs anyway
};

/// Passes, joint graph, partition. \p gradMode false: inference whatever the inputs say.
base::Result<Partitioned> partitionGraph(const ir::Graph& captured, bool gradMode,
                                         const Options& options, EntryRecorder* recorder);

/// A graph lowered, fused, planned, generated and compiled.
struct CompiledUnit {
    std::shared_ptr<const kernel::KernelProgram> program;
    std::shared_ptr<runtime::Executable> executable;
    std::vector<codegen::KernelSource> sources; ///< one a kernel; empty text for library calls
    memory::MemoryPlan plan;
};

/// \param graph "forward" or "backward"; its placeholders' strides are what the kernels expect.
base::Result<CompiledUnit> compileGraph(const ir::Graph& graph, Toolchain& toolchain,
                                        const Options& options, EntryRecorder* recorder);

} // namespace cutaway::pipeline
