// SPDX-License-Identifier: Apache-2.0
// CUDA text of convolutions of 16-bit numbers on tensor cores: tiles of operands whose channels are
// side by side, eight numbers at a time, sums in float32 that are rounded once, behind bias and
// epilogues.
#include "core/runtime/cuda_convolution_text.h"
#include "core/runtime/cuda_halves_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::runtime {
namespace {

/// Channels of each group side by side, with as many zeros behind them as make multiples of eight.
constexpr std::string_view kArrange = R"(
extern "C" __global__ void __launch_bounds__(256)
arrange(const number* __restrict__ from, number* __restrict__ to) {
    __shared__ number tile[32][34];
    constexpr index_t kAll = kGroups * kPadded, kSpace = F0 * F1 * F2;
    constexpr index_t kTilesC = (kAll + 31) / 32, kTilesS = (kSpace + 31) / 32;
    const index_t s0 = blockIdx.x % kTilesS * 32, c0 = blockIdx.x / kTilesS % kTilesC * 32;
    const index_t n = blockIdx.x / kTilesS / kTilesC;
    const int x = threadIdx.x % 32, y = threadIdx.x / 32;
#pragma unroll
    for (int i = y; i < 32; i += 8) {
        const int atC = kSpaceInner ? i : x, atS = kSpaceInner ? x : i;
        const index_t c = c0 + atC, s = s0 + atS;
        const bool valid = s < kSpace && c < kAll && c % kPadded < kReal;
        const index_t at = n * FN + (c / kPadded * kReal + c % kPadded) * FC + s / F2 / F1 * FS0 +
                           s / F2 % F1 * FS1 + s % F2 * FS2;
        tile[atC][atS] = valid ? from[at] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = y; i < 32; i += 8)
        if (c0 + x < kAll && s0 + i < kSpace) to[(n * kSpace + s0 + i) * kAll + c0 + x] = tile[x][i];
}
)";

/// The weight in the order of the steps, the result's channels side by side, zeros around.
constexpr std::string_view kPack = R"(
constexpr index_t kTaps = K0 * K1 * K2, kAll = kTaps * kPadded;
constexpr index_t kLines = (kAll + kDepth - 1) / kDepth * kDepth;
constexpr index_t kColumns = (kN + kTileN - 1) / kTileN * kTileN;
extern "C" __global__ void __launch_bounds__(256)
pack_weight(const number* __restrict__ from, number* __restrict__ to) {
    __shared__ number tile[32][34];
    constexpr index_t kBlocksN = kColumns / 32, kBlocksK = kLines / 32;
    const index_t n0 = blockIdx.x % kBlocksN * 32, k0 = blockIdx.x / kBlocksN % kBlocksK * 32;
    const index_t g = blockIdx.x / kBlocksN / kBlocksK;
    const int x = threadIdx.x % 32, y = threadIdx.x / 32;
#pragma unroll
    for (int i = y; i < 32; i += 8) {
        const index_t n = n0 + i, k = k0 + x, tap = k % kTaps, channel = k / kTaps;
        const bool valid = n < kN && channel < kChannels;
        const index_t at = weightAt(g, n) + tap / K2 / K1 * WS0 + tap / K2 % K1 * WS1 +
                           tap % K2 * WS2 + channel * kChannelB;
        tile[i][x] = valid ? from[at] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = y; i < 32; i += 8) {
        const index_t k = k0 + i;
        const index_t line = k < kAll ? k % kTaps * kPadded + k / kTaps : k;
        to[(g * kLines + line) * kColumns + n0 + x] = tile[x][i];
    }
}
)";

