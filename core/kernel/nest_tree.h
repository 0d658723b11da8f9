// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rows x inner loop, the commonest schedule, as a tree.
#pragma once

#include "core/kernel/loop_nest.h"
#include "core/kernel/loop_tree.h"

namespace cutaway::kernel {

/// Where a nest's loops run, as a schedule says.
struct NestPlaces {
    bool threads = false; ///< the rows, or one long inner loop, are shared among threads
    int lanes = 0;        ///< of the inner loops; 0: not said
};

/// The same statements in the same order: sums across rows start before the rows, sums of a row
/// before their loop, and what runs after all rows stands after them. Locals keep their ids.
LoopTree treeOf(const LoopProgram& program, const LoopNest& nest, const NestPlaces& places = {});

/// The kernel's own tree, or its nest's. Only for kernels that have code.
LoopTree treeOf(const LoopProgram& program, const Kernel& kernel);

} // namespace cutaway::kernel
