// SPDX-License-Identifier: Apache-2.0
// Operators on numbers, text, containers, tensors and instances.
#include "core/capture/capture.h"
#include "core/capture/graph_numbers.h"
#include "core/capture/integers.h"
#include "core/capture/nan_identity.h"
#include "core/capture/overrides.h"
#include "core/capture/sets.h"
#include "core/capture/tensor_world.h"
#include "core/capture/torch_calls.h"
#include "core/capture/torch_support.h"
#include "core/capture/type_methods.h"

#include <algorithm>
#include <fmt/format.h>

#include <cmath>
#include <complex>

namespace cutaway::capture {

namespace {

struct OperatorNames {
    const char* symbol;
    const char* method;    ///< "__add__"
    const char* reflected; ///< "__radd__"
    const char* inPlace;   ///< "__iadd__"
    const char* operation; ///< of the catalogue
};

const OperatorNames kBinary[] = {
    {"+", "__add__", "__radd__", "__iadd__", "add"},
    {"-", "__sub__", "__rsub__", "__isub__", "sub"},
    {"*", "__mul__", "__rmul__", "__imul__", "mul"},
    {"/", "__truediv__", "__rtruediv__", "__itruediv__", "div"},
    {"//", "__floordiv__", "__rfloordiv__", "__ifloordiv__", "floor_divide"},
    {"%", "__mod__", "__rmod__", "__imod__", "remainder"},
    {"**", "__pow__", "__rpow__", "__ipow__", "pow"},
    {"@", "__matmul__", "__rmatmul__", "__imatmul__", "matmul"},
    {"&", "__and__", "__rand__", "__iand__", "bitwise_and"},
    {"|", "__or__", "__ror__", "__ior__", "bitwise_or"},
    {"^", "__xor__", "__rxor__", "__ixor__", "bitwise_xor"},
    {"<<", "__lshift__", "__rlshift__", "__ilshift__", "bitwise_left_shift"},
    {">>", "__rshift__", "__rrshift__", "__irshift__", "bitwise_right_shift"},
};

const OperatorNames& names(BinaryOp op) {
    return kBinary[static_cast<size_t>(op)];
}

/// Python's: from the remainder, which is exact where a / b is rounded.
double floorDivide(double a, double b) {
    double m = std::fmod(a, b), quotient = (a - m) / b;
    if (m != 0 && (m < 0) != (b < 0)) quotient -= 1;
    if (quotient == 0) return std::copysign(0.0, a / b);
    double whole = std::floor(quotient);
    return quotient - whole > 0.5 ? whole + 1 : whole;
}

Val floats(Interp& interp, BinaryOp op, double a, double b) {
    switch (op) {
    case BinaryOp::Add:
        return newFloat(a + b);
    case BinaryOp::Sub:
        return newFloat(a - b);
    case BinaryOp::Mul:
        return newFloat(a * b);
    case BinaryOp::Div:
        if (b == 0) interp.raise(Error::ZeroDivision, "float division by zero");
        return newFloat(a / b);
    case BinaryOp::FloorDiv:
        if (b == 0) interp.raise(Error::ZeroDivision, "float floor division by zero");
        return newFloat(floorDivide(a, b));
    case BinaryOp::Mod: {
        if (b == 0) interp.raise(Error::ZeroDivision, "float modulo");
        double m = std::fmod(a, b);
        if (m == 0) return newFloat(std::copysign(0.0, b));
        return newFloat((m < 0) != (b < 0) ? m + b : m);
    }
    case BinaryOp::Pow:
        if (a == 0 && b < 0)
            interp.raise(Error::ZeroDivision, "0.0 cannot be raised to a negative power");
        if (a < 0 && b != std::floor(b) && !std::isinf(a) && !std::isinf(b)) {
            const std::complex<double> z = std::pow(std::complex<double>(a), b);
            return Val(interp.make<ComplexObj>(z.real(), z.imag()));
        }
        if (double power = std::pow(a, b); !std::isinf(power) || std::isinf(a) || std::isinf(b))
            return newFloat(power);
        interp.raise(Error::Overflow, "(34, 'Numerical result out of range')");
    default:
        return {};
    }
}

std::vector<Val> repeated(Interp& in, const std::vector<Val>& from, int64_t times) {
    std::vector<Val> out;
    size_t bytes = 0;
    if (times <= 0 || from.empty()) return out;
    if (__builtin_mul_overflow(from.size() * sizeof(Val), static_cast<size_t>(times), &bytes))
        in.tooLarge();
    in.room(bytes);
    out.reserve(bytes / sizeof(Val));
    for (int64_t i = 0; i < times; ++i) {
        in.tick();
        out.insert(out.end(), from.begin(), from.end());
    }
    return out;
}

std::optional<std::complex<double>> complexOf(Interp& in, const Val& v) {
    if (auto* z = v.to<ComplexObj>()) return std::complex<double>(z->real, z->imaginary);
    if (v.isFloat()) return std::complex<double>(v.asFloat());
    if (isInteger(v)) return std::complex<double>(integerFloat(in, v));
    return {};
}

Val complexes(Interp& in, BinaryOp op, const Val& a, const Val& b) {
    const auto x = complexOf(in, a), y = complexOf(in, b);
    if (!x || !y) return {};
    auto result = [&](std::complex<double> z) {
        return Val(in.make<ComplexObj>(z.real(), z.imag()));
    };
    switch (op) {
    case BinaryOp::Add:
        return result(*x + *y);
    case BinaryOp::Sub:
        return result(*x - *y);
    case BinaryOp::Mul:
        return result({x->real() * y->real() - x->imag() * y->imag(),
                       x->real() * y->imag() + x->imag() * y->real()});
    case BinaryOp::Div:
        if (*y == 0.0) in.raise(Error::ZeroDivision, "complex division by zero");
        return result(*x / *y);
    case BinaryOp::Pow: {
        const bool whole =
            y->imag() == 0 && y->real() == std::floor(y->real()) && std::fabs(y->real()) <= 100;
        if (!whole) return result(*x == 0.0 && *y != 0.0 ? 0.0 : std::pow(*x, *y));
        std::complex<double> z = 1;
        for (int i = 0; i < std::abs(static_cast<int>(y->real())); ++i)
            z = {z.real() * x->real() - z.imag() * x->imag(),
                 z.real() * x->imag() + z.imag() * x->real()};
        return result(y->real() < 0 ? 1.0 / z : z);
    }
    default:
        return {};
    }
}

bool isType(const Val& v) {
    return v.is(Kind::Class) || v.isNone();
}

/// int | str: the classes, as isinstance takes them.
Val unionOf(Interp& in, const Val& a, const Val& b) {
    std::vector<Val> all;
    for (const Val* side : {&a, &b}) {
        if (auto* tuple = side->to<TupleObj>())
            all.insert(all.end(), tuple->items.begin(), tuple->items.end());
        else
            all.push_back(side->isNone() ? Val(in.typeOf(*side)) : *side);
    }
    std::vector<Val> each;
    for (const Val& type : all)
        if (std::ranges::none_of(each, [&](const Val& v) { return v.identical(type); }))
            each.push_back(type);
    if (each.size() == 1) return each[0];
    return in.call(in.getAttr(in.import("types"), in.intern("UnionType")),
                   {in.tuple(std::move(each))});
}

Val sequences(Interp& interp, BinaryOp op, const Val& a, const Val& b) {
    if (op == BinaryOp::Add && a.is(Kind::Str) && b.is(Kind::Str)) {
        std::string joined = a.as<StrObj>()->text;
        interp.append(joined, b.as<StrObj>()->text);
        return interp.str(std::move(joined));
    }
    if (op == BinaryOp::Add && a.is(Kind::Bytes) && b.is(Kind::Bytes)) {
        std::string joined = a.as<BytesObj>()->bytes;
        interp.append(joined, b.as<BytesObj>()->bytes);
        return Val(interp.make<BytesObj>(std::move(joined), a.as<BytesObj>()->changeable));
    }
    bool lists = a.is(Kind::List) && b.is(Kind::List),
         tuples = a.is(Kind::Tuple) && b.is(Kind::Tuple);
    if (op == BinaryOp::Add && (lists || tuples)) {
        std::vector<Val> joined = interp.items(a), more = interp.items(b);
        interp.room((joined.size() + more.size()) * sizeof(Val));
        joined.insert(joined.end(), more.begin(), more.end());
        if (lists) return interp.list(std::move(joined));
        Val made = interp.tuple(std::move(joined));
        made.as<TupleObj>()->size = a.as<TupleObj>()->size || b.as<TupleObj>()->size;
        return made;
    }
    auto sequence = [](const Val& v) {
        return v.is(Kind::Str) || v.is(Kind::List) || v.is(Kind::Tuple) || v.is(Kind::Bytes);
    };
    auto indexes = [&](const Val& v) {
        return v.is(Kind::Tensor) || (v.is(Kind::Instance) && interp.special(v, "__index__"));
    };
    if (op == BinaryOp::Mul && ((sequence(a) && indexes(b)) || (sequence(b) && indexes(a)))) {
        const Val times = Val::integer(wantInt(interp, sequence(a) ? b : a, "the count"));
        return interp.binaryOfBuiltins(op, sequence(a) ? a : b, times);
    }
    if (op == BinaryOp::Mul && (isInteger(a) || isInteger(b))) {
        const Val times = plainInteger(isInteger(a) ? a : b);
        const Val& what = isInteger(a) ? b : a;
        if (!times.isIntegral())
            interp.raise(Error::Overflow, "cannot fit 'int' into an index-sized integer");
        if (auto* bytes = what.to<BytesObj>())
            return Val(interp.make<BytesObj>(repeatText(interp, bytes->bytes, times.asInt()),
                                             bytes->changeable));
        if (what.is(Kind::Str))
            return interp.str(repeatText(interp, what.as<StrObj>()->text, times.asInt()));
        if (what.is(Kind::List) || what.is(Kind::Tuple)) {
            std::vector<Val> out = repeated(interp, interp.items(what), times.asInt());
            if (what.is(Kind::List)) return interp.list(std::move(out));
            Val made = interp.tuple(std::move(out));
            made.as<TupleObj>()->size = what.as<TupleObj>()->size;
            return made;
        }
    }
    if (op == BinaryOp::Mod && a.is(Kind::Str))
        return interp.str(formatPercent(interp, a.as<StrObj>()->text, b));
    if (op == BinaryOp::Mod && a.is(Kind::Bytes)) {
        const std::string& bytes = a.as<BytesObj>()->bytes;
        return Val(interp.make<BytesObj>(formatPercentOfBytes(interp, bytes, b)));
    }
    if (a.is(Kind::Dict) && b.is(Kind::Dict) && op == BinaryOp::Or) {
        auto* out = interp.make<DictObj>();
        Val keep(out);
        for (const Val* side : {&a, &b})
            for (const Val& key : interp.items(*side))
                interp.put(*out, key, interp.getItem(*side, key));
        return keep;
    }
    if (isOfSets(op) && isLikeSet(a) && isLikeSet(b)) return likeSetOperation(interp, op, a, b);
    auto union_ = [](const Val& v) {
        auto* t = v.to<TupleObj>();
        return isType(v) || (t && !t->items.empty() && isType(t->items[0]));
    };
    if (op == BinaryOp::Or && union_(a) && union_(b) && !(a.isNone() && b.isNone()))
        return unionOf(interp, a, b);
    return {};
}

/// A number as a tensor of no dimensions that decides the result's dtype only where the tensor's
/// cannot hold it, as numbers do.
Val besideTensor(Interp& interp, const Val& number, const ir::TensorType& type) {
    const bool fits =
        ir::isFloating(type.dtype) || (!number.isFloat() && type.dtype != ir::DType::Bool);
    const ir::DType own = number.isFloat() ? interp.defaultDType() : ir::DType::Int64;
    const Val positional[] = {number};
    const std::pair<StrObj*, Val> keywords[] = {
        {interp.intern("dtype"), Val::dtype(fits ? type.dtype : own)},
        {interp.intern("device"), Val::device(type.device)}};
    return interp.operation("scalar_tensor", Arguments{positional, keywords});
}

Val tensors(Interp& interp, BinaryOp op, const Val& a, const Val& b) {
    bool numberFirst = !a.is(Kind::Tensor);
    const bool large = a.is(Kind::Integer) && op == BinaryOp::Sub;
    if (numberFirst && (a.isNumber() || a.is(Kind::Symbol) || large)) {
        // The catalogue's scalar overloads take the tensor first.
        switch (op) {
        case BinaryOp::Add:
        case BinaryOp::Mul:
            return interp.operation(names(op).operation, {b, a});
        case BinaryOp::Sub:
            if (!ops::catalogue().overloads("rsub").empty())
                return interp.operation("rsub", {b, a});
            return interp.operation("add", {interp.operation("neg", {b}), a});
        case BinaryOp::Div:
            return interp.operation("mul", {interp.operation("reciprocal", {b}), a});
        case BinaryOp::And:
        case BinaryOp::Or:
        case BinaryOp::Xor:
            return interp.operation(names(op).operation, {b, a});
        case BinaryOp::FloorDiv:
            return interp.operation(names(op).operation,
                                    {besideTensor(interp, a, b.as<TensorObj>()->type()), b});
        default:
            return interp.operation(names(op).operation, {a, b});
        }
    }
    // An integer of more than 64 bits is refused as an argument.
    auto acceptable = [](const Val& v) {
        return v.is(Kind::Tensor) || v.isNumber() || v.is(Kind::Symbol) || v.is(Kind::Integer) ||
               v.is(Kind::Complex);
    };
    if (!acceptable(a) || !acceptable(b)) return {};
    return interp.operation(names(op).operation, {a, b});
}

} // namespace

/// What the operands' own classes make of an operator; unbound when they say nothing.
Val Interp::overloaded(const char* method, const char* reflected, const Val& a, const Val& b) {
    ClassObj *left = classOf(a), *right = classOf(b);
    const bool rightFirst = left && right && left != right && right->isSubclassOf(left);
    for (bool swapped : {rightFirst, !rightFirst}) {
        const Val& self = swapped ? b : a;
        // Two of one class have one __add__, but < may be told by the other's >.
        const bool arithmetic = std::string_view(reflected).starts_with("__r");
        if (swapped ? !right || (arithmetic && right == left) : !left) continue;
        Val* found = special(self, swapped ? reflected : method);
        if (!found || found->isNone()) continue;
        Val r = call(bindMethod(*found, self, typeOf(self)), {swapped ? a : b});
        if (r.tag() != Tag::NotImplemented) return r;
    }
    return {};
}

Val Interp::binaryOfBuiltins(BinaryOp op, const Val& a, const Val& b) {
    const bool whole = isInteger(a) && isInteger(b);
    if (whole) {
        const bool bits = op == BinaryOp::And || op == BinaryOp::Or || op == BinaryOp::Xor;
        Val r = integers(*this, op, a, b);
        if (r.bound()) return bits && a.isBool() && b.isBool() ? Val::boolean(r.asInt() != 0) : r;
    } else if ((a.isFloat() || isInteger(a)) && (b.isFloat() || isInteger(b))) {
        const double x = a.isFloat() ? a.asFloat() : integerFloat(*this, a),
                     y = b.isFloat() ? b.asFloat() : integerFloat(*this, b);
        if (Val r = floats(*this, op, x, y); r.bound()) return r;
    } else if (a.is(Kind::Real) || b.is(Kind::Real)) {
        return binaryOfBuiltins(op, plainNumber(a), plainNumber(b));
    } else if (a.is(Kind::Complex) || b.is(Kind::Complex)) {
        if (Val r = complexes(*this, op, a, b); r.bound()) return r;
    }
    return sequences(*this, op, a, b);
}

/// Python's words for operands that an operator does not take.
static std::string notTaken(const Interp& in, BinaryOp op, const Val& a, const Val& b) {
    const auto sequence = [](const Val& v) {
        return v.is(Kind::Str) || v.is(Kind::List) || v.is(Kind::Tuple) || v.is(Kind::Bytes);
    };
    const std::string left = in.typeName(a), right = in.typeName(b);
    if (op == BinaryOp::Add && a.is(Kind::Bytes))
        return fmt::format("can't concat {} to {}", right, left);
    if (op == BinaryOp::Add && sequence(a))
        return fmt::format("can only concatenate {} (not \"{}\") to {}", left, right, left);
    if (op == BinaryOp::Mul && (sequence(a) || sequence(b)))
        return fmt::format("can't multiply sequence by non-int of type '{}'",
                           sequence(a) ? right : left);
    return fmt::format("unsupported operand type(s) for {}: '{}' and '{}'",
                       op == BinaryOp::Pow ? "** or pow()" : names(op).symbol, left, right);
}

/// \p v, where it is a bool that nobody has asked yet as that bool.
static Val decided(Interp& in, const Val& v) {
    return v.is(Kind::Truth) ? in.plain(v) : v;
}

/// Whether an operator has or gives a number that a graph computes, none that follows from sizes as
/// they do.
static bool isOfNumbers(BinaryOp op, const Val& a, const Val& b) {
    if ((a.is(Kind::Number) && b.is(Kind::Tensor)) || (a.is(Kind::Tensor) && b.is(Kind::Number)))
        return true; // beside a tensor, whose operation has it as it is
    const auto open = [](const Val& v) { return v.is(Kind::Symbol) || v.is(Kind::Number); };
    const auto number = [&](const Val& v) { return open(v) || v.isNumber(); };
    if (!number(a) || !number(b)) return false;
    const bool floats = a.isFloat() || b.isFloat() || op == BinaryOp::Div;
    return a.is(Kind::Number) || b.is(Kind::Number) || ((open(a) || open(b)) && floats);
}

Val Interp::binary(BinaryOp op, const Val& a, const Val& b) {
    if (a.is(Kind::Truth) || b.is(Kind::Truth))
        return binary(op, decided(*this, a), decided(*this, b));
    if (a.isNumber() && b.isNumber()) {
        Val r = binaryOfBuiltins(op, a, b);
        if (r.bound()) return r;
    }
    if (torchOverrides.calls && isOfNumbers(op, a, b))
        return torchOverrides.calls->operation(names(op).method, {a, b},
                                               [&] { return binary(op, a, b); });
    if (a.is(Kind::Number) || b.is(Kind::Number)) {
        if (Val r = graphBinary(*this, op, a, b); r.bound()) return r;
        return binary(op, plain(a), plain(b));
    }
    if (a.is(Kind::Symbol) || b.is(Kind::Symbol)) {
        const std::optional<ir::Sym> x = symbolOf(a), y = symbolOf(b);
        if (Val r = x && y ? symbolic(op, *x, *y) : Val(); r.bound()) return r;
        if (Val r = sizeBinary(*this, op, a, b); r.bound()) return r;
        if (!a.is(Kind::Tensor) && !b.is(Kind::Tensor)) return binary(op, plain(a), plain(b));
    }
    if (a.is(Kind::Tensor) || b.is(Kind::Tensor)) {
        if (torchOverrides.calls)
            return torchOverrides.calls->operation(names(op).method, {a, b},
                                                   [&] { return binary(op, a, b); });
        if (torchOverrides.asked())
            if (Val r = overriddenOperator(names(op).method, names(op).reflected, a, b); r.bound())
                return r;
        Val r = tensors(*this, op, plainNumber(a), plainNumber(b));
        if (r.bound()) return r;
    }
    if (Val r = overloaded(names(op).method, names(op).reflected, a, b); r.bound()) return r;
    if (Val r = binaryOfBuiltins(op, a, b); r.bound()) return r;
    std::string hint;
    if (op == BinaryOp::Add && (a.is(Kind::Str) || b.is(Kind::Str)))
        hint = "convert with str() or use a format string";
    if (a.isNone() || b.isNone()) hint = "one side is None: a function without 'return' gives None";
    raisePython(Error::Type, notTaken(*this, op, a, b),
                fmt::format("operator '{}' does not work on {} and {}", names(op).symbol,
                            typeName(a), typeName(b)),
                hint);
}

Val Interp::inPlace(BinaryOp op, const Val& a, const Val& b) {
    if (b.is(Kind::Truth)) return inPlace(op, a, plain(b));
    if (a.is(Kind::Tensor) &&
        (b.is(Kind::Tensor) || b.isNumber() || b.is(Kind::Symbol) || b.is(Kind::Number) ||
         b.is(Kind::Integer) || b.is(Kind::Real) || b.is(Kind::Complex))) {
        if (torchOverrides.calls)
            return torchOverrides.calls->operation(names(op).inPlace, {a, b},
                                                   [&] { return inPlace(op, a, b); });
        if (torchOverrides.asked())
            if (Val r = overriddenOperator(names(op).inPlace, nullptr, a, b); r.bound()) return r;
        Val args[] = {a, plainNumber(b)};
        return inPlaceOperation(names(op).operation, Arguments{args, {}});
    }
    if (Val* method = special(a, names(op).inPlace); method && !method->isNone()) {
        Val r = call(bindMethod(*method, a, typeOf(a)), {b});
        if (r.tag() != Tag::NotImplemented) return r;
    }
    if (auto* l = a.to<ListObj>(); l && op == BinaryOp::Add) {
        std::vector<Val> more = items(b);
        mutating(l, "a list");
        room(more.size() * sizeof(Val));
        l->items.insert(l->items.end(), more.begin(), more.end());
        l->counted();
        return a;
    }
    if (auto* l = a.to<ListObj>(); l && op == BinaryOp::Mul && isInteger(b)) {
        std::vector<Val> all = binary(op, a, b).as<ListObj>()->items;
        mutating(l, "a list");
        l->items = std::move(all);
        l->counted();
        return a;
    }
    if (auto* bytes = a.to<BytesObj>(); bytes && bytes->changeable && op == BinaryOp::Add) {
        mutating(bytes, "a bytearray");
        const std::string more = binary(op, a, b).as<BytesObj>()->bytes.substr(bytes->bytes.size());
        wantOwnSize(*this, *bytes, bytes->bytes.size() + more.size());
        bytes->bytes += more;
        return a;
    }
    const bool ofDicts = a.is(Kind::Dict) && b.is(Kind::Dict) && op == BinaryOp::Or;
    auto* set = a.to<SetObj>();
    if (set && !set->frozen && isOfSets(op) && isLikeSet(b)) {
        changeSet(*this, op, *set, asSet(*this, b));
        return a;
    }
    if (ofDicts) {
        Val result = binary(op, a, b);
        if (!result.is(a.object()->kind)) return result;
        mutating(a.object(), "a dict");
        a.as<DictObj>()->restore(result.as<DictObj>()->contents());
        return a;
    }
    return binary(op, a, b);
}

Val Interp::unary(UnaryOp op, const Val& a) {
    if (op == UnaryOp::Not) return Val::boolean(!truthy(a));
    if (a.is(Kind::Truth)) return unary(op, plain(a));
    if (auto* symbol = a.to<SymbolObj>()) {
        if (op == UnaryOp::Plus) return a;
        Val r = op == UnaryOp::Negate ? symbolic(BinaryOp::Mul, -1, symbol->size) : Val();
        return r.bound() ? r : unary(op, plain(a));
    }
    if (auto* number = a.to<NumberObj>()) {
        if (op == UnaryOp::Negate) return graphNegative(*this, *number);
        return op == UnaryOp::Plus && number->dtype() != ir::DType::Bool ? a : unary(op, plain(a));
    }
    static constexpr const char* kMethods[] = {"__neg__", "__pos__", "__invert__"};
    static constexpr const char* kSymbols[] = {"-", "+", "~"};
    if (Val* method = special(a, kMethods[static_cast<size_t>(op)]))
        return call(bindMethod(*method, a, typeOf(a)), {});
    if (a.is(Kind::Real)) return unary(op, plainNumber(a));
    if (a.isFloat() && op != UnaryOp::Invert)
        return op == UnaryOp::Plus ? a : newFloat(-a.asFloat());
    if (isInteger(a)) {
        if (op == UnaryOp::Plus) return a.isBool() ? Val::integer(a.asInt()) : plainInteger(a);
        return op == UnaryOp::Invert ? inverted(*this, a) : negated(*this, a);
    }
    if (auto* z = a.to<ComplexObj>(); z && op != UnaryOp::Invert)
        return op == UnaryOp::Plus ? a : Val(make<ComplexObj>(-z->real, -z->imaginary));
    if (a.is(Kind::Tensor)) {
        if (op != UnaryOp::Negate && !torchOverrides.calls)
            if (Val told =
                    overriddenProtocol(*this, op == UnaryOp::Plus ? "positive" : "__invert__", a);
                told.bound())
                return told;
        if (op == UnaryOp::Plus) return a;
        if (torchOverrides.calls)
            return torchOverrides.calls->operation(kMethods[static_cast<size_t>(op)], {a},
                                                   [&] { return unary(op, a); });
        if (torchOverrides.asked() && op == UnaryOp::Negate)
            return call(getAttr(tensorClass_.val(), intern("neg")), {a});
        if (op == UnaryOp::Invert && ir::isFloating(a.as<TensorObj>()->type().dtype))
            raise(Error::Type,
                  "~ (operator.invert) is only implemented on integer and Boolean-type tensors");
        return operation(op == UnaryOp::Negate ? "neg" : "bitwise_not", {a});
    }
    raisePython(Error::Type,
                fmt::format("bad operand type for unary {}: '{}'",
                            kSymbols[static_cast<size_t>(op)], typeName(a)),
                fmt::format("operator '{}' does not work on {}", kSymbols[static_cast<size_t>(op)],
                            typeName(a)));
}

bool Interp::equal(const Val& a, const Val& b) {
    if (a.isNumber() && b.isNumber())
        return sameKey(a, b) && !(a.isFloat() && std::isnan(a.asFloat()));
    if (classOf(a) || classOf(b))
        if (Val r = overloaded("__eq__", "__eq__", a, b); r.bound()) return truthy(r);
    if (a.is(Kind::Instance) || b.is(Kind::Instance)) {
        noteCompared(a, b);
        return a.identical(b);
    }
    return equalBuiltins(a, b);
}

bool Interp::equalBuiltins(const Val& a, const Val& b) {
    if (a.is(Kind::Real) || b.is(Kind::Real)) return equal(plainNumber(a), plainNumber(b));
    auto tensorOrNumber = [](const Val& v) {
        return v.is(Kind::Tensor) || v.isNumber() || v.is(Kind::Symbol) || v.is(Kind::Number);
    };
    const bool complex =
        (a.is(Kind::Tensor) && b.is(Kind::Complex)) || (a.is(Kind::Complex) && b.is(Kind::Tensor));
    if (complex || (tensorOrNumber(a) && tensorOrNumber(b)))
        return truthy(compare(CompareOp::Equal, a, b));
    bool bothLists = a.is(Kind::List) && b.is(Kind::List),
         bothTuples = a.is(Kind::Tuple) && b.is(Kind::Tuple);
    if (bothLists || bothTuples) {
        if (length(a) != length(b)) return false;
        checkStack();
        tick();
        std::vector<Val> x = items(a), y = items(b);
        bool same = true;
        for (size_t i = 0; i < x.size() && same; ++i)
            same = x[i].identical(y[i]) || equal(x[i], y[i]);
        return same;
    }
    if (a.is(Kind::Dict) && b.is(Kind::Dict)) {
        checkStack();
        auto *x = a.as<DictObj>(), *y = b.as<DictObj>();
        noteLength(a);
        noteLength(b);
        if (x->size() != y->size()) return false;
        for (size_t i = 0; i < x->entries().size(); ++i) {
            tick();
            DictObj::Entry e = x->entries()[i]; // __eq__ may change the dicts
            if (!e.live()) continue;
            Val* found = dictFind(*y, e.key);
            if (!found) return false;
            Val other = *found;
            noteItem(a, e.key, e.value);
            if (!e.value.identical(other) && !equal(e.value, other)) return false;
        }
        return true;
    }
    if (isLikeSet(a) && isLikeSet(b)) {
        if (length(a) != length(b)) return false;
        for (const Val& v : items(a))
            if (!contains(b, v)) return false;
        return true;
    }
    if (a.is(Kind::Range) && b.is(Kind::Range)) {
        auto *x = a.as<RangeObj>(), *y = b.as<RangeObj>();
        return x->length() == y->length() &&
               (x->length() == 0 ||
                (x->start == y->start && (x->length() == 1 || x->step == y->step)));
    }
    if (a.is(Kind::Slice) && b.is(Kind::Slice)) {
        auto *x = a.as<SliceObj>(), *y = b.as<SliceObj>();
        return equal(x->start, y->start) && equal(x->stop, y->stop) && equal(x->step, y->step);
    }
    if (a.is(Kind::Complex) || b.is(Kind::Complex)) {
        const auto x = complexOf(*this, a), y = complexOf(*this, b);
        return x && y && *x == *y;
    }
    if (a.is(Kind::Method) && b.is(Kind::Method))
        return a.as<MethodObj>()->self.identical(b.as<MethodObj>()->self) &&
               a.as<MethodObj>()->function.identical(b.as<MethodObj>()->function);
    noteCompared(a, b);
    return sameKey(a, b);
}

bool Interp::less(const Val& a, const Val& b) {
    return truthy(compare(CompareOp::Less, a, b));
}

Val Interp::compare(CompareOp op, const Val& a, const Val& b) {
    if (a.is(Kind::Truth) || b.is(Kind::Truth))
        return compare(op, decided(*this, a), decided(*this, b));
    switch (op) {
    case CompareOp::Is:
    case CompareOp::IsNot: {
        bool same = a.identical(b);
        noteCompared(a, b);
        return Val::boolean(same == (op == CompareOp::Is));
    }
    case CompareOp::In:
        return Val::boolean(contains(b, a));
    case CompareOp::NotIn:
        return Val::boolean(!contains(b, a));
    default:
        break;
    }
    static constexpr struct {
        const char *symbol, *method, *reflected, *operation;
    } kNames[] = {{"<", "__lt__", "__gt__", "lt"},  {"<=", "__le__", "__ge__", "le"},
                  {"==", "__eq__", "__eq__", "eq"}, {"!=", "__ne__", "__ne__", "ne"},
                  {">", "__gt__", "__lt__", "gt"},  {">=", "__ge__", "__le__", "ge"}};
    const auto& n = kNames[static_cast<size_t>(op)];
    bool equality = op == CompareOp::Equal || op == CompareOp::NotEqual;
    if (a.is(Kind::Number) || b.is(Kind::Number)) {
        if (Val r = graphCompare(*this, op, a, b); r.bound()) return r;
        return compare(op, plain(a), plain(b));
    }
    if (a.is(Kind::Symbol) || b.is(Kind::Symbol)) {
        const std::optional<ir::Sym> x = symbolOf(a), y = symbolOf(b);
        if (x && y) return compareSizes(op, *x, *y);
        if (!a.is(Kind::Tensor) && !b.is(Kind::Tensor)) return compare(op, plain(a), plain(b));
    }
    const bool own = (a.isObject() && classOf(a)) || (b.isObject() && classOf(b));
    const auto byClasses = [&] {
        Val r = overloaded(n.method, n.reflected, a, b);
        if (r.bound() || op != CompareOp::NotEqual) return r;
        r = overloaded("__eq__", "__eq__", a, b);
        return r.bound() ? Val::boolean(!truthy(r)) : r;
    };
    if (own && !(a.is(Kind::Tensor) || b.is(Kind::Tensor)))
        if (Val r = byClasses(); r.bound()) return r;
    if (a.is(Kind::Real) || b.is(Kind::Real)) return compare(op, plainNumber(a), plainNumber(b));
    auto isReal = [](const Val& v) { return v.isFloat() || isInteger(v); };
    if (isReal(a) && isReal(b)) {
        int order;
        if (isInteger(a) && isInteger(b)) {
            order = compareIntegers(a, b);
        } else if ((a.isFloat() && std::isnan(a.asFloat())) ||
                   (b.isFloat() && std::isnan(b.asFloat()))) {
            return Val::boolean(op == CompareOp::NotEqual);
        } else {
            order = isInteger(a)                ? compareInteger(a, b.asFloat())
                    : isInteger(b)              ? -compareInteger(b, a.asFloat())
                    : a.asFloat() < b.asFloat() ? -1
                                                : a.asFloat() > b.asFloat();
        }
        bool results[] = {order < 0, order <= 0, order == 0, order != 0, order > 0, order >= 0};
        return Val::boolean(results[static_cast<size_t>(op)]);
    }
    if (a.is(Kind::Tensor) || b.is(Kind::Tensor)) {
        if (torchOverrides.calls)
            return torchOverrides.calls->operation(n.method, {a, b},
                                                   [&] { return compare(op, a, b); });
        if (torchOverrides.asked())
            if (Val r = overriddenOperator(n.method, n.reflected, a, b); r.bound()) return r;
        const Val& other = a.is(Kind::Tensor) ? b : a;
        if (other.is(Kind::Tensor) || other.isNumber() || other.is(Kind::Symbol) ||
            other.is(Kind::Integer) || other.is(Kind::Complex))
            return a.is(Kind::Tensor)
                       ? operation(n.operation, {a, b})
                       : operation(kNames[op == CompareOp::Less           ? 4
                                          : op == CompareOp::LessEqual    ? 5
                                          : op == CompareOp::Greater      ? 0
                                          : op == CompareOp::GreaterEqual ? 1
                                                                          : static_cast<size_t>(op)]
                                       .operation,
                                   {b, a});
        if (other.is(Kind::Instance))
            if (Val r = byClasses(); r.bound()) return r;
        if (equality) return Val::boolean(op == CompareOp::NotEqual);
    }
    if (equality) {
        if (own && (a.is(Kind::Instance) || b.is(Kind::Instance))) noteCompared(a, b);
        const bool same =
            a.is(Kind::Instance) || b.is(Kind::Instance) ? a.identical(b) : equalBuiltins(a, b);
        return Val::boolean(same == (op == CompareOp::Equal));
    }
    return compareBuiltins(op, a, b);
}

Val Interp::compareBuiltins(CompareOp op, const Val& a, const Val& b) {
    static constexpr const char* kSymbols[] = {"<", "<=", "==", "!=", ">", ">="};
    auto ordered = [&](int order) {
        bool results[] = {order < 0, order <= 0, false, false, order > 0, order >= 0};
        return Val::boolean(results[static_cast<size_t>(op)]);
    };
    if (a.is(Kind::Str) && b.is(Kind::Str))
        return ordered(a.as<StrObj>()->text.compare(b.as<StrObj>()->text));
    if (a.is(Kind::Bytes) && b.is(Kind::Bytes))
        return ordered(a.as<BytesObj>()->bytes.compare(b.as<BytesObj>()->bytes));
    bool sequences =
        (a.is(Kind::List) && b.is(Kind::List)) || (a.is(Kind::Tuple) && b.is(Kind::Tuple));
    if (sequences) {
        checkStack();
        tick();
        std::vector<Val> x = items(a), y = items(b);
        for (size_t i = 0; i < std::min(x.size(), y.size()); ++i)
            if (!x[i].identical(y[i]) && !equal(x[i], y[i])) return compare(op, x[i], y[i]);
        return ordered(x.size() < y.size() ? -1 : x.size() > y.size());
    }
    if (isLikeSet(a) && isLikeSet(b)) {
        const Val& small = op == CompareOp::Less || op == CompareOp::LessEqual ? a : b;
        const Val& large = op == CompareOp::Less || op == CompareOp::LessEqual ? b : a;
        const bool strict = op == CompareOp::Less || op == CompareOp::Greater;
        if (strict ? length(small) >= length(large) : length(small) > length(large))
            return Val::boolean(false);
        for (const Val& v : items(small))
            if (!contains(large, v)) return Val::boolean(false);
        return Val::boolean(true);
    }
    const char* symbol = kSymbols[static_cast<size_t>(op)];
    raisePython(
        Error::Type,
        fmt::format("'{}' not supported between instances of '{}' and '{}'", symbol, typeName(a),
                    typeName(b)),
        fmt::format("operator '{}' does not work on {} and {}", symbol, typeName(a), typeName(b)));
}

bool Interp::truthy(const Val& v) {
    switch (v.tag()) {
    case Tag::None:
        return false;
    case Tag::Bool:
    case Tag::Int:
        return v.asInt() != 0;
    case Tag::Float:
        return v.asFloat() != 0;
    case Tag::Object:
        break;
    default:
        return true;
    }
    if (classOf(v)) {
        if (Val* method = special(v, "__bool__")) {
            Val answer = call(bindMethod(*method, v, typeOf(v)), {});
            if (!answer.isBool())
                raise(Error::Type,
                      fmt::format("__bool__ should return bool, returned {}", typeName(answer)));
            return answer.asBool();
        }
        if (special(v, "__len__")) return length(v) != 0;
    }
    if (Val told = overriddenProtocol(*this, "__bool__", v); told.bound()) return truthy(told);
    switch (v.object()->kind) {
    case Kind::Str:
        return !v.as<StrObj>()->text.empty();
    case Kind::Integer:
        return !integerIsZero(v);
    case Kind::Real:
        return v.as<RealObj>()->value != 0;
    case Kind::Complex:
        return v.as<ComplexObj>()->real != 0 || v.as<ComplexObj>()->imaginary != 0;
    case Kind::Symbol:
        return truthy(compareSizes(CompareOp::NotEqual, v.as<SymbolObj>()->size, 0));
    case Kind::Truth:
        return plain(v).asBool();
    case Kind::Number:
        if (const std::optional<bool> decided = capture_->decideOrder(*v.as<NumberObj>()))
            return *decided;
        if (v.as<NumberObj>()->known || !capture_->floatsBehind(*v.as<NumberObj>()).empty())
            return truthy(plain(v));
        world_->wantReal("the branch depends on a number that the graph computes",
                         "say what holds with torch._check(), compute both sides and choose with "
                         "torch.where, or leave the branch outside the compiled function");
        return false;
    case Kind::Bytes:
    case Kind::View:
    case Kind::List:
    case Kind::Tuple:
    case Kind::Dict:
    case Kind::Set:
    case Kind::Range:
        return length(v) != 0;
    case Kind::Tensor: {
        auto& t = *v.as<TensorObj>();
        if (!t.type().numel().is(1))
            raise(Error::Runtime,
                  t.type().numel().is(0)
                      ? "Boolean value of Tensor with no values is ambiguous"
                      : "Boolean value of Tensor with more than one value is ambiguous",
                  "reduce it to one element with .any() or .all()");
        world_->wantReal("the branch depends on the data of a tensor",
                         "compute both sides and choose with torch.where, or leave the branch "
                         "outside the compiled function");
        return truthy(scalarOf(t, "a condition"));
    }
    default:
        return true;
    }
}

} // namespace cutaway::capture
