// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the files of the attention family share. Internal to core/ops.
#pragma once

#include "core/ops/op_def.h"

namespace cutaway::ops {

/// Attention as one call of a library (attention_fused.cpp).
void addFusedAttention(std::vector<OpDef>& ops);

} // namespace cutaway::ops
