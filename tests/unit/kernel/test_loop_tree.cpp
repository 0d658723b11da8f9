// SPDX-License-Identifier: Apache-2.0
// Loop trees written by hand: text and back, invariants, and what they compute.
#include "core/kernel/interpret.h"
#include "core/kernel/tree_text.h"
#include "core/kernel/verify.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::kernel;
using ir::DType;
using ir::HostTensor;
using ir::Sym;

namespace {

Sym s(uint16_t k) {
    return Sym(ir::Var{'s', k});
}

/// Buffers x (input), index (input) and out, and one kernel of a tree.
struct Program {
    KernelProgram program;

    BufferId add(const std::string& name, BufferKind kind, DType dtype, ir::Shape sizes) {
        LoopProgram& loops = program.loops;
        Buffer buffer;
        buffer.id = BufferId(static_cast<uint32_t>(loops.buffers.size()));
        buffer.name = name;
        buffer.kind = kind;
        buffer.dtype = dtype;
        buffer.sizes = std::move(sizes);
        buffer.strides = ir::contiguousStrides(buffer.sizes);
        loops.buffers.push_back(buffer);
        if (kind == BufferKind::Input) loops.inputs.push_back(buffer.id);
        if (kind != BufferKind::Input)
            loops.outputs.push_back({buffer.id, buffer.sizes, buffer.strides, Sym(0)});
        return buffer.id;
    }
    BufferId input(const std::string& name, ir::Shape sizes, DType dtype = DType::Float32) {
        return add(name, BufferKind::Input, dtype, std::move(sizes));
    }
    BufferId output(const std::string& name, ir::Shape sizes, DType dtype = DType::Float32) {
        return add(name, BufferKind::Pointwise, dtype, std::move(sizes));
    }

    /// The error, or nothing: text -> tree -> the same text.
    std::string parse(const std::string& text) {
        auto tree = parseTree(program.loops, text);
        if (!tree.ok()) return tree.error().message;
        const std::string again = print(program.loops, *tree);
        if (again != text) return "printed as\n" + again;
        Kernel kernel;
        kernel.name = "hand";
        kernel.tree = std::move(*tree);
        program.kernels = {kernel};
        return {};
    }
};

HostTensor floats(std::vector<int64_t> sizes, std::vector<double> values) {
    HostTensor t = HostTensor::zeros(DType::Float32, std::move(sizes));
    for (size_t k = 0; k < values.size(); ++k)
        t.set(static_cast<int64_t>(k), values[k]);
    return t;
}

std::vector<double> values(const HostTensor& t) {
    std::vector<double> result;
    for (int64_t k = 0; k < t.numel(); ++k)
        result.push_back(t.get(k));
    return result;
}

struct Given {
    std::string name;
    ir::Shape sizes;
    DType dtype = DType::Float32;
};

/// What the loops compute into each result, or the error in words.
struct Computed {
    std::vector<std::vector<double>> results;
    std::string error;
};
Computed compute(const std::vector<Given>& inputs, const std::vector<Given>& outputs,
                 const std::string& loops, const std::vector<HostTensor>& arguments) {
    Program p;
    for (const Given& g : inputs)
        p.input(g.name, g.sizes, g.dtype);
    for (const Given& g : outputs)
        p.output(g.name, g.sizes, g.dtype);
    Computed computed;
    computed.error = p.parse(loops);
    if (!computed.error.empty()) return computed;
    auto got = interpret(p.program, arguments);
    if (!got.ok()) {
        computed.error = got.error().message;
        return computed;
    }
    for (const HostTensor& result : *got)
        computed.results.push_back(values(result));
    return computed;
}

using Results = std::vector<std::vector<double>>;

class TestLoopTree : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reductionsAnywhere() {
        // A sum over the outer and the inner of three axes: three loops, no divisions.
        Program p;
        p.input("x", {s(0), s(1), s(2)});
        p.output("out", {s(1)});
        const std::string text = "for o0 in 0..s1 threads:\n"
                                 "    total: f32 = start sum\n"
                                 "    for o1 in 0..s0 reduce:\n"
                                 "        for i in 0..s2 reduce vector masked:\n"
                                 "            total sum= x[o1, o0, i] * 2.0\n"
                                 "    out[o0] = total\n";
        QCOMPARE(p.parse(text), std::string());
        const std::vector<ir::Var> sizes = {{'s', 0}, {'s', 1}, {'s', 2}};
        QVERIFY(p.program.kernels[0].tree->sizeArguments == sizes);
        auto got = interpret(p.program, std::vector{floats({2, 2, 3}, {1, 2, 3, 4, 5, 6, //
                                                                       7, 8, 9, 10, 11, 12})});
        QVERIFY2(got.ok(), got.ok() ? "" : got.error().message.c_str());
        QCOMPARE(values((*got)[0]), (std::vector<double>{60, 96}));
        // The same kernel for other sizes, empty ones included.
        got = interpret(p.program, std::vector{floats({0, 2, 3}, {})});
        QVERIFY(got.ok());
        QCOMPARE(values((*got)[0]), (std::vector<double>{0, 0}));
    }

