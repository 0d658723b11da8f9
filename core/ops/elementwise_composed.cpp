// SPDX-License-Identifier: Apache-2.0
// Elementwise operations made of others. Sources: torch/_refs and tools/autograd/derivatives.yaml.
#include "core/ops/computed_in.h"
#include "core/ops/elementwise_tools.h"
#include "core/ops/families.h"
#include "core/ops/lying.h"
#include "core/ops/out_dtypes.h"
#include "core/ops/refused_dtypes.h"
#include "core/ops/written_view.h"

#include <fmt/format.h>

namespace cutaway::ops {

namespace {

using ir::DType;
constexpr double kPi = 3.14159265358979323846;
constexpr double kSqrtHalf = 0.70710678118654752440;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr NotDifferentiable kTruth{"its result is a truth value"};

Value asFloat(const Operands& x, size_t i = 0) {
    return convert(x[i], floatDType(x.call(), {i}));
}
bool isFloat(const Operands& x, size_t i = 0) {
    return ir::isFloating(x.type(i).dtype);
}
OpDef test(std::string_view schema, DecomposeRule build, Reference reference, OpDoc doc) {
    return composed(
        schema, kTruth, build, reference,
        [] {
            return std::vector<Sample>{good({f32({2, 3})}, {T(0)}),
                                       good({awkward(f64({16}))}, {T(0)}), good({i64({4})}, {T(0)}),
                                       good({b8({4})}, {T(0)}), good({f32({0})}, {T(0)})};
        },
        doc);
}

void addTests(std::vector<OpDef>& ops) {
    ops.push_back(withFloat8(
        test("isfinite(Tensor self) -> Tensor",
             [](const Operands& x) { return Results{lt(abs(x[0]), kInfinity)}; },
             pointReference<[](double x) { return std::isfinite(x) ? 1.0 : 0.0; }, 0>,
             {"true where neither infinite nor NaN", "y = (|x| < inf)", "torch.isfinite"})));
    ops.push_back(
        withFloat8(test("isinf(Tensor self) -> Tensor",
                        [](const Operands& x) { return Results{eq(abs(x[0]), kInfinity)}; },
                        pointReference<[](double x) { return std::isinf(x) ? 1.0 : 0.0; }, 0>,
                        {"true where infinite", "y = (|x| = inf)", "torch.isinf"})));
    ops.push_back(test("isposinf(Tensor self) -> Tensor",
                       [](const Operands& x) { return Results{eq(x[0], kInfinity)}; },
                       pointReference<[](double x) { return x == kInfinity ? 1.0 : 0.0; }, 0>,
                       {"true at positive infinity", "y = (x = inf)", "torch.isposinf"}));
    ops.push_back(test("isneginf(Tensor self) -> Tensor",
                       [](const Operands& x) { return Results{eq(x[0], -kInfinity)}; },
                       pointReference<[](double x) { return x == -kInfinity ? 1.0 : 0.0; }, 0>,
                       {"true at negative infinity", "y = (x = -inf)", "torch.isneginf"}));
    ops.push_back(
        test("isreal(Tensor self) -> Tensor",
             [](const Operands& x) { return Results{aten("ones_like", x[0], DType::Bool)}; },
             pointReference<[](double) { return 1.0; }, 0>,
             {"true: no dtype here is complex", "y = true", "torch.isreal"}));
    ops.push_back(
        test("signbit(Tensor self) -> Tensor",
             [](const Operands& x) {
                 if (!isFloat(x)) return Results{lt(x[0], 0)};
                 Value one = aten("ones_like", x[0]);
                 return Results{lt(aten("copysign.Tensor", one, x[0]), 0)};
             },
             pointReference<[](double x) { return std::signbit(x) ? 1.0 : 0.0; }, 0>,
             {"true where the sign is set, of -0 too", "y = (sign of x is -)", "torch.signbit"}));
    auto closeSamples = [] {
        return std::vector<Sample>{
            forwardOnly({f32({2, 3}), f32({3})}, {T(0), T(1)}),
            forwardOnly({f32({9}, 1, 1.001), f32({9}, 1, 1.001)},
                        {T(0), T(1), Arg(1e-3), Arg(1e-8)}),
            forwardOnly({awkward(f32({16})), awkward(f32({16}))},
                        {T(0), T(1), Arg(1e-3), Arg(1e-8), Arg(true)}),
            forwardOnly({i64({9}), i64({9})}, {T(0), T(1), Arg(0.0), Arg(1.0)})};
    };
    ops.push_back(composed(
        "isclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool "
        "equal_nan=False) -> Tensor",
        kTruth,
        [](const Operands& x) {
            const OpCall call = x.call();
            if (x.type(0).dtype != x.type(1).dtype)
                refuseComposed(call, fmt::format("{} did not match {}", ir::name(x.type(0).dtype),
                                                 ir::name(x.type(1).dtype)));
            Value close = eq(x[0], x[1]);
            if (x.type(0).dtype == DType::Bool) return Results{close};
            if (isFloat(x) && call.boolean(4))
                close = logicalOr(close, logicalAnd(aten("isnan", x[0]), aten("isnan", x[1])));
            if (call.real(2) == 0 && call.real(3) == 0) return Results{close};
            // Differences of small integers do not fit into their own dtype.
            const bool wide = !isFloat(x) && !isFloat(x, 1);
            Value a = wide ? convert(x[0], DType::Int64) : x.tensor(0);
            Value b = wide ? convert(x[1], DType::Int64) : x.tensor(1);
            Value allowed = abs(aten("mul.Scalar", b, call.real(2))) + call.real(3);
            Value apart = abs(a - b);
            return Results{logicalOr(close, logicalAnd(lt(apart, kInfinity), le(apart, allowed)))};
        },
        [](const OpCall& call, Tensors tensors) {
            const double rtol = call.real(2), atol = call.real(3);
            const bool nans = call.boolean(4);
            return oneValue(broadcastMapAs<double, 2>(
                call, tensors, {0, 1}, DType::Float64, DType::Bool, [&](double a, double b) {
                    if (a == b || (nans && a != a && b != b)) return 1.0;
                    return std::isfinite(a - b) && std::fabs(a - b) <= atol + std::fabs(rtol * b)
                               ? 1.0
                               : 0.0;
                }));
        },
        closeSamples,
        {"true where two elements are close", "y = (|a - b| <= atol + rtol |b|)",
         "torch.isclose"}));
}

std::vector<Sample> unarySamples() {
    return betweenOrWhole<-39, 39>();
}

Results roundDecimals(const Operands& x) {
    const auto decimals = static_cast<double>(x.call().number(1));
    const double scale = std::pow(10.0, std::fabs(decimals));
    if (decimals == 0) return Results{aten("round", x[0])};
    if (decimals < 0) return Results{aten("round", x[0] / scale) * scale};
    return Results{aten("round", x[0] * scale) / scale};
}

void addUnary(std::vector<OpDef>& ops) {
    auto shown = [](const Operands& x) { return Results{aten("alias", x[0])}; };
    auto itsOwn = [](const Operands& x) { return Results{x.tensor(0)}; };
    ops.push_back(
        written({itself}, {"positive(Tensor(a) self) -> Tensor(a)",
                           [](const OpCall& call) -> Result<Types> {
                               if (call.tensor(0).dtype == DType::Bool)
                                   return refuse(call, "expected a number, found a bool tensor");
                               return one(call.tensor(0));
                           },
                           ThroughDecomposition{},
                           Decompose{itsOwn, DecomposeWhen::BeforeAutograd},
                           [](const OpCall&, Tensors tensors) { return oneValue(*tensors[0]); },
                           unarySamples,
                           {"the tensor itself", "y = x", "torch.positive"},
                           {.view = true}}));
    OpDef same = ops.back();
    same.shape = [](const OpCall& call) -> Result<Types> { return one(call.tensor(0)); };
    same.lowering = Decompose{shown, DecomposeWhen::BeforeAutograd};
    same.doc = {"the tensor itself: its dtype is real", "y = x", "torch.real"};
    addOverloads(ops, same, {"real(Tensor(a) self) -> Tensor(a)"});
    same.lowering = Decompose{itsOwn, DecomposeWhen::BeforeAutograd};
    addOverloads(ops, same,
                 {"conj(Tensor(a) self) -> Tensor(a)", "resolve_conj(Tensor(a) self) -> Tensor(a)",
                  "resolve_neg(Tensor(a) self) -> Tensor(a)"});
    ops.push_back(
        composed("conj_physical(Tensor self) -> Tensor", itsOwn,
                 [](const OpCall&, Tensors tensors) { return oneValue(*tensors[0]); }, unarySamples,
                 {"complex conjugate; real elements stay", "y = x", "torch.conj_physical"}));
    ops.push_back(lying<likeFirst>(
        composed("deg2rad(Tensor self) -> Tensor",
                 [](const Operands& x) { return Results{asFloat(x) * (kPi / 180)}; },
                 pointReference<[](double x) { return x * (kPi / 180); }, 0>, unarySamples,
                 {"degrees to radians", "y = x pi / 180", "torch.deg2rad"})));
    ops.push_back(lying<likeFirst>(
        composed("rad2deg(Tensor self) -> Tensor",
                 [](const Operands& x) { return Results{asFloat(x) * (180 / kPi)}; },
                 pointReference<[](double x) { return x * (180 / kPi); }, 0>, unarySamples,
                 {"radians to degrees", "y = 180 x / pi", "torch.rad2deg"})));
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(
        composed("frac(Tensor self) -> Tensor",
                 [](const Operands& x) { return Results{x[0] - aten("trunc", x[0])}; },
                 pointReference<[](double x) { return x - std::trunc(x); }, 0>, between<11, 19>,
                 {"what follows the decimal point", "y = x - trunc(x)", "torch.frac"})));
    ops.push_back(saving("self result",
                         composed("sgn(Tensor self) -> Tensor", VjpRule{vjpOfFirst<[](Vjp& v) {
                                      return full(v.b, v.grad.type().sizes, 0, v.grad.type());
                                  }>},
                                  [](const Operands& x) { return Results{sign(x[0])}; },
                                  numberReference<[](auto x) { return (x > 0) - (x < 0); }, 0>,
                                  betweenOrWhole<1, 40>,
                                  {"sign of each element", "y = x / |x|, 0 at 0", "torch.sgn"})));
    ops.push_back(composed(
        "angle(Tensor self) -> Tensor", VjpRule{vjpOfFirst<[](Vjp& v) { return zerosLike(v[0]); }>},
        [](const Operands& x) {
            Value self = asFloat(x);
            Value nan = where(aten("isnan", self), self, 0);
            return Results{where(lt(self, 0), kPi, nan)};
        },
        pointReference<[](double x) { return x != x  ? x
                                             : x < 0 ? kPi
                                                     : 0; }, 0>, unarySamples,
        {"angle of a number in the plane", "y = pi below 0, else 0", "torch.angle"}));
}

/// Operations that take numbers besides.
void addWithNumbers(std::vector<OpDef>& ops) {
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(composed(
        "round.decimals(Tensor self, *, int decimals) -> Tensor", inFloat<roundDecimals>,
        [](const OpCall& call, Tensors tensors) {
            const double scale = std::pow(10.0, static_cast<double>(call.number(1)));
            const DType out = outDType(call);
            return oneValue(broadcastMapAs<double, 1>(call, tensors, {0}, out, out, [&](double x) {
                return std::nearbyint(x * scale) / scale;
            }));
        },
        [] {
            return std::vector<Sample>{good({f64({6}, 0.11, 0.12)}, {T(0), I(1)}),
                                       forwardOnly({f64({6}, -90, 90)}, {T(0), I(-1)}),
                                       good({f64({6}, 0.1, 0.4)}, {T(0), I(0)})};
        },
        {"rounded to a number of decimals", "y = round(x 10^d) / 10^d", "torch.round"})));
    ops.push_back(composed(
        "nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> "
        "Tensor",
        VjpRule{vjpOfFirst<[](Vjp& v) { return v.grad * aten("isfinite", v[0]); }>},
        [](const Operands& x) {
            if (!isFloat(x)) return Results{aten("clone", x[0])};
            const OpCall call = x.call();
            const double most = ir::floatLimits(x.type(0).dtype).max;
            Value result = where(aten("isnan", x[0]), call.has(1) ? call.real(1) : 0.0, x[0]);
            result = where(eq(x[0], kInfinity), call.has(2) ? call.real(2) : most, result);
            return Results{where(eq(x[0], -kInfinity), call.has(3) ? call.real(3) : -most, result)};
        },
        [](const OpCall& call, Tensors tensors) {
            const DType out = outDType(call);
            const double most = ir::isFloating(out) ? ir::floatLimits(out).max : 0;
            return oneValue(broadcastMap<1>(call, tensors, {0}, out, out, [&](auto x) {
                double value = static_cast<double>(x);
                if (value != value) value = call.has(1) ? call.real(1) : 0;
                if (value == kInfinity) value = call.has(2) ? call.real(2) : most;
                if (value == -kInfinity) value = call.has(3) ? call.real(3) : -most;
                return static_cast<decltype(x)>(value);
            }));
        },
        [] {
            return std::vector<Sample>{
                good({f32({2, 3})}, {T(0)}), forwardOnly({awkward(f64({16}))}, {T(0)}),
                forwardOnly({awkward(f32({16}))}, {T(0), Arg(1.5), Arg(2.0), Arg(-3.0)}),
                forwardOnly({i64({4})}, {T(0)})};
        },
        {"NaN and infinities replaced by numbers", "y = x where finite", "torch.nan_to_num"}));
}

