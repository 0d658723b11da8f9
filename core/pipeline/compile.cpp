// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/compile.h"

#include "core/pipeline/stage_runner.h"

namespace cutaway::pipeline {

ir::Device deviceOf(const ir::Graph& graph) {
    for (ir::NodeId id : graph.order())
        if (graph.node(id).type().device != ir::Device()) return graph.node(id).type().device;
    return {};
}

base::Result<Partitioned> partitionGraph(const ir::Graph& captured, bool gradMode,
                                         const Options& options, EntryRecorder* recorder) {
    StageContext context(options, recorder, kCapturedGraph);
    context.captured = &captured;
    context.gradMode = gradMode;
    CUTAWAY_CHECK(runStages(StageId::Captured, StageId::Choices, context));
    return std::move(context.partitioned);
}

base::Result<ExecutableGraph> compileGraph(const ir::Graph& graph, Toolchain& toolchain,
                                           const Options& options, EntryRecorder* recorder) {
    StageContext context(options, recorder, kGraphToRun);
    const ir::Device device = deviceOf(graph);
    context.toolchain = &toolchain;
    context.graph = &graph;
    context.target = &toolchain.target(device.kind);
    CUTAWAY_TRY(context.device, context.target->device(device.index, options.limits()));
    CUTAWAY_CHECK(runStages(StageId::Loops, StageId::Load, context));
    return std::move(context.result);
}

} // namespace cutaway::pipeline
