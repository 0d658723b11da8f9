// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/bits.h"
#include "core/kernel/expr.h"
#include "core/kernel/scalar_eval.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <stdexcept>

using namespace cutaway;
using namespace cutaway::kernel;
using ir::DType;

namespace {
const ir::Var d0{'d', 0}, d1{'d', 1};
std::string bufferName(BufferId id) {
    return "b" + std::to_string(id.index);
}
ExprId at(ExprPool& pool, uint32_t buffer, const ir::Sym& i) {
    return pool.load(BufferId(buffer), DType::Float32, {{i, {}}});
}
} // namespace

class TestExpr : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void equal_expressions_share_one_id() {
        ExprPool pool;
        ExprId x = at(pool, 0, d0), y = at(pool, 1, d0);
        QCOMPARE(pool.op(ScalarOp::Add, {x, y}), pool.op(ScalarOp::Add, {x, y}));
        QCOMPARE(pool.op(ScalarOp::Add, {x, y}), pool.op(ScalarOp::Add, {y, x}));
        QVERIFY(pool.op(ScalarOp::Sub, {x, y}) != pool.op(ScalarOp::Sub, {y, x}));
        QVERIFY(at(pool, 0, d0) != at(pool, 0, d1));
        QCOMPARE(pool.size(), size_t(6));
    }
    void negative_zero_and_nan_are_constants_of_their_own() {
        ExprPool pool;
        const double nan = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(pool.constant(DType::Float32, 0.0) != pool.constant(DType::Float32, -0.0));
        QCOMPARE(pool.constant(DType::Float64, nan), pool.constant(DType::Float64, -nan));
    }
    void constants_fold_as_the_dtype_computes() {
        ExprPool pool;
        auto f32 = [&](double v) { return pool.constant(DType::Float32, v); };
        ExprId sum = pool.op(ScalarOp::Add, {f32(16777216), f32(1)});
        QCOMPARE(pool[sum].value, 16777216.0);
        ExprId sum64 = pool.op(ScalarOp::Add, {pool.constant(DType::Float64, 16777216),
                                               pool.constant(DType::Float64, 1)});
        QCOMPARE(pool[sum64].value, 16777217.0);
        ExprId wrapped = pool.op(ScalarOp::Add, {pool.constantInt(DType::Int32, 2147483647),
                                                 pool.constantInt(DType::Int32, 1)});
        QCOMPARE(pool[wrapped].integer, int64_t(-2147483648LL));
        ExprId large = pool.constantInt(DType::Int64, (int64_t(1) << 62) + 1);
        QCOMPARE(pool[pool.op(ScalarOp::Add, {large, large})].integer,
                 std::numeric_limits<int64_t>::min() + 2);
        QCOMPARE(pool[pool.cast(DType::Int64, f32(-2.7))].integer, int64_t(-2));
        QCOMPARE(pool[pool.op(ScalarOp::Lt, {f32(1), f32(2)})].dtype, DType::Bool);
    }
    void casts_that_keep_the_bits() {
        ExprPool pool;
        const ExprId one = pool.constant(DType::Float32, 1);
        const ExprId bits = pool.cast(sameBits(DType::UInt32), one);
        QCOMPARE(pool[bits].integer, int64_t(0x3f800000));
        QCOMPARE(pool.cast(sameBits(DType::Float32), bits), one);
        QCOMPARE(pool[pool.cast(sameBits(DType::Int64), pool.constant(DType::Float64, -2))].integer,
                 std::numeric_limits<int64_t>::min() + (int64_t(1) << 62));
        const ExprId x = at(pool, 0, d0), seen = pool.cast(sameBits(DType::Int32), x);
        QVERIFY(seen != pool.cast(DType::Int32, x));
        QCOMPARE(pool.str(seen, bufferName), std::string("bits_int32(b0[d0])"));
        const ExprId moved = pool.rewrite(seen, [](ir::Var) { return ir::Sym(d1); }, nullptr);
        QCOMPARE(pool.str(moved, bufferName), std::string("bits_int32(b0[d1])"));
        QCOMPARE(pool.cast(sameBits(DType::Float32), x), x);
        QVERIFY_EXCEPTION_THROWN(pool.cast(sameBits(DType::Int64), x), std::logic_error);
        QVERIFY_EXCEPTION_THROWN(pool.cast(sameBits(DType::Float16), x), std::logic_error);
    }
    void division_by_a_constant_zero_is_left_for_run_time() {
        ExprPool pool;
        ExprId q = pool.op(ScalarOp::FloorDiv,
                           {pool.constantInt(DType::Int64, 3), pool.constantInt(DType::Int64, 0)});
        QVERIFY(pool[q].kind == ExprKind::Op);
    }
    void scalar_semantics_follow_pytorch() {
        auto f = [](ScalarOp op, double a, double b) {
            const Scalar args[] = {{a, 0}, {b, 0}};
            return evaluate(op, DType::Float64, args).real;
        };
        auto i = [](ScalarOp op, int64_t a, int64_t b) {
            const Scalar args[] = {{0, a}, {0, b}};
            return evaluate(op, DType::Int64, args).integer;
        };
        const double nan = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(std::isnan(f(ScalarOp::Max, nan, 1)) && std::isnan(f(ScalarOp::Max, 1, nan)));
        QVERIFY(std::isnan(f(ScalarOp::Min, nan, 1)) && std::isnan(f(ScalarOp::Min, 1, nan)));
        QCOMPARE(f(ScalarOp::FloorDiv, -7, 2), -4.0);
        QCOMPARE(f(ScalarOp::Remainder, -7, 3), 2.0);
        QCOMPARE(f(ScalarOp::Remainder, 7, -3), -2.0);
        QCOMPARE(i(ScalarOp::FloorDiv, -7, 2), int64_t(-4));
        QCOMPARE(i(ScalarOp::Remainder, -7, 3), int64_t(2));
        QCOMPARE(i(ScalarOp::Pow, 3, 4), int64_t(81));
        QCOMPARE(i(ScalarOp::Pow, 2, -1), int64_t(0));
        QCOMPARE(f(ScalarOp::Round, 2.5, 0), 2.0);
        QCOMPARE(f(ScalarOp::Sign, nan, 0), 0.0);
        QCOMPARE(f(ScalarOp::Sign, -3, 0), -1.0);
    }
    void operands_of_different_dtypes_are_refused() {
        ExprPool pool;
        ExprId f = pool.constant(DType::Float32, 1), i = pool.constantInt(DType::Int64, 1);
        QVERIFY_EXCEPTION_THROWN(pool.op(ScalarOp::Add, {f, i}), std::logic_error);
        QVERIFY_EXCEPTION_THROWN(pool.op(ScalarOp::Where, {f, f, f}), std::logic_error);
        QVERIFY_EXCEPTION_THROWN(pool.op(ScalarOp::Add, {f}), std::logic_error);
    }
    void rewriting_replaces_variables_and_loads_and_refolds() {
        ExprPool pool;
        ExprId x = at(pool, 0, ir::Sym(d0) * 2);
        ExprId root = pool.op(ScalarOp::Cos, {pool.op(ScalarOp::Mul, {x, x})});
        ExprId moved = pool.rewrite(
            root, [](ir::Var v) { return v == d0 ? std::optional(ir::Sym(d1) + 1) : std::nullopt; },
            nullptr);
        QCOMPARE(QString::fromStdString(pool.str(moved, bufferName)),
                 QString("cos(b0[2*d1 + 2] * b0[2*d1 + 2])"));
        ExprId folded = pool.rewrite(root, nullptr,
                                     [&](const Expr&) { return pool.constant(DType::Float32, 0); });
        QCOMPARE(pool[folded].value, 1.0);
        QCOMPARE(pool.rewrite(root, nullptr, nullptr), root);
    }
    void indirect_coordinates_are_operands() {
        ExprPool pool;
        ExprId where = pool.load(BufferId(1), DType::Int64, {{ir::Sym(d0), {}}});
        ExprId gathered = pool.load(BufferId(0), DType::Float32, {{ir::Sym(0), where}, {d1, {}}});
        QCOMPARE(QString::fromStdString(pool.str(gathered, bufferName)), QString("b0[b1[d0], d1]"));
        int seen = 0;
        pool.visit(gathered, [&](ExprId, const Expr&) { ++seen; });
        QCOMPARE(seen, 2);
        ExprId direct =
            pool.load(BufferId(0), DType::Float32, {{ir::Sym(0), pool.index(d0)}, {d1, {}}});
        QCOMPARE(direct, pool.load(BufferId(0), DType::Float32, {{d0, {}}, {d1, {}}}));
    }
    void text_has_parentheses_where_the_tree_needs_them() {
        ExprPool pool;
        ExprId a = at(pool, 0, d0), b = at(pool, 1, d0);
        ExprId sum = pool.op(ScalarOp::Add, {a, b});
        auto str = [&](ExprId e) { return QString::fromStdString(pool.str(e, bufferName)); };
        QCOMPARE(str(pool.op(ScalarOp::Mul, {sum, a})), QString("(b0[d0] + b1[d0]) * b0[d0]"));
        QCOMPARE(str(pool.op(ScalarOp::Sub, {a, sum})), QString("b0[d0] - (b0[d0] + b1[d0])"));
        QCOMPARE(str(pool.op(ScalarOp::Neg, {sum})), QString("-(b0[d0] + b1[d0])"));
        QCOMPARE(str(pool.cast(DType::Float64, sum)), QString("float64(b0[d0] + b1[d0])"));
        QCOMPARE(str(pool.constant(DType::Float32, 0.1)), QString("0.1"));
        QCOMPARE(str(pool.constant(DType::Float32, 2)), QString("2.0"));
    }
    void a_chain_of_a_thousand_operations_is_walked_without_recursion() {
        ExprPool pool;
        ExprId e = at(pool, 0, d0);
        const ExprId one = pool.constant(DType::Float32, 1);
        for (int i = 0; i < 100000; ++i)
            e = pool.op(ScalarOp::Add, {e, one});
        QVERIFY(pool.rewrite(e, [](ir::Var) { return ir::Sym(d1); }, nullptr) != e);
    }
};

QTEST_APPLESS_MAIN(TestExpr)
#include "test_expr.moc"
