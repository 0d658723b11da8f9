// SPDX-License-Identifier: Apache-2.0
/// \file
/// PyTorch's random numbers, bit for bit: on the CPU its Mersenne twister (M. Matsumoto,
/// T. Nishimura, 1998) drawn in order by one thread, on a GPU its Philox 4x32-10 (Salmon et al.,
/// SC 2011) with its grid of threads. Sources: PyTorch aten/src/ATen/CPUGeneratorImpl.cpp,
/// aten/src/ATen/native/cpu/DistributionTemplates.h, .../native/cuda/DistributionTemplates.h.
#pragma once

#include "core/runtime/tensor.h"

#include <array>
#include <map>
#include <optional>

namespace cutaway::runtime {

/// torch.Generator: the state of the CPU's engine, and of one engine a GPU.
class Generator {
public:
    static constexpr uint64_t kDefaultSeed = 67280421310721;
    explicit Generator(uint64_t seed = kDefaultSeed) { this->seed(seed); }
    void seed(uint64_t value); ///< all engines
    uint64_t seed() const { return seed_; }

    /// Where a GPU is in its numbers.
    struct Gpu {
        uint64_t seed = 0, words = 0; ///< of each thread, drawn so far
    };
    /// \param device its number
    Gpu& gpu(int device) { return gpus_.try_emplace(device, Gpu{gpuSeed_, 0}).first->second; }
    void seedGpus(uint64_t value); ///< all of them, those too that are not used yet

    uint32_t draw32() {
        if (--left_ == 0) refill();
        uint32_t y = state_[next_++];
        y ^= y >> 11;
        y ^= y << 7 & 0x9D2C5680u;
        y ^= y << 15 & 0xEFC60000u;
        return y ^ y >> 18;
    }
    uint64_t draw64() {
        const uint64_t high = draw32();
        return high << 32 | draw32();
    }
    /// From 0 up to 1, of 53 bits.
    double unit() { return static_cast<double>(draw64() & 0x1FFFFFFFFFFFFFull) * 0x1p-53; }
    /// Mean 0, deviation 1.
    double normal();
    /// The second of two normal numbers that were made together.
    std::optional<double> cachedNormal;

    /// The bytes of torch.get_rng_state(), the CPU's: 5056.
    std::vector<uint8_t> state() const;
    /// Errors: user error for what is no such state.
    base::Status setState(const std::vector<uint8_t>& bytes);

private:
    void refill();
    uint64_t seed_ = 0;
    std::array<uint32_t, 624> state_{};
    int32_t left_ = 1;
    uint32_t next_ = 0;
    uint64_t gpuSeed_ = 0; ///< of GPUs that have drawn nothing yet
    std::map<int, Gpu> gpus_;
};

enum class Distribution {
    Uniform,     ///< a <= x < b
    Normal,      ///< mean a, deviation b
    Integer,     ///< low <= x < high
    Bernoulli,   ///< 1 with probability a
    Dropout,     ///< the same; a GPU's dropout shares the numbers out in another way
    Exponential, ///< rate a
    Geometric,   ///< probability a
    Cauchy,      ///< median a, width b
    LogNormal,   ///< of the logarithm: mean a, deviation b
    Permutation, ///< of 0 .. n-1
    Any          ///< all that the dtype can hold exactly: random_()
};

struct Draw {
    Distribution distribution = Distribution::Uniform;
    double a = 0, b = 1;
    int64_t low = 0, high = 0;
};

/// Fills a tensor, in the order of its memory. float32 and float64 for the continuous ones.
/// Errors: user error for a dtype that the distribution does not make.
base::Status fillRandom(Tensor& tensor, const Draw& draw, Generator& generator);
/// 1 where a draw is below \p probability, of the same sizes.
base::Status fillBernoulli(Tensor& tensor, const Tensor& probability, Generator& generator);
/// \p count indices for each row of \p weights [rows, n] or [n], by weight: int64 [rows, count].
base::Result<TensorPtr> drawMultinomial(const Tensor& weights, int64_t count, bool replacement,
                                        Generator& generator);

} // namespace cutaway::runtime
