// SPDX-License-Identifier: Apache-2.0
// Python's built-in functions and types.
#include "core/base/hash.h"
#include "core/capture/capture.h"
#include "core/capture/interp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cutaway::capture {

namespace {

using Self = const BuiltinObj&;
using Args = const Arguments&;

Val printCall(Interp& in, Self, Args args) {
    std::string separator = " ", end = "\n";
    for (const auto& [name, value] : args.keywords) {
        if (name->text == "sep" && !value.isNone())
            separator = wantStr(in, value, "sep");
        else if (name->text == "end" && !value.isNone())
            end = wantStr(in, value, "end");
        else if (name->text == "file")
            in.raise(Error::Type, "print() cannot write to files",
                     "scripts touch no files; remove file=");
        else if (name->text != "flush" && name->text != "sep" && name->text != "end")
            in.raise(Error::Type, fmt::format("print() has no parameter '{}'", name->text));
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

Val range(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "range", args, {"start", "stop=", "step="});
    auto* r = in.make<RangeObj>();
    Val keep(r);
    r->stop = wantInt(in, v[0], "range()'s argument");
    if (v[1].bound()) {
        r->start = r->stop;
        r->stop = wantInt(in, v[1], "range()'s argument");
    }
    if (v[2].bound()) r->step = wantInt(in, v[2], "range()'s step");
    if (r->step == 0) in.raise(Error::Value, "range()'s step is 0");
    constexpr int64_t kLimit = int64_t{1} << 62;
    auto fits = [](int64_t bound) { return bound >= -kLimit && bound <= kLimit; };
    int64_t span;
    if (!fits(r->start) || !fits(r->stop) || !fits(r->step) ||
        __builtin_sub_overflow(r->stop, r->start, &span) ||
        __builtin_sub_overflow(r->start, r->stop, &span))
        in.raise(Error::Overflow, "range() is too large",
                 "a range has fewer than 2 ** 63 items, from -2 ** 62 to 2 ** 62");
    return keep;
}

Val len(Interp& in, Self, Args args) {
    const Val v = parseArguments(in, "len", args, {"obj"})[0];
    if (auto* t = v.to<TensorObj>(); t && in.capture() && t->type().rank() > 0) {
        in.capture()->readTensor(*t);
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
    auto *a = v[0].to<ClassObj>(), *b = v[1].to<ClassObj>();
    if (!a || !b) in.raise(Error::Type, "issubclass() needs two classes");
    return Val::boolean(a->isSubclassOf(b));
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
            in.raise(Error::Type, fmt::format("zip() has no parameter '{}'", name->text));
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
    if (v.is(Kind::Set)) in.raise(Error::Type, "a set has no order to reverse");
    auto* it = in.make<IteratorObj>(IteratorObj::Over::Reversed);
    Val keep(it);
    it->parts = {v.is(Kind::Dict) ? in.list(in.items(v)) : v};
    it->at = in.length(v) - 1;
    return keep;
}

Val iter(Interp& in, Self, Args args) {
    return in.iterate(parseArguments(in, "iter", args, {"iterable"})[0]);
}

Val nextCall(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "next", args, {"iterator", "default="});
    in.mutating(v[0].isObject() ? v[0].object() : in.intern(""), "an iterator");
    Val out;
    if (in.next(v[0], out)) return out;
    if (v[1].bound()) return v[1];
    in.raise(Error::StopIteration, "the iterator has no more items");
}

Val sum(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "sum", args, {"iterable", "start="});
    Val total = v[1].bound() ? v[1] : Val::integer(0);
    Val it = in.iterate(v[0]), item;
    while (in.next(it, item))
        total = in.binary(BinaryOp::Add, total, item);
    return total;
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
            in.raise(Error::Type, fmt::format("{}() has no parameter '{}'", self.name, name->text));
    }
    if (args.positional.empty())
        in.raise(Error::Type, fmt::format("{}() misses its argument", self.name));
    if (args.positional.size() > 1 && fallback.bound())
        in.raise(Error::Type, fmt::format("{}() of several arguments takes no default", self.name));
    std::vector<Val> values =
        args.positional.size() == 1
            ? in.items(args.positional[0])
            : std::vector<Val>(args.positional.begin(), args.positional.end());
    if (values.empty()) {
        if (fallback.bound()) return fallback;
        in.raise(Error::Value, fmt::format("{}() of nothing", self.name), "give default=");
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
    if (v.isIntegral())
        return v.asInt() < 0 ? in.unary(UnaryOp::Negate, v) : Val::integer(v.asInt());
    if (v.is(Kind::Tensor)) return in.operation("abs", {v});
    if (!v.is(Kind::Instance)) in.raise(Error::Type, fmt::format("abs() of a {}", in.typeName(v)));
    return in.callMethod(v, "__abs__", {});
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
    return Val::boolean(yes);
}

Val reprCall(Interp& in, Self, Args args) {
    return in.str(in.repr(parseArguments(in, "repr", args, {"obj"})[0]));
}
/// What hash() gives: the same in every run, unlike the keyed hashes of tables.
uint64_t publicHash(Interp& in, const Val& v) {
    in.checkStack();
    in.tick();
    if (auto* s = v.to<StrObj>()) return base::Hasher().add(s->text).word();
    if (auto* tuple = v.to<TupleObj>()) {
        base::Hasher all;
        for (const Val& item : tuple->items)
            all.add(publicHash(in, item));
        return all.word();
    }
    if (in.hashesItself(v)) return in.hash(v);
    if (v.isObject()) return base::Hasher().add(v.object()->serial).word();
    bool whole =
        v.isFloat() && v.asFloat() == std::floor(v.asFloat()) && std::fabs(v.asFloat()) < 9e18;
    return base::Hasher()
        .add(static_cast<uint64_t>(whole ? static_cast<int64_t>(v.asFloat()) : v.bits()))
        .word();
}
Val identity(Interp& in, Self, Args args) {
    Val v = parseArguments(in, "id", args, {"obj"})[0];
    if (in.capture() && v.isObject()) in.capture()->readIdentity(v.object());
    return Val::integer(v.isObject() ? static_cast<int64_t>(v.object()->serial)
                                     : static_cast<int64_t>(publicHash(in, v)));
}
Val hashing(Interp& in, Self, Args args) {
    Val v = parseArguments(in, "hash", args, {"obj"})[0];
    in.hash(v); // refuses what has none
    auto h = static_cast<int64_t>(publicHash(in, v));
    return Val::integer(h >> 1);
}

/// \p x to a multiple of 10 to the \p zeros: the nearest, of two the even one.
int64_t roundedToZeros(Interp& in, int64_t x, int64_t zeros) {
    constexpr int64_t kHalfOfTenToThe19 = 5'000'000'000'000'000'000;
    auto overflow = [&] {
        in.raise(Error::Overflow, "the rounded number does not fit in 64 bits");
    };
    if (zeros > 18) {
        if (zeros == 19 && (x > kHalfOfTenToThe19 || x < -kHalfOfTenToThe19)) overflow();
        return 0;
    }
    int64_t scale = 1;
    for (; zeros > 0; --zeros)
        scale *= 10;
    int64_t quotient = x / scale, rest = x % scale;
    if (rest < 0) {
        rest += scale;
        --quotient;
    }
    if (2 * rest > scale || (2 * rest == scale && quotient % 2 != 0)) ++quotient;
    int64_t result = 0;
    if (__builtin_mul_overflow(quotient, scale, &result)) overflow();
    return result;
}

Val rounded(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "round", args, {"number", "ndigits="});
    if (!v[0].isNumber())
        in.raise(Error::Type,
                 fmt::format("round()'s number must be a number, found {}", in.typeName(v[0])),
                 v[0].is(Kind::Tensor) ? "use torch.round" : "");
    double x = v[0].asFloat();
    if (!v[1].bound() || v[1].isNone()) {
        if (v[0].isIntegral()) return Val::integer(v[0].asInt());
        if (std::isnan(x)) in.raise(Error::Value, "round() of NaN");
        if (!(std::fabs(x) < 0x1p63))
            in.raise(Error::Overflow, "the rounded number does not fit in 64 bits");
        return Val::integer(static_cast<int64_t>(std::nearbyint(x)));
    }
    int digits = static_cast<int>(std::clamp<int64_t>(wantInt(in, v[1], "ndigits"), -300, 300));
    if (v[0].isIntegral())
        return Val::integer(digits < 0 ? roundedToZeros(in, v[0].asInt(), -digits) : v[0].asInt());
    if (digits < 0) {
        double scale = std::pow(10.0, -digits);
        return Val::real(std::nearbyint(x / scale) * scale);
    }
    return Val::real(std::strtod(fmt::format("{:.{}f}", x, digits).c_str(), nullptr));
}

