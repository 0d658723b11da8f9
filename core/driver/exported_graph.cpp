// SPDX-License-Identifier: Apache-2.0
#include "core/driver/exported_graph.h"

#include "core/driver/python_text.h"
#include "core/record/json_fields.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cutaway::driver {

namespace {

using nlohmann::json;
using record::fieldAt;
using record::textAt;

/// torch._export.serde.schema: MemoryFormat and Layout by their numbers.
constexpr const char* kMemoryFormats[] = {nullptr, "torch.contiguous_format", "torch.channels_last",
                                          "torch.channels_last_3d", "torch.preserve_format"};
constexpr size_t kStridedLayout = 7;

bool isName(std::string_view text, bool dots = false) {
    auto part = [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
               (c >= '0' && c <= '9') || (dots && c == '.');
    };
    return !text.empty() && !(text[0] >= '0' && text[0] <= '9') && std::ranges::all_of(text, part);
}

base::Diagnostic unknown(std::string what) {
    return base::userError({}, std::move(what),
                           "it uses something that scripts do not have; export a simpler model");
}

std::string floatText(const json& value) {
    if (value.is_string()) return fmt::format("float({})", pythonText(value.get<std::string>()));
    return value.is_number() ? pythonFloat(value.get<double>()) : std::string();
}

std::string dtypeText(const json& number) {
    const auto dtype = exportedDtype(number);
    return dtype ? fmt::format("torch.{}", ir::name(*dtype)) : std::string();
}

std::string memoryFormatText(const json& number) {
    const size_t i = number.is_number_unsigned() ? number.get<size_t>() : 0;
    return i > 0 && i < std::size(kMemoryFormats) ? kMemoryFormats[i] : std::string();
}

/// One value that stands by itself: {"as_int": 3}. Empty: of a kind that scripts do not have.
std::string valueText(std::string_view kind, const json& value);

/// The items of a list, each written by \p one; empty where one of them is unknown.
std::string listText(const json& items, const auto& one) {
    std::vector<std::string> parts;
    for (const json& item : items) {
        parts.push_back(one(item));
        if (parts.back().empty()) return {};
    }
    return fmt::format("[{}]", fmt::join(parts, ", "));
}

/// {"as_name": "s0"} or {"as_int": 3}; tensors: {"name": "x"}
std::string nameText(const json& value) {
    if (const json& number = fieldAt(value, "as_int"); number.is_number_integer())
        return number.dump();
    if (const json& flag = fieldAt(value, "as_bool"); flag.is_boolean())
        return flag.get<bool>() ? "True" : "False";
    if (const json& number = fieldAt(value, "as_float"); !number.is_null())
        return floatText(number);
    const std::string name = textAt(value, fieldAt(value, "name").is_null() ? "as_name" : "name");
    return isName(name) ? name : std::string();
}

/// An item of a list that may hold None: {"as_tensor": {"name": "x"}}
std::string itemText(const json& item) {
    const bool tagged =
        item.is_object() && item.size() == 1 && item.begin().key().starts_with("as_");
    return tagged ? valueText(item.begin().key(), *item.begin()) : nameText(item);
}

std::string valueText(std::string_view kind, const json& value) {
    if (kind == "as_none") return "None";
    if (kind == "as_tensor" || kind.starts_with("as_sym_")) {
        if (value.is_array()) return listText(value, nameText);
        return nameText(value);
    }
    if (kind == "as_int" && value.is_number_integer()) return value.dump();
    if (kind == "as_bool" && value.is_boolean()) return value.get<bool>() ? "True" : "False";
    if (kind == "as_float") return floatText(value);
    if (kind == "as_string" && value.is_string()) return pythonText(value.get<std::string>());
    if (kind == "as_scalar_type") return dtypeText(value);
    if (kind == "as_memory_format") return memoryFormatText(value);
    if (kind == "as_layout") return value == kStridedLayout ? "torch.strided" : "";
    if (kind == "as_device")
        return fmt::format("torch.device({})", pythonText(textAt(value, "type")));
    if (kind == "as_complex" && value.is_object())
        return fmt::format("complex({}, {})", floatText(fieldAt(value, "real")),
                           floatText(fieldAt(value, "imag")));
    if (!value.is_array()) return {};
    if (kind == "as_ints")
        return listText(value, [](const json& v) { return valueText("as_int", v); });
    if (kind == "as_floats") return listText(value, floatText);
    if (kind == "as_bools")
        return listText(value, [](const json& v) { return valueText("as_bool", v); });
    if (kind == "as_strings")
        return listText(value, [](const json& v) { return valueText("as_string", v); });
    if (kind == "as_tensors" || kind == "as_optional_tensors") return listText(value, itemText);
    if (kind == "as_nested_tensors")
        return listText(value, [](const json& v) { return listText(v, itemText); });
    return {};
}

/// What an argument {"as_KIND": value} is in Python; empty: nothing that scripts have.
std::string argumentText(const json& argument) {
    if (!argument.is_object() || argument.size() != 1) return {};
    return valueText(argument.begin().key(), *argument.begin());
}

/// One of "File "a/b.py", line 3, in forward\n    return x", in print_readable's words.
std::string placeText(std::string_view frame) {
    const size_t quote = frame.find('"'), line = frame.find(", line "),
                 comma = frame.find(',', line + 7), end = frame.find('\n');
    if (line == frame.npos || comma == frame.npos || end == frame.npos || end < comma) return {};
    const std::string_view file = frame.substr(0, quote);
    std::string_view code = frame.substr(end + 1);
    code = code.substr(0, code.find('\n'));
    code.remove_prefix(std::min(code.find_first_not_of(' '), code.size()));
    std::string told = fmt::format("# File: {}:{}{}, code: {}", file.substr(file.rfind('/') + 1),
                                   frame.substr(line + 7, comma - line - 7),
                                   frame.substr(comma + 1, end - comma - 1), code);
    return onOneLine(std::move(told));
}

/// The innermost line of a stack trace that stands outside of PyTorch.
std::string userPlace(std::string_view trace) {
    constexpr std::string_view kFile = "File \"";
    std::string told;
    for (size_t at = trace.find(kFile); at != trace.npos;) {
        const size_t next = trace.find(kFile, at + kFile.size());
        const std::string_view frame = trace.substr(at + kFile.size(), next - at - kFile.size());
        if (!frame.starts_with("torch/") &&
            frame.substr(0, frame.find('"')).find("/torch/") == frame.npos)
            told = placeText(frame);
        at = next;
    }
    return told;
}

} // namespace

