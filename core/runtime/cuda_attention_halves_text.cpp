// SPDX-License-Identifier: Apache-2.0
// Source: arXiv:2307.08691, algorithms 1 and 2.
#include "core/runtime/cuda_attention_halves_text.h"

namespace cutaway::runtime {

const std::string_view kHalfTiles = R"(
// A line of a tile in shared memory; the next begins four banks further on.
constexpr int kFullE = (kWidth + 15) / 16 * 16, kLineE = kFullE + 8;
constexpr int kFullV = (kValueWidth + 15) / 16 * 16, kLineV = kFullV + 8;
constexpr int kThreads = 32 * kWarps, kColumns = kStream / 8;

/// Starts to bring \p count lines; the rest of the tile is zero.
template <int kLines, int kFull, int kHere>
DEVICE void bring(Bits* tile, const Bits* from, long long stride, int count) {
    constexpr int kEach = kVectors ? 8 : 1, kOfLine = kFull / kEach;
#pragma unroll 4
    for (int i = threadIdx.x; i < kLines * kOfLine; i += kThreads) {
        const int line = i / kOfLine, x = i % kOfLine * kEach;
        const bool valid = line < count && x < kHere;
        Bits* const to = tile + line * (kFull + 8) + x;
        const Bits* const source = valid ? from + line * stride + x : from;
#if __CUDA_ARCH__ >= 800
        if (kVectors) {
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                         :: "r"(sharedAddress(to)), "l"(source), "r"(valid ? 16 : 0) : "memory");
            continue;
        }
#endif
#pragma unroll
        for (int e = 0; e < kEach; ++e)
            to[e] = valid ? source[e] : 0;
    }
}

// A warp has kTilesM times 16 lines of the tile that the block keeps; a thread of each 16 x 8
// scores or sums two lines, eight apart, and two columns beside each other.
DEVICE int lineOf(int m, int h) {
    return (threadIdx.x / 32 * kTilesM + m) * 16 + threadIdx.x % 32 / 4 + 8 * h;
}
DEVICE int columnOf(int j) { return j * 8 + threadIdx.x % 4 * 2; }

/// s = lines of \p a times lines of \p b.
template <int kFull>
DEVICE void multiply(float (&s)[kTilesM][kColumns][4], const Bits* a, const Bits* b) {
    constexpr int kLine = kFull + 8;
    const int lane = threadIdx.x % 32;
    const unsigned atA =
        sharedAddress(a + (threadIdx.x / 32 * kTilesM * 16 + lane % 16) * kLine + lane / 16 * 8);
    const unsigned atB = sharedAddress(b + (lane / 16 * 8 + lane % 8) * kLine + lane / 8 % 2 * 8);
#pragma unroll
    for (int m = 0; m < kTilesM; ++m)
#pragma unroll
        for (int j = 0; j < kColumns; ++j)
#pragma unroll
            for (int e = 0; e < 4; ++e)
                s[m][j][e] = 0;
#pragma unroll
    for (int d = 0; d < kFull; d += 16) {
        unsigned x[kTilesM][4];
#pragma unroll
        for (int m = 0; m < kTilesM; ++m)
            squares(x[m], atA + (m * 16 * kLine + d) * 2);
#pragma unroll
        for (int j = 0; j < kColumns; j += 2) {
            unsigned y[4];
            squares(y, atB + (j * 8 * kLine + d) * 2);
#pragma unroll
            for (int m = 0; m < kTilesM; ++m) {
                fma(s[m][j], x[m], y[0], y[1]);
                fma(s[m][j + 1], x[m], y[2], y[3]);
            }
        }
    }
}

