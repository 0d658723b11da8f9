// SPDX-License-Identifier: Apache-2.0
// Arithmetic of two operands. "Tensor" operands may be numbers, as PyTorch's wrapped numbers:
// sub.Tensor(1, x). Gradients: tools/autograd/derivatives.yaml.
#include "core/ops/composed.h"
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/held_numbers.h"
#include "core/ops/reference_tools.h"
#include "core/ops/refused_dtypes.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::DType;

bool isOne(const OpCall& call, size_t arg) {
    return !call.has(arg) || (!call.isTensor(arg) && call.real(arg) == 1);
}

/// Arithmetic on bool is logic: True + True is True.
ExprId arithmetic(ExprPool& pool, ScalarOp op, DType dtype, ExprId a, ExprId b) {
    if (dtype == DType::Bool && (op == ScalarOp::Add || op == ScalarOp::Max)) op = ScalarOp::Or;
    if (dtype == DType::Bool && (op == ScalarOp::Mul || op == ScalarOp::Min)) op = ScalarOp::And;
    return pool.op(op, {a, b});
}

template <ScalarOp op> ExprId buildBinary(ExprPool& pool, const OpCall& call, Inputs x) {
    DType dtype = resultDType(call, {0, 1});
    Elements e(pool, call, x);
    return arithmetic(pool, op, dtype, e.as(0, dtype), e.as(1, dtype));
}

/// self (op) alpha * other, or with the operands exchanged.
template <ScalarOp op, bool reversed>
ExprId buildScaled(ExprPool& pool, const OpCall& call, Inputs x) {
    DType dtype = resultDType(call, {0, 1});
    Elements e(pool, call, x);
    size_t scaledArg = reversed ? 0 : 1;
    ExprId plain = e.as(1 - scaledArg, dtype);
    ExprId scaled = e.as(scaledArg, dtype);
    if (!isOne(call, 2)) scaled = pool.op(ScalarOp::Mul, {scaled, e.as(2, dtype)});
    return arithmetic(pool, op, dtype, plain, scaled);
}

ExprId buildTrueDiv(ExprPool& pool, const OpCall& call, Inputs x) {
    DType dtype = floatDType(call, {0, 1});
    Elements e(pool, call, x);
    return pool.op(ScalarOp::Div, {e.as(0, dtype), e.as(1, dtype)});
}

template <auto F> Values binaryReference(const OpCall& call, Tensors tensors) {
    DType dtype = resultDType(call, {0, 1});
    return oneValue(broadcastMap<2>(call, tensors, {0, 1}, dtype, dtype, F));
}
template <auto F> Values scaledReference(const OpCall& call, Tensors tensors) {
    DType dtype = resultDType(call, {0, 1});
    return oneValue(broadcastMap<3>(call, tensors, {0, 1, 2}, dtype, dtype, F));
}
template <auto F> Values realBinaryReference(const OpCall& call, Tensors tensors) {
    DType dtype = floatDType(call, {0, 1});
    return oneValue(broadcastMapAs<double, 2>(call, tensors, {0, 1}, dtype, dtype, F));
}

/// add and sub: promoted, with an alpha that the result's dtype holds.
Result<Types> scaledShape(const OpCall& call) {
    CUTAWAY_TRY(Types types, promoteBinary(call));
    if (!ir::isFloating(types[0].dtype) && std::holds_alternative<double>(call.args[2]))
        return base::userError({},
                               "For integral input tensors, argument alpha must not be a floating "
                               "point number.");
    CUTAWAY_CHECK(wantHeld(call, 2, types[0].dtype));
    return types;
}

constexpr const char* kTwoBools = "Subtraction, the `-` operator, with two bool tensors is not "
                                  "supported. Use the `^` or `logical_xor()` operator instead.";
constexpr const char* kOneBool = "Subtraction, the `-` operator, with a bool tensor is not "
                                 "supported. If you are trying to invert "
                                 "a mask, use the `~` or `logical_not()` operator instead.";

Result<Types> subShape(const OpCall& call) {
    auto isBool = [&](size_t i) {
        return call.isTensor(i) ? call.tensor(i).dtype == DType::Bool
                                : std::holds_alternative<bool>(call.args[i]);
    };
    if (isBool(0) && isBool(1))
        return base::userError({}, kTwoBools).as(ErrorClass::NotImplemented);
    if (isBool(0) || isBool(1)) return base::userError({}, kOneBool).as(ErrorClass::NotImplemented);
    return scaledShape(call);
}

