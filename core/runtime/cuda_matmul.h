// SPDX-License-Identifier: Apache-2.0
/// \file
/// Matrix products on CUDA: cuBLASLt with its epilogues, a small generated kernel behind it for
/// what those do not take, a generated kernel alone for dtypes that it does not know.
#pragma once

#include "core/runtime/cuda_generic.h"

namespace cutaway::runtime {

/// One product, prepared for its sizes. Not for two threads at once.
class CudaMatmul {
public:
    virtual ~CudaMatmul() = default;
    /// \param pointers in the order of MatmulSpec::pointerCount(). Queued, not waited for.
    virtual base::Status run(void* const* pointers) = 0;
    virtual std::string implementation() const = 0; ///< "cuBLASLt, bias and relu inside"
};

/// \param offsets of the pointers in bytes from a 256-byte aligned address
base::Result<std::unique_ptr<CudaMatmul>> makeCudaMatmul(CudaDevice& device, const MatmulSpec& spec,
                                                         const std::vector<int64_t>& offsets);

} // namespace cutaway::runtime
