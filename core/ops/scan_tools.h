// SPDX-License-Identifier: Apache-2.0
/// \file
/// What scans and sorting share: parts of a dimension. Internal to core/ops.
#pragma once

#include "core/ops/formula.h"

namespace cutaway::ops {

/// Positions from \p from to before \p to of a dimension.
Formula part(const Formula& x, int dim, int64_t from, int64_t to);
Formula joined(std::vector<Formula> parts, int dim);
/// Elements along the dimension of a tensor argument, as a number; 1 for a number's tensor.
int64_t lengthOf(const Operands& x, size_t argument, int dim);
/// The wrapped "dim" argument for argument 0; refused in the operation's name.
int scanDim(const Operands& x, size_t dimArgument);
/// Each element's position along \p dim, int64, with the argument's sizes (repeated by strides).
Value positionsAlong(const Operands& x, size_t argument, int dim);
/// What runs along rows: "sum", "product", "logsumexp". A library call.
Value running(const Value& self, int dim, std::string_view what, bool backwards);
/// Reference: running extremes along \p dim, and where they are.
Values runningExtremes(const ir::HostTensor& in, int dim, bool largest);
/// The operations behind running() and cummax.
void addRowScan(std::vector<OpDef>& ops);
/// The gradients of prod and cumprod.
void addProductGradients(std::vector<OpDef>& ops);

} // namespace cutaway::ops