/// The ends of what logit takes, eps and 1 - eps, as numbers of the dtype.
struct LogitRange {
    double low, high;
    LogitRange(double eps, DType dtype) : low(rounded(eps, dtype)), high(rounded(1 - low, dtype)) {}
    static double rounded(double value, DType dtype) {
        return tensorOf(dtype, {}, std::vector<double>{value}).get(0);
    }
};

Results logitBackward(const Operands& in) {
    const OpCall call = in.call();
    const LogitRange range(call.has(2) ? call.real(2) : 0, in.type(1).dtype);
    const auto wide = [&](size_t i) {
        const DType dtype = ir::computeType(in.type(i).dtype);
        return dtype == in.type(i).dtype ? in.tensor(i) : Value(convert(in[i], dtype));
    };
    Value grad = wide(0), x = wide(1);
    Value outside = logicalOr(lt(x, range.low), gt(x, range.high));
    // An infinity of the gradient's sign at 0 and 1, at -0 too, whose own slope is NaN.
    Value odds = x * (1 - x);
    Value slope = grad / where(logicalOr(eq(x, 0), eq(x, 1)), abs(odds), odds);
    Value inside =
        where(outside, call.has(2) ? 0.0 : std::numeric_limits<double>::quiet_NaN(), slope);
    const DType given = in.type(1).dtype;
    return {inside.type().dtype == given ? inside : Value(convert(inside, given))};
}

