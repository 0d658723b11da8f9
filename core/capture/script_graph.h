// SPDX-License-Identifier: Apache-2.0
/// \file
/// Graphs as scripts see them: torch.fx, and backends that are functions of the script.
#pragma once

#include "core/capture/capture.h"
#include "core/capture/interp.h"
#include "core/capture/torch_calls.h"
#include "core/ir/shape_env.h"

#include <functional>
#include <string>
#include <utility>

namespace cutaway::capture {

/// What runs a captured graph with \p backend, a callable of the script that takes the GraphModule
/// and the example inputs: called when the graph is first called, with that call's inputs, of which
/// open sizes are torch.SymInts.
/// \param draws the random numbers among the graph's inputs, which it draws itself
/// \param checks what the graph that the backend gets asserts
/// \param calls what the graph does as calls of torch, which the backend gets then; else null
std::shared_ptr<CompiledGraph> scriptBackend(Interp& interp, Val backend,
                                             std::shared_ptr<const ir::Graph> graph,
                                             std::vector<DrawnInput> draws,
                                             std::vector<LaterCheck> checks,
                                             std::shared_ptr<const TorchCalls> calls);
/// What a capture keeps for \p backend: calls of torch for one of the script; inputs that only have
/// sizes for torch.export's, which takes operations.
/// \param gradMode what its graph begins with
void prepareFor(Interp& interp, const Val& backend, Capture& capture, bool gradMode);
/// torch._dynamo.utils, once a script has loaded it, counts captures and shows them.
/// \param shapes null: no size was a symbol
void tellScript(Interp& interp, const CapturedFunction& captured, const ir::ShapeEnv* shapes);
/// dispatch_scope(function): as long as the result is not called, each operation goes to it.
Val dispatchScope(Interp& interp, const BuiltinObj& self, const Arguments& args);
/// torch.ops.aten.add.Tensor: the operation of that name ("add.Tensor", "cos"); the same object
/// every time.
Val overload(Interp& interp, const std::string& name);
/// The overload of torch.ops.aten.add that is called \p name ("Tensor", "default"); unbound for
/// other functions and names.
Val overloadOf(Interp& interp, const BuiltinObj& function, const std::string& name);
/// What torch._aten writes in the script language, from its dict \p table ("packets", "overloads");
/// unbound for other names.
Val writtenInScript(Interp& interp, const char* table, const std::string& name);
/// Adds what torch.fx is written with to the library's own names.
void addFx(Interp& interp, ModuleObj& internal);

/// call_constant(function, *args): what the function gives, under capture of the captured call's own
/// values; tensors of that are constants of the graph.
Val callConstant(Interp& in, const BuiltinObj& self, const Arguments& args);

} // namespace cutaway::capture
