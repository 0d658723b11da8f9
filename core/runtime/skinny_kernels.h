// SPDX-License-Identifier: Apache-2.0
/// \file
/// Matrix products with one small side, for which oneDNN's blocked kernel is slow: they are bound
/// by reading (or writing) the long operand once, not by arithmetic. Compiled once per instruction
/// set.
#pragma once

#include <cstdint>

namespace cutaway::runtime {

/// out[s, l] = sum_k small[s, k] * large[l, k], strides in elements.
struct SkinnyProblem {
    const float* small = nullptr;
    int64_t smallRow = 0, smallK = 0;
    const float* large = nullptr;
    int64_t largeRow = 0, largeK = 0;
    float* out = nullptr;
    int64_t outSmall = 0, outLarge = 0;
    int64_t rows = 0, k = 0; ///< rows of the small side
};

/// Computes all rows for the long side's [begin, end).
using SkinnyKernel = void (*)(const SkinnyProblem& problem, int64_t begin, int64_t end);

struct SkinnyKernels {
    SkinnyKernel dots; ///< smallK == 1 and largeK == 1: each result is a dot product of two rows
    SkinnyKernel
        sweep; ///< largeRow == 1 and outLarge == 1: rows of the result grow by multiples of rows
    const char* name;
};

SkinnyKernels skinnyKernelsBase();
SkinnyKernels skinnyKernelsAvx2();
SkinnyKernels skinnyKernelsAvx512();

} // namespace cutaway::runtime
