// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/split_loop.h"

#include "core/kernel/row_tree.h"
#include "core/kernel/substitute.h"

#include <algorithm>

namespace cutaway::kernel {

using ir::Sym;

namespace {

std::optional<AxisId> innerAxis(const LoopTree& tree) {
    for (uint32_t k = 0; k < tree.axes.size(); ++k)
        if (tree.axes[k].variable == innerVar()) return AxisId(k);
    return std::nullopt;
}

} // namespace

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
