// SPDX-License-Identifier: Apache-2.0
// Products that are loops: where they fire, must not, nearly do; values stay within rounding.
#include "core/passes/thin_products.h"
#include "tests/support/calls.h"
#include "tests/support/rewritten.h"

#include <QtTest>

#include <functional>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

using Make = std::function<NodeId(Captured&)>;

/// The calls that are left; the value is checked.
QStringList left(const Make& make) {
    Captured c;
    c.output(make(c));
    const ir::Graph before = c.graph.clone();
    check(passes::thinProducts(c.graph));
    check(passes::removeDead(c.graph));
    wantSame(c.graph, before, 1e-6);
    return calls(c.graph);
}

NodeId input(Captured& c, const char* name, ir::Shape sizes, ir::DType dtype = ir::DType::Float32) {
    return c.input(name, std::move(sizes), false, dtype);
}

} // namespace

class TestThinProducts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sums_of_one_number_are_products_of_elements() {
        for (ir::DType dtype : {ir::DType::Float32, ir::DType::Float64, ir::DType::BFloat16}) {
            QCOMPARE(left([&](Captured& c) {
                         return c.call(
                             "mm", {input(c, "a", {5, 1}, dtype), input(c, "b", {1, 7}, dtype)});
                     }),
                     QStringList({"mul.Tensor"}));
            QCOMPARE(left([&](Captured& c) {
                         return c.call("bmm", {input(c, "a", {3, 5, 1}, dtype),
                                               input(c, "b", {3, 1, 7}, dtype)});
                     }),
                     QStringList({"mul.Tensor"}));
        }
    }
    void two_numbers_and_integers_are_the_librarys() {
        QCOMPARE(left([](Captured& c) {
                     return c.call("mm", {input(c, "a", {5, 2}), input(c, "b", {2, 7})});
                 }),
                 QStringList({"mm"}));
        QCOMPARE(left([](Captured& c) {
                     return c.call("mm", {input(c, "a", {5, 1}, ir::DType::Int64),
                                          input(c, "b", {1, 7}, ir::DType::Int64)});
                 }),
                 QStringList({"mm"}));
    }
    void a_column_of_a_computed_matrix_is_a_sum_of_its_rows() {
        QCOMPARE(left([](Captured& c) {
                     return c.call("mm",
                                   {c.call("exp", {input(c, "a", {5, 6})}), input(c, "b", {6, 1})});
                 }),
                 QStringList({"exp", "view", "mul.Tensor", "sum.dim_IntList"}));
        QCOMPARE(left([](Captured& c) {
                     return c.call("mv",
                                   {c.call("exp", {input(c, "a", {5, 6})}), input(c, "b", {6})});
                 }),
                 QStringList({"exp", "mul.Tensor", "sum.dim_IntList"}));
    }
    void a_matrix_in_memory_is_read_by_the_library() {
        QCOMPARE(left([](Captured& c) {
                     return c.call("mm", {input(c, "a", {5, 6}), input(c, "b", {6, 1})});
                 }),
                 QStringList({"mm"}));
        QCOMPARE(left([](Captured& c) {
                     const NodeId a = c.call("exp", {input(c, "a", {6, 6})});
                     return c.call("mm", {a, c.call("mm", {a, input(c, "b", {6, 1})})});
                 }),
                 QStringList({"exp", "mm", "mm"}));
        QCOMPARE(left([](Captured& c) {
                     return c.call("mm",
                                   {c.call("exp", {input(c, "a", {5, 6}, ir::DType::BFloat16)}),
                                    input(c, "b", {6, 1}, ir::DType::BFloat16)});
                 }),
                 QStringList({"exp", "mm"}));
    }
};

QTEST_APPLESS_MAIN(TestThinProducts)
#include "test_thin_products.moc"
