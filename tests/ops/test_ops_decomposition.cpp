// SPDX-License-Identifier: Apache-2.0
#include "core/ops/formula.h"
#include "tests/ops/sample_graph.h"

#include <QtTest>

using namespace cutaway;

namespace {

std::string checkSample(const ops::OpDef& def, const ops::Sample& sample) {
    auto made = tests::makeSampleGraph(def, sample, true);
    if (!made.ok()) return made.error().message;
    auto expected = ops::evaluateDouble(made->graph, made->inputs);
    if (!expected.ok()) return expected.error().message;
    ops::Builder builder(made->graph);
    const ir::Node& call = made->graph.node(made->call);
    std::vector<ir::NodeId> parts = std::get<ops::Decompose>(def.lowering).build({builder, call});
    if (auto broken = ir::verify(made->graph)) return *broken;
    for (size_t k = 0; k < parts.size(); ++k) {
        const ir::TensorType &found = builder.type(parts[k]), &want = call.types[k];
        if (found.dtype != want.dtype || found.sizes != want.sizes)
            return found.str() + ", expected " + want.str();
    }
    made->graph.outputs = parts;
    auto found = ops::evaluateDouble(made->graph, made->inputs);
    if (!found.ok()) return found.error().message;
    return tests::difference(*found, *expected, 1e-9);
}

} // namespace

class TestOpsDecomposition : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void decompositions_equal_the_reference() {
        auto decomposes = [](const ops::OpDef& def) {
            return std::holds_alternative<ops::Decompose>(def.lowering);
        };
        tests::Tally tally = tests::checkSamples(decomposes, checkSample);
        QVERIFY2(tally.failures.empty(), tally.failures.c_str());
        QVERIFY(tally.checked > 150);
    }
};

QTEST_APPLESS_MAIN(TestOpsDecomposition)
#include "test_ops_decomposition.moc"
