// SPDX-License-Identifier: Apache-2.0
// Prints every sample call with its reference's values, one JSON object a line, for
// compare_with_torch.py; with --layouts every sample call in every layout of its tensors instead,
// without results. A tool for people who change operations; not a test.
#include "core/ops/composite.h"
#include "tests/ops/sample_graph.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

using namespace cutaway;

namespace {

std::string textOf(double value) {
    if (value != value) return "NaN";
    if (value == 0 && std::signbit(value)) return "-0.0";
    if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
    return fmt::format("{}", value);
}

std::string tensorText(const ir::HostTensor& tensor, bool transposed) {
    std::string values;
    for (int64_t i = 0; i < tensor.numel(); ++i)
        values += (i ? "," : "") + textOf(tensor.get(i));
    return fmt::format(R"({{"dtype":"{}","sizes":[{}],"transposed":{},"values":[{}]}})",
                       ir::name(tensor.dtype), fmt::join(tensor.sizes, ","), transposed, values);
}

std::string stridesText(const ir::TensorType& type) {
    std::string strides;
    for (const ir::Sym& stride : type.strides)
        strides += (strides.empty() ? "" : ",") + stride.str();
    return "[" + strides + "]";
}

std::string argText(const ir::Arg& arg) {
    if (arg.isNone()) return "null";
    if (auto id = arg.node()) return fmt::format(R"({{"tensor":{}}})", id->index);
    if (auto b = std::get_if<bool>(&arg)) return *b ? "true" : "false";
    if (auto s = std::get_if<ir::Sym>(&arg)) return s->str();
    if (auto d = std::get_if<double>(&arg)) return fmt::format(R"({{"float":{}}})", textOf(*d));
    if (auto d = std::get_if<ir::DType>(&arg))
        return fmt::format(R"({{"dtype":"{}"}})", ir::name(*d));
    if (auto d = std::get_if<ir::Device>(&arg))
        return fmt::format(R"({{"device":"{}"}})", d->str());
    if (auto s = std::get_if<std::string>(&arg)) return fmt::format("\"{}\"", *s);
    std::string text;
    for (const ir::Arg& element : *arg.list())
        text += (text.empty() ? "" : ",") + argText(element);
    return "[" + text + "]";
}

/// The operation, the sample's number, names and values of the arguments.
std::string callText(const ops::OpDef& def, size_t number, const ir::Node& call) {
    std::string args, names;
    for (size_t i = 0; i < call.args.size(); ++i) {
        args += (i ? "," : "") + argText(call.args[i]);
        names += fmt::format("{}[\"{}\",{}]", i ? "," : "", def.parsed.args[i].name,
                             def.parsed.args[i].keywordOnly);
    }
    return fmt::format("\"op\":\"{}\",\"sample\":{},\"schema\":[{}],\"args\":[{}]", def.name(),
                       number, names, args);
}

void dump(const ops::OpDef& def, size_t number, const ops::Sample& sample) {
    auto made = tests::makeSampleGraph(def, sample);
    if (!made.ok()) return;
    auto values = ops::evaluate(made->graph, made->inputs);
    if (!values.ok()) return;
    const ir::Node& call = made->graph.node(made->call);
    std::string inputs, outputs;
    for (size_t i = 0; i < made->inputs.size(); ++i)
        inputs += (i ? "," : "") + tensorText(made->inputs[i], sample.tensors[i].transposed);
    for (size_t i = 0; i < values->size(); ++i) {
        outputs += fmt::format("{}{{\"strides\":{},\"tensor\":{}}}", i ? "," : "",
                               stridesText(call.types[i]), tensorText((*values)[i], false));
    }
    fmt::print("{{{},\"composite\":{},\"inputs\":[{}],\"outputs\":[{}],\"view\":{}}}\n",
               callText(def, number, call), ops::isComposite(def), inputs, outputs, def.isView());
}

void dumpLayouts(const ops::OpDef& def, size_t number, const ops::Sample& sample) {
    auto made = tests::makeSampleGraph(def, sample);
    if (!made.ok()) return;
    const std::string call = callText(def, number, made->graph.node(made->call));
    for (tests::Layout layout : tests::kLayouts) {
        std::string inputs;
        for (size_t i = 0; i < made->inputs.size(); ++i) {
            const ir::HostTensor& tensor = made->inputs[i];
            inputs += fmt::format("{}{{\"strides\":{},\"tensor\":{}}}", i ? "," : "",
                                  stridesText(tests::sampleType(sample, i, layout)),
                                  tensorText(tensor, false));
        }
        fmt::print("{{{},\"layout\":\"{}\",\"inputs\":[{}]}}\n", call, tests::name(layout), inputs);
    }
}

} // namespace

int main(int argc, char** argv) {
    const bool layouts = argc == 2 && std::string_view(argv[1]) == "--layouts";
    for (const ops::OpDef& def : ops::catalogue().all())
        for (size_t number = 0; const ops::Sample& sample : def.samples()) {
            const bool good = sample.expectedError.empty();
            if (good && layouts) dumpLayouts(def, number, sample);
            if (good && !layouts && def.reference) dump(def, number, sample);
            ++number;
        }
    return 0;
}
