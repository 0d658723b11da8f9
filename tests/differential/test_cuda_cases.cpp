// SPDX-License-Identifier: Apache-2.0
// The benchmark cases on CUDA: what fusion gives compiles at the full sizes, and on a device the
// whole program (plan, kernels, matrix products) computes what the slow interpreter computes.
#include "case_run.h"

#include "core/jit/cuda_compiler.h"
#include "core/runtime/cuda.h"
#include "tests/support/cuda_text.h"
#include "tests/support/schedules.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

const ir::Device kCuda{ir::Device::Kind::Cuda, 0};

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
                if (!kernel.hasCode()) continue;
                const schedule::Schedule schedule =
                    schedule::makeSchedule(*c.program, kernel, schedule::cudaModel());
                std::string refusals = c.name + ", " + kernel.name;
                for (const schedule::Candidate& one : schedule.considered)
                    refusals += "\n" + one.str() + ": " + one.refused;
                QVERIFY2(schedule.taken >= 0, refusals.c_str());
                const auto source = cudaText(*c.program, kernel);
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
                if (!kernel.hasCode()) continue;
                compiled.source = cudaText(*c.program, kernel, device->multiprocessors);
                compiled.cubin = take(compiler->compile(compiled.source.entry, compiled.source.text,
                                                        device->architecture, ""))
                                     .cubin;
            }
            auto executable =
                take(runtime::targetRow(ir::Device::Kind::Cuda)
                         .create()
                         ->load(c.program, memory::planMemory(*c.program), std::move(kernels)));
            QCOMPARE(differenceToInterpreter(c, *executable, kCuda), QString());
        }
    }
};

QTEST_APPLESS_MAIN(TestCudaCases)
#include "test_cuda_cases.moc"
