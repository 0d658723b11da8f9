// SPDX-License-Identifier: Apache-2.0
/// \file
/// Values that are written piece by piece are joined once: y[0:4] = a; y[4:8] = b -> y = cat([a,
/// b]), and y[0:4] read after that is a. What a later store covers is never written (a dead store).
///
/// Each store by itself is a choice between two values for every element of the whole tensor, so n
/// of them would cost n times what the join does. The gradient of a join is a slice for each piece,
/// that of a store a slice and a tensor with a hole.
///
/// fires:     two or more slice_scatter or select_scatter of one another along one dimension; one
///            that covers the whole tensor; slice, slice_copy, select and select_copy of what one
///            store has written, or of what none of them has
/// must not:  steps other than 1; places or sizes that are symbols; a source of another dtype; a
///            value that wants a gradient covered whole: its gradient is zeros, not none
/// nearly:    stores along two dimensions: each row of stores by itself; a slice over two pieces
/// Source: own.
#pragma once

#include "core/base/said.h"
#include "core/passes/pass.h"

namespace cutaway::passes {

inline constexpr PassArgument kJoinStores{"pieces", 2048, 2, 4096,
                                          base::said("the most pieces that stores are joined of")};
base::Status joinStores(ir::Graph& graph, int64_t pieces = kJoinStores.usual);

} // namespace cutaway::passes
