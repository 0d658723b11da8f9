// SPDX-License-Identifier: Apache-2.0
// CUDA text of convolutions on tensor cores: tiles of image and weight on their way through shared
// memory while others are multiplied, bias and epilogues where the sums are.
#include "core/runtime/cuda_convolution_text.h"
#include "core/runtime/cuda_text_parts.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::runtime {
namespace {

/// The weight in the order of the steps, its columns side by side, rounded once.
constexpr std::string_view kPack = R"(
constexpr index_t kTaps = K0 * K1 * K2, kTilesM = (kM + kTileM - 1) / kTileM;
constexpr index_t kTilesN = (kN + kTileN - 1) / kTileN, kColumns = kTilesN * kTileN;
constexpr index_t kSteps = (kK + kDepth - 1) / kDepth, kStepsEach = (kSteps + kSplits - 1) / kSplits;
constexpr bool kOneTap = kChannels % kDepth == 0; // all of a step
DEVICE index_t tapAt(index_t tap) {
    return tap / K2 / K1 * WS0 + tap / K2 % K1 * WS1 + tap % K2 * WS2;
}
// Where k = channel * kTaps + tap comes: a step has one tap of some channels where that fits.
DEVICE index_t orderOf(index_t k) {
    if (!kOneTap) return k;
    const index_t channel = k / kTaps;
    return (channel / kDepth * kTaps + k % kTaps) * kDepth + channel % kDepth;
}
extern "C" __global__ void __launch_bounds__(256)
pack_weight(const number* __restrict__ second, cell* __restrict__ packed) {
    __shared__ cell tile[32][33];
    constexpr index_t kBlocksK = (kSteps * kDepth + 31) / 32, kBlocksN = kColumns / 32;
    const index_t n0 = blockIdx.x % kBlocksN * 32, k0 = blockIdx.x / kBlocksN % kBlocksK * 32;
    const index_t g = blockIdx.x / kBlocksN / kBlocksK;
    const int x = threadIdx.x % 32, y = threadIdx.x / 32;
#pragma unroll
    for (int i = 0; i < 32; i += 8) {
        const index_t n = n0 + y + i, k = k0 + x;
        const bool valid = n < kN && k < kK;
        const index_t at = weightAt(g, n) + tapAt(k % kTaps) + k / kTaps * kChannelB;
        tile[y + i][x] = valid ? cellOf(second[at]) : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 32; i += 8) {
        const index_t k = k0 + y + i;
        if (k < kSteps * kDepth)
            packed[(g * kSteps * kDepth + orderOf(k)) * kColumns + n0 + x] = tile[x][y + i];
    }
}
)";

constexpr std::string_view kFours = R"(
struct __align__(16) Four {
    number x[4];
};
struct __align__(16) FourCells {
    cell x[4];
};
)";

constexpr std::string_view kCopies = R"(// Starts a copy to shared memory, or of zeros.
DEVICE void copyOne(unsigned to, const void* from, bool valid) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                 :: "r"(to), "l"(from), "r"(valid ? 4 : 0) : "memory");
}
DEVICE void copyFour(unsigned to, const void* from, bool valid) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;"
                 :: "r"(to), "l"(from), "r"(valid ? 16 : 0) : "memory");
}
constexpr int kRowB = kTileN + 8; // no two of a warp's threads in one bank
constexpr int kWarpsN = kTileN >= 64 ? kTileN / 32 : 1, kWarpsM = kThreads / 32 / kWarpsN;
constexpr int kRows = kTileM / kWarpsM / 16; // of a warp, 16 each
)";

