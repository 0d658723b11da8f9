// SPDX-License-Identifier: Apache-2.0
#include "core/capture/integers.h"

#include "core/capture/quick_numbers.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>

#include <cmath>

namespace cutaway::capture {

using boost::multiprecision::cpp_int;

struct BigInt {
    cpp_int value;
};

namespace {

constexpr size_t kMaxBits = size_t{1} << 20;
constexpr size_t kMaxDigits = 4300; ///< of a decimal text, as in Python

cpp_int big(const Val& v) {
    return v.isIntegral() ? cpp_int(v.asInt()) : v.as<IntObj>()->value->value;
}

bool fits(const cpp_int& n) {
    static const cpp_int low = INT64_MIN, high = INT64_MAX;
    return n >= low && n <= high;
}

Val made(Interp& in, cpp_int n) {
    if (fits(n)) return Val::integer(static_cast<int64_t>(n));
    auto* o = in.make<IntObj>(std::make_shared<const BigInt>(BigInt{std::move(n)}));
    o->account(o->value->value.backend().size() * sizeof(boost::multiprecision::limb_type));
    return Val(o);
}

size_t bits(const cpp_int& n) {
    return n == 0 ? 0 : static_cast<size_t>(msb(abs(n))) + 1;
}

[[noreturn]] void tooLong(Interp& in) {
    in.raise(Error::Overflow,
             fmt::format("an integer may have {} bits, this one needs more", kMaxBits),
             "use floats");
}

/// Quotient towards minus infinity, and the remainder with the divisor's sign.
void floorDivide(const cpp_int& a, const cpp_int& b, cpp_int& q, cpp_int& r) {
    divide_qr(a, b, q, r);
    if (r != 0 && (r < 0) != (b < 0)) {
        --q;
        r += b;
    }
}

/// cpp_int's bit operators refuse negative numbers in some versions: by two's complement
/// identities.
cpp_int bitwise(BinaryOp op, const cpp_int& a, const cpp_int& b) {
    const size_t n = std::max(bits(a), bits(b)) + 1;
    const cpp_int modulus = cpp_int(1) << n;
    const cpp_int x = a < 0 ? cpp_int(a + modulus) : a, y = b < 0 ? cpp_int(b + modulus) : b;
    cpp_int r = op == BinaryOp::And  ? cpp_int(x & y)
                : op == BinaryOp::Or ? cpp_int(x | y)
                                     : cpp_int(x ^ y);
    if (bit_test(r, static_cast<unsigned>(n - 1))) r -= modulus;
    return r;
}

cpp_int fromDouble(double f) {
    int exponent = 0;
    const double fraction = std::frexp(std::trunc(f), &exponent);
    cpp_int n = static_cast<int64_t>(std::ldexp(fraction, 53));
    return exponent >= 53 ? cpp_int(n << (exponent - 53))
                          : cpp_int(n / (cpp_int(1) << (53 - exponent)));
}

Val power(Interp& in, const cpp_int& base, const cpp_int& exponent) {
    if (base == 0 || base == 1 || base == -1) {
        if (base == -1) return Val::integer(exponent % 2 == 0 ? 1 : -1);
        return Val::integer(exponent == 0 || base == 1 ? 1 : 0);
    }
    if (exponent > kMaxBits || static_cast<size_t>(exponent) * (bits(base) - 1) > kMaxBits)
        tooLong(in);
    return made(in, pow(base, static_cast<unsigned>(exponent)));
}

Val shiftedLeft(Interp& in, const cpp_int& a, const cpp_int& b) {
    if (a == 0) return Val::integer(0);
    if (b > kMaxBits || static_cast<size_t>(b) + bits(a) > kMaxBits) tooLong(in);
    return made(in, a << static_cast<unsigned>(b));
}

Val shiftedRight(Interp& in, const cpp_int& a, const cpp_int& b) {
    if (b > kMaxBits) return Val::integer(a < 0 ? -1 : 0);
    cpp_int q, r;
    floorDivide(a, cpp_int(1) << static_cast<unsigned>(b), q, r);
    return made(in, std::move(q));
}

} // namespace

Val plainInteger(const Val& v) {
    auto* o = v.to<IntObj>();
    if (!o) return v;
    return fits(o->value->value) ? Val::integer(static_cast<int64_t>(o->value->value)) : v;
}

Val boxedInteger(Interp& in, const Val& v) {
    return Val(in.make<IntObj>(std::make_shared<const BigInt>(BigInt{big(v)})));
}

Val integers(Interp& in, BinaryOp op, const Val& a, const Val& b) {
    if (a.isIntegral() && b.isIntegral())
        if (Val r = ofInts(op, a.asInt(), b.asInt()); r.bound()) return r;
    const bool divides = op == BinaryOp::Div || op == BinaryOp::FloorDiv || op == BinaryOp::Mod;
    if (divides && integerIsZero(b))
        in.raise(Error::ZeroDivision, op == BinaryOp::Div   ? "division by zero"
                                      : op == BinaryOp::Mod ? "integer modulo by zero"
                                                            : "integer division or modulo by zero");
    if (op == BinaryOp::Div) return Val::real(integerQuotient(in, a, b));
    const cpp_int x = big(a), y = big(b);
    if ((op == BinaryOp::LeftShift || op == BinaryOp::RightShift) && y < 0)
        in.raise(Error::Value, "negative shift count");
    switch (op) {
    case BinaryOp::Add:
        return made(in, x + y);
    case BinaryOp::Sub:
        return made(in, x - y);
    case BinaryOp::Mul:
        if (bits(x) + bits(y) > kMaxBits) tooLong(in);
        return made(in, x * y);
    case BinaryOp::FloorDiv:
    case BinaryOp::Mod: {
        cpp_int q, r;
        floorDivide(x, y, q, r);
        return made(in, op == BinaryOp::Mod ? std::move(r) : std::move(q));
    }
    case BinaryOp::Pow:
        if (y >= 0) return power(in, x, y);
        if (x == 0) in.raise(Error::ZeroDivision, "0.0 cannot be raised to a negative power");
        return Val::real(std::pow(integerFloat(in, a), integerFloat(in, b)));
    case BinaryOp::LeftShift:
        return shiftedLeft(in, x, y);
    case BinaryOp::RightShift:
        return shiftedRight(in, x, y);
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::Xor:
        return made(in, bitwise(op, x, y));
    default:
        return {};
    }
}

Val integerPower(Interp& in, const Val& base, const Val& exponent, const Val& modulus) {
    cpp_int m = big(modulus), b = big(base), e = big(exponent);
    if (m == 0) in.raise(Error::Value, "pow() 3rd argument cannot be 0");
    const bool negative = m < 0;
    m = abs(m);
    cpp_int q, r;
    floorDivide(b, m, q, r);
    b = r;
    if (e < 0) { // the inverse, by Euclid
        cpp_int r0 = m, r1 = b, s0 = 0, s1 = 1;
        while (r1 != 0) {
            q = r0 / r1;
            r = r0 - q * r1;
            r0 = r1;
            r1 = r;
            r = s0 - q * s1;
            s0 = s1;
            s1 = r;
        }
        if (r0 != 1) in.raise(Error::Value, "base is not invertible for the given modulus");
        floorDivide(s0, m, q, b);
        e = -e;
    }
    cpp_int result = m == 1 ? 0 : 1;
    for (size_t i = bits(e); i-- > 0;) {
        in.tick();
        result = result * result % m;
        if (bit_test(e, static_cast<unsigned>(i))) result = result * b % m;
    }
    if (negative && result != 0) result -= m;
    return made(in, std::move(result));
}

Val negated(Interp& in, const Val& v) {
    return integers(in, BinaryOp::Sub, Val::integer(0), v);
}

Val inverted(Interp& in, const Val& v) {
    if (v.isIntegral()) return Val::integer(~v.asInt());
    return made(in, -big(v) - 1);
}

int compareIntegers(const Val& a, const Val& b) {
    if (a.isIntegral() && b.isIntegral()) return a.asInt() < b.asInt() ? -1 : a.asInt() > b.asInt();
    return big(a).compare(big(b)) < 0 ? -1 : big(a).compare(big(b)) > 0;
}

int compareInteger(const Val& a, double b) {
    if (std::isinf(b)) return b > 0 ? -1 : 1;
    const double whole = std::floor(b);
    const int order = big(a).compare(fromDouble(whole));
    if (order != 0) return order < 0 ? -1 : 1;
    return b > whole ? -1 : 0;
}

bool integerIsZero(const Val& v) {
    return v.isIntegral() ? v.asInt() == 0 : v.as<IntObj>()->value->value == 0;
}

double integerFloat(Interp& in, const Val& v) {
    if (v.isIntegral()) return static_cast<double>(v.asInt());
    return integerQuotient(in, v, Val::integer(1));
}

double integerQuotient(Interp& in, const Val& a, const Val& b) {
    constexpr int64_t kExact = int64_t{1} << 53;
    if (a.isIntegral() && b.isIntegral() && std::abs(a.asInt()) <= kExact &&
        std::abs(b.asInt()) <= kExact)
        return static_cast<double>(a.asInt()) / static_cast<double>(b.asInt());
    cpp_int x = abs(big(a)), y = abs(big(b));
    const bool negative = (big(a) < 0) != (big(b) < 0);
    if (x == 0) return 0;
    // 66 bits of the quotient, the last one set when there is a rest: conversion rounds once.
    const int64_t shift = 66 - (static_cast<int64_t>(bits(x)) - static_cast<int64_t>(bits(y)));
    if (shift >= 0)
        x <<= static_cast<unsigned>(shift);
    else
        y <<= static_cast<unsigned>(-shift);
    cpp_int q, r;
    divide_qr(x, y, q, r);
    const size_t extra = bits(q) - 54;
    cpp_int head = q >> static_cast<unsigned>(extra);
    const bool rest = r != 0 || (head << static_cast<unsigned>(extra)) != q;
    auto mantissa = static_cast<int64_t>(head); // 54 bits: one to round
    if ((mantissa & 1) && (rest || (mantissa & 2))) ++mantissa;
    mantissa &= ~int64_t{1};
    const double result = std::ldexp(
        static_cast<double>(mantissa),
        static_cast<int>(std::clamp<int64_t>(static_cast<int64_t>(extra) - shift, -5000, 5000)));
    if (std::isinf(result)) in.raise(Error::Overflow, "int too large to convert to float");
    return negative ? -result : result;
}

Val integerOf(Interp& in, double f) {
    if (std::isnan(f)) in.raise(Error::Value, "cannot convert float NaN to integer");
    if (std::isinf(f)) in.raise(Error::Overflow, "cannot convert float infinity to integer");
    if (std::fabs(f) < 0x1p62) return Val::integer(static_cast<int64_t>(f));
    return made(in, fromDouble(f));
}

Val parseInteger(Interp& in, std::string_view text, int base) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
        text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
        text.remove_suffix(1);
    bool negative = false;
    if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
        negative = text[0] == '-';
        text.remove_prefix(1);
    }
    if (text.size() > 1 && text[0] == '0') {
        const char p = static_cast<char>(text[1] | 32);
        const int prefix = p == 'x' ? 16 : p == 'o' ? 8 : p == 'b' ? 2 : 0;
        if (prefix && (base == 0 || base == prefix)) {
            base = prefix;
            text.remove_prefix(text.size() > 2 && text[2] == '_' ? 3 : 2);
        }
    }
    if (base == 0) base = 10;
    if (text.empty() || text.back() == '_' || text[0] == '_') return {};
    if (base == 10 && text.size() > kMaxDigits)
        in.raise(Error::Value,
                 fmt::format("Exceeds the limit ({} digits) for integer string conversion: value "
                             "has {} digits",
                             kMaxDigits, text.size()));
    if (text.size() > kMaxBits) tooLong(in);
    cpp_int value = 0;
    uint64_t chunk = 0, scale = 1;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '_') {
            if (text[i - 1] == '_') return {};
            continue;
        }
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'z' ? c - 'a' + 10
                          : c >= 'A' && c <= 'Z' ? c - 'A' + 10
                                                 : 99;
        if (digit >= base) return {};
        chunk = chunk * static_cast<uint64_t>(base) + static_cast<uint64_t>(digit);
        scale *= static_cast<uint64_t>(base);
        if (scale > (uint64_t{1} << 56)) {
            value = value * scale + chunk;
            chunk = 0;
            scale = 1;
        }
    }
    value = value * scale + chunk;
    if (negative) value = -value;
    return made(in, std::move(value));
}

