// SPDX-License-Identifier: Apache-2.0
// Stores piece by piece become joins: where they fire, must not, nearly do; and random stores and
// reads give the same values and gradients with and without.
#include "core/passes/join_stores.h"
#include "tests/support/calls.h"
#include "tests/support/interpret.h"
#include "tests/support/random_joins.h"

#include <QtTest>

#include <functional>
#include <random>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

/// The calls left of make(graph, x), x of [6, 4], which is returned.
QStringList left(const std::function<NodeId(Captured&, NodeId)>& make, bool wantsGradient = false) {
    Captured c;
    c.output(make(c, c.input("x", {6, 4}, wantsGradient)));
    check(passes::joinStores(c.graph));
    if (auto problem = ir::verify(c.graph)) throw std::runtime_error(*problem);
    return calls(c.graph);
}

size_t count(const ir::Graph& graph, const char* op) {
    return static_cast<size_t>(std::count_if(graph.order().begin(), graph.order().end(),
                                             [&](NodeId id) { return graph.node(id).op == op; }));
}

} // namespace

class TestJoinStores : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void rows_that_fill_a_tensor_are_a_join() {
        QCOMPARE(left([](Captured& c, NodeId x) {
                     const NodeId a = c.input("a", {2, 4}, false), b = c.input("b", {4, 4});
                     return sliceStore(c, sliceStore(c, x, a, 0, 0, 2), b, 0, 2, 6);
                 }),
                 QStringList({"cat"}));
        QCOMPARE(left([](Captured& c, NodeId x) {
                     for (int64_t i = 0; i < 4; ++i)
                         x = selectStore(c, x, c.input("a" + std::to_string(i), {6}), 1, i);
                     return x;
                 }),
                 QStringList({"unsqueeze", "unsqueeze", "unsqueeze", "unsqueeze", "cat"}));
    }
    void what_is_left_of_the_tensor_is_a_piece() {
        QCOMPARE(left([](Captured& c, NodeId x) {
                     const NodeId a = c.input("a", {2, 4}, false);
                     return sliceStore(c, sliceStore(c, x, a, 0, 1, 3), a, 0, -2, 6);
                 }),
                 QStringList({"slice.Tensor", "slice.Tensor", "cat"}));
    }
    void a_store_that_is_covered_is_dead() {
        QCOMPARE(left([](Captured& c, NodeId x) {
                     const NodeId a = c.input("a", {2, 4}, false), all = c.input("b", {6, 4});
                     return sliceStore(c, sliceStore(c, x, c.call("cos", {a}), 0, 1, 3), all, 0, 0,
                                       6);
                 }),
                 QStringList({"cat"}));
    }
    void a_read_is_what_was_stored() {
        QCOMPARE(left([](Captured& c, NodeId x) {
                     const NodeId a = c.input("a", {2, 4}, false);
                     return c.call("cos", {slice(c, sliceStore(c, x, a, 0, 1, 3), 0, 1, 3)});
                 }),
                 QStringList({"cos"}));
        QCOMPARE(left([](Captured& c, NodeId x) { // beside it
                     const NodeId a = c.input("a", {2, 4}, false);
                     return c.call("cos", {slice(c, sliceStore(c, x, a, 0, 1, 3), 0, 4, 6)});
                 }),
                 QStringList({"slice.Tensor", "cos"}));
        QCOMPARE(left([](Captured& c, NodeId x) {
                     const NodeId row =
                         c.call("select.int", {selectStore(c, x, c.input("a", {4}), 0, 2),
                                               Arg(ir::Sym(0)), Arg(ir::Sym(2))});
                     return c.call("cos", {row});
                 }),
                 QStringList({"cos"}));
    }
    void single_stores_steps_and_symbols_stay() {
        QCOMPARE(left([](Captured& c, NodeId x) {
                     return sliceStore(c, x, c.input("a", {2, 4}, false), 0, 1, 3);
                 }),
                 QStringList({"slice_scatter"}));
        QCOMPARE(left([](Captured& c, NodeId x) {
                     const NodeId a = c.input("a", {3, 4});
                     return sliceStore(c, sliceStore(c, x, a, 0, 0, 6, 2), a, 0, 1, 6, 2);
                 }),
                 QStringList({"slice_scatter", "slice_scatter"}));
    }
    void stores_along_two_dimensions_are_two_rows() {
        QCOMPARE(left([](Captured& c, NodeId x) {
                     const NodeId a = c.input("a", {3, 4}), b = c.input("b", {6, 1});
                     x = sliceStore(c, sliceStore(c, x, a, 0, 0, 3), a, 0, 3, 6);
                     return sliceStore(c, x, b, 1, 0, 1);
                 }),
                 QStringList({"cat", "slice_scatter"}));
    }
    void a_read_over_two_pieces_keeps_the_join() {
        QCOMPARE(left([](Captured& c, NodeId x) {
                     const NodeId a = c.input("a", {3, 4});
                     x = sliceStore(c, sliceStore(c, x, a, 0, 0, 3), a, 0, 3, 6);
                     return c.call("cos", {slice(c, x, 0, 2, 4)});
                 }),
                 QStringList({"cat", "slice.Tensor", "cos"}));
    }
    void what_wants_a_gradient_of_zeros_stays() {
        auto covered = [](Captured& c, NodeId x) {
            const NodeId a = c.input("a", {6, 4}, false);
            return sliceStore(c, x, a, 0, 0, 6);
        };
        QCOMPARE(left(covered), QStringList({"cat"}));
        QCOMPARE(left(covered, true), QStringList({"slice_scatter"}));
        auto read = [](Captured& c, NodeId x) {
            const NodeId a = c.input("a", {2, 4}, false);
            return c.call("cos", {slice(c, sliceStore(c, x, a, 0, 1, 3), 0, 1, 3)});
        };
        QCOMPARE(left(read), QStringList({"cos"}));
        QCOMPARE(left(read, true), QStringList({"slice_scatter", "slice.Tensor", "cos"}));
        auto returned = [&](Captured& c, NodeId x) {
            const NodeId y = sliceStore(c, x, c.input("a", {2, 4}), 0, 1, 3);
            const NodeId z = sliceStore(c, y, c.call("cos", {slice(c, y, 0, 1, 3)}), 0, 3, 5);
            return z;
        };
        QCOMPARE(left(returned, true), // all of it is returned
                 QStringList({"cos", "slice.Tensor", "slice.Tensor", "cat"}));
    }
    void a_piece_that_is_returned_is_not_the_input() {
        QCOMPARE(left([](Captured& c, NodeId x) {
                     const NodeId a = c.input("a", {2, 4}, false);
                     return slice(c, sliceStore(c, x, a, 0, 1, 3), 0, 1, 3, "slice_copy.Tensor");
                 }),
                 QStringList({"slice_scatter", "slice_copy.Tensor"}));
    }
    void random_stores_give_the_same_values_and_gradients() {
        size_t joins = 0, stores = 0;
        for (unsigned seed = 1; seed <= 300; ++seed) {
            const ir::Graph plain = randomStores(seed);
            ir::Graph joined = plain.clone();
            check(passes::joinStores(joined));
            QCOMPARE(ir::verify(joined).value_or(""), std::string());
            joins += count(joined, "cat");
            stores += count(joined, "slice_scatter") < count(plain, "slice_scatter");
            QCOMPARE(autodiff::needsGradient(joined), autodiff::needsGradient(plain));
            if (!autodiff::needsGradient(plain)) continue;
            const autodiff::JointGraph before = jointOf(plain.clone()),
                                       after = jointOf(std::move(joined));
            QVERIFY(before.tangentOutputs == after.tangentOutputs);
            std::mt19937 random(seed);
            const HostTensors inputs = randomInputs(before.graph, random);
            const double apart =
                distance(interpret(after.graph, inputs), interpret(before.graph, inputs));
            QVERIFY2(apart < 1e-5, qPrintable(QString("seed %1: %2").arg(seed).arg(apart)));
        }
        QVERIFY2(joins > 100 && stores > 100, qPrintable(QString("%1 %2").arg(joins).arg(stores)));
    }
};

QTEST_APPLESS_MAIN(TestJoinStores)
#include "test_join_stores.moc"
