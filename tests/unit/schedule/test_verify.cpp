// SPDX-License-Identifier: Apache-2.0
// The verifier of schedules: what templates make is found right, and every rule fires.
#include "tests/unit/codegen/kernel_fixture.h"

#include "core/kernel/tree_text.h"
#include "core/schedule/cpu_plan.h"
#include "core/schedule/verify.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::test;
using schedule::Candidate;
using schedule::Schedule;

namespace {

const auto kCpu = schedule::cpuModel(2, 64);
const auto kCuda = schedule::cudaModel();

/// y = 2 x in one long loop.
KernelFixture doubled(int64_t n) {
    KernelFixture f({}, n);
    BufferId x = f.input("x", DType::Float32, {n});
    BufferId y = f.output("y", DType::Float32, {n});
    f.store(f.phase(), y, {i()}, f.pool().op(ScalarOp::Mul, {f.load(x, {at(i())}), f.constant(2)}));
    return f;
}

/// Rows divided by their sums.
KernelFixture normalised(int64_t rows, int64_t n) {
    KernelFixture f({rows}, n);
    BufferId x = f.input("x", DType::Float32, {rows, n});
    BufferId y = f.output("y", DType::Float32, {rows, n});
    ExprId e = f.load(x, {at(o()), at(i())});
    ExprId sum = f.reduceRow(f.phase(), "total", ReduceOp::Sum, e);
    f.store(f.phase(), y, {o(), i()}, f.pool().op(ScalarOp::Div, {e, sum}));
    return f;
}

/// x[i] added at index[i] of y.
KernelFixture added(int64_t n) {
    KernelFixture f({}, n);
    BufferId x = f.input("x", DType::Float32, {n});
    BufferId index = f.input("index", DType::Int64, {n});
    BufferId y = f.output("y", DType::Float32, {100});
    f.tree->accumulate(f.phase(), y, {{{}, f.load(index, {at(i())})}}, ReduceOp::Sum,
                       f.load(x, {at(i())}), y);
    return f;
}

QString told(const std::optional<std::string>& problem) {
    return QString::fromStdString(problem.value_or(""));
}

QString found(KernelFixture& f, const Schedule& schedule, const schedule::DeviceModel& model) {
    return told(schedule::verify(f.program, f.finished(), schedule, model));
}

} // namespace

