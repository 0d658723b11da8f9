// SPDX-License-Identifier: Apache-2.0
// Functions of one element. Gradients: tools/autograd/derivatives.yaml.
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/out_dtypes.h"
#include "core/ops/reference_tools.h"
#include "core/ops/refused_dtypes.h"
#include "core/ops/sample_tools.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

enum class Kind { Float, Same, Bool };

ir::DType computeDType(const OpCall& call, Kind kind) {
    return kind == Kind::Float ? floatDType(call, {0}) : call.tensor(0).dtype;
}

template <ScalarOp op, Kind kind> ExprId build(ExprPool& pool, const OpCall& call, Inputs x) {
    return pool.op(op, {pool.cast(computeDType(call, kind), x[0])});
}

/// floor, ceil, round, trunc: integers stay as they are.
template <ScalarOp op> ExprId buildRounding(ExprPool& pool, const OpCall& call, Inputs x) {
    return ir::isIntegral(call.tensor(0).dtype) ? x[0] : pool.op(op, {x[0]});
}

template <auto F, Kind kind> Values reference(const OpCall& call, Tensors tensors) {
    ir::DType compute = computeDType(call, kind);
    ir::DType out = kind == Kind::Bool ? ir::DType::Bool : compute;
    return oneValue(broadcastMap<1>(call, tensors, {0}, compute, out, F));
}
template <auto F> Values realReference(const OpCall& call, Tensors tensors) {
    ir::DType compute = floatDType(call, {0});
    return oneValue(broadcastMapAs<double, 1>(call, tensors, {0}, compute, compute, F));
}

Samples everywhere() {
    return [] {
        return std::vector<Sample>{
            good({f32({2, 3})}, {T(0)}),     good({f32({})}, {T(0)}),
            good({f32({0, 4})}, {T(0)}),     good({transposed(f64({3, 4}))}, {T(0)}),
            forwardOnly({i64({5})}, {T(0)}), forwardOnly({awkward(f32({16}))}, {T(0)})};
    };
}
Samples positive() {
    return [] {
        return std::vector<Sample>{
            good({f32({2, 3}, 0.3, 4)}, {T(0)}), good({f64({}, 0.3, 4)}, {T(0)}),
            good({f32({0}, 0.3, 4)}, {T(0)}), forwardOnly({i64({5}, 1, 9)}, {T(0)}),
            forwardOnly({awkward(f32({16}, 0.1, 4))}, {T(0)})};
    };
}
/// Away from jumps and kinks at whole numbers, where differences say nothing.
Samples betweenWholes() {
    return [] {
        return std::vector<Sample>{
            good({f32({2, 3}, 0.1, 0.4)}, {T(0)}), good({f64({7}, -1.4, -1.1)}, {T(0)}),
            forwardOnly({i64({5})}, {T(0)}), forwardOnly({f32({0, 2})}, {T(0)}),
            forwardOnly({awkward(f32({16}, -3, 3))}, {T(0)})};
    };
}

template <ScalarOp op, auto F>
OpDef floatOp(std::string_view schema, Gradient gradient, Samples samples, OpDoc doc) {
    return {.schema = schema,
            .shape = floatUnary,
            .gradient = gradient,
            .lowering = Pointwise{build<op, Kind::Float>},
            .reference = realReference<F>,
            .samples = samples,
            .doc = doc};
}

template <ScalarOp op, auto F> OpDef roundingOp(std::string_view schema, OpDoc doc) {
    return {.schema = schema,
            .shape = sameUnary,
            .gradient = VjpRule{vjpOfFirst<[](Vjp& v) { return zerosLike(v.grad); }>},
            .lowering = Pointwise{buildRounding<op>},
            .reference = reference<F, Kind::Same>,
            .samples = betweenWholes(),
            .doc = doc};
}

Formula tanhBackward(Vjp& v) {
    return aten("tanh_backward", v.grad, v.result);
}
Formula sigmoidBackward(Vjp& v) {
    return aten("sigmoid_backward", v.grad, v.result);
}

