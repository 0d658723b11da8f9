// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/cuda/cuda_emitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace cutaway::codegen {

using namespace kernel;
using Kind = Step::Kind;

namespace {

// Without the parentheses that an expression brings along for its users.
std::string bare(const std::string& text) {
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') return text;
    int depth = 0;
    for (size_t at = 0; at + 1 < text.size(); ++at) {
        depth += (text[at] == '(') - (text[at] == ')');
        if (depth == 0) return text; // (a) + (b)
    }
    return text.substr(1, text.size() - 2);
}

/// The prelude's function for values that meet in one place.
std::string_view meetingName(ReduceOp reduce) {
    return reduce == ReduceOp::Max    ? "raise"
           : reduce == ReduceOp::Min  ? "lower"
           : reduce == ReduceOp::Prod ? "multiply"
                                      : "accumulate";
}

bool hasIndirect(const Expr& load) {
    return std::any_of(load.coords.begin(), load.coords.end(),
                       [](const Coord& c) { return c.indirect.valid(); });
}

} // namespace

std::string CudaEmitter::cacheSlot() const {
    if (!tileSlot_.empty()) return tileSlot_;
    const std::string lane = plan_.vector > 1 ? "[k]" : "[0]";
    const bool one = !manyChunks();
    if (plan_.cache == CudaPlan::Cache::Shared)
        return one ? "[x]" + lane : fmt::format("[c * {} + x]{}", plan_.tx, lane);
    return (one ? "[0]" : "[c]") + lane;
}

std::string CudaEmitter::localText(LocalId id) const {
    if (auto known = localText_.find(id.index); known != localText_.end()) return known->second;
    if (auto kept = cacheNames_.find(id.index); kept != cacheNames_.end()) {
        const auto load = loadOf_.find(id.index);
        const std::string slot = kept->second + cacheSlot();
        return load == loadOf_.end() ? slot : inCompute(inMemory(pool_[load->second]), slot);
    }
    return localNames_[id.index];
}

// Whether statements name the single element (its index), beyond what vector accesses give.
bool CudaEmitter::needsLane(const Statements& statements) const {
    for (const Step* s : statements) {
        if (s->kind == Kind::Store && !vectorStores_.count(s)) return true;
        const bool update = s->kind == Kind::Update;
        if (update && isArg(s->reduce)) return true;
        bool needed =
            update && plan_.columnsInScratch && !tree_.local(s->locals.back()).axes.empty();
        pool_.visit(s->value, [&](ExprId id, const Expr& e) {
            if (exprText_.count(id.index)) return;
            needed |= e.kind == ExprKind::Index && e.index.dependsOn(innerVar());
            needed |= e.kind == ExprKind::Load && varies(id);
        });
        if (needed) return true;
    }
    return false;
}

void CudaEmitter::emitVectorLoad(ExprId id, const Expr& load) {
    const bool kept = isKept(id);
    const int width = inFinish_ ? 1 : plan_.vector;
    const ir::Sym at = offset(load.buffer, load.coords);
    // What is kept is kept as it is read: element by element where a condition decides.
    const bool whole = !load.isMasked() || (!kept && !varies(load.mask()));
    const bool wide = whole && width > 1 && !hasIndirect(load) && sideBySide(at, width);
    const std::string lane = plan_.vector > 1 ? "[k]" : "[0]";
    const std::string& pointer = pointers_.at(load.buffer.index);
    if (kept) {
        // Two statements of a pass read it: the first use in either fills it.
        if (std::find(fillPending_.begin(), fillPending_.end(), id.index) != fillPending_.end())
            return;
        const std::string slot = cacheNames_.at(keptLoads_.at(id.index).index) + cacheSlot();
        if (!std::exchange(cacheFilled_[id.index], true)) {
            const std::string whole = slot.substr(0, slot.size() - 3);
            if (auto next = nextNames_.find(id.index); next != nextNames_.end()) {
                const std::string place = manyChunks() ? "[c]" : "[0]";
                out_.line(fmt::format("{} = {}{};", whole, next->second, place));
                out_.line(fmt::format("{}{} = {};", next->second, place, nextRowLoad(load)));
            } else if (wide)
                out_.line(
                    fmt::format("{} = op::load<{}>({} + {});", whole, width, pointer, index(at)));
            else
                return fillPending_.push_back(id.index); // element by element
        }
        name(id, inCompute(inMemory(load), slot));
        return;
    }
    if (!wide) return;
    const std::string reads = load.isMasked() ? text(load.mask()) : "";
    const std::string vector = names_.fresh(program_.loops.buffer(load.buffer).name + "_v");
    out_.line(fmt::format("const op::Vec<{}, {}> {} = op::load{}<{}>({}{} + {});",
                          cudaType(inMemory(load)), width, vector, reads.empty() ? "" : "If", width,
                          reads.empty() ? "" : reads + ", ", pointer, index(at)));
    const std::string element = inCompute(inMemory(load), vector + lane);
    if (load.isMasked())
        loaded_[id.index] = element; // the neutral value is an element's
    else
        name(id, element);
}

