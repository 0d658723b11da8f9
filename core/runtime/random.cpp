// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/random.h"

#include "core/runtime/device.h"
#include "core/runtime/philox.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cutaway::runtime {
namespace {

/// Words made at a time: long enough to run in vectors, short enough to stay in L1.
constexpr int kBlocks = 64;
/// Elements per piece of work of a thread.
constexpr uint64_t kPiece = 1 << 16;
/// Numbers of 64 bits take two words each; their counters are kept apart from those of 32 bits.
constexpr uint32_t kStream32 = 0, kStream64 = 1;

/// Words of kBlocks consecutive counters, plane by plane: words[w][block].
struct WordBatch {
    alignas(64) uint32_t w[4][kBlocks];
};

void fillWords(WordBatch& batch, uint64_t firstBlock, uint32_t stream, uint64_t seed) {
    auto key0 = static_cast<uint32_t>(seed), key1 = static_cast<uint32_t>(seed >> 32);
#pragma omp simd
    for (int i = 0; i < kBlocks; ++i) {
        uint64_t at = firstBlock + static_cast<uint64_t>(i);
        auto c0 = static_cast<uint32_t>(at), c1 = static_cast<uint32_t>(at >> 32);
        uint32_t c2 = stream, c3 = 0;
        philox4x32(c0, c1, c2, c3, key0, key1);
        batch.w[0][i] = c0;
        batch.w[1][i] = c1;
        batch.w[2][i] = c2;
        batch.w[3][i] = c3;
    }
}

// 24 bits: every value is exact and below 1.
float uniform(uint32_t word) {
    return static_cast<float>(word >> 8) * 0x1p-24f;
}

double uniform(uint32_t high, uint32_t low) {
    uint64_t bits = (uint64_t{high} << 32 | low) >> 11;
    return static_cast<double>(bits) * 0x1p-53;
}

/// Box–Muller: two independent normal numbers from two words.
void normalPair(uint32_t word0, uint32_t word1, float& first, float& second) {
    // (0, 1]: no logarithm of zero.
    float u = static_cast<float>((word0 >> 8) + 1) * 0x1p-24f;
    float radius = std::sqrt(-2.0f * std::log(u));
    float angle = 6.283185307179586f * uniform(word1);
    first = radius * std::cos(angle);
    second = radius * std::sin(angle);
}

struct Float32Uniform {
    using Value = float;
    static constexpr int perBlock = 4;
    static constexpr uint32_t stream = kStream32;
    void operator()(const WordBatch& batch, float* out) const {
        for (int i = 0; i < kBlocks; ++i)
            for (int w = 0; w < 4; ++w)
                out[4 * i + w] = uniform(batch.w[w][i]);
    }
};

struct Float32Normal {
    using Value = float;
    static constexpr int perBlock = 4;
    static constexpr uint32_t stream = kStream32;
    void operator()(const WordBatch& batch, float* out) const {
        for (int i = 0; i < kBlocks; ++i) {
            normalPair(batch.w[0][i], batch.w[1][i], out[4 * i], out[4 * i + 1]);
            normalPair(batch.w[2][i], batch.w[3][i], out[4 * i + 2], out[4 * i + 3]);
        }
    }
};

struct Float64Uniform {
    using Value = double;
    static constexpr int perBlock = 2;
    static constexpr uint32_t stream = kStream64;
    void operator()(const WordBatch& batch, double* out) const {
        for (int i = 0; i < kBlocks; ++i) {
            out[2 * i] = uniform(batch.w[0][i], batch.w[1][i]);
            out[2 * i + 1] = uniform(batch.w[2][i], batch.w[3][i]);
        }
    }
};

struct Float64Normal {
    using Value = double;
    static constexpr int perBlock = 2;
    static constexpr uint32_t stream = kStream64;
    void operator()(const WordBatch& batch, double* out) const {
        for (int i = 0; i < kBlocks; ++i) {
            double u = 1.0 - uniform(batch.w[0][i], batch.w[1][i]);
            double radius = std::sqrt(-2.0 * std::log(u));
            double angle = 6.283185307179586 * uniform(batch.w[2][i], batch.w[3][i]);
            out[2 * i] = radius * std::cos(angle);
            out[2 * i + 1] = radius * std::sin(angle);
        }
    }
};

/// low + floor(word * range / 2^64): each value as likely as any other up to range / 2^64.
template <typename T> struct Integers {
    using Value = T;
    static constexpr int perBlock = 2;
    static constexpr uint32_t stream = kStream64;
    int64_t low;
    uint64_t range;
    void operator()(const WordBatch& batch, T* out) const {
        for (int i = 0; i < kBlocks; ++i)
            for (int half = 0; half < 2; ++half) {
                uint64_t word = uint64_t{batch.w[2 * half][i]} << 32 | batch.w[2 * half + 1][i];
                auto above =
                    static_cast<uint64_t>(static_cast<unsigned __int128>(word) * range >> 64);
                out[2 * i + half] = static_cast<T>(static_cast<uint64_t>(low) + above);
            }
    }
};

/// Elements [begin, end) of a draw that starts at number \p offset.
template <typename Draw>
void fillPiece(const Draw& draw, typename Draw::Value* out, uint64_t begin, uint64_t end,
               uint64_t offset, uint64_t seed) {
    constexpr uint64_t perBatch = uint64_t{Draw::perBlock} * kBlocks;
    WordBatch batch;
    alignas(64) typename Draw::Value values[perBatch];
    uint64_t i = begin;
    while (i < end) {
        uint64_t number = offset + i;
        uint64_t block = number / Draw::perBlock, skip = number % Draw::perBlock;
        fillWords(batch, block, Draw::stream, seed);
        draw(batch, values);
        uint64_t count = std::min(perBatch - skip, end - i);
        std::copy_n(values + skip, count, out + i);
        i += count;
    }
}

template <typename Draw>
void fill(const Draw& draw, void* data, uint64_t count, uint64_t offset, uint64_t seed) {
    auto* out = static_cast<typename Draw::Value*>(data);
    auto pieces = static_cast<int64_t>((count + kPiece - 1) / kPiece);
    int teamSize = threads();
#pragma omp parallel for num_threads(teamSize) if (pieces > 1)
    for (int64_t p = 0; p < pieces; ++p) {
        uint64_t begin = static_cast<uint64_t>(p) * kPiece;
        fillPiece(draw, out, begin, std::min(begin + kPiece, count), offset, seed);
    }
}

base::Status fillHost(void* data, ir::DType dtype, uint64_t count, ops::Distribution distribution,
                      uint64_t offset, uint64_t seed, int64_t low, uint64_t range) {
    bool normal = distribution == ops::Distribution::Normal;
    if (distribution == ops::Distribution::Integer) {
        switch (dtype) {
        case ir::DType::Int64:
            fill(Integers<int64_t>{low, range}, data, count, offset, seed);
            break;
        case ir::DType::Int32:
            fill(Integers<int32_t>{low, range}, data, count, offset, seed);
            break;
        case ir::DType::Bool:
        case ir::DType::UInt8:
            fill(Integers<uint8_t>{low, range}, data, count, offset, seed);
            break;
        case ir::DType::Float32:
            fill(Integers<float>{low, range}, data, count, offset, seed);
            break;
        case ir::DType::Float64:
            fill(Integers<double>{low, range}, data, count, offset, seed);
            break;
        }
        return {};
    }
    if (dtype == ir::DType::Float32 && normal)
        fill(Float32Normal{}, data, count, offset, seed);
    else if (dtype == ir::DType::Float32)
        fill(Float32Uniform{}, data, count, offset, seed);
    else if (dtype == ir::DType::Float64 && normal)
        fill(Float64Normal{}, data, count, offset, seed);
    else if (dtype == ir::DType::Float64)
        fill(Float64Uniform{}, data, count, offset, seed);
    else
        return base::userError({}, fmt::format("random numbers of this distribution are floating "
                                               "point: found {}, expected float32 or float64",
                                               ir::name(dtype)));
    return {};
}

} // namespace