void addExponentials(std::vector<OpDef>& ops) {
    ops.push_back(floatOp<ScalarOp::Exp, [](double x) { return std::exp(x); }>(
        "exp(Tensor self) -> Tensor", VjpRule{vjpOfFirst<[](Vjp& v) { return v.grad * v.result; }>},
        everywhere(), {"e to the power of each element", "y = e^x", "torch.exp"}));
    ops.push_back(floatOp<ScalarOp::Expm1, [](double x) { return std::expm1(x); }>(
        "expm1(Tensor self) -> Tensor",
        VjpRule{vjpOfFirst<[](Vjp& v) { return v.grad * (v.result + 1); }>}, everywhere(),
        {"exponential less one, exact near zero", "y = e^x - 1", "torch.expm1"}));
    ops.push_back(floatOp<ScalarOp::Log, [](double x) { return std::log(x); }>(
        "log(Tensor self) -> Tensor", VjpRule{vjpOfFirst<[](Vjp& v) { return v.grad / v[0]; }>},
        positive(), {"natural logarithm", "y = ln x", "torch.log"}));
    ops.push_back(floatOp<ScalarOp::Log1p, [](double x) { return std::log1p(x); }>(
        "log1p(Tensor self) -> Tensor",
        VjpRule{vjpOfFirst<[](Vjp& v) { return v.grad / (v[0] + 1); }>}, positive(),
        {"logarithm of one plus x, exact near zero", "y = ln(1 + x)", "torch.log1p"}));
    ops.push_back(floatOp<ScalarOp::Sqrt, [](double x) { return std::sqrt(x); }>(
        "sqrt(Tensor self) -> Tensor",
        VjpRule{vjpOfFirst<[](Vjp& v) { return v.grad / (v.result * 2); }>}, positive(),
        {"square root", "y = sqrt(x)", "torch.sqrt"}));
    ops.push_back(floatOp<ScalarOp::Rsqrt, [](double x) { return 1 / std::sqrt(x); }>(
        "rsqrt(Tensor self) -> Tensor",
        VjpRule{vjpOfFirst<[](Vjp& v) { return v.grad * -0.5 * pow(v.result, 3); }>}, positive(),
        {"reciprocal of the square root", "y = 1 / sqrt(x)", "torch.rsqrt"}));
    ops.push_back(floatOp<ScalarOp::Reciprocal, [](double x) { return 1 / x; }>(
        "reciprocal(Tensor self) -> Tensor", VjpRule{vjpOfFirst<[](Vjp& v) {
            Value square = v.result * v.result;
            return -v.grad * square;
        }>},
        positive(), {"one divided by each element", "y = 1 / x", "torch.reciprocal"}));
    ops.push_back(floatOp<ScalarOp::Erf, [](double x) { return std::erf(x); }>(
        "erf(Tensor self) -> Tensor", VjpRule{vjpOfFirst<[](Vjp& v) {
            return exp(-pow(v[0], 2)) * 1.1283791670955126 * v.grad; // 2 / sqrt(pi)
        }>},
        everywhere(),
        {"error function", "y = 2/sqrt(pi) * integral from 0 to x of e^(-t^2) dt", "torch.erf"}));
}

void addTrigonometric(std::vector<OpDef>& ops) {
    ops.push_back(floatOp<ScalarOp::Sin, [](double x) { return std::sin(x); }>(
        "sin(Tensor self) -> Tensor",
        VjpRule{vjpOfFirst<[](Vjp& v) { return v.grad * cos(v[0]); }>}, everywhere(),
        {"sine of each element, in radians", "y = sin(x)", "torch.sin"}));
    ops.push_back(floatOp<ScalarOp::Cos, [](double x) { return std::cos(x); }>(
        "cos(Tensor self) -> Tensor",
        VjpRule{vjpOfFirst<[](Vjp& v) { return v.grad * -sin(v[0]); }>}, everywhere(),
        {"cosine of each element, in radians", "y = cos(x)", "torch.cos"}));
    ops.push_back(floatOp<ScalarOp::Tan, [](double x) { return std::tan(x); }>(
        "tan(Tensor self) -> Tensor",
        VjpRule{vjpOfFirst<[](Vjp& v) { return v.grad * (pow(v.result, 2) + 1); }>},
        betweenWholes(), {"tangent of each element, in radians", "y = tan(x)", "torch.tan"}));
    ops.push_back(floatOp<ScalarOp::Tanh, [](double x) { return std::tanh(x); }>(
        "tanh(Tensor self) -> Tensor", VjpRule{vjpOfFirst<tanhBackward>}, everywhere(),
        {"hyperbolic tangent", "y = (e^x - e^-x) / (e^x + e^-x)", "torch.tanh"}));
    ops.push_back(floatOp<ScalarOp::Sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }>(
        "sigmoid(Tensor self) -> Tensor", VjpRule{vjpOfFirst<sigmoidBackward>}, everywhere(),
        {"logistic function", "y = 1 / (1 + e^-x)", "torch.sigmoid"}));
}

Result<Types> negShape(const OpCall& call) {
    if (call.tensor(0).dtype == ir::DType::Bool)
        return refuse(call, "expected a number, found a bool tensor", "use logical_not or ~")
            .as(ErrorClass::NotImplemented);
    return sameUnary(call);
}

std::vector<Sample> negSamples() {
    std::vector<Sample> samples = everywhere()();
    samples.push_back(bad({b8({2})}, {T(0)}, "neg: expected a number, found a bool tensor"));
    return samples;
}

Values squareReference(const OpCall& call, Tensors tensors) {
    ir::DType dtype =
        call.tensor(0).dtype == ir::DType::Bool ? ir::DType::Int64 : call.tensor(0).dtype;
    return oneValue(
        broadcastMap<1>(call, tensors, {0}, dtype, dtype, [](auto x) { return x * x; }));
}

