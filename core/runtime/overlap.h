// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether two tensors share memory, as far as can be told without solving equations.
#pragma once

#include "core/runtime/tensor.h"

namespace cutaway::runtime {

/// Whether elements of \p a lie where other elements of \p b do, so that writing a while reading b
/// depends on the order. The same window twice is no such case. Decided as ATen does
/// (MemoryOverlap.cpp): windows with gaps or repeated elements count as apart.
bool partlyOverlap(const Tensor& a, const Tensor& b);
/// Whether several elements of a tensor of this type may lie at one place, as of one that was expanded
/// or unfolded.
bool overlapsItself(const ir::TensorType& type);
/// Whether all elements of \p part, in the memory of \p whole and of its dtype, are elements of it; may
/// miss some that are where dimensions of one do not go on as those of the other do.
bool liesWithin(const Tensor& part, const Tensor& whole);
/// The same of two windows on one memory. \param aOffset, bOffset elements from its start
bool partlyOverlap(const ir::TensorType& a, int64_t aOffset, const ir::TensorType& b,
                   int64_t bOffset);

} // namespace cutaway::runtime
