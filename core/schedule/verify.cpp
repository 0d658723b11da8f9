// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/verify.h"

#include "core/kernel/verify.h"
#include "core/schedule/cpu_plan.h"
#include "core/schedule/cuda_tools.h"
#include "core/schedule/cuda_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace cutaway::schedule {

using namespace kernel;
using Problem = std::optional<std::string>;

namespace {

constexpr int64_t kMostThreads = 1024;  ///< of a block
constexpr int64_t kMostRegisters = 255; ///< of a thread
constexpr int64_t kMostLanes = 64;

/// Loops and statements of a tree as a device runs it.
class LoopsVerifier {
public:
    LoopsVerifier(const LoopProgram& program, const LoopTree& tree, ir::Device::Kind device)
        : program_(program), tree_(tree), device_(device) {}

    Problem run() {
        visitSteps(tree_, tree_.root, [&](const Step& step, const std::vector<StepId>& open) {
            if (problem_) return;
            problem_ = step.kind == Step::Kind::Loop ? checkLoop(step, open) : Problem();
            if (!problem_ && step.kind == Step::Kind::Store) problem_ = checkStore(step, open);
        });
        return problem_;
    }

private:
    std::string nameOf(const Step& loop) const { return tree_.axis(loop.axis).variable.str(); }

    Problem checkLoop(const Step& loop, const std::vector<StepId>& open) const {
        const bool cpu = device_ == ir::Device::Kind::Cpu;
        const Places known =
            cpu ? static_cast<Places>(Place::Threads) | (Place::Vector | Place::Unroll)
                : static_cast<Places>(Place::Lane) | (Place::Grid | Place::Block) |
                      (Place::Vector | Place::Unroll);
        if ((loop.places & ~known) != 0)
            return fmt::format("the loop over {} runs where a {} has no place for it", nameOf(loop),
                               cpu ? "processor" : "GPU");
        for (StepId around : open)
            if (has(tree_.step(around).places, Place::Vector))
                return fmt::format("the loop over {} is inside the lanes of {}", nameOf(loop),
                                   nameOf(tree_.step(around)));
        if (has(loop.places, Place::Lane) && has(loop.places, Place::Block))
            return fmt::format("the loop over {} is shared by a warp and by its block",
                               nameOf(loop));
        const ir::Sym& extent = tree_.axis(loop.axis).extent;
        if (has(loop.places, Place::Vector) && loop.tail == Tail::Exact &&
            !ir::mod(extent, ir::Sym(tree_.lanes)).is(0))
            return fmt::format("{} lanes do not divide the {} iterations of {}, which has no tail",
                               tree_.lanes, extent.str(), nameOf(loop));
        return std::nullopt;
    }

    /// Each iteration of a loop that is shared assigns elements of its own.
    Problem checkStore(const Step& store, const std::vector<StepId>& open) const {
        if (store.store != StoreKind::Assign) return std::nullopt;
        const bool computed = std::ranges::any_of(
            store.coords, [](const Coord& coord) { return coord.indirect.valid(); });
        if (computed) return std::nullopt;
        for (StepId id : open) {
            const Step& loop = tree_.step(id);
            const Axis& axis = tree_.axis(loop.axis);
            if ((loop.places & ~static_cast<Places>(Place::Unroll)) == 0 || axis.extent.is(1))
                continue;
            const bool apart = std::ranges::any_of(store.coords, [&](const Coord& coord) {
                return coord.index.dependsOn(axis.variable);
            });
            if (!apart)
                return fmt::format("iterations of {} are shared, and all of them assign {}",
                                   nameOf(loop), program_.buffer(store.target).name);
        }
        return std::nullopt;
    }

