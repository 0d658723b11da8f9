// SPDX-License-Identifier: Apache-2.0
// The text of every stage. A file in golden/text begins with the command, "$ cutaway ARGUMENTS"; the rest
// is what it must print. CUTAWAY_REBASE=1 writes the files anew, for a person to review.
#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QtTest>

class TestGolden : public QObject {
    Q_OBJECT

    static QString folder() { return QString(CUTAWAY_SOURCE_DIR) + "/tests/golden/text/"; }

private Q_SLOTS:
    void every_stage_prints_what_it_printed_data() {
        QTest::addColumn<QString>("file");
        const QStringList files = QDir(folder()).entryList({"*.txt"}, QDir::Files, QDir::Name);
        QVERIFY(!files.isEmpty());
        for (const QString& file : files)
            QTest::newRow(qPrintable(file)) << file;
    }

    void every_stage_prints_what_it_printed() {
        QFETCH(QString, file);
        QFile golden(folder() + file);
        QVERIFY(golden.open(QIODevice::ReadOnly));
        const QByteArray text = golden.readAll();
        golden.close();
        const qsizetype end = text.indexOf('\n');
        const QString command = QString::fromUtf8(text.left(end));
        QVERIFY2(command.startsWith("$ cutaway "), qPrintable(command));

        QProcess tool;
        tool.setWorkingDirectory(CUTAWAY_SOURCE_DIR);
        tool.start(CUTAWAY_TOOL, command.mid(10).split(' ', Qt::SkipEmptyParts));
        QVERIFY(tool.waitForFinished(120000));
        QVERIFY2(tool.exitCode() == 0, tool.readAllStandardError().constData());
        // How much depends on the processor's instructions and the libraries' versions.
        static const QRegularExpression bytes("\\d+ bytes of workspace");
        const QByteArray got = QString::fromUtf8(tool.readAllStandardOutput())
                                   .replace(bytes, "# bytes of workspace")
                                   .toUtf8();
        if (qEnvironmentVariableIsSet("CUTAWAY_REBASE")) {
            QVERIFY(golden.open(QIODevice::WriteOnly));
            golden.write(text.left(end + 1) + got);
            return;
        }
        const QList<QByteArray> want = text.mid(end + 1).split('\n'), lines = got.split('\n');
        for (qsizetype i = 0; i < qMax(want.size(), lines.size()); ++i) {
            const QByteArray expected = i < want.size() ? want[i] : "(end)";
            const QByteArray found = i < lines.size() ? lines[i] : "(end)";
            QVERIFY2(found == expected,
                     qPrintable(QString("%1:%2: expected '%3', found '%4'")
                                    .arg(file)
                                    .arg(i + 2)
                                    .arg(expected.constData(), found.constData())));
        }
    }
};

QTEST_APPLESS_MAIN(TestGolden)
#include "test_golden.moc"
