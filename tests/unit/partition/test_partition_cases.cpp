// SPDX-License-Identifier: Apache-2.0
// What is saved for the backward in the train cases, against the graphs recorded from PyTorch 2.11
// (their names; ours may be numbered differently after simplification).
#include "core/ir/printer.h"
#include "core/partition/partition.h"
#include "tests/support/captured_graphs.h"

#include <QtTest>

#include <algorithm>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

struct Outcome {
    autodiff::JointGraph joint;
    partition::Partition partition;

    QStringList saved() const {
        QStringList names;
        for (const auto& value : partition.saved)
            names << QString::fromStdString(joint.graph.node(value.node).name);
        return names;
    }
    QStringList savedOps() const {
        QStringList ops;
        for (const auto& value : partition.saved) {
            const ir::Node& node = joint.graph.node(value.node);
            ops << QString::fromStdString(value.input ? node.name : node.op);
        }
        return ops;
    }
    int64_t bytes() const {
        int64_t sum = 0;
        for (const auto& value : partition.saved)
            sum += value.bytes;
        return sum;
    }
    bool recomputes(const std::string& name) const {
        return std::any_of(
            partition.recomputed.begin(), partition.recomputed.end(),
            [&](const auto& value) { return joint.graph.node(value.node).name == name; });
    }
    QString reason(const std::string& name) const {
        for (const auto& value : partition.saved)
            if (joint.graph.node(value.node).name == name)
                return QString::fromStdString(value.reason);
        for (const auto& value : partition.recomputed)
            if (joint.graph.node(value.node).name == name)
                return QString::fromStdString(value.reason);
        return {};
    }
};

Outcome outcomeOf(ir::Graph captured, partition::Partitioner how = partition::Partitioner::MinCut) {
    Outcome outcome;
    outcome.joint = jointOf(std::move(captured));
    outcome.partition = take(partition::partitionJointGraph(outcome.joint, how));
    return outcome;
}

} // namespace

class TestPartitionCases : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void double_cosine_saves_its_input_and_recomputes_the_inner_cosine() {
        Outcome o = outcomeOf(doubleCosine());
        QCOMPARE(o.saved(), QStringList({"primals_1"}));
        QCOMPARE(o.bytes(), int64_t{1024});
        QVERIFY(o.recomputes("cos"));
        QCOMPARE(o.reason("primals_1"), "input of the forward graph: kept alive at no cost");
        QCOMPARE(o.reason("cos"), "recomputed from primals_1 in the fused backward: reads nothing "
                                  "new, saves 1 KiB");
    }
    void double_cosine_by_the_default_partition_saves_the_inner_cosine_too() {
        Outcome o = outcomeOf(doubleCosine(), partition::Partitioner::Default);
        QCOMPARE(o.saved(), QStringList({"primals_1", "cos"}));
        QVERIFY(o.partition.recomputed.empty());
    }
    void mlp_train_saves_what_pytorch_saves() {
        Outcome o = outcomeOf(mlpTrain());
        QCOMPARE(o.saved(), QStringList({"primals_3", "primals_4", "relu"}));
        QCOMPARE(o.bytes(), int64_t{8437760});
    }
    void layernorm_gelu_residual_saves_what_pytorch_saves() {
        Outcome o = outcomeOf(layerNormGeluResidual());
        QCOMPARE(o.savedOps(),
                 QStringList({"primals_1", "primals_2", "primals_3", "getitem", "rsqrt"}));
        QCOMPARE(o.bytes(), int64_t{24608});
    }
    void softmax_cross_entropy_saves_what_pytorch_saves() {
        Outcome o = outcomeOf(softmaxCrossEntropy());
        QCOMPARE(o.savedOps(), QStringList({"primals_1", "primals_2", "amax", "log",
                                            "prims.convert_element_type"}));
        QCOMPARE(o.bytes(), int64_t{2116});
    }
    void every_saved_and_recomputed_value_has_a_reason() {
        std::vector<ir::Graph> graphs;
        graphs.push_back(doubleCosine());
        graphs.push_back(mlpTrain());
        graphs.push_back(layerNormGeluResidual());
        graphs.push_back(softmaxCrossEntropy());
        for (ir::Graph& graph : graphs) {
            Outcome o = outcomeOf(std::move(graph));
            for (const auto& value : o.partition.saved)
                QVERIFY(!value.reason.empty());
            for (const auto& value : o.partition.recomputed)
                QVERIFY(!value.reason.empty());
        }
    }
    void both_graphs_are_well_formed_and_refer_to_the_joint_graph() {
        for (auto how : {partition::Partitioner::MinCut, partition::Partitioner::Default}) {
            Outcome o = outcomeOf(layerNormGeluResidual(), how);
            for (const ir::Graph* graph : {&o.partition.forward, &o.partition.backward}) {
                QCOMPARE(ir::verify(*graph).value_or(""), std::string());
                for (NodeId id : graph->order()) {
                    const ir::Node& node = graph->node(id);
                    QCOMPARE(node.from.size(), size_t{1});
                    QCOMPARE(node.name, o.joint.graph.node(node.from[0]).name);
                }
            }
        }
    }
    void recomputed_values_stand_right_before_their_first_use() {
        Outcome o = outcomeOf(doubleCosine());
        std::vector<std::string> ops;
        for (NodeId id : o.partition.backward.order()) {
            const ir::Node& node = o.partition.backward.node(id);
            if (node.kind == ir::NodeKind::Call) ops.push_back(node.name);
        }
        QCOMPARE(ops,
                 (std::vector<std::string>{"cos", "sin", "neg", "mul", "sin_1", "neg_1", "mul_1"}));
    }
};

QTEST_APPLESS_MAIN(TestPartitionCases)
#include "test_partition_cases.moc"
