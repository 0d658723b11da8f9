// SPDX-License-Identifier: Apache-2.0
/// \file
/// Graph layout by Graphviz dot, in a process of its own: dot cannot be interrupted and may take
/// minutes on joint graphs, so it is given a time limit and killed.
#pragma once

#include "core/base/cancel.h"
#include "core/base/result.h"

#include <string>

namespace cutaway::engine {

/// \param request JSON {nodes:[{id, w, h}], edges:[[from, to]]}; sizes in pixels
/// \returns JSON {positions:[[x, y]], edges:[[[x, y]...]], algorithm:"dot", ms}; positions are
/// centres, y grows downwards; edges are poly-lines in the request's order Errors: environment
/// error when the time limit passed or dot failed.
base::Result<std::string> layoutWithDot(const std::string& request, int budgetMs,
                                        const base::CancelToken& cancel);

/// The child's side (`cutaway layout`): reads the request from standard input, writes the result.
int runDotLayout();

/// Draws DOT text as "svg", "pdf" or "png" through Graphviz. Errors: environment error.
base::Result<std::string> renderDot(const std::string& dot, const std::string& format);

} // namespace cutaway::engine
