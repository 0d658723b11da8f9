// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/substitute.h"

#include "core/kernel/bits.h"

#include <algorithm>

namespace cutaway::kernel {

using ir::DType;
using ir::Sym;

namespace {

ExprId symAsExpr(ExprPool& pool, const Sym& sym, const CoordReplacement& replacement);

ExprId atomAsExpr(ExprPool& pool, const Sym::Atom& atom, const CoordReplacement& replacement) {
    if (atom.kind == Sym::Atom::Kind::Variable) {
        std::optional<Coord> coord = replacement(atom.variable);
        return coord ? asExpr(pool, *coord) : pool.index(Sym(atom.variable));
    }
    const ExprId a = symAsExpr(pool, atom.a, replacement);
    const ExprId b = symAsExpr(pool, atom.b, replacement);
    switch (atom.kind) {
    case Sym::Atom::Kind::FloorDiv:
        return pool.op(ScalarOp::FloorDiv, {a, b});
    case Sym::Atom::Kind::Mod:
        return pool.op(ScalarOp::Remainder, {a, b});
    case Sym::Atom::Kind::Min:
        return pool.op(ScalarOp::Min, {a, b});
    case Sym::Atom::Kind::Max:
        return pool.op(ScalarOp::Max, {a, b});
    case Sym::Atom::Kind::Variable:
        break;
    }
    return a;
}

// sum of coefficient * atoms as operations on int64 values.
ExprId symAsExpr(ExprPool& pool, const Sym& sym, const CoordReplacement& replacement) {
    if (sym.isConst()) return pool.constantInt(DType::Int64, sym.constant());
    ExprId sum;
    for (const Sym::Term& term : sym.terms()) {
        ExprId product;
        for (const Sym::Atom& atom : term.atoms) {
            const ExprId factor = atomAsExpr(pool, atom, replacement);
            product = product.valid() ? pool.op(ScalarOp::Mul, {product, factor}) : factor;
        }
        if (!product.valid())
            product = pool.constantInt(DType::Int64, term.coefficient);
        else if (term.coefficient != 1)
            product =
                pool.op(ScalarOp::Mul, {product, pool.constantInt(DType::Int64, term.coefficient)});
        sum = sum.valid() ? pool.op(ScalarOp::Add, {sum, product}) : product;
    }
    return sum;
}

} // namespace

ExprId asExpr(ExprPool& pool, const Coord& coord) {
    return coord.indirect.valid() ? coord.indirect : pool.index(coord.index);
}

Coord substitute(ExprPool& pool, const Sym& sym, const CoordReplacement& replacement) {
    if (sym.isConst()) return {sym, {}};
    bool computed = false;
    for (ir::Var v : sym.variables()) {
        std::optional<Coord> coord = replacement(v);
        computed = computed || (coord && coord->indirect.valid());
    }
    if (!computed)
        return {sym.substitute([&](ir::Var v) -> std::optional<Sym> {
                    std::optional<Coord> coord = replacement(v);
                    return coord ? std::optional(coord->index) : std::nullopt;
                }),
                {}};
    return {Sym(0), symAsExpr(pool, sym, replacement)};
}

ExprId rewrite(ExprPool& pool, ExprId root, const CoordReplacement& replacement,
               const ir::Sym::Bound& bound, const LoadReplacement& load) {
    std::vector<ExprId> nodes, rewritten;
    pool.visit(root, [&](ExprId id, const Expr&) { nodes.push_back(id); });
    auto now = [&](ExprId old) {
        return rewritten[std::lower_bound(nodes.begin(), nodes.end(), old) - nodes.begin()];
    };
    auto place = [&](const Sym& sym) {
        Coord coord = substitute(pool, sym, replacement);
        if (!coord.indirect.valid() && bound) coord.index = coord.index.simplify(bound);
        return coord;
    };
    for (ExprId node : nodes) {
        Expr expr = pool[node];
        ExprId result = node;
        switch (expr.kind) {
        case ExprKind::Constant:
        case ExprKind::Local:
            break;
        case ExprKind::Index:
            result = asExpr(pool, place(expr.index));
            break;
        case ExprKind::Cast:
            result = pool.cast(castOf(expr), now(expr.args[0]));
            break;
        case ExprKind::Check:
            result = pool.check(expr.check, now(expr.args[0]));
            break;
        case ExprKind::Op:
            for (ExprId& arg : expr.args)
                arg = now(arg);
            result = pool.op(expr.op, expr.args);
            break;
        case ExprKind::Load: {
            for (Coord& coord : expr.coords)
                coord = coord.indirect.valid() ? Coord{Sym(0), now(coord.indirect)}
                                               : place(coord.index);
            const ExprId kept = pool.load(expr.buffer, expr.dtype, expr.coords);
            const ExprId replaced = load ? load(Expr(pool[kept])) : ExprId();
            result = replaced.valid() ? replaced : kept;
            break;
        }
        }
        rewritten.push_back(result);
    }
    return rewritten.back();
}

} // namespace cutaway::kernel
