// SPDX-License-Identifier: Apache-2.0
// Sources: PyTorch aten/src/ATen/native/cuda/DistributionTemplates.h (grids, offsets),
// aten/src/ATen/core/TransformationHelper.h (from uniform numbers to others), and for uniform and
// normal numbers curand_uniform.h and curand_normal.h of CUDA. PyTorch takes the fast exp, log and
// tan in float32 (ATen/NumericUtils.h).
#include "core/runtime/cuda_random.h"

#include "core/runtime/cuda_generic.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <mutex>

namespace cutaway::runtime {

namespace {

constexpr int64_t kBlock = 256; ///< threads of a block of PyTorch's random kernels
/// Threads that a multiprocessor holds, from Volta to Hopper.
constexpr int64_t kThreadsEach = 2048;

constexpr std::string_view kEngine = R"(
typedef unsigned int word;
typedef unsigned long long wide_word;
struct Words { word w[4]; };
// Philox 4x32-10: block number `counter` of the sequence of `thread`.
__device__ __forceinline__ Words wordsOf(wide_word counter, wide_word thread, word key0, word key1) {
    word c0 = (word)counter, c1 = (word)(counter >> 32), c2 = (word)thread, c3 = (word)(thread >> 32);
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        const wide_word a = 0xD2511F53ull * c0, b = 0xCD9E8D57ull * c2;
        c0 = (word)(b >> 32) ^ c1 ^ key0;
        c1 = (word)b;
        c2 = (word)(a >> 32) ^ c3 ^ key1;
        c3 = (word)a;
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    return {{c0, c1, c2, c3}};
}
__device__ __forceinline__ wide_word within(wide_word x, wide_word range) {
    return range ? x % range : x;
}
struct Numbers { real x[kUnroll]; };
)";

constexpr std::string_view kUniform32 = R"(
__device__ __forceinline__ Numbers uniform(const Words& words) {
    Numbers u;
#pragma unroll
    for (int i = 0; i < 4; ++i) u.x[i] = words.w[i] * 2.3283064e-10f + (2.3283064e-10f / 2.0f);
    return u;
}
)";
constexpr std::string_view kUniform64 = R"(
__device__ __forceinline__ double uniform(word low, word high) {
    const wide_word z = (wide_word)low ^ (wide_word)high << (53 - 32);
    return z * 1.1102230246251565e-16 + (1.1102230246251565e-16 / 2.0);
}
__device__ __forceinline__ Numbers uniform(const Words& words) {
    return {{uniform(words.w[0], words.w[1]), uniform(words.w[2], words.w[3])}};
}
)";

/// Box and Muller's pairs.
constexpr std::string_view kNormal32 = R"(
__device__ __forceinline__ Numbers normal(const Words& words) {
    Numbers n;
#pragma unroll
    for (int i = 0; i < 4; i += 2) {
        const float u = words.w[i] * 2.3283064e-10f + (2.3283064e-10f / 2.0f);
        const float v = words.w[i + 1] * (2.3283064e-10f * 6.2831855f) +
                        ((2.3283064e-10f * 6.2831855f) / 2.0f);
        const float radius = sqrtf(-2.0f * logf(u));
        __sincosf(v, &n.x[i], &n.x[i + 1]);
        n.x[i] *= radius;
        n.x[i + 1] *= radius;
    }
    return n;
}
)";
constexpr std::string_view kNormal64 = R"(
__device__ __forceinline__ Numbers normal(const Words& words) {
    Numbers n;
    const wide_word angle = (wide_word)words.w[2] ^ (wide_word)words.w[3] << (53 - 32);
    const double radius = sqrt(-2.0 * log(uniform(words.w[0], words.w[1])));
    sincospi(angle * (1.1102230246251565e-16 * 2.0) + 1.1102230246251565e-16, &n.x[0], &n.x[1]);
    n.x[0] *= radius;
    n.x[1] *= radius;
    return n;
}
)";

constexpr std::string_view kFill = R"(
extern "C" __global__ void __launch_bounds__(256)
fill_random(element* __restrict__ to, long long count, wide_word counter, word key0, word key1,
            double a, double b, long long low, wide_word range) {
    const long long thread = blockIdx.x * 256ll + threadIdx.x, threads = gridDim.x * 256ll;
    for (long long step = 0; (step * threads + thread) * kTogether < count;
         step += kUnroll / kTogether, ++counter) {
        const Words words = wordsOf(counter, thread, key0, key1);
        DRAWN
#pragma unroll
        for (int lane = 0; lane < kUnroll; ++lane) {
            const long long at =
                ((step + lane / kTogether) * threads + thread) * kTogether + lane % kTogether;
            if (at < count) to[at] = elementOf(VALUE);
        }
    }
}
)";

struct Form {
    std::string_view drawn; ///< what a block of the engine's gives: words, or numbers
    std::string_view value; ///< of one lane
};

