// SPDX-License-Identifier: Apache-2.0
// CUDA text of attention by blocks of keys: tiles in shared memory, a running maximum and sum of
// each row, and no matrix of weights in memory. Sums in float32, products in full precision.
// Source: arXiv:2307.08691, algorithms 1 and 2.
#include "core/runtime/cuda_attention.h"
#include "core/runtime/cuda_text_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace cutaway::runtime {
namespace {

constexpr std::string_view kNumbers = R"(struct __align__(16) Four {
    float x[4];
};
)";

/// Goes on where kCopiesText ends.
constexpr std::string_view kTiles = R"(#else
DEVICE void commit() {}
template <int kLeft> DEVICE void await() {}
#endif
// A line of a tile in shared memory: sixteen threads have kLane numbers each of kSpans spans; the
// next line begins four banks further on.
constexpr int kFullE = kSpansE * 16 * kLaneE, kLineE = kFullE + 4;
constexpr int kFullV = kSpansV * 16 * kLaneV, kLineV = kFullV + 4;
constexpr int kThreads = kOwn * 2, kColumns = kStream / 16, kLineP = kStream + 4;

/// Starts to bring \p count lines; the rest of the tile is zero.
template <int kLines, int kFull, int kHere>
DEVICE void bring(float* tile, const float* from, long long stride, int count) {
    constexpr int kEach = kVectors ? 4 : 1, kOfLine = kFull / kEach;
#if __CUDA_ARCH__ >= 800
    const unsigned to = sharedAddress(tile);
#endif
#pragma unroll 4
    for (int i = threadIdx.x; i < kLines * kOfLine; i += kThreads) {
        const int line = i / kOfLine, x = i % kOfLine * kEach;
        const bool valid = line < count && x < kHere;
        const float* const source = valid ? from + line * stride + x : from;
#if __CUDA_ARCH__ >= 800
        const unsigned at = to + (line * (kFull + 4) + x) * 4;
        if (kVectors)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                         :: "r"(at), "l"(source), "r"(valid ? 16 : 0) : "memory");
        else
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                         :: "r"(at), "l"(source), "r"(valid ? 4 : 0) : "memory");
#else
        for (int e = 0; e < kEach; ++e)
            tile[line * (kFull + 4) + x + e] = valid ? source[e] : 0;
#endif
    }
}

// A thread has eight lines of the tile that the block keeps, every second one of its warp's, and
// every 16th column, or its numbers of each span.
DEVICE int lineOf(int i) { return threadIdx.x / 32 * 16 + 2 * i + threadIdx.x % 32 / 16; }
DEVICE int columnOf(int j) { return threadIdx.x % 16 + 16 * j; }

/// s[i][j] = line i of \p a times line j of \p b.
template <int kTo, int kLine>
DEVICE void multiply(float (&s)[8][kColumns], const float* a, const float* b) {
    a += lineOf(0) * kLine, b += columnOf(0) * kLine;
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < kColumns; ++j)
            s[i][j] = 0;
#pragma unroll 2
    for (int d = 0; d < (kTo + 3) / 4 * 4; d += 4) {
        Four y[kColumns];
#pragma unroll
        for (int j = 0; j < kColumns; ++j)
            y[j] = *(const Four*)(b + j * 16 * kLine + d);
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            const Four x = *(const Four*)(a + i * 2 * kLine + d);
#pragma unroll
            for (int j = 0; j < kColumns; ++j)
#pragma unroll
                for (int e = 0; e < 4; ++e)
                    s[i][j] += x.x[e] * y[j].x[e];
        }
    }
}

DEVICE void syncWarp() { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }
DEVICE void put(float* weights, const float (&s)[8][kColumns]) {
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < kColumns; ++j)
            weights[lineOf(i) * kLineP + columnOf(j)] = s[i][j];
}

