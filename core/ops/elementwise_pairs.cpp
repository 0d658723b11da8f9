// SPDX-License-Identifier: Apache-2.0
// Operations of two and three elements made of others. Sources: torch/_refs and
// tools/autograd/derivatives.yaml.
#include "core/ops/elementwise_parts.h"
#include "core/ops/elementwise_tools.h"
#include "core/ops/families.h"
#include "core/ops/held_numbers.h"
#include "core/ops/lying.h"

#include <fmt/format.h>

#include <array>

namespace cutaway::ops {

namespace {

using ir::DType;
constexpr double kLn2 = 0.69314718055994530942;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Value floatOf(const Operands& x, size_t i) {
    return valueAs(x, i, floatDType(x.call(), {0, 1}));
}

std::vector<Sample> withScalar() {
    return {good({f32({2, 3}, 0.4, 3)}, {T(0), Arg(1.5)}), good({f64({4}, 0.4, 3)}, {T(0), I(2)})};
}
std::vector<Sample> scalarFirst() {
    return {good({f32({2, 3}, 0.4, 3)}, {Arg(1.5), T(0)}), good({f64({4}, 0.4, 3)}, {I(2), T(0)})};
}
/// A record for two tensors, and the same with a number in place of one of them.
void addPair(std::vector<OpDef>& ops, OpDef def, std::string_view tensors, std::string_view first,
             std::string_view second) {
    const size_t at = ops.size();
    addOverloads(ops, def, {tensors, first, second});
    ops[at + 1].samples = scalarFirst;
    ops[at + 2].samples = withScalar;
}

/// a 2^b. Of integers b the power is taken in float64, where it does not overflow before the
/// product does: in three parts where a has as many bits.
Results ldexpOf(const Operands& x) {
    if (ir::isFloating(x.type(1).dtype)) return {x[0] * aten("pow.Scalar", 2.0, x[1])};
    const DType dtype = ir::isFloating(x.type(0).dtype) ? x.type(0).dtype : DType::Float32;
    Value a = convert(x[0], DType::Float64), b = convert(x[1], DType::Float64);
    auto power = [](const Formula& exponent) { return aten("pow.Scalar", 2.0, exponent); };
    if (dtype != DType::Float64)
        return {convert(a * power(aten("clamp", b, -1000.0, 1000.0)), dtype)};
    Value all = aten("clamp", b, -3000.0, 3000.0);
    Value third = aten("trunc", all / 3), part = power(third);
    return {a * part * part * power(all - third * 2)};
}

void ldexpVjp(Vjp& v) {
    if (v.wants(0)) v.set(0, v.grad * aten("pow.Scalar", 2.0, v[1]));
    if (v.wants(1)) v.set(1, v.grad * v.result * M_LN2);
}

void addLogarithmic(std::vector<OpDef>& ops) {
    auto xlogy = composed(
        "", VjpRule{[](Vjp& v) {
            if (v.isValue(1)) v.set(1, v.grad * v[0] / v[1]);
            if (!v.isValue(0) || !v.wants(0)) return;
            Value other = valueAs(v, 1, v.grad.type().dtype);
            Value none = logicalAnd(eq(v[0], 0), le(other, 0));
            v.set(0, v.grad * where(none, 0, log(other)));
        }},
        [](const Operands& x) {
            Value a = floatOf(x, 0), b = floatOf(x, 1);
            Value product = where(eq(a, 0), 0, a * log(b));
            return Results{where(aten("isnan", b), b, product)};
        },
        pointReference<[](double a, double b) { return b != b   ? b
                                                       : a == 0 ? 0
                                                                : a * std::log(b); },
                       0, 1>,
        pairsBetween<4, 30>, {"x ln y, 0 where x is 0", "z = x ln y", "torch.xlogy"});
    addPair(ops, with<&Traits::holdsNumbers>(lying<likeAll>(xlogy)),
            "xlogy.Tensor(Tensor self, Tensor other) -> Tensor",
            "xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor",
            "xlogy.Scalar_Other(Tensor self, Scalar other) -> Tensor");
    auto xlog1py = composed(
        "", VjpRule{[](Vjp& v) {
            if (v.isValue(1)) v.set(1, v.grad * (v[0] / (v[1] + 1)));
            if (!v.isValue(0) || !v.wants(0)) return;
            Value other = valueAs(v, 1, v.grad.type().dtype);
            Value none = logicalAnd(eq(v[0], 0), le(other, -1));
            v.set(0, v.grad * where(none, 0, aten("log1p", other)));
        }},
        [](const Operands& x) {
            Value a = floatOf(x, 0), b = floatOf(x, 1);
            Value product = where(eq(a, 0), 0, a * aten("log1p", b));
            return Results{where(aten("isnan", b), b, product)};
        },
        pointReference<
            [](double a, double b) { return b != b   ? b
                                            : a == 0 ? 0
                                                     : a * std::log1p(b); }, 0, 1>,
        pairsBetween<4, 30>,
        {"x ln(1 + y), 0 where x is 0", "z = x ln(1 + y)", "torch.special.xlog1py"});
    addPair(ops, lying<likeAll>(xlog1py), "special_xlog1py(Tensor self, Tensor other) -> Tensor",
            "special_xlog1py.self_scalar(Scalar self, Tensor other) -> Tensor",
            "special_xlog1py.other_scalar(Tensor self, Scalar other) -> Tensor");
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(lying<likeAll>(composed(
        "logaddexp(Tensor self, Tensor other) -> Tensor", VjpRule{[](Vjp& v) {
            v.set(1, v.grad / (exp(v[0] - v[1]) + 1));
            v.set(0, v.grad / (exp(v[1] - v[0]) + 1));
        }},
        [](const Operands& x) {
            Value a = floatOf(x, 0), b = floatOf(x, 1);
            Value largest = aten("maximum", a, b), apart = -abs(a - b);
            Value sum = largest + aten("log1p", exp(apart));
            return Results{where(logicalAnd(eq(a, b), eq(abs(a), kInfinity)), a, sum)};
        },
        pointReference<[](double a, double b) { return std::log(std::exp(a) + std::exp(b)); }, 0,
                       1>,
        pairsBetween<-30, 30>,
        {"logarithm of a sum of exponentials", "y = ln(e^a + e^b)", "torch.logaddexp"}))));
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(lying<likeAll>(composed(
        "logaddexp2(Tensor self, Tensor other) -> Tensor", VjpRule{[](Vjp& v) {
            v.set(1, v.grad / (aten("exp2", v[0] - v[1]) + 1));
            v.set(0, v.grad / (aten("exp2", v[1] - v[0]) + 1));
        }},
        [](const Operands& x) {
            Value a = floatOf(x, 0), b = floatOf(x, 1);
            Value largest = aten("maximum", a, b), apart = -abs(a - b);
            Value sum = largest + aten("log1p", aten("exp2", apart)) * (1 / kLn2);
            return Results{where(logicalAnd(eq(a, b), eq(abs(a), kInfinity)), a, sum)};
        },
        pointReference<[](double a, double b) { return std::log2(std::exp2(a) + std::exp2(b)); }, 0,
                       1>,
        pairsBetween<-30, 30>,
        {"logarithm to base 2 of a sum of powers", "y = log2(2^a + 2^b)", "torch.logaddexp2"}))));
}

