// SPDX-License-Identifier: Apache-2.0
/// \file
/// Graphs of a GPU with tensors of the host among their inputs, values or results: all of it is
/// computed on the GPU; what a call brings from the host is copied up before it, what it wants there
/// down after it.
#pragma once

#include "core/capture/world.h"

#include <optional>

namespace cutaway::backend {

/// A graph on one device, and the places where its original has tensors of the host.
struct OneDeviceGraph {
    std::shared_ptr<const ir::Graph> graph; ///< node ids are those of the original
    ir::Device device;                      ///< the GPU
    std::vector<size_t> inputs, outputs;    ///< positions, in order
};

/// Nothing when all tensors lie on one device already. Errors: user error when two GPUs occur, or
/// when an input of the host requires gradients.
base::Result<std::optional<OneDeviceGraph>> onOneDevice(const ir::Graph& graph);

/// \p compiled is the graph of \p placed; the result takes and gives tensors as the original does.
std::shared_ptr<capture::CompiledGraph>
withCopies(OneDeviceGraph placed, std::shared_ptr<capture::CompiledGraph> compiled);

} // namespace cutaway::backend
