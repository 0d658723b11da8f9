// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sorting and running values along one dimension.
#pragma once

#include "core/runtime/library_kernel.h"

namespace cutaway::runtime {

/// Rows of `length` elements; their results have `count`, which is fewer where only the first of a
/// sorted row are wanted. Strides in elements.
struct RowsSpec {
    struct Dim {
        int64_t size, operand, result; ///< strides of both sides
    };
    kernel::LibraryOp op = kernel::LibraryOp::Sort; ///< or Scan
    kernel::RowCall row;
    ir::DType dtype = ir::DType::Int64; ///< of the result
    int64_t length = 0, count = 0, operandStride = 1, resultStride = 1;
    std::vector<Dim> outer; ///< of the rows, outermost first

    int64_t rows() const {
        int64_t rows = 1;
        for (const Dim& dim : outer)
            rows *= dim.size;
        return rows;
    }
    bool isEmpty() const { return rows() == 0 || count == 0 || length == 0; }
};

/// Merging and radix sorts, partial selection, serial scans; every dtype and any strides.
LibraryKernelPtr makeLoopRows(const RowsSpec& spec);
LibraryKernelPtr makeLoopScan(const RowsSpec& spec);
/// In words, what that does with rows of this length.
std::string rowsReason(const RowsSpec& spec);

/// Where row number \p row begins on both sides.
struct RowStart {
    int64_t operand = 0, result = 0;
};
RowStart startOfRow(const RowsSpec& spec, int64_t row);

} // namespace cutaway::runtime