/// Tiles of an image with any strides: places next to each other are so in memory, or nearly.
constexpr std::string_view kAnyTile = R"(
constexpr int kRowA = kTileM + 8, kCellsA = kDepth * kRowA;
constexpr int kParts = kThreads / kTileM; // threads that share a place
struct Tile {
    const number* first;
    Place place;
    int t;
    DEVICE Tile(const number* first, index_t g, index_t tileM, int t)
        : first(first), place(g, tileM + t % kTileM), t(t) {}
    DEVICE void load(index_t step, unsigned to) const {
        const int k0 = t / kTileM;
        to += (k0 * kRowA + t % kTileM) * 4;
        if (kOneTap) {
            bool valid;
            const index_t at = place.at(step % kTaps, valid);
            const number* const from =
                first + (valid ? at + (step / kTaps * kDepth + k0) * kChannelA : 0);
#pragma unroll
            for (int i = 0; i < kDepth; i += kParts)
                copyOne(to + i * kRowA * 4, from + (valid ? i * kChannelA : 0), valid);
            return;
        }
#pragma unroll
        for (int i = 0; i < kDepth; i += kParts) {
            const index_t k = step * kDepth + k0 + i;
            bool valid;
            const index_t at = place.at(k % kTaps, valid);
            valid = valid && k < kK;
            copyOne(to + i * kRowA * 4, first + (valid ? at + k / kTaps * kChannelA : 0), valid);
        }
    }
};
// Of a thread: four places next to each other in each 32 of its warp, eight channels.
struct Sums {
    float sums[kRows][4][4];
    int m, n, q, r;
    DEVICE Sums(int t)
        : m(t / 32 / kWarpsN * (kRows * 16) + t % 32 / 4 * 4), n(t / 32 % kWarpsN * 32), q(t % 4),
          r(t % 32 / 4) {
        clear(sums);
    }
    DEVICE void add(const cell* a, const cell* b) {
#pragma unroll
        for (int k = q; k < kDepth; k += 8) {
            const FourCells b0 = *(const FourCells*)(b + k * kRowB + n + r * 4);
            const FourCells b1 = *(const FourCells*)(b + (k + 4) * kRowB + n + r * 4);
#pragma unroll
            for (int i = 0; i < kRows; i += 2) {
                const Four low = *(const Four*)(a + k * kRowA + m + i * 16);
                const Four high = *(const Four*)(a + (k + 4) * kRowA + m + i * 16);
#pragma unroll
                for (int p = 0; p < 2; ++p) {
                    const cell rows[4] = {cellOf(low.x[2 * p]), cellOf(low.x[2 * p + 1]),
                                          cellOf(high.x[2 * p]), cellOf(high.x[2 * p + 1])};
#pragma unroll
                    for (int j = 0; j < 4; ++j)
                        multiplyAdd(sums[i + p][j], rows, b0.x[j], b1.x[j]);
                }
            }
        }
    }
    template <typename Body> DEVICE void each(const Body& body) const {
#pragma unroll
        for (int i = 0; i < kRows; i += 2)
#pragma unroll
            for (int e = 0; e < 2; ++e)
#pragma unroll
                for (int x = 0; x < 4; ++x) {
                    const int row = i + x / 2, at = x % 2 * 2 + e;
                    if (kFourPlaces)
                        body(m + i * 16, n + (2 * q + e) * 4 + x,
                             Four{sums[i][x][e], sums[i][x][e + 2], sums[i + 1][x][e],
                                  sums[i + 1][x][e + 2]});
                    else
                        body(m + i * 16 + x, n + (2 * q + e) * 4,
                             Four{sums[row][0][at], sums[row][1][at], sums[row][2][at],
                                  sums[row][3][at]});
                }
    }
};
)";

