// SPDX-License-Identifier: Apache-2.0
// CUDA text of convolutions: an implicit matrix product, neither operand of which is ever in
// memory.
#include "core/runtime/cuda_convolution_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::runtime {
namespace {

// The operation as a product [m, k] x [k, n] in every group: elements are fetched where the
// convolution has them. The result's places run along m, so that threads next to each other fetch
// and store next to each other; towards the weight they run along k, and so do the threads.
//
//     forward   m: output places    n: output channels   k: taps, channels
//     image     m: image places     n: channels          k: taps, output channels
//     weight    m: channels, taps   n: output channels   k: output places
//
// Of a thread's elements, what does not change from one step along k to the next is computed once.
constexpr std::string_view kForward = R"(
constexpr index_t kM = N * P0 * P1 * P2, kN = OG, kChannels = CG, kK = kChannels * K0 * K1 * K2;
constexpr index_t kChannelA = IC, kChannelB = WC;
struct Place {
    index_t start, x0, x1, x2;
    bool inside;
    DEVICE Place() {}
    DEVICE Place(index_t g, index_t m) : inside(m < kM) {
        x2 = m % P2 * S2 - A2, x1 = m / P2 % P1 * S1 - A1, x0 = m / P2 / P1 % P0 * S0 - A0;
        start = m / P2 / P1 / P0 * IN + g * CG * IC;
    }
    DEVICE index_t at(index_t tap, bool& valid) const {
        const index_t y0 = x0 + tap / K2 / K1 * D0, y1 = x1 + tap / K2 % K1 * D1;
        const index_t y2 = x2 + tap % K2 * D2;
        valid = inside && y0 >= 0 && y0 < I0 && y1 >= 0 && y1 < I1 && y2 >= 0 && y2 < I2;
        return start + y0 * IS0 + y1 * IS1 + y2 * IS2;
    }
};
// From the first tap to another.
DEVICE index_t shiftOf(index_t tap) {
    return tap / K2 / K1 * D0 * IS0 + tap / K2 % K1 * D1 * IS1 + tap % K2 * D2 * IS2;
}
DEVICE index_t weightAt(index_t g, index_t n) { return (g * OG + n) * WO; }
DEVICE index_t placeOf(index_t g, index_t m, index_t n) {
    const index_t p2 = m % P2, p1 = m / P2 % P1, p0 = m / P2 / P1 % P0;
    return m / P2 / P1 / P0 * ON + (g * OG + n) * OC + p0 * OS0 + p1 * OS1 + p2 * OS2;
}
)";

constexpr std::string_view kImage = R"(
constexpr index_t kM = N * I0 * I1 * I2, kN = CG, kChannels = OG, kK = kChannels * K0 * K1 * K2;
constexpr index_t kChannelA = OC, kChannelB = WO;
struct Place {
    index_t start, x0, x1, x2;
    bool inside;
    DEVICE Place() {}
    DEVICE Place(index_t g, index_t m) : inside(m < kM) {
        x2 = m % I2 + A2, x1 = m / I2 % I1 + A1, x0 = m / I2 / I1 % I0 + A0;
        start = m / I2 / I1 / I0 * ON + g * OG * OC;
    }
    DEVICE index_t at(index_t tap, bool& valid) const {
        const index_t y0 = x0 - tap / K2 / K1 * D0, y1 = x1 - tap / K2 % K1 * D1;
        const index_t y2 = x2 - tap % K2 * D2;
        const index_t p0 = y0 / S0, p1 = y1 / S1, p2 = y2 / S2;
        valid = inside && y0 >= 0 && y1 >= 0 && y2 >= 0 && p0 * S0 == y0 && p1 * S1 == y1 &&
                p2 * S2 == y2 && p0 < P0 && p1 < P1 && p2 < P2;
        return start + p0 * OS0 + p1 * OS1 + p2 * OS2;
    }
};
DEVICE index_t shiftOf(index_t tap) { // where places are not strided
    return -(tap / K2 / K1 * D0 * OS0 + tap / K2 % K1 * D1 * OS1 + tap % K2 * D2 * OS2);
}
DEVICE index_t weightAt(index_t g, index_t n) { return g * OG * WO + n * WC; }
DEVICE index_t placeOf(index_t g, index_t m, index_t n) {
    const index_t x2 = m % I2, x1 = m / I2 % I1, x0 = m / I2 / I1 % I0;
    return m / I2 / I1 / I0 * IN + (g * CG + n) * IC + x0 * IS0 + x1 * IS1 + x2 * IS2;
}
)";

