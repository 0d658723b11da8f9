// SPDX-License-Identifier: Apache-2.0
#include "tests/support/captured_graphs.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::testing;

class TestRemoveDead : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void unused_calls_go_with_what_only_they_used() {
        Captured c;
        NodeId x = c.input("x", {4});
        c.call("sin", {c.call("exp", {x})});
        c.output(c.call("cos", {x}));
        check(passes::removeDead(c.graph));
        QCOMPARE(c.graph.order().size(), size_t{2});
    }
    void unused_inputs_stay() {
        Captured c;
        NodeId x = c.input("x", {4});
        c.input("y", {4});
        c.output(c.call("cos", {x}));
        check(passes::removeDead(c.graph));
        QCOMPARE(c.graph.placeholders().size(), size_t{2});
    }
    void a_tuple_of_which_one_element_is_used_stays() {
        Captured c;
        NodeId pair =
            c.call("var_mean.correction", {c.input("x", {4, 6}), ints({1}), Arg(ir::Sym(0)), true});
        NodeId variance = c.b.getitem(pair, 0);
        c.b.getitem(pair, 1);
        c.output(variance);
        check(passes::removeDead(c.graph));
        QCOMPARE(c.graph.order().size(), size_t{3});
    }
};

QTEST_APPLESS_MAIN(TestRemoveDead)
#include "test_remove_dead.moc"
