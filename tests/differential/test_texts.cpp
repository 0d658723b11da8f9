// SPDX-License-Identifier: Apache-2.0
// Text and back: the graphs of every sample (and of every case file in the folder CUTAWAY_CASES), in each
// stage, and their loop programs, are printed, parsed and printed again.
#include "core/backend/eager_runner.h"
#include "core/base/file_system.h"
#include "core/capture/program.h"
#include "core/ir/printer.h"
#include "core/kernel/loops_text.h"
#include "core/kernel/printer.h"
#include "core/lower/lower.h"
#include "core/ops/parse_graph.h"
#include "core/pipeline/compile.h"
#include "core/pipeline/pass_runner.h"

#include <QDir>
#include <QtTest>

using namespace cutaway;

namespace {

/// Keeps the first captured graph, and stops there.
class Collector : public capture::GraphCompiler {
public:
    std::optional<ir::Graph> captured;
    base::Result<std::shared_ptr<capture::CompiledGraph>>
    compile(const capture::CapturedFunction& function, const capture::CompileOptions&,
            bool) override {
        captured = function.graph->clone();
        return base::userError({}, "collected");
    }
};

/// The loop program of a graph as compiled, as text.
std::string loopsOf(const ir::Graph& graph) {
    ir::Graph working = pipeline::beginStage(graph);
    auto status = pipeline::runPasses(pipeline::PassPoint::Lowering, working, {}, nullptr);
    if (!status) return status.error().str();
    auto loops = lower::lowerGraph(working);
    return loops ? kernel::print(*loops) : loops.error().str();
}

bool leavesOut(const std::string& text) {
    return text.find("constant(...)") != std::string::npos;
}

QString compared(const std::string& before, const std::string& after) {
    if (before == after) return {};
    const QStringList a = QString::fromStdString(before).split('\n'),
                      b = QString::fromStdString(after).split('\n');
    for (qsizetype i = 0; i < std::min(a.size(), b.size()); ++i)
        if (a[i] != b[i]) return "'" + a[i] + "' came back as '" + b[i] + "'";
    return "the lengths differ";
}

/// What is wrong with the texts of a graph; empty when they come back.
QString problemOf(const ir::Graph& graph) {
    const std::string text = ir::print(graph);
    auto parsed = ops::parseGraph(text, "graph");
    if (leavesOut(text)) return parsed ? "values were made up" : QString();
    if (!parsed) return QString::fromStdString(parsed.error().str() + "\n" + text);
    return compared(text, ir::print(*parsed));
}

QString problemOfLoops(const ir::Graph& graph) {
    const std::string text = loopsOf(graph);
    auto parsed = kernel::parseLoops(text, "loops");
    if (leavesOut(text)) return parsed ? "values were made up" : QString();
    if (!parsed) return QString::fromStdString(parsed.error().str() + "\n" + text);
    return compared(text, kernel::print(*parsed));
}

} // namespace

class TestTexts : public QObject {
    Q_OBJECT

    pipeline::Toolchain toolchain_{""};

private slots:
    void every_sample_comes_back_data() {
        QTest::addColumn<QString>("path");
        QStringList folders{CUTAWAY_SOURCE_DIR "/samples"};
        if (qEnvironmentVariableIsSet("CUTAWAY_CASES"))
            folders << qEnvironmentVariable("CUTAWAY_CASES");
        for (const QString& folder : folders)
            for (const QString& file : QDir(folder).entryList({"*.py"}, QDir::Files, QDir::Name))
                QTest::newRow(qPrintable(file)) << folder + "/" + file;
    }

    void every_sample_comes_back() {
        QFETCH(QString, path);
        pipeline::Options options;
        backend::EagerRunner eager(toolchain_, options);
        Collector collector;
        capture::ProgramOptions how;
        how.path = path.toStdString();
        auto text = base::readFile(how.path, base::kLargestScript);
        QVERIFY(text.ok());
        how.text = *text;
        auto program = capture::Program::load(how, eager, collector);
        QVERIFY2(program.ok(), program ? "" : program.error().str().c_str());
        const std::vector<std::string> sizes = (*program)->sizeKeys();
        auto inputs = (*program)->exampleInputs(sizes.empty() ? "" : sizes.front());
        QVERIFY(inputs.ok());
        auto function = (*program)->compile((*program)->global("model"), {});
        QVERIFY(function.ok());
        (void)(*function)->call(*inputs, (*program)->train());
        if (!collector.captured) QSKIP("nothing is captured");
        QCOMPARE(problemOf(*collector.captured), QString());
        auto parts = pipeline::partitionGraph(*collector.captured, (*program)->train(), options,
                                              nullptr);
        QVERIFY2(parts.ok(), parts ? "" : parts.error().str().c_str());
        QCOMPARE(problemOf(parts->forward), QString());
        QCOMPARE(problemOfLoops(parts->forward), QString());
        if (!parts->training) return;
        QCOMPARE(problemOf(parts->backward), QString());
        QCOMPARE(problemOfLoops(parts->backward), QString());
    }