Val divmod(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "divmod", args, {"a", "b"});
    if (v[0].is(Kind::Tensor) || v[1].is(Kind::Tensor))
        in.raise(Error::Type, "divmod() of a tensor", "use // and %");
    return in.tuple(
        {in.binary(BinaryOp::FloorDiv, v[0], v[1]), in.binary(BinaryOp::Mod, v[0], v[1])});
}
Val power(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "pow", args, {"base", "exp"});
    return in.binary(BinaryOp::Pow, v[0], v[1]);
}
Val character(Interp& in, Self, Args args) {
    int64_t code = wantInt(in, parseArguments(in, "chr", args, {"code"})[0], "the code");
    if (code < 0 || code > 0x10ffff)
        in.raise(Error::Value, "chr() needs a number from 0 to 0x10ffff");
    if (code >= 0xd800 && code <= 0xdfff)
        in.raise(Error::Value, "chr() of half a surrogate pair, which is no character");
    return in.str(*frontend::decodeEscapes(fmt::format("\\U{:08x}", code)));
}
Val ordinal(Interp& in, Self, Args args) {
    std::string s = wantStr(in, parseArguments(in, "ord", args, {"character"})[0], "the character");
    if (s.empty() || in.length(in.str(s)) != 1) in.raise(Error::Type, "ord() needs one character");
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

Val propertyCall(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "property", args, {"fget", "fset="});
    auto* p = in.make<PropertyObj>();
    p->getter = v[0];
    p->setter = v[1];
    return Val(p);
}
Val staticMethod(Interp& in, Self, Args args) {
    return Val(in.make<WrappedMethodObj>(
        Kind::StaticMethod, parseArguments(in, "staticmethod", args, {"function"})[0]));
}
Val classMethod(Interp& in, Self, Args args) {
    return Val(in.make<WrappedMethodObj>(Kind::ClassMethod,
                                         parseArguments(in, "classmethod", args, {"function"})[0]));
}

