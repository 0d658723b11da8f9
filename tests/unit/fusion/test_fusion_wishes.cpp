// SPDX-License-Identifier: Apache-2.0
// Two buffers in one kernel or in two, whatever grouping would say.
#include "core/fusion/fuse.h"
#include "core/kernel/verify.h"
#include "tests/unit/fusion/loop_builder.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::testing;
using fusion::Wish;
using kernel::KernelProgram;

namespace {

using enum ScalarOp;

/// exp(x) + 1, summed over rows, and many reductions of x beside each other.
KernelProgram fused(std::vector<Wish>& wishes, int sums = 0) {
    LoopBuilder b;
    const BufferId x = b.input("x", {64, 64});
    const BufferId exp = b.unary("exp", Exp, x);
    b.output(b.scaled("plus", Add, exp, 1));
    for (int i = 0; i < sums; ++i)
        b.output(b.reduce("sum_" + std::to_string(i), kernel::ReduceOp::Sum, x, {1}, true));
    b.program.name = "forward";
    fusion::FusionOptions options;
    options.wishes = &wishes;
    return fusion::fuse(std::move(b.program), options);
}

/// A matrix product, plus one, then relu: usually one library call.
KernelProgram product(std::vector<Wish> wishes, bool epilogues, bool& met) {
    LoopBuilder b;
    const BufferId mm = b.matmul("mm", b.input("x", {8, 6}), b.input("y", {6, 5}));
    b.output(b.scaled("relu", Max, b.scaled("plus", Add, mm, 1), 0));
    fusion::FusionOptions options;
    options.epilogues = epilogues;
    options.wishes = &wishes;
    KernelProgram program = fusion::fuse(std::move(b.program), options);
    met = std::all_of(wishes.begin(), wishes.end(), [](const Wish& wish) { return wish.met; });
    return program;
}

QString ruleOf(const KernelProgram& program, const std::string& a, const std::string& b) {
    for (const kernel::FusionDecision& decision : program.decisions)
        if (program.loops.buffer(decision.a).name == a &&
            program.loops.buffer(decision.b).name == b)
            return (decision.fused ? "fused: " : "apart: ") + QString::fromStdString(decision.rule);
    return "none";
}

/// Twice x - sum(x), a row at a time.
KernelProgram centred(std::vector<Wish> wishes, bool sumIsOutput) {
    LoopBuilder b;
    const BufferId x = b.input("x", {4, 1024});
    const BufferId sum = b.reduce("sum", kernel::ReduceOp::Sum, x, {1}, true);
    const BufferId sub = b.binary("sub", Sub, x, sum);
    b.output(b.scaled("twice", Mul, sub, 2));
    if (sumIsOutput) b.output(sum);
    fusion::FusionOptions options;
    options.wishes = &wishes;
    return fusion::fuse(std::move(b.program), options);
}

/// Bytes of one value that kernels write and read.
int64_t trafficOf(const KernelProgram& program, const std::string& name) {
    int64_t bytes = 0;
    auto named = [&](BufferId id) { return program.loops.buffer(id).name == name; };
    for (const kernel::Kernel& kernel : program.kernels)
        for (const auto* moved : {&kernel.reads, &kernel.writes})
            if (std::ranges::any_of(*moved, named)) bytes += 4 * 4;
    return bytes;
}

const kernel::FusionDecision& decisionOf(const KernelProgram& program, const std::string& a,
                                         const std::string& b) {
    for (const kernel::FusionDecision& decision : program.decisions)
        if (program.loops.buffer(decision.a).name == a &&
            program.loops.buffer(decision.b).name == b)
            return decision;
    throw std::logic_error("no decision about " + a + " and " + b);
}

} // namespace

