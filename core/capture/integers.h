// SPDX-License-Identifier: Apache-2.0
/// \file
/// Integers of any size. Those of 64 bits are held in a Val; what leaves them is an IntObj, which
/// only the functions here look into.
#pragma once

#include "core/capture/interp.h"

namespace cutaway::capture {

/// An int or bool in a Val, or an IntObj.
inline bool isInteger(const Val& v) {
    return v.isIntegral() || v.is(Kind::Integer);
}
/// The int that \p v is, in a Val where it fits: without a script's class. Other values as they
/// are.
Val plainInteger(const Val& v);
/// The same for an int or a float.
inline Val plainNumber(const Val& v) {
    auto* real = v.to<RealObj>();
    return real ? Val::real(real->value) : plainInteger(v);
}
/// An int in an object of its own, which a script's class can be given to.
Val boxedInteger(Interp& interp, const Val& v);
/// An operator on two integers. Raises what Python raises, and OverflowError for results of more
/// than 2 ** 20 bits.
Val integers(Interp& interp, BinaryOp op, const Val& a, const Val& b);
/// base ** exponent % modulus with Python's signs; an inverse for negative exponents.
Val integerPower(Interp& interp, const Val& base, const Val& exponent, const Val& modulus);
Val negated(Interp& interp, const Val& v);
Val inverted(Interp& interp, const Val& v);
/// -1, 0 or 1.
int compareIntegers(const Val& a, const Val& b);
/// The order of an integer and a float (no NaN) by their exact values.
int compareInteger(const Val& a, double b);
bool integerIsZero(const Val& v);
/// The nearest float; raises OverflowError when there is none.
double integerFloat(Interp& interp, const Val& v);
/// a / b, rounded once.
double integerQuotient(Interp& interp, const Val& a, const Val& b);
/// The whole part of a float. Raises for NaN and infinities.
Val integerOf(Interp& interp, double f);
/// \p digits in \p base with a sign; underscores between digits; base 0 reads a prefix. Unbound
/// when that is no integer.
Val parseInteger(Interp& interp, std::string_view digits, int base);
/// In base 2, 8, 10 or 16, without a prefix.
std::string integerText(Interp& interp, const Val& v, int base = 10);
int64_t bitLength(const Val& v);
int64_t bitCount(const Val& v);
Val integerRoot(Interp& interp, const Val& v);
Val integerGcd(Interp& interp, const Val& a, const Val& b);
/// Little-endian two's complement.
std::string integerBytes(Interp& interp, const Val& v, size_t count, bool isSigned);
Val integerFromBytes(Interp& interp, std::string_view littleEndian, bool isSigned);
/// The same for a whole float beyond 64 bits.
uint64_t wholeFloatHash(double f);
/// Python's hash: modulo 2 ** 61 - 1.
int64_t integerHash(const Val& v);

} // namespace cutaway::capture
