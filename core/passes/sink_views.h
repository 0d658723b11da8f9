// SPDX-License-Identifier: Apache-2.0
/// \file
/// Views sink below conversions and other calls of one tensor: relu(permute(x)) -> permute(relu(x)),
/// where what is behind then disappears. Views and casts that stand between two others in another
/// order are what keeps these apart.
///
/// fires:     convert(view(x)) beside convert(x), which then are one call (merge_common);
///            permute(relu(permute(x))), also through several such calls that nothing else reads: both
///            permutes disappear (simplify_algebra)
/// must not:  views that show fewer or more elements than there are (slices, expand): the call would
///            be of all of them; detach, which means something to autograd; random calls
/// nearly:    relu(permute(x)) whose reader is no view: the order is as good as the other; relu(view(x))
///            beside relu(x): loops compute it where it is read; strides that the call would not give
///            its result that way
/// Source: own; PyTorch moves views in torch/_inductor/fx_passes/pre_grad.py (sink_cat_after_pointwise
/// and linear_permute_fusion) and casts in pointless_convert.
#pragma once

#include "core/passes/pass.h"

namespace cutaway::passes {

base::Status sinkViews(ir::Graph& graph);

} // namespace cutaway::passes
