// SPDX-License-Identifier: Apache-2.0
// Scripts of a GPU print what they print under PyTorch; skipped where there is none.
#include "tests/support/printed_numbers.h"

#include <QFile>
#include <QProcess>
#include <QtTest>

using namespace cutaway;

class TestGpuScripts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void lines_are_pytorchs_data() {
        QTest::addColumn<bool>("halves"); // are among the numbers, too
        QTest::newRow("cuda_random") << true;
        QTest::newRow("devices") << false;
        QTest::newRow("gpu_library_calls") << false;
        QTest::newRow("gpu_halves") << false;
        QTest::newRow("launch_modes") << false;
        QTest::newRow("two_gpus") << false;
    }
    void lines_are_pytorchs();
};

void TestGpuScripts::lines_are_pytorchs() {
    QFETCH(bool, halves);
    const QString data = QString(CUTAWAY_SOURCE_DIR "/tests/data/") + QTest::currentDataTag();
    QFile recorded(data + ".txt");
    QVERIFY(recorded.open(QIODevice::ReadOnly));
    QProcess process;
    process.start(CUTAWAY_TOOL, {"run", data + ".py"});
    QVERIFY(process.waitForFinished(300000));
    const QString said = QString::fromUtf8(process.readAllStandardError());
    if (process.exitCode() != 0 && said.contains("libcuda"))
        QSKIP(qPrintable("no GPU: " + said.section('\n', 0, 0)));
    if (process.exitCode() != 0 && said.contains("no CUDA device 1: "))
        QSKIP(qPrintable("one GPU: " + said.section('\n', 0, 0)));
    QVERIFY2(process.exitCode() == 0, qPrintable(said));
    const QString found = QString::fromUtf8(process.readAllStandardOutput());
    const QString expected = QString::fromUtf8(recorded.readAll());
    QCOMPARE(test::withoutNumbers(found), test::withoutNumbers(expected));
    const auto [single, half] = test::largestDifferences(found, expected);
    QVERIFY2(single < 2e-6, qPrintable(QString::number(single)));
    QVERIFY2(half < (halves ? 4e-3 : 2e-6), qPrintable(QString::number(half)));
}

QTEST_APPLESS_MAIN(TestGpuScripts)
#include "test_gpu_scripts.moc"