/// Elements that a thread brings from memory, of operations whose places run along m: one place
/// and one channel of the result, several k.
constexpr std::string_view kPlacesLoader = R"(
constexpr bool kOneTap = kChannels % kDepth == 0; // all of a step
DEVICE int cellA(int k, int m) { return k * (kTileM + 8) + m; }
DEVICE int cellB(int k, int n) { return k * (kTileN + 8) + n; }
constexpr int kCellsA = kDepth * (kTileM + 8), kCellsB = kDepth * (kTileN + 8);
struct Loader {
    const number *first, *second;
    Place place;
    index_t weight;
    int m, n, ka, kb;
    bool column;
    number a[kElementsA], b[kElementsB];
    DEVICE Loader(const number* first, const number* second, index_t g, index_t tileM,
                  index_t tileN, int t)
        : first(first), second(second), place(g, tileM + t % kTileM),
          weight(weightAt(g, tileN + t % kTileN)), m(t % kTileM), n(t % kTileN), ka(t / kTileM),
          kb(t / kTileN), column(tileN + t % kTileN < kN) {}
    DEVICE static index_t tapAt(index_t tap) {
        return tap / K2 / K1 * WS0 + tap / K2 % K1 * WS1 + tap % K2 * WS2;
    }
    DEVICE void load(index_t from) {
        bool valid = false;
        const index_t tap = from / kChannels, channel = from % kChannels;
        const index_t start = kOneTap ? place.at(tap, valid) : 0;
        const index_t taps = kOneTap ? weight + tapAt(tap) : 0;
#pragma unroll
        for (int i = 0; i < kElementsA; ++i) {
            const index_t k = ka + i * (kThreads / kTileM);
            if (kOneTap) {
                a[i] = valid ? first[start + (channel + k) * kChannelA] : number(0);
            } else {
                const index_t at = place.at((from + k) / kChannels, valid);
                const bool there = valid && from + k < kK;
                a[i] = there ? first[at + (from + k) % kChannels * kChannelA] : number(0);
            }
        }
#pragma unroll
        for (int i = 0; i < kElementsB; ++i) {
            const index_t k = kb + i * (kThreads / kTileN);
            if (kOneTap) {
                b[i] = column ? second[taps + (channel + k) * kChannelB] : number(0);
            } else {
                const index_t at = weight + tapAt((from + k) / kChannels);
                const bool there = column && from + k < kK;
                b[i] = there ? second[at + (from + k) % kChannels * kChannelB] : number(0);
            }
        }
    }
    DEVICE void store(cell* toA, cell* toB) const {
#pragma unroll
        for (int i = 0; i < kElementsA; ++i)
            toA[cellA(ka + i * (kThreads / kTileM), m)] = cellOf(a[i]);
#pragma unroll
        for (int i = 0; i < kElementsB; ++i)
            toB[cellB(kb + i * (kThreads / kTileN), n)] = cellOf(b[i]);
    }
};
)";

