// SPDX-License-Identifier: Apache-2.0
// Python's built-in functions and types.
#include "core/base/hash.h"
#include "core/capture/graph_numbers.h"
#include "core/capture/integers.h"
#include "core/capture/overrides.h"
#include "core/capture/pytorch_names.h"
#include "core/capture/script_observer.h"
#include "core/capture/tensor_world.h"
#include "core/capture/torch_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace cutaway::capture {

namespace {

using Self = const BuiltinObj&;
using Args = const Arguments&;

Val printCall(Interp& in, Self, Args args) {
    std::string separator = " ", end = "\n";
    Val file;
    for (const auto& [name, value] : args.keywords) {
        if (name->text == "sep" && !value.isNone())
            separator = wantStr(in, value, "sep");
        else if (name->text == "end" && !value.isNone())
            end = wantStr(in, value, "end");
        else if (name->text == "file")
            file = value;
        else if (name->text != "flush" && name->text != "sep" && name->text != "end")
            in.raise(Error::Type,
                     fmt::format("'{}' is an invalid keyword argument for print()", name->text));
    }
    if (!file.bound() || file.isNone()) {
        DictObj& sys = *in.module("sys")->attributes;
        const Val* now = sys.find(std::string_view("stdout"));
        const Val* usual = sys.find(std::string_view("__stdout__"));
        if (now && usual && !now->identical(*usual)) file = *now;
        if (now && now->isNone()) return Val::none();
    }
    if (file.bound() && !file.isNone()) { // part by part, as Python writes
        const auto write = [&](const std::string& part) {
            in.callMethod(file, "write", {in.str(part)});
        };
        for (size_t i = 0; i < args.positional.size(); ++i) {
            if (i) write(separator);
            write(in.text(args.positional[i]));
        }
        write(end);
        return Val::none();
    }
    std::string out;
    for (size_t i = 0; i < args.positional.size(); ++i) {
        if (i) in.append(out, separator);
        in.append(out, in.text(args.positional[i]));
    }
    in.append(out, end);
    in.print(out);
    return Val::none();
}

Val len(Interp& in, Self, Args args) {
    const Val v = parseArguments(in, "len", args, {"obj"})[0];
    if (Val told = overriddenProtocol(in, "__len__", v); told.bound()) return told;
    if (auto* t = v.to<TensorObj>(); t && t->type().rank() > 0) {
        in.observer().readTensor(*t);
        return in.size(t->type().sizes[0]);
    }
    return Val::integer(in.length(v));
}

Val isinstance(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "isinstance", args, {"obj", "type"});
    return Val::boolean(in.isInstance(v[0], v[1]));
}

Val issubclass(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "issubclass", args, {"cls", "type"});
    return Val::boolean(in.isSubclass(v[0], v[1]));
}

Val enumerate(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "enumerate", args, {"iterable", "start="});
    auto* it = in.make<IteratorObj>(IteratorObj::Over::Enumerate);
    Val keep(it);
    it->parts = {in.iterate(v[0])};
    if (v[1].bound()) it->at = wantInt(in, v[1], "start");
    return keep;
}

Val zip(Interp& in, Self, Args args) {
    auto* it = in.make<IteratorObj>(IteratorObj::Over::Zip);
    Val keep(it);
    for (const Val& v : args.positional)
        it->parts.push_back(in.iterate(v));
    for (const auto& [name, value] : args.keywords) {
        if (name->text != "strict")
            in.raise(Error::Type,
                     fmt::format("zip() got an unexpected keyword argument '{}'", name->text));
        it->step = in.truthy(value) ? IteratorObj::kStrict : 1;
    }
    return keep;
}

Val mapping(Interp& in, Self self, Args args) {
    bool map = self.name == "map";
    if (args.positional.size() < 2 || (!map && args.positional.size() != 2))
        in.raise(Error::Type, fmt::format("{}() needs a function and an iterable", self.name));
    auto* it = in.make<IteratorObj>(map ? IteratorObj::Over::Map : IteratorObj::Over::Filter);
    Val keep(it);
    it->parts.push_back(args.positional[0]);
    for (const Val& v : args.positional.subspan(1))
        it->parts.push_back(in.iterate(v));
    return keep;
}

