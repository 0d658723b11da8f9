// SPDX-License-Identifier: Apache-2.0
/// \file
/// The functions of cuBLASLt that are used here, found at run time, and one of its products.
#pragma once

#include "core/ir/dtype.h"
#include "core/runtime/cuda_device.h"

namespace cutaway::runtime {

/// A column-major matrix in memory, many times over: what the library calls a layout.
struct LtMatrix {
    int64_t rows = 0, columns = 0, leading = 0;
    int64_t batchStride = 0;
    int alignment = 256;     ///< of its address, bytes
    bool transposed = false; ///< operands: the product takes its transpose
};

/// d = relu?(alpha * a b + beta * c + bias of every column), batch times.
struct LtProblem {
    ir::DType dtype = ir::DType::Float32; ///< of all matrices; 16 bits are summed in float32
    int64_t batch = 1;
    LtMatrix a, b, d;
    std::optional<LtMatrix> c;
    double alpha = 1;
    bool bias = false, relu = false;
    bool tf32 = false; ///< operands of float32 are rounded to it
};

/// A problem with the library's algorithm for it.
class LtProduct {
public:
    /// Nothing when the library has no algorithm for the problem. Errors: environment error when
    /// the library is missing.
    static base::Result<std::unique_ptr<LtProduct>> make(CudaDevice& device,
                                                         const LtProblem& problem);
    ~LtProduct();
    LtProduct(const LtProduct&) = delete;
    LtProduct& operator=(const LtProduct&) = delete;
    /// Bytes of memory that a run needs for itself, at a multiple of 256.
    int64_t workspace() const;
    base::Status run(const void* a, const void* b, const void* c, const void* bias, void* d,
                     void* workspace) const;

private:
    struct State;
    explicit LtProduct(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace cutaway::runtime
