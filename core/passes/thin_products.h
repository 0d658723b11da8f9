// SPDX-License-Identifier: Apache-2.0
/// \file
/// Products that sum one number, or end in one column, are loops: they fuse with what is around them
/// where a library would want its operands in memory and be bound by reading them.
///
/// fires:     mm and bmm with an inner size of 1 -> a * b; mm, bmm and mv of a matrix that the graph
///            computes for this product alone, with one column -> sum(a * b, -1): the matrix is never
///            in memory
/// must not:  an inner size that is a symbol; integers and complex numbers
/// nearly:    an inner size of 2; one column of a matrix that is an input or read elsewhere, too: a
///            library reads it once at the speed of memory; 16-bit numbers with one column, whose
///            products would be rounded before they are summed
/// Source: own; PyTorch has torch/_inductor/fx_passes/decompose_mem_bound_mm.py.
#pragma once

#include "core/passes/pass.h"

namespace cutaway::passes {

base::Status thinProducts(ir::Graph& graph);

} // namespace cutaway::passes