Val reversed(Interp& in, Self, Args args) {
    Val v = parseArguments(in, "reversed", args, {"sequence"})[0];
    if (Val* method = in.special(v, "__reversed__"))
        return in.call(in.bindMethod(*method, v, in.typeOf(v)), {});
    const bool sequence = v.is(Kind::List) || v.is(Kind::Tuple) || v.is(Kind::Str) ||
                          v.is(Kind::Range) || v.is(Kind::Dict) || v.is(Kind::View) ||
                          v.is(Kind::Bytes) || v.is(Kind::Tensor) || in.special(v, "__getitem__");
    if (!sequence)
        in.raise(Error::Type, fmt::format("'{}' object is not reversible", in.typeName(v)));
    auto* it = in.make<IteratorObj>(IteratorObj::Over::Reversed);
    Val keep(it);
    it->parts = {v.is(Kind::Dict) || v.is(Kind::View) ? in.list(in.items(v)) : v};
    it->at = in.length(v) - 1;
    return keep;
}

Val iter(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "iter", args, {"iterable", "sentinel="});
    if (!v[1].bound()) return in.iterate(v[0]);
    auto* it = in.make<IteratorObj>(IteratorObj::Over::Sentinel);
    Val keep(it);
    it->parts = {v[0], v[1]};
    return keep;
}

Val nextCall(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "next", args, {"iterator", "default="});
    in.mutating(v[0].isObject() ? v[0].object() : in.intern(""), "an iterator");
    Val out, result;
    if (in.next(v[0], out, &result)) {
        if (auto* g = v[0].to<GeneratorObj>(); g && g->captured) in.observer().steppedGenerator(*g);
        return out;
    }
    if (v[1].bound()) return v[1];
    std::vector<Val> carried;
    if (result.bound() && !result.isNone()) carried.push_back(result);
    in.raisePython(Error::StopIteration, carried, "the iterator has no more items");
}

Val sum(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "sum", args, {"iterable", "start="});
    Val total = v[1].bound() ? v[1] : Val::integer(0);
    if (total.is(Kind::Str))
        in.raise(Error::Type, "sum() can't sum strings [use ''.join(seq) instead]");
    Val it = in.iterate(v[0]), item;
    while (in.next(it, item))
        total = in.binary(BinaryOp::Add, total, item);
    return total;
}

/// Of numbers of which one is a graph's; unbound where that needs them.
Val extremeOfTwo(Interp& in, bool greatest, const Val& a, const Val& b) {
    const auto compute = [&] { return graphExtreme(in, greatest, a, b); };
    const bool told = in.torchOverrides.calls && (a.is(Kind::Number) || b.is(Kind::Number));
    return told ? in.torchOverrides.calls->operation(greatest ? "sym_max" : "sym_min", {a, b},
                                                     compute)
                : compute();
}

Val extreme(Interp& in, Self self, Args args) {
    bool wantMax = self.name == "max";
    Val key, fallback;
    for (const auto& [name, value] : args.keywords) {
        if (name->text == "key")
            key = value;
        else if (name->text == "default")
            fallback = value;
        else
            in.raise(Error::Type, fmt::format("{}() got an unexpected keyword argument '{}'",
                                              self.name, name->text));
    }
    if (args.positional.empty())
        in.raise(Error::Type, fmt::format("{} expected at least 1 argument, got 0", self.name));
    if (args.positional.size() > 1 && fallback.bound())
        in.raise(Error::Type, fmt::format("{}() of several arguments takes no default", self.name));
    std::vector<Val> values =
        args.positional.size() == 1
            ? in.items(args.positional[0])
            : std::vector<Val>(args.positional.begin(), args.positional.end());
    if (values.empty()) {
        if (fallback.bound()) return fallback;
        in.raisePython(Error::Value, fmt::format("{}() arg is an empty sequence", self.name),
                       fmt::format("{}() of nothing", self.name), "give default=");
    }
    // Of numbers in tensors whose values are not known, an operation tells.
    const bool plain = key.bound() && !key.isNone() ? false : values.size() == 2;
    if (plain && !in.world().comparesElements()) {
        auto single = [](const Val& v) {
            return v.is(Kind::Tensor) && v.as<TensorObj>()->type().rank() == 0;
        };
        const bool first = single(values[0]), second = single(values[1]);
        if (first && second)
            return in.operation(wantMax ? "maximum" : "minimum", {values[0], values[1]});
        if ((first && values[1].isNumber()) || (second && values[0].isNumber()))
            return in.operation(wantMax ? "clamp_min" : "clamp_max",
                                {values[first ? 0 : 1], values[first ? 1 : 0]});
    }
    const bool computed =
        std::ranges::any_of(values, [](const Val& v) { return v.is(Kind::Number); });
    if (computed && !(key.bound() && !key.isNone())) {
        Val found = values[0];
        for (size_t i = 1; i < values.size() && found.bound(); ++i)
            found = extremeOfTwo(in, wantMax, found, values[i]);
        if (found.bound()) return found;
    }
    Val best = values[0], bestKey = key.bound() && !key.isNone() ? in.call(key, {best}) : best;
    for (size_t i = 1; i < values.size(); ++i) {
        in.tick();
        Val k = key.bound() && !key.isNone() ? in.call(key, {values[i]}) : values[i];
        if (wantMax ? in.less(bestKey, k) : in.less(k, bestKey)) {
            best = values[i];
            bestKey = k;
        }
    }
    return best;
}

