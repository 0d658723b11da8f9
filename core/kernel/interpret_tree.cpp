// SPDX-License-Identifier: Apache-2.0
// The slow meaning of loop trees: step by step, loops one iteration after the other.
#include "core/kernel/interpret_memory.h"
#include "core/kernel/row_call.h"

#include <map>

namespace cutaway::kernel {

namespace {

class TreeRunner {
public:
    TreeRunner(Memory& memory, const LoopTree& tree) : memory_(memory), tree_(tree) {
        state_ = memory.sizes();
        for (const Axis& axis : tree.axes)
            extents_.push_back(memory.sizeOf(axis.extent));
        at_.resize(tree.axes.size());
        for (const TreeLocal& local : tree.locals) {
            int64_t count = 1;
            for (AxisId axis : local.axes)
                count *= extents_[axis.index];
            cells_.emplace_back(count);
        }
        sums_.resize(tree.locals.size());
        evaluations_.resize(tree.steps.size());
        visitSteps(tree, tree.root, [&](const Step& step, const std::vector<StepId>& open) {
            if (step.kind != Step::Kind::Scan) return;
            const AxisId along = step.axis.valid() ? step.axis : tree.step(open.back()).axis;
            running_[&step].along = along.index;
        });
        for (size_t i = 0; i < tree.steps.size(); ++i)
            prepare(tree.steps[i], evaluations_[i]);
    }

    void run() { runSteps(tree_.root); }

private:
    /// The value first, then computed coordinates.
    void prepare(const Step& step, std::vector<Evaluation>& evaluations) {
        if (step.value.valid()) evaluations.emplace_back(memory_, step.value);
        for (const Coord& coord : step.coords)
            if (coord.indirect.valid()) evaluations.emplace_back(memory_, coord.indirect);
    }

    void runSteps(const std::vector<StepId>& steps) {
        for (StepId id : steps) {
            const Step& step = tree_.step(id);
            if (step.kind == Step::Kind::Loop)
                runLoop(step);
            else
                runStatement(step, evaluations_[id.index]);
        }
    }

    void runLoop(const Step& step) {
        const uint32_t axis = step.axis.index;
        for (auto& [scan, running] : running_)
            if (running.along == axis) running.values.clear();
        for (int64_t k = 0; k < extents_[axis]; ++k) {
            at_[axis] = step.backwards ? extents_[axis] - 1 - k : k;
            state_.set(tree_.axes[axis].variable, at_[axis]);
            open_.push_back(axis);
            runSteps(step.body);
            open_.pop_back();
        }
        at_[axis] = 0;
    }

    size_t cellOf(LocalId id) const {
        size_t index = 0;
        for (AxisId axis : tree_.local(id).axes)
            index = index * extents_[axis.index] + at_[axis.index];
        return index;
    }

    Scalar read(LocalId id) { return cells_[id.index][cellOf(id)]; }

    Scalar value(Evaluation& evaluation) {
        return evaluation(state_, [this](LocalId id) { return read(id); });
    }

    void runStatement(const Step& step, std::vector<Evaluation>& evaluations) {
        switch (step.kind) {
        case Step::Kind::Let:
            cells_[step.locals[0].index][cellOf(step.locals[0])] = value(evaluations[0]);
            return;
        case Step::Kind::Start:
            return start(step);
        case Step::Kind::Update:
            return update(step, evaluations);
        case Step::Kind::Store:
            return store(step, evaluations);
        case Step::Kind::Scan:
            return scan(step, evaluations, running_[&step]);
        case Step::Kind::Loop:
            return;
        }
    }

    void start(const Step& step) {
        const LocalId id = step.locals[0];
        const TreeLocal& local = tree_.local(id);
        // Of two results, the second local has the reduction's own.
        sums_[id.index].assign(
            cells_[id.index].size(),
            Accumulator(step.reduce, local.dtype, tree_.local(step.locals.back()).dtype));
        if (givesTwo(step.reduce)) return;
        for (size_t k = 0; k < cells_[id.index].size(); ++k)
            cells_[id.index][k] = sums_[id.index][k].result();
    }

    void update(const Step& step, std::vector<Evaluation>& evaluations) {
        const LocalId id = step.locals[0];
        const size_t cell = cellOf(id);
        Accumulator& sum = sums_[id.index][cell];
        const Scalar element =
            convert(value(evaluations[0]), evaluations[0].dtype(), tree_.local(id).dtype);
        if (!givesTwo(step.reduce)) {
            sum.add(element, 0);
            cells_[id.index][cell] = sum.result();
            return;
        }
        sum.add(element, isArg(step.reduce) ? valueOf(step.position, state_) : 0);
        cells_[id.index][cell] = sum.other();
        cells_[step.locals[1].index][cellOf(step.locals[1])] = sum.result();
    }

    /// What a scan has made since its loop began: a value for every iteration of the loops inside.
    struct Running {
        uint32_t along = 0; ///< axis of its loop
        std::map<std::vector<int64_t>, RunningValue> values;
    };

    void scan(const Step& step, std::vector<Evaluation>& evaluations, Running& all) {
        std::vector<int64_t> inside;
        for (size_t k = open_.size(); open_[k - 1] != all.along; --k)
            inside.push_back(at_[open_[k - 1]]);
        RunningValue& running =
            all.values.try_emplace(inside, step.running, evaluations[0].dtype()).first->second;
        running.add(value(evaluations[0]), at_[all.along]);
        const LocalId id = step.locals[0];
        cells_[id.index][cellOf(id)] = running.value(tree_.local(id).dtype);
        if (step.locals.size() > 1)
            cells_[step.locals[1].index][cellOf(step.locals[1])] = {0, running.place()};
    }

    void store(const Step& step, std::vector<Evaluation>& evaluations) {
        const Scalar element = value(evaluations[0]);
        std::vector<int64_t> coords;
        size_t next = 1;
        for (const Coord& c : step.coords)
            coords.push_back(c.indirect.valid() ? value(evaluations[next++]).integer
                                                : valueOf(c.index, state_));
        Image& image = memory_.image(step.target);
        Scalar& target = image.at(coords);
        if (step.store == StoreKind::Assign) {
            target = stored(element, image.buffer->dtype);
            return;
        }
        const Scalar args[] = {target, element};
        const ir::DType dtype = image.buffer->dtype;
        target = stored(evaluate(combineOp(step.reduce), ir::computeType(dtype), args), dtype);
    }

    Memory& memory_;
    const LoopTree& tree_;
    LoopState state_;
    std::vector<int64_t> extents_, at_; ///< by AxisId
    std::vector<uint32_t> open_;        ///< axes of the loops around, outermost first
    std::vector<std::vector<Scalar>> cells_;
    std::vector<std::vector<Accumulator>> sums_;
    std::vector<std::vector<Evaluation>> evaluations_; ///< by StepId
    std::map<const Step*, Running> running_;           ///< of scans
};

} // namespace

void runTree(Memory& memory, const LoopTree& tree) {
    TreeRunner(memory, tree).run();
}

} // namespace cutaway::kernel
