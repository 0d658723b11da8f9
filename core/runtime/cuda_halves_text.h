// SPDX-License-Identifier: Apache-2.0
/// \file
/// CUDA text that kernels of 16-bit numbers share: conversions, copies that run on while others are
/// multiplied, products of squares on tensor cores. Private to this folder.
#pragma once

#include <string>

namespace cutaway::runtime {

/// Wants `DEVICE` and `kBfloat` defined before it.
std::string halfNumbersText();

} // namespace cutaway::runtime
