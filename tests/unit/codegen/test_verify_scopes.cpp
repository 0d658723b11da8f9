// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/verify_scopes.h"
#include "tests/unit/codegen/kernel_fixture.h"

#include <QtTest>

using namespace cutaway;

namespace {

const char* const kPrelude = R"(#define LANES 4
typedef float f32v __attribute__((vector_size(4 * LANES)));
struct All {};
template <class T> INLINE f32v load(const T* p, All = {}) { return *p; }
namespace math {
INLINE f32v exp(f32v x) { return x; }
}
)";

/// The complaint about a kernel's text, "" for none.
QString problem(const char* own) {
    codegen::KernelSource source;
    source.text = std::string(kPrelude) + own;
    source.preludeLines = static_cast<int>(QString(kPrelude).count('\n'));
    const auto found = codegen::verifyScopes(source);
    return found ? QString::fromStdString(*found) : QString();
}

class TestVerifyScopes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void texts_that_are_fine_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("blocks side by side") << "void f(const float* in, long n) {\n"
                                                "    for (long i = 0; i < n; ++i) {\n"
                                                "        const f32v x = load(in + i);\n"
                                                "    }\n"
                                                "    for (long i = 0; i < n; ++i) {\n"
                                                "        const f32v x = math::exp(load(in));\n"
                                                "    }\n"
                                                "}\n";
        QTest::newRow("lambdas, types of the text") << "typedef f32v f32x4;\n"
                                                       "extern \"C\" void f(float* out, long n) {\n"
                                                       "    const auto g = [&](long i, auto l) {\n"
                                                       "        const f32x4 exp = load(out + i);\n"
                                                       "        out[i] = exp[0] * 1e-5f;\n"
                                                       "    };\n"
                                                       "    g(n, All());\n"
                                                       "}\n";
        QTest::newRow("if with a declaration") << "void f(float* out, long n) {\n"
                                                  "    if (const long rest = n % 4)\n"
                                                  "        out[rest] = 0;\n"
                                                  "    else out[n] = 1;\n"
                                                  "}\n";
    }
    void texts_that_are_fine() {
        QFETCH(QString, text);
        QCOMPARE(problem(text.toUtf8()), QString());
    }
    void texts_that_are_not_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("complaint");
        QTest::newRow("hidden") << "void f(const float* in, long n) {\n"
                                   "    const float x = in[0];\n"
                                   "    for (long i = 0; i < n; ++i) {\n"
                                   "        const f32v x = load(in + i);\n"
                                   "        const f32v sub = x - x;\n"
                                   "    }\n"
                                   "}\n"
                                << "line 11: x hides the one of line 9";
        QTest::newRow("twice") << "void f(const float* in) {\n"
                                  "    const float mm = in[0];\n"
                                  "    const float mm = in[0];\n"
                                  "}\n"
                               << "line 10: mm is declared in line 9 of the same block already";
        QTest::newRow("undeclared") << "void f(const float* in) {\n"
                                       "    const float x = in[i];\n"
                                       "}\n"
                                    << "line 9: i is not declared";
        QTest::newRow("of a block that is closed") << "void f(float* out, long n) {\n"
                                                      "    for (long i = 0; i < n; ++i)\n"
                                                      "        out[i] = 0;\n"
                                                      "    out[i] = 1;\n"
                                                      "}\n"
                                                   << "line 11: i is not declared";
        QTest::newRow("the prelude's") << "void f(float* out, long n) {\n"
                                          "    const long load = n;\n"
                                          "    out[0] = load;\n"
                                          "}\n"
                                       << "line 9: load hides the prelude's";
        QTest::newRow("an array that nothing filled")
            << "void f(float* out, long n) {\n"
               "    float kept[2];\n"
               "    out[0] = kept[1];\n"
               "    kept[1] = 1;\n"
               "}\n"
            << "line 10: kept is read before it has a value";
        QTest::newRow("a parameter's")
            << "void f(float* out, long n) {\n"
               "    const long n = 1;\n"
               "}\n"
            << "line 9: n is declared in line 8 of the same block already";
    }
    void texts_that_are_not() {
        QFETCH(QString, text);
        QFETCH(QString, complaint);
        QCOMPARE(problem(text.toUtf8()), complaint);
    }
    void names_of_the_emitters_and_of_the_graph_do_not_meet() {
        // The graph has every name that an emitter would make for the sum of each row.
        for (const char* made :
             {"total_acc", "total_lanes", "o0", "f32x16", "step_1", "row", "i0"}) {
            test::KernelFixture f({5, 3}, 37);
            using namespace test;
            BufferId x = f.input("x", DType::Float32, {5, 3, 37});
            BufferId y = f.output("y", DType::Float32, {5, 3});
            BufferId z = f.output("z", DType::Float32, {5, 3, 37});
            Phase& p0 = f.phase();
            const ExprId value = f.let(
                p0, made, f.pool().op(ScalarOp::Neg, {f.load(x, {at(o(0)), at(o(1)), at(i())})}));
            const ExprId total = f.reduceRow(p0, "total", ReduceOp::Sum, value);
            f.store(p0, z, {o(0), o(1), i()}, value);
            Phase& p1 = f.phase(false);
            f.store(p1, y, {o(0), o(1)}, total);
            const Kernel& kernel = f.finished();
            for (const codegen::KernelSource& source :
                 {codegen::emitCpp(f.program, kernel, f.how(2)),
                  testing::cudaText(f.program, kernel)}) {
                const auto found = codegen::verifyScopes(source);
                if (found) QFAIL((made + (": " + *found + "\n" + source.text)).c_str());
            }
        }
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestVerifyScopes)
#include "test_verify_scopes.moc"
