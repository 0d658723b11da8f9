// SPDX-License-Identifier: Apache-2.0
// Convolutions and their adjoints by every provider of the CPU against plain loops in double; the
// text for CUDA is compiled.
#include "core/jit/cpu_compiler.h"
#include "core/runtime/convolution_product.h"
#include "core/runtime/cuda_convolution.h"
#include "core/runtime/precision.h"
#include "tests/support/library_run.h"
#include "tests/unit/runtime/convolution_cases.h"

#include <QtTest>

#include <cmath>
#include <set>

using namespace cutaway;
using namespace cutaway::tests;

namespace {

/// The first place where the kernel's result differs, or nothing.
template <typename T>
QString complaint(const ConvolutionCase& c, LibraryKernel& kernel, double tolerance = 1e-4) {
    std::vector<std::vector<T>> memory;
    for (const std::vector<double>& operand : c.operands)
        for (auto& values = memory.emplace_back(); double value : operand)
            values.push_back(T(value));
    memory.emplace_back(c.expected.size(), T(12345));
    std::vector<void*> pointers;
    for (std::vector<T>& values : memory)
        pointers.push_back(values.data());
    for (int round = 0; round < 2; ++round) { // what a first run leaves behind is no help
        auto status = testing::runCall(kernel, pointers.data(), 2);
        if (!status) return QString::fromStdString(status.error().message);
        for (size_t i = 0; i < c.expected.size(); ++i)
            if (!(std::fabs(static_cast<double>(memory.back()[i]) - c.expected[i]) <
                  tolerance * (1 + std::fabs(c.expected[i]))))
                return QString("%1 by %2: element %3 is %4, expected %5")
                    .arg(c.text.c_str(), kernel.implementation().c_str())
                    .arg(i)
                    .arg(static_cast<double>(memory.back()[i]))
                    .arg(c.expected[i]);
    }
    return {};
}

} // namespace

