// SPDX-License-Identifier: Apache-2.0
/// \file
/// Expressions whose value has the bits of another's: a cast that converts nothing.
#pragma once

#include "core/kernel/scalar_eval.h"

namespace cutaway::kernel {

/// What ExprPool::cast() takes for a dtype where it is to keep the bits: `cast(sameBits(Int32), x)`.
/// Of 4 or 8 bytes, as many as the operand has; no dtype that is only stored. No expression has it
/// for its own dtype.
constexpr ir::DType sameBits(ir::DType dtype) {
    return static_cast<ir::DType>(static_cast<uint8_t>(dtype) | 0x80);
}
/// The dtype of which that is asked, or nothing.
constexpr std::optional<ir::DType> bitsAskedFor(ir::DType dtype) {
    const auto number = static_cast<uint8_t>(dtype);
    return number & 0x80 ? std::optional(static_cast<ir::DType>(number & 0x7f)) : std::nullopt;
}
/// Whether a Cast keeps the bits.
inline bool keepsBits(const Expr& cast) {
    return cast.kind == ExprKind::Cast && cast.integer != 0;
}
/// What makes an equal cast of another operand.
inline ir::DType castOf(const Expr& cast) {
    return keepsBits(cast) ? sameBits(cast.dtype) : cast.dtype;
}

/// The same bits as a number of \p to.
Scalar bitsOf(const Scalar& value, ir::DType from, ir::DType to);

} // namespace cutaway::kernel
