// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runs the tape backwards (PyTorch: torch/csrc/autograd/engine.cpp).
#pragma once

#include "core/runtime/tensor.h"

#include <functional>

namespace cutaway::runtime {

/// How the engine adds two gradients and makes the first one: through ops, so that the result is on
/// the right device and recorded nowhere.
struct GradientArithmetic {
    std::function<base::Result<TensorPtr>(const TensorPtr&, const TensorPtr&)> add;
    std::function<base::Result<TensorPtr>(const ir::TensorType&, double)> full;
};

/// Accumulates gradients into the .grad of every leaf that requires one.
/// \param gradient null: ones for a tensor of one element; else a user error.
/// \param retainGraph keep what the tape saved, so that it can be run back again.
base::Status backward(const TensorPtr& root, const TensorPtr& gradient,
                      const GradientArithmetic& arithmetic, bool retainGraph = false);

/// Writes \p value into \p window, a view of \p self with value's sizes. With \p recorded, and
/// where self or the value wants a gradient, self becomes the result of the write: the window's
/// gradient goes to the value, the rest to what self was (PyTorch: CopySlices). The value then has
/// self's dtype.
base::Status writeWindow(const TensorPtr& self, Tensor& window, const TensorPtr& value,
                         bool recorded);

/// Refuses memory that was written in place since \p function saved it at \p version.
base::Status checkUnchanged(const GradFunction& function, const ir::TensorType& type,
                            const Storage& storage, uint32_t version);

} // namespace cutaway::runtime