/// Operands of a result whose places run along m; k counts the channels of one tap after the other.
constexpr std::string_view kPlaces = R"(
constexpr index_t kLinesB = (kK + kDepth - 1) / kDepth * kDepth;
constexpr index_t kColumns = (kN + kTileN - 1) / kTileN * kTileN;
constexpr bool kTurned = false; // a line of the tile has a place's channels
constexpr int kRowA = kDepth + 8, kCellsA = kTileM * kRowA;
DEVICE bool exists(index_t m) { return m < kM; }
struct Tiles {
    static constexpr int kChunks = kDepth / 8, kLines = kThreads / kChunks;
    static constexpr int kPlaces = kTileM / kLines;
    const Bits *first, *second;
    Place places[kPlaces];
    DEVICE Tiles(const Bits* a, const Bits* b, index_t g, index_t tileM, index_t tileN)
        : first(a), second(b + g * kLinesB * kColumns + tileN) {
#pragma unroll
        for (int i = 0; i < kPlaces; ++i)
            places[i] = Place(g, tileM + threadIdx.x / kChunks + i * kLines);
    }
    DEVICE void load(index_t step, Bits* a, Bits* b) const {
        const int line = threadIdx.x / kChunks, chunk = threadIdx.x % kChunks * 8;
        const index_t k = step * kDepth + chunk, tap = k / kChannels, channel = k % kChannels;
#pragma unroll
        for (int i = 0; i < kPlaces; ++i) {
            bool valid;
            const index_t at = places[i].at(tap, valid) + channel;
            valid = valid && k < kK;
            copyEight(a + (line + i * kLines) * kRowA + chunk, first + (valid ? at : 0), valid);
        }
#pragma unroll
        for (int i = threadIdx.x * 8; i < kDepth * kTileN; i += kThreads * 8)
            copyEight(b + i / kTileN * kRowB + i % kTileN,
                      second + (step * kDepth + i / kTileN) * kColumns + i % kTileN, true);
    }
};
)";

/// The same towards the weight: places run along k, m counts the channels of one tap after the
/// other.
constexpr std::string_view kWeights = R"(
constexpr index_t kM = CG * K0 * K1 * K2, kN = OG, kK = N * P0 * P1 * P2;
constexpr bool kTurned = true;
constexpr int kRowA = kTileM + 8, kCellsA = kDepth * kRowA;
DEVICE bool exists(index_t m) { return m < kM && m % CG < kRealChannels; }
DEVICE index_t placeOf(index_t g, index_t m, index_t n) {
    const index_t tap = m / CG;
    return (g * OG + n) * WO + m % CG * WC + tap / K2 / K1 * WS0 + tap / K2 % K1 * WS1 +
           tap % K2 * WS2;
}
struct Tiles {
    static constexpr int kChunks = kTileM / 8, kLines = kThreads / kChunks;
    const Bits *first, *second;
    index_t last; // of the result's channels that the tile has
    index_t x0, x1, x2;
    bool inside;
    DEVICE Tiles(const Bits* a, const Bits* b, index_t g, index_t tileM, index_t tileN)
        : first(a), second(b + g * kFeatures + tileN), last(kFeatures - tileN) {
        const index_t m = tileM + threadIdx.x % kChunks * 8, tap = m / CG;
        first += g * CG + m % CG;
        x0 = tap / K2 / K1 * D0 - A0, x1 = tap / K2 % K1 * D1 - A1, x2 = tap % K2 * D2 - A2;
        inside = m < kM;
    }
    DEVICE void load(index_t step, Bits* a, Bits* b) const {
#pragma unroll
        for (int i = threadIdx.x / kChunks; i < kDepth; i += kLines) {
            const index_t k = step * kDepth + i;
            const index_t y2 = k % P2 * S2 + x2, y1 = k / P2 % P1 * S1 + x1;
            const index_t y0 = k / P2 / P1 % P0 * S0 + x0, n = k / P2 / P1 / P0;
            const bool valid = inside && k < kK && y0 >= 0 && y0 < I0 && y1 >= 0 && y1 < I1 &&
                               y2 >= 0 && y2 < I2;
            const index_t at = n * IN + y0 * IS0 + y1 * IS1 + y2 * IS2;
            copyEight(a + i * kRowA + threadIdx.x % kChunks * 8, valid ? first + at : second, valid);
        }
#pragma unroll
        for (int i = threadIdx.x * 8; i < kDepth * kTileN; i += kThreads * 8) {
            const index_t k = step * kDepth + i / kTileN, column = i % kTileN;
            const bool valid = k < kK && column < last;
            const index_t at = k / P2 / P1 / P0 * ON + k / P2 / P1 % P0 * OS0 + k / P2 % P1 * OS1 +
                               k % P2 * OS2 + column;
            copyEight(b + i / kTileN * kRowB + column, second + (valid ? at : 0), valid);
        }
    }
};
)";

