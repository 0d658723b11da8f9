// SPDX-License-Identifier: Apache-2.0
/// \file
/// CUDA text that kernels written by hand share, of float32 and of 16-bit operands. Private to this folder.
#pragma once

#include <string>
#include <string_view>

namespace cutaway::runtime {

// `DEVICE` is defined before them.

extern const std::string_view kPowerText;         ///< `power2`
extern const std::string_view kInfinityText;      ///< `kLog2E`, `infinity`
extern const std::string_view kSharedAddressText; ///< `sharedAddress`
/// Copies that run on, `commit` and `await`; ends within `#if __CUDA_ARCH__ >= 800`.
extern const std::string_view kCopiesText;
/// Of attention: where heads begin in a result, and how far lines are apart.
extern const std::string_view kHeadsText;
/// The kernel `attention_sums` of operands whose type has that name; \p widen: a function that
/// makes a float of one, or nothing.
std::string attentionSumsText(std::string_view number, std::string_view widen);

} // namespace cutaway::runtime