/// sums += weights, rounded, times the lines of \p b.
template <int kFull>
DEVICE void accumulate(float (&sums)[kTilesM][kFull / 8][4], const float (&s)[kTilesM][kColumns][4],
                       const Bits* b) {
    constexpr int kLine = kFull + 8;
    const int lane = threadIdx.x % 32;
    const unsigned atB = sharedAddress(b + lane % 16 * kLine + lane / 16 * 8);
#pragma unroll
    for (int k = 0; k < kColumns; k += 2) {
        unsigned x[kTilesM][4];
#pragma unroll
        for (int m = 0; m < kTilesM; ++m)
#pragma unroll
            for (int e = 0; e < 4; ++e)
                x[m][e] = packed(s[m][k + e / 2][e % 2 * 2], s[m][k + e / 2][e % 2 * 2 + 1]);
#pragma unroll
        for (int n = 0; n < kFull / 8; n += 2) {
            unsigned y[4];
            squaresTurned(y, atB + (k * 8 * kLine + n * 8) * 2);
#pragma unroll
            for (int m = 0; m < kTilesM; ++m) {
                fma(sums[m][n], x[m], y[0], y[1]);
                fma(sums[m][n + 1], x[m], y[2], y[3]);
            }
        }
    }
}
template <int kSpans> DEVICE void clear(float (&sums)[kTilesM][kSpans][4]) {
#pragma unroll
    for (int m = 0; m < kTilesM; ++m)
#pragma unroll
        for (int n = 0; n < kSpans; ++n)
#pragma unroll
            for (int e = 0; e < 4; ++e)
                sums[m][n][e] = 0;
}
struct __align__(8) Two {
    float x, y;
};
/// Writes a line of a result that has lines of \p kHere numbers.
template <int kHere, int kSpans>
DEVICE void write(float* line, const float (&sums)[kSpans][4], int h, float factor) {
#pragma unroll
    for (int n = 0; n < kSpans; ++n) {
        const int x = columnOf(n);
        const Two values{sums[n][2 * h] * factor, sums[n][2 * h + 1] * factor};
        if (kHere % 2 == 0) {
            if (x < kHere) *(Two*)(line + x) = values;
            continue;
        }
        if (x < kHere) line[x] = values.x;
        if (x + 1 < kHere) line[x + 1] = values.y;
    }
}
)";

const std::string_view kHalfForward =
    R"(extern "C" __global__ void __launch_bounds__(kThreads, kBlocksEach)