/// other - self: the operands in this order.
Result<Types> rsubShape(const OpCall& call) {
    CUTAWAY_TRY(Types types, subShape(call));
    return pointwiseType(call, types[0].dtype, {1, 0});
}

// --- gradients, arguments in alphabetical order ---

/// \p gradient times the alpha argument.
Formula scaled(const Vjp& v, const Formula& gradient) {
    return isOne(v.call(), 2) ? gradient : gradient * v[2];
}

void addVjp(Vjp& v) {
    v.set(1, scaled(v, v.grad));
    v.set(0, v.grad);
}
void subVjp(Vjp& v) {
    v.set(1, scaled(v, -v.grad));
    v.set(0, v.grad);
}
void rsubVjp(Vjp& v) {
    v.set(1, v.grad);
    v.set(0, scaled(v, -v.grad));
}
void mulVjp(Vjp& v) {
    v.set(1, v.grad * v[0]);
    v.set(0, v.grad * v[1]);
}
void divVjp(Vjp& v) {
    v.set(1, -v.grad * (v[0] / v[1] / v[1]));
    v.set(0, v.grad / v[1]);
}
/// Rounded division is flat almost everywhere.
void divModeVjp(Vjp& v) {
    if (!v.has(2)) return divVjp(v);
    v.set(1, zerosLike(v.grad));
    v.set(0, zerosLike(v.grad));
}
/// self - other * floor(self / other)
void remainderVjp(Vjp& v) {
    if (v.wants(1)) {
        Value whole = aten("div.Tensor_mode", v[0], v[1], "floor");
        v.set(1, -v.grad * whole);
    }
    v.set(0, v.grad);
}
/// max and min: the gradient goes to the chosen side, halved between equals.
template <bool isMax> void extremeVjp(Vjp& v) {
    for (size_t i : {1, 0}) {
        Formula shared = where(eq(v[0], v[1]), v.grad / 2, v.grad);
        bool losesBelow = (i == 0) == isMax;
        v.set(i, where(losesBelow ? lt(v[0], v[1]) : gt(v[0], v[1]), 0, shared));
    }
}

// --- rounded division ---

/// Integers are not divided by zero.
ExprId divisor(const OpCall& call, ExprId value, DType dtype) {
    return ir::isFloating(dtype) ? value : call.notZero(value);
}

/// The compute and result dtype of floor_divide, remainder and div with a rounding mode.
ExprId rounded(ExprPool& pool, const OpCall& call, Inputs x, std::string_view mode) {
    Elements e(pool, call, x);
    DType dtype = resultDType(call, {0, 1});
    if (dtype == DType::Bool) dtype = DType::Int64;
    if (ir::isFloating(dtype) && mode != "floor") {
        ExprId whole = pool.op(ScalarOp::Div, {e.as(0, dtype), e.as(1, dtype)});
        // PyTorch's kernels for 16 bits cut what they have rounded, but for one divisor for all.
        const bool one = !call.isTensor(1) || call.tensor(1).numel().is(1);
        if (dtype == DType::Float16 && !one) whole = pool.op(ScalarOp::RoundF16, {whole});
        if (dtype == DType::BFloat16 && !one) whole = pool.op(ScalarOp::RoundBF16, {whole});
        return pool.op(ScalarOp::Trunc, {whole});
    }
    ExprId a = e.as(0, dtype), b = divisor(call, e.as(1, dtype), dtype);
    if (mode == "floor") return pool.op(ScalarOp::FloorDiv, {a, b});
    // Toward zero on integers: one more where there is a rest and the signs differ. No |a|: the
    // least integer has none.
    const ExprId whole = pool.op(ScalarOp::FloorDiv, {a, b}), zero = pool.constantInt(dtype, 0);
    const ExprId rest = pool.op(ScalarOp::Ne, {pool.op(ScalarOp::Remainder, {a, b}), zero});
    const ExprId unlike =
        pool.op(ScalarOp::Ne, {pool.op(ScalarOp::Lt, {a, zero}), pool.op(ScalarOp::Lt, {b, zero})});
    return pool.op(ScalarOp::Where,
                   {pool.op(ScalarOp::And, {rest, unlike}),
                    pool.op(ScalarOp::Add, {whole, pool.constantInt(dtype, 1)}), whole});
}

