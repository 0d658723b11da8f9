// SPDX-License-Identifier: Apache-2.0
#include "tests/support/captured_graphs.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

autodiff::JointGraph jointOnly(const ir::Graph& captured) {
    autodiff::JointGraph joint = take(autodiff::buildJointGraph(captured));
    if (auto problem = ir::verify(joint.graph)) throw std::runtime_error(*problem);
    return joint;
}

/// "mul tangents_1 neg" for each call.
QStringList lines(const ir::Graph& graph) {
    QStringList result;
    for (NodeId id : graph.order()) {
        const ir::Node& node = graph.node(id);
        if (node.kind != ir::NodeKind::Call) continue;
        std::string line = node.name;
        for (NodeId input : ir::inputNodes(node.args))
            line += " " + graph.node(input).name;
        result << QString::fromStdString(line);
    }
    return result;
}

} // namespace

class TestJointGraph : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void double_cosine_is_pytorchs_joint_graph() {
        autodiff::JointGraph joint = jointOnly(doubleCosine());
        QCOMPARE(
            lines(joint.graph),
            QStringList({"cos primals_1", "cos_1 cos", "sin cos", "neg sin", "mul tangents_1 neg",
                         "sin_1 primals_1", "neg_1 sin_1", "mul_1 mul neg_1"}));
        QCOMPARE(joint.forwardOutputs, 1);
        QCOMPARE(joint.tangentOutputs, std::vector<int>{0});
        QCOMPARE(joint.graph.outputs.size(), size_t{2});
        QCOMPARE(joint.graph.outputNames[1], std::string("grad of primals_1"));
    }
    void gradients_refer_to_the_captured_node() {
        ir::Graph captured = doubleCosine();
        autodiff::JointGraph joint = jointOnly(captured);
        for (NodeId id : joint.graph.order()) {
            const ir::Node& node = joint.graph.node(id);
            QCOMPARE(node.from.size(), size_t{1});
            if (node.name == "sin") {
                QVERIFY(node.backward);
                QCOMPARE(captured.node(node.from[0]).name, std::string("cos_1"));
                QCOMPARE(node.rule, std::string("vjp of cos"));
            }
            if (node.name == "cos_1") QVERIFY(!node.backward);
        }
    }
    void gradients_of_several_uses_are_added_first_come_first() {
        Captured c;
        NodeId x = c.input("x", {4});
        c.output(c.b.add(c.call("exp", {x}), x));
        QCOMPARE(lines(jointOnly(c.graph).graph),
                 QStringList({"exp primals_1", "add exp primals_1", "mul tangents_1 exp",
                              "add_1 tangents_1 mul"}));
    }
    void inputs_without_gradient_get_none_and_cost_nothing() {
        Captured c;
        NodeId x = c.input("x", {4}), y = c.input("y", {4}, false);
        c.output(c.b.mul(x, y));
        autodiff::JointGraph joint = jointOnly(c.graph);
        QCOMPARE(lines(joint.graph),
                 QStringList({"mul primals_1 primals_2", "mul_1 tangents_1 primals_2"}));
        QVERIFY(joint.graph.outputs[1].valid());
        QVERIFY(!joint.graph.outputs[2].valid());
    }
    void an_input_that_no_output_depends_on_gets_none() {
        Captured c;
        NodeId x = c.input("x", {4});
        c.input("unused", {4});
        c.output(c.call("cos", {x}));
        QVERIFY(!jointOnly(c.graph).graph.outputs[2].valid());
    }
    void integer_results_get_no_tangent() {
        Captured c;
        NodeId x = c.input("x", {4});
        c.output(c.call("gt.Scalar", {x, 0.0}));
        c.output(c.call("cos", {x}));
        autodiff::JointGraph joint = jointOnly(c.graph);
        QCOMPARE(joint.tangentOutputs, std::vector<int>{1});
        QCOMPARE(joint.forwardOutputs, 2);
    }
    void a_value_returned_twice_adds_both_tangents() {
        Captured c;
        NodeId y = c.call("exp", {c.input("x", {4})});
        c.output(y);
        c.output(y);
        QCOMPARE(lines(jointOnly(c.graph).graph),
                 QStringList({"exp primals_1", "add tangents_1 tangents_2", "mul add exp"}));
    }
    void an_input_returned_as_it_is_passes_its_tangent_on() {
        Captured c;
        c.output(c.input("x", {4}));
        autodiff::JointGraph joint = jointOnly(c.graph);
        QCOMPARE(joint.graph.node(joint.graph.outputs[1]).name, std::string("tangents_1"));
    }
    void every_tensor_of_a_list_gets_its_gradient() {
        Captured c;
        NodeId x = c.input("x", {2}), y = c.input("y", {3});
        c.output(c.call("cat", {ArgList{Arg(x), Arg(y), Arg(x)}, Arg(ir::Sym(0))}));
        autodiff::JointGraph joint = jointOnly(c.graph);
        QCOMPARE(lines(joint.graph).filter(QRegularExpression("^slice")).size(), 3);
        for (size_t i : {1u, 2u})
            QVERIFY(joint.graph.outputs[i].valid());
        QCOMPARE(joint.graph.node(joint.graph.outputs[1]).op, std::string("add.Tensor"));
    }
    void detach_stops_gradients() {
        Captured c;
        NodeId x = c.input("x", {4});
        c.output(c.b.mul(x, c.call("detach", {c.call("exp", {x})})));
        autodiff::JointGraph joint = jointOnly(c.graph);
        QCOMPARE(lines(joint.graph),
                 QStringList({"exp primals_1", "detach exp", "mul primals_1 detach",
                              "mul_1 tangents_1 detach"}));
        for (NodeId id : joint.graph.order())
            QVERIFY(joint.graph.node(id).op != "detach");
    }
    void without_wishes_there_is_no_joint_graph() {
        Captured c;
        c.output(c.call("cos", {c.input("x", {4}, false)}));
        QVERIFY(!autodiff::needsGradient(c.graph));
        QVERIFY(autodiff::needsGradient(doubleCosine()));
        Captured d;
        d.output(d.call("cos", {d.call("detach", {d.input("x", {4})})}));
        QVERIFY(!autodiff::needsGradient(d.graph));
    }
    void tangents_lie_as_their_outputs_do() {
        Captured c;
        NodeId x = c.input("x", {3, 5});
        c.output(c.call("exp", {c.call("permute", {x, testing::ints({1, 0})})}));
        c.output(c.call("expand", {x, testing::ints({2, 3, 5})}));
        const autodiff::JointGraph joint = take(autodiff::buildJointGraph(c.graph));
        const std::vector<NodeId> inputs = joint.graph.placeholders();
        QVERIFY(joint.graph.node(inputs[1]).type().strides == ir::Shape({1, 5}));
        QVERIFY(joint.graph.node(inputs[2]).type().isContiguous());
    }
    void tangents_take_given_types() {
        ir::TensorType type = ir::TensorType::contiguous(ir::DType::Float32, {16, 16});
        std::swap(type.strides[0], type.strides[1]);
        autodiff::JointGraph joint = take(autodiff::buildJointGraph(doubleCosine(), {type}));
        QVERIFY(joint.graph.node(joint.graph.placeholders()[1]).type() == type);
    }
};

QTEST_APPLESS_MAIN(TestJointGraph)
#include "test_joint_graph.moc"
