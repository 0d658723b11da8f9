// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a graph builder throws when an operation refuses its arguments.
#pragma once

#include "core/base/diagnostic.h"

#include <stdexcept>

namespace cutaway::ops {

/// A defect of the rule that made the call, unless the rule is a composite's: there the arguments
/// are the user's, and \p error is what the user is told.
class Refusal : public std::logic_error {
public:
    explicit Refusal(base::Diagnostic error)
        : std::logic_error("building a graph: " + error.message), error(std::move(error)) {}
    base::Diagnostic error;
};

/// Said of a call by a rule that knows that the user's arguments are at fault: never a defect.
class CallRefused : public Refusal {
public:
    using Refusal::Refusal;
};

/// PyTorch's refusal of a dimension that is not within -\p count to \p count - 1.
base::Diagnostic dimensionOutside(int64_t dim, int64_t count);

} // namespace cutaway::ops