/// A warp has kRows times 16 lines and 32 columns of the tile; a thread of each 16 x 8 sums two
/// lines, eight apart, and two columns beside each other.
constexpr std::string_view kProduct = R"(
struct __align__(16) Eight {
    unsigned x[4];
};
constexpr index_t kTilesM = (kM + kTileM - 1) / kTileM, kTilesN = (kN + kTileN - 1) / kTileN;
constexpr index_t kSteps = (kK + kDepth - 1) / kDepth, kStepsEach = (kSteps + kSplits - 1) / kSplits;
constexpr int kCellsB = kDepth * kRowB, kStage = kCellsA + kCellsB;
constexpr int kWarpsN = kTileN / 32, kRows = kTileM / (kThreads / 32 / kWarpsN) / 16;
// The tile of sums in shared memory, in the order of the result.
constexpr int kLine = kInnerN ? kTileN : kTileM, kLineOfSums = kLine + 4;
DEVICE void squaresOfA(unsigned (&x)[4], const Bits* a, int m, int k) {
    const int lane = threadIdx.x % 32;
    if (kTurned)
        squaresTurned(x, sharedAddress(a + (k + lane / 16 * 8 + lane % 8) * kRowA + m +
                                       lane / 8 % 2 * 8));
    else
        squares(x, sharedAddress(a + (m + lane % 16) * kRowA + k + lane / 16 * 8));
}
DEVICE void add(float (&sums)[kRows][4][4], const Bits* a, const Bits* b) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int m = warp / kWarpsN * (kRows * 16), n = warp % kWarpsN * 32;
#pragma unroll
    for (int k = 0; k < kDepth; k += 16) {
        unsigned y[2][4];
#pragma unroll
        for (int j = 0; j < 2; ++j)
            squaresTurned(y[j], sharedAddress(b + (k + lane % 16) * kRowB + n + j * 16 +
                                              lane / 16 * 8));
#pragma unroll
        for (int i = 0; i < kRows; ++i) {
            unsigned x[4];
            squaresOfA(x, a, m + i * 16, k);
#pragma unroll
            for (int j = 0; j < 4; ++j)
                fma(sums[i][j], x, y[j / 2][j % 2 * 2], y[j / 2][j % 2 * 2 + 1]);
        }
    }
}
DEVICE void toShared(float* tile, const float (&sums)[kRows][4][4]) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int m = warp / kWarpsN * (kRows * 16) + lane / 4, n = warp % kWarpsN * 32 + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < kRows; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                const int row = m + i * 16 + e / 2 * 8, column = n + j * 8 + e % 2;
                tile[kInnerN ? row * kLineOfSums + column : column * kLineOfSums + row] =
                    sums[i][j][e];
            }
}
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksEach)
convolution(const number* __restrict__ first, const number* __restrict__ second,
            number* __restrict__ result, float* __restrict__ parts FURTHER_PARAMETERS) {
    extern __shared__ __align__(16) unsigned char memory[];
    Bits* const stages = (Bits*)memory;
    const index_t tileN = blockIdx.x % kTilesN * kTileN;
    const index_t tileM = blockIdx.x / kTilesN % kTilesM * kTileM;
    const index_t g = blockIdx.x / kTilesN / kTilesM % kGroups;
    const index_t split = blockIdx.x / kTilesN / kTilesM / kGroups;
    const index_t begin = split * kStepsEach;
    const index_t end = begin + kStepsEach < kSteps ? begin + kStepsEach : kSteps;
    const Tiles tiles(first, second, g, tileM, tileN);
    float sums[kRows][4][4];
#pragma unroll
    for (int i = 0; i < kRows * 16; ++i)
        sums[i / 16][i / 4 % 4][i % 4] = 0;
#pragma unroll
    for (int s = 0; s + 1 < kStages; ++s) {
        if (begin + s < end) tiles.load(begin + s, stages + s * kStage, stages + s * kStage + kCellsA);
        commit();
    }
    int now = 0, next = kStages - 1;
    for (index_t step = begin; step < end; ++step) {
        await<kStages - 2>();
        __syncthreads();
        if (step + kStages - 1 < end)
            tiles.load(step + kStages - 1, stages + next * kStage, stages + next * kStage + kCellsA);
        commit();
        add(sums, stages + now * kStage, stages + now * kStage + kCellsA);
        now = now + 1 == kStages ? 0 : now + 1;
        next = next + 1 == kStages ? 0 : next + 1;
    }
    await<0>();
    __syncthreads();
    float* const staged = (float*)memory;
    toShared(staged, sums);
    __syncthreads();
    constexpr bool kWhole = kSplits == 1 && kEightsTogether;
    constexpr int kEach = kWhole ? 8 : 1;
    for (int i = threadIdx.x * kEach; i < kTileM * kTileN; i += kThreads * kEach) {
        const int line = i / kLine, x = i % kLine;
        const index_t m = tileM + (kInnerN ? line : x), n = tileN + (kInnerN ? x : line);
        if (!exists(m) || n >= kN) continue;
        const float* const from = staged + line * kLineOfSums + x;
        const index_t at = placeOf(g, m, n);
        if (kSplits > 1) {
            parts[(split * kGroups + g) * kN * kM + (kInnerN ? m * kN + n : n * kM + m)] = *from;
        } else if (kWhole) {
            Eight all;
#pragma unroll
            for (int e = 0; e < 8; e += 2) {
                const index_t channel = g * kN + n + (kInnerN ? e : 0);
                const float low = finished(from[e], at + e, channel FURTHER_ARGUMENTS);
                const float high = finished(from[e + 1], at + e + 1,
                                            channel + (kInnerN ? 1 : 0) FURTHER_ARGUMENTS);
                all.x[e / 2] = packed(low, high);
            }
            *(Eight*)(result + at) = all;
        } else {
            result[at] = packed(finished(*from, at, g * kN + n FURTHER_ARGUMENTS), 0);
        }
    }
}
// The parts along k are added in order.
extern "C" __global__ void __launch_bounds__(256)
add_parts(const float* __restrict__ parts, number* __restrict__ result FURTHER_PARAMETERS) {
    constexpr index_t kAll = kGroups * kN * kM;
    const index_t from = threadIdx.x + (index_t)blockIdx.x * 256;
    if (from >= kAll) return;
    const index_t g = from / kM / kN;
    const index_t m = kInnerN ? from / kN % kM : from % kM, n = kInnerN ? from % kN : from / kM % kN;
    if (!exists(m)) return;
    float sum = parts[from];
#pragma unroll 8
    for (index_t s = 1; s < kSplits; ++s)
        sum += parts[s * kAll + from];
    const index_t at = placeOf(g, m, n);
    result[at] = packed(finished(sum, at, g * kN + n FURTHER_ARGUMENTS), 0);
}
)";