class TestFusionWishes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_pair_is_kept_apart() {
        std::vector<Wish> none, wishes{{"exp", "forward/plus", false}};
        QCOMPARE(fused(none).kernels.size(), size_t(1));
        const KernelProgram apart = fused(wishes);
        QCOMPARE(apart.kernels.size(), size_t(2));
        QVERIFY(wishes.front().met);
        QCOMPARE(ruleOf(apart, "exp", "plus"), "apart: asked for");
        QVERIFY(!kernel::verify(apart));
    }
    void what_a_pair_shares_is_what_its_value_moves_fused_or_apart_data() {
        QTest::addColumn<bool>("output");
        QTest::newRow("read by one") << false;
        QTest::newRow("an output, too") << true;
    }
    void what_a_pair_shares_is_what_its_value_moves_fused_or_apart() {
        QFETCH(bool, output);
        const KernelProgram together = centred({}, output);
        const KernelProgram apart = centred({{"sum", "sub", false}}, output);
        const kernel::FusionDecision &is = decisionOf(together, "sum", "sub"),
                                     &was = decisionOf(apart, "sum", "sub");
        QVERIFY(is.fused && !was.fused);
        QCOMPARE(is.bytesSaved, trafficOf(apart, "sum") - trafficOf(together, "sum"));
        QCOMPARE(was.bytesSaved, is.bytesSaved);
        // x is read again, too: that is no matter of this sentence.
        QVERIFY(apart.bytesMoved() - together.bytesMoved() > is.bytesSaved);
        const QString reason = QString::fromStdString(is.reason);
        QVERIFY2(!reason.contains("less traffic"), qPrintable(reason));
        QVERIFY2(reason.contains(QString::number(is.bytesSaved)), qPrintable(reason));
    }
    void a_pair_is_fused_though_the_kernel_gets_long() {
        constexpr int kSums = 40; // more than a kernel usually has
        std::vector<Wish> none, wishes;
        auto longest = [](const KernelProgram& program) {
            size_t most = 0;
            for (const kernel::Kernel& kernel : program.kernels)
                most = std::max(most, kernel.members.size());
            return most;
        };
        QVERIFY(longest(fused(none, kSums)) < size_t(kSums));
        for (int i = 1; i < kSums; ++i)
            wishes.push_back({"sum_0", "sum_" + std::to_string(i), true});
        const KernelProgram together = fused(wishes, kSums);
        QVERIFY(longest(together) >= size_t(kSums));
        for (const Wish& wish : wishes)
            QVERIFY2(wish.met, wish.problem.c_str());
        QVERIFY(!kernel::verify(together));
    }
    void what_follows_a_library_call_is_kept_out_of_it_data() {
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<int>("inside");
        QTest::newRow("what follows the product") << QByteArray("mm") << 0;
        QTest::newRow("what follows what follows") << QByteArray("plus") << 1;
    }
    void what_follows_a_library_call_is_kept_out_of_it() {
        QFETCH(QByteArray, first);
        QFETCH(int, inside);
        const std::string second = inside ? "relu" : "plus";
        bool met = false;
        QCOMPARE(product({}, true, met).kernels.size(), size_t(1));
        const KernelProgram apart = product({{first.toStdString(), second}}, true, met);
        QVERIFY(met);
        QCOMPARE(apart.kernels.size(), size_t(2));
        QCOMPARE(apart.kernels[0].call->epilogues.size(), size_t(inside));
        QCOMPARE(ruleOf(apart, first.toStdString(), second), "apart: asked for");
        QVERIFY(!kernel::verify(apart));
    }
    void a_wish_against_any_part_of_the_call_ends_it_there() {
        bool met = false;
        const KernelProgram apart = product({{"mm", "relu"}}, true, met);
        QVERIFY(met);
        QCOMPARE(apart.kernels.size(), size_t(2));
        QCOMPARE(apart.kernels[0].call->epilogues.size(), size_t(1));
    }
    void an_epilogue_is_taken_where_it_is_asked_for_only() {
        bool met = false;
        QCOMPARE(product({}, false, met).kernels.size(), size_t(2));
        const KernelProgram together = product({{"mm", "plus", true}}, false, met);
        QVERIFY(met);
        QCOMPARE(together.kernels.size(), size_t(2));
        QCOMPARE(together.kernels[0].call->epilogues.size(), size_t(1));
        QCOMPARE(ruleOf(together, "mm", "plus"), "fused: epilogue");
        QVERIFY(!kernel::verify(together));
    }
    void a_wish_of_another_graph_is_not_met() {
        std::vector<Wish> wishes{{"backward/exp", "backward/plus", false}};
        QCOMPARE(fused(wishes).kernels.size(), size_t(1));
        QVERIFY(!wishes.front().met && wishes.front().problem.empty());
    }
};

QTEST_APPLESS_MAIN(TestFusionWishes)
#include "test_fusion_wishes.moc"
