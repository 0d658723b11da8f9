// SPDX-License-Identifier: Apache-2.0
/// \file
/// What tells two eager calls apart that need different kernels, as bytes to look up by.
#pragma once

#include "core/ir/graph.h"
#include "core/runtime/tensor.h"

#include <span>
#include <string>

namespace cutaway::backend {

/// The operation, its arguments and the types of its tensors (dtype, sizes, strides, device; not
/// their values), and whether the same bits are wanted in every run. Two calls have the same key
/// exactly when all of these are equal; NaN equals itself and -0.0 is not 0.0. Made in every eager
/// call: no text is formatted.
std::string callKey(std::string_view op, const ir::ArgList& args,
                    std::span<const runtime::TensorPtr> tensors);
/// The part of one tensor; null has one, too.
void addToKey(std::string& key, const runtime::TensorPtr& tensor);

} // namespace cutaway::backend
