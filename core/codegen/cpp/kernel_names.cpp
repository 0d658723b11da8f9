// SPDX-License-Identifier: Apache-2.0
// What every phase of a kernel's text shares: names, extents, and rows that are one number.
#include "core/codegen/cpp/expressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cutaway::codegen::cpp {

using namespace kernel;
using ir::DType;
using ir::Sym;

namespace {

/// Stands for the number of the row, when outer variables are joined.
const ir::Var kRow{'w', 0};

bool onlySizes(const Sym& sym) {
    const std::vector<ir::Var> variables = sym.variables();
    return std::all_of(variables.begin(), variables.end(), [](ir::Var v) { return v.kind == 's'; });
}

/// The bound of a variable whose extent is known only when the kernel runs.
constexpr int64_t kVeryMany = int64_t{1} << 31;

} // namespace

KernelNames::KernelNames(const KernelProgram& p, const LoopTree& tree, std::vector<Axis> joined)
    : program(p), rows(std::move(joined)) {
    for (const Axis& axis : tree.axes)
        if (std::find(rows.begin(), rows.end(), axis) == rows.end()) others.push_back(axis);
    auto isInner = [&](AxisId id) { return tree.axis(id).variable == innerVar(); };
    for (const TreeLocal& local : tree.locals)
        perElement.push_back(std::any_of(local.axes.begin(), local.axes.end(), isInner));
    visitSteps(tree, tree.root, [&](const Step& step, const std::vector<StepId>& open) {
        const bool inside = std::any_of(open.begin(), open.end(), [&](StepId id) {
            return has(tree.step(id).places, Place::Vector);
        });
        if (defines(step.kind) && inside)
            for (LocalId local : step.locals)
                perElement[local.index] = true;
    });
}

Sym KernelNames::extentOf(ir::Var variable) const {
    for (const auto* axes : {&rows, &others})
        for (const Axis& axis : *axes)
            if (axis.variable == variable) return axis.extent;
    Sym count(1);
    for (const Axis& axis : rows)
        count = count * axis.extent;
    return count;
}

int64_t KernelNames::sizeOf(ir::Var variable) const {
    if (variable.kind == 's') return kVeryMany;
    const Sym extent = extentOf(variable);
    return extent.isConst() ? extent.constant() : kVeryMany;
}

std::string KernelNames::nameOf(ir::Var variable) {
    if (variable == innerVar()) return "i";
    if (variable == kRow || (rows.size() == 1 && rows[0].variable == variable)) return "row";
    return variable.str();
}

IndexText KernelNames::indices() {
    return IndexText([this](ir::Var v) { return nameOf(v); },
                     [this](ir::Var v) { return sizeOf(v); });
}

Sym KernelNames::byRow(const Sym& sym) const {
    if (rows.size() < 2 || sym.isConst()) return sym;
    Sym rest = sym, expected(0);
    for (size_t k = rows.size(); k-- > 0;) {
        const Sym variable = rows[k].variable;
        const auto coefficient = sym.coefficient(rows[k].variable);
        if (!coefficient || !onlySizes(*coefficient)) return sym;
        const bool last = k + 1 == rows.size();
        if (last)
            expected = *coefficient;
        else if (!rows[k].extent.is(1) && !rows[k].extent.is(0) && !(*coefficient == expected))
            return sym;
        expected = expected * rows[k].extent;
        rest = rest - *coefficient * variable;
    }
    return rest + *sym.coefficient(rows.back().variable) * Sym(kRow);
}

std::string KernelNames::vectorOf(DType dtype) {
    usedVectors.insert(dtype);
    return vectorType(dtype, lanes);
}

std::string combined(ReduceOp op, const std::string& a, const std::string& b) {
    switch (op) {
    case ReduceOp::Sum:
        return fmt::format("{} + {}", a, b);
    case ReduceOp::Prod:
        return fmt::format("{} * {}", a, b);
    case ReduceOp::Any:
        return fmt::format("{} | {}", a, b);
    case ReduceOp::All:
        return fmt::format("{} & {}", a, b);
    case ReduceOp::Max:
    case ReduceOp::ArgMax:
        return fmt::format("math::max({}, {})", a, b);
    case ReduceOp::Min:
    case ReduceOp::ArgMin:
        return fmt::format("math::min({}, {})", a, b);
    case ReduceOp::Welford:
        break;
    }
    return {};
}

std::string_view updating(ReduceOp op) {
    switch (op) {
    case ReduceOp::Sum:
        return "add";
    case ReduceOp::Prod:
        return "prod";
    case ReduceOp::Max:
        return "max";
    case ReduceOp::Min:
        return "min";
    default:
        throw std::logic_error(fmt::format("{} is not accumulated in memory", kernel::text(op)));
    }
}

} // namespace cutaway::codegen::cpp
