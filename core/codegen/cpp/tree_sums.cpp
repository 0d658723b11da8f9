// SPDX-License-Identifier: Apache-2.0
// Accumulators: declared, updated in lanes, and put together at their loop's end.
#include "core/codegen/cpp/tree.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::codegen::cpp {

using namespace kernel;
using ir::DType;
using ir::Sym;

/// An accumulator for each iteration of the innermost loop, at its start.
void TreeEmitter::startColumns(const Step& s, Lines& lines) {
    const TreeLocal& local = tree_.local(s.locals[0]);
    const Sum& sum = sums_.at(s.locals[0]);
    auto fill = [&](const std::string& memory, const std::string& value) {
        lines.add(fmt::format("for (long i = 0; i < {}; ++i) {}[i] = {};",
                              text(tree_.axis(local.axes[0]).extent), memory, value),
                  {s.from});
    };
    fill(sum.variable, identity(s.reduce, local.dtype));
    if (!sum.positions.empty()) fill(sum.positions, "0");
}

void TreeEmitter::declareSum(LocalId id, Lines& lines) {
    Sum& sum = sums_.at(id);
    const Step& start = *sum.start;
    const DType dtype = tree_.local(id).dtype;
    const std::string name = names_.block->unique(tree_.local(id).name + "_lanes");
    const std::string type = names_.vectorOf(dtype);
    const std::string neutral = fmt::format("splat({})", identity(start.reduce, dtype));
    if (isArg(start.reduce)) {
        lines.add(fmt::format("Extreme<{}> {} = {{{}, lane_numbers()}};", type, name, neutral),
                  {start.from});
    } else if (start.reduce == ReduceOp::Welford) {
        lines.add(fmt::format("Moments<{}> {}[{}] = {{}};", type, name, sum.accumulators),
                  {start.from});
    } else {
        std::string all = neutral;
        for (int u = 1; u < sum.accumulators; ++u)
            all += ", " + neutral;
        lines.add(sum.accumulators == 1
                      ? fmt::format("{} {} = {};", type, name, neutral)
                      : fmt::format("{} {}[{}] = {{{}}};", type, name, sum.accumulators, all),
                  {start.from});
    }
    if (sum.across)
        vectorSums_[id] = name;
    else
        sum.variable = name;
}

void TreeEmitter::closeSum(LocalId id, Lines& lines) {
    const Sum& sum = sums_.at(id);
    const Step& start = *sum.start;
    const TreeLocal& local = tree_.local(id);
    const std::string& name = names_.locals[id.index].name;
    const std::string& lanes = sum.across ? vectorSums_.at(id) : sum.variable;
    if (isArg(start.reduce)) {
        const std::string& position = names_.locals[start.locals[1].index].name;
        const char* largest = start.reduce == ReduceOp::ArgMax ? "true" : "false";
        lines.add(fmt::format("const {} {} = position_of<{}>({});",
                              scalarType(tree_.local(start.locals[1]).dtype), position, largest,
                              lanes),
                  {start.from});
        lines.add(fmt::format("const {} {} = extreme_of({}, {});", scalarType(local.dtype), name,
                              lanes, position),
                  {start.from});
        return;
    }
    if (start.reduce == ReduceOp::Welford) {
        const std::string both = names_.block->unique(name + "_spread");
        lines.add(fmt::format("const Spread {} = moments_of({});", both, lanes), {start.from});
        const char* members[] = {"mean", "squares"};
        for (size_t k = 0; k < 2; ++k) {
            const LocalId result = start.locals[k];
            lines.add(fmt::format("const {0} {1} = ({0}){2}.{3};",
                                  scalarType(tree_.local(result).dtype),
                                  names_.locals[result.index].name, both, members[k]),
                      {start.from});
        }
        return;
    }
    std::string value = fmt::format("across<{}>({})", reducer(start.reduce), lanes);
    if (local.dtype == DType::Bool) value += " != 0";
    if (!sum.across) {
        lines.add(fmt::format("const {} {} = {};", scalarType(local.dtype), name, value),
                  {start.from});
        return;
    }
    if (start.reduce == ReduceOp::Max || start.reduce == ReduceOp::Min)
        value = fmt::format("({}){}", scalarType(local.dtype), value);
    lines.add(
        fmt::format("{} = {};", sum.variable, combined(start.reduce, sum.variable, operand(value))),
        {start.from});
}

