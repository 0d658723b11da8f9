// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exact meaning of every scalar operation on host values: constant folding and the slow
/// interpreter share it, so a folded constant is what the kernel would have computed.
#pragma once

#include "core/kernel/expr.h"
#include "core/kernel/loop_program.h"

namespace cutaway::kernel {

/// One scalar value; floating dtypes use real (already rounded to the dtype), others integer.
struct Scalar {
    double real = 0;
    int64_t integer = 0;
};

/// True for comparisons, isnan and not: whatever the operands' dtype, the result is Bool.
bool isPredicate(ScalarOp op);
/// A row of special_ops.def.
bool isSpecial(ScalarOp op);
/// What a row of special_ops.def computes (special_eval.cpp); \p b is not read by those of one
/// operand.
Scalar evaluateSpecial(ScalarOp op, ir::DType dtype, const Scalar& a, const Scalar& b);
/// \returns the dtype of an operation's result, from its operands' dtypes.
ir::DType resultDType(ScalarOp op, std::span<const ir::DType> operands);

/// \param dtype of the operands (for Where: of its second and third). float32 rounds after every
/// operation; integers wrap; integer division by zero gives 0 (a check reports it: loop_program.h).
Scalar evaluate(ScalarOp op, ir::DType dtype, std::span<const Scalar> args);
/// Conversion as generated code does it: float to integer truncates, out of range gives the
/// smallest integer (x86); anything to Bool is "differs from zero".
Scalar convert(const Scalar& value, ir::DType from, ir::DType to);
/// Rounds or wraps a value to the range of \p dtype.
Scalar scalarOf(ir::DType dtype, double value);
Scalar scalarOfInt(ir::DType dtype, int64_t value);

/// What a reduction starts from (the largest negative for Max, ...). Not for ArgMax and ArgMin.
Scalar reduceIdentity(ReduceOp op, ir::DType dtype);
/// The scalar operation that combines two partial results. Not for ArgMax and ArgMin.
ScalarOp combineOp(ReduceOp op);
/// True when \p candidate at a later index replaces \p best in ArgMax or ArgMin (the first NaN
/// wins, then the first extreme).
bool argReplaces(ReduceOp op, ir::DType dtype, const Scalar& best, const Scalar& candidate);

} // namespace cutaway::kernel
