// SPDX-License-Identifier: Apache-2.0
/// \file
/// Text of a graph in the form of torch.fx print-outs, one node a line:
///     cos: f32[16, 16] = aten.cos.default(primals_1)
#pragma once

#include "core/ir/graph.h"

#include <string>

namespace cutaway::ir {

/// "aten.cos.default" for "cos", "aten.add.Tensor" for "add.Tensor", "prims.x" kept.
std::string qualifiedOpName(std::string_view op);
std::string print(const Arg& arg, const Graph& graph);
/// One node, without line end.
std::string print(const Node& node, const Graph& graph);
/// "graph NAME(inputs):", the nodes, "return (...)". Deterministic.
std::string print(const Graph& graph);

} // namespace cutaway::ir