template <int kLane> struct __align__(4 * kLane) Lane {
    float x[kLane];
};
/// sums += weights times the lines of \p b.
template <int kSpans, int kLane>
DEVICE void accumulate(float (&sums)[8][kSpans][kLane], const float* weights, const float* b) {
    constexpr int kLine = kSpans * 16 * kLane + 4;
    weights += lineOf(0) * kLineP, b += threadIdx.x % 16 * kLane;
#pragma unroll 2
    for (int k = 0; k < kStream; k += 4) {
        Lane<kLane> y[4][kSpans];
#pragma unroll
        for (int e = 0; e < 4; ++e)
#pragma unroll
            for (int s = 0; s < kSpans; ++s)
                y[e][s] = *(const Lane<kLane>*)(b + (k + e) * kLine + s * 16 * kLane);
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            const Four x = *(const Four*)(weights + i * 2 * kLineP + k);
#pragma unroll
            for (int e = 0; e < 4; ++e)
#pragma unroll
                for (int s = 0; s < kSpans; ++s)
#pragma unroll
                    for (int l = 0; l < kLane; ++l)
                        sums[i][s][l] += x.x[e] * y[e][s].x[l];
        }
    }
}
template <int kSpans, int kLane> DEVICE void clear(float (&sums)[8][kSpans][kLane]) {
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int s = 0; s < kSpans; ++s)
#pragma unroll
            for (int l = 0; l < kLane; ++l)
                sums[i][s][l] = 0;
}
/// Writes a line of a result that has lines of \p kHere numbers.
template <int kHere, int kSpans, int kLane>
DEVICE void write(float* line, const float (&values)[kSpans][kLane], float factor) {
#pragma unroll
    for (int s = 0; s < kSpans; ++s)
#pragma unroll
        for (int l = 0; l < kLane; ++l) {
            const int x = (s * 16 + threadIdx.x % 16) * kLane + l;
            if (x < kHere) line[x] = values[s][l] * factor;
        }
}
)";

constexpr std::string_view kForward =
    R"(extern "C" __global__ void __launch_bounds__(kThreads, kBlocksEach)
attention(const float* __restrict__ query, const float* __restrict__ key,
          const float* __restrict__ value, const float* __restrict__ mask,
          float* __restrict__ result) {
    extern __shared__ __align__(16) unsigned char tiles[];
    float* const queries = (float*)tiles;
    float* const keys = queries + kOwn * kLineE;
    float* const values = keys + kStream * kLineE;
    float* const weights = values + kStream * kLineV;
    constexpr int kBlocks = (kRows + kOwn - 1) / kOwn;
    // Blocks that see many keys first.
    const int first = (kBlocks - 1 - (int)(blockIdx.x / (kBatch * kHeads))) * kOwn;
    const int h = blockIdx.x % kHeads, b = blockIdx.x / kHeads % kBatch;
    query += b * kQueryB + h * kQueryH + first * kQueryL;
    key += b * kKeyB + h * kKeyH, value += b * kValueB + h * kValueH;
    mask += kMasked ? b * kMaskB + h * kMaskH : 0;
    const int last = kCausal && first + kOwn < kKeys ? first + kOwn : kKeys;

    bring<kOwn, kFullE, kWidth>(queries, query, kQueryL, kRows - first);
    bring<kStream, kFullE, kWidth>(keys, key, kKeyL, kKeys);
    commit();
    bring<kStream, kFullV, kValueWidth>(values, value, kValueL, kKeys);
    commit();
    float sums[8][kSpansV][kLaneV], largest[8], all[8];
    clear(sums);
#pragma unroll
    for (int i = 0; i < 8; ++i)
        largest[i] = -infinity(), all[i] = 0;

    for (int at = 0; at < last; at += kStream) {
        const int after = at + kStream;
        await<1>();
        __syncthreads();
        float s[8][kColumns];
        multiply<kWidth, kLineE>(s, queries, keys);
        __syncthreads();
        if (after < last)
            bring<kStream, kFullE, kWidth>(keys, key + after * kKeyL, kKeyL, kKeys - after);
        commit();
        const bool whole = after <= kKeys && !(kCausal && after > first + 1);
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            const int row = first + lineOf(i);
            float now = largest[i];
#pragma unroll
            for (int j = 0; j < kColumns; ++j) {
                const int column = at + columnOf(j);
                float x = s[i][j] * (kScale * kLog2E);
                const bool seen = whole || (column < kKeys && !(kCausal && column > row));
                if (kMasked)
                    x += seen && row < kRows ? mask[row * kMaskL + column * kMaskS] * kLog2E : 0;
                s[i][j] = seen ? x : -infinity();
                now = s[i][j] > now ? s[i][j] : now;
            }
#pragma unroll
            for (int far = 8; far > 0; far /= 2) {
                const float other = __shfl_xor_sync(0xffffffffu, now, far);
                now = other > now ? other : now;
            }
            const float base = now == -infinity() ? 0 : now;
            const float shrunk = power2(largest[i] - base);
            largest[i] = now;
            all[i] *= shrunk;
#pragma unroll
            for (int j = 0; j < kColumns; ++j) {
                const float weight = power2(s[i][j] - base);
                all[i] += weight;
                weights[lineOf(i) * kLineP + columnOf(j)] = weight;
            }
#pragma unroll
            for (int p = 0; p < kSpansV; ++p)
#pragma unroll
                for (int l = 0; l < kLaneV; ++l)
                    sums[i][p][l] *= shrunk;
        }
        await<1>();
        __syncthreads();
        accumulate(sums, weights, values);
        __syncthreads();
        if (after < last)
            bring<kStream, kFullV, kValueWidth>(values, value + after * kValueL, kValueL,
                                                kKeys - after);
        commit();
    }
    float* const output = result + headOf(b, h, kRows, kValueWidth);
    float* const logarithms =
        result + (long long)kBatch * kHeads * kRows * kValueWidth + (b * kHeads + h) * (long long)kRows;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const int row = first + lineOf(i);
