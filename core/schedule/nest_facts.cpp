// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/nest_facts.h"

#include "core/kernel/address.h"
#include "core/kernel/nest_tree.h"
#include "core/kernel/split_loop.h"

#include <algorithm>
#include <limits>

namespace cutaway::schedule {

using namespace kernel;
using Kind = Statement::Kind;

NestFacts::NestFacts(const KernelProgram& kernels, const Kernel& from)
    : kernel(from), nest(*from.loops), pool(kernels.loops.pool), program(kernels.loops),
      varies_(
          program, innerVar(),
          [&locals = nest.locals](LocalId local) {
              const Level level = locals[local.index].level;
              return level == Level::Element || level == Level::Column;
          },
          true) {
    auto add = [&](const LoopDim& dim, int64_t& count) {
        count *= program.hint(dim.size);
        constantSizes &= dim.size.isConst();
    };
    for (const LoopDim& dim : nest.outer)
        add(dim, rows);
    if (nest.inner) add(*nest.inner, inner);
    constantRow = !nest.inner || nest.inner->size.isConst();
    for (const Phase& phase : nest.phases)
        for (const Statement& s : phase.statements) {
            reducesRows |= s.kind == Kind::ReduceRow;
            reducesColumns |= s.kind == Kind::ReduceColumn;
            reducesAll |= s.kind == Kind::ReduceAll;
            scatters |= s.accumulates;
            orderCounts |= s.accumulates && ir::isFloating(program.buffer(s.target).dtype) &&
                           (s.reduce == ReduceOp::Sum || s.reduce == ReduceOp::Prod);
            if (s.kind == Kind::Let) definitions_[s.local.index] = &s;
        }
    for (const Phase& phase : nest.finish)
        for (const Statement& s : phase.statements) {
            finishReduces |= s.kind != Kind::Let && s.kind != Kind::Store;
            if (s.kind == Kind::Let) definitions_[s.local.index] = &s;
        }
}

ir::Sym NestFacts::simplified(const ir::Sym& offset, int64_t piece) const {
    return offset.simplify([&](ir::Var v) -> std::optional<int64_t> {
        auto is = [&](const LoopDim& dim) { return dim.variable == v && dim.size.isConst(); };
        if (nest.inner && is(*nest.inner)) return piece > 0 ? piece : nest.inner->size.constant();
        for (const LoopDim& dim : nest.outer)
            if (is(dim)) return dim.size.constant();
        return std::nullopt;
    });
}

ir::Sym NestFacts::offset(BufferId buffer, const std::vector<Coord>& coords) const {
    const ir::Shape& strides = program.buffer(buffer).strides;
    ir::Sym sum;
    for (size_t d = 0; d < coords.size(); ++d)
        if (!coords[d].indirect.valid()) sum = sum + coords[d].index * strides[d];
    return simplified(sum);
}

ir::Sym NestFacts::offset(BufferId buffer, const std::vector<ir::Sym>& coords) const {
    const ir::Shape& strides = program.buffer(buffer).strides;
    ir::Sym sum;
    for (size_t d = 0; d < coords.size(); ++d)
        sum = sum + coords[d] * strides[d];
    return simplified(sum);
}

bool NestFacts::sideBySide(const ir::Sym& offset, int width) const {
    return kernel::sideBySide(offset, innerVar(), width);
}

bool NestFacts::dividesRow(int64_t width) const {
    return ir::mod(nest.inner ? nest.inner->size : ir::Sym(1), ir::Sym(width)).is(0);
}

bool NestFacts::sideBySideInPieces(const ir::Sym& offset) const {
    // All pieces read alike, so the first one tells.
    return piece() > 0 && sideBySide(simplified(offset, piece()), 1);
}

int64_t NestFacts::piece() const {
    if (!piece_)
        piece_ = reducesRows ? kernel::bestPiece(program, kernel::treeOf(program, nest), 1) : 0;
    return *piece_;
}

const Statement* NestFacts::definition(LocalId local) const {
    auto it = definitions_.find(local.index);
    return it == definitions_.end() ? nullptr : it->second;
}

void NestFacts::needs(ExprId value, std::vector<LocalId>& locals,
                      std::vector<ExprId>& loads) const {
    pool.visit(value, [&](ExprId id, const Expr& e) {
        const bool perElement = e.kind == ExprKind::Local && varies(id);
        if (perElement && std::find(locals.begin(), locals.end(), e.local) == locals.end())
            locals.push_back(e.local);
        if (e.kind == ExprKind::Load && varies(id) &&
            std::find(loads.begin(), loads.end(), id) == loads.end())
            loads.push_back(id);
    });
}

double NestFacts::flops(ExprId value) const {
    double sum = 0;
    pool.visit(value, [&](ExprId, const Expr& e) {
        if (e.kind == ExprKind::Op) sum += info(e.op).flops;
    });
    return sum;
}

bool NestFacts::anySideBySide(int width) const {
    bool found = false;
    for (const Phase& phase : nest.phases) {
        if (!phase.inner) continue;
        for (const Statement& s : phase.statements) {
            if (s.kind == Kind::Store) found |= sideBySide(offset(s.target, s.coords), width);
            pool.visit(s.value, [&](ExprId, const Expr& e) {
                if (e.kind == ExprKind::Load)
                    found |= sideBySide(offset(e.buffer, e.coords), width);
            });
        }
    }
    return found;
}

double NestFacts::bodyFlops() const {
    if (bodyFlops_) return *bodyFlops_;
    double sum = 0;
    for (const Phase& phase : nest.phases)
        for (const Statement& s : phase.statements)
            if (phase.inner) sum += flops(s.value);
    bodyFlops_ = sum;
    return sum;
}

bool NestFacts::needsLongIndex() const {
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

int64_t NestFacts::columnBytes() const {
    int64_t bytes = 0;
    for (const Phase& phase : nest.phases)
        for (const Statement& s : phase.statements)
            if (s.kind == Kind::ReduceColumn)
                bytes += static_cast<int64_t>(sizeBytes(nest.locals[s.local.index].dtype)) *
                         (s.reduce == ReduceOp::ArgMax || s.reduce == ReduceOp::ArgMin ? 4 : 1);
    return bytes;
}

} // namespace cutaway::schedule