bool TreeEmitter::sumsLanes(const Step& loop) const {
    return std::any_of(loop.body.begin(), loop.body.end(), [&](StepId id) {
        const Step& s = step(id);
        return s.kind == Step::Kind::Update && !isArg(s.reduce) &&
               tree_.local(s.locals[0]).axes.empty();
    });
}

/// Vectors of one loop that sums take turns with: no more than the row has.
int TreeEmitter::accumulators(const Step& loop) const {
    int most = sumsLanes(loop) && !loop.backwards ? plan_.accumulators : 1;
    const Sym& extent = tree_.axis(loop.axis).extent;
    while (most > 1 && extent.isConst() && extent.constant() < int64_t{most} * names_.lanes)
        most /= 2;
    return most;
}

void TreeEmitter::emitColumnExtreme(const Step& s, const std::string& value, Lines& body,
                                    const std::string& lanes) {
    const Sum& sum = sums_.at(s.locals[0]);
    const std::string better = names_.block->unique("better");
    auto before = [&](const std::string& memory) {
        return fmt::format("load({} + i{})", memory, lanes);
    };
    auto keep = [&](const std::string& memory, const std::string& what) {
        body.add(fmt::format("store({} + i, math::where({}, {}, {}){});", memory, better, what,
                             before(memory), lanes),
                 {s.from});
    };
    body.add(fmt::format("const boolv {} = takes_over<{}>({}, {});", better,
                         s.reduce == ReduceOp::ArgMax, value, before(sum.variable)),
             {s.from});
    keep(sum.variable, value);
    keep(sum.positions,
         fmt::format("splat((long)({}))", names_.indices().scalar(names_.byRow(s.position))));
}

void TreeEmitter::emitUpdate(const Step& s, Expressions& values, Lines& body, bool masked) {
    const std::string lanes = masked ? ", lanes" : "";
    const LocalId id = s.locals[0];
    const Sum& sum = sums_.at(id);
    const DType dtype = tree_.local(id).dtype;
    std::string value =
        values.converted(values.vector(s.value, s.from), dtypeOf(s.value), dtype, true);
    const std::string& name =
        sum.across && tree_.local(id).axes.empty() ? vectorSums_.at(id) : sum.variable;
    if (!sum.positions.empty()) return emitColumnExtreme(s, value, body, lanes);
    if (isArg(s.reduce)) {
        body.add(fmt::format("take<{}>({}, {}, {}, is_lane({}));",
                             s.reduce == ReduceOp::ArgMax ? "true" : "false", name, value,
                             names_.indices().vector(names_.byRow(s.position)),
                             masked ? "lanes" : "All()"),
                 {s.from});
        return;
    }
    if (!tree_.local(id).axes.empty()) {
        const std::string place = name + " + i";
        const std::string old = fmt::format("load({}{})", place, lanes);
        body.add(
            fmt::format("store({}, {}{});", place, combined(s.reduce, old, operand(value)), lanes),
            {s.from});
        return;
    }
    if (s.reduce == ReduceOp::Welford) {
        body.add(fmt::format("add_moment({}[{}], {}, {});", name,
                             sum.accumulators > 1 && turns_ > 1 ? "u" : "0", value,
                             masked ? "lanes" : "All()"),
                 {s.from});
        return;
    }
    if (masked) value = fmt::format("keep({}, splat({}), lanes)", value, identity(s.reduce, dtype));
    const std::string place = sum.accumulators == 1 ? name : name + (turns_ > 1 ? "[u]" : "[0]");
    body.add(fmt::format("{} = {};", place, combined(s.reduce, place, operand(value))), {s.from});
}

} // namespace cutaway::codegen::cpp
