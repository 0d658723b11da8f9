// SPDX-License-Identifier: Apache-2.0
// Orthogonal polynomials of a degree that is a tensor, too. PyTorch differentiates none of them.
#include "core/ops/elementwise_tools.h"
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"

namespace cutaway::ops {

namespace {

constexpr VjpRule kForwardOnly{noGradients}; // as in PyTorch

/// p(n) from p(0) = 1, p(1) and step(k, p(k), p(k-1)) = p(k+1).
template <class Step> double byRecurrence(double n, double first, Step step) {
    if (n < 0) return 0;
    double before = 1, value = n < 1 ? 1 : first;
    for (int k = 1; k < static_cast<int>(n); ++k) {
        const double next = step(k, value, before);
        before = value;
        value = next;
    }
    return value;
}
template <int scale, int shift> double chebyshev(double x, double n) {
    return byRecurrence(n, scale * x + shift,
                        [x](int, double p, double before) { return 2 * x * p - before; });
}
double hermiteH(double x, double n) {
    return n < 0 ? 0 : std::hermite(static_cast<unsigned>(n), x);
}
double hermiteHe(double x, double n) {
    return byRecurrence(n, x, [x](int k, double p, double before) { return x * p - k * before; });
}
double laguerre(double x, double n) {
    return byRecurrence(n, 1 - x, [x](int k, double p, double before) {
        return ((2 * k + 1 - x) * p - k * before) / (k + 1);
    });
}
double legendre(double x, double n) {
    return byRecurrence(n, x, [x](int k, double p, double before) {
        return ((2 * k + 1) * x * p - k * before) / (k + 1);
    });
}

template <ScalarOp op, bool shifted>
ExprId build(ExprPool& pool, const OpCall& call, Inputs inputs) {
    const ir::DType dtype = floatDType(call, {0, 1});
    Elements e(pool, call, inputs);
    ExprId x = e.as(0, dtype);
    if (shifted)
        x = pool.op(ScalarOp::Sub, {pool.op(ScalarOp::Add, {x, x}), pool.constant(dtype, 1)});
    return pool.op(op, {x, e.as(1, dtype)});
}

std::vector<Sample> tensorSamples() {
    return {forwardOnly({f32({2, 6}, -1.5, 1.5), i64({6}, -1, 12)}, {T(0), T(1)}),
            forwardOnly({f64({7}, -0.9, 0.9), f64({7}, 0, 12)}, {T(0), T(1)}),
            forwardOnly({f32({0}), f32({})}, {T(0), T(1)})};
}
std::vector<Sample> xSamples() {
    return {forwardOnly({i64({6}, -1, 9)}, {Arg(0.3), T(0)})};
}
std::vector<Sample> nSamples() {
    return {forwardOnly({f32({2, 6}, -1.5, 1.5)}, {T(0), I(5)})};
}

template <ScalarOp op, auto F, bool shifted = false>
void add(std::vector<OpDef>& ops, std::initializer_list<std::string_view> schemas, OpDoc doc) {
    const Samples samples[] = {tensorSamples, xSamples, nSamples};
    for (size_t k = 0; k < 3; ++k)
        ops.push_back({.schema = schemas.begin()[k],
                       .shape = floatShape<0, 1>,
                       .gradient = kForwardOnly,
                       .lowering = Pointwise{build<op, shifted>},
                       .reference = pointReference<
                           [](double x, double n) { return F(shifted ? 2 * x - 1 : x, n); }, 0, 1>,
                       .samples = samples[k],
                       .doc = doc});
}

#define POLYNOMIAL(name)                                                                           \
    {"special_" name "(Tensor x, Tensor n) -> Tensor",                                             \
     "special_" name ".x_scalar(Scalar x, Tensor n) -> Tensor",                                    \
     "special_" name ".n_scalar(Tensor x, Scalar n) -> Tensor"}

void addChebyshev(std::vector<OpDef>& ops) {
    OpDoc t{"Chebyshev polynomial of the first kind", "T_n(cos a) = cos(n a)",
            "torch.special.chebyshev_polynomial_t"};
    OpDoc u{"Chebyshev polynomial of the second kind", "U_n(cos a) = sin((n + 1) a) / sin(a)",
            "torch.special.chebyshev_polynomial_u"};
    OpDoc v{"Chebyshev polynomial of the third kind", "V_n(cos a) = cos((n + 1/2) a) / cos(a / 2)",
            "torch.special.chebyshev_polynomial_v"};
    OpDoc w{"Chebyshev polynomial of the fourth kind", "W_n(cos a) = sin((n + 1/2) a) / sin(a / 2)",
            "torch.special.chebyshev_polynomial_w"};
    add<ScalarOp::ChebyshevT, chebyshev<1, 0>>(ops, POLYNOMIAL("chebyshev_polynomial_t"), t);
    add<ScalarOp::ChebyshevU, chebyshev<2, 0>>(ops, POLYNOMIAL("chebyshev_polynomial_u"), u);
    add<ScalarOp::ChebyshevV, chebyshev<2, -1>>(ops, POLYNOMIAL("chebyshev_polynomial_v"), v);
    add<ScalarOp::ChebyshevW, chebyshev<2, 1>>(ops, POLYNOMIAL("chebyshev_polynomial_w"), w);
    t.formula = "y = T_n(2 x - 1)";
    u.formula = "y = U_n(2 x - 1)";
    v.formula = "y = V_n(2 x - 1)";
    w.formula = "y = W_n(2 x - 1)";
    add<ScalarOp::ChebyshevT, chebyshev<1, 0>, true>(
        ops, POLYNOMIAL("shifted_chebyshev_polynomial_t"), t);
    add<ScalarOp::ChebyshevU, chebyshev<2, 0>, true>(
        ops, POLYNOMIAL("shifted_chebyshev_polynomial_u"), u);
    add<ScalarOp::ChebyshevV, chebyshev<2, -1>, true>(
        ops, POLYNOMIAL("shifted_chebyshev_polynomial_v"), v);
    add<ScalarOp::ChebyshevW, chebyshev<2, 1>, true>(
        ops, POLYNOMIAL("shifted_chebyshev_polynomial_w"), w);
}

} // namespace

std::vector<OpDef> specialPolynomialOps() {
    std::vector<OpDef> ops;
    addChebyshev(ops);
    add<ScalarOp::HermiteH, hermiteH>(ops, POLYNOMIAL("hermite_polynomial_h"),
                                      {"physicists' Hermite polynomial",
                                       "H_n+1 = 2 x H_n - 2 n H_n-1",
                                       "torch.special.hermite_polynomial_h"});
    add<ScalarOp::HermiteHe, hermiteHe>(ops, POLYNOMIAL("hermite_polynomial_he"),
                                        {"probabilists' Hermite polynomial",
                                         "He_n+1 = x He_n - n He_n-1",
                                         "torch.special.hermite_polynomial_he"});
    add<ScalarOp::LaguerreL, laguerre>(ops, POLYNOMIAL("laguerre_polynomial_l"),
                                       {"Laguerre polynomial",
                                        "(n + 1) L_n+1 = (2 n + 1 - x) L_n - n L_n-1",
                                        "torch.special.laguerre_polynomial_l"});
    add<ScalarOp::LegendreP, legendre>(ops, POLYNOMIAL("legendre_polynomial_p"),
                                       {"Legendre polynomial",
                                        "(n + 1) P_n+1 = (2 n + 1) x P_n - n P_n-1",
                                        "torch.special.legendre_polynomial_p"});
    return ops;
}

} // namespace cutaway::ops
