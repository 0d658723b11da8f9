// SPDX-License-Identifier: Apache-2.0
#include "core/ops/builder.h"

#include "core/ops/arg_numbers.h"
#include "core/ops/refusal.h"
#include "core/ops/rule_guard.h"
#include "core/ops/rules.h"
#include "core/ops/view_strides.h"

#include <fmt/format.h>

#include <stdexcept>

namespace cutaway::ops {

using ir::Arg;
using ir::NodeId;

namespace {

void inherit(ir::Node& node, const Provenance& provenance) {
    node.source = provenance.source;
    node.modulePath = provenance.modulePath;
    node.from = provenance.from;
    node.backward = provenance.backward;
    node.rule = provenance.rule;
    node.checkpoint = provenance.checkpoint;
}

bool returnsTuple(const Schema& schema) {
    return schema.returns.size() > 1 || schema.returns[0] == "Tensor[]";
}

/// Sizes that are symbols are 2 and more, by what is known or by a guard; others become the
/// constant that they are in this call.
base::Status settleSizes(const OpCall& call, ir::TensorType& type) {
    ir::ShapeEnv& shapes = *call.graph.shapes;
    for (ir::Sym& size : type.sizes) {
        if (size.isConst()) continue;
        size = shapes.replaced(size);
        if (!size.isConst() && !shapes.known(ir::atMost(2, size))) {
            if (shapes.hint(size) < 2)
                size = ir::Sym(shapes.specialize(size));
            else
                shapes.decide(ir::atMost(2, size));
        }
        if (size.isConst() && size.constant() < 0)
            return base::userError(
                {}, fmt::format("Trying to create tensor with negative dimension {}: {}",
                                size.constant(), ir::str(type.sizes)));
    }
    for (ir::Sym& stride : type.strides)
        stride = shapes.replaced(stride);
    return {};
}

void putIn(const ir::ShapeEnv& shapes, Arg& arg) {
    if (auto* size = std::get_if<ir::Sym>(&arg)) *size = shapes.replaced(*size);
    if (auto* list = std::get_if<ir::ArgList>(&arg))
        for (Arg& element : *list)
            putIn(shapes, element);
}

/// Sizes that were found equal since the operands were made are written alike.
void putEqualSizesIn(ir::Graph& graph, ir::ArgList& args) {
    const ir::ShapeEnv& shapes = *graph.shapes;
    for (Arg& arg : args)
        putIn(shapes, arg);
    for (NodeId id : ir::inputNodes(args))
        for (ir::TensorType& type : graph.node(id).types)
            for (ir::Shape* numbers : {&type.sizes, &type.strides})
                for (ir::Sym& number : *numbers)
                    number = shapes.replaced(number);
}

/// The script's line that a question comes from.
ir::Asker askerOf(const OpDef& def, const ir::SourceStack& source) {
    ir::Asker asker{def.parsed.base, {}};
    if (!source) return asker;
    for (size_t i = source->size(); i-- > 0;) {
        const ir::SourceFrame& frame = (*source)[i];
        if (frame.where.file.starts_with('<')) continue;
        return {frame.code.empty() ? def.parsed.base : frame.code, frame.where};
    }
    return asker;
}

} // namespace

bool Builder::same(const ir::Shape& a, const ir::Shape& b) const {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i)
        if (!same(a[i], b[i])) return false;
    return true;
}

base::Result<NodeId> Builder::tryCall(std::string_view op, ir::ArgList args) {
    const OpDef* def = catalogue().find(op);
    if (!def) return base::bugError(fmt::format("unknown operation '{}'", op));
    const Schema& schema = def->parsed;
    if (args.size() > schema.args.size())
        return base::bugError(
            fmt::format("{}: {} arguments for {}", op, args.size(), schema.str()));
    for (size_t i = args.size(); i < schema.args.size(); ++i) {
        if (!schema.args[i].defaultValue)
            return base::bugError(
                fmt::format("{}: argument '{}' is missing", op, schema.args[i].name));
        args.push_back(*schema.args[i].defaultValue);
    }
    if (graph_.shapes) putEqualSizesIn(graph_, args);
    OpCall call(*def, args, graph_);
    if (graph_.shapes) graph_.shapes->setAsker(askerOf(*def, provenance.source));
    CUTAWAY_TRY(auto types,
                guardRule(op, provenance.source, "shape rule", [&] { return def->shape(call); }));
    if (graph_.shapes)
        for (ir::TensorType& type : types)
            CUTAWAY_CHECK(settleSizes(call, type));
    for (const ir::TensorType& type : types)
        CUTAWAY_CHECK(ir::checkAddressable(type));
    std::string_view hint = schema.base;
    if (hint.starts_with("prims.")) hint.remove_prefix(6);
    while (hint.starts_with('_'))
        hint.remove_prefix(1);
    NodeId id = graph_.addCall(std::string(op), std::move(args), std::move(types), hint);
    ir::Node& node = graph_.node(id);
    node.tuple = returnsTuple(schema);
    inherit(node, provenance);
    return id;
}

