// SPDX-License-Identifier: Apache-2.0
/// \file
/// The family of what scripts define themselves; families.h has the others.
#pragma once

#include "core/ops/op_def.h"

namespace cutaway::ops {

std::vector<OpDef> customFunctionOps();

} // namespace cutaway::ops
