// SPDX-License-Identifier: Apache-2.0
// C++ of trees written by hand, for sizes that are known when the kernel runs, against the slow
// interpreter.
#include "tests/unit/codegen/kernel_fixture.h"

#include "core/codegen/verify_scopes.h"
#include "core/kernel/tree_text.h"
#include "core/kernel/verify.h"

#include <QtTest>

#include <map>

using namespace cutaway;
using namespace cutaway::test;

namespace {

Sym s(uint16_t k) {
    return Sym(ir::Var{'s', k});
}

struct Case {
    KernelProgram program;
    std::vector<BufferId> reads, writes;

    BufferId buffer(const std::string& name, DType dtype, ir::Shape sizes, bool input) {
        Buffer made;
        made.id = BufferId(static_cast<uint32_t>(program.loops.buffers.size()));
        made.name = name;
        made.kind = input ? BufferKind::Input : BufferKind::Pointwise;
        made.dtype = dtype;
        made.sizes = std::move(sizes);
        made.strides = ir::contiguousStrides(made.sizes);
        program.loops.buffers.push_back(made);
        (input ? reads : writes).push_back(made.id);
        if (input)
            program.loops.inputs.push_back(made.id);
        else
            program.loops.outputs.push_back({made.id, made.sizes, made.strides, Sym(0)});
        return made.id;
    }
    void input(const std::string& name, ir::Shape sizes, DType dtype = DType::Float32) {
        buffer(name, dtype, std::move(sizes), true);
    }
    void output(const std::string& name, ir::Shape sizes, DType dtype = DType::Float32) {
        buffer(name, dtype, std::move(sizes), false);
    }

    void accumulated(const std::string& name, ir::Shape sizes) {
        const BufferId id = buffer(name, DType::Float32, sizes, true);
        reads.pop_back();
        writes.push_back(id);
        const Buffer& made = program.loops.buffer(id);
        program.loops.outputs.push_back({id, made.sizes, made.strides, Sym(0)});
    }

    /// The program with numbers for its size symbols.
    KernelProgram concrete(const std::map<uint16_t, int64_t>& sizes) const {
        KernelProgram result = program;
        auto number = [&](ir::Var v) -> std::optional<Sym> {
            return v.kind == 's' ? std::optional(Sym(sizes.at(v.index))) : std::nullopt;
        };
        for (Buffer& b : result.loops.buffers)
            for (ir::Shape* shape : {&b.sizes, &b.strides})
                for (Sym& size : *shape)
                    size = size.substitute(number);
        return result;
    }
};

/// What threads do that meet at a computed place of the first dimension.
constexpr const char* kPolicies[] = {"by owner of 0", "by atomics", "by copies", "by sorting of 0"};

class TestEmitTree : public QObject {
    Q_OBJECT

    std::unique_ptr<jit::CpuCompiler> compiler_ = jit::CpuCompiler::create();
    jit::CpuCompileOptions options_;

