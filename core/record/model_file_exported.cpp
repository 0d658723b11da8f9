// SPDX-License-Identifier: Apache-2.0
// torch.export's archives: a zip whose model.json holds the graph.
#include "core/formats/zip.h"
#include "core/record/json.h"
#include "core/record/json_fields.h"
#include "core/record/model_graph.h"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace cutaway::record {

namespace {

using nlohmann::json;

/// PyTorch's numbers of types in this format.
constexpr std::array kTypes{"?",   "u8",  "i8",  "i16", "i32",  "i64",  "f16",
                            "f32", "f64", "c32", "c64", "c128", "bool", "bf16"};

/// {"as_int": 16} or {"as_expr": {"expr_str": "s0"}}
std::string sizeText(const json& size) {
    if (fieldAt(size, "as_int").is_number_integer()) return fieldAt(size, "as_int").dump();
    const std::string expression = textAt(fieldAt(size, "as_expr"), "expr_str");
    return expression.empty() ? "?" : expression;
}

std::string typeText(const json& meta) {
    const json &dtype = fieldAt(meta, "dtype"), &sizes = fieldAt(meta, "sizes");
    if (!dtype.is_number_unsigned() || !sizes.is_array()) return {};
    const auto number = dtype.get<size_t>();
    std::vector<std::string> texts;
    for (const json& size : sizes)
        texts.push_back(sizeText(size));
    return fmt::format("{}[{}]", number < kTypes.size() ? kTypes[number] : "?",
                       fmt::join(texts, ", "));
}

/// An argument as a call prints it; tensors' names are added to \p inputs.
std::string argumentText(const json& argument, std::vector<std::string>& inputs) {
    if (!argument.is_object() || argument.empty()) return argument.dump();
    const auto only = argument.begin();
    const std::string& kind = only.key();
    if (kind == "as_none") return "None";
    if (kind == "as_tensor" || kind == "as_sym_int" || kind == "as_sym_float") {
        std::string name = textAt(*only, kind == "as_tensor" ? "name" : "as_name");
        if (name.empty()) return only->dump();
        inputs.push_back(name);
        return name;
    }
    if (!only->is_array()) return only->dump();
    std::vector<std::string> parts; // "as_tensors", "as_ints"
    for (const json& one : *only) {
        std::string name = textAt(one, "name");
        if (!name.empty()) inputs.push_back(name);
        parts.push_back(!name.empty()     ? name
                        : one.is_object() ? argumentText(one, inputs)
                                          : one.dump());
    }
    return fmt::format("[{}]", fmt::join(parts, ", "));
}

void addNode(ModelGraph& graph, const json& node, const json& values) {
    ModelNode made;
    made.op = textAt(node, "target");
    if (made.op.starts_with("torch.ops.")) made.op = made.op.substr(10);
    made.modulePath = innermostModule(textAt(fieldAt(node, "metadata"), "nn_module_stack"));
    std::vector<std::string> parts;
    for (const json& input : fieldAt(node, "inputs"))
        parts.push_back(argumentText(fieldAt(input, "arg"), made.inputs));
    made.arguments = fmt::format("{}", fmt::join(parts, ", "));
    std::vector<std::string> results;
    for (const json& output : fieldAt(node, "outputs"))
        argumentText(output, results);
    made.name = results.empty() ? textAt(node, "name") : results.front();
    if (made.name.empty()) made.name = "effect";
    made.type = typeText(fieldAt(values, made.name.c_str()));
    graph.add(made);
    for (size_t i = 1; i < results.size(); ++i)
        graph.alias(results[i], made.name);
}

} // namespace

base::Status addExported(std::string_view bytes, Record& record) {
    if (!bytes.starts_with("PK\x03\x04")) return {};
    constexpr size_t kMost = size_t{1} << 30; // weights are unpacked with the graph
    CUTAWAY_TRY(const formats::ZipEntries entries, formats::readZip(bytes, kMost));
    for (const auto& [name, text] : entries) {
        if (!name.ends_with("models/model.json") && name != "serialized_exported_program.json")
            continue;
        CUTAWAY_TRY(const json whole, parseJson(text));
        const json& stored = fieldAt(fieldAt(whole, "graph_module"), "graph");
        const json& values = fieldAt(stored, "tensor_values");
        ModelGraph graph("captured");
        std::vector<std::string> names;
        for (const json& input : fieldAt(stored, "inputs"))
            argumentText(input, names);
        for (const std::string& input : names)
            graph.add(
                {input, "placeholder", {}, {}, typeText(fieldAt(values, input.c_str())), {}, {}});
        for (const json& node : fieldAt(stored, "nodes"))
            addNode(graph, node, values);
        names.clear();
        for (const json& output : fieldAt(stored, "outputs"))
            argumentText(output, names);
        for (const std::string& output : names)
            graph.addOutput(output);
        if (graph.isEmpty()) return base::userError({}, fmt::format("{} holds no graph", name));
        std::move(graph).moveInto(record);
        return {};
    }
    return {};
}

} // namespace cutaway::record
