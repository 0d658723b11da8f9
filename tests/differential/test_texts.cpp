// SPDX-License-Identifier: Apache-2.0
// Text and back: the graphs of every sample (and of every case file in the folder CUTAWAY_CASES), in each
// stage, and their loop programs, are printed, parsed and printed again.
#include "core/backend/eager_runner.h"
#include "core/base/file_system.h"
#include "core/capture/program.h"
#include "core/fusion/fuse.h"
#include "core/ir/printer.h"
#include "core/kernel/interpret.h"
#include "core/kernel/kernels_text.h"
#include "core/kernel/loops_text.h"
#include "core/kernel/printer.h"
#include "core/lower/lower.h"
#include "core/ops/parse_graph.h"
#include "core/pipeline/compile.h"
#include "core/pipeline/pass_runner.h"

#include <QDir>
#include <QtTest>

#include <random>

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

/// What fusion makes of a graph: as text and back, printed again, and run again.
QString problemOfKernels(const ir::Graph& graph, bool fuse, std::string& text) {
    ir::Graph working = pipeline::beginStage(graph);
    auto status = pipeline::runPasses(pipeline::PassPoint::Lowering, working, {}, nullptr);
    if (!status) return QString::fromStdString(status.error().str());
    auto loops = lower::lowerGraph(working);
    if (!loops) return QString::fromStdString(loops.error().str());
    fusion::FusionOptions how;
    how.fuse = fuse;
    const kernel::KernelProgram program = fusion::fuse(std::move(*loops), how);
    text = kernel::print(program);
    auto parsed = kernel::parseKernels(text, "kernels");
    if (leavesOut(text)) return parsed ? "values were made up" : QString();
    if (!parsed) return QString::fromStdString(parsed.error().str() + "\n" + text);
    for (size_t i = 0; i < program.kernels.size(); ++i) {
        const kernel::Kernel &a = program.kernels[i], &b = parsed->kernels[i];
        if (a.name != b.name || a.reads != b.reads || a.writes != b.writes ||
            a.device != b.device || a.hasCode() != b.hasCode())
            return QString::fromStdString("kernel " + a.name + " came back as " + b.name);
    }
    return compared(text, kernel::print(*parsed));
}

/// The text with a few characters changed, lines doubled or left out.
std::string mangled(std::string text, std::mt19937& random) {
    static constexpr std::string_view kCharacters = "[](){}:;,=+-*/% 019xoisd_\n.\"\x80";
    auto at = [&] { return random() % (text.size() + 1); };
    for (unsigned change = 1 + random() % 3; change > 0 && !text.empty(); --change) {
        const size_t place = std::min(at(), text.size() - 1);
        const size_t begin = text.rfind('\n', place) + 1, end = text.find('\n', place);
        const std::string line = text.substr(begin, end - begin + 1);
        switch (random() % 5) {
        case 0:
            text[place] = kCharacters[random() % kCharacters.size()];
            break;
        case 1:
            text.insert(place, 1, kCharacters[random() % kCharacters.size()]);
            break;
        case 2:
            text.erase(place, 1 + random() % 8);
            break;
        case 3:
            text.erase(begin, line.size());
            break;
        default:
            text.insert(begin, line);
        }
    }
    return text;
}

/// Mangled texts give a program, or a message with a place.
QString problemOfMangled(const std::string& text) {
    std::mt19937 random(static_cast<unsigned>(text.size()));
    for (int k = 0; k < 60; ++k) {
        const std::string wrong = mangled(text, random);
        auto parsed = kernel::parseKernels(wrong, "kernels");
        if (parsed) continue;
        const base::Diagnostic& error = parsed.error();
        if (error.message.empty() || error.fault != base::Fault::User || !error.where.known())
            return QString::fromStdString("'" + error.str() + "' of\n" + wrong);
    }
    return {};
}

} // namespace

class TestTexts : public QObject {
    Q_OBJECT