using kernel::LibraryOp;

constexpr int64_t kTileM = 128, kDepth = 32, kThreads = 256, kStages = 4, kBlocksEach = 2;
constexpr int64_t kMostPartBytes = int64_t{64} << 20, kMostSplits = 64;
constexpr int64_t kDepthWorthSplitting = 256; // along k, of a block

int64_t upTo(int64_t value, int64_t multiple) {
    return divideUp(value, multiple) * multiple;
}

/// Whether eight channels of a group are always one aligned load.
bool inEights(const ConvolutionTensor& tensor, int64_t channels) {
    if (tensor.strides[1] != 1 || channels % 8 != 0) return false;
    for (size_t d = 0; d < tensor.strides.size(); ++d)
        if (d != 1 && tensor.sizes[d] != 1 && tensor.strides[d] % 8 != 0) return false;
    return true;
}

/// Whether eight results of a thread are one aligned store.
bool storesEights(const ConvolutionSpec& spec, int64_t columns, bool innerN) {
    const ConvolutionTensor& to = spec.target();
    if (spec.op == LibraryOp::ConvolutionWeight) return false;
    if (innerN) return inEights(to, columns);
    int64_t inner = 1;
    for (size_t d = to.sizes.size(); d-- > 2; inner *= to.sizes[d])
        if (to.strides[d] != inner && to.sizes[d] != 1) return false;
    return inner % 8 == 0 && to.strides[0] % 8 == 0 && to.strides[1] % 8 == 0;
}

