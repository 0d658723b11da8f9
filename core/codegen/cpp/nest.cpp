// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/cpp/nest.h"

#include "core/base/tick.h"
#include "core/codegen/cpp/prelude.h"
#include "core/kernel/address.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::codegen::cpp {

using namespace kernel;
using ir::DType;

namespace {

bool isReduction(const Statement& s) {
    return s.kind == Statement::Kind::ReduceRow || s.kind == Statement::Kind::ReduceAll;
}
bool isArgument(const Statement& s) {
    return s.reduce == ReduceOp::ArgMax || s.reduce == ReduceOp::ArgMin;
}
const char* largest(const Statement& s) {
    return s.reduce == ReduceOp::ArgMax ? "true" : "false";
}

} // namespace

Lines NestEmitter::emit() {
    Lines rows, entry;
    emitRows(rows);
    emitEntry(entry);
    Lines lines = heading();
    lines.append(rows);
    lines.add("");
    lines.append(entry);
    return lines;
}

int NestEmitter::unrollOf(const Phase& phase, int64_t count) const {
    const int64_t lanes = names_.lanes;
    const bool reduces =
        std::any_of(phase.statements.begin(), phase.statements.end(),
                    [](const Statement& s) { return isReduction(s) && !isArgument(s); });
    const bool arguments =
        std::any_of(phase.statements.begin(), phase.statements.end(),
                    [](const Statement& s) { return isReduction(s) && isArgument(s); });
    if (arguments || !reduces) return 1;
    int unroll = plan_.accumulators;
    while (unroll > 1 && (count % (lanes * unroll) != 0 || kBlock % (lanes * unroll) != 0))
        unroll /= 2;
    return unroll;
}

NestEmitter::Range NestEmitter::rowRange(const Phase& phase) const {
    Range range;
    range.end = std::to_string(width_);
    range.tail = width_ % names_.lanes != 0;
    range.unroll = range.tail ? 1 : unrollOf(phase, width_);
    return range;
}

bool NestEmitter::streams(const Statement& s) const {
    return plan_.stream && !finishing_ && !cachedStores_.count(&s);
}

void NestEmitter::emitRows(Lines& lines) {
    Scope block(names_.names);
    names_.block = &block;
    Lines body(1);
    if (plan_.chunked) {
        Range range = rowRange(nest_.phases.front());
        range.begin = "first";
        range.end = "last";
        const auto& statements = nest_.phases.front().statements;
        if (std::any_of(statements.begin(), statements.end(), isReduction)) {
            body.open(fmt::format("for (long block = first; block < last; block += {})", kBlock));
            body.add(
                fmt::format("const long end = block + {0} < last ? block + {0} : last;", kBlock));
            range.begin = "block";
            range.end = "end";
            emitPhase(nest_.phases.front(), body, range);
            body.close();
        } else {
            emitPhase(nest_.phases.front(), body, range);
        }
    } else {
        body.open("for (long row = first; row < last; ++row)");
        Lines phases(2);
        for (const Phase& phase : nest_.phases)
            emitPhase(phase, phases, rowRange(phase));
        int64_t inside = rows_;
        for (uint16_t k = 0; k < nest_.outer.size(); ++k) {
            const int64_t size = nest_.outer[k].size.constant();
            if (size > 0) inside /= size;
            if (!names_.usedOuter.count(k)) continue;
            std::string text = "row";
            if (inside > 1) text += fmt::format(" / {}", inside);
            if (k > 0) text += fmt::format(" % {}", size);
            body.add(fmt::format("const long o{} = {};", k, text));
        }
        body.append(phases);
        body.close();
    }
    const bool streamed = mentions(body, "stream");
    Lines all(1);
    all.append(threadSetUp_);
    all.append(body);
    lines.add(plan_.chunked ? "// Elements first ... last - 1, by one thread."
                            : "// Rows first ... last - 1, by one thread.");
    lines.open("static NOINLINE void rows(void* const* buffers, char* scratch, long part, long "
               "first, long last)");
    lines.append(pointers(all, {}));
    lines.append(all);
    lines.append(threadResults_);
    if (streamed) lines.add("stream_end();");
    lines.close();
}

void NestEmitter::emitEntry(Lines& lines) {
    const int64_t count = plan_.chunked ? width_ : rows_;
    lines.open(fmt::format("extern \"C\" void {}(void* const* buffers, void* memory, long threads)",
                           kernel_.name));
    lines.add("char* scratch = (char*)memory;");
    if (plan_.threads == 1) {
        lines.add("threads = 1;");
        lines.add(fmt::format("rows(buffers, scratch, 0, 0, {});", count));
    } else {
        // Shares of the threads are whole vectors that begin on a cache line.
        const int64_t granule = plan_.chunked ? std::max(64, names_.lanes * plan_.accumulators) : 1;
        lines.add(fmt::format("if (threads > {0}) threads = {0};", plan_.threads));
        // By hand, not `parallel for`: every part is done whatever number of threads there is, and
        // the loop's bookkeeping would double the compile time of a small kernel.
        lines.add("#pragma omp parallel num_threads(threads)");
        lines.open("for (long part = omp_get_thread_num(); part < threads; part += "
                   "omp_get_num_threads())");
        lines.add(fmt::format("const long first = share({}, {}, part, threads);", count, granule));
        lines.add(
            fmt::format("const long last = share({}, {}, part + 1, threads);", count, granule));
        lines.add("rows(buffers, scratch, part, first, last);");
        lines.close();
    }
    if (!nest_.finish.empty()) emitFinish(lines);
    lines.close();
}

