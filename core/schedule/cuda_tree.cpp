// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/cuda_tree.h"

#include "core/schedule/cuda_tools.h"

#include <algorithm>

namespace cutaway::schedule {

using namespace kernel;

namespace {

/// Rows x inner loop, with the roles that a plan gives them.
class RowsTree {
public:
    RowsTree(const RowFacts& facts, const CudaLoops& loops)
        : facts_(facts), form_(facts.form), plan_(loops.plan), tiled_(!loops.tiles.is(1)) {}

    LoopTree run() {
        declare();
        if (plan_.style == CudaPlan::Style::Serial) return serial();
        if (plan_.style == CudaPlan::Style::Sorted) return sorted();
        if (plan_.style == CudaPlan::Style::Tiles) return tiles();
        const bool linear = plan_.style == CudaPlan::Style::Linear;
        for (const RowTree::Pass& phase : form_.passes)
            start(phase, true, tree_.root);
        Steps rows = linear ? linearRows() : sharedRows();
        for (size_t d = rows_.size(); d-- > 0;)
            rows = {loop(rows_[d], rowPlaces(), std::move(rows))};
        tree_.root.insert(tree_.root.end(), rows.begin(), rows.end());
        finishing_ = true;
        for (const RowTree::Pass& phase : form_.finish)
            add(phase, static_cast<Places>(Place::Block), tree_.root);
        tree_.lanes = plan_.vector;
        complete(facts_.program, tree_);
        return std::move(tree_);
    }

private:
    using Steps = std::vector<StepId>;
    /// A load that later loops read again.
    struct Waiting {
        ExprId load;
        LocalId local;
        bool made = false;
    };

