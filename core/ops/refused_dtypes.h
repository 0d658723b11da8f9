// SPDX-License-Identifier: Apache-2.0
/// \file
/// Dtypes that the operations of PyTorch refuse although formulas of this catalogue take them:
/// asked for the calls of scripts alone, as formulas may use more than scripts.
#pragma once

#include "core/base/diagnostic.h"
#include "core/ir/dtype.h"

#include <optional>
#include <span>
#include <string_view>

namespace cutaway::ops {

/// \param base name of an operation without its overload
/// \param tensors dtypes of the tensors that it is called with
/// \returns the error that PyTorch has for it, of class NotImplementedError; nothing: it is taken
std::optional<base::Diagnostic> refusedDType(std::string_view base,
                                             std::span<const ir::DType> tensors);

} // namespace cutaway::ops
