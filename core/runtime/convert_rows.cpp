// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/convert_rows.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cutaway::runtime {
namespace {

template <typename To, typename From>
void oneByOne(To* to, const From* from, int64_t begin, int64_t n) {
    for (int64_t i = begin; i < n; ++i)
        to[i] = To(static_cast<float>(from[i]));
}

#if defined(__x86_64__)

bool hasVectors() {
    static const bool has = __builtin_cpu_supports("avx512f") &&
                            __builtin_cpu_supports("avx512bw") &&
                            __builtin_cpu_supports("avx512vl");
    return has;
}

#define CUTAWAY_VECTORS __attribute__((target("avx512f,avx512bw,avx512vl")))

/// Each converts as many whole vectors as there are and says how many elements that was.
CUTAWAY_VECTORS int64_t vectors(float* to, const ir::BFloat16* from, int64_t n) {
    int64_t i = 0;
    for (; i + 16 <= n; i += 16) {
        const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i));
        const __m512i wide = _mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16);
        _mm512_storeu_ps(to + i, _mm512_castsi512_ps(wide));
    }
    return i;
}

CUTAWAY_VECTORS int64_t vectors(float* to, const ir::Float16* from, int64_t n) {
    int64_t i = 0;
    for (; i + 16 <= n; i += 16) {
        const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i));
        const __m512 wide = _mm512_cvtph_ps(bits);
        // The instruction makes every NaN a quiet one; an element keeps its bits.
        const __m512i raw = _mm512_cvtepu16_epi32(bits);
        const __m512i magnitude = _mm512_and_si512(raw, _mm512_set1_epi32(0x7fff));
        const __mmask16 nan = _mm512_cmpgt_epi32_mask(magnitude, _mm512_set1_epi32(0x7c00));
        const __m512i sign = _mm512_slli_epi32(_mm512_xor_si512(raw, magnitude), 16);
        const __m512i kept = _mm512_or_si512(
            _mm512_or_si512(_mm512_slli_epi32(magnitude, 13), _mm512_set1_epi32(0x7f800000)), sign);
        _mm512_storeu_si512(to + i, _mm512_mask_mov_epi32(_mm512_castps_si512(wide), nan, kept));
    }
    return i;
}

CUTAWAY_VECTORS int64_t vectors(ir::BFloat16* to, const float* from, int64_t n) {
    const __m512i magnitudes = _mm512_set1_epi32(0x7fffffff);
    int64_t i = 0;
    for (; i + 16 <= n; i += 16) {
        const __m512i f = _mm512_loadu_si512(from + i);
        const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(f, 16), _mm512_set1_epi32(1));
        const __m512i sum = _mm512_add_epi32(_mm512_add_epi32(f, _mm512_set1_epi32(0x7fff)), odd);
        const __mmask16 nan =
            _mm512_cmpgt_epi32_mask(_mm512_and_si512(f, magnitudes), _mm512_set1_epi32(0x7f800000));
        const __m512i bits =
            _mm512_mask_mov_epi32(_mm512_srli_epi32(sum, 16), nan, _mm512_set1_epi32(0x7fc0));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), _mm512_cvtepi32_epi16(bits));
    }
    return i;
}

CUTAWAY_VECTORS int64_t vectors(ir::Float16* to, const float* from, int64_t n) {
    int64_t i = 0;
    for (; i + 16 <= n; i += 16) {
        const __m512 f = _mm512_loadu_ps(from + i);
        const __m256i bits = _mm512_cvtps_ph(f, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
        const __mmask16 nan = _mm512_cmp_ps_mask(f, f, _CMP_UNORD_Q);
        const __m256i sign = _mm256_and_si256(bits, _mm256_set1_epi16(int16_t(0x8000)));
        const __m256i quiet = _mm256_or_si256(sign, _mm256_set1_epi16(0x7e00));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i),
                            _mm256_mask_mov_epi16(bits, nan, quiet));
    }
    return i;
}

template <typename To, typename From> void convert(To* to, const From* from, int64_t n) {
    oneByOne(to, from, hasVectors() ? vectors(to, from, n) : 0, n);
}

#else

template <typename To, typename From> void convert(To* to, const From* from, int64_t n) {
    oneByOne(to, from, 0, n);
}

#endif

} // namespace

void convertRow(float* to, const ir::BFloat16* from, int64_t n) {
    convert(to, from, n);
}
void convertRow(float* to, const ir::Float16* from, int64_t n) {
    convert(to, from, n);
}
void convertRow(ir::BFloat16* to, const float* from, int64_t n) {
    convert(to, from, n);
}
void convertRow(ir::Float16* to, const float* from, int64_t n) {
    convert(to, from, n);
}

} // namespace cutaway::runtime