    pipeline::Toolchain toolchain_{qEnvironmentVariable("CUTAWAY_CACHE_DIR").toStdString()};

private Q_SLOTS:
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
        auto parts =
            pipeline::partitionGraph(*collector.captured, (*program)->train(), options, nullptr);
        QVERIFY2(parts.ok(), parts ? "" : parts.error().str().c_str());
        QCOMPARE(problemOf(parts->forward), QString());
        QCOMPARE(problemOfLoops(parts->forward), QString());
        std::string kernels;
        for (bool fuse : {false, true})
            QCOMPARE(problemOfKernels(parts->forward, fuse, kernels), QString());
        if (kernels.size() < 100000) QCOMPARE(problemOfMangled(kernels), QString());
        if (!parts->training) return;
        QCOMPARE(problemOfKernels(parts->backward, true, kernels), QString());
        QCOMPARE(problemOf(parts->backward), QString());
        QCOMPARE(problemOfLoops(parts->backward), QString());
    }

    // Written by hand: kernels in, their results out.
    void kernels_by_hand_run() {
        const std::string text = R"(loops forward:
    x: f32[2, 3] = input
    w: f32[3, 2] = input
    index: i64[2] = input
    product: f32[2, 2] = matmul(x[2, 3; strides 3, 1; offset 0], w[3, 2; strides 2, 1; offset 0])
    half: f32[2, 2] = product[d0, d1] * 0.5  for d0 in 0..2, d1 in 0..2
    zeros: f32[4, 2] = 0.0  for d0 in 0..4, d1 in 0..2
    sums: f32[4, 2] = sum of half[r0, r1] into zeros at sums[check0(index[r0]), r1]  for r0 in 0..2, r1 in 0..2
    check0: index 'index' of index_add, dimension 0 of size 4
    return output 0 = sums[4, 2; strides 2, 1; offset 0]
kernel mm_half(reads x, w; writes half):
    half = matmul(x[2, 3; strides 3, 1; offset 0], w[3, 2; strides 2, 1; offset 0])
    then multiply by 0.5
    then add 0.25
    then relu
kernel fill(reads ; writes zeros):
    for i in 0..8:
        zeros[i] = 0.0
kernel fused_sums(reads half, index; writes sums):
    for o0 in 0..2 reduce threads:
        for i in 0..2 vector masked:
            sums[check0(index[o0]), i] sum= half[o0, i] by sorting of 0
)";
        auto program = kernel::parseKernels(text, "k");
        QVERIFY2(program.ok(), program ? "" : program.error().str().c_str());
        QCOMPARE(compared(text, kernel::print(*program)), QString());
        std::vector<ir::HostTensor> inputs = {ir::HostTensor::zeros(ir::DType::Float32, {2, 3}),
                                              ir::HostTensor::zeros(ir::DType::Float32, {3, 2}),
                                              ir::HostTensor::zeros(ir::DType::Int64, {2})};
        for (int64_t k = 0; k < 6; ++k) {
            inputs[0].set(k, static_cast<double>(k));
            inputs[1].set(k, 1);
        }
        inputs[2].setInt(0, 3);
        inputs[2].setInt(1, 3);
        auto results = kernel::interpret(*program, inputs);
        QVERIFY2(results.ok(), results ? "" : results.error().str().c_str());
        // Rows sum to 3 and 12; halves and a quarter of both meet in the last row.
        for (int64_t k = 0; k < 8; ++k)
            QCOMPARE((*results)[0].get(k), k < 6 ? 0.0 : 8.0);
    }

    void sizes_that_are_symbols_come_back() {
        const std::string text = R"(loops forward:
    size s0 = 16
    size s1 = 8, from 4 to 64
    size s2 = 9, from 4
    x: f32[s0, s1] = input
    total: f32[s1] = sum over r0 in 0..s0 of x[r0, d0]  for d0 in 0..s1
    return output 0 = total[s1; strides 1; offset 0]
kernel fused_total(reads x; writes total):
    total_1: f32[i] = start sum
    for o0 in 0..s0 reduce:
        for i in 0..s1:
            total_1 sum= x[o0, i]
    for i in 0..s1:
        total[i] = total_1
)";
        auto program = kernel::parseKernels(text, "k");
        QVERIFY2(program.ok(), program ? "" : program.error().str().c_str());
        QCOMPARE(compared(text, kernel::print(*program)), QString());
        QCOMPARE(program->loops.hint(program->loops.buffer(kernel::BufferId(0)).numel()),
                 int64_t(128));
        for (const char* wrong :
             {"size s1 = 3, from 4 to 64", "size s3 = 8", "size s1 = s0", "size s1 = 1"}) {
            std::string other = text;
            other.replace(other.find("size s1 = 8, from 4 to 64"), 25, wrong);
            QVERIFY2(!kernel::parseKernels(other, "k").ok(), wrong);
        }
        std::string without = text;
        without.erase(without.find("    size s2"), 27);
        without.replace(without.find("x: f32[s0"), 9, "x: f32[s2");
        auto missing = kernel::parseKernels(without, "k");
        QVERIFY(!missing.ok());
    }

    void what_are_no_kernels_is_told_with_its_place_data() {
        QTest::addColumn<QString>("kernels");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* text, const char* message) {
            QTest::newRow(message) << text << message;
        };
        row("kernel f(reads x; writes z):\n", "k:4:27: error: z is no buffer above");
        row("kernel f(reads x, writes y):\n", "k:4:25: error: writes is no buffer above");
        row("kernel f(reads x; writes y)\n", "k:4:28: error: expected ':', found ''");
        row("kernel f(reads x; writes y): now\n", "k:4:30: error: expected the end of the line");
        row("kernel f(reads x; writes y):\n    for i in 0..4:\n        y[i] = cosine(x[i])\n",
            "k:6: error: cosine is no operation");
        row("kernel f(reads x; writes y):\n    for i in 0..4 grod:\n",
            "k:5: error: expected ':', found 'grod:'");
        row("kernel f(reads x; writes y):\n    for i in 0..4:\n        y[o0] = x[i]\n",
            "k:4: error: these loops cannot run: variable o0 is used outside its loop");
        row("kernel f(reads x; writes y):\n    y = matmul(x[4; strides 1; offset 0])\n",
            "k:5:41: error: expected ',', found ')'");
        row("kernel f(reads x; writes y):\n    y = sort(x[4; strides 1; offset 0]; along 0)\n"
            "    then what\n",
            "k:6:10: error: expected 'add', 'multiply by' or 'relu'");
        row("kernel f(reads ; writes y):\n    for i in 0..4:\n        y[i] = x[i]\n",
            "k:1: error: these kernels cannot run: kernel f: x is loaded but not in reads");
        row("", "k:1: error: these kernels cannot run: output y is never written");
    }

    void what_are_no_kernels_is_told_with_its_place() {
        QFETCH(QString, kernels);
        QFETCH(QString, message);
        const std::string loops = "loops f:\n    x: f32[4] = input\n"
                                  "    y: f32[4] = x[d0]  for d0 in 0..4\n";
        std::string text = loops + kernels.toStdString();
        if (kernels.isEmpty()) text += "    return output 0 = y[4; strides 1; offset 0]\n";
        auto parsed = kernel::parseKernels(text, "k");
        QVERIFY(!parsed.ok());
        QCOMPARE(QString::fromStdString(parsed.error().str()), message);
    }

    // Written by hand: a graph in, its loops out.
    void a_graph_in_its_loops_out() {
        auto graph =
            ops::parseGraph(R"(graph forward(x: f32[4, 8], index: i64[4, 1], w: f32[8, 2][1, 8]):
    half: f32[4, 8] = aten.mul.Scalar(x, 0.5)
    amax: f32[4, 1] = aten.amax.default(half, [1], True)
    picked: f32[4, 1] = aten.gather.default(half, 1, index)
    product: f32[4, 2] = aten.mm.default(x, w)
    order: i64[4, 3] = aten._order.default(half, 1, True, 3, 'stable')
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

    void what_a_graphs_text_leaves_out_is_the_default() {
        auto graph = ops::parseGraph("graph f(x: f32[2]):\n"
                                     "    y: f32[2] = aten.add.Tensor(x, x)\n"
                                     "    z: f32[2] = aten.leaky_relu.default(y)\n"
                                     "    return (z,)\n");
        QVERIFY2(graph.ok(), graph ? "" : graph.error().str().c_str());
        QCOMPARE(std::get<ir::Sym>(graph->node(ir::NodeId(1)).args.at(2)).str(), std::string("1"));
        QCOMPARE(std::get<double>(graph->node(ir::NodeId(2)).args.at(1)), 0.01);
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
        row("graph f(x: f32[2, 2]):\n    y: f32[2, 2] = aten.mm.default(x)\n    return (y,)\n",
            "g:2:5: error: mm: argument 'mat2' is missing");
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
