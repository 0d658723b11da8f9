// SPDX-License-Identifier: Apache-2.0
// CPU: where each loop of rows x passes runs.
#include "core/kernel/row_tree.h"
#include "core/kernel/split_loop.h"
#include "core/schedule/cpu_scatter.h"
#include "core/schedule/cpu_tools.h"

#include <algorithm>

namespace cutaway::schedule {

using namespace kernel;

namespace {

void placePass(LoopTree& tree, StepId id, const CpuPlan& plan, bool shared) {
    Step& loop = tree.steps[id.index];
    loop.places = static_cast<Places>(Place::Vector);
    if (shared) loop.places |= static_cast<Places>(Place::Threads);
    const ir::Sym& extent = tree.axis(loop.axis).extent;
    if (plan.vector > 1 && !(extent.isConst() && extent.constant() % plan.vector == 0))
        loop.tail = Tail::Mask;
}

/// The loop over the parts of rows goes around the one over \p variable, and is shared as that is.
void moveOut(LoopTree& tree, ir::Var variable) {
    const auto pieces = static_cast<uint32_t>(tree.axes.size() - 1); // as splitInner has left it
    auto loopOver = [&](auto&& wanted) {
        return StepId(static_cast<uint32_t>(std::ranges::find_if(tree.steps,
                                                                 [&](const Step& s) {
                                                                     return s.kind ==
                                                                                Step::Kind::Loop &&
                                                                            wanted(s.axis);
                                                                 }) -
                                            tree.steps.begin()));
    };
    const StepId parts = loopOver([&](AxisId axis) { return axis.index == pieces; });
    const StepId row = loopOver([&](AxisId axis) { return tree.axis(axis).variable == variable; });
    const StepId elements = tree.step(parts).body.front();
    for (Step& step : tree.steps)
        std::ranges::replace(step.body, parts, elements);
    for (Step& step : tree.steps)
        std::ranges::replace(step.body, row, parts);
    std::ranges::replace(tree.root, row, parts);
    tree.steps[parts.index].body = {row};
    tree.steps[parts.index].places = tree.step(row).places;
}

/// What is done where iterations meet; those that are sorted are not lanes.
void placeSums(LoopTree& tree, const CpuPlan& plan) {
    for (Step& step : tree.steps) {
        if (step.kind != Step::Kind::Store || step.conflict == Conflict::None) continue;
        step.conflict = plan.sums;
        if (plan.sums != Conflict::Sorted) continue;
        step.owned = computedDimension(step);
        for (StepId id : tree.root)
            if (plan.chunked && tree.step(id).kind == Step::Kind::Loop)
                tree.steps[id.index].places = static_cast<Places>(Place::Threads);
    }
}

} // namespace

CpuLoops cpuLoops(const KernelProgram& program, const Kernel& kernel, const Candidate& candidate) {
    CpuLoops loops{cpuPlan(candidate), *kernel.tree, std::nullopt};
    if (candidate.by == kCpuTree) return loops;
    if (loops.plan.loops == 1) loops.tree = kernel.rows();
    LoopTree& tree = loops.tree;
    const auto& rows = kernel.rows().axes;
    tree.lanes = loops.plan.vector;
    const bool threads = loops.plan.threads > 1;
    for (uint32_t k = 0; k < tree.steps.size(); ++k) {
        Step& step = tree.steps[k];
        if (step.kind != Step::Kind::Loop) continue;
        const Axis& axis = tree.axis(step.axis);
        if (axis.variable == innerVar())
            placePass(tree, StepId(k), loops.plan, threads && loops.plan.chunked);
        else if (threads && std::ranges::find(rows, axis) != rows.end())
            step.places = static_cast<Places>(Place::Threads);
    }
    placeSums(tree, loops.plan);
    if (loops.plan.tile > 0) {
        const RowFacts facts(program, kernel);
        const ir::Var turned = facts.form.rows[facts.turned().row].variable;
        loops.split = program.loops;
        splitInner(*loops.split, tree, loops.plan.tile);
        moveOut(tree, turned);
        complete(*loops.split, tree);
    }
    return loops;
}

} // namespace cutaway::schedule
