// SPDX-License-Identifier: Apache-2.0
/// \file
/// Elements side by side between float32 and 16 bits, with the vectors of the processor it runs on.
#pragma once

#include "core/ir/half.h"

namespace cutaway::runtime {

/// Each gives what the element's own conversion gives, bit for bit.
void convertRow(float* to, const ir::BFloat16* from, int64_t n);
void convertRow(float* to, const ir::Float16* from, int64_t n);
void convertRow(ir::BFloat16* to, const float* from, int64_t n);
void convertRow(ir::Float16* to, const float* from, int64_t n);

} // namespace cutaway::runtime
