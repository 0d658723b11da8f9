// SPDX-License-Identifier: Apache-2.0
#include "core/driver/onnx_script.h"

#include "core/driver/python_text.h"
#include "core/ir/host_tensor.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace cutaway::driver {

namespace {

using namespace formats;

constexpr int kFloat = 1, kInt32 = 6, kInt64 = 7; // TensorProto.DataType
constexpr int64_t kMostNumbers =
    64; // that stand in a line; resources/script_library/torch/onnx/_values.py
constexpr const char* kReserved[] = {
    "self",   "op",     "torch",  "held",    "model",    "train",    "Model",  "and",  "as",
    "assert", "async",  "await",  "break",   "class",    "continue", "def",    "del",  "elif",
    "else",   "except", "False",  "finally", "for",      "from",     "global", "if",   "import",
    "in",     "is",     "lambda", "None",    "nonlocal", "not",      "or",     "pass", "raise",
    "return", "True",   "try",    "while",   "with",     "yield",    "print",  "exec", "float"};

base::Diagnostic unknown(std::string what, std::string hint = "export a simpler model") {
    return base::userError({}, std::move(what), std::move(hint));
}

template <typename T> std::vector<T> elements(const OnnxTensor& tensor) {
    std::vector<T> numbers(tensor.bytes.size() / sizeof(T));
    if (!numbers.empty())
        std::memcpy(numbers.data(), tensor.bytes.data(), numbers.size() * sizeof(T));
    return numbers;
}

/// (3,) of one.
std::string tupleText(const std::vector<int64_t>& numbers) {
    return fmt::format("({}{})", fmt::join(numbers, ", "), numbers.size() == 1 ? "," : "");
}

/// The text of a tensor of few numbers, which need not be held: of integers a number or a tuple, of one float
/// a tensor; empty where it is another.
std::string literal(const OnnxTensor& tensor) {
    if (!tensor.file.empty() || tensor.sizes.size() > 1) return {};
    const auto count = tensor.numel();
    if (!count ||
        static_cast<size_t>(*count) * onnxElementBytes(tensor.type) != tensor.bytes.size())
        return {};
    if ((tensor.type == kInt64 || tensor.type == kInt32) && *count <= kMostNumbers) {
        std::vector<int64_t> numbers;
        if (tensor.type == kInt64)
            numbers = elements<int64_t>(tensor);
        else
            std::ranges::copy(elements<int32_t>(tensor), std::back_inserter(numbers));
        return tensor.sizes.empty() ? std::to_string(numbers.front()) : tupleText(numbers);
    }
    if (tensor.type != kFloat || *count != 1) return {};
    const std::string number = pythonFloat(elements<float>(tensor).front());
    return tensor.sizes.empty() ? fmt::format("torch.tensor({})", number)
                                : fmt::format("torch.tensor([{}])", number);
}

/// The one element of a tensor as a Python number.
base::Result<std::string> elementText(const OnnxTensor& tensor) {
    const auto dtype = ir::dtypeFromOnnx(tensor.type);
    if (!dtype || tensor.bytes.size() != ir::sizeBytes(*dtype))
        return unknown("a ConstantOfShape whose value is no number", "write the model again");
    ir::HostTensor host = ir::HostTensor::zeros(*dtype, {});
    std::memcpy(host.bytes.data(), tensor.bytes.data(), tensor.bytes.size());
    if (*dtype == ir::DType::Bool) return std::string(host.getInt(0) ? "True" : "False");
    if (tensor.type == kFloat) return pythonFloat(elements<float>(tensor).front());
    if (ir::isFloating(*dtype)) return pythonFloat(host.get(0));
    return std::to_string(host.getInt(0));
}

std::string torchDtype(int type) {
    const auto dtype = ir::dtypeFromOnnx(type);
    return dtype ? fmt::format("torch.{}", ir::info(*dtype).name) : std::string();
}

/// "mlp.0" of "['', 'mlp', 'mlp.0', 'linear']".
std::string innermostOf(std::string_view scopes) {
    std::string module, last;
    for (size_t from = scopes.find('\''); from != std::string_view::npos;) {
        const size_t to = scopes.find('\'', from + 1);
        if (to == std::string_view::npos) break;
        module = std::exchange(last, std::string(scopes.substr(from + 1, to - from - 1)));
        from = scopes.find('\'', to + 1);
    }
    return module.starts_with('_') ? std::string()
                                   : onOneLine(module); // what export put around all
}

/// "blocks.0.attn" of "/blocks/blocks.0/attn/MatMul", as torch.onnx.export named nodes before it
/// told their scopes.
std::string moduleOf(const OnnxNode& of) {
    if (!of.scopes.empty()) return innermostOf(of.scopes);
    const std::string& node = of.name;
    std::string path, before;
    for (size_t at = node.starts_with('/') ? 1 : 0;;) {
        const size_t end = node.find('/', at);
        if (end == std::string::npos) return onOneLine(path);
        const std::string part = node.substr(at, end - at);
        if (!before.empty() && part.starts_with(before + "."))
            path.resize(path.size() - before.size()); // a list's item, which has the list's name
        else if (!path.empty())
            path += '.';
        path += before = part;
        at = end + 1;
    }
}

} // namespace

