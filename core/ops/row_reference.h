// SPDX-License-Identifier: Apache-2.0
/// \file
/// References that see whole rows. Internal to core/ops.
#pragma once

#include "core/kernel/row_order.h"
#include "core/ops/elementwise_tools.h"

namespace cutaway::ops {

/// One number for the elements that \p dims put together, in order: f(vector<double>).
template <class F>
ir::HostTensor foldRows(const ir::HostTensor& in, const std::vector<int>& dims, bool keepdim,
                        ir::DType out, F f) {
    const std::vector<int64_t> to = reducedIndex(in.sizes, dims);
    Sizes sizes = reducedHostSizes(in.sizes, dims, keepdim);
    std::vector<std::vector<double>> rows(static_cast<size_t>(product(sizes)));
    for (size_t i = 0; i < to.size(); ++i)
        rows[static_cast<size_t>(to[i])].push_back(in.get(static_cast<int64_t>(i)));
    std::vector<double> values;
    for (const std::vector<double>& row : rows)
        values.push_back(f(row));
    return tensorOf(out, std::move(sizes), values);
}

/// As many numbers as there were along \p dim: f(vector<double>) gives a row for a row, which may
/// have another length than the first one (the same for all).
template <class F> ir::HostTensor mapRows(const ir::HostTensor& in, int dim, ir::DType out, F f) {
    if (in.sizes.empty()) return tensorOf(out, {}, f(std::vector<double>{in.get(0)}));
    const auto d = static_cast<size_t>(dim);
    const std::vector<int64_t> to = reducedIndex(in.sizes, {dim});
    Sizes rowSizes = reducedHostSizes(in.sizes, {dim}, false);
    std::vector<std::vector<double>> rows(static_cast<size_t>(product(rowSizes)));
    for (size_t i = 0; i < to.size(); ++i)
        rows[static_cast<size_t>(to[i])].push_back(in.get(static_cast<int64_t>(i)));
    Sizes sizes = in.sizes;
    if (rows.empty()) // how long one would be
        sizes[d] = static_cast<int64_t>(
            f(std::vector<double>(static_cast<size_t>(in.sizes[d]), 0.0)).size());
    for (std::vector<double>& row : rows) {
        row = f(row);
        sizes[d] = static_cast<int64_t>(row.size());
    }
    ir::HostTensor result = ir::HostTensor::zeros(out, sizes);
    const std::vector<int64_t> from = reducedIndex(sizes, {dim});
    std::vector<size_t> next(rows.size());
    for (int64_t i = 0; i < result.numel(); ++i) {
        const auto row = static_cast<size_t>(from[static_cast<size_t>(i)]);
        result.set(i, rows[row][next[row]++]);
    }
    return result;
}

/// A NaN counts as the largest number.
inline bool comesBefore(double a, double b, bool descending) {
    if (a != a || b != b) return descending ? a != a && b == b : b != b && a == a;
    return descending ? a > b : a < b;
}
using RowOrder = kernel::RowCall::Order;
/// \p how a CPU finds the order of such rows; a GPU finds it stable.
inline RowOrder orderOf(const ir::TensorType& rows, RowOrder how) {
    return rows.device.isCuda() ? RowOrder::Stable : how;
}
/// As an operation names it.
inline ir::Arg orderWord(const ir::TensorType& rows, RowOrder how) {
    return {std::string(kernel::text(orderOf(rows, how)))};
}
/// The positions of the first \p count of a row's elements in that order.
inline std::vector<size_t> rowInOrder(const std::vector<double>& row, RowOrder how, size_t count,
                                      bool descending = false) {
    std::vector<size_t> order(row.size());
    for (size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    if (count > 0)
        kernel::orderFirst(how, order.data(), order.size(), count, [&](size_t a, size_t b) {
            return how == RowOrder::Unstable ? row[a] < row[b]
                                             : comesBefore(row[a], row[b], descending);
        });
    order.resize(count);
    return order;
}

/// The "dim" argument of a reduction as wrapped dims; none: all.
inline std::vector<int> rowDims(const OpCall& call, const ir::HostTensor& in) {
    const int i = call.def.parsed.find("dim");
    if (i < 0 || !call.has(static_cast<size_t>(i))) return allDims(in.sizes.size());
    return hostDims(call, static_cast<size_t>(i), in.sizes.size());
}
inline bool keepsRowDims(const OpCall& call) {
    const int i = call.def.parsed.find("keepdim");
    return i >= 0 && call.boolean(static_cast<size_t>(i));
}

} // namespace cutaway::ops
