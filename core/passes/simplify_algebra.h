// SPDX-License-Identifier: Apache-2.0
/// \file
/// Local identities: a node equals an earlier value, or a simpler call.
///
/// fires:     exact, NaN, infinities and the sign of zero included: neg(neg(x)), abs(neg(x)),
///            relu(relu(x)), maximum(x, x), where(c, x, x), a + neg(b) -> a - b, neg(a) * neg(b) ->
///            a * b, views that together change nothing (permute there and back, view and view,
///            alias, expand to the same sizes), two permutes -> one, conversions that lose nothing
///            on the way, copies that nobody can tell apart, pads of nothing. Within rounding:
///            pow(x, 2) -> x * x (one rounding instead of a library function's). log(exp(x)) -> x is
///            the value without two roundings; where exp leaves the dtype's range (x > 88.7 or
///            x < -103 in float32) x is the true value and eager evaluation gives inf or -inf.
/// must not:  exp(log(x)): NaN for x < 0; reciprocal(reciprocal(x)): two roundings, 0 and infinity;
///            detach, which autograd must see (buildJointGraph turns it into alias)
/// nearly:    clone(x) that is returned: eager returns fresh memory, x may be an input;
///            convert int64 -> float32 -> int64, which rounds; log(exp(x)) of integers
/// Source: own; the list follows torch/_inductor/fx_passes/joint_graph.py and post_grad.py
/// (remove_no_ops, pointless_convert, pointless_view, pointless_permute_pair).
#pragma once

#include "core/passes/pass.h"

namespace cutaway::passes {

base::Status simplifyAlgebra(ir::Graph& graph);

} // namespace cutaway::passes
