// SPDX-License-Identifier: Apache-2.0
// A plug-in with a backend, "example", that evaluates elementwise graphs node by node, and an overlay,
// "users", that tells how often each node is read.
#include "cutaway_plugin.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Line {
    std::string name, op;
    std::vector<std::string> args;
};

struct Graph {
    std::vector<std::string> inputs;
    std::vector<Line> lines;
    std::vector<std::string> outputs;
};

/// "a, b" of "(a, b)"; names and numbers, and lists as they stand.
std::vector<std::string> parts(const std::string& text) {
    std::vector<std::string> all;
    std::string one;
    int depth = 0;
    for (char c : text) {
        depth += (c == '[' || c == '(') - (c == ']' || c == ')');
        if (c == ',' && depth == 0) {
            all.push_back(one);
            one.clear();
        } else if (c != ' ' || depth > 0) {
            one += c;
        }
    }
    if (!one.empty()) all.push_back(one);
    return all;
}

Graph parsed(const std::string& text) {
    Graph graph;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const size_t open = line.find('('), close = line.rfind(')');
        if (open == std::string::npos || close == std::string::npos) continue;
        const std::string inside = line.substr(open + 1, close - open - 1);
        if (line.rfind("graph ", 0) == 0) {
            for (const std::string& input : parts(inside)) // "primals_1:f32[4]"
                graph.inputs.push_back(input.substr(0, input.find(':')));
        } else if (line.rfind("    return", 0) == 0) {
            graph.outputs = parts(inside);
        } else {
            const size_t colon = line.find(':'), equals = line.find(" = ");
            const size_t call = line.find('(', equals);
            if (colon == std::string::npos || equals == std::string::npos) continue;
            graph.lines.push_back({line.substr(4, colon - 4),
                                   line.substr(equals + 3, call - equals - 3),
                                   parts(line.substr(call + 1, close - call - 1))});
        }
    }
    return graph;
}

using Function = float (*)(float, float);
const std::map<std::string, Function>& functions() {
    static const std::map<std::string, Function> all{
        {"aten.add.Tensor", [](float a, float b) { return a + b; }},
        {"aten.sub.Tensor", [](float a, float b) { return a - b; }},
        {"aten.mul.Tensor", [](float a, float b) { return a * b; }},
        {"aten.neg.default", [](float a, float) { return -a; }},
        {"aten.cos.default", [](float a, float) { return std::cos(a); }},
        {"aten.sin.default", [](float a, float) { return std::sin(a); }},
        {"aten.exp.default", [](float a, float) { return std::exp(a); }},
        {"aten.relu.default", [](float a, float) { return a > 0 ? a : 0; }},
    };
    return all;
}

std::string problem; // what was said last; calls come from one thread at a time

const char* say(std::string what) {
    problem = std::move(what);
    return problem.c_str();
}

const char* compile(const char* text, void** compiled) {
    auto graph = parsed(text);
    for (const Line& line : graph.lines) {
        if (!functions().count(line.op)) return say("no function for " + line.op);
        // add and sub may have a factor behind their operands; here it is 1.
        if (line.args.size() > 2 && line.args[2] != "1")
            return say(line.op + " with a factor of " + line.args[2]);
    }
    *compiled = new Graph(std::move(graph));
    return nullptr;
}

/// Elements of a tensor in order of its dimensions.
template <typename Act> void forEach(const CutawayTensor& tensor, Act act) {
    int64_t count = 1;
    for (int32_t d = 0; d < tensor.rank; ++d)
        count *= tensor.sizes[d];
    for (int64_t i = 0; i < count; ++i) {
        int64_t at = 0, rest = i;
        for (int32_t d = tensor.rank; d-- > 0; rest /= tensor.sizes[d])
            at += rest % tensor.sizes[d] * tensor.strides[d];
        act(i, static_cast<float*>(tensor.data)[at]);
    }
}

const char* run(void* compiled, const CutawayTensor* inputs, int32_t inputCount,
                const CutawayTensor* outputs, int32_t outputCount) {
    const Graph& graph = *static_cast<Graph*>(compiled);
    std::map<std::string, std::vector<float>> values;
    for (int32_t i = 0; i < inputCount; ++i) {
        if (std::string(inputs[i].dtype) != "f32") return say("only f32 is computed here");
        std::vector<float>& value = values[graph.inputs[i]];
        forEach(inputs[i], [&](int64_t, float& x) { value.push_back(x); });
    }
    for (const Line& line : graph.lines) {
        std::vector<std::vector<float>> args;
        size_t count = 1;
        for (size_t k = 0; k < std::min<size_t>(line.args.size(), 2); ++k) {
            const auto known = values.find(line.args[k]);
            if (known != values.end())
                args.push_back(known->second);
            else
                args.push_back({std::strtof(line.args[k].c_str(), nullptr)});
            count = std::max(count, args.back().size());
        }
        if (args.size() == 1) args.push_back({0});
        for (const std::vector<float>& arg : args)
            if (arg.size() != 1 && arg.size() != count) return say("no broadcasting here");
        std::vector<float>& value = values[line.name];
        for (size_t i = 0; i < count; ++i)
            value.push_back(functions().at(line.op)(args[0][args[0].size() == 1 ? 0 : i],
                                                    args[1][args[1].size() == 1 ? 0 : i]));
    }
    int32_t next = 0;
    for (const std::string& name : graph.outputs) {
        // Inputs that are returned as they are, and None, have no memory of their own to fill.
        if (name == "None" ||
            std::find(graph.inputs.begin(), graph.inputs.end(), name) != graph.inputs.end())
            continue;
        if (next == outputCount) return say("more outputs than there is memory for");
        const std::vector<float>& value = values[name];
        forEach(outputs[next++],
                [&](int64_t i, float& x) { x = value[value.size() == 1 ? 0 : i]; });
    }
    return nullptr;
}

void release(void* compiled) {
    delete static_cast<Graph*>(compiled);
}

const char* users(const char* text, CutawayGive give, void* to) {
    const Graph graph = parsed(text);
    std::map<std::string, int> count;
    for (const std::string& name : graph.inputs)
        count[name] = 0;
    for (const Line& line : graph.lines) {
        count[line.name];
        for (const std::string& arg : line.args)
            if (count.count(arg)) ++count[arg];
    }
    for (const std::string& name : graph.outputs)
        if (count.count(name)) ++count[name];
    for (const auto& [name, times] : count)
        give(to, name.c_str(), times);
    return nullptr;
}

const CutawayBackend kBackends[] = {
    {"example", "elementwise graphs, node by node", compile, run, release}};
const CutawayOverlay kOverlays[] = {{"users", "how often a node is read", users}};
const CutawayPlugin kPlugin{
    CUTAWAY_PLUGIN_VERSION, "example", kBackends, 1, kOverlays, 1,
};

} // namespace

extern "C" const CutawayPlugin* cutaway_plugin(void) {
    return &kPlugin;
}
