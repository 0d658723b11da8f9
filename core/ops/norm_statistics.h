// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the norms that return their statistics share. Internal to core/ops.
#pragma once

#include "core/ops/op_def.h"

#include <initializer_list>

namespace cutaway::ops {

/// The dtype of the means and deviations that a norm of argument 0 returns: of 16 bits the CPU's
/// are the input's, unless one of the tensors among \p parameters is float32; a GPU's are float32.
ir::DType statisticsType(const OpCall& call, std::initializer_list<size_t> parameters);
/// Refuses floats of 8 bits, which no formula mixes with the float32 of statistics.
base::Status wantWideFloats(const OpCall& call);
/// Weights and statistics have the dtype of argument 0, or that of its statistics.
base::Status wantParameterDTypes(const OpCall& call, std::initializer_list<size_t> parameters);

} // namespace cutaway::ops
