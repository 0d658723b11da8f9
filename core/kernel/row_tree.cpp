// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/row_tree.h"

#include <algorithm>
#include <map>
#include <set>

namespace cutaway::kernel {

RowTreeBuilder::RowTreeBuilder(const std::vector<Axis>& rows, const std::optional<ir::Sym>& inner,
                               Conflict sums, const std::vector<Axis>& nest)
    : sums_(sums) {
    for (const Axis& row : rows)
        rows_.push_back(tree_.addAxis(row.variable, row.extent));
    for (const Axis& axis : nest)
        nest_.push_back(tree_.addAxis(axis.variable, axis.extent));
    if (inner) inner_ = tree_.addAxis(innerVar(), *inner);
    tree_.lanes = 1;
}

/// The loops of a pass, outermost first.
std::vector<AxisId> RowTreeBuilder::passAxes() const {
    std::vector<AxisId> axes = nest_;
    axes.push_back(*inner_);
    return axes;
}

LocalId RowTreeBuilder::let(Body& body, TreeLocal local, ExprId value, BufferId from, bool kept) {
    if (kept) local.axes = passAxes();
    Step step;
    step.locals = {tree_.addLocal(std::move(local))};
    step.value = value;
    step.from = from;
    body.steps.push_back(tree_.add(std::move(step)));
    return tree_.steps.back().locals.front();
}

RowTreeBuilder::Results RowTreeBuilder::reduce(Body& body, RowOp op, TreeLocal local,
                                               TreeLocal other, ReduceOp how, ExprId value,
                                               BufferId from) {
    if (op == RowOp::ReduceColumn) local.axes = other.axes = {*inner_};
    Step step;
    step.kind = Step::Kind::Update;
    Results results{tree_.addLocal(std::move(local)), {}};
    if (givesTwo(how)) step.locals = {results.other = tree_.addLocal(std::move(other))};
    if (isArg(how)) step.position = positionIn(op);
    step.locals.push_back(results.result);
    step.value = value;
    step.reduce = how;
    step.from = from;
    body.steps.push_back(tree_.add(std::move(step)));
    updates_.push_back({body.steps.back(), op});
    return results;
}

RowTreeBuilder::Results RowTreeBuilder::scan(Body& body, TreeLocal local, TreeLocal other,
                                             RowCall::Running how, ExprId value, BufferId from,
                                             bool kept, bool otherKept) {
    if (kept) local.axes = {*inner_};
    if (otherKept) other.axes = {*inner_};
    Step step;
    step.kind = Step::Kind::Scan;
    step.running = how;
    Results results;
    if (givesPlaces(how)) step.locals = {results.other = tree_.addLocal(std::move(other))};
    step.locals.push_back(results.result = tree_.addLocal(std::move(local)));
    step.value = value;
    step.from = from;
    body.steps.push_back(tree_.add(std::move(step)));
    return results;
}

RowTreeBuilder::Results RowTreeBuilder::scanColumn(Body& body, TreeLocal local, TreeLocal other,
                                                   RowCall::Running how, ExprId value,
                                                   BufferId from, bool backwards) {
    columns_ = true;
    columnsBackwards_ = backwards;
    const Results results = scan(body, std::move(local), std::move(other), how, value, from);
    tree_.steps[body.steps.back().index].axis = rows_.back();
    return results;
}

void RowTreeBuilder::store(Body& body, BufferId target, const std::vector<ir::Sym>& at,
                           ExprId value, BufferId from) {
    Step step;
    step.kind = Step::Kind::Store;
    step.target = target;
    for (const ir::Sym& coord : at)
        step.coords.push_back({coord, {}});
    step.value = value;
    step.from = from;
    body.steps.push_back(tree_.add(std::move(step)));
}

void RowTreeBuilder::accumulate(Body& body, BufferId target, std::vector<Coord> at, ReduceOp how,
                                ExprId value, BufferId from) {
    Step step;
    step.kind = Step::Kind::Store;
    step.store = StoreKind::Accumulate;
    step.target = target;
    step.coords = std::move(at);
    step.reduce = how;
    step.value = value;
    step.from = from;
    setConflict(step);
    body.steps.push_back(tree_.add(std::move(step)));
}

/// Without atomics every thread owns a part of the target, unless rows never meet: of the innermost
/// variable (each thread has some lanes), else of the first computed coordinate.
void RowTreeBuilder::setConflict(Step& step) const {
    auto dimensionOf = [&](ir::Var v) {
        for (size_t k = 0; k < step.coords.size(); ++k)
            if (!step.coords[k].indirect.valid() && step.coords[k].index.asVar() == v)
                return static_cast<int>(k);
        return -1;
    };
    const int byElement = dimensionOf(innerVar());
    bool apart = !rows_.empty() || byElement >= 0;
    for (AxisId row : rows_)
        apart = apart && dimensionOf(tree_.axis(row).variable) >= 0;
    if (apart || step.coords.empty()) return;
    step.conflict = sums_;
    step.owned = std::max(byElement, 0);
    if (byElement >= 0) return;
    for (size_t k = step.coords.size(); k-- > 0;)
        if (step.coords[k].indirect.valid()) step.owned = static_cast<int>(k);
}

ir::Sym RowTreeBuilder::positionIn(RowOp op) const {
    if (op == RowOp::ReduceRow) {
        ir::Sym at;
        for (AxisId id : passAxes())
            at = at * tree_.axis(id).extent + ir::Sym(tree_.axis(id).variable);
        return at;
    }
    ir::Sym row;
    for (AxisId id : rows_)
        row = row * tree_.axis(id).extent + ir::Sym(tree_.axis(id).variable);
    if (op == RowOp::ReduceColumn || !inner_) return row;
    for (AxisId id : passAxes())
        row = row * tree_.axis(id).extent + ir::Sym(tree_.axis(id).variable);
    return row;
}

void RowTreeBuilder::start(const std::vector<StepId>& updates, Wanted wanted,
                           std::vector<StepId>& to) {
    for (StepId id : updates) {
        const auto sum = std::find_if(updates_.begin(), updates_.end(),
                                      [&](const Sum& s) { return s.update == id; });
        if (sum == updates_.end() || !wanted(sum->op)) continue;
        Step step;
        step.kind = Step::Kind::Start;
        step.locals = tree_.step(id).locals;
        step.reduce = tree_.step(id).reduce;
        step.from = tree_.step(id).from;
        to.push_back(tree_.add(std::move(step)));
    }
}

StepId RowTreeBuilder::loop(AxisId axis, std::vector<StepId> body) {
    Step step;
    step.kind = Step::Kind::Loop;
    step.axis = axis;
    step.body = std::move(body);
    return tree_.add(std::move(step));
}

void RowTreeBuilder::add(const Body& body, std::vector<StepId>& to) {
    if (!body.inner) {
        to.insert(to.end(), body.steps.begin(), body.steps.end());
        return;
    }
    StepId pass = loop(*inner_, body.steps);
    tree_.steps[pass.index].backwards = body.backwards;
    for (auto axis = nest_.rbegin(); axis != nest_.rend(); ++axis)
        pass = loop(*axis, {pass});
    to.push_back(pass);
}

LoopTree RowTreeBuilder::take(const LoopProgram& program, std::vector<Body> passes,
                              std::vector<Body> finish) {
    // What one loop after all rows makes for another one has an element for each column.
    const auto columns = [](const Body& body) { return body.inner; };
    if (std::count_if(finish.begin(), finish.end(), columns) > 1)
        for (const Body& body : finish)
            for (StepId id : body.steps)
                if (body.inner && tree_.step(id).kind == Step::Kind::Let)
                    tree_.locals[tree_.step(id).locals.front().index].axes = {*inner_};
    for (const Body& body : passes)
        start(body.steps, acrossRows, tree_.root);
    std::vector<StepId> row;
    for (const Body& body : passes) {
        start(body.steps, [](RowOp op) { return op == RowOp::ReduceRow; }, row);
        add(body, row);
    }
    for (auto axis = rows_.rbegin(); axis != rows_.rend(); ++axis) {
        row = {loop(*axis, std::move(row))};
        if (axis == rows_.rbegin()) tree_.steps[row[0].index].backwards = columnsBackwards_;
    }
    if (columns_) placeColumns();
    tree_.root.insert(tree_.root.end(), row.begin(), row.end());
    for (const Body& body : finish)
        add(body, tree_.root);
    complete(program, tree_);
    return std::move(tree_);
}

/// Where rows run one after the other the loops around them are shared, and columns are vectors.
void RowTreeBuilder::placeColumns() {
    constexpr int64_t kMostLanes = 64;
    for (Step& step : tree_.steps) {
        if (step.kind != Step::Kind::Loop || step.axis == rows_.back()) continue;
        const ir::Sym& extent = tree_.axis(step.axis).extent;
        const bool vector = step.axis == *inner_;
        step.places = static_cast<Places>(vector ? Place::Vector : Place::Threads);
        if (vector && !ir::mod(extent, ir::Sym(kMostLanes)).is(0)) step.tail = Tail::Mask;
    }
}

namespace {

/// Reads rows x passes from a tree, or finds that it is none.
class Reader {
public:
    Reader(const LoopProgram& program, const LoopTree& tree) : program_(program), tree_(tree) {
        rows_.tree = &tree;
        for (const Step& step : tree.steps)
            if (step.kind == Step::Kind::Update && step.locals.size() > 1)
                sumOf_[step.locals.front()] = step.locals.back();
    }

