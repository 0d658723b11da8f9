// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/cuda/cuda_emitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cutaway::codegen {

using namespace kernel;
using Kind = Statement::Kind;

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

bool hasIndirect(const Expr& load) {
    return std::any_of(load.coords.begin(), load.coords.end(),
                       [](const Coord& c) { return c.indirect.valid(); });
}

} // namespace

bool CudaEmitter::isCached(LocalId id) const {
    const auto& kept = plan_.cachedLocals;
    return !inFinish_ && std::find(kept.begin(), kept.end(), id) != kept.end();
}

bool CudaEmitter::isCached(ExprId id) const {
    const auto& kept = plan_.cachedLoads;
    return !inFinish_ && std::find(kept.begin(), kept.end(), id) != kept.end();
}

std::string CudaEmitter::cacheSlot() const {
    const std::string lane = plan_.vector > 1 ? "[k]" : "[0]";
    const bool one = plan_.chunks == 1;
    if (plan_.cache == CudaPlan::Cache::Shared)
        return one ? "[x]" + lane : fmt::format("[c * {} + x]{}", plan_.tx, lane);
    return (one ? "[0]" : "[c]") + lane;
}

std::string CudaEmitter::localText(LocalId id) const {
    if (auto known = localText_.find(id.index); known != localText_.end()) return known->second;
    if (auto kept = cacheLocalNames_.find(id.index); kept != cacheLocalNames_.end())
        return kept->second + cacheSlot();
    return localNames_[id.index];
}

// Whether statements name the single element (its index), beyond what vector accesses give.
bool CudaEmitter::needsLane(const Statements& statements) const {
    for (const Statement* s : statements) {
        if (s->kind == Kind::Store && !vectorStores_.count(s)) return true;
        if (s->kind != Kind::Let && s->kind != Kind::Store && isArg(s->reduce)) return true;
        bool needed = s->kind == Kind::ReduceColumn && plan_.columnsInScratch;
        facts_.pool.visit(s->value, [&](ExprId id, const Expr& e) {
            if (exprText_.count(id.index)) return;
            needed |= e.kind == ExprKind::Index && e.index.dependsOn(innerVar());
            needed |= e.kind == ExprKind::Load && facts_.varies(id);
        });
        if (needed) return true;
    }
    return false;
}

void CudaEmitter::emitVectorLoad(ExprId id, const Expr& load) {
    const bool kept = isCached(id);
    const int width = inFinish_ ? 1 : plan_.vector;
    const ir::Sym offset = facts_.offset(load.buffer, load.coords);
    const bool wide = width > 1 && !hasIndirect(load) && facts_.sideBySide(offset, width);
    const std::string lane = plan_.vector > 1 ? "[k]" : "[0]";
    const std::string& pointer = pointers_.at(load.buffer.index);
    if (kept) {
        // Two statements of a pass read it: the first use in either fills it.
        if (std::find(fillPending_.begin(), fillPending_.end(), id.index) != fillPending_.end())
            return;
        const std::string slot = cacheNames_.at(id.index) + cacheSlot();
        if (!std::exchange(cacheFilled_[id.index], true)) {
            const std::string whole = slot.substr(0, slot.size() - 3);
            if (auto next = nextNames_.find(id.index); next != nextNames_.end()) {
                const std::string place = plan_.chunks > 1 ? "[c]" : "[0]";
                out_.line(fmt::format("{} = {}{};", whole, next->second, place));
                out_.line(fmt::format("{}{} = {};", next->second, place, nextRowLoad(load)));
            } else if (wide)
                out_.line(fmt::format("{} = op::load<{}>({} + {});", whole, width, pointer,
                                      index(offset)));
            else
                return fillPending_.push_back(id.index); // element by element
        }
        name(id, slot);
        return;
    }
    if (!wide) return;
    const std::string vector = names_.fresh(facts_.program.buffer(load.buffer).name + "_v");
    out_.line(fmt::format("const op::Vec<{}, {}> {} = op::load<{}>({} + {});", cudaType(load.dtype),
                          width, vector, width, pointer, index(offset)));
    name(id, vector + lane);
}