NodeId Builder::call(std::string_view op, ir::ArgList args) {
    auto id = tryCall(op, std::move(args));
    if (!id.ok()) throw Refusal(std::move(id.error()));
    return *id;
}

NodeId Builder::getitem(NodeId tuple, int index) {
    ir::TensorType type = graph_.node(tuple).types.at(static_cast<size_t>(index));
    ir::ArgList args;
    args.push_back(Arg(tuple));
    args.push_back(intArg(index));
    NodeId id = graph_.addCall("getitem", std::move(args), {std::move(type)});
    inherit(graph_.node(id), provenance);
    return id;
}

NodeId Builder::add(NodeId a, Arg b) {
    return call("add.Tensor", {Arg(a), std::move(b)});
}
NodeId Builder::sub(NodeId a, Arg b) {
    return call("sub.Tensor", {Arg(a), std::move(b)});
}
NodeId Builder::mul(NodeId a, Arg b) {
    return call("mul.Tensor", {Arg(a), std::move(b)});
}
NodeId Builder::div(NodeId a, Arg b) {
    return call("div.Tensor", {Arg(a), std::move(b)});
}
NodeId Builder::neg(NodeId a) {
    return call("neg", {Arg(a)});
}

NodeId Builder::sumTo(NodeId gradient, const ir::Shape& sizes) {
    const ir::Shape from = type(gradient).sizes;
    size_t leading = from.size() - sizes.size();
    std::vector<int> dims = allDims(leading);
    for (size_t i = leading; i < from.size(); ++i)
        if (sizes[i - leading].is(1) && !from[i].is(1)) dims.push_back(static_cast<int>(i));
    if (dims.empty()) return gradient;
    NodeId sum = call("sum.dim_IntList", {Arg(gradient), Arg(intList(dims)), Arg(true)});
    return leading > 0 ? call("view", {Arg(sum), Arg(sizeList(sizes))}) : sum;
}

NodeId Builder::reshape(NodeId a, ir::Shape sizes) {
    if (same(type(a).sizes, sizes)) return a;
    if (!viewStrides(type(a), sizes))
        a = call("clone", {Arg(a), Arg(std::string("contiguous_format"))});
    return call("view", {Arg(a), Arg(sizeList(sizes))});
}

NodeId Builder::expand(NodeId a, const ir::Shape& sizes) {
    if (same(type(a).sizes, sizes)) return a;
    return call("expand", {Arg(a), Arg(sizeList(sizes))});
}

NodeId Builder::permute(NodeId a, const std::vector<int>& dims) {
    return call("permute", {Arg(a), Arg(intList(dims))});
}

NodeId Builder::where(NodeId condition, Arg a, Arg b) {
    // where.self takes tensors only; a number becomes a 0-dim tensor of the other side's dtype.
    const Arg& other = a.node() ? a : b;
    ir::TensorType like = type(*other.node());
    auto tensor = [&](Arg& arg) {
        if (arg.node()) return;
        if (auto* size = std::get_if<ir::Sym>(&arg); size && !size->isConst()) {
            arg = Arg(call("scalar_tensor", {arg, Arg(like.dtype), Arg(), Arg(like.device)}));
            return;
        }
        arg = Arg(scalar(realOf(arg), like.dtype, like.device));
    };
    tensor(a);
    tensor(b);
    return call("where.self", {Arg(condition), a, b});
}

NodeId Builder::convert(NodeId a, ir::DType dtype) {
    if (type(a).dtype == dtype) return a;
    return call("prims.convert_element_type", {Arg(a), Arg(dtype)});
}

NodeId Builder::scalar(double value, ir::DType dtype, ir::Device device) {
    Arg number = ir::isFloating(dtype) ? Arg(value) : intArg(static_cast<int64_t>(value));
    return call("scalar_tensor", {number, Arg(dtype), Arg{}, Arg(device), Arg{}});
}

} // namespace cutaway::ops
