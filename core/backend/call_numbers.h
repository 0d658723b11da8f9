// SPDX-License-Identifier: Apache-2.0
/// \file
/// Numbers of an eager call that a kernel reads when it runs, as 0-dim tensors behind the call's
/// own: p.add_(g, alpha=-lr) keeps its kernel when lr changes.
#pragma once

#include "core/ops/op_def.h"
#include "core/runtime/tensor.h"

#include <span>
#include <vector>

namespace cutaway::backend {

/// Positions of the arguments that are numbers where the schema takes any: Scalar, or a number in
/// a Tensor's place. Sizes, dims and flags are not among them; they decide what the kernel is.
std::vector<size_t> numberArguments(const ops::OpDef& def, const ir::ArgList& args);

/// dtypes of the 0-dim tensors that may stand for numbers: a Python float is no float64 tensor for
/// type promotion, so the first is taken whose result has the type that the number's has.
struct NumberDTypes {
    ir::DType real, integer;
};
std::span<const NumberDTypes> numberDTypes();

/// \p args with their numbers rounded as the operation does that before it computes
/// (Traits::roundsNumbers); nothing where it does not.
std::optional<ir::ArgList> roundedNumbers(const ops::OpDef& def, const ir::ArgList& args,
                                          std::span<const runtime::TensorPtr> tensors);

/// \p args with NodeId(count), NodeId(count + 1) ... in the place of \p numbers.
ir::ArgList withInputs(ir::ArgList args, std::span<const size_t> numbers, size_t count);

/// \p tensors, and the numbers of \p args on \p device: the one where the call's kernel runs, which
/// is its results' (full takes no tensor that would tell).
base::Result<std::vector<runtime::TensorPtr>>
withNumbers(std::span<const runtime::TensorPtr> tensors, const ir::ArgList& args,
            std::span<const size_t> numbers, const NumberDTypes& dtypes, ir::Device device);

} // namespace cutaway::backend
