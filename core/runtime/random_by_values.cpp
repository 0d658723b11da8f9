// SPDX-License-Identifier: Apache-2.0
// Numbers drawn by the values of tensors, one element after another in row-major order as PyTorch
// draws them on the CPU, and their implicit derivatives.
// Source: PyTorch aten/src/ATen/native/Distributions.{h,cpp}.
#include "core/runtime/random_by_values.h"

#include "core/base/tick.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutaway::runtime {

namespace {

using ir::HostTensor;

/// W. Hoermann, "The transformed rejection method for generating Poisson random variables", 1993.
double poissonOf(double rate, Generator& g) {
    if (rate == 0) return 0;
    if (rate < 10) {
        const double least = std::exp(-rate);
        double product = 1, count = 0;
        while ((product *= g.unit()) > least)
            ++count;
        return count;
    }
    const double root = std::sqrt(rate), logRate = std::log(rate);
    const double b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
    const double inverse = 1.1239 + 1.1328 / (b - 3.4), accepted = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        const double u = g.unit() - 0.5, v = g.unit(), us = 0.5 - std::fabs(u);
        const double k = std::floor((2 * a / us + b) * u + rate + 0.43);
        if (us >= 0.07 && v <= accepted) return k;
        if (k < 0 || (us < 0.013 && v > us)) continue;
        if (std::log(v) + std::log(inverse) - std::log(a / (us * us) + b) <=
            -rate + k * logRate - std::lgamma(k + 1))
            return k;
    }
}

