// SPDX-License-Identifier: Apache-2.0
// Running values: lanes combine what they have by steps, and pass on what the last one has.
#include "core/codegen/cpp/tree.h"

#include <fmt/format.h>

namespace cutaway::codegen::cpp {

using namespace kernel;
using ir::DType;
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

} // namespace

/// What the scans of a loop have before it.
void TreeEmitter::startRunning(const Step& loop, Lines& before) {
    for (StepId id : loop.body) {
        const Step& s = step(id);
        if (s.kind != Step::Kind::Scan) continue;
        const TreeLocal& local = tree_.local(s.locals.back());
        const DType dtype = runningType(s.running, dtypeOf(s.value));
        const std::string none = identity(reducedBy(s.running), dtype);
        const std::string name = running_[&s] = names_.block->unique(local.name + "_so_far");
        const std::string type = scalarType(dtype);
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
        body.add(fmt::format("const {} {} = {}.position;", names_.vectorOf(DType::Int64), name, both),
                 {s.from});
    } else {
        if (masked) value = fmt::format("keep({}, splat({}), lanes)", value, identity(reduce, dtype));
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