attention(const Bits* __restrict__ query, const Bits* __restrict__ key,
          const Bits* __restrict__ value, const Bits* __restrict__ mask,
          float* __restrict__ result) {
    extern __shared__ __align__(16) unsigned char tiles[];
    Bits* const queries = (Bits*)tiles;
    Bits* const keys = queries + kOwn * kLineE;
    Bits* const values = keys + kStream * kLineE;
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
    float sums[kTilesM][kFullV / 8][4], largest[kTilesM][2], all[kTilesM][2];
    clear(sums);
#pragma unroll
    for (int i = 0; i < kTilesM * 2; ++i)
        largest[i / 2][i % 2] = -infinity(), all[i / 2][i % 2] = 0;

    // Scores are scaled where their power is taken, where that leaves their order.
    constexpr float kFactor = kMasked || !(kScale > 0) ? 1 : kScale * kLog2E;
    for (int at = 0; at < last; at += kStream) {
        const int after = at + kStream;
        await<1>();
        __syncthreads();
        float s[kTilesM][kColumns][4];
        multiply<kFullE>(s, queries, keys);
        __syncthreads();
        if (after < last)
            bring<kStream, kFullE, kWidth>(keys, key + after * kKeyL, kKeyL, kKeys - after);
        commit();
        const bool whole = after <= kKeys && !(kCausal && after > first + 1);
#pragma unroll
        for (int i = 0; i < kTilesM * 2; ++i) {
            const int m = i / 2, half = i % 2 * 2, row = first + lineOf(m, i % 2);
            float now = largest[m][i % 2];
#pragma unroll
            for (int j = 0; j < kColumns * 2; ++j) {
                float& x = s[m][j / 2][half + j % 2];
                const int column = at + columnOf(j / 2) + j % 2;
                const bool seen = whole || (column < kKeys && !(kCausal && column > row));
                if (kFactor == 1) x *= kScale * kLog2E;
                if (kMasked)
                    x += seen && row < kRows ? wide(mask[row * kMaskL + column * kMaskS]) * kLog2E
                                             : 0;
                x = seen ? x : -infinity();
                now = x > now ? x : now;
            }
#pragma unroll
            for (int far = 2; far > 0; far /= 2) {
                const float other = __shfl_xor_sync(0xffffffffu, now, far);
                now = other > now ? other : now;
            }
            const float base = now == -infinity() ? 0 : now * kFactor;
            const float shrunk = power2(largest[m][i % 2] * kFactor - base);
            largest[m][i % 2] = now;
            all[m][i % 2] *= shrunk;
#pragma unroll
            for (int j = 0; j < kColumns * 2; ++j) {
                float& x = s[m][j / 2][half + j % 2];
                x = power2(x * kFactor - base);
                all[m][i % 2] += x;
            }
#pragma unroll
            for (int n = 0; n < kFullV / 8; ++n)
                sums[m][n][half] *= shrunk, sums[m][n][half + 1] *= shrunk;
        }
        await<1>();
        __syncthreads();
        accumulate<kFullV>(sums, s, values);
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
    for (int i = 0; i < kTilesM * 2; ++i) {
        const int m = i / 2, row = first + lineOf(m, i % 2);
        float sum = all[m][i % 2];
        sum += __shfl_xor_sync(0xffffffffu, sum, 1);
        sum += __shfl_xor_sync(0xffffffffu, sum, 2);
        if (row >= kRows) continue;
        const bool unseen = kSafe && sum == 0;
        write<kValueWidth>(output + row * kBetween * kValueWidth, sums[m], i % 2,
                           unseen ? 0 : 1 / sum);
        if (threadIdx.x % 4 == 0)
            logarithms[row] =
                unseen ? 0 : largest[m][i % 2] * (kFactor / kLog2E) + logf(sum);
    }
}
)";

