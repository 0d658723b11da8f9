// SPDX-License-Identifier: Apache-2.0
/// \file
/// Factorizations and solutions of matrices: kernel::MatrixTask through LAPACK.
#pragma once

#include "core/runtime/library_kernel.h"

namespace cutaway::runtime {

class CudaDevice;

/// One task for every matrix of a batch; strides in elements.
struct MatricesSpec {
    kernel::MatrixTask task;
    ir::DType dtype = ir::DType::Float32; ///< or Float64
    int64_t rows = 0, columns = 0;        ///< of the first operand
    int64_t right = 0;                    ///< columns of the second
    std::vector<int64_t> batch;
    MatrixView matrix, second;
    MatrixView result; ///< one row of length() numbers for each matrix; rowStride is not read

    int64_t length() const { return kernel::resultLength(task, rows, columns, right); }
    int64_t batches() const;
};

/// On the CPU. Errors when it runs (unless the task is quiet): user errors with PyTorch's words
/// when a matrix has no such factorization or solution.
LibraryKernelPtr makeLapack(const MatricesSpec& spec);
/// The same for a GPU's memory: waits for it, copies the operands to the host and the result back.
LibraryKernelPtr makeLapackBehindGpu(CudaDevice& device, const MatricesSpec& spec);

} // namespace cutaway::runtime
