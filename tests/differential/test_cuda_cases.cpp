// SPDX-License-Identifier: Apache-2.0
// The benchmark cases on CUDA: what fusion gives compiles at the full sizes, and on a device the
// whole program (plan, kernels, matrix products) computes what the slow interpreter computes.
#include "cuda_case_programs.h"

#include "core/jit/cuda_compiler.h"
#include "core/kernel/interpret.h"
#include "core/runtime/cuda.h"
#include "core/runtime/executable.h"
#include "tests/support/cuda_text.h"

#include <QtTest>

#include <cmath>
#include <random>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

const ir::Device kCuda{ir::Device::Kind::Cuda, 0};

ir::HostTensor near1(const kernel::Buffer& buffer, std::mt19937& random) {
    ir::HostTensor t = ir::HostTensor::zeros(buffer.dtype, ir::constants(buffer.sizes));
    for (int64_t i = 0; i < t.numel(); ++i)
        if (ir::isFloating(buffer.dtype))
            t.set(i, 0.5 + (random() % 1024) / 1024.0);
        else
            t.setInt(i, random() % 2);
    return t;
}

runtime::TensorPtr upload(const ir::HostTensor& host, const kernel::Buffer& buffer) {
    auto dense = take(runtime::fromHost(host, kCuda));
    auto tensor =
        take(runtime::emptyTensor({buffer.dtype, buffer.sizes, buffer.strides, kCuda, false}));
    check(runtime::copyInto(*tensor, *dense));
    return tensor;
}

} // namespace

class TestCudaCases : public QObject {
    Q_OBJECT

private slots:
    void kernels_of_every_case_compile_at_full_size_data() { cudaCompilerRows(); }
    void kernels_of_every_case_compile_at_full_size() {
        const CudaText compiler;
        if (!compiler.missing().isEmpty()) QSKIP(qPrintable(compiler.missing()));
        for (const CudaProgram& c : cudaPrograms(1))
            for (const kernel::Kernel& kernel : c.program->kernels) {
                if (!kernel.loops) continue;
                const auto source = codegen::emitCuda(*c.program, kernel, 132);
                const QString problem = compiler.problem(source);
                QVERIFY2(problem.isEmpty(), qPrintable(c.name.c_str() + problem));
                QVERIFY(!source.lines.empty() && source.lines.front().line > source.preludeLines);
            }
    }

    void every_case_computes_what_the_interpreter_computes() {
        auto device = runtime::cudaDevice(0);
        if (!device.ok()) QSKIP(device.error().message.c_str());
        auto compiler = take(jit::CudaCompiler::create());
        for (const CudaProgram& c : cudaPrograms(0)) {
            std::vector<runtime::CompiledKernel> kernels;
            for (const kernel::Kernel& kernel : c.program->kernels) {
                runtime::CompiledKernel& compiled = kernels.emplace_back();
                if (!kernel.loops) continue;
                compiled.source = codegen::emitCuda(*c.program, kernel, device->multiprocessors);
                compiled.cubin = take(compiler->compile(compiled.source.entry, compiled.source.text,
                                                        device->architecture, ""))
                                     .cubin;
            }
            auto executable = take(runtime::makeExecutable(
                c.program, memory::planMemory(*c.program), std::move(kernels)));
            std::mt19937 random(3);
            std::vector<ir::HostTensor> hosts;
            std::vector<runtime::TensorPtr> inputs;
            for (kernel::BufferId id : c.program->loops.inputs) {
                hosts.push_back(near1(c.program->loops.buffer(id), random));
                inputs.push_back(upload(hosts.back(), c.program->loops.buffer(id)));
            }
            const auto expected = take(kernel::interpret(*c.program, hosts));
            for (int repeat = 0; repeat < 2; ++repeat) {
                const auto found = take(executable->run(inputs));
                for (size_t o = 0; o < found.size(); ++o) {
                    if (!found[o]) continue;
                    const ir::HostTensor host = take(runtime::toHost(*found[o]));
                    QCOMPARE(host.sizes, expected[o].sizes);
                    for (int64_t i = 0; i < host.numel(); ++i) {
                        const double x = expected[o].get(i), y = host.get(i);
                        const bool close = std::fabs(x - y) <= 2e-5 * (1 + std::fabs(x));
                        QVERIFY2(close, qPrintable(QString("%1, output %2, element %3: %4 and %5")
                                                       .arg(c.name.c_str())
                                                       .arg(o)
                                                       .arg(i)
                                                       .arg(x)
                                                       .arg(y)));
                    }
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestCudaCases)
#include "test_cuda_cases.moc"
