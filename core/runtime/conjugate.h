// SPDX-License-Identifier: Apache-2.0
/// \file
/// Memory of complex numbers seen conjugated. Kernels read memory as it is, so what conj() gives has
/// memory of its own, with the same places; whichever of the two is written, the other follows.
#pragma once

#include "core/runtime/tensor.h"

namespace cutaway::runtime {

/// The conjugates of complex numbers that lie in \p pairs as pairs, the last dimension; of conjugates,
/// the numbers themselves. Requires no gradient. Errors: user error where pairs do not lie together.
base::Result<TensorPtr> conjugateOf(const TensorPtr& pairs);
bool isConjugate(const Storage& storage);
/// Whether somebody sees \p storage conjugated, or it is so seen.
bool hasConjugate(const Storage& storage);
/// What \p storage is, or is the conjugate of.
const Storage* memoryOf(const Storage& storage);
/// Called once \p window has been written: its conjugate follows, if there is one.
base::Status conjugateWritten(const Tensor& window);

} // namespace cutaway::runtime
