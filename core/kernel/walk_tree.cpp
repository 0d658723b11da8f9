// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/walk_tree.h"

#include "core/base/tick.h"
#include "core/kernel/interpret_memory.h"
#include "core/kernel/masked_read.h"
#include "core/kernel/row_tree.h"

#include <algorithm>

namespace cutaway::kernel {

namespace {

constexpr int64_t kTurns = 2; ///< of vectors, so that one is seen to follow the other

class Walker {
public:
    Walker(const LoopProgram& program, const LoopTree& tree, const WalkLimits& limits)
        : program_(program), tree_(tree), limits_(limits) {
        for (const ir::Var& symbol : sizeSymbols(program, tree))
            state_.set(symbol, limits.symbol);
        for (const Axis& axis : tree.axes) {
            walk_.extents.push_back(valueOf(axis.extent, state_));
            const bool inVectors = limits.lanes > 1 && axis.variable == innerVar();
            const int64_t least = inVectors ? kTurns * limits.lanes : 0;
            walk_.shown.push_back(
                std::min(walk_.extents.back(), std::max(limits.iterations, least)));
            walk_.whole = walk_.whole && walk_.shown.back() == walk_.extents.back();
        }
        at_.assign(tree.axes.size(), -1);
    }

    Walk run() {
        runSteps(tree_.root);
        return std::move(walk_);
    }

private:
    bool full() const { return walk_.moments.size() >= limits_.moments; }

    void runSteps(const std::vector<StepId>& steps) {
        for (StepId id : steps) {
            if (full()) {
                walk_.whole = false;
                return;
            }
            const Step& step = tree_.step(id);
            if (step.kind == Step::Kind::Loop)
                runLoop(step);
            else
                runStatement(id, step);
        }
    }

    /// Whether one statement is carried out for several iterations before the next begins.
    bool isInVectors(const Step& loop) const {
        return limits_.lanes > 1 && tree_.axis(loop.axis).variable == innerVar() &&
               std::ranges::none_of(loop.body, [this](StepId id) {
                   return tree_.step(id).kind == Step::Kind::Loop;
               });
    }

    void runInVectors(const Step& loop) {
        const uint32_t axis = loop.axis.index;
        int64_t first = 0;
        for (; first < walk_.shown[axis] && !full(); first += limits_.lanes) {
            const int64_t lanes = std::min(limits_.lanes, walk_.shown[axis] - first);
            for (StepId id : loop.body) {
                at_[axis] = first;
                WalkMoment moment{id, at_, {}, lanes};
                for (int64_t lane = 0; lane < lanes; ++lane) {
                    state_.set(tree_.axes[axis].variable, first + lane);
                    addTouches(tree_.step(id), moment);
                }
                walk_.moments.push_back(std::move(moment));
            }
        }
        walk_.whole = walk_.whole && first >= walk_.shown[axis];
        at_[axis] = -1;
    }

    void runLoop(const Step& step) {
        if (isInVectors(step)) return runInVectors(step);
        const uint32_t axis = step.axis.index;
        for (at_[axis] = 0; at_[axis] < walk_.shown[axis] && !full(); ++at_[axis]) {
            state_.set(tree_.axes[axis].variable, at_[axis]);
            runSteps(step.body);
        }
        walk_.whole = walk_.whole && at_[axis] >= walk_.shown[axis];
        at_[axis] = -1;
    }

    std::vector<int64_t> placeOf(const std::vector<Coord>& coords) const {
        std::vector<int64_t> place;
        for (const Coord& coord : coords)
            place.push_back(coord.indirect.valid() ? Touch::kComputed
                                                   : valueOf(coord.index, state_));
        return place;
    }

    void addReads(ExprId root, WalkMoment& moment) const {
        program_.pool.visit(root, [&](ExprId, const Expr& e) {
            // What memory says of a mask is not known here: it may read.
            const bool reads = !e.isMasked() || valueAt(program_.pool, e.mask(), state_) != 0;
            if (e.kind != ExprKind::Load || !reads) return;
            Touch touch{Touch::Kind::Read, e.buffer, placeOf(e.coords)};
            const bool known = moment.lanes > 1 &&
                               std::ranges::find(moment.touches, touch) != moment.touches.end();
            if (!known) moment.touches.push_back(std::move(touch));
        });
    }

    void addTouches(const Step& step, WalkMoment& moment) const {
        base::tick();
        if (step.value.valid()) addReads(step.value, moment);
        for (const Coord& coord : step.coords)
            if (coord.indirect.valid()) addReads(coord.indirect, moment);
        if (step.kind == Step::Kind::Store) {
            const bool adds = step.store == StoreKind::Accumulate;
            moment.touches.push_back({adds ? Touch::Kind::Accumulate : Touch::Kind::Write,
                                      step.target, placeOf(step.coords)});
        }
    }

    void runStatement(StepId id, const Step& step) {
        WalkMoment moment{id, at_, {}};
        addTouches(step, moment);
        walk_.moments.push_back(std::move(moment));
    }

    const LoopProgram& program_;
    const LoopTree& tree_;
    const WalkLimits& limits_;
    LoopState state_;
    std::vector<int64_t> at_;
    Walk walk_;
};

} // namespace

Walk walkTree(const LoopProgram& program, const LoopTree& tree, const WalkLimits& limits) {
    return Walker(program, tree, limits).run();
}

int64_t sizeWith(const ir::Sym& size, int64_t symbol) {
    LoopState state;
    for (const ir::Var& variable : size.variables())
        state.set(variable, symbol);
    return valueOf(size, state);
}

int depthOf(const LoopTree& tree) {
    size_t deepest = 0;
    visitSteps(tree, tree.root, [&](const Step& step, const std::vector<StepId>& open) {
        deepest = std::max(deepest, open.size() + (step.kind == Step::Kind::Loop ? 1 : 0));
    });
    return static_cast<int>(deepest);
}

} // namespace cutaway::kernel
