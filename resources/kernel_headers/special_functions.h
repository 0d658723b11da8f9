// SPDX-License-Identifier: Apache-2.0
// Special functions: one text for generated C++, for CUDA and for the interpreter (core/kernel/
// special_eval.cpp). It includes nothing; a kernel's text takes the sections that it uses, as of
// prelude_cpp.h. All is computed in double, whatever the operand's dtype; the largest relative error
// against 40 digits (tests/unit/codegen/test_special_functions.cpp) is 1e-12, near the zeros of a
// function of 1e-3; float32 results are that, rounded.
// ---- special
#if defined(__CUDA_ARCH__) || defined(__CUDACC__)
#define SPECIAL static __device__
#elif defined(LANES)
#define SPECIAL static inline
extern "C" {
double acos(double), acosh(double), asin(double), asinh(double), atan(double), atanh(double);
double cosh(double), sinh(double), exp2(double), log2(double), log10(double), erf(double);
double erfc(double), lgamma(double), j0(double), j1(double), y0(double), y1(double), exp(double);
double log(double), sqrt(double), floor(double), trunc(double), fabs(double), sin(double);
double cos(double), tan(double), pow(double, double), atan2(double, double), fmod(double, double);
double fma(double, double, double);
double hypot(double, double), copysign(double, double), nextafter(double, double);
float nextafterf(float, float);
double frexp(double, int*);
}
#else
#define SPECIAL [[maybe_unused]] static
#endif
// In generated C++ every lane for itself.
#if defined(LANES)
#define SPECIAL_LANES_1(name, V)                                                                   \
    static NOINLINE V name(V x) {                                                                  \
        ROLLED_LANES(l) x[l] = name(x[l]);                                                         \
        return x;                                                                                  \
    }
#define SPECIAL_LANES_2(name, V)                                                                   \
    static NOINLINE V name(V x, V y) {                                                             \
        ROLLED_LANES(l) x[l] = name(x[l], y[l]);                                                   \
        return x;                                                                                  \
    }
#else
#define SPECIAL_LANES_1(name, V)
#define SPECIAL_LANES_2(name, V)
#endif
#define SPECIAL_1(name)                                                                            \
    SPECIAL float name(float x) { return (float)name((double)x); }                                 \
    SPECIAL_LANES_1(name, f32v)                                                                    \
    SPECIAL_LANES_1(name, f64v)
#define SPECIAL_2(name)                                                                            \
    SPECIAL float name(float x, float y) { return (float)name((double)x, (double)y); }             \
    SPECIAL_LANES_2(name, f32v)                                                                    \
    SPECIAL_LANES_2(name, f64v)
#define SPECIAL_LIBM_1(name, function)                                                             \
    SPECIAL double name(double x) { return ::function(x); }                                        \
    SPECIAL_1(name)
#define SPECIAL_LIBM_2(name)                                                                       \
    SPECIAL double name(double x, double y) { return ::name(x, y); }                               \
    SPECIAL_2(name)
