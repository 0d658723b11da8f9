// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/canonical.h"
#include "tests/support/same_but_names.h"
#include "tests/unit/codegen/kernel_fixture.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::test;
using cutaway::testing::differsInMoreThanNames;

namespace {

/// exp(in - max of its row) + its sum, with names from the end of \p mark.
KernelFixture softmaxLike(const std::string& mark, int64_t columns = 37) {
    KernelFixture f({5}, columns);
    BufferId x = f.input("x" + mark, DType::Float32, {5, columns});
    BufferId y = f.output("y" + mark, DType::Float32, {5, columns});
    BufferId s = f.output("s" + mark, DType::Float32, {5});
    Phase& p0 = f.phase();
    const ExprId value = f.load(x, {at(o()), at(i())});
    const ExprId most = f.reduceRow(p0, "amax" + mark, ReduceOp::Max, value);
    Phase& p1 = f.phase();
    const ExprId e =
        f.let(p1, mark.empty() ? "exp" : "e" + mark,
              f.pool().op(ScalarOp::Exp,
                          {f.pool().op(ScalarOp::Sub, {f.load(x, {at(o()), at(i())}), most})}));
    f.store(p1, y, {o(), i()}, e);
    const ExprId total = f.reduceRow(p1, "sum" + mark, ReduceOp::Sum, e);
    Phase& p2 = f.phase(false);
    f.store(p2, s, {o()}, total);
    f.finished();
    return f;
}

std::vector<codegen::KernelSource> sources(const KernelProgram& program, const Kernel& kernel) {
    return {testing::scheduledText(program, kernel, schedule::cpuModel(2, 64)),
            testing::cudaText(program, kernel)};
}

std::vector<codegen::KernelSource> canonical(const KernelFixture& f) {
    codegen::CanonicalNames names(f.program);
    const Kernel renamed = names.rename(f.program.kernels.front());
    return sources(names.program(), renamed);
}

} // namespace

class TestCanonical : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void what_is_compiled_is_what_is_shown_under_other_names() {
        for (const char* mark : {"", "_1", "_with_a_name_of_more_than_forty_letters_in_it"}) {
            const KernelFixture f = softmaxLike(mark);
            const auto shown = sources(f.program, f.program.kernels.front());
            const auto compiled = canonical(f);
            for (size_t k = 0; k < shown.size(); ++k) {
                const auto problem = differsInMoreThanNames(shown[k], compiled[k]);
                QVERIFY2(!problem, problem ? problem->c_str() : "");
                QCOMPARE(shown[k].lines.size(), compiled[k].lines.size());
                for (size_t at = 0; at < shown[k].lines.size(); ++at)
                    QCOMPARE(shown[k].lines[at].line, compiled[k].lines[at].line);
                QCOMPARE(compiled[k].entry, std::string("kernel"));
                QVERIFY(compiled[k].text.find("amax") == std::string::npos);
            }
        }
    }
    void kernels_that_differ_in_names_have_one_text() {
        const auto a = canonical(softmaxLike("")), b = canonical(softmaxLike("_other"));
        for (size_t k = 0; k < a.size(); ++k)
            QCOMPARE(QString::fromStdString(a[k].text), QString::fromStdString(b[k].text));
    }
    void kernels_that_differ_in_sizes_do_not() {
        const auto a = canonical(softmaxLike("")), b = canonical(softmaxLike("", 38));
        for (size_t k = 0; k < a.size(); ++k)
            QVERIFY(a[k].text != b[k].text);
    }
    void the_comparison_of_texts_sees_more_than_names() {
        using std::string_view;
        QVERIFY(!differsInMoreThanNames(string_view("a = b + math::a;"), "x = y + math::a;"));
        QVERIFY(!differsInMoreThanNames(string_view("// writes a\na = b;"), "// writes x\ny = z;"));
        QVERIFY(differsInMoreThanNames(string_view("// writes a, a\n"), "// writes x, y\n"));
        QVERIFY(differsInMoreThanNames(string_view("a = b + c;"), "x = y + y;"));
        QVERIFY(differsInMoreThanNames(string_view("a = b + b;"), "x = y + z;"));
        QVERIFY(differsInMoreThanNames(string_view("a = 1;"), "a = 2;"));
        QVERIFY(differsInMoreThanNames(string_view("a;"), "a; b;"));
    }
};

QTEST_APPLESS_MAIN(TestCanonical)
#include "test_canonical.moc"
