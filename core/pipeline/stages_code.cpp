// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/verify_scopes.h"
#include "core/fusion/fuse.h"
#include "core/kernel/verify.h"
#include "core/lower/lower.h"
#include "core/pipeline/pass_runner.h"
#include "core/pipeline/stages.h"

#include <algorithm>
#include <fmt/format.h>

namespace cutaway::pipeline {

/// Buffers refer to nodes of \p working, whose nodes refer to the graph that is shown.
static void mapOrigins(kernel::LoopProgram& loops, const ir::Graph& working) {
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

base::Status runLower(StageContext& context) {
    ir::Graph working = beginStage(*context.graph);
    CUTAWAY_CHECK(
        runPasses(PassPoint::Lowering, working, context.options, context.passRuns()));
    CUTAWAY_TRY(context.loops, lower::lowerGraph(working));
    mapOrigins(context.loops, working);
    return {};
}

base::Status runFuse(StageContext& context) {
    const Options& options = context.options;
    fusion::FusionOptions how;
    how.fuse = options.strategy.fuse;
    auto epilogues = options.settings.find("epilogue_fusion");
    how.epilogues = epilogues == options.settings.end() || epilogues->second == "True";
    how.threads = options.threads;
    how.vectorBytes =
        options.vectorBytes > 0 ? options.vectorBytes : context.toolchain->host().vectorBytes;
    context.program = std::make_shared<kernel::KernelProgram>(
        fusion::fuse(std::move(context.loops), how));
    context.result.program = context.program;
    return {};
}

base::Status runPlan(StageContext& context) {
    context.result.plan = memory::planMemory(*context.program);
    return {};
}

base::Status runEmit(StageContext& context) {
    context.code = emitKernels(*context.program, *context.target, context.device);
    return {};
}

base::Status runCompile(StageContext& context) {
    CUTAWAY_TRY(context.binaries,
                compileKernels(context.code, *context.target, context.device,
                               context.toolchain->cacheFolder(), context.graphName(),
                               context.options));
    context.result.sources = std::move(context.code.shown);
    return {};
}

base::Status runLoad(StageContext& context) {
    CUTAWAY_TRY(context.result.executable,
                context.target->load(context.program, context.result.plan,
                                     std::move(context.binaries)));
    return {};
}

std::optional<std::string> verifyLoops(const StageContext& context) {
    return kernel::verify(context.loops);
}

std::optional<std::string> verifyKernels(const StageContext& context) {
    return kernel::verify(*context.program);
}

std::optional<std::string> verifyMemory(const StageContext& context) {
    return memory::verify(context.result.plan, *context.program);
}

std::optional<std::string> verifySources(const StageContext& context) {
    for (const codegen::KernelSource& source : context.code.shown)
        if (auto problem = codegen::verifyScopes(source))
            return fmt::format("kernel {}: {}", source.entry, *problem);
    return std::nullopt;
}

std::optional<std::string> verifyBinaries(const StageContext& context) {
    for (size_t i = 0; i < context.binaries.size(); ++i) {
        const runtime::CompiledKernel& binary = context.binaries[i];
        if (context.program->kernels[i].loops && !binary.module && binary.cubin.empty())
            return fmt::format("kernel {} has no code", context.program->kernels[i].name);
    }
    return std::nullopt;
}

void recordLoops(EntryRecorder& recorder, const StageContext& context) {
    recorder.addLoops(context.loops);
}

void recordKernels(EntryRecorder& recorder, const StageContext& context) {
    recorder.addKernels(*context.program);
}

void recordMemory(EntryRecorder& recorder, const StageContext& context) {
    recorder.addMemory(*context.program, context.result.plan);
}

/// The texts of every target are recorded; those of others are for looking at.
void recordSources(EntryRecorder& recorder, const StageContext& context) {
    const kernel::KernelProgram& program = *context.program;
    for (size_t i = 0; i < program.kernels.size(); ++i) {
        if (!program.kernels[i].loops) continue;
        for (const auto& target : context.toolchain->targets()) {
            const bool own = target.get() == context.target;
            recorder.addCode(program.loops.name, i, *target,
                             own ? context.code.shown[i]
                                 : target->emit(program, program.kernels[i],
                                                target->exampleDevice(context.options.threads)),
                             own);
        }
        if (const size_t same = context.code.sameAs[i]; same != i)
            recorder.addReason(program.loops.name, i,
                               fmt::format("same code as {}: compiled once",
                                           program.kernels[same].name));
    }
}

} // namespace cutaway::pipeline
