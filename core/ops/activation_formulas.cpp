// SPDX-License-Identifier: Apache-2.0
// Activations that are a line of others. Source: torch/_refs/nn/functional/__init__.py; at kinks
// the slopes are those of ATen's backward formulas.
#include "core/ops/composite.h"
#include "core/ops/computed_in.h"
#include "core/ops/families_composed.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/held_numbers.h"
#include "core/ops/lying.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

namespace cutaway::ops {

namespace {

using List = std::vector<Sample>;

/// Argument 0, which is floating-point.
Value floating(const Operands& x) {
    if (!ir::isFloating(x.type(0).dtype))
        refuseCall(x, fmt::format("expected a floating-point tensor, found {}",
                                  ir::name(x.type(0).dtype)));
    return x.tensor(0);
}
double number(const Operands& x, size_t i) {
    return x.call().real(i);
}

/// Whether argument \p i is known now and no tensor that a kernel reads.
bool isNumber(const Operands& x, size_t i) {
    return !std::holds_alternative<ir::NodeId>(x.call().args[i]);
}

constexpr double kSeluAlpha = 1.6732632423543772848170429916717;
constexpr double kSeluScale = 1.0507009873554804934193349852946;

/// Towards -\p limit far below 0.
Formula eluOf(const Value& x, const Formula& limit, const Formula& scale, const Formula& inner) {
    Value bent = aten("expm1", x * inner) * limit;
    return where(lt(x, 0), bent, x * scale);
}
Results elu(const Operands& in) {
    // Numbers that a kernel reads are multiplied there.
    const bool known = isNumber(in, 1) && isNumber(in, 2);
    const Formula limit = known ? Formula(number(in, 1) * number(in, 2)) : in[1] * in[2];
    return {eluOf(floating(in), limit, in[2], in[3])};
}
Formula inverse(const Operands& x, size_t i) {
    return isNumber(x, i) ? Formula(1 / number(x, i)) : aten("reciprocal", x[i]);
}
Results celu(const Operands& x) {
    if (isNumber(x, 1) && number(x, 1) == 0)
        refuseCall(x, "ZeroDivisionError: alpha cannot be 0 for CELU");
    return {eluOf(floating(x), x[1], 1, inverse(x, 1))};
}
Results selu(const Operands& x) {
    return {eluOf(floating(x), kSeluAlpha * kSeluScale, kSeluScale, 1)};
}

Formula softplusOf(const Value& x, const Formula& beta, const Formula& threshold) {
    Value scaled = x * beta;
    Value straight = gt(scaled, threshold);
    Value bent = where(straight, 0, scaled);
    return where(straight, x, aten("log1p", exp(bent)) / beta);
}
Results softplus(const Operands& x) {
    return {softplusOf(floating(x), x[1], x[2])};
}
Results mish(const Operands& x) {
    Value v = floating(x);
    return {v * tanh(softplusOf(v, 1, 20))};
}

/// log of the sigmoid, without overflow on either side.
Results logSigmoid(const Operands& in) {
    Value x = floating(in), negative = lt(x, 0);
    // Not of -abs(x), whose second derivative at 0 is lost.
    return {where(negative, x, 0) - aten("log1p", exp(where(negative, x, -x)))};
}

Results hardsigmoid(const Operands& in) {
    Value x = floating(in);
    return {where(ge(x, 3), 1, where(le(x, -3), 0, (x + 3) / 6))};
}
Formula bounded(const Value& x, const Formula& least, const Formula& most) {
    return where(le(x, least), least, where(ge(x, most), most, x));
}
Results hardswish(const Operands& in) {
    Value x = floating(in);
    return {x * where(lt(x, 3), where(gt(x, -3), x + 3, 0), 6) / 6};
}
Results hardtanh(const Operands& in) {
    if (in.type(0).dtype == ir::DType::Bool)
        refuseCall(in, "expected a number, found a bool tensor");
    if (isNumber(in, 1) && isNumber(in, 2) && number(in, 2) < number(in, 1))
        refuseCall(in,
                   fmt::format("expected min_val of at most max_val, found {} and {}",
                               number(in, 1), number(in, 2)),
                   {}, ErrorClass::Value);
    if (!ir::isIntegral(in.type(0).dtype)) return {bounded(in.tensor(0), in[1], in[2])};
    auto whole = [&](size_t i) { return Arg(ir::Sym(static_cast<int64_t>(number(in, i)))); };
    return {aten("clamp", in[0], whole(1), whole(2))};
}
Results relu6(const Operands& in) {
    return {bounded(in.tensor(0), 0, 6)};
}
Results leakyRelu(const Operands& in) {
    Value x = floating(in);
    return {where(gt(x, 0), x, x * in[1])};
}
Results threshold(const Operands& in) {
    Value x = in.tensor(0);
    for (size_t number : {1, 2})
        if (base::Status held = wantHeld(in.call(), number, x.type().dtype); !held.ok())
            throwRefusal(std::move(held.error()));
    return {where(le(x, in[1]), in[2], x)};
}
Results softshrink(const Operands& in) {
    Value x = floating(in);
    if (isNumber(in, 1) && !(number(in, 1) >= 0))
        refuseCall(in, fmt::format("expected lambda of at least 0, found {}", number(in, 1)));
    return {where(gt(abs(x), in[1]), x - sign(x) * in[1], x * 0)};
}
Results hardshrink(const Operands& in) {
    Value x = floating(in);
    const Formula least = isNumber(in, 1) ? Formula(-number(in, 1)) : -in[1];
    return {where(logicalAnd(ge(x, least), le(x, in[1])), 0, x)};
}

Results prelu(const Operands& in) {
    Value x = floating(in), weight = in.tensor(1);
    const Shape sizes = x.type().sizes;
    const Sym count = weight.type().numel();
    const Sym channels = sizes.size() > 1 ? sizes[1] : Sym(1);
    if (weight.type().rank() > 1)
        refuseCall(in, fmt::format("expected a weight of at most 1 dimension, found shape {}",
                                   ir::str(weight.type().sizes)));
    if (weight.type().dtype != x.type().dtype)
        refuseCall(in, fmt::format("Type promoting not supported. Got {} and {}",
                                   ir::name(x.type().dtype), ir::name(weight.type().dtype)));
    if (!count.is(1) && !in.call().same(count, channels))
        refuseCall(
            in, fmt::format("expected 1 or {} parameters, found {}", channels.str(), count.str()));
    Shape along(std::max<size_t>(sizes.size(), 1), Sym(1));
    along[along.size() > 1 ? 1 : 0] = count;
    if (sizes.empty()) along.clear();
    // At 0 the slope's own gradient is 0 whatever x does, as ATen's.
    Value slope = reshape(weight, along);
    return {where(gt(x, 0), x, where(lt(x, 0), slope, aten("detach", slope)) * x)};
}

Results glu(const Operands& in) {
    Value x = floating(in);
    const size_t rank = x.type().rank();
    if (rank == 0) refuseCall(in, "a 0-dim tensor has no halves");
    const size_t dim = dimOf(in, 1, rank);
    const Sym size = x.type().sizes[dim];
    if (!in.call().divisible(size, Sym(2)))
        refuseCall(in,
                   fmt::format("expected an even size of dimension {}, found {}", dim, size.str()));
    const Sym half = ir::floorDiv(size, Sym(2));
    return {sliced(x, dim, Sym(0), half) * sigmoid(sliced(x, dim, half, size))};
}

// --- gradients ---

Formula eluSlope(Vjp& v, const Formula& alpha, const Formula& scale, const Formula& inner) {
    return aten("elu_backward", v.grad, alpha, scale, inner, false, v[0]);
}
constexpr VjpRule kEluSlope = vjpOfFirst<[](Vjp& v) { return eluSlope(v, v[1], v[2], v[3]); }>;
constexpr VjpRule kCeluSlope =
    vjpOfFirst<[](Vjp& v) { return eluSlope(v, v[1], 1, inverse(v, 1)); }>;
constexpr VjpRule kSeluSlope =
    vjpOfFirst<[](Vjp& v) { return eluSlope(v, kSeluAlpha, kSeluScale, 1); }>;
constexpr VjpRule kSoftplusSlope =
    vjpOfFirst<[](Vjp& v) { return aten("softplus_backward", v.grad, v[0], v[1], v[2]); }>;
/// ATen's log_sigmoid_backward.
constexpr VjpRule kLogSigmoidSlope = vjpOfFirst<[](Vjp& v) {
    Value negative = lt(v[0], 0), z = exp(where(negative, v[0], -v[0]));
    Value one = convert(negative, v.type(0).dtype);
    return v.grad * (one - (one * 2 - 1) * (z / (z + 1)));
}>;
constexpr VjpRule kMishSlope =
    vjpOfFirst<[](Vjp& v) { return aten("mish_backward", v.grad, v[0]); }>;
constexpr VjpRule kHardswishSlope =
    vjpOfFirst<[](Vjp& v) { return aten("hardswish_backward", v.grad, v[0]); }>;
constexpr VjpRule kHardsigmoidSlope =
    vjpOfFirst<[](Vjp& v) { return aten("hardsigmoid_backward", v.grad, v[0]); }>;
constexpr VjpRule kHardtanhSlope =
    vjpOfFirst<[](Vjp& v) { return aten("hardtanh_backward", v.grad, v[0], v[1], v[2]); }>;
constexpr VjpRule kRelu6Slope =
    vjpOfFirst<[](Vjp& v) { return aten("hardtanh_backward", v.grad, v[0], 0, 6); }>;
constexpr VjpRule kLeakySlope =
    vjpOfFirst<[](Vjp& v) { return aten("leaky_relu_backward", v.grad, v[0], v[1], false); }>;
constexpr VjpRule kSoftshrinkSlope =
    vjpOfFirst<[](Vjp& v) { return aten("softshrink_backward", v.grad, v[0], v[1]); }>;
constexpr VjpRule kHardshrinkSlope =
    vjpOfFirst<[](Vjp& v) { return aten("hardshrink_backward", v.grad, v[0], v[1]); }>;

// --- records ---

/// Floating-point tensors, one of them refused, with more arguments behind.
template <class... A> List samplesWith(std::string_view base, A... more) {
    return {good({f32({2, 3}, -5, 5)}, {T(0), more...}), good({f64({})}, {T(0), more...}),
            good({transposed(f32({3, 2}, -30, 30))}, {T(0), more...}),
            good({f32({0})}, {T(0), more...}),
            bad({i64({2})}, {T(0), more...},
                std::string(base) + ": expected a floating-point tensor, found int64")};
}

void addExponential(std::vector<OpDef>& ops) {
    ops.push_back(
        with<&Traits::refuses, Refuses::WholeNumbers>(with<&Traits::savesResult>(withGradient(
            kEluSlope,
            composite(
                "elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor",
                inFloat<elu>,
                [] {
                    List samples = samplesWith("elu", I(1), I(1), I(1));
                    samples.push_back(good({f32({4})}, {T(0), Arg(0.5), I(2), Arg(1.5)}));
                    return samples;
                },
                {"negative values bent towards -alpha", "y = x, below 0 alpha (e^x - 1)",
                 "arXiv:1511.07289; torch.nn.functional.elu"})))));
    ops.push_back(
        with<&Traits::refuses, Refuses::WholeNumbers>(with<&Traits::savesResult>(withGradient(
            kCeluSlope,
            composite("celu(Tensor self, Scalar alpha=1.0) -> Tensor", inFloat<celu>,
                      [] { return samplesWith("celu", Arg(1.5)); },
                      {"elu with a smooth bend", "y = x, below 0 alpha (e^(x / alpha) - 1)",
                       "arXiv:1704.07483; torch.nn.functional.celu"})))));
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(with<&Traits::savesResult>(
        withGradient(kSeluSlope, composite("selu(Tensor self) -> Tensor", inFloat<selu>,
                                           [] { return samplesWith("selu"); },
                                           {"elu with the scales that keep mean and variance",
                                            "y = 1.0507 (x, below 0 1.6733 (e^x - 1))",
                                            "arXiv:1706.02515; torch.nn.functional.selu"})))));
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(withGradient(
        kSoftplusSlope,
        composite("softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor",
                  inFloat<softplus>, [] { return samplesWith("softplus", I(2), I(20)); },
                  {"a smooth relu", "y = log(1 + e^(beta x)) / beta, x where beta x > threshold",
                   "torch.nn.functional.softplus"}))));
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(withGradient(
        kMishSlope,
        composite("mish(Tensor self) -> Tensor", inFloat<mish>, [] { return samplesWith("mish"); },
                  {"x times the tanh of its softplus", "y = x tanh(log(1 + e^x))",
                   "arXiv:1908.08681; torch.nn.functional.mish"}))));
    ops.push_back(
        saving("self", with<&Traits::refuses, Refuses::WholeNumbers>(lying<rowMajor>(withGradient(
                           kLogSigmoidSlope,
                           composite("log_sigmoid(Tensor self) -> Tensor", inFloat<logSigmoid>,
                                     [] { return samplesWith("log_sigmoid"); },
                                     {"logarithm of the sigmoid", "y = min(x, 0) - log(1 + e^-|x|)",
                                      "torch.nn.functional.logsigmoid"}))))));
}