#ifdef __CUDACC_RTC__
#define SPECIAL_INF __longlong_as_double(0x7ff0000000000000LL)
#define SPECIAL_NAN __longlong_as_double(0x7ff8000000000000LL)
#else
#define SPECIAL_INF __builtin_inf()
#define SPECIAL_NAN __builtin_nan("")
#endif
#define SPECIAL_PI 3.14159265358979323846
// ---- acos < special
namespace special { SPECIAL_LIBM_1(acos, acos) }
// ---- acosh < special
namespace special { SPECIAL_LIBM_1(acosh, acosh) }
// ---- asin < special
namespace special { SPECIAL_LIBM_1(asin, asin) }
// ---- asinh < special
namespace special { SPECIAL_LIBM_1(asinh, asinh) }
// ---- atan < special
namespace special { SPECIAL_LIBM_1(atan, atan) }
// ---- atanh < special
namespace special { SPECIAL_LIBM_1(atanh, atanh) }
// ---- cosh < special
namespace special { SPECIAL_LIBM_1(cosh, cosh) }
// ---- sinh < special
namespace special { SPECIAL_LIBM_1(sinh, sinh) }
// ---- exp2 < special
namespace special { SPECIAL_LIBM_1(exp2, exp2) }
// ---- log2 < special
namespace special { SPECIAL_LIBM_1(log2, log2) }
// ---- log10 < special
namespace special { SPECIAL_LIBM_1(log10, log10) }
// ---- erfc < special
namespace special { SPECIAL_LIBM_1(erfc, erfc) }
// ---- lgamma < special
namespace special { SPECIAL_LIBM_1(lgamma, lgamma) }
// ---- bessel_j0 < special
namespace special {
SPECIAL double bessel_j0(double x) { return x - x != 0 ? SPECIAL_NAN : ::j0(x); } // no limit at infinity, as PyTorch's
SPECIAL_1(bessel_j0)
}
// ---- bessel_j1 < special
namespace special {
SPECIAL double bessel_j1(double x) { return x - x != 0 ? SPECIAL_NAN : ::j1(x); } // no limit at infinity, as PyTorch's
SPECIAL_1(bessel_j1)
}
// ---- bessel_y0 < special
namespace special {
SPECIAL double bessel_y0(double x) { return x - x != 0 ? SPECIAL_NAN : ::y0(x); } // no limit at infinity, as PyTorch's
SPECIAL_1(bessel_y0)
}
// ---- bessel_y1 < special
namespace special {
SPECIAL double bessel_y1(double x) { return x - x != 0 ? SPECIAL_NAN : ::y1(x); } // no limit at infinity, as PyTorch's
SPECIAL_1(bessel_y1)
}
// ---- atan2 < special
namespace special { SPECIAL_LIBM_2(atan2) }
// ---- copysign < special
namespace special { SPECIAL_LIBM_2(copysign) }
// ---- fmod < special
namespace special { SPECIAL_LIBM_2(fmod) }
// ---- hypot < special
namespace special { SPECIAL_LIBM_2(hypot) }

// ---- round_e4m3 round_e5m2 round_f16 round_bf16 < special
// The nearest number of the 8 and 16 bit formats, ties to even: x beyond the largest one becomes that
// one (e4m3, which has no infinity) or infinity. `bits` of the mantissa are stored; `least` is the smallest step.
namespace special {
SPECIAL double small_float(double x, double bits, double least, double largest, double beyond) {
    int exponent = 0;
    const double a = ::fabs(x), fraction = ::frexp(a, &exponent);
    if (x != x || a == 0) return x;
    if (a - a != 0) return ::copysign(beyond, x);
    double step = a / fraction / bits; // a power of two
    if (step < least) step = least;
    const double magic = step * 6755399441055744.0, rounded = (a + magic) - magic;
    return ::copysign(rounded > largest ? beyond : rounded, x);
}
SPECIAL double round_e4m3(double x) {
    return small_float(x, 16, 0.001953125, 448, 448);
}
SPECIAL double round_e5m2(double x) {
    return small_float(x, 8, 0.0000152587890625, 57344, SPECIAL_INF);
}
SPECIAL double round_f16(double x) {
    return small_float(x, 2048, 0.000000059604644775390625, 65504, SPECIAL_INF);
}
SPECIAL double round_bf16(double x) {
    return small_float(x, 256, 9.183549615799121e-41, 3.3895313892515355e+38, SPECIAL_INF);
}
SPECIAL_1(round_e4m3)
SPECIAL_1(round_e5m2)
#ifdef __CUDACC_RTC__
SPECIAL unsigned round_from(float x) { return __float_as_uint(x); }
SPECIAL float round_to(unsigned bits) { return __uint_as_float(bits); }
#else
SPECIAL unsigned round_from(float x) { return __builtin_bit_cast(unsigned, x); }
SPECIAL float round_to(unsigned bits) { return __builtin_bit_cast(float, bits); }
#endif
// The nearest of the bits without the last ones.
template <class B> SPECIAL B without_last(B x, int bits) {
    const unsigned last = (1u << bits) - 1;
    return (x + (last >> 1) + (x >> bits & 1u)) & ~last;
}
SPECIAL float round_f16(float x) {
    const unsigned size = round_from(x) & 0x7fffffffu, sign = round_from(x) & 0x80000000u;
    if (size > 0x7f800000u) return x;
    if (size < 0x38800000u) return round_to(round_from((round_to(size) + 0.75f) - 0.75f) | sign);
    const unsigned y = without_last(size, 13);
    return round_to((y >= 0x47800000u ? 0x7f800000u : y) | sign);
}
SPECIAL float round_bf16(float x) {
    return x != x ? x : round_to(without_last(round_from(x), 16));
}
#if defined(LANES)
typedef unsigned round_bits __attribute__((vector_size(4 * LANES)));
static inline f32v round_f16(f32v x) {
    const round_bits size = (round_bits)x & 0x7fffffffu, sign = (round_bits)x & 0x80000000u;
    const round_bits tiny = (round_bits)(((f32v)size + 0.75f) - 0.75f); // in steps of 2^-24
    round_bits y = size < 0x38800000u ? tiny : without_last(size, 13);
    y = y >= 0x47800000u ? round_bits{} + 0x7f800000u : y;
    return (f32v)(size > 0x7f800000u ? (round_bits)x : y | sign);
}
static inline f32v round_bf16(f32v x) {
    const round_bits bits = (round_bits)x;
    return (f32v)((bits & 0x7fffffffu) > 0x7f800000u ? bits : without_last(bits, 16));
}
#endif
}

