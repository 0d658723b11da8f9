// SPDX-License-Identifier: Apache-2.0
/// \file
/// In which order the dimensions of tensors lie in memory, and what results make of it.
#pragma once

#include "core/ir/tensor_type.h"

#include <span>

namespace cutaway::ops {

/// Whether the elements fill a block of memory without gaps or overlaps, in whatever order; those
/// of an empty tensor do.
bool isDense(const ir::TensorType& type);

/// The dimensions of a dense type from the outermost in memory to the innermost; of any other type
/// as they are.
std::vector<size_t> memoryOrder(const ir::TensorType& type);

/// Whether dimension \p a has the smaller stride of two that are numbers.
bool liesWithin(const ir::TensorType& type, size_t a, size_t b);

/// Whether the channels lie innermost, as PyTorch's suggest_memory_format decides it for 3, 4 and 5
/// dimensions. Sizes but the batch's, and strides, that are symbols: no.
bool isChannelsLast(const ir::TensorType& type);

/// Strides of an elementwise result of \p sizes, as PyTorch's TensorIterator gives them: row-major
/// where the operands are, the operands' own where all have the same and are dense, else dense, in
/// the order of the first operand whose strides tell two dimensions apart.
ir::Shape elementwiseStrides(std::span<const ir::TensorType* const> operands,
                             const ir::Shape& sizes);

/// Strides of a new tensor like \p type (PyTorch: preserve_format): its own where it is dense, else
/// dense in its order.
ir::Shape stridesLike(const ir::TensorType& type);

} // namespace cutaway::ops
