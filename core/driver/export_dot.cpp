// SPDX-License-Identifier: Apache-2.0
#include "core/base/quote.h"
#include "core/driver/export.h"

#include <fmt/format.h>
#include <map>
#include <set>

namespace cutaway::driver {

std::string graphDot(const record::Entry& entry, const record::GraphStage& graph) {
    std::set<std::string> saved;
    for (const record::SavedTensor& tensor : entry.partition.saved)
        saved.insert(tensor.name);
    std::map<record::ItemId, size_t> index;
    std::string out =
        fmt::format("digraph {} {{\n    rankdir=TB;\n"
                    "    node [shape=box, style=\"rounded,filled\", fontname=\"DejaVu Sans\","
                    " fontsize=10, fillcolor=\"#eef2f7\", color=\"#5b6b82\"];\n"
                    "    edge [color=\"#8a97a8\", arrowsize=0.6];\n",
                    base::dotString(graph.name));
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
        const record::GraphNode& node = graph.nodes[i];
        index[node.item] = i;
        std::string colour = node.kind == "placeholder" ? ", fillcolor=\"#e3f1e5\""
                             : node.backward            ? ", fillcolor=\"#f7e9df\""
                                                        : "";
        if (saved.contains(node.name)) colour += ", color=\"#b3261e\", penwidth=2";
        const std::string& what = node.op.empty() ? node.kind : node.op;
        out += fmt::format("    n{} [label={}{}];\n", i,
                           base::dotString(node.name + "\n" + what + "\n" + node.type), colour);
    }
    for (size_t i = 0; i < graph.nodes.size(); ++i)
        for (record::ItemId input : graph.nodes[i].inputs)
            if (auto from = index.find(input); from != index.end())
                out += fmt::format("    n{} -> n{};\n", from->second, i);
    for (size_t i = 0; i < graph.outputs.size(); ++i) {
        auto from = index.find(graph.outputs[i]);
        if (from == index.end()) continue;
        out += fmt::format("    out{0} [label=\"output {0}\", shape=plaintext, style=\"\"];\n"
                           "    n{1} -> out{0};\n",
                           i, from->second);
    }
    return out + "}\n";
}

} // namespace cutaway::driver