std::optional<ir::DType> exportedDtype(const json& number) {
    using enum ir::DType;
    static const std::map<int64_t, ir::DType> kTypes = {
        {1, UInt8},   {2, Int8},      {3, Int16},   {4, Int32},       {5, Int64},
        {6, Float16}, {7, Float32},   {8, Float64}, {10, Complex64},  {11, Complex128},
        {12, Bool},   {13, BFloat16}, {28, UInt16}, {29, Float8E4M3}, {30, Float8E5M2},
        {34, UInt32}, {35, UInt64}};
    const auto found =
        kTypes.find(number.is_number_integer() ? number.get<int64_t>() : int64_t{-1});
    if (found == kTypes.end()) return std::nullopt;
    return found->second;
}

std::optional<int64_t> numberOf(const json& size) {
    const json& expression = fieldAt(size, "as_expr");
    const json& number =
        fieldAt(expression.is_object() ? fieldAt(expression, "hint") : size, "as_int");
    if (!number.is_number_integer()) return std::nullopt;
    return number.get<int64_t>();
}

std::optional<std::vector<int64_t>> numbersOf(const json& sizes) {
    std::vector<int64_t> numbers;
    if (!sizes.is_array()) return std::nullopt;
    for (const json& size : sizes) {
        const auto number = numberOf(size);
        if (!number) return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers;
}

base::Result<ExportedGraph> ExportedGraph::read(const json& whole) {
    ExportedGraph graph;
    graph.whole_ = &whole;
    graph.version_ = textAt(whole, "torch_version");
    if (!isName("v" + graph.version_.substr(0, graph.version_.find('+')), true))
        graph.version_ = "of an unknown version";
    CUTAWAY_CHECK(graph.readInputs());
    return graph;
}

base::Status ExportedGraph::readInputs() {
    const json& module = fieldAt(*whole_, "graph_module");
    const json& values = fieldAt(fieldAt(module, "graph"), "tensor_values");
    for (const json& spec : fieldAt(fieldAt(module, "signature"), "input_specs")) {
        if (!spec.is_object() || spec.size() != 1) return unknown("an input without a kind");
        const std::string& kind = spec.begin().key();
        const json& arg = fieldAt(*spec.begin(), "arg");
        if (kind == "user_input") {
            const std::string name = textAt(fieldAt(arg, "as_tensor"), "name");
            if (!isName(name)) return unknown("an input that is no tensor");
            inputs_.push_back(name);
            inputMetas_.push_back(&fieldAt(values, name.c_str()));
            continue;
        }
        if (kind == "constant_input") { // what the caller gave when it was exported
            const std::string name = textAt(*spec.begin(), "name"),
                              value = argumentText(fieldAt(*spec.begin(), "value"));
            if (!isName(name) || value.empty()) return unknown("an input that is no tensor");
            constants_.emplace_back(name, value);
            continue;
        }
        const char* field = kind == "parameter"         ? "parameter_name"
                            : kind == "buffer"          ? "buffer_name"
                            : kind == "tensor_constant" ? "tensor_constant_name"
                                                        : "";
        const std::string name = textAt(arg, "name"), own = textAt(*spec.begin(), field);
        if (!isName(name) || own.empty())
            return unknown(fmt::format("an input of the kind '{}'", kind));
        own_.push_back({name, own, kind == "parameter"});
    }
    return {};
}

/// What calls an operation: the operation itself, without the underscore of "_operator.add"; where it
/// writes into its running statistics, torch's function, which does.
static std::string calledAs(const std::string& target) {
    if (target == "torch.ops.aten.batch_norm.default") return "torch.batch_norm";
    return target.starts_with('_') ? target.substr(1) : target;
}

base::Status ExportedGraph::addNode(std::string& lines, const json& node, std::string& place) {
    const std::string target = textAt(node, "target");
    if (!isName(target, true) || target.starts_with("torch.ops.higher_order."))
        return unknown(fmt::format("the operation '{}'", target));
    std::vector<std::string> arguments;
    for (const json& input : fieldAt(node, "inputs")) {
        const std::string text = argumentText(fieldAt(input, "arg")), name = textAt(input, "name");
        if (text.empty())
            return unknown(fmt::format("argument '{}' of {}: {}", name, target,
                                       fieldAt(input, "arg").dump().substr(0, 100)));
        constexpr int kKeyword = 2;
        const bool keyword = fieldAt(input, "kind") == kKeyword;
        if (keyword && !isName(name)) return unknown("an argument without a name");
        arguments.push_back(keyword ? fmt::format("{}={}", name, text) : text);
    }
    std::vector<std::string> results;
    for (const json& output : fieldAt(node, "outputs")) {
        const std::string text = argumentText(output);
        results.push_back(text == "None" ? "_" : text);
        if (text.empty()) return unknown(fmt::format("a result of {}", target));
    }
    const std::string now = userPlace(textAt(fieldAt(node, "metadata"), "stack_trace"));
    if (!now.empty() && now != place) lines += fmt::format("        {}\n", now);
    place = now;
    lines +=
        fmt::format("        {}{}{}({})\n", fmt::join(results, ", "), results.empty() ? "" : " = ",
                    calledAs(target), fmt::join(arguments, ", "));
    return {};
}

base::Status ExportedGraph::addOutputs(std::string& lines) const {
    std::vector<std::string> results;
    for (const json& spec :
         fieldAt(fieldAt(fieldAt(*whole_, "graph_module"), "signature"), "output_specs")) {
        if (!spec.is_object() || spec.size() != 1) return unknown("an output without a kind");
        const std::string& kind = spec.begin().key();
        const json& arg = fieldAt(*spec.begin(), "arg");
        const std::string text = kind == "user_output" ? argumentText(arg) : nameText(arg);
        if (text.empty()) return unknown(fmt::format("an output of the kind '{}'", kind));
        const std::string buffer = textAt(*spec.begin(), "buffer_name");
        const std::string input = textAt(*spec.begin(), "user_input_name");
        if (kind == "user_output" || kind == "loss_output")
            results.push_back(text);
        else if (kind == "buffer_mutation" && !buffer.empty())
            lines +=
                fmt::format("        self.get_buffer({}).copy_({})\n", pythonText(buffer), text);
        else if (kind == "user_input_mutation" && isName(input))
            lines += fmt::format("        {}.copy_({})\n", input, text);
        else
            return unknown(fmt::format("an output of the kind '{}'", kind));
    }
    lines += fmt::format("        return {}\n",
                         results.size() == 1 ? results.front()
                                             : fmt::format("({})", fmt::join(results, ", ")));
    return {};
}

std::string ExportedGraph::randomInputs() const {
    std::vector<std::string> made;
    for (const json* meta : inputMetas_) {
        const std::vector<int64_t> sizes =
            numbersOf(fieldAt(*meta, "sizes")).value_or(std::vector<int64_t>());
        const std::string dtype = dtypeText(fieldAt(*meta, "dtype"));
        const bool floating = dtype.find("float") != std::string::npos;
        made.push_back(
            floating ? fmt::format("torch.randn([{}], dtype={})", fmt::join(sizes, ", "), dtype)
                     : fmt::format("torch.randint(0, 2, [{}]).to({})", fmt::join(sizes, ", "),
                                   dtype.empty() ? "torch.int64" : dtype));
    }
    return fmt::format("({}{})", fmt::join(made, ", "), made.size() == 1 ? "," : "");
}

base::Result<std::string> ExportedGraph::text(const std::string& file, bool train, bool saved,
                                              std::map<int, std::string>& modules) const {
    std::string text = fmt::format(
        R"(# {}: what torch.export of PyTorch {} saved, as a script. A line an operation.
import math
import operator

import torch

saved = torch.export.load({})
train = {}


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        for name, value in (saved.state_dict | saved.constants).items():
            *path, last = name.split(".")
            owner = self
            for part in path:
                if not hasattr(owner, part):
                    owner.add_module(part, torch.nn.Module())
                owner = getattr(owner, part)
            if isinstance(value, torch.nn.Parameter):
                owner.register_parameter(last, value)
            else:
                owner.register_buffer(last, value)

    def forward(self{}{}):
)",
        onOneLine(file), version_, pythonText(file), train ? "True" : "False",
        inputs_.empty() ? "" : ", ", fmt::join(inputs_, ", "));
    for (const Own& own : own_)
        text += fmt::format("        {} = self.get_{}({})\n", own.name,
                            own.parameter ? "parameter" : "buffer", pythonText(own.inModule));
    for (const auto& [name, value] : constants_)
        text += fmt::format("        {} = {}\n", name, value);
    std::string place;
    auto line = static_cast<int>(std::ranges::count(text, '\n'));
    for (const json& node : fieldAt(fieldAt(fieldAt(*whole_, "graph_module"), "graph"), "nodes")) {
        const size_t before = text.size();
        CUTAWAY_CHECK(addNode(text, node, place));
        line += static_cast<int>(std::count(text.begin() + ptrdiff_t(before), text.end(), '\n'));
        const std::string module =
            record::innermostModule(textAt(fieldAt(node, "metadata"), "nn_module_stack"));
        if (!module.empty()) modules[line] = module; // the node's is its last line
    }
    CUTAWAY_CHECK(addOutputs(text));
    text += fmt::format("\n\nmodel = Model()\n\n\ndef example_inputs(size):\n    inputs = {}\n",
                        saved ? "saved.example_inputs[0]" : randomInputs());
    for (size_t i = 0; i < inputMetas_.size(); ++i)
        for (size_t d = 0; const json& size : fieldAt(*inputMetas_[i], "sizes")) {
            if (!fieldAt(size, "as_expr").is_null())
                text += fmt::format("    torch._dynamo.mark_dynamic(inputs[{}], {})\n", i, d);
            ++d;
        }
    text += "    return inputs\n";
    return text;
}

} // namespace cutaway::driver
