// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads ATen schemas.
#pragma once

#include "core/ops/op_def.h"

namespace cutaway::ops {

/// Parses "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None)
/// -> Tensor". Alias annotations, "Tensor(a)", are dropped. Errors: bug naming the schema and what
/// is wrong.
base::Result<Schema> parseSchema(std::string_view text);

} // namespace cutaway::ops
