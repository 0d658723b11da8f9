// SPDX-License-Identifier: Apache-2.0
/// \file
/// A kernel's loops as a candidate for a GPU runs them: a tree that tells of every loop where it
/// runs, of every value in what scope it lives, and of what several loops need whether it waits or
/// is made again. The interpreter runs such a tree like any other; the emitter prints it.
///
/// Grid: iterations are shared among blocks, a contiguous share or every n-th. Block, Lane: among a
/// block's threads, or up to 32 of one warp. Without a place: one after the other in one thread.
/// From the places of the loops between an accumulator's start and its updates follows how partial
/// results meet: nothing in between is shared: in a register; Lane: shuffles; Block: shared memory;
/// Grid: scratch memory and the last block.
#pragma once

#include "core/schedule/cuda_plan.h"

namespace cutaway::schedule {

struct CudaLoops {
    CudaPlan plan; ///< how many of what; where sizes are symbols, at their hints
    kernel::LoopTree tree;
    // The plan's counts in every call, over size symbols.
    ir::Sym blocks{1};
    ir::Sym tiles{1}, splits{1}; ///< blocks along the columns and along the rows
    ir::Sym chunks{1};           ///< of a thread in one row of the tile
};

/// \param candidate of a CUDA template, checked.
CudaLoops cudaLoops(const kernel::KernelProgram& program, const kernel::Kernel& kernel,
                    const Candidate& candidate);

} // namespace cutaway::schedule