// Loads that are the same for the whole row come first, then those that a chunk makes at once.
void CudaEmitter::emitLoads(const Statements& statements, bool varying) {
    for (const Statement* s : statements) {
        out_.setOrigin(s->from);
        facts_.pool.visit(s->value, [&](ExprId id, const Expr& e) {
            if (e.kind != ExprKind::Load || exprText_.count(id.index)) return;
            if (facts_.varies(id) != varying) return;
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
    const std::string chunk = plan_.chunks > 1 ? fmt::format("(c * {} + x)", plan_.tx) : "x";
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
        out_.line(plan_.chunks * width <= 64 ? "#pragma unroll" : "#pragma unroll 4");
        out_.open(openChunks);
    }
    if (!inFinish_ && plan_.style == CudaPlan::Style::Rows) {
        const std::string first = width > 1 ? "i0" : "i";
        if (plan_.chunks > 1) declareInner();
        if (plan_.tiles * plan_.chunks * plan_.tx * width != facts_.inner)
            out_.open(fmt::format("if ({} < {})", first, facts_.inner));
    }
    const bool guarded = !inFinish_ && plan_.style == CudaPlan::Style::Rows &&
                         plan_.tiles * plan_.chunks * plan_.tx * width != facts_.inner;
    const size_t chunkScope = mark();
    if (!inFinish_) innerText_ = width > 1 ? "i0" : "i";
    emitLoads(statements, true);
    for (const Statement* s : statements) {
        if (s->kind != Kind::Store || width == 1) continue;
        const ir::Sym offset = facts_.offset(s->target, s->coords);
        if (!facts_.sideBySide(offset, width)) continue;
        const Buffer& target = facts_.program.buffer(s->target);
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
    for (const Statement* s : statements)
        emitStatement(*s);
    forget(laneScope);
    if (width > 1) {
        out_.close();
        innerText_ = "i0";
    }
    for (const Statement* s : statements) {
        auto vector = vectorStores_.find(s);
        if (vector == vectorStores_.end()) continue;
        out_.setOrigin(s->from);
        out_.line(fmt::format("op::store({} + {}, {});", pointers_.at(s->target.index),
                              index(facts_.offset(s->target, s->coords)), vector->second));
    }
    forget(chunkScope);
    out_.setOrigin(BufferId());
    if (guarded) out_.close();
    if (!openChunks.empty()) out_.close();
    forget(rowScope);
    for (const Statement* s : statements)
        if (s->kind == Kind::Let) localText_.erase(s->local.index);
    innerText_ = inFinish_ ? "column" : "i";
}

std::string CudaEmitter::accumulatorOf(const Statement& s) const {
    for (const Total& t : columns_)
        if (t.statement == &s) {
            if (plan_.columnsInScratch)
                return fmt::format("{}[split * {} + i]", t.partial, facts_.inner);
            const std::string lane = plan_.vector > 1 ? "k" : "0";
            if (plan_.chunks == 1) return fmt::format("{}[{}]", t.accumulator, lane);
            return fmt::format("{}[c * {} + {}]", t.accumulator, plan_.vector, lane);
        }
    for (const Total& t : alls_)
        if (t.statement == &s) return t.accumulator;
    return sums_.at(s.local.index);
}

void CudaEmitter::emitAccumulate(const Statement& s) {
    const std::string into = accumulatorOf(s);
    std::string value = bare(text(s.value));
    if (isArg(s.reduce)) {
        std::string at = innerText_;
        if (s.kind == Kind::ReduceColumn) at = "row";
        if (s.kind == Kind::ReduceAll && !inFinish_)
            at = !nest_.inner          ? "row"
                 : nest_.outer.empty() ? "i"
                                       : fmt::format("(long long)row * {} + i", facts_.inner);
        value =
            fmt::format("op::Arg<{}>{{{}, {}}}", cudaType(facts_.pool[s.value].dtype), value, at);
    }
    out_.line(s.reduce == ReduceOp::Sum ? fmt::format("{} += {};", into, value)
                                        : fmt::format("{} = {};", into, combine(s, into, value)));
}

void CudaEmitter::emitStore(const Statement& s) {
    const std::string value = bare(text(s.value));
    if (s.accumulates) {
        Expr place;
        place.buffer = s.target;
        place.dtype = facts_.program.buffer(s.target).dtype;
        place.coords = s.place;
        out_.line(fmt::format("op::{}(&{}, ({})({}));",
                              s.reduce == ReduceOp::Max ? "raise" : "accumulate", loadText(place),
                              cudaType(place.dtype), value));
        return;
    }
    if (auto vector = vectorStores_.find(&s); vector != vectorStores_.end()) {
        out_.line(fmt::format("{}[k] = {};", vector->second, value));
        return;
    }
    out_.line(fmt::format("{}[{}] = {};", pointers_.at(s.target.index),
                          index(facts_.offset(s.target, s.coords)), value));
}

void CudaEmitter::emitStatement(const Statement& s) {
    out_.setOrigin(s.from);
    switch (s.kind) {
    case Kind::Let: {
        const std::string value = bare(text(s.value));
        const std::string& local = localNames_[s.local.index];
        const ir::DType dtype = nest_.locals[s.local.index].dtype;
        out_.line(fmt::format("const {} {} = {};", cudaType(dtype), local, value));
        localText_[s.local.index] = local;
        if (isCached(s.local))
            out_.line(
                fmt::format("{}{} = {};", cacheLocalNames_.at(s.local.index), cacheSlot(), local));
        break;
    }
    case Kind::Store:
        emitStore(s);
        break;
    case Kind::ReduceRow:
    case Kind::ReduceColumn:
    case Kind::ReduceAll:
        emitAccumulate(s);
        break;
    }
}

} // namespace cutaway::codegen
