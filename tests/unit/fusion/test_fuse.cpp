// SPDX-License-Identifier: Apache-2.0
#include "core/base/sanitizers.h"
#include "core/fusion/fuse.h"
#include "core/kernel/printer.h"
#include "core/kernel/row_tree.h"
#include "core/kernel/tree_text.h"
#include "core/kernel/verify.h"
#include "tests/unit/fusion/loop_builder.h"

#include <QElapsedTimer>
#include <QtTest>

#include <chrono>
#include <cmath>
#include <map>
#include <set>

using namespace cutaway;
using namespace cutaway::testing;
using kernel::KernelProgram;
using kernel::RowOp;

namespace {

using enum ScalarOp;
using Running = kernel::RowCall::Running;

BufferId softmax(LoopBuilder& b, BufferId x) {
    const int last = static_cast<int>(b.program.buffer(x).sizes.size()) - 1;
    BufferId amax = b.reduce("amax", ReduceOp::Max, x, {last}, true);
    BufferId shifted = b.binary("sub", Sub, x, amax);
    BufferId exp = b.unary("exp", Exp, shifted);
    BufferId sum = b.reduce("sum_1", ReduceOp::Sum, exp, {last}, true);
    return b.binary("div", Div, exp, sum);
}

/// x + gelu(layer_norm(x) * w + c)
void layerNormGelu(LoopBuilder& b, int64_t rows, int64_t width) {
    BufferId w = b.input("w", {width}), c = b.input("c", {width}), x = b.input("x", {rows, width});
    BufferId sum = b.reduce("sum", ReduceOp::Sum, x, {1}, true);
    BufferId mean = b.scaled("mean", Div, sum, double(width));
    BufferId centred = b.binary("centred", Sub, x, mean);
    BufferId square = b.binary("square", Mul, centred, centred);
    BufferId total = b.reduce("total", ReduceOp::Sum, square, {1}, true);
    BufferId variance = b.scaled("variance", Div, total, double(width));
    BufferId shifted = b.scaled("shifted", Add, variance, 1e-5);
    BufferId rstd = b.unary("rsqrt", Rsqrt, shifted);
    BufferId normal = b.binary("normal", Mul, centred, rstd);
    BufferId scaled = b.binary("mul_1", Mul, normal, w);
    BufferId y = b.binary("add_1", Add, scaled, c);
    BufferId half = b.scaled("half", Mul, y, 0.5);
    BufferId inner = b.scaled("inner", Mul, y, std::sqrt(0.5));
    BufferId erf = b.unary("erf", Erf, inner);
    BufferId one = b.scaled("one", Add, erf, 1);
    BufferId gelu = b.binary("gelu", Mul, half, one);
    b.output(b.binary("out", Add, x, gelu));
    b.output(mean);
    b.output(rstd);
}

/// Gradients of the above, from saved mean and rstd.
void layerNormGeluBackward(LoopBuilder& b, int64_t rows, int64_t width) {
    BufferId w = b.input("w", {width}), c = b.input("c", {width}), x = b.input("x", {rows, width});
    BufferId mean = b.input("mean", {rows, 1}), rstd = b.input("rstd", {rows, 1});
    BufferId g = b.input("g", {rows, width});
    BufferId centred = b.binary("sub_1", Sub, x, mean);
    BufferId normal = b.binary("mul_12", Mul, centred, rstd);
    BufferId scaled = b.binary("mul_1", Mul, normal, w);
    BufferId y = b.binary("add_1", Add, scaled, c);
    BufferId erf = b.unary("erf", Erf, b.scaled("mul_5", Mul, y, std::sqrt(0.5)));
    BufferId cdf = b.scaled("mul_6", Mul, b.scaled("add_4", Add, erf, 1), 0.5);
    BufferId square = b.binary("mul_7", Mul, y, y);
    BufferId exp = b.unary("exp", Exp, b.scaled("mul_8", Mul, square, -0.5));
    BufferId pdf = b.binary("mul_10", Mul, y, b.scaled("mul_9", Mul, exp, 0.3989422804014327));
    BufferId slope = b.binary("add_5", Add, cdf, pdf);
    BufferId gy = b.binary("mul_11", Mul, g, slope);
    BufferId gn = b.binary("mul_13", Mul, gy, w);
    BufferId many = b.scaled("mul_14", Mul, gn, double(width));
    BufferId sum1 = b.reduce("sum_1", ReduceOp::Sum, gn, {1}, true);
    BufferId prod = b.binary("mul_15", Mul, gn, normal);
    BufferId sum2 = b.reduce("sum_2", ReduceOp::Sum, prod, {1}, true);
    BufferId back = b.binary("mul_16", Mul, normal, sum2);
    BufferId diff = b.binary("sub_3", Sub, b.binary("sub_2", Sub, many, sum1), back);
    BufferId scale = b.scaled("div", Div, rstd, double(width));
    BufferId dx = b.binary("mul_17", Mul, scale, diff);
    BufferId gw = b.binary("mul_18", Mul, gy, normal);
    BufferId sum3 = b.reduce("sum_3", ReduceOp::Sum, gw, {0}, false);
    BufferId sum4 = b.reduce("sum_4", ReduceOp::Sum, gy, {0}, false);
    b.output(b.binary("add_6", Add, g, dx));
    b.output(sum3);
    b.output(sum4);
}

/// Mean over rows of -log_softmax(x)[target], with ignored rows; log sum and max saved.
void crossEntropy(LoopBuilder& b, int64_t rows, int64_t classes) {
    auto& pool = b.program.pool;
    BufferId x = b.input("x", {rows, classes});
    BufferId target = b.input("target", {rows}, ir::DType::Int64);
    BufferId amax = b.reduce("amax", ReduceOp::Max, x, {1}, true);
    BufferId sub = b.binary("sub", Sub, x, amax);
    BufferId sum = b.reduce("sum_1", ReduceOp::Sum, b.unary("exp", Exp, sub), {1}, true);
    BufferId log = b.unary("log", Log, sum);
    BufferId logp = b.binary("sub_1", Sub, sub, log);
    const ir::Sym row(kernel::dimVar(0));
    ExprId picked = pool.load(target, ir::DType::Int64, {{row, {}}});
    ExprId keep = pool.op(Ne, {picked, pool.constantInt(ir::DType::Int64, -100)});
    BufferId where = b.pointwise(
        "where", {rows, 1}, pool.op(Where, {keep, picked, pool.constantInt(ir::DType::Int64, 0)}));
    ExprId index = pool.load(where, ir::DType::Int64, {{row, {}}, {ir::Sym(0), {}}});
    BufferId gather = b.pointwise(
        "gather", {rows, 1}, pool.load(logp, ir::DType::Float32, {{row, {}}, {ir::Sym(0), index}}));
    ExprId loss =
        pool.op(Neg, {pool.load(gather, ir::DType::Float32, {{row, {}}, {ir::Sym(0), {}}})});
    BufferId where1 = b.pointwise("where_1", {rows}, pool.op(Where, {keep, loss, b.number(0)}));
    BufferId count = b.pointwise("ne_2", {rows}, pool.cast(ir::DType::Int64, keep));
    BufferId sum2 = b.reduce("sum_2", ReduceOp::Sum, count, {0}, false);
    BufferId converted =
        b.pointwise("converted", {}, pool.cast(ir::DType::Float32, b.at(sum2, {})));
    BufferId sum3 = b.reduce("sum_3", ReduceOp::Sum, where1, {0}, false);
    b.output(b.binary("div", Div, sum3, converted));
    b.output(amax);
    b.output(log);
    b.output(converted);
}

KernelProgram fused(const LoopBuilder& b, bool fuse = true) {
    fusion::FusionOptions options;
    options.fuse = fuse;
    return fusion::fuse(b.program, options);
}

/// Of the first kernel.
kernel::RowTree formOf(const KernelProgram& program) {
    return kernel::RowTree::of(program.loops, program.kernels[0].rows()).value();
}

int count(const KernelProgram& program, RowOp op) {
    int n = 0;
    for (const kernel::Kernel& k : program.kernels) {
        if (!k.tree) continue;
        const auto form = kernel::RowTree::of(program.loops, k.rows());
        for (const auto& pass : form.value().passes)
            for (const auto& s : pass.statements)
                n += s.op == op;
    }
    return n;
}

/// Every kernel's loops replaced by what their text reads back as. Empty when that is written like
/// it was read; operands that may be swapped are, once, in the order of their locals.
std::string readBack(KernelProgram& program) {
    for (kernel::Kernel& k : program.kernels) {
        if (!k.hasCode()) continue;
        std::string text = kernel::print(program.loops, *k.tree);
        std::string last;
        for (int round = 0; round < 2; ++round) {
            auto tree = kernel::parseTree(program.loops, text);
            if (!tree.ok()) return tree.error().message + "\n" + text;
            last = std::exchange(text, kernel::print(program.loops, *tree));
            k.tree = std::move(*tree);
        }
        if (last != text) return "not read back:\n" + last + "read as\n" + text;
    }
    return {};
}

/// Whether rows wait for each other: a scan whose iterations are loops.
bool runsDownColumns(const kernel::LoopTree& tree) {
    return std::any_of(tree.steps.begin(), tree.steps.end(), [&](const kernel::Step& s) {
        return s.kind == kernel::Step::Kind::Loop && s.axisKind == kernel::AxisKind::Scan &&
               std::any_of(s.body.begin(), s.body.end(), [&](kernel::StepId id) {
                   return tree.step(id).kind == kernel::Step::Kind::Loop;
               });
    });
}

/// Empty when fused and unfused kernels are well formed and compute what the loop IR means.
std::string check(const LoopBuilder& b, double tolerance = 1e-5) {
    if (auto problem = kernel::verify(b.program)) return *problem;
    const auto inputs = randomInputs(b.program, 7);
    auto expected = kernel::interpret(b.program, inputs);
    if (!expected.ok()) return expected.error().str();
    for (bool fuse : {false, true}) {
        const KernelProgram program = fused(b, fuse);
        if (auto problem = kernel::verify(program)) return *problem + "\n" + kernel::print(program);
        for (const kernel::Kernel& k : program.kernels)
            if (k.tree && !runsDownColumns(*k.tree) &&
                !kernel::RowTree::of(program.loops, k.rows()))
                return "no rows and passes:\n" + kernel::print(program.loops, *k.tree);
        KernelProgram again = program;
        if (auto problem = readBack(again); !problem.empty()) return problem;
        KernelProgram joined = program;
        for (kernel::Kernel& k : joined.kernels)
            if (k.oneLoop) k.tree = k.oneLoop;
        for (const KernelProgram* p :
             {&std::as_const(program), &std::as_const(again), &std::as_const(joined)}) {
            auto actual = kernel::interpret(*p, inputs);
            if (!actual.ok()) return actual.error().str();
            const std::string differs = difference(*expected, *actual, tolerance);
            if (!differs.empty()) return differs + "\n" + kernel::print(*p);
        }
    }
    return {};
}

} // namespace