Result<Types> roundedShape(const OpCall& call) {
    DType dtype = resultDType(call, {0, 1});
    return pointwiseType(call, dtype == DType::Bool ? DType::Int64 : dtype, {0, 1});
}

Result<Types> divModeShape(const OpCall& call) {
    if (!call.has(2)) return floatBinary(call);
    const std::string& mode = std::get<std::string>(call.args[2]);
    if (mode != "trunc" && mode != "floor")
        return refuse(call,
                      "expected rounding_mode None, 'trunc' or 'floor', found '" + mode + "'");
    return roundedShape(call);
}

ExprId buildDivMode(ExprPool& pool, const OpCall& call, Inputs x) {
    if (!call.has(2)) return buildTrueDiv(pool, call, x);
    return rounded(pool, call, x, std::get<std::string>(call.args[2]));
}

/// Of 64-bit integers, wrapped: the least over -1 is itself.
constexpr int64_t quotient(int64_t a, int64_t b) {
    if (b == -1) return static_cast<int64_t>(0 - static_cast<uint64_t>(a));
    return b == 0 ? 0 : a / b;
}
constexpr auto floorQuotient = [](auto a, auto b) {
    if constexpr (std::is_same_v<decltype(a), double>)
        return std::floor(a / b);
    else
        return quotient(a, b) - (b != 0 && b != -1 && a % b != 0 && (a < 0) != (b < 0));
};
constexpr auto truncQuotient = [](auto a, auto b) {
    if constexpr (std::is_same_v<decltype(a), double>)
        return std::trunc(a / b);
    else
        return quotient(a, b);
};
constexpr auto remainderOf = [](auto a, auto b) {
    if constexpr (std::is_same_v<decltype(a), double>) {
        double r = std::fmod(a, b);
        return r != 0 && ((r < 0) != (b < 0)) ? r + b : r;
    } else {
        if (b == 0 || b == -1) return decltype(a)(0);
        const auto r = a % b;
        return r != 0 && ((r < 0) != (b < 0)) ? r + b : r;
    }
};

template <auto F> Values roundedReference(const OpCall& call, Tensors tensors) {
    DType dtype = resultDType(call, {0, 1});
    if (dtype == DType::Bool) dtype = DType::Int64;
    bool byZero = false;
    Values values =
        oneValue(broadcastMap<2>(call, tensors, {0, 1}, dtype, dtype, [&](auto a, auto b) {
            byZero |= !std::is_same_v<decltype(b), double> && b == 0;
            return F(a, b);
        }));
    return byZero ? Values() : values;
}

Values divModeReference(const OpCall& call, Tensors tensors) {
    if (!call.has(2))
        return realBinaryReference<[](double a, double b) { return a / b; }>(call, tensors);
    if (std::get<std::string>(call.args[2]) == "floor")
        return roundedReference<floorQuotient>(call, tensors);
    return roundedReference<truncQuotient>(call, tensors);
}

// --- samples ---

Sample broadcastError() {
    return bad({f32({2, 3}), f32({4})}, {T(0), T(1)},
               "The size of tensor a (3) must match the size of tensor b (4) at non-singleton "
               "dimension 1");
}

std::vector<Sample> tensorPairs(double low, double high) {
    return {good({f32({2, 3}, low, high), f32({2, 3}, low, high)}, {T(0), T(1)}),
            good({f32({2, 1, 3}, low, high), f32({4, 1}, low, high)}, {T(0), T(1)}),
            good({f32({}, low, high), f32({3}, low, high)}, {T(0), T(1)}),
            good({f32({0, 3}, low, high), f32({3}, low, high)}, {T(0), T(1)}),
            good({transposed(f64({3, 2}, low, high)), f32({3, 2}, low, high)}, {T(0), T(1)}),
            good({i64({3}, 1, 5), f32({3}, low, high)}, {T(0), T(1)}),
            forwardOnly({i32({3}, 1, 5), i64({3}, 1, 5)}, {T(0), T(1)}),
            forwardOnly({i64({3}, 1, 5), f64({}, low, high)}, {T(0), T(1)}),
            broadcastError()};
}

