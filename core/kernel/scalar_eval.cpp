// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/scalar_eval.h"

#include "core/ir/element.h"
#include "core/kernel/bits.h"

#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace cutaway::kernel {

using ir::DType;

namespace {

constexpr ScalarOpInfo kInfos[] = {
#define SCALAR_OP(name, text, arity, flops, commutative) {text, arity, flops, commutative},
#include "core/kernel/scalar_ops.def"
#undef SCALAR_OP
};

template <typename T> bool compareValues(ScalarOp op, T a, T b) {
    switch (op) {
    case ScalarOp::Lt:
        return a < b;
    case ScalarOp::Le:
        return a <= b;
    case ScalarOp::Gt:
        return a > b;
    case ScalarOp::Ge:
        return a >= b;
    case ScalarOp::Eq:
        return a == b;
    default:
        return a != b;
    }
}

template <typename T> T floorDivide(T a, T b) {
    if (b == 0) return a / b;
    T rest = std::fmod(a, b);
    T quotient = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
    if (quotient == 0) return std::copysign(T(0), a / b);
    T floored = std::floor(quotient);
    return quotient - floored > T(0.5) ? floored + 1 : floored;
}

template <typename T> T remainderOf(T a, T b) {
    T rest = std::fmod(a, b);
    return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
}

// Arithmetic whose last rounding is the dtype's own: computed in T.
template <typename T> T arithmetic(ScalarOp op, T a, T b) {
    switch (op) {
    case ScalarOp::Add:
        return a + b;
    case ScalarOp::Sub:
        return a - b;
    case ScalarOp::Mul:
        return a * b;
    case ScalarOp::Div:
        return a / b;
    case ScalarOp::FloorDiv:
        return floorDivide(a, b);
    case ScalarOp::Remainder:
        return remainderOf(a, b);
    case ScalarOp::Max:
        return std::isnan(b) || b > a ? b : a;
    case ScalarOp::Min:
        return std::isnan(b) || b < a ? b : a;
    default:
        break;
    }
    throw std::logic_error("scalar operation without a floating meaning");
}

// One-operand functions: computed in double, rounded by the caller.
double function(ScalarOp op, double a) {
    switch (op) {
    case ScalarOp::Neg:
        return -a;
    case ScalarOp::Abs:
        return std::fabs(a);
    case ScalarOp::Sign:
        return (a > 0) - (a < 0);
    case ScalarOp::Exp:
        return std::exp(a);
    case ScalarOp::Expm1:
        return std::expm1(a);
    case ScalarOp::Log:
        return std::log(a);
    case ScalarOp::Log1p:
        return std::log1p(a);
    case ScalarOp::Sin:
        return std::sin(a);
    case ScalarOp::Cos:
        return std::cos(a);
    case ScalarOp::Tan:
        return std::tan(a);
    case ScalarOp::Tanh:
        return std::tanh(a);
    case ScalarOp::Erf:
        return std::erf(a);
    case ScalarOp::Sqrt:
        return std::sqrt(a);
    case ScalarOp::Rsqrt:
        return 1 / std::sqrt(a);
    case ScalarOp::Reciprocal:
        return 1 / a;
    case ScalarOp::Sigmoid:
        return 1 / (1 + std::exp(-a));
    case ScalarOp::Floor:
        return std::floor(a);
    case ScalarOp::Ceil:
        return std::ceil(a);
    case ScalarOp::Round:
        return std::nearbyint(a);
    case ScalarOp::Trunc:
        return std::trunc(a);
    default:
        break;
    }
    throw std::logic_error("scalar operation without a floating meaning");
}

Scalar evaluateFloating(ScalarOp op, DType dtype, std::span<const Scalar> args) {
    const double a = args[0].real;
    if (isSpecial(op)) return evaluateSpecial(op, dtype, args[0], args.back());
    if (op == ScalarOp::IsNan) return {0, std::isnan(a)};
    if (info(op).arity == 1) return scalarOf(dtype, function(op, a));
    const double b = args[1].real;
    if (isPredicate(op)) return {0, compareValues(op, a, b)};
    if (op == ScalarOp::Pow) return scalarOf(dtype, std::pow(a, b));
    if (dtype == DType::Float32)
        return {arithmetic<float>(op, static_cast<float>(a), static_cast<float>(b)), 0};
    return {arithmetic<double>(op, a, b), 0};
}

int64_t unsignedPower(uint64_t base, uint64_t exponent) {
    uint64_t result = 1;
    for (; exponent; exponent >>= 1, base *= base)
        if (exponent & 1) result *= base;
    return static_cast<int64_t>(result);
}

int64_t powerOf(int64_t base, int64_t exponent) {
    if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
    return unsignedPower(static_cast<uint64_t>(base), static_cast<uint64_t>(exponent));
}

int64_t floorQuotient(int64_t a, int64_t b) {
    if (b == 0) return 0;
    if (b == -1) return static_cast<int64_t>(0 - static_cast<uint64_t>(a));
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

int64_t integerOp(ScalarOp op, int64_t a, int64_t b) {
    const auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
    switch (op) {
    case ScalarOp::Add:
        return static_cast<int64_t>(ua + ub);
    case ScalarOp::Sub:
        return static_cast<int64_t>(ua - ub);
    case ScalarOp::Mul:
        return static_cast<int64_t>(ua * ub);
    case ScalarOp::FloorDiv:
        return floorQuotient(a, b);
    case ScalarOp::Remainder:
        return b == 0 ? 0
                      : static_cast<int64_t>(ua - static_cast<uint64_t>(floorQuotient(a, b)) * ub);
    case ScalarOp::Max:
        return a > b ? a : b;
    case ScalarOp::Min:
        return a < b ? a : b;
    case ScalarOp::Pow:
        return powerOf(a, b);
    case ScalarOp::Neg:
        return static_cast<int64_t>(0 - ua);
    case ScalarOp::Abs:
        return a < 0 ? static_cast<int64_t>(0 - ua) : a;
    case ScalarOp::Sign:
        return (a > 0) - (a < 0);
    case ScalarOp::Floor:
    case ScalarOp::Ceil:
    case ScalarOp::Round:
    case ScalarOp::Trunc:
        return a;
    case ScalarOp::And:
        return a & b;
    case ScalarOp::Or:
        return a | b;
    case ScalarOp::Not:
        return !a;
    case ScalarOp::IsNan:
        return 0;
    case ScalarOp::Lt:
    case ScalarOp::Le:
    case ScalarOp::Gt:
    case ScalarOp::Ge:
    case ScalarOp::Eq:
    case ScalarOp::Ne:
        return compareValues(op, a, b);
    default:
        break;
    }
    throw std::logic_error("scalar operation without an integer meaning");
}

/// Of uint64, whose bits an int64 holds; narrower unsigned values are int64s themselves.
int64_t unsignedOp(ScalarOp op, int64_t a, int64_t b) {
    const auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
    switch (op) {
    case ScalarOp::FloorDiv:
        return b == 0 ? 0 : static_cast<int64_t>(ua / ub);
    case ScalarOp::Remainder:
        return b == 0 ? 0 : static_cast<int64_t>(ua % ub);
    case ScalarOp::Max:
        return ua > ub ? a : b;
    case ScalarOp::Min:
        return ua < ub ? a : b;
    case ScalarOp::Pow:
        return unsignedPower(ua, ub);
    case ScalarOp::Abs:
        return a;
    case ScalarOp::Sign:
        return a != 0;
    case ScalarOp::Lt:
    case ScalarOp::Le:
    case ScalarOp::Gt:
    case ScalarOp::Ge:
        return compareValues(op, ua, ub);
    default:
        return integerOp(op, a, b);
    }
}

} // namespace

const ScalarOpInfo& info(ScalarOp op) {
    return kInfos[static_cast<size_t>(op)];
}

bool isPredicate(ScalarOp op) {
    switch (op) {
    case ScalarOp::IsNan:
    case ScalarOp::Lt:
    case ScalarOp::Le:
    case ScalarOp::Gt:
    case ScalarOp::Ge:
    case ScalarOp::Eq:
    case ScalarOp::Ne:
    case ScalarOp::Not:
        return true;
    default:
        return false;
    }
}

bool isSpecial(ScalarOp op) {
    return op >= ScalarOp::Acos; // the first row of special_ops.def
}

DType resultDType(ScalarOp op, std::span<const DType> operands) {
    if (isPredicate(op)) return DType::Bool;
    return op == ScalarOp::Where ? operands[1] : operands[0];
}

Scalar scalarOf(DType dtype, double value) {
    if (dtype == DType::Float64) return {value, 0};
    return ir::withElement(dtype, [&]<typename T>(T) -> Scalar {
        const T element = ir::convertElement<T>(value);
        if (ir::isFloating(dtype)) return {static_cast<double>(element), 0};
        return {0, static_cast<int64_t>(element)};
    });
}

Scalar scalarOfInt(DType dtype, int64_t value) {
    return ir::withElement(dtype, [&]<typename T>(T) -> Scalar {
        const T element = ir::convertElement<T>(value);
        if (ir::isFloating(dtype)) return {static_cast<double>(element), 0};
        return {0, static_cast<int64_t>(element)};
    });
}

Scalar convert(const Scalar& value, DType from, DType to) {
    if (from == to) return value;
    if (ir::isFloating(from)) return scalarOf(to, value.real);
    if (from != DType::UInt64 || !ir::isFloating(to)) return scalarOfInt(to, value.integer);
    const auto large = static_cast<uint64_t>(value.integer);
    return scalarOf(to,
                    to == DType::Float64 ? static_cast<double>(large) : static_cast<float>(large));
}

Scalar bitsOf(const Scalar& value, DType from, DType to) {
    int64_t bits = value.integer;
    if (from == DType::Float32) bits = std::bit_cast<int32_t>(static_cast<float>(value.real));
    if (from == DType::Float64) bits = std::bit_cast<int64_t>(value.real);
    if (to == DType::Float64) return {std::bit_cast<double>(bits), 0};
    if (to == DType::Float32)
        return {std::bit_cast<float>(static_cast<int32_t>(static_cast<uint32_t>(bits))), 0};
    return scalarOfInt(to, bits);
}

Scalar evaluate(ScalarOp op, DType dtype, std::span<const Scalar> args) {
    if (op == ScalarOp::Where) return args[0].integer ? args[1] : args[2];
    if (ir::isFloating(dtype)) return evaluateFloating(op, dtype, args);
    if (isSpecial(op)) return evaluateSpecial(op, dtype, args[0], args.back());
    const int64_t a = args[0].integer, b = args.size() > 1 ? args[1].integer : 0;
    const int64_t result = dtype == DType::UInt64 ? unsignedOp(op, a, b) : integerOp(op, a, b);
    return isPredicate(op) ? Scalar{0, result} : scalarOfInt(dtype, result);
}

ScalarOp combineOp(ReduceOp op) {
    switch (op) {
    case ReduceOp::Sum:
        return ScalarOp::Add;
    case ReduceOp::Prod:
        return ScalarOp::Mul;
    case ReduceOp::Max:
        return ScalarOp::Max;
    case ReduceOp::Min:
        return ScalarOp::Min;
    case ReduceOp::Any:
        return ScalarOp::Or;
    case ReduceOp::All:
        return ScalarOp::And;
    case ReduceOp::ArgMax:
    case ReduceOp::ArgMin:
    case ReduceOp::Welford:
        break;
    }
    throw std::logic_error("a reduction of two results has no combining operation");
}

Scalar reduceIdentity(ReduceOp op, DType dtype) {
    const double infinity = std::numeric_limits<double>::infinity();
    const bool floating = ir::isFloating(dtype);
    auto integerLimit = [&](bool largest) {
        const ir::IntegerLimits limits = ir::integerLimits(dtype);
        return largest ? limits.max : limits.min;
    };
    switch (op) {
    case ReduceOp::Sum:
    case ReduceOp::Any:
        return scalarOfInt(dtype, 0);
    case ReduceOp::Prod:
    case ReduceOp::All:
        return scalarOfInt(dtype, 1);
    case ReduceOp::Max:
        return floating ? Scalar{-infinity, 0} : Scalar{0, integerLimit(false)};
    case ReduceOp::Min:
        return floating ? Scalar{infinity, 0} : Scalar{0, integerLimit(true)};
    case ReduceOp::ArgMax:
    case ReduceOp::ArgMin:
    case ReduceOp::Welford:
        break;
    }
    throw std::logic_error("a reduction of two results has no identity");
}

bool argReplaces(ReduceOp op, DType dtype, const Scalar& best, const Scalar& candidate) {
    const bool largest = op == ReduceOp::ArgMax;
    if (dtype == DType::UInt64) {
        const auto a = static_cast<uint64_t>(candidate.integer);
        const auto b = static_cast<uint64_t>(best.integer);
        return largest ? a > b : a < b;
    }
    if (!ir::isFloating(dtype))
        return largest ? candidate.integer > best.integer : candidate.integer < best.integer;
    if (std::isnan(best.real)) return false;
    if (std::isnan(candidate.real)) return true;
    return largest ? candidate.real > best.real : candidate.real < best.real;
}

std::string_view text(ReduceOp op) {
    switch (op) {
    case ReduceOp::Sum:
        return "sum";
    case ReduceOp::Prod:
        return "prod";
    case ReduceOp::Max:
        return "max";
    case ReduceOp::Min:
        return "min";
    case ReduceOp::Any:
        return "any";
    case ReduceOp::All:
        return "all";
    case ReduceOp::ArgMax:
        return "argmax";
    case ReduceOp::ArgMin:
        return "argmin";
    case ReduceOp::Welford:
        return "welford";
    }
    return {};
}

} // namespace cutaway::kernel