std::string OnnxScript::named(const std::string& value) {
    std::string name;
    for (char c : value) {
        const bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (plain || (!name.empty() && name.back() != '_')) name += plain ? c : '_';
    }
    while (!name.empty() && name.back() == '_')
        name.pop_back();
    if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name = "v" + name;
    if (std::ranges::find(kReserved, name) != std::end(kReserved)) name += "_";
    std::string free = name;
    for (int n = 1; !taken_.insert(free).second; ++n)
        free = fmt::format("{}_{}", name, n);
    return free;
}

base::Result<std::string> OnnxScript::used(const std::string& value) const {
    if (value.empty()) return std::string("None");
    const auto at = texts_.find(value);
    if (at == texts_.end())
        return unknown(fmt::format("'{}' is used before anything computes it", onOneLine(value)),
                       "write the model again");
    return at->second;
}

base::Result<std::string> OnnxScript::constant(const OnnxTensor& tensor, const std::string& name) {
    if (std::string text = literal(tensor); !text.empty()) return text;
    if (torchDtype(tensor.type).empty())
        return unknown(fmt::format("'{}' is a tensor of ONNX's element type {}", onOneLine(name),
                                   tensor.type));
    const std::string own = named(name);
    held_.emplace_back(own, &tensor);
    return "self." + own;
}

base::Status OnnxScript::addInitializers(const OnnxGraph& graph) {
    for (const OnnxTensor& tensor : graph.initializers) {
        CUTAWAY_TRY(texts_[tensor.name], constant(tensor, tensor.name));
    }
    return {};
}

base::Status OnnxScript::addConstant(const OnnxNode& node) {
    if (node.outputs.size() != 1 || node.attributes.size() != 1)
        return unknown("a Constant without a value", "write the model again");
    const OnnxAttribute& value = node.attributes.front();
    std::string& text = texts_[node.outputs.front()];
    if (value.tensor) {
        CUTAWAY_TRY(text, constant(*value.tensor, node.outputs.front()));
        return {};
    }
    if (value.name == "value_int" && value.integer)
        text = std::to_string(*value.integer);
    else if (value.name == "value_float" && value.number)
        text = fmt::format("torch.tensor({})", pythonFloat(*value.number));
    else if (value.name == "value_ints")
        text = tupleText(value.integers);
    else if (value.name == "value_floats") {
        std::vector<std::string> numbers;
        std::ranges::transform(value.numbers, std::back_inserter(numbers),
                               [](float number) { return pythonFloat(number); });
        text = fmt::format("torch.tensor([{}])", fmt::join(numbers, ", "));
    } else
        return unknown(fmt::format("a Constant with the attribute '{}'", onOneLine(value.name)));
    return {};
}

base::Result<std::string> OnnxScript::attribute(const OnnxNode& node,
                                                const OnnxAttribute& attribute,
                                                const std::string& function) {
    const OnnxAttribute& a = attribute;
    if (a.graph) return function;
    if (a.tensor) {
        if (node.op == "ConstantOfShape" && a.tensor->numel() == 1) {
            CUTAWAY_TRY(const std::string number, elementText(*a.tensor));
            return fmt::format("{}, dtype={}", number, torchDtype(a.tensor->type));
        }
        return constant(*a.tensor, node.outputs.empty() ? a.name : node.outputs.front());
    }
    if (a.integer && (a.type == 2 || a.type == 0)) return std::to_string(*a.integer);
    if (a.number && (a.type == 1 || a.type == 0)) return pythonFloat(*a.number);
    if (a.text && (a.type == 3 || a.type == 0)) return pythonText(*a.text);
    if (!a.numbers.empty()) {
        std::vector<std::string> numbers;
        std::ranges::transform(a.numbers, std::back_inserter(numbers),
                               [](float number) { return pythonFloat(number); });
        return fmt::format("[{}]", fmt::join(numbers, ", "));
    }
    if (!a.texts.empty()) {
        std::vector<std::string> texts;
        std::ranges::transform(a.texts, std::back_inserter(texts), pythonText);
        return fmt::format("[{}]", fmt::join(texts, ", "));
    }
    if (a.type == 13 || a.type == 14) return std::string("None"); // a type, which values have
    // what is nought is not written by some
    if (a.type == 1) return std::string("0.0");
    if (a.type == 2) return std::string("0");
    if (a.type == 3) return std::string("\"\"");
    if (a.type == 7 || a.type == 6 || a.type == 8 || !a.integers.empty())
        return fmt::format("[{}]", fmt::join(a.integers, ", "));
    return unknown(fmt::format("attribute '{}' of {} is of a kind that is not known",
                               onOneLine(a.name), onOneLine(node.op)));
}

