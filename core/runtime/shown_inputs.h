// SPDX-License-Identifier: Apache-2.0
/// \file
/// Functions of the tape that are the last parts of a call which shows as one function.
#pragma once

#include "core/runtime/tensor.h"

#include <optional>

namespace cutaway::runtime {

class ShownInputs {
public:
    virtual ~ShownInputs() = default;
    /// As GradFunction::inputs, of the whole call; none: the function is one itself.
    std::optional<std::vector<TensorPtr>> shownInputs;
};

} // namespace cutaway::runtime