std::string integerText(Interp& in, const Val& v, int base) {
    if (v.isIntegral() && base == 10) return std::to_string(v.asInt());
    const cpp_int n = big(v);
    if (base == 10) {
        if (bits(n) > kMaxDigits * 3322 / 1000)
            in.raise(Error::Value, fmt::format("Exceeds the limit ({} digits) for integer string "
                                               "conversion",
                                               kMaxDigits));
        return n.str();
    }
    const int perDigit = base == 16 ? 4 : base == 8 ? 3 : 1;
    std::string digits;
    cpp_int rest = abs(n);
    const size_t count = (std::max<size_t>(bits(rest), 1) + static_cast<size_t>(perDigit) - 1) /
                         static_cast<size_t>(perDigit);
    for (size_t i = count; i-- > 0;) {
        int digit = 0;
        for (int b = perDigit; b-- > 0;)
            digit = digit * 2 +
                    (bit_test(rest, static_cast<unsigned>(i * static_cast<size_t>(perDigit) +
                                                          static_cast<size_t>(b)))
                         ? 1
                         : 0);
        digits += "0123456789abcdef"[digit];
    }
    return (n < 0 ? "-" : "") + digits;
}

int64_t bitLength(const Val& v) {
    return static_cast<int64_t>(bits(big(v)));
}

