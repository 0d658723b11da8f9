// SPDX-License-Identifier: Apache-2.0
// Scripts that compare compiled functions with eager ones, through the command-line tool.
#include <QProcess>
#include <QtTest>

class TestCompiledScripts : public QObject {
    Q_OBJECT
private slots:
    void compiled_functions_give_what_eager_gives() {
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(CUTAWAY_TOOL, {"run", "--no-cache",
                                     CUTAWAY_SOURCE_DIR "/tests/data/compiled_against_eager.py"});
        QVERIFY2(process.waitForFinished(300000), qPrintable(process.errorString()));
        QCOMPARE(QString(process.readAll()), QString("232 agree\n"));
        QCOMPARE(process.exitCode(), 0);
    }
};

QTEST_APPLESS_MAIN(TestCompiledScripts)
#include "test_compiled_scripts.moc"
