// SPDX-License-Identifier: Apache-2.0
/// \file
/// How far into its memory a window with sizes and strides reaches.
#pragma once

#include "core/base/result.h"
#include "core/ir/tensor_type.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace cutaway::ops {

/// Elements from the storage's beginning up to the window's last one; 0 for an empty one. Nothing
/// where 64 bits do not hold it.
inline std::optional<int64_t> storageReach(const std::vector<int64_t>& sizes,
                                           const std::vector<int64_t>& strides, int64_t from) {
    int64_t last = from;
    for (size_t d = 0; d < sizes.size(); ++d) {
        if (sizes[d] == 0) return 0;
        int64_t step = 0;
        if (__builtin_mul_overflow(sizes[d] - 1, strides[d], &step) ||
            __builtin_add_overflow(last, step, &last))
            return std::nullopt;
    }
    if (__builtin_add_overflow(last, 1, &last)) return std::nullopt;
    return last;
}

/// What a window whose reach 64 bits do not hold is told.
base::Diagnostic storageOverflow(const ir::Shape& sizes, const ir::Shape& strides);
/// What a window is told that reaches beyond the memory: \p needed bytes of \p available.
base::Diagnostic outsideStorage(const ir::Shape& sizes, const ir::Shape& strides,
                                const ir::Sym& from, const ir::Sym& itemsize, const ir::Sym& needed,
                                const ir::Sym& available);

} // namespace cutaway::ops
