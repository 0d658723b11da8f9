// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/cuda/cuda_plan.h"

#include <algorithm>

namespace cutaway::codegen {

using namespace kernel;
using Kind = Statement::Kind;

NestFacts::NestFacts(const KernelProgram& kernels, const LoopNest& loops)
    : nest(loops), pool(kernels.loops.pool), program(kernels.loops) {
    for (const LoopDim& dim : nest.outer)
        rows *= dim.size.constant();
    if (nest.inner) inner = nest.inner->size.constant();
    for (const Phase& phase : nest.phases)
        for (const Statement& s : phase.statements) {
            reducesRows |= s.kind == Kind::ReduceRow;
            reducesColumns |= s.kind == Kind::ReduceColumn;
            reducesAll |= s.kind == Kind::ReduceAll;
            if (s.kind == Kind::Let) definitions_[s.local.index] = &s;
        }
    for (const Phase& phase : nest.finish)
        for (const Statement& s : phase.statements) {
            finishReduces |= s.kind != Kind::Let && s.kind != Kind::Store;
            if (s.kind == Kind::Let) definitions_[s.local.index] = &s;
        }
}

bool NestFacts::varies(ExprId root) const {
    if (auto known = varies_.find(root.index); known != varies_.end()) return known->second;
    // visit() gives operands first, so every look-up of an operand is a hit.
    pool.visit(root, [&](ExprId id, const Expr& e) {
        if (varies_.count(id.index)) return;
        bool result = false;
        if (e.kind == ExprKind::Index) result = e.index.dependsOn(innerVar());
        if (e.kind == ExprKind::Local) {
            const Level level = nest.locals[e.local.index].level;
            result = level == Level::Element || level == Level::Column;
        }
        for (const Coord& coord : e.coords)
            result |= coord.indirect.valid() ? varies_[coord.indirect.index]
                                             : coord.index.dependsOn(innerVar());
        for (ExprId arg : e.args)
            result |= varies_[arg.index];
        varies_[id.index] = result;
    });
    return varies_[root.index];
}

ir::Sym NestFacts::simplified(const ir::Sym& offset) const {
    return offset.simplify([&](ir::Var v) -> std::optional<int64_t> {
        if (nest.inner && v == nest.inner->variable) return inner;
        for (const LoopDim& dim : nest.outer)
            if (dim.variable == v) return dim.size.constant();
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
    if (offset.isConst()) return false;
    const auto step = offset.coefficient(innerVar());
    if (!step || !step->is(1)) return false;
    const ir::Sym rest = offset - ir::Sym(innerVar());
    if (rest.isConst()) return rest.constant() % width == 0;
    return std::all_of(rest.terms().begin(), rest.terms().end(),
                       [&](const ir::Sym::Term& t) { return t.coefficient % width == 0; });
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

} // namespace cutaway::codegen
