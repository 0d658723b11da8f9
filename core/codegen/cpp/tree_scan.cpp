// SPDX-License-Identifier: Apache-2.0
// Running values: lanes combine what they have by steps, and pass on what the last one has.
#include "core/codegen/cpp/tree.h"

#include <fmt/format.h>

#include <algorithm>

#include <stdexcept>

namespace cutaway::codegen::cpp {

using namespace kernel;
using ir::DType;
using ir::Sym;
using Running = RowCall::Running;

namespace {

/// Floating sums and products run in double.
DType runningType(Running running, DType dtype) {
    const bool sums = running == Running::Sum || running == Running::Product;
    return sums && ir::isFloating(dtype) ? DType::Float64 : dtype;
}

ReduceOp reducedBy(Running running) {
    switch (running) {
    case Running::Sum:
        return ReduceOp::Sum;
    case Running::Product:
        return ReduceOp::Prod;
    case Running::LogSumExp: // starts as a largest value does
    case Running::Max:
        return ReduceOp::Max;
    case Running::Min:
        return ReduceOp::Min;
    }
    return ReduceOp::Sum;
}

/// What a running value needs of the rows before, for every column.
struct State {
    const char* name;
    DType dtype;
    std::string start;
};
std::vector<State> statesOf(const Step& scan, DType dtype) {
    const DType wide = runningType(scan.running, dtype);
    const std::string none = identity(reducedBy(scan.running), wide);
    switch (scan.running) {
    case Running::Sum:
    case Running::Product:
        return {{"so_far", wide, none}};
    case Running::LogSumExp:
        return {{"most", dtype, none}, {"sums", DType::Float64, "0"}};
    case Running::Max:
    case Running::Min:
        return {{"extremes", dtype, none}, {"places", DType::Int64, "0"}};
    }
    return {};
}

} // namespace

/// In the thread's scratch memory, an element for each iteration of the vector loop.
void TreeEmitter::planColumnScan(const Step& s, const std::vector<StepId>& open) {
    const TreeLocal& local = tree_.local(s.locals.back());
    if (open.size() < 2 || !isVector(step(open.back())) ||
        step(open[open.size() - 2]).axis != s.axis)
        throw std::logic_error(local.name + " runs along a loop that is not around vectors");
    const Sym& extent = tree_.axis(step(open.back()).axis).extent;
    for (const State& state : statesOf(s, dtypeOf(s.value))) {
        Sym each;
        const Sym offset = allocate(extent, state.dtype, each);
        const auto size = static_cast<int64_t>(ir::sizeBytes(state.dtype));
        columnScans_[&s].push_back(names_.names.unique(local.name + "_" + state.name));
        shareSetUp_.add(fmt::format("{0}* {1} = ({0}*)(scratch + {2} + {3} * part);",
                                    scalarType(state.dtype), columnScans_[&s].back(), text(offset),
                                    operand(text(each * Sym(size)))),
                        {s.from});
    }
}

void TreeEmitter::startColumnScans(StepId loop, Lines& lines) {
    visitSteps(tree_, {loop}, [&](const Step& s, const std::vector<StepId>& open) {
        if (s.kind != Step::Kind::Scan || !s.axis.valid() || s.axis != step(loop).axis) return;
        const std::vector<State> states = statesOf(s, dtypeOf(s.value));
        for (size_t k = 0; k < states.size(); ++k)
            lines.add(fmt::format("for (long i = 0; i < {}; ++i) {}[i] = {};",
                                  text(tree_.axis(step(open.back()).axis).extent),
                                  columnScans_.at(&s)[k], states[k].start),
                      {s.from});
    });
}

void TreeEmitter::emitColumnScan(const Step& s, Expressions& values, Lines& body, bool masked) {
    const std::string lanes = masked ? ", lanes" : "";
    const LocalId id = s.locals.back();
    const DType dtype = dtypeOf(s.value), wide = runningType(s.running, dtype);
    const std::string& name = names_.locals[id.index].name;
    const std::vector<std::string>& states = columnScans_.at(&s);
    const std::string value = values.vector(s.value, s.from);
    auto before = [&](size_t k) { return fmt::format("load({} + i{})", states[k], lanes); };
    auto define = [&](DType type, const std::string& as, const std::string& what) {
        body.add(fmt::format("const {} {} = {};", names_.vectorOf(type), as, what), {s.from});
    };
    auto keep = [&](size_t k, const std::string& what) {
        body.add(fmt::format("store({} + i, {}{});", states[k], what, lanes), {s.from});
    };
    if (givesPlaces(s.running)) {
        const LocalId other = s.locals[0];
        const std::string& extreme = names_.locals[other.index].name;
        const std::string later = names_.block->unique(name + "_later");
        body.add(fmt::format("const boolv {} = at_least<{}>({}, {});", later,
                             s.running == Running::Max, value, before(0)),
                 {s.from});
        define(dtype, extreme, fmt::format("math::where({}, {}, {})", later, value, before(0)));
        keep(0, extreme);
        define(DType::Int64, name,
               fmt::format("math::where({}, splat((long){}), {})", later,
                           names_.nameOf(tree_.axis(s.axis).variable), before(1)));
        keep(1, name);
        values.define(other);
    } else if (s.running == Running::LogSumExp) {
        const std::string most = names_.block->unique(name + "_largest");
        const std::string sum = names_.block->unique(name + "_sum");
        define(dtype, most, fmt::format("Max::of({}, {})", value, before(0)));
        define(DType::Float64, sum,
               fmt::format("{} * convert<f64v>(share_of({}, {})) + convert<f64v>(share_of({}, {}))",
                           before(1), before(0), most, value, most));
        keep(0, most);
        keep(1, sum);
        define(dtype, name,
               fmt::format("{} + math::log1p(convert<{}>({} - 1))", most, names_.vectorOf(dtype),
                           sum));
    } else {
        const std::string all = names_.block->unique(name + "_all");
        define(wide, all,
               combined(reducedBy(s.running), before(0),
                        operand(values.converted(value, dtype, wide, true))));
        keep(0, all);
        define(dtype, name, values.converted(all, wide, dtype, true));
    }
    values.define(id);
}

/// What the scans of a loop have before it.
void TreeEmitter::startRunning(const Step& loop, Lines& before) {
    for (StepId id : loop.body) {
        const Step& s = step(id);
        if (s.kind != Step::Kind::Scan || s.axis.valid()) continue;
        const TreeLocal& local = tree_.local(s.locals.back());
        const DType dtype = runningType(s.running, dtypeOf(s.value));
        const std::string none = identity(reducedBy(s.running), dtype);
        const std::string type = scalarType(dtype);
        const auto carry = std::ranges::find(carries_, &s, &Carry::scan);
        if (totalling_) {
            const std::string name = running_[&s] = names_.block->unique(local.name + "_lanes");
            before.add(
                givesPlaces(s.running)
                    ? fmt::format("LaneExtremes<{}, {}, {}> {} = {{splat({}), splat(-1L)}};",
                                  s.running == Running::Max, loop.backwards, type, name, none)
                : s.running == Running::LogSumExp
                    ? fmt::format("LaneLogSum<{}> {} = {{splat({}), {{}}}};", type, name, none)
                    : fmt::format("LaneTotal<{}, {}> {} = {{splat({})}};",
                                  reducer(reducedBy(s.running)), type, name, none),
                {s.from});
            continue;
        }
        const std::string name = running_[&s] = names_.block->unique(local.name + "_so_far");
        if (carry != carries_.end()) {
            before.add(fmt::format("{} {} = {};", carry->type, name, carry->name), {s.from});
            continue;
        }
        before.add(givesPlaces(s.running)
                       ? fmt::format("RunningExtreme<{}> {} = {{{}, -1}};", type, name, none)
                   : s.running == Running::LogSumExp
                       ? fmt::format("RunningLogSum<{}> {} = {{{}, 0}};", type, name, none)
                       : fmt::format("{} {} = {};", type, name, none),
                   {s.from});
    }
}

void TreeEmitter::emitRunning(const Step& loop, const Step& s, Expressions& values, Lines& body) {
    const bool masked = loop.tail == Tail::Mask;
    const LocalId id = s.locals.back();
    const DType dtype = dtypeOf(s.value), wide = runningType(s.running, dtype);
    const char* backwards = loop.backwards ? "true" : "false";
    const std::string& sofar = running_.at(&s);
    const std::string& name = names_.locals[id.index].name;
    std::string value = values.vector(s.value, s.from);
    const ReduceOp reduce = reducedBy(s.running);
    if (givesPlaces(s.running)) {
        const std::string both = names_.block->unique(name + "_both");
        body.add(fmt::format("const auto {} = running_extreme<{}, {}>({}, {}, {}, {});", both,
                             s.running == Running::Max ? "true" : "false", backwards, sofar, value,
                             names_.nameOf(tree_.axis(loop.axis).variable),
                             masked ? "lanes" : "All()"),
                 {s.from});
        const LocalId other = s.locals[0];
        const std::string& extreme = names_.locals[other.index].name;
        body.add(fmt::format("const {} {} = {}.value;", names_.vectorOf(tree_.local(other).dtype),
                             extreme, both),
                 {s.from});
        values.define(other);
        storeKept(other, extreme, s, masked, body);
        body.add(
            fmt::format("const {} {} = {}.position;", names_.vectorOf(DType::Int64), name, both),
            {s.from});
    } else {
        if (masked)
            value = fmt::format("keep({}, splat({}), lanes)", value, identity(reduce, dtype));
        const std::string type = names_.vectorOf(dtype);
        body.add(s.running == Running::LogSumExp
                     ? fmt::format("const {} {} = running_log_sum<{}>({}, {});", type, name,
                                   backwards, sofar, value)
                     : fmt::format("const {} {} = running<{}, {}>({}, {}, {});", type, name,
                                   reducer(reduce), backwards, sofar, value,
                                   s.running == Running::Sum && ir::isFloating(wide)
                                       ? "-0.0" // lanes from zeros are slower than from any number
                                       : identity(reduce, wide)),
                 {s.from});
    }
    values.define(id);
    storeKept(id, name, s, masked, body);
}

// --- a row in parts: their totals, which are put together in the order of the row

void TreeEmitter::planParts() {
    totals_ = names_.names.unique("totals");
    visitSteps(tree_, tree_.root, [&](const Step& s, const std::vector<StepId>&) {
        if (s.kind != Step::Kind::Scan) return;
        const TreeLocal& local = tree_.local(s.locals.back());
        const std::string type = scalarType(runningType(s.running, dtypeOf(s.value)));
        Sym each; // two words: an extreme and its place, or the largest and a sum
        const Sym offset = allocate(Sym(2), DType::Float64, each);
        Carry carry{&s, type, names_.names.unique(local.name + "_before"), text(offset),
                    text(each * Sym(8))};
        if (givesPlaces(s.running)) carry.type = fmt::format("RunningExtreme<{}>", type);
        if (s.running == Running::LogSumExp) carry.type = fmt::format("RunningLogSum<{}>", type);
        shareSetUp_.add(fmt::format("{0}& {1} = *({0}*)(scratch + {2} + {3} * part);", carry.type,
                                    carry.name, carry.address, carry.each),
                        {s.from});
        carries_.push_back(std::move(carry));
    });
}

/// The function that makes the totals of one part and stores nothing else.
void TreeEmitter::emitTotals(Lines& lines) {
    Scope block(names_.names);
    names_.block = &block;
    totalling_ = true;
    Lines body(1);
    body.append(shareSetUp_);
    emitSteps({shared_}, body);
    storeTotals(body);
    totalling_ = false;
    lines.add("// What elements first ... last - 1 come to, by one thread.");
    lines.open(
        fmt::format("static NOINLINE void {}(void* const* buffers, char* scratch, long part, "
                    "long first, long last)",
                    totals_));
    lines.append(pointers(body, tree_.sizeArguments));
    lines.append(body);
    lines.close();
    lines.add("");
}

/// The scans of the loop, and what their values are computed from.
TreeEmitter::Steps TreeEmitter::neededByScans(const Step& loop) const {
    Steps needed;
    for (StepId id : loop.body) {
        if (step(id).kind != Step::Kind::Scan) continue;
        for (StepId before : neededBy(step(id).value))
            if (std::ranges::find(needed, before) == needed.end()) needed.push_back(before);
        needed.push_back(id);
    }
    return needed;
}

void TreeEmitter::addToTotal(const Step& loop, const Step& s, Expressions& values, Lines& body) {
    const bool masked = loop.tail == Tail::Mask;
    const DType dtype = dtypeOf(s.value);
    const std::string& lanes = running_.at(&s);
    std::string value = values.vector(s.value, s.from);
    if (givesPlaces(s.running)) {
        body.add(fmt::format("add_to({}, {}, {}, {});", lanes, value,
                             names_.nameOf(tree_.axis(loop.axis).variable),
                             masked ? "lanes" : "All()"),
                 {s.from});
        return;
    }
    if (masked)
        value =
            fmt::format("keep({}, splat({}), lanes)", value, identity(reducedBy(s.running), dtype));
    body.add(fmt::format("add_to({}, {});", lanes, value), {s.from});
}

void TreeEmitter::storeTotals(Lines& lines) {
    for (const Carry& carry : carries_)
        lines.add(fmt::format("{} = total_of({});", carry.name, running_.at(carry.scan)),
                  {carry.scan->from});
}

/// Each part's state becomes that of all parts before it.
void TreeEmitter::addTotals(Lines& lines) {
    const bool backwards = step(shared_).backwards;
    for (const Carry& carry : carries_) {
        const Step& s = *carry.scan;
        const DType dtype = runningType(s.running, dtypeOf(s.value));
        const std::string none = identity(reducedBy(s.running), dtype);
        lines.open("", {s.from});
        lines.add(givesPlaces(s.running) ? fmt::format("{} before = {{{}, -1}};", carry.type, none)
                  : s.running == Running::LogSumExp
                      ? fmt::format("{} before = {{{}, 0}};", carry.type, none)
                      : fmt::format("{} before = {};", carry.type, none),
                  {s.from});
        lines.open(backwards ? fmt::format("for (long part = {}; part >= 0; --part)", threads_ - 1)
                             : fmt::format("for (long part = 0; part < {}; ++part)", threads_),
                   {s.from});
        lines.add(fmt::format("{0}& state = *({0}*)(scratch + {1} + {2} * part);", carry.type,
                              carry.address, carry.each),
                  {s.from});
        lines.add(fmt::format("const {} own = state;", carry.type), {s.from});
        lines.add("state = before;", {s.from});
        lines.add(
            givesPlaces(s.running)
                ? fmt::format("before = after_extreme<{}>(before, own);", s.running == Running::Max)
            : s.running == Running::LogSumExp
                ? std::string("before = after_log_sum(before, own);")
                : fmt::format("before = {};", combined(reducedBy(s.running), "before", "own")),
            {s.from});
        lines.close();
        lines.close();
    }
}

/// To where a later loop reads it, if any does.
void TreeEmitter::storeKept(LocalId id, const std::string& value, const Step& s, bool masked,
                            Lines& body) {
    if (!stored_.contains(id)) return;
    const LocalAccess& access = names_.locals[id.index];
    body.add(fmt::format("store({}, {}{});", plus(access.address, text(access.index)), value,
                         masked ? ", lanes" : ""),
             {s.from});
}

} // namespace cutaway::codegen::cpp
