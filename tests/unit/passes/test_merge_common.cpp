// SPDX-License-Identifier: Apache-2.0
#include "tests/support/captured_graphs.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

size_t calls(const ir::Graph& graph) {
    size_t count = 0;
    for (NodeId id : graph.order())
        count += graph.node(id).kind == ir::NodeKind::Call;
    return count;
}

void merge(ir::Graph& graph) {
    check(passes::mergeCommon(graph));
    if (auto problem = ir::verify(graph)) throw std::runtime_error(*problem);
}

} // namespace

class TestMergeCommon : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void equal_calls_become_one() {
        Captured c;
        NodeId x = c.input("x", {4});
        c.output(c.b.mul(c.call("cos", {x}), c.call("cos", {x})));
        merge(c.graph);
        QCOMPARE(calls(c.graph), size_t{2});
        const ir::Node& product = c.graph.node(c.graph.outputs[0]);
        QVERIFY(product.args[0] == product.args[1]);
    }
    void a_chain_of_duplicates_folds_in_one_pass() {
        Captured c;
        NodeId x = c.input("x", {4});
        NodeId a = c.call("sin", {c.call("cos", {x})}), b = c.call("sin", {c.call("cos", {x})});
        c.output(c.b.add(a, b));
        merge(c.graph);
        QCOMPARE(calls(c.graph), size_t{3});
    }
    void factors_may_be_swapped_but_not_differences() {
        Captured c;
        NodeId x = c.input("x", {4}), y = c.input("y", {4});
        NodeId same = c.b.add(c.b.mul(x, y), c.b.mul(y, x));
        NodeId other = c.b.add(c.b.sub(x, y), c.b.sub(y, x));
        c.output(c.b.mul(same, other));
        merge(c.graph);
        QCOMPARE(calls(c.graph), size_t{6});
    }
    void a_scaled_sum_does_not_commute() {
        Captured c;
        NodeId x = c.input("x", {4}), y = c.input("y", {4});
        NodeId a = c.call("add.Tensor", {x, y, 2.0}), b = c.call("add.Tensor", {y, x, 2.0});
        c.output(c.b.mul(a, b));
        merge(c.graph);
        QCOMPARE(calls(c.graph), size_t{3});
    }
    void two_results_stay_two_tensors() {
        Captured c;
        NodeId x = c.input("x", {4});
        c.output(c.call("cos", {x}));
        c.output(c.call("cos", {x}));
        merge(c.graph);
        QCOMPARE(calls(c.graph), size_t{2});
        QVERIFY(c.graph.outputs[0] != c.graph.outputs[1]);
    }
    void a_result_may_share_with_an_inner_value() {
        Captured c;
        NodeId x = c.input("x", {4});
        NodeId inner = c.call("sin", {c.call("cos", {x})});
        c.output(c.call("cos", {x}));
        c.output(inner);
        merge(c.graph);
        QCOMPARE(calls(c.graph), size_t{2});
    }
    void zero_and_minus_zero_stay_apart() {
        Captured c;
        NodeId x = c.input("x", {4});
        c.output(c.b.div(c.b.mul(x, 0.0), c.b.mul(x, -0.0)));
        merge(c.graph);
        QCOMPARE(calls(c.graph), size_t{3});
    }
    void the_kept_node_gathers_provenance() {
        Captured c;
        NodeId x = c.input("x", {4});
        c.b.provenance.from = {NodeId(7)};
        NodeId a = c.call("cos", {x});
        c.b.provenance.from = {NodeId(9)};
        NodeId b = c.call("cos", {x});
        c.output(c.b.add(a, b));
        merge(c.graph);
        QCOMPARE(c.graph.node(a).from, (std::vector<NodeId>{NodeId(7), NodeId(9)}));
    }
};

QTEST_APPLESS_MAIN(TestMergeCommon)
#include "test_merge_common.moc"
