// SPDX-License-Identifier: Apache-2.0
// Activation functions and the backward formulas that PyTorch gives them.
// Decompositions: torch/_decomp/decompositions.py.
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/reference_tools.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::DType;

constexpr double kSqrtHalf = 0.7071067811865476;
constexpr double kTanhScale = 0.7978845608028654; ///< sqrt(2 / pi)
constexpr double kBellScale = 0.3989422804014327; ///< 1 / sqrt(2 pi)
constexpr double kCubeScale = 0.044715;
// --- relu ---

Result<Types> reluShape(const OpCall& call) {
    if (call.tensor(0).dtype == DType::Bool)
        return refuse(call, "expected a number, found a bool tensor");
    return sameUnary(call);
}

ExprId buildRelu(ExprPool& pool, const OpCall& call, Inputs x) {
    return pool.op(ScalarOp::Max, {x[0], constantOf(pool, call.tensor(0).dtype, 0)});
}

Values reluReference(const OpCall& call, Tensors tensors) {
    DType dtype = tensors[0]->dtype;
    return oneValue(broadcastMap<1>(call, tensors, {0}, dtype, dtype,
                                    [](auto x) { return x < 0 ? decltype(x){} : x; }));
}

Results thresholdBackward(const Operands& x) {
    Value below = le(x[1], x[2]);
    return {where(below, 0, convert(x[0], x.node.types[0].dtype))};
}

// --- gelu ---

bool isTanh(const OpCall& call, size_t arg) {
    return std::get<std::string>(call.args[arg]) == "tanh";
}

Result<Types> geluShape(const OpCall& call) {
    size_t mode = call.args.size() - 1;
    const std::string& name = std::get<std::string>(call.args[mode]);
    if (name != "none" && name != "tanh")
        return refuse(call, "expected approximate 'none' or 'tanh', found '" + name + "'");
    if (!ir::isFloating(call.tensor(0).dtype))
        return refuse(call, "expected a floating-point tensor, found " +
                                std::string(ir::name(call.tensor(0).dtype)))
            .as(ErrorClass::NotImplemented);
    return mode == 1 ? sameUnary(call) : promoteBinary(call);
}

/// What the tanh of the approximation is taken of.
Formula tanhArgument(const Value& x, const Value& square) {
    return (x + square * x * kCubeScale) * kTanhScale;
}

Results gelu(const Operands& in) {
    Value x = in.tensor(0);
    if (isTanh(in.call(), 1)) {
        Value inner = tanhArgument(x, x * x);
        Value half = x * 0.5;
        return {half * (tanh(inner) + 1)};
    }
    Value half = x * 0.5;
    return {half * (erf(x * kSqrtHalf) + 1)};
}

Results geluBackward(const Operands& in) {
    Value grad = in.tensor(0), x = in.tensor(1);
    if (isTanh(in.call(), 2)) {
        Value square = x * x;
        Value t = tanh(tanhArgument(x, square));
        Value left = x * 0.5;
        Value leftSlope = (t + 1) * 0.5;
        Value tanhSlope = 1 - t * t;
        Value innerSlope = (square * (3 * kCubeScale) + 1) * kTanhScale;
        return {grad * (leftSlope + left * tanhSlope * innerSlope)};
    }
    Value cdf = (erf(x * kSqrtHalf) + 1) * 0.5;
    Value density = exp(x * x * -0.5) * kBellScale;
    return {grad * (cdf + x * density)};
}

double geluOf(double x, bool tanh) {
    if (tanh) return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + kCubeScale * x * x * x)));
    return 0.5 * x * std::erfc(-x / std::sqrt(2.0));
}
double geluSlope(double x, bool tanh) {
    if (!tanh)
        return 0.5 * std::erfc(-x / std::sqrt(2.0)) +
               x * std::exp(-x * x / 2) / std::sqrt(2 * M_PI);
    double inner = std::sqrt(2 / M_PI) * (x + kCubeScale * x * x * x), t = std::tanh(inner);
    return 0.5 * (1 + t) +
           0.5 * x * (1 - t * t) * std::sqrt(2 / M_PI) * (1 + 3 * kCubeScale * x * x);
}

Values geluReference(const OpCall& call, Tensors tensors) {
    bool tanh = isTanh(call, 1);
    DType dtype = tensors[0]->dtype;
    return oneValue(broadcastMapAs<double, 1>(call, tensors, {0}, dtype, dtype,
                                              [&](double x) { return geluOf(x, tanh); }));
}
Values geluBackwardReference(const OpCall& call, Tensors tensors) {
    bool tanh = isTanh(call, 2);
    DType dtype = tensors[0]->dtype;
    return oneValue(
        broadcastMapAs<double, 2>(call, tensors, {0, 1}, dtype, dtype,
                                  [&](double g, double x) { return g * geluSlope(x, tanh); }));
}

