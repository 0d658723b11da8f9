// SPDX-License-Identifier: Apache-2.0
// Special functions of one element. Gradients: tools/autograd/derivatives.yaml.
#include "core/ops/composite.h"
#include "core/ops/elementwise_tools.h"
#include "core/ops/families.h"
#include "core/ops/refused_dtypes.h"

#include <numbers>

namespace cutaway::ops {

namespace {

constexpr double kPi = 3.14159265358979323846, kSqrtPi = 1.77245385090551602730;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <auto Slope>
constexpr VjpRule kSlope = vjpOfFirst<[](Vjp& v) { return v.grad * Slope(v); }>;

// --- references: other ways to the same values ---

/// By the recurrence to a thousand, then the asymptotic expansion; below 0 by reflection.
double digammaOf(double at) {
    if (at == 0) return std::copysign(kInfinity, -at);
    if (at < 0) {
        const double part = at - std::trunc(at);
        return part == 0 ? kNaN : digammaOf(1 - at) - kPi / std::tan(kPi * part);
    }
    long double x = at, sum = 0;
    for (; x < 1000; ++x)
        sum -= 1 / x;
    const long double y = 1 / (x * x);
    return static_cast<double>(sum + std::log(x) - 0.5L / x - y * (1 / 12.0L - y / 120));
}
/// The sum of 1 / (q + k)^s; what comes after a thousand terms by its integral.
double zetaOf(double s, double q) {
    double sum = 0;
    for (int k = 0; k < 1000; ++k)
        sum += std::pow(q + k, -s);
    const double rest = q + 1000;
    return sum + std::pow(rest, 1 - s) / (s - 1) + 0.5 * std::pow(rest, -s) +
           s / 12 * std::pow(rest, -s - 1);
}
double polygammaValue(double n, double x) {
    if (n == 0) return digammaOf(x);
    return (std::fmod(n, 2) == 1 ? 1 : -1) * std::tgamma(n + 1) * zetaOf(n + 1, x);
}
/// Where the increasing function f is y, by halving.
template <class F> double inverse(F f, double y, double low, double high) {
    for (int k = 0; k < 200; ++k) {
        const double middle = 0.5 * (low + high);
        (f(middle) < y ? low : high) = middle;
    }
    return 0.5 * (low + high);
}
/// As PyTorch's: no limit at infinity. std's functions throw below 0.
double besselJ(int order, double x) {
    if (std::isinf(x)) return kNaN;
    const double value = std::cyl_bessel_j(order, std::fabs(x));
    return order == 1 && std::signbit(x) ? -value : value;
}
double besselY(int order, double x) {
    return x < 0 || std::isinf(x) ? kNaN : std::cyl_neumann(order, x);
}
/// e^x K(x) where \p scaled.
double besselK(int order, double x, bool scaled = false) {
    if (x < 0) return kNaN;
    if (std::isinf(x)) return 0;
    return std::cyl_bessel_k(order, x) * (scaled ? std::exp(x) : 1);
}
/// As PyTorch's: no limit at infinity.
double besselI(int order, double x) {
    if (std::isinf(x)) return kNaN;
    const double value = std::cyl_bessel_i(order, std::fabs(x));
    return order == 1 && x < 0 ? -value : value;
}
double airyOf(double at) {
    if (std::isinf(at)) return kNaN;
    const long double x = at, third = 1 / 3.0L, pi = std::numbers::pi_v<long double>;
    const long double zeta = 2 * std::fabs(x) * std::sqrt(std::fabs(x)) / 3;
    if (x == 0) return 0.355028053887817239;
    if (x > 0) return static_cast<double>(std::sqrt(x / 3) / pi * std::cyl_bessel_k(third, zeta));
    const long double j = std::cyl_bessel_j(third, zeta), y = std::cyl_neumann(third, zeta);
    return static_cast<double>(std::sqrt(-x) / 3 * (1.5L * j - std::sqrt(0.75L) * y));
}
/// By Simpson's rule, for a of at least 1.
double gammaP(double a, double x) {
    const int parts = 4000;
    auto f = [&](double t) {
        return t <= 0 ? (a == 1 ? 1.0 : 0.0) : std::exp((a - 1) * std::log(t) - t);
    };
    double sum = f(0) + f(x);
    for (int k = 1; k < parts; ++k)
        sum += (k % 2 ? 4 : 2) * f(x * k / parts);
    return sum * x / parts / 3 / std::tgamma(a);
}

// --- gradients ---

/// PyTorch's not_implemented("self").
void refuseGradientOfSelf(const Vjp& v) {
    if (v.wants(0))
        refuseCall(v, "the derivative for 'self' is not implemented",
                   "call detach() on it, or do not require a gradient there",
                   base::ErrorClass::NotImplemented);
}

Formula polygammaOf(int64_t n, const Formula& x) {
    return aten("polygamma", n, x);
}
/// Of a tiny x the quotient by it is inexact, or infinite: there the slope is that at 0 (i1_backward).
Formula i1Slope(Vjp& v) {
    const double eps = ir::floatLimits(v.type(0).dtype).eps;
    Value far = gt(abs(v[0]), eps), safe = where(far, v[0], eps);
    Value slope = aten("special_i0", safe) - v.result * aten("reciprocal", safe);
    return where(far, slope, 0.5);
}
Formula i1eSlope(Vjp& v) {
    const double eps = ir::floatLimits(v.type(0).dtype).eps;
    Value far = gt(abs(v[0]), eps), safe = where(far, v[0], eps);
    Value slope = aten("special_i0e", safe) - v.result * (sign(safe) + aten("reciprocal", safe));
    return where(far, slope, 0.5);
}

void addErrorFunctions(std::vector<OpDef>& ops) {
    ops.push_back(floatFunction<ScalarOp::Erfc, [](double x) { return std::erfc(x); }>(
        "erfc(Tensor self) -> Tensor",
        kSlope<[](Vjp& v) { return exp(-(v[0] * v[0])) * (-2 / kSqrtPi); }>,
        betweenOrWhole<-20, 20>,
        {"complement of the error function", "y = 1 - erf(x)", "torch.erfc"}));
    ops.push_back(
        floatFunction<ScalarOp::Erfcx,
                      [](double x) {
                          return static_cast<double>(std::exp(static_cast<long double>(x) * x) *
                                                     std::erfc(static_cast<long double>(x)));
                      }>("special_erfcx(Tensor self) -> Tensor",
                         kSlope<[](Vjp& v) { return v[0] * v.result * 2 - 2 / kSqrtPi; }>,
                         betweenOrWhole<-20, 40>,
                         {"erfc scaled so that it does not underflow", "y = e^(x^2) erfc(x)",
                          "torch.special.erfcx"}));
    ops.push_back(
        floatFunction<ScalarOp::Erfinv,
                      [](double y) {
                          if (std::fabs(y) >= 1) return std::fabs(y) == 1 ? y * kInfinity : kNaN;
                          return y == 0 ? y
                                        : inverse([](double x) { return std::erf(x); }, y, -8, 8);
                      }>("erfinv(Tensor self) -> Tensor",
                         kSlope<[](Vjp& v) { return exp(v.result * v.result) * (kSqrtPi / 2); }>,
                         betweenOrWhole<-9, 9>,
                         {"inverse of the error function", "erf(y) = x", "torch.erfinv"}));
    ops.push_back(floatFunction<ScalarOp::Ndtri,
                                [](double y) {
                                    if (y <= 0 || y >= 1)
                                        return y == 0 ? -kInfinity : y == 1 ? kInfinity : kNaN;
                                    return inverse(
                                        [](double x) { return 0.5 * std::erfc(-x * M_SQRT1_2); }, y,
                                        -40, 40);
                                }>(
        "special_ndtri(Tensor self) -> Tensor",
        kSlope<[](Vjp& v) { return exp(v.result * v.result / 2) * std::sqrt(2 * kPi); }>,
        betweenOrWhole<1, 9>,
        {"quantile of the standard normal distribution", "ndtr(y) = x", "torch.special.ndtri"}));
}

void addGammas(std::vector<OpDef>& ops) {
    ops.push_back(floatFunction<ScalarOp::Lgamma, [](double x) { return std::lgamma(x); }>(
        "lgamma(Tensor self) -> Tensor", kSlope<[](Vjp& v) { return aten("digamma", v[0]); }>,
        betweenOrWhole<3, 60>,
        {"logarithm of the gamma function's size", "y = ln |gamma(x)|", "torch.lgamma"}));
    ops.push_back(floatFunction<ScalarOp::Digamma, digammaOf>(
        "digamma(Tensor self) -> Tensor", kSlope<[](Vjp& v) { return polygammaOf(1, v[0]); }>,
        betweenOrWhole<3, 60>,
        {"logarithmic derivative of the gamma function", "y = d/dx ln gamma(x)", "torch.digamma"}));
    ops.push_back(
        {.schema = "polygamma(int n, Tensor self) -> Tensor",
         .shape = [](const OpCall& call) -> Result<Types> {
             if (call.number(0) < 0)
                 return refuse(call,
                               "expected n of at least 0, found " + std::to_string(call.number(0)));
             return floatShape<1>(call);
         },
         .gradient = VjpRule{[](Vjp& v) {
             if (v.wants(1)) v.set(1, v.grad * polygammaOf(v.call().number(0) + 1, v[1]));
         }},
         .lowering = Pointwise{[](ExprPool& pool, const OpCall& call, Inputs inputs) {
             const ir::DType dtype = floatDType(call, {1});
             const ExprId x = Elements(pool, call, inputs).as(1, dtype);
             const int64_t n = call.number(0);
             if (n < 2) return pool.op(n ? ScalarOp::Trigamma : ScalarOp::Digamma, {x});
             const double order = static_cast<double>(n);
             const double factor = (n % 2 ? 1 : -1) * std::tgamma(order + 1);
             return pool.op(ScalarOp::Mul,
                            {pool.op(ScalarOp::Zeta, {pool.constant(dtype, order + 1), x}),
                             pool.constant(dtype, factor)});
         }},
         .reference = pointReference<polygammaValue, 0, 1>,
         .samples =
             [] {
                 return std::vector<Sample>{good({f32({2, 3}, 0.5, 5)}, {I(0), T(0)}),
                                            good({f64({4}, 0.5, 5)}, {I(1), T(0)}),
                                            good({f32({4}, 0.5, 5)}, {I(2), T(0)}),
                                            good({f32({4}, 0.8, 5)}, {I(3), T(0)}),
                                            forwardOnly({i64({4}, 1, 5)}, {I(1), T(0)}),
                                            bad({f32({4})}, {I(-1), T(0)},
                                                "polygamma: expected n of at least 0, found -1")};
             },
         .doc = {"derivative number n of digamma", "y = d^n/dx^n digamma(x)", "torch.polygamma"}});
    ops.push_back(floatFunction2<ScalarOp::Zeta, zetaOf>(
        "special_zeta(Tensor self, Tensor other) -> Tensor", VjpRule{[](Vjp& v) {
            refuseGradientOfSelf(v);
            if (!v.wants(1)) return;
            const bool value = v.isValue(0);
            const Formula next = value ? v[0] + 1 : Formula(v.call().real(0) + 1);
            const Formula slope = value ? -v[0] : Formula(-v.call().real(0));
            v.set(1, v.grad * aten("special_zeta", next, v[1]) * slope);
        }},
        [] { return pairsForward<15, 50>(); },
        {"Hurwitz's zeta function", "y = sum over k of 1 / (k + q)^x", "torch.special.zeta"}));
    addOverloads(ops, ops.back(),
                 {"special_zeta.self_scalar(Scalar self, Tensor other) -> Tensor",
                  "special_zeta.other_scalar(Tensor self, Scalar other) -> Tensor"});
    ops[ops.size() - 2].samples = [] {
        return std::vector<Sample>{forwardOnly({f32({3}, 1, 4)}, {Arg(2.5), T(0)})};
    };
    ops.back().samples = [] {
        return std::vector<Sample>{forwardOnly({f32({3}, 2, 4)}, {T(0), Arg(1.5)})};
    };
    ops.push_back(floatFunction2<ScalarOp::Igamma, [](double a, double x) { return gammaP(a, x); }>(
        "igamma(Tensor self, Tensor other) -> Tensor", VjpRule{[](Vjp& v) {
            refuseGradientOfSelf(v);
            if (!v.wants(1)) return;
            v.set(1, v.grad * exp((v[0] - 1) * log(v[1]) - v[1] - aten("lgamma", v[0])));
        }},
        [] { return pairsForward<30, 80>(); },
        {"regularized lower incomplete gamma function",
         "y = integral from 0 to x of t^(a-1) e^-t dt / gamma(a)", "torch.special.gammainc"}));
    ops.push_back(
        floatFunction2<ScalarOp::Igammac, [](double a, double x) { return 1 - gammaP(a, x); }>(
            "igammac(Tensor self, Tensor other) -> Tensor", VjpRule{[](Vjp& v) {
                refuseGradientOfSelf(v);
                if (!v.wants(1)) return;
                v.set(1, -v.grad * exp((v[0] - 1) * log(v[1]) - v[1] - aten("lgamma", v[0])));
            }},
            [] { return pairsForward<30, 80>(); },
            {"regularized upper incomplete gamma function",
             "y = integral from x on of t^(a-1) e^-t dt / gamma(a)", "torch.special.gammaincc"}));
    for (size_t back : {1, 2})
        ops[ops.size() - back].traits.refuses = Refuses::WholeNumbers;
}

constexpr VjpRule kForwardOnly{noGradients}; // as in PyTorch

void addBessels(std::vector<OpDef>& ops) {
    OpDoc i0{"modified Bessel function of the first kind, order 0", "y = I0(x)",
             "torch.special.i0"};
    ops.push_back(floatFunction<ScalarOp::I0, [](double x) { return besselI(0, x); }>(
        "special_i0(Tensor self) -> Tensor",
        kSlope<[](Vjp& v) { return aten("special_i1", v[0]); }>, betweenOrWhole<-60, 60>, i0));
    addOverloads(ops, ops.back(), {"i0(Tensor self) -> Tensor"});
    ops.push_back(floatFunction<ScalarOp::I0e,
                                [](double x) { return besselI(0, x) * std::exp(-std::fabs(x)); }>(
        "special_i0e(Tensor self) -> Tensor",
        kSlope<[](Vjp& v) { return aten("special_i1e", v[0]) - sign(v[0]) * v.result; }>,
        betweenOrWhole<5, 60>,
        {"I0 scaled so that it does not overflow", "y = e^-|x| I0(x)", "torch.special.i0e"}));
    ops.push_back(floatFunction<ScalarOp::I1, [](double x) { return besselI(1, x); }>(
        "special_i1(Tensor self) -> Tensor", kSlope<i1Slope>, betweenOrWhole<-60, 60>,
        {"modified Bessel function of the first kind, order 1", "y = I1(x)", "torch.special.i1"}));
    ops.push_back(floatFunction<ScalarOp::I1e,
                                [](double x) { return besselI(1, x) * std::exp(-std::fabs(x)); }>(
        "special_i1e(Tensor self) -> Tensor", kSlope<i1eSlope>, betweenOrWhole<5, 60>,
        {"I1 scaled so that it does not overflow", "y = e^-|x| I1(x)", "torch.special.i1e"}));
    auto add = [&]<ScalarOp op, auto F>(std::string_view schema, OpDoc doc,
                                        Gradient slope = kForwardOnly) {
        ops.push_back(floatFunction<op, F>(schema, slope, betweenOrWhole<3, 90>, doc));
    };
    const Gradient k0Slope =
        kSlope<[](Vjp& v) { return -aten("special_modified_bessel_k1", v[0]); }>;
    const Gradient k1Slope = kSlope<[](Vjp& v) {
        return -(aten("special_modified_bessel_k0", v[0]) + v.result / v[0]);
    }>;
    add.template operator()<ScalarOp::K0, [](double x) { return besselK(0, x); }>(
        "special_modified_bessel_k0(Tensor self) -> Tensor",
        {"modified Bessel function of the second kind, order 0", "y = K0(x)",
         "torch.special.modified_bessel_k0"},
        k0Slope);
    add.template operator()<ScalarOp::K1, [](double x) { return besselK(1, x); }>(
        "special_modified_bessel_k1(Tensor self) -> Tensor",
        {"modified Bessel function of the second kind, order 1", "y = K1(x)",
         "torch.special.modified_bessel_k1"},
        k1Slope);
    add.template operator()<ScalarOp::K0e, [](double x) { return besselK(0, x, true); }>(
        "special_scaled_modified_bessel_k0(Tensor x) -> Tensor",
        {"K0 scaled so that it does not underflow", "y = e^x K0(x)",
         "torch.special.scaled_modified_bessel_k0"});
    add.template operator()<ScalarOp::K1e, [](double x) { return besselK(1, x, true); }>(
        "special_scaled_modified_bessel_k1(Tensor x) -> Tensor",
        {"K1 scaled so that it does not underflow", "y = e^x K1(x)",
         "torch.special.scaled_modified_bessel_k1"});
    add.template operator()<ScalarOp::I0, [](double x) { return besselI(0, x); }>(
        "special_modified_bessel_i0(Tensor self) -> Tensor",
        {"modified Bessel function of the first kind, order 0", "y = I0(x)",
         "torch.special.modified_bessel_i0"},
        kSlope<[](Vjp& v) { return aten("special_modified_bessel_i1", v[0]); }>);
    add.template operator()<ScalarOp::I1, [](double x) { return besselI(1, x); }>(
        "special_modified_bessel_i1(Tensor self) -> Tensor",
        {"modified Bessel function of the first kind, order 1", "y = I1(x)",
         "torch.special.modified_bessel_i1"},
        kSlope<i1Slope>);
    add.template operator()<ScalarOp::J0, [](double x) { return besselJ(0, x); }>(
        "special_bessel_j0(Tensor self) -> Tensor",
        {"Bessel function of the first kind, order 0", "y = J0(x)", "torch.special.bessel_j0"},
        kSlope<[](Vjp& v) { return -aten("special_bessel_j1", v[0]); }>);
    add.template operator()<ScalarOp::J1, [](double x) { return besselJ(1, x); }>(
        "special_bessel_j1(Tensor self) -> Tensor",
        {"Bessel function of the first kind, order 1", "y = J1(x)", "torch.special.bessel_j1"},
        kSlope<[](Vjp& v) {
            Value none = eq(v[0], 0), safe = where(none, 1, v[0]);
            return where(none, 0.5, aten("special_bessel_j0", v[0]) - v.result / safe);
        }>);
    add.template operator()<ScalarOp::Y0, [](double x) { return besselY(0, x); }>(
        "special_bessel_y0(Tensor self) -> Tensor",
        {"Bessel function of the second kind, order 0", "y = Y0(x)", "torch.special.bessel_y0"},
        kSlope<[](Vjp& v) { return -aten("special_bessel_y1", v[0]); }>);
    add.template operator()<ScalarOp::Y1, [](double x) { return besselY(1, x); }>(
        "special_bessel_y1(Tensor self) -> Tensor",
        {"Bessel function of the second kind, order 1", "y = Y1(x)", "torch.special.bessel_y1"},
        kSlope<[](Vjp& v) {
            Value near = aten("special_bessel_y0", v[0]) - v.result / v[0];
            return where(eq(v[0], 0), kInfinity, near);
        }>);
    ops.push_back(floatFunction<ScalarOp::AiryAi, airyOf>(
        "special_airy_ai(Tensor x) -> Tensor", kForwardOnly, betweenOrWhole<-90, 90>,
        {"Airy function", "y'' = x y, y = Ai(x)", "torch.special.airy_ai"}));
}

} // namespace

std::vector<OpDef> specialOps() {
    std::vector<OpDef> ops;
    addErrorFunctions(ops);
    addGammas(ops);
    addBessels(ops);
    refuseHalves({"special_erfcx", "special_ndtri", "special_modified_bessel_k0",
                  "special_modified_bessel_k1", "special_scaled_modified_bessel_k0",
                  "special_scaled_modified_bessel_k1", "special_modified_bessel_i0",
                  "special_modified_bessel_i1", "special_bessel_j0", "special_bessel_j1",
                  "special_bessel_y0", "special_bessel_y1", "special_airy_ai"});
    return ops;
}

} // namespace cutaway::ops
