// SPDX-License-Identifier: Apache-2.0
// Operators on numbers, text, containers, tensors and instances.
#include "core/capture/capture.h"
#include "core/capture/interp.h"

#include <fmt/format.h>

#include <cmath>

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

[[noreturn]] void overflow(Interp& interp) {
    interp.raise(Error::Overflow, "the integer result does not fit in 64 bits", "use floats");
}

int64_t floorDivide(Interp& interp, int64_t a, int64_t b) {
    if (b == 0) interp.raise(Error::ZeroDivision, "division by zero");
    if (b == -1) {
        int64_t r;
        if (__builtin_sub_overflow(int64_t{0}, a, &r)) overflow(interp);
        return r;
    }
    int64_t q = a / b;
    return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

Val integerPower(Interp& interp, int64_t base, int64_t exponent) {
    if (exponent < 0) {
        if (base == 0) interp.raise(Error::ZeroDivision, "0 to a negative power");
        return Val::real(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
    }
    int64_t result = 1;
    while (exponent > 0) {
        if ((exponent & 1) && __builtin_mul_overflow(result, base, &result)) overflow(interp);
        exponent >>= 1;
        if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) overflow(interp);
    }
    return Val::integer(result);
}

Val integers(Interp& interp, BinaryOp op, int64_t a, int64_t b) {
    int64_t r = 0;
    switch (op) {
    case BinaryOp::Add:
        if (__builtin_add_overflow(a, b, &r)) overflow(interp);
        return Val::integer(r);
    case BinaryOp::Sub:
        if (__builtin_sub_overflow(a, b, &r)) overflow(interp);
        return Val::integer(r);
    case BinaryOp::Mul:
        if (__builtin_mul_overflow(a, b, &r)) overflow(interp);
        return Val::integer(r);
    case BinaryOp::Div:
        if (b == 0) interp.raise(Error::ZeroDivision, "division by zero");
        return Val::real(static_cast<double>(a) / static_cast<double>(b));
    case BinaryOp::FloorDiv:
        return Val::integer(floorDivide(interp, a, b));
    case BinaryOp::Mod: {
        if (b == 0) interp.raise(Error::ZeroDivision, "modulo by zero");
        if (b == -1) return Val::integer(0);
        int64_t m = a % b;
        return Val::integer(m != 0 && (m < 0) != (b < 0) ? m + b : m);
    }
    case BinaryOp::Pow:
        return integerPower(interp, a, b);
    case BinaryOp::And:
        return Val::integer(a & b);
    case BinaryOp::Or:
        return Val::integer(a | b);
    case BinaryOp::Xor:
        return Val::integer(a ^ b);
    case BinaryOp::LeftShift:
        if (b < 0) interp.raise(Error::Value, "negative shift");
        if (a == 0) return Val::integer(0);
        if (b > 62 || __builtin_mul_overflow(a, int64_t{1} << b, &r)) overflow(interp);
        return Val::integer(r);
    case BinaryOp::RightShift:
        if (b < 0) interp.raise(Error::Value, "negative shift");
        return Val::integer(b > 63 ? (a < 0 ? -1 : 0) : a >> b);
    case BinaryOp::MatMul:
        break;
    }
    return {};
}

/// Python's: from the remainder, which is exact where a / b is rounded.
double floorDivide(double a, double b) {
    double m = std::fmod(a, b), quotient = (a - m) / b;
    if (m != 0 && (m < 0) != (b < 0)) quotient -= 1;
    if (quotient == 0) return std::copysign(0.0, a / b);
    double whole = std::floor(quotient);
    return quotient - whole > 0.5 ? whole + 1 : whole;
}

/// The order of an integer and a float (no NaN) by their exact values: -1, 0 or 1.
int exactOrder(int64_t a, double b) {
    if (b >= 0x1p63) return -1;
    if (b < -0x1p63) return 1;
    auto whole = static_cast<int64_t>(b);
    if (a != whole) return a < whole ? -1 : 1;
    double rest = b - static_cast<double>(whole);
    return rest > 0 ? -1 : rest < 0;
}

Val floats(Interp& interp, BinaryOp op, double a, double b) {
    switch (op) {
    case BinaryOp::Add:
        return Val::real(a + b);
    case BinaryOp::Sub:
        return Val::real(a - b);
    case BinaryOp::Mul:
        return Val::real(a * b);
    case BinaryOp::Div:
        if (b == 0) interp.raise(Error::ZeroDivision, "division by zero");
        return Val::real(a / b);
    case BinaryOp::FloorDiv:
        if (b == 0) interp.raise(Error::ZeroDivision, "division by zero");
        return Val::real(floorDivide(a, b));
    case BinaryOp::Mod: {
        if (b == 0) interp.raise(Error::ZeroDivision, "modulo by zero");
        double m = std::fmod(a, b);
        if (m == 0) return Val::real(std::copysign(0.0, b));
        return Val::real((m < 0) != (b < 0) ? m + b : m);
    }
    case BinaryOp::Pow:
        if (a == 0 && b < 0) interp.raise(Error::ZeroDivision, "0 to a negative power");
        if (a < 0 && b != std::floor(b))
            interp.raise(
                Error::Value,
                "a fractional power of a negative number is complex, which is not supported");
        if (double power = std::pow(a, b); !std::isinf(power) || std::isinf(a) || std::isinf(b))
            return Val::real(power);
        interp.raise(Error::Overflow, "the power is too large for a float");
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

/// printf-style "%d items" % 3 is not Python's recommended form; format strings are.
Val sequences(Interp& interp, BinaryOp op, const Val& a, const Val& b) {
    if (op == BinaryOp::Add && a.is(Kind::Str) && b.is(Kind::Str)) {
        std::string joined = a.as<StrObj>()->text;
        interp.append(joined, b.as<StrObj>()->text);
        return interp.str(std::move(joined));
    }
    bool lists = a.is(Kind::List) && b.is(Kind::List),
         tuples = a.is(Kind::Tuple) && b.is(Kind::Tuple);
    if (op == BinaryOp::Add && (lists || tuples)) {
        std::vector<Val> joined = interp.items(a), more = interp.items(b);
        interp.room((joined.size() + more.size()) * sizeof(Val));
        joined.insert(joined.end(), more.begin(), more.end());
        return lists ? interp.list(std::move(joined)) : interp.tuple(std::move(joined));
    }
    if (op == BinaryOp::Mul && (a.isIntegral() || b.isIntegral())) {
        const Val& times = a.isIntegral() ? a : b;
        const Val& what = a.isIntegral() ? b : a;
        if (what.is(Kind::Str))
            return interp.str(repeatText(interp, what.as<StrObj>()->text, times.asInt()));
        if (what.is(Kind::List) || what.is(Kind::Tuple)) {
            std::vector<Val> out = repeated(interp, interp.items(what), times.asInt());
            return what.is(Kind::List) ? interp.list(std::move(out)) : interp.tuple(std::move(out));
        }
    }
    if (op == BinaryOp::Mod && a.is(Kind::Str))
        interp.raise(Error::Type, "formatting with '%' is not supported",
                     "write a format string: f\"{x:.3f}\"");
    if (a.is(Kind::Dict) && b.is(Kind::Dict) && op == BinaryOp::Or) {
        auto* out = interp.make<DictObj>();
        Val keep(out);
        for (const Val* side : {&a, &b})
            for (const Val& key : interp.items(*side))
                interp.put(*out, key, interp.getItem(*side, key));
        return keep;
    }
    if (a.is(Kind::Set) && b.is(Kind::Set) &&
        (op == BinaryOp::And || op == BinaryOp::Or || op == BinaryOp::Xor || op == BinaryOp::Sub)) {
        auto* out = interp.make<SetObj>();
        Val keep(out);
        for (const Val& v : interp.items(a)) {
            bool both = interp.contains(b, v);
            if ((op == BinaryOp::And && both) ||
                ((op == BinaryOp::Sub || op == BinaryOp::Xor) && !both) || op == BinaryOp::Or)
                interp.put(*out, v, Val::none());
        }
        if (op == BinaryOp::Or || op == BinaryOp::Xor)
            for (const Val& v : interp.items(b))
                if (op == BinaryOp::Or || !interp.contains(a, v)) interp.put(*out, v, Val::none());
        return keep;
    }
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
    if (numberFirst && (a.isNumber() || a.is(Kind::Symbol))) {
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
        case BinaryOp::Mod:
            return interp.operation(names(op).operation,
                                    {besideTensor(interp, a, b.as<TensorObj>()->type()), b});
        default:
            return interp.operation(names(op).operation, {a, b});
        }
    }
    auto acceptable = [](const Val& v) {
        return v.is(Kind::Tensor) || v.isNumber() || v.is(Kind::Symbol);
    };
    if (!acceptable(a) || !acceptable(b)) return {};
    return interp.operation(names(op).operation, {a, b});
}

} // namespace

Val Interp::binary(BinaryOp op, const Val& a, const Val& b) {
    if (a.is(Kind::Symbol) || b.is(Kind::Symbol)) {
        const std::optional<ir::Sym> x = symbolOf(a), y = symbolOf(b);
        if (Val r = capture_ && x && y ? symbolic(op, *x, *y) : Val(); r.bound()) return r;
        if (!a.is(Kind::Tensor) && !b.is(Kind::Tensor)) return binary(op, plain(a), plain(b));
    }
    if (a.isNumber() && b.isNumber()) {
        bool bools = a.isBool() && b.isBool() &&
                     (op == BinaryOp::And || op == BinaryOp::Or || op == BinaryOp::Xor);
        Val r = a.isIntegral() && b.isIntegral() ? integers(*this, op, a.asInt(), b.asInt())
                                                 : floats(*this, op, a.asFloat(), b.asFloat());
        if (r.bound()) return bools ? Val::boolean(r.asInt() != 0) : r;
    }
    if (a.is(Kind::Tensor) || b.is(Kind::Tensor)) {
        Val r = tensors(*this, op, a, b);
        if (r.bound()) return r;
    }
    for (bool reflected : {false, true}) {
        const Val& self = reflected ? b : a;
        auto* instance = self.to<InstanceObj>();
        if (!instance) continue;
        Val* method =
            classAttr(*instance->type, reflected ? names(op).reflected : names(op).method);
        if (!method) continue;
        Val r = call(bindMethod(*method, self, instance->type.get()), {reflected ? a : b});
        if (r.tag() != Tag::NotImplemented) return r;
    }
    Val r = sequences(*this, op, a, b);
    if (r.bound()) return r;
    if (op == BinaryOp::Or && (a.is(Kind::Class) || a.isNone()))
        return a; // int | None in an annotation
    std::string hint;
    if (op == BinaryOp::Add && (a.is(Kind::Str) || b.is(Kind::Str)))
        hint = "convert with str() or use a format string";
    if (a.isNone() || b.isNone()) hint = "one side is None: a function without 'return' gives None";
    raise(Error::Type,
          fmt::format("operator '{}' does not work on {} and {}", names(op).symbol, typeName(a),
                      typeName(b)),
          hint);
}

Val Interp::inPlace(BinaryOp op, const Val& a, const Val& b) {
    if (a.is(Kind::Tensor) && (b.is(Kind::Tensor) || b.isNumber() || b.is(Kind::Symbol))) {
        Val args[] = {a, b};
        return inPlaceOperation(names(op).operation, Arguments{args, {}});
    }
    if (auto* l = a.to<ListObj>(); l && op == BinaryOp::Add) {
        std::vector<Val> more = items(b);
        mutating(l, "a list");
        room(more.size() * sizeof(Val));
        l->items.insert(l->items.end(), more.begin(), more.end());
        l->counted();
        return a;
    }
    if (auto* instance = a.to<InstanceObj>())
        if (Val* method = classAttr(*instance->type, names(op).inPlace))
            return call(bindMethod(*method, a, instance->type.get()), {b});
    if (a.is(Kind::Set) && b.is(Kind::Set)) mutating(a.object(), "a set");
    return binary(op, a, b);
}

Val Interp::unary(UnaryOp op, const Val& a) {
    if (op == UnaryOp::Not) return Val::boolean(!truthy(a));
    if (auto* symbol = a.to<SymbolObj>(); symbol && capture_) {
        if (op == UnaryOp::Plus) return a;
        if (op == UnaryOp::Negate) return size(ir::Sym(-1) * symbol->size);
        return unary(op, plain(a));
    }
    if (a.isNumber()) {
        if (op == UnaryOp::Plus) return a.isBool() ? Val::integer(a.asInt()) : a;
        if (op == UnaryOp::Invert && a.isIntegral()) return Val::integer(~a.asInt());
        if (op == UnaryOp::Negate)
            return a.isFloat() ? Val::real(-a.asFloat())
                               : integers(*this, BinaryOp::Sub, 0, a.asInt());
    }
    if (a.is(Kind::Tensor)) {
        if (op == UnaryOp::Plus) return a;
        return operation(op == UnaryOp::Negate ? "neg" : "bitwise_not", {a});
    }
    static constexpr const char* kMethods[] = {"__neg__", "__pos__", "__invert__"};
    static constexpr const char* kSymbols[] = {"-", "+", "~"};
    if (auto* instance = a.to<InstanceObj>())
        if (Val* method = classAttr(*instance->type, kMethods[static_cast<size_t>(op)]))
            return call(bindMethod(*method, a, instance->type.get()), {});
    raise(Error::Type, fmt::format("operator '{}' does not work on {}",
                                   kSymbols[static_cast<size_t>(op)], typeName(a)));
}

bool Interp::equal(const Val& a, const Val& b) {
    if (a.is(Kind::Instance) || b.is(Kind::Instance)) {
        for (bool swapped : {false, true}) {
            const Val& self = swapped ? b : a;
            auto* instance = self.to<InstanceObj>();
            if (!instance) continue;
            Val* method = classAttr(*instance->type, "__eq__");
            if (!method) continue;
            Val r = call(bindMethod(*method, self, instance->type.get()), {swapped ? a : b});
            if (r.tag() != Tag::NotImplemented) return truthy(r);
        }
        noteCompared(a, b);
        return a.identical(b);
    }
    auto tensorOrNumber = [](const Val& v) {
        return v.is(Kind::Tensor) || v.isNumber() || v.is(Kind::Symbol);
    };
    if (tensorOrNumber(a) && tensorOrNumber(b)) return truthy(compare(CompareOp::Equal, a, b));
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
    if (a.is(Kind::Set) && b.is(Kind::Set)) {
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
    if (capture_ && (a.is(Kind::Symbol) || b.is(Kind::Symbol))) {
        const std::optional<ir::Sym> x = symbolOf(a), y = symbolOf(b);
        if (x && y) return Val::boolean(compareSizes(op, *x, *y));
        if (!a.is(Kind::Tensor) && !b.is(Kind::Tensor)) return compare(op, plain(a), plain(b));
    }
    if (a.isNumber() && b.isNumber()) {
        int order;
        if (a.isIntegral() && b.isIntegral()) {
            order = a.asInt() < b.asInt() ? -1 : a.asInt() > b.asInt();
        } else {
            double x = a.asFloat(), y = b.asFloat();
            if (std::isnan(x) || std::isnan(y)) return Val::boolean(op == CompareOp::NotEqual);
            order = a.isIntegral()   ? exactOrder(a.asInt(), y)
                    : b.isIntegral() ? -exactOrder(b.asInt(), x)
                    : x < y          ? -1
                                     : x > y;
        }
        bool results[] = {order < 0, order <= 0, order == 0, order != 0, order > 0, order >= 0};
        return Val::boolean(results[static_cast<size_t>(op)]);
    }
    if (a.is(Kind::Tensor) || b.is(Kind::Tensor)) {
        const Val& other = a.is(Kind::Tensor) ? b : a;
        if (other.is(Kind::Tensor) || other.isNumber() || other.is(Kind::Symbol))
            return a.is(Kind::Tensor)
                       ? operation(n.operation, {a, b})
                       : operation(kNames[op == CompareOp::Less           ? 4
                                          : op == CompareOp::LessEqual    ? 5
                                          : op == CompareOp::Greater      ? 0
                                          : op == CompareOp::GreaterEqual ? 1
                                                                          : static_cast<size_t>(op)]
                                       .operation,
                                   {b, a});
        if (equality) return Val::boolean(op == CompareOp::NotEqual);
    }
    if (equality) return Val::boolean(equal(a, b) == (op == CompareOp::Equal));
    for (bool swapped : {false, true}) {
        const Val& self = swapped ? b : a;
        auto* instance = self.to<InstanceObj>();
        if (!instance) continue;
        Val* method = classAttr(*instance->type, swapped ? n.reflected : n.method);
        if (!method) continue;
        Val r = call(bindMethod(*method, self, instance->type.get()), {swapped ? a : b});
        if (r.tag() != Tag::NotImplemented) return r;
    }
    auto ordered = [&](int order) {
        bool results[] = {order < 0, order <= 0, false, false, order > 0, order >= 0};
        return Val::boolean(results[static_cast<size_t>(op)]);
    };
    if (a.is(Kind::Str) && b.is(Kind::Str))
        return ordered(a.as<StrObj>()->text.compare(b.as<StrObj>()->text));
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
    if (a.is(Kind::Set) && b.is(Kind::Set)) {
        const Val& small = op == CompareOp::Less || op == CompareOp::LessEqual ? a : b;
        const Val& large = op == CompareOp::Less || op == CompareOp::LessEqual ? b : a;
        for (const Val& v : items(small))
            if (!contains(large, v)) return Val::boolean(false);
        bool strict = op == CompareOp::Less || op == CompareOp::Greater;
        return Val::boolean(!strict || length(small) < length(large));
    }
    raise(Error::Type, fmt::format("operator '{}' does not work on {} and {}", n.symbol,
                                   typeName(a), typeName(b)));
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
    switch (v.object()->kind) {
    case Kind::Str:
        return !v.as<StrObj>()->text.empty();
    case Kind::Symbol:
        return compareSizes(CompareOp::NotEqual, v.as<SymbolObj>()->size, 0);
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
                  fmt::format("the truth of a tensor with {} elements is ambiguous",
                              t.type().numel().str()),
                  "reduce it to one element with .any() or .all()");
        if (capture_) {
            stop("the branch depends on the data of a tensor",
                 "compute both sides and choose with torch.where, or leave the branch outside the "
                 "compiled function");
        }
        return truthy(scalarOf(t, "a condition"));
    }
    case Kind::Instance: {
        Val method = tryAttr(v, intern("__bool__"));
        if (method.bound()) {
            Val answer = call(method, {});
            if (!answer.isBool())
                raise(Error::Type,
                      fmt::format("__bool__ gave a {}, expected a bool", typeName(answer)));
            return answer.asBool();
        }
        if (classAttr(*v.as<InstanceObj>()->type, "__len__")) return length(v) != 0;
        return true;
    }
    default:
        return true;
    }
}

} // namespace cutaway::capture
