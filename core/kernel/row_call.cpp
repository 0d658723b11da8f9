// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/row_call.h"

#include "core/kernel/row_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cutaway::kernel {

namespace {

using Running = RowCall::Running;
constexpr Running kRunning[] = {Running::Sum, Running::Product, Running::LogSumExp, Running::Max,
                                Running::Min};

/// The elements of the row that the result's \p index is in, in order.
std::vector<Scalar> rowOf(const LibraryCall& call, std::span<const int64_t> index,
                          const RowElements& operand) {
    const auto dim = static_cast<size_t>(call.row.dim);
    std::vector<int64_t> at(index.begin(), index.end());
    std::vector<Scalar> row;
    const int64_t n = call.operands[0].sizes[dim].constant();
    for (at[dim] = 0; at[dim] < n; ++at[dim])
        row.push_back(operand(0, at));
    return row;
}

bool isLess(const Scalar& a, const Scalar& b, ir::DType dtype) {
    if (dtype == ir::DType::UInt64)
        return static_cast<uint64_t>(a.integer) < static_cast<uint64_t>(b.integer);
    return ir::isFloating(dtype) ? a.real < b.real : a.integer < b.integer;
}

double logSum(double a, double b) {
    const double least = std::min(a, b), most = std::max(a, b);
    if (std::isnan(a) || std::isnan(b)) return a + b;
    if (least == most && std::isinf(least)) return least;
    return most + std::log1p(std::exp(least - most));
}

} // namespace

std::string_view text(Running running) {
    constexpr std::string_view kTexts[] = {"sum", "product", "logsumexp", "max", "min"};
    return kTexts[static_cast<size_t>(running)];
}

constexpr std::string_view kOrders[] = {"stable", "unstable", "top", "top_unsorted", "kth"};

std::string_view text(RowCall::Order order) {
    return kOrders[static_cast<size_t>(order)];
}

std::optional<RowCall::Order> rowOrder(std::string_view word) {
    const auto* at = std::ranges::find(kOrders, word);
    if (at == std::end(kOrders)) return std::nullopt;
    return static_cast<RowCall::Order>(at - std::begin(kOrders));
}

ir::Sym scanFlops(const LibraryCall& call) {
    ir::Sym count(1);
    for (const ir::Sym& size : call.operands[0].sizes)
        count = count * size;
    return count;
}

ir::Sym sortFlops(const LibraryCall& call) {
    const ir::Sym& n = call.operands[0].sizes[static_cast<size_t>(call.row.dim)];
    int64_t steps = 1;
    if (n.isConst())
        while (steps < 40 && (int64_t{1} << steps) < n.constant())
            ++steps;
    else
        steps = 16;
    return scanFlops(call) * ir::Sym(steps);
}

std::optional<std::string> verifyRows(const LibraryCall& call, const Buffer& result) {
    const ir::Shape& from = call.operands[0].sizes;
    const auto dim = static_cast<size_t>(call.row.dim);
    if (from.size() != call.sizes.size()) return result.name + " and its operand differ in rank";
    if (call.row.dim < 0 || dim >= from.size())
        return fmt::format("{} is computed along dimension {}, which its operand has not",
                           result.name, call.row.dim);
    for (size_t d = 0; d < from.size(); ++d) {
        const bool shorter = call.op == LibraryOp::Sort && d == dim;
        if (!shorter && !(from[d] == call.sizes[d]))
            return result.name + " and its operand differ in size";
    }
    const bool places = call.op == LibraryOp::Sort || call.row.givesPlaces();
    if (result.dtype != (places ? ir::DType::Int64 : call.row.dtype))
        return fmt::format("{} of {} is stored as {}", result.name, ir::name(call.row.dtype),
                           ir::name(result.dtype));
    return std::nullopt;
}

