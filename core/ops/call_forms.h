// SPDX-License-Identifier: Apache-2.0
/// \file
/// In which forms PyTorch offers an operation beside the plain call.
#pragma once

#include "core/ops/op_def.h"

namespace cutaway::ops {

/// Whether tensors have it as a method that changes them: x.add_(y).
bool hasInPlaceForm(const OpDef& def);
/// Whether autograd does not see the operation in place: what led to the tensor still has its
/// gradient.
bool leavesHistory(std::string_view base);
/// Whether torch.NAME has a parameter out.
bool takesOut(std::string_view function);

/// The record of an operation, or of an overload, that PyTorch does not have: scripts cannot name it.
OpDef internal(OpDef def);
bool isInternal(const OpDef& def);
/// Whether scripts can name an operation so.
bool hasName(std::string_view base);

/// Whether arguments, complete and in schema order, are of the kinds that the schema wants.
base::Status checkKinds(const OpDef& def, const ir::ArgList& args);

} // namespace cutaway::ops