Val absolute(Interp& in, Self, Args args) {
    Val v = parseArguments(in, "abs", args, {"x"})[0];
    if (v.isFloat()) return Val::real(std::fabs(v.asFloat()));
    if (auto* number = v.to<NumberObj>()) return graphMagnitude(in, *number);
    if (v.is(Kind::Symbol)) return in.less(v, Val::integer(0)) ? in.unary(UnaryOp::Negate, v) : v;
    if (v.is(Kind::Truth)) v = in.plain(v);
    if (Val* method = in.special(v, "__abs__"))
        return in.call(in.bindMethod(*method, v, in.typeOf(v)), {});
    if (auto* real = v.to<RealObj>()) return Val::real(std::fabs(real->value));
    if (isInteger(v))
        return compareIntegers(v, Val::integer(0)) < 0 ? negated(in, v)
                                                       : in.unary(UnaryOp::Plus, v);
    if (Val told = overriddenProtocol(in, "abs", v); told.bound()) return told;
    if (v.is(Kind::Tensor)) return in.operation("abs", {v});
    if (auto* z = v.to<ComplexObj>()) return Val::real(std::hypot(z->real, z->imaginary));
    in.raisePython(Error::Type, fmt::format("bad operand type for abs(): '{}'", in.typeName(v)),
                   fmt::format("abs() of a {}", in.typeName(v)));
}

Val anyAll(Interp& in, Self self, Args args) {
    bool any = self.name == "any";
    Val it = in.iterate(parseArguments(in, self.name, args, {"iterable"})[0]), v;
    while (in.next(it, v))
        if (in.truthy(v) == any) return Val::boolean(any);
    return Val::boolean(!any);
}

Val sorted(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "sorted", args, {"iterable", "*", "key=", "reverse="});
    Val result = in.list(in.items(v[0]));
    std::vector<std::pair<StrObj*, Val>> keywords;
    if (v[1].bound()) keywords.emplace_back(in.intern("key"), v[1]);
    if (v[2].bound()) keywords.emplace_back(in.intern("reverse"), v[2]);
    in.call(in.getAttr(result, in.intern("sort")), {}, keywords);
    return result;
}

Val getattr(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "getattr", args, {"object", "name", "default="});
    StrObj* name = in.intern(wantStr(in, v[1], "the attribute's name"));
    if (!v[2].bound()) return in.getAttr(v[0], name);
    Val found;
    try {
        found = in.tryAttr(v[0], name);
    } catch (ScriptError& error) {
        if (!error.exception.bound() ||
            !in.isInstance(error.exception, Val(in.errorClass(Error::Attribute))))
            throw;
    }
    return found.bound() ? found : v[2];
}