    /// Threads have a place along the loops that are apart, or the places that they own, and run
    /// all other loops, in which everything is.
    LoopTree serial() {
        const OwnedLoops owned = ownedLoops(facts_);
        std::vector<RowTree::Statement> all;
        for (const RowTree::Pass& phase : form_.passes)
            all.insert(all.end(), phase.statements.begin(), phase.statements.end());
        Steps steps = elements(all);
        if (plan_.owners > 0)
            for (StepId id : steps)
                if (Step& s = tree_.steps[id.index]; s.store == StoreKind::Accumulate) {
                    s.conflict = Conflict::Owner;
                    s.owned = owned.owned;
                }
        std::vector<AxisId> axes = rows_, apart;
        if (form_.inner) axes.push_back(inner_);
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

    /// All iterations that may meet, and in them, where a row has one place, its elements.
    LoopTree sorted() {
        std::vector<RowTree::Statement> all;
        for (const RowTree::Pass& phase : form_.passes)
            all.insert(all.end(), phase.statements.begin(), phase.statements.end());
        Steps steps = elements(all);
        for (StepId id : steps)
            if (Step& s = tree_.steps[id.index]; s.store == StoreKind::Accumulate) {
                s.conflict = Conflict::Sorted;
                s.owned = ownedLoops(facts_).owned;
            }
        const auto block = static_cast<Places>(Place::Block);
        if (form_.inner)
            steps = {
                loop(inner_, plan_.apart ? block : Place::Grid | Place::Block, std::move(steps))};
        for (size_t d = rows_.size(); d-- > 0;)
            steps = {loop(rows_[d], Place::Grid | Place::Block, std::move(steps))};
        tree_.root = std::move(steps);
        complete(facts_.program, tree_);
        return std::move(tree_);
    }

    /// What lies along the turned loop is read first and stored last, with lanes along that; all
    /// else is between the two, with lanes along the inner loop.
    LoopTree tiles() {
        const AxisId turned = rows_[plan_.turned];
        const auto lanes = static_cast<Places>(plan_.tx > 32 ? Place::Block : Place::Lane) |
                           static_cast<Places>(Place::Grid);
        auto tile = [&](AxisId across, AxisId along, Steps once, Steps steps) {
            once.push_back(loop(along, lanes, std::move(steps)));
            return loop(across, Place::Grid | Place::Block, std::move(once));
        };
        Steps reads, once, elements, writes, all;
        for (const Waiting& load : kept_)
            reads.push_back(tree_.add(kept(load, readerOf(load.load))));
        for (const RowTree::Pass& phase : form_.passes)
            for (const RowTree::Statement& s : phase.statements) {
                const Expr& value = facts_.pool[s.step->value];
                const bool last = s.op == RowOp::Store && value.kind == ExprKind::Local &&
                                  contains(plan_.cachedLocals, value.local) && isTurned(s);
                (last ? writes : phase.inner ? elements : once).push_back(tree_.add(converted(s)));
            }
        if (!reads.empty()) all.push_back(tile(inner_, turned, {}, std::move(reads)));
        all.push_back(tile(turned, inner_, std::move(once), std::move(elements)));
        if (!writes.empty()) all.push_back(tile(inner_, turned, {}, std::move(writes)));
        for (size_t d = rows_.size(); d-- > 0;)
            if (d != plan_.turned)
                all = {loop(rows_[d], static_cast<Places>(Place::Grid), std::move(all))};
        tree_.root = std::move(all);
        complete(facts_.program, tree_);
        return std::move(tree_);
    }

    BufferId readerOf(ExprId load) const {
        for (const RowTree::Pass& phase : form_.passes)
            for (const RowTree::Statement& s : phase.statements) {
                std::vector<LocalId> locals;
                std::vector<ExprId> loads;
                facts_.needs(s.step->value, locals, loads);
                if (contains(loads, load)) return s.step->from;
            }
        return {};
    }

    /// A value that is stored twice may be stored both ways.
    bool isTurned(const RowTree::Statement& s) const {
        const auto along = facts_.offset(s.step->target, s.step->coords)
                               .coefficient(form_.rows[plan_.turned].variable);
        return along && along->is(1);
    }

    void declare() {
        for (const Axis& dim : form_.rows)
            rows_.push_back(tree_.addAxis(dim.variable, dim.extent));
        // Rows are a loop of their own also where there is one: what comes after all of them
        // differs from what comes after it.
        const bool elements = std::any_of(form_.passes.begin(), form_.passes.end(),
                                          [](const RowTree::Pass& phase) { return phase.inner; });
        if (rows_.empty() && plan_.style != CudaPlan::Style::Serial &&
            (plan_.style == CudaPlan::Style::Rows || !elements))
            rows_.push_back(tree_.addAxis(outerVar(0), ir::Sym(1)));
        if (form_.inner) inner_ = tree_.addAxis(form_.inner->variable, form_.inner->extent);
        for (TreeLocal local : form_.tree->locals) {
            local.axes.clear();
            tree_.addLocal(std::move(local));
        }
        std::vector<AxisId> waiting = {inner_};
        if (plan_.style == CudaPlan::Style::Tiles)
            waiting.insert(waiting.begin(), rows_[plan_.turned]);
        for (LocalId id : plan_.cachedLocals)
            tree_.locals[id.index].axes = waiting;
        for (const RowTree::Pass& phase : form_.passes)
            for (const RowTree::Statement& s : phase.statements)
                if (s.op == RowOp::ReduceColumn)
                    for (LocalId local : s.step->locals)
                        tree_.locals[local.index].axes = {inner_};
        for (ExprId id : plan_.cachedLoads) {
            const Expr& load = facts_.pool[id];
            const std::string name = facts_.program.buffer(load.buffer).name + "_kept";
            kept_.push_back({id, tree_.addLocal({name, load.dtype, waiting, load.buffer})});
        }
    }

    Places rowPlaces() const {
        const bool block = plan_.style == CudaPlan::Style::Linear || plan_.ty > 1;
        return block ? Place::Grid | Place::Block : static_cast<Places>(Place::Grid);
    }
    Places innerPlaces() const {
        Places places = plan_.vector > 1 ? static_cast<Places>(Place::Vector) : Places(0);
        if (plan_.style == CudaPlan::Style::Linear) return places | (Place::Grid | Place::Block);
        if (tiled_ || plan_.parts > 1) places |= static_cast<Places>(Place::Grid);
        if (plan_.beside) return plan_.tx > 1 ? static_cast<Places>(Place::Block) : Places(0);
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
        for (const RowTree::Pass& phase : form_.passes)
            for (const RowTree::Statement& s : phase.statements)
                (phase.inner ? elements : rows).push_back(tree_.add(converted(s)));
        if (!elements.empty()) rows.push_back(loop(inner_, innerPlaces(), std::move(elements)));
        return rows;
    }

    Steps sharedRows() {
        Steps rows;
        for (const RowTree::Pass& phase : form_.passes)
            add(phase, innerPlaces(), rows);
        return rows;
    }

    void add(const RowTree::Pass& phase, Places places, Steps& to) {
        start(phase, false, to);
        if (!phase.inner) {
            for (const RowTree::Statement& s : phase.statements)
                to.push_back(tree_.add(converted(s)));
            return;
        }
        to.push_back(loop(inner_, places, elements(phase.statements)));
        tree_.steps[to.back().index].backwards = phase.backwards;
    }

    /// Values of other loops that do not wait are made again just before their first use; loads
    /// that wait become values where they are first made.
    Steps elements(const std::vector<RowTree::Statement>& statements) {
        Steps steps;
        std::vector<LocalId> have;
        for (const RowTree::Statement& s : statements) {
            makeAgain(s.step->value, have, steps);
            if (s.op == RowOp::Let) have.push_back(s.local);
            if (s.op == RowOp::Scan)
                have.insert(have.end(), s.step->locals.begin(), s.step->locals.end());
            append(s, steps);
        }
        return steps;
    }

    void makeAgain(ExprId value, std::vector<LocalId>& have, Steps& to) {
        std::vector<LocalId> locals;
        std::vector<ExprId> loads;
        facts_.needs(value, locals, loads);
        for (LocalId local : locals) {
            const RowTree::Statement* let = facts_.definition(local);
            const auto& waits = plan_.cachedLocals;
            if (!let || contains(have, local) || (!finishing_ && contains(waits, local))) continue;
            makeAgain(let->step->value, have, to);
            have.push_back(local);
            append(*let, to);
        }
    }

    template <typename T> static bool contains(const std::vector<T>& in, T what) {
        return std::find(in.begin(), in.end(), what) != in.end();
    }

    void append(const RowTree::Statement& s, Steps& to) {
        if (!finishing_)
            facts_.pool.visit(s.step->value, [&](ExprId id, const Expr& e) {
                if (e.kind != ExprKind::Load) return;
                for (Waiting& load : kept_) {
                    if (load.load != id || load.made) continue;
                    load.made = true;
                    to.push_back(tree_.add(kept(load, s.step->from)));
                }
            });
        to.push_back(tree_.add(converted(s)));
    }

    Step kept(const Waiting& load, BufferId from) const {
        Step let;
        let.locals = {load.local};
        let.value = load.load;
        let.from = from;
        return let;
    }

    void start(const RowTree::Pass& phase, bool across, Steps& to) {
        for (const RowTree::Statement& s : phase.statements) {
            if (!reduces(s.op) || acrossRows(s.op) != across) continue;
            Step step;
            step.kind = Step::Kind::Start;
            step.locals = s.step->locals;
            step.reduce = s.step->reduce;
            step.from = s.step->from;
            to.push_back(tree_.add(std::move(step)));
        }
    }

    Step converted(const RowTree::Statement& s) {
        Step step = *s.step;
        step.conflict = Conflict::None;
        const bool alone = plan_.style == CudaPlan::Style::Serial || isApart(s);
        if (s.accumulates() && !alone) step.conflict = Conflict::Atomic;
        return step;
    }

    /// No two iterations meet: every loop's variable is a coordinate.
    bool isApart(const RowTree::Statement& s) const {
        auto isCoordinate = [&](const Axis& dim) {
            return std::any_of(s.step->coords.begin(), s.step->coords.end(), [&](const Coord& c) {
                return !c.indirect.valid() && c.index.asVar() == dim.variable;
            });
        };
        return std::all_of(form_.rows.begin(), form_.rows.end(), isCoordinate) &&
               (!form_.inner || isCoordinate(*form_.inner));
    }

    const RowFacts& facts_;
    const RowTree& form_;
    const CudaPlan& plan_;
    bool tiled_; ///< blocks have parts of the columns
    LoopTree tree_;
    std::vector<AxisId> rows_;
    AxisId inner_;
    std::vector<Waiting> kept_;
    bool finishing_ = false;
};

ir::Sym divideUp(const ir::Sym& a, const ir::Sym& b) {
    return ir::floorDiv(a + b - ir::Sym(1), b);
}

/// The plan's counts, made of the sizes themselves instead of their hints.
void countAtAllSizes(const RowFacts& facts, const Candidate& candidate, CudaLoops& loops) {
    const CudaPlan& plan = loops.plan;
    loops.blocks = ir::Sym(plan.blocks);
    loops.tiles = ir::Sym(plan.tiles);
    loops.splits = ir::Sym(plan.splits);
    loops.chunks = ir::Sym(plan.chunks);
    if (facts.constantSizes) return;
    ir::Sym rows(1);
    for (const Axis& dim : facts.form.rows)
        rows = rows * dim.extent;
    const ir::Sym inner = facts.form.inner ? facts.form.inner->extent : ir::Sym(1);
    const ir::Sym vector(plan.vector), tx(plan.tx), ty(plan.ty);
    if (plan.style == CudaPlan::Style::Linear) {
        if (!plan.persistent)
            loops.blocks = divideUp(rows * ir::floorDiv(inner, vector),
                                    ir::Sym(int64_t{plan.threads} * plan.chunksPerThread));
        return;
    }
    if (plan.style == CudaPlan::Style::Tiles) {
        const ir::Sym& along = facts.form.rows[plan.turned].extent;
        loops.tiles = divideUp(inner, tx);
        loops.splits = divideUp(along, tx);
        loops.blocks = loops.tiles * loops.splits;
        for (size_t d = 0; d < facts.form.rows.size(); ++d)
            if (d != plan.turned) loops.blocks = loops.blocks * facts.form.rows[d].extent;
        return;
    }
    if (plan.style == CudaPlan::Style::Serial) {
        ir::Sym apart(1);
        const OwnedLoops owned = ownedLoops(facts);
        auto add = [&](const Axis& dim) {
            if (std::find(owned.apart.begin(), owned.apart.end(), dim.variable) !=
                owned.apart.end())
                apart = apart * dim.extent;
        };
        std::for_each(facts.form.rows.begin(), facts.form.rows.end(), add);
        if (facts.form.inner) add(*facts.form.inner);
        if (!owned.apart.empty())
            loops.blocks =
                divideUp(apart * ir::Sym(std::max<int64_t>(plan.owners, 1)), ir::Sym(plan.threads));
        return;
    }
    if (!candidate.decisions.has("splits")) loops.splits = divideUp(rows, ty);
    if (plan.cutsColumns)
        loops.tiles = divideUp(inner, tx * vector);
    else
        loops.chunks = divideUp(ir::floorDiv(inner, vector), tx);
    loops.blocks = loops.splits * loops.tiles * ir::Sym(plan.parts);
}

} // namespace

CudaLoops cudaLoops(const KernelProgram& program, const Kernel& kernel,
                    const Candidate& candidate) {
    CudaLoops loops;
    const RowFacts facts(program, kernel);
    loops.plan = cudaPlan(facts, candidate);
    countAtAllSizes(facts, candidate, loops);
    loops.tree = RowsTree(facts, loops).run();
    return loops;
}

} // namespace cutaway::schedule