/// The tensor behind arrange().
ConvolutionTensor arranged(const ConvolutionTensor& tensor, int64_t groups, int64_t channels) {
    ConvolutionTensor to = tensor;
    to.sizes[1] = groups * upTo(channels, 8);
    int64_t next = to.sizes[1];
    for (size_t d = to.sizes.size(); d-- > 0;) {
        if (d == 1) continue;
        to.strides[d] = next;
        next *= to.sizes[d];
    }
    to.strides[1] = 1;
    return to;
}

std::string spatialText(std::string_view name, const std::vector<int64_t>& values, int64_t fill) {
    std::vector<int64_t> all(values.begin() + 2, values.end());
    all.insert(all.begin(), 3 - all.size(), fill);
    return fmt::format("constexpr index_t {0}0 = {1}, {0}1 = {2}, {0}2 = {3};\n", name, all[0],
                       all[1], all[2]);
}

/// Reads \p tensor with \p channels a group; \p sizes is the text of the product's sizes.
ConvolutionSources::Copy arrangement(size_t operand, const ConvolutionTensor& tensor,
                                     int64_t groups, int64_t channels, const std::string& sizes) {
    ConvolutionSources::Copy copy;
    copy.operand = operand;
    copy.source.entry = "arrange";
    const int64_t padded = upTo(channels, 8), space = countFrom(tensor, 2);
    const bool spaceInner = tensor.strides[1] != 1;
    copy.source.text =
        sizes +
        fmt::format("constexpr index_t kPadded = {}, kReal = {}, FN = {}, FC = {};\n"
                    "constexpr bool kSpaceInner = {};\n",
                    padded, channels, tensor.strides[0], tensor.strides[1], spaceInner) +
        spatialText("F", tensor.sizes, 1) + spatialText("FS", tensor.strides, 0) +
        std::string(kArrange);
    copy.source.launch.blocks =
        ir::Sym(tensor.sizes[0] * divideUp(groups * padded, 32) * divideUp(space, 32));
    copy.source.launch.threads = 256;
    copy.bytes = tensor.sizes[0] * space * groups * padded * 2;
    return copy;
}

} // namespace