void addAlgebraic(std::vector<OpDef>& ops) {
    ops.push_back(with<&Traits::savesNothing>(
        {.schema = "neg(Tensor self) -> Tensor",
         .shape = negShape,
         .gradient = VjpRule{vjpOfFirst<[](Vjp& v) { return -v.grad; }>},
         .lowering = Pointwise{build<ScalarOp::Neg, Kind::Same>},
         .reference = reference<[](auto x) { return -x; }, Kind::Same>,
         .samples = negSamples,
         .doc = {"sign changed", "y = -x", "torch.neg"}}));
    ops.push_back(with<&Traits::refuses, Refuses::Bools>(
        withFloat8({.schema = "abs(Tensor self) -> Tensor",
                    .shape = sameUnary,
                    .gradient = VjpRule{vjpOfFirst<[](Vjp& v) { return v.grad * sign(v[0]); }>},
                    .lowering = Pointwise{[](ExprPool& pool, const OpCall& call, Inputs x) {
                        bool isBool = call.tensor(0).dtype == ir::DType::Bool;
                        return isBool ? x[0] : pool.op(ScalarOp::Abs, {x[0]});
                    }},
                    .reference = reference<[](auto x) { return std::abs(x); }, Kind::Same>,
                    .samples = betweenWholes(),
                    .doc = {"absolute value", "y = |x|", "torch.abs"}})));
    ops.push_back(with<&Traits::jumps>(
        {.schema = "sign(Tensor self) -> Tensor",
         .shape = sameUnary,
         .gradient = VjpRule{vjpOfFirst<[](Vjp& v) { return zerosLike(v.grad); }>},
         .lowering = Pointwise{[](ExprPool& pool, const OpCall& call, Inputs x) {
             bool isBool = call.tensor(0).dtype == ir::DType::Bool;
             return isBool ? x[0] : pool.op(ScalarOp::Sign, {x[0]});
         }},
         // torch.sign gives 0 for NaN: neither comparison holds.
         .reference = reference<[](auto x) { return (x > 0) - (x < 0); }, Kind::Same>,
         .samples = betweenWholes(),
         .doc = {"-1, 0 or 1 by sign", "y = x / |x|, 0 at 0", "torch.sign"}}));
    ops.push_back({.schema = "square(Tensor self) -> Tensor",
                   .shape =
                       [](const OpCall& call) { // x ** 2: a bool becomes int64
                           bool isBool = call.tensor(0).dtype == ir::DType::Bool;
                           return isBool ? pointwiseType(call, ir::DType::Int64, {0})
                                         : sameUnary(call);
                       },
                   .gradient = ThroughDecomposition{},
                   .lowering = Decompose{[](const Operands& x) { return Results{pow(x[0], 2)}; },
                                         DecomposeWhen::BeforeAutograd},
                   .reference = squareReference,
                   .samples =
                       [] {
                           auto samples = everywhere()();
                           samples.push_back(good({b8({5})}, {T(0)}));
                           samples.push_back(good({u8({5})}, {T(0)}));
                           return samples;
                       },
                   .doc = {"each element times itself", "y = x * x", "torch.square"}});
}

void addRounding(std::vector<OpDef>& ops) {
    ops.push_back(with<&Traits::jumps>(with<&Traits::refuses, Refuses::Bools>(
        roundingOp<ScalarOp::Floor, [](auto x) { return std::floor(x); }>(
            "floor(Tensor self) -> Tensor",
            {"next whole number downwards", "y = floor(x)", "torch.floor"}))));
    ops.push_back(with<&Traits::jumps>(with<&Traits::refuses, Refuses::Bools>(
        roundingOp<ScalarOp::Ceil, [](auto x) { return std::ceil(x); }>(
            "ceil(Tensor self) -> Tensor",
            {"next whole number upwards", "y = ceil(x)", "torch.ceil"}))));
    ops.push_back(with<&Traits::jumps>(with<&Traits::refuses, Refuses::Bools>(
        roundingOp<ScalarOp::Round, [](auto x) { return std::nearbyint(x); }>(
            "round(Tensor self) -> Tensor",
            {"nearest whole number, halves to even", "y = round(x)", "torch.round"}))));
    ops.push_back(with<&Traits::jumps>(with<&Traits::refuses, Refuses::Bools>(
        roundingOp<ScalarOp::Trunc, [](auto x) { return std::trunc(x); }>(
            "trunc(Tensor self) -> Tensor", {"fraction dropped", "y = trunc(x)", "torch.trunc"}))));
}

} // namespace

std::vector<OpDef> elementwiseUnaryOps() {
    std::vector<OpDef> ops;
    addExponentials(ops);
    addTrigonometric(ops);
    addAlgebraic(ops);
    addRounding(ops);
    outTakes(ops, {"neg", "abs", "sign", "floor", "ceil", "round", "trunc"}, OutDTypes::Same,
             "Found dtype {out} but expected {result}");
    return ops;
}

} // namespace cutaway::ops
