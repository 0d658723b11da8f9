// SPDX-License-Identifier: Apache-2.0
// Loads that read where a condition holds: text, rewriting, what is verified, run and walked.
#include "core/kernel/interpret.h"
#include "core/kernel/loops_text.h"
#include "core/kernel/masked_read.h"
#include "core/kernel/printer.h"
#include "core/kernel/substitute.h"
#include "core/kernel/tree_text.h"
#include "core/kernel/verify.h"
#include "core/kernel/walk_tree.h"

#include <QtTest>

#include <cmath>
#include <stdexcept>

using namespace cutaway;
using namespace cutaway::kernel;
using ir::DType;
using ir::Sym;

namespace {

const ir::Var d0{'d', 0};

std::string bufferName(BufferId id) {
    return "b" + std::to_string(id.index);
}

/// x[d0 - 1], 7 where that lies before the first element.
ExprId before(ExprPool& pool) {
    return pool.load(BufferId(0), DType::Float32, {{Sym(d0) - 1, {}}},
                     pool.op(ScalarOp::Ge, {pool.index(Sym(d0) - 1), pool.index(Sym(0))}),
                     pool.constant(DType::Float32, 7));
}

QString text(const ExprPool& pool, ExprId id) {
    return QString::fromStdString(pool.str(id, bufferName));
}

std::string padded(const std::string& mask) {
    return "loops padded:\n"
           "    x: f32[3] = input\n"
           "    out: f32[5] = masked(x[d0 - 1], " +
           mask +
           ", 7.0)  for d0 in 0..5\n"
           "    return output = out[5; strides 1; offset 0]\n";
}

const char* kInside = "(d0 - 1) >= 0 & (d0 - 1) < 3";

LoopProgram parsed(const std::string& loops) {
    auto program = parseLoops(loops);
    if (!program) qFatal("%s", program.error().message.c_str());
    return std::move(*program);
}

} // namespace

