// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/cpp/tree.h"

#include "core/base/tick.h"
#include "core/codegen/cpp/prelude.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cutaway::codegen::cpp {

using namespace kernel;
using ir::DType;
using ir::Sym;

namespace {

bool widens(ReduceOp op, DType dtype) {
    return (op == ReduceOp::Sum || op == ReduceOp::Prod) && ir::isFloating(dtype);
}

} // namespace

Lines TreeEmitter::emit() {
    Lines share, totals, sort, entry;
    if (plan_.parts) emitTotals(totals);
    emitShare(share);
    if (sorted_) emitSort(sort);
    emitEntry(entry);
    Lines lines = heading();
    lines.append(sort);
    lines.append(totals);
    lines.append(share);
    lines.add("");
    lines.append(entry);
    return lines;
}

void TreeEmitter::emitShare(Lines& lines) {
    Scope block(names_.names);
    names_.block = &block;
    if (copied_) names_.pointers[copied_->target] = copy_;
    Lines body(1);
    if (!shared_.valid())
        emitSteps(tree_.root, body);
    else if (chunked_)
        emitSteps({shared_}, body);
    else
        emitRows(body);
    if (copied_) names_.pointers[copied_->target] = total_;
    const bool streamed = mentions(body, "stream");
    Lines all(1);
    all.append(shareSetUp_);
    all.append(body);
    all.append(shareResults_);
    if (streamed) all.add("stream_end();");
    lines.add(owner_ ? "// Elements first ... last - 1 of what is accumulated into, by one thread."
              : sorted_  ? "// What goes to places first ... last - 1, by one thread."
              : chunked_ ? "// Elements first ... last - 1, by one thread."
                         : "// Rows first ... last - 1, by one thread.");
    lines.open("static NOINLINE void rows(void* const* buffers, char* scratch, long part, long "
               "first, long last)");
    lines.append(pointers(all, tree_.sizeArguments));
    lines.append(all);
    lines.close();
}

/// The loop over the rows of one thread.
void TreeEmitter::emitRows(Lines& body) {
    const std::string at = sorted_ ? names_.block->unique("at") : "";
    body.open(
        owner_ ? fmt::format("for (long row = 0; row < {}; ++row)", text(names_.extentOf({'w', 0})))
        : sorted_ ? fmt::format("for (long {0} = {1}[first]; {0} < {1}[last]; ++{0})", at, begins_)
                  : std::string("for (long row = first; row < last; ++row)"));
    if (sorted_) body.add(fmt::format("const long row = {}[{}];", order_, at));
    Lines steps(2);
    emitSteps(rowSteps(), steps);
    declareRow(steps, body);
    body.append(steps);
    body.close();
}

const TreeEmitter::Steps& TreeEmitter::rowSteps() const {
    StepId innermost = shared_;
    for (size_t k = 1; k < names_.rows.size(); ++k)
        innermost = step(innermost).body[0];
    return step(innermost).body;
}

/// The variables of joined loops that \p used names, from the number of the row.
void TreeEmitter::declareRow(const Lines& used, Lines& lines) {
    for (size_t k = 0; k < names_.rows.size(); ++k) {
        const Axis& axis = names_.rows[k];
        const std::string name = axis.variable == innerVar() ? "i" : axis.variable.str();
        if (!mentions(used, name)) continue;
        Sym inside(1);
        for (size_t below = k + 1; below < names_.rows.size(); ++below)
            inside = inside * names_.rows[below].extent;
        std::string value = "row";
        if (!inside.is(1)) value += " / " + operand(text(inside));
        if (k > 0) value += " % " + operand(text(axis.extent));
        lines.add(fmt::format("const long {} = {};", name, value));
    }
}

void TreeEmitter::emitEntry(Lines& lines) {
    Scope block(names_.names);
    names_.block = &block;
    Sym count(1);
    int64_t granule = 1;
    if (owner_) {
        count =
            ownsElements_
                ? names_.extentOf(innerVar())
                : program_.loops.buffer(owner_->target).sizes[static_cast<size_t>(owner_->owned)];
        granule = ownsElements_ ? std::max(16, names_.lanes) : 1;
    } else if (sorted_) {
        count = places();
    } else if (chunked_) {
        count = tree_.axis(step(shared_).axis).extent;
        // Shares of the threads are whole vectors that begin on a cache line.
        granule = std::max(64, names_.lanes * plan_.accumulators);
    } else if (shared_.valid()) {
        count = names_.extentOf({'w', 0});
    }
    Lines body(1);
    if (threads_ == 1) {
        body.add("threads = 1;");
        body.add(fmt::format("rows(buffers, scratch, 0, 0, {});", text(count)));
    } else {
        body.add(fmt::format("if (threads > {0}) threads = {0};", threads_));
        if (plan_.threadsFrom > 0) {
            Sym elements(1);
            for (const kernel::Axis& axis : kernel_.tree->axes)
                elements = elements * axis.extent;
            body.add(fmt::format("if ({} > {}) threads = 1;", plan_.threadsFrom, text(elements)));
        }
        if (sorted_) body.add(sort_ + "(buffers, scratch);");
        const std::string parts = plan_.parts ? std::to_string(threads_) : "threads";
        if (plan_.parts) {
            openParts(count, granule, parts, body);
            body.add(totals_ + "(buffers, scratch, part, first, last);");
            body.close();
            addTotals(body);
        }
        openParts(count, granule, parts, body);
        body.add("rows(buffers, scratch, part, first, last);");
        body.close();
        if (copied_) addCopies(body);
    }
    finishing_ = true;
    body.append(finishSetUp_);
    emitSteps(after_, body);
    lines.open(fmt::format("extern \"C\" void {}(void* const* buffers, void* memory, long threads)",
                           kernel_.name));
    lines.add("char* scratch = (char*)memory;");
    lines.append(pointers(body, tree_.sizeArguments));
    lines.append(body);
    lines.close();
}

