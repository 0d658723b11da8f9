// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cuda_convolution.h"

#include "core/runtime/cudnn.h"

#include <fmt/format.h>

namespace cutaway::runtime {
namespace {

/// What follows either way: bias and epilogues in one pass over the result.
class Finish {
public:
    base::Status prepare(CudaDevice& device, const ConvolutionSpec& spec) {
        if (!spec.bias && spec.epilogues.empty()) return {};
        CUTAWAY_TRY(kernel_, makeGenericKernel(device, epilogueProgram(spec, 0, true, false)));
        return {};
    }
    base::Status run(const ConvolutionSpec& spec, void* const* pointers) const {
        if (!kernel_) return {};
        return launchEpilogues(*kernel_, spec, 0, spec.bias.has_value(), pointers);
    }
    std::string text(std::string name) const { return kernel_ ? name + ", epilogue kernel" : name; }

private:
    CudaKernelPtr kernel_;
};

class CudnnCall : public LibraryKernel {
public:
    CudnnCall(CudaDevice& device, const ConvolutionSpec& spec,
              std::unique_ptr<CudnnConvolution> convolution)
        : device_(device), spec_(spec), convolution_(std::move(convolution)) {}
    base::Status prepare() { return finish_.prepare(device_, spec_); }
    base::Status run(void* const* pointers, int) override {
        device_.activate();
        CUTAWAY_CHECK(
            convolution_->run(pointers[0], pointers[1], pointers[spec_.pointerCount() - 1]));
        return finish_.run(spec_, pointers);
    }
    std::string implementation() const override { return finish_.text("cuDNN"); }

private:
    CudaDevice& device_;
    ConvolutionSpec spec_;
    std::unique_ptr<CudnnConvolution> convolution_;
    Finish finish_;
};

class GeneratedCall : public LibraryKernel {
public:
    GeneratedCall(CudaDevice& device, const ConvolutionSpec& spec) : device_(device), spec_(spec) {}
    base::Status prepare() {
        if (spec_.batches() * spec_.m * spec_.n > 0) {
            CUTAWAY_TRY(kernel_, loadSource(device_, convolutionSource(spec_)));
        }
        return finish_.prepare(device_, spec_);
    }
    base::Status run(void* const* pointers, int) override {
        if (!kernel_) return {};
        device_.activate();
        void* values[] = {pointers[0], pointers[1], pointers[spec_.pointerCount() - 1], nullptr};
        void* arguments[] = {&values[0], &values[1], &values[2], &values[3]};
        CUTAWAY_CHECK(kernel_->launch(arguments));
        return finish_.run(spec_, pointers);
    }
    std::string implementation() const override { return finish_.text("generated kernel"); }

private:
    CudaDevice& device_;
    ConvolutionSpec spec_;
    CudaKernelPtr kernel_;
    Finish finish_;
};

// The operation as a product [m, k] x [k, n] in every group, neither operand of which is ever in
// memory: elements are fetched where the convolution has them. The result's places run along m, so
// that threads next to each other store next to each other.
//
//     forward   m: output places    n: output channels   k: channels, taps
//     image     m: image places     n: channels          k: output channels, taps
//     weight    m: channels, taps   n: output channels   k: output places
constexpr std::string_view kFetchForward = R"(
constexpr index_t kM = N * P0 * P1 * P2, kN = OG, kK = CG * K0 * K1 * K2;
__device__ __forceinline__ number fetchA(const number* image, index_t g, index_t m, index_t k) {
    const index_t p2 = m % P2, p1 = m / P2 % P1, p0 = m / P2 / P1 % P0, n = m / P2 / P1 / P0;
    const index_t k2 = k % K2, k1 = k / K2 % K1, k0 = k / K2 / K1 % K0, c = k / K2 / K1 / K0;
    const index_t x2 = p2 * S2 + k2 * D2 - A2, x1 = p1 * S1 + k1 * D1 - A1;
    const index_t x0 = p0 * S0 + k0 * D0 - A0;
    if (x0 < 0 || x0 >= I0 || x1 < 0 || x1 >= I1 || x2 < 0 || x2 >= I2) return 0;
    return image[n * IN + (g * CG + c) * IC + x0 * IS0 + x1 * IS1 + x2 * IS2];
}
__device__ __forceinline__ number fetchB(const number* weight, index_t g, index_t k, index_t n) {
    const index_t k2 = k % K2, k1 = k / K2 % K1, k0 = k / K2 / K1 % K0, c = k / K2 / K1 / K0;
    return weight[(g * OG + n) * WO + c * WC + k0 * WS0 + k1 * WS1 + k2 * WS2];
}
__device__ __forceinline__ index_t placeOf(index_t g, index_t m, index_t n) {
    const index_t p2 = m % P2, p1 = m / P2 % P1, p0 = m / P2 / P1 % P0;
    return m / P2 / P1 / P0 * ON + (g * OG + n) * OC + p0 * OS0 + p1 * OS1 + p2 * OS2;
}
)";

constexpr std::string_view kFetchImage = R"(
constexpr index_t kM = N * I0 * I1 * I2, kN = CG, kK = OG * K0 * K1 * K2;
__device__ __forceinline__ number fetchA(const number* grad, index_t g, index_t m, index_t k) {
    const index_t x2 = m % I2, x1 = m / I2 % I1, x0 = m / I2 / I1 % I0, n = m / I2 / I1 / I0;
    const index_t k2 = k % K2, k1 = k / K2 % K1, k0 = k / K2 / K1 % K0, o = k / K2 / K1 / K0;
    const index_t y2 = x2 + A2 - k2 * D2, y1 = x1 + A1 - k1 * D1, y0 = x0 + A0 - k0 * D0;
    if (y0 < 0 || y1 < 0 || y2 < 0 || y0 % S0 || y1 % S1 || y2 % S2) return 0;
    const index_t p0 = y0 / S0, p1 = y1 / S1, p2 = y2 / S2;
    if (p0 >= P0 || p1 >= P1 || p2 >= P2) return 0;
    return grad[n * ON + (g * OG + o) * OC + p0 * OS0 + p1 * OS1 + p2 * OS2];
}
__device__ __forceinline__ number fetchB(const number* weight, index_t g, index_t k, index_t n) {
    const index_t k2 = k % K2, k1 = k / K2 % K1, k0 = k / K2 / K1 % K0, o = k / K2 / K1 / K0;
    return weight[(g * OG + o) * WO + n * WC + k0 * WS0 + k1 * WS1 + k2 * WS2];
}
__device__ __forceinline__ index_t placeOf(index_t g, index_t m, index_t n) {
    const index_t x2 = m % I2, x1 = m / I2 % I1, x0 = m / I2 / I1 % I0;
    return m / I2 / I1 / I0 * IN + (g * CG + n) * IC + x0 * IS0 + x1 * IS1 + x2 * IS2;
}
)";