class TestVerify : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void what_templates_make_is_right() {
        int checked = 0;
        for (auto make : {+[] { return doubled(1 << 12); }, +[] { return doubled(1001); },
                          +[] { return normalised(100, 513); }, +[] { return normalised(3, 64); },
                          +[] { return added(1000); }})
            for (const auto& model : {kCpu, kCuda}) {
                KernelFixture f = make();
                Schedule schedule = schedule::makeSchedule(f.program, f.finished(), model);
                QCOMPARE(found(f, schedule, model), QString());
                schedule.forced = true;
                for (size_t k = 0; k < schedule.considered.size(); ++k) {
                    if (!schedule.considered[k].refused.empty()) continue;
                    schedule.taken = static_cast<int>(k);
                    QCOMPARE(found(f, schedule, model), QString());
                    ++checked;
                }
            }
        QVERIFY(checked > 40);
    }

    void what_is_taken() {
        KernelFixture f = doubled(1 << 20);
        const Schedule right = schedule::makeSchedule(f.program, f.finished(), kCpu);
        QCOMPARE(found(f, right, kCpu), QString());
        auto with = [&](auto&& change) {
            Schedule wrong = right;
            change(wrong);
            return found(f, wrong, kCpu);
        };
        auto taken = [](Schedule& s) -> Candidate& {
            return s.considered[static_cast<size_t>(s.taken)];
        };
        QCOMPARE(with([](Schedule& s) { s.taken = 99; }),
                 QString("kernel fused_test: what is taken was not considered"));
        QCOMPARE(with([](Schedule& s) { s.taken = -1; }),
                 QString("kernel fused_test: nothing is taken, and something can be"));
        QVERIFY(with([&](Schedule& s) { taken(s).refused = "no"; }).endsWith("was refused"));
        QVERIFY(with([&](Schedule& s) { taken(s).predictedUs = NAN; }).contains("nan us"));
        QVERIFY(with([&](Schedule& s) {
                    taken(s).predictedUs = 1e9;
                }).endsWith("is predicted to take less"));
        QCOMPARE(with([&](Schedule& s) {
                     taken(s).predictedUs = 1e9;
                     s.forced = true;
                 }),
                 QString());
        QCOMPARE(with([&](Schedule& s) { taken(s).by = "columns"; }),
                 QString("kernel fused_test: there is no template 'columns'"));
        QCOMPARE(
            with([&](Schedule& s) { taken(s).by = "rows"; }),
            QString("kernel fused_test: template 'rows' does not fit: one long loop: there are "
                    "no rows to share"));
        QCOMPARE(with([&](Schedule& s) { taken(s).decisions.set("colour", 1); }),
                 QString("kernel fused_test: template 'elements' does not decide 'colour'"));
        QVERIFY(with([&](Schedule& s) {
                    taken(s).decisions.set("vector", 3);
                }).endsWith("cannot run: vectors of 3 lanes: a power of two, up to 64"));
        QVERIFY(with([&](Schedule& s) {
                    taken(s).decisions.set("threads", 0);
                }).endsWith("cannot run: 0 threads"));
    }

    void the_same_bits_in_every_run() {
        KernelFixture f = added(100000);
        Schedule schedule = schedule::makeSchedule(f.program, f.finished(), kCuda);
        schedule.forced = true;
        for (size_t k = 0; k < schedule.considered.size(); ++k)
            if (schedule.considered[k].by == "linear" && schedule.considered[k].refused.empty())
                schedule.taken = static_cast<int>(k);
        QCOMPARE(schedule.chosen().by, std::string("linear"));
        auto wanted = kCuda;
        wanted.deterministic = true;
        QCOMPARE(found(f, schedule, kCuda), QString());
        QVERIFY(found(f, schedule, wanted).contains("adds in any order"));
    }

    void limits_of_the_device() {
        KernelFixture f = normalised(64, 50000);
        const Kernel& kernel = f.finished();
        auto limits = [&](const char* by, const schedule::Decisions& decisions,
                          const schedule::DeviceModel& model) {
            return told(
                schedule::verifyLimits(f.program, kernel, {by, decisions, 0, {}, {}}, model));
        };
        QCOMPARE(limits("rows", {{"vector", 128}}, kCpu),
                 QString("vectors of 128 lanes: 64 at most"));
        QCOMPARE(limits("rows", {{"threads", 0}}, kCpu), QString("0 threads"));
        QCOMPARE(limits("rows-reread", {{"row-threads", 2048}, {"threads", 2048}}, kCuda),
                 QString("blocks of 2048 threads: 1024 at most"));
        const schedule::Decisions one{{"vector", 1}, {"row-threads", 128}, {"threads", 128}};
        QVERIFY(limits("rows-shared", one, kCuda).isEmpty());
        auto small = kCuda;
        small.nearBytes = 1000;
        QVERIFY(limits("rows-shared", one, small).endsWith("bytes in shared memory: 1000 at most"));
        QVERIFY(limits("rows", one, kCuda).endsWith("registers: 255 at most"));
    }

    void loops_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("gpu");
        QTest::addColumn<QString>("problem");
        auto row = [](const char* text, bool gpu, const char* problem) {
            QTest::newRow(problem) << text << gpu << problem;
        };
        row("for o0 in 0..4 grid:\n    for i in 0..40:\n        y[o0, i] = x[o0, i]\n", false,
            "the loop over o0 runs where a processor has no place for it");
        row("for o0 in 0..4 threads:\n    for i in 0..40:\n        y[o0, i] = x[o0, i]\n", true,
            "the loop over o0 runs where a GPU has no place for it");
        row("for o0 in 0..4 vector masked:\n    for i in 0..40:\n        y[o0, i] = x[o0, i]\n",
            false, "the loop over i0 is inside the lanes of o0");
        row("for o0 in 0..4 grid:\n    for i in 0..40 block lane:\n        y[o0, i] = x[o0, i]\n",
            true, "the loop over i0 is shared by a warp and by its block");
        row("for o0 in 0..4 threads:\n    for i in 0..40 vector:\n        y[o0, i] = x[o0, i]\n",
            false, "16 lanes do not divide the 40 iterations of i0, which has no tail");
        row("for o0 in 0..4 threads:\n    for i in 0..40 vector masked:\n        y[0, i] = x[o0, "
            "i]\n",
            false, "iterations of o0 are shared, and all of them assign y");
        row("for o0 in 0..4 grid:\n    for i in 0..40 lane:\n        y[o0, 0] = x[o0, i]\n", true,
            "iterations of i0 are shared, and all of them assign y");
        row("for o0 in 0..4:\n    z[o0] = x[o0, 0]\n", false,
            "y is not stored as often as the kernel stores it");
        row("for o0 in 0..4:\n    for i in 0..40:\n        y[o0, i] = x[o0, i]\n    z[o0] = x[o0, "
            "0]\n",
            false, "something is stored that the kernel does not store");
        row("for o0 in 0..4 threads:\n    for i in 0..40 vector masked:\n        y[o0, i] = x[o0, "
            "i]\n",
            false, "");
    }
    void loops() {
        QFETCH(QString, text);
        QFETCH(bool, gpu);
        QFETCH(QString, problem);
        KernelFixture f({4}, 40);
        BufferId x = f.input("x", DType::Float32, {4, 40});
        BufferId y = f.output("y", DType::Float32, {4, 40});
        f.output("z", DType::Float32, {4});
        f.store(f.phase(), y, {o(), i()}, f.load(x, {at(o()), at(i())}));
        const LoopTree original = *f.finished().tree;
        const auto tree = parseTree(f.program.loops, text.toStdString());
        QVERIFY2(tree.ok(), tree ? "" : tree.error().message.c_str());
        QCOMPARE(told(schedule::verifyLoops(f.program.loops, original, *tree,
                                            gpu ? ir::Device::Kind::Cuda : ir::Device::Kind::Cpu)),
                 problem);
    }

    void a_conflict_that_is_not_declared() {
        KernelFixture f = added(1000);
        const Kernel& kernel = f.finished();
        schedule::CpuLoops loops = schedule::cpuLoops(
            f.program, kernel, {"elements", {{"vector", 16}, {"threads", 2}}, 0, {}, {}});
        auto problem = [&] {
            return told(schedule::verifyLoops(f.program.loops, *kernel.tree, loops.tree,
                                              ir::Device::Kind::Cpu));
        };
        QCOMPARE(problem(), QString());
        for (Step& step : loops.tree.steps)
            step.conflict = Conflict::None;
        QCOMPARE(problem(), QString("iterations of i0 meet in y without a policy for it"));
    }
};

QTEST_APPLESS_MAIN(TestVerify)
#include "test_verify.moc"