    void scan() {
        const Computed got = compute({{"x", {2, 3}}}, {{"out", {2, 3}}},
                                     "for o0 in 0..2 threads:\n"
                                     "    sum: f32 = start sum\n"
                                     "    for i in 0..3 scan:\n"
                                     "        sum sum= x[o0, i]\n"
                                     "        out[o0, i] = sum\n",
                                     {floats({2, 3}, {1, 2, 3, 10, 20, 30})});
        QCOMPARE(got.error, std::string());
        QCOMPARE(got.results, (Results{{1, 3, 6, 10, 30, 60}}));
    }

    void scatter() {
        HostTensor index = HostTensor::zeros(DType::Int64, {4});
        for (int64_t k = 0; k < 4; ++k)
            index.setInt(k, k == 3 ? 0 : 2 * (k % 2));
        const Computed got = compute({{"x", {4}}, {"index", {4}, DType::Int64}}, {{"out", {3}}},
                                     "for o0 in 0..3 threads:\n"
                                     "    out[o0] = 1.0\n"
                                     "for o1 in 0..4 reduce threads:\n"
                                     "    out[index[o1]] sum= x[o1] by owner of 0\n",
                                     {floats({4}, {1, 2, 3, 4}), index});
        QCOMPARE(got.error, std::string());
        QCOMPARE(got.results, (Results{{9, 1, 3}}));
    }

    void severalResults() {
        const Computed got =
            compute({{"x", {2, 3}}}, {{"largest", {2}}, {"position", {2}, DType::Int64}},
                    "for o0 in 0..2 threads:\n"
                    "    m: f32, at: i64 = start argmax\n"
                    "    for i in 0..3 reduce vector:\n"
                    "        m, at argmax= x[o0, i] at i\n"
                    "    largest[o0] = m\n"
                    "    position[o0] = at\n",
                    {floats({2, 3}, {1, 5, 5, 3, 2, -1})});
        QCOMPARE(got.error, std::string());
        QCOMPARE(got.results, (Results{{5, 3}, {1, 0}}));
    }

    void runningValues() {
        const Computed got = compute(
            {{"x", {2, 4}}}, {{"sum", {2, 4}}, {"place", {2, 4}, DType::Int64}, {"least", {2, 4}}},
            "for o0 in 0..2 threads:\n"
            "    for i in 0..4 scan vector backwards:\n"
            "        s: f32 = running sum of x[o0, i]\n"
            "        sum[o0, i] = s\n"
            "    for i in 0..4 scan vector:\n"
            "        m: f32, at: i64 = running min of x[o0, i]\n"
            "        place[o0, i] = at\n"
            "        least[o0, i] = m\n",
            {floats({2, 4}, {1, 2, 2, 0, -1, 3, -1, -2})});
        QCOMPARE(got.error, std::string());
        QCOMPARE(got.results, (Results{{5, 4, 2, 0, -1, 0, -3, -2},
                                       {0, 0, 0, 3, 0, 0, 2, 3},
                                       {1, 1, 1, 0, -1, -1, -1, -2}}));
    }

    void runningValuesDownColumns() {
        const Computed got =
            compute({{"x", {2, 3, 2}}}, {{"sum", {2, 3, 2}}, {"place", {2, 3, 2}, DType::Int64}},
                    "for o0 in 0..2 threads:\n"
                    "    for o1 in 0..3 scan backwards:\n"
                    "        for i in 0..2 vector:\n"
                    "            s: f32 = running sum of x[o0, o1, i] along o1\n"
                    "            m: f32, at: i64 = running max of s along o1\n"
                    "            sum[o0, o1, i] = s\n"
                    "            place[o0, o1, i] = at\n",
                    {floats({2, 3, 2}, {1, 2, 3, 4, 5, -6, 7, 8, 9, 10, 11, 12})});
        QCOMPARE(got.error, std::string());
        QCOMPARE(got.results, (Results{{9, 0, 8, -2, 5, -6, 27, 30, 20, 22, 11, 12},
                                       {0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2}}));
    }