constexpr std::string_view kFetchWeight = R"(
constexpr index_t kM = CG * K0 * K1 * K2, kN = OG, kK = N * P0 * P1 * P2;
__device__ __forceinline__ number fetchA(const number* image, index_t g, index_t m, index_t k) {
    const index_t k2 = m % K2, k1 = m / K2 % K1, k0 = m / K2 / K1 % K0, c = m / K2 / K1 / K0;
    const index_t p2 = k % P2, p1 = k / P2 % P1, p0 = k / P2 / P1 % P0, n = k / P2 / P1 / P0;
    const index_t x2 = p2 * S2 + k2 * D2 - A2, x1 = p1 * S1 + k1 * D1 - A1;
    const index_t x0 = p0 * S0 + k0 * D0 - A0;
    if (x0 < 0 || x0 >= I0 || x1 < 0 || x1 >= I1 || x2 < 0 || x2 >= I2) return 0;
    return image[n * IN + (g * CG + c) * IC + x0 * IS0 + x1 * IS1 + x2 * IS2];
}
__device__ __forceinline__ number fetchB(const number* grad, index_t g, index_t k, index_t n) {
    const index_t p2 = k % P2, p1 = k / P2 % P1, p0 = k / P2 / P1 % P0;
    return grad[k / P2 / P1 / P0 * ON + (g * OG + n) * OC + p0 * OS0 + p1 * OS1 + p2 * OS2];
}
__device__ __forceinline__ index_t placeOf(index_t g, index_t m, index_t n) {
    const index_t k2 = m % K2, k1 = m / K2 % K1, k0 = m / K2 / K1 % K0, c = m / K2 / K1 / K0;
    return (g * OG + n) * WO + c * WC + k0 * WS0 + k1 * WS1 + k2 * WS2;
}
)";

