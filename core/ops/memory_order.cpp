// SPDX-License-Identifier: Apache-2.0
// Source: aten/src/ATen/TensorIterator.cpp (fast_set_up, reorder_dimensions).
#include "core/ops/memory_order.h"

#include <algorithm>
#include <numeric>

namespace cutaway::ops {

using ir::Shape;
using ir::Sym;
using ir::TensorType;

bool isDense(const TensorType& type) {
    if (!type.staticSizes()) return type.isContiguous();
    std::vector<std::pair<int64_t, int64_t>> byStride;
    for (size_t i = 0; i < type.rank(); ++i)
        if (!type.sizes[i].is(1))
            byStride.emplace_back(type.strides[i].constant(), type.sizes[i].constant());
    std::sort(byStride.begin(), byStride.end());
    int64_t expected = 1;
    for (auto [stride, size] : byStride) {
        if (stride != expected) return false;
        expected *= size;
    }
    return true;
}

std::vector<size_t> memoryOrder(const TensorType& type) {
    std::vector<size_t> order(type.rank());
    std::iota(order.begin(), order.end(), size_t{0});
    if (type.isContiguous() || !isDense(type)) return order;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        return type.strides[a].constant() > type.strides[b].constant();
    });
    return order;
}

namespace {

/// Strides of an operand over the result's dimensions: 0 where it is broadcast.
std::vector<int64_t> broadcastStrides(const TensorType& operand, const Shape& sizes) {
    std::vector<int64_t> strides(sizes.size(), 0);
    const size_t shift = sizes.size() - operand.rank();
    for (size_t i = 0; i < operand.rank(); ++i)
        if (!operand.sizes[i].is(1) || sizes[shift + i].is(1))
            strides[shift + i] = operand.strides[i].constant();
    return strides;
}

/// > 0: dimension a lies outside of b, < 0: inside; 0: no operand tells.
int compareDims(const std::vector<std::vector<int64_t>>& operands,
                const std::vector<int64_t>& sizes, size_t a, size_t b) {
    for (const std::vector<int64_t>& strides : operands) {
        if (strides[a] == 0 || strides[b] == 0) continue;
        if (strides[a] != strides[b]) return strides[a] < strides[b] ? -1 : 1;
        if (sizes[a] > sizes[b]) return 1;
    }
    return 0;
}

} // namespace

Shape elementwiseStrides(std::span<const TensorType* const> operands, const Shape& sizes) {
    const auto constant = [](const Sym& size) { return size.isConst(); };
    bool rows = !std::all_of(sizes.begin(), sizes.end(), constant) ||
                std::any_of(sizes.begin(), sizes.end(), [](const Sym& size) { return size.is(0); });
    rows |= std::all_of(operands.begin(), operands.end(),
                        [](const TensorType* type) { return type->isContiguous(); });
    rows |= std::any_of(operands.begin(), operands.end(),
                        [](const TensorType* type) { return !type->staticSizes(); });
    if (rows) return ir::contiguousStrides(sizes);
    const TensorType& first = *operands.front();
    const bool same = std::all_of(operands.begin(), operands.end(), [&](const TensorType* type) {
        return type->sizes == sizes && type->strides == first.strides;
    });
    if (same && isDense(first)) return first.strides;

    std::vector<std::vector<int64_t>> strides;
    for (const TensorType* type : operands)
        strides.push_back(broadcastStrides(*type, sizes));
    const std::vector<int64_t> extents = ir::constants(sizes);
    std::vector<size_t> inward(sizes.size()); // from the innermost dimension to the outermost
    std::iota(inward.rbegin(), inward.rend(), size_t{0});
    for (size_t i = 1; i < inward.size(); ++i)
        for (size_t at = i, before = i; before-- > 0;) {
            const int order = compareDims(strides, extents, inward[before], inward[at]);
            if (order < 0) break;
            if (order == 0) continue;
            std::swap(inward[before], inward[at]);
            at = before;
        }
    Shape result(sizes.size());
    Sym step(1);
    for (size_t dim : inward) {
        result[dim] = step;
        step = step * sizes[dim];
    }
    return result;
}

} // namespace cutaway::ops
