// SPDX-License-Identifier: Apache-2.0
// Powers with scalar and tensor bases and exponents. Gradients: tools/autograd/derivatives.yaml.
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/reference_tools.h"
#include "core/ops/sample_tools.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::DType;

Result<Types> powScalarShape(const OpCall& call) {
    DType dtype = resultDType(call, {0, 1});
    bool negative = std::holds_alternative<ir::Sym>(call.args[1]) && call.real(1) < 0;
    if (ir::isIntegral(dtype) && negative)
        return refuse(call, "integers to negative integer powers are not integers",
                      "use a floating exponent or convert the tensor");
    return pointwiseType(call, dtype, {0});
}

ExprId powerByMultiplying(ExprPool& pool, ExprId x, int64_t exponent) {
    ExprId result;
    for (ExprId square = x;; square = pool.op(ScalarOp::Mul, {square, square})) {
        if (exponent & 1)
            result = result.valid() ? pool.op(ScalarOp::Mul, {result, square}) : square;
        if ((exponent >>= 1) == 0) return result;
    }
}

/// Small whole exponents and square roots by exact arithmetic (torch/_inductor/lowering.py: pow).
ExprId buildPowScalar(ExprPool& pool, const OpCall& call, Inputs x) {
    DType dtype = resultDType(call, {0, 1});
    ExprId base = pool.cast(dtype, x[0]);
    double exponent = call.real(1);
    if (exponent == 0) return constantOf(pool, dtype, 1);
    if (exponent == 0.5) return pool.op(ScalarOp::Sqrt, {base});
    if (exponent == -0.5) return pool.op(ScalarOp::Rsqrt, {base});
    if (exponent == std::trunc(exponent) && std::abs(exponent) <= 32) {
        ExprId power = powerByMultiplying(pool, base, static_cast<int64_t>(std::abs(exponent)));
        return exponent < 0 ? pool.op(ScalarOp::Reciprocal, {power}) : power;
    }
    return pool.op(ScalarOp::Pow, {base, scalarOf(pool, call, 1, dtype)});
}

int64_t integerPower(int64_t base, int64_t exponent) {
    if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
    uint64_t result = 1;
    for (int64_t i = 0; i < exponent; ++i)
        result *= static_cast<uint64_t>(base);
    return static_cast<int64_t>(result);
}

constexpr auto power = [](auto a, auto b) {
    if constexpr (std::is_same_v<decltype(a), double>)
        return std::pow(a, b);
    else
        return integerPower(a, b);
};

Gradients powScalarVjp(Builder& b, NodeId forward, GradOutputs grads) {
    Vjp v(b, forward, grads);
    if (!v.wants(0)) return v.finish();
    double exponent = v.real(1);
    if (exponent == 0) {
        v.set(0, b.call("zeros_like", {Arg(v.grad)}));
        return v.finish();
    }
    NodeId lower = b.call("pow.Tensor_Scalar", {v.arg(0), Arg(exponent - 1)});
    NodeId scaled = b.call("mul.Scalar", {Arg(lower), Arg(exponent)});
    v.set(0, b.mul(v.grad, Arg(scaled)));
    return v.finish();
}

/// d/d exponent = result * ln(self), 0 where self is 0 and exponent >= 0 (pow_backward_exponent).
NodeId powExponentGradient(Vjp& v, const Arg& self, NodeId exponent) {
    Builder& b = v.b;
    NodeId logarithm, isZero;
    if (self.node()) {
        logarithm = b.call("log", {self});
        isZero = b.call("eq.Scalar", {self, intArg(0)});
        isZero = b.call("logical_and",
                        {Arg(isZero), Arg(b.call("ge.Scalar", {Arg(exponent), intArg(0)}))});
    } else {
        double base = v.real(0);
        if (base == 0) isZero = b.call("ge.Scalar", {Arg(exponent), intArg(0)});
        NodeId scaled = b.mul(v.result, Arg(std::log(base)));
        NodeId gradient = b.mul(v.grad, Arg(scaled));
        return isZero.valid() ? b.where(isZero, intArg(0), Arg(gradient)) : gradient;
    }
    NodeId slope = b.mul(v.result, Arg(logarithm));
    return b.mul(v.grad, Arg(b.where(isZero, intArg(0), Arg(slope))));
}

