// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cuda_kernel.h"

namespace cutaway::runtime {

constexpr int kMaxDynamicShared = 8; // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES

base::Result<CudaKernelPtr> CudaKernel::load(CudaDevice& device,
                                             const codegen::KernelSource& source,
                                             const std::string& cubin) {
    const CudaDriver& driver = device.driver();
    device.activate();
    CudaKernelPtr kernel(new CudaKernel(device));
    kernel->name_ = source.entry;
    CUTAWAY_CHECK(driver.check(driver.moduleLoad(&kernel->module_, cubin.data()),
                               "load kernel " + source.entry));
    CUTAWAY_CHECK(driver.check(
        driver.moduleFunction(&kernel->function_, kernel->module_, source.entry.c_str()),
        "find kernel " + source.entry));
    kernel->blocks_ = static_cast<unsigned>(source.launch.blocks);
    kernel->threads_ = static_cast<unsigned>(source.launch.threads);
    kernel->sharedBytes_ = static_cast<unsigned>(source.launch.sharedBytes);
    kernel->scratchBytes_ = source.scratchBytes;
    kernel->ticketBytes_ = source.ticketBytes;
    if (kernel->sharedBytes_ > 0)
        CUTAWAY_CHECK(driver.check(driver.functionAttribute(kernel->function_, kMaxDynamicShared,
                                                            static_cast<int>(kernel->sharedBytes_)),
                                   "reserve shared memory for kernel " + source.entry));
    return kernel;
}

CudaKernel::~CudaKernel() {
    if (!module_) return;
    // Queued launches may still need the code.
    device_.activate();
    device_.driver().streamSynchronize(device_.stream());
    device_.driver().moduleUnload(module_);
}

} // namespace cutaway::runtime
