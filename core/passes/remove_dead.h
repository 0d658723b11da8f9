// SPDX-License-Identifier: Apache-2.0
/// \file
/// Removes calls and constants whose value no output needs.
///
/// fires:     sin(x), never used
/// must not:  a placeholder, used or not: it is part of the graph's signature
/// nearly:    a tuple of which one getitem is used stays, its unused getitems go
/// Source: textbook mark and sweep, backwards over the order; one pass suffices.
#pragma once

#include "core/passes/pass.h"

namespace cutaway::passes {

base::Status removeDead(ir::Graph& graph);

} // namespace cutaway::passes