    /// \param sizes by symbol; one run each. \returns "" or what is wrong.
    std::string check(Case& c, const std::string& text,
                      const std::vector<std::map<uint16_t, int64_t>>& sizes,
                      double tolerance = 1e-5, int64_t positions = 0) {
        auto tree = parseTree(c.program.loops, text);
        if (!tree.ok()) return tree.error().message;
        Kernel kernel;
        kernel.id = KernelId(0);
        kernel.name = "fused_test";
        kernel.reads = c.reads;
        kernel.writes = c.writes;
        kernel.tree = std::move(*tree);
        c.program.kernels = {kernel};
        const codegen::KernelSource source =
            codegen::emitCpp(c.program, kernel,
                             {"tree", {{"vector", kernel.tree->lanes}, {"threads", 3}}, 0, {}, {}});
        const std::string own =
            QString::fromStdString(source.text).section('\n', source.preludeLines).toStdString();
        if (auto problem = codegen::verifyScopes(source)) return *problem + "\n" + own;
        auto module = compiler_->compile(kernel.name, source.text, options_);
        if (!module.ok()) return module.error().str() + "\n" + own;
        auto entry = reinterpret_cast<Entry>((*module)->symbol(source.entry));
        for (const auto& size : sizes) {
            const KernelProgram concrete = c.concrete(size);
            std::vector<ir::HostTensor> inputs;
            for (BufferId id : c.program.loops.inputs) {
                const Buffer& b = concrete.loops.buffer(id);
                inputs.push_back(randomTensor(b.dtype, ir::constants(b.sizes), 11 + id.index));
                if (b.dtype == DType::Int64 && positions > 0)
                    for (int64_t k = 0; k < inputs.back().numel(); ++k)
                        inputs.back().setInt(k, (k * 7 + 3) % positions);
            }
            auto want = interpret(c.program, inputs);
            if (!want.ok()) return want.error().str() + "\n" + own;
            std::vector<int64_t> arguments;
            for (ir::Var v : source.sizeArguments)
                arguments.push_back(size.at(v.index));
            const int64_t scratch =
                source.scratchBytes.evaluate([&](ir::Var v) { return size.at(v.index); });
            for (int threads : {1, 2, 3, 5}) {
                const RunResult got =
                    runEntry(concrete, kernel, entry, scratch, inputs, threads, 0, arguments);
                std::string problem = got.complaint;
                for (size_t n = 0; n < got.outputs.size() && problem.empty(); ++n)
                    problem = difference(got.outputs[n], (*want)[n], tolerance, 1);
                if (problem.empty()) continue;
                for (auto [symbol, value] : size)
                    problem += " s" + std::to_string(symbol) + "=" + std::to_string(value);
                return problem + " on " + std::to_string(threads) + " threads\n" + own;
            }
        }
        return {};
    }
    template <typename... Args> QString told(Args&&... args) {
        return QString::fromStdString(check(std::forward<Args>(args)...));
    }
    static std::vector<std::map<uint16_t, int64_t>> pairs() {
        std::vector<std::map<uint16_t, int64_t>> all;
        for (int64_t rows : {0, 1, 3, 17})
            for (int64_t width : {0, 1, 7, 15, 16, 17, 63, 64, 65, 127, 1000})
                all.push_back({{0, rows}, {1, width}});
        return all;
    }

private Q_SLOTS:
    void elements() {
        Case c;
        c.input("x", {s(0)});
        c.input("y", {s(0)});
        c.output("out", {s(0)});
        std::vector<std::map<uint16_t, int64_t>> sizes;
        for (int64_t n : {0, 1, 2, 15, 16, 17, 31, 97, 4096, 4097, 100003})
            sizes.push_back({{0, n}});
        QCOMPARE(told(c,
                      "for i in 0..s0 threads vector masked:\n"
                      "    product: f32 = x[i] * y[i]\n"
                      "    out[i] = maximum(product, 0.0)\n",
                      sizes),
                 QString());
    }

    void maskedReads_data() {
        QTest::addColumn<int>("dtype");
        QTest::addColumn<QString>("none");
        for (const ir::DTypeInfo& row : ir::allDTypes()) {
            if (ir::isComplex(row.id)) continue;
            const QString none = row.id == DType::Bool    ? "true"
                                 : ir::isFloating(row.id) ? "4.0"
                                                          : "4";
            QTest::newRow(std::string(row.name).c_str()) << static_cast<int>(row.id) << none;
        }
    }
    /// Lanes that lie side by side, apart and in one place; conditions of lanes, of rows and of
    /// values; and the same by elements.
    void maskedReads() {
        QFETCH(int, dtype);
        QFETCH(QString, none);
        const auto type = static_cast<DType>(dtype);
        const std::string n = none.toStdString();
        for (const char* how : {" vector masked", ""}) {
            Case c;
            c.input("x", {s(0), s(1)}, type);
            for (const char* name : {"beside", "apart", "back", "row", "one", "both", "values"})
                c.output(name, {s(0), s(1)}, type);
            std::vector<std::map<uint16_t, int64_t>> sizes;
            for (int64_t width : {1, 7, 16, 17, 65})
                sizes.push_back({{0, 3}, {1, width}});
            QCOMPARE(told(c,
                          "for o0 in 0..s0 threads:\n"
                          "    for i in 0..s1" +
                              std::string(how) +
                              ":\n"
                              "        beside[o0, i] = masked(x[o0, i - 2], i - 2 >= 0, " +
                              n +
                              ")\n"
                              "        apart[o0, i] = masked(x[o0, 2*i - 3], (2*i - 3 >= 0) & (2*i "
                              "- 3 < s1), " +
                              n +
                              ")\n"
                              "        back[o0, i] = masked(x[o0, s1 + 1 - i], s1 + 1 - i < s1, " +
                              n +
                              ")\n"
                              "        row[o0, i] = masked(x[o0 - 1, i], o0 - 1 >= 0, " +
                              n +
                              ")\n"
                              "        one[o0, i] = masked(x[o0, 0], i > 4, " +
                              n +
                              ")\n"
                              "        both[o0, i] = masked(x[o0 - 1, i - 1], (o0 - 1 >= 0) & (i - "
                              "1 >= 0), x[o0, i])\n"
                              "        values[o0, i] = masked(x[o0, i], x[o0, i] > x[o0, 0], " +
                              n + ")\n",
                          sizes, 1e-2),
                     QString());
        }
    }