Val hasattr(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "hasattr", args, {"object", "name"});
    StrObj* name = in.intern(wantStr(in, v[1], "the attribute's name"));
    try {
        return Val::boolean(in.tryAttr(v[0], name).bound());
    } catch (ScriptError& error) {
        if (!error.exception.bound() ||
            !in.isInstance(error.exception, Val(in.errorClass(Error::Attribute))))
            throw;
        return Val::boolean(false);
    }
}

Val setattr(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "setattr", args, {"object", "name", "value"});
    in.setAttr(v[0], in.intern(wantStr(in, v[1], "the attribute's name")), v[2]);
    return Val::none();
}

Val delattr(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "delattr", args, {"object", "name"});
    in.deleteAttr(v[0], in.intern(wantStr(in, v[1], "the attribute's name")));
    return Val::none();
}

Val callable(Interp& in, Self, Args args) {
    Val v = parseArguments(in, "callable", args, {"obj"})[0];
    bool yes = v.is(Kind::Function) || v.is(Kind::Method) || v.is(Kind::Builtin) ||
               v.is(Kind::Class) || v.is(Kind::Compiled);
    if (auto* instance = v.to<InstanceObj>())
        yes = instance->type->module || in.classAttr(*instance->type, "__call__");
    yes |= v.is(Kind::StaticMethod);
    return Val::boolean(yes);
}

Val reprCall(Interp& in, Self, Args args) {
    return in.str(in.repr(parseArguments(in, "repr", args, {"obj"})[0]));
}
} // namespace

uint64_t publicHash(Interp& in, const Val& v) {
    constexpr int kSpare = 3; // an int of so many bits is its own hash: what __hash__ gives on
    in.checkStack();
    in.tick();
    if (in.hashesItself(v) && !v.is(Kind::Tuple))
        return static_cast<uint64_t>(static_cast<int64_t>(in.hash(v)) >> 1);
    if (const auto h = settledHash(v)) return static_cast<uint64_t>(*h);
    if (auto* set = v.to<SetObj>()) {
        uint64_t all = 1;
        for (const Val& item : in.items(Val(set)))
            all += publicHash(in, item) * 0x9e3779b97f4a7c15ull;
        return all >> kSpare;
    }
    if (auto* s = v.to<StrObj>()) return base::Hasher().add(s->text).word() >> kSpare;
    if (auto* b = v.to<BytesObj>(); b && !b->changeable)
        return base::Hasher().add(b->bytes).word() >> kSpare;
    if (auto* tuple = v.to<TupleObj>()) {
        base::Hasher all;
        for (const Val& item : tuple->items)
            all.add(publicHash(in, item));
        return all.word() >> kSpare;
    }
    if (in.hashesItself(v)) return in.hash(v);
    if (v.isObject()) return base::Hasher().add(v.object()->serial).word() >> kSpare;
    bool whole =
        v.isFloat() && v.asFloat() == std::floor(v.asFloat()) && std::fabs(v.asFloat()) < 9e18;
    return base::Hasher()
        .add(static_cast<uint64_t>(whole ? static_cast<int64_t>(v.asFloat()) : v.bits()))
        .word();
}
namespace {

Val identity(Interp& in, Self, Args args) {
    Val v = parseArguments(in, "id", args, {"obj"})[0];
    if (v.isObject()) in.observer().readIdentity(v.object());
    return Val::integer(v.isObject() ? static_cast<int64_t>(v.object()->serial)
                                     : static_cast<int64_t>(publicHash(in, v)));
}
Val hashing(Interp& in, Self, Args args) {
    Val v = parseArguments(in, "hash", args, {"obj"})[0];
    in.hash(v); // refuses what has none
    return Val::integer(static_cast<int64_t>(publicHash(in, v)));
}

/// \p x to a multiple of 10 to the \p zeros: the nearest, of two the even one.
Val roundedToZeros(Interp& in, const Val& x, int64_t zeros) {
    const Val scale =
        integers(in, BinaryOp::Pow, Val::integer(10), Val::integer(std::min<int64_t>(zeros, 4000)));
    Val quotient = integers(in, BinaryOp::FloorDiv, x, scale),
        rest = integers(in, BinaryOp::Mod, x, scale);
    const int order = compareIntegers(integers(in, BinaryOp::Mul, rest, Val::integer(2)), scale);
    const bool odd = !integerIsZero(integers(in, BinaryOp::And, quotient, Val::integer(1)));
    if (order > 0 || (order == 0 && odd))
        quotient = integers(in, BinaryOp::Add, quotient, Val::integer(1));
    return integers(in, BinaryOp::Mul, quotient, scale);
}

Val rounded(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "round", args, {"number", "ndigits="});
    if (Val* method = in.special(v[0], "__round__")) {
        std::vector<Val> given;
        if (v[1].bound()) given.push_back(v[1]);
        return in.call(in.bindMethod(*method, v[0], in.typeOf(v[0])), given);
    }
    if (v[0].is(Kind::Real)) v[0] = plainNumber(v[0]);
    if (!v[0].isFloat() && !isInteger(v[0]))
        in.raisePython(
            Error::Type, fmt::format("type {} doesn't define __round__ method", in.typeName(v[0])),
            fmt::format("round()'s number must be a number, found {}", in.typeName(v[0])));
    const bool digitsGiven = v[1].bound() && !v[1].isNone();
    int64_t digits = digitsGiven ? wantInt(in, v[1], "ndigits") : 0;
    if (isInteger(v[0]))
        return digits < 0 ? roundedToZeros(in, v[0], -digits) : in.unary(UnaryOp::Plus, v[0]);
    double x = v[0].asFloat();
    if (!digitsGiven) return integerOf(in, std::nearbyint(x));
    digits = std::clamp<int64_t>(digits, -400, 400);
    if (!std::isfinite(x)) return v[0];
    if (digits < 0) {
        double scale = std::pow(10.0, static_cast<double>(-digits));
        return Val::real(std::nearbyint(x / scale) * scale);
    }
    return Val::real(std::strtod(fmt::format("{:.{}f}", x, digits).c_str(), nullptr));
}

