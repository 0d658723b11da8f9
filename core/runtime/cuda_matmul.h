// SPDX-License-Identifier: Apache-2.0
/// \file
/// Matrix products on CUDA: cuBLASLt with its epilogues, a small generated kernel behind it for
/// what those do not take, a generated kernel alone for dtypes that it does not know.
#pragma once

#include "core/runtime/cuda_generic.h"

namespace cutaway::runtime {

/// Null when the library does not take the product. \param offsets of the pointers in bytes from a
/// 256-byte aligned address. \param tf32 float32 operands may be rounded to it. Errors: environment error when the library is missing.
base::Result<LibraryKernelPtr> makeLtMatmul(CudaDevice& device, const MatmulSpec& spec,
                                            const std::vector<int64_t>& offsets, bool tf32);
base::Result<LibraryKernelPtr> makeGeneratedMatmul(CudaDevice& device, const MatmulSpec& spec);

} // namespace cutaway::runtime