// ---- nextafter < special
// The neighbour in the operand's own dtype.
namespace special {
SPECIAL double nextafter(double x, double y) { return ::nextafter(x, y); }
SPECIAL float nextafter(float x, float y) { return ::nextafterf(x, y); }
SPECIAL_LANES_2(nextafter, f32v)
SPECIAL_LANES_2(nextafter, f64v)
}

// ---- frexp_mantissa < special
namespace special {
SPECIAL double frexp_mantissa(double x) {
    int exponent = 0;
    return ::frexp(x, &exponent);
}
SPECIAL_1(frexp_mantissa)
}

// ---- frexp_exponent < special
namespace special {
SPECIAL double frexp_exponent(double x) {
    int exponent = 0;
    ::frexp(x, &exponent);
    return x - x == 0 ? exponent : 0;
}
SPECIAL_1(frexp_exponent)
}

// ---- gcd < special
// Of integers, by Euclid.
namespace special {
template <class T> SPECIAL T gcd(T x, T y) {
    if (x < 0) x = T(0) - x;
    if (y < 0) y = T(0) - y;
    while (y != 0) {
        const T rest = T(-1) < T(0) && y == T(-1) ? T(0) : T(x % y);
        x = y;
        y = rest;
    }
    return x;
}
SPECIAL_LANES_2(gcd, i32v)
SPECIAL_LANES_2(gcd, i64v)
SPECIAL_LANES_2(gcd, u8v)
#ifdef NARROW_INTEGERS
SPECIAL_LANES_2(gcd, i8v)
SPECIAL_LANES_2(gcd, i16v)
SPECIAL_LANES_2(gcd, u16v)
SPECIAL_LANES_2(gcd, u32v)
SPECIAL_LANES_2(gcd, u64v)
#endif
}

// ---- erfcx < special
// e^(x^2) erfc(x): beyond 10 the asymptotic series (Abramowitz and Stegun 7.1.23).
namespace special {
SPECIAL double erfcx(double x) {
    if (x < 0) return x < -26.7 ? SPECIAL_INF : 2 * ::exp(x * x) - erfcx(-x);
    if (x < 10) return ::exp(x * x) * ::erfc(x);
    double term = 1, sum = 1;
    const double step = 0.5 / (x * x);
    for (int k = 1; k < 20; ++k) {
        term *= -(2 * k - 1) * step;
        sum += term;
    }
    return x != x ? x : sum / (x * 1.77245385090551602730);
}
SPECIAL_1(erfcx)
}

