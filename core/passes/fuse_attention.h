// SPDX-License-Identifier: Apache-2.0
/// \file
/// Attention as people and exporters write it becomes one call that keeps no matrix of weights
/// (ops/attention_fused.cpp), where that is predicted to be faster; elsewhere it stays products and
/// a softmax. Rule of the nodes: which, and both predictions.
///
/// fires:     scaled_dot_product_attention, and softmax(q k^T * scale + mask) v with or without
///            scale, dropout of p = 0 and masks: added ones without a gradient, masked_fill and
///            where with -inf, causal ones of tril and triu (then any number up to -1e9); products as
///            matmul, bmm, baddbmm and einsum, heads in any order of dimensions, ranks 2 to 4
///            On a processor 16 bits are widened for it, which pays where half of the scores are
///            hidden or nothing multiplies 16 bits
/// must not:  on a processor 16 bits that learn (not measured); on a GPU doubles and heads wider
///            than 128; weights that are used otherwise (returned, dropped out); a mask that has a
///            gradient; a softmax along other rows
/// nearly:    few queries, for which whole vectors of queries would be computed (a decoder's step);
///            -1e9 in a mask that is not known to be causal: a row that sees nothing has equal
///            weights
/// Source: torch/_inductor/fx_passes/fuse_attention.py (the patterns); arXiv:2307.08691.
#pragma once

#include "core/base/said.h"
#include "core/passes/pass.h"

namespace cutaway::passes {

inline constexpr PassArgument kFuseAttention{
    "percent", 100, 0, 100000,
    base::said("how long one call may be predicted to take, in percent of what it replaces")};
base::Status fuseAttention(ir::Graph& graph, int64_t percent = kFuseAttention.usual);

} // namespace cutaway::passes
