// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ways to make odd calls and to see what is wrong with them.
#pragma once

#include "odd_calls.h"

#include <functional>
#include <span>

namespace cutaway::testing {

/// Gets "@3" before the call numbered 3, "+" behind it where it was done, other lines where something is wrong.
using Say = std::function<void(const std::string& line)>;

/// Larger results are the user's wish, and not tried.
inline constexpr int64_t kLargest = int64_t{1} << 28;

/// One by one through the eager world, with gradients.
void tryEagerly(std::span<const OddCall> calls, size_t begin, const std::string& cache,
                const Say& say);

/// As functions of a script, as they are and compiled, with gradients: both refuse in the same words, or give the same.
void tryInScripts(std::span<const OddCall> calls, size_t begin, const std::string& cache,
                  const Say& say);

} // namespace cutaway::testing