    std::optional<RowTree> read() {
        for (const Axis& axis : tree_.axes) {
            if (axis.variable != innerVar()) {
                ++outer_;
            } else {
                if (rows_.inner) return std::nullopt;
                rows_.inner = axis;
            }
        }
        rows_.levels.assign(tree_.locals.size(), Level::Element);
        size_t first = 0;
        const auto& root = tree_.root;
        for (; first < root.size() && isStart(root[first]); ++first)
            across_.insert(tree_.step(root[first]).locals.back());
        const size_t after = outer_ > 0 ? readRows(first) : readOneRow(first);
        if (!fits_ || !readBody({root.begin() + static_cast<long>(after), root.end()}, true))
            return std::nullopt;
        return std::move(rows_);
    }

private:
    bool isStart(StepId id) const { return tree_.step(id).kind == Step::Kind::Start; }
    bool isLoop(StepId id) const { return tree_.step(id).kind == Step::Kind::Loop; }
    const Axis& axisOf(StepId loop) const { return tree_.axis(tree_.step(loop).axis); }

    /// The loops over rows, one in the other, and what is in them. \returns where finish begins.
    size_t readRows(size_t first) {
        fits_ = first < tree_.root.size();
        StepId at = fits_ ? tree_.root[first] : StepId();
        while (fits_ && rows_.rows.size() < outer_) {
            fits_ = isLoop(at) && axisOf(at).variable != innerVar();
            if (!fits_) break;
            fits_ = tree_.step(at).axisKind != AxisKind::Scan; // no row waits for another one
            const Axis& axis = axisOf(at);
            const auto& body = tree_.step(at).body;
            fits_ =
                fits_ && std::find(rows_.rows.begin(), rows_.rows.end(), axis) == rows_.rows.end();
            rows_.rows.push_back(axis);
            if (rows_.rows.size() == outer_)
                fits_ = fits_ && readBody(body, false);
            else if (fits_ && body.size() == 1)
                at = body.front();
            else
                fits_ = false;
        }
        return first + 1;
    }

