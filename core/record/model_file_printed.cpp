// SPDX-License-Identifier: Apache-2.0
// Graphs as torch.fx prints them: GraphModule.print_readable(), which tlparse and TORCH_LOGS keep.
#include "core/record/model_graph.h"

#include <algorithm>
#include <regex>
#include <sstream>

namespace cutaway::record {

namespace {

/// "f32[2, 16][16, 1]cpu" without the device, and without strides that follow from the sizes.
std::string typeText(const std::string& printed) {
    static const std::regex parts(R"((\w+)\[([^\]]*)\](?:\[([^\]]*)\])?.*)");
    std::smatch found;
    if (!std::regex_match(printed, found, parts)) return printed;
    const std::string type = found[1].str() + "[" + found[2].str() + "]";
    std::istringstream sizes(found[2]), strides(found[3]);
    std::vector<long> size, stride;
    char comma = 0;
    for (long one = 0; sizes >> one; sizes >> comma)
        size.push_back(one);
    for (long one = 0; strides >> one; strides >> comma)
        stride.push_back(one);
    // Sizes with names, or none: nothing can be told of them.
    if (stride.size() != size.size()) return type;
    long wanted = 1;
    for (size_t i = size.size(); i-- > 0; wanted *= size[i])
        if (size[i] != 1 && stride[i] != wanted) return type + "[" + found[3].str() + "]";
    return type;
}

/// Names that are arguments of a call: "(primals_2, [t, 1], alpha = x)".
std::vector<std::string> namesIn(const std::string& arguments) {
    static const std::regex word(R"([A-Za-z_]\w*)");
    std::vector<std::string> names;
    for (std::sregex_iterator at(arguments.begin(), arguments.end(), word), end; at != end; ++at)
        if (std::string name = at->str(); std::ranges::find(names, name) == names.end())
            names.push_back(std::move(name));
    return names;
}

/// From an opening parenthesis to the one that closes it, without both.
std::string within(const std::string& line, size_t open) {
    int depth = 0;
    for (size_t i = open; i < line.size(); ++i) {
        depth += line[i] == '(' ? 1 : line[i] == ')' ? -1 : 0;
        if (depth == 0) return line.substr(open + 1, i - open - 1);
    }
    return line.substr(open + 1);
}

void addPlaceholders(ModelGraph& graph, const std::string& line) {
    static const std::regex declared(R"re((\w+): "([^"]*)")re");
    for (std::sregex_iterator at(line.begin(), line.end(), declared), end; at != end; ++at)
        if (!graph.has((*at)[1]))
            graph.add({(*at)[1], "placeholder", {}, {}, typeText((*at)[2]), {}, {}});
}

void addCall(ModelGraph& graph, const std::smatch& call, const std::string& line) {
    ModelNode node;
    node.name = call[1];
    node.type = typeText(call[2]);
    node.op = call[3];
    if (node.op.starts_with("torch.ops.")) node.op = node.op.substr(10);
    node.arguments = within(line, static_cast<size_t>(call.position(3) + call.length(3)));
    node.inputs = namesIn(node.arguments);
    graph.add(node);
}

/// What graph \p number of \p all in a file is.
std::string stageOf(const std::string& file, size_t number, size_t all) {
    if (number > 0) return "backward"; // printed behind its forward
    for (const char* known : {"joint", "backward", "forward"})
        if (file.find(known) != std::string::npos) return known;
    return all > 1 || file.find("inference") != std::string::npos ? "forward" : "captured";
}

} // namespace

base::Status addPrinted(std::string_view text, const std::string& file, Record& record) {
    if (text.find("def forward(") == std::string_view::npos ||
        text.find('\0') != std::string_view::npos)
        return {};
    // Lines may be long: what a pattern has to look at is kept to their beginnings.
    static const std::regex call(R"re(^\s*(\w+)(?:: "([^"]*)")? = ([A-Za-z_][\w.]*)\()re");
    constexpr std::string_view begin = "def forward(";
    size_t all = 0;
    for (size_t at = 0; (at = text.find(begin, at)) != std::string_view::npos; at += begin.size())
        ++all;
    std::vector<ModelGraph> graphs;
    std::istringstream lines{std::string(text)};
    std::string line;
    while (graphs.size() <= 2 && std::getline(lines, line)) {
        line = line.substr(0, line.find("  #"));
        std::smatch found;
        if (line.find("def forward(") != std::string::npos) {
            graphs.emplace_back(stageOf(file, graphs.size(), all));
            addPlaceholders(graphs.back(), line);
        } else if (graphs.empty()) {
            continue;
        } else if (std::regex_search(line, found, call)) {
            addCall(graphs.back(), found, line);
        } else if (const size_t at = line.find("return "); at != std::string::npos) {
            for (const std::string& name : namesIn(line.substr(at + 7)))
                graphs.back().addOutput(name);
        } else if (line.find('=') == std::string::npos) {
            addPlaceholders(graphs.back(), line); // of a joint graph: declared line by line
        }
    }
    for (size_t i = 0; i < std::min<size_t>(2, graphs.size()); ++i)
        if (!graphs[i].isEmpty()) std::move(graphs[i]).moveInto(record);
    return {};
}

} // namespace cutaway::record
