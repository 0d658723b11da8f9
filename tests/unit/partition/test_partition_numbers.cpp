// SPDX-License-Identifier: Apache-2.0
// Joint graphs and their partitions compute the same numbers; gradients agree with central
// differences; random graphs agree through every combination of passes.
#include "core/base/sanitizers.h"
#include "core/passes/cut_joins.h"
#include "core/passes/raise_views.h"
#include "core/passes/sink_views.h"
#include "core/passes/thin_products.h"
#include "tests/support/captured_graphs.h"
#include "tests/support/interpret.h"
#include "tests/support/random_graph.h"

#include <QElapsedTimer>
#include <QtTest>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

constexpr auto kMinCut = partition::Partitioner::MinCut;
constexpr auto kDefault = partition::Partitioner::Default;

/// The same graph with every float32 made float64.
ir::Graph inDouble(const ir::Graph& graph) {
    ir::Graph result = graph.clone();
    for (NodeId id : result.order()) {
        ir::Node& node = result.node(id);
        for (ir::TensorType& type : node.types)
            if (type.dtype == ir::DType::Float32) type.dtype = ir::DType::Float64;
        for (Arg& arg : node.args)
            if (arg == Arg(ir::DType::Float32)) arg = Arg(ir::DType::Float64);
    }
    return result;
}

struct Run {
    autodiff::JointGraph joint;
    HostTensors primals, tangents;

    HostTensors whole() const {
        HostTensors inputs = primals;
        inputs.insert(inputs.end(), tangents.begin(), tangents.end());
        return interpret(joint.graph, inputs);
    }
    HostTensors parted(partition::Partitioner how) const {
        return interpret(take(partition::partitionJointGraph(joint, how)), joint.forwardOutputs,
                         primals, tangents);
    }
};

Run prepare(const ir::Graph& captured, unsigned seed, bool simplified = true) {
    Run run;
    run.joint = jointOf(captured.clone(), simplified);
    std::mt19937 random(seed);
    HostTensors inputs = randomInputs(run.joint.graph, random);
    auto border = inputs.end() - static_cast<std::ptrdiff_t>(run.joint.tangentOutputs.size());
    run.primals.assign(inputs.begin(), border);
    run.tangents.assign(border, inputs.end());
    return run;
}

/// Sum over outputs of output * tangent, whose gradients the joint graph computes.
double objective(const ir::Graph& captured, const Run& run, const HostTensors& primals) {
    HostTensors outputs = interpret(captured, primals);
    double sum = 0;
    for (size_t j = 0; j < run.tangents.size(); ++j) {
        const ir::HostTensor& output = outputs[static_cast<size_t>(run.joint.tangentOutputs[j])];
        for (int64_t i = 0; i < output.numel(); ++i)
            sum += output.get(i) * run.tangents[j].get(i);
    }
    return sum;
}

/// The largest relative difference between the joint graph's gradients and central differences, at
/// a few elements of each input.
double gradientError(const ir::Graph& captured) {
    ir::Graph exact = inDouble(captured);
    Run run = prepare(exact, 11);
    HostTensors results = run.whole();
    std::mt19937 random(5);
    double worst = 0;
    constexpr double kStep = 1e-5;
    for (size_t p = 0; p < run.primals.size(); ++p) {
        const ir::HostTensor& gradient = results[static_cast<size_t>(run.joint.forwardOutputs) + p];
        if (gradient.bytes.empty()) continue;
        for (int k = 0; k < 6; ++k) {
            auto at = static_cast<int64_t>(random() % static_cast<uint64_t>(gradient.numel()));
            HostTensors primals = run.primals;
            double value = primals[p].get(at);
            primals[p].set(at, value + kStep);
            double above = objective(exact, run, primals);
            primals[p].set(at, value - kStep);
            double below = objective(exact, run, primals);
            double difference = (above - below) / (2 * kStep);
            worst = std::max(worst,
                             std::abs(difference - gradient.get(at)) / (1 + std::abs(difference)));
        }
    }
    return worst;
}

} // namespace