double stirlingTail(double k) {
    constexpr double kTails[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983,
                                 0.02079067210376509, 0.0166446911898211, 0.0138761288230707,
                                 0.0118967099458917,  0.0104112652619720, 0.00925546218271273,
                                 0.00833056343336287};
    if (k < std::size(kTails)) return kTails[static_cast<size_t>(k)];
    const double square = (k + 1) * (k + 1);
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

/// T: the tensors' type, in which PyTorch keeps counts and probabilities.
template <typename T> T binomialByRejection(T count, T chance, Generator& g) {
    const double spread = std::sqrt(count * chance * (1 - chance));
    const double b = 1.15 + 2.53 * spread, a = -0.0873 + 0.0248 * b + 0.01 * chance;
    const double middle = count * chance + 0.5, accepted = 0.92 - 4.2 / b;
    const double odds = chance / (1 - chance), alpha = (2.83 + 5.1 / b) * spread;
    const double m = std::floor((count + 1) * chance);
    for (;;) {
        const double u = g.unit() - 0.5;
        double v = g.unit();
        const double us = 0.5 - std::fabs(u);
        const T k = static_cast<T>(std::floor((2 * a / us + b) * u + middle));
        if (k < 0 || k > count) continue;
        if (us >= 0.07 && v <= accepted) return k;
        v = std::log(v * alpha / (a / (us * us) + b));
        const double bound = (m + 0.5) * std::log((m + 1) / (odds * (count - m + 1))) +
                             (count + 1) * std::log((count - m + 1) / (count - k + 1)) +
                             (k + 0.5) * std::log(odds * (count - k + 1) / (k + 1)) +
                             stirlingTail(m) + stirlingTail(count - m) - stirlingTail(k) -
                             stirlingTail(count - k);
        if (v <= bound) return k;
    }
}

template <typename T> T binomialByInversion(T count, T chance, Generator& g) {
    const double logRest = std::log1p(-chance);
    double sum = 0;
    for (T found = 0;; ++found) {
        sum += std::ceil(std::log(g.unit()) / logRest);
        if (sum > count) return found;
    }
}

template <typename T> T binomialOf(T count, T chance, Generator& g) {
    if (count <= 0 || chance <= 0) return 0;
    if (chance >= 1) return count;
    if (std::isnan(chance)) return std::numeric_limits<T>::quiet_NaN();
    const T rarer = chance <= T(0.5) ? chance : static_cast<T>(1.0 - chance);
    const T found = count * rarer >= 10 ? binomialByRejection(count, rarer, g)
                                        : binomialByInversion(count, rarer, g);
    return chance <= T(0.5) ? found : count - found;
}

/// G. Marsaglia, W. W. Tsang, doi:10.1145/358407.358414.
template <typename T> T gammaOf(T alpha, Generator& g) {
    double scale = 1;
    if (alpha < 1) {
        if (alpha == 0) return 0;
        scale = std::pow(1 - g.unit(), 1.0f / alpha);
        alpha += 1;
    }
    const double d = alpha - 1.0f / 3.0f, c = 1 / std::sqrt(9 * d);
    for (;;) {
        double x, y;
        do {
            x = g.normal();
            y = 1 + c * x;
        } while (y <= 0);
        const double v = y * y * y, u = 1 - g.unit(), xx = x * x;
        if (u < 1.0f - 0.0331f * xx * xx || std::log(u) < 0.5f * xx + d * (1.0f - v + std::log(v)))
            return static_cast<T>(scale * d * v);
    }
}

double digammaOf(double x) {
    double result = 0;
    for (; x < 10; x += 1)
        result -= 1 / x;
    if (x == 10) return result + 2.25175258906672110764;
    constexpr double kTerms[] = {8.33333333333333333333E-2, -2.10927960927960927961E-2,
                                 7.57575757575757575758E-3, -4.16666666666666666667E-3,
                                 3.96825396825396825397E-3, -8.33333333333333333333E-3,
                                 8.33333333333333333333E-2};
    double y = 0;
    if (x < 1e17) {
        const double z = 1 / (x * x);
        for (double term : kTerms)
            y = y * z + term;
        y *= z;
    }
    return result + std::log(x) - 0.5 / x - y;
}

double orZero(double x) {
    return std::isnan(x) ? 0 : x;
}

/// dx/dalpha of x, drawn from Gamma(alpha): -(d cdf / d alpha) / pdf.
double gammaSlope(double alpha, double x) {
    if (x < 0.8f) { // by the series of the distribution function
        double term = 1, below = alpha;
        double first = term / below, second = term / (below * below);
        for (int i = 1; i <= 5; ++i) {
            term *= -x / i;
            below += 1;
            first += term / below;
            second += term / (below * below);
        }
        const double power = std::pow(x, alpha);
        const double density = std::pow(x, alpha - 1) * std::exp(-x);
        return orZero(-((std::log(x) - digammaOf(alpha)) * (power * first) - power * second) /
                      density);
    }
    if (alpha > 8) { // Rice's saddle point expansion
        if (0.9f * alpha <= x && x <= 1.1f * alpha) {
            const double square = alpha * alpha;
            return (1 + 24 * alpha * (1 + 12 * alpha)) *
                   (1440 * square + 6 * x * (53 - 120 * x) - 65 * x * x / alpha +
                    alpha * (107 + 3600 * x)) /
                   (1244160 * square * square);
        }
        const double root = std::sqrt(8 * alpha), near = root / (alpha - x);
        const double far = std::pow(x - alpha - alpha * std::log(x / alpha), -1.5);
        const double both = x < alpha ? near - far : near + far;
        const double inner = std::log(x / alpha) * both -
                             std::sqrt(2 / alpha) * (alpha + x) / ((alpha - x) * (alpha - x));
        const double stirling = 1 + 1 / (12 * alpha) * (1 + 1 / (24 * alpha));
        return -stirling * (x * inner) / root;
    }
    constexpr double kTable[3][8] = {{0.16009398, -0.094634809, 0.025146376, -0.0030648343, 1,
                                      0.32668115, 0.10406089, 0.0014179084},
                                     {0.53487893, 0.1298071, 0.065735949, -0.0015649758, 0.16639465,
                                      0.020070113, -0.0035938915, -0.00058392623},
                                     {0.040121004, -0.0065914022, -0.0026286047, -0.0013441777,
                                      0.017050642, -0.0021309326, 0.00085092367, -1.5247877e-07}};
    const double u = std::log(x / alpha), v = std::log(alpha);
    double c[8];
    for (int i = 0; i < 8; ++i)
        c[i] = kTable[0][i] + u * (kTable[1][i] + u * kTable[2][i]);
    return std::exp((c[0] + v * (c[1] + v * (c[2] + v * c[3]))) /
                    (c[4] + v * (c[5] + v * (c[6] + v * c[7]))));
}

double betaSlopeNearZero(double x, double alpha, double beta) {
    const double factor = digammaOf(alpha) - digammaOf(alpha + beta) - std::log(x);
    double term = 1, series = term / alpha * (factor + 1 / alpha);
    for (int i = 1; i <= 10; ++i) {
        term *= (i - beta) * x / i;
        series += term / (alpha + i) * (factor + 1 / (alpha + i));
    }
    return orZero(x * std::pow(1 - x, -beta) * series);
}

double otherSlopeNearZero(double x, double alpha, double beta) {
    const double factor = digammaOf(alpha + beta) - digammaOf(beta);
    double term = 1, betas = 1, slopes = 0, series = factor / alpha;
    for (int i = 1; i <= 8; ++i) {
        term *= -x / i;
        slopes = slopes * (beta - i) + betas;
        betas *= beta - i;
        series += term / (alpha + i) * (slopes + factor * betas);
    }
    return orZero(-std::pow(1 - x, 1 - beta) * series);
}

double betaSlopeOfLarge(double x, double alpha, double beta) {
    const double total = alpha + beta, mean = alpha / total;
    const double spread = std::sqrt(alpha * beta / (total + 1)) / total;
    if (mean - 0.1 * spread <= x && x <= mean + 0.1 * spread) {
        const double square = beta * beta;
        const double poly =
            47 * x * square * square +
            alpha * ((43 + 20 * (16 + 27 * beta) * x) * square * beta +
                     alpha * (3 * (59 + 180 * beta - 90 * x) * square +
                              alpha * ((453 + 1620 * beta * (1 - x) - 455 * x) * beta +
                                       alpha * (8 * (1 - x) * (135 * beta - 11)))));
        return (1 + 12 * alpha) * (1 + 12 * beta) / (total * total) / (1 - x) * poly /
               (12960 * alpha * alpha * alpha * square * (1 + 12 * total));
    }
    auto stirling = [](double z) { return 1 + 1 / (12 * z) + 1 / (288 * z * z); };
    const double apart = alpha * (x - 1) + beta * x;
    const double first = (2 * alpha * alpha * (x - 1) + alpha * beta * (x - 1) - x * beta * beta) /
                         (std::sqrt(2 * alpha / beta) * std::pow(total, 1.5) * apart * apart);
    const double second = 0.5 * std::log(alpha / (total * x));
    const double third = std::sqrt(8 * alpha * beta / total) / apart;
    const double fourth = std::pow(
        beta * std::log(beta / (total * (1 - x))) + alpha * std::log(alpha / (total * x)), -1.5);
    return stirling(alpha) * stirling(beta) / stirling(total) *
           (-x / std::sqrt(2 * alpha * beta / total)) *
           (first + second * (third + (x < mean ? fourth : -fourth)));
}

/// dx/dalpha / (1 - x) of x, drawn from Beta(alpha, total - alpha).
double dirichletSlope(double x, double alpha, double total) {
    const double beta = total - alpha, boundary = total * x * (1 - x);
    if (x <= 0.5 && boundary < 2.5) return betaSlopeNearZero(x, alpha, beta);
    if (x >= 0.5 && boundary < 0.75) return -otherSlopeNearZero(1 - x, beta, alpha);
    if (alpha > 6 && beta > 6) return betaSlopeOfLarge(x, alpha, beta);
    constexpr double kTable[2][3][3][4] = {
        {{{1.003668233, -0.01061107488, -0.0657888334, 0.01201642863},
          {0.6336835991, -0.3557432599, 0.05486251648, -0.001465281033},
          {-0.03276231906, 0.004474107445, 0.002429354597, -0.0001557569013}},
         {{0.221950385, -0.3187676331, 0.01799915743, 0.01074823814},
          {-0.2951249643, 0.06219954479, 0.01535556598, 0.001550077057},
          {0.02155310298, 0.004170831599, 0.001292462449, 6.976601077e-05}},
         {{-0.05980841433, 0.008441916499, 0.01085618172, 0.002319392565},
          {0.02911413504, 0.01400243777, -0.002721828457, 0.000751041181},
          {0.005900514878, -0.001936558688, -9.495446725e-06, 5.385558597e-05}}},
        {{{1, -0.02924021934, -0.04438342661, 0.007285809825},
          {0.6357567472, -0.3473456711, 0.05454656494, -0.002407477521},
          {-0.03301322327, 0.004845219414, 0.00231480583, -0.0002307248149}},
         {{0.5925320577, -0.1757678135, 0.01505928619, 0.000564515273},
          {0.1014815858, -0.06589186703, 0.01272886114, -0.0007316646956},
          {-0.007258481865, 0.001096195486, 0.0003934994223, -4.12701925e-05}},
         {{0.06469649321, -0.0236701437, 0.002902096474, -5.896963079e-05},
          {0.001925008108, -0.002869809258, 0.0008000589141, -6.063713228e-05},
          {-0.0003477407336, 6.959756487e-05, 1.097287507e-05, -1.650964693e-06}}}};
    const double u = std::log(x), a = std::log(alpha) - u, b = std::log(total) - a;
    double sums[2] = {0, 0}, powerOfU = 1;
    for (int i = 0; i < 3; ++i, powerOfU *= u) {
        double both = powerOfU;
        for (int j = 0; j < 3; ++j, both *= a)
            for (int k = 0; k < 2; ++k) {
                const double(&c)[4] = kTable[k][i][j];
                sums[k] += both * (c[0] + b * (c[1] + b * (c[2] + b * c[3])));
            }
    }
    return sums[0] / sums[1] * (x * (digammaOf(total) - digammaOf(alpha)) / beta);
}

/// T: float or double, as PyTorch's kernels are made for both.
template <typename T> double drawnOf(ByValues kind, const double* values, Generator& g) {
    switch (kind) {
    case ByValues::Poisson:
        return poissonOf(values[0], g);
    case ByValues::Binomial:
        return binomialOf(static_cast<T>(values[0]), static_cast<T>(values[1]), g);
    case ByValues::Gamma:
        return std::max(std::numeric_limits<T>::min(), gammaOf(static_cast<T>(values[0]), g));
    case ByValues::GammaSlope:
        return gammaSlope(values[0], values[1]);
    case ByValues::DirichletSlope:
        return dirichletSlope(values[0], values[1], values[2]);
    }
    return 0;
}

} // namespace

