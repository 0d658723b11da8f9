// SPDX-License-Identifier: Apache-2.0
/// \file
/// What an operation asks of its tensors' values, not their types: indices within their dimension,
/// no integer division by zero. Compiled kernels do not look.
#pragma once

#include "core/ops/catalogue.h"
#include "core/runtime/tensor.h"

#include <span>

namespace cutaway::backend {

/// \param args complete, in schema order, with NodeId(k) for the k-th of \p tensors.
/// Tensors on a GPU are not looked at: that would wait for the device. Errors: user error without
/// location.
base::Status checkValues(const ops::OpDef& def, const ir::ArgList& args,
                         std::span<const runtime::TensorPtr> tensors);

} // namespace cutaway::backend
