// SPDX-License-Identifier: Apache-2.0
// The benchmark cases on the CPU: the whole program (plan, generated C++, matrix products) computes
// what the slow interpreter computes, however its kernels are scheduled.
#include "cuda_case_programs.h"

#include "core/kernel/interpret.h"
#include "core/runtime/executable.h"

#include <QtTest>

#include <cmath>
#include <random>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

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
    auto dense = take(runtime::fromHost(host, {}));
    auto tensor =
        take(runtime::emptyTensor({buffer.dtype, buffer.sizes, buffer.strides, {}, false}));
    check(runtime::copyInto(*tensor, *dense));
    return tensor;
}

/// Programs differ between devices in their schedules only.
void moveToCpu(kernel::KernelProgram& program, bool parallel, bool nonTemporal, int lanes) {
    for (kernel::Buffer& buffer : program.loops.buffers)
        buffer.device = {};
    for (kernel::Kernel& kernel : program.kernels) {
        kernel.device = {};
        if (!kernel.loops) continue;
        kernel.loops->schedule.parallel = parallel;
        kernel.loops->schedule.nonTemporal = nonTemporal;
        kernel.loops->schedule.vectorWidth = lanes;
    }
}

} // namespace

class TestCppCases : public QObject {
    Q_OBJECT

private slots:
    void every_case_computes_what_the_interpreter_computes_data() {
        QTest::addColumn<bool>("parallel");
        QTest::addColumn<bool>("nonTemporal");
        QTest::addColumn<int>("lanes");
        QTest::newRow("threads, streams, 16 lanes") << true << true << 16;
        QTest::newRow("threads, 8 lanes") << true << false << 8;
        QTest::newRow("one thread, 16 lanes") << false << false << 16;
    }
    void every_case_computes_what_the_interpreter_computes() {
        QFETCH(bool, parallel);
        QFETCH(bool, nonTemporal);
        QFETCH(int, lanes);
        auto compiler = jit::CpuCompiler::create();
        for (const CudaProgram& c : cudaPrograms(0)) {
            moveToCpu(*c.program, parallel, nonTemporal, lanes);
            std::vector<runtime::CompiledKernel> kernels;
            for (const kernel::Kernel& kernel : c.program->kernels) {
                runtime::CompiledKernel& compiled = kernels.emplace_back();
                if (!kernel.loops) continue;
                compiled.source = codegen::emitCpp(*c.program, kernel, runtime::threads());
                auto module = compiler->compile(kernel.name, compiled.source.text, {});
                QVERIFY2(module.ok(), module.ok() ? "" : (c.name + module.error().str()).c_str());
                compiled.module = *module;
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

QTEST_APPLESS_MAIN(TestCppCases)
#include "test_cpp_cases.moc"
