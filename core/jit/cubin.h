// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a GPU kernel takes of its multiprocessor, as the compiler wrote it into the cubin, and how
/// many of its threads fit there at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::jit {

struct KernelResources {
    std::string kernel;
    int registers = 0;  ///< a thread
    int stackBytes = 0; ///< a thread: what did not fit into registers
    int sharedBytes =
        0; ///< a block, known when it was compiled; from sm_90 on with the KiB that the
           ///< system takes
    int maxThreads = 0; ///< a block; 0: not said
};

/// Of every kernel of a cubin (an ELF file with NVIDIA's sections). Empty for anything else.
std::vector<KernelResources> kernelResources(std::string_view cubin);

/// How full a multiprocessor gets with blocks of the kernel (CUDA C++ Programming Guide, "Technical
/// Specifications per Compute Capability").
struct Occupancy {
    int blocks = 0;   ///< at once; 0: the architecture is not known, or none fits
    double share = 0; ///< of the warps that it can hold
    std::string
        limit; ///< what holds more blocks back: "registers", "shared memory", "warps", "blocks"
};
/// \param architecture "sm_90"
Occupancy occupancy(const KernelResources& kernel, int threads, std::string_view architecture);

/// "63 registers a thread, 68 bytes of shared memory; blocks of 256 threads: 4 a multiprocessor,
/// 50 % of its warps, held back by registers".
std::string resourcesText(const KernelResources& kernel, std::string_view architecture);

} // namespace cutaway::jit
