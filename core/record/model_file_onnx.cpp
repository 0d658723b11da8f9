// SPDX-License-Identifier: Apache-2.0
#include "core/formats/onnx.h"
#include "core/record/model_graph.h"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cutaway::record {

namespace {

using namespace formats;

/// TensorProto.DataType.
constexpr std::array kTypes{"?",    "f32", "u8",  "i8",  "u16", "i16", "i32",  "i64", "str",
                            "bool", "f16", "f64", "u32", "u64", "c64", "c128", "bf16"};

std::string typeText(int type, const std::vector<std::string>& sizes) {
    const bool known = type > 0 && static_cast<size_t>(type) < kTypes.size();
    return fmt::format("{}[{}]", known ? kTypes[static_cast<size_t>(type)] : "?",
                       fmt::join(sizes, ", "));
}

std::string valueType(const OnnxValue& value) {
    std::vector<std::string> sizes;
    for (const OnnxSize& size : value.sizes)
        sizes.push_back(size.number           ? std::to_string(*size.number)
                        : size.symbol.empty() ? "?"
                                              : size.symbol);
    return value.type ? typeText(value.type, sizes) : std::string();
}

std::string weightType(const OnnxTensor& tensor) {
    std::vector<std::string> sizes;
    for (int64_t size : tensor.sizes)
        sizes.push_back(std::to_string(size));
    return typeText(tensor.type, sizes);
}

/// "axis=1"; of tensors and graphs the name alone.
std::string attributeText(const OnnxAttribute& attribute) {
    std::string value;
    if (attribute.number) value = fmt::format("{}", *attribute.number);
    if (attribute.integer) value = std::to_string(*attribute.integer);
    if (attribute.text) value = fmt::format("'{}'", attribute.text->substr(0, 80));
    if (!attribute.integers.empty())
        value = fmt::format("[{}]", fmt::join(attribute.integers, ", "));
    return value.empty() ? attribute.name : attribute.name + "=" + value;
}

using Types = std::unordered_map<std::string, std::string>;

void addNode(ModelGraph& graph, const OnnxNode& stored, const Types& types) {
    ModelNode node;
    node.op = stored.op;
    for (const std::string& input : stored.inputs)
        node.inputs.push_back(input.empty() ? "None" : input);
    std::vector<std::string> arguments = node.inputs;
    for (const OnnxAttribute& attribute : stored.attributes)
        arguments.push_back(attributeText(attribute));
    node.arguments = fmt::format("{}", fmt::join(arguments, ", "));
    const std::vector<std::string>& results = stored.outputs;
    node.name = results.empty() || results.front().empty() ? node.op : results.front();
    if (const auto at = types.find(node.name); at != types.end()) node.type = at->second;
    graph.add(node);
    for (size_t i = 1; i < results.size(); ++i)
        graph.alias(results[i], node.name);
}

} // namespace

base::Status addOnnx(std::string_view bytes, Record& record) {
    if (bytes.size() < 8 || bytes[0] != 0x08) return {}; // the version of the format comes first
    const auto model = readOnnx(bytes);
    if (!model) return model.error();
    const OnnxGraph& stored = model->graph;
    Types types;
    ModelGraph graph("captured");
    for (const auto* values : {&stored.inputs, &stored.outputs, &stored.values})
        for (const OnnxValue& value : *values)
            types[value.name] = valueType(value);
    for (const OnnxValue& input : stored.inputs)
        if (!graph.has(input.name))
            graph.add({input.name, "placeholder", {}, {}, types[input.name], {}, {}});
    for (const OnnxTensor& weight : stored.initializers)
        if (!graph.has(weight.name))
            graph.add({weight.name, "placeholder", {}, {}, weightType(weight), {}, {}});
    for (const OnnxNode& node : stored.nodes)
        addNode(graph, node, types);
    for (const OnnxValue& output : stored.outputs)
        graph.addOutput(output.name);
    if (graph.isEmpty()) return base::userError({}, "this ONNX model is damaged");
    std::move(graph).moveInto(record);
    return {};
}

} // namespace cutaway::record
