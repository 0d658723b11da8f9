// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cuda.h"
#include "core/runtime/device.h"
#include "core/runtime/executable_internal.h"

#include <fmt/format.h>

namespace cutaway::runtime {

base::Result<CudaDeviceInfo> cudaDevice(int index) {
    return base::environmentError(
        fmt::format("no CUDA device {}: this build runs on the CPU only", index),
        "move the tensors to \"cpu\"");
}

base::Result<DeviceBackend*> cudaBackend(int index) {
    return cudaDevice(index).error();
}

std::vector<DeviceBackend*> openCudaBackends() {
    return {};
}

base::Result<std::shared_ptr<Executable>> makeCudaExecutable(ProgramPtr program, memory::MemoryPlan,
                                                             std::vector<CompiledKernel>) {
    return cudaDevice(deviceOf(*program).index).error();
}

} // namespace cutaway::runtime