#pragma unroll
        for (int far = 8; far > 0; far /= 2)
            all[i] += __shfl_xor_sync(0xffffffffu, all[i], far);
        if (row >= kRows) continue;
        const bool unseen = kSafe && all[i] == 0;
        write<kValueWidth>(output + row * kBetween * kValueWidth, sums[i], unseen ? 0 : 1 / all[i]);
        if (threadIdx.x % 16 == 0)
            logarithms[row] = unseen ? 0 : largest[i] / kLog2E + logf(all[i]);
    }
}
)";

constexpr std::string_view kBackward =
    R"(/// The block keeps keys and values while queries and gradients pass by, or the other way round.
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksEach)
attention_backward(const float* __restrict__ query, const float* __restrict__ key,
                   const float* __restrict__ value, const float* __restrict__ gradient,
                   const float* __restrict__ logarithms, const float* __restrict__ both,
                   const float* __restrict__ mask, float* __restrict__ result) {
    extern __shared__ __align__(16) unsigned char tiles[];
    float* const own = (float*)tiles;
    float* const ownWide = own + kOwn * kLineE;
    float* const stream = ownWide + kOwn * kLineV;
    float* const streamWide = stream + kStream * kLineE;
    float* const weights = streamWide + kStream * kLineV;
    constexpr int kLength = kKeepsKeys ? kKeys : kRows, kPassing = kKeepsKeys ? kRows : kKeys;
    constexpr int kBlocks = (kLength + kOwn - 1) / kOwn;
    const int block = blockIdx.x / (kBatch * kHeads);
    const int first = (kKeepsKeys ? block : kBlocks - 1 - block) * kOwn;
    const int h = blockIdx.x % kHeads, b = blockIdx.x / kHeads % kBatch;
    query += b * kQueryB + h * kQueryH, key += b * kKeyB + h * kKeyH;
    value += b * kValueB + h * kValueH, gradient += b * kGradientB + h * kGradientH;
    logarithms += b * kLogB + h * kLogH, both += (b * kHeads + h) * (long long)kRows;
    mask += kMasked ? b * kMaskB + h * kMaskH : 0;
    const int begin = kCausal && kKeepsKeys ? first / kStream * kStream : 0;
    const int end = kCausal && !kKeepsKeys && first + kOwn < kPassing ? first + kOwn : kPassing;
    constexpr long long kOwnL = kKeepsKeys ? kKeyL : kQueryL;
    constexpr long long kOwnWideL = kKeepsKeys ? kValueL : kGradientL;
    constexpr long long kStreamL = kKeepsKeys ? kQueryL : kKeyL;
    constexpr long long kStreamWideL = kKeepsKeys ? kGradientL : kValueL;
    const float* const from = kKeepsKeys ? query : key;
    const float* const fromWide = kKeepsKeys ? gradient : value;

    bring<kOwn, kFullE, kWidth>(own, (kKeepsKeys ? key : query) + first * kOwnL, kOwnL,
                                kLength - first);
    bring<kOwn, kFullV, kValueWidth>(ownWide, (kKeepsKeys ? value : gradient) + first * kOwnWideL,
                                     kOwnWideL, kLength - first);
    auto bringNext = [&](int at) {
        bring<kStream, kFullE, kWidth>(stream, from + at * kStreamL, kStreamL, kPassing - at);
        bring<kStream, kFullV, kValueWidth>(streamWide, fromWide + at * kStreamWideL, kStreamWideL,
                                            kPassing - at);
        commit();
    };
    if (begin < end) bringNext(begin);
    float narrow[8][kSpansE][kLaneE], wide[8][kSpansV][kLaneV];
    clear(narrow);
    clear(wide);
    float ownLogs[8], ownBoth[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const int row = first + lineOf(i);
        const bool valid = !kKeepsKeys && row < kRows;
        ownLogs[i] = valid ? logarithms[row * kLogL] * kLog2E : 0;
        ownBoth[i] = valid ? both[row] : 0;
    }
    for (int at = begin; at < end; at += kStream) {
        await<0>();
        __syncthreads();
        float s[8][kColumns], u[8][kColumns];
        multiply<kWidth, kLineE>(s, own, stream);
        multiply<kValueWidth, kLineV>(u, ownWide, streamWide);
#pragma unroll
        for (int j = 0; j < kColumns; ++j) {
            const int passing = at + columnOf(j);
            const bool valid = kKeepsKeys && passing < kRows;
            const float logarithm = valid ? logarithms[passing * kLogL] * kLog2E : 0;
            const float sum = valid ? both[passing] : 0;
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                const int kept = first + lineOf(i);
                const int row = kKeepsKeys ? passing : kept, column = kKeepsKeys ? kept : passing;
                const bool seen = row < kRows && column < kKeys && !(kCausal && column > row);
                float x = s[i][j] * (kScale * kLog2E);
                if (kMasked) x += seen ? mask[row * kMaskL + column * kMaskS] * kLog2E : 0;
                const float weight =
                    seen ? power2(x - (kKeepsKeys ? logarithm : ownLogs[i])) : 0;
                s[i][j] = weight;
                u[i][j] = weight * (u[i][j] - (kKeepsKeys ? sum : ownBoth[i]));
            }
        }
        if (kKeepsKeys) {
            put(weights, s);
            syncWarp();
            accumulate(wide, weights, streamWide);
            syncWarp();
        }
        put(weights, u);
        syncWarp();
        accumulate(narrow, weights, stream);
        __syncthreads();
        if (at + kStream < end) bringNext(at + kStream);
    }
    constexpr long long kHeadsAll = (long long)kBatch * kHeads;
    float* const to = result + (kKeepsKeys ? kHeadsAll * kRows * kWidth : 0) +
                      headOf(b, h, kLength, kWidth);
    float* const toWide = result + kHeadsAll * (kRows + kKeys) * kWidth +
                          headOf(b, h, kKeys, kValueWidth);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const int line = first + lineOf(i);
        if (line >= kLength) continue;
        write<kWidth>(to + line * kBetween * kWidth, narrow[i], kScale);
        if (kKeepsKeys) write<kValueWidth>(toWide + line * kBetween * kValueWidth, wide[i], 1);
    }
}
)";

