// SPDX-License-Identifier: Apache-2.0
/// \file
/// In Python a NaN is found in a container by its identity alone. Floats are no objects here, so
/// every NaN that is made has bits of its own beside its sign, which Val::identical() compares.
#pragma once

#include "core/capture/value.h"

#include <bit>
#include <cmath>

namespace cutaway::capture {

/// A float that a script's operation just made.
inline Val newFloat(double value) {
    if (!std::isnan(value)) return Val::real(value);
    static thread_local uint64_t made = 0;
    const uint64_t sign = std::bit_cast<uint64_t>(value) & 0x8000'0000'0000'0000;
    constexpr uint64_t kQuiet = 0x7ff8'0000'0000'0000, kPayload = 0x0007'ffff'ffff'ffff;
    return Val::real(std::bit_cast<double>(sign | kQuiet | (++made & kPayload)));
}

/// The number for those who compute with it or compare its bits: one NaN of each sign for all.
inline double plainNumber(double value) {
    return std::isnan(value) ? std::copysign(std::nan(""), value) : value;
}

} // namespace cutaway::capture
