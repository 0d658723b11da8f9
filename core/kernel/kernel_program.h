// SPDX-License-Identifier: Apache-2.0
/// \file
/// What fusion makes of the loop IR: kernels in launch order, each a tree of loops or a library's
/// call. How its loops run on a device is a schedule's matter (core/schedule).
#pragma once

#include "core/kernel/loop_program.h"
#include "core/kernel/loop_tree.h"

namespace cutaway::kernel {

using KernelId = base::Id<struct KernelTag>;

/// One launch.
struct Kernel {
    KernelId id;
    std::string name; ///< "fused_cos_cos_1": valid C identifier, unique in the program
    ir::Device device;
    std::vector<BufferId> members; ///< buffers computed here, in order
    std::vector<BufferId> reads;   ///< buffers read from memory: first arguments of the function
    std::vector<BufferId> writes;  ///< buffers written to memory: next arguments
    /// Exactly one of the two.
    std::optional<LoopTree> tree;
    std::optional<LibraryCall> call;
    /// Where a pass over a row of `tree` is several loops, the same with one loop that divides its
    /// index (nest.h): of rows x passes, and what threads that share all elements of a row run.
    std::optional<LoopTree> oneLoop;
    bool aligned = true;              ///< every buffer begins at a multiple of 16 bytes
    std::vector<std::string> reasons; ///< why these loops, in words
    int64_t bytesRead = 0, bytesWritten = 0;
    double flops = 0;

    /// Loops, which generated code runs; not a library's call.
    bool hasCode() const { return tree.has_value(); }
    /// The tree that has the form of rows x passes, if any has (row_tree.h).
    const LoopTree& rows() const { return oneLoop ? *oneLoop : *tree; }
};

/// Why two buffers share a kernel, or do not.
struct FusionDecision {
    BufferId a, b;
    bool fused = false;
    std::string rule;       ///< short name: "same loops", "needs all rows", "library call"
    std::string reason;     ///< in words, with numbers
    int64_t bytesSaved = 0; ///< of the one value that the two share
};

/// A graph's kernels in launch order.
struct KernelProgram {
    LoopProgram loops;
    std::vector<Kernel> kernels;
    std::vector<FusionDecision> decisions;

    /// Bytes that the kernels of one call read from and write to memory.
    int64_t bytesMoved() const {
        int64_t sum = 0;
        for (const Kernel& kernel : kernels)
            sum += kernel.bytesRead + kernel.bytesWritten;
        return sum;
    }
};

/// True when a value that the kernel computes is checked (LoopProgram::checks).
bool makesChecks(const KernelProgram& program, const Kernel& kernel);

} // namespace cutaway::kernel