const std::string_view kHalfBackward =
    R"(/// The block keeps keys and values while queries and gradients pass by, or the other way round.
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksEach)
attention_backward(const Bits* __restrict__ query, const Bits* __restrict__ key,
                   const Bits* __restrict__ value, const Bits* __restrict__ gradient,
                   const float* __restrict__ logarithms, const float* __restrict__ both,
                   const Bits* __restrict__ mask, float* __restrict__ result) {
    extern __shared__ __align__(16) unsigned char tiles[];
    constexpr int kStage = kStream * (kLineE + kLineV + 4); // lines, logarithms and sums
    Bits* const own = (Bits*)tiles;
    Bits* const ownWide = own + kOwn * kLineE;
    Bits* const stages = ownWide + kOwn * kLineV;
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
    const Bits* const from = kKeepsKeys ? query : key;
    const Bits* const fromWide = kKeepsKeys ? gradient : value;

    bring<kOwn, kFullE, kWidth>(own, (kKeepsKeys ? key : query) + first * kOwnL, kOwnL,
                                kLength - first);
    bring<kOwn, kFullV, kValueWidth>(ownWide, (kKeepsKeys ? value : gradient) + first * kOwnWideL,
                                     kOwnWideL, kLength - first);
    auto bringNext = [&](int at) {
        Bits* const stage = stages + at / kStream % 2 * kStage;
        bring<kStream, kFullE, kWidth>(stage, from + at * kStreamL, kStreamL, kPassing - at);
        bring<kStream, kFullV, kValueWidth>(stage + kStream * kLineE, fromWide + at * kStreamWideL,
                                            kStreamWideL, kPassing - at);
        float* const numbers = (float*)(stage + kStream * (kLineE + kLineV));
        if (kKeepsKeys && threadIdx.x < kStream) {
            const int row = at + threadIdx.x;
            numbers[threadIdx.x] = row < kRows ? logarithms[row * kLogL] * kLog2E : 0;
            numbers[kStream + threadIdx.x] = row < kRows ? both[row] : 0;
        }
        commit();
    };
    if (begin < end) bringNext(begin);
    float narrow[kTilesM][kFullE / 8][4], wideSums[kTilesM][kFullV / 8][4];
    clear(narrow);
    clear(wideSums);
    float ownLogs[kTilesM][2], ownBoth[kTilesM][2];
#pragma unroll
    for (int i = 0; i < kTilesM * 2; ++i) {
        const int row = first + lineOf(i / 2, i % 2);
        const bool valid = !kKeepsKeys && row < kRows;
        ownLogs[i / 2][i % 2] = valid ? logarithms[row * kLogL] * kLog2E : 0;
        ownBoth[i / 2][i % 2] = valid ? both[row] : 0;
    }
    for (int at = begin; at < end; at += kStream) {
        await<0>();
        __syncthreads();
        if (at + kStream < end) bringNext(at + kStream);
        const Bits* const stream = stages + at / kStream % 2 * kStage;
        const Bits* const streamWide = stream + kStream * kLineE;
        const float* const numbers = (const float*)(streamWide + kStream * kLineV);
        // Of pairs that are all seen nothing is asked; columns that do not exist are zero.
        const bool whole = !kMasked && (kKeepsKeys || at + kStream <= kKeys) &&
                           !(kCausal && (kKeepsKeys ? at < first + kOwn : at + kStream > first + 1));
        float s[kTilesM][kColumns][4], u[kTilesM][kColumns][4];
        multiply<kFullE>(s, own, stream);
        multiply<kFullV>(u, ownWide, streamWide);
#pragma unroll
        for (int j = 0; j < kColumns * 2; ++j) {
            const int passing = columnOf(j / 2) + j % 2;
            const float logarithm = kKeepsKeys ? numbers[passing] : 0;
            const float sum = kKeepsKeys ? numbers[kStream + passing] : 0;
#pragma unroll
            for (int i = 0; i < kTilesM * 2; ++i) {
                float& x = s[i / 2][j / 2][i % 2 * 2 + j % 2];
                float& y = u[i / 2][j / 2][i % 2 * 2 + j % 2];
                float score = x * (kScale * kLog2E);
                bool seen = true;
                if (!whole) {
                    const int kept = first + lineOf(i / 2, i % 2);
                    const int row = kKeepsKeys ? at + passing : kept;
                    const int column = kKeepsKeys ? kept : at + passing;
                    seen = row < kRows && column < kKeys && !(kCausal && column > row);
                    if (kMasked)
                        score += seen ? wide(mask[row * kMaskL + column * kMaskS]) * kLog2E : 0;
                }
                const float weight = power2(score - (kKeepsKeys ? logarithm : ownLogs[i / 2][i % 2]));
                x = seen ? weight : 0;
                y = x * (y - (kKeepsKeys ? sum : ownBoth[i / 2][i % 2]));
            }
        }
        if (kKeepsKeys) accumulate<kFullV>(wideSums, s, streamWide);
        accumulate<kFullE>(narrow, u, stream);
    }
    constexpr long long kHeadsAll = (long long)kBatch * kHeads;
    float* const to = result + (kKeepsKeys ? kHeadsAll * kRows * kWidth : 0) +
                      headOf(b, h, kLength, kWidth);
    float* const toWide = result + kHeadsAll * (kRows + kKeys) * kWidth +
                          headOf(b, h, kKeys, kValueWidth);
#pragma unroll
    for (int i = 0; i < kTilesM * 2; ++i) {
        const int line = first + lineOf(i / 2, i % 2);
        if (line >= kLength) continue;
        write<kWidth>(to + line * kBetween * kWidth, narrow[i / 2], i % 2, kScale);
        if (kKeepsKeys)
            write<kValueWidth>(toWide + line * kBetween * kValueWidth, wideSums[i / 2], i % 2, 1);
    }
}
)";

} // namespace cutaway::runtime
