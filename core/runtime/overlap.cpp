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

namespace {

/// The dimensions of a window, those of the widest steps first, where one goes on behind another as
/// one of both.
struct Steps {
    std::vector<std::pair<int64_t, int64_t>> dims; ///< stride, size

    explicit Steps(const ir::TensorType& type) {
        for (size_t d = 0; d < type.rank(); ++d)
            if (!type.sizes[d].is(1) && !type.strides[d].is(0))
                dims.emplace_back(type.strides[d].constant(), type.sizes[d].constant());
        std::sort(dims.rbegin(), dims.rend());
        for (size_t i = dims.size(); i-- > 1;)
            if (dims[i - 1].first == dims[i].first * dims[i].second) {
                dims[i - 1] = {dims[i].first, dims[i - 1].second * dims[i].second};
                dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(i));
            }
    }
    /// How many steps along each lead \p places on, added to \p counts; false: none do.
    bool add(int64_t places, int64_t times, std::vector<int64_t>& counts) const {
        for (size_t i = 0; i < dims.size(); ++i) {
            counts[i] += places / dims[i].first * times;
            places %= dims[i].first;
        }
        return places == 0;
    }
};

} // namespace

bool liesWithin(const Tensor& part, const Tensor& whole) {
    const int64_t start = part.offset - whole.offset;
    const Steps steps(whole.type);
    std::vector<int64_t> most(steps.dims.size(), 0);
    if (start < 0 || !steps.add(start, 1, most)) return false;
    for (const auto& [stride, size] : Steps(part.type).dims)
        if (!steps.add(stride, size - 1, most)) return false;
    for (size_t i = 0; i < most.size(); ++i)
        if (most[i] >= steps.dims[i].second) return false;
    return true;
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
