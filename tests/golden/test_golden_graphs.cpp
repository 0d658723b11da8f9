// SPDX-License-Identifier: Apache-2.0
// Golden text of the graph stages of the train cases: decomposed, joint, forward, backward, and the
// partition's reasons. After an intended change run this program with CUTAWAY_REBASE=1 and read the
// difference.
#include "core/ir/printer.h"
#include "core/partition/partition.h"
#include "tests/support/captured_graphs.h"

#include <QFile>
#include <QtTest>

#include <fmt/format.h>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

std::string reasons(const autodiff::JointGraph& joint, const partition::Partition& parts) {
    std::string text =
        fmt::format("partition by {}, weight {:.0f}\n", parts.algorithm, parts.cutWeight);
    for (const auto& value : parts.saved)
        text += fmt::format("saved {} ({} bytes{}): {}\n", joint.graph.node(value.node).name,
                            value.bytes, value.input ? ", input" : "", value.reason);
    for (const auto& value : parts.recomputed)
        text += fmt::format("recomputed {} ({} bytes): {}\n", joint.graph.node(value.node).name,
                            value.bytes, value.reason);
    return text;
}

std::string stages(ir::Graph captured) {
    std::string text = ir::print(captured);
    autodiff::JointGraph joint = jointOf(std::move(captured));
    auto parts = take(partition::partitionJointGraph(joint, partition::Partitioner::MinCut));
    text += "\n" + ir::print(joint.graph) + "\n" + ir::print(parts.forward) + "\n" +
            ir::print(parts.backward) + "\n" + reasons(joint, parts);
    return text;
}

void compareWithFile(const QString& name, const std::string& text) {
    QFile file(QStringLiteral(CUTAWAY_SOURCE_DIR "/tests/golden/graphs/") + name + ".txt");
    if (qEnvironmentVariableIsSet("CUTAWAY_REBASE")) {
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.data(), static_cast<qint64>(text.size()));
        return;
    }
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
    QStringList expected = QString::fromUtf8(file.readAll()).split('\n');
    QStringList found = QString::fromStdString(text).split('\n');
    for (qsizetype i = 0; i < std::min(expected.size(), found.size()); ++i)
        QCOMPARE(found[i], expected[i]);
    QCOMPARE(found.size(), expected.size());
}

} // namespace

class TestGoldenGraphs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void double_cosine() { compareWithFile("double_cosine", stages(doubleCosine())); }
    void mlp_train() { compareWithFile("mlp_train", stages(mlpTrain())); }
    void layernorm_gelu_residual() {
        compareWithFile("layernorm_gelu_residual", stages(layerNormGeluResidual()));
    }
    void softmax_cross_entropy() {
        compareWithFile("softmax_cross_entropy", stages(softmaxCrossEntropy()));
    }
    void two_runs_print_the_same() {
        QCOMPARE(stages(layerNormGeluResidual()), stages(layerNormGeluResidual()));
    }
};

QTEST_APPLESS_MAIN(TestGoldenGraphs)
#include "test_golden_graphs.moc"
