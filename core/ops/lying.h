// SPDX-License-Identifier: Apache-2.0
/// \file
/// How results of composed operations lie in memory where PyTorch's kernel decides it and not the
/// formula. The decomposition copies what its formula laid out otherwise. Internal to core/ops.
#pragma once

#include "core/ops/composed.h"
#include "core/ops/composite.h"

namespace cutaway::ops {

/// The strides of one result, whose type is the formula's.
using Lie = Shape (*)(const OpCall& call, const TensorType& result);

Shape rowMajor(const OpCall& call, const TensorType& result);
/// As a new tensor like argument 0, where it has its sizes.
Shape likeFirst(const OpCall& call, const TensorType& result);
/// As an elementwise result of all tensors of the call, where it has their common sizes.
Shape likeAll(const OpCall& call, const TensorType& result);
/// Channels innermost where those of the first tensor, of 4 or 5 dimensions, are.
Shape likeImage(const OpCall& call, const TensorType& result);
/// The same for 3 dimensions: what PyTorch computes as an image of one row.
Shape likeSignal(const OpCall& call, const TensorType& result);
/// Matrices of numbers column by column, as LAPACK leaves them.
Shape byColumns(const OpCall& call, const TensorType& result);
/// The same of results with as many dimensions as argument 0; others (values, pivots, factors of
/// reflections) row by row.
Shape matricesByColumns(const OpCall& call, const TensorType& result);

template <Lie lie, ShapeRule ofFormula> Result<Types> lyingTypes(const OpCall& call) {
    CUTAWAY_TRY(Types types, ofFormula(call));
    for (TensorType& type : types)
        type.strides = lie(call, type);
    return types;
}

/// The record of a composite or composed operation, whose results lie as said.
template <Lie lie> OpDef lying(OpDef def) {
    def.shape = isComposite(def) ? lyingTypes<lie, typesOfFormula> : lyingTypes<lie, composedShape>;
    return def;
}

} // namespace cutaway::ops