/// The same where places run along k: one k, several m and n.
constexpr std::string_view kWeightLoader = R"(
constexpr index_t kM = CG * K0 * K1 * K2, kN = OG, kK = N * P0 * P1 * P2;
DEVICE index_t placeOf(index_t g, index_t m, index_t n) {
    const index_t k2 = m % K2, k1 = m / K2 % K1, k0 = m / K2 / K1 % K0, c = m / K2 / K1 / K0;
    return (g * OG + n) * WO + c * WC + k0 * WS0 + k1 * WS1 + k2 * WS2;
}
DEVICE int cellA(int k, int m) { return m * (kDepth + 4) + k; }
DEVICE int cellB(int k, int n) { return n * (kDepth + 4) + k; }
constexpr int kCellsA = kTileM * (kDepth + 4), kCellsB = kTileN * (kDepth + 4);
constexpr int kRows = kThreads / kDepth; // that the threads have at once
struct Loader {
    const number *first, *second;
    index_t start[kElementsA], x0[kElementsA], x1[kElementsA], x2[kElementsA];
    index_t channel, tileN;
    int k, row;
    number a[kElementsA], b[kElementsB];
    DEVICE Loader(const number* first, const number* second, index_t g, index_t tileM,
                  index_t tileN, int t)
        : first(first), second(second), tileN(tileN), k(t % kDepth), row(t / kDepth) {
        channel = (g * OG + tileN + row) * OC;
#pragma unroll
        for (int i = 0; i < kElementsA; ++i) {
            const index_t m = tileM + row + i * kRows;
            const index_t c = m / K2 / K1 / K0;
            x0[i] = m / K2 / K1 % K0 * D0 - A0, x1[i] = m / K2 % K1 * D1 - A1;
            x2[i] = m % K2 * D2 - A2;
            start[i] = (g * CG + c) * IC + x0[i] * IS0 + x1[i] * IS1 + x2[i] * IS2;
            if (m >= kM) x0[i] = -I0 - P0 * S0; // no place is inside
        }
    }
    DEVICE void load(index_t from) {
        const index_t at = from + k;
        const index_t p2 = at % P2, p1 = at / P2 % P1, p0 = at / P2 / P1 % P0;
        const index_t n = at / P2 / P1 / P0;
        const index_t y0 = p0 * S0, y1 = p1 * S1, y2 = p2 * S2;
        const index_t image = n * IN + y0 * IS0 + y1 * IS1 + y2 * IS2;
        const index_t grad = n * ON + p0 * OS0 + p1 * OS1 + p2 * OS2 + channel;
#pragma unroll
        for (int i = 0; i < kElementsA; ++i) {
            const index_t z0 = y0 + x0[i], z1 = y1 + x1[i], z2 = y2 + x2[i];
            const bool valid = at < kK && z0 >= 0 && z0 < I0 && z1 >= 0 && z1 < I1 && z2 >= 0 &&
                               z2 < I2;
            a[i] = valid ? first[image + start[i]] : number(0);
        }
#pragma unroll
        for (int i = 0; i < kElementsB; ++i) {
            const bool valid = at < kK && tileN + row + i * kRows < kN;
            b[i] = valid ? second[grad + i * kRows * OC] : number(0);
        }
    }
    DEVICE void store(cell* toA, cell* toB) const {
#pragma unroll
        for (int i = 0; i < kElementsA; ++i)
            toA[cellA(k, row + i * kRows)] = cellOf(a[i]);
#pragma unroll
        for (int i = 0; i < kElementsB; ++i)
            toB[cellB(k, row + i * kRows)] = cellOf(b[i]);
    }
};
)";