void addProbabilities(std::vector<OpDef>& ops) {
    ops.push_back(lying<likeAll>(composite(
        "logit_backward(Tensor grad_output, Tensor self, float? eps=None) -> Tensor", logitBackward,
        [] {
            return std::vector<Sample>{
                good({f32({2, 3}), f32({2, 3}, 0.1, 0.9)}, {T(0), T(1), none()}),
                good({f64({5}), f64({5}, 0.25, 0.75)}, {T(0), T(1), Arg(0.2)})};
        },
        {"gradient of logit", "dx = dy / (x (1 - x))", "torch.ops.aten.logit_backward"})));
    ops.push_back(composed(
        "logit(Tensor self, float? eps=None) -> Tensor",
        VjpRule{vjpOfFirst<[](Vjp& v) { return aten("logit_backward", v.grad, v[0], v[1]); }>},
        [](const Operands& x) {
            const OpCall call = x.call();
            Value self = asFloat(x);
            const DType given = self.type().dtype, wide = ir::computeType(given);
            if (given != wide) self = convert(self, wide);
            if (call.has(1)) {
                const LogitRange range(call.real(1), wide);
                self = where(lt(self, range.low), range.low,
                             where(gt(self, range.high), range.high, self));
            }
            Value y = log(self / (1 - self));
            return Results{given == wide ? y : Value(convert(y, given))};
        },
        [](const OpCall& call, Tensors tensors) {
            const DType out = outDType(call);
            const LogitRange range(call.has(1) ? call.real(1) : 0, ir::computeType(out));
            return oneValue(broadcastMapAs<double, 1>(call, tensors, {0}, out, out, [&](double x) {
                if (call.has(1)) x = x < range.low ? range.low : x > range.high ? range.high : x;
                return std::log(x / (1 - x));
            }));
        },
        [] {
            return std::vector<Sample>{good({f32({2, 3}, 0.1, 0.9)}, {T(0)}),
                                       good({f64({5}, 0.25, 0.75)}, {T(0), Arg(0.2)}),
                                       forwardOnly({i64({5}, 0, 1)}, {T(0), Arg(0.25)})};
        },
        {"logarithm of the odds", "y = ln(x / (1 - x))", "torch.logit"}));
    ops.push_back(composed(
        "special_entr(Tensor self) -> Tensor",
        VjpRule{vjpOfFirst<[](Vjp& v) { return v.grad * -(log(v[0]) + 1); }>},
        [](const Operands& x) {
            Value self = asFloat(x);
            Value below = where(eq(self, 0), 0, where(aten("isnan", self), self, -kInfinity));
            return Results{where(gt(self, 0), -self * log(self), below)};
        },
        pointReference<[](double x) {
            return x != x ? x : 0 < x ? -x * std::log(x) : x == 0 ? 0 : -kInfinity;
        },
                       0>,
        betweenOrWhole<1, 30>,
        {"a probability's share of the entropy", "y = -x ln x", "torch.special.entr"}));
    ops.push_back(composed(
        "special_ndtr(Tensor self) -> Tensor",
        [](const Operands& x) { return Results{aten("erfc", asFloat(x) * -kSqrtHalf) * 0.5}; },
        pointReference<[](double x) { return 0.5 * std::erfc(-x * kSqrtHalf); }, 0>, unarySamples,
        {"standard normal distribution function", "y = erfc(-x / sqrt 2) / 2",
         "torch.special.ndtr"}));
    ops.push_back(saving(
        "self result",
        composed(
            "special_log_ndtr(Tensor self) -> Tensor", VjpRule{vjpOfFirst<[](Vjp& v) {
                return v.grad / aten("special_erfcx", v[0] * -kSqrtHalf) * std::sqrt(2 / kPi);
            }>},
            [](const Operands& x) {
                Value self = asFloat(x), scaled = self * -kSqrtHalf;
                Value tail = log(aten("special_erfcx", scaled) / 2) - scaled * scaled;
                return Results{
                    where(lt(self, -1), tail, aten("log1p", aten("erfc", -scaled) / -2))};
            },
            pointReference<[](double x) { return std::log(0.5 * std::erfc(-x * kSqrtHalf)); }, 0>,
            unarySamples,
            {"logarithm of the normal distribution function", "y = ln ndtr(x)",
             "torch.special.log_ndtr"})));
}