Val divmod(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "divmod", args, {"a", "b"});
    if (Val* method = in.special(v[0], "__divmod__"))
        return in.call(in.bindMethod(*method, v[0], in.typeOf(v[0])), {v[1]});
    const auto isNumber = [](const Val& x) {
        return x.isNumber() || x.is(Kind::Integer) || x.is(Kind::Real) || x.is(Kind::Symbol) ||
               x.is(Kind::Number);
    };
    if (!(isNumber(v[0]) && isNumber(v[1])) && !in.special(v[1], "__rdivmod__"))
        in.raise(Error::Type, fmt::format("unsupported operand type(s) for divmod(): '{}' and '{}'",
                                          in.typeName(v[0]), in.typeName(v[1])));
    if ((v[0].isFloat() || v[1].isFloat()) && v[1].isNumber() && !in.truthy(v[1]))
        in.raise(Error::ZeroDivision, "float divmod()");
    return in.tuple(
        {in.binary(BinaryOp::FloorDiv, v[0], v[1]), in.binary(BinaryOp::Mod, v[0], v[1])});
}
Val power(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "pow", args, {"base", "exp", "mod="});
    if (!v[2].bound() || v[2].isNone()) return in.binary(BinaryOp::Pow, v[0], v[1]);
    if (const Val* own = in.special(v[0], "__pow__"); own && v[0].is(Kind::Instance))
        return in.call(in.bindMethod(*own, v[0], in.typeOf(v[0])), {v[1], v[2]});
    if (!isInteger(v[0]) || !isInteger(v[1]) || !isInteger(v[2]))
        in.raise(Error::Type, "pow() 3rd argument not allowed unless all arguments are integers");
    return integerPower(in, v[0], v[1], v[2]);
}
Val character(Interp& in, Self, Args args) {
    int64_t code = wantInt(in, parseArguments(in, "chr", args, {"code"})[0], "the code");
    if (code < 0 || code > 0x10ffff) in.raise(Error::Value, "chr() arg not in range(0x110000)");
    if (code >= 0xd800 && code <= 0xdfff)
        in.raise(Error::Value, "chr() of half a surrogate pair, which is no character");
    return in.str(*frontend::decodeEscapes(fmt::format("\\U{:08x}", code)));
}
Val ordinal(Interp& in, Self, Args args) {
    std::string s = wantStr(in, parseArguments(in, "ord", args, {"character"})[0], "the character");
    if (s.empty() || in.length(in.str(s)) != 1)
        in.raise(Error::Type,
                 fmt::format("ord() expected a character, but string of length {} found",
                             in.length(in.str(s))));
    auto byte = [&](size_t i) { return static_cast<int64_t>(static_cast<unsigned char>(s[i])); };
    if (s.size() == 1) return Val::integer(byte(0));
    int64_t code = byte(0) & (0xff >> (s.size() + 1));
    for (size_t i = 1; i < s.size(); ++i)
        code = (code << 6) | (byte(i) & 0x3f);
    return Val::integer(code);
}

