// SPDX-License-Identifier: Apache-2.0
/// \file
/// Invariants of loop IR and of scheduled kernels.
#pragma once

#include "core/kernel/kernel_program.h"
#include "core/kernel/loop_tree.h"

namespace cutaway::kernel {

/// First broken invariant, or nothing: ids in range and in order, ranks of accesses, dtypes of
/// bodies, variables in range, views inside their buffers.
std::optional<std::string> verify(const LoopProgram& program);

/// First broken invariant, or nothing: loops or a product, values defined once and before use and
/// at the level where they are used, reads and writes complete, every buffer that is read written
/// before by one kernel.
std::optional<std::string> verify(const KernelProgram& program);

/// First broken invariant, or nothing: every step at one place, values computed once, before and
/// where they are used, variables inside their loops, loops of the kind that their steps make them,
/// no scan and no conflict in loops that are shared, every element assigned by one store.
std::optional<std::string> verify(const LoopProgram& program, const LoopTree& tree);

} // namespace cutaway::kernel