/// Tensor cores: float32 rounded to 10 bits of mantissa, sums in float32. A warp has 32 rows and
/// half of the columns of the tile.
constexpr std::string_view kTf32Cells = R"(
typedef unsigned cell;
DEVICE cell cellOf(number x) {
    cell result;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(result) : "f"(x));
    return result;
}
DEVICE void multiplyAdd(float (&c)[4], const cell (&a)[4], cell b0, cell b1) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
)";
constexpr std::string_view kTf32Sums = R"(
struct Sums {
    float sums[2][kTileN / 16][4];
    int m, n, g, q;
    DEVICE Sums(int t)
        : m(t / 32 % 4 * 32), n(t / 32 / 4 * (kTileN / 2)), g(t % 32 / 4), q(t % 4) {
#pragma unroll
        for (int i = 0; i < 2; ++i)
#pragma unroll
            for (int j = 0; j < kTileN / 16; ++j)
#pragma unroll
                for (int e = 0; e < 4; ++e)
                    sums[i][j][e] = 0;
    }
    DEVICE void add(const cell* a, const cell* b) {
#pragma unroll
        for (int k = 0; k < kDepth; k += 8) {
            cell rows[2][4];
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int e = 0; e < 4; ++e)
                    rows[i][e] = a[cellA(k + q + e / 2 * 4, m + 16 * i + g + e % 2 * 8)];
#pragma unroll
            for (int j = 0; j < kTileN / 16; ++j) {
                const cell b0 = b[cellB(k + q, n + 8 * j + g)];
                const cell b1 = b[cellB(k + q + 4, n + 8 * j + g)];
#pragma unroll
                for (int i = 0; i < 2; ++i)
                    multiplyAdd(sums[i][j], rows[i], b0, b1);
            }
        }
    }
    template <typename Body> DEVICE void each(const Body& body) const {
#pragma unroll
        for (int j = 0; j < kTileN / 16; ++j)
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int e = 0; e < 4; ++e)
                    body(m + 16 * i + g + e / 2 * 8, n + 8 * j + 2 * q + e % 2, sums[i][j][e]);
    }
};
)";

/// Full precision: a thread has every 16th row and column of the tile.
constexpr std::string_view kPlainCells = R"(
typedef number cell;
DEVICE cell cellOf(number x) { return x; }
)";
constexpr std::string_view kPlainSums = R"(
struct Sums {
    number sums[kTileM / 16][kTileN / 16];
    int x, y;
    DEVICE Sums(int t) : x(t % 16), y(t / 16) {
#pragma unroll
        for (int i = 0; i < kTileM / 16; ++i)
#pragma unroll
            for (int j = 0; j < kTileN / 16; ++j)
                sums[i][j] = 0;
    }
    DEVICE void add(const cell* a, const cell* b) {
#pragma unroll
        for (int k = 0; k < kDepth; ++k) {
            number row[kTileM / 16];
#pragma unroll
            for (int i = 0; i < kTileM / 16; ++i)
                row[i] = a[cellA(k, x + 16 * i)];
#pragma unroll
            for (int j = 0; j < kTileN / 16; ++j) {
                const number column = b[cellB(k, y + 16 * j)];
#pragma unroll
                for (int i = 0; i < kTileM / 16; ++i)
                    sums[i][j] += row[i] * column;
            }
        }
    }
    template <typename Body> DEVICE void each(const Body& body) const {
#pragma unroll
        for (int j = 0; j < kTileN / 16; ++j)
#pragma unroll
            for (int i = 0; i < kTileM / 16; ++i)
                body(x + 16 * i, y + 16 * j, sums[i][j]);
    }
};
)";

/// A block computes a tile of the result, over a part of k; the next elements are on their way
/// while these are multiplied.
constexpr std::string_view kProduct = R"(
constexpr index_t kTilesM = (kM + kTileM - 1) / kTileM, kTilesN = (kN + kTileN - 1) / kTileN;
constexpr index_t kSteps = (kK + kDepth - 1) / kDepth, kStepsEach = (kSteps + kSplits - 1) / kSplits;
extern "C" __global__ void __launch_bounds__(kThreads)
convolution(const number* __restrict__ first, const number* __restrict__ second,
            number* __restrict__ result, number* __restrict__ parts) {
    __shared__ cell a[2][kCellsA], b[2][kCellsB];
    const index_t tileM = blockIdx.x % kTilesM * kTileM;
    const index_t tileN = blockIdx.x / kTilesM % kTilesN * kTileN;
    const index_t g = blockIdx.x / kTilesM / kTilesN % kGroups;
    const index_t split = blockIdx.x / kTilesM / kTilesN / kGroups;
    const index_t begin = split * kStepsEach;
    const index_t end = begin + kStepsEach < kSteps ? begin + kStepsEach : kSteps;
    Loader loader(first, second, g, tileM, tileN, threadIdx.x);
    Sums sums(threadIdx.x);
    if (begin < end) {
        loader.load(begin * kDepth);
        loader.store(a[0], b[0]);
    }
    __syncthreads();
    int now = 0;
    for (index_t step = begin; step < end; ++step) {
        const bool more = step + 1 < end;
        if (more) loader.load((step + 1) * kDepth);
        sums.add(a[now], b[now]);
        now ^= 1;
        if (more) loader.store(a[now], b[now]);
        __syncthreads();
    }
    sums.each([&](int row, int column, number sum) {
        const index_t m = tileM + row, n = tileN + column;
        if (m >= kM || n >= kN) return;
        if (kSplits == 1)
            result[placeOf(g, m, n)] = sum;
        else
            parts[((split * kGroups + g) * kN + n) * kM + m] = sum;
    });
}
)";

