// SPDX-License-Identifier: Apache-2.0
/// \file
/// What LibraryOp::Attention and LibraryOp::AttentionBackward do with their operands.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::kernel {

/// y = softmax(q k^T scale + mask) v for query [B, H, L, E], key [B, H, S, E], value [B, H, S, V]
/// and mask [B, H, L, S], without a matrix of weights in memory. The results lie one behind the
/// other in one row of numbers: y, then the logarithm of each row's sum of exponentials [B, H, L];
/// backwards the gradients of query, key and value.
struct AttentionTask {
    bool causal = false; ///< row i sees the keys 0 to i
    bool safe = false;   ///< a row that sees no key gives 0; otherwise NaN, as softmax does
    bool inner = false;  ///< y and the gradients lie as [B, L, H, width] in memory
    double scale = 1;
    bool operator==(const AttentionTask&) const = default;

    /// "causal, inner, scale 0.125".
    std::string str() const;
};

/// One head as functions of row and column; those that a call has not are empty.
struct SlowHead {
    using Matrix = std::function<double(int64_t row, int64_t column)>;
    int64_t rows = 0, keys = 0, width = 0, valueWidth = 0;
    Matrix query, key, value, mask;
    Matrix gradient, output;                         ///< backwards
    std::function<double(int64_t row)> logarithms{}; ///< backwards
};

/// The slow meaning: y [L, V] and the logarithms [L], in double.
struct SlowAttention {
    std::vector<double> output, logarithms;
};
SlowAttention slowAttention(const AttentionTask& task, const SlowHead& head);
struct SlowAttentionGradients {
    std::vector<double> query, key, value;
};
SlowAttentionGradients slowAttentionBackward(const AttentionTask& task, const SlowHead& head);

} // namespace cutaway::kernel