std::vector<Sample> addSamples() {
    auto samples = tensorPairs(-2, 2);
    samples.push_back(good({f32({3}), f32({3})}, {T(0), T(1), Arg(0.5)}));
    samples.push_back(good({f32({3})}, {T(0), Arg(1.5)}));
    samples.push_back(good({f32({3})}, {I(1), T(0)}));
    samples.push_back(forwardOnly({b8({4}), b8({4})}, {T(0), T(1)}));
    samples.push_back(forwardOnly({i64({4})}, {T(0), Arg(0.5)}));
    samples.push_back(forwardOnly({b8({4})}, {T(0), I(2)}));
    samples.push_back(forwardOnly({awkward(f32({16})), f32({16})}, {T(0), T(1)}));
    return samples;
}
std::vector<Sample> subSamples() {
    auto samples = tensorPairs(-2, 2);
    samples.push_back(good({f32({3}), f32({3})}, {T(0), T(1), I(3)}));
    samples.push_back(good({f32({3})}, {I(1), T(0)}));
    samples.push_back(bad({b8({2}), b8({2})}, {T(0), T(1)}, kTwoBools));
    samples.push_back(bad({b8({2}), i64({2})}, {T(0), T(1)}, kOneBool));
    samples.push_back(bad({f32({2})}, {T(0), Arg(true)}, kOneBool));
    return samples;
}
std::vector<Sample> mulSamples() {
    auto samples = tensorPairs(-2, 2);
    samples.push_back(good({f32({2, 3})}, {T(0), Arg(0.7)}));
    samples.push_back(forwardOnly({b8({4}), b8({4})}, {T(0), T(1)}));
    samples.push_back(forwardOnly({b8({4}), f32({4})}, {T(0), T(1)}));
    samples.push_back(forwardOnly({awkward(f32({16})), f32({16})}, {T(0), T(1)}));
    return samples;
}
std::vector<Sample> divSamples() {
    auto samples = tensorPairs(0.5, 3);
    samples.push_back(good({f32({2, 3})}, {T(0), Arg(1.1)}));
    samples.push_back(good({f32({2, 3}, 0.5, 2)}, {I(2), T(0)}));
    samples.push_back(forwardOnly({awkward(f32({16})), awkward(f32({16}))}, {T(0), T(1)}));
    return samples;
}
std::vector<Sample> scalarSamples() {
    return {good({f32({2, 3}, 0.2, 0.9)}, {T(0), Arg(1.5)}), good({f64({0})}, {T(0), I(2)}),
            good({transposed(f32({2, 3}, 1.1, 1.9))}, {T(0), I(1)}),
            forwardOnly({i64({5})}, {T(0), I(3)}), forwardOnly({i64({5})}, {T(0), Arg(1.5)})};
}
/// Divisors of both signs; quotients away from whole numbers where gradients are compared.
std::vector<Sample> roundedPairs(std::vector<Arg> more) {
    auto with = [&](Sample sample) {
        sample.args.insert(sample.args.end(), more.begin(), more.end());
        return sample;
    };
    return {with(good({f32({2, 3}, 0.6, 0.9), f32({3}, 0.4, 0.5)}, {T(0), T(1)})),
            with(forwardOnly({f32({7}, -9, 9), f32({7}, -4, -1)}, {T(0), T(1)})),
            with(forwardOnly({i64({9}, -9, 9), i64({9}, 1, 4)}, {T(0), T(1)})),
            with(forwardOnly({i32({9}, -9, 9), i32({9}, -4, -1)}, {T(0), T(1)})),
            with(forwardOnly({i64({9}, -9, 9), f32({9}, 1, 4)}, {T(0), T(1)})),
            with(broadcastError())};
}

