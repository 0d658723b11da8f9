// SPDX-License-Identifier: Apache-2.0
/// \file
/// Convolutions and their adjoints on the CPU.
#pragma once

#include "core/runtime/library_kernel.h"

namespace cutaway::runtime {

/// A tensor [batch or output channels, channels, spatial...] with plain numbers.
struct ConvolutionTensor {
    std::vector<int64_t> sizes, strides;
};

/// One of the three sums over image, weight and output that kernel::LibraryOp describes; the result
/// is one of the three tensors, the other two are the operands, image before weight before output.
struct ConvolutionSpec : ResultSpec {
    kernel::LibraryOp op = kernel::LibraryOp::Convolution;
    ConvolutionTensor image, weight, output;
    kernel::ConvolutionWindow window;
    /// The bias is one number for each channel of the result, next to each other.
    bool biasByChannel = false;

    size_t spatial() const { return image.sizes.size() - 2; }
    const ConvolutionTensor& target() const;
    /// The operands in the order of the pointers.
    const ConvolutionTensor& operand(int which) const;
    /// Multiplications and additions.
    double flops() const;
    bool isEmpty() const;
};

/// Plain loops for any dtype and any strides.
LibraryKernelPtr makeLoopConvolution(const ConvolutionSpec& spec);

/// oneDNN's convolution; null when it has no fast way for the case.
base::Result<LibraryKernelPtr> makeDnnlConvolution(const ConvolutionSpec& spec, int threads);
/// Whether oneDNN takes the case: the name of its implementation; empty when not.
std::string dnnlConvolutionName(const ConvolutionSpec& spec, int threads);

} // namespace cutaway::runtime
