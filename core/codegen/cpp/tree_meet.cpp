// SPDX-License-Identifier: Apache-2.0
// Sums at computed places: what threads do that may meet there. Each owns a part of the target; or
// adds atomically; or into a copy of its own; or iterations are sorted by their place first.
#include "core/codegen/cpp/tree.h"

#include "core/kernel/address.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cutaway::codegen::cpp {

using namespace kernel;
using ir::DType;
using ir::Sym;

/// Elements of the longest vector.
static constexpr int64_t kLargestVector = 64;

/// Opens the block of what the thread owns.
void TreeEmitter::emitGuard(const Step& s, Expressions& values, Lines& lines) {
    const auto dimension = static_cast<size_t>(s.owned);
    const Coord& coord = s.coords[dimension];
    const Buffer& target = program_.loops.buffer(s.target);
    const std::string owned = coord.indirect.valid()
                                  ? values.within(target, dimension, coord, false)
                                  : text(names_.byRow(coord.index));
    const std::string name = names_.block->unique("owned");
    lines.add(fmt::format("const long {} = {};", name, owned), {s.from});
    lines.open(fmt::format("if ({0} >= first && {0} < last)", name), {s.from});
}

/// Lanes that may meet are added one after the other; so are those that other threads may meet.
void TreeEmitter::emitAccumulate(const Step& s, const std::string& value, Expressions& values,
                                 Lines& body, const std::string& lanes) {
    const Buffer& target = program_.loops.buffer(s.target);
    const bool meet = std::none_of(s.coords.begin(), s.coords.end(), [](const Coord& coord) {
        return !coord.indirect.valid() && coord.index.asVar() == innerVar();
    });
    const bool atomic = s.conflict == Conflict::Atomic;
    if (!meet && !atomic) return values.store(s, value, false);
    bool uniform = true;
    const std::string index = values.address(target, s.coords, true, uniform);
    std::string owner;
    const auto dimension = static_cast<size_t>(s.owned);
    if (&s == owner_ && s.coords[dimension].indirect.valid() &&
        values.varying(s.coords[dimension].indirect))
        owner = fmt::format(", {}, first, last",
                            values.within(target, dimension, s.coords[dimension], true));
    body.add(fmt::format("{}_{}({}, {}, {}{}{});", atomic ? "atomic" : "scatter",
                         updating(s.reduce), names_.pointers.at(s.target),
                         uniform ? fmt::format("splat((long)({}))", index) : index, value, owner,
                         lanes),
             {s.from});
}

/// Where the threads' copies lie in scratch memory, whole vectors each.
void TreeEmitter::planCopies() {
    const Buffer& target = program_.loops.buffer(copied_->target);
    const Sym whole(kLargestVector);
    copyElements_ = ir::floorDiv(target.numel() + whole - Sym(1), whole) * whole;
    copyOffset_ = scratchBytes_;
    const Sym bytes = copyElements_ * Sym(static_cast<int64_t>(ir::sizeBytes(target.dtype)));
    scratchBytes_ = scratchBytes_ + bytes * Sym(threads_);
    total_ = names_.pointers.at(target.id);
    copy_ = names_.names.unique("copy_" + target.name);
    shareSetUp_.add(fmt::format("{0}* {1} = ({0}*)(scratch + {2} + {3} * part);",
                                scalarType(target.dtype), copy_, text(copyOffset_),
                                operand(text(bytes))),
                    {target.id});
    shareSetUp_.add(fmt::format("for (long i = 0; i < {}; ++i) {}[i] = {};", text(copyElements_),
                                copy_, identity(copied_->reduce, target.dtype)),
                    {target.id});
}

/// The copies are added to the target in the order of the threads.
void TreeEmitter::addCopies(Lines& lines) {
    const Buffer& target = program_.loops.buffer(copied_->target);
    const bool either = target.dtype == DType::Bool && copied_->reduce == ReduceOp::Sum;
    const std::set<BufferId> from = {target.id};
    auto added = [&](const std::string& at, const std::string& lanes) {
        const std::string sum = combined(either ? ReduceOp::Any : copied_->reduce,
                                         fmt::format("load({} + {}{})", total_, at, lanes),
                                         fmt::format("load({} + {}{})", copy_, at, lanes));
        return fmt::format("store({} + {}, {}{});", total_, at, sum, lanes);
    };
    openParts(target.numel(), kLargestVector, "threads", lines);
    lines.add("long rest = first;", from);
    lines.open("for (; rest + LANES <= last; rest += LANES)", from);
    addEachCopy(added("rest", ""), lines);
    lines.close();
    lines.open("if (rest < last)", from);
    addEachCopy(added("rest", ", First{last - rest}"), lines);
    lines.close();
    lines.close();
}

