// SPDX-License-Identifier: Apache-2.0
// Prints every sample call with its reference's values, one JSON object a line, for
// compare_with_torch.py. A tool for people who change operations; not a test.
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

void dump(const ops::OpDef& def, size_t number, const ops::Sample& sample) {
    auto made = tests::makeSampleGraph(def, sample);
    if (!made.ok()) return;
    auto values = ops::evaluate(made->graph, made->inputs);
    if (!values.ok()) return;
    const ir::Node& call = made->graph.node(made->call);
    std::string args, names, inputs, outputs;
    for (size_t i = 0; i < call.args.size(); ++i) {
        args += (i ? "," : "") + argText(call.args[i]);
        names += fmt::format("{}[\"{}\",{}]", i ? "," : "", def.parsed.args[i].name,
                             def.parsed.args[i].keywordOnly);
    }
    for (size_t i = 0; i < made->inputs.size(); ++i)
        inputs += (i ? "," : "") + tensorText(made->inputs[i], sample.tensors[i].transposed);
    for (size_t i = 0; i < values->size(); ++i) {
        std::string strides;
        for (const ir::Sym& stride : call.types[i].strides)
            strides += (strides.empty() ? "" : ",") + stride.str();
        outputs += fmt::format("{}{{\"strides\":[{}],\"tensor\":{}}}", i ? "," : "", strides,
                               tensorText((*values)[i], false));
    }
    fmt::print("{{\"op\":\"{}\",\"sample\":{},\"composite\":{},\"schema\":[{}],\"args\":[{}],\"inputs\":[{}],\"outputs\":[{}],"
               "\"view\":{}}}\n",
               def.name(), number, ops::isComposite(def), names, args, inputs, outputs, def.isView());
}

} // namespace

int main() {
    for (const ops::OpDef& def : ops::catalogue().all())
        for (size_t number = 0; const ops::Sample& sample : def.samples()) {
            if (sample.expectedError.empty() && def.reference) dump(def, number, sample);
            ++number;
        }
    return 0;
}
