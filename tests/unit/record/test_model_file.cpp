// SPDX-License-Identifier: Apache-2.0
// Graphs of other programs: ONNX, torch.export's archives and what PyTorch prints, whole, damaged and
// cut off.
#include "core/formats/zip.h"
#include "core/record/model_file.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::record;

namespace {

/// A field of a protocol buffer that holds bytes.
std::string field(int number, const std::string& bytes) {
    return std::string(1, char(number << 3 | 2)) + char(bytes.size()) + bytes;
}
std::string field(int number, int value) {
    return std::string(1, char(number << 3)) + char(value);
}
std::string value(const std::string& name, const std::string& dimensions) {
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, dimensions)));
}

/// y = Softmax(Gemm(x, w)), with sizes [batch, 8] and [8, 4].
std::string onnx() {
    const std::string x =
        value("x", field(1, field(2, "batch")) + field(2, field(1, field(1, 8))).substr(2));
    const std::string weight = field(1, 8) + field(1, 4) + field(2, 1) + field(8, "w");
    const std::string gemm =
        field(1, "x") + field(1, "w") + field(2, "h") + field(3, "first") + field(4, "Gemm");
    const std::string softmax = field(1, "h") + field(2, "y") + field(4, "Softmax") +
                                field(5, field(1, "axis") + field(3, 1));
    const std::string graph = field(1, gemm) + field(1, softmax) + field(5, weight) + field(11, x) +
                              field(12, field(1, "y"));
    return field(1, 8) + field(2, "test") + field(7, graph);
}

const char* const kExported = R"({"graph_module": {"graph": {
  "inputs": [{"as_tensor": {"name": "w"}}, {"as_tensor": {"name": "x"}}],
  "outputs": [{"as_tensor": {"name": "relu"}}],
  "nodes": [
    {"target": "torch.ops.aten.linear.default", "outputs": [{"as_tensor": {"name": "linear"}}],
     "inputs": [{"name": "input", "arg": {"as_tensor": {"name": "x"}}},
                {"name": "weight", "arg": {"as_tensor": {"name": "w"}}},
                {"name": "bias", "arg": {"as_none": true}}],
     "metadata": {"nn_module_stack": "L__self__,,M;L__self__0,layers.0,torch.nn.Linear"}},
    {"target": "torch.ops.aten.relu.default", "outputs": [{"as_tensor": {"name": "relu"}}],
     "inputs": [{"name": "input", "arg": {"as_tensor": {"name": "linear"}}}], "metadata": {}}],
  "tensor_values": {"x": {"dtype": 7, "sizes": [{"as_expr": {"expr_str": "s0"}}, {"as_int": 8}]},
                    "linear": {"dtype": 13, "sizes": [{"as_int": 2}]}}}}})";

const char* const kPrinted =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, primals_1: \"f32[16, 8][8, 1]cpu\", x: \"f32[2, 8]\"):\n"
    "        # File: model.py:3 in forward, code: y = x = 1\n"
    "        t: \"f32[8, 16][1, 8]cpu\" = torch.ops.aten.t.default(primals_1);  primals_1 = None\n"
    "        mm: \"f32[2, 16][16, 1]cpu\" = torch.ops.aten.mm.default(x, t);  x = t = None\n"
    "        return (mm,)\n"
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, tangents_1: \"f32[2, 16]\"):\n"
    "        sum_1: \"f32[16]\" = torch.ops.aten.sum.dim_IntList(tangents_1, [0]);\n"
    "        return (sum_1,)\n";

const GraphStage& only(const base::Result<Record>& record, size_t stage = 0) {
    return record->functions.front().entries.front().graphs.at(stage);
}

} // namespace

class TestModelFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void onnx_is_a_captured_graph() {
        const auto record = readModel(onnx(), "m.onnx");
        QVERIFY2(record.ok(), record.ok() ? "" : record.error().message.c_str());
        const GraphStage& graph = only(record);
        QCOMPARE(graph.name, std::string("captured"));
        QCOMPARE(graph.nodes.size(), size_t(4));
        QCOMPARE(graph.nodes[0].text, std::string("x: f32[batch, 8] = placeholder"));
        QCOMPARE(graph.nodes[1].text, std::string("w: f32[8, 4] = placeholder"));
        QCOMPARE(graph.nodes[2].text, std::string("h = Gemm(x, w)"));
        QCOMPARE(graph.nodes[3].text, std::string("y = Softmax(h, axis=1)"));
        QCOMPARE(graph.nodes[2].inputs, (std::vector<ItemId>{0, 1}));
        QCOMPARE(graph.outputs, std::vector<ItemId>{3});
        QCOMPARE(record->items[2].key, std::string("captured/h"));
    }
    void exported_programs_are_captured_graphs() {
        const auto bytes = formats::writeZip({{"m/models/model.json", kExported}, {"m/x", "1"}});
        const auto record = readModel(*bytes, "m.pt2");
        QVERIFY2(record.ok(), record.ok() ? "" : record.error().message.c_str());
        const GraphStage& graph = only(record);
        QCOMPARE(graph.nodes.size(), size_t(4));
        QCOMPARE(graph.nodes[1].text, std::string("x: f32[s0, 8] = placeholder"));
        QCOMPARE(graph.nodes[2].text,
                 std::string("linear: bf16[2] = aten.linear.default(x, w, None)"));
        QCOMPARE(graph.nodes[2].modulePath, std::string("layers.0"));
        QCOMPARE(graph.nodes[3].inputs, std::vector<ItemId>{2});
    }
    void printed_graphs_are_read_as_pytorch_prints_them() {
        const auto record = readModel(kPrinted, "aot_forward_graph_1.txt");
        QVERIFY2(record.ok(), record.ok() ? "" : record.error().message.c_str());
        const GraphStage& forward = only(record);
        QCOMPARE(forward.name, std::string("forward"));
        QCOMPARE(forward.nodes.size(), size_t(4));
        QCOMPARE(forward.nodes[0].text, std::string("primals_1: f32[16, 8] = placeholder"));
        QCOMPARE(forward.nodes[2].text,
                 std::string("t: f32[8, 16][1, 8] = aten.t.default(primals_1)"));
        QCOMPARE(forward.nodes[3].inputs, (std::vector<ItemId>{1, 2}));
        QCOMPARE(forward.outputs, std::vector<ItemId>{3});
        const GraphStage& backward = only(record, 1);
        QCOMPARE(backward.name, std::string("backward"));
        QCOMPARE(backward.nodes[1].inputs, std::vector<ItemId>{4}); // items go on
        QCOMPARE(only(readModel(kPrinted, "log.txt")).name, std::string("forward"));
        const std::string first =
            std::string(kPrinted).substr(0, std::string(kPrinted).rfind("class"));
        QCOMPARE(only(readModel(first, "log.txt")).name, std::string("captured"));
        QCOMPARE(only(readModel(kPrinted, "aot_joint_graph.txt")).name, std::string("joint"));
    }
    void what_is_none_of_them_is_refused() {
        for (const char* text : {"", "x = 1\n", "PK\x03\x04", "\x08\x07", "def forward(self):\n"}) {
            const auto record = readModel(text, "a.txt");
            QVERIFY2(!record.ok(), text);
            QCOMPARE(record.error().where.file, std::string("a.txt"));
        }
    }
    /// Whatever is cut off or changed: an error, or a graph of which all items are there.
    void damaged_files_end_well() {
        const auto zip = formats::writeZip({{"m/models/model.json", kExported}});
        for (const std::string& whole : {onnx(), *zip, std::string(kPrinted)})
            for (size_t at = 0; at < whole.size(); ++at)
                for (const bool cut : {true, false}) {
                    std::string bytes = cut ? whole.substr(0, at) : whole;
                    if (!cut) bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
                    const auto record = readModel(bytes, "a");
                    if (!record.ok()) continue;
                    for (const GraphStage& graph : record->functions[0].entries[0].graphs)
                        for (const GraphNode& node : graph.nodes)
                            for (ItemId input : node.inputs)
                                QVERIFY(input < record->items.size());
                }
    }
};

QTEST_APPLESS_MAIN(TestModelFile)
#include "test_model_file.moc"