/// Tiles of an image whose channels are side by side.
constexpr std::string_view kLastTile = R"(
constexpr int kRowA = kDepth + 4, kCellsA = kTileM * kRowA;
constexpr int kChunks = kDepth / 4, kLines = kThreads / kChunks, kPlaces = kTileM / kLines;
struct Tile {
    const number* first;
    index_t starts[kPlaces];
    unsigned seen[kPlaces]; // a bit for each tap that is inside
    int t;
    DEVICE Tile(const number* first, index_t g, index_t tileM, int t) : first(first), t(t) {
#pragma unroll
        for (int i = 0; i < kPlaces; ++i) {
            const Place place(g, tileM + t / kChunks + i * kLines);
            bool valid;
            starts[i] = place.at(0, valid) + t % kChunks * 4;
            seen[i] = 0;
            for (int tap = 0; tap < kTaps; ++tap) {
                place.at(tap, valid);
                seen[i] |= (unsigned)valid << tap;
            }
        }
    }
    DEVICE void load(index_t step, unsigned to) const {
        const index_t tap = step % kTaps, further = shiftOf(tap) + step / kTaps * kDepth;
        to += (t / kChunks * kRowA + t % kChunks * 4) * 4;
#pragma unroll
        for (int i = 0; i < kPlaces; ++i) {
            const bool valid = seen[i] >> tap & 1;
            copyFour(to + i * kLines * kRowA * 4, first + (valid ? starts[i] + further : 0), valid);
        }
    }
};
// Of a thread: eight channels next to each other, of places eight apart.
struct Sums {
    float sums[kRows][4][4];
    int m, n, t;
    DEVICE Sums(int t)
        : m(t / 32 / kWarpsN * (kRows * 16)), n(t / 32 % kWarpsN * 32), t(t % 32) {
        clear(sums);
    }
    DEVICE void add(const cell* a, const cell* b) {
        const unsigned line = sharedAddress(a + (m + t % 16) * kRowA + t / 16 * 4);
        const cell* const column = b + t % 4 * kRowB + n + t / 4 * 4;
#pragma unroll
        for (int k = 0; k < kDepth; k += 8) {
            const FourCells b0 = *(const FourCells*)(column + k * kRowB);
            const FourCells b1 = *(const FourCells*)(column + (k + 4) * kRowB);
#pragma unroll
            for (int i = 0; i < kRows; ++i) {
                cell rows[4];
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                             : "=r"(rows[0]), "=r"(rows[1]), "=r"(rows[2]), "=r"(rows[3])
                             : "r"(line + (16 * i * kRowA + k) * 4));
#pragma unroll
                for (int e = 0; e < 4; ++e)
                    rows[e] = cellOf(__uint_as_float(rows[e]));
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    multiplyAdd(sums[i][j], rows, b0.x[j], b1.x[j]);
            }
        }
    }
    template <typename Body> DEVICE void each(const Body& body) const {
#pragma unroll
        for (int i = 0; i < kRows * 2; ++i)
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                const int at = i % 2 * 2 + e;
                body(m + i * 8 + t / 4, n + (2 * (t % 4) + e) * 4,
                     Four{sums[i / 2][0][at], sums[i / 2][1][at], sums[i / 2][2][at],
                          sums[i / 2][3][at]});
            }
    }
};
)";

constexpr std::string_view kClear = R"(
DEVICE void clear(float (&sums)[kRows][4][4]) {
#pragma unroll
    for (int i = 0; i < kRows; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int e = 0; e < 4; ++e)
                sums[i][j][e] = 0;
}
)";

