// SPDX-License-Identifier: Apache-2.0
/// \file
/// The text of a graph of operations back to a graph that every stage takes.
#pragma once

#include "core/base/result.h"
#include "core/ir/graph.h"

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::ops {

/// ir::parseGraph, then every call complete in its schema's order and of the type that its
/// operation gives; where that depends on what a symbol is in a call, of the type that the text
/// says. Errors: user error with line and column; at a node's line for an operation that
/// is not there, arguments that it does not take, and a type that it does not give.
base::Result<ir::Graph> parseGraph(std::string_view text, const std::string& file = {});
/// All graphs of a text, likewise (ir::parseGraphs).
base::Result<std::vector<ir::Graph>> parseGraphs(std::string_view text,
                                                 const std::string& file = {});

} // namespace cutaway::ops