bool OnnxScript::isSharedWeight(const OnnxNode& node) const {
    return node.op == "Identity" && node.inputs.size() == 1 && node.outputs.size() == 1 &&
           texts_.contains(node.inputs.front()) &&
           texts_.at(node.inputs.front()).starts_with("self.");
}

base::Status OnnxScript::addNode(std::string& lines, const OnnxNode& node,
                                 const std::string& indent, std::string& place) {
    auto isName = [](const std::string& text) {
        return !text.empty() && std::ranges::all_of(text, [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                   c == '_';
        }) && !(text[0] >= '0' && text[0] <= '9');
    };
    if ((!node.domain.empty() && node.domain != "ai.onnx") || !isName(node.op))
        return unknown(fmt::format("the operator '{}' of the domain '{}'", onOneLine(node.op),
                                   onOneLine(node.domain)),
                       "export the model with operators of ONNX alone");
    if (std::ranges::find(model_.functions, node.op) != model_.functions.end())
        return unknown(fmt::format("'{}' is a function of the model's own", onOneLine(node.op)),
                       "export the model with its functions inlined (onnx.inliner)");
    if (node.op == "Constant") return addConstant(node);
    if (isSharedWeight(node)) {
        texts_[node.outputs.front()] = texts_.at(node.inputs.front());
        return {};
    }
    std::vector<std::string> arguments, results;
    for (const std::string& input : node.inputs) {
        CUTAWAY_TRY(arguments.emplace_back(), used(input));
    }
    while (!arguments.empty() && arguments.back() == "None")
        arguments.pop_back();
    for (const OnnxAttribute& a : node.attributes) {
        if (!isName(a.name)) return unknown("an attribute without a name", "write the model again");
        std::string function;
        if (a.graph) {
            function = named(node.op + "_" + a.name);
            std::vector<std::string> parameters;
            for (const OnnxValue& input : a.graph->inputs)
                parameters.push_back(texts_[input.name] = named(input.name));
            lines += fmt::format("{}def {}({}):\n", indent, function, fmt::join(parameters, ", "));
            CUTAWAY_CHECK(addBody(lines, *a.graph, indent + "    "));
        }
        CUTAWAY_TRY(const std::string text, attribute(node, a, function));
        const bool reserved = std::ranges::find(kReserved, a.name) != std::end(kReserved);
        arguments.push_back(fmt::format("{}{}={}", a.name, reserved ? "_" : "", text));
    }
    for (const std::string& output : node.outputs)
        results.push_back(output.empty() ? "_" : texts_[output] = named(output));
    while (results.size() > 1 && results.back() == "_")
        results.pop_back();
    if (results.size() > 1) arguments.push_back(fmt::format("outputs={}", results.size()));
    const std::string now = moduleOf(node);
    if (now != place && !now.empty()) lines += fmt::format("{}# {}\n", indent, now);
    place = now;
    if (!now.empty()) modules_[static_cast<int>(std::ranges::count(lines, '\n'))] = now;
    lines += fmt::format("{}{}{}op.{}({})\n", indent, fmt::join(results, ", "),
                         results.empty() ? "" : " = ", node.op, fmt::join(arguments, ", "));
    return {};
}

base::Status OnnxScript::addBody(std::string& lines, const OnnxGraph& graph,
                                 const std::string& indent) {
    CUTAWAY_CHECK(addInitializers(graph));
    std::string place;
    for (const OnnxNode& node : graph.nodes)
        CUTAWAY_CHECK(addNode(lines, node, indent, place));
    std::vector<std::string> results;
    for (const OnnxValue& output : graph.outputs) {
        CUTAWAY_TRY(results.emplace_back(), used(output.name));
    }
    if (results.empty()) return unknown("a graph that computes nothing");
    lines += fmt::format("{}return {}\n", indent, fmt::join(results, ", "));
    return {};
}

/// A size that scripts write: a number, or what `sizes` says of an open one.
static std::string sizeText(const OnnxSize& size) {
    return size.number ? std::to_string(*size.number)
                       : fmt::format("n[{}]", pythonText(size.symbol));
}

