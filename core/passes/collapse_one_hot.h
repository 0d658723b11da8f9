// SPDX-License-Identifier: Apache-2.0
/// \file
/// The sum of a one-hot tensor along its hot dimension is the value that was put there:
/// sum(scatter(zeros, d, index, c) * g, d) -> c * g, with one index and one g a slice.
///
/// The backward of cross entropy asks for it (log_softmax's gradient sums what nll_loss's gradient
/// scattered), over a row as long as the vocabulary. The other addends are g * 0: nothing, unless g
/// is infinite or NaN, where the collapsed sum is what eager's nll_loss_backward gives, and not NaN.
///
/// fires:     sum(scatter.value(full(0), 1, index[n, 1], -1) * g[n, 1], [1])
/// must not:  an index with two positions a slice; a sum along another dimension; a g that varies
///            along d (a weight for each class) or is shared by slices; zeros that are not zero
/// nearly:    index[k, 1] with k < n: the slices without an index sum to 0
/// Source: own.
#pragma once

#include "core/passes/pass.h"

namespace cutaway::passes {

base::Status collapseOneHot(ir::Graph& graph);

} // namespace cutaway::passes
