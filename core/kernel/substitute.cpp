// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/substitute.h"

#include "core/kernel/bits.h"
#include "core/kernel/masked_read.h"

#include <algorithm>

namespace cutaway::kernel {

using ir::DType;
using ir::Sym;

namespace {

/// The coordinate as an int64 expression.
ExprId asExpr(ExprPool& pool, const Coord& coord) {
    return coord.indirect.valid() ? coord.indirect : pool.index(coord.index);
}

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

namespace {

/// Rewrites one expression.
class Rewriter {
public:
    Rewriter(ExprPool& pool, const CoordReplacement& replacement, const ir::Sym::Bound& bound,
             const LoadReplacement& load)
        : pool_(pool), replacement_(replacement), bound_(bound), load_(load) {}
    void setUnder(ExprId condition, const LoopProgram& program) {
        under_ = condition;
        program_ = &program;
    }

    ExprId run(ExprId root) {
        pool_.visit(root, [&](ExprId id, const Expr&) { nodes_.push_back(id); });
        rewritten_.resize(nodes_.size());
        // A condition comes before what it decides: what a branch reads that no place takes is not
        // asked for.
        std::vector<ExprId> open{root};
        while (!open.empty()) {
            const ExprId node = open.back();
            const Expr expr = pool_[node];
            const size_t waiting = open.size();
            if (!now(node).valid()) {
                for (ExprId input : inputs(expr))
                    if (!now(input).valid()) open.push_back(input);
                if (open.size() > waiting) {
                    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(waiting), open.end());
                    continue;
                }
                rewritten_[at(node)] = rewritten(node, expr);
            }
            open.pop_back();
        }
        return rewritten_.back();
    }

private:
    size_t at(ExprId old) const {
        return static_cast<size_t>(std::lower_bound(nodes_.begin(), nodes_.end(), old) -
                                   nodes_.begin());
    }
    ExprId now(ExprId old) const { return rewritten_[at(old)]; }

    static ExprId conditionOf(const Expr& expr) {
        if (expr.kind == ExprKind::Load) return expr.mask();
        return expr.kind == ExprKind::Op && expr.op == ScalarOp::Where ? expr.args[0] : ExprId();
    }
    /// What \p condition is at every place, if it is rewritten and the same at all.
    std::optional<bool> decided(ExprId condition) const {
        if (!condition.valid() || !now(condition).valid()) return std::nullopt;
        const Expr& value = pool_[now(condition)];
        if (value.kind != ExprKind::Constant) return std::nullopt;
        return value.integer != 0;
    }

    /// What \p expr is made of as far as that is known: a condition first, then without the branch
    /// that is not taken.
    std::vector<ExprId> inputs(const Expr& expr) const {
        const ExprId condition = conditionOf(expr);
        if (condition.valid() && !now(condition).valid()) return {condition};
        const std::optional<bool> taken = decided(condition);
        if (expr.kind != ExprKind::Load) {
            if (!taken) return {expr.args.begin(), expr.args.end()};
            return {expr.args[*taken ? 1 : 2]};
        }
        if (taken && !*taken) return {expr.neutral()};
        std::vector<ExprId> found;
        for (const Coord& coord : expr.coords)
            if (coord.indirect.valid()) found.push_back(coord.indirect);
        if (!taken) found.insert(found.end(), expr.args.begin(), expr.args.end());
        return found;
    }

    Coord place(const Sym& sym) const {
        Coord coord = substitute(pool_, sym, replacement_);
        if (!coord.indirect.valid() && bound_) coord.index = coord.index.simplify(bound_);
        return coord;
    }

    ExprId rewritten(ExprId node, Expr expr) {
        switch (expr.kind) {
        case ExprKind::Constant:
        case ExprKind::Local:
            break;
        case ExprKind::Index:
            return asExpr(pool_, place(expr.index));
        case ExprKind::Cast:
            return pool_.cast(castOf(expr), now(expr.args[0]));
        case ExprKind::Check:
            return check(expr);
        case ExprKind::Op:
            if (const auto taken = decided(conditionOf(expr)))
                return now(expr.args[*taken ? 1 : 2]);
            for (ExprId& arg : expr.args)
                arg = now(arg);
            return pool_.op(expr.op, expr.args);
        case ExprKind::Load:
            return load(std::move(expr));
        }
        return node;
    }

    ExprId check(const Expr& expr) {
        const ExprId value = now(expr.args[0]);
        if (!under_.valid()) return pool_.check(expr.check, value);
        const bool divides = program_->checks[expr.check.index].kind == Check::Kind::Divisor;
        const ExprId passes = pool_.constantInt(expr.dtype, divides ? 1 : 0);
        return pool_.check(expr.check, pool_.op(ScalarOp::Where, {under_, value, passes}));
    }

    ExprId load(Expr expr) {
        if (const auto taken = decided(conditionOf(expr))) {
            if (!*taken) return now(expr.neutral());
            expr.args.clear();
        }
        for (Coord& coord : expr.coords)
            coord =
                coord.indirect.valid() ? Coord{Sym(0), now(coord.indirect)} : place(coord.index);
        for (ExprId& arg : expr.args)
            arg = now(arg);
        const ExprId own = expr.mask(), neutral = expr.neutral();
        const bool fixed = program_ && isFixedInside(*program_, expr);
        if (fixed)
            expr.args.clear();
        else if (under_.valid())
            expr.args = {pool_.both(under_, own),
                         own.valid() ? neutral : pool_.constantInt(expr.dtype, 0)};
        const ExprId kept = pool_.load(expr);
        if (kept == neutral) return kept;
        const ExprId value = load_ ? load_(Expr(pool_[kept])) : ExprId();
        if (!value.valid() && !(fixed && own.valid())) return kept;
        const ExprId read = value.valid() ? value : kept;
        return own.valid() ? pool_.op(ScalarOp::Where, {own, read, neutral}) : read;
    }

    ExprPool& pool_;
    const CoordReplacement& replacement_;
    const ir::Sym::Bound& bound_;
    const LoadReplacement& load_;
    ExprId under_;
    const LoopProgram* program_ = nullptr;
    std::vector<ExprId> nodes_, rewritten_; ///< in order of ids
};

} // namespace

ExprId rewrite(ExprPool& pool, ExprId root, const CoordReplacement& replacement,
               const ir::Sym::Bound& bound, const LoadReplacement& load) {
    return Rewriter(pool, replacement, bound, load).run(root);
}

ExprId rewriteUnder(LoopProgram& program, ExprId under, ExprId root,
                    const CoordReplacement& replacement, const ir::Sym::Bound& bound,
                    const LoadReplacement& load) {
    Rewriter rewriter(program.pool, replacement, bound, load);
    rewriter.setUnder(under, program);
    return rewriter.run(root);
}

} // namespace cutaway::kernel