Scalar sortElement(const LibraryCall& call, ir::DType, std::span<const int64_t> index,
                   const RowElements& operand) {
    const std::vector<Scalar> row = rowOf(call, index, operand);
    const bool floating = ir::isFloating(call.row.dtype);
    std::vector<int64_t> order(row.size());
    std::iota(order.begin(), order.end(), int64_t{0});
    const auto before = [&](int64_t i, int64_t j) {
        const Scalar &a = row[static_cast<size_t>(call.row.descending ? j : i)],
                     &b = row[static_cast<size_t>(call.row.descending ? i : j)];
        if (floating && (std::isnan(a.real) || std::isnan(b.real)))
            return call.row.order != RowCall::Order::Unstable && std::isnan(b.real) &&
                   !std::isnan(a.real);
        return isLess(a, b, call.row.dtype);
    };
    const int64_t count = call.sizes[static_cast<size_t>(call.row.dim)].constant();
    orderFirst(call.row.order, order.data(), order.size(), static_cast<size_t>(count), before);
    return {0, order[static_cast<size_t>(index[static_cast<size_t>(call.row.dim)])]};
}

void RunningValue::add(const Scalar& x, int64_t at) {
    const bool floating = ir::isFloating(element_), first = place_ < 0;
    const auto a = static_cast<uint64_t>(state_.integer), b = static_cast<uint64_t>(x.integer);
    if (first) {
        state_ = x;
        place_ = at;
        return;
    }
    switch (how_) {
    case Running::Sum:
        state_ = {state_.real + x.real, static_cast<int64_t>(a + b)};
        return;
    case Running::Product:
        state_ = {state_.real * x.real, static_cast<int64_t>(a * b)};
        return;
    case Running::LogSumExp:
        state_.real = logSum(state_.real, x.real);
        return;
    case Running::Max:
    case Running::Min:
        break;
    }
    const bool most = how_ == Running::Max;
    const bool better = !isLess(most ? x : state_, most ? state_ : x, element_);
    if ((floating && std::isnan(x.real)) || (better && !(floating && std::isnan(state_.real))))
        state_ = x, place_ = at;
}

Scalar RunningValue::value(ir::DType result) const {
    return ir::isFloating(element_) ? scalarOf(result, state_.real)
                                    : scalarOfInt(result, state_.integer);
}

Scalar scanElement(const LibraryCall& call, ir::DType dtype, std::span<const int64_t> index,
                   const RowElements& operand) {
    std::vector<Scalar> row = rowOf(call, index, operand);
    const auto n = static_cast<int64_t>(row.size());
    const bool back = call.row.backwards;
    const int64_t last = index[static_cast<size_t>(call.row.dim)];
    RunningValue running(call.row.running, call.row.dtype);
    for (int64_t i = back ? n - 1 : 0;; i += back ? -1 : 1) {
        running.add(row[static_cast<size_t>(i)], i);
        if (i == last) break;
    }
    return call.row.givesPlaces() ? Scalar{0, running.place()} : running.value(dtype);
}

std::string rowText(const LibraryCall& call) {
    if (call.op != LibraryOp::Sort && call.op != LibraryOp::Scan) return {};
    std::string out = fmt::format("; along {}", call.row.dim);
    if (call.op == LibraryOp::Scan) out += fmt::format(", {}", text(call.row.running));
    if (call.row.descending) out += ", descending";
    if (call.row.order != RowCall::Order::Stable) out += fmt::format(", {}", text(call.row.order));
    if (call.row.backwards) out += ", backwards";
    return out;
}

bool readRowWord(std::string_view word, LibraryOp op, RowCall& row) {
    if (op == LibraryOp::Sort) {
        if (word == "descending") return row.descending = true;
        const std::optional<RowCall::Order> order = rowOrder(word);
        if (order) row.order = *order;
        return order.has_value();
    }
    if (word == "backwards") return row.backwards = true;
    for (Running running : kRunning)
        if (word == text(running)) {
            row.running = running;
            return true;
        }
    return false;
}

} // namespace cutaway::kernel
