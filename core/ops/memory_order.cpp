// SPDX-License-Identifier: Apache-2.0
// Source: aten/src/ATen/TensorIterator.cpp (compute_fast_setup_type, reorder_dimensions),
// aten/src/ATen/ExpandUtils.cpp (infer_dense_strides).
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

bool isEmpty(const Shape& sizes) {
    return std::any_of(sizes.begin(), sizes.end(), [](const Sym& size) { return size.is(0); });
}

} // namespace

bool isDense(const TensorType& type) {
    if (isEmpty(type.sizes)) return true;
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

// Source: c10/core/MemoryFormat.h (is_channels_last_strides_2d_s4 and its kin).
bool isChannelsLast(const TensorType& type) {
    const size_t rank = type.rank();
    if (rank < 3 || rank > 5 || type.strides[1].is(0)) return false;
    std::vector<size_t> order{1};
    for (size_t d = rank - 1; d >= 2; --d)
        order.push_back(d);
    order.push_back(0);
    Sym least(0);
    const Sym& channel = type.strides[1];
    for (size_t d : order) {
        const Sym& stride = type.strides[d];
        if (type.sizes[d].is(0)) return false;
        if (stride != least && !ir::provable(ir::atMost(least, stride))) return false;
        if (d == 0 && channel == least) return false;
        least = stride * type.sizes[d];
    }
    return true;
}

bool liesWithin(const ir::TensorType& type, size_t a, size_t b) {
    const ir::Sym &first = type.strides[a], &second = type.strides[b];
    return first.isConst() && second.isConst() && first.constant() < second.constant();
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

/// PyTorch refuses elementwise operations beyond (c10/core/TensorImpl.h, TensorIterator); here they lie in rows.
constexpr size_t kOrderedRank = 64;

/// The dimensions from the innermost to the outermost, by the operands' strides.
std::vector<size_t> innermostFirst(const std::vector<Shape>& operands, const Shape& sizes) {
    std::vector<size_t> inward(sizes.size());
    std::iota(inward.rbegin(), inward.rend(), size_t{0});
    if (inward.size() > kOrderedRank) return inward; // the sort's time is quadratic
    for (size_t i = 1; i < inward.size(); ++i)
        for (size_t at = i, before = i; before-- > 0;) {
            const int order = compareDims(operands, sizes, inward[before], inward[at]);
            if (order < 0) break;
            if (order == 0) continue;
            std::swap(inward[before], inward[at]);
            at = before;
        }
    return inward;
}

/// Whether the channels of a tensor [n, c, h, w] lie innermost and the rest row-major.
bool channelsLast(const TensorType& type) {
    if (type.rank() != 4) return false;
    Sym expected(1);
    for (size_t dim : {1, 3, 2, 0}) {
        if (type.sizes[dim].is(1)) continue;
        if (!(type.strides[dim] == expected)) return false;
        expected = expected * type.sizes[dim];
    }
    return true;
}

/// Strides where all operands have the result's sizes and lie alike; nothing where they do not.
std::optional<Shape> commonStrides(std::span<const TensorType* const> operands,
                                   const Shape& sizes) {
    const TensorType& first = *operands.front();
    bool alike = true, rows = true, channels = true;
    for (const TensorType* type : operands) {
        if (type->sizes != sizes) return std::nullopt;
        rows &= type->isContiguous();
        channels &= channelsLast(*type);
        alike &= type->strides == first.strides;
    }
    if (rows) return ir::contiguousStrides(sizes);
    if (channels)
        return Shape{sizes[1] * sizes[2] * sizes[3], Sym(1), sizes[1] * sizes[3], sizes[1]};
    if (alike && isDense(first)) return first.strides;
    return std::nullopt;
}

} // namespace

Shape elementwiseStrides(std::span<const TensorType* const> operands, const Shape& sizes) {
    if (operands.empty()) return ir::contiguousStrides(sizes);
    if (auto common = commonStrides(operands, sizes)) return *common;
    std::vector<Shape> strides;
    for (const TensorType* type : operands)
        strides.push_back(broadcastStrides(*type, sizes));
    const std::vector<size_t> inward = innermostFirst(strides, sizes);
    if (std::is_sorted(inward.rbegin(), inward.rend())) return ir::contiguousStrides(sizes);
    Shape result(sizes.size());
    Sym step(1);
    for (size_t dim : inward) {
        result[dim] = step;
        step = step * sizes[dim];
    }
    return result;
}

Shape stridesLike(const TensorType& type) {
    if (isDense(type)) return type.strides;
    Shape result(type.rank());
    Sym step(1);
    for (size_t dim : innermostFirst({type.strides}, type.sizes)) {
        result[dim] = step;
        step = step * type.sizes[dim];
    }
    return result;
}

} // namespace cutaway::ops
