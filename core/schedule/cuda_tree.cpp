// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/cuda_tree.h"

#include "core/schedule/cuda_tools.h"

#include <algorithm>

namespace cutaway::schedule {

using namespace kernel;
using Kind = Statement::Kind;

namespace {

bool reduces(const Statement& s) {
    return s.kind != Kind::Let && s.kind != Kind::Store;
}
bool acrossRows(const Statement& s) {
    return s.kind == Kind::ReduceColumn || s.kind == Kind::ReduceAll;
}

/// Rows x inner loop, with the roles that a plan gives them.
class NestTree {
public:
    NestTree(const NestFacts& facts, const CudaLoops& loops)
        : facts_(facts), nest_(facts.nest), plan_(loops.plan), tiled_(!loops.tiles.is(1)) {}

    LoopTree run() {
        declare();
        if (plan_.style == CudaPlan::Style::Serial) return serial();
        const bool linear = plan_.style == CudaPlan::Style::Linear;
        for (const Phase& phase : nest_.phases)
            start(phase, true, tree_.root);
        Steps rows = linear ? linearRows() : sharedRows();
        for (size_t d = rows_.size(); d-- > 0;)
            rows = {loop(rows_[d], rowPlaces(), std::move(rows))};
        tree_.root.insert(tree_.root.end(), rows.begin(), rows.end());
        finishing_ = true;
        for (const Phase& phase : nest_.finish)
            add(phase, static_cast<Places>(Place::Block), tree_.root);
        tree_.lanes = plan_.vector;
        complete(facts_.program, tree_);
        return std::move(tree_);
    }

private:
    using Steps = std::vector<StepId>;

    /// Threads have a place along the loops that are apart, or the places that they own, and run
    /// all other loops, in which everything is.
    LoopTree serial() {
        const OwnedLoops owned = ownedLoops(facts_);
        std::vector<Statement> all;
        for (const Phase& phase : nest_.phases)
            all.insert(all.end(), phase.statements.begin(), phase.statements.end());
        Steps steps = elements(all);
        if (plan_.owners > 0)
            for (StepId id : steps)
                if (Step& s = tree_.steps[id.index]; s.store == StoreKind::Accumulate) {
                    s.conflict = Conflict::Owner;
                    s.owned = owned.owned;
                }
        std::vector<AxisId> axes = rows_, apart;
        if (nest_.inner) axes.push_back(inner_);
        std::erase_if(axes, [&](AxisId axis) {
            const bool mine = contains(owned.apart, tree_.axis(axis).variable);
            if (mine) apart.push_back(axis);
            return mine;
        });
        const Places shared = Place::Grid | Place::Block;
        for (size_t d = axes.size(); d-- > 0;)
            steps = {loop(axes[d], plan_.owners > 0 ? shared : Places(0), std::move(steps))};
        for (size_t d = apart.size(); d-- > 0;)
            steps = {loop(apart[d], shared, std::move(steps))};
        tree_.root = std::move(steps);
        complete(facts_.program, tree_);
        return std::move(tree_);
    }

    void declare() {
        for (const LoopDim& dim : nest_.outer)
            rows_.push_back(tree_.addAxis(dim.variable, dim.size));
        // Rows are a loop of their own also where there is one: what comes after all of them
        // differs from what comes after it.
        const bool elements = std::any_of(nest_.phases.begin(), nest_.phases.end(),
                                          [](const Phase& phase) { return phase.inner; });
        if (rows_.empty() && plan_.style != CudaPlan::Style::Serial &&
            (plan_.style == CudaPlan::Style::Rows || !elements))
            rows_.push_back(tree_.addAxis(outerVar(0), ir::Sym(1)));
        if (nest_.inner) inner_ = tree_.addAxis(nest_.inner->variable, nest_.inner->size);
        for (const Local& local : nest_.locals)
            tree_.addLocal({local.name, local.dtype, {}, local.buffer});
        for (LocalId id : plan_.cachedLocals)
            tree_.locals[id.index].axes = {inner_};
        for (const Phase& phase : nest_.phases)
            for (const Statement& s : phase.statements)
                if (s.kind == Kind::ReduceColumn) tree_.locals[s.local.index].axes = {inner_};
        for (ExprId id : plan_.cachedLoads) {
            const Expr& load = facts_.pool[id];
            const std::string name = facts_.program.buffer(load.buffer).name + "_kept";
            kept_.push_back({id, tree_.addLocal({name, load.dtype, {inner_}, load.buffer})});
        }
    }

