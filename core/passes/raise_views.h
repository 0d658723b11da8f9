// SPDX-License-Identifier: Apache-2.0
/// \file
/// Slices and selections of rows rise above the products whose rows they are, so that the other rows
/// are never computed: linear(x)[:, -1] -> linear(x[:, -1]). Before autograd: the gradient's products
/// are of these rows, too.
///
/// fires:     select or slice of linear(x, w, b), of x @ w with a matrix w, or of a chain of pointwise
///            calls of such a product (relu(linear(x))[:, 0]), that keeps at most half of the rows
/// must not:  products that something else reads, or the caller gets; columns (the last dimension);
///            random calls between the two, which would draw other numbers
/// nearly:    slices that keep more than half: what is left of x may have to be copied for the
///            product; a result whose strides the caller would see change; casts and pointwise calls
///            above joins, and views above pointwise calls alone: kernels compute these where they
///            are read (raised by hand, a cast was as fast, a tanh 20 % slower)
/// Source: own; the last token's logits of a language model.
#pragma once

#include "core/passes/pass.h"

namespace cutaway::passes {

base::Status raiseViews(ir::Graph& graph);

} // namespace cutaway::passes
