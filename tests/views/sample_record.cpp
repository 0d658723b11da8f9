// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/sample_record.h"

#include <map>
#include <sstream>

namespace cutaway::views::testing {

using namespace cutaway::record;

const char* const kDoubleCosine = R"("""cos(cos(x)) with gradients."""
import torch

train = True
sizes = {"tiny": (16, 16), "cpu": (4096, 4096)}


def model(x):
    a = torch.cos(x)
    b = torch.cos(a)
    return b


def example_inputs(size):
    return (torch.randn(sizes[size], requires_grad=True),)
)";

namespace {

class Builder {
public:
    Record build() {
        record_.producer = "cutaway test";
        record_.path = "double_cosine.py";
        record_.size = "tiny";
        addSource();
        Entry entry;
        entry.device = "cpu";
        entry.backend = "inductor";
        addGraphs(entry);
        addPartition(entry);
        addPasses(entry);
        entry.lowered.push_back(lowered("forward", {"cos", "cos_1"}, {"primals_1"}, {"cos_1"}));
        entry.lowered.push_back(lowered("backward",
                                        {"cos", "sin", "neg", "mul", "sin_1", "neg_1", "mul_1"},
                                        {"primals_1", "tangents_1"}, {"mul_1"}));
        entry.guards.push_back({"tensor",
                                "L['x']",
                                "L['x'] is f32[16, 16] on cpu",
                                {"double_cosine.py", 8, 11, 0, 0}});
        entry.transformedCode = "def model(x):\n    return __compiled_fn_0(x)\n";
        entry.times = {{"captured", 0.4},          {"joint", 0.2},
                       {"partition", 0.1},         {"forward: kernels", 0.3},
                       {"backward: kernels", 0.5}, {"forward: compile", 21}};
        record_.functions.push_back({"model", {"double_cosine.py", 8, 1, 0, 0}, {entry}});
        record_.messages.push_back(
            {base::Severity::Warning,
             base::Fault::User,
             {"double_cosine.py", 10, 9, 10, 21},
             "an example of a warning",
             {{{"double_cosine.py", 9, 5, 0, 0}, "the value comes from here"}},
             "nothing needs to be done"});
        return record_;
    }

private:
    ItemId item(ItemKind kind, const std::string& key) {
        record_.items.push_back({kind, key});
        auto id = static_cast<ItemId>(record_.items.size() - 1);
        ids_[key] = id;
        return id;
    }
    void link(ItemId later, ItemId earlier) { record_.links.push_back({later, earlier}); }

    void addSource() {
        SourceFile file{"double_cosine.py", kDoubleCosine, {}};
        std::istringstream lines(file.text);
        int number = 0;
        for (std::string line; std::getline(lines, line);)
            file.lineItems.push_back(
                item(ItemKind::SourceLine, "source:" + std::to_string(++number)));
        record_.files.push_back(file);
    }

    void add(GraphStage& stage, const std::string& name, const std::string& op,
             std::vector<std::string> inputs, const std::string& from, bool backward = false) {
        GraphNode node;
        node.item = item(ItemKind::Node, stage.name + "/" + name);
        node.name = name;
        node.kind = op.empty() ? "placeholder" : "call";
        node.op = op.empty() ? "" : "aten." + op;
        node.type = "f32[16, 16]";
        node.bytes = 1024;
        node.backward = backward;
        node.text = name + ": \"f32[16, 16]\" = " + node.op;
        const bool isOfLine = from.starts_with("source:");
        node.source = {{"double_cosine.py", isOfLine ? std::stoi(from.substr(7)) : 9, 9, 0, 0}};
        for (const std::string& input : inputs)
            node.inputs.push_back(ids_.at(stage.name + "/" + input));
        if (!from.empty()) link(node.item, ids_.at(from));
        stage.nodes.push_back(node);
    }

    void addBackward(GraphStage& stage, const std::string& from, bool joint) {
        auto origin = [&](const char* name, const char* own) {
            return joint ? std::string(own) : from + name;
        };
        add(stage, "tangents_1", "", {}, joint ? "" : from + "tangents_1", true);
        if (!joint) add(stage, "cos", "cos.default", {"primals_1"}, from + "cos", true);
        add(stage, "sin", "sin.default", {"cos"}, origin("sin", "captured/cos_1"), true);
        add(stage, "neg", "neg.default", {"sin"}, origin("neg", "captured/cos_1"), true);
        add(stage, "mul", "mul.Tensor", {"tangents_1", "neg"}, origin("mul", "captured/cos_1"),
            true);
        add(stage, "sin_1", "sin.default", {"primals_1"}, origin("sin_1", "captured/cos"), true);
        add(stage, "neg_1", "neg.default", {"sin_1"}, origin("neg_1", "captured/cos"), true);
        add(stage, "mul_1", "mul.Tensor", {"mul", "neg_1"}, origin("mul_1", "captured/cos"), true);
    }

    void addGraphs(Entry& entry) {
        GraphStage captured, joint, forward, backward;
        captured.name = "captured";
        add(captured, "x", "", {}, "source:8");
        add(captured, "cos", "cos.default", {"x"}, "source:9");
        add(captured, "cos_1", "cos.default", {"cos"}, "source:10");
        captured.outputs = {ids_["captured/cos_1"]};
        joint.name = "joint";
        add(joint, "primals_1", "", {}, "captured/x");
        add(joint, "cos", "cos.default", {"primals_1"}, "captured/cos");
        add(joint, "cos_1", "cos.default", {"cos"}, "captured/cos_1");
        addBackward(joint, "", true);
        joint.outputs = {ids_["joint/cos_1"], ids_["joint/mul_1"]};
        forward.name = "forward";
        add(forward, "primals_1", "", {}, "joint/primals_1");
        add(forward, "cos", "cos.default", {"primals_1"}, "joint/cos");
        add(forward, "cos_1", "cos.default", {"cos"}, "joint/cos_1");
        forward.outputs = {ids_["forward/cos_1"], ids_["forward/primals_1"]};
        backward.name = "backward";
        add(backward, "primals_1", "", {}, "joint/primals_1");
        addBackward(backward, "joint/", false);
        backward.outputs = {ids_["backward/mul_1"]};
        entry.graphs = {captured, joint, forward, backward};
    }

    void addPartition(Entry& entry) {
        entry.hasPartition = true;
        entry.partition.algorithm = "min_cut";
        entry.partition.cutWeight = 1024;
        entry.partition.saved = {{ids_["joint/primals_1"], "primals_1", 1024, true,
                                  "an input of the forward graph: keeping it costs nothing"}};
        entry.partition.recomputed = {
            {ids_["joint/cos"], "cos", "aten.cos.default", 1024,
             "pointwise, fuses into its users; saving it would cost 1 KiB"}};
        entry.partition.point = {0, 2048, 1.5, 1, 1};
        entry.partition.curve = {{1024, 3072, 1.25, 1, 0}, {0, 2048, 1.5, 1, 1}};
    }

    void addPasses(Entry& entry) {
        PassRun folded{
            "joint", "fold_constants", "computes what depends on constants only", false, 0.02, {},
            {}};
        PassRun dead{"joint",
                     "remove_dead",
                     "drops nodes that nothing uses",
                     true,
                     0.05,
                     {{"removed", "ones_like", "ones_like = aten.ones_like.default(cos_1)", "", 1}},
                     {{"ones_like",
                       "ones_like = aten.ones_like.default(cos_1)",
                       {"cos_1"},
                       "",
                       "no value that is needed reads it",
                       {}}}};
        PassRun common{"backward",
                       "merge_common",
                       "computes equal nodes once",
                       true,
                       0.04,
                       {{"rewritten", "mul_1", "mul_1 = aten.mul.Tensor(mul, neg_2)",
                         "mul_1 = aten.mul.Tensor(mul, neg_1)"}},
                       {}};
        entry.passes = {folded, dead, common};
    }

    LoweredGraph lowered(const std::string& graph, const std::vector<std::string>& names,
                         const std::vector<std::string>& reads,
                         const std::vector<std::string>& writes) {
        LoweredGraph out;
        out.graph = graph;
        KernelInfo kernel;
        kernel.name = "fused_" + names.front();
        kernel.item = item(ItemKind::Kernel, graph + "/kernel/" + kernel.name);
        kernel.kind = "loops";
        kernel.device = "cpu";
        Code loops{"loops", {}, "", 0}, cpp{"cpp", {}, "", 2}, cuda{"cuda", {}, "", 0};
        cpp.lines = {{kNoItem, "#pragma once"},
                     {kNoItem, "// prelude"},
                     {kNoItem, "extern \"C\" void " + kernel.name + "(void** args) {"}};
        cuda.lines = {{kNoItem, "extern \"C\" __global__ void " + kernel.name +
                                    "(const float* a, float* b) {"}};
        for (const std::string& name : names) {
            LoopBuffer buffer;
            buffer.item = item(ItemKind::Buffer, graph + "/buffer/" + name);
            buffer.name = name;
            buffer.kind = "pointwise";
            buffer.type = "f32[16, 16]";
            buffer.text = name + "[d0, d1] = ...";
            buffer.bytes = 1024;
            buffer.inMemory = name == writes.front();
            link(buffer.item, ids_.at(graph + "/" + name));
            link(kernel.item, buffer.item);
            kernel.buffers.push_back(buffer.item);
            ItemId line = item(ItemKind::CodeLine, graph + "/cpp/" + kernel.name + ":" +
                                                       std::to_string(cpp.lines.size() + 1));
            link(line, buffer.item);
            cpp.lines.push_back({line, "    const f32x16 " + name + " = vcos(tmp);"});
            cuda.lines.push_back({line, "    float " + name + " = cosf(tmp);"});
            loops.lines.push_back({buffer.item, "  " + name + " = cos(load)"});
            out.buffers.push_back(buffer);
        }
        cpp.lines.push_back({kNoItem, "}"});
        cuda.lines.push_back({kNoItem, "}"});
        for (size_t i = 1; i < out.buffers.size(); ++i)
            out.decisions.push_back({out.buffers[i - 1].item, out.buffers[i].item, true, "vertical",
                                     "the second reads the first element by element", 2048});
        out.decisions.push_back({out.buffers.front().item, out.buffers.back().item, false,
                                 "no_shared_data", "they share no data", 0});
        kernel.reads = reads;
        kernel.writes = writes;
        kernel.bytesRead = 1024 * static_cast<int64_t>(reads.size());
        kernel.bytesWritten = 1024;
        kernel.flops = 256.0 * static_cast<double>(names.size());
        kernel.schedule = {"16 lanes: 64-byte vectors of float",
                           "one thread: 256 elements are too few for two"};
        kernel.candidates = {
            {"cpu", "elements", "vector 16, threads 1", 2.1, {"nobody to wake"}, "", true, false},
            {"cpu", "elements", "vector 16, threads 2", 5.2, {"3.0 us to wake"}, "", false, false},
            {"cuda", "rows", "", 0, {}, "rows share nothing", false, false}};
        kernel.remarks = {{"passed", "loop-vectorize", "vectorized loop", 4}};
        kernel.codes = {loops, cpp, cuda};
        out.kernels.push_back(kernel);
        out.memory = {1024, 2048, {{names.front(), "arena", "first of its size", 0, 1024, 0, 0}}};
        return out;
    }

    Record record_;
    std::map<std::string, ItemId> ids_;
};

} // namespace

record::Record doubleCosineRecord() {
    return Builder().build();
}

} // namespace cutaway::views::testing
