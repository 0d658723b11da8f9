// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cuda_kernel.h"

namespace cutaway::runtime {

constexpr int kMaxDynamicShared = 8; // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES

base::Result<CudaModulePtr> CudaModule::load(CudaDevice& device, const std::string& name,
                                             const std::string& cubin) {
    device.activate();
    CudaModulePtr module(new CudaModule(device));
    const CudaDriver& driver = device.driver();
    CUTAWAY_CHECK(
        driver.check(driver.moduleLoad(&module->module_, cubin.data()), "load kernel " + name));
    return module;
}

CudaModule::~CudaModule() {
    if (!module_) return;
    // Queued launches may still need the code.
    device_.activate();
    device_.driver().streamSynchronize(device_.stream());
    device_.driver().moduleUnload(module_);
}

base::Result<CudaKernelPtr> CudaKernel::load(const codegen::KernelSource& source,
                                             CudaModulePtr module) {
    CudaKernelPtr kernel(new CudaKernel(std::move(module)));
    const CudaDriver& driver = kernel->device_.driver();
    kernel->device_.activate();
    kernel->name_ = source.entry;
    CUTAWAY_CHECK(driver.check(
        driver.moduleFunction(&kernel->function_, kernel->module_->handle(), source.entry.c_str()),
        "find kernel " + source.entry));
    if (source.launch.blocks.isConst())
        kernel->blocks_ = static_cast<unsigned>(source.launch.blocks.constant());
    kernel->threads_ = static_cast<unsigned>(source.launch.threads);
    kernel->sharedBytes_ = static_cast<unsigned>(source.launch.sharedBytes);
    if (kernel->sharedBytes_ > 0)
        CUTAWAY_CHECK(driver.check(driver.functionAttribute(kernel->function_, kMaxDynamicShared,
                                                            static_cast<int>(kernel->sharedBytes_)),
                                   "reserve shared memory for kernel " + source.entry));
    return kernel;
}

} // namespace cutaway::runtime
