// SPDX-License-Identifier: Apache-2.0
// The text of the skinny kernels; skinny_kernels_*.cpp include it with a namespace
// (SKINNY_NAMESPACE) and a vector length (SKINNY_LANES), each compiled for its instruction set.
// Nothing of the standard library is used here: its inline functions must not be compiled for a set
// that others lack.
#include "core/runtime/skinny_kernels.h"

namespace cutaway::runtime::SKINNY_NAMESPACE {
namespace {

constexpr int64_t kLanes = SKINNY_LANES;
/// Rows of the long operand that one pass of sweep() takes.
constexpr int kDepth = 8;
typedef float Vector __attribute__((vector_size(4 * SKINNY_LANES)));
typedef float Loose __attribute__((vector_size(4 * SKINNY_LANES), aligned(4), may_alias));

inline Vector load(const float* at) {
    return *reinterpret_cast<const Loose*>(at);
}

inline void store(float* at, Vector value) {
    *reinterpret_cast<Loose*>(at) = value;
}

/// Sum of all lanes, by halves.
inline float sum(Vector v) {
#if SKINNY_LANES == 16
    v += __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
    v += __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11);
    v += __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
    v += __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
#elif SKINNY_LANES == 8
    v += __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3);
    v += __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5);
    v += __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6);
#else
    v += __builtin_shufflevector(v, v, 2, 3, 0, 1);
    v += __builtin_shufflevector(v, v, 1, 0, 3, 2);
#endif
    return v[0];
}

/// Dot products of Rows small rows with Long long rows.
template <int Rows, int Long> void dotBlock(const SkinnyProblem& p, int64_t row, int64_t at) {
    const float* small = p.small + row * p.smallRow;
    const float* large = p.large + at * p.largeRow;
    Vector sums[Rows][Long] = {};
    int64_t k = 0;
    for (; k + kLanes <= p.k; k += kLanes) {
        Vector b[Long];
        for (int l = 0; l < Long; ++l)
            b[l] = load(large + l * p.largeRow + k);
        for (int r = 0; r < Rows; ++r) {
            Vector a = load(small + r * p.smallRow + k);
            for (int l = 0; l < Long; ++l)
                sums[r][l] += a * b[l];
        }
    }
    for (int r = 0; r < Rows; ++r)
        for (int l = 0; l < Long; ++l) {
            float total = sum(sums[r][l]);
            for (int64_t rest = k; rest < p.k; ++rest)
                total += small[r * p.smallRow + rest] * large[l * p.largeRow + rest];
            p.out[(row + r) * p.outSmall + (at + l) * p.outLarge] = total;
        }
}

template <int Long> void dotRows(const SkinnyProblem& p, int64_t at) {
    int64_t row = 0;
    for (; row + 4 <= p.rows; row += 4)
        dotBlock<4, Long>(p, row, at);
    if (row + 2 <= p.rows) {
        dotBlock<2, Long>(p, row, at);
        row += 2;
    }
    if (row < p.rows) dotBlock<1, Long>(p, row, at);
}

void dots(const SkinnyProblem& p, int64_t begin, int64_t end) {
    // 32 vector registers hold 4 x 4 sums; 16 hold 4 x 2.
    constexpr int kLong = SKINNY_LANES == 16 ? 4 : 2;
    int64_t at = begin;
    for (; at + kLong <= end; at += kLong)
        dotRows<kLong>(p, at);
    for (; at < end; ++at)
        dotRows<1>(p, at);
}

/// out[row.., columns] (+)= the next Depth products. The first pass writes, later ones add.
template <int Rows, int Depth>
void sweepBlock(const SkinnyProblem& p, int64_t row, int64_t begin, int64_t end, int64_t k) {
    float factors[Rows][Depth];
    for (int r = 0; r < Rows; ++r)
        for (int d = 0; d < Depth; ++d)
            factors[r][d] = p.small[(row + r) * p.smallRow + (k + d) * p.smallK];
    const float* large = p.large + k * p.largeK;
    float* out = p.out + row * p.outSmall;
    int64_t l = begin;
    for (; l + kLanes <= end; l += kLanes) {
        Vector sums[Rows];
        for (int r = 0; r < Rows; ++r)
            sums[r] = k == 0 ? Vector{} : load(out + r * p.outSmall + l);
        for (int d = 0; d < Depth; ++d) {
            Vector b = load(large + d * p.largeK + l);
            for (int r = 0; r < Rows; ++r)
                sums[r] += factors[r][d] * b;
        }
        for (int r = 0; r < Rows; ++r)
            store(out + r * p.outSmall + l, sums[r]);
    }
    for (; l < end; ++l)
        for (int r = 0; r < Rows; ++r) {
            float total = k == 0 ? 0 : out[r * p.outSmall + l];
            for (int d = 0; d < Depth; ++d)
                total += factors[r][d] * large[d * p.largeK + l];
            out[r * p.outSmall + l] = total;
        }
}

template <int Rows>
void sweepRows(const SkinnyProblem& p, int64_t row, int64_t begin, int64_t end, int64_t k,
               int64_t depth) {
    if (depth == kDepth) return sweepBlock<Rows, kDepth>(p, row, begin, end, k);
    int64_t last = k + depth;
    if (k + 4 <= last) {
        sweepBlock<Rows, 4>(p, row, begin, end, k);
        k += 4;
    }
    if (k + 2 <= last) {
        sweepBlock<Rows, 2>(p, row, begin, end, k);
        k += 2;
    }
    if (k < last) sweepBlock<Rows, 1>(p, row, begin, end, k);
}

void sweep(const SkinnyProblem& p, int64_t begin, int64_t end) {
    // A piece of the result's rows stays in L1 while the long operand's rows stream past, kDepth at
    // a time; what the first rows read of it is still in L1 when the next rows need it.
    constexpr int64_t kColumns = 1024;
    for (int64_t from = begin; from < end; from += kColumns) {
        int64_t to = from + kColumns < end ? from + kColumns : end;
        for (int64_t k = 0; k < p.k; k += kDepth) {
            int64_t depth = k + kDepth < p.k ? kDepth : p.k - k;
            int64_t row = 0;
            for (; row + 4 <= p.rows; row += 4)
                sweepRows<4>(p, row, from, to, k, depth);
            if (row + 2 <= p.rows) {
                sweepRows<2>(p, row, from, to, k, depth);
                row += 2;
            }
            if (row < p.rows) sweepRows<1>(p, row, from, to, k, depth);
        }
    }
}

} // namespace
} // namespace cutaway::runtime::SKINNY_NAMESPACE