base::Status fillRandom(Tensor& tensor, ops::Distribution distribution, Generator& generator,
                        int64_t low, int64_t high) {
    if (!tensor.type.isContiguous())
        return base::bugError("random numbers are filled into contiguous tensors only");
    if (distribution == ops::Distribution::Integer && high <= low)
        return base::userError({}, fmt::format("random integers need low < high: found low = {}, "
                                               "high = {}",
                                               low, high));
    auto count = static_cast<uint64_t>(tensor.type.numel().constant());
    uint64_t offset = generator.reserve(count);
    uint64_t range = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
    ++tensor.storage->version;
    if (tensor.type.device == ir::Device())
        return fillHost(tensor.data(), tensor.type.dtype, count, distribution, offset,
                        generator.seed(), low, range);
    // The same numbers on every device: made by the host and copied, once, at the script's start.
    CUTAWAY_TRY(DeviceBackend * backend, backendFor(tensor.type.device));
    auto bytes = static_cast<size_t>(tensor.type.bytes());
    CUTAWAY_TRY(StoragePtr host, allocate({}, bytes));
    CUTAWAY_CHECK(fillHost(host->data(), tensor.type.dtype, count, distribution, offset,
                           generator.seed(), low, range));
    return backend->copyFromHost(tensor.data(), host->data(), bytes);
}

} // namespace cutaway::runtime
