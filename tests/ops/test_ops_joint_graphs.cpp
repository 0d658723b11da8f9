// SPDX-License-Identifier: Apache-2.0
#include "core/base/file_system.h"
#include "core/ir/printer.h"
#include "tests/support/captured_graphs.h"

#include <QtTest>

#include <sstream>

using namespace cutaway;

namespace {

/// The calls of PyTorch's joint graph in order, "op: f32[4, 1024]". Aliases, which only PyTorch
/// makes, are left out.
std::vector<std::string> torchCalls(const std::string& name) {
    auto text = base::readFile(std::string(CUTAWAY_SOURCE_DIR) +
                               "/tests/data/pytorch_joint_graphs/" + name + ".txt");
    if (!text.ok()) qFatal("%s", text.error().str().c_str());
    std::istringstream lines(text->substr(0, text->find("=== forward")));
    std::vector<std::string> calls;
    for (std::string line; std::getline(lines, line);) {
        size_t at = line.find("= torch.ops.");
        if (at == std::string::npos) continue;
        std::string op = line.substr(at + 12, line.find('(', at) - at - 12);
        if (op == "aten.alias.default") continue;
        size_t quote = line.find('"');
        std::string type =
            quote < at ? line.substr(quote + 1, line.find('"', quote + 1) - quote - 1) : "tuple";
        calls.push_back(op + ": " + type);
    }
    return calls;
}

std::vector<std::string> ourCalls(const ir::Graph& graph) {
    std::vector<std::string> calls;
    for (ir::NodeId id : graph.order()) {
        const ir::Node& node = graph.node(id);
        if (node.kind != ir::NodeKind::Call || node.op == "getitem" || node.op == "alias") continue;
        calls.push_back(ir::qualifiedOpName(node.op) + ": " +
                        (node.tuple ? "tuple" : node.type().str()));
    }
    return calls;
}

void compare(const std::string& name, ir::Graph captured) {
    std::vector<std::string> theirs = torchCalls(name);
    std::vector<std::string> ours = ourCalls(testing::jointOf(std::move(captured), false).graph);
    for (std::string& call : theirs)
        if (call.starts_with("prims."))
            call = call.substr(0, call.find(".default")) + call.substr(call.find(':'));
    for (size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i)
        QVERIFY2(ours[i] == theirs[i],
                 ("call " + std::to_string(i) + ": " + ours[i] + ", PyTorch " + theirs[i]).c_str());
    QCOMPARE(ours.size(), theirs.size());
}

} // namespace

/// Before simplification, joint graphs have PyTorch's calls, in its order.
class TestOpsJointGraphs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void double_cosine() { compare("double_cosine", testing::doubleCosine()); }
    void mlp_train() { compare("mlp_train", testing::mlpTrain()); }
    void layernorm_gelu_residual() {
        compare("layernorm_gelu_residual", testing::layerNormGeluResidual());
    }
    void softmax_cross_entropy() {
        compare("softmax_cross_entropy", testing::softmaxCrossEntropy());
    }
};

QTEST_APPLESS_MAIN(TestOpsJointGraphs)
#include "test_ops_joint_graphs.moc"