// ---- types

Val makeInt(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "int", args, {"x=", "base="});
    if (!v[0].bound()) return Val::integer(0);
    const Val& x = v[0];
    if (x.isIntegral()) return Val::integer(x.asInt());
    if (x.isFloat()) {
        double f = x.asFloat();
        if (std::isnan(f)) in.raise(Error::Value, "int() of NaN");
        if (!(std::fabs(f) < 0x1p63))
            in.raise(Error::Overflow, "the number does not fit in 64 bits");
        return Val::integer(static_cast<int64_t>(f));
    }
    if (x.is(Kind::Str)) {
        const std::string& s = x.as<StrObj>()->text;
        int base = v[1].bound() ? static_cast<int>(wantInt(in, v[1], "base")) : 10;
        if (base != 0 && (base < 2 || base > 36))
            in.raise(Error::Value, "base must be 0 or from 2 to 36");
        char* end = nullptr;
        errno = 0;
        long long value = std::strtoll(s.c_str(), &end, base);
        while (end && (*end == ' ' || *end == '\n'))
            ++end;
        if (s.empty() || end != s.c_str() + s.size())
            in.raise(Error::Value, fmt::format("{} is no integer", in.repr(x)));
        if (errno == ERANGE) in.raise(Error::Overflow, "the number does not fit in 64 bits");
        return Val::integer(value);
    }
    if (x.is(Kind::Tensor)) {
        Val scalar = in.scalarOf(*x.as<TensorObj>(), "int() of a tensor", Error::Value);
        return scalar.isFloat() ? Val::integer(static_cast<int64_t>(scalar.asFloat()))
                                : Val::integer(scalar.asInt());
    }
    if (in.tryAttr(x, in.intern("__int__")).bound()) return in.callMethod(x, "__int__", {});
    in.raise(Error::Type, fmt::format("int() of a {}", in.typeName(x)));
}