void NestEmitter::emitFinish(Lines& lines) {
    Scope block(names_.names);
    names_.block = &block;
    Lines body(1);
    finishing_ = true;
    body.append(finishSetUp_);
    for (const Phase& phase : nest_.finish)
        emitPhase(phase, body, rowRange(phase));
    lines.append(pointers(body, {}));
    lines.append(body);
}

void NestEmitter::emitPhase(const Phase& phase, Lines& lines, const Range& range) {
    if (phase.inner)
        emitInner(phase, lines, range);
    else
        emitScalars(phase, lines);
}

void NestEmitter::emitScalars(const Phase& phase, Lines& lines) {
    Expressions expressions(names_, phase, false, lines, lines, "");
    for (const Statement& s : phase.statements) {
        const std::string value = expressions.scalar(s.value, s.from);
        if (s.kind == Statement::Kind::Store) {
            expressions.store(s, value, false);
            continue;
        }
        const Local& target = local(s);
        const DType from = program_.loops.pool[s.value].dtype;
        const std::string same = expressions.converted(value, from, target.dtype, false);
        const std::string& name = names_.locals[s.local.index].name;
        auto total = accumulators_.find(s.local);
        if (s.kind == Statement::Kind::ReduceAll && total != accumulators_.end()) {
            lines.add(
                fmt::format("{} = {};", total->second, combined(s.reduce, total->second, same)),
                {s.from});
        } else if (s.kind == Statement::Kind::ReduceColumn) {
            lines.add(fmt::format("{0}[0] = {1};", total->second,
                                  combined(s.reduce, total->second + "[0]", same)),
                      {s.from});
        } else {
            lines.add(fmt::format("const {} {} = {};", scalarType(target.dtype), name,
                                  isArgument(s) && s.kind != Statement::Kind::Let ? "0" : same),
                      {s.from});
        }
    }
}

void NestEmitter::declareAccumulators(const Phase& phase, Lines& lines, const Range& range) {
    for (const Statement& s : phase.statements) {
        if (!isReduction(s)) continue;
        const DType dtype = isArgument(s) ? program_.loops.pool[s.value].dtype : local(s).dtype;
        const std::string name = names_.block->unique(names_.locals[s.local.index].name + "_lanes");
        const std::string type = names_.vectorOf(dtype);
        const std::string start = fmt::format("splat({})", identity(s.reduce, dtype));
        if (isArgument(s)) {
            lines.add(fmt::format("Extreme<{}> {} = {{{}, lane_numbers()}};", type, name, start),
                      {s.from});
        } else if (range.unroll > 1) {
            std::string all;
            for (int u = 0; u < range.unroll; ++u)
                all += (u > 0 ? ", " : "") + start;
            lines.add(fmt::format("{} {}[{}] = {{{}}};", type, name, range.unroll, all), {s.from});
        } else {
            lines.add(fmt::format("{} {} = {};", type, name, start), {s.from});
        }
        // Until the loop is over the local's accumulator is found under the statement's local.
        vectorAccumulators_[s.local] = name;
    }
}

void NestEmitter::closeAccumulators(const Phase& phase, Lines& lines) {
    for (const Statement& s : phase.statements) {
        if (!isReduction(s)) continue;
        const std::string& lanes = vectorAccumulators_.at(s.local);
        const Local& target = local(s);
        const std::string& name = names_.locals[s.local.index].name;
        std::string value = fmt::format("across<{}>({})", reducer(s.reduce), lanes);
        if (isArgument(s)) value = fmt::format("position_of<{}>({})", largest(s), lanes);
        if (target.dtype == DType::Bool) value += " != 0";
        if (s.kind == Statement::Kind::ReduceAll && !finishing_) {
            const std::string& total = accumulators_.at(s.local);
            if (s.reduce == ReduceOp::Max || s.reduce == ReduceOp::Min)
                value = fmt::format("({}){}", scalarType(target.dtype), value);
            lines.add(fmt::format("{} = {};", total, combined(s.reduce, total, value)), {s.from});
        } else {
            lines.add(fmt::format("const {} {} = {};", scalarType(target.dtype), name, value),
                      {s.from});
        }
    }
}

