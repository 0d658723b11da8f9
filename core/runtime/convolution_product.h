// SPDX-License-Identifier: Apache-2.0
/// \file
/// Convolutions of one tap, stride 1 and no padding as matrix products: every place of the image
/// gives one place of the output.
#pragma once

#include "core/runtime/convolution.h"
#include "core/runtime/matmul.h"

namespace cutaway::runtime {

struct ConvolutionProduct {
    MatmulSpec product;
    /// The product's operands are the call's in the other order.
    bool swapped = false;
};

/// Nothing when it has more than one tap or group, when places do not follow each other in memory
/// with one stride, when its bias or a summed tensor lies unlike the result, or when the sum of a
/// weight's gradient runs over places and images that are no single dimension.
std::optional<ConvolutionProduct> productOf(const ConvolutionSpec& spec);

/// The kernel of such a product for the convolution's pointers.
LibraryKernelPtr convolutionBy(const ConvolutionProduct& product, LibraryKernelPtr kernel);

} // namespace cutaway::runtime