// Loads that are the same for the whole row come first, then those that a chunk makes at once.
void CudaEmitter::emitLoads(const Statements& statements, bool varying) {
    for (const Step* s : statements) {
        out_.setOrigin(s->from);
        pool_.visit(s->value, [&](ExprId id, const Expr& e) {
            if (e.kind != ExprKind::Load || exprText_.count(id.index)) return;
            if (varies(id) != varying) return;
            if (varying)
                emitVectorLoad(id, e);
            else
                text(id);
        });
    }
}

// Where a thread's chunk begins: once for all rows, or in every turn of the loop over chunks.
void CudaEmitter::declareInner() {
    const std::string tile =
        columnsInTiles() ? fmt::format("tile * {} + ", plan_.tileColumns) : std::string();
    const std::string chunk = manyChunks() ? fmt::format("(c * {} + x)", plan_.tx) : "x";
    const bool wide = plan_.vector > 1;
    out_.line(fmt::format("const {} {} = {}{}{};", integer_, wide ? "i0" : "i", tile, chunk,
                          wide ? fmt::format(" * {}", plan_.vector) : ""));
}

void CudaEmitter::emitElements(const Statements& statements, const std::string& openChunks) {
    const int width = inFinish_ ? 1 : plan_.vector;
    countUses(statements);
    const size_t rowScope = mark();
    emitLoads(statements, false);
    if (!openChunks.empty()) {
        const bool few = loops_.chunks.isConst() && plan_.parts == 1 && plan_.chunks * width <= 64;
        out_.line(few ? "#pragma unroll" : long_ ? "#pragma unroll 1" : "#pragma unroll 4");
        out_.open(openChunks);
    }
    const bool shared = !inFinish_ && plan_.style == CudaPlan::Style::Rows;
    if (shared && manyChunks()) declareInner();
    const bool guarded = shared && !fillsRows();
    if (guarded) out_.open(fmt::format("if ({} < {})", width > 1 ? "i0" : "i", sizeText(inner_)));
    const size_t chunkScope = mark();
    if (!inFinish_) innerText_ = width > 1 ? "i0" : "i";
    emitLoads(statements, true);
    for (const Step* s : statements) {
        if (s->kind != Kind::Store || width == 1 || s->store != StoreKind::Assign) continue;
        if (!sideBySide(offset(s->target, s->coords), width)) continue;
        const Buffer& target = program_.loops.buffer(s->target);
        const std::string vector = names_.fresh(target.name + "_v");
        vectorStores_[s] = vector;
        out_.setOrigin(s->from);
        out_.line(fmt::format("op::Vec<{}, {}> {};", cudaType(target.dtype), width, vector));
    }
    if (width > 1) {
        out_.line("#pragma unroll");
        out_.open(fmt::format("for (int k = 0; k < {}; ++k)", width));
        if (needsLane(statements)) out_.line(fmt::format("const {} i = i0 + k;", integer_));
        innerText_ = "i";
    }
    const size_t laneScope = mark();
    for (const Step* s : statements)
        emitStatement(*s);
    forget(laneScope);
    if (width > 1) {
        out_.close();
        innerText_ = "i0";
    }
    for (const Step* s : statements) {
        auto vector = vectorStores_.find(s);
        if (vector == vectorStores_.end()) continue;
        out_.setOrigin(s->from);
        out_.line(fmt::format("op::store({} + {}, {});", pointers_.at(s->target.index),
                              index(offset(s->target, s->coords)), vector->second));
    }
    forget(chunkScope);
    loaded_.clear();
    out_.setOrigin(BufferId());
    if (guarded) out_.close();
    if (!openChunks.empty()) out_.close();
    forget(rowScope);
    for (const Step* s : statements)
        if (s->kind == Kind::Let) localText_.erase(s->locals[0].index);
    innerText_ = inFinish_ ? "column" : "i";
}

std::string CudaEmitter::accumulatorOf(const Step& s) const {
    for (const Total& t : columns_)
        if (t.local == s.locals.back()) {
            if (plan_.columnsInScratch)
                return fmt::format("{}[split * {} + i]", t.partial, sizeText(inner_));
            const std::string lane = plan_.vector > 1 ? "k" : "0";
            if (!manyChunks()) return fmt::format("{}[{}]", t.accumulator, lane);
            return fmt::format("{}[c * {} + {}]", t.accumulator, plan_.vector, lane);
        }
    for (const Total& t : alls_)
        if (t.local == s.locals.back()) return t.accumulator;
    return sums_.at(s.locals.back().index);
}

