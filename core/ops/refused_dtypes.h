// SPDX-License-Identifier: Apache-2.0
/// \file
/// Calls that PyTorch refuses by their dtypes (Traits::refuses).
#pragma once

#include "core/ops/op_def.h"

#include <optional>
#include <span>
#include <string_view>

namespace cutaway::ops {

/// \param name what the script calls the operation
/// \param tensors dtypes of the tensors that it is called with
/// \returns the error that PyTorch has for it, of class NotImplementedError; nothing: it is taken
std::optional<base::Diagnostic> refusedDType(const OpDef& def, std::string_view name,
                                             std::span<const ir::DType> tensors);

} // namespace cutaway::ops