    Places rowPlaces() const {
        const bool block = plan_.style == CudaPlan::Style::Linear || plan_.ty > 1;
        return block ? Place::Grid | Place::Block : static_cast<Places>(Place::Grid);
    }
    Places innerPlaces() const {
        Places places = plan_.vector > 1 ? static_cast<Places>(Place::Vector) : Places(0);
        if (plan_.style == CudaPlan::Style::Linear) return places | (Place::Grid | Place::Block);
        if (tiled_) places |= static_cast<Places>(Place::Grid);
        return places | static_cast<Places>(plan_.tx > 32 ? Place::Block : Place::Lane);
    }

    StepId loop(AxisId axis, Places places, Steps body) {
        Step step;
        step.kind = Step::Kind::Loop;
        step.axis = axis;
        step.places = places;
        const ir::Sym& extent = tree_.axis(axis).extent;
        if (has(places, Place::Vector) && !ir::mod(extent, ir::Sym(plan_.vector)).is(0))
            step.tail = Tail::Mask;
        step.body = std::move(body);
        return tree_.add(std::move(step));
    }

    /// Nothing is shared along a row, so what is computed once a row comes first.
    Steps linearRows() {
        Steps rows, elements;
        for (const Phase& phase : nest_.phases)
            for (const Statement& s : phase.statements)
                (phase.inner ? elements : rows).push_back(tree_.add(converted(s)));
        if (!elements.empty()) rows.push_back(loop(inner_, innerPlaces(), std::move(elements)));
        return rows;
    }

    Steps sharedRows() {
        Steps rows;
        for (const Phase& phase : nest_.phases)
            add(phase, innerPlaces(), rows);
        return rows;
    }

    void add(const Phase& phase, Places places, Steps& to) {
        start(phase, false, to);
        if (!phase.inner) {
            for (const Statement& s : phase.statements)
                to.push_back(tree_.add(converted(s)));
            return;
        }
        to.push_back(loop(inner_, places, elements(phase.statements)));
    }

    /// Values of other loops that do not wait are made again just before their first use; loads
    /// that wait become values where they are first made.
    Steps elements(const std::vector<Statement>& statements) {
        Steps steps;
        std::vector<LocalId> have;
        for (const Statement& s : statements) {
            makeAgain(s.value, have, steps);
            if (s.kind == Kind::Let) have.push_back(s.local);
            append(s, steps);
        }
        return steps;
    }

    void makeAgain(ExprId value, std::vector<LocalId>& have, Steps& to) {
        std::vector<LocalId> locals;
        std::vector<ExprId> loads;
        facts_.needs(value, locals, loads);
        for (LocalId local : locals) {
            const Statement* let = facts_.definition(local);
            const auto& waits = plan_.cachedLocals;
            if (!let || contains(have, local) || (!finishing_ && contains(waits, local))) continue;
            makeAgain(let->value, have, to);
            have.push_back(local);
            append(*let, to);
        }
    }

    template <typename T> static bool contains(const std::vector<T>& in, T what) {
        return std::find(in.begin(), in.end(), what) != in.end();
    }

    void append(const Statement& s, Steps& to) {
        if (!finishing_)
            facts_.pool.visit(s.value, [&](ExprId id, const Expr& e) {
                if (e.kind != ExprKind::Load) return;
                for (Waiting& load : kept_) {
                    if (load.load != id || load.made) continue;
                    load.made = true;
                    Step let;
                    let.locals = {load.local};
                    let.value = id;
                    let.from = s.from;
                    to.push_back(tree_.add(std::move(let)));
                }
            });
        to.push_back(tree_.add(converted(s)));
    }

    void start(const Phase& phase, bool across, Steps& to) {
        for (const Statement& s : phase.statements) {
            if (!reduces(s) || (!finishing_ && acrossRows(s)) != across) continue;
            Step step;
            step.kind = Step::Kind::Start;
            step.locals = localsOf(s);
            step.reduce = s.reduce;
            step.from = s.from;
            to.push_back(tree_.add(std::move(step)));
        }
    }

    /// What a statement computes: of ArgMax and ArgMin the extreme, too.
    std::vector<LocalId> localsOf(const Statement& s) {
        if (!reduces(s) || !isArg(s.reduce)) return {s.local};
        for (const auto& [position, extreme] : extremes_)
            if (position == s.local) return {extreme, position};
        const TreeLocal& at = tree_.local(s.local);
        const LocalId extreme =
            tree_.addLocal({at.name + "_extreme", facts_.pool[s.value].dtype, at.axes, at.buffer});
        extremes_.emplace_back(s.local, extreme);
        return {extreme, s.local};
    }

