// SPDX-License-Identifier: Apache-2.0
/// \file
/// Operators on two ints or two floats of a script's inner loops, without what other operands ask of them.
/// What overflows, divides by zero or is of other types is left to Interp's own operators.
#pragma once

#include "core/capture/code.h"
#include "core/capture/value.h"

#include <optional>

namespace cutaway::capture {

/// By two 64-bit numbers; unbound when the result has more bits.
inline Val ofInts(BinaryOp op, int64_t a, int64_t b) {
    int64_t r = 0;
    switch (op) {
    case BinaryOp::Add:
        return __builtin_add_overflow(a, b, &r) ? Val() : Val::integer(r);
    case BinaryOp::Sub:
        return __builtin_sub_overflow(a, b, &r) ? Val() : Val::integer(r);
    case BinaryOp::Mul:
        return __builtin_mul_overflow(a, b, &r) ? Val() : Val::integer(r);
    case BinaryOp::FloorDiv:
        if (b == 0 || (b == -1 && a == INT64_MIN)) return {};
        r = a / b;
        return Val::integer(a % b != 0 && (a < 0) != (b < 0) ? r - 1 : r);
    case BinaryOp::Mod:
        if (b == 0) return {};
        if (b == -1) return Val::integer(0);
        r = a % b;
        return Val::integer(r != 0 && (r < 0) != (b < 0) ? r + b : r);
    case BinaryOp::And:
        return Val::integer(a & b);
    case BinaryOp::Or:
        return Val::integer(a | b);
    case BinaryOp::Xor:
        return Val::integer(a ^ b);
    case BinaryOp::RightShift:
        if (b < 0) return {};
        return Val::integer(b > 63 ? (a < 0 ? -1 : 0) : a >> b);
    case BinaryOp::LeftShift:
        if (b < 0 || b > 62 || __builtin_mul_overflow(a, int64_t{1} << b, &r)) return {};
        return Val::integer(r);
    case BinaryOp::Pow: {
        if (b < 0) return {};
        r = 1;
        for (; b > 0;) {
            if ((b & 1) && __builtin_mul_overflow(r, a, &r)) return {};
            b >>= 1;
            if (b > 0 && __builtin_mul_overflow(a, a, &a)) return {};
        }
        return Val::integer(r);
    }
    default:
        return {};
    }
}

/// \returns unbound: ask Interp::binary
inline Val quickBinary(BinaryOp op, const Val& a, const Val& b) {
    if (a.isInt() && b.isInt()) return ofInts(op, a.asInt(), b.asInt());
    if (a.isFloat() && b.isFloat()) {
        const double x = a.asFloat(), y = b.asFloat();
        switch (op) {
        case BinaryOp::Add:
            return Val::real(x + y);
        case BinaryOp::Sub:
            return Val::real(x - y);
        case BinaryOp::Mul:
            return Val::real(x * y);
        case BinaryOp::Div:
            return y == 0 ? Val() : Val::real(x / y);
        default:
            return {};
        }
    }
    return {};
}

template <class T> std::optional<bool> ordered(CompareOp op, T x, T y) {
    switch (op) {
    case CompareOp::Less:
        return x < y;
    case CompareOp::LessEqual:
        return x <= y;
    case CompareOp::Equal:
        return x == y;
    case CompareOp::NotEqual:
        return x != y;
    case CompareOp::Greater:
        return x > y;
    case CompareOp::GreaterEqual:
        return x >= y;
    default:
        return std::nullopt;
    }
}

/// \returns nothing: ask Interp::compare
inline std::optional<bool> quickCompare(CompareOp op, const Val& a, const Val& b) {
    if (a.isInt() && b.isInt()) return ordered(op, a.asInt(), b.asInt());
    if (a.isFloat() && b.isFloat()) return ordered(op, a.asFloat(), b.asFloat());
    return std::nullopt;
}

} // namespace cutaway::capture
