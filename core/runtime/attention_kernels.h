// SPDX-License-Identifier: Apache-2.0
/// \file
/// One head of attention by blocks of keys (FlashAttention-2, arXiv:2307.08691): no matrix of
/// weights in memory. Compiled once per instruction set.
#pragma once

#include <cstdint>

namespace cutaway::runtime {

/// Rows of matrices begin `*Row` elements apart; their elements lie next to each other.
template <typename T> struct AttentionHead {
    int64_t rows = 0, keys = 0, width = 0, valueWidth = 0;
    T scale = 1;
    bool causal = false, safe = false;
    const T *query = nullptr, *key = nullptr, *value = nullptr;
    int64_t queryRow = 0, keyRow = 0, valueRow = 0;
    const T* mask = nullptr; ///< null: none
    int64_t maskRow = 0, maskKey = 0;
    // Forwards: the results.
    T *output = nullptr, *logarithms = nullptr; ///< logarithms lie next to each other
    int64_t outputRow = 0;
    // Backwards: what the forward gave and the gradient of it, the results.
    const T *gradient = nullptr, *result = nullptr, *sums = nullptr;
    int64_t gradientRow = 0, resultRow = 0, sumRow = 0;
    T *queryGradient = nullptr, *keyGradient = nullptr, *valueGradient = nullptr;
    int64_t queryGradientRow = 0, keyGradientRow = 0, valueGradientRow = 0;
};

template <typename T> struct AttentionKernels {
    /// The rows [begin, begin + blockRows) of the result, as far as there are.
    void (*forward)(const AttentionHead<T>& head, int64_t begin, T* workspace);
    void (*backward)(const AttentionHead<T>& head, T* workspace);
    int64_t blockRows;
    /// Elements of the workspace of one thread, 64-byte aligned.
    int64_t (*forwardWorkspace)(const AttentionHead<T>& head);
    int64_t (*backwardWorkspace)(const AttentionHead<T>& head);
};
struct AttentionKernelSet {
    AttentionKernels<float> single;
    AttentionKernels<double> twofold;
    const char* name;
};

AttentionKernelSet attentionKernelsBase();
AttentionKernelSet attentionKernelsAvx2();
AttentionKernelSet attentionKernelsAvx512();

} // namespace cutaway::runtime
