// SPDX-License-Identifier: Apache-2.0
/// \file
/// Convolutions on CUDA: cuDNN's, or a kernel of our own where it is missing, refuses or is slower.
/// Both round float32 to TF32 where that is allowed (precision.h) and read 16-bit numbers as they are,
/// and take bias and epilogues with them then; else these are a small generated kernel behind.
#pragma once

#include "core/runtime/convolution.h"
#include "core/runtime/cuda_generic.h"

namespace cutaway::runtime {

/// Null when cuDNN does not take the case. \param aligned all pointers of the call will be multiples
/// of 16 bytes \param endInside cuDNN computes bias, sum and relu where it can
base::Result<LibraryKernelPtr> makeCudnnConvolution(CudaDevice& device, const ConvolutionSpec& spec,
                                                    bool aligned, bool endInside);
base::Result<LibraryKernelPtr> makeGeneratedConvolution(CudaDevice& device,
                                                        const ConvolutionSpec& spec, bool aligned);

/// CUDA texts: an implicit matrix product over tiles in shared memory, on tensor cores where numbers
/// have 16 bits or may be rounded to TF32.
struct ConvolutionSources {
    /// An operand as the product wants it.
    struct Copy {
        size_t operand = 0;
        codegen::KernelSource source; ///< takes the operand and the copy
        int64_t bytes = 0;
    };
    std::vector<Copy> copies;
    codegen::KernelSource product; ///< takes both operands, the result, the parts
    codegen::KernelSource sum;     ///< of the parts, which it takes with the result; or no text
    int64_t partBytes = 0;         ///< of results over parts of the sums; 0: there is one
    /// Whoever writes the result takes bias and tensors as further arguments and applies them and
    /// the epilogues; else the operation alone is computed.
    bool finishes = false;
};
/// Whether groups have so few channels that a thread computes one result by itself.
bool isDirectConvolution(const ConvolutionSpec& spec);
ConvolutionSources convolutionSources(const ConvolutionSpec& spec, bool tf32, int multiprocessors,
                                      bool aligned);

} // namespace cutaway::runtime
