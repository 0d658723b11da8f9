// SPDX-License-Identifier: Apache-2.0
/// \file
/// What an operation's record says in words and flags beside its rules.
#pragma once

#include "core/base/diagnostic.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace cutaway::ops {

/// What an operation is for; a family file is of one category, or a few.
enum class Category : uint8_t {
    Elementwise,
    Comparison,
    Selection,
    Reduction,
    Statistics,
    View,
    Joining,
    MatrixProduct,
    LinearAlgebra,
    Convolution,
    Pooling,
    Normalization,
    Softmax,
    Activation,
    Loss,
    Attention,
    Indexing,
    Factory,
    Conversion,
    Random
};
std::string_view name(Category category);

/// How the partitioner may treat the operation (PyTorch: _functorch/partitioners.py, OpTypes).
enum class Recompute { ByKind, Yes, No };
/// An argument whose integers are positions in a dimension of another one. Every target asks them
/// to lie inside it and gives the same message: "gather: index 7 is out of bounds for dimension 1
/// with size 5". OpCall::inside is what asks.
struct IndexArgument {
    size_t argument;
    std::string_view word = "index"; ///< in the message
    base::ErrorClass outside = base::ErrorClass::Index;
};
/// What a random operation draws.
enum class Distribution : uint8_t { None, Uniform, Normal, Integer };
struct Traits {
    bool commutative = false;
    Distribution distribution = Distribution::None;
    bool computeIntensive = false;
    bool view = false; ///< a view whose lowering is a decomposition into views (split)
    /// Only the first result has a gradient: the others are statistics saved for the backward.
    bool oneGradient = false;
    /// Reads types of its tensors, never their elements: zeros_like.
    bool ignoresValues = false;
    /// Python numbers are rounded to a result of 16 bits before they are used, on the CPU, where
    /// others compute with the number itself (PyTorch: the ufuncs, which TensorIterator converts for).
    bool roundsNumbers = false;
    /// Takes producers of any kind into its kernel, and goes into none itself: cat.
    bool takesProducers = false;
    Recompute recompute =
        Recompute::ByKind; ///< ByKind: pointwise, indexed, reductions and views yes; products no
    /// floating-point operations per output element (matrix products: derived)
    double flops = 1;
    std::optional<IndexArgument> index = std::nullopt;
};

} // namespace cutaway::ops
