// SPDX-License-Identifier: Apache-2.0
// Walks over loop trees: order, places, limits; what is written is what the interpreter writes.
#include "core/kernel/interpret.h"
#include "core/kernel/loops_text.h"
#include "core/kernel/tree_text.h"
#include "core/kernel/walk_tree.h"

#include <QtTest>
#include <cmath>
#include <set>

using namespace cutaway;
using namespace cutaway::kernel;

namespace {

struct Parsed {
    LoopProgram program;
    LoopTree tree;
};

Parsed parsed(const std::string& loops, const std::string& text) {
    auto program = parseLoops(loops);
    if (!program) qFatal("%s", program.error().message.c_str());
    auto tree = parseTree(*program, text);
    if (!tree) qFatal("%s", tree.error().message.c_str());
    return {std::move(*program), std::move(*tree)};
}

/// "x[0, 1] x[0, 2] out[0]="
QString said(const Parsed& of, const WalkMoment& moment) {
    QStringList all;
    for (const Touch& touch : moment.touches) {
        QStringList coords;
        for (int64_t c : touch.coords)
            coords << (c == Touch::kComputed ? QString("?") : QString::number(c));
        const char* sign = touch.kind == Touch::Kind::Read    ? ""
                           : touch.kind == Touch::Kind::Write ? "="
                                                              : "+=";
        all << QString("%1[%2]%3")
                   .arg(QString::fromStdString(of.program.buffer(touch.buffer).name),
                        coords.join(", "), sign);
    }
    return all.join(' ');
}

QStringList saidAll(const Parsed& of, const Walk& walk) {
    QStringList all;
    for (const WalkMoment& moment : walk.moments)
        all << said(of, moment);
    return all;
}

const char* kRows = "loops rows:\n"
                    "    x: f32[2, 3] = input\n"
                    "    total: f32[2] = sum over r0 in 0..3 of x[d0, r0]  for d0 in 0..2\n"
                    "    return output = total[2; strides 1; offset 0]\n";
const char* kRowsTree = "for o0 in 0..2:\n"
                        "    total: f32 = start sum\n"
                        "    for i in 0..3 reduce:\n"
                        "        total sum= x[o0, i]\n"
                        "    total[o0] = total\n";

} // namespace

class TestWalkTree : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void statements_come_in_the_order_of_the_loops() {
        const Parsed rows = parsed(kRows, kRowsTree);
        const Walk walk = walkTree(rows.program, rows.tree, {});
        QVERIFY(walk.whole);
        QCOMPARE(saidAll(rows, walk),
                 QStringList({"", "x[0, 0]", "x[0, 1]", "x[0, 2]", "total[0]=", "", "x[1, 0]",
                              "x[1, 1]", "x[1, 2]", "total[1]="}));
        QCOMPARE(depthOf(rows.tree), 2);
    }
    void lanes_do_a_statement_before_the_next() {
        const Parsed sums =
            parsed("loops two:\n"
                   "    x: f32[2, 5] = input\n"
                   "    b: f32[1] = input\n"
                   "    y: f32[2, 5] = x[d0, d1] + b[0]  for d0 in 0..2, d1 in 0..5\n"
                   "    return output = y[2, 5; strides 5, 1; offset 0]\n",
                   "for o0 in 0..2:\n"
                   "    for i in 0..5:\n"
                   "        y: f32 = x[o0, i] + b[0]\n"
                   "        y[o0, i] = y\n");
        WalkLimits limits;
        limits.iterations = 1;
        limits.lanes = 2;
        const Walk walk = walkTree(sums.program, sums.tree, limits);
        QCOMPARE(saidAll(sums, walk),
                 QStringList({"b[0] x[0, 0] x[0, 1]", "y[0, 0]= y[0, 1]=", "b[0] x[0, 2] x[0, 3]",
                              "y[0, 2]= y[0, 3]="})); // two turns, of one row
        QVERIFY(!walk.whole);
        QCOMPARE(walk.moments[2].shares[0].lanes, 2);
        limits.iterations = 5;
        const Walk all = walkTree(sums.program, sums.tree, limits);
        QVERIFY(all.whole);
        QCOMPARE(saidAll(sums, all)[4], QString("b[0] x[0, 4]")); // what is left over
        QCOMPARE(all.moments[4].shares[0].lanes, 1);
    }
    void limits_leave_out_what_is_as_the_first() {
        const Parsed rows = parsed(kRows, kRowsTree);
        const Walk two = walkTree(rows.program, rows.tree, {2, 400, 4});
        QVERIFY(!two.whole);
        QCOMPARE(two.moments.size(), size_t{8});
        const Walk three = walkTree(rows.program, rows.tree, {4, 3, 4});
        QVERIFY(!three.whole);
        QCOMPARE(three.moments.size(), size_t{3});
    }
    void computed_places_and_symbols() {
        const Parsed gather = parsed("loops g:\n"
                                     "    size s0 = 3\n"
                                     "    x: f32[s0] = input\n"
                                     "    at: i64[s0] = input\n"
                                     "    out: f32[s0] = x[check0(at[d0])]  for d0 in 0..s0\n"
                                     "    check0: divisor of it\n",
                                     "for o0 in 0..s0:\n    out[o0] = x[check0(at[o0])]\n");
        const Walk walk = walkTree(gather.program, gather.tree, {8, 400, 3});
        QCOMPARE(walk.moments.size(), size_t{3});
        QCOMPARE(said(gather, walk.moments[2]), "at[2] x[?] out[2]=");
    }
    /// A whole walk writes what a run writes: elements that nobody wrote are not a number.
    void what_is_written_is_what_the_interpreter_writes() {
        const Parsed half = parsed("loops h:\n"
                                   "    x: f32[4, 5] = input\n"
                                   "    out: f32[4, 5] = x[d0, d1]  for d0 in 0..4, d1 in 0..5\n"
                                   "    return output = out[4, 5; strides 5, 1; offset 0]\n",
                                   "for o0 in 0..2:\n"
                                   "    for i in 0..3:\n"
                                   "        out[2*o0, i + 1] = x[o0, 2*i]\n");
        KernelProgram program;
        program.loops = half.program;
        Kernel kernel;
        kernel.name = "hand";
        kernel.tree = half.tree;
        program.kernels = {kernel};
        ir::HostTensor x = ir::HostTensor::zeros(ir::DType::Float32, {4, 5});
        auto ran = interpret(program, std::vector{x});
        QVERIFY2(ran.ok(), ran.ok() ? "" : ran.error().message.c_str());
        std::set<int64_t> written, walked;
        for (int64_t k = 0; k < 20; ++k)
            if (!std::isnan((*ran)[0].get(k))) written.insert(k);
        const Walk walk = walkTree(half.program, half.tree, {10, 1000, 4});
        for (const WalkMoment& moment : walk.moments)
            for (const Touch& touch : moment.touches)
                if (touch.kind == Touch::Kind::Write)
                    walked.insert(touch.coords[0] * 5 + touch.coords[1]);
        QCOMPARE(written.size(), size_t{6});
        QVERIFY(written == walked);
    }
};

QTEST_APPLESS_MAIN(TestWalkTree)
#include "test_walk_tree.moc"
