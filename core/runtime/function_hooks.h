// SPDX-License-Identifier: Apache-2.0
/// \file
/// Hooks of whole functions of the tape, and what a run of it will do.
#pragma once

#include "core/runtime/tensor.h"

namespace cutaway::runtime {

/// What looks at a function before and behind it, by number of registration.
struct FunctionHooks : GradHooks {
    using Gradients = std::vector<TensorPtr>; ///< null: none
    /// Given the gradients of its results, gives them or others.
    std::map<int64_t, std::function<base::Result<Gradients>(Gradients)>> before;
    /// Given the gradients of its inputs and those of its results, gives the former or others.
    std::map<int64_t, std::function<base::Result<Gradients>(Gradients, const Gradients&)>> behind;
};
/// Where they stand among GradFunction::hooks, which are by output otherwise.
constexpr int kOfFunction = -1;

FunctionHooks& functionHooks(GradFunction& function);

/// Of the run of backward() that is in progress in this thread: its number, which no other has; 0: none.
uint64_t currentRun();
/// Whether it runs \p function; of a leaf (no function) whether it reaches \p leaf.
bool willRun(const GradFunction* function, const Tensor* leaf);

} // namespace cutaway::runtime
