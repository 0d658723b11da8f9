// SPDX-License-Identifier: Apache-2.0
/// \file
/// Composites (composite.h) that have a reference, and perhaps a gradient rule, of their own.
/// Internal to core/ops.
#pragma once

#include "core/ops/gradient_tools.h"

namespace cutaway::ops {

/// The types that the call's decomposition gives, over inputs of the call's types; a call that it
/// refuses is refused in the operation's own name.
Result<Types> composedShape(const OpCall& call);
/// Refuses a composed call from within its decomposition.
[[noreturn]] void refuseComposed(const OpCall& call, std::string message, std::string hint = {},
                                 ErrorClass as = ErrorClass::Runtime);

/// Decomposed before autograd: its gradient is that of what it is made of.
OpDef composed(std::string_view schema, DecomposeRule build, Reference reference, Samples samples,
               OpDoc doc);
/// With a gradient rule of its own; one operation until autograd is done.
OpDef composed(std::string_view schema, Gradient gradient, DecomposeRule build, Reference reference,
               Samples samples, OpDoc doc);
/// The same record under further schemas: overloads.
void addOverloads(std::vector<OpDef>& ops, const OpDef& def,
                  std::initializer_list<std::string_view> schemas);

} // namespace cutaway::ops
