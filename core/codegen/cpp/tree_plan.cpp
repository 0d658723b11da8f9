// SPDX-License-Identifier: Apache-2.0
// What is decided before any line is printed: what the threads share, names, and where values live
// that outlast a loop.
#include "core/codegen/cpp/tree.h"

#include "core/kernel/address.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cutaway::codegen::cpp {

using namespace kernel;
using ir::DType;
using ir::Sym;

TreeEmitter::TreeEmitter(const KernelProgram& program, const Kernel& kernel, const LoopTree& tree,
                         const schedule::CpuPlan& plan)
    : KernelText(program, kernel, plan, tree, joinedRows(tree)), tree_(tree) {
    names_.lanes = plan.vector;
    names_.prefetch = plan.prefetch;
    chooseShared();
    std::vector<ir::Var> variables;
    for (const Axis& axis : tree_.axes)
        if (axis.variable != innerVar()) variables.push_back(axis.variable);
    variables.insert(variables.end(), tree_.sizeArguments.begin(), tree_.sizeArguments.end());
    nameEverything(variables, tree_.locals);
    findSums(tree_.root, true);
    findKept();
    for (auto& [id, sum] : sums_)
        if (isArg(sum.start->reduce) && !tree_.local(id).axes.empty())
            planExtremes(sum);
        else if (sum.across)
            planAcross(id, sum);
        else if (!tree_.local(id).axes.empty())
            planColumns(id, sum);
    visitSteps(tree_, tree_.root, [&](const Step& s, const std::vector<StepId>& open) {
        if (s.kind == Step::Kind::Scan && s.axis.valid()) planColumnScan(s, open);
    });
    if (plan_.parts) planParts();
    if (copied_) planCopies();
    if (sorted_) planSort();
}

bool TreeEmitter::isVector(const Step& s) const {
    return s.kind == Step::Kind::Loop && has(s.places, Place::Vector);
}

/// The first loop and those directly in it that nothing else is in, as far as they are shared
/// alike.
std::vector<Axis> TreeEmitter::joinedRows(const LoopTree& tree) {
    std::vector<Axis> rows;
    const auto first = std::find_if(tree.root.begin(), tree.root.end(), [&](StepId id) {
        return tree.step(id).kind == Step::Kind::Loop;
    });
    if (first == tree.root.end()) return rows;
    const Places places = tree.step(*first).places;
    for (StepId id = *first; !has(tree.step(id).places, Place::Vector);) {
        rows.push_back(tree.axis(tree.step(id).axis));
        const Steps& body = tree.step(id).body;
        if (body.size() != 1 || tree.step(body[0]).kind != Step::Kind::Loop ||
            tree.step(body[0]).places != places)
            break;
        id = body[0];
    }
    return rows;
}

void TreeEmitter::chooseShared() {
    const auto isLoop = [&](StepId id) { return step(id).kind == Step::Kind::Loop; };
    const auto first = std::find_if(tree_.root.begin(), tree_.root.end(), isLoop);
    if (first == tree_.root.end()) return;
    const auto loops = std::count_if(tree_.root.begin(), tree_.root.end(), isLoop);
    bool argument = false, meets = false;
    visitSteps(tree_, {*first}, [&](const Step& s, const std::vector<StepId>&) {
        argument = argument || (s.kind == Step::Kind::Update && givesTwo(s.reduce));
        if (s.kind == Step::Kind::Store && s.conflict == Conflict::Owner) owner_ = &s;
        if (s.kind == Step::Kind::Store && s.conflict == Conflict::Copies) copied_ = &s;
        if (s.kind == Step::Kind::Store && s.conflict == Conflict::Sorted) sorted_ = &s;
        meets = meets || (s.kind == Step::Kind::Loop && s.axisKind == AxisKind::Scan);
    });
    const bool vector = isVector(step(*first));
    const bool startsOnly = std::all_of(
        tree_.root.begin(), first, [&](StepId id) { return step(id).kind == Step::Kind::Start; });
    chunked_ = vector && loops == 1 && !argument;
    if ((vector && !chunked_) || !startsOnly ||
        (meets && !plan_.parts && step(*first).axisKind == AxisKind::Scan) || isOneRow(*first)) {
        owner_ = copied_ = sorted_ = nullptr;
        chunked_ = false;
        joinNothing();
        return;
    }
    shared_ = *first;
    before_.assign(tree_.root.begin(), first);
    after_.assign(first + 1, tree_.root.end());
    if (owner_) {
        const Coord& coord = owner_->coords[static_cast<size_t>(owner_->owned)];
        ownsElements_ = !coord.indirect.valid() && coord.index.asVar() == innerVar();
    }
    const Sym rows = chunked_ ? tree_.axis(step(shared_).axis).extent : names_.extentOf({'w', 0});
    const bool worth = has(step(shared_).places, Place::Threads) && (owner_ || !rows.is(1));
    threads_ = worth ? std::max(plan_.threads, 1) : 1;
    if (threads_ == 1) copied_ = sorted_ = nullptr; // nobody to meet
    if (sorted_ && chunked_)
        throw std::logic_error("iterations that are sorted are lanes of a vector loop");
}