Form formOf(Distribution distribution, bool wide) {
    constexpr std::string_view kUniform = "const Numbers u = uniform(words);";
    constexpr std::string_view kNormal = "const Numbers n = normal(words);";
    switch (distribution) {
    case Distribution::Uniform:
        return {kUniform, "below((real)(u.x[lane] * (real)(b - a) + (real)a), a, b)"};
    case Distribution::Normal:
        return {kNormal, "n.x[lane] * (real)b + (real)a"};
    case Distribution::LogNormal:
        return {kNormal, "fastExp(n.x[lane] * (real)b + (real)a)"};
    case Distribution::Bernoulli:
    case Distribution::Dropout:
        return {kUniform, "(real)(u.x[lane] < (real)a)"};
    case Distribution::Exponential:
        // Not 0, and not so small that it vanishes in 16 bits.
        return {kUniform, "(real)-1 / (real)a * (u.x[lane] >= 1 - kEpsilon / 2 ? -kEpsilon / 2 "
                          ": fastLog(u.x[lane]))"};
    case Distribution::Geometric:
        return {kUniform, "ceil(fastLog(u.x[lane]) / fastLog1p((real)-a))"};
    case Distribution::Cauchy:
        return {kUniform, "(real)a + (real)b * fastTan((real)3.141592653589793 * "
                          "(inside(u.x[lane]) - (real)0.5))"};
    case Distribution::Integer:
    case Distribution::Any:
        return {"", wide ? "low + (long long)within((wide_word)words.w[2 * lane] << 32 | "
                           "words.w[2 * lane + 1], range)"
                         : "low + (long long)within(words.w[lane], range)"};
    case Distribution::Permutation:
        break;
    }
    return {};
}

bool isInteger(const Draw& draw) {
    return draw.distribution == Distribution::Integer || draw.distribution == Distribution::Any;
}

/// Elements next to each other that a thread makes: PyTorch's dropout reads that many at once
/// (aten/src/ATen/native/cuda/Dropout.cu, get_vector_size).
int togetherOf(const Draw& draw, int64_t count) {
    if (draw.distribution != Distribution::Dropout) return 1;
    return count % 4 == 0 ? 4 : count % 2 == 0 ? 2 : 1;
}

/// How many values random_() has in a dtype: all that it holds exactly, without negative ones; 0 for
/// 2^64.
uint64_t valuesOf(ir::DType dtype) {
    if (dtype == ir::DType::Bool) return 2;
    if (!ir::isFloating(dtype)) {
        const bool isSigned = ir::info(dtype).category == ir::DTypeInfo::Category::Signed;
        const size_t bits = 8 * ir::sizeBytes(dtype) - (isSigned ? 1 : 0);
        return bits == 64 ? 0 : uint64_t{1} << bits;
    }
    switch (dtype) {
    case ir::DType::Float64:
        return (uint64_t{1} << 53) + 1;
    case ir::DType::Float32:
        return (uint64_t{1} << 24) + 1;
    case ir::DType::Float16:
        return (uint64_t{1} << 11) + 1;
    default:
        return (uint64_t{1} << 8) + 1;
    }
}

/// Two numbers of 64 bits from each block of the engine, rather than four of 32.
bool isWide(const Draw& draw, ir::DType dtype, uint64_t range) {
    if (draw.distribution == Distribution::Any)
        return dtype == ir::DType::Int64 || dtype == ir::DType::UInt64 ||
               dtype == ir::DType::Float64;
    return isInteger(draw) ? range >= uint64_t{1} << 28 : dtype == ir::DType::Float64;
}

uint64_t rangeOf(const Draw& draw, ir::DType dtype) {
    if (draw.distribution == Distribution::Any) return valuesOf(dtype);
    return static_cast<uint64_t>(draw.high) - static_cast<uint64_t>(draw.low);
}

/// How a number becomes an element; 16 bits by the machine's own rounding.
std::string elementText(ir::DType dtype, bool integer) {
    const bool half = dtype == ir::DType::Float16;
    if (!half && dtype != ir::DType::BFloat16)
        return fmt::format(
            "typedef {0} element;\n"
            "__device__ __forceinline__ element elementOf({1} x) {{ return (element)x; }}\n"
            "__device__ __forceinline__ double numberOf(element x) {{ return (double)x; }}\n",
            dtype == ir::DType::Bool ? "unsigned char" : ir::info(dtype).cudaType,
            integer ? "long long" : "real");
    return fmt::format("typedef unsigned short element;\n"
                       "__device__ __forceinline__ element elementOf(float x) {{\n"
                       "    element result;\n"
                       "    asm(\"cvt.rn.{0}.f32 %0, %1;\" : \"=h\"(result) : \"f\"(x));\n"
                       "    return result;\n}}\n"
                       "__device__ __forceinline__ float numberOf(element x) {{\n"
                       "    float result;\n    {1}\n    return result;\n}}\n",
                       half ? "f16" : "bf16",
                       half ? "asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(result) : \"h\"(x));"
                            : "result = __int_as_float((int)x << 16);");
}