void addSpecial(std::vector<OpDef>& ops) {
    ops.push_back(composed(
        "sinc(Tensor self) -> Tensor", VjpRule{vjpOfFirst<[](Vjp& v) {
            Value angle = v[0] * kPi, square = angle * v[0];
            Value slope = (angle * cos(angle) - sin(angle)) / square;
            return where(eq(square, 0), 0, v.grad * slope);
        }>},
        [](const Operands& x) {
            Value angle = asFloat(x) * kPi;
            return Results{where(eq(angle, 0), 1, sin(angle) / angle)};
        },
        pointReference<[](double x) { return x == 0 ? 1 : std::sin(kPi * x) / (kPi * x); }, 0>,
        unarySamples, {"normalized sine", "y = sin(pi x) / (pi x)", "torch.sinc"}));
    ops.push_back(composed("special_spherical_bessel_j0(Tensor x) -> Tensor", VjpRule{noGradients},
                           [](const Operands& x) {
                               Value self = asFloat(x), square = self * self;
                               Value near = Value(1 - square / 110 * (1 - square / 156));
                               for (double next : {72, 42, 20, 6})
                                   near = 1 - square / next * near;
                               Value far = where(eq(abs(self), kInfinity), 0, sin(self) / self);
                               return Results{where(lt(abs(self), 0.5), near, far)};
                           },
                           pointReference<[](double x) { return x == 0 ? 1 : std::sin(x) / x; }, 0>,
                           unarySamples,
                           {"spherical Bessel function of order 0", "y = sin(x) / x",
                            "torch.special.spherical_bessel_j0"}));
    ops.push_back(lying<rowMajor>(composed(
        "mvlgamma(Tensor self, int p) -> Tensor",
        [](const Operands& x) {
            const int64_t p = x.call().number(1);
            if (p < 1 || p > 1000) // a term of the sum each
                refuseComposed(x.call(), std::string("expected p of at ") +
                                             (p < 1 ? "least 1" : "most 1000") + ", found " +
                                             std::to_string(p));
            Value self = asFloat(x), sum = aten("lgamma", self);
            for (int64_t j = 1; j < p; ++j)
                sum = sum + aten("lgamma", self - 0.5 * static_cast<double>(j));
            return Results{sum + 0.25 * std::log(kPi) * static_cast<double>(p * (p - 1))};
        },
        [](const OpCall& call, Tensors tensors) {
            const DType out = outDType(call);
            const auto p = static_cast<double>(call.number(1));
            return oneValue(broadcastMapAs<double, 1>(call, tensors, {0}, out, out, [&](double x) {
                double sum = 0.25 * p * (p - 1) * std::log(kPi);
                for (double j = 0; j < p; ++j)
                    sum += std::lgamma(x - 0.5 * j);
                return sum;
            }));
        },
        [] {
            return std::vector<Sample>{
                good({f32({2, 3}, 2, 5)}, {T(0), I(3)}), good({f64({3}, 1, 5)}, {T(0), I(1)}),
                bad({f32({3})}, {T(0), I(0)}, "mvlgamma: expected p of at least 1, found 0")};
        },
        {"multivariate log-gamma function", "y = p(p-1)/4 ln pi + sum of lgamma(x - j/2), j < p",
         "torch.special.multigammaln"})));
}

} // namespace

std::vector<OpDef> elementwiseComposedOps() {
    std::vector<OpDef> ops;
    addTests(ops);
    addUnary(ops);
    addWithNumbers(ops);
    addProbabilities(ops);
    addSpecial(ops);
    refuseHalves({"special_log_ndtr", "special_spherical_bessel_j0"});
    outTakes(ops, {"conj_physical", "frac", "sgn", "round.decimals"}, OutDTypes::Same,
             "Found dtype {out} but expected {result}");
    outTakes(ops, {"nan_to_num"}, OutDTypes::Same,
             "nan_to_num: dtype of out: {out} should be same as input: {result}");
    outTakes(ops, {"isposinf"}, OutDTypes::Same, "isposinf does not support non-boolean outputs.");
    outTakes(ops, {"isneginf"}, OutDTypes::Same, "isneginf does not support non-boolean outputs.");
    outTakes(ops, {"signbit"}, OutDTypes::Same, "signbit does not support non-boolean outputs.");
    return ops;
}

} // namespace cutaway::ops