Val makeFloat(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "float", args, {"x="});
    if (!v[0].bound()) return Val::real(0);
    if (v[0].is(Kind::Str)) {
        std::string s = v[0].as<StrObj>()->text;
        std::erase_if(s, [](char c) { return c == ' ' || c == '_'; });
        char* end = nullptr;
        double f = std::strtod(s.c_str(), &end);
        if (s.empty() || end != s.c_str() + s.size())
            in.raise(Error::Value, fmt::format("{} is no number", in.repr(v[0])));
        return Val::real(f);
    }
    if (auto* t = v[0].to<TensorObj>())
        return Val::real(in.scalarOf(*t, "float() of a tensor", Error::Value).asFloat());
    return Val::real(wantFloat(in, v[0], "float()'s argument"));
}

Val makeBool(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "bool", args, {"x="});
    return Val::boolean(v[0].bound() && in.truthy(v[0]));
}
Val makeStr(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "str", args, {"object="});
    return in.str(v[0].bound() ? in.text(v[0]) : "");
}
Val makeList(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "list", args, {"iterable="});
    return in.list(v[0].bound() ? in.items(v[0]) : std::vector<Val>());
}
Val makeTuple(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "tuple", args, {"iterable="});
    return in.tuple(v[0].bound() ? in.items(v[0]) : std::vector<Val>());
}
Val makeSet(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "set", args, {"iterable="});
    auto* set = in.make<SetObj>();
    Val keep(set);
    if (v[0].bound())
        for (const Val& item : in.items(v[0]))
            in.put(*set, item, Val::none());
    return keep;
}
Val makeDict(Interp& in, Self, Args args) {
    auto* dict = in.make<DictObj>();
    Val keep(dict);
    for (const Val& from : args.positional) {
        if (from.is(Kind::Dict)) {
            for (const Val& key : in.items(from))
                in.put(*dict, key, in.getItem(from, key));
            continue;
        }
        for (const Val& pair : in.items(from)) {
            std::vector<Val> two = in.items(pair);
            if (two.size() != 2) in.raise(Error::Value, "dict() needs pairs of key and value");
            in.put(*dict, two[0], two[1]);
        }
    }
    for (const auto& [name, value] : args.keywords)
        dict->set(name, value);
    return keep;
}
Val makeType(Interp& in, Self, Args args) {
    Val v = parseArguments(in, "type", args, {"object"})[0];
    if (in.capture() && v.isObject()) in.capture()->readType(v.object());
    return Val(in.typeOf(v));
}
Val makeObject(Interp& in, Self, Args) {
    auto* o = in.make<InstanceObj>();
    Val keep(o);
    o->attributes = Ref<DictObj>(in.make<DictObj>());
    o->type = Ref<ClassObj>(in.objectClass());
    return keep;
}
Val makeSlice(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "slice", args, {"start", "stop=", "step="});
    auto* s = in.make<SliceObj>();
    s->start = v[1].bound() ? v[0] : Val::none();
    s->stop = v[1].bound() ? v[1] : v[0];
    s->step = v[2].bound() ? v[2] : Val::none();
    return Val(s);
}

Val exceptionInit(Interp& in, Self, Args args) {
    if (args.positional.empty() || !args.positional[0].is(Kind::Instance))
        in.raise(Error::Type, "__init__ needs an exception");
    args.positional[0].as<InstanceObj>()->attributes->set(
        in.intern("args"), in.tuple({args.positional.begin() + 1, args.positional.end()}));
    return Val::none();
}

Val unsupported(Interp& in, Self self, Args) {
    in.raise(Error::Runtime, fmt::format("{}() is not available", self.name), self.text);
}

} // namespace