// ---- ndtri < special
// The normal quantile: P. J. Acklam's rational approximation and one step of Halley's method.
namespace special {
SPECIAL double lower_ndtri(double p) { // 0 < p <= 1/2
    double x;
    if (p < 0.02425) {
        const double q = ::sqrt(-2 * ::log(p));
        x = (((((-7.784894002430293e-03 * q - 3.223964580411365e-01) * q - 2.400758277161838) * q -
               2.549732539343734) * q + 4.374664141464968) * q + 2.938163982698783) /
            ((((7.784695709041462e-03 * q + 3.224671290700398e-01) * q + 2.445134137142996) * q +
              3.754408661907416) * q + 1);
    } else {
        const double q = p - 0.5, r = q * q;
        x = (((((-3.969683028665376e+01 * r + 2.209460984245205e+02) * r - 2.759285104469687e+02) *
                   r + 1.383577518672690e+02) * r - 3.066479806614716e+01) * r +
             2.506628277459239) * q /
            (((((-5.447609879822406e+01 * r + 1.615858368580409e+02) * r - 1.556989798598866e+02) *
                   r + 6.680131188771972e+01) * r - 1.328068155288572e+01) * r + 1);
    }
    for (int k = 0; k < 2; ++k) {
        const double e = 0.5 * ::erfc(-x * 0.70710678118654752440) - p;
        const double u = e * 2.50662827463100050242 * ::exp(0.5 * x * x);
        x -= u / (1 + 0.5 * x * u);
    }
    return x;
}
SPECIAL double ndtri(double p) {
    if (p == 0) return -SPECIAL_INF;
    if (p == 1) return SPECIAL_INF;
    if (!(p > 0 && p < 1)) return SPECIAL_NAN;
    return p <= 0.5 ? lower_ndtri(p) : -lower_ndtri(1 - p);
}
SPECIAL_1(ndtri)
}

// ---- erfinv < special
// M. Giles, Approximating the erfinv function; then Newton's method, on erf or on erfc.
namespace special {
SPECIAL double erfinv(double y) {
    const double size = ::fabs(y);
    if (!(size < 1)) return size == 1 ? y * SPECIAL_INF : SPECIAL_NAN;
    if (y == 0) return y;
    double w = -::log((1 - y) * (1 + y)), p;
    if (w < 5) {
        w -= 2.5;
        p = 2.81022636e-08;
        p = 3.43273939e-07 + p * w;
        p = -3.5233877e-06 + p * w;
        p = -4.39150654e-06 + p * w;
        p = 0.00021858087 + p * w;
        p = -0.00125372503 + p * w;
        p = -0.00417768164 + p * w;
        p = 0.246640727 + p * w;
        p = 1.50140941 + p * w;
    } else {
        w = ::sqrt(w) - 3;
        p = -0.000200214257;
        p = 0.000100950558 + p * w;
        p = 0.00134934322 + p * w;
        p = -0.00367342844 + p * w;
        p = 0.00573950773 + p * w;
        p = -0.0076224613 + p * w;
        p = 0.00943887047 + p * w;
        p = 1.00167406 + p * w;
        p = 2.83297682 + p * w;
    }
    double x = p * size;
    for (int k = 0; k < 3; ++k) {
        const double e = size < 0.5 ? ::erf(x) - size : (1 - size) - ::erfc(x);
        x -= e * 0.88622692545275801365 * ::exp(x * x);
    }
    return y < 0 ? -x : x;
}
SPECIAL_1(erfinv)
}

// ---- digamma < special
// By recurrence to 10 and more, then the asymptotic series; below 0 by reflection.
namespace special {
SPECIAL double digamma(double x) {
    if (x == 0) return ::copysign(SPECIAL_INF, -x);
    double sum = 0;
    if (x < 0) {
        if (x == ::floor(x)) return SPECIAL_NAN;
        sum = -SPECIAL_PI / ::tan(SPECIAL_PI * (x - ::trunc(x)));
        x = 1 - x;
    }
    for (; x < 10; x += 1) sum -= 1 / x;
    const double y = 1 / (x * x);
    double p = 691.0 / 32760 - y / 12;
    p = 1.0 / 132 - y * p;
    p = 1.0 / 240 - y * p;
    p = 1.0 / 252 - y * p;
    p = 1.0 / 120 - y * p;
    p = 1.0 / 12 - y * p;
    return sum + ::log(x) - 0.5 / x - y * p;
}
SPECIAL_1(digamma)
}

