// SPDX-License-Identifier: Apache-2.0
/// \file
/// Programs compiled for the GPU of this machine by the schedules that a test wants. For tests only.
#pragma once

#include "case_run.h"

#include "core/jit/cuda_compiler.h"
#include "core/runtime/cuda.h"
#include "tests/support/schedules.h"

namespace cutaway::testing {

class Gpu {
public:
    ir::Device device{ir::Device::Kind::Cuda, 0};
    schedule::DeviceModel model;

    /// Errors: why there is no GPU to run on.
    static base::Result<Gpu> open() {
        CUTAWAY_TRY(const runtime::CudaDeviceInfo info, runtime::cudaDevice(0));
        CUTAWAY_TRY(std::shared_ptr<jit::CudaCompiler> compiler, jit::CudaCompiler::create());
        return Gpu(info, std::move(compiler));
    }

    /// \p c, ready to run, every kernel by its schedule in \p schedules.
    std::shared_ptr<runtime::Executable>
    executable(const CudaProgram& c, const std::vector<schedule::Schedule>& schedules) const {
        std::vector<runtime::CompiledKernel> kernels(schedules.size());
        for (size_t i = 0; i < kernels.size(); ++i) {
            if (schedules[i].taken < 0) continue;
            kernels[i].source =
                sourceBy(*c.program, c.program->kernels[i], schedules[i], device.kind);
            kernels[i].cubin = take(compiler_->compile(kernels[i].source.entry,
                                                       kernels[i].source.text, architecture_, ""))
                                   .cubin;
        }
        return take(runtime::targetRow(device.kind)
                        .create()
                        ->load(c.program, memory::planMemory(*c.program), std::move(kernels)));
    }

private:
    Gpu(const runtime::CudaDeviceInfo& info, std::shared_ptr<jit::CudaCompiler> compiler)
        : model(schedule::cudaModel(info.multiprocessors, info.l2Bytes)),
          architecture_(info.architecture), compiler_(std::move(compiler)) {}

    std::string architecture_;
    std::shared_ptr<jit::CudaCompiler> compiler_;
};

} // namespace cutaway::testing
