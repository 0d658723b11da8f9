// SPDX-License-Identifier: Apache-2.0
/// \file
/// The backends that take a graph through every stage: inductor, and aot_eager with one kernel an
/// operation; and those where something else compiles forward and backward graph.
#pragma once

#include "core/backend/backend.h"

namespace cutaway::backend {

std::unique_ptr<Backend> makeInductor(const BackendTools& tools);
std::unique_ptr<Backend> makeAotEager(const BackendTools& tools);

/// What makes a graph ("forward", "backward") run instead of the stages from loops to load.
struct UnitCompiler {
    std::function<base::Result<pipeline::ExecutableGraph>(const ir::Graph&)> compile;
    std::string whyBySize; ///< why it wants sizes that are numbers
};
/// Passes, joint graph and partition as in aot_eager.
std::unique_ptr<Backend> makeWithCompiler(const BackendTools& tools, UnitCompiler compiler);

} // namespace cutaway::backend
