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
/// "f32[4, 3]", with the strides where it is not contiguous and the device where it is no CPU:
/// "f32[4, 3][1, 4]cuda:0".
std::string typeText(const TensorType& type);
/// "1", "0, 1, 2", "0 x 40, 1" for forty times 0 and then 1; "..." for more than 64 runs.
std::string valuesText(const HostTensor& tensor);
std::string print(const Arg& arg, const Graph& graph);
/// One node, without line end.
std::string print(const Node& node, const Graph& graph);
/// "graph NAME(inputs):", the nodes, "return (...)". Deterministic; parser.h reads it back.
std::string print(const Graph& graph);

} // namespace cutaway::ir
