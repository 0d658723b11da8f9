// SPDX-License-Identifier: Apache-2.0
// Nodes that a library computes: products, convolutions, sorts and scans.
#include "core/lower/lowering.h"

#include "core/kernel/address.h"
#include "core/ops/memory_order.h"

#include <fmt/format.h>

namespace cutaway::lower {

namespace {

// \p view with \p sizes in place of its own, by broadcasting from the right.
StridedView broadcastTo(StridedView view, const ir::Shape& sizes) {
    ir::Shape strides(sizes.size(), Sym(0));
    const size_t shift = sizes.size() - view.sizes.size();
    for (size_t i = 0; i < view.sizes.size(); ++i)
        if (!view.sizes[i].is(1) || sizes[shift + i].is(1)) strides[shift + i] = view.strides[i];
    view.sizes = sizes;
    view.strides = std::move(strides);
    return view;
}

} // namespace

StridedView Lowering::operand(Value value, const ir::TensorType& type, const ir::Shape& sizes,
                              ReadsAsIs readsAsIs, const std::string& name,
                              std::vector<uint32_t>& from) {
    std::optional<StridedView> view;
    if (!value.isConstant() && program_.buffer(value.buffer).dtype == type.dtype)
        view = kernel::stridedView(program_.buffer(value.buffer), value.coords, value.sizes);
    if (!view || (readsAsIs && hasElements(value.sizes) && !readsAsIs(*view))) {
        const ir::TensorType rows = ir::TensorType::contiguous(type.dtype, type.sizes, type.device);
        value = materialise(value, readsAsIs ? rows : type, name);
        view = kernel::stridedView(program_.buffer(value.buffer), value.coords, value.sizes);
    }
    from.insert(from.end(), value.through.begin(), value.through.end());
    return broadcastTo(*view, sizes);
}

/// Libraries are given numbers that are computed with.
static ir::TensorType computed(ir::TensorType type) {
    type.dtype = ir::computeType(type.dtype);
    return type;
}
/// Products read 16-bit numbers as they are and sum in float32, whoever computes them.
static ir::TensorType multiplied(const ir::TensorType& type) {
    return ir::isHalf(type.dtype) ? type : computed(type);
}

void Lowering::lowerLibrary(const ir::Node& node, const ops::OpDef& def) {
    std::visit(
        [&](const auto& how) {
            if constexpr (requires { lowerCallOf(node, def, how); }) lowerCallOf(node, def, how);
        },
        def.lowering);
}

void Lowering::lowerCallOf(const ir::Node& node, const ops::OpDef& def,
                           const ops::MatrixProduct& how) {
    const ir::Shape& result = node.type().sizes;
    std::vector<uint32_t> from = {node.id.index};
    kernel::LibraryCall call;
    call.op = kernel::LibraryOp::MatrixProduct;
    const ops::OpCall scalars(def, node.args, graph_);
    auto factor = [&](std::string_view name) {
        const int at = def.parsed.find(name);
        return at >= 0 && scalars.has(at) ? scalars.real(at) : 1.0;
    };
    const double alpha = factor("alpha"), beta = factor("beta");
    const bool scaled = alpha != 1 || beta != 1;
    // A product that is scaled afterwards is rounded afterwards.
    const auto taken = [&](ir::NodeId id) {
        const ir::TensorType& type = graph_.node(id).type();
        return scaled ? computed(type) : multiplied(type);
    };
    auto matrixOperand = [&](int position, const char* side) {
        const ir::NodeId id = *node.args[position].node();
        const ir::TensorType type = taken(id);
        ir::Shape sizes(result.begin(), result.end() - 2);
        sizes.insert(sizes.end(), type.sizes.end() - 2, type.sizes.end());
        call.operands.push_back(operand(valueOf(id), type, sizes, kernel::info(call.op).readsAsIs,
                                        node.name + side, from));
    };
    matrixOperand(how.a, "_a");
    matrixOperand(how.b, "_b");
    if (how.bias >= 0 && node.args[how.bias].node() && !scaled) {
        const ir::NodeId id = *node.args[how.bias].node();
        call.bias = operand(valueOf(id), taken(id), result, nullptr, node.name + "_bias", from);
    }
    Buffer buffer = newBuffer(node, BufferKind::Library);
    call.sizes = buffer.sizes;
    call.strides = buffer.strides;
    buffer.from = std::move(from);
    buffer.call = std::move(call);
    if (scaled) buffer.name = uniqueName(node.name + "_product");
    const bool asIs = program_.buffer(buffer.call->operands[0].buffer).dtype == node.type().dtype;
    if (!asIs) widen(buffer);
    const Value product{add(std::move(buffer)), loopCoords(result), {}, result, {}};
    values_[node.id.index] = scaled ? scaledSum(node, how, product, alpha, beta)
                             : asIs ? product
                                    : narrowed(node.type(), node.name, product);
}

/// Whether a convolution of 16-bit numbers reads them as they are: towards the weight a GPU's tensor
/// cores take eight channels at once, so groups of fewer are computed in float32.
bool Lowering::readsHalves(const ir::Node& node, const kernel::LibraryCall& call) const {
    constexpr int64_t kAtOnce = 8;
    if (!node.type().device.isCuda()) return true;
    if (call.window.groups == 1 || call.op != kernel::LibraryOp::ConvolutionWeight) return true;
    const ir::Shape& weight = node.type().sizes;
    return weight[1].isConst() && weight[0].isConst() && weight[1].constant() >= kAtOnce &&
           weight[0].constant() / call.window.groups >= kAtOnce;
}

void Lowering::lowerCallOf(const ir::Node& node, const ops::OpDef& def,
                           const ops::Convolution& how) {
    ops::Convolution::Call what = how.how(ops::OpCall(def, node.args, graph_));
    std::vector<uint32_t> from = {node.id.index};
    kernel::LibraryCall call;
    call.op = what.op;
    call.window = std::move(what.window);
    const kernel::LibraryOpInfo& info = kernel::info(call.op);
    const bool asIs = ir::isHalf(node.type().dtype) && readsHalves(node, call);
    const auto taken = [&](ir::NodeId id) {
        const ir::TensorType& type = graph_.node(id).type();
        return asIs ? type : computed(type);
    };
    for (size_t i = 0; i < info.operands.size(); ++i) {
        const ir::NodeId id = *node.args[i ? how.second : how.first].node();
        const ir::TensorType type = taken(id);
        call.operands.push_back(operand(valueOf(id), type, type.sizes, info.readsAsIs,
                                        fmt::format("{}_{}", node.name, info.operands[i]), from));
    }
    const std::vector<size_t> order = ops::memoryOrder(node.type());
    if (how.bias >= 0 && node.args[how.bias].node()) {
        const ir::NodeId id = *node.args[how.bias].node();
        const ir::TensorType type = taken(id);
        const StridedView channels =
            operand(valueOf(id), type, type.sizes, nullptr, node.name + "_bias", from);
        StridedView bias{channels.buffer, {}, {}, channels.offset};
        for (size_t dim : order) {
            bias.sizes.push_back(node.type().sizes[dim]);
            bias.strides.push_back(dim == 1 ? channels.strides[0] : Sym(0));
        }
        call.bias = std::move(bias);
    }
    values_[node.id.index] = placeResult(node, std::move(call), std::move(from));
}

/// The call's result in memory as the node's type says. A convolution of 16-bit operands rounds it
/// itself.
Value Lowering::placeResult(const ir::Node& node, const ir::TensorType& type,
                            const std::string& name, kernel::LibraryCall call,
                            std::vector<uint32_t> from) {
    const std::vector<size_t> order = ops::memoryOrder(type);
    Buffer buffer = newBuffer(node, type, name, BufferKind::Library);
    call.sizes = type.sizes;
    call.strides.resize(order.size(), Sym(0));
    for (size_t at = 0; at < order.size(); ++at)
        call.strides[order[at]] = buffer.strides[at];
    const bool rounds = program_.buffer(call.operands[0].buffer).dtype == type.dtype;
    buffer.from = std::move(from);
    buffer.call = std::move(call);
    if (!rounds) widen(buffer);
    const BufferId id = add(std::move(buffer));
    const Value result{id, coordsInMemoryOrder(type), {}, type.sizes, {}};
    return rounds ? result : narrowed(type, name, result);
}

void Lowering::lowerCallOf(const ir::Node& node, const ops::OpDef& def,
                           const ops::RowsOfLibrary& how) {
    const ir::NodeId id = *node.args[0].node();
    const ir::TensorType type = computed(graph_.node(id).type());
    std::vector<uint32_t> from = {node.id.index};
    kernel::LibraryCall call;
    call.op = how.op;
    call.row = how.how(ops::OpCall(def, node.args, graph_));
    call.row.dtype = type.dtype;
    Value rows = valueOf(id);
    if (type.dtype != graph_.node(id).type().dtype) {
        rows = materialise(rows, ir::TensorType::contiguous(type.dtype, type.sizes, type.device),
                           node.name + "_rows");
        ExprId& body = program_.buffers[rows.buffer.index].body;
        body = asRead(node, id, body);
    }
    call.operands.push_back(operand(rows, type, type.sizes, kernel::info(call.op).readsAsIs,
                                    node.name + "_rows", from));
    if (node.tuple) return lowerRunningExtreme(node, std::move(call), std::move(from));
    values_[node.id.index] = placeResult(node, std::move(call), std::move(from));
}

/// The positions, and the elements there.
void Lowering::lowerRunningExtreme(const ir::Node& node, kernel::LibraryCall call,
                                   std::vector<uint32_t> from) {
    std::vector<Value>& results = tuples_[node.id.index];
    results.resize(2);
    const auto dim = static_cast<size_t>(call.row.dim);
    results[1] =
        placeResult(node, node.types[1], resultName(node, 1), std::move(call), std::move(from));
    if (!isLive(node, 0)) return;
    const ir::TensorType& type = node.types[0];
    Buffer buffer = newBuffer(node, type, resultName(node, 0), BufferKind::Result);
    buffer.sizes = loopSizes_ = program_.buffer(results[1].buffer).sizes;
    buffer.strides = ir::contiguousStrides(buffer.sizes);
    const Value& scanned = valueOf(*node.args[0].node());
    note(buffer, scanned);
    std::vector<Coord> own, at;
    for (const Sym& coord : loopsInMemoryOrder(node.types[1]))
        own.push_back({coord, {}});
    at = own;
    at[dim] = {Sym(0), load(results[1], own)};
    buffer.body = load(scanned, at);
    if (type.dtype == DType::Bool) buffer.body = program_.pool.cast(DType::UInt8, buffer.body);
    buffer.of = results[1].buffer;
    results[0] = elementAt(type, std::move(buffer), results[1].coords);
}

void Lowering::lowerCallOf(const ir::Node& node, const ops::OpDef& def,
                           const ops::MatrixOfLibrary& how) {
    std::vector<uint32_t> from = {node.id.index};
    kernel::LibraryCall call;
    call.op = kernel::LibraryOp::LinearAlgebra;
    call.task = how.how(ops::OpCall(def, node.args, graph_));
    const kernel::LibraryOpInfo& info = kernel::info(call.op);
    for (size_t i = 0; i < (call.task.hasTwoOperands() ? 2u : 1u); ++i) {
        const ir::NodeId id = *node.args[i].node();
        const ir::TensorType& type = graph_.node(id).type();
        call.operands.push_back(operand(valueOf(id), type, type.sizes, info.readsAsIs,
                                        fmt::format("{}_{}", node.name, info.operands[i]), from));
    }
    values_[node.id.index] = placeResult(node, std::move(call), std::move(from));
}

void Lowering::lowerCallOf(const ir::Node& node, const ops::OpDef& def,
                           const ops::AttentionOfLibrary& how) {
    std::vector<uint32_t> from = {node.id.index};
    kernel::LibraryCall call;
    call.op = how.op;
    call.attention = how.how(ops::OpCall(def, node.args, graph_));
    const kernel::LibraryOpInfo& info = kernel::info(call.op);
    const ir::Shape& query = graph_.node(*node.args[how.operands[0]].node()).type().sizes;
    for (size_t i = 0; i < how.operands.size(); ++i) {
        const ir::NodeId* id = node.args[how.operands[i]].node();
        if (!id) continue; // no mask
        // On a GPU it reads 16-bit numbers as they are.
        const ir::TensorType& given = graph_.node(*id).type();
        const ir::TensorType type = given.device.isCuda() ? multiplied(given) : computed(given);
        ir::Shape sizes = type.sizes;
        if (info.operands[i] == "mask")
            sizes = {query[0], query[1], query[2], call.operands[1].sizes[2]};
        call.operands.push_back(operand(valueOf(*id), type, sizes, info.readsAsIs,
                                        fmt::format("{}_{}", node.name, info.operands[i]), from));
    }
    values_[node.id.index] = placeResult(node, std::move(call), std::move(from));
}

// beta * bias + alpha * product as loops: the library is asked for plain products only.
Value Lowering::scaledSum(const ir::Node& node, const ops::MatrixProduct& how, const Value& product,
                          double alpha, double beta) {
    kernel::ExprPool& pool = program_.pool;
    Buffer buffer = newBuffer(node, BufferKind::Pointwise);
    auto term = [&](const Value& value, double scale) {
        note(buffer, value);
        const ExprId element =
            load(value, broadcastCoords(value.sizes, loopsInMemoryOrder(node.type())));
        return pool.op(kernel::ScalarOp::Mul, {element, pool.constant(buffer.dtype, scale)});
    };
    buffer.body = term(product, alpha);
    if (how.bias >= 0 && node.args[how.bias].node() && beta != 0)
        buffer.body = pool.op(kernel::ScalarOp::Add,
                              {buffer.body, term(valueOf(*node.args[how.bias].node()), beta)});
    return {add(std::move(buffer)), coordsInMemoryOrder(node.type()), {}, product.sizes, {}};
}

} // namespace cutaway::lower
