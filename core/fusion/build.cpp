// SPDX-License-Identifier: Apache-2.0
#include "core/fusion/build.h"

#include "core/fusion/items.h"
#include "core/kernel/device_traits.h"
#include "core/kernel/nest.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace cutaway::fusion {

using kernel::Expr;
using kernel::ExprKind;
using kernel::Level;
using kernel::LocalId;
using kernel::LoopProgram;
using kernel::RowOp;
using kernel::Step;
using Body = kernel::RowTreeBuilder::Body;

namespace {

/// Puts items into passes as statements.
class Emitter {
public:
    Emitter(LoopProgram& program, const std::vector<Item>& items, const Loops& loops,
            ir::Device device)
        : program_(program), items_(items),
          tree_(loops.outer, loops.inner.extent, kernel::traitsOf(device).sumsAtPlaces, loops.nest),
          locals_(items.size()), others_(items.size()) {
        for (const Item& item : items)
            if (item.with >= 0) others_[item.with].item = &item;
    }

    kernel::LoopTree run() {
        std::map<int, Body> passes;
        Body once{false, {}}, columns{true, {}};
        for (size_t i = 0; i < items_.size(); ++i) {
            const Item& item = items_[i];
            if (item.finish) {
                emit(i, 0, item.level == Level::Column ? columns : once);
                continue;
            }
            for (int time : item.times) {
                Body& body = passes[time];
                body.inner = time % 2 == 1;
                emit(i, time, body);
            }
        }
        storeSums(passes, once, columns);
        std::vector<Body> all, finish;
        for (auto& [time, body] : passes)
            all.push_back(std::move(body));
        for (Body* body : {&once, &columns})
            if (!body->steps.empty()) finish.push_back(std::move(*body));
        return tree_.take(program_, std::move(all), std::move(finish));
    }

private:
    bool perPass(const Item& item) const {
        return item.level == Level::Element && !item.kept && !item.finish;
    }

    std::string localName(const std::string& wanted) {
        std::string name = wanted;
        for (int i = 1; !names_.insert(name).second; ++i)
            name = fmt::format("{}_again{}", wanted, i);
        return name;
    }

    kernel::TreeLocal localFor(const Item& item) {
        const kernel::Buffer& buffer = program_.buffer(item.buffer);
        const ir::DType dtype = item.position ? ir::DType::Int64 : ir::computeType(buffer.dtype);
        return {
            localName(item.position ? buffer.name + "_at" : buffer.name), dtype, {}, item.buffer};
    }

    LocalId localOf(int index, int time) const {
        return locals_[index].at(perPass(items_[index]) ? time : 0);
    }

    /// The second result of a statement; read by its item, if any.
    kernel::TreeLocal otherFor(size_t index, ir::DType dtype) {
        if (const Item* other = others_[index].item) return localFor(*other);
        const kernel::Buffer& buffer = program_.buffer(items_[index].buffer);
        const bool mean = buffer.reduce == kernel::ReduceOp::Welford;
        return {buffer.name + (mean ? "_mean" : "_extreme"), dtype, {}, buffer.id};
    }

    void emit(size_t index, int time, Body& body) {
        const Item& item = items_[index];
        if (item.with >= 0) {
            locals_[index][perPass(item) ? time : 0] = others_[item.with].local;
            if (item.stored && !kernel::reduces(item.op)) store(index, time, body);
            return;
        }
        const ExprId value = program_.pool.rewrite(item.value, nullptr, [&](const Expr& load) {
            const int use = itemOf(load);
            return use < 0 ? ExprId() : program_.pool.local(localOf(use, time), load.dtype);
        });
        LocalId& local = locals_[index][perPass(item) ? time : 0];
        const kernel::Buffer& buffer = program_.buffer(item.buffer);
        const ir::DType dtype = program_.pool[value].dtype;
        if (item.op == RowOp::Let) {
            local = tree_.let(body, localFor(item), value, item.buffer, item.kept);
        } else if (item.op == RowOp::Scan || item.op == RowOp::ScanColumn) {
            const kernel::RowCall& row = buffer.call->row;
            const Item* other = others_[index].item;
            const bool column = item.op == RowOp::ScanColumn;
            kernel::TreeLocal own = localFor(item), second = otherFor(index, dtype);
            const auto both = column
                                  ? tree_.scanColumn(body, std::move(own), std::move(second),
                                                     row.running, value, item.buffer, row.backwards)
                                  : tree_.scan(body, std::move(own), std::move(second), row.running,
                                               value, item.buffer, item.kept, other && other->kept);
            local = both.result;
            others_[index].local = both.other;
            if (!column) body.backwards = row.backwards;
        } else {
            const auto both = tree_.reduce(body, item.op, localFor(item), otherFor(index, dtype),
                                           buffer.reduce, value, item.buffer);
            local = both.result;
            others_[index].local = both.other;
        }
        if (item.stored && !kernel::reduces(item.op) && time == firstTime(item))
            store(index, time, body);
    }

