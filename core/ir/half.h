// SPDX-License-Identifier: Apache-2.0
/// \file
/// Elements that C++ has no type for: floating numbers of 16 and 8 bits, stored, truth values and
/// complex numbers. Conversions from float round to nearest even, as c10's do.
#pragma once

#include <bit>
#include <cstdint>

namespace cutaway::ir {

/// A floating format of 1 + Exponent + Mantissa bits. With Finite there are no infinities and all
/// bits set is NaN (float8_e4m3fn); else the largest exponent is infinity and NaN, as in IEEE 754.
template <typename Bits, int Exponent, int Mantissa, bool Finite> struct SmallFloat {
    Bits bits = 0;

    SmallFloat() = default;
    template <typename T> explicit SmallFloat(T value) : bits(rounded(static_cast<float>(value))) {}
    operator float() const { return widened(bits); }

private:
    static constexpr int kBias = (1 << (Exponent - 1)) - 1;
    static constexpr int kShift = 23 - Mantissa;
    static constexpr int kSign = 31 - Exponent - Mantissa;
    static constexpr uint32_t kInfinity = ((1u << Exponent) - 1) << Mantissa;
    static constexpr uint32_t kNan =
        Finite ? kInfinity + (1u << Mantissa) - 1 : kInfinity + (1u << (Mantissa - 1));

    /// What is too large becomes this.
    static constexpr uint32_t kLimit = Finite ? kNan - 1 : kInfinity;

    static Bits rounded(float value) {
        uint32_t f = std::bit_cast<uint32_t>(value);
        const uint32_t sign = f & 0x80000000u;
        f ^= sign;
        uint32_t result;
        const uint32_t tooLarge = static_cast<uint32_t>(kBias + 1 + 127 + !!Finite) << 23;
        if (f > 0x7f800000u) {
            result = kNan;
        } else if (f >= tooLarge) {
            result = kLimit;
        } else if (f < static_cast<uint32_t>(128 - kBias) << 23) {
            // Below the smallest normal number: adding this power of two leaves the bits that stay.
            const uint32_t magic = static_cast<uint32_t>(127 - kBias + kShift + 1) << 23;
            result =
                std::bit_cast<uint32_t>(std::bit_cast<float>(f) + std::bit_cast<float>(magic)) -
                magic;
        } else {
            const uint32_t odd = f >> kShift & 1;
            f += (static_cast<uint32_t>(kBias - 127) << 23) + ((1u << (kShift - 1)) - 1) + odd;
            result = f >> kShift;
            if (result > kLimit) result = kLimit;
        }
        return static_cast<Bits>(result | sign >> kSign);
    }
    static float widened(Bits bits) {
        const uint32_t magnitude = bits & (kInfinity | ((1u << Mantissa) - 1));
        const uint32_t sign = static_cast<uint32_t>(bits ^ magnitude) << kSign;
        float value = std::bit_cast<float>(magnitude << kShift) *
                      std::bit_cast<float>(static_cast<uint32_t>(254 - kBias) << 23);
        if (Finite ? magnitude == kNan : magnitude >= kInfinity)
            value = std::bit_cast<float>(magnitude << kShift | 0x7f800000u);
        return std::bit_cast<float>(std::bit_cast<uint32_t>(value) | sign);
    }
};

using Float16 = SmallFloat<uint16_t, 5, 10, false>;
using Float8E4M3 = SmallFloat<uint8_t, 4, 3, true>;
using Float8E5M2 = SmallFloat<uint8_t, 5, 2, false>;

/// A bool in memory: a byte, 0 or 1 when written, true unless 0 when read.
struct Truth {
    uint8_t byte = 0;
    Truth() = default;
    template <typename T> explicit Truth(T value) : byte(value != T{}) {}
    operator bool() const { return byte != 0; }
};

/// A complex number in memory. Converted to a real one it loses its imaginary part.
template <typename Part> struct ComplexNumber {
    Part real = 0, imaginary = 0;
    ComplexNumber() = default;
    template <typename T> explicit ComplexNumber(T value) : real(static_cast<Part>(value)) {}
    template <typename Other>
    explicit ComplexNumber(const ComplexNumber<Other>& other)
        : real(static_cast<Part>(other.real)), imaginary(static_cast<Part>(other.imaginary)) {}
    template <typename T> explicit operator T() const { return static_cast<T>(real); }
};
using Complex64 = ComplexNumber<float>;
using Complex128 = ComplexNumber<double>;
template <typename T> constexpr bool kIsComplex = false;
template <typename Part> constexpr bool kIsComplex<ComplexNumber<Part>> = true;

/// The upper half of a float32.
struct BFloat16 {
    uint16_t bits = 0;
    BFloat16() = default;
    template <typename T> explicit BFloat16(T value) {
        const auto f = std::bit_cast<uint32_t>(static_cast<float>(value));
        bits = (f & 0x7fffffffu) > 0x7f800000u
                   ? uint16_t{0x7fc0}
                   : static_cast<uint16_t>((f + 0x7fffu + (f >> 16 & 1)) >> 16);
    }
    operator float() const { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }
};

} // namespace cutaway::ir