int64_t bitCount(const Val& v) {
    const cpp_int n = abs(big(v));
    int64_t count = 0;
    for (size_t i = 0; i < bits(n); ++i)
        count += bit_test(n, static_cast<unsigned>(i)) ? 1 : 0;
    return count;
}

Val integerRoot(Interp& in, const Val& v) {
    return made(in, sqrt(big(v)));
}

Val integerGcd(Interp& in, const Val& a, const Val& b) {
    return made(in, gcd(abs(big(a)), abs(big(b))));
}

std::string integerBytes(Interp& in, const Val& v, size_t count, bool isSigned) {
    cpp_int n = big(v);
    if (n < 0 && !isSigned) in.raise(Error::Overflow, "can't convert negative int to unsigned");
    if (count * 8 > kMaxBits) tooLong(in);
    const cpp_int range = cpp_int(1) << static_cast<unsigned>(8 * count);
    const bool good =
        isSigned ? n >= -(range / 2) && n < std::max<cpp_int>(range / 2, 1) : n < range;
    if (!good) in.raise(Error::Overflow, "int too big to convert");
    if (n < 0) n += range;
    std::string out(count, '\0');
    for (size_t i = 0; i < count; ++i, in.tick()) {
        out[i] = static_cast<char>(static_cast<unsigned>(n & 0xff));
        n >>= 8;
    }
    return out;
}

Val integerFromBytes(Interp& in, std::string_view bytes, bool isSigned) {
    if (bytes.size() * 8 > kMaxBits) tooLong(in);
    cpp_int n = 0;
    for (size_t i = bytes.size(); i-- > 0; in.tick())
        n = (n << 8) + static_cast<unsigned char>(bytes[i]);
    if (isSigned && !bytes.empty() && (static_cast<unsigned char>(bytes.back()) & 0x80))
        n -= cpp_int(1) << static_cast<unsigned>(8 * bytes.size());
    return made(in, std::move(n));
}

static int64_t hashOfBig(const cpp_int& n) {
    constexpr int64_t kModulus = (int64_t{1} << 61) - 1;
    auto h = static_cast<int64_t>(cpp_int(abs(n) % kModulus));
    if (n < 0) h = -h;
    return h == -1 ? -2 : h;
}

int64_t integerHash(const Val& v) {
    return hashOfBig(big(v));
}

uint64_t wholeFloatHash(double f) {
    return static_cast<uint64_t>(hashOfBig(fromDouble(f)));
}

} // namespace cutaway::capture
