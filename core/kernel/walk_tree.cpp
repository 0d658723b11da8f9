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

/// One who carries statements out, for one lane.
struct Point {
    LoopState state;
    std::vector<int64_t> at; ///< by AxisId
    Worker who;
};

/// How a loop's iterations are shared.
struct Sharing {
    int blocks = 1, threads = 1;
    bool stretches = false; ///< of iterations beside each other; else every n-th is one's
    bool lanes = false;     ///< the threads are those of a warp
    int workers() const { return blocks * threads; }
};

class Walker {
public:
    Walker(const LoopProgram& program, const LoopTree& tree, const WalkLimits& limits)
        : program_(program), tree_(tree), limits_(limits) {
        points_.push_back({{}, std::vector<int64_t>(tree.axes.size(), -1), {}});
        for (const ir::Var& symbol : sizeSymbols(program, tree))
            points_[0].state.set(symbol, limits.symbol);
        for (const Axis& axis : tree.axes) {
            walk_.extents.push_back(valueOf(axis.extent, points_[0].state));
            walk_.shown.push_back(std::min(walk_.extents.back(), limits.iterations));
        }
        for (StepId id : tree.root)
            findShown(tree.step(id), {});
        for (size_t a = 0; a < walk_.shown.size(); ++a)
            walk_.whole = walk_.whole && walk_.shown[a] == walk_.extents[a];
    }

    Walk run() {
        runSteps(tree_.root);
        return std::move(walk_);
    }

private:
    bool full() const { return walk_.moments.size() >= limits_.moments; }

    /// Whose places are taken by a loop around.
    struct Taken {
        bool threads = false, blocks = false, block = false, lanes = false;
    };

    Sharing sharingOf(const Step& loop, const Taken& taken) const {
        Sharing sharing;
        if (walk_.extents[loop.axis.index] < 2) return sharing; // not worth it
        if (has(loop.places, Place::Threads) && limits_.threads > 1 && !taken.threads)
            return {1, limits_.threads, true};
        if (has(loop.places, Place::Grid) && limits_.blocks > 1 && !taken.blocks)
            sharing.blocks = limits_.blocks;
        if (has(loop.places, Place::Block) && limits_.block > 1 && !taken.block)
            sharing.threads = limits_.block;
        if (has(loop.places, Place::Lane) && limits_.warp > 1 && !taken.lanes)
            sharing.threads = limits_.warp, sharing.lanes = true;
        return sharing;
    }

    static Taken with(Taken taken, const Sharing& sharing) {
        (sharing.stretches ? taken.threads
         : sharing.lanes   ? taken.lanes
                           : taken.block) |= sharing.threads > 1;
        taken.blocks |= sharing.blocks > 1;
        return taken;
    }

    /// One statement is carried out for several iterations before the next begins.
    int64_t lanesOf(const Step& loop) const {
        const bool inner = tree_.axis(loop.axis).variable == innerVar() &&
                           std::ranges::none_of(loop.body, [this](StepId id) {
                               return tree_.step(id).kind == Step::Kind::Loop;
                           });
        const bool scheduled = limits_.threads > 0 || limits_.blocks > 0;
        return inner && (!scheduled || has(loop.places, Place::Vector)) ? limits_.lanes : 1;
    }

    /// Everybody who shares a loop has two turns of it.
    void findShown(const Step& step, const Taken& taken) {
        if (step.kind != Step::Kind::Loop) return;
        const Sharing sharing = sharingOf(step, taken);
        const int64_t each = lanesOf(step) * sharing.workers();
        int64_t& shown = walk_.shown[step.axis.index];
        if (each > 1)
            shown = std::min(walk_.extents[step.axis.index], std::max(shown, kTurns * each));
        for (StepId id : step.body)
            findShown(tree_.step(id), with(taken, sharing));
    }

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

    /// The iterations of a turn: of one worker, from \p first on.
    struct Turn {
        int worker;
        int64_t first, lanes;
    };
    static std::vector<Turn> turnOf(int64_t turn, int64_t shown, int64_t lanes,
                                    const Sharing& sharing) {
        const int64_t workers = sharing.workers();
        const int64_t stretch = ((shown + workers - 1) / workers + lanes - 1) / lanes * lanes;
        std::vector<Turn> all;
        for (int w = 0; w < workers; ++w) {
            const int64_t first =
                sharing.stretches ? w * stretch + turn * lanes : (turn * workers + w) * lanes;
            const int64_t end = sharing.stretches ? std::min(shown, (w + 1) * stretch) : shown;
            if (first < end) all.push_back({w, first, std::min(lanes, end - first)});
        }
        return all;
    }

