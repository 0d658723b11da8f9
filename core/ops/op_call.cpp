// SPDX-License-Identifier: Apache-2.0
#include "core/ops/arg_numbers.h"
#include "core/ops/op_def.h"
#include "core/ops/refusal.h"
#include "core/ops/unknown_sizes.h"

#include <fmt/format.h>

#include <stdexcept>

namespace cutaway::ops {

namespace {
[[noreturn]] void wrongKind(const OpCall& call, size_t i, const char* wanted) {
    throw std::logic_error(
        fmt::format("{}: argument {} is not {}", call.def.parsed.name, i, wanted));
}
} // namespace

const ir::TensorType& OpCall::tensor(size_t i) const {
    if (!isTensor(i)) wrongKind(*this, i, "a tensor");
    return graph.node(*args[i].node()).type();
}

std::vector<ir::TensorType> OpCall::tensors(size_t i) const {
    if (i >= args.size() || !args[i].list()) wrongKind(*this, i, "a list of tensors");
    std::vector<ir::TensorType> types;
    for (const ir::Arg& arg : *args[i].list()) {
        if (!arg.node()) wrongKind(*this, i, "a list of tensors");
        types.push_back(graph.node(*arg.node()).type());
    }
    return types;
}

ir::Sym OpCall::integer(size_t i) const {
    if (i < args.size()) {
        if (auto s = std::get_if<ir::Sym>(&args[i])) return *s;
        if (auto b = std::get_if<bool>(&args[i])) return ir::Sym(*b ? 1 : 0);
    }
    wrongKind(*this, i, "an integer");
}

bool decide(const ir::Graph& graph, const ir::Condition& condition) {
    if (condition.a.isConst() && condition.b.isConst())
        return condition.holds(condition.a.constant(), condition.b.constant());
    if (!graph.shapes) throw UnknownSizes();
    return graph.shapes->decide(condition);
}

bool OpCall::same(const ir::Shape& a, const ir::Shape& b) const {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i)
        if (!same(a[i], b[i])) return false;
    return true;
}

int64_t OpCall::number(const ir::Sym& size) const {
    if (size.isConst()) return size.constant();
    if (!graph.shapes) throw UnknownSizes();
    return graph.shapes->specialize(size);
}

std::vector<int64_t> OpCall::numbers(size_t i) const {
    return numbers(integers(i));
}

std::vector<int64_t> OpCall::numbers(const ir::Shape& sizes) const {
    std::vector<int64_t> values;
    for (const ir::Sym& size : sizes)
        values.push_back(number(size));
    return values;
}

double OpCall::real(size_t i) const {
    if (i < args.size())
        if (auto d = std::get_if<double>(&args[i])) return *d;
    return static_cast<double>(number(i));
}

bool OpCall::boolean(size_t i) const {
    if (i < args.size())
        if (auto b = std::get_if<bool>(&args[i])) return *b;
    wrongKind(*this, i, "a bool");
}

std::vector<ir::Sym> OpCall::integers(size_t i) const {
    if (i < args.size() && std::holds_alternative<ir::Sym>(args[i])) return {integer(i)};
    if (i >= args.size() || !args[i].list()) wrongKind(*this, i, "a list of integers");
    std::vector<ir::Sym> values;
    for (const ir::Arg& arg : *args[i].list()) {
        auto s = std::get_if<ir::Sym>(&arg);
        if (!s) wrongKind(*this, i, "a list of integers");
        values.push_back(*s);
    }
    return values;
}

ir::DType OpCall::dtype(size_t i) const {
    if (i < args.size())
        if (auto d = std::get_if<ir::DType>(&args[i])) return *d;
    wrongKind(*this, i, "a dtype");
}

base::Diagnostic dimensionOutside(int64_t dim, int64_t count) {
    return base::userError({}, fmt::format("Dimension out of range (expected to be in range of "
                                           "[{}, {}], but got {})",
                                           -count, count - 1, dim))
        .as(base::ErrorClass::Index);
}

base::Result<int> OpCall::dim(size_t i, size_t rank) const {
    int64_t value = number(i);
    // A 0-dim tensor takes 0 and -1, as in PyTorch.
    int64_t count = std::max<int64_t>(static_cast<int64_t>(rank), 1);
    if (value < -count || value >= count) {
        base::Diagnostic outside = dimensionOutside(value, count);
        outside.hint = fmt::format("of {}: {}", def.parsed.base, def.parsed.args[i].name);
        return outside;
    }
    return static_cast<int>(value < 0 ? value + count : value);
}

double realOf(const ir::Arg& number) {
    if (const auto* real = std::get_if<double>(&number)) return *real;
    if (const auto* truth = std::get_if<bool>(&number)) return *truth ? 1 : 0;
    return static_cast<double>(std::get<ir::Sym>(number).constant());
}

} // namespace cutaway::ops
