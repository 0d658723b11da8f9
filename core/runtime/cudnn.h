// SPDX-License-Identifier: Apache-2.0
/// \file
/// The functions of cuDNN that are used here, found at run time, and one of its convolutions.
#pragma once

#include "core/runtime/convolution.h"
#include "core/runtime/cuda_device.h"

namespace cutaway::runtime {

/// Why cuDNN cannot be used on this machine; empty when it can.
std::string whyNoCudnn();

/// A convolution, or an adjoint, with the library's algorithm for it.
class CudnnConvolution {
public:
    /// Null when the library does not take the case. \param aligned every pointer to 16 bytes
    /// \param endInside it computes bias, sum and relu where it can. Errors: environment error when
    /// the library is missing or fails.
    static base::Result<std::unique_ptr<CudnnConvolution>>
    make(CudaDevice& device, const ConvolutionSpec& spec, bool aligned, bool endInside);
    ~CudnnConvolution();
    CudnnConvolution(const CudnnConvolution&) = delete;
    CudnnConvolution& operator=(const CudnnConvolution&) = delete;
    /// Whether image and output have their channels side by side.
    bool isLast() const;
    /// What of the call's end it computes with the convolution: the bias, and how many epilogues.
    bool biasInside() const;
    size_t epiloguesInside() const;
    /// Bytes of memory that a run needs for itself.
    int64_t workspace() const;
    /// \param pointers of the call, \param memory likewise (LibraryKernel::run). Queued, not waited
    /// for.
    base::Status run(void* const* pointers, void* memory) const;

private:
    struct State;
    explicit CudnnConvolution(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace cutaway::runtime