/// Lines that a block keeps and that pass by at once, and how many blocks one multiprocessor has.
struct Tiling {
    int64_t own, stream, blocksEach;
};

std::string tilesText() {
    std::string text;
    for (std::string_view part :
         {kNumbers, kPowerText, kInfinityText, kSharedAddressText, kCopiesText, kTiles, kHeadsText})
        text += part;
    return text;
}

/// Numbers that each of sixteen threads has of a span of a line, and how many spans there are.
int64_t lane(int64_t width) {
    return width <= 16 ? 1 : width <= 32 ? 2 : 4;
}
int64_t spans(int64_t width) {
    return (width + 16 * lane(width) - 1) / (16 * lane(width));
}
/// Numbers of a line in shared memory (kLineE and kLineV of the text).
int64_t lineOf(int64_t width) {
    return spans(width) * 16 * lane(width) + 4;
}

int64_t sharedBytes(const AttentionSpec& spec, const Tiling& tiling) {
    const int64_t narrow = lineOf(spec.width), wide = lineOf(spec.valueWidth);
    const int64_t kept = spec.isBackward() ? narrow + wide : narrow;
    return 4 *
           (tiling.own * kept + tiling.stream * (narrow + wide) + tiling.own * (tiling.stream + 4));
}

/// The first that fits; measured on an H200.
Tiling tilingOf(const AttentionSpec& spec, int64_t limit) {
    const bool narrow = spec.width <= 64 && spec.valueWidth <= 64;
    const Tiling best = spec.isBackward() ? Tiling{64, 64, narrow ? 2 : 1}
                        : narrow          ? Tiling{64, 64, 3}
                                          : Tiling{128, 64, 1};
    const std::array tilings{best, Tiling{64, 64, 1}, Tiling{64, 32, 1}, Tiling{32, 32, 1},
                             Tiling{32, 16, 1}};
    const auto fits = std::find_if(tilings.begin(), tilings.end(), [&](const Tiling& one) {
        return sharedBytes(spec, one) <= limit;
    });
    return fits == tilings.end() ? tilings.back() : *fits;
}