/// Steps after the loop at the root go on with the same row: they reduce once more, read what it
/// keeps, or run over one of its axes again; or a position is looked for in all of the loop. The
/// loops of the only row's passes are such loops.
bool TreeEmitter::isOneRow(StepId loop) const {
    const auto at = std::find(tree_.root.begin(), tree_.root.end(), loop);
    const Steps after(at + 1, tree_.root.end());
    const auto starts = [&](StepId id) { return step(id).kind == Step::Kind::Start; };
    bool reduces = false;
    bool again = false;
    visitSteps(tree_, after, [&](const Step& s, const std::vector<StepId>&) {
        reduces = reduces || s.kind == Step::Kind::Start || s.kind == Step::Kind::Update;
        again = again || (s.kind == Step::Kind::Loop &&
                          std::ranges::find(names_.rows, tree_.axis(s.axis)) != names_.rows.end());
    });
    if (reduces || again) return true;
    if (std::any_of(tree_.root.begin(), at, [&](StepId id) {
            return starts(id) && givesTwo(step(id).reduce) &&
                   tree_.local(step(id).locals[0]).axes.empty();
        }))
        return true;
    std::set<LocalId> kept;
    visitSteps(tree_, {loop}, [&](const Step& s, const std::vector<StepId>&) {
        if (defines(s.kind)) kept.insert(s.locals.begin(), s.locals.end());
    });
    bool reads = false;
    visitSteps(tree_, after, [&](const Step& s, const std::vector<StepId>&) {
        if (!s.value.valid()) return;
        program_.loops.pool.visit(s.value, [&](ExprId, const Expr& e) {
            reads = reads || (e.kind == ExprKind::Local && kept.contains(e.local));
        });
    });
    return reads;
}

/// Without a shared loop, rows are loops like others.
void TreeEmitter::joinNothing() {
    names_.others.insert(names_.others.end(), names_.rows.begin(), names_.rows.end());
    names_.rows.clear();
}

void TreeEmitter::findSums(const Steps& steps, bool outermost) {
    for (size_t k = 0; k < steps.size(); ++k) {
        const Step& s = step(steps[k]);
        if (s.kind == Step::Kind::Loop) findSums(s.body, false);
        if (s.kind != Step::Kind::Start) continue;
        const LocalId id = s.locals[0];
        Sum sum;
        sum.start = &s;
        sum.across = outermost && shared_.valid();
        int loops = 0, lanes = 0, updates = 0;
        for (size_t later = k + 1; later < steps.size(); ++later) {
            bool found = false;
            visitSteps(tree_, {steps[later]}, [&](const Step& u, const std::vector<StepId>& open) {
                if (u.kind != Step::Kind::Update || u.locals[0] != id) return;
                found = true;
                ++updates;
                lanes += std::any_of(open.begin(), open.end(),
                                     [&](StepId loop) { return isVector(step(loop)); });
            });
            if (!found) continue;
            ++loops;
            sum.loop = steps[later];
        }
        if (loops > 1 || (lanes != 0 && lanes != updates))
            throw std::logic_error(tree_.local(id).name + " is accumulated in several loops");
        sum.vector = lanes > 0;
        if (!sum.vector && givesTwo(s.reduce))
            throw std::logic_error(tree_.local(id).name + " has two results outside vectors");
        sums_[id] = sum;
    }
}

/// Values that another loop than their own reads get a row of memory each.
void TreeEmitter::findKept() {
    std::map<LocalId, std::vector<StepId>> defined;
    std::map<LocalId, BufferId> from;
    std::set<LocalId> kept;
    visitSteps(tree_, tree_.root, [&](const Step& s, const std::vector<StepId>& open) {
        if (s.value.valid())
            program_.loops.pool.visit(s.value, [&](ExprId, const Expr& e) {
                auto found = e.kind == ExprKind::Local ? defined.find(e.local) : defined.end();
                if (found != defined.end() && found->second != open) kept.insert(e.local);
            });
        if (!defines(s.kind)) return;
        for (LocalId id : s.locals) {
            if (tree_.local(id).axes.empty()) continue;
            defined[id] = open;
            from[id] = s.from;
        }
    });
    for (LocalId id : kept)
        planKept(id, defined.at(id), from.at(id));
}

