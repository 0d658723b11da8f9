// SPDX-License-Identifier: Apache-2.0
// Layouts of PTX's mma.m16n8k16 and ldmatrix.
#include "core/runtime/cuda_halves_text.h"

#include "core/runtime/cuda_text_parts.h"

namespace cutaway::runtime {

namespace {

constexpr std::string_view kWide = R"(typedef unsigned short Bits; // a number of 16 bits
DEVICE float wide(Bits x) {
    if (kBfloat) return __int_as_float((unsigned)x << 16);
    float result;
    asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(x));
    return result;
}
)";

/// Goes on where kCopiesText ends.
constexpr std::string_view kSquares = R"(/// Two numbers, the first in the lower half.
DEVICE unsigned packed(float first, float second) {
    unsigned result;
    if (kBfloat) asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(result) : "f"(second), "f"(first));
    else asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(result) : "f"(second), "f"(first));
    return result;
}
/// c += a b of 16 x 16 and 16 x 8 numbers that a warp shares.
DEVICE void fma(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    if (kBfloat)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, "
                     "{%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    else
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, "
                     "{%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
#else
DEVICE void commit() {}
template <int kLeft> DEVICE void await() {}
DEVICE unsigned half16(float x) {
    if (!kBfloat) {
        Bits bits;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
        return bits;
    }
    const unsigned bits = __float_as_int(x);
    return x != x ? 0x7fff : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}
DEVICE unsigned packed(float first, float second) { return half16(second) << 16 | half16(first); }
__device__ __noinline__ void fma(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        const unsigned above = __shfl_sync(0xffffffffu, a[k / 4 * 2], lane / 4 * 4 + k % 4);
        const unsigned below = __shfl_sync(0xffffffffu, a[k / 4 * 2 + 1], lane / 4 * 4 + k % 4);
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const unsigned y =
                __shfl_sync(0xffffffffu, k < 4 ? b0 : b1, (lane % 4 * 2 + e) * 4 + k % 4);
            c[e] += wide(above) * wide(y) + wide(above >> 16) * wide(y >> 16);
            c[2 + e] += wide(below) * wide(y) + wide(below >> 16) * wide(y >> 16);
        }
    }
}
#endif
/// Four squares of eight lines that a warp's threads name.
DEVICE void squares(unsigned (&r)[4], unsigned at) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
}
DEVICE void squaresTurned(unsigned (&r)[4], unsigned at) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
}
/// Starts to bring eight numbers to shared memory, or zeros.
DEVICE void copyEight(Bits* to, const Bits* from, bool valid) {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :: "r"(sharedAddress(to)), "l"(from), "r"(valid ? 16 : 0) : "memory");
#else
    struct alignas(16) Eight {
        unsigned two[4];
    };
    *(Eight*)to = valid ? *(const Eight*)from : Eight{};
#endif
}
)";

} // namespace

std::string halfNumbersText() {
    return std::string(kWide) + std::string(kSharedAddressText) + std::string(kCopiesText) +
           std::string(kSquares);
}

} // namespace cutaway::runtime