std::string stridesText(std::string_view name, const std::vector<int64_t>& strides) {
    return fmt::format("constexpr long long k{0}B = {1}, k{0}H = {2}, k{0}L = {3};\n", name,
                       strides[0], strides[1], strides[2]);
}

std::string constantsText(const AttentionSpec& spec, bool aligned) {
    const std::string text = fmt::format(
        "#define DEVICE __device__ __forceinline__\n"
        "constexpr int kBatch = {}, kHeads = {}, kRows = {}, kKeys = {};\n"
        "constexpr int kWidth = {}, kValueWidth = {};\n"
        "constexpr int kLaneE = {}, kSpansE = {}, kLaneV = {}, kSpansV = {};\n"
        "constexpr bool kCausal = {}, kSafe = {}, kInner = {}, kMasked = {}, kVectors = {};\n"
        "constexpr float kScale = {:a}f;\n",
        spec.batch, spec.heads, spec.rows, spec.keys, spec.width, spec.valueWidth, lane(spec.width),
        spans(spec.width), lane(spec.valueWidth), spans(spec.valueWidth), spec.task.causal,
        spec.task.safe, spec.task.inner, spec.masked, aligned && inMultiples(spec, 4),
        static_cast<float>(spec.task.scale));
    return text + attentionStrides(spec);
}

} // namespace

std::string attentionStrides(const AttentionSpec& spec) {
    std::string text = stridesText("Query", spec.strides[0]) + stridesText("Key", spec.strides[1]) +
                       stridesText("Value", spec.strides[2]);
    if (spec.isBackward())
        text += stridesText("Gradient", spec.strides[3]) + stridesText("Output", spec.strides[4]) +
                stridesText("Log", spec.strides[5]);
    const std::vector<int64_t> mask =
        spec.masked ? spec.strides.back() : std::vector<int64_t>{0, 0, 0, 0};
    return text + stridesText("Mask", mask) +
           fmt::format("constexpr long long kMaskS = {};\n", mask[3]);
}

bool inMultiples(const AttentionSpec& spec, int64_t count) {
    const auto fits = [count](int64_t stride) { return stride % count == 0; };
    bool all = fits(spec.width) && fits(spec.valueWidth);
    for (size_t i = 0; i < (spec.isBackward() ? 4u : 3u); ++i)
        all = all && std::all_of(spec.strides[i].begin(), spec.strides[i].begin() + 3, fits);
    return all;
}

bool takesAttention(const AttentionSpec& spec) {
    return spec.dtype == ir::DType::Float32 &&
           (spec.operands == spec.dtype || ir::isHalf(spec.operands)) &&
           spec.width <= kWidestHead && spec.valueWidth <= kWidestHead;
}

AttentionSources attentionSources(const AttentionSpec& spec, int64_t sharedLimit, bool aligned) {
    if (ir::isHalf(spec.operands)) return halfAttentionSources(spec, sharedLimit, aligned);
    const Tiling tiling = tilingOf(spec, sharedLimit);
    const std::string constants = constantsText(spec, aligned);
    const int64_t heads = spec.batch * spec.heads;
    AttentionSources sources;
    const auto add = [&](std::string entry, int64_t length, bool keepsKeys, std::string_view body) {
        codegen::KernelSource& source = sources.passes.emplace_back();
        source.entry = std::move(entry);
        source.text = constants +
                      fmt::format("constexpr int kOwn = {}, kStream = {}, kBlocksEach = {};\n"
                                  "constexpr bool kKeepsKeys = {};\n",
                                  tiling.own, tiling.stream, tiling.blocksEach, keepsKeys) +
                      tilesText() + std::string(body);
        source.launch.blocks = ir::Sym((length + tiling.own - 1) / tiling.own * heads);
        source.launch.threads = static_cast<int>(2 * tiling.own);
        source.launch.sharedBytes = sharedBytes(spec, tiling);
    };
    if (!spec.isBackward()) {
        add("attention", spec.rows, false, kForward);
        return sources;
    }
    sources.sums.entry = "attention_sums";
    sources.sums.text = constants + attentionSumsText("float", "");
    sources.sums.launch.blocks = ir::Sym((heads * spec.rows + 7) / 8);
    sources.sums.launch.threads = 256;
    sources.sumBytes = heads * spec.rows * 4;
    add("attention_backward", spec.keys, true, kBackward);
    add("attention_backward", spec.rows, false, kBackward);
    return sources;
}

} // namespace cutaway::runtime
