// SPDX-License-Identifier: Apache-2.0
// The frozen part and what is left of the forward give together what the whole graph gives.
#include "core/pipeline/compile.h"
#include "tests/support/calls.h"
#include "tests/support/interpret.h"
#include "tests/support/random_graph.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::testing;
using namespace cutaway::pipeline;

namespace {

Partitioned parts(const ir::Graph& graph) {
    return take(partitionGraph(graph, false, Options(), nullptr));
}

HostTensors runFrozen(const Partitioned& parts, HostTensors inputs) {
    HostTensors given;
    for (int input : parts.frozen.inputs)
        given.push_back(inputs[static_cast<size_t>(input)]);
    for (ir::HostTensor& value : interpret(parts.frozen.graph, given))
        inputs.push_back(std::move(value));
    return interpret(parts.forward, inputs);
}

/// Layers with frozen weights, drawn from \p seed.
ir::Graph randomLayers(unsigned seed) {
    std::mt19937 random(seed);
    Captured c;
    int parameters = 0;
    auto parameter = [&](ir::Shape sizes) {
        const NodeId id = c.input("p" + std::to_string(parameters++), std::move(sizes), false);
        c.graph.node(id).frozen = true;
        return id;
    };
    const bool images = random() % 2;
    NodeId value = images ? c.input("x", {2, 3, 4, 4}, false) : c.input("x", {2, 5, 3}, false);
    for (int layer = 0; layer < 3; ++layer) {
        const Arg bias = random() % 2 ? Arg(parameter({3})) : Arg();
        if (images)
            value = c.call("convolution",
                           {value, parameter({3, 3, 1, 1}), bias, ints({1, 1}), ints({0, 0}),
                            ints({1, 1}), random() % 2 == 0, ints({0, 0}), Arg(ir::Sym(1))});
        else
            value = c.call("linear", {value, parameter({3, 3}), bias});
        auto operand = [&] { return images ? parameter({3, 1, 1}) : parameter({3}); };
        for (unsigned after = random() % 3; after > 0; --after)
            switch (random() % 6) {
            case 0:
                value = c.b.add(value, Arg(operand()));
                break;
            case 1:
                value = c.b.sub(value, Arg(operand()));
                break;
            case 2:
                value = c.b.mul(operand(), Arg(value));
                break;
            case 3:
                value = c.b.div(value, Arg(c.b.add(c.b.mul(operand(), 0.1), Arg(1.5))));
                break;
            case 4:
                value = c.b.mul(value, 0.5);
                break;
            default:
                value = c.call("tanh", {value});
            }
    }
    c.output(value);
    return std::move(c.graph);
}

} // namespace

class TestFreezing : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void random_layers_keep_their_results() {
        int folded = 0;
        for (unsigned seed = 1; seed <= 60; ++seed) {
            const ir::Graph graph = randomLayers(seed);
            ir::Graph thawed = graph.clone();
            for (NodeId id : thawed.placeholders())
                thawed.node(id).frozen = false;
            const Partitioned frozen = parts(graph), plain = parts(thawed);
            QVERIFY(plain.frozen.empty());
            folded += frozen.forward.order().size() < plain.forward.order().size();
            std::mt19937 random(seed);
            const HostTensors inputs = randomInputs(plain.forward, random);
            const double apart =
                distance(runFrozen(frozen, inputs), interpret(plain.forward, inputs));
            QVERIFY2(apart < 1e-4, qPrintable(QString("seed %1: %2").arg(seed).arg(apart)));
        }
        QVERIFY(folded > 20);
    }
    void random_graphs_with_frozen_inputs_keep_their_results() {
        int moved = 0;
        for (unsigned seed = 1; seed <= 60; ++seed) {
            ir::Graph graph = randomGraph(seed);
            std::mt19937 random(seed);
            for (NodeId id : graph.placeholders()) {
                graph.node(id).types[0].requiresGrad = false;
                graph.node(id).frozen = random() % 2;
            }
            const Partitioned whole = parts(graph);
            moved += !whole.frozen.empty();
            const HostTensors inputs = randomInputs(graph, random);
            QVERIFY(distance(runFrozen(whole, inputs), interpret(graph, inputs)) < 1e-4);
        }
        QVERIFY2(moved > 10, qPrintable(QString::number(moved)));
    }
    void what_the_caller_gets_is_computed_by_every_call() {
        Captured c;
        const NodeId w = c.input("w", {4}, false), x = c.input("x", {4}, false);
        c.graph.node(w).frozen = true;
        const NodeId twice = c.b.mul(w, 2.0);
        c.output(c.b.add(x, Arg(twice)));
        c.output(c.call("view", {twice, ints({2, 2})}));
        const Partitioned both = parts(c.graph);
        QVERIFY(both.frozen.empty());
    }
    void what_every_call_gives_is_computed_in_the_part_too() {
        Captured c;
        const NodeId w = c.input("w", {4}, false), x = c.input("x", {4}, false);
        c.graph.node(w).frozen = true;
        const NodeId given = c.call("exp", {c.b.mul(w, 0.5)});
        c.output(given);
        c.output(c.b.add(x, Arg(c.call("cos", {given}))));
        const Partitioned both = parts(c.graph);
        QCOMPARE(calls(both.frozen.graph), QStringList({"mul.Tensor", "exp", "cos"}));
        QCOMPARE(calls(both.forward), QStringList({"exp", "add.Tensor"}));
        std::mt19937 random(1);
        const HostTensors inputs = randomInputs(c.graph, random);
        QVERIFY(distance(runFrozen(both, inputs), interpret(c.graph, inputs)) < 1e-6);
    }
    void random_numbers_are_drawn_by_every_call() {
        Captured c;
        const NodeId w = c.input("w", {4}, false), x = c.input("x", {4}, false);
        c.graph.node(w).frozen = true;
        c.output(c.b.add(x, Arg(c.call("rand_like", {w}))));
        QVERIFY(parts(c.graph).frozen.empty());
    }
    void views_stay_behind() {
        Captured c;
        const NodeId w = c.input("w", {4, 3}, false), x = c.input("x", {2, 4}, false);
        c.graph.node(w).frozen = true;
        c.output(c.call("mm", {x, c.call("view", {c.call("cos", {w}), ints({4, 3})})}));
        c.output(c.call("mm", {c.b.permute(w, {1, 0}), c.b.permute(x, {1, 0})}));
        const Partitioned both = parts(c.graph);
        QCOMPARE(calls(both.frozen.graph), QStringList({"cos"}));
        QVERIFY(calls(both.forward).contains("permute"));
    }
};

QTEST_APPLESS_MAIN(TestFreezing)
#include "test_freezing.moc"
