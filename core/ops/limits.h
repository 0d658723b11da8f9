// SPDX-License-Identifier: Apache-2.0
/// \file
/// What one call may ask for.
#pragma once

#include <cstdint>

namespace cutaway::ops {

/// Tensors that one call gives: each takes a kilobyte in a graph.
inline constexpr int64_t kMostResults = int64_t{1} << 20;

} // namespace cutaway::ops
