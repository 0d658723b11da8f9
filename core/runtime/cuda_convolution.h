// SPDX-License-Identifier: Apache-2.0
/// \file
/// Convolutions on CUDA: cuDNN's, or a kernel of our own where it is missing or refuses; bias and
/// epilogues are a small generated kernel behind either. float32 is computed in full precision: no
/// TF32, which PyTorch allows cuDNN by default.
#pragma once

#include "core/runtime/convolution.h"
#include "core/runtime/cuda_generic.h"

namespace cutaway::runtime {

/// Null when cuDNN does not take the case.
base::Result<LibraryKernelPtr> makeCudnnConvolution(CudaDevice& device,
                                                    const ConvolutionSpec& spec);
base::Result<LibraryKernelPtr> makeGeneratedConvolution(CudaDevice& device,
                                                        const ConvolutionSpec& spec);

/// CUDA text of the operation alone: an implicit matrix product over tiles in shared memory.
codegen::KernelSource convolutionSource(const ConvolutionSpec& spec);

} // namespace cutaway::runtime