class TestMaskedRead : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_mask_that_is_known_leaves_the_load_or_the_neutral_value() {
        ExprPool pool;
        const ExprId none = pool.constant(DType::Float32, 7);
        auto masked = [&](bool reads) {
            return pool.load(BufferId(0), DType::Float32, {{d0, {}}},
                             pool.constantInt(DType::Bool, reads), none);
        };
        QCOMPARE(masked(true), pool.load(BufferId(0), DType::Float32, {{d0, {}}}));
        QCOMPARE(masked(false), none);
        QVERIFY_EXCEPTION_THROWN(pool.load(BufferId(0), DType::Float32, {{d0, {}}}, none, none),
                                 std::logic_error);
        QVERIFY(before(pool) != pool.load(BufferId(0), DType::Float32, {{Sym(d0) - 1, {}}}));
        QCOMPARE(before(pool), pool.load(Expr(pool[before(pool)])));
    }
    void rewriting_chooses_between_what_replaces_it_and_the_neutral_value() {
        ExprPool pool;
        const ExprId load = before(pool);
        QCOMPARE(text(pool, load), QString("masked(b0[d0 - 1], (d0 - 1) >= 0, 7.0)"));
        auto moved = [](ir::Var) { return std::optional(Sym(ir::Var{'d', 1}) + 1); };
        QCOMPARE(text(pool, pool.rewrite(load, moved, nullptr)),
                 QString("masked(b0[d1], d1 >= 0, 7.0)"));
        auto two = [&](const Expr&) { return pool.constant(DType::Float32, 2); };
        QCOMPARE(text(pool, pool.rewrite(load, nullptr, two)),
                 QString("where((d0 - 1) >= 0, 2.0, 7.0)"));
        auto zero = [](ir::Var) { return std::optional(Sym(0)); };
        QCOMPARE(text(pool, pool.rewrite(load, zero, two)), QString("7.0"));
    }
    /// What is computed where it is read reads nothing where that is not asked for, and asks nothing.
    void a_value_under_a_condition_reads_and_checks_under_it() {
        LoopProgram program;
        ExprPool& pool = program.pool;
        program.buffers.resize(2);
        for (Buffer& buffer : program.buffers)
            buffer.sizes = {Sym(4)};
        program.checks.resize(2);
        program.checks[0].size = Sym(4);
        program.checks[1].kind = Check::Kind::Divisor;
        auto place = [](ir::Var) { return std::optional<Coord>(Coord{Sym(d0) - 1, {}}); };
        const ExprId inside = pool.op(ScalarOp::Ge, {pool.index(Sym(d0) - 1), pool.index(Sym(0))});
        auto under = [&](ExprId value) {
            return text(pool, rewriteUnder(program, inside, value, place, nullptr, nullptr));
        };
        const ExprId number = pool.load(BufferId(1), DType::Int64, {{Sym(d0), {}}});
        QCOMPARE(
            under(
                pool.load(BufferId(0), DType::Float32, {{Sym(0), pool.check(CheckId(0), number)}})),
            QString("masked(b0[check0(where((d0 - 1) >= 0, masked(b1[d0 - 1], (d0 - 1) >= 0, 0), "
                    "0))], (d0 - 1) >= 0, 0.0)"));
        QCOMPARE(under(pool.check(CheckId(1), number)),
                 QString("check1(where((d0 - 1) >= 0, masked(b1[d0 - 1], (d0 - 1) >= 0, 0), 1))"));
        QCOMPARE(under(before(pool)),
                 QString("masked(b0[d0 - 2], (d0 - 1) >= 0 & (d0 - 2) >= 0, 7.0)"));
    }
    void loops_come_back_from_their_text() {
        const LoopProgram program = parsed(padded(kInside));
        QCOMPARE(QString::fromStdString(print(program)), QString::fromStdString(padded(kInside)));
        auto wrong = [](const char* value) {
            auto program = parseLoops("loops w:\n    x: f32[3] = input\n    out: f32[3] = " +
                                      std::string(value) + "  for d0 in 0..3\n");
            return program ? QString("no error") : QString::fromStdString(program.error().message);
        };
        QVERIFY(wrong("masked(x[d0], d0 < 2)").contains("an element, a condition and a neutral"));
        QVERIFY(wrong("masked(x[d0], d0, 0.0)").contains("the condition of x is int64"));
        QVERIFY(wrong("masked(x[d0], d0 < 2, true)").contains("the neutral value of x is bool"));
    }
    void the_neutral_value_stands_where_nothing_is_read() {
        const LoopProgram program = parsed(padded(kInside));
        QVERIFY(!verify(program));
        ir::HostTensor x = ir::HostTensor::zeros(DType::Float32, {3});
        for (int i = 0; i < 3; ++i)
            x.set(i, i + 1);
        auto ran = interpret(program, std::vector{x});
        QVERIFY2(ran.ok(), ran.ok() ? "" : ran.error().message.c_str());
        for (int i = 0; i < 5; ++i)
            QCOMPARE((*ran)[0].get(i), i >= 1 && i < 4 ? double(i) : 7.0);
    }
    /// A mask that is wrong at a rim is seen at the corners of the loops, and where it is run.
    void a_read_outside_of_the_buffer_is_found() {
        auto said = [](const std::string& mask) {
            auto program = parseLoops(padded(mask)); // which verifies
            return program ? QString() : QString::fromStdString(program.error().message);
        };
        QVERIFY2(said("d0 - 1 < 3").contains("x is read at [-1], outside of [3], where d0 = 0"),
                 qPrintable(said("d0 - 1 < 3")));
        QVERIFY2(said("d0 - 1 >= 0").contains("x is read at [3], outside of [3], where d0 = 4"),
                 qPrintable(said("d0 - 1 >= 0")));
        LoopProgram high = parsed(padded(kInside));
        Buffer& out = high.buffers[1];
        const Expr load(high.pool[out.body]);
        const ExprId begun =
            high.pool.op(ScalarOp::Ge, {high.pool.index(Sym(d0) - 1), high.pool.index(Sym(0))});
        out.body = high.pool.load(load.buffer, load.dtype, load.coords, begun, load.neutral());
        QVERIFY(verify(high).has_value());
        const ir::HostTensor x = ir::HostTensor::zeros(DType::Float32, {3});
        auto ran = interpret(high, std::vector{x});
        QVERIFY(!ran.ok());
        QVERIFY2(ran.error().message.find("x is read outside of dimension 0, at 3") !=
                     std::string::npos,
                 ran.error().message.c_str());
    }
    void a_walk_touches_what_is_read() {
        LoopProgram program = parsed(padded(kInside));
        auto tree =
            parseTree(program, "for i in 0..5:\n    out[i] = masked(x[i - 1], (i - 1 >= 0) & "
                               "(i - 1 < 3), 7.0)\n");
        QVERIFY2(tree.ok(), tree.ok() ? "" : tree.error().message.c_str());
        QVERIFY(!verify(program, *tree));
        const Walk walk = walkTree(program, *tree, {8, 100, 4});
        QCOMPARE(walk.moments.size(), size_t{5});
        QCOMPARE(walk.moments[0].touches.size(), size_t{1}); // the store
        QCOMPARE(walk.moments[1].touches.size(), size_t{2});
        QCOMPARE(walk.moments[1].touches[0].coords[0], int64_t{0});
        QCOMPARE(walk.moments[4].touches.size(), size_t{1});
    }
    /// The bound of a comparison says of every lane what the comparison says.
    void lanes_that_a_comparison_takes() {
        ExprPool pool;
        const ir::Var i{'i', 0};
        int bounds = 0;
        for (ScalarOp op : {ScalarOp::Ge, ScalarOp::Gt, ScalarOp::Lt, ScalarOp::Le})
            for (int64_t step : {-3, -1, 1, 2})
                for (int64_t start = -7; start <= 7; ++start) {
                    const Sym at = Sym(i) * step + Sym(start);
                    const Expr e = pool[pool.op(op, {pool.index(at), pool.index(Sym(2))})];
                    const auto bound = laneBound(pool, e, i);
                    QVERIFY(bound);
                    for (int64_t first : {0, 8})
                        for (int64_t lane = 0; lane < 8; ++lane) {
                            auto with = [&](int64_t value) {
                                return [value](ir::Var) { return std::optional(Sym(value)); };
                            };
                            const int64_t value = at.substitute(with(first + lane)).constant();
                            const int64_t edge = bound->first.substitute(with(first)).constant();
                            const bool holds = op == ScalarOp::Ge   ? value >= 2
                                               : op == ScalarOp::Gt ? value > 2
                                               : op == ScalarOp::Lt ? value < 2
                                                                    : value <= 2;
                            QCOMPARE(bound->from ? lane >= edge : lane < edge, holds);
                            ++bounds;
                        }
                }
        QCOMPARE(bounds, 4 * 4 * 15 * 16);
        const ExprId same = pool.op(ScalarOp::Lt, {pool.index(d0), pool.index(Sym(2))});
        QVERIFY(!laneBound(pool, pool[same], i));
    }
};

QTEST_APPLESS_MAIN(TestMaskedRead)
#include "test_masked_read.moc"