    Step converted(const Statement& s) {
        Step step;
        step.value = s.value;
        step.from = s.from;
        if (s.kind == Kind::Store) {
            step.kind = Step::Kind::Store;
            step.target = s.target;
            for (const ir::Sym& coord : s.coords)
                step.coords.push_back({coord, {}});
            if (s.accumulates) {
                step.store = StoreKind::Accumulate;
                step.reduce = s.reduce;
                step.coords = s.place;
                const bool alone = plan_.style == CudaPlan::Style::Serial || isApart(s);
                if (!alone) step.conflict = Conflict::Atomic;
            }
            return step;
        }
        step.locals = localsOf(s);
        if (!reduces(s)) return step;
        step.kind = Step::Kind::Update;
        step.reduce = s.reduce;
        if (isArg(s.reduce)) step.position = position(s);
        return step;
    }

    /// No two iterations meet: every loop's variable is a coordinate.
    bool isApart(const Statement& s) const {
        auto isCoordinate = [&](const LoopDim& dim) {
            return std::any_of(s.place.begin(), s.place.end(), [&](const Coord& c) {
                return !c.indirect.valid() && c.index.asVar() == dim.variable;
            });
        };
        return std::all_of(nest_.outer.begin(), nest_.outer.end(), isCoordinate) &&
               (!nest_.inner || isCoordinate(*nest_.inner));
    }

    ir::Sym position(const Statement& s) const {
        ir::Sym row;
        for (const LoopDim& dim : nest_.outer)
            row = row * dim.size + ir::Sym(dim.variable);
        if (s.kind == Kind::ReduceColumn) return row;
        if (s.kind == Kind::ReduceRow || finishing_) return ir::Sym(innerVar());
        return nest_.inner ? row * nest_.inner->size + ir::Sym(innerVar()) : row;
    }

    /// A load that later loops read again.
    struct Waiting {
        ExprId load;
        LocalId local;
        bool made = false;
    };

    const NestFacts& facts_;
    const LoopNest& nest_;
    const CudaPlan& plan_;
    bool tiled_; ///< blocks have parts of the columns
    LoopTree tree_;
    std::vector<AxisId> rows_;
    AxisId inner_;
    std::vector<Waiting> kept_;
    std::vector<std::pair<LocalId, LocalId>> extremes_; ///< position, extreme
    bool finishing_ = false;
};

ir::Sym divideUp(const ir::Sym& a, const ir::Sym& b) {
    return ir::floorDiv(a + b - ir::Sym(1), b);
}

/// The plan's counts, made of the sizes themselves instead of their hints.
void countAtAllSizes(const NestFacts& facts, const Candidate& candidate, CudaLoops& loops) {
    const CudaPlan& plan = loops.plan;
    loops.blocks = ir::Sym(plan.blocks);
    loops.tiles = ir::Sym(plan.tiles);
    loops.splits = ir::Sym(plan.splits);
    loops.chunks = ir::Sym(plan.chunks);
    if (facts.constantSizes) return;
    ir::Sym rows(1);
    for (const LoopDim& dim : facts.nest.outer)
        rows = rows * dim.size;
    const ir::Sym inner = facts.nest.inner ? facts.nest.inner->size : ir::Sym(1);
    const ir::Sym vector(plan.vector), tx(plan.tx), ty(plan.ty);
    if (plan.style == CudaPlan::Style::Linear) {
        if (!plan.persistent)
            loops.blocks = divideUp(rows * ir::floorDiv(inner, vector),
                                    ir::Sym(int64_t{plan.threads} * plan.chunksPerThread));
        return;
    }
    if (plan.style == CudaPlan::Style::Serial) {
        ir::Sym apart(1);
        const OwnedLoops owned = ownedLoops(facts);
        auto add = [&](const LoopDim& dim) {
            if (std::find(owned.apart.begin(), owned.apart.end(), dim.variable) !=
                owned.apart.end())
                apart = apart * dim.size;
        };
        std::for_each(facts.nest.outer.begin(), facts.nest.outer.end(), add);
        if (facts.nest.inner) add(*facts.nest.inner);
        if (plan.owners == 0) loops.blocks = divideUp(apart, ir::Sym(plan.threads));
        return;
    }
    if (!candidate.decisions.has("splits")) loops.splits = divideUp(rows, ty);
    if (plan.cutsColumns)
        loops.tiles = divideUp(inner, tx * vector);
    else
        loops.chunks = divideUp(ir::floorDiv(inner, vector), tx);
    loops.blocks = loops.splits * loops.tiles;
}

} // namespace

CudaLoops cudaLoops(const KernelProgram& program, const Kernel& kernel,
                    const Candidate& candidate) {
    CudaLoops loops;
    const NestFacts facts(program, kernel);
    loops.plan = cudaPlan(facts, candidate);
    countAtAllSizes(facts, candidate, loops);
    loops.tree = NestTree(facts, loops).run();
    return loops;
}

} // namespace cutaway::schedule
