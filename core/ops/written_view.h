// SPDX-License-Identifier: Apache-2.0
/// \file
/// The rules of WrittenView: how a change of a view is put back into the tensor that it is of.
/// Source: aten/src/ATen/FunctionalInverses.cpp.
#pragma once

#include "core/ops/formula.h"

namespace cutaway::ops {

/// Elements between the first of the viewed tensor and that of its view: \p result, of type \p type.
ir::Sym startOfView(const OpCall& view, const ir::TensorType& type, int result);

/// The record of a view with what a change of it asks.
OpDef written(WrittenView rules, OpDef def);

using PutBack = ir::NodeId(const formula::Operands& view, ir::NodeId part, int result);
using StartOfView = ir::Sym(const OpCall& view, int result);
PutBack itself;             ///< of the same sizes and dtype
PutBack otherSizes;         ///< the same elements in their order, with other sizes
PutBack otherSizesOrItself; ///< the same, of an operation that may give its operand itself
PutBack sameAgain;          ///< an operation that undoes itself
PutBack intoSelect;         ///< select
PutBack intoSlice;          ///< slice
PutBack intoDiagonal;
PutBack intoStrided; ///< as_strided
PutBack intoPermute;
PutBack intoPairs;   ///< view_as_real
PutBack intoComplex; ///< view_as_complex
PutBack intoNarrow;
PutBack intoUnbound;
PutBack intoPiece; ///< one of several pieces along dimension `dim`
StartOfView startOfNarrow, startOfUnbound, startOfPiece;

} // namespace cutaway::ops
