// SPDX-License-Identifier: Apache-2.0
#include "core/ir/printer.h"
#include "core/passes/collapse_one_hot.h"
#include "tests/support/calls.h"
#include "tests/support/captured_graphs.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

Arg whole(int64_t value) {
    return Arg(ir::Sym(value));
}

/// scatter(full([4, 8], zero), dim, index of \p index sizes, -1.0)
NodeId oneHot(Captured& c, int64_t dim, ir::Shape index, double zero = 0) {
    NodeId zeros = c.call("full", {ints({4, 8}), zero, ir::DType::Float32, Arg{}, ir::Device{}});
    NodeId at = c.input("index", std::move(index), false, ir::DType::Int64);
    return c.call("scatter.value", {zeros, whole(dim), at, -1.0});
}

/// The op names of what computes the output once the pass and dead code removal have run.
QStringList collapsed(Captured& c, NodeId output) {
    c.output(output);
    check(passes::collapseOneHot(c.graph));
    check(passes::removeDead(c.graph));
    if (auto problem = ir::verify(c.graph)) throw std::runtime_error(*problem);
    return calls(c.graph);
}

NodeId sum(Captured& c, NodeId x, int64_t dim, bool keep) {
    return c.call("sum.dim_IntList", {x, ints({dim}), keep});
}

} // namespace

class TestCollapseOneHot : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_scaled_one_hot_sums_to_its_scale() {
        Captured c;
        NodeId g = c.input("g", {4, 1});
        NodeId total = sum(c, c.b.mul(oneHot(c, 1, {4, 1}), g), 1, true);
        QCOMPARE(collapsed(c, total), QStringList({"mul.Tensor"}));
    }
    void either_operand_may_be_the_one_hot_and_dims_may_count_from_the_end() {
        Captured c;
        NodeId g = c.input("g", {4, 1});
        NodeId total = sum(c, c.b.mul(g, Arg(oneHot(c, -1, {4, 1}))), -1, false);
        QCOMPARE(collapsed(c, total), QStringList({"mul.Tensor", "view"}));
    }
    void a_scale_of_lower_rank_may_leave_out_leading_ones() {
        Captured c;
        NodeId g = c.input("g", {8});
        NodeId total = sum(c, c.b.mul(oneHot(c, 0, {1, 8}), g), 0, true);
        QCOMPARE(collapsed(c, total), QStringList({"mul.Tensor", "view"}));
    }
    void an_unscaled_one_hot_sums_to_a_constant() {
        Captured c;
        QCOMPARE(collapsed(c, sum(c, oneHot(c, 1, {4, 1}), 1, true)), QStringList({"full"}));
    }
    void another_dimension_stays() {
        Captured c;
        QVERIFY(collapsed(c, sum(c, oneHot(c, 1, {4, 1}), 0, true)).contains("sum.dim_IntList"));
    }
    void two_hot_places_in_a_slice_stay() {
        Captured c;
        QVERIFY(collapsed(c, sum(c, oneHot(c, 1, {4, 2}), 1, true)).contains("sum.dim_IntList"));
    }
    void slices_without_an_index_stay() {
        Captured c;
        QVERIFY(collapsed(c, sum(c, oneHot(c, 1, {3, 1}), 1, true)).contains("sum.dim_IntList"));
    }
    void a_weight_for_each_class_stays() {
        Captured c;
        NodeId g = c.input("g", {8});
        NodeId total = sum(c, c.b.mul(oneHot(c, 1, {4, 1}), g), 1, true);
        QVERIFY(collapsed(c, total).contains("sum.dim_IntList"));
    }
    void one_scale_for_all_slices_stays() {
        Captured c;
        NodeId g = c.input("g", {1, 1});
        NodeId total = sum(c, c.b.mul(oneHot(c, 1, {4, 1}), g), 1, true);
        QVERIFY(collapsed(c, total).contains("sum.dim_IntList"));
    }
    void a_background_that_is_not_zero_stays() {
        Captured c;
        QVERIFY(
            collapsed(c, sum(c, oneHot(c, 1, {4, 1}, 0.5), 1, true)).contains("sum.dim_IntList"));
    }
};

QTEST_APPLESS_MAIN(TestCollapseOneHot)
#include "test_collapse_one_hot.moc"
