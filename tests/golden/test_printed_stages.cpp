// SPDX-License-Identifier: Apache-2.0
// What the tool prints of a stage reads back as it is: the graphs, loops and kernels of every sample, of a
// script with symbolic sizes and checked indices (and of every case file in the folder CUTAWAY_CASES)
// are printed, read and printed again, which gives the same lines but for comments.
#include "core/ir/printer.h"
#include "core/kernel/kernels_text.h"
#include "core/kernel/loops_text.h"
#include "core/kernel/printer.h"
#include "core/ops/parse_graph.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

using namespace cutaway;

namespace {

const char* const kScript = R"(import torch
@torch.compile(dynamic=True)
def picked(x, rows, y):
    return torch.cumsum(x[rows] * y[:, None], 1).topk(2).values.softmax(0)
x = torch.randn(9, 7, requires_grad=True)
picked(x, torch.tensor([1, 3, 8, 0]), torch.tensor([1., 2., 3., 4.]))
@torch.compile
def masked(x):
    mask = torch.tensor([[j > i for j in range(16)] for i in range(16)])
    return x.masked_fill(mask, 0.0).scatter_add(0, torch.zeros(16, 16, dtype=torch.int64), x)
masked(torch.randn(16, 16))
)";

/// The same lines without comments and what stands before them.
QStringList linesOf(const QString& text) {
    QStringList lines;
    for (const QString& line : text.split('\n'))
        if (!line.trimmed().isEmpty() && !line.trimmed().startsWith('#')) lines << line;
    return lines;
}

template <typename Program>
QString again(const base::Result<std::vector<Program>>& programs,
              std::string (*text)(const Program&)) {
    if (!programs) return QString::fromStdString(programs.error().str());
    QString out;
    for (const Program& program : *programs)
        out += QString::fromStdString(text(program));
    return out;
}

/// \p text read as what the stage holds, and printed.
QString printedAgain(const QString& stage, const std::string& text) {
    if (stage == "loops")
        return again<kernel::LoopProgram>(kernel::parseAllLoops(text, "text"), kernel::print);
    if (stage == "kernels")
        return again<kernel::KernelProgram>(kernel::parseAllKernels(text, "text"), kernel::print);
    return again<ir::Graph>(ops::parseGraphs(text, "text"), ir::print);
}

} // namespace

class TestPrintedStages : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

private Q_SLOTS:
    void what_is_printed_reads_back_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("stage");
        QFile script(folder_.filePath("script.py"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write(kScript);
        script.close();
        QStringList files = {script.fileName()};
        QStringList folders = {QString(CUTAWAY_SOURCE_DIR) + "/samples"};
        if (qEnvironmentVariableIsSet("CUTAWAY_CASES"))
            folders << qEnvironmentVariable("CUTAWAY_CASES");
        for (const QString& folder : folders)
            for (const QString& name : QDir(folder).entryList({"*.py"}, QDir::Files, QDir::Name))
                files << folder + "/" + name;
        QVERIFY(files.size() > 5);
        for (const QString& file : files)
            for (const char* stage :
                 {"captured", "joint", "frozen", "forward", "backward", "loops", "kernels"})
                QTest::addRow("%s %s", qPrintable(file.section('/', -2)), stage) << file << stage;
    }

    void what_is_printed_reads_back() {
        QFETCH(QString, file);
        QFETCH(QString, stage);
        QProcess tool;
        tool.start(CUTAWAY_TOOL, {"explain", file, "--stage", stage});
        QVERIFY(tool.waitForFinished(120000));
        QVERIFY2(tool.exitCode() == 0, tool.readAllStandardError().constData());
        const QByteArray text = tool.readAllStandardOutput();
        const QStringList lines = linesOf(QString::fromUtf8(text));
        if (lines.isEmpty()) { // nothing is frozen, no gradient is wanted
            QVERIFY(stage == "joint" || stage == "frozen" || stage == "backward");
            return;
        }
        const QString got = printedAgain(stage, text.toStdString());
        const QStringList back = linesOf(got);
        for (qsizetype i = 0; i < std::max(lines.size(), back.size()); ++i) {
            const QString was = lines.value(i, "(end)"), is = back.value(i, "(end)");
            QVERIFY2(was == is, qPrintable("'" + was + "' came back as '" + is + "'"));
        }
    }

    /// What is wrong is said with the line of the whole text.
    void a_wrong_line_is_named() {
        const std::string text = "# a comment\nloops a:\n    x: f32[4] = input  # read\n"
                                 "    return y = x[4; strides 1; offset 0]\n\n"
                                 "loops b:\n    x: f32[4] = nothing\n";
        const auto loops = kernel::parseAllLoops(text, "text");
        QVERIFY(!loops);
        QVERIFY2(QString::fromStdString(loops.error().str()).startsWith("text:7:"),
                 loops.error().str().c_str());
        const auto kernels = kernel::parseAllKernels(text, "text");
        QVERIFY(!kernels);
        QVERIFY2(QString::fromStdString(kernels.error().str()).startsWith("text:7:"),
                 kernels.error().str().c_str());
    }
};

QTEST_APPLESS_MAIN(TestPrintedStages)
#include "test_printed_stages.moc"
