// SPDX-License-Identifier: Apache-2.0
// Buffers with two results: an extreme beside its position, of a reduction and of a scan.
#include "core/fusion/fuse.h"
#include "core/kernel/interpret.h"
#include "core/kernel/loops_text.h"
#include "core/kernel/printer.h"
#include "core/kernel/tree_text.h"
#include "core/kernel/verify.h"
#include "tests/unit/fusion/loop_builder.h"

#include <QtTest>

using namespace cutaway;
using kernel::KernelProgram;
using kernel::LoopProgram;

namespace {

constexpr const char* kRows = R"(loops rows:
    x: f32[4, 24] = input
    y: f32[4, 24] = input
    product: f32[4, 24] = x[d0, d1] * y[d0, d1]  for d0 in 0..4, d1 in 0..24
    at: i64[4] = argmax over r0 in 0..24 of product[d0, r0]  for d0 in 0..4
    most: f32[4] = other result of at
    rest: f32[4, 24] = product[d0, d1] - most[d0]  for d0 in 0..4, d1 in 0..24
    return most = most[4; strides 1; offset 0]
    return rest = rest[4, 24; strides 24, 1; offset 0]
)";

constexpr const char* kScan = R"(loops scan:
    x: f32[3, 20] = input
    at: i64[3, 20] = scan(x[3, 20; strides 20, 1; offset 0]; along 1, max)
    most: f32[3, 20] = other result of at, x[d0, at[d0, d1]]  for d0 in 0..3, d1 in 0..20
    total: f32[3] = sum over r0 in 0..20 of most[d0, r0]  for d0 in 0..3
    share: f32[3, 20] = most[d0, d1] / total[d0]  for d0 in 0..3, d1 in 0..20
    return at = at[3, 20; strides 20, 1; offset 0]
    return share = share[3, 20; strides 20, 1; offset 0]
)";

constexpr const char* kColumns = R"(loops columns:
    x: f32[2, 20, 33] = input
    at: i64[2, 20, 33] = scan(x[2, 20, 33; strides 660, 33, 1; offset 0]; along 1, max, backwards)
    most: f32[2, 20, 33] = other result of at, x[d0, at[d0, d1, d2], d2]  for d0 in 0..2, d1 in 0..20, d2 in 0..33
    apart: f32[2, 20, 33] = most[d0, d1, d2] - x[d0, d1, d2]  for d0 in 0..2, d1 in 0..20, d2 in 0..33
    return at = at[2, 20, 33; strides 660, 33, 1; offset 0]
    return apart = apart[2, 20, 33; strides 660, 33, 1; offset 0]
)";

constexpr const char* kTops = R"(loops tops:
    x: f32[20, 33] = input
    at: i64[33] = argmax over r0 in 0..20 of x[r0, d0]  for d0 in 0..33
    most: f32[33] = other result of at
    twice: f32[33] = most[d0] * 2.0  for d0 in 0..33
    return at = at[33; strides 1; offset 0]
    return twice = twice[33; strides 1; offset 0]
)";

/// A library's: its operand lies transposed.
constexpr const char* kLibrary = R"(loops library:
    x: f32[20, 3] = input
    at: i64[3, 20] = scan(x[3, 20; strides 1, 3; offset 0]; along 1, min)
    least: f32[3, 20] = other result of at, x[at[d0, d1], d0]  for d0 in 0..3, d1 in 0..20
    return at = at[3, 20; strides 20, 1; offset 0]
    return least = least[3, 20; strides 20, 1; offset 0]
)";

constexpr const char* kMoments = R"(loops moments:
    x: f32[3, 40] = input
    squares: f32[3] = welford over r0 in 0..40 of x[d0, r0]  for d0 in 0..3
    mean: f32[3] = other result of squares
    apart: f32[3, 40] = x[d0, d1] - mean[d0]  for d0 in 0..3, d1 in 0..40
    return squares = squares[3; strides 1; offset 0]
    return mean = mean[3; strides 1; offset 0]
    return apart = apart[3, 40; strides 40, 1; offset 0]
)";

LoopProgram parsed(const std::string& text) {
    auto program = kernel::parseLoops(text, "loops");
    return program.ok() ? std::move(*program) : LoopProgram();
}
KernelProgram fused(const LoopProgram& program, bool fuse) {
    fusion::FusionOptions options;
    options.fuse = fuse;
    return fusion::fuse(program, options);
}
/// What is wrong with the kernels of a program; empty: they compute what its loops say.
QString problemOf(const LoopProgram& program, bool fuse) {
    const KernelProgram kernels = fused(program, fuse);
    if (auto problem = kernel::verify(kernels)) return QString::fromStdString(*problem);
    const auto inputs = testing::randomInputs(program, 7);
    auto expected = kernel::interpret(program, inputs);
    auto found = kernel::interpret(kernels, inputs);
    if (!expected.ok() || !found.ok()) return "cannot be interpreted";
    return QString::fromStdString(testing::difference(*expected, *found, 1e-6));
}
std::string firstTree(const KernelProgram& program) {
    return kernel::print(program.loops, *program.kernels[0].tree);
}

} // namespace

