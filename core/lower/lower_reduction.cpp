// SPDX-License-Identifier: Apache-2.0
// Reductions, of one result or two.
#include "core/lower/lowering.h"

#include "core/kernel/loop_tree.h"
#include "core/kernel/scalar_eval.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::lower {

namespace {

// What a reduction accumulates: sums in the result's dtype, truth values as Bool, extremes as they
// are.
DType accumulated(kernel::ReduceOp op, DType result, DType input) {
    switch (op) {
    case kernel::ReduceOp::Any:
    case kernel::ReduceOp::All:
        return DType::Bool;
    case kernel::ReduceOp::ArgMax:
    case kernel::ReduceOp::ArgMin:
        return input;
    default:
        return result;
    }
}

/// The largest of truth values, and their sum, is "any", the smallest, and their product, "all": in
/// vectors a true lane is -1, where an order of numbers would be the wrong way round. Of truth values that are numbers (any and all of
/// uint8) it is the other way about: the largest, and, since all of nothing is 1, the product.
kernel::ReduceOp overTruth(kernel::ReduceOp op, DType result) {
    using kernel::ReduceOp;
    const bool numbers = result != DType::Bool;
    if (!numbers && (op == ReduceOp::Max || op == ReduceOp::Sum)) return ReduceOp::Any;
    if (!numbers && (op == ReduceOp::Min || op == ReduceOp::Prod)) return ReduceOp::All;
    if (numbers && op == ReduceOp::Any) return ReduceOp::Max;
    if (numbers && op == ReduceOp::All) return ReduceOp::Prod;
    return op;
}

} // namespace

Result<Lowering::Reducing> Lowering::reducing(const ir::Node& node, const ops::OpDef& def,
                                              const ops::Reduction& how, size_t result) {
    const ops::OpCall call(def, node.args, graph_);
    CUTAWAY_TRY(const std::vector<int> dims, how.dims(call));
    const Value& value = valueOf(*node.args[0].node());
    Reducing made;
    made.buffer =
        newBuffer(node, node.types[result], node.tuple ? resultName(node, result) : node.name,
                  BufferKind::Reduction);
    Buffer& buffer = made.buffer;
    note(buffer, value);
    const bool keepdim = buffer.sizes.size() == value.sizes.size();
    const std::vector<Sym>& out = made.at = loopCoords(buffer.sizes);
    std::vector<Coord> coords;
    size_t position = 0;
    for (size_t i = 0; i < value.sizes.size(); ++i) {
        const bool reduced = std::binary_search(dims.begin(), dims.end(), static_cast<int>(i));
        if (!reduced) {
            coords.push_back({out[position++], {}});
            continue;
        }
        position += keepdim;
        const bool single = value.sizes[i].is(1);
        coords.push_back({single ? Sym(0) : Sym(kernel::reduceVar(buffer.reduced.size())), {}});
        if (!single) buffer.reduced.push_back(value.sizes[i]);
    }
    made.element = asRead(node, *node.args[0].node(), load(value, coords, buffer.reduced));
    return made;
}

/// What \p wanted makes of the elements.
Value Lowering::reduced(Reducing made, kernel::ReduceOp wanted, const ir::TensorType& type) {
    kernel::ExprPool& pool = program_.pool;
    Buffer& buffer = made.buffer;
    const kernel::ReduceOp op = overTruth(wanted, buffer.dtype);
    ExprId element = made.element;
    element = pool.cast(accumulated(wanted, buffer.dtype, pool[element].dtype), element);
    element = pool.cast(accumulated(op, buffer.dtype, pool[element].dtype), element);
    buffer.reduce = op;
    buffer.body = element;
    if (!hasElements(buffer.reduced)) {
        const kernel::Scalar nothing = kernel::reduceIdentity(op, ir::computeType(buffer.dtype));
        buffer.body = ir::isFloating(buffer.dtype)
                          ? pool.constant(buffer.dtype, nothing.real)
                          : pool.constantInt(buffer.dtype, nothing.integer);
        buffer.kind = BufferKind::Pointwise;
        buffer.reduced.clear();
        return pointwise(type, std::move(buffer));
    }
    if (buffer.reduced.empty()) { // over dimensions of size 1, or none: the element itself
        buffer.body = op == kernel::ReduceOp::Welford ? pool.constant(buffer.dtype, 0)
                      : kernel::isArg(op)             ? pool.constantInt(buffer.dtype, 0)
                                                      : pool.cast(buffer.dtype, element);
        buffer.kind = BufferKind::Pointwise;
        return pointwise(type, std::move(buffer));
    }
    const std::string name = buffer.name;
    widen(buffer);
    Value result;
    result.sizes = buffer.sizes;
    result.coords = std::move(made.at);
    result.buffer = add(std::move(buffer));
    return narrowed(type, name, result);
}

Status Lowering::lowerReduction(const ir::Node& node, const ops::OpDef& def,
                                const ops::Reduction& how) {
    if (node.tuple) return lowerBoth(node, def, how);
    CUTAWAY_TRY(Reducing made, reducing(node, def, how, 0));
    const bool adds = how.op == kernel::ReduceOp::Sum || how.op == kernel::ReduceOp::Prod;
    const DType dtype = node.type().dtype;
    if (adds && ir::isHalf(dtype) && graph_.node(*node.args[0].node()).type().dtype != dtype)
        made.element = rounded(dtype, made.element); // sum(dtype=): each element is cast first
    values_[node.id.index] = reduced(std::move(made), how.op, node.type());
    return {};
}

/// Extremes and their positions, means and squared deviations: one reduction has both. Where nobody
/// asks for positions it is a plain one.
Status Lowering::lowerBoth(const ir::Node& node, const ops::OpDef& def, const ops::Reduction& how) {
    std::vector<Value>& results = tuples_[node.id.index];
    results.resize(2);
    const ir::TensorType& type = node.types[0];
    if (!isLive(node, 1) && kernel::isArg(how.op)) {
        CUTAWAY_TRY(Reducing made, reducing(node, def, how, 0));
        const bool most = how.op == kernel::ReduceOp::ArgMax;
        results[0] =
            reduced(std::move(made), most ? kernel::ReduceOp::Max : kernel::ReduceOp::Min, type);
        return {};
    }
    CUTAWAY_TRY(Reducing made, reducing(node, def, how, 1));
    kernel::ExprPool& pool = program_.pool;
    if (type.dtype == DType::Bool) made.element = pool.cast(DType::UInt8, made.element);
    const ExprId element = made.element;
    results[1] = reduced(std::move(made), how.op, node.types[1]);
    if (!isLive(node, 0)) return {};
    Buffer value = newBuffer(node, type, resultName(node, 0), BufferKind::Result);
    if (results[1].isConstant()) { // of one element
        value.kind = BufferKind::Pointwise;
        value.body = pool.cast(type.dtype, element);
        note(value, valueOf(*node.args[0].node()));
        results[0] = pointwise(type, std::move(value));
        return {};
    }
    value.of = results[1].buffer;
    results[0] = elementAt(type, std::move(value), results[1].coords);
    return {};
}

/// Of truth values extremes are looked for among numbers.
Value Lowering::elementAt(const ir::TensorType& type, Buffer buffer, std::vector<Sym> coords) {
    const bool truth = type.dtype == DType::Bool;
    const std::string name = buffer.name;
    if (truth) {
        buffer.dtype = DType::UInt8;
        buffer.name = uniqueName(name + "_number");
    }
    const Value found{add(std::move(buffer)), std::move(coords), {}, type.sizes, {}};
    return truth ? materialise(found, type, name) : found;
}

} // namespace cutaway::lower
