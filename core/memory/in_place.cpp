// SPDX-License-Identifier: Apache-2.0
#include "core/memory/in_place.h"

#include <algorithm>

namespace cutaway::memory {

using kernel::BufferId;
using kernel::LoopTree;
using kernel::Step;
using kernel::StepId;

namespace {

/// The statements of a tree that is one nest of loops with independent iterations; none of another.
std::vector<StepId> innermost(const LoopTree& tree) {
    const std::vector<StepId>* level = &tree.root;
    while (level->size() == 1 && tree.step(level->front()).kind == Step::Kind::Loop) {
        const Step& loop = tree.step(level->front());
        if (loop.axisKind != kernel::AxisKind::Space) return {};
        level = &loop.body;
    }
    for (StepId id : *level) {
        const Step& step = tree.step(id);
        const bool alone =
            step.kind == Step::Kind::Let ||
            (step.kind == Step::Kind::Store && step.store == kernel::StoreKind::Assign);
        if (!alone) return {};
    }
    return *level;
}

bool lieAlike(const kernel::Buffer& a, const kernel::Buffer& b) {
    return ir::sizeBytes(a.dtype) == ir::sizeBytes(b.dtype) && a.sizes == b.sizes &&
           a.strides == b.strides;
}

} // namespace

bool mayReplace(const kernel::KernelProgram& program, const kernel::Kernel& kernel, BufferId read,
                BufferId written) {
    if (!kernel.tree || kernel.device.isCuda()) return false;
    if (!lieAlike(program.loops.buffer(read), program.loops.buffer(written))) return false;
    const std::vector<StepId> statements = innermost(*kernel.tree);
    const auto stores = [&](StepId id) { return kernel.tree->step(id).target == written; };
    const auto store = std::ranges::find_if(statements, stores);
    if (store == statements.end()) return false;
    const std::vector<kernel::Coord>& place = kernel.tree->step(*store).coords;
    const auto computed = [](const kernel::Coord& c) { return c.indirect.valid(); };
    if (std::ranges::any_of(place, computed)) return false;
    bool fits = true;
    for (auto at = statements.begin(); at != statements.end(); ++at)
        program.loops.pool.visit(kernel.tree->step(*at).value,
                                 [&](kernel::ExprId, const kernel::Expr& e) {
                                     if (e.kind == kernel::ExprKind::Load && e.buffer == read)
                                         fits = fits && at <= store && e.coords == place;
                                 });
    return fits && std::count_if(statements.begin(), statements.end(), stores) == 1;
}

} // namespace cutaway::memory