void TreeEmitter::addEachCopy(const std::string& sum, Lines& lines) {
    const Buffer& target = program_.loops.buffer(copied_->target);
    lines.open("for (long j = 0; j < threads; ++j)", {target.id});
    lines.add(fmt::format("const {0}* {1} = (const {0}*)(scratch + {2}) + {3} * j;",
                          scalarType(target.dtype), copy_, text(copyOffset_),
                          operand(text(copyElements_))),
              {target.id});
    lines.add(sum, {target.id});
    lines.close();
}

/// How many values the coordinate has that iterations are sorted by.
const Sym& TreeEmitter::places() const {
    return program_.loops.buffer(sorted_->target).sizes[static_cast<size_t>(sorted_->owned)];
}

/// For each row the place that it goes to, where the rows of a place begin, and rows by place.
void TreeEmitter::planSort() {
    const std::set<BufferId> from = {sorted_->target};
    auto table = [&](std::string& name, const char* wanted, const Sym& elements) {
        name = names_.names.unique(wanted);
        const std::string line =
            fmt::format("long* {} = (long*)(scratch + {});", name, text(scratchBytes_));
        sortSetUp_.add(line, from);
        const Sym granule(kAlignment / 8);
        scratchBytes_ =
            scratchBytes_ + ir::floorDiv(elements + granule - Sym(1), granule) * Sym(kAlignment);
        return line;
    };
    const Sym rows = names_.extentOf({'w', 0});
    sort_ = names_.names.unique("sort_rows");
    table(keys_, "place_of", rows);
    shareSetUp_.add("const " + table(begins_, "begins", places() + Sym(2)), from);
    shareSetUp_.add("const " + table(order_, "order", rows), from);
}

/// Counts the rows of every place; then each row, in order, comes after those counted before it.
void TreeEmitter::emitSort(Lines& lines) {
    const std::set<BufferId> from = {sorted_->target};
    Scope block(names_.names);
    names_.block = &block;
    const Coord& coord = sorted_->coords[static_cast<size_t>(sorted_->owned)];
    Lines key(2);
    emitScalars(neededBy(coord.indirect), key);
    Expressions values(names_, {coord.indirect}, false, key, key, "");
    const std::string place = values.within(program_.loops.buffer(sorted_->target),
                                            static_cast<size_t>(sorted_->owned), coord, false);
    key.add(fmt::format("{}[row] = {};", keys_, place), from);
    Lines body(1);
    body.append(sortSetUp_);
    const std::string rows = text(names_.extentOf({'w', 0})), count = text(places());
    body.add(fmt::format("for (long j = 0; j < {} + 2; ++j) {}[j] = 0;", count, begins_), from);
    body.open(fmt::format("for (long row = 0; row < {}; ++row)", rows), from);
    declareRow(key, body);
    body.append(key);
    body.add(fmt::format("++{}[{}[row] + 2];", begins_, keys_), from);
    body.close();
    body.add(
        fmt::format("for (long j = 0; j < {0}; ++j) {1}[j + 2] += {1}[j + 1];", count, begins_),
        from);
    body.add(fmt::format("for (long row = 0; row < {}; ++row) {}[{}[{}[row] + 1]++] = row;", rows,
                         order_, begins_, keys_),
             from);
    lines.add("// Sorts rows by the place that they are added at; equal ones keep their order.");
    lines.open(fmt::format("static NOINLINE void {}(void* const* buffers, char* scratch)", sort_));
    lines.append(pointers(body, tree_.sizeArguments));
    lines.append(body);
    lines.close();
}

/// The statements of a row that \p value is computed from, in order.
TreeEmitter::Steps TreeEmitter::neededBy(ExprId value) const {
    std::set<LocalId> needed;
    auto look = [&](ExprId root) {
        program_.loops.pool.visit(root, [&](ExprId, const Expr& e) {
            if (e.kind == ExprKind::Local) needed.insert(e.local);
        });
    };
    look(value);
    Steps found;
    const Steps& all = rowSteps();
    for (auto at = all.rbegin(); at != all.rend(); ++at) {
        const Step& s = step(*at);
        if (s.kind != Step::Kind::Let || needed.erase(s.locals[0]) == 0) continue;
        look(s.value);
        found.insert(found.begin(), *at);
    }
    if (!needed.empty())
        throw std::logic_error("rows are sorted by what is known only after a loop over them");
    return found;
}

} // namespace cutaway::codegen::cpp
