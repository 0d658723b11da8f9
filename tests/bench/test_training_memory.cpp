// SPDX-License-Identifier: Apache-2.0
// Memory of the training cases, as a table: what is saved for the backward against what
// PyTorch 2.11 saves (summed over its recorded partitions), and the peak of a step against eager's.
// Aims: no more than either.
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QtTest>

class TestTrainingMemory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void training_takes_no_more_than_elsewhere_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<qint64>("pytorch"); ///< saved bytes, inputs included
        const QString samples = CUTAWAY_SOURCE_DIR "/samples/";
        QTest::newRow("double_cosine") << samples << qint64(1024);
        QTest::newRow("layernorm_gelu_residual") << samples << qint64(24608);
        QTest::newRow("mlp_train") << samples << qint64(8437760);
        QTest::newRow("softmax_cross_entropy") << samples << qint64(2116);
        QTest::newRow("transformer_block_train")
            << QString(CUTAWAY_SOURCE_DIR "/tests/bench/") << qint64(29154304);
    }
    void training_takes_no_more_than_elsewhere() {
        QFETCH(QString, folder);
        QFETCH(qint64, pytorch);
        QProcess tool;
        tool.start(CUTAWAY_TOOL, {"bench", "--json", "--size", "tiny", "--min-time", "0.001",
                                  "--threads", "2", folder + QTest::currentDataTag() + ".py"});
        QVERIFY(tool.waitForFinished(280000));
        QVERIFY2(tool.exitCode() == 0, tool.readAllStandardError().constData());
        double eager = 0, compiled = 0;
        qint64 saved = -1;
        for (const QByteArray& line : tool.readAllStandardOutput().trimmed().split('\n')) {
            const QJsonObject row = QJsonDocument::fromJson(line).object();
            const double peak = row["peak_mib"].toDouble();
            if (row["backend"] == "eager") eager = peak;
            if (row["backend"] != "inductor") continue;
            compiled = peak;
            saved = row["saved_bytes"].toInteger(-1);
        }
        qInfo("saved %lld B (PyTorch: %lld B); peak %.3f MiB (eager: %.3f MiB)",
              static_cast<long long>(saved), static_cast<long long>(pytorch), compiled, eager);
        QVERIFY(saved >= 0 && saved <= pytorch);
        QVERIFY(compiled > 0 && compiled <= eager);
    }
};

QTEST_APPLESS_MAIN(TestTrainingMemory)
#include "test_training_memory.moc"