base::Result<TensorPtr> byValues(ByValues kind, std::span<const TensorPtr> tensors,
                                 Generator& generator) {
    std::vector<HostTensor> values;
    for (const TensorPtr& tensor : tensors) {
        CUTAWAY_TRY(HostTensor host, toHost(*tensor));
        values.push_back(std::move(host));
        if (values.back().sizes != values.front().sizes)
            return base::userError({}, "expected tensors of one shape");
    }
    const ir::DType dtype = values.front().dtype;
    if (!ir::isFloating(dtype))
        return base::userError({}, fmt::format("not implemented for {}", ir::name(dtype)))
            .as(base::ErrorClass::NotImplemented);
    HostTensor result = HostTensor::zeros(dtype, values.front().sizes);
    for (int64_t i = 0; i < result.numel(); ++i) {
        base::tick();
        double at[3] = {};
        for (size_t k = 0; k < values.size(); ++k)
            at[k] = values[k].get(i);
        if (kind == ByValues::Poisson && !(at[0] >= 0))
            return base::userError({}, "invalid Poisson rate, expected rate to be non-negative");
        result.set(i, dtype == ir::DType::Float64 ? drawnOf<double>(kind, at, generator)
                                                  : drawnOf<float>(kind, at, generator));
    }
    return fromHost(result, tensors.front()->type.device);
}

} // namespace cutaway::runtime
