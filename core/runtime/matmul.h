// SPDX-License-Identifier: Apache-2.0
/// \file
/// Matrix products on the CPU: oneDNN where it is the fastest way, own kernels where it is not.
#pragma once

#include "core/base/result.h"
#include "core/kernel/loop_nest.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::runtime {

/// A window [batch..., rows, columns] with plain numbers; strides in elements, 0 repeats.
struct MatmulOperand {
    std::vector<int64_t> batchStrides;
    int64_t rowStride = 0, columnStride = 0;
};

struct MatmulEpilogue {
    kernel::Epilogue::Kind kind = kernel::Epilogue::Kind::Relu;
    double scalar = 0;
    MatmulOperand tensor; ///< AddTensor
};

/// result[b, m, n] = epilogues(sum_k a[b, m, k] * b[b, k, n] + bias[b, m, n]).
struct MatmulSpec {
    ir::DType dtype = ir::DType::Float32;
    std::vector<int64_t> batch;
    int64_t m = 0, n = 0, k = 0;
    MatmulOperand a, b, result;
    std::optional<MatmulOperand> bias;
    std::vector<MatmulEpilogue> epilogues;

    int64_t batches() const;
    /// Pointers that run() takes: a, b, the bias if any, the tensor of each AddTensor, the result.
    size_t pointerCount() const;
};

/// The views whose first elements run() takes, in its order, and the specification. The result's
/// layout is that of the buffer that the kernel writes.
struct MatmulBinding {
    MatmulSpec spec;
    std::vector<kernel::StridedView> operands; ///< all pointers but the result
    kernel::BufferId result;
};
base::Result<MatmulBinding> bindMatmul(const kernel::KernelProgram& program,
                                       const kernel::Kernel& kernel);

/// One product, prepared: everything that depends on sizes only is done. Not for two threads at
/// once.
class CpuMatmul {
public:
    virtual ~CpuMatmul() = default;
    virtual base::Status run(void* const* pointers, int threads) = 0;
    /// What computes it: "oneDNN brg:avx512_core", "loops".
    virtual std::string implementation() const = 0;
};

/// Chooses by sizes and dtype. Errors: environment error when a library fails.
base::Result<std::unique_ptr<CpuMatmul>> makeCpuMatmul(const MatmulSpec& spec, int threads);

/// Plain loops for any dtype and any strides: the way for what the fast ways do not take.
std::unique_ptr<CpuMatmul> makeLoopMatmul(const MatmulSpec& spec);

/// Kernels for products with one small side (or a short sum); null when the case is none of these.
std::unique_ptr<CpuMatmul> makeSkinnyMatmul(const MatmulSpec& spec);

/// oneDNN's matmul; null when it does not take the case (dtype, strides).
base::Result<std::unique_ptr<CpuMatmul>> makeDnnlMatmul(const MatmulSpec& spec, int threads);

/// A rectangle of one matrix of the result.
struct MatmulRange {
    int64_t batch = 0;
    int64_t mBegin = 0, mEnd = 0, nBegin = 0, nEnd = 0;
};

/// Adds the bias (when \p addBias) and applies the epilogues from number \p first on, in place.
void finishMatmul(const MatmulSpec& spec, bool addBias, size_t first, void* const* pointers,
                  const MatmulRange& range);

/// The same for the whole result, on several threads.
void finishMatmul(const MatmulSpec& spec, bool addBias, size_t first, void* const* pointers,
                  int threads);

/// Elements from an operand's start to its matrix number \p index.
int64_t batchOffset(const MatmulOperand& operand, const std::vector<int64_t>& sizes, int64_t index);

} // namespace cutaway::runtime