// --- silu, sigmoid, tanh ---

Results silu(const Operands& x) {
    return {x[0] * sigmoid(x[0])};
}

/// Of floating-point numbers; whatever beside them becomes one.
Result<Types> slopeShape(const OpCall& call) {
    CUTAWAY_TRY(Types types, promoteBinary(call));
    if (!ir::isFloating(types[0].dtype))
        return refuse(call, fmt::format("not implemented for {}", ir::name(types[0].dtype)))
            .as(ErrorClass::NotImplemented);
    return types;
}
/// A tensor of such a call in the dtype of its result.
Value asResult(const Operands& in, size_t i) {
    return convert(in[i], in.node.types[0].dtype);
}

Results siluBackward(const Operands& in) {
    Value grad = asResult(in, 0), x = asResult(in, 1);
    Value s = aten("reciprocal", exp(-x) + 1) * 1;
    return {grad * s * (x * (1 - s) + 1)};
}

Results sigmoidBackward(const Operands& in) {
    Value grad = asResult(in, 0), y = asResult(in, 1);
    return {grad * (y * (1 - y))};
}

Results tanhBackward(const Operands& in) {
    Value grad = asResult(in, 0), y = asResult(in, 1);
    return {grad * (1 - y * y)};
}

Result<Types> floatOnly(const OpCall& call) {
    if (!ir::isFloating(call.tensor(0).dtype))
        return refuse(call, "expected a floating-point tensor, found " +
                                std::string(ir::name(call.tensor(0).dtype)));
    return sameUnary(call);
}

template <auto F> Values mapReference(const OpCall& call, Tensors tensors) {
    DType dtype = tensors[0]->dtype;
    return oneValue(broadcastMapAs<double, 1>(call, tensors, {0}, dtype, dtype, F));
}
template <auto F> Values pairReference(const OpCall& call, Tensors tensors) {
    DType dtype = resultDType(call, {0, 1});
    return oneValue(broadcastMapAs<double, 2>(call, tensors, {0, 1}, dtype, dtype, F));
}

std::vector<Sample> floatSamples(std::string_view base, std::vector<Arg> more) {
    auto with = [&](Sample sample) {
        sample.args.insert(sample.args.end(), more.begin(), more.end());
        return sample;
    };
    return {with(good({f32({2, 3}, -3, 3)}, {T(0)})),
            with(good({f64({})}, {T(0)})),
            with(good({transposed(f32({3, 2}))}, {T(0)})),
            with(forwardOnly({f32({0})}, {T(0)})),
            with(forwardOnly({awkward(f32({16}, -20, 20))}, {T(0)})),
            with(bad({i64({2})}, {T(0)},
                     std::string(base) + ": expected a floating-point tensor, found int64"))};
}
std::vector<Sample> pairSamples(std::vector<Arg> more) {
    auto with = [&](Sample sample) {
        sample.args.insert(sample.args.end(), more.begin(), more.end());
        return sample;
    };
    return {with(good({f32({2, 3}), f32({2, 3}, -0.9, 0.9)}, {T(0), T(1)})),
            with(good({f64({4}), f64({4}, 0.1, 0.9)}, {T(0), T(1)})),
            with(good({f32({0}), f32({0})}, {T(0), T(1)}))};
}

void addRelu(std::vector<OpDef>& ops) {
    ops.push_back(with<&Traits::refuses, Refuses::Bools>(
        {"relu(Tensor self) -> Tensor",
         reluShape,
         VjpRule{
             vjpOfFirst<[](Vjp& v) { return aten("threshold_backward", v.grad, v.result, 0); }>},
         Pointwise{buildRelu},
         reluReference,
         [] {
             return std::vector<Sample>{
                 good({f32({2, 3})}, {T(0)}),
                 good({f64({})}, {T(0)}),
                 forwardOnly({i64({5})}, {T(0)}),
                 forwardOnly({awkward(f32({16}))}, {T(0)}),
                 good({f32({0})}, {T(0)}),
                 bad({b8({2})}, {T(0)}, "relu: expected a number, found a bool tensor")};
         },
         {"negative values set to 0", "y = max(x, 0)", "torch.relu"}}));
    ops.push_back(
        {"threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor",
         [](const OpCall& call) { return pointwiseType(call, resultDType(call, {0, 1}), {1, 0}); },
         ThroughDecomposition{},
         Decompose{thresholdBackward, DecomposeWhen::AfterAutograd},
         [](const OpCall& call, Tensors tensors) {
             double threshold = call.real(2);
             DType dtype = tensors[0]->dtype;
             return oneValue(broadcastMap<2>(
                 call, tensors, {0, 1}, dtype, dtype, [&](auto g, auto x) -> decltype(g) {
                     return static_cast<double>(x) <= threshold ? decltype(g){} : g;
                 }));
         },
         [] { return pairSamples({I(0)}); },
         {"gradient of relu and threshold", "dx = dy where x > threshold, else 0",
          "torch._decomp: threshold_backward"}});
}

