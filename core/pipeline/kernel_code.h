// SPDX-License-Identifier: Apache-2.0
/// \file
/// The texts of a program's kernels, and their machine code: kernels that differ in names only are
/// compiled once.
#pragma once

#include "core/pipeline/options.h"
#include "core/runtime/target.h"

namespace cutaway::pipeline {

/// One of everything for each kernel of a program; library calls have empty texts.
struct KernelCode {
    std::vector<codegen::KernelSource> shown;    ///< under the graph's names
    std::vector<codegen::KernelSource> compiled; ///< the same under canonical names
    std::vector<size_t> sameAs; ///< the first kernel that has the same compiled text
};
/// \param schedules one a kernel. Kernels are the same where loops and schedules are.
KernelCode emitKernels(const kernel::KernelProgram& program,
                       const std::vector<schedule::Schedule>& schedules,
                       const runtime::Target& target);

/// \param graphName for progress. Errors: the target's, of the first kernel that has one.
base::Result<std::vector<runtime::CompiledKernel>>
compileKernels(const KernelCode& code, runtime::Target& target, const runtime::TargetDevice& device,
               const std::string& cacheFolder, const std::string& graphName, const Options& how);

} // namespace cutaway::pipeline