void addArithmetic(std::vector<OpDef>& ops) {
    constexpr auto sum = [](auto a, auto b, auto alpha) { return a + alpha * b; };
    constexpr auto difference = [](auto a, auto b, auto alpha) { return a - alpha * b; };
    constexpr auto reversed = [](auto a, auto b, auto alpha) { return b - alpha * a; };
    constexpr auto times = [](auto a, auto b) { return a * b; };
    constexpr auto quotient = [](double a, double b) { return a / b; };
    OpDoc add{"sum of two operands", "y = a + alpha * b", "torch.add"};
    OpDoc sub{"difference of two operands", "y = a - alpha * b", "torch.sub"};
    OpDoc rsub{"difference with the operands exchanged", "y = b - alpha * a", "torch.rsub"};
    OpDoc mul{"product of two operands", "y = a * b", "torch.mul"};
    OpDoc div{"quotient; integers give floating-point results", "y = a / b", "torch.div"};
    const Traits commutative{.commutative = true};
    const Traits rounding{.roundsNumbers = true};
    const Traits ofSum{.commutative = true, .roundsNumbers = true};
    ops.push_back(with<&Traits::savesNothing>(with<&Traits::numbersAsTensors>(
        {"add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", scaledShape,
         VjpRule{addVjp}, Pointwise{buildScaled<ScalarOp::Add, false>}, scaledReference<sum>,
         addSamples, add, ofSum})));
    ops.push_back(with<&Traits::savesNothing>(
        {"add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", scaledShape,
         VjpRule{addVjp}, Pointwise{buildScaled<ScalarOp::Add, false>}, scaledReference<sum>,
         scalarSamples, add, rounding}));
    ops.push_back(with<&Traits::savesNothing>(with<&Traits::numbersAsTensors>(
        {"sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", subShape,
         VjpRule{subVjp}, Pointwise{buildScaled<ScalarOp::Sub, false>}, scaledReference<difference>,
         subSamples, sub, rounding})));
    ops.push_back(with<&Traits::savesNothing>(
        {"sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", subShape,
         VjpRule{subVjp}, Pointwise{buildScaled<ScalarOp::Sub, false>}, scaledReference<difference>,
         scalarSamples, sub, rounding}));
    ops.push_back(with<&Traits::savesNothing>(with<&Traits::holdsNumbers>(
        {"rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", rsubShape,
         VjpRule{rsubVjp}, Pointwise{buildScaled<ScalarOp::Sub, true>}, scaledReference<reversed>,
         [] { return tensorPairs(-2, 2); }, rsub, rounding})));
    ops.push_back(with<&Traits::savesNothing>(with<&Traits::holdsNumbers>(
        {"rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", subShape,
         VjpRule{rsubVjp},
         Decompose{[](const Operands& x) {
                       // sub scales its second operand, which is rsub's first.
                       return Results{aten("sub.Tensor", x[1], x[0], x[2])};
                   },
                   DecomposeWhen::AfterAutograd},
         scaledReference<reversed>, scalarSamples, rsub})));
    ops.push_back(with<&Traits::numbersAsTensors>(
        withFloat8({"mul.Tensor(Tensor self, Tensor other) -> Tensor", promoteBinary,
                    VjpRule{mulVjp}, Pointwise{buildBinary<ScalarOp::Mul>}, binaryReference<times>,
                    mulSamples, mul, commutative})));
    ops.push_back({"mul.Scalar(Tensor self, Scalar other) -> Tensor", promoteBinary,
                   VjpRule{mulVjp}, Pointwise{buildBinary<ScalarOp::Mul>}, binaryReference<times>,
                   scalarSamples, mul});
    ops.push_back(with<&Traits::numbersAsTensors>(
        {"div.Tensor(Tensor self, Tensor other) -> Tensor", floatBinary, VjpRule{divVjp},
         Pointwise{buildTrueDiv}, realBinaryReference<quotient>, divSamples, div}));
    ops.push_back({"div.Scalar(Tensor self, Scalar other) -> Tensor", floatBinary, VjpRule{divVjp},
                   Pointwise{buildTrueDiv}, realBinaryReference<quotient>, scalarSamples, div});
}

