// SPDX-License-Identifier: Apache-2.0
/// \file
/// A captured graph as rows of values, of which torch.fx makes its nodes. Private to this folder.
#pragma once

#include "core/capture/capture.h"
#include "core/capture/interp.h"
#include "core/capture/torch_calls.h"
#include "core/ir/graph.h"

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cutaway::capture {

/// (file, line, function, text) of the innermost line of the script, or None.
Val placeOf(Interp& interp, const ir::SourceStack& source);
/// (sizes, dtype, the line that asked for it, strides, device, requires_grad)
Val describedType(Interp& interp, const ir::TensorType& type, const ir::SourceStack& source);
/// What an operation is called with: a list of positional arguments and a dict of those by name.
/// Those that are what the schema says anyway are left out, as PyTorch prints calls.
std::pair<Val, Val> argumentsOf(Interp& interp, const std::string& op, const ir::ArgList& args,
                                const std::function<Val(ir::NodeId)>& nodes);
void addVariables(const ir::TensorType& type, std::set<ir::Var>& found);
/// One row a node: (op, name, target, args, kwargs, type); a node among arguments is (..., its row),
/// a size that is not known (..., its text).
/// \param draws random numbers among the placeholders: such a row is ("draw", name, (kind, a, b, low,
/// high), [sizes, strides], type, device), before the first that computes with them
/// \param checks results that calls of _assert_async look at; those that are nothing else are left out
/// \param inputs where size symbols are inputs, too, each before the first tensor that has such a
/// size: one for every input, which symbol it is or none for the next tensor. Such a row's type is
/// the size in the call that was captured. Null: the graph asks its tensors for their sizes.
Val rowsOf(Interp& interp, const ir::Graph& graph, const std::vector<DrawnInput>& draws,
           const std::vector<LaterCheck>& checks, GraphInputs* inputs);

} // namespace cutaway::capture
