// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/nest.h"

#include "core/kernel/row_tree.h"
#include "core/kernel/substitute.h"

#include <algorithm>

namespace cutaway::kernel {

using ir::Sym;

namespace {

bool isLoop(const LoopTree& tree, StepId id) {
    return tree.step(id).kind == Step::Kind::Loop;
}

/// The loops from \p outermost to the one over the innermost variable; empty when another step is
/// in between.
std::vector<AxisId> chainFrom(const LoopTree& tree, StepId outermost) {
    std::vector<AxisId> axes;
    for (StepId at = outermost; isLoop(tree, at); at = tree.step(at).body.front()) {
        axes.push_back(tree.step(at).axis);
        if (tree.axis(axes.back()).variable == innerVar()) return axes;
        if (tree.step(at).body.size() != 1) break;
    }
    return {};
}

/// The steps of a row: what is in the loops that hold more than one loop in the other.
const std::vector<StepId>& stepsOfRow(const LoopTree& tree) {
    const std::vector<StepId>* steps = &tree.root;
    for (;;) {
        const auto around = std::ranges::find_if(
            *steps, [&](StepId id) { return isLoop(tree, id) && chainFrom(tree, id).empty(); });
        if (around == steps->end()) return *steps;
        steps = &tree.step(*around).body;
    }
}

/// The loops of a pass, outermost first, when all passes of a row are the same several loops.
std::vector<AxisId> nestOf(const LoopTree& tree) {
    std::vector<AxisId> nest;
    for (StepId id : stepsOfRow(tree)) {
        if (!isLoop(tree, id)) continue;
        std::vector<AxisId> chain = chainFrom(tree, id);
        if (chain.size() < 2 || (!nest.empty() && chain != nest)) return {};
        nest = std::move(chain);
    }
    return nest;
}

/// One loop over all elements of the loops that a chain begins with.
class Joiner {
public:
    Joiner(LoopProgram& program, const LoopTree& tree, std::vector<AxisId> nest)
        : program_(program), from_(tree), nest_(std::move(nest)) {
        for (uint32_t k = 0; k < tree.axes.size(); ++k) {
            const bool joined = std::ranges::find(nest_, AxisId(k)) != nest_.end();
            axes_.push_back(joined ? AxisId()
                                   : to_.addAxis(tree.axes[k].variable, tree.axes[k].extent));
        }
        for (AxisId id : nest_)
            extent_ = extent_ * tree.axis(id).extent;
        const AxisId inner = to_.addAxis(innerVar(), extent_);
        for (AxisId id : nest_)
            axes_[id.index] = inner;
        to_.lanes = tree.lanes;
        for (TreeLocal local : tree.locals) {
            std::vector<AxisId> axes;
            for (AxisId id : local.axes)
                if (axes.empty() || axes.back() != axes_[id.index]) axes.push_back(axes_[id.index]);
            local.axes = std::move(axes);
            to_.addLocal(std::move(local));
        }
    }

    LoopTree run() {
        to_.root = copied(from_.root);
        complete(program_, to_);
        return std::move(to_);
    }

private:
    std::vector<StepId> copied(const std::vector<StepId>& steps) {
        std::vector<StepId> all;
        for (StepId id : steps) {
            Step step = from_.step(id);
            const bool joins = step.kind == Step::Kind::Loop && step.axis == nest_.front();
            while (joins && from_.axis(step.axis).variable != innerVar())
                step = from_.step(step.body.front());
            step.body = copied(step.body);
            if (step.axis.valid()) step.axis = axes_[step.axis.index];
            if (step.value.valid()) step.value = inExpr(step.value);
            step.position = inSym(step.position);
            for (Coord& coord : step.coords) {
                if (coord.indirect.valid())
                    coord.indirect = inExpr(coord.indirect);
                else
                    coord.index = inSym(coord.index);
            }
            all.push_back(to_.add(std::move(step)));
        }
        return all;
    }

    /// What a variable of the nest is in terms of the one loop's.
    std::optional<Sym> replaced(ir::Var v) const {
        Sym inside(1);
        for (size_t k = nest_.size(); k-- > 0;) {
            const Axis& axis = from_.axis(nest_[k]);
            if (axis.variable == v) {
                const Sym at = ir::floorDiv(Sym(innerVar()), inside);
                return k == 0 ? at : ir::mod(at, axis.extent);
            }
            inside = inside * axis.extent;
        }
        return std::nullopt;
    }

    Sym inSym(const Sym& sym) const {
        return sym.substitute([&](ir::Var v) { return replaced(v); }).simplify(bounds());
    }

    ExprId inExpr(ExprId id) {
        return rewrite(
            program_.pool, id,
            [&](ir::Var v) -> std::optional<Coord> {
                const auto now = replaced(v);
                return now ? std::optional(Coord{*now, {}}) : std::nullopt;
            },
            bounds(), nullptr);
    }

    Sym::Bound bounds() const {
        return [this](ir::Var v) -> std::optional<Sym> {
            for (const Axis& axis : to_.axes)
                if (axis.variable == v) return axis.extent;
            return std::nullopt;
        };
    }

    LoopProgram& program_;
    const LoopTree& from_;
    std::vector<AxisId> nest_;
    std::vector<AxisId> axes_; ///< of the new tree, by AxisId of the old one
    Sym extent_{1};
    LoopTree to_;
};

} // namespace

std::optional<LoopTree> withOneLoop(LoopProgram& program, const LoopTree& tree) {
    std::vector<AxisId> nest = nestOf(tree);
    if (nest.empty() || RowTree::of(program, tree)) return std::nullopt;
    const bool scans = std::ranges::any_of(
        tree.steps, [](const Step& step) { return step.kind == Step::Kind::Scan; });
    if (scans) return std::nullopt;
    LoopTree joined = Joiner(program, tree, std::move(nest)).run();
    return RowTree::of(program, joined) ? std::optional(std::move(joined)) : std::nullopt;
}

} // namespace cutaway::kernel