#define CHECK_VALUES(builder) QCOMPARE(QString::fromStdString(check(builder)), QString())

class TestFuse : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void scatter_takes_in_what_it_adds_and_waits_for_its_start() {
        LoopBuilder b;
        BufferId index = b.input("index", {6}, ir::DType::Int64);
        BufferId x = b.input("x", {6, 5});
        BufferId zeros = b.pointwise("zeros", {4, 5}, b.number(0));
        BufferId rows = b.scaled("twice", Mul, b.unary("exp", Exp, x), 2);
        BufferId sums = b.scatterRows("sums", zeros, index, rows);
        b.output(b.unary("negative", Neg, sums));
        CHECK_VALUES(b);
        const KernelProgram p = fused(b);
        QCOMPARE(p.kernels.size(), size_t(3));
        const std::string text = kernel::print(p.loops, p.kernels[1]);
        QVERIFY2(text.find("sums[sums_at, i] sum= sums by owner of 1") != std::string::npos,
                 text.c_str());
        QVERIFY2(text.find("exp(x[o0, i])") != std::string::npos, text.c_str());
        QStringList rules;
        for (const kernel::FusionDecision& d : p.decisions)
            if (!d.fused) rules << QString::fromStdString(d.rule + ": " + d.reason);
        QCOMPARE(rules,
                 QStringList({"scatter: sums adds to all of zeros, which must be there before the "
                              "first update",
                              "scatter: sums is complete only after all its updates; negative "
                              "reads it"}));
    }

    void a_scan_takes_in_what_it_adds_and_its_readers() {
        for (auto running :
             {Running::Sum, Running::Product, Running::LogSumExp, Running::Max, Running::Min})
            for (bool backwards : {false, true}) {
                LoopBuilder b;
                BufferId x = b.input("x", {3, 2, 20});
                BufferId all = b.scan("all", running, b.unary("sin", Sin, x), backwards);
                b.output(all);
                if (running != Running::Max && running != Running::Min)
                    b.output(b.binary("scaled", Mul, b.scaled("half", Mul, all, 0.5), x));
                CHECK_VALUES(b);
                const KernelProgram p = fused(b);
                QCOMPARE(p.kernels.size(), size_t(1));
                QVERIFY(p.kernels[0].hasCode());
                QCOMPARE(count(p, RowOp::Scan), 1);
                QVERIFY(formOf(p).inner->extent.is(20));
                QCOMPARE(formOf(p).passes[0].backwards, backwards);
            }
    }
    void running_values_wait_for_a_later_pass() {
        LoopBuilder b;
        BufferId all = b.scan("all", Running::Sum, b.input("x", {4, 24}));
        BufferId last = b.reduce("largest", ReduceOp::Max, all, {1}, true);
        BufferId shares = b.binary("shares", Sub, all, last);
        b.output(b.scan("rest", Running::Sum, shares, true));
        CHECK_VALUES(b);
        const KernelProgram p = fused(b);
        QCOMPARE(p.kernels.size(), size_t(1));
        QCOMPARE(count(p, RowOp::Scan), 2);
        QCOMPARE(formOf(p).passes.back().backwards, true);
    }
    void scans_down_columns_are_loops_too() {
        for (auto running : {Running::Sum, Running::Product, Running::LogSumExp, Running::Min})
            for (bool backwards : {false, true})
                for (const std::vector<int64_t>& sizes :
                     {std::vector<int64_t>{5, 16}, {3, 5, 20}, {2, 4, 2, 128}, {1, 3, 1, 640}}) {
                    LoopBuilder b;
                    BufferId x = b.input("x", sizes);
                    BufferId all = b.scan("all", running, b.unary("sin", Sin, x), backwards);
                    b.program.buffer(all).call->row.dim = sizes.size() > 2;
                    b.output(all);
                    if (running != Running::Min)
                        b.output(b.binary("scaled", Mul, b.scaled("half", Mul, all, 0.5), x));
                    CHECK_VALUES(b);
                    KernelProgram p = fused(b);
                    QCOMPARE(p.kernels.size(), size_t(1));
                    QVERIFY(p.kernels[0].hasCode());
                    // Rows wait for each other: no form whose rows are shared.
                    QVERIFY(!kernel::RowTree::of(p.loops, p.kernels[0].rows()));
                    QCOMPARE(readBack(p), std::string());
                }
    }
    void sums_do_not_share_loops_with_scans_down_columns() {
        LoopBuilder b;
        BufferId x = b.input("x", {6, 32});
        BufferId all = b.scan("all", Running::Sum, x);
        b.program.buffer(all).call->row.dim = 0;
        b.output(b.reduce("total", ReduceOp::Sum, all, {1}, false));
        BufferId up = b.scan("up", Running::Sum, all, true);
        b.program.buffer(up).call->row.dim = 0;
        b.output(up);
        CHECK_VALUES(b);
        const KernelProgram p = fused(b);
        QCOMPARE(p.kernels.size(), size_t(3));
        QStringList rules;
        for (const kernel::FusionDecision& d : p.decisions)
            if (!d.fused) rules << QString::fromStdString(d.rule);
        QVERIFY(rules.contains("running value") && rules.contains("different loops"));
    }
    void other_scans_are_a_librarys() {
        LoopBuilder few; // of few columns, of a view
        BufferId narrow = few.scan("y", Running::Sum, few.input("x", {6, 8}));
        few.program.buffer(narrow).call->row.dim = 0;
        few.output(narrow);
        CHECK_VALUES(few);
        QVERIFY(!fused(few).kernels[0].hasCode());
        LoopBuilder view;
        BufferId y = view.scan("y", Running::Sum, view.input("x", {6, 24}));
        kernel::LibraryCall& call = *view.program.buffer(y).call;
        view.output(y);
        call.operands[0].strides = {ir::Sym(0), ir::Sym(1)};
        CHECK_VALUES(view);
        QVERIFY(!fused(view).kernels[0].hasCode());
    }

    void pointwise_chain_is_one_flat_loop() {
        LoopBuilder b;
        BufferId x = b.input("x", {4, 8, 16});
        b.output(b.unary("cos_1", Cos, b.unary("cos", Cos, x)));
        CHECK_VALUES(b);
        const KernelProgram p = fused(b);
        QCOMPARE(p.kernels.size(), size_t(1));
        QCOMPARE(p.kernels[0].name, std::string("fused_cos_cos_1"));
        QVERIFY(formOf(p).rows.empty());
        QVERIFY(formOf(p).inner->extent.is(512));
        QCOMPARE(p.kernels[0].bytesRead + p.kernels[0].bytesWritten, int64_t(2 * 512 * 4));
        QCOMPARE(fused(b, false).kernels.size(), size_t(2));
    }
    void what_is_expanded_is_read_once() {
        LoopBuilder b;
        BufferId x = b.input("x", {64, 32}), tangent = b.input("tangent", {64, 32});
        b.program.buffers[tangent.index].strides = {ir::Sym(0), ir::Sym(0)};
        b.output(b.binary("mul", Mul, x, tangent));
        const KernelProgram p = fused(b);
        QCOMPARE(p.kernels.size(), size_t(1));
        QCOMPARE(p.kernels[0].bytesRead, int64_t(64 * 32 * 4 + 4));
    }
    void broadcast_operands_keep_rows_and_columns_apart() {
        LoopBuilder b;
        BufferId x = b.input("x", {6, 8}), bias = b.input("bias", {8}),
                 scale = b.input("s", {6, 1});
        b.output(b.binary("mul", Mul, b.binary("add", Add, x, bias), scale));
        CHECK_VALUES(b);
        const KernelProgram p = fused(b);
        QCOMPARE(p.kernels.size(), size_t(1));
        QCOMPARE(formOf(p).rows.size(), size_t(1));
        QVERIFY(formOf(p).inner->extent.is(8));
    }
    void softmax_is_one_kernel_that_keeps_its_exponentials() {
        LoopBuilder b;
        b.output(softmax(b, b.input("x", {5, 3, 16})));
        CHECK_VALUES(b);
        const KernelProgram p = fused(b);
        QCOMPARE(p.kernels.size(), size_t(1));
        QCOMPARE(p.kernels[0].writes.size(), size_t(1));
        int kept = 0;
        for (const kernel::TreeLocal& l : p.kernels[0].tree->locals) {
            kept += !l.axes.empty();
            QVERIFY(l.axes.empty() || l.name == "exp");
        }
        QCOMPARE(kept, 1);
        QVERIFY(formOf(p).rows.size() == 1); // 15 rows
    }
    void layer_norm_gelu_residual_is_one_kernel_forward() {
        LoopBuilder b;
        layerNormGelu(b, 6, 32);
        CHECK_VALUES(b);
        QCOMPARE(fused(b).kernels.size(), size_t(1));
    }
    void layer_norm_gelu_residual_is_one_kernel_backward() {
        LoopBuilder b;
        layerNormGeluBackward(b, 6, 32);
        CHECK_VALUES(b);
        const KernelProgram p = fused(b);
        QCOMPARE(p.kernels.size(), size_t(1));
        QCOMPARE(count(p, RowOp::ReduceColumn), 2);
        QCOMPARE(count(p, RowOp::ReduceRow), 2);
        QCOMPARE(p.kernels[0].writes.size(), size_t(3));
    }
    void cross_entropy_is_one_kernel_with_its_mean_after_all_rows() {
        LoopBuilder b;
        crossEntropy(b, 5, 16);
        CHECK_VALUES(b);
        const KernelProgram p = fused(b);
        QCOMPARE(QString::fromStdString(p.kernels.size() == 1 ? "" : kernel::print(p)), QString());
        QCOMPARE(count(p, RowOp::ReduceAll), 2);
        QCOMPARE(p.kernels[0].writes.size(), size_t(4)); // nothing of the size of x
        QVERIFY(!formOf(p).finish.empty());
    }
    void a_chain_of_cheap_values_is_not_computed_again_at_each_reader() {
        // As in the gradient of an unrolled LSTM: every step's value is read by the next step and,
        // at other places, by a product that the next step waits for.
        auto flops = [](int steps) {
            LoopBuilder b;
            BufferId w = b.input("w", {8, 8}), value = b.input("start", {8, 8}), step = w;
            for (int k = 0; k < steps; ++k) {
                const std::string number = std::to_string(k);
                BufferId x = b.input("x" + number, {8, 8});
                value = b.binary("mul_" + number, Mul, value, x);
                value = b.binary("add_" + number, Add, value, step);
                BufferId turned = b.pointwise("t_" + number, {8, 8}, b.transposed(value));
                step = b.matmul("mm_" + number, turned, w);
            }
            b.output(b.binary("end", Add, value, step));
            double sum = 0;
            for (const kernel::Kernel& kernel : fused(b).kernels)
                if (kernel.hasCode()) sum += kernel.flops;
            return sum;
        };
        const double once = flops(12), twice = flops(24);
        QVERIFY2(twice < 2.5 * once, qPrintable(QString("%1 and %2").arg(once).arg(twice)));
        LoopBuilder b;
        BufferId x = b.input("x", {8, 8}), y = b.input("y", {8, 8});
        BufferId product = b.binary("mul", Mul, x, y), sum = b.binary("add", Add, product, x);
        b.output(b.pointwise("t", {8, 8}, b.transposed(sum)));
        b.output(b.unary("cos", Cos, sum));
        CHECK_VALUES(b);
    }
    void whole_reductions_count_every_element_whatever_their_value_reads() {
        for (ReduceOp op : {ReduceOp::Sum, ReduceOp::Prod, ReduceOp::Max})
            for (const std::vector<int64_t>& sizes :
                 std::vector<std::vector<int64_t>>{{1, 1}, {3, 1}, {1, 4}, {1}}) {
                LoopBuilder b;
                BufferId x = b.input("x", sizes);
                BufferId wide = b.pointwise("expand", {3, 4}, b.at(x, {3, 4}));
                b.output(b.reduce("whole", op, wide, {0, 1}, false));
                CHECK_VALUES(b);
            }
    }
    void elements_that_need_a_sum_over_all_rows_get_their_own_kernel() {
        LoopBuilder b;
        BufferId x = b.input("x", {64, 512});
        BufferId sum = b.reduce("sum", ReduceOp::Sum, b.unary("exp", Exp, x), {0, 1}, false);
        b.output(b.binary("div", Div, x, sum));
        CHECK_VALUES(b);
        const KernelProgram p = fused(b);
        QCOMPARE(p.kernels.size(), size_t(2));
        bool told = false;
        for (const auto& d : p.decisions)
            told = told || (!d.fused && d.rule == "needs all rows");
        QVERIFY(told);
    }
    void a_short_vector_is_normalised_by_its_sum_in_one_kernel() {
        LoopBuilder b;
        b.output(softmax(b, b.input("x", {100})));
        CHECK_VALUES(b);
        QCOMPARE(fused(b).kernels.size(), size_t(1));
    }
    void sums_over_outer_dimensions_are_column_sums() {
        LoopBuilder b;
        BufferId x = b.input("x", {12, 20});
        b.output(b.reduce("sum", ReduceOp::Sum, b.unary("relu", Abs, x), {0}, false));
        CHECK_VALUES(b);
        const KernelProgram p = fused(b);
        QCOMPARE(p.kernels.size(), size_t(1));
        QCOMPARE(count(p, RowOp::ReduceColumn), 1);
    }
    void followers_of_column_sums_run_after_all_rows() {
        LoopBuilder b;
        BufferId x = b.input("x", {12, 20});
        BufferId sum = b.reduce("sum", ReduceOp::Sum, x, {0}, false);
        b.output(b.scaled("mean", Div, sum, 12));
        b.output(b.unary("relu", Abs, x));
        CHECK_VALUES(b);
        const KernelProgram p = fused(b);
        QCOMPARE(p.kernels.size(), size_t(1));
        QVERIFY(!formOf(p).finish.empty());
    }
    void followers_of_column_sums_may_have_other_loops() {
        LoopBuilder b;
        BufferId x = b.input("x", {3, 32});
        BufferId sum = b.reduce("sum", ReduceOp::Sum, x, {0}, false);
        BufferId y = b.input("y", {16, 2});
        b.output(b.binary("add", Add, b.reshaped("view", sum, {16, 2}), y));
        CHECK_VALUES(b);
        QCOMPARE(fused(b).kernels.size(), size_t(1));
    }
    void long_sums_are_cut_into_rows() {
        LoopBuilder b;
        BufferId x = b.input("x", {1 << 16});
        b.output(b.reduce("sum", ReduceOp::Sum, x, {0}, false));
        CHECK_VALUES(b);
        const KernelProgram p = fused(b);
        QCOMPARE(p.kernels.size(), size_t(1));
        QCOMPARE(formOf(p).rows.size(), size_t(1));
        QVERIFY(formOf(p).inner->extent.is(16384));
    }
    void sums_over_a_middle_dimension_and_arg_reductions_are_right() {
        LoopBuilder b;
        BufferId x = b.input("x", {3, 5, 4});
        BufferId cos = b.unary("cos", Cos, x);
        b.output(b.reduce("sum", ReduceOp::Sum, cos, {1}, false));
        b.output(b.reduce("argmax", ReduceOp::ArgMax, x, {0, 1, 2}, false));
        b.output(b.reduce("argmin", ReduceOp::ArgMin, cos, {0}, true));
        b.output(b.reduce("sum02", ReduceOp::Sum, x, {0, 2}, false));
        CHECK_VALUES(b);
    }
    void reduced_axes_that_lie_apart_are_loops() {
        struct Row {
            std::vector<int64_t> sizes;
            std::vector<int> dims;
            const char* loops;
        };
        const Row rows[] = {
            {{3, 5, 2, 4}, {0, 2, 3}, "for o1 in 0..3 reduce:\n            for i in 0..8 reduce:"},
            {{2, 3, 4, 5, 6},
             {0, 2, 4},
             "for o2 in 0..2 reduce:\n                for o3 in 0..4 reduce:\n"
             "                    for i in 0..6 reduce:"},
            {{5, 2, 4}, {1, 2}, "for i in 0..8 reduce:"}};
        for (const Row& row : rows) {
            LoopBuilder b;
            BufferId x = b.input("x", row.sizes);
            BufferId mean =
                b.scaled("mean", Mul, b.reduce("sum", ReduceOp::Sum, x, row.dims, true), 0.125);
            BufferId wide = b.pointwise("wide", row.sizes, b.at(mean, row.sizes));
            BufferId away = b.binary("away", Sub, x, wide);
            b.output(b.reduce("largest", ReduceOp::Max, b.binary("square", Mul, away, away),
                              row.dims, false));
            b.output(b.reduce("where", ReduceOp::ArgMin, x, row.dims, false));
            CHECK_VALUES(b);
            const KernelProgram p = fused(b);
            const std::string text = kernel::print(p.loops, p.kernels[0]);
            QVERIFY2(text.find(row.loops) != std::string::npos, text.c_str());
            QVERIFY2(text.find(" / ") == std::string::npos, text.c_str());
            QCOMPARE(p.kernels[0].oneLoop.has_value(), row.dims.size() == 3);
            if (!p.kernels[0].oneLoop) continue;
            const std::string one = kernel::print(p.loops, *p.kernels[0].oneLoop);
            QVERIFY2(one.find(" / ") != std::string::npos, one.c_str());
        }
    }
    void transposed_reads_compute_cheap_producers_again() {
        LoopBuilder b;
        BufferId x = b.input("x", {6, 10});
        BufferId twice = b.scaled("twice", Mul, x, 2);
        b.output(
            b.pointwise("t", {10, 6}, b.program.pool.op(Add, {b.transposed(twice), b.number(1)})));
        CHECK_VALUES(b);
        const KernelProgram p = fused(b);
        QCOMPARE(p.kernels.size(), size_t(1));
        QCOMPARE(p.kernels[0].writes.size(), size_t(1));
        QCOMPARE(p.kernels[0].members.size(), size_t(2));
    }
    void matrix_products_take_their_pointwise_followers() {
        LoopBuilder b;
        BufferId x = b.input("x", {4, 6}), y = b.input("y", {6, 5}), bias = b.input("bias", {5});
        BufferId mm = b.matmul("mm", x, y);
        BufferId add = b.scaled("add", Add, mm, 1);
        BufferId biased = b.binary("biased", Add, add, bias);
        b.output(b.scaled("relu", Max, biased, 0));
        CHECK_VALUES(b);
        const KernelProgram p = fused(b);
        QCOMPARE(p.kernels.size(), size_t(1));
        QCOMPARE(p.kernels[0].call->epilogues.size(), size_t(3));
        QCOMPARE(p.kernels[0].name, std::string("mm_mm_add_biased_relu"));
    }
    void a_product_that_is_needed_itself_takes_no_followers() {
        LoopBuilder b;
        BufferId x = b.input("x", {4, 6}), y = b.input("y", {6, 5});
        BufferId mm = b.matmul("mm", x, y);
        b.output(b.scaled("relu", Max, mm, 0));
        b.output(mm);
        CHECK_VALUES(b);
        QCOMPARE(fused(b).kernels.size(), size_t(2));
    }
    void groups_do_not_wait_for_themselves() {
        LoopBuilder b;
        BufferId x = b.input("x", {8, 8});
        BufferId a = b.unary("exp", Exp, x);
        BufferId mm = b.matmul("mm", a, a);
        b.output(b.binary("mul", Mul, b.binary("add", Add, mm, a), x));
        CHECK_VALUES(b);
        const KernelProgram p = fused(b);
        QCOMPARE(p.kernels.size(), size_t(3));
        bool told = false;
        for (const auto& d : p.decisions)
            told = told || d.rule == "order";
        QVERIFY(told);
    }
    // exp and gone share a kernel that starts before and ends after both readers of t; the path from
    // the later reader to the earlier one leads through it.
    void groups_do_not_wait_for_themselves_through_a_group_around_them() {
        LoopBuilder b;
        BufferId x = b.input("x", {16, 16}), v = b.input("v", {16, 3}), t = b.input("t", {16, 3});
        BufferId w = b.input("w", {16, 3}), back = b.input("back", {3, 16});
        BufferId exp = b.unary("exp", Exp, x);
        BufferId early = b.binary("early", Mul, b.matmul("mm", exp, w), t);
        BufferId late = b.binary("late", Add, v, t);
        b.output(early);
        b.output(late);
        b.output(b.binary("gone", Sub, exp, b.matmul("mm_1", late, back)));
        b.output(b.reduce("total", ReduceOp::Sum, exp, {1}, false));
        CHECK_VALUES(b);
    }
    void random_programs_of_products_are_in_an_order_of_computation() {
        for (uint32_t seed = 0; seed < 200; ++seed) {
            std::mt19937 random(seed);
            auto pick = [&](size_t n) { return random() % n; };
            LoopBuilder b;
            std::vector<BufferId> pool;
            for (int i = 0; i < 3; ++i)
                pool.push_back(b.input("x" + std::to_string(i), {6, 6}));
            for (int step = 0; step < 24; ++step) {
                const std::string name = "b" + std::to_string(step);
                const BufferId a = pool[pick(pool.size())], other = pool[pick(pool.size())];
                const size_t kind = pick(6);
                if (kind < 2)
                    pool.push_back(b.matmul(name, a, other));
                else if (kind < 5)
                    pool.push_back(b.binary(name,
                                            kind == 2   ? Add
                                            : kind == 3 ? Sub
                                                        : Max,
                                            a, other));
                else
                    pool.push_back(b.binary(
                        name, Max, b.reduce(name + "_sum", ReduceOp::Sum, a, {1}, true), other));
            }
            for (size_t i = 3; i < pool.size(); i += 3)
                b.output(pool[i]);
            const KernelProgram p = fused(b);
            const auto problem = kernel::verify(p);
            QVERIFY2(!problem, qPrintable(QString("seed %1: %2")
                                              .arg(seed)
                                              .arg(QString::fromStdString(problem.value_or("")))));
        }
    }
    void every_pair_with_data_flow_or_a_shared_read_has_a_reason_data() {
        QTest::addColumn<bool>("fuse");
        QTest::newRow("fused") << true;
        QTest::newRow("unfused") << false;
    }
    void every_pair_with_data_flow_or_a_shared_read_has_a_reason() {
        QFETCH(bool, fuse);
        LoopBuilder b;
        layerNormGeluBackward(b, 6, 32);
        const KernelProgram p = fused(b, fuse);
        std::set<std::pair<BufferId, BufferId>> told;
        for (const auto& d : p.decisions)
            if (!d.reason.empty() && d.bytesSaved > 0) told.insert({d.a, d.b});
        std::map<BufferId, std::vector<BufferId>> readers; // in program order
        for (const Buffer& buffer : p.loops.buffers) {
            if (buffer.kind != BufferKind::Pointwise && buffer.kind != BufferKind::Reduction)
                continue;
            std::set<BufferId> read;
            p.loops.pool.visit(buffer.body, [&](ExprId, const kernel::Expr& e) {
                if (e.kind == kernel::ExprKind::Load) read.insert(e.buffer);
            });
            for (BufferId id : read)
                readers[id].push_back(buffer.id);
        }
        int flows = 0, shared = 0;
        for (const auto& [read, by] : readers) {
            const Buffer& buffer = p.loops.buffer(read);
            for (size_t i = 0; i < by.size(); ++i) {
                if (buffer.kind != BufferKind::Input) {
                    QVERIFY2(told.contains({read, by[i]}), buffer.name.c_str());
                    ++flows;
                }
                for (size_t j = i + 1; j < by.size() && !buffer.numel().is(1); ++j, ++shared)
                    QVERIFY2(told.contains({by[i], by[j]}), buffer.name.c_str());
            }
        }
        QVERIFY2(flows > 20 && shared > 10, qPrintable(QString("%1 %2").arg(flows).arg(shared)));
    }
    void readers_that_recomputation_made_are_told() {
        LoopBuilder b;
        BufferId x = b.input("x", {4, 6}), t = b.input("t", {1, 1});
        BufferId column = b.unary("exp", Exp, b.reduce("sum", ReduceOp::Sum, x, {0}, true));
        BufferId grad = b.binary("grad", Mul, t, column);
        BufferId whole =
            b.binary("prod", Mul, b.reduce("total", ReduceOp::Sum, x, {0, 1}, true), t);
        b.output(b.binary("add", Add, b.binary("wide", Mul, whole, x), grad));
        CHECK_VALUES(b);
    }
    void readers_that_are_not_neighbours_are_joined() {
        LoopBuilder b;
        BufferId x = b.input("x", {64, 32});
        BufferId a = b.unary("cos", Cos, x);
        BufferId wide = b.pointwise("wide", {3, 64, 32}, b.at(x, {3, 64, 32}));
        BufferId c = b.unary("exp", Exp, x);
        for (BufferId id : {a, wide, c})
            b.output(id);
        CHECK_VALUES(b);
        const KernelProgram p = fused(b);
        QCOMPARE(p.kernels.size(), size_t(2));
    }
    void a_thousand_readers_of_one_input_fuse_quickly() {
        LoopBuilder b;
        BufferId x = b.input("x", {64, 32});
        for (int i = 0; i < 1000; ++i) {
            const std::string n = std::to_string(i);
            b.output(i % 2 ? b.scaled("mul_" + n, Mul, x, i)
                           : b.pointwise("wide_" + n, {3, 64, 32}, b.at(x, {3, 64, 32})));
        }
        QElapsedTimer timer;
        timer.start();
        const KernelProgram p = fused(b);
        qInfo("1000 readers: %lld ms, %zu decisions, %zu kernels", timer.elapsed(),
              p.decisions.size(), p.kernels.size());
        QCOMPARE(p.kernels.size(), size_t(2));
        QVERIFY(timer.elapsed() < (base::kSanitized ? 20000 : 2000));
    }
    void random_programs_mean_the_same_fused() {
        for (uint32_t seed = 0; seed < 300; ++seed) {
            std::mt19937 random(seed);
            auto pick = [&](size_t n) { return random() % n; };
            LoopBuilder b;
            const std::vector<std::vector<int64_t>> shapes = {
                {4, 6}, {6}, {4, 1}, {6, 4}, {2, 2, 6}};
            std::vector<BufferId> pool;
            for (size_t i = 0; i < 3; ++i)
                pool.push_back(b.input("x" + std::to_string(i), shapes[pick(shapes.size())]));
            pool.push_back(b.input("x3", {4, 6}));
            const ScalarOp unary[] = {Cos, Exp, Tanh, Abs, Neg, Sigmoid};
            const ScalarOp binaryOps[] = {Add, Sub, Mul, Max, Min};
            for (int step = 0; step < 14; ++step) {
                const BufferId a = pool[pick(pool.size())];
                const auto sizes = ir::constants(b.program.buffer(a).sizes);
                const std::string name = "b" + std::to_string(step);
                const size_t kind = pick(8);
                if (kind < 2) {
                    pool.push_back(b.unary(name, unary[pick(6)], a));
                } else if (kind < 4) {
                    const BufferId other = pool[pick(pool.size())];
                    const auto theirs = ir::constants(b.program.buffer(other).sizes);
                    bool fits = true;
                    for (size_t i = 0; i < std::min(sizes.size(), theirs.size()); ++i) {
                        const int64_t x = sizes[sizes.size() - 1 - i],
                                      y = theirs[theirs.size() - 1 - i];
                        fits = fits && (x == y || x == 1 || y == 1);
                    }
                    if (fits) pool.push_back(b.binary(name, binaryOps[pick(5)], a, other));
                } else if (kind == 4 && sizes.size() == 2 && sizes[1] != 1) {
                    pool.push_back(b.pointwise(name, {sizes[1], sizes[0]}, b.transposed(a)));
                } else if (kind == 7) {
                    const int64_t n = b.program.buffer(a).numel().constant();
                    const int64_t inner = n % 4 == 0 && pick(2) ? 4 : n % 3 == 0 ? 3 : 1;
                    pool.push_back(b.reshaped(name, a, {n / inner, inner}));
                } else if (!sizes.empty()) {
                    std::vector<int> dims;
                    for (size_t i = 0; i < sizes.size(); ++i)
                        if (sizes[i] != 1 && pick(2)) dims.push_back(static_cast<int>(i));
                    if (!dims.empty())
                        pool.push_back(b.reduce(name, pick(2) ? ReduceOp::Sum : ReduceOp::Max, a,
                                                dims, pick(2)));
                }
            }
            for (int i = 0; i < 3; ++i) {
                const BufferId id = pool[4 + pick(pool.size() - 4)];
                if (b.program.buffer(id).kind != BufferKind::Input) b.output(id);
            }
            const std::string problem = check(b, 1e-4);
            if (!problem.empty())
                QFAIL(("seed " + std::to_string(seed) + ": " + problem + "\n" +
                       kernel::print(b.program))
                          .c_str());
        }
    }
    void a_thousand_additions_fuse_in_linear_time() {
        LoopBuilder b;
        BufferId x = b.input("x", {1024});
        for (int i = 0; i < 1000; ++i)
            x = b.scaled("add_" + std::to_string(i), Add, x, 1);
        b.output(x);
        const auto start = std::chrono::steady_clock::now();
        const KernelProgram p = fused(b);
        const double ms =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                .count();
        QCOMPARE(p.kernels.size(), size_t(1));
        QCOMPARE(p.kernels[0].name, std::string("fused_add_0_add_1_add_2_add_999"));
        qInfo("1000 additions: %.1f ms", ms);
        QVERIFY2(ms < (base::kSanitized ? 4000 : 200),
                 "aim 20 ms; ten times that means that something became quadratic");
    }
    void very_long_kernels_are_cut_with_a_reason() {
        LoopBuilder b;
        BufferId x = b.input("x", {64, 64}), y = x;
        for (int i = 0; i < 5000; ++i)
            y = b.unary("neg_" + std::to_string(i), Neg, y);
        b.output(y);
        const KernelProgram p = fused(b);
        QVERIFY(!kernel::verify(p));
        QCOMPARE(p.kernels.size(), size_t(5));
        QCOMPARE(std::count_if(p.decisions.begin(), p.decisions.end(),
                               [](const auto& d) { return d.rule == "kernel size"; }),
                 4);
    }
    void a_chain_of_sums_is_cut_after_32() {
        LoopBuilder b;
        BufferId x = b.input("x", {64}), y = x;
        for (int i = 0; i < 40; ++i) {
            const std::string n = std::to_string(i);
            y = b.binary("sub_" + n, Sub, y, b.reduce("sum_" + n, ReduceOp::Sum, y, {0}, true));
        }
        b.output(y);
        const KernelProgram p = fused(b);
        QVERIFY(!kernel::verify(p));
        QCOMPARE(p.kernels.size(), size_t(2));
    }
    void a_wide_tree_is_computed_depth_first() {
        LoopBuilder b;
        BufferId x = b.input("x", {256});
        std::vector<BufferId> level;
        for (int i = 0; i < 256; ++i)
            level.push_back(
                b.unary("leaf_" + std::to_string(i), i % 2 ? Sin : Cos, i < 2 ? x : level[i - 2]));
        int count = 0;
        while (level.size() > 1) {
            std::vector<BufferId> next;
            for (size_t i = 0; i + 1 < level.size(); i += 2)
                next.push_back(
                    b.binary("sum_" + std::to_string(count++), Add, level[i], level[i + 1]));
            level = next;
        }
        b.output(level[0]);
        const KernelProgram p = fused(b);
        QVERIFY(!kernel::verify(p));
        QCOMPARE(p.kernels.size(), size_t(1));
        // At most one pair of leaves and one sum of each level wait at a time.
        const kernel::RowTree form = formOf(p);
        const auto& statements = form.passes.front().statements;
        std::map<kernel::LocalId, size_t> defined, used;
        for (size_t at = 0; at < statements.size(); ++at) {
            if (statements[at].local.valid()) defined[statements[at].local] = at;
            p.loops.pool.visit(statements[at].step->value,
                               [&](kernel::ExprId, const kernel::Expr& e) {
                                   if (e.kind == kernel::ExprKind::Local) used[e.local] = at;
                               });
        }
        size_t most = 0;
        for (size_t at = 0; at < statements.size(); ++at)
            most = std::max<size_t>(most,
                                    std::count_if(used.begin(), used.end(), [&](const auto& use) {
                                        return defined[use.first] < at && use.second > at;
                                    }));
        QVERIFY2(most <= 16, qPrintable(QString::number(most)));
    }
    void five_thousand_buffers_fuse_quickly() {
        LoopBuilder b;
        std::vector<BufferId> live;
        for (int i = 0; i < 20; ++i)
            live.push_back(b.input("x" + std::to_string(i), {32, 64}));
        for (int i = 0; i < 1250; ++i) {
            const std::string n = std::to_string(i);
            BufferId& slot = live[i % 20];
            BufferId sum = b.reduce("sum_" + n, ReduceOp::Sum, slot, {1}, true);
            BufferId sub = b.binary("sub_" + n, Sub, slot, sum);
            BufferId exp = b.unary("exp_" + n, Exp, sub);
            slot = i % 10 == 9
                       ? b.matmul("mm_" + n, b.reduce("t_" + n, ReduceOp::Sum, exp, {0}, true),
                                  b.input("w" + n, {64, 64}))
                       : b.binary("add_" + n, Add, exp, live[(i + 1) % 20]);
            if (i % 10 == 9) slot = b.binary("wide_" + n, Add, exp, slot);
        }
        for (BufferId id : live)
            b.output(id);
        const auto start = std::chrono::steady_clock::now();
        const KernelProgram p = fused(b);
        const double ms =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                .count();
        QVERIFY(!kernel::verify(p));
        qInfo("%zu buffers: %.1f ms, %zu kernels", p.loops.buffers.size(), ms, p.kernels.size());
        QVERIFY2(ms < (base::kSanitized ? 30000 : 3000),
                 "aim 300 ms; ten times that means that something became quadratic");
    }
};

QTEST_APPLESS_MAIN(TestFuse)
#include "test_fuse.moc"
