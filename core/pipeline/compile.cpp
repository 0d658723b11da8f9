// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/compile.h"

#include "core/autodiff/joint_graph.h"
#include "core/base/tick.h"
#include "core/fusion/fuse.h"
#include "core/lower/lower.h"
#include "core/pipeline/runner.h"
#include "core/runtime/cuda.h"

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

ir::Device deviceOf(const ir::Graph& graph) {
    for (ir::NodeId id : graph.order())
        if (graph.node(id).type().device.isCuda()) return graph.node(id).type().device;
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

base::Result<std::vector<codegen::KernelSource>> emit(const kernel::KernelProgram& program,
                                                      ir::Device device, const Options& options,
                                                      int multiprocessors) {
    std::vector<codegen::KernelSource> sources;
    for (const kernel::Kernel& kernel : program.kernels) {
        if (!kernel.loops)
            sources.emplace_back();
        else if (device.isCuda())
            sources.push_back(codegen::emitCuda(program, kernel, multiprocessors));
        else
            sources.push_back(codegen::emitCpp(program, kernel, options.threads));
    }
    return sources;
}

std::string kernelProgress(const std::string& graphName, size_t done, size_t all) {
    return fmt::format("{}: compiled {} of {} kernels", graphName, done, all);
}

base::Result<std::vector<runtime::CompiledKernel>>
compileCpu(const kernel::KernelProgram& program, const std::vector<codegen::KernelSource>& sources,
           Toolchain& toolchain, const std::string& graphName, const Options& how) {
    std::vector<std::pair<std::string, std::string>> texts;
    for (size_t i = 0; i < sources.size(); ++i)
        if (program.kernels[i].loops) texts.emplace_back(program.kernels[i].name, sources[i].text);
    jit::CpuCompileOptions options;
    options.cacheFolder = toolchain.cacheFolder();
    options.cancel = how.cancel;
    if (how.progress)
        options.progress = [&](size_t done, size_t all) {
            how.progress(kernelProgress(graphName, done, all), double(done) / double(all));
        };
    auto modules = toolchain.cpu().compileAll(texts, options);
    std::vector<runtime::CompiledKernel> kernels(sources.size());
    size_t next = 0;
    for (size_t i = 0; i < sources.size(); ++i) {
        kernels[i].source = sources[i];
        if (!program.kernels[i].loops) continue;
        CUTAWAY_TRY(kernels[i].module, std::move(modules[next++]));
    }
    return kernels;
}

base::Result<std::vector<runtime::CompiledKernel>>
compileCuda(const kernel::KernelProgram& program, const std::vector<codegen::KernelSource>& sources,
            Toolchain& toolchain, const std::string& architecture, const std::string& graphName,
            const Options& how) {
    CUTAWAY_TRY(jit::CudaCompiler * compiler, toolchain.cuda());
    std::vector<runtime::CompiledKernel> kernels(sources.size());
    for (size_t i = 0; i < sources.size(); ++i) {
        kernels[i].source = sources[i];
        if (!program.kernels[i].loops) continue;
        if (how.cancel.cancelled()) return base::userError({}, "cancelled");
        if (how.progress)
            how.progress(kernelProgress(graphName, i, sources.size()),
                         double(i) / double(sources.size()));
        CUTAWAY_TRY(jit::CudaBinary binary,
                    compiler->compile(program.kernels[i].name, sources[i].text, architecture,
                                      toolchain.cacheFolder(), how.cancel));
        kernels[i].cubin = std::move(binary.cubin);
    }
    return kernels;
}

int lineCount(std::string_view text) {
    return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

/// Both texts of every kernel are recorded; the one of the other device is for looking at.
void recordCode(EntryRecorder& recorder, const std::string& graphName,
                const kernel::KernelProgram& program,
                const std::vector<codegen::KernelSource>& sources, ir::Device device,
                const Options& options, int multiprocessors) {
    for (size_t i = 0; i < program.kernels.size(); ++i) {
        const kernel::Kernel& kernel = program.kernels[i];
        if (!kernel.loops) continue;
        codegen::KernelSource other = device.isCuda()
                                          ? codegen::emitCpp(program, kernel, options.threads)
                                          : codegen::emitCuda(program, kernel, multiprocessors);
        const codegen::KernelSource& cpp = device.isCuda() ? other : sources[i];
        recorder.addCode(graphName, i, "cpp", cpp, cpp.preludeLines);
        recorder.addCode(graphName, i, "cuda", device.isCuda() ? sources[i] : other,
                         lineCount(codegen::cudaPrelude()));
    }
}

/// What \p work gives, or the user error "cancelled" as soon as the token says so.
template <typename Work>
std::invoke_result_t<Work> cancellable(const base::CancelToken& token, const Work& work) {
    base::CancelScope scope(token);
    try {
        return work();
    } catch (const base::Cancelled&) {
        return base::userError({}, "cancelled");
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
    // Without a device, CUDA text is shown as for an H100 or H200.
    std::string architecture = "sm_90";
    int multiprocessors = 132;
    if (device.isCuda()) {
        CUTAWAY_TRY(runtime::CudaDeviceInfo info, runtime::cudaDevice(device.index));
        multiprocessors = info.multiprocessors;
        architecture = info.architecture;
    }

    CompiledUnit unit;
    auto program = std::make_shared<kernel::KernelProgram>();
    try {
        StageClock clock(options, recorder, graph.graphName + ": lower, fuse, plan");
        ir::Graph working = beginStage(graph);
        CUTAWAY_CHECK(runPasses(PassPoint::Lowering, working, options, passRuns(recorder)));
        CUTAWAY_TRY(kernel::LoopProgram loops, lower::lowerGraph(working));
        mapOrigins(loops, working);
        *program = fusion::fuse(std::move(loops), fusionOptions);
        unit.plan = memory::planMemory(*program);
        CUTAWAY_TRY(unit.sources, emit(*program, device, options, multiprocessors));
    } catch (const std::exception& error) {
        return base::bugError(fmt::format("compiling graph {}: {}", graph.graphName, error.what()));
    }
    unit.program = program;
    if (recorder) {
        StageClock clock(options, recorder, graph.graphName + ": record");
        recorder->addLowered(graph.graphName, *program, unit.plan);
        recordCode(*recorder, graph.graphName, *program, unit.sources, device, options,
                   multiprocessors);
    }
    if (options.cancel.cancelled()) return base::userError({}, "cancelled");

    StageClock clock(options, recorder, graph.graphName + ": compile");
    auto kernels =
        device.isCuda()
            ? compileCuda(*program, unit.sources, toolchain, architecture, graph.graphName, options)
            : compileCpu(*program, unit.sources, toolchain, graph.graphName, options);
    if (!kernels) return kernels.error();
    CUTAWAY_TRY(unit.executable, runtime::makeExecutable(program, unit.plan, std::move(*kernels)));
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