    void runLoop(const Step& step) {
        const uint32_t axis = step.axis.index;
        const Sharing sharing = sharingOf(step, taken_);
        const int64_t lanes = lanesOf(step);
        const Taken before = taken_;
        taken_ = with(taken_, sharing);
        const std::vector<Point> around = points_;
        bool over = false;
        for (int64_t turn = 0; !full(); ++turn) {
            const auto all = turnOf(turn, walk_.shown[axis], lanes, sharing);
            over = all.empty();
            if (over) break;
            points_.clear();
            for (const Point& outer : around)
                for (const Turn& one : all)
                    for (int64_t lane = 0; lane < one.lanes; ++lane) {
                        Point point = outer;
                        point.state.set(tree_.axes[axis].variable, one.first + lane);
                        point.at[axis] = one.first + lane;
                        if (sharing.blocks > 1) point.who.block = one.worker / sharing.threads;
                        if (sharing.threads > 1)
                            point.who.thread = (sharing.lanes && outer.who.thread > 0
                                                    ? outer.who.thread * sharing.threads
                                                    : 0) +
                                               one.worker % sharing.threads;
                        points_.push_back(std::move(point));
                    }
            runSteps(step.body);
        }
        walk_.whole = walk_.whole && over;
        points_ = around;
        taken_ = before;
    }

    int numberOf(const Worker& who) {
        if (who == Worker()) return -1;
        const auto at = std::ranges::find(walk_.workers, who);
        if (at == walk_.workers.end()) walk_.workers.push_back(who);
        return static_cast<int>(std::ranges::find(walk_.workers, who) - walk_.workers.begin());
    }

    std::vector<int64_t> placeOf(const std::vector<Coord>& coords, const LoopState& state) const {
        std::vector<int64_t> place;
        for (const Coord& coord : coords)
            place.push_back(coord.indirect.valid() ? Touch::kComputed
                                                   : valueOf(coord.index, state));
        return place;
    }

    void addReads(ExprId root, const Point& by, int worker, WalkMoment& moment) const {
        program_.pool.visit(root, [&](ExprId, const Expr& e) {
            // What memory says of a mask is not known here: it may read.
            const bool reads = !e.isMasked() || valueAt(program_.pool, e.mask(), by.state) != 0;
            if (e.kind != ExprKind::Load || !reads) return;
            Touch touch{Touch::Kind::Read, e.buffer, placeOf(e.coords, by.state), worker};
            const bool known = points_.size() > 1 &&
                               std::ranges::find(moment.touches, touch) != moment.touches.end();
            if (!known) moment.touches.push_back(std::move(touch));
        });
    }

    void addTouches(const Step& step, const Point& by, int worker, WalkMoment& moment) const {
        base::tick();
        if (step.value.valid()) addReads(step.value, by, worker, moment);
        for (const Coord& coord : step.coords)
            if (coord.indirect.valid()) addReads(coord.indirect, by, worker, moment);
        if (step.kind == Step::Kind::Store) {
            const bool adds = step.store == StoreKind::Accumulate;
            moment.touches.push_back({adds ? Touch::Kind::Accumulate : Touch::Kind::Write,
                                      step.target, placeOf(step.coords, by.state), worker});
        }
    }

    void runStatement(StepId id, const Step& step) {
        WalkMoment moment{id, {}, {}};
        for (const Point& point : points_) {
            const int worker = numberOf(point.who);
            addTouches(step, point, worker, moment);
            const auto own = std::ranges::find(moment.shares, worker, &Share::worker);
            if (own == moment.shares.end())
                moment.shares.push_back({worker, point.at, 1});
            else
                ++own->lanes;
        }
        walk_.moments.push_back(std::move(moment));
    }

    const LoopProgram& program_;
    const LoopTree& tree_;
    const WalkLimits& limits_;
    std::vector<Point> points_; ///< who carries out what comes now
    Taken taken_;
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
