// SPDX-License-Identifier: Apache-2.0
/// \file
/// The text of a graph (printer.h) back to a graph.
#pragma once

#include "core/base/result.h"
#include "core/ir/graph.h"

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::ir {

/// The graph that prints as \p text. Every node's source is its line in \p file. Arguments are as
/// many as are written: what follows the last one is None (ops::parseGraph adds these).
/// Errors: user error with line and column, telling what was expected and found.
/// From # on a line is a comment.
base::Result<Graph> parseGraph(std::string_view text, const std::string& file = {});
/// All graphs of a text, at least one, as `explain --stage joint` prints them.
base::Result<std::vector<Graph>> parseGraphs(std::string_view text, const std::string& file = {});

/// "4", "s0", "2*s0 + 1", "min(s0, 8)". Nothing when the text is no such expression.
std::optional<Sym> parseSym(std::string_view text);

} // namespace cutaway::ir
