// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the texts of CUDA convolutions share. Private to this folder.
#pragma once

#include "core/runtime/cuda_convolution.h"

namespace cutaway::runtime {

/// The operation as a product [m, k] x [k, n] in every group.
struct ConvolutionExtents {
    int64_t m = 0, n = 0, k = 0;
};
ConvolutionExtents extentsOf(const ConvolutionSpec& spec);

/// Constants for sizes and strides; `number` and `index_t`.
std::string convolutionSizes(const ConvolutionSpec& spec);
/// float32 rounded to TF32, and a product of tensor cores.
std::string_view tf32Cells();
/// Where the operands and the result of a forward convolution, or of its adjoint towards the image,
/// have the elements of the product.
std::string_view convolutionPlaces(kernel::LibraryOp op);
/// Product of the sizes from dimension \p first on.
int64_t countFrom(const ConvolutionTensor& tensor, size_t first);
int64_t divideUp(int64_t a, int64_t b);

/// finished(): bias and epilogues of one sum, and the parameters they come by. Wants `wide`, which
/// turns a number of the tensors into a float.
std::string finishText(const ConvolutionSpec& spec);

/// The text for tensor cores of what convolutionPlaces() knows, with bias and epilogues inside.
/// \param aligned all pointers are multiples of 16 bytes
ConvolutionSources tiledConvolution(const ConvolutionSpec& spec, int multiprocessors, bool aligned);
/// The same of 16-bit numbers, all three operations: operands as they are, sums in float32.
ConvolutionSources halfConvolution(const ConvolutionSpec& spec, int multiprocessors, bool aligned);
/// One result a thread, where groups have a few channels.
ConvolutionSources directConvolution(const ConvolutionSpec& spec);

} // namespace cutaway::runtime
