// SPDX-License-Identifier: Apache-2.0
/// \file
/// How rows are put in order: RowCall::Order on the CPU. Sources: aten/src/ATen/native/TopKImpl.h,
/// Sorting.cpp (quick_select_template), cpu/TensorCompareKernel.cpp (mode_kernel_impl).
#pragma once

#include "core/kernel/library_call.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace cutaway::kernel {

/// What belongs at position \p at goes there, what comes before it in front of it.
template <typename Entry, typename Before>
void quickSelect(Entry* row, ptrdiff_t size, ptrdiff_t at, const Before& before) {
    ptrdiff_t left = 0, right = size - 1;
    while (left + 1 < right) {
        // The middle one of three divides.
        std::swap(row[left + (right - left) / 2], row[left + 1]);
        if (before(row[right], row[left + 1])) std::swap(row[left + 1], row[right]);
        if (before(row[right], row[left])) std::swap(row[left], row[right]);
        if (before(row[left], row[left + 1])) std::swap(row[left + 1], row[left]);
        const Entry divides = row[left];
        ptrdiff_t i = left + 1, j = right;
        while (true) {
            do
                ++i;
            while (before(row[i], divides));
            do
                --j;
            while (before(divides, row[j]));
            if (j < i) break;
            std::swap(row[i], row[j]);
        }
        std::swap(row[left], row[j]);
        if (j <= at) left = i;
        if (j >= at) right = j - 1;
    }
    if (left + 1 == right && before(row[right], row[left])) std::swap(row[left], row[right]);
}

/// Puts the first \p count of \p size entries in order, in front; there is one at least.
/// \param before whether one entry comes before another, of equal ones neither. For Unstable it
///        may find a NaN equal to all: then the order is as std::sort happens to leave it.
template <typename Entry, typename Before>
void orderFirst(RowCall::Order order, Entry* row, size_t size, size_t count, const Before& before) {
    using Order = RowCall::Order;
    Entry* const end = row + size;
    Entry* const last = row + count - 1;
    if (order == Order::Stable) {
        std::stable_sort(row, end, before);
    } else if (order == Order::Unstable) {
        std::sort(row, end, before);
    } else if (order == Order::Kth) {
        quickSelect(row, static_cast<ptrdiff_t>(size), last - row, before);
    } else if (count * 64 <= size) {
        std::partial_sort(row, row + count, end, before);
    } else {
        std::nth_element(row, last, end, before);
        if (order == Order::Top) std::sort(row, last, before);
    }
}

} // namespace cutaway::kernel
