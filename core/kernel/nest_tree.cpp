// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/nest_tree.h"

#include "core/kernel/device_traits.h"

#include <algorithm>

namespace cutaway::kernel {

namespace {

bool acrossRows(const Statement& s) {
    return s.kind == Statement::Kind::ReduceColumn || s.kind == Statement::Kind::ReduceAll;
}
bool reduces(const Statement& s) {
    return acrossRows(s) || s.kind == Statement::Kind::ReduceRow;
}

class Converter {
public:
    Converter(const LoopProgram& program, const LoopNest& nest, const NestPlaces& places)
        : program_(program), nest_(nest), places_(places) {}

    LoopTree run() {
        for (const LoopDim& dim : nest_.outer)
            outer_.push_back(tree_.addAxis(dim.variable, dim.size));
        if (nest_.inner) inner_ = tree_.addAxis(nest_.inner->variable, nest_.inner->size);
        for (const Local& local : nest_.locals)
            tree_.addLocal({local.name, local.dtype, {}, local.buffer});
        setAxes();
        for (const Phase& phase : nest_.phases)
            start(phase, true, tree_.root);
        std::vector<StepId> rows;
        const bool split = isSplit();
        for (const Phase& phase : nest_.phases) {
            start(phase, false, rows);
            add(phase, rows, places_.threads && split);
        }
        append(tree_.root, wrapped(std::move(rows)));
        for (const Phase& phase : nest_.finish)
            add(phase, tree_.root);
        tree_.lanes = std::max(places_.lanes, 1);
        complete(program_, tree_);
        return std::move(tree_);
    }

private:
    /// Without rows the threads share one long inner loop, unless it is a row or has columns.
    bool isSplit() const {
        if (!nest_.outer.empty() || nest_.phases.size() != 1 || !nest_.phases.front().inner)
            return false;
        const auto& statements = nest_.phases.front().statements;
        return std::all_of(statements.begin(), statements.end(), [](const Statement& s) {
            return s.kind != Statement::Kind::ReduceRow && s.kind != Statement::Kind::ReduceColumn;
        });
    }

    void setAxes() {
        const auto innerFinish = std::count_if(nest_.finish.begin(), nest_.finish.end(),
                                               [](const Phase& phase) { return phase.inner; });
        for (size_t i = 0; i < nest_.locals.size(); ++i) {
            const Local& local = nest_.locals[i];
            if (local.kept || (local.level == Level::Column && innerFinish > 1))
                tree_.locals[i].axes = {inner_};
        }
        for (const Phase& phase : nest_.phases)
            for (const Statement& s : phase.statements) {
                if (s.kind == Statement::Kind::ReduceColumn)
                    tree_.locals[s.local.index].axes = {inner_};
                if (reduces(s) && isArg(s.reduce)) extremes_.emplace_back(s.local, LocalId());
            }
    }

    static void append(std::vector<StepId>& to, const std::vector<StepId>& steps) {
        to.insert(to.end(), steps.begin(), steps.end());
    }

    /// Steps inside the rows' loops.
    std::vector<StepId> wrapped(std::vector<StepId> steps) {
        for (auto axis = outer_.rbegin(); axis != outer_.rend(); ++axis) {
            Step loop;
            loop.kind = Step::Kind::Loop;
            loop.axis = *axis;
            if (places_.threads) loop.places = static_cast<Places>(Place::Threads);
            loop.body = std::move(steps);
            steps = {tree_.add(std::move(loop))};
        }
        return steps;
    }

    /// The locals that a statement computes: of ArgMax and ArgMin the extreme, too.
    std::vector<LocalId> localsOf(const Statement& s, ir::DType extreme) {
        if (!reduces(s) || !isArg(s.reduce)) return {s.local};
        for (auto& [position, value] : extremes_) {
            if (position != s.local) continue;
            if (!value.valid()) {
                const TreeLocal& local = tree_.local(position);
                value =
                    tree_.addLocal({local.name + "_extreme", extreme, local.axes, local.buffer});
            }
            return {value, position};
        }
        return {s.local};
    }