Gradients powTensorVjp(Builder& b, NodeId forward, GradOutputs grads) {
    Vjp v(b, forward, grads);
    if (v.wants(1)) v.set(1, powExponentGradient(v, v.arg(0), v.tensor(1)));
    if (v.wants(0)) {
        NodeId lower = b.sub(v.tensor(1), intArg(1));
        NodeId power = b.call("pow.Tensor_Tensor", {v.arg(0), Arg(lower)});
        NodeId slope = b.mul(v.tensor(1), Arg(power));
        NodeId flat = b.call("eq.Scalar", {v.arg(1), intArg(0)});
        v.set(0, b.mul(v.grad, Arg(b.where(flat, intArg(0), Arg(slope)))));
    }
    return v.finish();
}

ExprId buildPowTensor(ExprPool& pool, const OpCall& call, Inputs x) {
    DType dtype = resultDType(call, {0, 1});
    Elements e(pool, call, x);
    return pool.op(ScalarOp::Pow, {e.as(0, dtype), e.as(1, dtype)});
}

Values powReference(const OpCall& call, Tensors tensors) {
    DType dtype = resultDType(call, {0, 1});
    return oneValue(broadcastMap<2>(call, tensors, {0, 1}, dtype, dtype, power));
}

std::vector<Sample> powScalarSamples() {
    std::vector<Sample> samples;
    for (double exponent : {2.0, 3.0, 0.5, -0.5, -1.0, 1.7, 0.0, 1.0})
        samples.push_back(good({f32({2, 3}, 0.5, 2)}, {T(0), Arg(exponent)}));
    samples.push_back(good({f32({5}, -2, -0.5)}, {T(0), I(2)}));
    samples.push_back(forwardOnly({i64({5})}, {T(0), I(3)}));
    samples.push_back(forwardOnly({i64({5})}, {T(0), Arg(2.0)}));
    samples.push_back(forwardOnly({f32({0, 2})}, {T(0), I(2)}));
    samples.push_back(bad({i64({3})}, {T(0), I(-1)},
                          "pow: integers to negative integer powers are not integers"));
    return samples;
}

std::vector<Sample> powTensorSamples() {
    return {good({f32({2, 3}, 0.5, 2), f32({2, 3})}, {T(0), T(1)}),
            good({f32({2, 1, 3}, 0.5, 2), f32({4, 1})}, {T(0), T(1)}),
            good({f32({}, 0.5, 2), f32({3})}, {T(0), T(1)}),
            good({f32({0, 3}, 0.5, 2), f32({3})}, {T(0), T(1)}),
            good({transposed(f64({3, 2}, 0.5, 2)), f32({3, 2})}, {T(0), T(1)}),
            good({i64({3}, 1, 5), f32({3})}, {T(0), T(1)}),
            forwardOnly({i32({3}, 1, 5), i64({3}, 0, 5)}, {T(0), T(1)}),
            bad({f32({2, 3}), f32({4})}, {T(0), T(1)},
                "pow: shapes [2, 3] and [4] do not broadcast: 3 against 4 in dimension 1")};
}

void addPowers(std::vector<OpDef>& ops) {
    OpDoc doc{"each element raised to a power", "y = a^b", "torch.pow"};
    ops.push_back({"pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
                   powScalarShape,
                   VjpRule{powScalarVjp},
                   Pointwise{buildPowScalar},
                   powReference,
                   powScalarSamples,
                   doc,
                   {.flops = 2}});
    ops.push_back({"pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
                   promoteBinary,
                   VjpRule{powTensorVjp},
                   Pointwise{buildPowTensor},
                   powReference,
                   powTensorSamples,
                   doc,
                   {.flops = 20}});
    ops.push_back({"pow.Scalar(Scalar self, Tensor exponent) -> Tensor",
                   promoteBinary,
                   VjpRule{powTensorVjp},
                   Pointwise{buildPowTensor},
                   powReference,
                   [] {
                       return std::vector<Sample>{good({f32({2, 3})}, {I(2), T(0)}),
                                                  good({f32({0})}, {Arg(1.5), T(0)}),
                                                  forwardOnly({i64({4}, 0, 4)}, {I(3), T(0)})};
                   },
                   doc,
                   {.flops = 20}});
}

} // namespace

std::vector<OpDef> powerOps() {
    std::vector<OpDef> ops;
    addPowers(ops);
    return ops;
}

} // namespace cutaway::ops
