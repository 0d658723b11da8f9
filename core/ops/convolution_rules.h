// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the files of the convolutions share. Internal to core/ops.
#pragma once

#include "core/ops/reference_tools.h"
#include "core/ops/rules.h"

namespace cutaway::ops {

/// Positions of aten::convolution's arguments from the stride on; convolution_backward has the same
/// from `kBackward` places later.
enum : size_t { kStride = 3, kPadding, kDilation, kTransposed, kOutputPadding, kGroups };
constexpr size_t kBackward = 1;

/// spatialList(), as convolutions refuse others.
Result<std::vector<ir::Sym>> convolvedList(const OpCall& call, size_t arg, size_t count);

/// aten::convolution's own rule; messages have the name of \p call's operation.
Result<Types> convolutionShape(const OpCall& call);

/// conv1d .. conv3d, with numbers or a word for the padding, and conv_transpose1d .. 3d.
void addConvolutionWrappers(std::vector<OpDef>& ops);

// References: one walk over all products of the three tensors' elements, in double.
Values convolutionReference(const OpCall& call, Tensors tensors);
Values convolutionBackwardReference(const OpCall& call, Tensors tensors);
Values convolutionImageReference(const OpCall& call, Tensors tensors);
Values convolutionWeightReference(const OpCall& call, Tensors tensors);

} // namespace cutaway::ops
