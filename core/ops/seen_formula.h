// SPDX-License-Identifier: Apache-2.0
/// \file
/// Calls that are made of others (composites, and what else is decomposed before autograd) and
/// compute nothing: they give their operands themselves, or views of them, as PyTorch's do.
#pragma once

#include "core/ops/formula.h"
#include "core/ops/op_def.h"

#include <optional>

namespace cutaway::ops {

/// Such a call as a graph.
struct SeenFormula {
    ir::Graph graph;                 ///< with a placeholder for each tensor of the call, in order
    std::vector<ir::NodeId> results; ///< placeholders, or views of them
};
/// Nothing where \p call computes or copies, or refuses its arguments.
std::optional<SeenFormula> seenFormula(const OpCall& call);

/// \p result of a formula over \p x; a copy where it would show what the call was given.
Value owned(const Operands& x, const Value& result);

} // namespace cutaway::ops
