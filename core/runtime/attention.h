// SPDX-License-Identifier: Apache-2.0
/// \file
/// Attention by blocks of keys, kernel::AttentionTask, and how the CPU computes it.
#pragma once

#include "core/runtime/library_kernel.h"

namespace cutaway::runtime {

/// With plain numbers; strides of the operands in elements, as the call has them.
struct AttentionSpec {
    kernel::LibraryOp op = kernel::LibraryOp::Attention; ///< or AttentionBackward
    kernel::AttentionTask task;
    ir::DType dtype = ir::DType::Float32; ///< of the results, or Float64
    ir::DType operands =
        ir::DType::Float32; ///< of all but the logarithms: as dtype; on a GPU 16 bits
    int64_t batch = 0, heads = 0, rows = 0, keys = 0, width = 0, valueWidth = 0;
    std::vector<std::vector<int64_t>> strides;
    bool masked = false; ///< the last operand is a mask

    bool isBackward() const { return op == kernel::LibraryOp::AttentionBackward; }
    /// Two products forwards, five backwards; half of them where a key is seen from its place on.
    double flops() const;
};

LibraryKernelPtr makeAttention(const AttentionSpec& spec);

} // namespace cutaway::runtime