/// 256 threads compute 64 x 64 results, 4 x 4 each, over tiles of 16 along k.
constexpr std::string_view kProduct = R"(
constexpr int kTile = 64, kDepth = 16;
constexpr index_t kTilesM = (kM + kTile - 1) / kTile, kTilesN = (kN + kTile - 1) / kTile;
extern "C" __global__ void __launch_bounds__(256)
convolution(const number* __restrict__ first, const number* __restrict__ second,
            number* __restrict__ result, void*) {
    __shared__ number a[kDepth][kTile], b[kDepth][kTile];
    const int t = threadIdx.x, tx = t % 16, ty = t / 16;
    const index_t tileM = blockIdx.x % kTilesM * kTile;
    const index_t tileN = blockIdx.x / kTilesM % kTilesN * kTile;
    const index_t g = blockIdx.x / kTilesM / kTilesN;
    number sums[4][4] = {};
    for (index_t from = 0; from < kK; from += kDepth) {
        for (int i = 0; i < 4; ++i) {
            // Threads next to each other fetch what lies next to each other: places.
            const int m = kPlacesAlongK ? t / 16 + 16 * i : t % kTile;
            const int k = kPlacesAlongK ? t % 16 : t / kTile + 4 * i;
            a[k][m] = tileM + m < kM && from + k < kK ? fetchA(first, g, tileM + m, from + k) : 0;
            const int n = t / 16 + 16 * i, kb = t % 16;
            b[kb][n] =
                tileN + n < kN && from + kb < kK ? fetchB(second, g, from + kb, tileN + n) : 0;
        }
        __syncthreads();
        for (int k = 0; k < kDepth; ++k)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    sums[i][j] += a[k][tx + 16 * i] * b[k][ty * 4 + j];
        __syncthreads();
    }
    for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 4; ++i) {
            const index_t m = tileM + tx + 16 * i, n = tileN + ty * 4 + j;
            if (m < kM && n < kN) result[placeOf(g, m, n)] = sums[i][j];
        }
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

int64_t tiles(int64_t size) {
    return (size + 63) / 64;
}

int64_t countFrom(const ConvolutionTensor& tensor, size_t first) {
    int64_t count = 1;
    for (size_t d = first; d < tensor.sizes.size(); ++d)
        count *= tensor.sizes[d];
    return count;
}

/// Whether 32 bits count the elements, with room for a tile beyond the last one.
bool fitsInt(const ConvolutionTensor& tensor) {
    return countFrom(tensor, 0) < INT32_MAX / 2;
}

} // namespace

codegen::KernelSource convolutionSource(const ConvolutionSpec& spec) {
    using kernel::LibraryOp;
    const ConvolutionTensor &image = spec.image, &weight = spec.weight, &output = spec.output;
    const int64_t groups = spec.window.groups;
    const int64_t perGroup = weight.sizes[0] / groups, channels = weight.sizes[1];
    std::string text =
        fmt::format("typedef {} number;\ntypedef {} index_t;\n",
                    spec.dtype == ir::DType::Float64 ? "double" : "float",
                    fitsInt(image) && fitsInt(weight) && fitsInt(output) ? "int" : "long long");
    text += fmt::format("constexpr index_t N = {}, OG = {}, CG = {};\n", image.sizes[0], perGroup,
                        channels);
    text += fmt::format("constexpr index_t IN = {}, IC = {}, ON = {}, OC = {}, WO = {}, WC = {};\n",
                        image.strides[0], image.strides[1], output.strides[0], output.strides[1],
                        weight.strides[0], weight.strides[1]);
    text += three("I", image.sizes, 2, 1) + three("IS", image.strides, 2, 0);
    text += three("P", output.sizes, 2, 1) + three("OS", output.strides, 2, 0);
    text += three("K", weight.sizes, 2, 1) + three("WS", weight.strides, 2, 0);
    text += three("S", spec.window.stride, 0, 1) + three("A", spec.window.padding, 0, 0) +
            three("D", spec.window.dilation, 0, 1);
    const bool towardsWeight = spec.op == LibraryOp::ConvolutionWeight;
    text += fmt::format("constexpr bool kPlacesAlongK = {};\n", towardsWeight);
    int64_t m = image.sizes[0] * countFrom(output, 2), n = perGroup;
    std::string_view fetch = kFetchForward;
    if (spec.op == LibraryOp::ConvolutionImage) {
        fetch = kFetchImage;
        m = image.sizes[0] * countFrom(image, 2);
        n = channels;
    } else if (towardsWeight) {
        fetch = kFetchWeight;
        m = countFrom(weight, 1);
    }
    codegen::KernelSource source;
    source.entry = "convolution";
    source.text = text + std::string(fetch) + std::string(kProduct);
    source.launch.blocks = tiles(m) * tiles(n) * groups;
    source.launch.threads = 256;
    return source;
}

base::Result<LibraryKernelPtr> makeCudnnConvolution(CudaDevice& device,
                                                    const ConvolutionSpec& spec) {
    CUTAWAY_TRY(std::unique_ptr<CudnnConvolution> convolution,
                CudnnConvolution::make(device, spec));
    if (!convolution) return LibraryKernelPtr();
    auto call = std::make_unique<CudnnCall>(device, spec, std::move(convolution));
    CUTAWAY_CHECK(call->prepare());
    return LibraryKernelPtr(std::move(call));
}

base::Result<LibraryKernelPtr> makeGeneratedConvolution(CudaDevice& device,
                                                        const ConvolutionSpec& spec) {
    auto call = std::make_unique<GeneratedCall>(device, spec);
    CUTAWAY_CHECK(call->prepare());
    return LibraryKernelPtr(std::move(call));
}

} // namespace cutaway::runtime
