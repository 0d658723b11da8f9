// SPDX-License-Identifier: Apache-2.0
#include "core/ir/printer.h"

#include <fmt/format.h>

namespace cutaway::ir {

std::string qualifiedOpName(std::string_view op) {
    if (op == "getitem" || op.starts_with("prims.")) return std::string(op);
    if (op.find('.') == std::string_view::npos) return fmt::format("aten.{}.default", op);
    return fmt::format("aten.{}", op);
}

std::string print(const Arg& arg, const Graph& graph) {
    struct Visitor {
        const Graph& graph;
        std::string operator()(std::monostate) const { return "None"; }
        std::string operator()(NodeId id) const { return graph.node(id).name; }
        std::string operator()(bool b) const { return b ? "True" : "False"; }
        std::string operator()(const Sym& s) const { return s.str(); }
        std::string operator()(double d) const {
            std::string text = fmt::format("{}", d);
            bool plain = text.find_first_not_of("-0123456789") == std::string::npos;
            return plain ? text + ".0" : text;
        }
        std::string operator()(DType d) const { return fmt::format("torch.{}", name(d)); }
        std::string operator()(Device d) const { return fmt::format("device('{}')", d.str()); }
        std::string operator()(const std::string& s) const { return "'" + s + "'"; }
        std::string operator()(const ArgList& list) const {
            std::string text = "[";
            for (size_t i = 0; i < list.size(); ++i)
                text += (i ? ", " : "") + print(list[i], graph);
            return text + "]";
        }
    };
    return std::visit(Visitor{graph}, static_cast<const Arg::variant&>(arg));
}

std::string typeText(const TensorType& type) {
    std::string text = type.str();
    if (!type.isContiguous()) text += str(type.strides);
    if (type.device != Device()) text += type.device.str();
    return text;
}

std::string valuesText(const HostTensor& tensor) {
    constexpr int kMost = 64;
    std::string text;
    auto value = [&](int64_t i) {
        return isFloating(tensor.dtype) ? fmt::format("{}", tensor.get(i))
                                        : fmt::format("{}", tensor.getInt(i));
    };
    int runs = 0;
    for (int64_t i = 0, next = 0; i < tensor.numel(); i = next) {
        if (++runs > kMost) return "...";
        const std::string first = value(i);
        for (next = i + 1; next < tensor.numel() && value(next) == first;)
            ++next;
        text += (i ? ", " : "") + first;
        if (next - i > 3)
            text += fmt::format(" x {}", next - i);
        else
            for (int64_t k = i + 1; k < next; ++k)
                text += ", " + first;
    }
    return text;
}

static std::string typeText(const Node& node) {
    if (!node.tuple) return typeText(node.type());
    std::string text = "(";
    for (size_t i = 0; i < node.types.size(); ++i)
        text += (i ? ", " : "") + typeText(node.types[i]);
    return text + ")";
}

std::string print(const Node& node, const Graph& graph) {
    if (node.kind == NodeKind::Placeholder)
        return fmt::format("{}: {} = placeholder", node.name, typeText(node));
    if (node.kind == NodeKind::Constant) {
        return fmt::format("{}: {} = constant({})", node.name, typeText(node),
                           valuesText(*node.constant));
    }
    size_t count = node.args.size();
    while (count > 0 && node.args[count - 1].isNone())
        --count;
    std::string args;
    for (size_t i = 0; i < count; ++i)
        args += (i ? ", " : "") + print(node.args[i], graph);
    return fmt::format("{}: {} = {}({})", node.name, typeText(node), qualifiedOpName(node.op),
                       args);
}

std::string print(const Graph& graph) {
    std::string text = fmt::format("graph {}(", graph.graphName);
    std::string separator;
    for (NodeId id : graph.placeholders()) {
        const Node& node = graph.node(id);
        text += fmt::format("{}{}: {}{}", separator, node.name, typeText(node),
                            node.type().requiresGrad ? " requires_grad" : "");
        separator = ", ";
    }
    text += "):\n";
    for (NodeId id : graph.order())
        if (graph.node(id).kind != NodeKind::Placeholder)
            text += "    " + print(graph.node(id), graph) + "\n";
    text += "    return (";
    for (size_t i = 0; i < graph.outputs.size(); ++i) {
        NodeId id = graph.outputs[i];
        text += (i ? ", " : "") + (id.valid() ? graph.node(id).name : std::string("None"));
    }
    return text + (graph.outputs.size() == 1 ? ",)\n" : ")\n");
}

} // namespace cutaway::ir
