// SPDX-License-Identifier: Apache-2.0
#include "core/fusion/build.h"

#include "core/fusion/items.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace cutaway::fusion {

using kernel::Expr;
using kernel::ExprKind;
using kernel::Level;
using kernel::Local;
using kernel::LocalId;
using kernel::LoopProgram;
using kernel::Phase;
using kernel::Statement;

namespace {

/// Puts items into phases as statements.
class Emitter {
public:
    Emitter(LoopProgram& program, const std::vector<Item>& items, BuiltKernel& built)
        : program_(program), items_(items), built_(built), locals_(items.size()) {}

    void run() {
        std::map<int, Phase> phases;
        Phase once{false, {}}, columns{true, {}};
        for (size_t i = 0; i < items_.size(); ++i) {
            const Item& item = items_[i];
            if (item.finish) {
                emit(i, 0, item.level == Level::Column ? columns : once);
                continue;
            }
            for (int time : item.times) {
                Phase& phase = phases[time];
                phase.inner = time % 2 == 1;
                emit(i, time, phase);
            }
        }
        storeSums(phases, once, columns);
        for (auto& [time, phase] : phases)
            built_.nest.phases.push_back(std::move(phase));
        if (!once.statements.empty()) built_.nest.finish.push_back(std::move(once));
        if (!columns.statements.empty()) built_.nest.finish.push_back(std::move(columns));
    }

private:
    bool perPhase(const Item& item) const {
        return item.level == Level::Element && !item.kept && !item.finish;
    }

    std::string localName(const std::string& wanted) {
        std::string name = wanted;
        for (int i = 1; !names_.insert(name).second; ++i)
            name = fmt::format("{}_again{}", wanted, i);
        return name;
    }

    LocalId define(size_t index, int time) {
        const Item& item = items_[index];
        const kernel::Buffer& buffer = program_.buffer(item.buffer);
        const LocalId id(static_cast<uint32_t>(built_.nest.locals.size()));
        const ir::DType dtype = item.position ? ir::DType::Int64 : ir::computeType(buffer.dtype);
        built_.nest.locals.push_back({localName(item.position ? buffer.name + "_at" : buffer.name),
                                      dtype, item.level, item.kept, item.buffer});
        locals_[index][perPhase(item) ? time : 0] = id;
        return id;
    }

    LocalId localOf(int index, int time) const {
        return locals_[index].at(perPhase(items_[index]) ? time : 0);
    }

    void emit(size_t index, int time, Phase& phase) {
        const Item& item = items_[index];
        Statement statement;
        statement.kind = item.kind;
        statement.value = program_.pool.rewrite(item.value, nullptr, [&](const Expr& load) {
            const int use = itemOf(load);
            return use < 0 ? ExprId() : program_.pool.local(localOf(use, time), load.dtype);
        });
        if (item.kind != Statement::Kind::Let)
            statement.reduce = program_.buffer(item.buffer).reduce;
        statement.from = item.buffer;
        statement.local = define(index, time);
        phase.statements.push_back(std::move(statement));
        if (item.stored && item.kind == Statement::Kind::Let && time == firstTime(item))
            store(index, time, phase);
    }

    static int firstTime(const Item& item) { return item.finish ? 0 : item.times.front(); }

    void store(size_t index, int time, Phase& phase) {
        const Item& item = items_[index];
        Statement statement;
        statement.kind = Statement::Kind::Store;
        statement.value = program_.pool.local(localOf(static_cast<int>(index), time),
                                              program_.buffer(item.buffer).dtype);
        statement.target = statement.from = item.buffer;
        statement.coords = item.place;
        if (program_.buffer(item.buffer).kind == kernel::BufferKind::Scatter) {
            statement.accumulates = true;
            statement.reduce = program_.buffer(item.buffer).reduce;
            for (const kernel::Coord& coord : item.updated) {
                statement.place.push_back(coord);
                if (!coord.indirect.valid()) continue;
                const int position = itemOf(program_.pool[coord.indirect]);
                statement.place.back().indirect =
                    program_.pool.local(localOf(position, time), ir::DType::Int64);
            }
        }
        phase.statements.push_back(std::move(statement));
    }

    // A sum is stored once it is complete: after its loop, or after all rows.
    void storeSums(std::map<int, Phase>& phases, Phase& once, Phase& columns) {
        Phase early{false, {}}, earlyColumns{true, {}};
        for (size_t i = 0; i < items_.size(); ++i) {
            const Item& item = items_[i];
            if (!item.stored || item.kind == Statement::Kind::Let) continue;
            if (item.kind == Statement::Kind::ReduceRow) {
                Phase& phase = phases[item.time + 1];
                phase.inner = false;
                Phase stores{false, {}};
                store(i, item.time, stores);
                phase.statements.insert(phase.statements.begin(), stores.statements.front());
            } else {
                store(i, item.time, item.level == Level::Column ? earlyColumns : early);
            }
        }
        auto prepend = [](Phase& phase, Phase& first) {
            phase.statements.insert(phase.statements.begin(), first.statements.begin(),
                                    first.statements.end());
        };
        prepend(once, early);
        prepend(columns, earlyColumns);
    }

    LoopProgram& program_;
    const std::vector<Item>& items_;
    BuiltKernel& built_;
    std::vector<std::map<int, LocalId>> locals_; ///< by item, then phase (0: one for all phases)
    std::set<std::string> names_;
};

void describe(LoopProgram& program, const Group& group, const std::vector<Item>& items,
              BuiltKernel& built) {
    std::set<BufferId> reads, writes, members;
    double rows = 1, points = static_cast<double>(program.hint(built.nest.inner->size));
    for (const kernel::LoopDim& dim : built.nest.outer)
        rows *= static_cast<double>(program.hint(dim.size));
    auto scan = [&](const Phase& phase, double times) {
        for (const Statement& s : phase.statements) {
            members.insert(s.from);
            if (s.kind == Statement::Kind::Store) writes.insert(s.target);
            double flops = s.kind >= Statement::Kind::ReduceRow ? 1 : 0;
            program.pool.visit(s.value, [&](ExprId, const Expr& e) {
                if (e.kind == ExprKind::Load) reads.insert(e.buffer);
                if (e.kind == ExprKind::Op) flops += kernel::info(e.op).flops;
            });
            built.flops += flops * times * (phase.inner ? points : 1);
        }
    };
    for (const Phase& phase : built.nest.phases)
        scan(phase, rows);
    for (const Phase& phase : built.nest.finish)
        scan(phase, 1);
    members.insert(group.members.begin(), group.members.end());
    for (const Item& item : items)
        members.insert(item.buffer);
    built.reads.assign(reads.begin(), reads.end());
    built.writes.assign(writes.begin(), writes.end());
    built.members.assign(members.begin(), members.end());
}

} // namespace

BuiltKernel buildKernel(LoopProgram& program, const Analysis& analysis, const Grouping& grouping,
                        const Group& group, const std::vector<bool>& stores) {
    BuiltKernel built;
    const Loops loops = chooseLoops(program, analysis, grouping, group, stores);
    built.nest.outer = loops.outer;
    built.nest.inner = loops.inner;
    built.nest.reasons = loops.reasons;
    std::vector<Item> items = makeItems(program, analysis, grouping, group, loops, stores);
    std::vector<std::string> phaseReasons;
    assignPhases(program, items, phaseReasons);
    auto& reasons = built.nest.reasons;
    reasons.insert(reasons.end(), phaseReasons.begin(), phaseReasons.end());
    Emitter(program, items, built).run();
    describe(program, group, items, built);
    return built;
}

} // namespace cutaway::fusion
