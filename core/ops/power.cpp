// SPDX-License-Identifier: Apache-2.0
// Powers with scalar and tensor bases and exponents. Gradients: tools/autograd/derivatives.yaml.
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/held_numbers.h"
#include "core/ops/reference_tools.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::DType;

/// Promoted; of two bools PyTorch has none.
Result<Types> powPairShape(const OpCall& call) {
    CUTAWAY_TRY(Types types, promoteBinary(call));
    if (types[0].dtype == DType::Bool)
        return refuse(call, "not implemented for two tensors of bool")
            .as(ErrorClass::NotImplemented);
    return types;
}

Result<Types> powScalarShape(const OpCall& call) {
    DType dtype = resultDType(call, {0, 1});
    bool negative = std::holds_alternative<ir::Sym>(call.args[1]) && call.real(1) < 0;
    if (ir::isIntegral(dtype) && negative)
        return refuse(call, "integers to negative integer powers are not integers",
                      "use a floating exponent or convert the tensor");
    CUTAWAY_CHECK(wantHeld(call, 1, dtype));
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
    if (call.isTensor(1) && ir::isFloating(dtype)) { // a number that varies: the same of all
        const ExprId exponent = pool.cast(dtype, x[1]);
        const ExprId half = pool.op(ScalarOp::Eq, {exponent, pool.constant(dtype, 0.5)});
        return pool.op(ScalarOp::Where, {half, pool.op(ScalarOp::Sqrt, {base}),
                                         pool.op(ScalarOp::Pow, {base, exponent})});
    }
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

Formula powScalarGradient(Vjp& v) {
    double exponent = v.call().real(1);
    if (exponent == 0) return zerosLike(v.grad);
    return v.grad * aten("mul.Scalar", pow(v[0], exponent - 1), exponent);
}

/// d/d exponent = result * ln(self), 0 where self is 0 and exponent >= 0 (pow_backward_exponent).
Formula powExponentGradient(const Vjp& v) {
    if (v.isValue(0)) {
        Value logarithm = log(v[0]);
        Value isZero = logicalAnd(eq(v[0], 0), ge(v[1], 0));
        Value slope = v.result * logarithm;
        return v.grad * where(isZero, 0, slope);
    }
    double base = v.call().real(0);
    Value gradient, isZero;
    if (base == 0) isZero = ge(v[1], 0);
    gradient = v.grad * (v.result * std::log(base));
    return isZero.valid() ? where(isZero, 0, gradient) : gradient;
}

void powTensorVjp(Vjp& v) {
    if (v.wants(1)) v.set(1, powExponentGradient(v));
    if (v.wants(0)) {
        Value slope = v[1] * aten("pow.Tensor_Tensor", v[0], v[1] - 1);
        v.set(0, v.grad * where(eq(v[1], 0), 0, slope));
    }
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
                "The size of tensor a (3) must match the size of tensor b (4) at non-singleton "
                "dimension 1")};
}

void addPowers(std::vector<OpDef>& ops) {
    OpDoc doc{"each element raised to a power", "y = a^b", "torch.pow"};
    ops.push_back(
        with<&Traits::holdsNumbers>({"pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
                                     powScalarShape,
                                     VjpRule{vjpOfFirst<powScalarGradient>},
                                     Pointwise{buildPowScalar},
                                     powReference,
                                     powScalarSamples,
                                     doc,
                                     {.flops = 2}}));
    ops.push_back(
        with<&Traits::holdsNumbers>({"pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
                                     powPairShape,
                                     VjpRule{powTensorVjp},
                                     Pointwise{buildPowTensor},
                                     powReference,
                                     powTensorSamples,
                                     doc,
                                     {.flops = 20}}));
    ops.push_back(saving("exponent result",
                         with<&Traits::holdsNumbers>(
                             {"pow.Scalar(Scalar self, Tensor exponent) -> Tensor",
                              [](const OpCall& call) {
                                  const ir::TensorType& exponent = call.tensor(1);
                                  return Result<Types>(one(ir::TensorType::contiguous(
                                      resultDType(call, {0, 1}), exponent.sizes, exponent.device)));
                              },
                              VjpRule{powTensorVjp},
                              Pointwise{buildPowTensor},
                              powReference,
                              [] {
                                  return std::vector<Sample>{
                                      good({f32({2, 3})}, {I(2), T(0)}),
                                      good({f32({0})}, {Arg(1.5), T(0)}),
                                      forwardOnly({i64({4}, 0, 4)}, {I(3), T(0)})};
                              },
                              doc,
                              {.flops = 20}})));
}

} // namespace

std::vector<OpDef> powerOps() {
    std::vector<OpDef> ops;
    addPowers(ops);
    return ops;
}

} // namespace cutaway::ops
