// SPDX-License-Identifier: Apache-2.0
/// \file
/// From a dtype to the C++ type of its elements in memory.
#pragma once

#include "core/ir/dtype.h"
#include "core/ir/half.h"

#include <cmath>
#include <type_traits>

namespace cutaway::ir {

/// What \p body gives for a value of the C++ type that elements of \p dtype have in memory:
/// int8_t ... double, and half.h's types.
template <typename Body> decltype(auto) withElement(DType dtype, const Body& body) {
    switch (dtype) {
#define DTYPE(id, name, alias, short, bytes, category, host, ...)                                  \
    case DType::id:                                                                                \
        return body(host{});
#include "core/ir/dtypes.def"
#undef DTYPE
    }
    return body(Truth{});
}

/// An element converted as c10::convert does; floating values outside int64 give what x86 gives.
template <typename To, typename From> To convertElement(From value) {
    if constexpr (std::is_same_v<To, From>) {
        return value;
    } else if constexpr (kIsComplex<From> && std::is_same_v<To, Truth>) {
        return Truth(value.real != 0 || value.imaginary != 0);
    } else if constexpr (kIsComplex<From> && kIsComplex<To>) {
        return To(value);
    } else if constexpr (kIsComplex<From>) {
        return convertElement<To>(value.real);
    } else if constexpr (kIsComplex<To> && std::is_class_v<From>) {
        return To(convertElement<float>(value));
    } else if constexpr (std::is_same_v<From, Truth>) {
        return convertElement<To>(static_cast<uint8_t>(static_cast<bool>(value)));
    } else if constexpr (std::is_class_v<To>) {
        return To(value);
    } else if constexpr (std::is_class_v<From> && !std::is_same_v<To, float>) {
        return convertElement<To>(static_cast<float>(value));
    } else if constexpr (std::is_floating_point_v<From> && std::is_same_v<To, uint64_t>) {
        const bool large = value >= From(9223372036854775808.0);
        return large ? static_cast<uint64_t>(value)
                     : static_cast<uint64_t>(convertElement<int64_t>(value));
    } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
        if constexpr (std::is_same_v<To, int32_t>) {
            const bool fits = value > From(-2147483649.0) && value < From(2147483648.0);
            return fits ? static_cast<int32_t>(value) : INT32_MIN;
        } else {
            constexpr From limit(9223372036854775808.0);
            const bool fits = value >= -limit && value < limit;
            return static_cast<To>(fits ? static_cast<int64_t>(value) : INT64_MIN);
        }
    } else {
        return static_cast<To>(value);
    }
}

} // namespace cutaway::ir