// ---- trigamma < special
// The derivative of digamma, in the same way.
namespace special {
SPECIAL double trigamma(double x) {
    double sign = 1, sum = 0;
    if (x < 0.5) {
        const double s = ::sin(SPECIAL_PI * (x - 2 * ::floor(0.5 * x)));
        sum = -SPECIAL_PI * SPECIAL_PI / (s * s);
        if (x == ::floor(x)) return x - x + SPECIAL_INF; // NaN at -infinity
        x = 1 - x;
        sign = -1;
    }
    for (; x < 15; x += 1) sum += 1 / (x * x);
    const double y = 1 / (x * x);
    double p = 5.0 / 66 - y * (691.0 / 2730);
    p = 1.0 / 30 - y * p;
    p = 1.0 / 42 - y * p;
    p = 1.0 / 30 - y * p;
    p = 1.0 / 6 - y * p;
    return sign * (sum + (1 + 0.5 / x + y * p) / x);
}
SPECIAL_1(trigamma)
}

// ---- zeta < special
// Hurwitz's, by Euler and Maclaurin's sum (Cephes: zeta.c).
namespace special {
SPECIAL double zeta(double x, double q) {
    const double kA[] = {12.0, -720.0, 30240.0, -1209600.0, 47900160.0, -1.8924375803183791606e9,
                         7.47242496e10, -2.950130727918164224e12, 1.1646782814350067249e14,
                         -4.5979787224074726105e15, 1.8152105401943546773e17,
                         -7.1661652561756670113e18};
    const double small = 1.11022302462515654042e-16;
    if (x == 1) return SPECIAL_INF;
    if (!(x > 1)) return SPECIAL_NAN;
    if (q <= 0) {
        if (q == ::floor(q)) return SPECIAL_INF;
        if (x != ::floor(x)) return SPECIAL_NAN;
    }
    double s = ::pow(q, -x), a = q, b = 0;
    for (int i = 0; i < 9 || a <= 9; ++i) {
        a += 1;
        b = ::pow(a, -x);
        s += b;
        if (-small * s < b && b < small * s) return s;
    }
    const double w = a;
    s += b * w / (x - 1);
    s -= 0.5 * b;
    double k = 0;
    a = 1;
    for (int i = 0; i < 12; ++i) {
        a *= x + k;
        b /= w;
        const double t = a * b / kA[i];
        s += t;
        if (::fabs(t / s) < small) return s;
        k += 1;
        a *= x + k;
        b /= w;
        k += 1;
    }
    return s;
}
SPECIAL_2(zeta)
}

// ---- bessel_i < special
// e^-x I_order(x) for x >= 0 and order 0 or 1: the power series to 20, then the asymptotic one.
namespace special {
SPECIAL double bessel_i_series(double x, int order) {
    const double y = 0.25 * x * x;
    double term = 1, sum = 1;
    for (int k = 1; k < 80 && term > 1e-18 * sum; ++k) {
        term *= y / (double(k) * (k + order));
        sum += term;
    }
    return order ? 0.5 * x * sum : sum;
}
SPECIAL double bessel_i_scaled(double x, int order) {
    if (x <= 20) return ::exp(-x) * bessel_i_series(x, order);
    if (x > 1e300) return x - x == 0 || x == SPECIAL_INF ? 0 : x;
    double term = 1, sum = 1;
    for (int k = 1; k < 30; ++k) {
        const double odd = 2 * k - 1;
        term *= (odd * odd - 4 * order) / (8 * k * x);
        sum += term;
    }
    return x != x ? x : sum / ::sqrt(2 * SPECIAL_PI * x);
}
}

// ---- i0 < special bessel_i
namespace special {
SPECIAL double i0(double x) {
    x = ::fabs(x);
    if (x > 714) return x == SPECIAL_INF ? SPECIAL_NAN : SPECIAL_INF; // as PyTorch's
    return x <= 20 ? bessel_i_series(x, 0) : bessel_i_scaled(x, 0) * ::exp(0.5 * x) * ::exp(0.5 * x);
}
SPECIAL_1(i0)
}

// ---- i0e < special bessel_i
namespace special {
SPECIAL double i0e(double x) { return bessel_i_scaled(::fabs(x), 0); }
SPECIAL_1(i0e)
}

// ---- i1 < special bessel_i
namespace special {
SPECIAL double i1(double x) {
    const double y = ::fabs(x);
    if (y > 714) return y == SPECIAL_INF ? SPECIAL_NAN : x * SPECIAL_INF; // as PyTorch's
    const double value =
        y <= 20 ? bessel_i_series(y, 1) : bessel_i_scaled(y, 1) * ::exp(0.5 * y) * ::exp(0.5 * y);
    return x < 0 ? -value : value;
}
SPECIAL_1(i1)
}