    void runningProductOfRunningSums() {
        const Computed got = compute({{"x", {4}}}, {{"out", {4}}, {"log", {4}}},
                                     "for i in 0..4 scan:\n"
                                     "    s: f32 = running sum of x[i]\n"
                                     "    p: f32 = running product of s\n"
                                     "    l: f32 = running logsumexp of x[i] * 0.0\n"
                                     "    out[i] = p\n"
                                     "    log[i] = l\n",
                                     {floats({4}, {1, 1, 1, 1})});
        QCOMPARE(got.error, std::string());
        QCOMPARE(got.results[0], (std::vector<double>{1, 2, 6, 24}));
        for (size_t k = 0; k < 4; ++k)
            QVERIFY(std::fabs(got.results[1][k] - std::log(static_cast<double>(k + 1))) < 1e-6);
    }

    void keptRow() {
        const Computed got = compute({{"x", {2, 3}}}, {{"out", {2, 3}}},
                                     "for o0 in 0..2:\n"
                                     "    sum: f32 = start sum\n"
                                     "    for i in 0..3 reduce vector:\n"
                                     "        e: f32[i] = exp(x[o0, i])\n"
                                     "        sum sum= e\n"
                                     "    inverse: f32 = 1.0 / sum\n"
                                     "    for i in 0..3 vector:\n"
                                     "        out[o0, i] = e * inverse\n",
                                     {floats({2, 3}, {0, 0, 0, 0, 0, 0})});
        QCOMPARE(got.error, std::string());
        QCOMPARE(got.results.size(), size_t{1});
        for (double value : got.results[0])
            QVERIFY(std::fabs(value - 1.0 / 3) < 1e-6);
    }

    void brokenTrees_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("error");
        auto row = [](const char* name, const char* text, const char* error) {
            QTest::newRow(name) << text << QString("these loops cannot run: ") + error;
        };
        row("value outside its loop",
            "for o0 in 0..4:\n    a: f32 = x[o0]\nfor o0 in 0..4:\n    out[o0] = a\n",
            "a is used outside its loop");
        row("variable outside its loop", "out[o0] = 1.0\n", "variable o0 is used outside its loop");
        row("shared scan",
            "a: f32 = start sum\nfor o0 in 0..4 threads:\n    a sum= x[o0]\n    out[o0] = a\n",
            "the loop over o0 is a scan: its iterations cannot be shared");
        row("shared running value",
            "for o0 in 0..4 threads:\n    a: f32 = running sum of x[o0]\n    out[o0] = a\n",
            "the loop over o0 is a scan: its iterations cannot be shared");
        row("running value without a loop", "a: f32 = running sum of x[0]\nout[0] = a\n",
            "a running value outside a loop");
        row("running value along another loop",
            "for o1 in 0..4:\n    out[o1] = 1.0\n"
            "for o0 in 0..4 scan:\n    a: f32 = running sum of x[o0] along o1\n    out[o0] = a\n",
            "a running value outside a loop");
        row("running logarithm of integers",
            "for o0 in 0..4:\n    a: i32 = running logsumexp of int32(x[o0])\n"
            "    out[o0] = float32(a)\n",
            "exponentials of integers are summed");
        row("conflict", "for o0 in 0..4 threads:\n    out[int64(x[o0])] sum= x[o0]\n",
            "iterations of o0 meet in out without a policy for it");
        row("stored twice", "out[0] = 1.0\nout[1] = 2.0\n", "out is stored twice");
        row("same axis twice", "for o0 in 0..4:\n    for o0 in 0..4:\n        out[o0] = 1.0\n",
            "a loop over o0 inside another one");
    }
    void brokenTrees() {
        QFETCH(QString, text);
        QFETCH(QString, error);
        Program p;
        p.input("x", {4});
        p.output("out", {4});
        QCOMPARE(QString::fromStdString(p.parse(text.toStdString())), error);
    }

    void brokenText_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("error");
        QTest::newRow("name") << "out[0] = y\n"
                              << "line 1 of the loops: y is no value that is known here";
        QTest::newRow("buffer") << "out[0] = y[0]\n" << "line 1 of the loops: y is no buffer";
        QTest::newRow("operation") << "\nout[0] = twice(x[0])\n"
                                   << "line 2 of the loops: twice is no operation";
        QTest::newRow("operands") << "out[0] = exp(x[0], x[1])\n"
                                  << "line 1 of the loops: exp takes 1 operands, found 2";
        QTest::newRow("loop") << "for o0 in 0..4\n"
                              << "line 1 of the loops: expected ':', found ''";
        QTest::newRow("rest") << "out[0] = 1.0 2.0\n"
                              << "line 1 of the loops: 'out[0] = 1.0 2.0' goes on too long";
    }
    void brokenText() {
        QFETCH(QString, text);
        QFETCH(QString, error);
        Program p;
        p.input("x", {4});
        p.output("out", {4});
        QCOMPARE(QString::fromStdString(p.parse(text.toStdString())), error);
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestLoopTree)
#include "test_loop_tree.moc"