Val superCall(Interp& in, Self, Args args) {
    auto* super = in.make<SuperObj>();
    Val keep(super);
    if (!args.positional.empty()) {
        auto v = parseArguments(in, "super", args, {"class", "object"});
        if (!v[0].is(Kind::Class)) in.raise(Error::Type, "super() needs a class and an object");
        super->after = Ref<ClassObj>(v[0].as<ClassObj>());
        super->self = v[1];
    } else {
        Frame* frame = in.top();
        if (!frame || !frame->function || !frame->function->definingClass.bound() ||
            frame->code->positional == 0)
            in.raise(Error::Runtime, "super() outside a method",
                     "call it in a function of a class, or write super(Class, self)");
        if (!frame->locals[0].bound())
            in.raise(Error::Runtime, "super() in a method whose first parameter was deleted");
        super->after = Ref<ClassObj>(frame->function->definingClass.as<ClassObj>());
        super->self = frame->locals[0];
    }
    auto* type = super->self.to<ClassObj>();
    if (!(type && type->isSubclassOf(super->after.get())) &&
        !in.isInstance(super->self, super->after))
        in.raise(Error::Type, fmt::format("super() of a {}, expected an instance of {}",
                                          in.typeName(super->self), super->after->name));
    return keep;
}

Val baseText(Interp& in, Self self, Args args) {
    Val v = in.plain(parseArguments(in, self.name, args, {"number"})[0]);
    if (Val* index = in.special(v, "__index__"); index && !v.is(Kind::Integer))
        v = in.call(in.bindMethod(*index, v, in.typeOf(v)), {});
    if (!isInteger(v))
        in.raise(Error::Type,
                 fmt::format("'{}' object cannot be interpreted as an integer", in.typeName(v)));
    const int base = self.name == "hex" ? 16 : self.name == "oct" ? 8 : 2;
    std::string digits = integerText(in, v, base);
    const bool negative = digits[0] == '-';
    const char* prefix = base == 16 ? "0x" : base == 8 ? "0o" : "0b";
    return in.str((negative ? "-" : "") + std::string(prefix) + digits.substr(negative ? 1 : 0));
}

Val asciiCall(Interp& in, Self, Args args) {
    return in.str(asciiText(in.repr(parseArguments(in, "ascii", args, {"obj"})[0])));
}

Val formatCall(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "format", args, {"value", "spec="});
    return in.str(in.format(v[0], v[1].bound() ? wantStr(in, v[1], "the specification") : ""));
}

Val varsCall(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "vars", args, {"object="});
    if (!v[0].bound()) return in.localNames();
    Val names = in.tryAttr(v[0], in.intern("__dict__"));
    if (!names.bound()) in.raise(Error::Type, "vars() argument must have __dict__ attribute");
    return names;
}

/// What objects have without an entry of their own: every object's names; of torch and of tensors
/// those that are looked up by need.
void addUnwritten(Interp& in, const Val& object, std::vector<std::string>& names) {
    if (auto* compiled = object.to<CompiledObj>())
        return addUnwritten(in, compiled->original, names);
    const bool type = object.is(Kind::Class);
    auto* module = object.to<ModuleObj>();
    if (!module)
        for (const char* each :
             {"__class__",   "__delattr__", "__dir__",           "__doc__",         "__eq__",
              "__format__",  "__ge__",      "__getattribute__",  "__getstate__",    "__gt__",
              "__hash__",    "__init__",    "__init_subclass__", "__le__",          "__lt__",
              "__ne__",      "__new__",     "__reduce__",        "__reduce_ex__",   "__repr__",
              "__setattr__", "__sizeof__",  "__str__",           "__subclasshook__"})
            names.emplace_back(each);
    if (type ? !object.as<ClassObj>()->native : object.is(Kind::Instance))
        for (const char* each : {"__dict__", "__module__", "__weakref__"})
            names.emplace_back(each);
    const bool tensor =
        object.is(Kind::Tensor) || (type && object.as<ClassObj>()->isSubclassOf(in.tensorClass()));
    const std::string owner = module ? module->name : tensor ? "torch.Tensor" : "";
    std::istringstream words{std::string(pytorchNames(owner))};
    for (std::string word; words >> word;)
        if (in.tryAttr(object, in.intern(word)).bound()) names.push_back(word);
}

