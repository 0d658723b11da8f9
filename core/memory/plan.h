// SPDX-License-Identifier: Apache-2.0
/// \file
/// Offsets and lifetimes of every intermediate buffer in one arena.
#pragma once

#include "core/kernel/kernel_program.h"

#include <optional>
#include <string>
#include <vector>

namespace cutaway::memory {

/// Where a buffer that kernels read or write lives.
struct Placement {
    enum class Kind { Input, Constant, Output, Arena };
    kernel::BufferId buffer;
    Kind kind = Kind::Arena;
    int index = 0;      ///< input number, or number of the output allocation
    int64_t offset = 0; ///< Arena: bytes from its start, 64-byte aligned
    int64_t bytes = 0;
    int region = -1;     ///< Arena, sizes that are symbols: what part of it; else none
    int firstKernel = 0; ///< index of the kernel that writes it (-1: before the first)
    int lastKernel = 0;  ///< index of the last kernel that touches it
    std::string reason;  ///< "reuses the place of cos (dead after kernel 2)"
};

/// What a library call has for itself while it runs, beside the arena. Only who computes the call
/// knows: it follows from the algorithm, the threads and the processor, not from sizes alone.
struct Workspace {
    int kernel = 0; ///< the call
    int64_t bytes = 0;
    std::string of; ///< who computes it: "oneDNN"
};

struct MemoryPlan {
    int64_t arenaBytes = 0;
    int64_t unsharedBytes = 0;         ///< what the arena would be without reuse
    std::vector<Placement> placements; ///< one per buffer that is in memory, by BufferId
    int outputAllocations = 0;         ///< tensors allocated per call
    int regions = 0; ///< parts of the arena, each as large as the largest of its buffers
    /// Asked at the planned sizes; where they are symbols, the program asks again for every size
    /// that it is called with. One block serves all of them, one after the other.
    std::vector<Workspace> workspaces;

    const Placement* find(kernel::BufferId buffer) const;
};

/// Best-fit with lookahead over lifetimes (largest first). Outputs that are views of one buffer
/// share its allocation; an output that is an input stays that input. Where sizes are symbols, the
/// arena is cut into regions of buffers that are never needed together, which holds for all sizes;
/// bytes and offsets are those of the call that was captured.
MemoryPlan planMemory(const kernel::KernelProgram& program);
/// A plan of regions for other sizes. \param numbers the planned program with numbers for symbols
MemoryPlan planFor(const MemoryPlan& plan, const kernel::KernelProgram& numbers);

/// First broken invariant, or nothing: every buffer that a kernel touches or the caller gets has a
/// place, and two buffers of the arena that are needed at the same time do not share a byte.
std::optional<std::string> verify(const MemoryPlan& plan, const kernel::KernelProgram& program);

} // namespace cutaway::memory
