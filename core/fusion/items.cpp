// SPDX-License-Identifier: Apache-2.0
#include "core/fusion/items.h"

#include "core/base/said.h"
#include "core/fusion/order.h"
#include "core/kernel/device_traits.h"
#include "core/kernel/substitute.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <unordered_map>

namespace cutaway::fusion {

using ir::Sym;
using kernel::Buffer;
using kernel::Coord;
using kernel::Expr;
using kernel::ExprKind;
using kernel::Level;
using kernel::LoopProgram;
using kernel::RowOp;

namespace {

constexpr uint32_t kItemBase = 0x80000000u;

/// An expression that stands for the value of item \p index until locals exist.
ExprId itemRef(kernel::ExprPool& pool, int index, ir::DType dtype) {
    return pool.load(BufferId(kItemBase + static_cast<uint32_t>(index)), dtype, {});
}
// A value that costs more than this many operations and loads is kept for later phases.
constexpr double kCheap = 8;

struct MemberCode {
    RowOp op;
    Level level;
    bool finish;
};

MemberCode codeOf(Role role) {
    switch (role) {
    case Role::Row:
        return {RowOp::Let, Level::Row, false};
    case Role::RowReduce:
        return {RowOp::ReduceRow, Level::Row, false};
    case Role::ColumnReduce:
        return {RowOp::ReduceColumn, Level::Column, false};
    case Role::FullReduce:
    case Role::RowAll:
        return {RowOp::ReduceAll, Level::Once, false};
    case Role::Column:
        return {RowOp::Let, Level::Column, true};
    case Role::Scalar:
        return {RowOp::Let, Level::Once, true};
    case Role::RowScan:
        return {RowOp::Scan, Level::Element, false};
    case Role::ColumnScan:
        return {RowOp::ScanColumn, Level::Element, false};
    case Role::Element:
    case Role::Library:
        break;
    }
    return {RowOp::Let, Level::Element, false};
}

class ItemMaker {
public:
    ItemMaker(LoopProgram& program, const Analysis& analysis, const Grouping& grouping,
              const Group& group, const Loops& loops, const std::vector<bool>& stores)
        : program_(program), analysis_(analysis), grouping_(grouping), group_(group), loops_(loops),
          stores_(stores), bounds_(loops.bounds()) {
        flat_ = loops.outer.empty();
        for (BufferId id : group.members) {
            const Role role = grouping.roles[id.index];
            flat_ = flat_ && (role == Role::Element);
        }
    }

    std::vector<Item> run() {
        for (BufferId id : executionOrder(analysis_, grouping_, group_))
            addMember(id);
        return std::move(items_);
    }

private:
    void addMember(BufferId id) {
        member_ = &program_.buffer(id);
        const Role role = grouping_.roles[id.index];
        code_ = codeOf(role);
        if (code_.op == RowOp::ScanColumn && kernel::traitsOf(group_.device).columnsAsRows)
            code_.op = RowOp::Scan;
        variables_ = memberVariables(analysis_[id], role, group_, loops_.axes, loops_.cut);
        loads_.clear();
        for (const Access& access : analysis_[id].loads)
            if (access.load.valid()) loads_.push_back(placeOf(program_.pool[access.load]));
        Item item;
        item.buffer = id;
        if (member_->of.valid()) {
            item.with = memberItem_.at(member_->of.index);
            item.value = itemRef(program_.pool, item.with, program_.buffer(member_->of).dtype);
        } else {
            item.value =
                toKernel(rewritten(analysis_[id].own, [](ir::Var) { return std::nullopt; }));
        }
        item.op = code_.op;
        item.level = code_.level;
        item.finish = code_.finish;
        item.everyElement = role == Role::FullReduce;
        item.stored = stores_[id.index];
        if (member_->kind == kernel::BufferKind::Scatter) return addScatter(std::move(item));
        for (size_t i = 0; i < member_->sizes.size(); ++i) {
            const Sym d = member_->sizes[i].is(1) ? Sym(0) : Sym(kernel::dimVar(i));
            item.place.push_back(d.substitute(variables_).simplify(bounds_));
        }
        memberItem_[id.index] = append(std::move(item));
    }

    /// The computed coordinates of an update, then its value.
    void addScatter(Item item) {
        const ExprId place =
            toKernel(rewritten(member_->place, [](ir::Var) { return std::nullopt; }));
        std::vector<int> positions;
        const std::vector<Coord> coords = program_.pool[place].coords;
        for (const Coord& coord : coords) {
            item.updated.push_back(coord);
            if (!coord.indirect.valid()) continue;
            Item position;
            position.buffer = member_->id;
            position.value = coord.indirect;
            position.position = true;
            position.finish = code_.finish;
            const bool anyLevel = code_.finish || kernel::traitsOf(member_->device).rowValues;
            position.level = anyLevel ? levelOf(coord.indirect) : Level::Element;
            positions.push_back(append(std::move(position)));
            item.updated.back().indirect =
                itemRef(program_.pool, positions.back(), ir::DType::Int64);
        }
        const int index = append(std::move(item));
        for (int position : positions)
            items_[index].uses.push_back(position);
        memberItem_[member_->id.index] = index;
    }