    static int firstTime(const Item& item) { return item.finish ? 0 : item.times.front(); }

    void store(size_t index, int time, Body& body) {
        const Item& item = items_[index];
        const kernel::Buffer& buffer = program_.buffer(item.buffer);
        const ExprId value =
            program_.pool.local(localOf(static_cast<int>(index), time), buffer.dtype);
        if (buffer.kind != kernel::BufferKind::Scatter)
            return tree_.store(body, item.buffer, item.place, value, item.buffer);
        std::vector<kernel::Coord> place = item.updated;
        for (kernel::Coord& coord : place) {
            if (!coord.indirect.valid()) continue;
            const int position = itemOf(program_.pool[coord.indirect]);
            coord.indirect = program_.pool.local(localOf(position, time), ir::DType::Int64);
        }
        tree_.accumulate(body, item.buffer, std::move(place), buffer.reduce, value, item.buffer);
    }

    // A sum is stored once it is complete: after its loop, or after all rows.
    void storeSums(std::map<int, Body>& passes, Body& once, Body& columns) {
        Body early{false, {}}, earlyColumns{true, {}};
        auto prepend = [](Body& body, const Body& first) {
            body.steps.insert(body.steps.begin(), first.steps.begin(), first.steps.end());
        };
        for (size_t i = 0; i < items_.size(); ++i) {
            const Item& item = items_[i];
            if (!item.stored || !kernel::reduces(item.op)) continue;
            if (item.op == RowOp::ReduceRow) {
                Body& body = passes[item.time + 1];
                body.inner = false;
                Body stores{false, {}};
                store(i, item.time, stores);
                prepend(body, stores);
            } else {
                store(i, item.time, item.level == Level::Column ? earlyColumns : early);
            }
        }
        prepend(once, early);
        prepend(columns, earlyColumns);
    }

    LoopProgram& program_;
    const std::vector<Item>& items_;
    kernel::RowTreeBuilder tree_;
    std::vector<std::map<int, LocalId>> locals_; ///< by item, then pass (0: one for all passes)
    struct Other {
        const Item* item = nullptr;
        LocalId local;
    };
    std::vector<Other> others_; ///< by item: what its statement gives, too
    std::set<std::string> names_;
};

void describe(const LoopProgram& program, const Group& group, const std::vector<Item>& items,
              BuiltKernel& built) {
    std::set<BufferId> reads, writes, members(group.members.begin(), group.members.end());
    for (const Item& item : items)
        members.insert(item.buffer);
    const kernel::LoopTree& tree = built.tree;
    kernel::visitSteps(tree, tree.root, [&](const Step& step, const auto& open) {
        if (!step.value.valid()) return;
        if (step.kind == Step::Kind::Store) writes.insert(step.target);
        const bool adds = step.kind == Step::Kind::Update || step.kind == Step::Kind::Scan;
        double flops = adds ? 1 : 0;
        program.pool.visit(step.value, [&](ExprId, const Expr& e) {
            if (e.kind == ExprKind::Load) reads.insert(e.buffer);
            if (e.kind == ExprKind::Op) flops += kernel::info(e.op).flops;
        });
        for (kernel::StepId loop : open)
            flops *= static_cast<double>(program.hint(tree.axis(tree.step(loop).axis).extent));
        built.flops += flops;
    });
    built.reads.assign(reads.begin(), reads.end());
    built.writes.assign(writes.begin(), writes.end());
    built.members.assign(members.begin(), members.end());
}

} // namespace

BuiltKernel buildKernel(LoopProgram& program, const Analysis& analysis, const Grouping& grouping,
                        const Group& group, const std::vector<bool>& stores) {
    BuiltKernel built;
    const Loops loops = chooseLoops(program, analysis, grouping, group, stores);
    built.reasons = loops.reasons;
    std::vector<Item> items = makeItems(program, analysis, grouping, group, loops, stores);
    std::vector<std::string> passReasons;
    assignPhases(program, items, passReasons);
    built.reasons.insert(built.reasons.end(), passReasons.begin(), passReasons.end());
    built.tree = Emitter(program, items, loops, group.device).run();
    if (!loops.nest.empty()) built.oneLoop = kernel::withOneLoop(program, built.tree);
    describe(program, group, items, built);
    return built;
}

} // namespace cutaway::fusion
