// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the files of the pools share. Internal to core/ops.
#pragma once

#include "core/ops/formula.h"
#include "core/ops/image_tools.h"
#include "core/ops/reference_tools.h"

#include <array>

namespace cutaway::ops {

/// How windows lie over the last two dimensions.
struct PoolWindow {
    std::array<int64_t, 2> taps, stride, padding, dilation;
    bool ceil = false;

    /// Windows along dimension \p d of \p size (PyTorch: pooling_output_shape_pad_lr).
    ir::Sym places(size_t d, const ir::Sym& size) const;
};

/// Of arguments self, kernel_size, stride, padding, then dilation and ceil_mode (max) or ceil_mode
/// (average), all \p shift places later.
PoolWindow poolWindow(const OpCall& call, bool isMax, size_t shift);

/// PyTorch's refusal of an image without elements, but for a batch of none (dimensions before
/// \p from); empty: it has some. \p name: of the function that PyTorch names.
std::string emptyImage(const OpCall& call, std::string_view name, size_t from = 1);

/// How windows lie over one dimension.
struct WindowNumbers {
    int64_t taps, stride, padding = 0, dilation = 1;
};
/// PyTorch's refusals of numbers of windows over two or three dimensions, but for what an image is;
/// empty: they are fine.
std::string unfitNumbers(std::span<const WindowNumbers> windows);
/// Of an image of \p sizes that gives \p places of them: the one that some dimension has none.
std::string unfitPlaces(const OpCall& call, const ir::Shape& sizes, const ir::Shape& places);

/// The averages of adaptive windows over two dimensions, whatever their lengths are, and the slopes
/// of what they average (window_pooling.cpp).
Results averagesOfWindows(const Operands& x);
Results slopesOfAverages(const Operands& x);

// Lowerings, as Indexed has them (pooling_loops.cpp). The backwards take grad_output, self and the
// arguments of the pool; of the largest elements their places, too: every place of the image looks
// through the windows that cover it.
ExprId buildMaxPool(ExprPool& pool, const OpCall& call, LoadArg& load,
                    std::span<const ir::Sym> coords);
ExprId buildPositions(ExprPool& pool, const OpCall& call, LoadArg& load,
                      std::span<const ir::Sym> coords);
ExprId buildMaxBackward(ExprPool& pool, const OpCall& call, LoadArg& load,
                        std::span<const ir::Sym> coords);
ExprId buildAvgPool(ExprPool& pool, const OpCall& call, LoadArg& load,
                    std::span<const ir::Sym> coords);
ExprId buildAvgBackward(ExprPool& pool, const OpCall& call, LoadArg& load,
                        std::span<const ir::Sym> coords);

// References: a walk over all taps that lie inside the image, in double.
Values maxPoolReference(const OpCall& call, Tensors tensors);
Values positionsReference(const OpCall& call, Tensors tensors);
Values withIndicesReference(const OpCall& call, Tensors tensors);
Values maxBackwardReference(const OpCall& call, Tensors tensors);
Values avgPoolReference(const OpCall& call, Tensors tensors);
Values avgBackwardReference(const OpCall& call, Tensors tensors);
Values adaptiveReference(const OpCall& call, Tensors tensors);

} // namespace cutaway::ops
