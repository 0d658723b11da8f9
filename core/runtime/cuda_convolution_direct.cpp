// SPDX-License-Identifier: Apache-2.0
// CUDA text of convolutions whose groups have a few channels (depthwise ones): no tile of a product
// would be full, so a thread computes one result, in full precision.
#include "core/runtime/cuda_convolution_text.h"
#include "core/runtime/cuda_halves_text.h"

#include <fmt/format.h>

namespace cutaway::runtime {
namespace {

constexpr std::string_view kDirect = R"(
constexpr index_t kTaps = K0 * K1 * K2, kAll = kGroups * kN, kSpace = kM / N;
extern "C" __global__ void __launch_bounds__(256)
convolution(const number* __restrict__ first, const number* __restrict__ second,
            number* __restrict__ result, float* __restrict__ parts FURTHER_PARAMETERS) {
    const index_t i = threadIdx.x + (index_t)blockIdx.x * 256;
    if (i >= kAll * kM) return;
    const index_t channel = kInnerN ? i % kAll : i / kSpace % kAll;
    const index_t m = kInnerN ? i / kAll : i / kSpace / kAll * kSpace + i % kSpace;
    const index_t g = channel / kN, n = channel % kN;
    const Place place(g, m);
    const number* const weights = second + weightAt(g, n);
    float sum = 0;
#pragma unroll
    for (index_t tap = 0; tap < kTaps; ++tap) {
        bool valid;
        const index_t at = place.at(tap, valid);
        if (!valid) continue;
        const index_t w = tap / K2 / K1 * WS0 + tap / K2 % K1 * WS1 + tap % K2 * WS2;
#pragma unroll
        for (index_t c = 0; c < kChannels; ++c)
            sum += wide(first[at + c * kChannelA]) * wide(weights[w + c * kChannelB]);
    }
    const index_t at = placeOf(g, m, n);
    result[at] = rounded(finished(sum, at, channel FURTHER_ARGUMENTS));
}
)";

constexpr int64_t kFewChannels = 8, kThreads = 256;

} // namespace

bool isDirectConvolution(const ConvolutionSpec& spec) {
    using kernel::LibraryOp;
    if (spec.op == LibraryOp::ConvolutionWeight || spec.window.groups == 1) return false;
    const int64_t summed = spec.op == LibraryOp::Convolution
                               ? spec.weight.sizes[1]
                               : spec.weight.sizes[0] / spec.window.groups;
    return summed < kFewChannels && (spec.dtype == ir::DType::Float32 || ir::isHalf(spec.dtype));
}

ConvolutionSources directConvolution(const ConvolutionSpec& spec) {
    const ConvolutionExtents size = extentsOf(spec);
    std::string text = "#define DEVICE __device__ __forceinline__\n" + convolutionSizes(spec);
    text += fmt::format("constexpr bool kInnerN = {}, kBfloat = {};\n",
                        spec.target().strides[1] == 1, spec.dtype == ir::DType::BFloat16);
    if (ir::isHalf(spec.dtype))
        text += halfNumbersText() + "DEVICE number rounded(float x) { return packed(x, 0); }\n";
    else
        text += "DEVICE float wide(number x) { return x; }\n"
                "DEVICE number rounded(float x) { return x; }\n";
    text += std::string(convolutionPlaces(spec.op)) + finishText(spec) + std::string(kDirect);
    ConvolutionSources sources;
    sources.finishes = true;
    sources.product.entry = "convolution";
    sources.product.text = std::move(text);
    sources.product.launch.blocks =
        ir::Sym(divideUp(spec.window.groups * size.m * size.n, kThreads));
    sources.product.launch.threads = static_cast<int>(kThreads);
    return sources;
}

} // namespace cutaway::runtime
