// SPDX-License-Identifier: Apache-2.0
/// \file
/// Matrix products on the CPU: oneDNN where it is the fastest way, own kernels where it is not.
#pragma once

#include "core/runtime/library_kernel.h"

namespace cutaway::runtime {

/// result[b, m, n] = epilogues(sum_k a[b, m, k] * b[b, k, n] + bias[b, m, n]).
struct MatmulSpec : ResultSpec {
    int64_t k = 0;
    MatrixView a, b;

    bool isEmpty() const { return batches() == 0 || m == 0 || n == 0 || k == 0; }
};

/// Plain loops for any dtype and any strides: the way for what the fast ways do not take.
LibraryKernelPtr makeLoopMatmul(const MatmulSpec& spec);

/// Kernels for products with one small side (or a short sum); null when the case is none of these.
LibraryKernelPtr makeSkinnyMatmul(const MatmulSpec& spec);

/// oneDNN's matmul; null when it does not take the case (dtype, strides).
base::Result<LibraryKernelPtr> makeDnnlMatmul(const MatmulSpec& spec, int threads);

} // namespace cutaway::runtime
