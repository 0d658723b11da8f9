// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/options.h"

namespace cutaway::pipeline {

Toolchain::Toolchain(std::string cacheFolder)
    : cacheFolder_(std::move(cacheFolder)), host_(jit::hostCpu()),
      cpu_(jit::CpuCompiler::create()) {}

base::Result<jit::CudaCompiler*> Toolchain::cuda() {
    if (!cuda_) {
        CUTAWAY_TRY(cuda_, jit::CudaCompiler::create());
    }
    return cuda_.get();
}

} // namespace cutaway::pipeline