    const LoopProgram& program_;
    const LoopTree& tree_;
    ir::Device::Kind device_;
    Problem problem_;
};

/// How often each buffer is stored.
std::map<BufferId, int> storesOf(const LoopTree& tree) {
    std::map<BufferId, int> stores;
    visitSteps(tree, tree.root, [&](const Step& step, const std::vector<StepId>&) {
        if (step.kind == Step::Kind::Store) ++stores[step.target];
    });
    return stores;
}

Problem checkTemplate(const RowFacts& facts, const Candidate& taken, const DeviceModel& model) {
    const Template* row = findTemplate(model.kind, taken.by);
    if (!row) return fmt::format("there is no template '{}'", taken.by);
    if (std::string refused = row->refuse(facts); !refused.empty())
        return fmt::format("template '{}' does not fit: {}", taken.by, refused);
    for (const Decision& decision : taken.decisions.all())
        if (std::ranges::find(row->decisions, decision.what) == row->decisions.end())
            return fmt::format("template '{}' does not decide '{}'", taken.by, decision.what);
    if (std::string refused = row->check(facts, model, taken.decisions); !refused.empty())
        return fmt::format("'{}' cannot run: {}", taken.str(), refused);
    if (model.deterministic && facts.orderCounts && row->addsInAnyOrder)
        return fmt::format("'{}' adds in any order where the same bits are wanted", taken.str());
    return std::nullopt;
}

Problem checkTaken(const Schedule& schedule) {
    const auto count = static_cast<int>(schedule.considered.size());
    const auto can = [](const Candidate& candidate) { return candidate.refused.empty(); };
    if (schedule.taken >= count) return "what is taken was not considered";
    if (schedule.taken < 0)
        return std::ranges::any_of(schedule.considered, can)
                   ? Problem("nothing is taken, and something can be")
                   : std::nullopt;
    const Candidate& taken = schedule.chosen();
    if (!can(taken)) return fmt::format("'{}' is taken, and was refused", taken.str());
    if (!(taken.predictedUs >= 0) || !std::isfinite(taken.predictedUs))
        return fmt::format("'{}' is predicted to take {} us", taken.str(), taken.predictedUs);
    if (schedule.forced) return std::nullopt;
    const bool timed = taken.measuredUs > 0;
    for (const Candidate& other : schedule.considered)
        if (can(other) && (timed ? isWorthChanging(other.measuredUs, taken.measuredUs)
                                 : other.predictedUs < taken.predictedUs))
            return fmt::format("'{}' is taken, and '{}' {} less", taken.str(), other.str(),
                               timed ? "took" : "is predicted to take");
    return std::nullopt;
}

} // namespace

Problem verifyLoops(const LoopProgram& program, const LoopTree& original, const LoopTree& scheduled,
                    ir::Device::Kind device) {
    if (Problem problem = kernel::verify(program, scheduled)) return problem;
    const auto wanted = storesOf(original), found = storesOf(scheduled);
    for (const auto& [target, times] : wanted)
        if (const auto at = found.find(target); at == found.end() || at->second != times)
            return program.buffer(target).name + " is not stored as often as the kernel stores it";
    if (found.size() != wanted.size()) return "something is stored that the kernel does not store";
    return LoopsVerifier(program, scheduled, device).run();
}

Problem verifyLimits(const KernelProgram& program, const Kernel& kernel, const Candidate& candidate,
                     const DeviceModel& model) {
    if (model.kind == ir::Device::Kind::Cpu) {
        const CpuPlan plan = cpuPlan(candidate);
        if (plan.vector < 1 || plan.vector > kMostLanes)
            return fmt::format("vectors of {} lanes: {} at most", plan.vector, kMostLanes);
        return plan.threads < 1 ? Problem(fmt::format("{} threads", plan.threads)) : std::nullopt;
    }
    const RowFacts facts(program, kernel);
    const CudaPlan plan = cudaPlan(facts, candidate);
    if (plan.threads < 1 || plan.threads > kMostThreads)
        return fmt::format("blocks of {} threads: {} at most", plan.threads, kMostThreads);
    if (plan.sharedBytes > model.nearBytes)
        return fmt::format("a block keeps {} bytes in shared memory: {} at most", plan.sharedBytes,
                           model.nearBytes);
    const bool kept =
        plan.style == CudaPlan::Style::Rows && plan.cache == CudaPlan::Cache::Registers;
    const int64_t words = kept ? registerWords(facts, plan.vector, plan.tx) : 0;
    if (words > kMostRegisters)
        return fmt::format("a thread keeps {} registers: {} at most", words, kMostRegisters);
    return std::nullopt;
}

Problem verify(const KernelProgram& program, const Kernel& kernel, const Schedule& schedule,
               const DeviceModel& model) {
    auto named = [&](Problem problem) {
        return problem ? Problem("kernel " + kernel.name + ": " + *problem) : std::nullopt;
    };
    if (Problem problem = checkTaken(schedule)) return named(std::move(problem));
    if (!kernel.tree || schedule.taken < 0) return std::nullopt;
    const Candidate& taken = schedule.chosen();
    if (!RowTree::of(program.loops, kernel.rows()))
        return named(verifyLoops(program.loops, *kernel.tree, *kernel.tree, model.kind));
    if (Problem problem = checkTemplate(RowFacts(program, kernel), taken, model))
        return named(std::move(problem));
    if (Problem problem = verifyLimits(program, kernel, taken, model))
        return named(std::move(problem));
    if (model.kind == ir::Device::Kind::Cpu) {
        const CpuLoops loops = cpuLoops(program, kernel, taken);
        return named(verifyLoops(loops.split ? *loops.split : program.loops, *kernel.tree,
                                 loops.tree, model.kind));
    }
    return named(verifyLoops(program.loops, *kernel.tree, cudaLoops(program, kernel, taken).tree,
                             model.kind));
}

} // namespace cutaway::schedule