/// The parts along k are added in order.
constexpr std::string_view kAddParts = R"(
extern "C" __global__ void __launch_bounds__(kThreads)
add_parts(const number* __restrict__ parts, number* __restrict__ result) {
    constexpr index_t kAll = kGroups * kN * kM;
    const index_t at = threadIdx.x + (index_t)blockIdx.x * kThreads;
    if (at >= kAll) return;
    number sum = parts[at];
#pragma unroll 8
    for (index_t s = 1; s < kSplits; ++s)
        sum += parts[s * kAll + at];
    result[placeOf(at / kM / kN, at % kM, at / kM % kN)] = sum;
}
)";

/// "P0 = 1, P1 = 1, P2 = 56": the spatial values, missing dimensions in front filled up.
std::string three(std::string_view name, const std::vector<int64_t>& values, size_t first,
                  int64_t fill) {
    std::vector<int64_t> all(values.begin() + static_cast<std::ptrdiff_t>(first), values.end());
    all.insert(all.begin(), 3 - all.size(), fill);
    return fmt::format("constexpr index_t {0}0 = {1}, {0}1 = {2}, {0}2 = {3};\n", name, all[0],
                       all[1], all[2]);
}

/// Whether 32 bits count the elements, with room for a tile beyond the last one.
bool fitsInt(const ConvolutionTensor& tensor) {
    return countFrom(tensor, 0) < INT32_MAX / 2;
}

constexpr int64_t kThreads = 256, kTileM = 128, kMostSplits = 64;
constexpr int64_t kMostPartBytes = int64_t{64} << 20;
constexpr int64_t kStepsWorthSplitting = 8; // along k, of a block

} // namespace

int64_t divideUp(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}

int64_t countFrom(const ConvolutionTensor& tensor, size_t first) {
    int64_t count = 1;
    for (size_t d = first; d < tensor.sizes.size(); ++d)
        count *= tensor.sizes[d];
    return count;
}

std::string_view tf32Cells() {
    return kTf32Cells;
}

std::string_view convolutionPlaces(kernel::LibraryOp op) {
    return op == kernel::LibraryOp::ConvolutionImage ? kImage : kForward;
}

ConvolutionExtents extentsOf(const ConvolutionSpec& spec) {
    using kernel::LibraryOp;
    const int64_t batch = spec.image.sizes[0], taps = countFrom(spec.weight, 2);
    const int64_t perGroup = spec.weight.sizes[0] / spec.window.groups;
    const int64_t channels = spec.weight.sizes[1];
    if (spec.op == LibraryOp::ConvolutionImage)
        return {batch * countFrom(spec.image, 2), channels, perGroup * taps};
    if (spec.op == LibraryOp::ConvolutionWeight)
        return {channels * taps, perGroup, batch * countFrom(spec.output, 2)};
    return {batch * countFrom(spec.output, 2), perGroup, channels * taps};
}

