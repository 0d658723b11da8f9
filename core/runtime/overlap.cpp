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

bool partlyOverlap(const Tensor& a, const Tensor& b) {
    if (a.storage != b.storage || a.type.numel().is(0) || b.type.numel().is(0)) return false;
    if (!fillsItsRange(a.type) || !fillsItsRange(b.type)) return false;
    const auto *aBegin = static_cast<const std::byte*>(a.data()), *aEnd = aBegin + a.type.bytes();
    const auto *bBegin = static_cast<const std::byte*>(b.data()), *bEnd = bBegin + b.type.bytes();
    if (aBegin == bBegin && aEnd == bEnd) return a.type.strides != b.type.strides;
    return aBegin < bEnd && bBegin < aEnd;
}

} // namespace cutaway::runtime