/// The bounds of what is drawn: PyTorch's uniform numbers leave out the upper one, curand's the
/// lower one, so that one stands for the other once it has been rounded.
constexpr std::string_view kBounds = R"(
__device__ __forceinline__ real below(real x, double a, double b) {
    return numberOf(elementOf(x)) == numberOf(elementOf((real)b)) ? (real)a : x;
}
__device__ __forceinline__ real inside(real u) {
    return u > 1 - kEpsilon ? 1 - kEpsilon : u < kEpsilon ? kEpsilon : u;
}
)";

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
    std::string out(text);
    return out.replace(out.find(from), from.size(), to);
}

bool isDrawn(const Draw& draw, ir::DType dtype) {
    if (draw.distribution == Distribution::Permutation) return false;
    return isInteger(draw) || draw.distribution == Distribution::Bernoulli ||
           draw.distribution == Distribution::Dropout ||
           draw.distribution == Distribution::Geometric || ir::isFloating(dtype);
}

base::Result<CudaKernelPtr> kernelOf(CudaDevice& device, const codegen::KernelSource& source) {
    static auto* const mutex = new std::mutex;
    static auto* const kernels = new std::map<std::pair<int, std::string>, CudaKernelPtr>;
    const std::lock_guard lock(*mutex);
    CudaKernelPtr& kernel = (*kernels)[{device.device().index, source.text}];
    if (!kernel) {
        CUTAWAY_TRY(kernel, loadSource(device, source));
    }
    return kernel;
}

} // namespace

codegen::KernelSource randomSource(const Draw& draw, ir::DType dtype, int64_t count) {
    const bool wide = isWide(draw, dtype, rangeOf(draw, dtype));
    const bool twice = dtype == ir::DType::Float64 && !isInteger(draw);
    std::string text =
        fmt::format("typedef {} real;\nconstexpr int kUnroll = {}, kTogether = {};\n",
                    twice ? "double" : "float", wide ? 2 : 4, togetherOf(draw, count));
    text += fmt::format("constexpr real kEpsilon = {};\n",
                        twice ? "2.220446049250313e-16" : "1.1920928955078125e-07f");
    for (std::string_view name : {"Exp", "Log", "Tan"}) {
        std::string lower(name);
        lower[0] += 'a' - 'A';
        text += fmt::format("#define fast{} {}{}\n", name, twice ? lower : "__" + lower,
                            twice ? "" : "f");
    }
    text += twice ? "#define fastLog1p log1p\n" : "#define fastLog1p(x) __logf(1.0f + (x))\n";
    text += kEngine;
    text += elementText(dtype, isInteger(draw));
    if (!isInteger(draw)) {
        text += twice ? kUniform64 : kUniform32;
        text += kBounds;
        if (draw.distribution == Distribution::Normal ||
            draw.distribution == Distribution::LogNormal)
            text += twice ? kNormal64 : kNormal32;
    }
    const Form form = formOf(draw.distribution, wide);
    codegen::KernelSource source;
    source.text = text + replaced(replaced(kFill, "DRAWN", form.drawn), "VALUE", form.value);
    source.entry = "fill_random";
    source.launch.threads = int(kBlock);
    return source;
}

base::Status fillOnCuda(Tensor& tensor, const Draw& draw, Generator& generator) {
    const ir::DType dtype = tensor.type.dtype;
    if (!isDrawn(draw, dtype))
        return base::userError(
            {}, fmt::format("this distribution is not drawn in {} on a GPU", ir::name(dtype)),
            "draw it on the CPU and move it: .to('cuda')");
    CUTAWAY_TRY(CudaDevice * device, CudaDevice::open(tensor.type.device.index));
    int64_t count = tensor.type.numel().constant();
    CUTAWAY_TRY(CudaKernelPtr kernel, kernelOf(*device, randomSource(draw, dtype, count)));
    uint64_t range = rangeOf(draw, dtype);
    const int64_t unroll = isWide(draw, dtype, range) ? 2 : 4;
    const int64_t grid = std::min((count + kBlock - 1) / kBlock,
                                  device->info().multiprocessors * (kThreadsEach / kBlock));
    Generator::Gpu& numbers = generator.gpu(tensor.type.device.index);
    uint64_t counter = numbers.words / 4;
    numbers.words += static_cast<uint64_t>(((count - 1) / (kBlock * grid * unroll) + 1) * 4);
    auto key0 = static_cast<uint32_t>(numbers.seed),
         key1 = static_cast<uint32_t>(numbers.seed >> 32);
    void* to = tensor.data();
    double a = draw.a, b = draw.b;
    int64_t low = draw.distribution == Distribution::Any ? 0 : draw.low;
    void* arguments[] = {&to, &count, &counter, &key0, &key1, &a, &b, &low, &range};
    device->activate();
    return kernel->launch(arguments, static_cast<unsigned>(grid));
}

} // namespace cutaway::runtime
