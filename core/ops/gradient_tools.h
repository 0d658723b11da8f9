// SPDX-License-Identifier: Apache-2.0
/// \file
/// What gradient rules share. Internal to core/ops.
///
/// PyTorch computes the gradients of a call in alphabetical order of the argument names (its code
/// generator sorts them); rules keep that order so that joint graphs have the same node order.
#pragma once

#include "core/ops/formula.h"
#include "core/ops/rules.h"

namespace cutaway::ops {

using Gradients = std::vector<ir::NodeId>;
using GradOutputs = std::span<const ir::NodeId>;
using ir::Arg;
using ir::NodeId;

/// One application of a gradient rule: the forward call, its arguments, and the gradients so far.
/// The gradients' places are those of gradientTargets: one for each argument, or for each tensor of
/// a list.
class Vjp : public Operands {
public:
    Vjp(Builder& builder, NodeId forward, GradOutputs gradOutputs);

    Value result;             ///< the forward call itself
    Value grad;               ///< gradient of the first result
    std::vector<Value> grads; ///< of every result; those without gradient are not valid

    bool wants(size_t i) const;
    /// The gradient of place \p i; no node is added for it when nobody wants it.
    void set(size_t i, const Formula& gradient) {
        if (wants(i)) gradients_[i] = gradient;
    }
    /// Sums every gradient to its argument's sizes and converts it to its dtype, as PyTorch's
    /// engine does after each rule.
    Gradients finish();

private:
    std::vector<const NodeId*> targets_;
    Gradients gradients_;
};

/// A rule for a call of one differentiable argument, the first: Build(vjp) is its gradient.
template <auto Build> void vjpOfFirst(Vjp& v) {
    if (v.wants(0)) v.set(0, Build(v));
}
/// \p x as memory holds it: a kernel keeps 16 bits in float32 until it stores them, so that an element
/// is not the extreme that was found of it, unless both are rounded.
Value asStored(const Value& x);
/// \p x, copied where its rows do not follow each other in memory.
Formula inRows(const Value& x);
/// The results do not depend on the arguments' values, or are cut from them on purpose.
void noGradients(Vjp& v);

} // namespace cutaway::ops