    int append(Item item) {
        program_.pool.visit(item.value, [&](ExprId, const Expr& e) {
            if (const int use = itemOf(e); use >= 0) item.uses.push_back(use);
        });
        items_.push_back(std::move(item));
        return static_cast<int>(items_.size()) - 1;
    }

    // Pass 1, in the member's variables: what lies in this kernel or is computed again becomes
    // items.
    ExprId rewritten(ExprId body, const kernel::CoordReplacement& place, ExprId under = {}) {
        return kernel::rewriteUnder(program_, under, body, place, loopBounds(*member_),
                                    [this](const Expr& load) { return resolve(load); });
    }

    /// What a load reads, whatever its mask and the value beside: that is spelled out in the analysis
    /// and written with items here.
    ExprId placeOf(const Expr& load) {
        const std::vector<Coord> coords = load.coords;
        return program_.pool.load(load.buffer, load.dtype, coords);
    }

    ExprId resolve(const Expr& load) {
        if (load.buffer == member_->id) return {}; // where an update goes
        const ExprId id = placeOf(load);
        // A gathered place is written with items here but spelled out in the analysis, so it is the
        // producer that tells first.
        const auto& again = analysis_[member_->id].recomputes;
        if (std::find(again.begin(), again.end(), load.buffer) != again.end() &&
            std::find(loads_.begin(), loads_.end(), id) == loads_.end() &&
            !forgetsIndex(program_, load))
            return recompute(load);
        if (isLeftOut(load.buffer)) return nothing(load.dtype);
        if (!grouping_.together(load.buffer, member_->id)) return {};
        return itemRef(program_.pool, memberItem_.at(load.buffer.index), load.dtype);
    }

    /// Whether the analysis, where places are spelled out and conditions thus decided, has no read of
    /// it left: it stands in a branch that is never taken, and nobody keeps it.
    bool isLeftOut(BufferId id) const {
        const kernel::BufferKind kind = program_.buffer(id).kind;
        if (kind != kernel::BufferKind::Pointwise && kind != kernel::BufferKind::Reduction)
            return false;
        if (stores_[id.index] || grouping_.together(id, member_->id)) return false;
        const std::vector<Access>& reads = analysis_[member_->id].loads;
        return std::ranges::none_of(reads, [&](const Access& read) { return read.buffer == id; });
    }
    ExprId nothing(ir::DType dtype) {
        return ir::isFloating(dtype) ? program_.pool.constant(dtype, 0)
                                     : program_.pool.constantInt(dtype, 0);
    }

    ExprId recompute(const Expr& load) {
        const Buffer& producer = program_.buffer(load.buffer);
        if (producer.kind != kernel::BufferKind::Pointwise)
            throw std::logic_error(fmt::format("{} cannot be computed again", producer.name));
        const auto place = [&](ir::Var v) {
            return v.kind == 'd' ? std::optional<Coord>(load.coords[v.index]) : std::nullopt;
        };
        const ExprId value = toKernel(rewritten(producer.body, place, load.mask()));
        if (program_.pool[value].kind == ExprKind::Constant) return value; // may decide a branch
        auto [known, end] = recomputed_.equal_range(value.index);
        for (; known != end; ++known) {
            const Item& item = items_[known->second];
            if (item.buffer == producer.id && item.finish == code_.finish)
                return itemRef(program_.pool, known->second, producer.dtype);
        }
        Item item;
        item.buffer = producer.id;
        item.value = value;
        item.finish = code_.finish;
        item.level = levelOf(value);
        const int index = append(std::move(item));
        recomputed_.emplace(value.index, index);
        return itemRef(program_.pool, index, producer.dtype);
    }

    bool isOfPass(const Sym& index) const {
        const std::vector<ir::Var> variables = index.variables();
        return std::ranges::any_of(variables, [&](ir::Var v) { return loops_.isOfPass(v); });
    }

    Level levelOf(ExprId value) const {
        bool inner = flat_;
        program_.pool.visit(value, [&](ExprId, const Expr& e) {
            inner = inner || isOfPass(e.index);
            for (const Coord& c : e.coords)
                inner = inner || isOfPass(c.index);
            if (const int use = itemOf(e); use >= 0)
                inner = inner || items_[use].level == Level::Element ||
                        (code_.finish && items_[use].level == Level::Column);
        });
        if (code_.finish) return inner ? Level::Column : Level::Once;
        return inner ? Level::Element : Level::Row;
    }

    // Pass 2: the member's variables become the kernel's.
    ExprId toKernel(ExprId value) {
        return kernel::rewrite(
            program_.pool, value,
            [this](ir::Var v) -> std::optional<Coord> {
                std::optional<Sym> replaced = variables_(v);
                return replaced ? std::optional(Coord{*replaced, {}}) : std::nullopt;
            },
            bounds_, nullptr);
    }