void addGelu(std::vector<OpDef>& ops) {
    OpDoc doc{"x times the probability that a normal variable is below x",
              "y = x/2 (1 + erf(x / sqrt 2)), or x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))",
              "arXiv:1606.08415; torch.nn.functional.gelu"};
    ops.push_back(
        {"gelu(Tensor self, *, str approximate='none') -> Tensor", geluShape,
         VjpRule{vjpOfFirst<[](Vjp& v) { return aten("gelu_backward", v.grad, v[0], v[1]); }>},
         Decompose{gelu, DecomposeWhen::AfterAutograd}, geluReference,
         [] {
             auto samples = floatSamples("gelu", {Arg(std::string("none"))});
             auto more = floatSamples("gelu", {Arg(std::string("tanh"))});
             // -inf * 0 is NaN in the tanh formula's decomposition and in PyTorch's.
             for (Sample& sample : more)
                 if (!sample.tensors[0].awkward) samples.push_back(sample);
             for (Sample& sample : samples)
                 sample.tensors[0].awkward = false;
             samples.push_back(bad({f32({2})}, {T(0), Arg(std::string("fast"))},
                                   "gelu: expected approximate 'none' or 'tanh', found 'fast'"));
             return samples;
         },
         doc});
    ops.push_back(
        {"gelu_backward(Tensor grad_output, Tensor self, *, str approximate='none') -> Tensor",
         geluShape,
         ThroughDecomposition{},
         Decompose{geluBackward, DecomposeWhen::AfterAutograd},
         geluBackwardReference,
         [] {
             auto samples = pairSamples({Arg(std::string("none"))});
             auto more = pairSamples({Arg(std::string("tanh"))});
             samples.insert(samples.end(), more.begin(), more.end());
             return samples;
         },
         {"gradient of gelu", "dx = dy (cdf(x) + x pdf(x))", "torch._decomp: gelu_backward"}});
}

void addSigmoids(std::vector<OpDef>& ops) {
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(
        {"silu(Tensor self) -> Tensor",
         floatOnly,
         VjpRule{vjpOfFirst<[](Vjp& v) { return aten("silu_backward", v.grad, v[0]); }>},
         Decompose{silu, DecomposeWhen::AfterAutograd},
         mapReference<[](double x) { return x / (1 + std::exp(-x)); }>,
         [] {
             auto samples = floatSamples("silu", {});
             for (Sample& sample : samples)
                 sample.tensors[0].awkward = false;
             return samples;
         },
         {"x times its sigmoid", "y = x / (1 + e^-x)", "torch.nn.functional.silu"}}));
    ops.push_back({"silu_backward(Tensor grad_output, Tensor self) -> Tensor",
                   slopeShape,
                   ThroughDecomposition{},
                   Decompose{siluBackward, DecomposeWhen::AfterAutograd},
                   pairReference<[](double g, double x) {
                       double s = 1 / (1 + std::exp(-x));
                       return g * (s + x * s * (1 - s));
                   }>,
                   [] { return pairSamples({}); },
                   {"gradient of silu", "dx = dy s (1 + x (1 - s)), s = sigmoid(x)",
                    "torch._decomp: silu_backward"}});
    ops.push_back(
        {"sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor",
         slopeShape,
         ThroughDecomposition{},
         Decompose{sigmoidBackward, DecomposeWhen::AfterAutograd},
         pairReference<[](double g, double y) { return g * y * (1 - y); }>,
         [] { return pairSamples({}); },
         {"gradient of sigmoid", "dx = dy y (1 - y)", "torch._decomp: sigmoid_backward"}});
    ops.push_back({"tanh_backward(Tensor grad_output, Tensor output) -> Tensor",
                   slopeShape,
                   ThroughDecomposition{},
                   Decompose{tanhBackward, DecomposeWhen::AfterAutograd},
                   pairReference<[](double g, double y) { return g * (1 - y * y); }>,
                   [] { return pairSamples({}); },
                   {"gradient of tanh", "dx = dy (1 - y^2)", "torch._decomp: tanh_backward"}});
}

} // namespace

std::vector<OpDef> activationOps() {
    std::vector<OpDef> ops;
    addRelu(ops);
    addGelu(ops);
    addSigmoids(ops);
    return ops;
}

} // namespace cutaway::ops