std::string convolutionSizes(const ConvolutionSpec& spec) {
    const ConvolutionTensor &image = spec.image, &weight = spec.weight, &output = spec.output;
    std::string text =
        fmt::format("typedef {} number;\ntypedef {} index_t;\n",
                    spec.dtype == ir::DType::Float64 ? "double"
                    : ir::isHalf(spec.dtype)         ? "unsigned short"
                                                     : "float",
                    fitsInt(image) && fitsInt(weight) && fitsInt(output) ? "int" : "long long");
    text +=
        fmt::format("constexpr index_t N = {}, OG = {}, CG = {}, kGroups = {};\n", image.sizes[0],
                    weight.sizes[0] / spec.window.groups, weight.sizes[1], spec.window.groups);
    text += fmt::format("constexpr index_t IN = {}, IC = {}, ON = {}, OC = {}, WO = {}, WC = {};\n",
                        image.strides[0], image.strides[1], output.strides[0], output.strides[1],
                        weight.strides[0], weight.strides[1]);
    text += three("I", image.sizes, 2, 1) + three("IS", image.strides, 2, 0);
    text += three("P", output.sizes, 2, 1) + three("OS", output.strides, 2, 0);
    text += three("K", weight.sizes, 2, 1) + three("WS", weight.strides, 2, 0);
    return text + three("S", spec.window.stride, 0, 1) + three("A", spec.window.padding, 0, 0) +
           three("D", spec.window.dilation, 0, 1);
}

ConvolutionSources convolutionSources(const ConvolutionSpec& spec, bool tf32, int multiprocessors,
                                      bool aligned) {
    using kernel::LibraryOp;
    if (isDirectConvolution(spec)) return directConvolution(spec);
    if (ir::isHalf(spec.dtype)) return halfConvolution(spec, multiprocessors, aligned);
    tf32 = tf32 && spec.dtype == ir::DType::Float32;
    if (tf32 && spec.op != LibraryOp::ConvolutionWeight)
        return tiledConvolution(spec, multiprocessors, aligned);
    const bool isDouble = spec.dtype == ir::DType::Float64;
    const ConvolutionExtents size = extentsOf(spec);
    const int64_t groups = spec.window.groups, tilesM = divideUp(size.m, kTileM);
    const bool wide =
        !isDouble && size.n > 64 && tilesM * divideUp(size.n, 128) * groups >= multiprocessors;
    const int64_t tileN = wide ? 128 : 64, depth = isDouble ? 8 : 16;
    const int64_t blocks = tilesM * divideUp(size.n, tileN) * groups;
    // Few tiles leave multiprocessors idle: several blocks share the sums of one.
    const int64_t results = groups * size.m * size.n;
    const int64_t bytes = std::max<int64_t>(results * (isDouble ? 8 : 4), 1);
    const int64_t steps = divideUp(size.k, depth);
    const int64_t splits =
        std::clamp<int64_t>(std::min({2 * multiprocessors / std::max<int64_t>(blocks, 1),
                                      steps / kStepsWorthSplitting, kMostPartBytes / bytes}),
                            1, kMostSplits);
    std::string text = "#define DEVICE __device__ __forceinline__\n" + convolutionSizes(spec);
    text += fmt::format("constexpr int kThreads = {}, kTileM = {}, kTileN = {}, kDepth = {};\n"
                        "constexpr int kElementsA = kTileM * kDepth / kThreads;\n"
                        "constexpr int kElementsB = kTileN * kDepth / kThreads;\n"
                        "constexpr index_t kSplits = {};\n",
                        kThreads, kTileM, tileN, depth, splits);
    text += tf32 ? kTf32Cells : kPlainCells;
    if (spec.op == LibraryOp::ConvolutionWeight)
        text += kWeightLoader;
    else
        text += std::string(spec.op == LibraryOp::ConvolutionImage ? kImage : kForward) +
                std::string(kPlacesLoader);
    ConvolutionSources sources;
    sources.product.entry = "convolution";
    sources.product.text =
        text + std::string(tf32 ? kTf32Sums : kPlainSums) + std::string(kProduct);
    sources.product.launch.blocks = ir::Sym(blocks * splits);
    sources.product.launch.threads = static_cast<int>(kThreads);
    if (splits == 1) return sources;
    sources.partBytes = splits * bytes;
    sources.sum.entry = "add_parts";
    sources.sum.text = text + std::string(kAddParts);
    sources.sum.launch.blocks = ir::Sym(divideUp(results, kThreads));
    sources.sum.launch.threads = static_cast<int>(kThreads);
    return sources;
}

} // namespace cutaway::runtime