/// Where a value stands, for ArgMax and ArgMin: the row is a variable of its own.
std::string CudaEmitter::positionText(const Step& s) const {
    ir::Sym row;
    for (AxisId axis : rows_)
        row = row * tree_.axis(axis).extent + ir::Sym(tree_.axis(axis).variable);
    if (rows_.empty() || s.position == ir::Sym(innerVar())) return index(s.position);
    if (s.position == row) return "row";
    if (s.position == row * inner_ + ir::Sym(innerVar()))
        return fmt::format("(long long)row * {} + {}", sizeText(inner_), innerText_);
    return index(s.position);
}

void CudaEmitter::emitAccumulate(const Step& s) {
    const std::string into = accumulatorOf(s);
    std::string value = bare(text(s.value));
    if (isArg(s.reduce))
        value = fmt::format("op::Arg<{}>{{{}, {}}}", cudaType(dtypeOf(s.value)), value,
                            positionText(s));
    if (s.reduce == ReduceOp::Welford) {
        out_.line(fmt::format("op::addMoment({}, {});", into, value));
        return;
    }
    out_.line(s.reduce == ReduceOp::Sum ? fmt::format("{} += {};", into, value)
                                        : fmt::format("{} = {};", into, combine(s, into, value)));
}

/// The number of the thread that owns the place.
std::string CudaEmitter::ownerText(const Step& s) {
    const auto owned = static_cast<size_t>(s.owned);
    const Coord& coord = s.coords[owned];
    const std::string at = coord.indirect.valid()
                               ? fmt::format("op::within({}, {})", text(coord.indirect),
                                             index(program_.loops.buffer(s.target).sizes[owned]))
                               : "(" + index(coord.index) + ")";
    return fmt::format("{} % {}", at, plan_.owners);
}

/// An iteration whose one store adds by owners: the place first, and the rest by its owner alone.
void CudaEmitter::emitOwned(const Statements& statements) {
    const Step& store = *statements.back();
    const Coord& coord = store.coords[static_cast<size_t>(store.owned)];
    std::set<kernel::LocalId> needed;
    auto look = [&](ExprId value) {
        pool_.visit(value, [&](ExprId, const Expr& e) {
            if (e.kind == ExprKind::Local) needed.insert(e.local);
        });
    };
    if (coord.indirect.valid()) look(coord.indirect);
    std::set<const Step*> first;
    for (auto s = statements.rbegin(); s != statements.rend(); ++s)
        if ((*s)->kind == Kind::Let && needed.contains((*s)->locals[0])) {
            first.insert(*s);
            look((*s)->value);
        }
    for (const Step* s : statements)
        if (first.contains(s)) emitStatement(*s);
    out_.setOrigin(store.from);
    out_.line(fmt::format("if ({} != {}) continue;", ownerText(store), owner_));
    owns_ = true;
    for (const Step* s : statements)
        if (!first.contains(s)) emitStatement(*s);
    owns_ = false;
}

void CudaEmitter::emitStore(const Step& s) {
    const std::string value = bare(text(s.value));
    if (s.store == StoreKind::Accumulate) {
        const ir::DType dtype = program_.loops.buffer(s.target).dtype;
        const std::string type(cudaType(ir::computeType(dtype)));
        const std::string place = loadText(s.target, s.coords);
        if (s.conflict == Conflict::Owner) {
            if (!owns_) out_.open(fmt::format("if ({} == {})", ownerText(s), owner_));
            out_.line(fmt::format("{} = {};", place,
                                  combine(s, place, fmt::format("({})({})", type, value))));
            if (!owns_) out_.close();
        } else if (s.conflict == Conflict::Atomic)
            out_.line(
                fmt::format("op::{}(&{}, ({})({}));", meetingName(s.reduce), place, type, value));
        else
            out_.line(fmt::format(
                "{} = {};", place,
                combine(s, inCompute(dtype, place), fmt::format("({})({})", type, value))));
        return;
    }
    if (auto vector = vectorStores_.find(&s); vector != vectorStores_.end()) {
        out_.line(fmt::format("{}[k] = {};", vector->second, value));
        return;
    }
    out_.line(fmt::format("{}[{}] = {};", pointers_.at(s.target.index),
                          index(offset(s.target, s.coords)), value));
}

void CudaEmitter::emitLet(const Step& s) {
    const LocalId id = s.locals[0];
    // What waits of memory is filled by its load.
    if (isKept(s.value) && keptLoads_.at(s.value.index) == id) {
        text(s.value);
        return;
    }
    const std::string value = bare(text(s.value));
    const std::string& local = localNames_[id.index];
    out_.line(fmt::format("const {} {} = {};", cudaType(tree_.local(id).dtype), local, value));
    localText_[id.index] = local;
    if (isKept(id))
        out_.line(fmt::format("{}{} = {};", cacheNames_.at(id.index), cacheSlot(), local));
}

void CudaEmitter::emitStatement(const Step& s) {
    out_.setOrigin(s.from);
    if (s.kind == Kind::Let)
        emitLet(s);
    else if (s.kind == Kind::Store)
        emitStore(s);
    else
        emitAccumulate(s);
}

} // namespace cutaway::codegen