/// A block computes a tile of the result, over a part of the steps.
constexpr std::string_view kProduct = R"(
constexpr int kStage = kCellsA + kDepth * kRowB;
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksEach)
convolution(const number* __restrict__ first, const number* __restrict__ packed,
            number* __restrict__ result, number* __restrict__ parts FURTHER_PARAMETERS) {
    extern __shared__ __align__(16) unsigned char stages[];
    const cell* const cells = (const cell*)stages;
    const index_t tileN = blockIdx.x % kTilesN * kTileN;
    const index_t tileM = blockIdx.x / kTilesN % kTilesM * kTileM;
    const index_t g = blockIdx.x / kTilesN / kTilesM % kGroups;
    const index_t split = blockIdx.x / kTilesN / kTilesM / kGroups;
    const index_t begin = split * kStepsEach;
    const index_t end = begin + kStepsEach < kSteps ? begin + kStepsEach : kSteps;
    const int t = threadIdx.x;
    const Tile tile(first, g, tileM, t);
    const unsigned shared = sharedAddress(stages);
    const number* const columns = packed + g * kSteps * kDepth * kColumns + tileN;
    auto load = [&](index_t step, int stage) {
        tile.load(step, shared + stage * kStage * 4);
        const number* const from = columns + step * kDepth * kColumns;
        const unsigned to = shared + (stage * kStage + kCellsA) * 4;
#pragma unroll
        for (int i = t * 4; i < kDepth * kTileN; i += kThreads * 4)
            copyFour(to + (i / kTileN * kRowB + i % kTileN) * 4,
                     from + i / kTileN * kColumns + i % kTileN, true);
    };
    Sums sums(t);
#pragma unroll
    for (int s = 0; s + 1 < kStages; ++s) {
        if (begin + s < end) load(begin + s, s);
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    int now = 0, next = kStages - 1;
    for (index_t step = begin; step < end; ++step) {
        asm volatile("cp.async.wait_group %0;" :: "n"(kStages - 2) : "memory");
        __syncthreads();
        if (step + kStages - 1 < end) load(step + kStages - 1, next);
        asm volatile("cp.async.commit_group;" ::: "memory");
        sums.add(cells + now * kStage, cells + now * kStage + kCellsA);
        now = now + 1 == kStages ? 0 : now + 1;
        next = next + 1 == kStages ? 0 : next + 1;
    }
    sums.each([&](int row, int column, const Four& four) {
        const index_t m = tileM + row, n = tileN + column;
        if (m >= kM || n >= kN) return;
        if (kSplits == 1 && kFoursTogether) {
            const index_t at = placeOf(g, m, n);
            Four done;
#pragma unroll
            for (int i = 0; i < 4; ++i)
                done.x[i] = finished(four.x[i], at + i,
                                     g * kN + n + (kFourPlaces ? 0 : i) FURTHER_ARGUMENTS);
            *(Four*)(result + at) = done;
            return;
        }
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const index_t mi = kFourPlaces ? m + i : m, ni = kFourPlaces ? n : n + i;
            if (mi >= kM || ni >= kN) continue;
            const index_t at = placeOf(g, mi, ni);
            if (kSplits == 1)
                result[at] = finished(four.x[i], at, g * kN + ni FURTHER_ARGUMENTS);
            else
                parts[((split * kGroups + g) * kN + ni) * kM + mi] = four.x[i];
        }
    });
}
)";

/// The parts along k are added in order.
constexpr std::string_view kAddParts = R"(
extern "C" __global__ void __launch_bounds__(256)
add_parts(const number* __restrict__ parts, number* __restrict__ result FURTHER_PARAMETERS) {
    constexpr index_t kAll = kGroups * kN * kM;
    const index_t from = threadIdx.x + (index_t)blockIdx.x * 256;
    if (from >= kAll) return;
    number sum = parts[from];
#pragma unroll 8
    for (index_t s = 1; s < kSplits; ++s)
        sum += parts[s * kAll + from];
    const index_t at = placeOf(from / kM / kN, from % kM, from / kM % kN);
    result[at] = finished(sum, at, from / kM FURTHER_ARGUMENTS);
}
)";

bool inFours(int64_t stride) {
    return stride % 4 == 0;
}

/// How a block goes about it; measured on an H200.
struct Tiling {
    bool last = false;
    int64_t columns = 64, depth = 16, stages = 3, blocksEach = 4;
    bool fourPlaces = false, foursTogether = false; ///< of the result, from one thread
};

Tiling tilingOf(const ConvolutionSpec& spec, bool aligned) {
    using kernel::LibraryOp;
    const bool image = spec.op == LibraryOp::ConvolutionImage;
    const ConvolutionTensor &from = image ? spec.output : spec.image, &to = spec.target();
    const int64_t groups = spec.window.groups, channels = from.sizes[1] / groups;
    const ConvolutionExtents size = extentsOf(spec);
    auto others = [](const ConvolutionTensor& tensor) {
        return inFours(tensor.strides[0]) &&
               std::all_of(tensor.strides.begin() + 2, tensor.strides.end(), inFours);
    };
    Tiling tiling;
    const auto& strides = spec.window.stride;
    const bool linear =
        !image || std::all_of(strides.begin(), strides.end(), [](int64_t s) { return s == 1; });
    tiling.last = aligned && linear && from.strides[1] == 1 && channels % 16 == 0 && others(from) &&
                  countFrom(spec.weight, 2) <= 32;
    if (size.n <= 32) tiling.columns = 32;
    if (tiling.last && channels % 32 == 0 && size.n > 32) {
        tiling.depth = 32;
        tiling.stages = 2;
        tiling.blocksEach = 3;
    }
    tiling.fourPlaces = !tiling.last && to.strides[1] != 1;
    if (!aligned) return tiling;
    if (!tiling.fourPlaces) {
        tiling.foursTogether = to.strides[1] == 1 && inFours(size.n) && others(to);
        return tiling;
    }
    int64_t inner = 1;
    bool dense = true;
    for (size_t d = to.sizes.size(); d-- > 2; inner *= to.sizes[d])
        dense = dense && (to.strides[d] == inner || to.sizes[d] == 1);
    tiling.foursTogether =
        dense && inFours(inner) && inFours(to.strides[0]) && inFours(to.strides[1]);
    return tiling;
}

