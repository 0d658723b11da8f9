// SPDX-License-Identifier: Apache-2.0
// Generated CUDA text: it compiles for the machines we support, and on a device it computes what
// the slow interpreter computes.
#include "tests/unit/codegen/cuda_cases.inc"

#include "tests/support/cuda_text.h"
#include "tests/support/schedules.h"

#include <QtTest>

using namespace cutaway;

class TestCudaKernels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_layout_of_threads_compiles_for_sm_90_data() { testing::cudaCompilerRows(); }
    void every_layout_of_threads_compiles_for_sm_90() {
        const testing::CudaText compiler;
        if (!compiler.missing().isEmpty()) QSKIP(qPrintable(compiler.missing()));
        int number = 0;
        for (const tests::KernelCase& c : tests::cudaCases()) {
            const auto source = testing::cudaText(*c.program, c.kernel());
            if (const char* folder = std::getenv("CUTAWAY_KEEP_CUDA")) {
                QFile file(QString("%1/%2_%3.cu")
                               .arg(folder)
                               .arg(number++, 2, 10, QChar('0'))
                               .arg(source.entry.c_str()));
                QVERIFY(file.open(QIODevice::WriteOnly));
                file.write(source.text.data(), qint64(source.text.size()));
            }
            const QString problem = compiler.problem(source);
            if (!problem.isEmpty()) qWarning().noquote() << source.text.c_str();
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
        }
    }
};

QTEST_APPLESS_MAIN(TestCudaKernels)
#include "test_cuda_kernels.moc"