ConvolutionSources halfConvolution(const ConvolutionSpec& spec, int multiprocessors, bool aligned) {
    const bool towardsImage = spec.op == LibraryOp::ConvolutionImage;
    const bool towardsWeight = spec.op == LibraryOp::ConvolutionWeight;
    const int64_t groups = spec.window.groups, channels = spec.weight.sizes[1];
    const int64_t features = spec.weight.sizes[0] / groups;
    const std::string begin = "#define DEVICE __device__ __forceinline__\n";
    ConvolutionSources sources;
    sources.finishes = true;
    // The product sees operands as they are arranged, and the result as it is.
    ConvolutionSpec seen = spec;
    const auto arrange = [&](size_t operand, ConvolutionTensor& tensor, int64_t count) {
        if (countFrom(tensor, 0) == 0 || (aligned && inEights(tensor, count))) return;
        const ConvolutionTensor from = tensor;
        tensor = arranged(from, groups, count);
        sources.copies.push_back(
            arrangement(operand, from, groups, count, begin + convolutionSizes(seen)));
    };
    if (!towardsImage) {
        arrange(0, seen.image, channels);
        seen.weight.sizes[1] = upTo(channels, 8);
    }
    if (towardsImage || towardsWeight) arrange(towardsImage ? 0 : 1, seen.output, features);
    if (towardsImage) seen.weight.sizes[0] = groups * upTo(features, 8);
    const ConvolutionExtents size = extentsOf(seen);
    const int64_t columns = size.n > 64 ? 128 : size.n > 32 ? 64 : 32;
    const int64_t tilesN = divideUp(size.n, columns);
    const int64_t blocks = divideUp(size.m, kTileM) * tilesN * groups,
                  results = groups * size.m * size.n;
    // Few tiles leave multiprocessors idle: several blocks share the sums of one.
    const int64_t splits = std::clamp<int64_t>(
        std::min({multiprocessors / std::max<int64_t>(blocks, 1), size.k / kDepthWorthSplitting,
                  kMostPartBytes / std::max<int64_t>(results * 4, 1)}),
        1, kMostSplits);
    const bool innerN = !towardsWeight && spec.target().strides[1] == 1;
    const std::string tiling = fmt::format(
        "constexpr int kThreads = {}, kTileM = {}, kTileN = {}, kDepth = {};\n"
        "constexpr int kStages = {}, kBlocksEach = {}, kRowB = kTileN + 8;\n"
        "constexpr index_t kSplits = {};\n"
        "constexpr bool kInnerN = {}, kEightsTogether = {}, kBfloat = {};\n",
        kThreads, kTileM, columns, kDepth, kStages, kBlocksEach, splits, innerN,
        aligned && storesEights(spec, size.n, innerN), spec.dtype == ir::DType::BFloat16);
    const int64_t taps = countFrom(spec.weight, 2);
    const std::string_view places = convolutionPlaces(spec.op);
    if (!towardsWeight) {
        const int64_t padded = upTo(towardsImage ? features : channels, 8);
        const int64_t lines = upTo(taps * padded, kDepth);
        ConvolutionSources::Copy& pack = sources.copies.emplace_back();
        pack.operand = 1;
        pack.source.entry = "pack_weight";
        pack.source.text = begin + convolutionSizes(spec) + tiling + std::string(places) +
                           fmt::format("constexpr index_t kPadded = {};\n", padded) +
                           std::string(kPack);
        pack.source.launch.blocks = ir::Sym(groups * (lines / 32) * (tilesN * columns / 32));
        pack.source.launch.threads = 256;
        pack.bytes = groups * lines * tilesN * columns * 2;
    }
    std::string text = begin + convolutionSizes(seen) + tiling + halfNumbersText();
    if (towardsWeight)
        text += fmt::format("constexpr index_t kRealChannels = {}, kFeatures = {};\n", channels,
                            upTo(features, 8)) +
                std::string(kWeights);
    else
        text += std::string(places) + std::string(kPlaces);
    text += finishText(spec) + std::string(kProduct);
    sources.product.entry = "convolution";
    sources.product.text = text;
    sources.product.launch.blocks = ir::Sym(blocks * splits);
    sources.product.launch.threads = static_cast<int>(kThreads);
    const int64_t cellsA = towardsWeight ? kDepth * (kTileM + 8) : kTileM * (kDepth + 8);
    const int64_t line = innerN ? columns : kTileM, lines = innerN ? kTileM : columns;
    sources.product.launch.sharedBytes =
        std::max(kStages * (cellsA + kDepth * (columns + 8)) * 2, lines * (line + 4) * 4);
    if (splits == 1) return sources;
    sources.partBytes = splits * results * 4;
    sources.sum.entry = "add_parts";
    sources.sum.text = text;
    sources.sum.launch.blocks = ir::Sym(divideUp(results, 256));
    sources.sum.launch.threads = 256;
    return sources;
}

} // namespace cutaway::runtime