void addPiecewise(std::vector<OpDef>& ops) {
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(withGradient(
        kHardswishSlope, composite("hardswish(Tensor self) -> Tensor", inFloat<hardswish>,
                                   [] { return samplesWith("hardswish"); },
                                   {"x times its hardsigmoid", "y = x min(max(x + 3, 0), 6) / 6",
                                    "arXiv:1905.02244; torch.nn.functional.hardswish"}))));
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(
        withGradient(kHardsigmoidSlope,
                     composite("hardsigmoid(Tensor self) -> Tensor", hardsigmoid,
                               [] { return samplesWith("hardsigmoid"); },
                               {"a sigmoid of straight lines", "y = min(max(x + 3, 0), 6) / 6",
                                "torch.nn.functional.hardsigmoid"}))));
    ops.push_back(with<&Traits::refuses, Refuses::Bools>(withGradient(
        kHardtanhSlope,
        composite("hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor", hardtanh,
                  [] {
                      return List{good({f32({2, 3})}, {T(0), I(-1), I(1)}),
                                  good({f64({})}, {T(0), Arg(-0.5), I(1)}),
                                  forwardOnly({i64({5})}, {T(0), I(-1), I(1)}),
                                  bad({b8({2})}, {T(0), I(-1), I(1)},
                                      "hardtanh: expected a number, found a bool tensor")};
                  },
                  {"values held between two", "y = min(max(x, min_val), max_val)",
                   "torch.nn.functional.hardtanh"}))));
    ops.push_back(with<&Traits::refuses, Refuses::Bools>(
        withGradient(kRelu6Slope, composite("relu6(Tensor self) -> Tensor", relu6,
                                            [] { return List{good({f32({2, 3}, -2, 9)}, {T(0)})}; },
                                            {"values held between 0 and 6", "y = min(max(x, 0), 6)",
                                             "torch.nn.functional.relu6"}))));
    ops.push_back(
        with<&Traits::refuses, Refuses::WholeNumbers>(with<&Traits::savesResult>(withGradient(
            kLeakySlope, composite("leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor",
                                   leakyRelu, [] { return samplesWith("leaky_relu", Arg(0.1)); },
                                   {"negative values made small", "y = x, below 0 slope x",
                                    "torch.nn.functional.leaky_relu"})))));
    ops.push_back(saving(
        "self", with<&Traits::refuses, Refuses::Bools>(composite(
                    "threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor", threshold,
                    [] {
                        return List{good({f32({2, 3})}, {T(0), Arg(0.5), I(7)}),
                                    forwardOnly({i64({5})}, {T(0), I(1), I(-3)})};
                    },
                    {"a value in place of all up to a threshold",
                     "y = x where x > threshold, else value", "torch.nn.functional.threshold"}))));
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(
        withGradient(kSoftshrinkSlope,
                     composite("softshrink(Tensor self, Scalar lambd=0.5) -> Tensor", softshrink,
                               [] { return samplesWith("softshrink", Arg(0.5)); },
                               {"values drawn towards 0", "y = x - lambd sign(x), 0 within lambd",
                                "torch.nn.functional.softshrink"}))));
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(with<&Traits::holdsNumbers>(
        withGradient(kHardshrinkSlope,
                     composite("hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor", hardshrink,
                               [] { return samplesWith("hardshrink", Arg(0.5)); },
                               {"small values set to 0", "y = x, 0 within lambd",
                                "torch.nn.functional.hardshrink"})))));
    ops.push_back(saving("self weight",
                         with<&Traits::refuses, Refuses::WholeNumbers>(composite(
                             "prelu(Tensor self, Tensor weight) -> Tensor", prelu,
                             [] {
                                 return List{good({f32({2, 3, 2}), f32({3})}, {T(0), T(1)}),
                                             good({f32({4}), f32({1})}, {T(0), T(1)}),
                                             good({f32({}), f32({})}, {T(0), T(1)}),
                                             bad({f32({2, 3}), f32({2})}, {T(0), T(1)},
                                                 "prelu: expected 1 or 3 parameters, found 2")};
                             },
                             {"leaky_relu with learnt slopes", "y = x, below 0 weight x",
                              "arXiv:1502.01852; torch.nn.functional.prelu"}))));
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(composite(
        "glu(Tensor self, int dim=-1) -> Tensor", inFloat<glu>,
        [] {
            return List{good({f32({2, 6})}, {T(0), I(-1)}), good({f32({4, 3})}, {T(0), I(0)}),
                        bad({f32({3})}, {T(0), I(0)},
                            "glu: expected an even size of dimension 0, found 3")};
        },
        {"one half gated by the other", "y = a sigmoid(b), x = [a, b]",
         "arXiv:1612.08083; torch.nn.functional.glu"})));
}

} // namespace

std::vector<OpDef> activationFormulaOps() {
    std::vector<OpDef> ops;
    addExponential(ops);
    addPiecewise(ops);
    return ops;
}

} // namespace cutaway::ops
