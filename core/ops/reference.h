// SPDX-License-Identifier: Apache-2.0
/// \file
/// The meaning of a graph: its operations' reference functions run one after the other. Slow, in
/// host memory, independent of decompositions, lowering and code generation.
#pragma once

#include "core/ops/catalogue.h"

#include <map>

namespace cutaway::ops {

/// The graph's outputs for values of its placeholders, in order (an output None is an empty float32
/// tensor of sizes [0]). Values are row-major whatever the types' strides.
/// Errors: user error for an input of another dtype or shape than its placeholder, or an operation
/// without reference (random ones); bug when a reference disagrees with its shape rule.
base::Result<std::vector<ir::HostTensor>> evaluate(const ir::Graph& graph,
                                                   std::span<const ir::HostTensor> inputs);

/// The same where some values are known, by node id: these are not computed, the others from them.
base::Result<std::vector<ir::HostTensor>>
evaluateFrom(const std::map<uint32_t, ir::HostTensor>& known, const ir::Graph& graph,
             std::span<const ir::HostTensor> inputs);

/// The same with every float32 made float64: values, constants, dtype arguments and the default
/// dtype. The oracle that results in float32 are checked against. Inputs may be float32 or float64.
base::Result<std::vector<ir::HostTensor>> evaluateDouble(const ir::Graph& graph,
                                                         std::span<const ir::HostTensor> inputs);

/// The same, but every computed value is rounded to the dtype it has in \p graph, upwards or
/// downwards at random (Monte Carlo arithmetic: Parker 1997; Vignes' CESTAC): exact results stay
/// exact, equal values are rounded equally, and float32's overflow happens. How far a few of these
/// lie from evaluateDouble is what no implementation in the graph's dtypes can be blamed for.
/// \param sample picks the roundings
base::Result<std::vector<ir::HostTensor>>
evaluateRounded(const ir::Graph& graph, std::span<const ir::HostTensor> inputs, uint64_t sample);

/// A copy of the graph with every float32 made float64.
ir::Graph promotedToDouble(const ir::Graph& graph);

} // namespace cutaway::ops