    /// Without loops over rows there is one row. Sums that it reads itself are of the row; finish
    /// begins where others are read.
    size_t readOneRow(size_t first) {
        const auto& root = tree_.root;
        std::vector<std::set<LocalId>> reads(root.size());
        std::set<LocalId> sums, last; // last: complete after all rows, whatever the row reads
        size_t loops = 0, summed = first;
        for (size_t k = first; k < root.size(); ++k) {
            loops += isLoop(root[k]);
            visitSteps(tree_, {root[k]}, [&](const Step& step, const auto& open) {
                readBy(step, reads[k]);
                if (step.kind != Step::Kind::Update) return;
                const LocalId sum = step.locals.back();
                sums.insert(sum);
                summed = k + 1;
                if (open.empty() || !tree_.local(sum).axes.empty()) last.insert(sum);
            });
        }
        size_t end = !sums.empty() && loops == 1 && last.empty() ? summed : root.size();
        for (size_t k = summed; k < end && !last.empty(); ++k)
            if (meet(reads[k], last)) end = k;
        across_ = sums;
        for (size_t k = first; k < end; ++k)
            for (LocalId local : reads[k])
                if (!last.contains(local)) across_.erase(local);
        const bool all = end < root.size() || loops < 2;
        if (!all) across_ = last; // several passes: what they sum is read after the last one
        fits_ = readBody(
            {root.begin() + static_cast<long>(first), root.begin() + static_cast<long>(end)},
            false);
        return end;
    }