Val dirCall(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "dir", args, {"object="});
    std::vector<Val> names;
    if (!v[0].bound()) {
        names = in.items(in.localNames());
    } else if (Val* hook = in.special(v[0], "__dir__")) {
        names = in.items(in.call(in.bindMethod(*hook, v[0], in.typeOf(v[0])), {}));
    } else {
        std::vector<std::string> all = in.attributeNames(v[0]);
        addUnwritten(in, v[0], all);
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        for (std::string& name : all)
            names.push_back(in.str(std::move(name)));
    }
    Val list = in.list(std::move(names));
    in.callMethod(list, "sort", {});
    return list;
}

Val globalsCall(Interp& in, Self, Args) {
    return in.top() ? in.top()->globals.val() : Val::none();
}
Val localsCall(Interp& in, Self, Args) {
    return in.localNames();
}

Val evaluateCall(Interp& in, Self self, Args args) {
    auto v = parseArguments(in, self.name, args, {"source", "globals=", "locals="});
    Ref<DictObj> names = in.top() ? in.top()->globals : Ref<DictObj>();
    if (auto* given = v[1].bound() ? v[1].to<DictObj>() : nullptr) {
        names = Ref<DictObj>(given);
    } else if (in.top() && in.top()->function) { // sees the local variables, too
        Val both(in.make<DictObj>());
        both.as<DictObj>()->restore(names->contents());
        Val local = in.localNames();
        for (const auto& e : local.as<DictObj>()->entries())
            if (e.live()) both.as<DictObj>()->set(e.key, e.hash, e.value);
        names = Ref<DictObj>(both.as<DictObj>());
    }
    if (auto* local = v[2].bound() ? v[2].to<DictObj>() : nullptr) {
        Val both(in.make<DictObj>());
        both.as<DictObj>()->restore(names->contents());
        for (const auto& e : local->entries())
            if (e.live()) both.as<DictObj>()->set(e.key, e.hash, e.value);
        names = Ref<DictObj>(both.as<DictObj>());
    }
    const bool expression = self.name == "eval";
    Val result = in.evaluate(wantStr(in, v[0], "the source"), names, expression);
    return expression ? result : Val::none();
}

Val exitCall(Interp& in, Self f, Args a) {
    const Val status = parseArguments(in, f.text, a, {"code="})[0];
    const Val ends(in.errorClass(Error::SystemExit));
    in.raise(status.bound() ? in.call(ends, {status}) : in.call(ends, {}));
}

Val importCall(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "__import__", args,
                            {"name", "globals=", "locals=", "fromlist=", "level="});
    const std::string name = wantStr(in, v[0], "the module's name");
    const Val module = in.import(name);
    const bool leaf = v[3].bound() && in.truthy(v[3]);
    return leaf ? module : in.import(name.substr(0, name.find('.')));
}

Val unavailable(Interp& in, Self self, Args) {
    const bool file = self.name == "open";
    in.raise(file ? Error::OS : Error::Runtime, fmt::format("{}() is not available", self.name),
             self.text);
}

} // namespace