void NestEmitter::emitInner(const Phase& phase, Lines& lines, const Range& range) {
    Lines before(lines.depth()), body(lines.depth() + (range.unroll > 1 ? 2 : 1));
    declareAccumulators(phase, before, range);
    Expressions expressions(names_, phase, true, before, body, range.tail ? ", lanes" : "");
    for (const Statement& s : phase.statements)
        emitStatement(s, expressions, before, body, range);
    lines.append(before);
    emitLoop(lines, body, range);
    closeAccumulators(phase, lines);
}

void NestEmitter::emitStatement(const Statement& s, Expressions& expressions, Lines& before,
                                Lines& body, const Range& range) {
    base::tick();
    const std::string lanes = range.tail ? ", lanes" : "";
    if (isReduction(s) || s.kind == Statement::Kind::ReduceColumn)
        return emitReduction(s, expressions, body, range);
    if (s.kind == Statement::Kind::Store)
        return expressions.store(s, expressions.vector(s.value, s.from), streams(s));
    const Local& target = local(s);
    const LocalAccess& access = names_.locals[s.local.index];
    const DType from = program_.loops.pool[s.value].dtype;
    if (target.level == Level::Row || target.level == Level::Once) {
        const std::string value =
            expressions.converted(expressions.scalar(s.value, s.from), from, target.dtype, false);
        before.add(fmt::format("const {} {} = {};", scalarType(target.dtype), access.name, value),
                   {s.from});
        return;
    }
    const std::string value =
        expressions.converted(expressions.vector(s.value, s.from), from, target.dtype, true);
    body.add(fmt::format("const {} {} = {};", names_.vectorOf(target.dtype), access.name, value),
             {s.from});
    expressions.define(s.local);
    if (access.stored)
        body.add(fmt::format("store({} + i, {}{});", access.address, access.name, lanes), {s.from});
}

void NestEmitter::emitReduction(const Statement& s, Expressions& expressions, Lines& body,
                                const Range& range) {
    const std::string lanes = range.tail ? ", lanes" : "";
    const DType from = program_.loops.pool[s.value].dtype;
    std::string value = expressions.vector(s.value, s.from);
    if (isArgument(s)) {
        body.add(fmt::format("take<{}>({}, {}, i + lane_numbers(), is_lane({}));", largest(s),
                             vectorAccumulators_.at(s.local), value,
                             range.tail ? "lanes" : "All()"),
                 {s.from});
        return;
    }
    const DType dtype = local(s).dtype;
    value = expressions.converted(value, from, dtype, true);
    if (s.kind == Statement::Kind::ReduceColumn) {
        const std::string place = accumulators_.at(s.local) + " + i";
        const std::string old = fmt::format("load({}{})", place, lanes);
        body.add(fmt::format("store({}, {}{});", place, combined(s.reduce, old, value), lanes),
                 {s.from});
        return;
    }
    if (range.tail)
        value = fmt::format("keep({}, splat({}), lanes)", value, identity(s.reduce, dtype));
    std::string place = vectorAccumulators_.at(s.local);
    if (range.unroll > 1) place += fmt::format("[(i - j) / {}]", names_.lanes);
    const bool simple = value.find_first_of(" ?") == std::string::npos || value.back() == ')';
    body.add(fmt::format("{} = {};", place,
                         combined(s.reduce, place, simple ? value : "(" + value + ")")),
             {s.from});
}

void NestEmitter::emitLoop(Lines& lines, const Lines& body, const Range& range) {
    const int lanes = names_.lanes;
    if (range.tail) {
        const std::string step = names_.block->unique(fmt::format("step_{}", ++steps_));
        lines.open(fmt::format("const auto {} = [&](long i, auto lanes) INLINE_LAMBDA", step));
        lines.append(body);
        lines.close("};");
        if (range.begin != "0" || width_ >= lanes) {
            lines.add(fmt::format("for (long i = {}; i + {} <= {}; i += {})", range.begin, lanes,
                                  range.end, lanes));
            lines.add(fmt::format("    {}(i, All());", step));
        }
        if (range.begin == "0") {
            lines.add(
                fmt::format("{}({}, First{{{}}});", step, width_ / lanes * lanes, width_ % lanes));
        } else {
            lines.add(fmt::format("if (const long rest = ({} - {}) % {})", range.end, range.begin,
                                  lanes));
            lines.add(fmt::format("    {}({} - rest, First{{rest}});", step, range.end));
        }
        return;
    }
    if (range.unroll > 1) {
        const int stride = lanes * range.unroll;
        lines.open(
            fmt::format("for (long j = {}; j < {}; j += {})", range.begin, range.end, stride));
        lines.open(fmt::format("UNROLLED for (long i = j; i < j + {}; i += {})", stride, lanes));
        lines.append(body);
        lines.close();
        lines.close();
        return;
    }
    lines.open(fmt::format("for (long i = {}; i < {}; i += {})", range.begin, range.end, lanes));
    lines.append(body);
    lines.close();
}

} // namespace cutaway::codegen::cpp