/// A NaN loses; of equal elements each gets half.
template <bool isMax> void fExtremeVjp(Vjp& v) {
    Value equal = eq(v[0], v[1]);
    Value first = logicalOr(isMax ? gt(v[0], v[1]) : lt(v[0], v[1]), aten("isnan", v[1]));
    Formula shared = where(equal, v.grad / 2, v.grad);
    v.set(0, where(logicalOr(first, equal), shared, 0));
    v.set(1, where(first, 0, shared));
}

void addChoices(std::vector<OpDef>& ops) {
    auto extreme = [](bool largest) {
        return composed(
            "", largest ? VjpRule{fExtremeVjp<true>} : VjpRule{fExtremeVjp<false>},
            largest ? DecomposeRule{[](const Operands& x) {
                const DType dtype = resultDType(x.call(), {0, 1});
                Value a = valueAs(x, 0, dtype), b = valueAs(x, 1, dtype);
                return Results{where(logicalOr(ge(a, b), aten("isnan", b)), a, b)};
            }}
                    : DecomposeRule{[](const Operands& x) {
                          const DType dtype = resultDType(x.call(), {0, 1});
                          Value a = valueAs(x, 0, dtype), b = valueAs(x, 1, dtype);
                          return Results{where(logicalOr(le(a, b), aten("isnan", b)), a, b)};
                      }},
            largest
                ? Reference{numberReference<[](auto a, auto b) { return b != b || a >= b ? a : b; },
                                            0, 1>}
                : Reference{numberReference<[](auto a, auto b) { return b != b || a <= b ? a : b; },
                                            0, 1>},
            [] {
                auto samples = pairsBetween<-30, 30>();
                samples.push_back(forwardOnly({awkward(f32({16})), f32({16})}, {T(0), T(1)}));
                samples.push_back(forwardOnly({f32({16}), awkward(f32({16}))}, {T(0), T(1)}));
                samples.push_back(forwardOnly({i64({6}), i32({6})}, {T(0), T(1)}));
                return samples;
            },
            largest
                ? OpDoc{"the larger of two elements; NaN loses", "y = max(a, b)", "torch.fmax"}
                : OpDoc{"the smaller of two elements; NaN loses", "y = min(a, b)", "torch.fmin"});
    };
    addOverloads(ops, lying<likeAll>(extreme(true)), {"fmax(Tensor self, Tensor other) -> Tensor"});
    addOverloads(ops, lying<likeAll>(extreme(false)),
                 {"fmin(Tensor self, Tensor other) -> Tensor"});
    ops.push_back(composed(
        "heaviside(Tensor self, Tensor values) -> Tensor",
        NotDifferentiable{"a step has no useful gradient"},
        [](const Operands& x) {
            if (x.type(0).dtype != x.type(1).dtype)
                refuseComposed(x.call(), "expected self and values of one dtype, found " +
                                             std::string(ir::name(x.type(0).dtype)) + " and " +
                                             std::string(ir::name(x.type(1).dtype)));
            Value step = convert(gt(x[0], 0), x.type(0).dtype);
            return Results{where(eq(x[0], 0), x[1], step)};
        },
        numberReference<[](auto a, auto b) {
            return a == 0 ? b : 0 < a ? decltype(a)(1) : decltype(a)(0);
        },
                        0, 1>,
        [] {
            return std::vector<Sample>{
                forwardOnly({awkward(f32({16})), f32({1})}, {T(0), T(1)}),
                forwardOnly({i64({9}), i64({9})}, {T(0), T(1)}),
                bad({f32({2}), f64({2})}, {T(0), T(1)},
                    "heaviside: expected self and values of one dtype, found float32 and float64")};
        },
        {"step function with given values at 0", "y = 0 below 0, 1 above, v at 0",
         "torch.heaviside"}));
}

