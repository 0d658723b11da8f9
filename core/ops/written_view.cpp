// SPDX-License-Identifier: Apache-2.0
#include "core/ops/written_view.h"

namespace cutaway::ops {

using formula::aten;
using formula::Operands;
using formula::Value;
using ir::NodeId;
using ir::Sym;

namespace {

/// The dimension that argument \p arg of an accepted call names.
size_t dimAt(const OpCall& view, size_t arg) {
    return static_cast<size_t>(*view.dim(arg, view.tensor(0).rank()));
}

/// A position that may count from the end of a dimension.
Sym fromStart(const OpCall& view, const Sym& position, size_t dim) {
    return view.less(position, Sym(0)) ? position + view.tensor(0).sizes[dim] : position;
}

size_t dimOfPieces(const OpCall& view) {
    return dimAt(view, static_cast<size_t>(view.def.parsed.find("dim")));
}

/// Where piece \p k starts along its dimension.
Sym startOfPieceAlong(const OpCall& view, size_t dim, int k) {
    const std::vector<ir::TensorType> pieces = *view.def.shape(view);
    Sym start(0);
    for (size_t i = 0; i < static_cast<size_t>(k); ++i)
        start = start + pieces[i].sizes[dim];
    return start;
}

NodeId intoRange(const Operands& view, NodeId part, size_t dim, const Sym& start) {
    const Value now(view.b, part);
    return aten("slice_scatter", view[0], now, dim, start, start + now.type().sizes[dim], 1);
}

} // namespace

Sym startOfView(const OpCall& view, const ir::TensorType& type, int result) {
    if (view.def.written.start) return view.def.written.start(view, result);
    const auto* lowering = std::get_if<View>(&view.def.lowering);
    if (!lowering) return Sym(0);
    const std::vector<Sym> origin(type.rank(), Sym(0)), at = lowering->map(view, origin);
    const ir::TensorType& viewed = view.tensor(0);
    Sym start(0);
    for (size_t i = 0; i < at.size(); ++i)
        start = start + at[i] * viewed.strides[i];
    return start;
}

OpDef written(WrittenView rules, OpDef def) {
    def.written = rules;
    return def;
}

NodeId itself(const Operands& view, NodeId part, int) {
    return view.b.type(part).dtype == view.type(0).dtype ? part : NodeId();
}
NodeId otherSizes(const Operands& view, NodeId part, int) {
    return aten("reshape", Value(view.b, part), view.type(0).sizes);
}
NodeId otherSizesOrItself(const Operands& view, NodeId part, int argument) {
    return otherSizes(view, part, argument);
}
NodeId sameAgain(const Operands& view, NodeId part, int) {
    std::vector<formula::Formula> arguments = view.all();
    arguments[0] = Value(view.b, part);
    return formula::call(view.call().def.name(), std::move(arguments));
}
NodeId intoSelect(const Operands& view, NodeId part, int) {
    return aten("select_scatter", view[0], Value(view.b, part), view[1], view[2]);
}
NodeId intoSlice(const Operands& view, NodeId part, int) {
    return aten("slice_scatter", view[0], Value(view.b, part), view[1], view[2], view[3], view[4]);
}
NodeId intoDiagonal(const Operands& view, NodeId part, int) {
    return aten("diagonal_scatter", view[0], Value(view.b, part), view[1], view[2], view[3]);
}
NodeId intoStrided(const Operands& view, NodeId part, int) {
    return aten("as_strided_scatter", view[0], Value(view.b, part), view[1], view[2], view[3]);
}
NodeId intoPermute(const Operands& view, NodeId part, int) {
    const std::vector<int64_t> dims = view.call().numbers(1);
    const auto rank = static_cast<int64_t>(dims.size());
    std::vector<int> inverse(dims.size());
    for (size_t i = 0; i < dims.size(); ++i)
        inverse[static_cast<size_t>(dims[i] < 0 ? dims[i] + rank : dims[i])] = static_cast<int>(i);
    return formula::permute(Value(view.b, part), inverse);
}
NodeId intoPairs(const Operands& view, NodeId part, int) {
    return aten("view_as_complex", aten("contiguous", Value(view.b, part)));
}
NodeId intoComplex(const Operands& view, NodeId part, int) {
    return aten("view_as_real", Value(view.b, part));
}

NodeId intoNarrow(const Operands& view, NodeId part, int) {
    const OpCall call = view.call();
    const size_t dim = dimAt(call, 1);
    return intoRange(view, part, dim, fromStart(call, call.integer(2), dim));
}
Sym startOfNarrow(const OpCall& view, int) {
    const size_t dim = dimAt(view, 1);
    return fromStart(view, view.integer(2), dim) * view.tensor(0).strides[dim];
}

NodeId intoUnbound(const Operands& view, NodeId part, int result) {
    return aten("select_scatter", view[0], Value(view.b, part), view[1], result);
}
Sym startOfUnbound(const OpCall& view, int result) {
    return Sym(result) * view.tensor(0).strides[dimAt(view, 1)];
}

NodeId intoPiece(const Operands& view, NodeId part, int result) {
    const OpCall call = view.call();
    const size_t dim = dimOfPieces(call);
    return intoRange(view, part, dim, startOfPieceAlong(call, dim, result));
}
Sym startOfPiece(const OpCall& view, int result) {
    const size_t dim = dimOfPieces(view);
    return startOfPieceAlong(view, dim, result) * view.tensor(0).strides[dim];
}

} // namespace cutaway::ops