Sym TreeEmitter::allocate(const Sym& elements, DType dtype, Sym& each) {
    const auto size = static_cast<int64_t>(ir::sizeBytes(dtype));
    const Sym granule(kAlignment / size);
    each = ir::floorDiv(elements + granule - Sym(1), granule) * granule;
    const Sym offset = scratchBytes_;
    scratchBytes_ = scratchBytes_ + each * Sym(size) * Sym(threads_);
    return offset;
}

void TreeEmitter::planKept(LocalId id, const std::vector<StepId>& open, BufferId from) {
    const TreeLocal& local = tree_.local(id);
    Sym elements(1), index(0);
    for (AxisId axis : local.axes) {
        elements = elements * tree_.axis(axis).extent;
        index = index * tree_.axis(axis).extent + Sym(tree_.axis(axis).variable);
    }
    const bool finish = shared_.valid() && (open.empty() || open.front() != shared_);
    if (!finish && plan_.keepInOutput && keepInOutput(id, open)) return;
    Sym each;
    const Sym offset = allocate(elements, local.dtype, each);
    const auto size = static_cast<int64_t>(ir::sizeBytes(local.dtype));
    LocalAccess& access = names_.locals[id.index];
    access.address = names_.names.unique("kept_" + access.name);
    access.index = index;
    stored_.insert(id);
    (finish ? finishSetUp_ : shareSetUp_)
        .add(
            fmt::format("{0}* {1} = ({0}*)(scratch + {2}{3});", scalarType(local.dtype),
                        access.address, text(offset),
                        finish ? "" : fmt::format(" + {} * part", operand(text(each * Sym(size))))),
            {from});
}

/// True when the loop that computes the value stores it to an output, where it can be read back.
bool TreeEmitter::keepInOutput(LocalId id, const std::vector<StepId>& open) {
    if (open.empty()) return false;
    for (StepId at : step(open.back()).body) {
        const Step& s = step(at);
        if (s.kind != Step::Kind::Store || s.store != StoreKind::Assign) continue;
        if (program_.loops.buffer(s.target).dtype != tree_.local(id).dtype) continue; // rounded
        const Expr& value = program_.loops.pool[s.value];
        if (value.kind != ExprKind::Local || value.local != id) continue;
        std::vector<Sym> coords;
        for (const Coord& coord : s.coords)
            if (!coord.indirect.valid()) coords.push_back(coord.index);
        if (coords.size() != s.coords.size()) continue;
        const Sym offset = offsetOf(program_.loops.buffer(s.target), coords);
        const auto stride = offset.coefficient(innerVar());
        if (!stride || !stride->is(1)) continue;
        names_.locals[id.index].address = names_.pointers.at(s.target);
        names_.locals[id.index].index = names_.byRow(offset);
        readBack_.insert(&s);
        return true;
    }
    return false;
}

/// Accumulators of columns within the thread's own loops: in its scratch memory, read as they are.
void TreeEmitter::planColumns(LocalId id, Sum& sum) {
    const TreeLocal& local = tree_.local(id);
    if (local.axes.size() != 1 || tree_.axis(local.axes[0]).variable != innerVar())
        throw std::logic_error(local.name + " is accumulated along other loops than the innermost");
    Sym each;
    const Sym offset = allocate(tree_.axis(local.axes[0]).extent, local.dtype, each);
    const auto size = static_cast<int64_t>(ir::sizeBytes(local.dtype));
    LocalAccess& access = names_.locals[id.index];
    access.address = sum.variable = names_.names.unique(access.name + "_columns");
    access.index = Sym(innerVar());
    shareSetUp_.add(fmt::format("{0}* {1} = ({0}*)(scratch + {2} + {3} * part);",
                                scalarType(local.dtype), sum.variable, text(offset),
                                operand(text(each * Sym(size)))),
                    {sum.start->from});
}

