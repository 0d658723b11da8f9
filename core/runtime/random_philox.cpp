// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/random_philox.h"

#include "core/runtime/cuda.h"
#include "core/runtime/philox.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace cutaway::runtime {

namespace {

constexpr int64_t kBlock = 256; ///< threads of a block of PyTorch's random kernels
/// Threads that a multiprocessor holds, from Volta to Hopper.
constexpr int kThreadsEach = 2048;

struct Words {
    uint32_t w[4];
};

/// curand_uniform: (0, 1].
float uniform(uint32_t word) {
    return static_cast<float>(word) * 2.3283064e-10f + (2.3283064e-10f / 2.0f);
}
/// curand_uniform2_double.
double uniform(uint32_t low, uint32_t high) {
    const uint64_t z = uint64_t{low} ^ uint64_t{high} << (53 - 32);
    return static_cast<double>(z) * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}

/// Number \p lane of the four (two in double) that one call of the engine makes.
double drawReal(const Words& words, int64_t lane, const Draw& d, bool wide) {
    const auto l = static_cast<size_t>(lane);
    const uint32_t* w = words.w;
    const double u = wide ? uniform(w[2 * l], w[2 * l + 1]) : uniform(w[l]);
    switch (d.distribution) {
    case Distribution::Uniform: {
        const double x = wide ? u * (d.b - d.a) + d.a
                              : static_cast<float>(u) * static_cast<float>(d.b - d.a) +
                                    static_cast<float>(d.a);
        return x == (wide ? d.b : static_cast<float>(d.b)) ? d.a : x;
    }
    case Distribution::Normal: {
        const double radius =
            wide ? std::sqrt(-2.0 * std::log(uniform(w[0], w[1])))
                 : std::sqrt(-2.0f * std::log(uniform(w[l & ~size_t{1}])));
        const double angle =
            wide ? uniform(w[2], w[3]) * 2.0 * M_PI
                 : static_cast<float>(uniform(w[l | 1]) * static_cast<float>(2.0 * M_PI));
        return radius * (lane % 2 == 0 ? std::sin(angle) : std::cos(angle)) * d.b + d.a;
    }
    case Distribution::Bernoulli:
        return u < d.a ? 1 : 0;
    case Distribution::Exponential:
        return -(u >= 1 - 0x1p-24 ? -0x1p-25 : std::log(u)) / d.a;
    default:
        return u;
    }
}

} // namespace

base::Status fillPhilox(Tensor& tensor, const Draw& d, Generator& generator, int multiprocessors,
                        int threadsEach) {
    const int64_t n = tensor.type.numel().constant();
    const bool integer = d.distribution == Distribution::Integer;
    const uint64_t range = static_cast<uint64_t>(d.high) - static_cast<uint64_t>(d.low);
    const bool wide =
        integer ? range >= uint64_t{1} << 28 : tensor.type.dtype == ir::DType::Float64;
    switch (d.distribution) {
    case Distribution::Uniform:
    case Distribution::Normal:
    case Distribution::Bernoulli:
    case Distribution::Exponential:
    case Distribution::Integer:
        break;
    default:
        return base::userError({}, "this distribution is not drawn on a GPU",
                               "draw it on the CPU and move it: .to('cuda')");
    }
    const int64_t unroll = wide ? 2 : 4;
    const int64_t grid = std::min<int64_t>((n + kBlock - 1) / kBlock,
                                           int64_t{multiprocessors} * (threadsEach / kBlock));
    const int64_t threads = kBlock * grid;
    const uint64_t offset =
        generator.reserveWords(static_cast<uint64_t>((n - 1) / (threads * unroll) + 1) * 4);
    const auto key0 = static_cast<uint32_t>(generator.seed()),
               key1 = static_cast<uint32_t>(generator.seed() >> 32);
    ir::HostTensor host = ir::HostTensor::zeros(tensor.type.dtype, {n});
    for (int64_t e = 0; e < n; ++e) {
        const uint64_t counter = offset / 4 + static_cast<uint64_t>(e / (threads * unroll));
        const auto thread = static_cast<uint64_t>(e % threads);
        Words words{{static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32),
                     static_cast<uint32_t>(thread), static_cast<uint32_t>(thread >> 32)}};
        philox4x32(words.w[0], words.w[1], words.w[2], words.w[3], key0, key1);
        const int64_t lane = e / threads % unroll;
        if (!integer) {
            host.set(e, drawReal(words, lane, d, wide));
            continue;
        }
        const auto l = static_cast<size_t>(lane);
        const uint64_t word =
            wide ? uint64_t{words.w[2 * l]} << 32 | words.w[2 * l + 1] : words.w[l];
        host.setInt(e, static_cast<int64_t>(static_cast<uint64_t>(d.low) + word % range));
    }
    CUTAWAY_TRY(TensorPtr made, fromHost(host, {}));
    std::memcpy(tensor.data(), made->data(), static_cast<size_t>(tensor.type.bytes()));
    return {};
}

base::Status fillPhilox(Tensor& tensor, const Draw& draw, Generator& generator, int device) {
    CUTAWAY_TRY(CudaDeviceInfo info, cudaDevice(device));
    return fillPhilox(tensor, draw, generator, info.multiprocessors, kThreadsEach);
}

} // namespace cutaway::runtime
