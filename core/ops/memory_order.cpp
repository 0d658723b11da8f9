// SPDX-License-Identifier: Apache-2.0
// Source: aten/src/ATen/TensorIterator.cpp (fast_set_up, reorder_dimensions).
#include "core/ops/memory_order.h"

#include "core/ir/shape_env.h"

#include <algorithm>
#include <numeric>

namespace cutaway::ops {

using ir::Shape;
using ir::Sym;
using ir::TensorType;

namespace {

/// The dimensions of a dense tensor from the innermost outwards, without those of size 1: each
/// stride is the product of the sizes inside of it. Nothing when the tensor is not dense.
std::optional<std::vector<size_t>> chainOutwards(const TensorType& type) {
    std::vector<size_t> chain, left;
    for (size_t i = type.rank(); i-- > 0;)
        if (!type.sizes[i].is(1)) left.push_back(i);
    for (Sym expected(1); !left.empty();) {
        auto next = std::find_if(left.begin(), left.end(),
                                 [&](size_t i) { return type.strides[i] == expected; });
        if (next == left.end()) return std::nullopt;
        expected = expected * type.sizes[*next];
        chain.push_back(*next);
        left.erase(next);
    }
    return chain;
}

} // namespace

bool isDense(const TensorType& type) {
    if (!type.staticSizes()) return chainOutwards(type).has_value();
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
    if (!type.staticSizes()) {
        const std::vector<size_t> chain = *chainOutwards(type);
        std::vector<size_t> place(type.rank(), 0); // 0: sizes of 1 come first
        for (size_t at = 0; at < chain.size(); ++at)
            place[chain[at]] = chain.size() - at;
        std::stable_sort(order.begin(), order.end(),
                         [&](size_t a, size_t b) { return place[a] < place[b]; });
        return order;
    }
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        return type.strides[a].constant() > type.strides[b].constant();
    });
    return order;
}

namespace {

/// Strides of an operand over the result's dimensions: 0 where it is broadcast.
Shape broadcastStrides(const TensorType& operand, const Shape& sizes) {
    Shape strides(sizes.size(), Sym(0));
    const size_t shift = sizes.size() - operand.rank();
    for (size_t i = 0; i < operand.rank(); ++i)
        if (!operand.sizes[i].is(1) || sizes[shift + i].is(1))
            strides[shift + i] = operand.strides[i];
    return strides;
}

/// > 0: dimension a lies outside of b, < 0: inside; 0: no operand tells.
int compareDims(const std::vector<Shape>& operands, const Shape& sizes, size_t a, size_t b) {
    for (const Shape& strides : operands) {
        if (strides[a].is(0) || strides[b].is(0)) continue;
        if (ir::provable(ir::less(strides[a], strides[b]))) return -1;
        if (ir::provable(ir::less(strides[b], strides[a]))) return 1;
        const bool equal = strides[a] == strides[b];
        if (equal && ir::provable(ir::less(sizes[b], sizes[a]))) return 1;
    }
    return 0;
}

} // namespace

Shape elementwiseStrides(std::span<const TensorType* const> operands, const Shape& sizes) {
    bool rows = std::any_of(sizes.begin(), sizes.end(), [](const Sym& size) { return size.is(0); });
    rows |= std::all_of(operands.begin(), operands.end(),
                        [](const TensorType* type) { return type->isContiguous(); });
    if (rows) return ir::contiguousStrides(sizes);
    const TensorType& first = *operands.front();
    const bool same = std::all_of(operands.begin(), operands.end(), [&](const TensorType* type) {
        return type->sizes == sizes && type->strides == first.strides;
    });
    if (same && isDense(first)) return first.strides;

    std::vector<Shape> strides;
    for (const TensorType* type : operands)
        strides.push_back(broadcastStrides(*type, sizes));
    std::vector<size_t> inward(sizes.size()); // from the innermost dimension to the outermost
    std::iota(inward.rbegin(), inward.rend(), size_t{0});
    for (size_t i = 1; i < inward.size(); ++i)
        for (size_t at = i, before = i; before-- > 0;) {
            const int order = compareDims(strides, sizes, inward[before], inward[at]);
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
