// SPDX-License-Identifier: Apache-2.0
/// \file
/// Counter-based random numbers (Philox 4x32-10; Salmon et al., SC 2011): element i of a draw
/// depends on (seed, offset, i) only, so a recomputed draw repeats itself on any device and thread
/// count.
#pragma once

#include "core/ops/op_traits.h"
#include "core/runtime/tensor.h"

namespace cutaway::runtime {

class Generator {
public:
    explicit Generator(uint64_t seed = 0) : seed_(seed) {}
    void seed(uint64_t value) {
        seed_ = value;
        offset_ = 0;
    }
    /// Reserves \p count numbers and returns where they start.
    uint64_t reserve(uint64_t count) {
        uint64_t at = offset_;
        offset_ += count;
        return at;
    }
    uint64_t seed() const { return seed_; }

private:
    uint64_t seed_ = 0;
    uint64_t offset_ = 0;
};

/// Fills a contiguous tensor. Integer: low <= x < high. float32, float64 and int64.
base::Status fillRandom(Tensor& tensor, ops::Distribution distribution, Generator& generator,
                        int64_t low = 0, int64_t high = 0);

} // namespace cutaway::runtime