    void lengthsThatAreSums() {
        Case c;
        c.input("told0", {s(0)}); // what s0 and s1 are
        c.input("told1", {s(1)});
        c.input("x", {s(0) + s(1)});
        c.output("out", {s(0) + s(1)});
        c.output("total", {});
        QCOMPARE(told(c,
                      "total_1: f32 = start sum\n"
                      "for i in 0..s0+s1 reduce threads vector masked:\n"
                      "    out[i] = x[i] + 1.0\n"
                      "    total_1 sum= x[i]\n"
                      "total[] = total_1\n",
                      pairs(), 1e-4),
                 QString());
    }

    void softmaxOfRows() {
        Case c;
        c.input("x", {s(0), s(1)});
        c.output("out", {s(0), s(1)});
        QCOMPARE(told(c,
                      "for o0 in 0..s0 threads:\n"
                      "    m: f32 = start max\n"
                      "    for i in 0..s1 reduce vector masked:\n"
                      "        m max= x[o0, i]\n"
                      "    total: f32 = start sum\n"
                      "    for i in 0..s1 reduce vector masked:\n"
                      "        e: f32[i] = exp(x[o0, i] - m)\n"
                      "        total sum= e\n"
                      "    inverse: f32 = 1.0 / total\n"
                      "    for i in 0..s1 vector masked:\n"
                      "        out[o0, i] = e * inverse\n",
                      pairs()),
                 QString());
    }

    void sumsOverRowsAndOfEverything() {
        Case c;
        c.input("x", {s(0), s(1)});
        c.output("columns", {s(1)});
        c.output("all", {});
        QCOMPARE(told(c,
                      "column: f32[i] = start sum\n"
                      "everything: f32 = start sum\n"
                      "for o0 in 0..s0 reduce threads:\n"
                      "    for i in 0..s1 reduce vector masked:\n"
                      "        column sum= x[o0, i]\n"
                      "        everything sum= x[o0, i] * x[o0, i]\n"
                      "all[] = everything\n"
                      "for i in 0..s1 vector masked:\n"
                      "    columns[i] = column\n",
                      pairs()),
                 QString());
    }

    void sumOverOuterAndInnerAxes() {
        Case c;
        c.input("x", {s(0), s(1), s(2)});
        c.output("mean", {s(1)});
        c.output("out", {s(0), s(1), s(2)});
        std::vector<std::map<uint16_t, int64_t>> sizes;
        for (int64_t n : {0, 1, 4})
            for (int64_t width : {0, 1, 16, 49, 130})
                sizes.push_back({{0, n}, {1, 5}, {2, width}});
        QCOMPARE(told(c,
                      "for o0 in 0..s1 threads:\n"
                      "    total: f32 = start sum\n"
                      "    for o1 in 0..s0 reduce:\n"
                      "        for i in 0..s2 reduce vector masked:\n"
                      "            total sum= x[o1, o0, i]\n"
                      "    average: f32 = total / float32(s0*s2)\n"
                      "    mean[o0] = total\n"
                      "    for o1 in 0..s0:\n"
                      "        for i in 0..s2 vector masked:\n"
                      "            out[o1, o0, i] = x[o1, o0, i] - average\n",
                      sizes, 1e-4),
                 QString());
    }