constexpr int64_t kTileM = 128, kThreads = 128, kPackThreads = 256;
constexpr int64_t kMostPartBytes = int64_t{64} << 20, kMostSplits = 64;
constexpr int64_t kDepthWorthSplitting = 128; // along k, of a block

} // namespace

ConvolutionSources tiledConvolution(const ConvolutionSpec& spec, int multiprocessors,
                                    bool aligned) {
    const Tiling tiling = tilingOf(spec, aligned);
    const ConvolutionExtents size = extentsOf(spec);
    const int64_t groups = spec.window.groups, tilesN = divideUp(size.n, tiling.columns);
    const int64_t blocks = divideUp(size.m, kTileM) * tilesN * groups;
    const int64_t results = groups * size.m * size.n, steps = divideUp(size.k, tiling.depth);
    // Few tiles leave multiprocessors idle: several blocks share the sums of one.
    const int64_t splits = std::clamp<int64_t>(
        std::min({multiprocessors / std::max<int64_t>(blocks, 1), size.k / kDepthWorthSplitting,
                  kMostPartBytes / std::max<int64_t>(results * 4, 1)}),
        1, kMostSplits);
    std::string text = "#define DEVICE __device__ __forceinline__\n" + convolutionSizes(spec);
    text += fmt::format("constexpr int kThreads = {}, kTileM = {}, kTileN = {}, kDepth = {};\n"
                        "constexpr int kStages = {}, kBlocksEach = {};\n"
                        "constexpr index_t kSplits = {};\n"
                        "constexpr bool kFourPlaces = {}, kFoursTogether = {};\n",
                        kThreads, kTileM, tiling.columns, tiling.depth, tiling.stages,
                        tiling.blocksEach, splits, tiling.fourPlaces, tiling.foursTogether);
    text += tf32Cells();
    text += "DEVICE float wide(number x) { return x; }\n";
    text += convolutionPlaces(spec.op);
    text += kPack;
    ConvolutionSources sources;
    sources.finishes = true;
    ConvolutionSources::Copy& pack = sources.copies.emplace_back();
    pack.operand = 1;
    pack.source.entry = "pack_weight";
    pack.source.text = text;
    pack.source.launch.blocks =
        ir::Sym(groups * divideUp(steps * tiling.depth, 32) * (tilesN * tiling.columns / 32));
    pack.source.launch.threads = static_cast<int>(kPackThreads);
    pack.bytes = groups * steps * tiling.depth * tilesN * tiling.columns * 4;
    text += finishText(spec);
    sources.product.entry = "convolution";
    sources.product.text = text + std::string(kFours) + std::string(kSharedAddressText) +
                           std::string(kCopies) + std::string(kClear) +
                           std::string(tiling.last ? kLastTile : kAnyTile) + std::string(kProduct);
    sources.product.launch.blocks = ir::Sym(blocks * splits);
    sources.product.launch.threads = static_cast<int>(kThreads);
    const int64_t lines = tiling.last ? kTileM * (tiling.depth + 4) : tiling.depth * (kTileM + 8);
    sources.product.launch.sharedBytes =
        tiling.stages * (lines + tiling.depth * (tiling.columns + 8)) * 4;
    if (splits == 1) return sources;
    sources.partBytes = splits * results * 4;
    sources.sum.entry = "add_parts";
    sources.sum.text = text + std::string(kAddParts);
    sources.sum.launch.blocks = ir::Sym(divideUp(results, 256));
    sources.sum.launch.threads = 256;
    return sources;
}

} // namespace cutaway::runtime
