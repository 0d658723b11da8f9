// SPDX-License-Identifier: Apache-2.0
// Random graphs, forward and gradients: the joint graph in double precision = fused kernels of the
// min-cut partition = one kernel a buffer of the default partition without simplifications.
#include "tests/support/compiled_graph.h"
#include "tests/support/interpret.h"
#include "tests/support/random_graph.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

/// A way from a joint graph to kernels.
struct Way {
    const char* name;
    bool simplified;
    partition::Partitioner partitioner;
    bool fuse;
};
constexpr Way kWays[] = {
    {"min-cut, fused", true, partition::Partitioner::MinCut, true},
    {"default, fused", true, partition::Partitioner::Default, true},
    {"as captured, unfused", false, partition::Partitioner::Default, false},
};

struct Compiled {
    std::string label;
    int forwardOutputs = 0;
    HostTensors primals, tangents, expected;
};

Compiled prepare(unsigned seed, const ir::Graph& captured, const Way& way,
                 std::vector<EmittedGraph>& emitted) {
    autodiff::JointGraph joint = jointOf(captured.clone(), way.simplified);
    Compiled result;
    result.label = "seed " + std::to_string(seed) + ", " + way.name;
    result.forwardOutputs = joint.forwardOutputs;
    std::mt19937 random(seed);
    HostTensors inputs = randomInputs(joint.graph, random);
    // Another joint graph's numbers are the oracle for the simplified one's too.
    result.expected = take(ops::evaluateDouble(jointOf(captured.clone(), false).graph, inputs));
    auto border = inputs.end() - static_cast<std::ptrdiff_t>(joint.tangentOutputs.size());
    result.primals.assign(inputs.begin(), border);
    result.tangents.assign(border, inputs.end());
    partition::Partition parts = take(partition::partitionJointGraph(joint, way.partitioner));
    emitted.push_back(take(emitGraph(std::move(parts.forward), way.fuse)));
    emitted.push_back(take(emitGraph(std::move(parts.backward), way.fuse)));
    return result;
}

/// Forward outputs, then gradients.
HostTensors run(const Compiled& graph, const EmittedGraph* parts, const Modules& modules) {
    HostTensors results = take(runGraph(parts[0], modules, graph.primals));
    HostTensors inputs(results.begin() + graph.forwardOutputs, results.end());
    results.resize(static_cast<size_t>(graph.forwardOutputs));
    inputs.insert(inputs.end(), graph.tangents.begin(), graph.tangents.end());
    for (ir::HostTensor& gradient : take(runGraph(parts[1], modules, inputs)))
        results.push_back(std::move(gradient));
    return results;
}

/// The largest |a - b| / (1 + |b|); infinite when sizes differ.
double error(const HostTensors& found, const HostTensors& expected) {
    HostTensors doubles;
    for (const ir::HostTensor& tensor : found) {
        doubles.push_back(ir::HostTensor::zeros(
            ir::isFloating(tensor.dtype) ? ir::DType::Float64 : tensor.dtype, tensor.sizes));
        for (int64_t i = 0; i < tensor.numel(); ++i)
            doubles.back().set(i, tensor.get(i));
    }
    HostTensors wanted = expected;
    for (size_t k = 0; k < wanted.size() && k < doubles.size(); ++k)
        if (wanted[k].numel() == 0) wanted[k] = doubles[k]; // no gradient here
    return distance(doubles, wanted);
}

} // namespace

