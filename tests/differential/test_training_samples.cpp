// SPDX-License-Identifier: Apache-2.0
// The scripts of samples/training print what they print under PyTorch (tests/data/training_losses,
// written by record_training_losses.py): the same words, numbers up to the rounding of float32 sums,
// eagerly and with their models compiled.
#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

namespace {

QString read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString run(const QString& script) {
    QProcess process;
    process.start(CUTAWAY_TOOL, {"run", script});
    if (!process.waitForFinished(300000)) return "no answer in 300 s";
    const QString said = QString::fromUtf8(process.readAllStandardOutput());
    if (process.exitCode() == 0) return said;
    return said + QString::fromUtf8(process.readAllStandardError());
}

const QRegularExpression kNumber("-?\\d+\\.\\d+(e-?\\d+)?");

/// The largest difference between numbers, relative to 1 or to the number where that is larger.
double largestDifference(const QString& found, const QString& expected) {
    auto a = kNumber.globalMatch(found), b = kNumber.globalMatch(expected);
    double largest = 0;
    while (a.hasNext() && b.hasNext()) {
        const double x = a.next().captured().toDouble(), y = b.next().captured().toDouble();
        largest = std::max(largest, std::fabs(x - y) / std::max(1.0, std::fabs(y)));
    }
    return a.hasNext() || b.hasNext() ? HUGE_VAL : largest;
}

QString withoutNumbers(QString text) {
    return text.replace(kNumber, "#");
}

} // namespace

class TestTrainingSamples : public QObject {
    Q_OBJECT
private slots:
    void losses_are_pytorchs_data();
    void losses_are_pytorchs();
};

void TestTrainingSamples::losses_are_pytorchs_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("compiled");
    const QDir folder(CUTAWAY_SOURCE_DIR "/samples/training");
    for (const QString& file : folder.entryList({"*.py"}, QDir::Files))
        for (bool compiled : {false, true})
            QTest::newRow(qPrintable(file + (compiled ? " compiled" : " eager")))
                << QFileInfo(file).baseName() << compiled;
}

void TestTrainingSamples::losses_are_pytorchs() {
    QFETCH(QString, name);
    QFETCH(bool, compiled);
    const QString expected = read(CUTAWAY_SOURCE_DIR "/tests/data/training_losses/" + name + ".txt");
    QVERIFY2(!expected.isEmpty(), "not recorded: run tests/data/record_training_losses.py");
    QString text = read(CUTAWAY_SOURCE_DIR "/samples/training/" + name + ".py");
    QVERIFY(text.contains("\ncompiled = False\n"));
    if (compiled) text.replace("\ncompiled = False\n", "\ncompiled = True\n");
    QTemporaryDir folder;
    QFile script(folder.filePath(name + ".py"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write(text.toUtf8());
    script.close();
    const QString found = run(script.fileName());
    QCOMPARE(withoutNumbers(found), withoutNumbers(expected));
    const double difference = largestDifference(found, expected);
    qInfo("largest difference %g", difference);
    // Of bfloat16 products, each rounding is a step of 2^-8.
    QVERIFY(difference <= (name == "mixed_precision" ? 2e-2 : 2e-4));
}

QTEST_APPLESS_MAIN(TestTrainingSamples)
#include "test_training_samples.moc"