    LoopProgram& program_;
    const Analysis& analysis_;
    const Grouping& grouping_;
    const Group& group_;
    const Loops& loops_;
    const std::vector<bool>& stores_;
    ir::Sym::Bound bounds_;
    bool flat_ = false; ///< one loop, nothing but elements: values of rows are elements too
    const Buffer* member_ = nullptr;
    MemberCode code_{};
    std::function<std::optional<Sym>(ir::Var)> variables_;
    std::vector<ExprId> loads_; ///< places that the member reads rather than computes again
    std::vector<Item> items_;
    std::unordered_map<uint32_t, int> memberItem_;
    std::unordered_multimap<uint32_t, int> recomputed_; ///< by value, looked up only
};

} // namespace

int itemOf(const Expr& load) {
    if (load.kind != ExprKind::Load || load.buffer.index < kItemBase) return -1;
    return static_cast<int>(load.buffer.index - kItemBase);
}

std::vector<Item> makeItems(LoopProgram& program, const Analysis& analysis,
                            const Grouping& grouping, const Group& group, const Loops& loops,
                            const std::vector<bool>& stores) {
    return ItemMaker(program, analysis, grouping, group, loops, stores).run();
}

namespace {

bool inInnerLoop(const Item& item) {
    return item.level == Level::Element || item.op == RowOp::ReduceRow ||
           item.op == RowOp::ReduceColumn || item.everyElement;
}

// When the item's value is known: at its own time, or after the loop that sums it.
int knownAt(const Item& item) {
    return item.op == RowOp::ReduceRow ? item.time + 1 : item.time;
}

/// Whether the order of the pass matters to the item, and which it is.
std::optional<bool> directionOf(const LoopProgram& program, const Item& item) {
    const Buffer& buffer = program.buffer(item.buffer);
    if (item.op == RowOp::Scan) return buffer.call->row.backwards;
    if (item.op != RowOp::Let && kernel::isArg(buffer.reduce)) return false;
    return std::nullopt;
}

void setTimes(const LoopProgram& program, std::vector<Item>& items) {
    std::map<int, bool> directions; ///< by time: whether the pass is backwards
    for (Item& item : items) {
        if (item.finish) continue;
        if (item.with >= 0) {
            item.time = items[item.with].time;
            continue;
        }
        const bool ofElements = inInnerLoop(item);
        int time = ofElements ? 1 : 0;
        for (int use : item.uses) {
            const int known = knownAt(items[use]);
            // An inner loop is odd, rows' statements are even.
            time = std::max(time, known % 2 == (ofElements ? 1 : 0) ? known : known + 1);
        }
        if (const auto backwards = directionOf(program, item))
            while (directions.try_emplace(time, *backwards).first->second != *backwards)
                time += 2;
        item.time = time;
    }
}

void setCosts(const LoopProgram& program, std::vector<Item>& items) {
    for (Item& item : items) {
        item.cost = 0;
        program.pool.visit(item.value, [&](ExprId, const Expr& e) {
            if (e.kind == ExprKind::Op) item.cost += kernel::info(e.op).flops;
            if (e.kind == ExprKind::Load && itemOf(e) < 0) item.cost += 1;
        });
        for (int use : item.uses)
            if (items[use].level == Level::Element)
                item.cost += items[use].cost > kCheap ? 1 : items[use].cost;
    }
}

} // namespace

void assignPhases(const LoopProgram& program, std::vector<Item>& items,
                  std::vector<std::string>& reasons) {
    setTimes(program, items);
    setCosts(program, items);
    std::vector<std::vector<int>> needed(items.size());
    for (size_t i = items.size(); i-- > 0;) {
        Item& item = items[i];
        std::vector<int>& times = needed[i];
        const bool fixed = item.level != Level::Element || item.op != RowOp::Let || item.finish;
        item.kept = item.op == RowOp::Scan &&
                    std::ranges::any_of(times, [&](int time) { return time != item.time; });
        if (item.stored || fixed) times.push_back(item.time);
        std::sort(times.begin(), times.end());
        times.erase(std::unique(times.begin(), times.end()), times.end());
        if (fixed) {
            item.times = {item.time};
        } else if (times.size() > 1 && item.cost > kCheap) {
            item.kept = true;
            item.times = {times.front()};
            reasons.push_back(
                base::said("{} kept for a later phase: computing it again costs {:.0f} "
                           "operations and loads, keeping it one store and one load",
                           program.buffer(item.buffer).name, item.cost));
        } else {
            item.times = times;
            if (times.size() > 1)
                reasons.push_back(base::said("{} computed again in each of {} phases: {:.0f} "
                                             "operations and loads",
                                             program.buffer(item.buffer).name, times.size(),
                                             item.cost));
        }
        for (int use : item.uses)
            for (int time : item.times)
                needed[use].push_back(time);
    }
    std::reverse(reasons.begin(), reasons.end());
}

} // namespace cutaway::fusion