// --- three elements ---

std::vector<Sample> triples(std::vector<ir::Arg> tail = {}) {
    auto with = [&](Sample sample) {
        sample.args.insert(sample.args.end(), tail.begin(), tail.end());
        return sample;
    };
    return {with(good({f32({2, 3}), f32({3}), f32({2, 1}, 0.5, 2)}, {T(0), T(1), T(2)})),
            with(good({f64({4}), f64({}), f32({4}, 0.5, 2)}, {T(0), T(1), T(2)}))};
}

/// The three tensors in their common dtype, in which it is computed.
std::array<Value, 3> inOneDType(const Operands& x) {
    const DType dtype = resultDType(x.call(), {0, 1, 2});
    return {convert(x[0], dtype), convert(x[1], dtype), convert(x[2], dtype)};
}

/// Argument 3 of a call of \p dtype: beside integers 2.7 counts for 2.
double valueOf(const OpCall& call, DType dtype) {
    return ir::isFloating(dtype) ? call.real(3) : std::trunc(call.real(3));
}

Values scaledTriple(const OpCall& call, Tensors tensors,
                    double (*of)(double, double, double, double)) {
    const DType out = outDType(call);
    const double value = valueOf(call, out);
    return oneValue(broadcastMapAs<double, 3>(
        call, tensors, {0, 1, 2}, out, out,
        [&](double a, double b, double c) { return of(a, b, c, value); }));
}

/// The end has the start's dtype, and a weight of dimensions, too.
void wantLerpDTypes(const Operands& x) {
    const DType start = x.type(0).dtype;
    for (size_t i : {1, 2}) {
        if (!x.isValue(i) || x.type(i).dtype == start || (i == 2 && x.type(2).rank() == 0))
            continue;
        refuseComposed(x.call(),
                       fmt::format("expected dtype {} for `{}` but got dtype {}", ir::name(start),
                                   x.call().def.parsed.args[i].name, ir::name(x.type(i).dtype)));
    }
    const DType dtype = x.isValue(2) ? resultDType(x.call(), {0, 1, 2}) : start;
    if (!ir::isFloating(dtype))
        refuseComposed(x.call(), fmt::format("not implemented for {}", ir::name(dtype)), {},
                       ErrorClass::NotImplemented);
}

