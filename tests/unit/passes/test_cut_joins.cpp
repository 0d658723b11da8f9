// SPDX-License-Identifier: Apache-2.0
// Joins and slices of one another: where they fire, must not, nearly do; random cuts and joins give
// the same values and gradients with and without.
#include "core/passes/cut_joins.h"
#include "tests/support/calls.h"
#include "tests/support/interpret.h"
#include "tests/support/random_joins.h"

#include <QtTest>

#include <functional>
#include <random>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

/// The calls left of make(graph, x) + 1 (the sum keeps results apart from x), x of [6, 4].
QStringList left(const std::function<NodeId(Captured&, NodeId)>& make, bool returned = false) {
    Captured c;
    const NodeId value = make(c, c.input("x", {6, 4}, false));
    c.output(returned ? value : c.b.add(value, Arg(ir::Sym(1))));
    check(passes::cutJoins(c.graph));
    check(passes::removeDead(c.graph));
    if (auto problem = ir::verify(c.graph)) throw std::runtime_error(*problem);
    QStringList ops = calls(c.graph);
    if (!returned) ops.removeLast(); // the sum
    return ops;
}

} // namespace

class TestCutJoins : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void what_is_cut_and_joined_is_what_it_was() {
        QCOMPARE(left([](Captured& c, NodeId x) {
                     return cat(c, {slice(c, x, 1, 0, 1), slice(c, x, 1, 1, 4)}, 1);
                 }),
                 QStringList());
        QCOMPARE(left([](Captured& c, NodeId x) {
                     const NodeId parts = c.call("chunk", {x, Arg(ir::Sym(3)), Arg(ir::Sym(0))});
                     return cat(
                         c, {c.b.getitem(parts, 0), c.b.getitem(parts, 1), c.b.getitem(parts, 2)},
                         -2);
                 }),
                 QStringList());
    }
    void neighbours_are_one_slice() {
        QCOMPARE(left([](Captured& c, NodeId x) {
                     return cat(c, {slice(c, x, 0, 1, 3), slice(c, x, 0, 3, 5)}, 0);
                 }),
                 QStringList({"slice.Tensor"}));
        QCOMPARE(left([](Captured& c, NodeId x) {
                     const NodeId y = c.call("cos", {x});
                     return cat(c, {slice(c, x, 0, 1, 3), slice(c, x, 0, 3, 6), y}, 0);
                 }),
                 QStringList({"cos", "slice.Tensor", "cat"}));
    }
    void joins_of_joins_are_one() {
        QCOMPARE(left([](Captured& c, NodeId x) {
                     return cat(c, {x, cat(c, {c.call("cos", {x}), c.call("sin", {x})}, 0)}, 0);
                 }),
                 QStringList({"cos", "sin", "cat"}));
        QCOMPARE(left([](Captured& c, NodeId x) { // along another dimension
                     const NodeId wide = cat(c, {c.call("cos", {x}), x}, 1);
                     return cat(c, {wide, c.input("y", {1, 8}, false)}, 0);
                 }),
                 QStringList({"cos", "cat", "cat"}));
        QCOMPARE(left([](Captured& c, NodeId x) { // read by another, too
                     const NodeId inner = cat(c, {c.call("cos", {x}), x}, 0);
                     c.output(c.call("sin", {inner}));
                     return cat(c, {inner, x}, 0);
                 }),
                 QStringList({"cos", "cat", "sin", "cat"}));
    }
    void a_slice_of_a_join_is_of_its_piece() {
        auto joined = [](Captured& c, NodeId x) { return cat(c, {c.call("cos", {x}), x}, 1); };
        QCOMPARE(left([&](Captured& c, NodeId x) { return slice(c, joined(c, x), 1, 0, 4); }),
                 QStringList({"cos"}));
        QCOMPARE(left([&](Captured& c, NodeId x) { return slice(c, joined(c, x), 1, 5, 7); }),
                 QStringList({"slice.Tensor"}));
        QCOMPARE(left([&](Captured& c, NodeId x) {
                     return c.call("select.int", {joined(c, x), Arg(ir::Sym(1)), Arg(ir::Sym(-1))});
                 }),
                 QStringList({"select.int"}));
        QCOMPARE(left([&](Captured& c, NodeId x) { // over both
                     return slice(c, joined(c, x), 1, 3, 5);
                 }),
                 QStringList({"cos", "cat", "slice.Tensor"}));
        QCOMPARE(left([&](Captured& c, NodeId x) { // across
                     return slice(c, joined(c, x), 0, 1, 5);
                 }),
                 QStringList({"cos", "cat", "slice.Tensor"}));
    }
    void order_steps_and_tensors_matter() {
        QCOMPARE(left([](Captured& c, NodeId x) {
                     return cat(c, {slice(c, x, 0, 3, 6), slice(c, x, 0, 0, 3)}, 0);
                 }),
                 QStringList({"slice.Tensor", "slice.Tensor", "cat"}));
        QCOMPARE(left([](Captured& c, NodeId x) {
                     return cat(c,
                                {slice(c, x, 0, 0, 6, "slice.Tensor", 2),
                                 slice(c, x, 0, 1, 6, "slice.Tensor", 2)},
                                0);
                 }),
                 QStringList({"slice.Tensor", "slice.Tensor", "cat"}));
        QCOMPARE(left([](Captured& c, NodeId x) {
                     return cat(c, {slice(c, x, 0, 0, 3), slice(c, c.call("cos", {x}), 0, 3, 6)},
                                0);
                 }),
                 QStringList({"slice.Tensor", "cos", "slice.Tensor", "cat"}));
    }
    void the_caller_gets_fresh_memory_and_strides_as_before() {
        QCOMPARE(
            left([](Captured& c,
                    NodeId x) { return cat(c, {slice(c, x, 0, 0, 1), slice(c, x, 0, 1, 6)}, 0); },
                 true),
            QStringList({"slice.Tensor", "slice.Tensor", "cat"}));
        QCOMPARE(
            left([](Captured& c,
                    NodeId x) { return slice(c, cat(c, {c.call("cos", {x}), x}, 1), 1, 0, 4); },
                 true),
            QStringList({"cos", "cat", "slice.Tensor"}));
        QCOMPARE(left([](Captured& c, NodeId x) { // a view reads it
                     const NodeId part = slice(c, cat(c, {c.call("cos", {x}), x}, 1), 1, 0, 4);
                     return c.call("permute", {part, ints({1, 0})});
                 }),
                 QStringList({"cos", "cat", "slice.Tensor", "permute"}));
    }
    void results_that_share_memory_go_on_sharing_it() {
        auto slices = [](bool wholeToo) {
            Captured c;
            const NodeId x = c.input("x", {6, 4}, false);
            const NodeId y = cat(c, {c.call("cos", {x}), c.call("sin", {x})}, 0);
            if (wholeToo) c.output(y);
            c.output(slice(c, y, 0, 0, 6));
            check(passes::cutJoins(c.graph));
            check(passes::removeDead(c.graph));
            return std::count_if(c.graph.order().begin(), c.graph.order().end(),
                                 [&](NodeId id) { return c.graph.node(id).op == "slice.Tensor"; });
        };
        QCOMPARE(slices(true), 1); // the caller may write to one and see it in the other
        QCOMPARE(slices(false), 0);
    }
    void random_cuts_give_the_same_values_and_gradients() {
        int changed = 0;
        for (unsigned seed = 1; seed <= 300; ++seed) {
            autodiff::JointGraph joint = jointOf(randomCuts(seed));
            ir::Graph plain = joint.graph.clone();
            check(passes::cutJoins(joint.graph));
            check(passes::removeDead(joint.graph));
            QCOMPARE(ir::verify(joint.graph).value_or(""), std::string());
            changed += joint.graph.contentHash() != plain.contentHash();
            std::mt19937 random(seed);
            const HostTensors inputs = randomInputs(plain, random);
            const double apart = distance(interpret(joint.graph, inputs), interpret(plain, inputs));
            QVERIFY2(apart == 0, qPrintable(QString("seed %1: %2").arg(seed).arg(apart)));
        }
        QVERIFY2(changed > 150, qPrintable(QString::number(changed)));
    }
};

QTEST_APPLESS_MAIN(TestCutJoins)
#include "test_cut_joins.moc"
