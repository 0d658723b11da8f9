// SPDX-License-Identifier: Apache-2.0
/// \file
/// Calls that PyTorch refuses by their dtypes: what Traits::refuses says, and floats of 8 bits, for
/// which it has few kernels. Views, joins, conversions and factories take them, and otherwise what
/// records say that are made by the functions here.
#pragma once

#include "core/ops/op_def.h"

#include <optional>
#include <span>
#include <string_view>

namespace cutaway::ops {

OpDef withFloat8(OpDef def);
OpDef withoutFloat8(OpDef def);
/// \p ops refuse floats of 16 bits by these names.
void refuseHalves(std::initializer_list<std::string_view> ops);

/// \param name what the script calls the operation
/// \param args of the call, in the order of the schema
/// \param tensors dtypes of the tensors that it is called with
/// \returns the error that PyTorch has for it, of class NotImplementedError; nothing: it is taken
std::optional<base::Diagnostic> refusedDType(const OpDef& def, std::string_view name,
                                             const ir::ArgList& args,
                                             std::span<const ir::DType> tensors);

} // namespace cutaway::ops