    void scans() {
        Case c;
        c.input("x", {s(0), s(1)});
        c.output("out", {s(0), s(1)});
        QCOMPARE(told(c,
                      "for o0 in 0..s0 threads:\n"
                      "    total: f32 = start sum\n"
                      "    for i in 0..s1 scan:\n"
                      "        total sum= x[o0, i]\n"
                      "        out[o0, i] = total\n",
                      pairs()),
                 QString());
    }

    void scansDownColumns_data() {
        QTest::addColumn<QString>("direction");
        QTest::newRow("forwards") << "";
        QTest::newRow("backwards") << " backwards";
    }
    void scansDownColumns() {
        QFETCH(QString, direction);
        Case c;
        c.input("x", {4, s(0), s(1)});
        for (const char* name : {"sums", "products", "logs", "most", "least"})
            c.output(name, {4, s(0), s(1)});
        for (const char* name : {"at_most", "at_least"})
            c.output(name, {4, s(0), s(1)}, DType::Int64);
        QCOMPARE(told(c,
                      "for o0 in 0..4 threads:\n"
                      "    for o1 in 0..s0 scan" +
                          direction.toStdString() +
                          ":\n"
                          "        for i in 0..s1 vector masked:\n"
                          "            v: f32 = x[o0, o1, i]\n"
                          "            s: f32 = running sum of v along o1\n"
                          "            p: f32 = running product of v along o1\n"
                          "            l: f32 = running logsumexp of s along o1\n"
                          "            m: f32, at: i64 = running max of v along o1\n"
                          "            n: f32, to: i64 = running min of v along o1\n"
                          "            sums[o0, o1, i] = s\n"
                          "            products[o0, o1, i] = p\n"
                          "            logs[o0, o1, i] = l\n"
                          "            most[o0, o1, i] = m\n"
                          "            least[o0, o1, i] = n\n"
                          "            at_most[o0, o1, i] = at\n"
                          "            at_least[o0, o1, i] = to\n",
                      pairs()),
                 QString());
    }

    void largestAndItsPosition() {
        Case c;
        c.input("x", {s(0), s(1)});
        c.output("largest", {s(0)});
        c.output("position", {s(0)}, DType::Int64);
        std::vector<std::map<uint16_t, int64_t>> sizes = pairs();
        std::erase_if(sizes, [](const auto& size) { return size.at(1) == 0; });
        QCOMPARE(told(c,
                      "for o0 in 0..s0 threads:\n"
                      "    m: f32, at: i64 = start argmax\n"
                      "    for i in 0..s1 reduce vector masked:\n"
                      "        m, at argmax= x[o0, i] at i\n"
                      "    largest[o0] = m\n"
                      "    position[o0] = at\n",
                      sizes),
                 QString());
    }

    void extremesOfColumns_data() {
        QTest::addColumn<QString>("how");
        QTest::newRow("largest") << "argmax";
        QTest::newRow("least") << "argmin";
    }
    void extremesOfColumns() {
        QFETCH(QString, how);
        const std::string name = how.toStdString();
        Case c; // the first of many that are equal
        c.input("x", {s(0), s(1)});
        c.output("extreme", {s(1)});
        c.output("position", {s(1)}, DType::Int64);
        std::vector<std::map<uint16_t, int64_t>> sizes = pairs();
        std::erase_if(sizes, [](const auto& size) { return size.at(0) == 0; });
        QCOMPARE(told(c,
                      "m: f32[i], at: i64[i] = start " + name +
                          "\n"
                          "for o0 in 0..s0 reduce threads:\n"
                          "    for i in 0..s1 vector masked:\n"
                          "        m, at " +
                          name +
                          "= floor(x[o0, i] * 2.0) at o0\n"
                          "for i in 0..s1 vector masked:\n"
                          "    extreme[i] = m\n"
                          "    position[i] = at\n",
                      sizes),
                 QString());
        Case inside; // a thread's own
        inside.input("x", {5, s(0), s(1)});
        inside.output("position", {5, s(1)}, DType::Int64);
        QCOMPARE(told(inside,
                      "for o0 in 0..5 threads:\n"
                      "    m: f32[i], at: i64[i] = start " +
                          name +
                          "\n"
                          "    for o1 in 0..s0 reduce:\n"
                          "        for i in 0..s1 vector masked:\n"
                          "            m, at " +
                          name +
                          "= x[o0, o1, i] at o1\n"
                          "    for i in 0..s1 vector masked:\n"
                          "        position[o0, i] = at\n",
                      sizes),
                 QString());
    }