void Interp::setUpBuiltins() {
    auto function = [&](const char* name, BuiltinFunction f, const char* stops = nullptr) {
        builtins_->set(intern(name), builtin(name, f, stops));
    };
    function("print", printCall, "writes text");
    function("len", len);
    function("isinstance", isinstance);
    function("issubclass", issubclass);
    function("enumerate", enumerate);
    function("zip", zip);
    function("map", mapping);
    function("filter", mapping);
    function("reversed", reversed);
    function("iter", iter);
    function("next", nextCall);
    function("sum", sum);
    function("min", extreme);
    function("max", extreme);
    for (const char* name : {"isinstance", "min", "max"})
        builtins_->find(intern(name))->as<BuiltinObj>()->takesSymbols = true;
    function("abs", absolute);
    builtins_->find(intern("abs"))->as<BuiltinObj>()->takesSymbols = true;
    function("any", anyAll);
    function("all", anyAll);
    function("sorted", sorted);
    function("getattr", getattr);
    function("hasattr", hasattr);
    function("setattr", setattr);
    function("delattr", delattr);
    function("callable", callable);
    function("repr", reprCall);
    function("id", identity);
    function("hash", hashing);
    function("round", rounded);
    function("divmod", divmod);
    function("pow", power);
    function("chr", character);
    function("ord", ordinal);
    for (const char* name : {"bin", "oct", "hex"})
        function(name, baseText);
    function("ascii", asciiCall);
    function("format", formatCall);
    function("vars", varsCall);
    function("dir", dirCall);
    function("globals", globalsCall, "looks at all global variables");
    function("locals", localsCall, "looks at all local variables");
    function("eval", evaluateCall, "runs a text");
    function("exec", evaluateCall, "runs a text");
    function("__import__", importCall);
    function("exit", exitCall, "ends the script");
    function("quit", exitCall, "ends the script");
    function("super", superCall);
    for (auto [name, why] : {std::pair{"open", "scripts touch no files"},
                             {"input", "scripts read no input"},
                             {"compile", "use torch.compile for functions of tensors"}}) {
        Val f = builtin(name, unavailable);
        f.as<BuiltinObj>()->text = why;
        builtins_->set(intern(name), f);
    }
    builtins_->set(intern("NotImplemented"), Val::notImplemented());
    builtins_->set(intern("Ellipsis"), Val::ellipsis());
    builtins_->set(intern("__name__"), str("__main__"));
    builtins_->set(intern("__debug__"), Val::boolean(true));
    setUpTypes();
}

Val Interp::localNames() {
    if (!top_) return Val(make<DictObj>());
    if (top_->names) return top_->names.val();
    Val names(make<DictObj>());
    const Code& code = *top_->code;
    auto add = [&](const std::string& name, const Val& v) {
        if (v.bound() && name.find('@') == std::string::npos)
            names.as<DictObj>()->set(intern(name), v);
    };
    for (size_t i = 0; i < code.locals.size(); ++i) {
        if (!top_->unread.empty()) readLocal(*top_, i);
        add(code.locals[i], top_->locals[i]);
    }
    for (size_t i = 0; i < code.cells.size(); ++i)
        add(code.cells[i], top_->cells[i].as<CellObj>()->value);
    return names;
}

/// dict.update(): a mapping or pairs, and keywords.
void Interp::updateDict(DictObj& dict, const Arguments& given) {
    Val keep(&dict);
    for (const Val& from : given.positional) {
        if (from.is(Kind::Dict) || tryAttr(from, intern("keys")).bound()) {
            const bool plainDict = from.is(Kind::Dict) && !special(from, "__iter__");
            for (const Val& key : items(from.is(Kind::Dict) ? from : callMethod(from, "keys", {})))
                dictSet(dict, key, plainDict ? getItemOfBuiltin(from, key) : getItem(from, key));
            continue;
        }
        size_t at = 0;
        for (const Val& pair : items(from)) {
            if (!pair.isObject())
                raisePython(Error::Type,
                            fmt::format("cannot convert dictionary update sequence element #{} to "
                                        "a sequence",
                                        at),
                            "dict() needs pairs of key and value");
            std::vector<Val> two = items(pair);
            if (two.size() != 2)
                raisePython(
                    Error::Value,
                    fmt::format("dictionary update sequence element #{} has length {}; 2 is "
                                "required",
                                at, two.size()),
                    "dict() needs pairs of key and value");
            dictSet(dict, two[0], two[1]);
            ++at;
        }
    }
    for (const auto& [name, value] : given.keywords)
        dictSet(dict, Val(name), value);
}

} // namespace cutaway::capture
