// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/compile.h"

#include "core/autodiff/joint_graph.h"
#include "core/base/tick.h"
#include "core/fusion/fuse.h"
#include "core/lower/lower.h"
#include "core/pipeline/kernel_code.h"
#include "core/pipeline/runner.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <type_traits>

namespace cutaway::pipeline {

namespace {

/// Tells of the scope as one stage, and times it for the record.
class StageClock {
public:
    StageClock(const Options& options, EntryRecorder* recorder, std::string stage)
        : recorder_(recorder), stage_(std::move(stage)), start_(Clock::now()) {
        if (options.progress) options.progress(stage_, 0);
    }
    ~StageClock() {
        if (recorder_)
            recorder_->addTime(
                stage_, std::chrono::duration<double, std::milli>(Clock::now() - start_).count());
    }

private:
    using Clock = std::chrono::steady_clock;
    EntryRecorder* recorder_;
    std::string stage_;
    Clock::time_point start_;
};

std::vector<record::PassRun>* passRuns(EntryRecorder* recorder) {
    return recorder ? &recorder->entry().passes : nullptr;
}

/// Nodes of \p later refer to \p middle, whose nodes refer to an earlier graph: shortens the way.
void skipStage(ir::Graph& later, const ir::Graph& middle) {
    for (ir::NodeId id : later.order()) {
        std::vector<ir::NodeId> from;
        for (ir::NodeId step : later.node(id).from)
            if (middle.contains(step))
                from.insert(from.end(), middle.node(step).from.begin(),
                            middle.node(step).from.end());
        std::sort(from.begin(), from.end());
        from.erase(std::unique(from.begin(), from.end()), from.end());
        later.node(id).from = std::move(from);
    }
}

/// Buffers refer to nodes of \p working, whose nodes refer to the graph that is shown.
void mapOrigins(kernel::LoopProgram& loops, const ir::Graph& working) {
    for (kernel::Buffer& buffer : loops.buffers) {
        std::vector<uint32_t> from;
        for (uint32_t id : buffer.from)
            for (ir::NodeId origin : working.node(ir::NodeId(id)).from)
                from.push_back(origin.index);
        std::sort(from.begin(), from.end());
        from.erase(std::unique(from.begin(), from.end()), from.end());
        buffer.from = std::move(from);
    }
}

/// Where the graph runs: a scalar from the host goes along with the tensors of a device.
ir::Device deviceOf(const ir::Graph& graph) {
    for (ir::NodeId id : graph.order())
        if (graph.node(id).type().device != ir::Device()) return graph.node(id).type().device;
    return {};
}

/// Gradient rules report broken invariants of their own as exceptions.
base::Result<autodiff::JointGraph> differentiate(const ir::Graph& captured) {
    try {
        return autodiff::buildJointGraph(captured);
    } catch (const std::exception& error) {
        return base::bugError(fmt::format("differentiating the captured graph: {}", error.what()));
    }
}

base::Result<Partitioned> inference(ir::Graph graph, const Options& options,
                                    EntryRecorder* recorder) {
    {
        StageClock clock(options, recorder, "passes");
        graph.graphName = "forward";
        CUTAWAY_CHECK(runPasses(PassPoint::Joint, graph, options, passRuns(recorder)));
    }
    if (recorder) recorder->addGraph(graph, "captured");
    Partitioned result;
    result.forwardOutputs = static_cast<int>(graph.outputs.size());
    result.forward = std::move(graph);
    return result;
}

/// The texts of every target are recorded; those of others are for looking at.
void recordCode(EntryRecorder& recorder, const std::string& graphName,
                const kernel::KernelProgram& program,
                const KernelCode& code, const Toolchain& toolchain, const runtime::Target& own,
                int threads) {
    for (size_t i = 0; i < program.kernels.size(); ++i) {
        const kernel::Kernel& kernel = program.kernels[i];
        if (!kernel.loops) continue;
        for (const auto& target : toolchain.targets())
            recorder.addCode(graphName, i, *target,
                             target.get() == &own
                                 ? code.shown[i]
                                 : target->emit(program, kernel, target->exampleDevice(threads)),
                             target.get() == &own);
        if (code.sameAs[i] != i)
            recorder.addReason(graphName, i,
                               fmt::format("same code as {}: compiled once",
                                           program.kernels[code.sameAs[i]].name));
    }
}

/// What \p work gives, or cancelledError() as soon as the token says so.
template <typename Work>
std::invoke_result_t<Work> cancellable(const base::CancelToken& token, const Work& work) {
    base::CancelScope scope(token);
    try {
        return work();
    } catch (const base::Cancelled&) {
        return base::cancelledError();
    }
}

base::Result<Partitioned> partitionWhole(const ir::Graph& captured, bool gradMode,
                                         const Options& options, EntryRecorder* recorder) {
    if (recorder) recorder->addGraph(captured, "");
    ir::Graph working = beginStage(captured);
    {
        StageClock clock(options, recorder, "decompose");
        CUTAWAY_CHECK(runPasses(PassPoint::Captured, working, options, passRuns(recorder)));
    }
    if (!gradMode || !autodiff::needsGradient(working))
        return inference(std::move(working), options, recorder);

    autodiff::JointGraph joint;
    {
        StageClock clock(options, recorder, "joint");
        CUTAWAY_TRY(joint, differentiate(working));
        skipStage(joint.graph, working);
        joint.graph.graphName = "joint";
        CUTAWAY_CHECK(runPasses(PassPoint::Joint, joint.graph, options, passRuns(recorder)));
    }
    if (recorder) recorder->addGraph(joint.graph, "captured");

    StageClock clock(options, recorder, "partition");
    CUTAWAY_TRY(partition::Partition cut,
                partition::partitionJointGraph(joint, options.strategy.partitioner));
    cut.forward.graphName = "forward";
    cut.backward.graphName = "backward";
    if (recorder) {
        recorder->addPartition(cut);
        recorder->addGraph(cut.forward, "joint");
        recorder->addGraph(cut.backward, "joint");
    }
    Partitioned result;
    result.training = true;
    result.forwardOutputs = joint.forwardOutputs;
    result.tangentOutputs = joint.tangentOutputs;
    for (const partition::SavedTensor& saved : cut.saved) {
        result.savedBytes += saved.bytes;
        if (!saved.input) result.savedNewBytes += saved.bytes;
    }
    result.forward = std::move(cut.forward);
    result.backward = std::move(cut.backward);
    return result;
}

base::Result<CompiledUnit> compileWhole(const ir::Graph& graph, Toolchain& toolchain,
                                        const Options& options, EntryRecorder* recorder) {
    ir::Device device = deviceOf(graph);
    fusion::FusionOptions fusionOptions;
    fusionOptions.fuse = options.strategy.fuse;
    fusionOptions.threads = options.threads;
    fusionOptions.vectorBytes =
        options.vectorBytes > 0 ? options.vectorBytes : toolchain.host().vectorBytes;
    runtime::Target& target = toolchain.target(device.kind);
    CUTAWAY_TRY(runtime::TargetDevice facts, target.device(device.index, options.threads));

    CompiledUnit unit;
    KernelCode code;
    auto program = std::make_shared<kernel::KernelProgram>();
    try {
        StageClock clock(options, recorder, graph.graphName + ": lower, fuse, plan");
        ir::Graph working = beginStage(graph);
        CUTAWAY_CHECK(runPasses(PassPoint::Lowering, working, options, passRuns(recorder)));
        CUTAWAY_TRY(kernel::LoopProgram loops, lower::lowerGraph(working));
        mapOrigins(loops, working);
        *program = fusion::fuse(std::move(loops), fusionOptions);
        unit.plan = memory::planMemory(*program);
        code = emitKernels(*program, target, facts);
    } catch (const std::exception& error) {
        return base::bugError(fmt::format("compiling graph {}: {}", graph.graphName, error.what()));
    }
    unit.program = program;
    if (recorder) {
        StageClock clock(options, recorder, graph.graphName + ": record");
        recorder->addLowered(graph.graphName, *program, unit.plan);
        recordCode(*recorder, graph.graphName, *program, code, toolchain, target, options.threads);
    }
    if (options.cancel.cancelled()) return base::cancelledError();

    StageClock clock(options, recorder, graph.graphName + ": compile");
    CUTAWAY_TRY(std::vector<runtime::CompiledKernel> kernels,
                compileKernels(code, target, facts, toolchain.cacheFolder(), graph.graphName,
                               options));
    unit.sources = std::move(code.shown);
    CUTAWAY_TRY(unit.executable, target.load(program, unit.plan, std::move(kernels)));
    return unit;
}

} // namespace

base::Result<Partitioned> partitionGraph(const ir::Graph& captured, bool gradMode,
                                         const Options& options, EntryRecorder* recorder) {
    return cancellable(options.cancel,
                       [&] { return partitionWhole(captured, gradMode, options, recorder); });
}

base::Result<CompiledUnit> compileGraph(const ir::Graph& graph, Toolchain& toolchain,
                                        const Options& options, EntryRecorder* recorder) {
    return cancellable(options.cancel,
                       [&] { return compileWhole(graph, toolchain, options, recorder); });
}

} // namespace cutaway::pipeline
