// SPDX-License-Identifier: Apache-2.0
/// \file
/// Loaded GPU kernels, and the few that the runtime makes for itself: strided copies, epilogues and
/// products that no library takes. They go through the same emitter as everything else.
#pragma once

#include "core/codegen/source.h"
#include "core/runtime/cuda_device.h"
#include "core/runtime/matmul.h"

namespace cutaway::runtime {

/// A kernel in the device's memory, ready to launch.
class CudaKernel {
public:
    /// Errors: environment error when the driver refuses the code.
    static base::Result<std::shared_ptr<CudaKernel>>
    load(CudaDevice& device, const codegen::KernelSource& source, const std::string& cubin);
    ~CudaKernel();
    CudaKernel(const CudaKernel&) = delete;
    CudaKernel& operator=(const CudaKernel&) = delete;

    /// \param arguments addresses of the arguments: every pointer, then the scratch
    base::Status launch(void** arguments) const {
        const CudaDriver& driver = device_.driver();
        CuResult status = driver.launch(function_, blocks_, 1, 1, threads_, 1, 1, sharedBytes_,
                                        device_.stream(), arguments, nullptr);
        if (status == 0) return {};
        return driver.check(status, "launch kernel " + name_);
    }
    int64_t scratchBytes() const { return scratchBytes_; }
    int64_t ticketBytes() const { return ticketBytes_; }

private:
    explicit CudaKernel(CudaDevice& device) : device_(device) {}
    CudaDevice& device_;
    CuModule module_ = nullptr;
    CuFunction function_ = nullptr;
    std::string name_;
    unsigned blocks_ = 1, threads_ = 1, sharedBytes_ = 0;
    int64_t scratchBytes_ = 0, ticketBytes_ = 0;
};
using CudaKernelPtr = std::shared_ptr<CudaKernel>;

/// Emits, compiles (or finds in the disk cache) and loads a program of one kernel.
base::Result<CudaKernelPtr> makeGenericKernel(CudaDevice& device,
                                              const kernel::KernelProgram& program);

/// Copies element by element; kernels are kept by dtypes, sizes and strides.
base::Status runStridedCopy(CudaDevice& device, const StridedBlock& to, const StridedBlock& from);

/// result = epilogues from number \p first on (result), in place. Arguments: the result, the
/// tensors of those AddTensor, the result. \param withBias starts with the specification's bias,
/// which then comes before the tensors. \param aligned all operands begin at multiples of 16 bytes
kernel::KernelProgram epilogueProgram(const MatmulSpec& spec, size_t first, bool withBias,
                                      bool aligned);
/// The whole product with its epilogues; arguments in the order of MatmulSpec::pointerCount().
kernel::KernelProgram matmulProgram(const MatmulSpec& spec);

} // namespace cutaway::runtime
