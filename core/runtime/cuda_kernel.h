// SPDX-License-Identifier: Apache-2.0
/// \file
/// A loaded GPU kernel. Private to this folder.
#pragma once

#include "core/codegen/source.h"
#include "core/runtime/cuda_device.h"

namespace cutaway::runtime {

/// Machine code in the device's memory.
class CudaModule {
public:
    /// \param name for messages. Errors: environment error when the driver refuses the code.
    static base::Result<std::shared_ptr<CudaModule>>
    load(CudaDevice& device, const std::string& name, const std::string& cubin);
    ~CudaModule();
    CudaModule(const CudaModule&) = delete;
    CudaModule& operator=(const CudaModule&) = delete;
    CudaDevice& device() const { return device_; }
    CuModule handle() const { return module_; }

private:
    explicit CudaModule(CudaDevice& device) : device_(device) {}
    CudaDevice& device_;
    CuModule module_ = nullptr;
};
using CudaModulePtr = std::shared_ptr<CudaModule>;

/// A kernel in the device's memory, ready to launch.
class CudaKernel {
public:
    /// \param module may be shared by kernels of one text. Errors: environment error when the
    /// driver refuses the code.
    static base::Result<std::shared_ptr<CudaKernel>> load(const codegen::KernelSource& source,
                                                          CudaModulePtr module);

    /// \param arguments addresses of the arguments: every pointer, then the scratch
    base::Status launch(void** arguments) const { return launch(arguments, blocks_); }
    /// \param blocks of this call, where they depend on sizes
    base::Status launch(void** arguments, unsigned blocks) const {
        const CudaDriver& driver = device_.driver();
        CuResult status = driver.launch(function_, blocks, 1, 1, threads_, 1, 1, sharedBytes_,
                                        device_.stream(), arguments, nullptr);
        if (status == 0) return {};
        return driver.check(status, "launch kernel " + name_);
    }

private:
    explicit CudaKernel(CudaModulePtr module)
        : module_(std::move(module)), device_(module_->device()) {}
    CudaModulePtr module_;
    CudaDevice& device_;
    CuFunction function_ = nullptr;
    std::string name_;
    unsigned blocks_ = 1, threads_ = 1, sharedBytes_ = 0;
};
using CudaKernelPtr = std::shared_ptr<CudaKernel>;

} // namespace cutaway::runtime
