// SPDX-License-Identifier: Apache-2.0
// Convolutions and their adjoints by every provider of the CPU against plain loops in double; the
// text for CUDA is compiled.
#include "core/jit/cpu_compiler.h"
#include "core/runtime/cuda_convolution.h"
#include "tests/unit/runtime/convolution_cases.h"

#include <QtTest>

#include <cmath>

using namespace cutaway;
using namespace cutaway::tests;

namespace {

/// The first place where the kernel's result differs, or nothing.
template <typename T> QString complaint(const ConvolutionCase& c, LibraryKernel& kernel) {
    std::vector<std::vector<T>> memory;
    for (const std::vector<double>& operand : c.operands)
        memory.emplace_back(operand.begin(), operand.end());
    memory.emplace_back(c.expected.size(), T{12345});
    std::vector<void*> pointers;
    for (std::vector<T>& values : memory)
        pointers.push_back(values.data());
    for (int round = 0; round < 2; ++round) { // what a first run leaves behind is no help
        auto status = kernel.run(pointers.data(), 2);
        if (!status) return QString::fromStdString(status.error().message);
        for (size_t i = 0; i < c.expected.size(); ++i)
            if (!(std::fabs(static_cast<double>(memory.back()[i]) - c.expected[i]) <
                  1e-4 * (1 + std::fabs(c.expected[i]))))
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
private slots:
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
        QVERIFY((*kernel)->run(pointers.data(), 2).ok());
        for (float value : memory.back())
            QVERIFY(std::isnan(value));
    }
    void the_table_says_who_takes_a_call_and_who_does_not() {
        ConvolutionCase c = convolutionCase(2);
        auto considered = considerProviders(ir::Device::Kind::Cpu, c.spec, {.threads = 2});
        QCOMPARE(considered.size(), size_t(5));
        QVERIFY(considered[0].verdict.takes);
        int refused = 0;
        for (const Considered& one : considered)
            refused += one.provider->name == "skinny kernels" &&
                       one.verdict.reason == "computes matrix products only";
        QCOMPARE(refused, 1);
        auto onGpu = considerProviders(ir::Device::Kind::Cuda, c.spec, {});
        QCOMPARE(onGpu.size(), size_t(4));
        QCOMPARE(std::string(onGpu[0].provider->name), std::string("cuDNN"));
        QCOMPARE(std::string(onGpu[1].provider->name), std::string("generated kernel"));
    }
    void cuda_text_compiles() {
        int tensorCores = 0;
        for (uint32_t seed = 1; seed <= 12; ++seed) {
            const ConvolutionCase c =
                convolutionCase(seed, seed % 2 ? ir::DType::Float32 : ir::DType::Float64);
            // A GPU of many multiprocessors has sums in parts; one of few has wide tiles.
            for (int multiprocessors : {1, 10000}) {
                const ConvolutionSources sources =
                    convolutionSources(c.spec, seed % 3 == 0, multiprocessors);
                for (const codegen::KernelSource* source : {&sources.product, &sources.sum}) {
                    if (source->text.empty()) continue;
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
