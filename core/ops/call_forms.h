// SPDX-License-Identifier: Apache-2.0
/// \file
/// In which forms PyTorch offers an operation beside the plain call.
#pragma once

#include "core/ops/op_def.h"

namespace cutaway::ops {

/// Whether tensors have it as a method that changes them: x.add_(y).
bool hasInPlaceForm(const OpDef& def);
/// Whether torch.NAME has a parameter out.
bool takesOut(std::string_view function);

} // namespace cutaway::ops
