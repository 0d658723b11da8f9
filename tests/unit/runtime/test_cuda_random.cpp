// SPDX-License-Identifier: Apache-2.0
// The CUDA texts that draw: they compile for the machines we support; run on the host as C++, they
// share a tensor out to the threads of a grid and use the engine's words as PyTorch does. What they
// give on a GPU: tests/data/cuda_random.txt.
#include "core/runtime/cuda_random.h"
#include "tests/support/cuda_text.h"
#include "tests/support/philox.h"

#include <QtTest>
#include <cmath>
#include <numeric>

using namespace cutaway;
using namespace cutaway::runtime;
using ir::DType;

namespace {

std::vector<std::pair<Draw, DType>> allDraws() {
    std::vector<std::pair<Draw, DType>> draws;
    for (Distribution distribution :
         {Distribution::Uniform, Distribution::Normal, Distribution::LogNormal,
          Distribution::Exponential, Distribution::Geometric, Distribution::Cauchy,
          Distribution::Bernoulli, Distribution::Dropout, Distribution::Integer, Distribution::Any})
        for (DType dtype : {DType::Float32, DType::Float64, DType::Float16, DType::BFloat16})
            draws.push_back({{.distribution = distribution, .low = 0, .high = 9}, dtype});
    for (Distribution distribution :
         {Distribution::Bernoulli, Distribution::Integer, Distribution::Any})
        for (DType dtype : {DType::Int64, DType::Int32, DType::Int16, DType::Int8, DType::UInt8,
                            DType::UInt64, DType::Bool})
            draws.push_back({{.distribution = distribution, .low = 0, .high = 2}, dtype});
    draws.push_back({{.distribution = Distribution::Integer, .low = -5, .high = int64_t{1} << 40},
                     DType::Int64});
    return draws;
}

/// What the text needs of CUDA where it is C++, and a grid whose threads take turns.
constexpr std::string_view kHost = R"(
extern "C" { float logf(float); double log(double); float sinf(float); float cosf(float);
             double sin(double); double cos(double); float sqrtf(float); double sqrt(double); }
#define __global__
#define __device__
#define __restrict__
#define __forceinline__ inline
#define __launch_bounds__(n)
struct Index { unsigned x; };
static Index blockIdx, threadIdx, gridDim;
static float __logf(float x) { return logf(x); }
static float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
static void __sincosf(float x, float* s, float* c) { *s = sinf(x); *c = cosf(x); }
static void sincospi(double x, double* s, double* c) {
    *s = sin(x * 3.141592653589793);
    *c = cos(x * 3.141592653589793);
}
)";
constexpr std::string_view kGrid = R"(
extern "C" void grid(void* to, long long count, unsigned long long counter, unsigned blocks,
                     double a, double b, long long low, unsigned long long range) {
    gridDim.x = blocks;
    for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x)
        for (threadIdx.x = 0; threadIdx.x < 256; ++threadIdx.x)
            fill_random((element*)to, count, counter, 17, 4, a, b, low, range);
}
)";
using Grid = void (*)(void*, long long, unsigned long long, unsigned, double, double, long long,
                      unsigned long long);

int64_t kCount = 5001;
constexpr int64_t kCounter = 3;
constexpr unsigned kBlocks = 2;

template <typename T> std::vector<T> drawn(const Draw& draw, DType dtype, uint64_t range) {
    auto compiler = jit::CpuCompiler::create();
    auto module = compiler->compile(
        "grid", std::string(kHost) + randomSource(draw, dtype, kCount).text + std::string(kGrid),
        {});
    if (!module.ok()) qFatal("%s", module.error().str().c_str());
    std::vector<T> values(kCount);
    reinterpret_cast<Grid>((*module)->symbol("grid"))(values.data(), kCount, kCounter, kBlocks,
                                                      draw.a, draw.b, draw.low, range);
    return values;
}

/// The engine's words for element \p e, one of \p unroll that a thread makes of a block.
std::array<uint32_t, 4> wordsFor(int64_t e, int64_t unroll) {
    const int64_t threads = 256 * kBlocks;
    const auto counter = static_cast<uint32_t>(kCounter + e / (threads * unroll));
    std::array<uint32_t, 4> w = {counter, 0, static_cast<uint32_t>(e % threads), 0};
    tests::philox4x32(w[0], w[1], w[2], w[3], 17, 4);
    return w;
}
size_t laneOf(int64_t e, int64_t unroll) {
    return static_cast<size_t>(e / (256 * kBlocks) % unroll);
}

} // namespace

