// SPDX-License-Identifier: Apache-2.0
/// \file
/// Convolutions on CUDA: cuDNN's, or a kernel of our own where it is missing or refuses; bias and
/// epilogues are a small generated kernel behind either. Both round float32 to TF32 where that is
/// allowed (precision.h).
#pragma once

#include "core/runtime/convolution.h"
#include "core/runtime/cuda_generic.h"

namespace cutaway::runtime {

/// Null when cuDNN does not take the case.
base::Result<LibraryKernelPtr> makeCudnnConvolution(CudaDevice& device,
                                                    const ConvolutionSpec& spec);
base::Result<LibraryKernelPtr> makeGeneratedConvolution(CudaDevice& device,
                                                        const ConvolutionSpec& spec);

/// CUDA texts of the operation alone: an implicit matrix product over tiles in shared memory, on
/// tensor cores where float32 may be rounded to TF32.
struct ConvolutionSources {
    codegen::KernelSource product; ///< takes both operands, the result, the parts
    codegen::KernelSource sum;     ///< of the parts, which it takes with the result; or no text
    int64_t partBytes = 0;         ///< of results over parts of the sums; 0: there is one
};
ConvolutionSources convolutionSources(const ConvolutionSpec& spec, bool tf32, int multiprocessors);

} // namespace cutaway::runtime
