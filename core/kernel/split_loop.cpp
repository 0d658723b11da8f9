// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/split_loop.h"

#include "core/kernel/address.h"
#include "core/kernel/row_tree.h"
#include "core/kernel/substitute.h"

#include <algorithm>
#include <set>

namespace cutaway::kernel {

using ir::Sym;

namespace {

std::optional<AxisId> innerAxis(const LoopTree& tree) {
    for (uint32_t k = 0; k < tree.axes.size(); ++k)
        if (tree.axes[k].variable == innerVar()) return AxisId(k);
    return std::nullopt;
}

/// What the innermost variable itself is divided by.
void collectDivisors(const Sym& sym, std::set<int64_t>& divisors) {
    if (sym.isConst()) return;
    for (const Sym::Term& term : sym.terms())
        for (const Sym::Atom& atom : term.atoms) {
            if (atom.kind == Sym::Atom::Kind::Variable) continue;
            const bool divides =
                atom.kind == Sym::Atom::Kind::FloorDiv || atom.kind == Sym::Atom::Kind::Mod;
            if (divides && atom.a.asVar() == innerVar() && atom.b.isConst())
                divisors.insert(atom.b.constant());
            else
                collectDivisors(atom.a, divisors);
        }
}

template <typename Visit>
void visitPlaces(const LoopProgram& program, const LoopTree& tree, const Visit& visit) {
    for (const Step& step : tree.steps) {
        if (step.kind == Step::Kind::Store)
            if (const auto offset = offsetOf(program.buffer(step.target), step.coords))
                visit(*offset);
        if (!step.value.valid()) continue;
        program.pool.visit(step.value, [&](ExprId, const Expr& e) {
            if (e.kind != ExprKind::Load) return;
            if (const auto offset = offsetOf(program.buffer(e.buffer), e.coords)) visit(*offset);
        });
    }
}

} // namespace

int64_t bestPiece(const LoopProgram& program, const LoopTree& tree, int64_t least) {
    const std::optional<AxisId> inner = innerAxis(tree);
    if (!inner || !tree.axis(*inner).extent.isConst()) return 0;
    const int64_t extent = tree.axis(*inner).extent.constant();
    for (const Step& step : tree.steps)
        if (step.kind == Step::Kind::Start && !tree.local(step.locals[0]).axes.empty()) return 0;
    auto bound = [&](ir::Var v) -> std::optional<int64_t> {
        for (const Axis& axis : tree.axes)
            if (axis.variable == v && axis.extent.isConst()) return axis.extent.constant();
        return std::nullopt;
    };
    std::set<int64_t> divisors;
    visitPlaces(program, tree,
                [&](const Sym& offset) { collectDivisors(offset.simplify(bound), divisors); });
    // The shortest piece makes every longer one a whole number of pieces.
    if (divisors.empty()) return 0;
    const int64_t piece = *divisors.begin();
    return piece >= least && piece < extent && extent % piece == 0 ? piece : 0;
}

void splitInner(LoopProgram& program, LoopTree& tree, int64_t piece) {
    const AxisId inner = *innerAxis(tree);
    uint16_t next = 0;
    for (const Axis& axis : tree.axes)
        if (axis.variable.kind == 'o')
            next = std::max<uint16_t>(next, static_cast<uint16_t>(axis.variable.index + 1));
    const int64_t extent = tree.axis(inner).extent.constant();
    const ir::Var pieces = outerVar(next);
    const AxisId outer = tree.addAxis(pieces, Sym(extent / piece));
    tree.axes[inner.index].extent = Sym(piece);
    auto bound = [&](ir::Var v) -> std::optional<int64_t> {
        for (const Axis& axis : tree.axes)
            if (axis.variable == v && axis.extent.isConst()) return axis.extent.constant();
        return std::nullopt;
    };
    const Sym index = Sym(pieces) * Sym(piece) + Sym(innerVar());
    auto inSym = [&](const Sym& sym) {
        return sym
            .substitute([&](ir::Var v) -> std::optional<Sym> {
                return v == innerVar() ? std::optional(index) : std::nullopt;
            })
            .simplify(bound);
    };
    auto inExpr = [&](ExprId id) {
        return rewrite(
            program.pool, id,
            [&](ir::Var v) -> std::optional<Coord> {
                return v == innerVar() ? std::optional(Coord{index, {}}) : std::nullopt;
            },
            bound, nullptr);
    };
    const size_t count = tree.steps.size();
    for (size_t k = 0; k < count; ++k) {
        if (tree.steps[k].value.valid()) tree.steps[k].value = inExpr(tree.steps[k].value);
        tree.steps[k].position = inSym(tree.steps[k].position);
        for (Coord& coord : tree.steps[k].coords) {
            if (coord.indirect.valid())
                coord.indirect = inExpr(coord.indirect);
            else
                coord.index = inSym(coord.index);
        }
        if (tree.steps[k].kind != Step::Kind::Loop || tree.steps[k].axis != inner) continue;
        // The loop's place in its parent becomes the loop over pieces.
        Step elements = tree.steps[k];
        elements.places &= ~static_cast<Places>(Place::Threads);
        const StepId below = tree.add(elements);
        Step& over = tree.steps[k];
        over.axis = outer;
        over.places &= static_cast<Places>(Place::Threads);
        over.tail = Tail::Exact;
        over.body = {below};
        tree.steps[below.index].tail = piece % tree.lanes == 0 ? Tail::Exact : Tail::Mask;
    }
    for (TreeLocal& local : tree.locals)
        for (size_t a = 0; a < local.axes.size(); ++a)
            if (local.axes[a] == inner) {
                local.axes.insert(local.axes.begin() + static_cast<ptrdiff_t>(a), outer);
                break;
            }
    complete(program, tree);
}

} // namespace cutaway::kernel