class TestConvolution : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void random_cases_agree_by_every_provider() {
        int library = 0;
        for (uint32_t seed = 1; seed <= 300; ++seed) {
            ConvolutionCase c = convolutionCase(seed);
            if (seed % 2 && c.spec.op != LibraryOp::ConvolutionWeight) addEpilogues(c);
            LibraryKernelPtr loops = makeLoopConvolution(c.spec);
            QString wrong = complaint<float>(c, *loops);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
            auto dnnl = makeDnnlConvolution(c.spec, 2);
            QVERIFY2(dnnl.ok(), dnnl.ok() ? "" : dnnl.error().message.c_str());
            QCOMPARE(dnnlConvolutionName(c.spec, 2).empty(), *dnnl == nullptr);
            if (!*dnnl) continue;
            ++library;
            wrong = complaint<float>(c, **dnnl);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        }
        QVERIFY2(library > 150, qPrintable(QString("oneDNN took %1 of 300").arg(library)));
    }
    void convolutions_of_one_tap_are_products() {
        std::map<LibraryOp, int> products;
        for (uint32_t seed = 1; seed <= 300; ++seed) {
            ConvolutionCase c = convolutionCase(seed, ir::DType::Float32, true);
            if (seed % 2 && c.spec.op != LibraryOp::ConvolutionWeight) addEpilogues(c);
            const auto product = productOf(c.spec);
            if (!product) {
                // A gradient of the weight over several images whose places lie apart.
                QVERIFY(c.spec.op == LibraryOp::ConvolutionWeight);
                continue;
            }
            ++products[c.spec.op];
            QString wrong =
                complaint<float>(c, *convolutionBy(*product, makeLoopMatmul(product->product)));
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        }
        QCOMPARE(products.size(), size_t(3));
        QVERIFY(products[LibraryOp::ConvolutionWeight] > 30);
        for (uint32_t seed = 1; seed <= 300; ++seed) {
            const ConvolutionSpec s = convolutionCase(seed).spec;
            const bool one = product(s.weight.sizes) == s.weight.sizes[0] * s.weight.sizes[1];
            if (!one || s.window.groups > 1) QVERIFY(!productOf(s));
        }
    }
    void products_of_sixteen_bits_agree_for_odd_and_even_counts() {
        // One tap: oneDNN 2.6.3 and 3.7.2 multiply pairs of bfloat16 with or without a partner.
        std::map<LibraryOp, std::array<int, 2>> taken;
        for (uint32_t seed = 1; seed <= 300; ++seed) {
            ConvolutionCase c = convolutionCase(seed, ir::DType::BFloat16, true);
            auto kernel = makeDnnlConvolution(c.spec, 2);
            QVERIFY2(kernel.ok(), kernel.ok() ? "" : kernel.error().message.c_str());
            QCOMPARE(dnnlConvolutionName(c.spec, 2).empty(), *kernel == nullptr);
            if (!*kernel) continue;
            ++taken[c.spec.op][static_cast<size_t>(c.spec.output.sizes[1] % 2)];
            const QString wrong = complaint<ir::BFloat16>(c, **kernel, 1.01 / 256);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        }
        if (taken.empty()) QSKIP("oneDNN multiplies no bfloat16 on this processor");
        QVERIFY(taken[LibraryOp::Convolution][1] > 0);
        QVERIFY(taken[LibraryOp::ConvolutionImage][0] > 0);
    }
    void doubles_and_integers_are_computed_by_loops() {
        for (uint32_t seed = 1; seed <= 20; ++seed) {
            ConvolutionCase c = convolutionCase(seed, ir::DType::Float64);
            auto kernel = makeLibraryKernel(ir::Device::Kind::Cpu, c.spec, {.threads = 2});
            QVERIFY(kernel.ok());
            QCOMPARE((*kernel)->implementation(), std::string("loops"));
            QString wrong = complaint<double>(c, **kernel);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        }
    }
    void sixteen_bits_are_summed_in_float32_and_rounded_once() {
        int library = 0, bias = 0;
        for (uint32_t seed = 1; seed <= 60; ++seed) {
            const ir::DType dtype = seed % 2 ? ir::DType::BFloat16 : ir::DType::Float16;
            ConvolutionCase c = convolutionCase(seed, dtype);
            if (seed % 3 == 0 && c.spec.op != LibraryOp::ConvolutionWeight) addEpilogues(c, true);
            bias += c.spec.bias.has_value();
            // The operands are whole numbers of these dtypes; half a unit of the last place.
            const double tolerance = dtype == ir::DType::BFloat16 ? 1.01 / 256 : 1.01 / 2048;
            for (const char* provider : {"oneDNN", "in float32"}) {
                const ProviderContext context{.threads = 2, .wanted = provider};
                const auto first =
                    considerProviders(ir::Device::Kind::Cpu, c.spec, context).front();
                if (first.provider->name != provider) continue; // not on this processor
                auto kernel = first.provider->make(c.spec, context);
                QVERIFY(kernel.ok());
                if (!*kernel) continue;
                ++library;
                const QString wrong = dtype == ir::DType::BFloat16
                                          ? complaint<ir::BFloat16>(c, **kernel, tolerance)
                                          : complaint<ir::Float16>(c, **kernel, tolerance);
                QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
            }
        }
        QVERIFY(bias > 5);
        QVERIFY2(library >= 60, qPrintable(QString::number(library))); // in float32 always
    }
    void relu_behind_a_convolution_keeps_nan() {
        ConvolutionCase c = convolutionCase(1);
        for (uint32_t seed = 2; c.spec.op != LibraryOp::Convolution; ++seed)
            c = convolutionCase(seed);
        addEpilogues(c);
        c.operands[2].assign(c.operands[2].size(), std::nan(""));
        auto kernel = makeLibraryKernel(ir::Device::Kind::Cpu, c.spec, {.threads = 2});
        QVERIFY(kernel.ok());
        std::vector<std::vector<float>> memory;
        for (const std::vector<double>& operand : c.operands)
            memory.emplace_back(operand.begin(), operand.end());
        memory.emplace_back(c.expected.size(), 0.0f);
        std::vector<void*> pointers;
        for (auto& values : memory)
            pointers.push_back(values.data());
        QVERIFY(testing::runCall(**kernel, pointers.data(), 2).ok());
        for (float value : memory.back())
            QVERIFY(std::isnan(value));
    }
    void the_table_says_who_takes_a_call_and_who_does_not() {
        ConvolutionCase c = convolutionCase(2);
        auto considered = considerProviders(ir::Device::Kind::Cpu, c.spec, {.threads = 2});
        QCOMPARE(considered.size(), size_t(6));
        QVERIFY(considered[0].verdict.takes);
        int refused = 0;
        for (const Considered& one : considered)
            refused += one.provider->name == "skinny kernels" &&
                       one.verdict.reason == "computes matrix products only";
        QCOMPARE(refused, 1);
    }
    void a_gpu_takes_the_faster_provider() {
        ConvolutionSpec s;
        s.op = LibraryOp::Convolution;
        s.window = {{1, 1}, {1, 1}, {1, 1}, 1};
        const auto first = [&](int64_t channels, int64_t side, bool last) {
            s.image.sizes = s.output.sizes = {64, channels, side, side};
            s.output.sizes[1] = 64;
            s.weight.sizes = {64, channels, 3, 3};
            for (ConvolutionTensor* t : {&s.image, &s.weight, &s.output})
                t->strides = stridesOf(t->sizes, last && t != &s.weight);
            s.bias = MatrixView{{}, 0, 1};
            s.biasByChannel = true;
            const auto all = considerProviders(ir::Device::Kind::Cuda, s, {});
            return std::string(all[0].provider->name);
        };
        QCOMPARE(first(64, 56, true), std::string("cuDNN"));
        QCOMPARE(first(3, 112, false), std::string("generated kernel")); // few channels
        QCOMPARE(first(16, 4, true), std::string("generated kernel"));   // little to do
        setPrecision({false, false});
        QCOMPARE(first(3, 112, false), std::string("cuDNN")); // ours is for tensor cores
        setPrecision({});
    }
    void cuda_text_compiles() {
        int tensorCores = 0;
        for (uint32_t seed = 1; seed <= 12; ++seed) {
            const ConvolutionCase c = convolutionCase(seed, seed > 9        ? ir::DType::BFloat16
                                                            : seed > 6      ? ir::DType::Float16
                                                            : seed % 4 == 2 ? ir::DType::Float64
                                                                            : ir::DType::Float32);
            // A GPU of many multiprocessors has sums in parts; one of few has wide tiles.
            std::set<std::string> seen;
            for (int multiprocessors : {1, 10000}) {
                const ConvolutionSources sources =
                    convolutionSources(c.spec, seed % 3 != 1, multiprocessors, seed % 2 == 0);
                std::vector<const codegen::KernelSource*> texts{&sources.product, &sources.sum};
                for (const ConvolutionSources::Copy& copy : sources.copies)
                    texts.push_back(&copy.source);
                for (const codegen::KernelSource* source : texts) {
                    if (source->text.empty() || !seen.insert(source->text).second) continue;
                    auto ptx = jit::previewPtx(source->entry, source->text, "sm_90");
                    QVERIFY2(ptx.ok(), ptx.ok() ? "" : ptx.error().str().c_str());
                    QVERIFY(ptx->find(".entry " + source->entry) != std::string::npos);
                    tensorCores += ptx->find("mma.sync") != std::string::npos;
                }
            }
        }
        QVERIFY(tensorCores > 0);
    }
};

QTEST_GUILESS_MAIN(TestConvolution)
#include "test_convolution.moc"