/// Extremes of columns and their positions, in scratch memory. The threads' are put together in the
/// first one's: its rows come first.
void TreeEmitter::planExtremes(Sum& sum) {
    const Step& start = *sum.start;
    const std::set<BufferId> from = {start.from};
    std::string* variables[] = {&sum.variable, &sum.positions};
    std::string all[2], each[2], extent;
    for (size_t k = 0; k < 2; ++k) {
        const TreeLocal& local = tree_.local(start.locals[k]);
        if (local.axes.size() != 1 || tree_.axis(local.axes[0]).variable != innerVar())
            throw std::logic_error(local.name + " is found along other loops than the innermost");
        Sym row;
        const std::string offset =
            text(allocate(tree_.axis(local.axes[0]).extent, local.dtype, row));
        const auto size = static_cast<int64_t>(ir::sizeBytes(local.dtype));
        LocalAccess& access = names_.locals[start.locals[k].index];
        const std::string& own = *variables[k] = names_.names.unique(access.name + "_columns");
        access.address = all[k] = sum.across ? names_.names.unique(access.name + "_all") : own;
        access.index = Sym(innerVar());
        each[k] = operand(text(row));
        extent = text(tree_.axis(local.axes[0]).extent);
        const std::string type = scalarType(local.dtype);
        shareSetUp_.add(fmt::format("{0}* {1} = ({0}*)(scratch + {2} + {3} * part);", type, own,
                                    offset, operand(text(row * Sym(size)))),
                        from);
        if (sum.across)
            finishSetUp_.add(fmt::format("{0}* {1} = ({0}*)(scratch + {2});", type, all[k], offset),
                             from);
    }
    if (!sum.across) return;
    startColumns(start, shareSetUp_);
    finishSetUp_.add("for (long part = 1; part < threads; ++part)", from);
    finishSetUp_.add(fmt::format("    for (long i = 0; i < {}; ++i)", extent), from);
    finishSetUp_.add(fmt::format("        if (overtakes<{0}>({1}[{2} * part + i], {1}[i]))",
                                 start.reduce == ReduceOp::ArgMax, all[0], each[0]),
                     from);
    finishSetUp_.add(
        fmt::format("            {0}[i] = {0}[{1} * part + i], {2}[i] = {2}[{3} * part + i];",
                    all[0], each[0], all[1], each[1]),
        from);
}

/// Partial results of the threads, one after the other in scratch memory.
void TreeEmitter::planAcross(LocalId id, Sum& sum) {
    const TreeLocal& local = tree_.local(id);
    const ReduceOp op = sum.start->reduce;
    const std::set<BufferId> from = {sum.start->from};
    LocalAccess& access = names_.locals[id.index];
    access.reduce = op;
    const bool column = !local.axes.empty();
    if (givesTwo(op)) throw std::logic_error(local.name + " has two results over all rows");
    if (column && (local.axes.size() != 1 || tree_.axis(local.axes[0]).variable != innerVar()))
        throw std::logic_error(local.name + " is accumulated along other loops than the innermost");
    const bool sums = op == ReduceOp::Sum || op == ReduceOp::Prod;
    const DType dtype =
        !column && sums && ir::isFloating(local.dtype) ? DType::Float64 : local.dtype;
    const std::string type = scalarType(dtype);
    Sym each;
    const Sym count = column ? tree_.axis(local.axes[0]).extent : Sym(1);
    const std::string offset = text(allocate(count, dtype, each));
    const std::string bytes = operand(text(each * Sym(static_cast<int64_t>(ir::sizeBytes(dtype)))));
    access.parts = names_.names.unique(access.name + "_parts");
    access.columns = operand(text(each));
    const std::string start = identity(op, dtype);
    finishSetUp_.add(
        fmt::format("const {0}* {1} = (const {0}*)(scratch + {2});", type, access.parts, offset),
        from);
    if (column) {
        sum.variable = names_.names.unique(access.name + "_columns");
        shareSetUp_.add(fmt::format("{0}* {1} = ({0}*)(scratch + {2} + {3} * part);", type,
                                    sum.variable, offset, bytes),
                        from);
        shareSetUp_.add(fmt::format("for (long i = 0; i < {}; ++i) {}[i] = {};", text(count),
                                    sum.variable, start),
                        from);
        return;
    }
    sum.variable = names_.names.unique(access.name + "_total");
    shareSetUp_.add(fmt::format("{} {} = {};", type, sum.variable, start), from);
    shareResults_.add(
        fmt::format("*({}*)(scratch + {} + {} * part) = {};", type, offset, bytes, sum.variable),
        from);
    const std::string total = names_.names.unique(access.name + "_sum");
    finishSetUp_.add(fmt::format("{} {} = {}[0];", type, total, access.parts), from);
    finishSetUp_.add("for (long part = 1; part < threads; ++part)", from);
    finishSetUp_.add(
        fmt::format(
            "    {} = {};", total,
            combined(op, total, fmt::format("{}[{} * part]", access.parts, access.columns))),
        from);
    finishSetUp_.add(
        fmt::format("const {0} {1} = ({0}){2};", scalarType(local.dtype), access.name, total),
        from);
}

} // namespace cutaway::codegen::cpp