    // Written by hand: a graph in, its loops out.
    void a_graph_in_its_loops_out() {
        auto graph = ops::parseGraph(R"(graph forward(x: f32[4, 8], index: i64[4, 1], w: f32[8, 2][1, 8]):
    half: f32[4, 8] = aten.mul.Scalar(x, 0.5)
    amax: f32[4, 1] = aten.amax.default(half, [1], True)
    picked: f32[4, 1] = aten.gather.default(half, 1, index)
    product: f32[4, 2] = aten.mm.default(x, w)
    order: i64[4, 3] = aten._order.default(half, 1, True, 3)
    runs: f32[4, 8] = aten._scan.default(x, 0, 'sum', True)
    return (amax, picked, None, product, order, runs)
)");
        QVERIFY2(graph.ok(), graph ? "" : graph.error().str().c_str());
        auto loops = lower::lowerGraph(*graph);
        QVERIFY2(loops.ok(), loops ? "" : loops.error().str().c_str());
        const std::string expected = R"(loops forward:
    x: f32[4, 8] = input
    index: i64[4, 1] = input
    w: f32[8, 2][1, 8] = input
    half: f32[4, 8] = x[d0, d1] * 0.5  for d0 in 0..4, d1 in 0..8
    amax: f32[4, 1] = max over r0 in 0..8 of half[d0, r0]  for d0 in 0..4, d1 in 0..1
    picked: f32[4, 1] = half[d0, check0(index[d0, 0])]  for d0 in 0..4, d1 in 0..1
    product: f32[4, 2] = matmul(x[4, 8; strides 8, 1; offset 0], w[8, 2; strides 1, 8; offset 0])
    order: i64[4, 3] = sort(half[4, 8; strides 8, 1; offset 0]; along 1, descending)
    runs: f32[4, 8] = scan(x[4, 8; strides 8, 1; offset 0]; along 0, sum, backwards)
    check0: index 'index' of gather, dimension 1 of size 8
    return output 0 = amax[4, 1; strides 1, 1; offset 0]
    return output 1 = picked[4, 1; strides 1, 1; offset 0]
    return output 2 = none
    return output 3 = product[4, 2; strides 2, 1; offset 0]
    return output 4 = order[4, 3; strides 3, 1; offset 0]
    return output 5 = runs[4, 8; strides 8, 1; offset 0]
)";
        QCOMPARE(compared(expected, kernel::print(*loops)), QString());
        auto again = kernel::parseLoops(expected, "loops");
        QVERIFY2(again.ok(), again ? "" : again.error().str().c_str());
        QCOMPARE(compared(expected, kernel::print(*again)), QString());
    }

    void what_is_no_graph_is_told_with_its_place_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* text, const char* message) {
            QTest::newRow(message) << text << message;
        };
        row("loops f:\n", "g:1:1: error: expected 'graph', found 'loops f:'");
        row("graph f(x: f33[2]):\n    return (x,)\n",
            "g:1:12: error: expected a type, as f32[2, 3], found 'f33[2]):'");
        row("graph f(x: f32[2]):\n    y: f32[2] = aten.cos.default(z)\n    return (y,)\n",
            "g:2:34: error: expected an argument: a node above, a number, a list, 'text', None, "
            "found 'z)'");
        row("graph f(x: f32[2]):\n    y: f32[2] = aten.koz.default(x)\n    return (y,)\n",
            "g:2:5: error: no operation is called koz");
        row("graph f(x: f32[2]):\n    y: f32[3] = aten.cos.default(x)\n    return (y,)\n",
            "g:2:5: error: cos gives f32[2], the text says otherwise");
        row("graph f(x: f32[2]):\n    x: f32[2] = aten.cos.default(x)\n    return (x,)\n",
            "g:2:5: error: expected a name that is not used yet, found 'x: f32[2] = aten.cos'");
        row("graph f(x: f32[2]):\n    return (y,)\n",
            "g:2:13: error: expected a node's name, or None, found 'y,)'");
    }

    void what_is_no_graph_is_told_with_its_place() {
        QFETCH(QString, text);
        QFETCH(QString, message);
        auto parsed = ops::parseGraph(text.toStdString(), "g");
        QVERIFY(!parsed.ok());
        QCOMPARE(QString::fromStdString(parsed.error().str()), message);
    }

    void what_are_no_loops_is_told_with_its_place_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* text, const char* message) {
            QTest::newRow(message) << text << message;
        };
        row("graph f(x: f32[2]):\n", "l:1:1: error: expected 'loops', found 'graph f(x: f32[2]):'");
        row("loops f:\n    x: f32[2] = inputs\n",
            "l:2:23: error: inputs is no value that is known here");
        row("loops f:\n    x: f32[2] = input\n    y: f32[2] = cos(x[d0])\n",
            "l:3:27: error: the loops are [], the type says [2]");
        row("loops f:\n    x: i64[2] = input\n    y: i64[2] = check0(x[d0])  for d0 in 0..2\n",
            "l:3:46: error: expected a line 'check0:'");
    }

    void what_are_no_loops_is_told_with_its_place() {
        QFETCH(QString, text);
        QFETCH(QString, message);
        auto parsed = kernel::parseLoops(text.toStdString(), "l");
        QVERIFY(!parsed.ok());
        QCOMPARE(QString::fromStdString(parsed.error().str()), message);
    }
};

QTEST_APPLESS_MAIN(TestTexts)
#include "test_texts.moc"