class TestPartitionNumbers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void gradients_of_the_train_cases_agree_with_central_differences() {
        QVERIFY(gradientError(doubleCosine()) < 1e-6);
        QVERIFY(gradientError(mlpTrain(3, 8, 6)) < 1e-6);
        QVERIFY(gradientError(layerNormGeluResidual(3, 16)) < 1e-6);
        QVERIFY(gradientError(softmaxCrossEntropy(3, 8)) < 1e-6);
    }
    void the_train_cases_compute_the_same_whole_and_parted() {
        std::vector<ir::Graph> graphs;
        graphs.push_back(doubleCosine());
        graphs.push_back(mlpTrain(3, 8, 6));
        graphs.push_back(layerNormGeluResidual(3, 16));
        graphs.push_back(softmaxCrossEntropy(3, 8));
        for (const ir::Graph& graph : graphs) {
            Run run = prepare(graph, 3);
            HostTensors expected = run.whole();
            QVERIFY(distance(run.parted(kMinCut), expected) == 0);
            QVERIFY(distance(run.parted(kDefault), expected) == 0);
            Run plain = prepare(graph, 3, false);
            QVERIFY(distance(plain.whole(), expected) < 1e-5);
        }
    }
    void random_graphs_compute_the_same_whole_and_parted() {
        for (unsigned seed = 1; seed <= 200; ++seed) {
            ir::Graph graph = randomGraph(seed);
            if (!autodiff::needsGradient(graph)) continue;
            Run run = prepare(graph, seed), plain = prepare(graph, seed, false);
            HostTensors expected = plain.whole();
            std::string which = "seed " + std::to_string(seed);
            QVERIFY2(distance(run.whole(), expected) < 1e-4, which.c_str());
            for (auto how : {kMinCut, kDefault}) {
                QVERIFY2(distance(run.parted(how), run.whole()) == 0, which.c_str());
                QVERIFY2(distance(plain.parted(how), expected) == 0, which.c_str());
            }
        }
    }
    void random_graphs_survive_each_pass_alone() {
        struct Pass {
            const char* name;
            passes::GraphPass run;
        };
        const Pass passes[] = {{"fold_constants", {passes::foldConstants, passes::kFoldConstants}},
                               {"simplify_algebra", passes::simplifyAlgebra},
                               {"reassociate_constants", passes::reassociateConstants},
                               {"cut_joins", {passes::cutJoins, passes::kCutJoins}},
                               {"sink_views", passes::sinkViews},
                               {"raise_views", passes::raiseViews},
                               {"thin_products", passes::thinProducts},
                               {"merge_common", passes::mergeCommon},
                               {"remove_dead", passes::removeDead},
                               {"decompose_before_lowering", passes::decomposeBeforeLowering}};
        for (unsigned seed = 1; seed <= 60; ++seed) {
            Run plain = prepare(randomGraph(seed), seed, false);
            HostTensors expected = plain.whole();
            for (const Pass& pass : passes) {
                std::string which = "seed " + std::to_string(seed) + ", " + pass.name;
                Run run;
                run.joint.graph = plain.joint.graph.clone();
                run.primals = plain.primals;
                run.tangents = plain.tangents;
                check(pass.run(run.joint.graph));
                QCOMPARE(ir::verify(run.joint.graph).value_or(""), std::string());
                QVERIFY2(distance(run.whole(), expected) < 1e-4, which.c_str());
            }
        }
    }
    void gradients_of_random_graphs_agree_with_central_differences() {
        for (unsigned seed = 1; seed <= 40; ++seed) {
            ir::Graph graph = randomGraph(seed);
            if (!autodiff::needsGradient(graph)) continue;
            QVERIFY2(gradientError(graph) < 1e-5, std::to_string(seed).c_str());
        }
    }
    void a_long_chain_partitions_within_a_second() {
        Captured c;
        NodeId x = c.input("x", {64, 64}), at = x;
        for (int k = 0; k < 1000; ++k)
            at = c.call(k % 3 == 2 ? "tanh" : "sin", {at});
        c.output(at);
        QElapsedTimer timer;
        timer.start();
        autodiff::JointGraph joint = jointOf(std::move(c.graph));
        QVERIFY(joint.graph.order().size() > 3000);
        qint64 before = timer.elapsed();
        partition::Partition parts = take(partition::partitionJointGraph(joint, kMinCut));
        QVERIFY2(timer.elapsed() - before < 1000, qPrintable(QString::number(timer.elapsed())));
        // Chains of more than 100 fusible operations are cut.
        QVERIFY(parts.saved.size() > 5);
        QVERIFY(parts.saved.size() < 100);
    }
    void ten_thousand_nodes_pass_every_pass_within_seconds() {
        Captured c;
        NodeId x = c.input("x", {8}), sum = x;
        for (int k = 0; k < 5000; ++k)
            sum = c.b.add(sum, c.call("log", {c.call("exp", {x})}));
        c.output(sum);
        QElapsedTimer timer;
        timer.start();
        autodiff::JointGraph joint = jointOf(std::move(c.graph));
        QVERIFY2(timer.elapsed() < (base::kSanitized ? 50000 : 5000),
                 qPrintable(QString::number(timer.elapsed())));
    }
};

QTEST_APPLESS_MAIN(TestPartitionNumbers)
#include "test_partition_numbers.moc"
