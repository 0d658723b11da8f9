// SPDX-License-Identifier: Apache-2.0
// Long, wide and repetitive programs, compiled with nothing cached: processor seconds (which other
// programs on the machine do not change much) by stage. Aim: 3 seconds each.
#include "core/base/sanitizers.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <sys/resource.h>

namespace {

double childSeconds() {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

class TestCompileTimes : public QObject {
    Q_OBJECT

    static QByteArray tool(const QStringList& arguments, const QString& cache) {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("CUTAWAY_CACHE_DIR", cache);
        process.setProcessEnvironment(environment);
        process.start(CUTAWAY_TOOL, arguments);
        if (!process.waitForFinished(280000)) process.kill();
        if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0)
            qWarning("%s", process.readAllStandardError().constData());
        return process.readAllStandardOutput();
    }

private Q_SLOTS:
    void long_wide_and_repetitive_programs_data() {
        QTest::addColumn<QString>("path");
        const QDir folder(CUTAWAY_SOURCE_DIR "/tests/bench/scale");
        for (const QFileInfo& file : folder.entryInfoList({"*.py"}, QDir::Files, QDir::Name))
            QTest::newRow(qPrintable(file.completeBaseName())) << file.filePath();
    }
    void long_wide_and_repetitive_programs() {
        QFETCH(QString, path);
        QTemporaryDir folder;
        const QString record = folder.filePath("record.cutaway");
        const double before = childSeconds();
        tool({"compile", path, "-o", record}, folder.filePath("cache"));
        const double seconds = childSeconds() - before;
        const auto json =
            QJsonDocument::fromJson(tool({"explain", record, "--json"}, folder.path())).object();
        QString stages;
        int kernels = 0, shared = 0;
        for (const auto function : json["functions"].toArray())
            for (const auto entry : function.toObject()["entries"].toArray()) {
                for (const auto time : entry.toObject()["times"].toArray())
                    if (time.toObject()["ms"].toDouble() >= 5)
                        stages += QString(", %1 %2")
                                      .arg(time.toObject()["stage"].toString())
                                      .arg(time.toObject()["ms"].toDouble() / 1000, 0, 'f', 2);
                for (const auto lowered : entry.toObject()["lowered"].toArray())
                    for (const auto kernel : lowered.toObject()["kernels"].toArray()) {
                        if (kernel.toObject()["codes"].toArray().isEmpty()) continue;
                        ++kernels;
                        for (const auto reason : kernel.toObject()["schedule"].toArray())
                            shared += reason.toString().startsWith("same code as");
                    }
            }
        QVERIFY(kernels > 0);
        qInfo("%.2f processor seconds; %d kernels, %d texts; elapsed%s", seconds, kernels,
              kernels - shared, qPrintable(stages));
        const double limit = 9 * (cutaway::base::kSanitized ? 10 : 1);
        QVERIFY2(seconds < limit, "more than three times the aim");
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestCompileTimes)
#include "core/base/sanitizers.h"
#include "test_compile_times.moc"