void Interp::setUpBuiltins() {
    auto function = [&](const char* name, BuiltinFunction f, const char* stops = nullptr) {
        builtins_->set(intern(name), builtin(name, f, stops));
    };
    function("print", printCall, "writes text");
    function("range", range);
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
    function("super", superCall);
    function("property", propertyCall);
    function("staticmethod", staticMethod);
    function("classmethod", classMethod);
    for (auto [name, why] : {std::pair{"open", "scripts touch no files"},
                             {"input", "scripts read no input"},
                             {"eval", "write the expression itself"},
                             {"exec", "write the statements themselves"},
                             {"compile", "use torch.compile for functions of tensors"},
                             {"__import__", "use an import statement"}}) {
        Val f = builtin(name, unsupported);
        f.as<BuiltinObj>()->text = why;
        builtins_->set(intern(name), f);
    }
    builtins_->set(intern("NotImplemented"), Val::notImplemented());
    builtins_->set(intern("__name__"), str("__main__"));
    builtins_->set(intern("__debug__"), Val::boolean(true));
    setUpTypes();
}

void Interp::setUpTypes() {
    auto type = [&](const char* name, BuiltinFunction make_, bool (*recognises)(const Val&),
                    bool global = true) {
        auto* c = make<ClassObj>(name);
        Ref<ClassObj> keep(c);
        c->attributes = Ref<DictObj>(make<DictObj>());
        c->order = {c};
        c->recognises = recognises;
        if (make_) c->constructor = builtin(name, make_);
        types_[name] = keep;
        if (global) builtins_->set(intern(name), keep.val());
        return keep;
    };
    objectClass_ = type("object", makeObject, [](const Val&) { return true; });
    objectClass_->attributes->set(
        intern("__init__"),
        builtin("object.__init__", [](Interp&, Self, Args) { return Val::none(); }));
    type("int", makeInt, [](const Val& v) { return v.isIntegral() || v.is(Kind::Symbol); });
    type("float", makeFloat, [](const Val& v) { return v.isFloat(); });
    type("bool", makeBool, [](const Val& v) { return v.isBool(); });
    type("str", makeStr, [](const Val& v) { return v.is(Kind::Str); });
    type("list", makeList, [](const Val& v) { return v.is(Kind::List); });
    type("tuple", makeTuple, [](const Val& v) { return v.is(Kind::Tuple); });
    type("dict", makeDict, [](const Val& v) { return v.is(Kind::Dict); });
    type("set", makeSet, [](const Val& v) { return v.is(Kind::Set); });
    type("frozenset", makeSet, [](const Val& v) { return v.is(Kind::Set); });
    type("range", range, [](const Val& v) { return v.is(Kind::Range); });
    type("slice", makeSlice, [](const Val& v) { return v.is(Kind::Slice); });
    type("type", makeType, [](const Val& v) { return v.is(Kind::Class); });
    type("NoneType", nullptr, [](const Val& v) { return v.isNone(); }, false);
    type("function", nullptr, [](const Val& v) { return v.is(Kind::Function); }, false);
    type("method", nullptr, [](const Val& v) { return v.is(Kind::Method); }, false);
    type("builtin_function", nullptr, [](const Val& v) { return v.is(Kind::Builtin); }, false);
    type("module", nullptr, [](const Val& v) { return v.is(Kind::Module); }, false);
    type("generator", nullptr, [](const Val& v) { return v.is(Kind::Generator); }, false);
    type("iterator", nullptr, [](const Val& v) { return v.is(Kind::Iterator); }, false);
    type("ellipsis", nullptr, [](const Val& v) { return v.tag() == Tag::Ellipsis; }, false);
    type(
        "NotImplementedType", nullptr, [](const Val& v) { return v.tag() == Tag::NotImplemented; },
        false);
    type("dtype", nullptr, [](const Val& v) { return v.tag() == Tag::DType; }, false);
    type("device", nullptr, [](const Val& v) { return v.tag() == Tag::Device; }, false);
    type(
        "Size", nullptr, [](const Val& v) { return v.is(Kind::Tuple) && v.as<TupleObj>()->size; },
        false);
    for (auto& e : errors_)
        if (e->bases.empty())
            e->attributes->set(intern("__init__"),
                               builtin("BaseException.__init__", exceptionInit));
}

} // namespace cutaway::capture