base::Result<std::string> OnnxScript::exampleInputs() const {
    std::vector<std::string> made, open;
    std::string dynamic;
    for (size_t i = 0; i < inputs_.size(); ++i) {
        const OnnxValue& input = *inputs_[i];
        const auto dtype = ir::dtypeFromOnnx(input.type);
        if (!dtype)
            return unknown(
                fmt::format("the input '{}' is no tensor of numbers", onOneLine(input.name)));
        std::vector<std::string> sizes;
        for (size_t d = 0; d < input.sizes.size(); ++d) {
            OnnxSize size = input.sizes[d];
            if (size.number && *size.number > (int64_t{1} << 40))
                return unknown(fmt::format("the input '{}' has the size {}", onOneLine(input.name),
                                           *size.number));
            if (size.number && *size.number < 0) size.number.reset(); // some write -1 for open ones
            if (size.symbol.empty()) size.symbol = fmt::format("{}_{}", input.name, d);
            sizes.push_back(sizeText(size));
            if (size.number) continue;
            // a batch, an image's channels, its height and width, a length
            constexpr int kBatch = 2, kChannels = 3, kPixels = 64, kLength = 16;
            const bool image = input.sizes.size() == 4;
            const int example = d == 0 ? kBatch : !image ? kLength : d == 1 ? kChannels : kPixels;
            const std::string entry = fmt::format("{}: ", pythonText(size.symbol));
            if (std::ranges::none_of(open, [&](const auto& o) { return o.starts_with(entry); }))
                open.push_back(entry + std::to_string(example));
            dynamic += fmt::format("    torch._dynamo.mark_dynamic(inputs[{}], {})\n", i, d);
        }
        const bool real = ir::isFloating(*dtype) || ir::isComplex(*dtype);
        made.push_back(fmt::format(real ? fmt::runtime("torch.randn([{}], dtype={})")
                                        : fmt::runtime("torch.randint(0, 2, [{}]).to({})"),
                                   fmt::join(sizes, ", "), torchDtype(input.type)));
    }
    std::string lines = "def example_inputs(size):\n";
    if (!open.empty())
        lines = fmt::format(
            "# Open sizes; --size NAME=NUMBER,... gives others.\n"
            "open_sizes = {{{}}}\n\n\n{}"
            "    given = [pair.split(\"=\") for pair in size.split(\",\") if \"=\" in pair]\n"
            "    for name, number in given:\n"
            "        if name not in open_sizes:\n"
            "            raise ValueError(f\"no open size is called {{name}}: "
            "{{list(open_sizes)}}\")\n"
            "    n = open_sizes | {{name: int(number) for name, number in given}}\n",
            fmt::join(open, ", "), lines);
    return fmt::format("{}    inputs = ({}{})\n{}    return inputs\n", lines, fmt::join(made, ", "),
                       made.size() == 1 ? "," : "", dynamic);
}

base::Result<std::string> OnnxScript::text(const std::string& file) {
    for (const char* name : kReserved)
        taken_.insert(name);
    std::vector<std::string> parameters;
    for (const OnnxValue& input : model_.graph.inputs) {
        auto holds = [&](const OnnxTensor& tensor) { return tensor.name == input.name; };
        if (std::ranges::any_of(model_.graph.initializers, holds)) continue;
        inputs_.push_back(&input);
        parameters.push_back(texts_[input.name] = named(input.name));
    }
    std::string body;
    CUTAWAY_CHECK(addBody(body, model_.graph, "        "));
    CUTAWAY_TRY(const std::string inputs, exampleInputs());
    const std::string made = fmt::format(
        R"(# {}: an ONNX model{}{}, operators of version {}, as a script. A line an operator.
import torch
from torch.onnx import _operators

held = _operators.load({})
op = _operators.Operators({})
train = False


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        for name, value in held.items():
            self.register_buffer(name, value)

    def forward(self{}{}):
{}

model = Model()


{})",
        onOneLine(file), model_.producer.empty() ? "" : " by " + onOneLine(model_.producer),
        model_.producerVersion.empty() ? "" : " " + onOneLine(model_.producerVersion), model_.opset,
        pythonText(file), model_.opset, parameters.empty() ? "" : ", ", fmt::join(parameters, ", "),
        body, inputs);
    const auto first = made.begin() + static_cast<std::ptrdiff_t>(made.find(body));
    const int above = 1 + static_cast<int>(std::count(made.begin(), first, '\n'));
    for (const auto& [line, module] : std::exchange(modules_, {}))
        modules_[line + above] = module;
    return made;
}

} // namespace cutaway::driver