class TestRandomGraphs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void machine_code_equals_double_precision_forward_and_backward() {
        std::vector<EmittedGraph> emitted;
        std::vector<Compiled> compiled;
        int graphs = 0;
        for (unsigned seed = 1; graphs < 25; ++seed) {
            ir::Graph captured = randomGraph(seed);
            if (!autodiff::needsGradient(captured)) continue;
            ++graphs;
            for (const Way& way : kWays)
                compiled.push_back(prepare(seed, captured, way, emitted));
        }
        const Modules modules = take(compileTexts(emitted, 1));
        qInfo("%d graphs, %zu texts", graphs, modules.size());
        for (size_t k = 0; k < compiled.size(); ++k) {
            const HostTensors found = run(compiled[k], &emitted[2 * k], modules);
            const double worst = error(found, compiled[k].expected);
            QVERIFY2(worst < 2e-4, (compiled[k].label + ": " + std::to_string(worst)).c_str());
        }
    }
    void epilogues_of_products_reach_through_views() {
        std::vector<EmittedGraph> emitted;
        std::vector<HostTensors> inputs, expected;
        std::mt19937 random(7);
        const std::vector<ir::Shape> views = {{8, 2},    {2, 2, 2, 2}, {16},
                                              {1, 16},   {16, 1},      {1, 4, 4, 1},
                                              {4, 4, 1}, {4, 2, 2},    {4, 4}};
        for (const ir::Shape& sizes : views) {
            Captured c;
            const NodeId product = c.call("mm", {c.input("a", {4, 3}), c.input("b", {3, 4})});
            const NodeId seen = c.b.reshape(product, sizes);
            c.output(c.b.add(c.call("relu", {c.b.add(seen, 0.25)}), 1.0));
            inputs.push_back(randomInputs(c.graph, random));
            expected.push_back(take(ops::evaluateDouble(c.graph, inputs.back())));
            emitted.push_back(take(emitGraph(std::move(c.graph))));
            QCOMPARE(emitted.back().program->kernels.size(), size_t(1));
        }
        const Modules modules = take(compileTexts(emitted, 1));
        for (size_t k = 0; k < emitted.size(); ++k)
            for (int call = 0; call < 2; ++call)
                QVERIFY(error(take(runGraph(emitted[k], modules, inputs[k])), expected[k]) < 1e-5);
    }
    void products_over_nothing_are_zero() {
        Captured c;
        const NodeId x = c.call("cos", {c.input("x", {5, 0})});
        c.output(c.b.add(c.call("mm", {x, c.input("y", {0, 4})}), 2.0));
        const HostTensors inputs = {ir::HostTensor::zeros(ir::DType::Float32, {5, 0}),
                                    ir::HostTensor::zeros(ir::DType::Float32, {0, 4})};
        const HostTensors expected = take(ops::evaluateDouble(c.graph, inputs));
        const std::vector<EmittedGraph> emitted = {take(emitGraph(std::move(c.graph)))};
        const Modules modules = take(compileTexts(emitted, 1));
        QCOMPARE(error(take(runGraph(emitted[0], modules, inputs)), expected), 0.0);
    }
    void long_chains_of_odd_length_compute_their_sums() {
        std::vector<EmittedGraph> emitted;
        std::vector<HostTensors> inputs, expected;
        for (ir::DType dtype : {ir::DType::Float32, ir::DType::Float64, ir::DType::Int64}) {
            Captured c;
            const NodeId x = c.input("x", {1003}, false, dtype);
            NodeId at = x;
            for (int step = 0; step < 300; ++step)
                at = c.b.sub(x, Arg(at)); // x, 0, x, ... : exact in every dtype
            c.output(c.b.add(at, Arg(ir::Sym(3))));
            HostTensors in = {ir::HostTensor::zeros(dtype, {1003})};
            for (int64_t i = 0; i < 1003; ++i)
                in[0].set(i, static_cast<double>(i % 97) - 40);
            expected.push_back(take(ops::evaluateDouble(c.graph, in)));
            inputs.push_back(std::move(in));
            emitted.push_back(take(emitGraph(std::move(c.graph))));
            QCOMPARE(emitted.back().program->kernels.size(), size_t(1));
            const auto& taken = emitted.back().schedules.at(0).chosen();
            QVERIFY(taken.decisions.get("vector") * static_cast<int64_t>(ir::sizeBytes(dtype)) >
                    jit::hostCpu().vectorBytes);
        }
        const Modules modules = take(compileTexts(emitted, 1));
        for (size_t k = 0; k < emitted.size(); ++k)
            QCOMPARE(error(take(runGraph(emitted[k], modules, inputs[k])), expected[k]), 0.0);
    }
};

QTEST_APPLESS_MAIN(TestRandomGraphs)
#include "test_random_graphs.moc"