// ---- i1e < special bessel_i
namespace special {
SPECIAL double i1e(double x) {
    const double value = bessel_i_scaled(::fabs(x), 1);
    return x < 0 ? -value : value;
}
SPECIAL_1(i1e)
}

// ---- bessel_k < special bessel_i
// e^x K_order(x): to 2 the series of order 0 and 1 (Abramowitz and Stegun 9.6.11 and 9.6.13), beyond
// the integral of e^(-x cosh t) cosh(order t) by the trapezoid rule, which is exponentially exact.
namespace special {
SPECIAL double bessel_k_integral(double x, double order) {
    if (x > 1e15) return ::sqrt(0.5 * SPECIAL_PI / x);
    const double step = ::acosh(1 + 40 / x) / 40;
    double sum = 0.5;
    for (int k = 1; k <= 40; ++k) {
        const double t = k * step, s = ::sinh(0.5 * t);
        sum += ::exp(-2 * x * s * s) * ::cosh(order * t);
    }
    return step * sum;
}
SPECIAL double bessel_k_scaled(double x, int order) {
    if (x == 0) return SPECIAL_INF;
    if (!(x > 0)) return SPECIAL_NAN;
    if (x > 2) return bessel_k_integral(x, order);
    const double y = 0.25 * x * x, logarithm = ::log(0.5 * x) + 0.57721566490153286061;
    double term = 1, harmonic = 0, sum = 0;
    for (int k = 0; k < 25; ++k) { // term = y^k / (k! (k + order)!)
        if (k > 0) {
            term *= y / (double(k) * (k + order));
            harmonic += 1.0 / k;
        }
        sum += order ? term * (2 * harmonic + 1.0 / (k + 1)) : term * harmonic;
    }
    const double i = bessel_i_series(x, order);
    const double value = order ? 1 / x + logarithm * i - 0.25 * x * sum : sum - logarithm * i;
    return value * ::exp(x);
}
}

// ---- modified_bessel_k0 < special bessel_k
namespace special {
SPECIAL double modified_bessel_k0(double x) { return bessel_k_scaled(x, 0) * ::exp(-x); }
SPECIAL_1(modified_bessel_k0)
}

// ---- scaled_modified_bessel_k0 < special bessel_k
namespace special {
SPECIAL double scaled_modified_bessel_k0(double x) { return bessel_k_scaled(x, 0); }
SPECIAL_1(scaled_modified_bessel_k0)
}

// ---- modified_bessel_k1 < special bessel_k
namespace special {
SPECIAL double modified_bessel_k1(double x) { return bessel_k_scaled(x, 1) * ::exp(-x); }
SPECIAL_1(modified_bessel_k1)
}

// ---- scaled_modified_bessel_k1 < special bessel_k
namespace special {
SPECIAL double scaled_modified_bessel_k1(double x) { return bessel_k_scaled(x, 1); }
SPECIAL_1(scaled_modified_bessel_k1)
}

