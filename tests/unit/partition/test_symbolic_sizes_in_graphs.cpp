// SPDX-License-Identifier: Apache-2.0
// Graphs whose sizes are symbols: differentiated, partitioned and lowered as they are.
#include "core/autodiff/joint_graph.h"
#include "core/ops/builder.h"
#include "core/partition/partition.h"

#include <QtTest>

using namespace cutaway;
using ir::Arg;
using ir::Sym;

namespace {

/// mean(relu(x @ w) * n) with x [n, 6] and w [6, m], n and m symbols.
ir::Graph captured(bool symbols) {
    ir::Graph graph("captured");
    Sym n(16), m(5);
    if (symbols) {
        graph.shapes = std::make_shared<ir::ShapeEnv>();
        n = graph.shapes->add(16, "L['x'].size()[0]");
        m = graph.shapes->add(5, "L['w'].size()[1]");
    }
    auto input = [&](const char* name, ir::Shape sizes) {
        ir::TensorType type = ir::TensorType::contiguous(ir::DType::Float32, std::move(sizes), {});
        type.requiresGrad = true;
        return graph.addPlaceholder(name, type);
    };
    const ir::NodeId x = input("x", {n, 6}), w = input("w", {6, m});
    ops::Builder b(graph);
    const ir::NodeId product = b.call("mm", {Arg(x), Arg(w)});
    const ir::NodeId scaled = b.mul(b.call("relu", {Arg(product)}), Arg(n));
    graph.outputs = {b.call("mean", {Arg(scaled)})};
    graph.outputNames = {"output"};
    return graph;
}

} // namespace

class TestSymbolicSizesInGraphs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_partition_keeps_the_symbols();
};

void TestSymbolicSizesInGraphs::a_partition_keeps_the_symbols() {
    std::vector<partition::Partition> cuts;
    for (bool symbols : {false, true}) {
        const ir::Graph graph = captured(symbols);
        auto joint = autodiff::buildJointGraph(graph);
        QVERIFY2(joint.ok(), joint.ok() ? "" : joint.error().message.c_str());
        QCOMPARE(joint->graph.shapes, graph.shapes);
        auto cut = partition::partitionJointGraph(*joint, partition::Partitioner::MinCut);
        QVERIFY2(cut.ok(), cut.ok() ? "" : cut.error().message.c_str());
        if (graph.shapes) QVERIFY(graph.shapes->guards().empty());
        cuts.push_back(std::move(*cut));
    }
    // The hints are the sizes of the other graph: the same nodes are saved, of as many bytes.
    QCOMPARE(cuts[1].saved.size(), cuts[0].saved.size());
    for (size_t i = 0; i < cuts[0].saved.size(); ++i)
        QCOMPARE(cuts[1].saved[i].bytes, cuts[0].saved[i].bytes);
    QCOMPARE(cuts[1].backward.order().size(), cuts[0].backward.order().size());
    bool symbolic = false;
    for (ir::NodeId id : cuts[1].backward.order())
        symbolic |= !cuts[1].backward.node(id).type().staticSizes();
    QVERIFY(symbolic);
    QVERIFY(cuts[1].backward.shapes && cuts[1].forward.shapes);
    // With numbers for the symbols it is the other graph.
    const int64_t sizes[] = {16, 5};
    const ir::Graph sized = cuts[1].backward.withSizes(sizes);
    for (size_t i = 0; i < sized.order().size(); ++i)
        QCOMPARE(sized.node(sized.order()[i]).type().str(),
                 cuts[0].backward.node(cuts[0].backward.order()[i]).type().str());
}

QTEST_APPLESS_MAIN(TestSymbolicSizesInGraphs)
#include "test_symbolic_sizes_in_graphs.moc"
