// SPDX-License-Identifier: Apache-2.0
/// \file
/// Operators on two ints or two floats of a script's inner loops, without what other operands ask of them.
/// What overflows, divides by zero or is of other types is left to Interp's own operators, which give the
/// same for these.
#pragma once

#include "core/capture/code.h"
#include "core/capture/value.h"

#include <optional>

namespace cutaway::capture {

/// \returns unbound: ask Interp::binary
inline Val quickBinary(BinaryOp op, const Val& a, const Val& b) {
    int64_t r = 0;
    if (a.isInt() && b.isInt()) {
        const int64_t x = a.asInt(), y = b.asInt();
        switch (op) {
        case BinaryOp::Add:
            return __builtin_add_overflow(x, y, &r) ? Val() : Val::integer(r);
        case BinaryOp::Sub:
            return __builtin_sub_overflow(x, y, &r) ? Val() : Val::integer(r);
        case BinaryOp::Mul:
            return __builtin_mul_overflow(x, y, &r) ? Val() : Val::integer(r);
        case BinaryOp::FloorDiv: // towards minus infinity, as Python
            return y <= 0 ? Val() : Val::integer(x / y - (x % y < 0));
        case BinaryOp::Mod:
            return y <= 0 ? Val() : Val::integer(x % y + (x % y < 0 ? y : 0));
        case BinaryOp::And:
            return Val::integer(x & y);
        case BinaryOp::Or:
            return Val::integer(x | y);
        case BinaryOp::Xor:
            return Val::integer(x ^ y);
        case BinaryOp::RightShift:
            return y < 0 || y > 63 ? Val() : Val::integer(x >> y);
        default:
            return {};
        }
    }
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
