// SPDX-License-Identifier: Apache-2.0
/// \file
/// A compiled graph ready to run: a flat list of steps over a planned arena.
#pragma once

#include "core/codegen/source.h"
#include "core/jit/cpu_compiler.h"
#include "core/memory/plan.h"
#include "core/runtime/counters.h"
#include "core/runtime/team_watch.h"
#include "core/runtime/tensor.h"

#include <span>

namespace cutaway::runtime {

/// What one kernel was compiled to (CPU modules or CUDA binaries); library kernels have none.
struct CompiledKernel {
    codegen::KernelSource source;
    std::shared_ptr<jit::CpuModule> module; ///< CPU
    std::string cubin;                      ///< CUDA
    std::string provider = {}; ///< of a library call: who was asked for; empty: the best
};

/// Time of one kernel in one profiled call.
struct KernelTime {
    int kernel = 0; ///< index into the program's kernels
    double us = 0;
    std::vector<TeamPart> team = {}; ///< what each thread of a CPU did, from the kernel's begin on
    std::vector<Count> counts = {};  ///< on a CPU, while processCounters() count
};

/// Machine code of one kernel, as it lies in this process.
struct CodeInMemory {
    int kernel = 0; ///< index into the program's kernels; several may have the same code
    std::span<const std::byte> bytes;
    const codegen::KernelSource* source = nullptr; ///< what was compiled; lives with the executable
};

class Executable {
public:
    virtual ~Executable() = default;

    /// Runs once. Inputs must match the types the graph was compiled for (the guards' business).
    /// CUDA work is queued, not waited for. Nothing is allocated except outputs and the arena, both
    /// by the caching allocators (between calls the arena is another program's; one of less than 1 MiB
    /// on the CPU is kept). A call on a tiny CPU graph costs under a microsecond besides the kernels.
    /// Errors: environment error when memory runs out or the device reports one; user error for an
    /// index out of bounds or an integer divided by zero (on CUDA it comes from whatever next waits
    /// for the device: a copy to the host, synchronize()).
    /// \param symbols values of the size symbols, by index; none when every size is a constant. What
    /// depends on sizes is evaluated when they differ from the call before.
    virtual base::Result<std::vector<TensorPtr>> run(std::span<const TensorPtr> inputs,
                                                     std::span<const int64_t> symbols = {}) = 0;
    /// Runs once for inputs that the caller gives away: each is let go once the last kernel that
    /// reads it is through, and outputs are allocated where they are first written.
    virtual base::Result<std::vector<TensorPtr>> runGiven(std::vector<TensorPtr> inputs,
                                                          std::span<const int64_t> symbols = {}) {
        return run(inputs, symbols);
    }
    /// Runs once with every kernel timed by itself (device events on CUDA).
    virtual base::Result<std::vector<TensorPtr>> profile(std::span<const TensorPtr> inputs,
                                                         std::vector<KernelTime>& times,
                                                         std::span<const int64_t> symbols = {}) = 0;
    /// From now on calls that come with the same addresses again may be one launch of what was recorded
    /// before, where the device has such (CUDA graphs). Nothing where it has not.
    virtual void replayLaunches() {}
    /// The same machine code over another plan of memory, for looking at what kernels store.
    /// \param program this one's kernels, with outputs of its own
    virtual base::Result<std::shared_ptr<Executable>>
    replanned(std::shared_ptr<const kernel::KernelProgram> program,
              memory::MemoryPlan plan) const = 0;
    /// None of kernels that a library computes, or that run elsewhere.
    virtual std::vector<CodeInMemory> code() const { return {}; }
    virtual int launches() const = 0;
    virtual int64_t arenaBytes() const = 0;
};

} // namespace cutaway::runtime
