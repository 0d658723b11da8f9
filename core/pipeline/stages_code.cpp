// SPDX-License-Identifier: Apache-2.0
#include "core/base/said.h"
#include "core/codegen/verify_scopes.h"
#include "core/fusion/fuse.h"
#include "core/kernel/sized.h"
#include "core/kernel/verify.h"
#include "core/lower/lower.h"
#include "core/pipeline/pass_runner.h"
#include "core/pipeline/stages.h"
#include "core/schedule/verify.h"

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
    CUTAWAY_CHECK(runPasses(PassPoint::Lowering, working, context.options, context.passRuns()));
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
    if (options.wishes) how.wishes = &options.wishes->fusions;
    context.program =
        std::make_shared<kernel::KernelProgram>(fusion::fuse(std::move(context.loops), how));
    context.result.program = context.program;
    return {};
}

/// Takes the candidates that were asked for. "*" skips kernels that cannot be run so, and library
/// calls: not every provider is worth waiting for.
static base::Status forceWishes(StageContext& context) {
    if (!context.options.wishes) return {};
    const kernel::KernelProgram& program = *context.program;
    for (ScheduleWish& wish : context.options.wishes->schedules)
        for (size_t i = 0; i < program.kernels.size(); ++i) {
            const kernel::Kernel& kernel = program.kernels[i];
            const bool every = wish.kernel == "*";
            if (every && kernel.call) continue;
            if (!every && wish.kernel != kernel.name &&
                wish.kernel != program.loops.name + "/" + kernel.name)
                continue;
            base::Status status = schedule::force(context.schedules[i], program, kernel,
                                                  context.device.model, wish.wanted);
            if (!status && !every) return status;
            wish.met |= status.ok();
            if (!status) wish.problem = status.error().message;
        }
    return {};
}

/// Loops keep their symbols, library calls are judged at the sizes of the captured call.
static std::vector<schedule::Schedule> schedulesFor(const runtime::Target& target,
                                                    const runtime::TargetDevice& device,
                                                    const kernel::KernelProgram& program) {
    std::vector<schedule::Schedule> schedules;
    schedules.reserve(program.kernels.size());
    kernel::SizedProgram sized(program);
    const kernel::KernelProgram& numbers = sized.at(kernel::hintsOf(program.loops));
    for (size_t i = 0; i < program.kernels.size(); ++i) {
        const kernel::KernelProgram& of = program.kernels[i].call ? numbers : program;
        schedules.push_back(target.schedule(of, of.kernels[i], device));
    }
    return schedules;
}

/// Every kernel that has code must have a way to run.
static base::Status checkTaken(const StageContext& context) {
    for (size_t i = 0; i < context.schedules.size(); ++i) {
        const kernel::Kernel& kernel = context.program->kernels[i];
        if (!kernel.hasCode() || context.schedules[i].taken >= 0) continue;
        std::string problem = fmt::format("nothing can run kernel {}", kernel.name);
        for (const schedule::Candidate& candidate : context.schedules[i].considered)
            problem += fmt::format("; {}: {}", candidate.str(), candidate.refused);
        return base::bugError(std::move(problem));
    }
    return {};
}

base::Status runSchedule(StageContext& context) {
    context.schedules = schedulesFor(*context.target, context.device, *context.program);
    CUTAWAY_CHECK(checkTaken(context));
    CUTAWAY_CHECK(forceWishes(context));
    if (!context.recorder) return {};
    for (const runtime::TargetRow& row : runtime::targetTable()) {
        const runtime::Target& target = context.toolchain->target(row.kind);
        if (&target != context.target)
            context.shownSchedules[row.kind] = schedulesFor(
                target, target.exampleDevice(context.options.limits()), *context.program);
    }
    return {};
}

base::Status runPlan(StageContext& context) {
    memory::MemoryPlan& plan = context.result.plan;
    plan = memory::planMemory(*context.program);
    for (size_t i = 0; i < context.schedules.size(); ++i) {
        if (!context.program->kernels[i].call || context.schedules[i].taken < 0) continue;
        const schedule::Candidate& taken = context.schedules[i].chosen();
        if (taken.workspace > 0)
            plan.workspaces.push_back({static_cast<int>(i), taken.workspace, taken.by});
    }
    return {};
}

base::Status runEmit(StageContext& context) {
    context.code = emitKernels(*context.program, context.schedules, *context.target);
    return {};
}

base::Status runCompile(StageContext& context) {
    CUTAWAY_TRY(context.binaries, compileKernels(context.code, *context.target, context.device,
                                                 context.toolchain->cacheFolder(),
                                                 context.graphName(), context.options));
    for (size_t i = 0; i < context.binaries.size(); ++i)
        if (context.program->kernels[i].call && context.schedules[i].forced)
            context.binaries[i].provider = context.schedules[i].chosen().by;
    context.result.sources = std::move(context.code.shown);
    return {};
}

base::Status runLoad(StageContext& context) {
    CUTAWAY_TRY(
        context.result.executable,
        context.target->load(context.program, context.result.plan, std::move(context.binaries)));
    if (context.options.replaysLaunches()) context.result.executable->replayLaunches();
    return {};
}

std::optional<std::string> verifyLoops(const StageContext& context) {
    return kernel::verify(context.loops);
}

std::optional<std::string> verifyKernels(const StageContext& context) {
    return kernel::verify(*context.program);
}

std::optional<std::string> verifySchedules(const StageContext& context) {
    for (size_t i = 0; i < context.schedules.size(); ++i)
        if (auto broken = schedule::verify(*context.program, context.program->kernels[i],
                                           context.schedules[i], context.device.model))
            return broken;
    return std::nullopt;
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
        if (context.program->kernels[i].hasCode() && !binary.module && binary.cubin.empty())
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

/// Those for every target; of others than the graph's own they are for looking at.
void recordSchedules(EntryRecorder& recorder, const StageContext& context) {
    for (const runtime::TargetRow& row : runtime::targetTable()) {
        const bool own = row.kind == context.device.model.kind;
        recorder.addSchedules(context.program->loops.name, row.kind,
                              own ? context.schedules : context.shownSchedules.at(row.kind), own);
    }
}

void recordMemory(EntryRecorder& recorder, const StageContext& context) {
    recorder.addMemory(*context.program, context.result.plan);
}

/// The texts of every target are recorded; those of others are for looking at.
void recordSources(EntryRecorder& recorder, const StageContext& context) {
    const kernel::KernelProgram& program = *context.program;
    for (size_t i = 0; i < program.kernels.size(); ++i) {
        const kernel::Kernel& kernel = program.kernels[i];
        if (!kernel.hasCode()) continue;
        recorder.addCode(program.loops.name, i, *context.target, context.code.shown[i], true);
        for (const auto& [kind, schedules] : context.shownSchedules) {
            const runtime::Target& target = context.toolchain->target(kind);
            if (schedules[i].taken >= 0)
                recorder.addCode(program.loops.name, i, target,
                                 target.emit(program, kernel, schedules[i].chosen()), false);
        }
        if (const size_t same = context.code.sameAs[i]; same != i)
            recorder.addReason(
                program.loops.name, i,
                base::said("same code as {}: compiled once", program.kernels[same].name));
    }
}

} // namespace cutaway::pipeline
