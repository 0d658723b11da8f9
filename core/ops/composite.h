// SPDX-License-Identifier: Apache-2.0
/// \file
/// Operations that are nothing but a formula over others (ATen's CompositeImplicitAutograd, and
/// those of torch/_refs): result types, gradient and reference are those of the formula. What the
/// formula gives is compared with PyTorch's recorded values (tests/ops/test_ops_recorded).
#pragma once

#include "core/ops/formula.h"
#include "core/ops/rules.h"

namespace cutaway::ops {

using ir::Arg;
using ir::Shape;
using ir::Sym;
using ir::TensorType;

/// A record with the types, gradient and reference of \p build, which is decomposed before
/// differentiation. \p build reads its call's arguments and their types, not the call's own types.
OpDef composite(std::string_view schema, DecomposeRule build, Samples samples, OpDoc doc,
                Traits traits = {});
/// The same composite with a gradient rule of its own: one operation until autograd is done.
OpDef withGradient(VjpRule gradient, OpDef composite);
/// The types that the formula of a composite's call gives.
Result<Types> typesOfFormula(const OpCall& call);
/// Whether the record was made by composite().
bool isComposite(const OpDef& def);

/// Ends a composite's formula with a user error: "NAME: message".
[[noreturn]] void refuseCall(const Operands& x, std::string message, std::string hint = {},
                             ErrorClass as = ErrorClass::Runtime);
/// A rule's answer, or the end of the formula with its error.
template <class T> T orRefuse(Result<T> result);
[[noreturn]] void throwRefusal(base::Diagnostic error);

template <class T> T orRefuse(Result<T> result) {
    if (!result.ok()) throwRefusal(std::move(result.error()));
    return std::move(*result);
}

/// The wrapped dimension of argument \p i, for a tensor of \p rank dimensions.
size_t dimOf(const Operands& x, size_t i, size_t rank);
/// 0, 1, ..., count - 1 as int64.
Formula positions(Builder& b, const Sym& count, ir::Device device);
/// x[..., start:end, ...] without bounds that count from the end.
inline Formula sliced(const Formula& x, size_t dim, const Sym& start, const Sym& end) {
    return aten("slice.Tensor", x, dim, start, end, 1);
}
/// x with a dimension's positions replaced by x[..., index[k], ...]; negative ones count from the
/// end. \p index is a vector, or of several dimensions, which take the place of \p dim.
Formula picked(const Formula& x, size_t dim, const Formula& index);
/// The tensors of a list argument.
std::vector<Value> listOf(const Operands& x, size_t i);
/// y; the gradient of \p other, which it does not depend on, is zeros and not none.
Value flatIn(Builder& b, const Value& other, const Value& y);
/// Reduced by at::Reduction: 0 none, 1 mean, 2 sum.
Formula reducedLoss(const Formula& loss, int64_t reduction);
Sym productOf(std::span<const Sym> sizes);

} // namespace cutaway::ops
