// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/pass_table.h"

#include "core/passes/channels_last.h"
#include "core/passes/collapse_one_hot.h"
#include "core/passes/cut_joins.h"
#include "core/passes/decompose.h"
#include "core/passes/fold_constants.h"
#include "core/passes/fold_into_weights.h"
#include "core/passes/fuse_attention.h"
#include "core/passes/gather_joined_slices.h"
#include "core/passes/join_products.h"
#include "core/passes/join_stores.h"
#include "core/passes/merge_common.h"
#include "core/passes/reassociate_constants.h"
#include "core/passes/remove_dead.h"
#include "core/passes/simplify_algebra.h"
#include "core/passes/split_wide_joins.h"

namespace cutaway::pipeline {

static constexpr PassRow kPasses[] = {
    {"join_stores", PassPoint::Captured, passes::joinStores, false,
     "what is written piece by piece is joined once; stores that later ones cover disappear"},
    {"fuse_attention", PassPoint::Captured, passes::fuseAttention, false,
     "softmax(q k^T) v becomes one call without a matrix of weights, where that is faster"},
    {"decompose_before_autograd", PassPoint::Captured, passes::decomposeBeforeAutograd, true,
     "composite operations (linear, layer_norm, cross_entropy) become ATen's differentiable ones"},
    {"decompose_after_autograd", PassPoint::Joint, passes::decomposeAfterAutograd, true,
     "operations and their backwards become pointwise operations, reductions and products"},
    {"fold_constants", PassPoint::Joint, passes::foldConstants, false,
     "values known at compile time are computed now; x+0, x*1 disappear"},
    {"simplify_algebra", PassPoint::Joint, passes::simplifyAlgebra, false,
     "log(exp(x)), double negations, inverse permutations and chained views disappear"},
    {"cut_joins", PassPoint::Joint, passes::cutJoins, false,
     "what is cut and joined again is what it was; a slice of a join is a slice of its piece"},
    {"fold_into_weights", PassPoint::Joint, passes::foldIntoWeights, false,
     "batch norms, scales and addends behind convolutions and products with frozen weights "
     "disappear into these"},
    {"reassociate_constants", PassPoint::Joint, passes::reassociateConstants, false,
     "chains of constant addends become one addition, with fewer roundings"},
    {"merge_common", PassPoint::Joint, passes::mergeCommon, false,
     "equal calls with equal arguments are computed once"},
    {"join_products", PassPoint::Joint, passes::joinProducts, false,
     "products of one matrix with frozen weights, each too small to fill a GPU, become one"},
    {"remove_dead", PassPoint::Joint, passes::removeDead, true,
     "values that nothing uses are removed"},
    {"channels_last", PassPoint::Joint, passes::channelsLast, false,
     "convolutions on the CPU and what follows them compute with the channels innermost"},
    {"collapse_one_hot", PassPoint::Lowering, passes::collapseOneHot, false,
     "the sum of a one-hot tensor is the value in its hot place"},
    {"gather_joined_slices", PassPoint::Lowering, passes::gatherJoinedSlices, false,
     "a join of many slices of one tensor is one gather"},
    {"split_wide_joins", PassPoint::Lowering, passes::splitWideJoins, true,
     "a join of very many tensors becomes a join of joins"},
    {"decompose_before_lowering", PassPoint::Lowering, passes::decomposeBeforeLowering, true,
     "what is left (var_mean) becomes loops' primitives"},
    {"merge_common", PassPoint::Lowering, passes::mergeCommon, false,
     "equal calls with equal arguments are computed once"},
    {"remove_dead", PassPoint::Lowering, passes::removeDead, true,
     "values that nothing uses are removed"},
};

std::span<const PassRow> passTable() {
    return kPasses;
}

} // namespace cutaway::pipeline
