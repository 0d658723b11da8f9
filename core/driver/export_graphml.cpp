// SPDX-License-Identifier: Apache-2.0
#include "core/base/quote.h"
#include "core/driver/export.h"

#include <fmt/format.h>
#include <map>

namespace cutaway::driver {

static std::string data(std::string_view key, std::string_view value) {
    return value.empty()
               ? std::string()
               : fmt::format("      <data key=\"{}\">{}</data>\n", key, base::xmlText(value));
}

std::string graphMl(const record::GraphStage& graph) {
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
    for (const char* key : {"label", "kind", "op", "type", "module", "rule"})
        out += fmt::format("  <key id=\"{0}\" for=\"node\" attr.name=\"{0}\" "
                           "attr.type=\"string\"/>\n",
                           key);
    out += "  <key id=\"bytes\" for=\"node\" attr.name=\"bytes\" attr.type=\"long\"/>\n"
           "  <key id=\"backward\" for=\"node\" attr.name=\"backward\" attr.type=\"boolean\"/>\n"
           "  <key id=\"output\" for=\"node\" attr.name=\"output\" attr.type=\"int\"/>\n"
           "  <key id=\"argument\" for=\"edge\" attr.name=\"argument\" attr.type=\"int\"/>\n";
    out += fmt::format("  <graph id=\"{}\" edgedefault=\"directed\">\n", base::xmlText(graph.name));
    std::map<record::ItemId, size_t> index, outputs;
    for (size_t i = 0; i < graph.outputs.size(); ++i)
        outputs.emplace(graph.outputs[i], i);
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
        const record::GraphNode& node = graph.nodes[i];
        index[node.item] = i;
        const auto output = outputs.find(node.item);
        out += fmt::format("    <node id=\"n{}\">\n", i) + data("label", node.name) +
               data("kind", node.kind) + data("op", node.op) + data("type", node.type) +
               data("module", node.modulePath) + data("rule", node.rule) +
               data("bytes", std::to_string(node.bytes)) +
               data("backward", node.backward ? "true" : "false") +
               data("output", output == outputs.end() ? "" : std::to_string(output->second)) +
               "    </node>\n";
    }
    for (size_t i = 0; i < graph.nodes.size(); ++i)
        for (size_t k = 0; k < graph.nodes[i].inputs.size(); ++k)
            if (auto from = index.find(graph.nodes[i].inputs[k]); from != index.end())
                out += fmt::format("    <edge source=\"n{}\" target=\"n{}\">\n"
                                   "      <data key=\"argument\">{}</data>\n    </edge>\n",
                                   from->second, i, k);
    return out + "  </graph>\n</graphml>\n";
}

} // namespace cutaway::driver
