// SPDX-License-Identifier: Apache-2.0
/// \file
/// Generated text of one kernel: what is shown and exported, and under canonical names what is
/// compiled (canonical.h).
#pragma once

#include "core/schedule/schedule.h"

#include <string>
#include <vector>

namespace cutaway::codegen {

/// A line of the text (1-based) and the buffers whose computation it is part of.
struct LineOrigin {
    int line = 0;
    std::vector<kernel::BufferId> buffers;
};

struct CudaLaunch {
    ir::Sym blocks{1}; ///< over the size arguments; 0 is 1
    int threads = 256;
    int64_t sharedBytes = 0;
};

/// How to call: C++ text defines
///     extern "C" void ENTRY(void* const* buffers, void* scratch, long threads)
/// with buffers = the kernel's reads, then its writes, then (with checks) the fault words, then
/// (with size arguments) an array of 64-bit integers, one for each; scratch of scratchBytes
/// (64-byte aligned). CUDA text defines
///     extern "C" __global__ void ENTRY(reads..., writes..., [long long size, ...]
///                                      [long long* faults,] void* scratch)
/// where the first ticketBytes of scratch are zero on entry and left zero on exit.
///
/// Fault words are 64-bit integers, one more than the program has checks, all zero before a call. A
/// value that does not meet check k is written to word k + 1, and k + 1 to word 0; the first ones
/// stay. Whoever calls looks at word 0 when the call is over; the results are made up if it is set.
struct KernelSource {
    std::string entry;
    std::string text;
    std::vector<LineOrigin> lines;
    int preludeLines = 0; ///< leading lines of the text that come from the prelude
    /// Per call, over the size arguments; on the CPU for the given number of threads.
    ir::Sym scratchBytes{0};
    std::vector<ir::Var> sizeArguments; ///< size symbols whose values the text is given
    bool checks = false;                ///< takes fault words
    ir::Sym ticketBytes{0}; ///< CUDA: leading bytes that must be zero before the first launch
    CudaLaunch launch;      ///< CUDA only
};

/// C++20 with OpenMP pragmas and vector types; includes nothing: the prelude's text comes first.
/// \param how a candidate of a CPU template; scratch is sized for its threads
KernelSource emitCpp(const kernel::KernelProgram& program, const kernel::Kernel& kernel,
                     const schedule::Candidate& how);

/// CUDA C++ for NVRTC (no headers). \param how a candidate of a CUDA template
KernelSource emitCuda(const kernel::KernelProgram& program, const kernel::Kernel& kernel,
                      const schedule::Candidate& how);

/// The text that generated C++ / CUDA begins with (resources/kernel_headers). The emitters put it
/// before the kernel (for C++, the sections of it that the kernel uses); line numbers of
/// KernelSource::lines count it in.
std::string_view cppPrelude();
std::string_view cudaPrelude();
/// The sections of special_functions.h that \p text names ("special::digamma"), C++ and CUDA; none
/// when it names none.
std::string specialFunctions(std::string_view text);

} // namespace cutaway::codegen