    void readBy(const Step& step, std::set<LocalId>& locals) const {
        auto look = [&](ExprId value) {
            if (!value.valid()) return;
            program_.pool.visit(value, [&](ExprId, const Expr& e) {
                if (e.kind != ExprKind::Local) return;
                const auto sum = sumOf_.find(e.local);
                locals.insert(sum == sumOf_.end() ? e.local : sum->second);
            });
        };
        look(step.value);
        for (const Coord& coord : step.coords)
            look(coord.indirect);
    }

    static bool meet(const std::set<LocalId>& a, const std::set<LocalId>& b) {
        return std::any_of(a.begin(), a.end(), [&](LocalId id) { return b.contains(id); });
    }

    bool readBody(const std::vector<StepId>& steps, bool finish) {
        auto& passes = finish ? rows_.finish : rows_.passes;
        bool open = false; // a pass that is no loop takes what follows
        for (StepId id : steps) {
            const Step& step = tree_.step(id);
            if (step.kind == Step::Kind::Start) {
                if (finish) return false;
                continue;
            }
            if (step.kind == Step::Kind::Loop) {
                if (axisOf(id).variable != innerVar()) return false;
                passes.push_back({true, {}, step.backwards});
                for (StepId inside : step.body)
                    if (!readStatement(tree_.step(inside), passes.back(), finish)) return false;
                open = false;
                continue;
            }
            if (!open) passes.push_back({false, {}});
            open = true;
            if (!readStatement(step, passes.back(), finish)) return false;
        }
        return true;
    }

    bool readStatement(const Step& step, RowTree::Pass& pass, bool finish) {
        RowTree::Statement s{RowOp::Store, LocalId(), &step};
        switch (step.kind) {
        case Step::Kind::Loop:
        case Step::Kind::Start:
            return false;
        case Step::Kind::Store:
            break;
        case Step::Kind::Let:
            s.op = RowOp::Let;
            s.local = step.locals.front();
            set(step, finish ? (pass.inner ? Level::Column : Level::Once)
                             : (pass.inner ? Level::Element : Level::Row));
            break;
        case Step::Kind::Scan:
            if (finish || !pass.inner) return false;
            s.op = RowOp::Scan;
            s.local = step.locals.back();
            set(step, Level::Element);
            break;
        case Step::Kind::Update:
            s.local = step.locals.back();
            s.op = opOf(s.local);
            if (finish || (s.op != RowOp::ReduceAll && !pass.inner)) return false;
            set(step, s.op == RowOp::ReduceRow      ? Level::Row
                      : s.op == RowOp::ReduceColumn ? Level::Column
                                                    : Level::Once);
            break;
        }
        pass.statements.push_back(s);
        return true;
    }

    RowOp opOf(LocalId local) const {
        if (!tree_.local(local).axes.empty()) return RowOp::ReduceColumn;
        return across_.contains(local) ? RowOp::ReduceAll : RowOp::ReduceRow;
    }

    void set(const Step& step, Level level) {
        for (LocalId local : step.locals)
            rows_.levels[local.index] = level;
    }

    const LoopProgram& program_;
    const LoopTree& tree_;
    RowTree rows_;
    size_t outer_ = 0;
    bool fits_ = true;
    std::set<LocalId> across_;         ///< sums across rows
    std::map<LocalId, LocalId> sumOf_; ///< by the element at a position: the position
};

} // namespace

std::optional<RowTree> RowTree::of(const LoopProgram& program, const LoopTree& tree) {
    return Reader(program, tree).read();
}

bool RowTree::isOneLongLoop() const {
    if (!rows.empty() || passes.size() != 1 || !passes.front().inner) return false;
    for (const Pass& after : finish)
        if (after.inner) return false;
    const auto& statements = passes.front().statements;
    return std::none_of(statements.begin(), statements.end(), [](const Statement& s) {
        return s.op == RowOp::ReduceRow || s.op == RowOp::ReduceColumn || s.op == RowOp::Scan;
    });
}

} // namespace cutaway::kernel
