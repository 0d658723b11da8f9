// SPDX-License-Identifier: Apache-2.0
/// \file
/// What reductions and statistics share. Internal to core/ops.
#pragma once

#include "core/ops/formula.h"
#include "core/ops/rules.h"

namespace cutaway::ops {

/// Every dimension of argument 0.
Result<std::vector<int>> everyDim(const OpCall& call);
/// The dimensions of argument 1 (an int, a list, None or [] for all).
Result<std::vector<int>> listedDims(const OpCall& call);
/// The call's keepdim argument; false when it has none.
bool keepsDims(const OpCall& call);
Result<Types> reducedType(const OpCall& call, ir::DType dtype, const std::vector<int>& dims);
/// An error where one of the dimensions is empty: of nothing there is no extreme. \p whole: no
/// dimension was asked for.
base::Status checkExtreme(const OpCall& call, const std::vector<int>& dims, bool whole);
/// Puts reduced dimensions back with size 1, unless they were kept.
Formula restoreDims(Formula reduced, const std::vector<int>& dims, bool kept);
/// The reduced dimensions of a call that passed its shape rule.
std::vector<int> reduceDimsOf(const OpCall& call, bool listed);

} // namespace cutaway::ops
