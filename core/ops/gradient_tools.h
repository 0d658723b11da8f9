// SPDX-License-Identifier: Apache-2.0
/// \file
/// What gradient rules share. Internal to core/ops.
///
/// PyTorch computes the gradients of a call in alphabetical order of the argument names (its code
/// generator sorts them); rules keep that order so that joint graphs have the same node order.
#pragma once

#include "core/ops/builder.h"
#include "core/ops/rules.h"

namespace cutaway::ops {

using Gradients = std::vector<ir::NodeId>;
using GradOutputs = std::span<const ir::NodeId>;
using ir::Arg;
using ir::NodeId;

/// One application of a gradient rule: the forward call, its arguments, and the gradients so far.
class Vjp {
public:
    Vjp(Builder& builder, NodeId forward, GradOutputs gradOutputs)
        : b(builder), result(forward), node_(builder.graph().node(forward)),
          grad(gradOutputs.empty() ? NodeId{} : gradOutputs[0]), gradients_(node_.args.size()) {}

    Builder& b;
    NodeId result; ///< the forward call itself

private:
    const ir::Node& node_;

public:
    NodeId grad; ///< gradient of the first result

    const ir::ArgList& args() const { return node_.args; }
    const Arg& arg(size_t i) const { return node_.args[i]; }
    NodeId tensor(size_t i) const { return *node_.args[i].node(); }
    const ir::TensorType& type(size_t i) const { return b.type(tensor(i)); }
    /// The view of the call that shape rules use.
    OpCall call() const { return OpCall(*catalogue().find(node_.op), node_.args, b.graph()); }
    double real(size_t i) const { return call().real(i); }

    bool wants(size_t i) const {
        if (!grad.valid() || !node_.args[i].node()) return false;
        NodeId id = tensor(i);
        return ir::isFloating(b.type(id).dtype) && (!b.wantsGradient || b.wantsGradient(id));
    }
    void set(size_t i, NodeId gradient) { gradients_[i] = gradient; }
    /// Sums every gradient to its argument's sizes and converts it to its dtype, as PyTorch's
    /// engine does after each rule.
    Gradients finish() {
        for (size_t i = 0; i < gradients_.size(); ++i) {
            if (!gradients_[i].valid()) continue;
            const ir::TensorType want = type(i);
            gradients_[i] = b.convert(b.sumTo(gradients_[i], want.sizes), want.dtype);
        }
        return std::move(gradients_);
    }

private:
    Gradients gradients_;
};

/// A rule for a call of one differentiable argument, the first: Build(vjp) is its gradient.
template <auto Build>
Gradients vjpOfFirst(Builder& builder, NodeId forward, GradOutputs gradOutputs) {
    Vjp v(builder, forward, gradOutputs);
    if (v.wants(0)) v.set(0, Build(v));
    return v.finish();
}

/// The results do not depend on the arguments' values, or are cut from them on purpose.
inline Gradients noGradients(Builder& builder, NodeId forward, GradOutputs) {
    return Gradients(builder.graph().node(forward).args.size());
}

/// Whether the results require no gradient whatever the arguments do: detach, zeros_like.
inline bool cutsGradient(const OpDef& def) {
    const auto* rule = std::get_if<VjpRule>(&def.gradient);
    return rule && *rule == VjpRule{noGradients};
}

/// The call that a decomposition rule sees.
inline OpCall callOf(Builder& builder, const ir::Node& node) {
    return OpCall(*catalogue().find(node.op), node.args, builder.graph());
}

} // namespace cutaway::ops