    void start(const Phase& phase, bool across, std::vector<StepId>& to) {
        for (const Statement& s : phase.statements) {
            if (!reduces(s) || acrossRows(s) != across) continue;
            Step step;
            step.kind = Step::Kind::Start;
            step.locals = localsOf(s, program_.pool[s.value].dtype);
            step.reduce = s.reduce;
            step.from = s.from;
            to.push_back(tree_.add(std::move(step)));
        }
    }

    void add(const Phase& phase, std::vector<StepId>& to, bool shared = false) {
        std::vector<StepId> steps;
        for (const Statement& s : phase.statements)
            steps.push_back(tree_.add(converted(s)));
        if (!phase.inner) return append(to, steps);
        Step loop;
        loop.kind = Step::Kind::Loop;
        loop.axis = inner_;
        loop.body = std::move(steps);
        if (places_.lanes > 0) loop.places |= static_cast<Places>(Place::Vector);
        if (shared) loop.places |= static_cast<Places>(Place::Threads);
        const ir::Sym& extent = nest_.inner->size;
        if (places_.lanes > 1 && !(extent.isConst() && extent.constant() % places_.lanes == 0))
            loop.tail = Tail::Mask;
        to.push_back(tree_.add(std::move(loop)));
    }

    Step converted(const Statement& s) {
        Step step;
        step.kind = Step::Kind::Let;
        step.value = s.value;
        step.from = s.from;
        if (s.kind == Statement::Kind::Store) {
            step.kind = Step::Kind::Store;
            step.target = s.target;
            for (const ir::Sym& coord : s.coords)
                step.coords.push_back({coord, {}});
            if (s.accumulates) setConflict(s, step);
            return step;
        }
        step.locals = localsOf(s, program_.pool[s.value].dtype);
        if (!reduces(s)) return step;
        step.kind = Step::Kind::Update;
        step.reduce = s.reduce;
        if (isArg(s.reduce)) step.position = ir::Sym(innerVar());
        return step;
    }

    /// Without atomics every thread owns a part of the target, unless rows never meet: of the
    /// innermost variable (each thread has some lanes), else of the first computed coordinate.
    void setConflict(const Statement& s, Step& step) const {
        step.store = StoreKind::Accumulate;
        step.reduce = s.reduce;
        step.coords = s.place;
        auto dimensionOf = [&](ir::Var v) {
            for (size_t k = 0; k < s.place.size(); ++k)
                if (!s.place[k].indirect.valid() && s.place[k].index.asVar() == v)
                    return static_cast<int>(k);
            return -1;
        };
        bool apart = !nest_.outer.empty() || dimensionOf(innerVar()) >= 0;
        for (const LoopDim& dim : nest_.outer)
            apart = apart && dimensionOf(dim.variable) >= 0;
        if (apart || s.place.empty()) return;
        step.conflict = Conflict::Owner;
        step.owned = std::max(dimensionOf(innerVar()), 0);
        if (dimensionOf(innerVar()) >= 0) return;
        for (size_t k = s.place.size(); k-- > 0;)
            if (s.place[k].indirect.valid()) step.owned = static_cast<int>(k);
    }

    const LoopProgram& program_;
    const LoopNest& nest_;
    NestPlaces places_;
    LoopTree tree_;
    std::vector<AxisId> outer_;
    AxisId inner_;
    std::vector<std::pair<LocalId, LocalId>> extremes_; ///< position, extreme
};

} // namespace

LoopTree treeOf(const LoopProgram& program, const LoopNest& nest, const NestPlaces& places) {
    return Converter(program, nest, places).run();
}

LoopTree treeOf(const LoopProgram& program, const Kernel& kernel) {
    if (kernel.tree) return *kernel.tree;
    LoopTree tree = treeOf(program, *kernel.loops);
    for (Step& step : tree.steps)
        if (step.conflict == Conflict::Owner) step.conflict = traitsOf(kernel.device).sumsAtPlaces;
    return tree;
}

} // namespace cutaway::kernel
