// SPDX-License-Identifier: Apache-2.0
// Expressions of torch's Python library print what they print under PyTorch: tests/data/
// library_expressions.py and .txt, written by record_library_expressions.py.
#include <QFile>
#include <QProcess>
#include <QtTest>

namespace {

QMap<QString, QString> byNumber(const QString& text) {
    QMap<QString, QString> lines;
    QString last;
    for (const QString& line : text.split('\n')) {
        const QString number = line.section(' ', 0, 0);
        bool isNumber = false;
        number.toInt(&isNumber);
        if (isNumber)
            lines[last = number] = line;
        else
            lines[last] += "\n" + line; // the text of a module
    }
    return lines;
}

} // namespace

class TestLibraryExpressions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void values_are_pytorchs();
};

void TestLibraryExpressions::values_are_pytorchs() {
    const QString data = CUTAWAY_SOURCE_DIR "/tests/data/library_expressions";
    QFile recorded(data + ".txt");
    QVERIFY(recorded.open(QIODevice::ReadOnly));
    const auto expected = byNumber(QString::fromUtf8(recorded.readAll()));
    QProcess process;
    process.start(CUTAWAY_TOOL, {"run", data + ".py"});
    QVERIFY(process.waitForFinished(300000));
    const QByteArray said = process.readAllStandardError();
    QVERIFY2(process.exitCode() == 0, said.constData());
    const auto found = byNumber(QString::fromUtf8(process.readAllStandardOutput()));
    for (const QString& number : expected.keys())
        QCOMPARE(found.value(number), expected.value(number));
    qInfo("%d expressions", static_cast<int>(expected.size()));
}

QTEST_APPLESS_MAIN(TestLibraryExpressions)
#include "test_library_expressions.moc"
