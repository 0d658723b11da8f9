// SPDX-License-Identifier: Apache-2.0
// Rows chosen before their product: where it fires, must not, nearly does; values stay the same.
#include "core/passes/raise_views.h"
#include "tests/support/calls.h"
#include "tests/support/rewritten.h"

#include <QtTest>

#include <functional>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

using Make = std::function<void(Captured&)>;

/// The calls that are left; values, and how the results lie, are checked.
QStringList left(const Make& make) {
    Captured c;
    make(c);
    const ir::Graph before = c.graph.clone();
    check(passes::raiseViews(c.graph));
    wantSame(c.graph, before);
    return calls(c.graph);
}

Arg whole(int64_t number) {
    return Arg(ir::Sym(number));
}
NodeId product(Captured& c, bool bias = true) {
    const NodeId x = c.input("x", {2, 6, 8}, false), w = c.input("w", {5, 8}, false);
    return c.call("linear", {x, w, bias ? Arg(c.input("b", {5}, false)) : Arg()});
}
NodeId last(Captured& c, NodeId value, int64_t dim = 1) {
    return c.call("select.int", {value, whole(dim), whole(-1)});
}
NodeId slice(Captured& c, NodeId value, int64_t dim, int64_t from, int64_t to) {
    return c.call("slice.Tensor", {value, whole(dim), whole(from), whole(to), whole(1)});
}

const QStringList kRaised{"select.int", "linear", "cos"};

} // namespace

class TestRaiseViews : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void the_last_row_is_chosen_first() {
        for (bool bias : {true, false})
            QCOMPARE(
                left([&](Captured& c) { c.output(c.call("cos", {last(c, product(c, bias))})); }),
                kRaised);
    }
    void so_are_the_first_few_of_a_matrix() {
        QCOMPARE(left([](Captured& c) {
                     const NodeId x = c.input("x", {6, 8}, false), w = c.input("w", {8, 5}, false);
                     c.output(slice(c, c.call("matmul", {x, w}), 0, 1, 4)); // lies as it did
                 }),
                 QStringList({"slice.Tensor", "matmul"}));
    }
    void products_and_pointwise_calls_may_follow_each_other() {
        QCOMPARE(left([](Captured& c) {
                     const NodeId hidden = c.call("relu", {product(c)});
                     const NodeId v = c.input("v", {3, 5}, false);
                     const NodeId top = c.call("tanh", {c.call("linear", {hidden, v, Arg()})});
                     c.output(c.call("cos", {last(c, top)}));
                 }),
                 QStringList({"select.int", "linear", "relu", "linear", "tanh", "cos"}));
    }
    void the_gradient_is_of_these_rows() {
        // Sizes of the products behind autograd: (2 x 8) (8 x 5), not (12 x 8) (8 x 5).
        Captured c;
        c.output(c.call("cos", {last(c, product(c))}));
        check(passes::raiseViews(c.graph));
        for (NodeId id : c.graph.order())
            if (c.graph.node(id).op == "linear")
                QCOMPARE(c.graph.node(id).type().sizes, ir::Shape({2, 5}));
    }
    void what_else_is_read_stays() {
        QCOMPARE(left([](Captured& c) {
                     const NodeId y = product(c);
                     c.output(c.call("cos", {last(c, y)}));
                     c.output(c.call("sin", {y}));
                 }),
                 QStringList({"linear", "select.int", "cos", "sin"}));
    }
    void so_does_what_the_caller_gets() {
        QCOMPARE(left([](Captured& c) {
                     const NodeId y = product(c);
                     c.output(c.call("cos", {last(c, y)}));
                     c.output(y);
                 }),
                 QStringList({"linear", "select.int", "cos"}));
        // Its strides would be others.
        QCOMPARE(left([](Captured& c) { c.output(last(c, product(c))); }),
                 QStringList({"linear", "select.int"}));
        QCOMPARE(left([](Captured& c) {
                     const NodeId v = c.input("v", {3, 5}, false);
                     c.output(last(c, c.call("linear", {product(c), v, Arg()})));
                 }),
                 QStringList({"linear", "linear", "select.int"}));
    }
    void columns_stay() {
        QCOMPARE(left([](Captured& c) { c.output(c.call("cos", {last(c, product(c), 2)})); }),
                 QStringList({"linear", "select.int", "cos"}));
    }
    void more_than_half_stays() {
        QCOMPARE(
            left([](Captured& c) { c.output(c.call("cos", {slice(c, product(c), 1, 0, 4)})); }),
            QStringList({"linear", "slice.Tensor", "cos"}));
    }
    void matrices_of_their_own_stay() {
        QCOMPARE(left([](Captured& c) {
                     const NodeId x = c.input("x", {2, 6, 8}, false);
                     const NodeId y = c.call("matmul", {x, c.input("w", {2, 8, 5}, false)});
                     c.output(c.call("cos", {last(c, y, 0)}));
                 }),
                 QStringList({"matmul", "select.int", "cos"}));
    }
};

QTEST_APPLESS_MAIN(TestRaiseViews)
#include "test_raise_views.moc"
