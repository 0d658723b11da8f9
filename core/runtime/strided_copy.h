// SPDX-License-Identifier: Apache-2.0
/// \file
/// Copies between strided windows of host memory, converting the dtype.
#pragma once

#include "core/runtime/device.h"

namespace cutaway::runtime {

/// Element by element, on up to \p threads threads. Sizes are equal; the windows do not overlap.
void copyStridedHost(const StridedBlock& to, const StridedBlock& from, int threads);

/// Copies bytes on up to \p threads threads.
void copyBytesHost(void* to, const void* from, size_t bytes, int threads);

} // namespace cutaway::runtime