// ---- airy_ai < special bessel_k
// K of order 1/3 from 1.5 on (A. and S. 10.4.14), Taylor's series about the nearest whole number by
// the equation itself (y'' = x y) to -9.5, then 10.4.60 with zeta in two parts.
namespace special {
SPECIAL double airy_ai(double x) {
    if (x - x != 0) return SPECIAL_NAN;
    if (x > 104) return 0;
    if (x >= 1.5) {
        const double zeta = 2 * x * ::sqrt(x) / 3;
        return ::sqrt(x / 3) / SPECIAL_PI * bessel_k_integral(zeta, 1.0 / 3) * ::exp(-zeta);
    }
    if (x > -9.5) {
        const double kValues[] = {-0.0221337215473414036742, -0.0527050503563862026221,
                                  0.18428083525050563728,    -0.329145173629823105231,
                                  0.350761009024114319788,   -0.0702655329492895150991,
                                  -0.378814293677658074347,  0.227407428201685575992,
                                  0.5355608832923521188,     0.35502805388781723926,
                                  0.135292416312881415524};
        const double kSlopes[] = {-0.975663980926331594713, 0.935560938198306551026,
                                  -0.771008168410126547731, 0.34593548728134289493,
                                  0.327192818554443136795,  -0.790628575368581380296,
                                  0.314583769216598813651,  0.618259020741691041406,
                                  -0.010160567116645209395, -0.258819403792806798405,
                                  -0.159147441296793212788};
        const double near = ::floor(x + 0.5), middle = near < -9 ? -9 : near > 1 ? 1 : near;
        const double h = x - middle;
        const int place = (int)middle + 9;
        // Terms a(n) h^n with (n + 2) (n + 1) a(n + 2) = middle a(n) + a(n - 1).
        double before = 0, term = kValues[place], next = kSlopes[place] * h, sum = 0;
        for (int n = 0; n < 24; ++n) {
            sum += term;
            const double later = (middle * term + before * h) * h * h / ((n + 2.0) * (n + 1.0));
            before = term;
            term = next;
            next = later;
        }
        return sum;
    }
    const double size = -x, root = ::sqrt(size), three = 2 * size * root;
    const double zeta = three / 3;
    // What the rounding of root, product and quotient took.
    const double low = (2 * size * (::fma(-root, root, size) / (2 * root)) +
                        ::fma(2 * size, root, -three) + ::fma(-3, zeta, three)) /
                       3;
    double term = 1, even = 1, odd = 0;
    for (int k = 1; k < 20; ++k) {
        term *= (6.0 * k - 5) * (6.0 * k - 3) * (6.0 * k - 1) / (216.0 * k * (2 * k - 1) * zeta);
        const double value = k % 4 < 2 ? term : -term;
        if (k % 2)
            odd += value;
        else
            even += k % 4 == 2 ? -term : term;
    }
    const double sl = ::sin(low), cl = ::cos(low);
    const double s = ::sin(zeta) * cl + ::cos(zeta) * sl, c = ::cos(zeta) * cl - ::sin(zeta) * sl;
    return ((s + c) * even - (c - s) * odd) / (2.50662827463100050242 * ::sqrt(root));
}
SPECIAL_1(airy_ai)
}

// ---- incomplete_gamma < special
// The regularized incomplete gamma functions by series (lower) or by Lentz's continued fraction
// (upper), whichever converges; the other is one less it.
namespace special {
SPECIAL double incomplete_gamma(double a, double x, bool upper) {
    const double sure = upper ? 0 : 1, none = upper ? 1 : 0;
    if (!(a >= 0) || !(x >= 0)) return SPECIAL_NAN;
    if (a == 0) return x > 0 ? sure : SPECIAL_NAN;
    if (x == 0) return none;
    if (a == SPECIAL_INF) return x == SPECIAL_INF ? SPECIAL_NAN : none;
    if (x == SPECIAL_INF) return sure;
    const double front = ::exp(a * ::log(x) - x - ::lgamma(a));
    if (x < a + 1) {
        double term = 1 / a, sum = term;
        for (int k = 1; k < 5000 && term > 1e-17 * sum; ++k) {
            term *= x / (a + k);
            sum += term;
        }
        return upper ? 1 - front * sum : front * sum;
    }
    double b = x + 1 - a, c = 1e300, d = 1 / b, h = d;
    for (int k = 1; k < 5000; ++k) {
        const double an = -k * (k - a);
        b += 2;
        d = an * d + b;
        d = 1 / (::fabs(d) < 1e-300 ? 1e-300 : d);
        c = b + an / c;
        c = ::fabs(c) < 1e-300 ? 1e-300 : c;
        h *= d * c;
        if (::fabs(d * c - 1) < 1e-16) break;
    }
    return upper ? front * h : 1 - front * h;
}
}

// ---- igamma < special incomplete_gamma
namespace special {
SPECIAL double igamma(double a, double x) { return incomplete_gamma(a, x, false); }
SPECIAL_2(igamma)
}

// ---- igammac < special incomplete_gamma
namespace special {
SPECIAL double igammac(double a, double x) { return incomplete_gamma(a, x, true); }
SPECIAL_2(igammac)
}

