// SPDX-License-Identifier: Apache-2.0
// Circular and hyperbolic functions, bases of logarithms, and functions of two elements. Gradients:
// tools/autograd/derivatives.yaml.
#include "core/ir/half.h"
#include "core/ops/call_forms.h"
#include "core/ops/elementwise_tools.h"
#include "core/ops/families.h"
#include "core/ops/lying.h"

#include <fmt/format.h>

namespace cutaway::ops {

namespace {

using ir::DType;
constexpr double kLn2 = 0.69314718055994530942, kLn10 = 2.30258509299404568402;

template <auto Slope>
constexpr VjpRule kSlope = vjpOfFirst<[](Vjp& v) { return v.grad * Slope(v); }>;
Formula square(const Formula& x) {
    return x * x;
}

void addCircular(std::vector<OpDef>& ops) {
    ops.push_back(floatFunction<ScalarOp::Acos, [](double x) { return std::acos(x); }>(
        "acos(Tensor self) -> Tensor", kSlope<[](Vjp& v) { return -rsqrt(1 - square(v[0])); }>,
        betweenOrWhole<-9, 9>, {"inverse cosine", "cos(y) = x", "torch.acos"}));
    ops.push_back(floatFunction<ScalarOp::Asin, [](double x) { return std::asin(x); }>(
        "asin(Tensor self) -> Tensor", kSlope<[](Vjp& v) { return rsqrt(1 - square(v[0])); }>,
        betweenOrWhole<-9, 9>, {"inverse sine", "sin(y) = x", "torch.asin"}));
    ops.push_back(floatFunction<ScalarOp::Atan, [](double x) { return std::atan(x); }>(
        "atan(Tensor self) -> Tensor",
        vjpOfFirst<[](Vjp& v) { return v.grad / (square(v[0]) + 1); }>, betweenOrWhole<-40, 40>,
        {"inverse tangent", "tan(y) = x", "torch.atan"}));
    ops.push_back(floatFunction<ScalarOp::Sinh, [](double x) { return std::sinh(x); }>(
        "sinh(Tensor self) -> Tensor", kSlope<[](Vjp& v) { return aten("cosh", v[0]); }>,
        betweenOrWhole<-30, 30>, {"hyperbolic sine", "y = (e^x - e^-x) / 2", "torch.sinh"}));
    ops.push_back(floatFunction<ScalarOp::Cosh, [](double x) { return std::cosh(x); }>(
        "cosh(Tensor self) -> Tensor", kSlope<[](Vjp& v) { return aten("sinh", v[0]); }>,
        betweenOrWhole<-30, 30>, {"hyperbolic cosine", "y = (e^x + e^-x) / 2", "torch.cosh"}));
    ops.push_back(floatFunction<ScalarOp::Acosh, [](double x) { return std::acosh(x); }>(
        "acosh(Tensor self) -> Tensor", kSlope<[](Vjp& v) { return rsqrt(square(v[0]) - 1); }>,
        betweenOrWhole<12, 60>, {"inverse hyperbolic cosine", "cosh(y) = x", "torch.acosh"}));
    ops.push_back(floatFunction<ScalarOp::Asinh, [](double x) { return std::asinh(x); }>(
        "asinh(Tensor self) -> Tensor", kSlope<[](Vjp& v) { return rsqrt(square(v[0]) + 1); }>,
        betweenOrWhole<-60, 60>, {"inverse hyperbolic sine", "sinh(y) = x", "torch.asinh"}));
    ops.push_back(floatFunction<ScalarOp::Atanh, [](double x) { return std::atanh(x); }>(
        "atanh(Tensor self) -> Tensor",
        vjpOfFirst<[](Vjp& v) { return v.grad / (1 - square(v[0])); }>, betweenOrWhole<-9, 9>,
        {"inverse hyperbolic tangent", "tanh(y) = x", "torch.atanh"}));
}

void addBases(std::vector<OpDef>& ops) {
    OpDoc exp2{"two to the power of each element", "y = 2^x", "torch.exp2"};
    ops.push_back(floatFunction<ScalarOp::Exp2, [](double x) { return std::exp2(x); }>(
        "exp2(Tensor self) -> Tensor", vjpOfFirst<[](Vjp& v) { return v.grad * v.result * kLn2; }>,
        betweenOrWhole<-30, 30>, exp2));
    ops.push_back(floatFunction<ScalarOp::Log2, [](double x) { return std::log2(x); }>(
        "log2(Tensor self) -> Tensor", vjpOfFirst<[](Vjp& v) { return v.grad / (v[0] * kLn2); }>,
        betweenOrWhole<3, 60>, {"logarithm to base 2", "2^y = x", "torch.log2"}));
    ops.push_back(floatFunction<ScalarOp::Log10, [](double x) { return std::log10(x); }>(
        "log10(Tensor self) -> Tensor", vjpOfFirst<[](Vjp& v) { return v.grad / (v[0] * kLn10); }>,
        betweenOrWhole<3, 60>, {"logarithm to base 10", "10^y = x", "torch.log10"}));
}

// --- two elements ---

void atan2Vjp(Vjp& v) {
    Value size = square(v[0]) + square(v[1]);
    Value share = where(eq(size, 0), 0, aten("reciprocal", size));
    v.set(1, v.grad * -v[0] * share);
    v.set(0, v.grad * v[1] * share);
}
void hypotVjp(Vjp& v) {
    v.set(1, v.grad * (v[1] / v.result));
    v.set(0, v.grad * (v[0] / v.result));
}
/// The sign goes with the result: 0 where there was none.
void copysignVjp(Vjp& v) {
    if (v.isValue(1)) v.set(1, zerosLike(v.grad));
    if (v.wants(0)) v.set(0, v.grad * where(eq(v[0], 0), 0, v.result / v[0]));
}
void fmodVjp(Vjp& v) {
    if (v.isValue(1) && v.wants(1)) {
        Value whole = aten("div.Tensor_mode", v[0], v[1], "trunc");
        v.set(1, -v.grad * whole);
    }
    v.set(0, v.grad);
}

/// Floats by the library's fmod; integers by a % b, which has b's sign: one b less where there is a
/// rest and the signs differ. No |a|: the least integer has none.
ExprId buildFmod(ExprPool& pool, const OpCall& call, Inputs inputs) {
    DType dtype = resultDType(call, {0, 1});
    if (dtype == DType::Bool) dtype = DType::Int64;
    Elements e(pool, call, inputs);
    ExprId a = e.as(0, dtype), b = e.as(1, dtype);
    if (ir::isFloating(dtype)) return pool.op(ScalarOp::Fmod, {a, b});
    b = call.notZero(b);
    const ExprId rest = pool.op(ScalarOp::Remainder, {a, b}), zero = pool.constantInt(dtype, 0);
    const ExprId unlike =
        pool.op(ScalarOp::Ne, {pool.op(ScalarOp::Lt, {a, zero}), pool.op(ScalarOp::Lt, {b, zero})});
    const ExprId other = pool.op(ScalarOp::And, {pool.op(ScalarOp::Ne, {rest, zero}), unlike});
    return pool.op(ScalarOp::Where, {other, pool.op(ScalarOp::Sub, {rest, b}), rest});
}
Result<Types> fmodShape(const OpCall& call) {
    const DType dtype = resultDType(call, {0, 1});
    return pointwiseType(call, dtype == DType::Bool ? DType::Int64 : dtype, {0, 1});
}
Values fmodReference(const OpCall& call, Tensors tensors) {
    bool byZero = false;
    const DType out = outDType(call);
    Values values = oneValue(broadcastMap<2>(call, tensors, {0, 1}, out, out, [&](auto a, auto b) {
        if constexpr (std::is_same_v<decltype(a), double>) {
            return std::fmod(a, b);
        } else {
            byZero |= b == 0;
            return b == 0 ? a : b == -1 ? decltype(a)(0) : a % b;
        }
    }));
    return byZero ? Values() : values;
}

std::vector<Sample> scalarSamples() {
    return {good({f32({2, 3}, 0.6, 0.9)}, {T(0), Arg(0.25)}), good({f64({0})}, {T(0), I(2)}),
            forwardOnly({i64({5})}, {T(0), I(3)})};
}
std::vector<Sample> fmodSamples() {
    return {good({f32({2, 3}, 0.6, 0.9), f32({3}, 0.4, 0.5)}, {T(0), T(1)}),
            forwardOnly({f32({7}, -9, 9), f32({7}, -4, -1)}, {T(0), T(1)}),
            forwardOnly({i64({9}, -9, 9), i32({9}, 1, 4)}, {T(0), T(1)}),
            forwardOnly({u8({9}), u8({9}, 1, 4)}, {T(0), T(1)})};
}

Result<Types> integerShape(const OpCall& call) {
    const DType dtype = resultDType(call, {0, 1});
    if (ir::isFloating(dtype) || dtype == DType::Bool)
        return refuse(call, "expected integers, found " + std::string(ir::name(dtype)))
            .as(ErrorClass::NotImplemented);
    return pointwiseType(call, dtype, {0, 1});
}
ExprId gcdOf(ExprPool& pool, const OpCall& call, Inputs inputs) {
    const DType dtype = resultDType(call, {0, 1});
    Elements e(pool, call, inputs);
    return pool.op(ScalarOp::Gcd, {e.as(0, dtype), e.as(1, dtype)});
}
int64_t gcdReference(int64_t a, int64_t b) {
    for (a = std::abs(a), b = std::abs(b); b != 0;)
        a = std::exchange(b, a % b);
    return a;
}
std::vector<Sample> integerPairs(std::string_view base) {
    return {forwardOnly({i64({9}, -30, 30), i64({9}, -30, 30)}, {T(0), T(1)}),
            forwardOnly({i32({9}, -30, 30), u8({1}, 0, 30)}, {T(0), T(1)}),
            bad({f32({2}), f32({2})}, {T(0), T(1)},
                std::string(base) + ": expected integers, found float32")};
}

void addIntegers(std::vector<OpDef>& ops) {
    constexpr NotDifferentiable kIntegers{"its operands are integers"};
    ops.push_back(
        {"gcd(Tensor self, Tensor other) -> Tensor",
         integerShape,
         kIntegers,
         Pointwise{gcdOf},
         numberReference<[](auto a, auto b) {
             return gcdReference(static_cast<int64_t>(a), static_cast<int64_t>(b));
         },
                         0, 1>,
         [] { return integerPairs("gcd"); },
         {"greatest common divisor", "y = the largest d that divides a and b", "torch.gcd"}});
    ops.push_back({"lcm(Tensor self, Tensor other) -> Tensor",
                   integerShape,
                   kIntegers,
                   Pointwise{[](ExprPool& pool, const OpCall& call, Inputs inputs) {
                       const DType dtype = resultDType(call, {0, 1});
                       Elements e(pool, call, inputs);
                       // In C++ the product of small integers is an int; the absolute value is taken of that.
                       const DType wide = ir::sizeBytes(dtype) < 4 ? DType::Int32 : dtype;
                       const ExprId common = pool.cast(wide, gcdOf(pool, call, inputs));
                       const ExprId none =
                           pool.op(ScalarOp::Eq, {common, pool.constantInt(wide, 0)});
                       const ExprId divisor =
                           pool.op(ScalarOp::Where, {none, pool.constantInt(wide, 1), common});
                       const ExprId whole = pool.op(ScalarOp::FloorDiv, {e.as(0, wide), divisor});
                       const ExprId product = pool.op(ScalarOp::Mul, {whole, e.as(1, wide)});
                       return pool.cast(dtype, pool.op(ScalarOp::Abs, {product}));
                   }},
                   numberReference<[](auto a, auto b) {
                       const auto x = static_cast<int64_t>(a), y = static_cast<int64_t>(b);
                       const int64_t common = gcdReference(x, y);
                       return common == 0 ? 0 : std::abs(x / common * y);
                   },
                                   0, 1>,
                   [] { return integerPairs("lcm"); },
                   {"least common multiple", "y = |a b| / gcd(a, b)", "torch.lcm"}});
}

/// Numbers of 16 bits are counted up or down by their bits; the slow form of buildNextAfter.
template <typename Half> double nextHalf(double a, double b) {
    if (a != a || b != b) return NAN;
    if (a == b) return b;
    Half next(a);
    if (a == 0)
        next.bits = b > 0 ? 1 : 0x8001;
    else if ((b > a) == (a > 0))
        ++next.bits;
    else
        --next.bits;
    return next;
}

/// Kernels hold numbers of 16 bits in float32 and round them when they are stored: to the neighbour
/// from a little more than half of the way there, which is a part of a itself, the same on both
/// sides of a power of two, or of the least number.
ExprId buildNextAfter(ExprPool& pool, const OpCall& call, Inputs inputs) {
    const DType dtype = floatDType(call, {0, 1});
    if (ir::sizeBytes(dtype) != 2) return buildFloat<ScalarOp::NextAfter, 0, 1>(pool, call, inputs);
    const bool brain = dtype == DType::BFloat16;
    Elements e(pool, call, inputs);
    const ExprId a = e.as(0, DType::Float32), b = e.as(1, DType::Float32);
    auto number = [&](double value) { return pool.constant(DType::Float32, value); };
    const ExprId part = pool.op(
        ScalarOp::Mul, {pool.op(ScalarOp::Abs, {a}), number(0.51 * (brain ? 0x1p-7 : 0x1p-10))});
    const ExprId step = pool.op(ScalarOp::Max, {part, number(0.51 * (brain ? 0x1p-133 : 0x1p-24))});
    const ExprId up = pool.op(ScalarOp::Add, {a, step}), down = pool.op(ScalarOp::Sub, {a, step});
    const ExprId rises = pool.op(ScalarOp::Lt, {a, b});
    ExprId next = pool.op(ScalarOp::Where, {rises, up, down});
    // From infinity to the last number before it.
    const double most = brain ? 0x1.fep127 : 65504.0;
    const ExprId endless = pool.op(ScalarOp::Eq, {pool.op(ScalarOp::Abs, {a}), number(INFINITY)});
    const ExprId last = pool.op(ScalarOp::Where, {rises, number(-most), number(most)});
    next = pool.op(ScalarOp::Where, {endless, last, next});
    const ExprId same = pool.op(ScalarOp::Eq, {a, b}), none = pool.op(ScalarOp::IsNan, {b});
    return pool.op(ScalarOp::Where, {pool.op(ScalarOp::Or, {same, none}), b, next});
}

/// Of operations that PyTorch has for floating dtypes alone.
Result<Types> floatingPair(const OpCall& call) {
    CUTAWAY_TRY(Types types, promoteBinary(call));
    if (!ir::isFloating(types[0].dtype))
        return refuse(
                   call,
                   fmt::format("not implemented for two tensors of {}", ir::name(types[0].dtype)),
                   "convert one to a floating dtype")
            .as(ErrorClass::NotImplemented);
    return types;
}

void addTwoElements(std::vector<OpDef>& ops) {
    ops.push_back(
        floatFunction2<ScalarOp::Atan2, [](double a, double b) { return std::atan2(a, b); }>(
            "atan2(Tensor self, Tensor other) -> Tensor", VjpRule{atan2Vjp}, pairsBetween<3, 30>,
            {"angle of the point (b, a)", "y = atan(a / b), in the quadrant of (b, a)",
             "torch.atan2"}));
    ops.push_back({"hypot(Tensor self, Tensor other) -> Tensor",
                   floatingPair,
                   VjpRule{hypotVjp},
                   Pointwise{buildFloat<ScalarOp::Hypot, 0, 1>},
                   pointReference<[](double a, double b) { return std::hypot(a, b); }, 0, 1>,
                   pairsBetween<3, 30>,
                   {"length of the point (a, b)", "y = sqrt(a^2 + b^2)", "torch.hypot"}});
    OpDoc copysign{"a with the sign of b", "y = |a| or -|a|", "torch.copysign"};
    ops.push_back(
        floatFunction2<ScalarOp::CopySign, [](double a, double b) { return std::copysign(a, b); }>(
            "copysign.Tensor(Tensor self, Tensor other) -> Tensor", VjpRule{copysignVjp},
            pairsBetween<3, 30>, copysign));
    addOverloads(ops, ops.back(), {"copysign.Scalar(Tensor self, Scalar other) -> Tensor"});
    ops.back().samples = scalarSamples;
    OpDoc fmod{"remainder with the dividend's sign, C's fmod", "y = a - b * trunc(a / b)",
               "torch.fmod"};
    ops.push_back(with<&Traits::refuses, Refuses::SeveralBools>(
        with<&Traits::jumps>(with<&Traits::holdsNumbers>(
            {"fmod.Tensor(Tensor self, Tensor other) -> Tensor", fmodShape, VjpRule{fmodVjp},
             Pointwise{buildFmod}, fmodReference, fmodSamples, fmod}))));
    ops.push_back(with<&Traits::refuses, Refuses::SeveralBools>(
        with<&Traits::jumps>(with<&Traits::holdsNumbers>(
            {"fmod.Scalar(Tensor self, Scalar other) -> Tensor", fmodShape, VjpRule{fmodVjp},
             Pointwise{buildFmod}, fmodReference, scalarSamples, fmod}))));
    ops.push_back(with<&Traits::jumps>(
        {"nextafter(Tensor self, Tensor other) -> Tensor",
         floatingPair,
         VjpRule{[](Vjp& v) {
             v.set(0, where(formula::ne(v[0], v[1]), v.grad, 0));
             v.set(1, zerosLike(v.grad));
         }},
         Pointwise{buildNextAfter},
         [](const OpCall& call, Tensors tensors) {
             const DType out = outDType(call);
             return oneValue(broadcastMapAs<double, 2>(
                 call, tensors, {0, 1}, out, out, [&](double a, double b) {
                     if (out == DType::Float16) return nextHalf<ir::Float16>(a, b);
                     if (out == DType::BFloat16) return nextHalf<ir::BFloat16>(a, b);
                     return out == DType::Float64
                                ? std::nextafter(a, b)
                                : std::nextafter(static_cast<float>(a), static_cast<float>(b));
                 }));
         },
         pairsForward<-20, 20>,
         {"the next number from a towards b", "y = the neighbour of a", "torch.nextafter"}}));
}

// --- one element as two ---

void addFrexp(std::vector<OpDef>& ops) {
    ops.push_back(internal({"_frexp_mantissa(Tensor self) -> Tensor",
                            floatShape<0>,
                            NotDifferentiable{"frexp has the gradient"},
                            Pointwise{buildFloat<ScalarOp::FrexpMantissa, 0>},
                            pointReference<[](double x) {
                                int exponent = 0;
                                return std::frexp(x, &exponent);
                            },
                                           0>,
                            between<-40, 40>,
                            {"fraction of frexp", "x = y 2^e, 1/2 <= |y| < 1", "torch.frexp"}}));
    ops.push_back(internal({"_frexp_exponent(Tensor self) -> Tensor",
                            [](const OpCall& call) -> Result<Types> {
                                if (!ir::isFloating(call.tensor(0).dtype))
                                    return refuse(call, "expected a floating-point tensor");
                                return pointwiseType(call, DType::Int32, {0});
                            },
                            NotDifferentiable{"its result is an integer"},
                            Pointwise{[](ExprPool& pool, const OpCall&, Inputs inputs) {
                                return pool.cast(DType::Int32,
                                                 pool.op(ScalarOp::FrexpExponent, {inputs[0]}));
                            }},
                            pointReference<[](double x) {
                                int exponent = 0;
                                std::frexp(x, &exponent);
                                return static_cast<double>(exponent);
                            },
                                           0>,
                            between<-40, 40>,
                            {"exponent of frexp", "x = m 2^y, 1/2 <= |m| < 1", "torch.frexp"}}));
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(
        {"frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)",
         lyingTypes<likeFirst, composedShape>,
         VjpRule{vjpOfFirst<[](Vjp& v) {
             Value exponent = aten("_frexp_exponent", v[0]);
             return v.grad / aten("exp2", convert(exponent, v.type(0).dtype));
         }>},
         Decompose{[](const Operands& x) {
                       Value mantissa = aten("_frexp_mantissa", x[0]);
                       Value exponent = aten("_frexp_exponent", x[0]);
                       return Results{mantissa, exponent};
                   },
                   DecomposeWhen::AfterAutograd},
         [](const OpCall&, Tensors tensors) {
             Values both{ir::HostTensor::zeros(tensors[0]->dtype, tensors[0]->sizes),
                         ir::HostTensor::zeros(DType::Int32, tensors[0]->sizes)};
             for (int64_t i = 0; i < both[0].numel(); ++i) {
                 int exponent = 0;
                 both[0].set(i, std::frexp(tensors[0]->get(i), &exponent));
                 both[1].setInt(i, exponent);
             }
             return both;
         },
         between<11, 19>,
         {"fraction and power of two", "x = m 2^e, 1/2 <= |m| < 1", "torch.frexp"}}));
}

} // namespace

std::vector<OpDef> elementwiseFunctionOps() {
    std::vector<OpDef> ops;
    addCircular(ops);
    addBases(ops);
    addTwoElements(ops);
    addIntegers(ops);
    addFrexp(ops);
    return ops;
}

} // namespace cutaway::ops
