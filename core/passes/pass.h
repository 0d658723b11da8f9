// SPDX-License-Identifier: Apache-2.0
/// \file
/// The one signature of every graph pass. A pass is two files and one row of
/// pipeline/stage_table.cpp.
#pragma once

#include "core/base/result.h"
#include "core/ir/graph.h"

namespace cutaway::passes {

/// Rewrites \p graph in place; nodes it does not touch keep their ids; nodes it makes inherit
/// source, module path and `from` of the nodes they replace, and name the rule in Node::rule. The
/// runner compares the graph before and after, verifies, times and records: a pass does none of
/// that. Errors: bugs only.
using GraphPass = base::Status (*)(ir::Graph& graph);

} // namespace cutaway::passes