Results lerpOfTensor(const Operands& x) {
    wantLerpDTypes(x);
    const auto [start, end, weight] = inOneDType(x);
    Value apart = end - start;
    Value fromStart = start + weight * apart, fromEnd = end - apart * (1 - weight);
    return {where(lt(abs(weight), 0.5), fromStart, fromEnd)};
}

/// \p x times argument 3, the value.
Formula timesValue(const Operands& call, const Value& x) {
    const DType dtype = x.type().dtype;
    if (call.isValue(3)) return ir::isFloating(dtype) ? x * call[3] : x * convert(call[3], dtype);
    const double value = valueOf(call.call(), dtype);
    if (value == 1) return x;
    const bool asItIs = ir::isFloating(dtype) || std::holds_alternative<Sym>(call.node.args[3]);
    return asItIs ? x * call[3] : x * static_cast<int64_t>(value);
}

void addTriples(std::vector<OpDef>& ops) {
    auto samples = [] {
        auto all = triples();
        for (const Sample& sample : triples({Arg(0.3)}))
            all.push_back(sample);
        return all;
    };
    ops.push_back(with<&Traits::refuses, Refuses::SeveralBools>(composed(
        "addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
        VjpRule{[](Vjp& v) {
            v.set(0, v.grad);
            // A factor 2.5 of integers is not 2.
            const DType dtype = v.grad.type().dtype;
            v.set(1, v.grad * timesValue(v, convert(v[2], dtype)));
            v.set(2, v.grad * timesValue(v, convert(v[1], dtype)));
        }},
        [](const Operands& x) {
            const auto [a, b, c] = inOneDType(x);
            return Results{a + timesValue(x, b) * c};
        },
        [](const OpCall& call, Tensors tensors) {
            return scaledTriple(call, tensors, [](double a, double b, double c, double v) {
                return a + v * b * c;
            });
        },
        samples, {"sum with a product", "y = x + value a b", "torch.addcmul"})));
    ops.push_back(composed(
        "addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
        VjpRule{[](Vjp& v) {
            v.set(0, v.grad);
            const DType dtype = v.grad.type().dtype;
            Value divisor = convert(v[2], dtype);
            v.set(1, v.grad * timesValue(v, aten("reciprocal", divisor)));
            v.set(2, -v.grad * (timesValue(v, convert(v[1], dtype)) / (divisor * divisor)));
        }},
        [](const Operands& x) {
            if (!ir::isFloating(x.type(1).dtype) && !ir::isFloating(x.type(2).dtype))
                refuseComposed(x.call(),
                               "expected a floating-point tensor1 or tensor2, found integers",
                               "convert one of them: integers are not divided by addcdiv");
            const auto [a, b, c] = inOneDType(x);
            return Results{a + timesValue(x, b) / c};
        },
        [](const OpCall& call, Tensors tensors) {
            return scaledTriple(call, tensors, [](double a, double b, double c, double v) {
                return a + v * b / c;
            });
        },
        samples, {"sum with a quotient", "y = x + value a / b", "torch.addcdiv"}));
    OpDoc lerp{"between two elements", "y = a + w (b - a)", "torch.lerp"};
    auto lerpVjp = [](Vjp& v) {
        v.set(1, v.grad * v[2]);
        v.set(0, v.grad * (1 - v[2]));
        if (v.isValue(2)) v.set(2, v.grad * (v[1] - v[0]));
    };
    auto lerpReference =
        pointReference<[](double a, double b, double w) { return a + w * (b - a); }, 0, 1, 2>;
    ops.push_back(lying<likeAll>(composed(
        "lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor", VjpRule{lerpVjp},
        lerpOfTensor, lerpReference,
        [] {
            return std::vector<Sample>{
                good({f32({2, 3}), f32({3}), f32({2, 1}, 0.5, 2)}, {T(0), T(1), T(2)}),
                good({f64({4}), f64({}), f64({4}, 0.5, 2)}, {T(0), T(1), T(2)}),
                good({f32({2, 3}), f32({3}), f64({})}, {T(0), T(1), T(2)}),
                bad({f64({4}), f64({4}), f32({4})}, {T(0), T(1), T(2)},
                    "lerp: expected dtype float64 for `weight` but got dtype float32")};
        },
        lerp)));
    ops.push_back(lying<likeAll>(composed(
        "lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor", VjpRule{[](Vjp& v) {
            v.set(1, v.grad * v[2]);
            v.set(0, v.isValue(2) ? v.grad * (1 - v[2]) : v.grad * (1 - v.call().real(2)));
        }},
        [](const Operands& x) {
            if (x.isValue(2)) return lerpOfTensor(x);
            wantLerpDTypes(x);
            const double weight = x.call().real(2);
            Value apart = x[1] - x[0];
            if (std::fabs(weight) < 0.5) return Results{x[0] + apart * weight};
            return Results{x[1] - apart * (1 - weight)};
        },
        lerpReference,
        [] {
            return std::vector<Sample>{good({f32({2, 3}), f32({3})}, {T(0), T(1), Arg(0.3)}),
                                       good({f64({3}), f64({2, 1})}, {T(0), T(1), Arg(0.8)})};
        },
        lerp)));
}

