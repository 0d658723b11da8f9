// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which numbers a tensor of a dtype can hold (c10/util/TypeCast.h, checked_convert): a fraction is
/// cut off, infinity and NaN are any floating dtype's, and a negative integer wraps around in
/// unsigned dtypes.
#pragma once

#include "core/ops/formula.h"

namespace cutaway::ops {

bool holds(ir::DType dtype, double number);
bool holds(ir::DType dtype, int64_t number);

/// An integer as an element of \p dtype reads it: -1 is 255 in uint8. Expressions and the slow
/// reference compute in wider dtypes, where it would stay -1.
int64_t asElement(ir::DType dtype, int64_t number);

/// What a float becomes as a tensor beside one of \p other.
ir::DType floatBeside(ir::DType other);

/// Argument \p i, a number, as a tensor of one element. Integers wrap around as elements do.
Value numberAs(const Operands& x, size_t i, ir::DType dtype, ir::Device device);

/// Whether the kernel on a CPU reads tensor \p i of the call's, a single number of a wider dtype beside
/// floats of 16 bits, as it is. Others convert it first (TensorIterator).
bool readsNumberAsIs(const OpDef& def, size_t i);

/// Refuses a call whose argument \p arg is a number that \p dtype does not hold; a size that is a
/// symbol is taken to fit.
base::Status wantHeld(const OpCall& call, size_t arg, ir::DType dtype);

} // namespace cutaway::ops