    void scatterOfRows_data() {
        QTest::addColumn<QString>("policy");
        for (const char* policy : kPolicies)
            QTest::newRow(policy) << policy;
        QTest::newRow("by owner of 1") << "by owner of 1";
    }
    void scatterOfRows() {
        // The gradient of an embedding: rows of x are added to rows of out.
        QFETCH(QString, policy);
        Case c;
        c.input("index", {s(0)}, DType::Int64);
        c.input("x", {s(0), s(1)});
        c.accumulated("out", {5, s(1) + Sym(3)}); // wider than what is added
        const std::string text = "for o0 in 0..s0 reduce threads:\n"
                                 "    for i in 0..s1 vector masked:\n"
                                 "        out[index[o0], i] sum= x[o0, i] * 2.0 " +
                                 policy.toStdString() + "\n";
        QCOMPARE(told(c, text, pairs(), 1e-5, 5), QString());
    }

    void placesThatAreComputedInSteps() {
        // Two loops are one number of rows; the place is a value with a name, used elsewhere too.
        Case c;
        c.input("index", {3, s(0)}, DType::Int64);
        c.input("x", {3, s(0), s(1)});
        c.accumulated("out", {7, s(1)});
        for (const char* policy : kPolicies)
            QCOMPARE(told(c,
                          "for o0 in 0..3 reduce threads:\n"
                          "    for o1 in 0..s0 reduce threads:\n"
                          "        at: i64 = index[o0, o1] + 1\n"
                          "        twice: i64 = at * 2 - at\n"
                          "        for i in 0..s1 vector masked:\n"
                          "            out[twice, i] sum= x[o0, o1, i] * f32(at) " +
                              std::string(policy) + "\n",
                          pairs(), 1e-5, 6),
                     QString());
    }

    void otherSumsAtPlaces_data() {
        QTest::addColumn<QString>("how");
        for (const char* how : {"prod", "max", "min"})
            QTest::newRow(how) << how;
    }
    void otherSumsAtPlaces() {
        QFETCH(QString, how);
        Case c;
        c.input("index", {s(0)}, DType::Int64);
        c.input("x", {s(0)});
        c.accumulated("out", {9});
        for (const char* policy : kPolicies)
            for (bool vector : {false, true}) {
                if (vector && std::string(policy).starts_with("by sorting")) continue;
                QCOMPARE(told(c,
                              std::string("for i in 0..s0 reduce threads") +
                                  (vector ? " vector masked:\n" : ":\n") + "    out[index[i]] " +
                                  how.toStdString() + "= x[i] + 1.0 " + policy + "\n",
                              pairs(), 1e-5, 9),
                         QString());
            }
    }

    void lanesAreNotSorted() {
        Case c;
        c.input("index", {s(0)}, DType::Int64);
        c.input("x", {s(0)});
        c.accumulated("out", {9});
        QVERIFY_THROWS_EXCEPTION(std::logic_error,
                                 told(c,
                                      "for i in 0..s0 reduce threads vector masked:\n"
                                      "    out[index[i]] sum= x[i] by sorting of 0\n",
                                      pairs(), 1e-5, 9));
    }

    void scatterOfElements() {
        Case c;
        c.input("index", {s(0), s(1)}, DType::Int64);
        c.input("x", {s(0), s(1)});
        c.accumulated("out", {9});
        QCOMPARE(told(c,
                      "for o0 in 0..s0 reduce threads:\n"
                      "    for i in 0..s1 reduce vector masked:\n"
                      "        out[index[o0, i]] sum= x[o0, i] by owner of 0\n",
                      pairs(), 1e-5, 9),
                 QString());
        QCOMPARE(told(c,
                      "for o0 in 0..s0 reduce threads:\n"
                      "    for o1 in 0..s1 reduce:\n"
                      "        out[index[o0, o1]] sum= x[o0, o1] by owner of 0\n",
                      pairs(), 1e-5, 9),
                 QString());
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestEmitTree)
#include "test_emit_tree.moc"
