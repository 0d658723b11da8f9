// SPDX-License-Identifier: Apache-2.0
// The benchmark cases on CUDA: what fusion gives compiles at the full sizes, and on a device the
// whole program (plan, kernels, matrix products) computes what the slow interpreter computes.
#include "gpu_run.h"

#include "tests/support/cuda_text.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::testing;

class TestCudaCases : public QObject {
    Q_OBJECT

private Q_SLOTS:
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

    void a_kernel_of_hundreds_of_calls_has_each_function_once_data() { cudaCompilerRows(); }
    void a_kernel_of_hundreds_of_calls_has_each_function_once() {
        const CudaText compiler;
        for (int calls : {20, 400}) {
            Captured c;
            NodeId x = c.input("x", {64, 64}, false);
            for (int k = 0; k < calls; ++k)
                x = c.call(k % 2 ? "sin" : "tanh", {x});
            c.output(x);
            const auto program = fusedForCuda(inferenceOf(c));
            QCOMPARE(program->kernels.size(), size_t(1));
            const auto source = cudaText(*program, program->kernels[0]);
            QCOMPARE(source.text.starts_with("#define MANY_CALLS"), calls == 400);
            if (!compiler.missing().isEmpty()) continue;
            const QString problem = compiler.problem(source);
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
        }
    }

    void every_case_computes_what_the_interpreter_computes() {
        const auto gpu = Gpu::open();
        if (!gpu.ok()) QSKIP(gpu.error().message.c_str());
        for (const CudaProgram& c : cudaPrograms(0)) {
            const auto executable =
                gpu->executable(c, schedule::makeSchedules(*c.program, gpu->model));
            QCOMPARE(differenceToInterpreter(c, *executable, gpu->device), QString());
        }
    }
};

QTEST_APPLESS_MAIN(TestCudaCases)
#include "test_cuda_cases.moc"
