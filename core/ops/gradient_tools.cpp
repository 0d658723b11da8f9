// SPDX-License-Identifier: Apache-2.0
#include "core/ops/gradient_tools.h"

#include "core/ops/gradients.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace cutaway::ops {

Vjp::Vjp(Builder& builder, NodeId forward, GradOutputs gradOutputs)
    : Operands(builder, builder.graph().node(forward)), result(builder, forward),
      targets_(gradientTargets(node.args)), gradients_(targets_.size()) {
    for (NodeId id : gradOutputs)
        grads.emplace_back(builder, id);
    if (!grads.empty()) grad = grads[0];
}

bool Vjp::wants(size_t i) const {
    const bool any = std::any_of(grads.begin(), grads.end(),
                                 [](const Value& gradient) { return gradient.valid(); });
    if (!any || !targets_[i]) return false;
    return ir::hasGradients(b.type(*targets_[i]).dtype) &&
           (!b.wantsGradient || b.wantsGradient(*targets_[i]));
}

Gradients Vjp::finish() {
    for (size_t i = 0; i < gradients_.size(); ++i) {
        if (!gradients_[i].valid()) continue;
        const ir::TensorType want = b.type(*targets_[i]);
        gradients_[i] = b.convert(b.sumTo(gradients_[i], want.sizes), want.dtype);
    }
    return std::move(gradients_);
}

void noGradients(Vjp&) {}

Gradients gradientsOf(VjpRule rule, Builder& builder, NodeId forward, GradOutputs gradOutputs) {
    Vjp v(builder, forward, gradOutputs);
    rule(v);
    return v.finish();
}

bool cutsGradient(const OpDef& def) {
    const auto* rule = std::get_if<VjpRule>(&def.gradient);
    return rule && *rule == VjpRule{noGradients};
}

Formula inRows(const Value& x) {
    return x.type().isContiguous() ? Formula(x) : formula::aten("clone", x, "contiguous_format");
}

Value asStored(const Value& x) {
    const ir::DType dtype = x.type().dtype;
    if (!ir::isHalf(dtype)) return x;
    return formula::aten("view.dtype", formula::aten("view.dtype", x, ir::DType::Int16), dtype);
}

} // namespace cutaway::ops