// --- powers, bits ---

void addPowers(std::vector<OpDef>& ops) {
    OpDoc power{"power in double precision", "y = a^b", "torch.float_power"};
    auto reference = pointReference<[](double a, double b) { return std::pow(a, b); }, 0, 1>;
    addPair(ops,
            composed(
                "",
                [](const Operands& x) {
                    Value a = valueAs(x, 0, DType::Float64);
                    if (!x.isValue(1)) return Results{pow(a, x.call().real(1))};
                    return Results{aten("pow.Tensor_Tensor", a, valueAs(x, 1, DType::Float64))};
                },
                reference, pairsBetween<4, 30>, power),
            "float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
            "float_power.Scalar(Scalar self, Tensor exponent) -> Tensor",
            "float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor");
    for (OpDef& def : ops)
        if (def.schema.starts_with("float_power.Scalar(")) def = lying<rowMajor>(def);
    ops.push_back(
        composed("ldexp.Tensor(Tensor self, Tensor other) -> Tensor", VjpRule{ldexpVjp}, ldexpOf,
                 pointReference<[](double a, double b) { return a * std::exp2(b); }, 0, 1>,
                 [] {
                     auto samples = pairsBetween<-30, 30>();
                     samples.push_back(good({f32({4}), i64({4})}, {T(0), T(1)}));
                     samples.push_back(forwardOnly({f64({4}), i64({4}, -900, 900)}, {T(0), T(1)}));
                     return samples;
                 },
                 {"times a power of two", "y = a 2^b", "torch.ldexp"}));
    const DecomposeRule ofNumber = [](const Operands& x) {
        return Results{
            aten("remainder.Tensor", valueAs(x, 0, resultDType(x.call(), {0, 1})), x[1])};
    };
    ops.push_back(
        with<&Traits::refuses, Refuses::SeveralBools>(with<&Traits::holdsNumbers>(composed(
            "remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", ofNumber,
            pointReference<[](double a, double b) {
                const double rest = std::fmod(a, b);
                return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
            },
                           0, 1>,
            [] { return std::vector<Sample>{forwardOnly({f32({4}, 1.1, 1.4)}, {Arg(2.0), T(0)})}; },
            {"remainder with the divisor's sign", "y = a - b floor(a / b)", "torch.remainder"}))));
    ops.back().gradient = NotDifferentiable{"PyTorch has no derivative for it"};
    ops.back().lowering = Decompose{ofNumber, DecomposeWhen::AfterAutograd};
}

} // namespace

/// Argument \p i as a value; a number as a 0-dim tensor of \p dtype.
Value valueAs(const Operands& x, size_t i, DType dtype) {
    if (x.isValue(i)) return convert(x[i], dtype);
    const size_t tensor = x.isValue(0) ? 0 : 1;
    return numberAs(x, i, dtype, x.type(tensor).device);
}

std::vector<OpDef> elementwisePairOps() {
    std::vector<OpDef> ops;
    addLogarithmic(ops);
    addChoices(ops);
    addTriples(ops);
    addPowers(ops);
    addBits(ops);
    addBounds(ops);
    return ops;
}

} // namespace cutaway::ops
