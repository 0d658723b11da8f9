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
/// Calls of scripts that PyTorch's kernels refuse although formulas of this catalogue take them
/// (and use them), by the dtypes of all tensors of the call.
enum class Refuses : uint8_t {
    Nothing,
    Bools,
    SeveralBools, ///< bools, where there is more than one tensor
    WholeNumbers  ///< integers and bools
};
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
    /// A Python number behind the tensors is rounded to their dtype of 16 bits on the CPU; one before
    /// them is for every operation.
    bool holdsNumbers = false;
    /// Numbers may stand where its schema wants tensors (should_allow_numbers_as_tensors).
    bool numbersAsTensors = false;
    /// Functions that torch/functional.py gives their tensors one by one: torch.meshgrid(x, y).
    bool spreadTensors = false;
    Refuses refuses = Refuses::Nothing;
    /// Its numbers jump where an operand passes one: kernels round operands of 16 bits to what memory
    /// would hold before. (Truth values and integers jump in any case.)
    bool jumps = false;
    /// Its gradient is computed of no operand's elements.
    bool savesNothing = false;
    /// What PyTorch's tape saves of a call (derivatives.yaml) beside what the gradient's formula here
    /// reads: names of tensor arguments, and "result" for all of them. backward() refuses a write to it
    /// in place all the same.
    std::string_view saves = {};
    /// Changing its operand in place, it saves the result alone for its gradient
    /// (derivatives.yaml).
    bool savesResult = false;
    /// Its results are views of one step of the tape (CreationMeta::MULTI_OUTPUT_NODE).
    bool jointViews = false;
    /// A view where the strides allow one, else a copy: reshape.
    bool mayCopy = false;
    /// Takes producers of any kind into its kernel, and goes into none itself: cat.
    bool takesProducers = false;
    Recompute recompute =
        Recompute::ByKind; ///< ByKind: pointwise, indexed, reductions and views yes; products no
    /// floating-point operations per output element (matrix products: derived)
    double flops = 1;
    std::optional<IndexArgument> index = std::nullopt;
};

} // namespace cutaway::ops
