// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/overlap.h"

#include <algorithm>
#include <utility>

namespace cutaway::runtime {

namespace {

/// Whether the elements fill their range, each place once, in whatever order of dimensions.
bool fillsItsRange(const ir::TensorType& type) {
    std::vector<std::pair<int64_t, int64_t>> steps; // stride, size
    for (size_t i = 0; i < type.rank(); ++i)
        if (const int64_t size = type.sizes[i].constant(); size != 1)
            steps.emplace_back(type.strides[i].constant(), size);
    std::sort(steps.begin(), steps.end());
    int64_t expected = 1;
    for (auto [stride, size] : steps) {
        if (stride != expected) return false;
        expected *= size;
    }
    return true;
}

} // namespace

bool overlapsItself(const ir::TensorType& type) {
    std::vector<std::pair<int64_t, int64_t>> dims; // stride, size
    for (size_t d = 0; d < type.rank(); ++d) {
        if (!type.strides[d].isConst() || !type.sizes[d].isConst()) return false;
        if (type.sizes[d].is(0)) return false;
        if (!type.sizes[d].is(1))
            dims.emplace_back(type.strides[d].constant(), type.sizes[d].constant());
    }
    std::sort(dims.begin(), dims.end());
    int64_t reach = 0;
    for (const auto& [stride, size] : dims) {
        if (stride <= reach) return true;
        reach += (size - 1) * stride;
    }
    return false;
}

bool partlyOverlap(const Tensor& a, const Tensor& b) {
    return a.storage == b.storage && partlyOverlap(a.type, a.offset, b.type, b.offset);
}

bool partlyOverlap(const ir::TensorType& a, int64_t aOffset, const ir::TensorType& b,
                   int64_t bOffset) {
    if (a.numel().is(0) || b.numel().is(0)) return false;
    if (!fillsItsRange(a) || !fillsItsRange(b)) return false;
    auto bytes = [](const ir::TensorType& type, int64_t elements) {
        return elements * static_cast<int64_t>(ir::sizeBytes(type.dtype));
    };
    const int64_t aBegin = bytes(a, aOffset), aEnd = aBegin + bytes(a, a.numel().constant());
    const int64_t bBegin = bytes(b, bOffset), bEnd = bBegin + bytes(b, b.numel().constant());
    if (aBegin == bBegin && aEnd == bEnd) return a.strides != b.strides;
    return aBegin < bEnd && bBegin < aEnd;
}

} // namespace cutaway::runtime
