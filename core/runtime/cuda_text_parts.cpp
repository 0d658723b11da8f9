// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cuda_text_parts.h"

#include <fmt/format.h>

namespace cutaway::runtime {

const std::string_view kPowerText = R"(DEVICE float power2(float x) {
    float result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
}
)";

const std::string_view kInfinityText = R"(constexpr float kLog2E = 1.4426950408889634f;
DEVICE float infinity() { return __int_as_float(0x7f800000); }
)";

const std::string_view kSharedAddressText = R"(DEVICE unsigned sharedAddress(const void* at) {
    unsigned result;
    asm("{ .reg .u64 at; cvta.to.shared.u64 at, %1; cvt.u32.u64 %0, at; }"
        : "=r"(result) : "l"(at));
    return result;
}
)";

const std::string_view kCopiesText =
    R"(// Copies that run on while others are multiplied; where there are none they are done at once.
#if __CUDA_ARCH__ >= 800
DEVICE void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int kLeft> DEVICE void await() {
    asm volatile("cp.async.wait_group %0;" :: "n"(kLeft) : "memory");
}
)";

const std::string_view kHeadsText =
    R"(/// The first line of a head in a result of lines of \p width numbers.
DEVICE long long headOf(int b, int h, long long length, int width) {
    return kInner ? (b * length * kHeads + h) * width : (b * kHeads + h) * length * width;
}
constexpr long long kBetween = kInner ? kHeads : 1; // lines of a head
)";

std::string attentionSumsText(std::string_view number, std::string_view widen) {
    const auto operands =
        fmt::format("const {0}* __restrict__ gradient, const {0}* __restrict__ output", number);
    const std::string product = widen.empty()
                                    ? "gradient[x] * output[x]"
                                    : fmt::format("{0}(gradient[x]) * {0}(output[x])", widen);
    return R"(/// Each row's sum of gradient times output, by a warp.
extern "C" __global__ void __launch_bounds__(256)
attention_sums()" +
           operands + R"(,
               float* __restrict__ both) {
    const long long at = blockIdx.x * 8ll + threadIdx.x / 32;
    if (at >= (long long)kBatch * kHeads * kRows) return;
    const int row = at % kRows, h = at / kRows % kHeads, b = at / kRows / kHeads;
    gradient += b * kGradientB + h * kGradientH + row * kGradientL;
    output += b * kOutputB + h * kOutputH + row * kOutputL;
    float sum = 0;
    for (int x = threadIdx.x % 32; x < kValueWidth; x += 32)
        sum += )" +
           product + R"(;
#pragma unroll
    for (int far = 16; far > 0; far /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, far);
    if (threadIdx.x % 32 == 0) both[at] = sum;
}

)";
}

} // namespace cutaway::runtime