/// Opens the loop over the \p parts of \p count that the threads share.
void TreeEmitter::openParts(const Sym& count, int64_t granule, const std::string& parts,
                            Lines& body) {
    // By hand, not `parallel for`: every part is done whatever number of threads there is.
    body.add("#pragma omp parallel num_threads(threads)");
    body.open(fmt::format("for (long part = omp_get_thread_num(); part < {}; part += "
                          "omp_get_num_threads())",
                          parts));
    body.add(
        fmt::format("const long first = share({}, {}, part, {});", text(count), granule, parts));
    body.add(
        fmt::format("const long last = share({}, {}, part + 1, {});", text(count), granule, parts));
}

void TreeEmitter::emitSteps(const Steps& steps, Lines& lines) {
    Steps statements;
    auto flush = [&] {
        if (!statements.empty()) emitScalars(statements, lines);
        statements.clear();
    };
    for (StepId id : steps) {
        const Step& s = step(id);
        if (s.kind == Step::Kind::Let || s.kind == Step::Kind::Update ||
            s.kind == Step::Kind::Store) {
            statements.push_back(id);
            continue;
        }
        flush();
        if (s.kind == Step::Kind::Loop) {
            emitLoop(id, lines);
            continue;
        }
        if (s.kind == Step::Kind::Scan)
            throw std::logic_error(tree_.local(s.locals[0]).name + " runs outside vectors");
        Sum& sum = sums_.at(s.locals[0]);
        if (!sum.across && !tree_.local(s.locals[0]).axes.empty()) {
            startColumns(s, lines);
            continue;
        }
        if (sum.across || sum.vector) continue;
        const TreeLocal& local = tree_.local(s.locals[0]);
        const DType dtype = widens(s.reduce, local.dtype) ? DType::Float64 : local.dtype;
        LocalAccess& access = names_.locals[s.locals[0].index];
        sum.variable = names_.block->unique(access.name + "_sum");
        access.name = fmt::format("({}){}", scalarType(local.dtype), sum.variable);
        lines.add(
            fmt::format("{} {} = {};", scalarType(dtype), sum.variable, identity(s.reduce, dtype)),
            {s.from});
    }
    flush();
}

void TreeEmitter::emitScalars(const Steps& steps, Lines& lines) {
    std::vector<ExprId> roots;
    for (StepId id : steps) {
        roots.push_back(step(id).value);
        for (const Coord& coord : step(id).coords)
            if (coord.indirect.valid()) roots.push_back(coord.indirect);
    }
    Expressions values(names_, roots, false, lines, lines, "");
    for (StepId id : steps) {
        base::tick();
        const Step& s = step(id);
        const std::string value = values.scalar(s.value, s.from);
        if (s.kind == Step::Kind::Store) {
            if (&s == owner_) {
                emitGuard(s, values, lines);
                values.store(s, value, false);
                lines.close();
            } else {
                values.store(s, value, false);
            }
            continue;
        }
        const LocalId local = s.locals[0];
        const DType dtype = tree_.local(local).dtype;
        const std::string same = values.converted(value, dtypeOf(s.value), dtype, false);
        if (s.kind == Step::Kind::Update) {
            const std::string& sum = sums_.at(local).variable;
            lines.add(fmt::format("{} = {};", sum, combined(s.reduce, sum, operand(same))),
                      {s.from});
            continue;
        }
        const LocalAccess& access = names_.locals[local.index];
        lines.add(fmt::format("const {} {} = {};", scalarType(dtype), access.name, same), {s.from});
        if (!stored_.contains(local)) continue;
        lines.add(fmt::format("{}[{}] = {};", access.address, text(access.index), access.name),
                  {s.from});
        values.define(local);
    }
}