// ---- recurrence < special
// p(n) of p(k+1) = (a(k) x + b(k)) p(k) - c(k) p(k-1); the degree is cut to a whole number.
namespace special {
SPECIAL double chebyshev(double x, double degree, double first) {
    const long long n = (long long)degree;
    if (n < 0) return 0;
    double before = 1, value = first;
    if (n == 0) return before;
    for (long long k = 1; k < n && value == value; ++k) {
        const double next = 2 * x * value - before;
        before = value;
        value = next;
    }
    return value;
}
}

// ---- chebyshev_polynomial_t < special recurrence
namespace special {
SPECIAL double chebyshev_polynomial_t(double x, double n) {
    n = ::trunc(n);
    if (n > 6 && ::fabs(x) < 1) return ::cos(n * ::acos(x));
    return chebyshev(x, n, x);
}
SPECIAL_2(chebyshev_polynomial_t)
}

// ---- chebyshev_polynomial_u < special recurrence
namespace special {
SPECIAL double chebyshev_polynomial_u(double x, double n) {
    n = ::trunc(n);
    if (n > 8 && ::fabs(x) < 1) return ::sin((n + 1) * ::acos(x)) / ::sin(::acos(x));
    return chebyshev(x, n, 2 * x);
}
SPECIAL_2(chebyshev_polynomial_u)
}

// ---- chebyshev_polynomial_v < special recurrence
namespace special {
SPECIAL double chebyshev_polynomial_v(double x, double n) {
    n = ::trunc(n);
    if (n > 8 && ::fabs(x) < 1) return ::cos((n + 0.5) * ::acos(x)) / ::cos(0.5 * ::acos(x));
    return chebyshev(x, n, 2 * x - 1);
}
SPECIAL_2(chebyshev_polynomial_v)
}

// ---- chebyshev_polynomial_w < special recurrence
namespace special {
SPECIAL double chebyshev_polynomial_w(double x, double n) {
    n = ::trunc(n);
    if (n > 8 && ::fabs(x) < 1) return ::sin((n + 0.5) * ::acos(x)) / ::sin(0.5 * ::acos(x));
    return chebyshev(x, n, 2 * x + 1);
}
SPECIAL_2(chebyshev_polynomial_w)
}

// ---- hermite_polynomial_h < special
namespace special {
SPECIAL double hermite_polynomial_h(double x, double degree) {
    const long long n = (long long)degree;
    if (n < 0) return 0;
    if (degree > 512) return SPECIAL_NAN;
    double before = 1, value = 2 * x;
    if (n == 0) return before;
    for (long long k = 1; k < n; ++k) {
        const double next = 2 * x * value - 2 * k * before;
        before = value;
        value = next;
    }
    return value;
}
SPECIAL_2(hermite_polynomial_h)
}

// ---- hermite_polynomial_he < special
namespace special {
SPECIAL double hermite_polynomial_he(double x, double degree) {
    const long long n = (long long)degree;
    if (n < 0) return 0;
    if (degree > 512) return SPECIAL_NAN;
    double before = 1, value = x;
    if (n == 0) return before;
    for (long long k = 1; k < n; ++k) {
        const double next = x * value - k * before;
        before = value;
        value = next;
    }
    return value;
}
SPECIAL_2(hermite_polynomial_he)
}

// ---- laguerre_polynomial_l < special
namespace special {
SPECIAL double laguerre_polynomial_l(double x, double degree) {
    const long long n = (long long)degree;
    if (n < 0) return 0;
    double before = 1, value = 1 - x;
    if (n == 0 || x == 0) return before;
    for (long long k = 1; k < n && value == value; ++k) {
        const double next = ((2 * k + 1 - x) * value - k * before) / (k + 1);
        before = value;
        value = next;
    }
    return value;
}
SPECIAL_2(laguerre_polynomial_l)
}

// ---- legendre_polynomial_p < special
namespace special {
SPECIAL double legendre_polynomial_p(double x, double degree) {
    const long long n = (long long)degree;
    if (n < 0) return 0;
    double before = 1, value = x;
    if (n == 0) return before;
    for (long long k = 1; k < n && value == value; ++k) {
        const double next = ((2 * k + 1) * x * value - k * before) / (k + 1);
        before = value;
        value = next;
    }
    return value;
}
SPECIAL_2(legendre_polynomial_p)
}
