// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/loop_tree.h"

#include <algorithm>
#include <set>

namespace cutaway::kernel {

AxisId LoopTree::addAxis(ir::Var variable, ir::Sym extent) {
    axes.push_back({variable, std::move(extent)});
    return AxisId(static_cast<uint32_t>(axes.size() - 1));
}

LocalId LoopTree::addLocal(TreeLocal local) {
    locals.push_back(std::move(local));
    return LocalId(static_cast<uint32_t>(locals.size() - 1));
}

StepId LoopTree::add(Step step) {
    steps.push_back(std::move(step));
    return StepId(static_cast<uint32_t>(steps.size() - 1));
}

namespace {

using Visitor = std::function<void(const Step&, const std::vector<StepId>&)>;

void visitBelow(const LoopTree& tree, const std::vector<StepId>& steps, std::vector<StepId>& open,
                const Visitor& visitor) {
    for (StepId id : steps) {
        const Step& step = tree.step(id);
        visitor(step, open);
        if (step.kind != Step::Kind::Loop) continue;
        open.push_back(id);
        visitBelow(tree, step.body, open, visitor);
        open.pop_back();
    }
}

bool contains(const std::vector<AxisId>& axes, AxisId axis) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

/// Iterations over \p variable never meet: one coordinate of the target is the variable itself.
bool apart(const Step& store, ir::Var variable) {
    return std::any_of(store.coords.begin(), store.coords.end(), [&](const Coord& coord) {
        return !coord.indirect.valid() && coord.index.asVar() == variable;
    });
}

} // namespace

void visitSteps(const LoopTree& tree, const std::vector<StepId>& steps, const Visitor& visitor) {
    std::vector<StepId> open;
    visitBelow(tree, steps, open, visitor);
}

AxisKind kindOf(const LoopProgram& program, const LoopTree& tree, StepId loop) {
    const Step& self = tree.step(loop);
    std::set<LocalId> started, updated, read;
    bool meets = false, scans = false;
    visitSteps(tree, self.body, [&](const Step& step, const std::vector<StepId>& open) {
        if (step.kind == Step::Kind::Scan)
            scans = scans || (step.axis.valid() ? step.axis == self.axis : open.empty());
        if (step.value.valid())
            program.pool.visit(step.value, [&](ExprId, const Expr& e) {
                if (e.kind == ExprKind::Local) read.insert(e.local);
            });
        if (step.kind == Step::Kind::Start) started.insert(step.locals.begin(), step.locals.end());
        if (step.kind == Step::Kind::Update)
            for (LocalId local : step.locals)
                if (!started.contains(local) && !contains(tree.local(local).axes, self.axis))
                    updated.insert(local);
        if (step.kind == Step::Kind::Store && step.store == StoreKind::Accumulate)
            meets = meets || !apart(step, tree.axis(self.axis).variable);
    });
    if (scans) return AxisKind::Scan;
    for (LocalId local : updated)
        if (read.contains(local)) return AxisKind::Scan;
    return updated.empty() && !meets ? AxisKind::Space : AxisKind::Reduce;
}

std::vector<ir::Var> sizeSymbols(const LoopProgram& program, const LoopTree& tree) {
    std::set<ir::Var> symbols;
    auto add = [&](const ir::Sym& sym) {
        for (ir::Var v : sym.variables())
            if (v.kind == 's') symbols.insert(v);
    };
    auto addLayout = [&](const Buffer& buffer) {
        for (const ir::Sym& stride : buffer.strides)
            add(stride);
    };
    auto addCoords = [&](BufferId buffer, const std::vector<Coord>& coords) {
        addLayout(program.buffer(buffer));
        for (size_t k = 0; k < coords.size(); ++k) {
            add(coords[k].index);
            if (coords[k].indirect.valid()) add(program.buffer(buffer).sizes[k]);
        }
    };
    visitSteps(tree, tree.root, [&](const Step& step, const std::vector<StepId>&) {
        if (step.kind == Step::Kind::Loop) return add(tree.axis(step.axis).extent);
        if (step.kind == Step::Kind::Store) addCoords(step.target, step.coords);
        auto look = [&](ExprId id) {
            program.pool.visit(id, [&](ExprId, const Expr& e) {
                add(e.index);
                if (e.kind == ExprKind::Load) addCoords(e.buffer, e.coords);
                if (e.kind == ExprKind::Check) add(program.check(e.check).size);
            });
        };
        add(step.position);
        if (step.value.valid()) look(step.value);
        for (const Coord& coord : step.coords)
            if (coord.indirect.valid()) look(coord.indirect);
    });
    return {symbols.begin(), symbols.end()};
}

void complete(const LoopProgram& program, LoopTree& tree) {
    for (uint32_t i = 0; i < tree.steps.size(); ++i)
        if (tree.steps[i].kind == Step::Kind::Loop)
            tree.steps[i].axisKind = kindOf(program, tree, StepId(i));
    tree.sizeArguments = sizeSymbols(program, tree);
}

} // namespace cutaway::kernel
