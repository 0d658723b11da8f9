// SPDX-License-Identifier: Apache-2.0
/// \file
/// Parts of the family of operations of several elements. Internal to core/ops.
#pragma once

#include "core/ops/formula.h"

namespace cutaway::ops {

/// Argument \p i as a value of \p dtype; a number as a 0-dim tensor.
Value valueAs(const Operands& x, size_t i, ir::DType dtype);

void addBits(std::vector<OpDef>& ops);   ///< bitwise_xor, shifts
void addBounds(std::vector<OpDef>& ops); ///< clamp with tensors

} // namespace cutaway::ops
