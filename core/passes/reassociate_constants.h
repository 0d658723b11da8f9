// SPDX-License-Identifier: Apache-2.0
/// \file
/// Chains of additions (or multiplications) of scalar constants become one: (x + 1) + 1 -> x + 2.
///
/// Rounding is the danger, so a chain shrinks only where the result cannot be worse: the combined
/// constant C must be exactly representable in the tensor's dtype. Then x + C (or x * C) is the
/// correctly rounded exact value, which no chain of several roundings beats. Infinities agree up to
/// the last rounding, since the chain is monotone: summands have one sign, and factors are all >= 1
/// or all <= 1 in magnitude (a mixed chain may overflow half-way where the product does not).
/// Integers wrap around and may always be combined.
///
/// fires:     (x + 1) + 1; (x - 1) - 2; (x * 2) * 4; (x * 0.5) * 0.25
/// must not:  (x + 1) - 1, opposite signs; (x * 2) * 0.5; a partial sum with another use
/// nearly:    (x + 0.1) + 0.2 in float32: the sum of the rounded constants is not a float32
/// Source: own; one step a node, so a chain of n costs O(n).
#pragma once

#include "core/passes/pass.h"

namespace cutaway::passes {

base::Status reassociateConstants(ir::Graph& graph);

} // namespace cutaway::passes
