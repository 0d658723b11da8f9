// SPDX-License-Identifier: Apache-2.0
// The backward formulas of activations that are a line of others: operations of their own, as
// ATen's, so that gradients are rounded once and lie as its kernels leave them.
// Source: aten/src/ATen/native/cpu/Activation.cpp; second slopes at kinks: derivatives.yaml.
#include "core/ops/composite.h"
#include "core/ops/computed_in.h"
#include "core/ops/families_composed.h"
#include "core/ops/lying.h"
#include "core/ops/sample_tools.h"

namespace cutaway::ops {

namespace {

using List = std::vector<Sample>;

double number(const Operands& x, size_t i) {
    return x.call().real(i);
}

// An exponential that is not chosen is taken of 0: an infinity there would make its slope NaN.

Results eluBackward(const Operands& in) {
    Value grad = in.tensor(0), x = in.tensor(5);
    const bool given = in.isValue(1) || in.isValue(2);
    const Formula inner = in[3], scale = in[2];
    const Formula negative = given ? in[1] * scale : Formula(number(in, 1) * number(in, 2));
    Value bent;
    if (in.call().boolean(4))
        bent = grad * inner * (x + negative);
    else
        bent = grad * inner * negative * exp(where(lt(x, 0), x, 0) * inner);
    return {where(le(x, 0), bent, grad * scale)};
}
Results softplusBackward(const Operands& in) {
    Value grad = in.tensor(0), scaled = in[1] * in[2];
    Value straight = gt(scaled, in[3]);
    return {where(straight, grad, grad * sigmoid(where(straight, 0, scaled)))};
}
Results hardtanhBackward(const Operands& in) {
    Value outside = logicalOr(le(in[1], in[2]), ge(in[1], in[3]));
    return {where(outside, 0, in[0])};
}
Results leakyReluBackward(const Operands& in) {
    Value grad = in.tensor(0);
    return {where(gt(in[1], 0), grad, grad * in[2])};
}
Results hardsigmoidBackward(const Operands& in) {
    Value inside = logicalAnd(gt(in[1], -3), lt(in[1], 3));
    return {where(inside, in[0] / 6, 0)};
}
Results hardswishBackward(const Operands& in) {
    Value grad = in.tensor(0), x = in.tensor(1);
    Value bent = where(le(x, -3), 0, grad * (x / 3 + 0.5));
    return {where(lt(x, 3), bent, grad)};
}
Results shrinkBackward(const Operands& in) {
    const Formula least = in.isValue(2) ? -in[2] : Formula(-number(in, 2));
    Value inside = logicalAnd(ge(in[1], least), le(in[1], in[2]));
    return {where(inside, 0, in[0])};
}
Results mishBackward(const Operands& in) {
    Value grad = in.tensor(0), x = in.tensor(1);
    Value straight = gt(x, 20);
    Value t = tanh(where(straight, x, aten("log1p", exp(where(straight, 0, x)))));
    return {grad * (t + x * sigmoid(x) * (1 - t * t))};
}

/// Gradients of any size with their activations, and more arguments.
template <class... A> List slopes(A... more) {
    return {good({f32({2, 3}, -2, 2), f32({2, 3}, -5, 5)}, {T(0), T(1), more...}),
            good({f64({}), f64({})}, {T(0), T(1), more...}),
            good({f32({2, 3}), transposed(f32({2, 3}, -30, 30))}, {T(0), T(1), more...}),
            good({f32({0}), f32({0})}, {T(0), T(1), more...})};
}

} // namespace

std::vector<OpDef> activationSlopeOps() {
    std::vector<OpDef> ops;
    auto add = [&](std::string_view schema, DecomposeRule build, Samples samples, OpDoc doc) {
        ops.push_back(lying<likeAll>(composite(schema, build, samples, doc)));
    };
    add("elu_backward(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, bool "
        "is_result, Tensor self_or_result) -> Tensor",
        inFloat<eluBackward>,
        [] {
            List samples;
            for (bool result : {false, true})
                samples.push_back(good({f32({2, 3}), f32({2, 3}, -0.9, 3)},
                                       {T(0), Arg(0.5), I(2), Arg(1.5), Arg(result), T(1)}));
            return samples;
        },
        {"gradient of elu, celu and selu", "dx = dy scale, below 0 dy alpha scale c e^(c x)",
         "torch.ops.aten.elu_backward"});
    add("softplus_backward(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold) -> "
        "Tensor",
        inFloat<softplusBackward>, [] { return slopes(I(2), I(20)); },
        {"gradient of softplus", "dx = dy sigmoid(beta x), dy where beta x > threshold",
         "torch.ops.aten.softplus_backward"});
    add("hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> "
        "Tensor",
        hardtanhBackward, [] { return slopes(I(-1), I(1)); },
        {"gradient of hardtanh", "dx = dy, 0 outside", "torch.ops.aten.hardtanh_backward"});
    // Which lies as what it was taken of first.
    ops.push_back(composite(
        "leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool "
        "self_is_result) -> Tensor",
        inFloat<leakyReluBackward>, [] { return slopes(Arg(0.1), Arg(false)); },
        {"gradient of leaky_relu", "dx = dy, below 0 slope dy",
         "torch.ops.aten.leaky_relu_backward"}));
    add("hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor",
        inFloat<hardsigmoidBackward>, [] { return slopes(); },
        {"gradient of hardsigmoid", "dx = dy / 6, 0 outside",
         "torch.ops.aten.hardsigmoid_backward"});
    ops.back().gradient = NotDifferentiable{"PyTorch has none"};
    std::get<Decompose>(ops.back().lowering).when = DecomposeWhen::AfterAutograd;
    add("hardswish_backward(Tensor grad_output, Tensor self) -> Tensor", inFloat<hardswishBackward>,
        [] { return slopes(); },
        {"gradient of hardswish", "dx = dy (x / 3 + 1/2), 0 below -3, dy above 3",
         "torch.ops.aten.hardswish_backward"});
    add("softshrink_backward(Tensor grad_output, Tensor self, Scalar lambd) -> Tensor",
        shrinkBackward, [] { return slopes(Arg(0.5)); },
        {"gradient of softshrink", "dx = dy, 0 within lambd",
         "torch.ops.aten.softshrink_backward"});
    add("hardshrink_backward(Tensor grad_out, Tensor self, Scalar lambd) -> Tensor", shrinkBackward,
        [] { return slopes(Arg(0.5)); },
        {"gradient of hardshrink", "dx = dy, 0 within lambd",
         "torch.ops.aten.hardshrink_backward"});
    add("mish_backward(Tensor grad_output, Tensor self) -> Tensor", inFloat<mishBackward>,
        [] { return slopes(); },
        {"gradient of mish", "dx = dy (t + x sigmoid(x) (1 - t^2)), t = tanh(softplus(x))",
         "torch.ops.aten.mish_backward"});
    return ops;
}

} // namespace cutaway::ops