class TestOtherResults : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void text_comes_back() {
        for (const char* text : {kRows, kScan, kColumns, kTops, kLibrary, kMoments}) {
            auto program = kernel::parseLoops(text, "loops");
            QVERIFY2(program.ok(), program.ok() ? "" : program.error().str().c_str());
            QCOMPARE(kernel::print(*program), std::string(text));
        }
    }

    void loops_mean_what_their_text_says() {
        const LoopProgram program = parsed(kLibrary);
        ir::HostTensor x = ir::HostTensor::zeros(ir::DType::Float32, {20, 3});
        for (int64_t i = 0; i < 60; ++i)
            x.set(i, static_cast<double>(i * 37 % 60));
        auto out = kernel::interpret(program, std::span(&x, 1));
        QVERIFY(out.ok());
        for (int64_t row = 0; row < 3; ++row) {
            double least = 100;
            for (int64_t i = 0; i < 20; ++i) {
                least = std::min(least, x.get(i * 3 + row));
                QCOMPARE((*out)[1].get(row * 20 + i), least);
                QCOMPARE(x.get((*out)[0].getInt(row * 20 + i) * 3 + row), least);
            }
        }
    }

    void a_pass_gives_mean_and_squared_deviations() {
        const LoopProgram program = parsed(kMoments);
        ir::HostTensor x = ir::HostTensor::zeros(ir::DType::Float32, {3, 40});
        for (int64_t i = 0; i < 120; ++i) // far from zero: sums of squares would lose the variance
            x.set(i, 100000 + static_cast<double>(i * 37 % 40));
        auto out = kernel::interpret(program, std::span(&x, 1));
        QVERIFY(out.ok());
        for (int64_t row = 0; row < 3; ++row) {
            double mean = 0, squares = 0;
            for (int64_t i = 0; i < 40; ++i)
                mean += x.get(row * 40 + i) / 40;
            for (int64_t i = 0; i < 40; ++i)
                squares += (x.get(row * 40 + i) - mean) * (x.get(row * 40 + i) - mean);
            QVERIFY(std::fabs((*out)[0].get(row) - squares) < 1e-3 * squares);
            QVERIFY(std::fabs((*out)[1].get(row) - mean) < 0.01);
        }
        const std::string tree = firstTree(fused(program, true));
        QVERIFY2(tree.find("mean, squares welford= x[o0, i]") != std::string::npos, tree.c_str());
    }

    void one_loop_has_both() {
        for (bool fuse : {true, false})
            for (const char* text : {kRows, kScan, kColumns, kTops, kLibrary, kMoments})
                QCOMPARE(problemOf(parsed(text), fuse), QString());
        const std::string rows = firstTree(fused(parsed(kRows), true));
        QVERIFY2(rows.find("most, at argmax= product at i") != std::string::npos, rows.c_str());
        QVERIFY2(rows.find("most[o0] = most") != std::string::npos, rows.c_str());
        QVERIFY2(rows.find("at[o0] =") == std::string::npos, rows.c_str()); // nobody asks for it
        const KernelProgram scan = fused(parsed(kScan), true);
        QCOMPARE(scan.kernels.size(), size_t(1));
        const std::string kept = firstTree(scan);
        QVERIFY2(kept.find("most: f32[i], at: i64 = running max of x[o0, i]") != std::string::npos,
                 kept.c_str());
        const KernelProgram tops = fused(parsed(kTops), true);
        QCOMPARE(tops.kernels.size(), size_t(1));
        const std::string top = firstTree(tops);
        QVERIFY2(top.find("most, at argmax= x[o0, i] at o0") != std::string::npos, top.c_str());
        const KernelProgram columns = fused(parsed(kColumns), true);
        QCOMPARE(columns.kernels.size(), size_t(1));
        const std::string down = firstTree(columns);
        QVERIFY2(down.find("most: f32, at: i64 = running max of x[o0, o1, i] along o1") !=
                     std::string::npos,
                 down.c_str());
        for (const char* text : {kRows, kScan, kColumns, kTops, kMoments}) {
            KernelProgram kernels = fused(parsed(text), true);
            const std::string before = firstTree(kernels);
            auto tree = kernel::parseTree(kernels.loops, before);
            QVERIFY2(tree.ok(), tree.ok() ? "" : tree.error().message.c_str());
            QCOMPARE(kernel::print(kernels.loops, *tree), before);
        }
    }

    void the_decision_says_so() {
        bool told = false;
        for (const kernel::FusionDecision& d : fused(parsed(kRows), true).decisions)
            told = told || (d.rule == "one accumulator" &&
                            d.reason == "at and most are results of the same loops");
        QVERIFY(told);
    }

    void a_library_gives_positions_only() {
        const KernelProgram program = fused(parsed(kLibrary), true);
        QCOMPARE(program.kernels.size(), size_t(2));
        QVERIFY(!program.kernels[0].hasCode());
    }

    void others_have_one_result() {
        auto problem = [](std::string text, const std::string& from, const std::string& to) {
            text.replace(text.find(from), from.size(), to);
            auto program = kernel::parseLoops(text, "loops");
            return program.ok() ? std::string("none") : program.error().message;
        };
        QCOMPARE(problem(kRows, "at: i64[4] = argmax over", "at: f32[4] = sum over"),
                 std::string("these loops cannot run: at has no other result than itself"));
        QCOMPARE(problem(kRows, "most: f32[4] = other result of at",
                         "most: f32[4] = other result of product"),
                 std::string("these loops cannot run: most and its positions differ in sizes"));
        QCOMPARE(problem(kScan, ", x[d0, at[d0, d1]]  for d0 in 0..3, d1 in 0..20", ""),
                 std::string("these loops cannot run: most has no value"));
        QCOMPARE(problem(kRows, "most: f32[4] = other result of at",
                         "most: f32[4, 24] = other result of product"),
                 std::string("these loops cannot run: product has no other result than itself"));
        QCOMPARE(problem(kRows, "other result of at", "other result of nothing"),
                 std::string("nothing is no buffer above"));
    }
};

QTEST_GUILESS_MAIN(TestOtherResults)
#include "test_other_results.moc"