void addRounded(std::vector<OpDef>& ops) {
    OpDoc mode{"quotient, rounded toward zero or downwards on request", "y = round(a / b)",
               "torch.div with rounding_mode"};
    OpDoc floor{"quotient rounded downwards, Python's //", "y = floor(a / b)",
                "torch.floor_divide"};
    OpDoc remainder{"remainder with the divisor's sign, Python's %", "y = a - b * floor(a / b)",
                    "torch.remainder"};
    ops.push_back(with<&Traits::jumps>(saving(
        "self other",
        with<&Traits::numbersAsTensors>(
            {"div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor",
             divModeShape, VjpRule{divModeVjp}, Pointwise{buildDivMode}, divModeReference,
             [] {
                 auto samples = roundedPairs({Arg(std::string("trunc"))});
                 auto floors = roundedPairs({Arg(std::string("floor"))});
                 samples.insert(samples.end(), floors.begin(), floors.end());
                 samples.push_back(good({f32({3}), f32({3}, 1, 2)}, {T(0), T(1), none()}));
                 samples.push_back(bad({f32({3}), f32({3})}, {T(0), T(1), Arg(std::string("up"))},
                                       "div: expected rounding_mode None, 'trunc' or 'floor', "
                                       "found 'up'"));
                 return samples;
             },
             mode}))));
    addOverloads(ops, ops.back(),
                 {"div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor"});
    ops.back().samples = [] {
        return std::vector<Sample>{good({i64({3, 2})}, {T(0), I(2), Arg(std::string("floor"))}),
                                   good({f32({3})}, {T(0), Arg(-1.5), Arg(std::string("trunc"))}),
                                   good({i64({3})}, {T(0), I(2), none()})};
    };
    NotDifferentiable flat{"rounded division has no useful gradient"};
    auto buildFloor = [](ExprPool& pool, const OpCall& call, Inputs x) {
        return rounded(pool, call, x, "floor");
    };
    auto buildRemainder = [](ExprPool& pool, const OpCall& call, Inputs x) {
        Elements e(pool, call, x);
        DType dtype = resultDType(call, {0, 1});
        if (dtype == DType::Bool) dtype = DType::Int64;
        return pool.op(ScalarOp::Remainder, {e.as(0, dtype), divisor(call, e.as(1, dtype), dtype)});
    };
    ops.push_back(with<&Traits::jumps>(with<&Traits::refuses, Refuses::SeveralBools>(
        {"floor_divide(Tensor self, Tensor other) -> Tensor", roundedShape, flat,
         Pointwise{buildFloor}, roundedReference<floorQuotient>, [] { return roundedPairs({}); },
         floor})));
    ops.push_back(with<&Traits::jumps>(
        with<&Traits::refuses, Refuses::SeveralBools>(with<&Traits::numbersAsTensors>(
            {"floor_divide.Scalar(Tensor self, Scalar other) -> Tensor", roundedShape, flat,
             Pointwise{buildFloor}, roundedReference<floorQuotient>, scalarSamples, floor}))));
    ops.push_back(with<&Traits::jumps>(
        with<&Traits::refuses, Refuses::SeveralBools>(with<&Traits::holdsNumbers>(
            {"remainder.Tensor(Tensor self, Tensor other) -> Tensor", roundedShape,
             VjpRule{remainderVjp}, Pointwise{buildRemainder}, roundedReference<remainderOf>,
             [] { return roundedPairs({}); }, remainder}))));
    ops.push_back(with<&Traits::jumps>(with<&Traits::refuses, Refuses::SeveralBools>(
        with<&Traits::holdsNumbers>({"remainder.Scalar(Tensor self, Scalar other) -> Tensor",
                                     roundedShape, VjpRule{remainderVjp}, Pointwise{buildRemainder},
                                     roundedReference<remainderOf>, scalarSamples, remainder}))));
}

std::vector<Sample> extremeSamples() {
    auto samples = tensorPairs(-2, 2);
    samples.push_back(forwardOnly({awkward(f32({16})), awkward(f32({16}))}, {T(0), T(1)}));
    samples.push_back(forwardOnly({b8({4}), b8({4})}, {T(0), T(1)}));
    return samples;
}

void addExtremes(std::vector<OpDef>& ops) {
    // A NaN on either side wins.
    constexpr auto larger = [](auto a, auto b) { return a != a ? a : b != b ? b : a > b ? a : b; };
    constexpr auto smaller = [](auto a, auto b) { return a != a ? a : b != b ? b : a < b ? a : b; };
    ops.push_back({"maximum(Tensor self, Tensor other) -> Tensor",
                   promoteBinary,
                   VjpRule{extremeVjp<true>},
                   Pointwise{buildBinary<ScalarOp::Max>},
                   binaryReference<larger>,
                   extremeSamples,
                   {"the larger of two elements; NaN wins", "y = max(a, b)", "torch.maximum"},
                   {.commutative = true}});
    ops.push_back({"minimum(Tensor self, Tensor other) -> Tensor",
                   promoteBinary,
                   VjpRule{extremeVjp<false>},
                   Pointwise{buildBinary<ScalarOp::Min>},
                   binaryReference<smaller>,
                   extremeSamples,
                   {"the smaller of two elements; NaN wins", "y = min(a, b)", "torch.minimum"},
                   {.commutative = true}});
}

} // namespace

std::vector<OpDef> elementwiseBinaryOps() {
    std::vector<OpDef> ops;
    addArithmetic(ops);
    addRounded(ops);
    addExtremes(ops);
    return ops;
}

} // namespace cutaway::ops