void TreeEmitter::emitLoop(StepId id, Lines& lines) {
    const Step& loop = step(id);
    std::vector<LocalId> mine;
    visitSteps(tree_, {id}, [&](const Step& s, const std::vector<StepId>& open) {
        if (s.kind != Step::Kind::Update) return;
        const LocalId local = s.locals[0];
        if (!sums_.at(local).vector || !tree_.local(local).axes.empty()) return;
        if (open_.insert(local).second) mine.push_back(local);
        Sum& sum = sums_.at(local);
        sum.accumulators = std::max(sum.accumulators, accumulators(step(open.back())));
    });
    const bool blocks = chunked_ && !mine.empty() && !finishing_;
    if (blocks) {
        lines.open(fmt::format("for (long block = first; block < last; block += {})", kBlock));
        lines.add(fmt::format("const long end = block + {0} < last ? block + {0} : last;", kBlock));
    }
    for (LocalId local : mine)
        declareSum(local, lines);
    if (isVector(loop)) {
        emitVector(loop, lines);
    } else {
        const Axis& axis = tree_.axis(loop.axis);
        const std::string variable = names_.nameOf(axis.variable);
        const std::string extent = text(axis.extent);
        startColumnScans(id, lines);
        lines.open(loop.backwards
                       ? fmt::format("for (long {0} = {1} - 1; {0} >= 0; --{0})", variable, extent)
                       : fmt::format("for (long {0} = 0; {0} < {1}; ++{0})", variable, extent));
        emitSteps(loop.body, lines);
        lines.close();
    }
    for (LocalId local : mine) {
        closeSum(local, lines);
        open_.erase(local);
    }
    if (blocks) lines.close();
}

void TreeEmitter::emitVector(const Step& loop, Lines& lines) {
    const bool masked = loop.tail == Tail::Mask;
    const Sym& extent = tree_.axis(loop.axis).extent;
    std::string begin = "0", end = text(extent);
    if (!extent.isConst() && extent.terms().size() > 1) end = "(" + end + ")";
    if (!finishing_ && (ownsElements_ || (chunked_ && !owner_))) {
        begin = chunked_ && sumsLanes(loop) ? "block" : "first";
        end = chunked_ && sumsLanes(loop) ? "end" : "last";
    }
    const Steps steps = totalling_ ? neededByScans(loop) : loop.body;
    std::vector<ExprId> roots;
    for (StepId id : steps) {
        const Step& s = step(id);
        if (s.kind == Step::Kind::Loop || s.kind == Step::Kind::Start)
            throw std::logic_error("a loop inside a vector loop");
        roots.push_back(s.value);
        for (const Coord& coord : s.coords)
            if (coord.indirect.valid()) roots.push_back(coord.indirect);
    }
    turns_ = accumulators(loop);
    Lines before(lines.depth());
    Lines body(lines.depth() + (isPlain(loop, begin) && turns_ > 1 ? 2 : 1));
    Expressions values(names_, roots, true, before, body, masked ? ", lanes" : "");
    startRunning(loop, before);
    bool guarded = false;
    for (StepId id : steps) {
        base::tick();
        const Step& s = step(id);
        if (&s == owner_ && !ownsElements_ && !finishing_) {
            const Coord& coord = s.coords[static_cast<size_t>(s.owned)];
            guarded = !coord.indirect.valid() || !values.varying(coord.indirect);
            if (guarded) emitGuard(s, values, before);
        }
        if (s.kind == Step::Kind::Scan && s.axis.valid())
            emitColumnScan(s, values, body, masked);
        else if (s.kind == Step::Kind::Scan && totalling_)
            addToTotal(loop, s, values, body);
        else if (s.kind == Step::Kind::Scan)
            emitRunning(loop, s, values, body);
        else
            emitElement(s, values, body, masked);
    }
    lines.append(before);
    if (!guarded) return printVectorLoop(body, loop, begin, end, lines);
    Lines inside(lines.depth() + 1);
    printVectorLoop(body, loop, begin, end, inside);
    lines.append(inside);
    lines.add("}");
}

void TreeEmitter::emitElement(const Step& s, Expressions& values, Lines& body, bool masked) {
    const std::string lanes = masked ? ", lanes" : "";
    if (s.kind == Step::Kind::Update) return emitUpdate(s, values, body, masked);
    const std::string value = values.vector(s.value, s.from);
    if (s.kind == Step::Kind::Store) {
        if (s.store == StoreKind::Accumulate) return emitAccumulate(s, value, values, body, lanes);
        return values.store(s, value, plan_.stream && !finishing_ && !readBack_.contains(&s));
    }
    const LocalId id = s.locals[0];
    const DType dtype = tree_.local(id).dtype;
    const LocalAccess& access = names_.locals[id.index];
    body.add(fmt::format("const {} {} = {};", names_.vectorOf(dtype), access.name,
                         values.converted(value, dtypeOf(s.value), dtype, true)),
             {s.from});
    values.define(id);
    if (stored_.contains(id))
        body.add(fmt::format("store({}, {}{});", plus(access.address, text(access.index)),
                             access.name, lanes),
                 {s.from});
}

} // namespace cutaway::codegen::cpp
