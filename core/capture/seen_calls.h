// SPDX-License-Identifier: Apache-2.0
/// \file
/// Calls that compute nothing (ops/seen_formula.h): their operands, or views of them.
#pragma once

#include "core/capture/tensor_world.h"

#include <memory>
#include <optional>

namespace cutaway::capture {

/// What such a call gives in \p world, views by calls of their own. Nothing: the call computes, or
/// is a view itself. \p args name tensors by their position in \p tensors.
base::Result<std::optional<std::vector<Val>>> seenCall(TensorWorld& world, const ops::OpDef& def,
                                                       const ir::ArgList& args,
                                                       const std::vector<TensorObj*>& tensors,
                                                       std::shared_ptr<ir::ShapeEnv> shapes);

} // namespace cutaway::capture
