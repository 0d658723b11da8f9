// SPDX-License-Identifier: Apache-2.0
/// \file
/// The few kernels that the runtime makes for itself: strided copies, epilogues and products that
/// no library takes. They go through the same target as everything else.
#pragma once

#include "core/runtime/cuda_kernel.h"
#include "core/runtime/device.h"
#include "core/runtime/matmul.h"

#include <span>

namespace cutaway::runtime {

/// Compiles texts side by side (or finds them in the disk cache) and loads them; same order.
base::Result<std::vector<CudaModulePtr>>
loadModules(CudaDevice& device, std::span<const codegen::KernelSource> sources);
base::Result<CudaModulePtr> loadModule(CudaDevice& device, const codegen::KernelSource& source);
/// The same and the kernel of each.
base::Result<std::vector<CudaKernelPtr>>
loadSources(CudaDevice& device, std::span<const codegen::KernelSource> sources);
/// The same for one text.
base::Result<CudaKernelPtr> loadSource(CudaDevice& device, const codegen::KernelSource& source);
/// The same for a program of one kernel.
base::Result<CudaKernelPtr> makeGenericKernel(CudaDevice& device,
                                              const kernel::KernelProgram& program);

/// Copies element by element; kernels are kept by dtypes, sizes and strides.
base::Status runStridedCopy(CudaDevice& device, const StridedBlock& to, const StridedBlock& from);

/// result = epilogues from number \p first on (result), in place. Arguments: the result, the
/// tensors of those AddTensor, the result. \param withBias starts with the specification's bias,
/// which then comes before the tensors. \param aligned all operands begin at multiples of 16 bytes
kernel::KernelProgram epilogueProgram(const ResultSpec& spec, size_t first, bool withBias,
                                      bool aligned);
/// Launches a kernel of epilogueProgram(). \param pointers of the call (LibraryKernel::run)
base::Status launchEpilogues(const CudaKernel& kernel, const ResultSpec& spec, size_t first,
                             bool withBias, void* const* pointers);
/// The whole product with its epilogues; arguments in the order of ResultSpec::pointerCount().
kernel::KernelProgram matmulProgram(const MatmulSpec& spec);

} // namespace cutaway::runtime
