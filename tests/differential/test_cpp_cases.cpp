// SPDX-License-Identifier: Apache-2.0
// The benchmark cases on the CPU: the whole program (plan, generated C++, matrix products) computes
// what the slow interpreter computes, however its kernels are scheduled.
#include "case_run.h"

#include "core/codegen/verify_scopes.h"
#include "tests/support/schedules.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::testing;

class TestCppCases : public QObject {
    Q_OBJECT

private Q_SLOTS:
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
            moveTo(*c.program, {});
            std::vector<runtime::CompiledKernel> kernels;
            for (const kernel::Kernel& kernel : c.program->kernels) {
                runtime::CompiledKernel& compiled = kernels.emplace_back();
                if (!kernel.hasCode()) continue;
                compiled.source =
                    codegen::emitCpp(*c.program, kernel,
                                     cpuCandidate(*c.program, kernel, lanes,
                                                  parallel ? runtime::threads() : 1, nonTemporal));
                if (auto problem = codegen::verifyScopes(compiled.source))
                    QFAIL((c.name + ": " + *problem + "\n" + compiled.source.text).c_str());
                auto module = compiler->compile(kernel.name, compiled.source.text, {});
                QVERIFY2(module.ok(), module.ok() ? "" : (c.name + module.error().str()).c_str());
                compiled.module = *module;
            }
            auto executable =
                take(runtime::targetRow(ir::Device::Kind::Cpu)
                         .create()
                         ->load(c.program, memory::planMemory(*c.program), std::move(kernels)));
            QCOMPARE(differenceToInterpreter(c, *executable, {}), QString());
        }
    }
};

QTEST_APPLESS_MAIN(TestCppCases)
#include "test_cpp_cases.moc"
