// SPDX-License-Identifier: Apache-2.0
/// \file
/// Kernels under names that say nothing of the graph they come from. What is compiled is emitted
/// under these, so that kernels which differ in names only have one text, one object in the cache
/// and one compilation; what is shown is emitted by the same emitter under the graph's names, line
/// by line the same.
#pragma once

#include "core/kernel/kernel_program.h"

namespace cutaway::codegen {

class CanonicalNames {
public:
    /// Copies the program's buffers and expressions, once for all its kernels.
    explicit CanonicalNames(const kernel::KernelProgram& program);

    /// The kernel called "kernel", its values v0, v1, ... and its buffers b0, b1, ... in the order
    /// of its arguments; belongs to program() until the next call.
    kernel::Kernel rename(const kernel::Kernel& kernel);
    const kernel::KernelProgram& program() const { return program_; }

private:
    kernel::KernelProgram program_; ///< without kernels and decisions
};

} // namespace cutaway::codegen