class TestCudaRandom : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_text_compiles_for_sm_90_data() { testing::cudaCompilerRows(); }
    void every_text_compiles_for_sm_90() {
        const testing::CudaText compiler;
        if (!compiler.missing().isEmpty()) QSKIP(qPrintable(compiler.missing()));
        for (const auto& [draw, dtype] : allDraws()) {
            const codegen::KernelSource source = randomSource(draw, dtype, 6);
            const QString problem = compiler.refusal(source);
            if (!problem.isEmpty()) qWarning().noquote() << source.text.c_str();
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
        }
    }
    void uniform_numbers_are_the_engines() {
        const Draw draw{.distribution = Distribution::Uniform, .a = -1, .b = 3};
        const std::vector<float> single = drawn<float>(draw, DType::Float32, 0);
        const std::vector<double> twice = drawn<double>(draw, DType::Float64, 0);
        for (int64_t e = 0; e < kCount; ++e) {
            const double u = (wordsFor(e, 4)[laneOf(e, 4)] + 0.5) * 0x1p-32;
            QVERIFY(std::abs(single[size_t(e)] - (u * 4 - 1)) < 1e-6);
            const auto words = wordsFor(e, 2);
            const size_t l = 2 * laneOf(e, 2);
            const uint64_t z = words[l] ^ uint64_t { words[l + 1] } << 21;
            QVERIFY(std::abs(twice[size_t(e)] - ((double(z) + 0.5) * 0x1p-53 * 4 - 1)) < 1e-14);
        }
    }
    /// A thread's words go to neighbours where the number of elements allows it.
    void dropouts_words_lie_together() {
        const Draw draw{.distribution = Distribution::Dropout, .a = 0.4};
        for (auto [count, together] :
             {std::pair(5004, 4), std::pair(5002, 2), std::pair(5001, 1)}) {
            kCount = count;
            const std::vector<float> values = drawn<float>(draw, DType::Float32, 0);
            for (int64_t e = 0; e < kCount; ++e) {
                // The same words as those of the element that a grid of single elements has there.
                const int64_t threads = 256 * kBlocks, group = e / together;
                const int64_t step = group / threads, word = e % together;
                const int64_t single = (step * together + word) * threads + group % threads;
                const double u = (wordsFor(single, 4)[laneOf(single, 4)] + 0.5) * 0x1p-32;
                QCOMPARE(values[size_t(e)], u < 0.4 ? 1.0F : 0.0F);
            }
        }
        kCount = 5001;
    }
    void normal_numbers_have_the_right_moments() {
        const Draw draw{.distribution = Distribution::Normal, .a = 2, .b = 3};
        auto check = [](const auto& values) {
            double mean = 0, square = 0;
            for (double x : values) {
                mean += x / kCount;
                square += x * x / kCount;
            }
            QVERIFY(std::abs(mean - 2) < 0.15);
            QVERIFY(std::abs(std::sqrt(square - mean * mean) - 3) < 0.12);
        };
        check(drawn<float>(draw, DType::Float32, 0));
        check(drawn<double>(draw, DType::Float64, 0));
    }
    void integers_are_words_within_the_range() {
        Draw draw{.distribution = Distribution::Integer, .low = -3, .high = 8};
        const auto narrow = drawn<int64_t>(draw, DType::Int64, 11);
        draw.high = int64_t{1} << 40;
        const uint64_t range = (uint64_t{1} << 40) + 3;
        const auto wide = drawn<int64_t>(draw, DType::Int64, range);
        for (int64_t e = 0; e < kCount; ++e) {
            QCOMPARE(narrow[size_t(e)], int64_t(wordsFor(e, 4)[laneOf(e, 4)] % 11) - 3);
            const auto words = wordsFor(e, 2);
            const size_t l = 2 * laneOf(e, 2);
            const uint64_t word = uint64_t{words[l]} << 32 | words[l + 1];
            QCOMPARE(wide[size_t(e)], int64_t(word % range) - 3);
        }
    }
    void what_no_gpu_draws_is_refused() {
        auto tensor = emptyTensor(ir::TensorType::contiguous(DType::Int32, {ir::Sym(4)}));
        QVERIFY(tensor.ok());
        Generator generator;
        const Draw draw{.distribution = Distribution::Normal};
        const base::Status status = fillOnCuda(**tensor, draw, generator);
        QVERIFY(!status.ok());
        QCOMPARE(status.error().message, "this distribution is not drawn in int32 on a GPU");
    }
};

QTEST_APPLESS_MAIN(TestCudaRandom)
#include "test_cuda_random.moc"
