// SPDX-License-Identifier: Apache-2.0
// The scripts of samples/training and samples/models print what they print under PyTorch
// (tests/data/FOLDER_output, written by record_sample_output.py): the same words, numbers up to
// rounding, eagerly and with their models compiled.
#include "tests/support/printed_numbers.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

using namespace cutaway::test;

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

} // namespace

class TestSampleScripts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void output_is_pytorchs_data();
    void output_is_pytorchs();
};

void TestSampleScripts::output_is_pytorchs_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("compiled");
    // One folder a test of ctest's, which run side by side; by hand, both.
    const QString only = qEnvironmentVariable("CUTAWAY_SAMPLES");
    for (const char* folder : {"training", "models"}) {
        if (!only.isEmpty() && only != folder) continue;
        for (const QString& file :
             QDir(QString(CUTAWAY_SOURCE_DIR "/samples/") + folder).entryList({"*.py"}))
            for (bool compiled : {false, true})
                QTest::newRow(
                    qPrintable(QString(folder) + "/" + file + (compiled ? " compiled" : " eager")))
                    << QString(folder) << QFileInfo(file).baseName() << compiled;
    }
}

void TestSampleScripts::output_is_pytorchs() {
    QFETCH(QString, folder);
    QFETCH(QString, name);
    QFETCH(bool, compiled);
    const QString root = CUTAWAY_SOURCE_DIR;
    const QString expected = read(root + "/tests/data/" + folder + "_output/" + name + ".txt");
    QVERIFY2(!expected.isEmpty(), "not recorded: run tests/data/record_sample_output.py");
    QString text = read(root + "/samples/" + folder + "/" + name + ".py");
    const QRegularExpression setting("\ncompiled = (True|False)\n");
    QVERIFY(text.contains(setting));
    text.replace(setting, compiled ? "\ncompiled = True\n" : "\ncompiled = False\n");
    QTemporaryDir place;
    QFile script(place.filePath(name + ".py"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write(text.toUtf8());
    script.close();
    const QString found = run(script.fileName());
    QCOMPARE(withoutNumbers(found), withoutNumbers(expected));
    const auto [single, half] = largestDifferences(found, expected);
    qInfo("largest difference %g in float32, %g in bfloat16", single, half);
    // Of bfloat16 products, each rounding is a step of 2^-8.
    QVERIFY(single <= (name == "mixed_precision" ? 2e-2 : 2e-4));
    QVERIFY(half <= 2e-2);
}

QTEST_APPLESS_MAIN(TestSampleScripts)
#include "test_sample_scripts.moc"
