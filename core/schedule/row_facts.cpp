// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/row_facts.h"

#include "core/kernel/address.h"

#include <algorithm>
#include <limits>
#include <set>

namespace cutaway::schedule {

using namespace kernel;

namespace {

RowTree formOf(const LoopProgram& program, const Kernel& kernel) {
    std::optional<RowTree> form = RowTree::of(program, kernel.rows());
    if (!form) throw std::logic_error("kernel " + kernel.name + " is not rows and passes");
    return std::move(*form);
}

} // namespace

RowFacts::RowFacts(const KernelProgram& kernels, const Kernel& from)
    : kernel(from), form(formOf(kernels.loops, from)), pool(kernels.loops.pool),
      program(kernels.loops), varies_(
                                  program, innerVar(),
                                  [&levels = form.levels](LocalId local) {
                                      const Level level = levels[local.index];
                                      return level == Level::Element || level == Level::Column;
                                  },
                                  true) {
    auto add = [&](const Axis& dim, int64_t& count) {
        count *= program.hint(dim.extent);
        constantSizes &= dim.extent.isConst();
    };
    for (const Axis& dim : form.rows)
        add(dim, rows);
    if (form.inner) add(*form.inner, inner);
    constantRow = !form.inner || form.inner->extent.isConst();
    for (const RowTree::Pass& phase : form.passes)
        for (const RowTree::Statement& s : phase.statements) {
            scans |= s.op == RowOp::Scan;
            reducesRows |= s.op == RowOp::ReduceRow;
            reducesColumns |= s.op == RowOp::ReduceColumn;
            reducesAll |= s.op == RowOp::ReduceAll;
            scatters |= s.accumulates();
            orderCounts |= s.accumulates() &&
                           ir::isFloating(program.buffer(s.step->target).dtype) &&
                           (s.step->reduce == ReduceOp::Sum || s.step->reduce == ReduceOp::Prod);
            if (s.op == RowOp::Let) definitions_[s.local.index] = &s;
        }
    for (const RowTree::Pass& phase : form.finish)
        for (const RowTree::Statement& s : phase.statements)
            if (s.op == RowOp::Let) definitions_[s.local.index] = &s;
}

ir::Sym RowFacts::offset(BufferId buffer, const std::vector<Coord>& coords) const {
    const ir::Shape& strides = program.buffer(buffer).strides;
    ir::Sym sum;
    for (size_t d = 0; d < coords.size(); ++d)
        if (!coords[d].indirect.valid()) sum = sum + coords[d].index * strides[d];
    return sum.simplify([&](ir::Var v) -> std::optional<int64_t> {
        auto is = [&](const Axis& dim) { return dim.variable == v && dim.extent.isConst(); };
        if (form.inner && is(*form.inner)) return form.inner->extent.constant();
        for (const Axis& dim : form.rows)
            if (is(dim)) return dim.extent.constant();
        return std::nullopt;
    });
}

bool RowFacts::sideBySide(const ir::Sym& offset, int width) const {
    return kernel::sideBySide(offset, innerVar(), width);
}

bool RowFacts::dividesRow(int64_t width) const {
    return ir::mod(form.inner ? form.inner->extent : ir::Sym(1), ir::Sym(width)).is(0);
}

bool RowFacts::sideBySideInPieces(const ir::Sym& offset) const {
    if (passLoops() < 2) return false;
    // All pieces read alike, so the first one tells.
    const ir::Sym first = offset.simplify([&](ir::Var v) -> std::optional<ir::Sym> {
        for (const Axis& axis : kernel.tree->axes)
            if (axis.variable == v) return axis.extent;
        return std::nullopt;
    });
    return sideBySide(first, 1);
}

int64_t RowFacts::passLoops() const {
    return kernel.oneLoop
               ? static_cast<int64_t>(kernel.tree->axes.size() - kernel.oneLoop->axes.size()) + 1
               : 1;
}

int64_t RowFacts::piece() const {
    if (passLoops() < 2) return 0;
    for (const Axis& axis : kernel.tree->axes)
        if (axis.variable == innerVar()) return program.hint(axis.extent);
    return 0;
}

const RowTree::Statement* RowFacts::definition(LocalId local) const {
    auto it = definitions_.find(local.index);
    return it == definitions_.end() ? nullptr : it->second;
}

void RowFacts::needs(ExprId value, std::vector<LocalId>& locals, std::vector<ExprId>& loads) const {
    pool.visit(value, [&](ExprId id, const Expr& e) {
        const bool perElement = e.kind == ExprKind::Local && varies(id);
        if (perElement && std::find(locals.begin(), locals.end(), e.local) == locals.end())
            locals.push_back(e.local);
        if (e.kind == ExprKind::Load && varies(id) &&
            std::find(loads.begin(), loads.end(), id) == loads.end())
            loads.push_back(id);
    });
}

double RowFacts::flops(ExprId value) const {
    double sum = 0;
    pool.visit(value, [&](ExprId, const Expr& e) {
        if (e.kind == ExprKind::Op) sum += info(e.op).flops;
    });
    return sum;
}

LocalId RowFacts::runningAgain() const {
    std::map<LocalId, size_t> runs; // the pass of each running value
    for (size_t pass = 0; pass < form.passes.size(); ++pass) {
        std::set<LocalId> seen;
        std::vector<ExprId> todo;
        for (const RowTree::Statement& s : form.passes[pass].statements)
            todo.push_back(s.step->value);
        while (!todo.empty()) {
            std::vector<LocalId> locals;
            std::vector<ExprId> loads;
            needs(todo.back(), locals, loads);
            todo.pop_back();
            for (LocalId local : locals) {
                if (const auto run = runs.find(local); run != runs.end()) return local;
                const RowTree::Statement* let = definition(local);
                if (let && seen.insert(local).second) todo.push_back(let->step->value);
            }
        }
        for (const RowTree::Statement& s : form.passes[pass].statements)
            if (s.op == RowOp::Scan)
                for (LocalId local : s.step->locals)
                    runs[local] = pass;
    }
    return {};
}

bool RowFacts::anySideBySide(int width) const {
    bool found = false;
    for (const RowTree::Pass& phase : form.passes) {
        if (!phase.inner) continue;
        for (const RowTree::Statement& s : phase.statements) {
            if (s.op == RowOp::Store && !s.accumulates())
                found |= sideBySide(offset(s.step->target, s.step->coords), width);
            pool.visit(s.step->value, [&](ExprId, const Expr& e) {
                if (e.kind == ExprKind::Load)
                    found |= sideBySide(offset(e.buffer, e.coords), width);
            });
        }
    }
    return found;
}

double RowFacts::bodyFlops() const {
    if (bodyFlops_) return *bodyFlops_;
    double sum = 0;
    for (const RowTree::Pass& phase : form.passes)
        for (const RowTree::Statement& s : phase.statements)
            if (phase.inner) sum += flops(s.step->value);
    bodyFlops_ = sum;
    return sum;
}

bool RowFacts::needsLongIndex() const {
    if (longIndex_) return *longIndex_;
    const int64_t limit = std::numeric_limits<int32_t>::max();
    bool needed = rows * inner > limit || !constantSizes;
    auto check = [&](BufferId id) {
        const Buffer& buffer = program.buffer(id);
        int64_t last = 0;
        const auto isConst = [](const ir::Sym& size) { return size.isConst(); };
        if (!std::all_of(buffer.sizes.begin(), buffer.sizes.end(), isConst) ||
            !std::all_of(buffer.strides.begin(), buffer.strides.end(), isConst)) {
            needed = true;
            return;
        }
        for (size_t d = 0; d < buffer.sizes.size(); ++d)
            last += (buffer.sizes[d].constant() - 1) * buffer.strides[d].constant();
        needed |= last > limit;
    };
    std::for_each(kernel.reads.begin(), kernel.reads.end(), check);
    std::for_each(kernel.writes.begin(), kernel.writes.end(), check);
    longIndex_ = needed;
    return needed;
}

int64_t RowFacts::columnBytes() const {
    int64_t bytes = 0;
    for (const RowTree::Pass& phase : form.passes)
        for (const RowTree::Statement& s : phase.statements)
            if (s.op == RowOp::ReduceColumn)
                bytes += static_cast<int64_t>(sizeBytes(form.dtype(s.local))) *
                         (isArg(s.step->reduce) ? 4 : 1);
    return bytes;
}

} // namespace cutaway::schedule
