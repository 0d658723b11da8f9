// SPDX-License-Identifier: Apache-2.0
// Python's built-in types and their constructors.
#include "core/capture/graph_numbers.h"
#include "core/capture/integers.h"
#include "core/capture/nan_identity.h"
#include "core/capture/overrides.h"
#include "core/capture/script_observer.h"
#include "core/capture/sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cutaway::capture {

namespace {

using Self = const BuiltinObj&;
using Args = const Arguments&;

Val range(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "range", args, {"start", "stop=", "step="});
    auto* r = in.make<RangeObj>();
    Val keep(r);
    const auto index = [&](const Val& given, const char* what) {
        auto* t = given.to<TensorObj>();
        const bool whole =
            t && ir::isIntegral(t->type().dtype) && t->type().dtype != ir::DType::Bool;
        return wantInt(in, whole && t->type().numel().is(1) ? in.scalarOf(*t, "an index") : given,
                       what);
    };
    r->stop = index(v[0], "range()'s argument");
    if (v[1].bound()) {
        r->start = r->stop;
        r->stop = index(v[1], "range()'s argument");
    }
    if (v[2].bound()) r->step = index(v[2], "range()'s step");
    if (r->step == 0) in.raise(Error::Value, "range() arg 3 must not be zero");
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

Val propertyCall(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "property", args, {"fget=", "fset=", "fdel=", "doc="});
    auto* p = in.make<PropertyObj>();
    p->getter = v[0].bound() ? v[0] : Val::none();
    if (v[1].bound() && !v[1].isNone()) p->setter = v[1];
    if (v[2].bound() && !v[2].isNone()) p->deleter = v[2];
    if (v[3].bound() && !v[3].isNone()) p->text = v[3];
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

bool isGraphNumber(const Val& v, ir::DType dtype) {
    auto* number = v.to<NumberObj>();
    return number && number->dtype() == dtype;
}

Val makeInt(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "int", args, {"x=", "base="});
    const int64_t base = v[1].bound() ? wantInt(in, v[1], "base") : 10;
    if (!v[0].bound() && v[1].bound()) in.raise(Error::Type, "int() missing string argument");
    if (!v[0].bound()) return Val::integer(0);
    const bool direct =
        v[0].is(Kind::Truth) || (v[0].is(Kind::Real) && !in.special(v[0], "__int__"));
    const Val x = direct ? in.plain(v[0]) : v[0];
    if (v[1].bound() && !in.plain(x).is(Kind::Str) && !x.is(Kind::Bytes))
        in.raise(Error::Type, "int() can't convert non-string with explicit base");
    if (Val told = overriddenProtocol(in, "__int__", x); told.bound()) return told;
    if (x.is(Kind::Symbol)) return x;
    if (auto* number = x.to<NumberObj>(); number && number->known)
        return integerOf(in, in.plain(x).asFloat());
    if (auto* number = x.to<NumberObj>()) return graphConverted(in, *number, ir::DType::Int64);
    if (Val* method = in.special(x, "__int__"); method && !x.is(Kind::Integer))
        return in.call(in.bindMethod(*method, x, in.typeOf(x)), {});
    if (isInteger(x)) return in.unary(UnaryOp::Plus, x);
    if (x.isFloat()) return integerOf(in, x.asFloat());
    if (x.is(Kind::Str) || x.is(Kind::Bytes)) {
        const std::string& s = x.is(Kind::Str) ? x.as<StrObj>()->text : x.as<BytesObj>()->bytes;
        if (base != 0 && (base < 2 || base > 36))
            in.raise(Error::Value, "int() base must be >= 2 and <= 36, or 0");
        Val n = parseInteger(in, s, static_cast<int>(base));
        if (!n.bound())
            in.raisePython(
                Error::Value,
                fmt::format("invalid literal for int() with base {}: {}", base, in.repr(x)),
                fmt::format("{} is no integer", in.repr(x)));
        return n;
    }
    for (const char* name : {"__index__", "__trunc__"})
        if (Val* method = in.special(x, name))
            return in.call(in.bindMethod(*method, x, in.typeOf(x)), {});
    if (x.is(Kind::Tensor)) {
        const Val scalar = realNumber(
            in, in.elementNumber(*x.as<TensorObj>(), "int() of a tensor", Error::Value), "int64_t");
        if (auto* number = scalar.to<NumberObj>())
            return graphConverted(in, *number, ir::DType::Int64);
        return scalar.isFloat() ? integerOf(in, scalar.asFloat()) : Val::integer(scalar.asInt());
    }
    in.raisePython(Error::Type,
                   fmt::format("int() argument must be a string, a bytes-like object or a real "
                               "number, not '{}'",
                               in.typeName(x)),
                   fmt::format("int() of a {}", in.typeName(x)));
}

Val makeFloat(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "float", args, {"x="});
    if (!v[0].bound()) return Val::real(0);
    if (v[0].is(Kind::Str)) {
        std::string s = v[0].as<StrObj>()->text;
        std::erase_if(s, [](char c) { return c == ' ' || c == '_' || c == '\n' || c == '\t'; });
        char* end = nullptr;
        double f = std::strtod(s.c_str(), &end);
        if (s.empty() || end != s.c_str() + s.size() || s.find_first_of("xX(") != s.npos)
            in.raisePython(Error::Value,
                           fmt::format("could not convert string to float: {}", in.repr(v[0])),
                           fmt::format("{} is no number", in.repr(v[0])));
        return newFloat(f);
    }
    if (Val told = overriddenProtocol(in, "__float__", v[0]); told.bound()) return told;
    if (auto* t = v[0].to<TensorObj>())
        v[0] = realNumber(in, in.elementNumber(*t, "float() of a tensor", Error::Value));
    if (v[0].is(Kind::Truth)) v[0] = in.plain(v[0]);
    if (auto* number = v[0].to<NumberObj>()) return graphConverted(in, *number, ir::DType::Float64);
    if (Val size = floatOfSize(in, v[0]); size.bound()) return size;
    const bool number = v[0].isNumber() || v[0].is(Kind::Symbol) || v[0].is(Kind::Integer) ||
                        v[0].is(Kind::Real) || in.special(v[0], "__float__") ||
                        in.special(v[0], "__index__");
    if (!number)
        in.raisePython(
            Error::Type,
            fmt::format("float() argument must be a string or a real number, not '{}'",
                        in.typeName(v[0])),
            fmt::format("float()'s argument must be a number, found {}", in.typeName(v[0])));
    return Val::real(wantFloat(in, v[0], "float()'s argument"));
}

Val makeBool(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "bool", args, {"x="});
    return Val::boolean(v[0].bound() && in.truthy(v[0]));
}
Val makeStr(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "str", args, {"object=", "encoding=", "errors="});
    if (v[1].bound() || v[2].bound()) {
        for (size_t i : {1, 2})
            if (v[i].bound()) wantStr(in, v[i], i == 1 ? "str()'s encoding" : "str()'s errors");
        if (!v[0].is(Kind::Bytes))
            in.raise(Error::Type, fmt::format("decoding to str: need a bytes-like object, {} found",
                                              in.typeName(v[0])));
        return in.callMethod(
            v[0], "decode",
            {v[1].bound() ? v[1] : in.str("utf-8"), v[2].bound() ? v[2] : in.str("strict")});
    }
    return in.str(v[0].bound() ? in.text(v[0]) : "");
}
/// "1+2j", "-j", "(3e4)": real and imaginary part.
std::optional<std::pair<double, double>> complexOf(std::string_view text) {
    constexpr std::string_view kSpace = " \t\n\r\f\v";
    const auto strip = [&] {
        const size_t first = text.find_first_not_of(kSpace);
        text = first == text.npos ? std::string_view()
                                  : text.substr(first, text.find_last_not_of(kSpace) - first + 1);
    };
    strip();
    if (text.starts_with('(') && text.ends_with(')')) {
        text = text.substr(1, text.size() - 2);
        strip();
    }
    const std::string whole(text);
    if (whole.find_first_of("xX \t\n\r\f\v") != whole.npos) return std::nullopt;
    const char* at = whole.c_str();
    const char* const stop = at + whole.size();
    const auto unit = [](char c) { return c == 'j' || c == 'J'; };
    const auto number = [&]() -> std::optional<double> {
        char* end = nullptr;
        const double read = std::strtod(at, &end);
        if (end != at) {
            at = end;
            return read;
        }
        const bool sign = *at == '+' || *at == '-';
        if (!unit(at[sign ? 1 : 0])) return std::nullopt;
        const double one = *at == '-' ? -1.0 : 1.0;
        at += sign ? 1 : 0;
        return one;
    };
    const std::optional<double> first = number();
    if (!first) return std::nullopt;
    if (at == stop) return std::pair(*first, 0.0);
    if (unit(*at)) return at + 1 == stop ? std::optional(std::pair(0.0, *first)) : std::nullopt;
    if (*at != '+' && *at != '-') return std::nullopt;
    const std::optional<double> second = number();
    if (!second || !unit(*at) || at + 1 != stop) return std::nullopt;
    return std::pair(*first, *second);
}

Val makeComplex(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "complex", args, {"real=", "imag="});
    if (auto* text = v[0].to<StrObj>()) {
        if (v[1].bound())
            in.raise(Error::Type, "complex() can't take second arg if first is a string");
        const auto parts = complexOf(text->text);
        if (!parts) in.raise(Error::Value, "complex() arg is a malformed string");
        return Val(in.make<ComplexObj>(parts->first, parts->second));
    }
    /// What is real has no imaginary part: nothing is added to it, so that its zeros keep their sign.
    struct Part {
        double real = 0;
        std::optional<double> imaginary;
    };
    auto part = [&](Val x) -> Part {
        if (!x.bound()) return {};
        if (Val* method = in.special(x, "__complex__"))
            x = in.call(in.bindMethod(*method, x, in.typeOf(x)), {});
        if (auto* z = x.to<ComplexObj>()) return {z->real, z->imaginary};
        return {wantFloat(in, x, "complex()'s argument"), std::nullopt};
    };
    for (Val& given : v)
        if (auto* tensor = given.to<TensorObj>())
            given = in.scalarOf(*tensor, "complex() of a tensor", Error::Value);
    const Part first = part(v[0]), second = part(v[1]);
    if (!v[1].bound()) return Val(in.make<ComplexObj>(first.real, first.imaginary.value_or(0.0)));
    const double real = second.imaginary ? first.real - *second.imaginary : first.real;
    return Val(
        in.make<ComplexObj>(real, first.imaginary ? second.real + *first.imaginary : second.real));
}
Val makeBytes(Interp& in, Self self, Args args) {
    auto v = parseArguments(in, self.name, args, {"source=", "encoding=", "errors="});
    const bool changeable = self.name == "bytearray";
    std::string bytes;
    if (auto* s = v[0].to<StrObj>()) {
        if (!v[1].bound()) in.raise(Error::Type, "string argument without an encoding");
        bytes = s->text;
    } else if (auto* b = v[0].to<BytesObj>()) {
        bytes = b->bytes;
    } else if (isInteger(v[0])) {
        const int64_t n = wantInt(in, v[0], "the number of bytes");
        if (n < 0) in.raise(Error::Value, "negative count");
        in.wantTextLength(static_cast<size_t>(n));
        bytes.assign(static_cast<size_t>(n), '\0');
    } else if (Val* method = changeable ? nullptr : in.special(v[0], "__bytes__")) {
        return in.call(in.bindMethod(*method, v[0], in.typeOf(v[0])), {});
    } else if (v[0].bound()) {
        for (const Val& item : in.items(v[0])) {
            const int64_t n = wantInt(in, item, "a byte");
            if (n < 0 || n > 255)
                in.raise(Error::Value,
                         fmt::format("{} must be in range(0, 256)", changeable ? "byte" : "bytes"));
            bytes += static_cast<char>(n);
        }
    }
    return Val(in.make<BytesObj>(std::move(bytes), changeable));
}
Val makeList(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "list", args, {"iterable="});
    return in.list(v[0].bound() ? in.items(v[0]) : std::vector<Val>());
}
Val makeTuple(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "tuple", args, {"iterable="});
    return in.tuple(v[0].bound() ? in.items(v[0]) : std::vector<Val>());
}
Val makeSet(Interp& in, Self self, Args args) {
    auto v = parseArguments(in, self.name, args, {"iterable="});
    auto* set = in.make<SetObj>(self.name == "frozenset");
    Val keep(set);
    if (v[0].bound()) addAll(in, *set, v[0]);
    return keep;
}
Val makeDict(Interp& in, Self, Args args) {
    Val dict(in.make<DictObj>());
    if (args.positional.size() > 1)
        in.raise(Error::Type,
                 fmt::format("dict expected at most 1 argument, got {}", args.positional.size()));
    in.updateDict(*dict.as<DictObj>(), args);
    return dict;
}
Val makeType(Interp& in, Self, Args args) {
    if (args.positional.size() == 3) {
        auto* names = args.positional[2].to<DictObj>();
        if (!names) in.raise(Error::Type, "type() argument 3 must be dict");
        Val body(in.make<DictObj>());
        body.as<DictObj>()->restore(names->contents());
        return in.makeClass(wantStr(in, args.positional[0], "the class's name"),
                            in.items(args.positional[1]), Ref<DictObj>(body.as<DictObj>()), nullptr,
                            args.keywords);
    }
    Val v = parseArguments(in, "type", args, {"object"})[0];
    if (v.isObject()) in.observer().readType(v.object());
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

/// Types of which scripts see no name.
struct HiddenType {
    const char* name;
    bool (*recognises)(const Val&);
};

constexpr HiddenType kHiddenTypes[] = {
    {"NoneType", [](const Val& v) { return v.isNone(); }},
    {"function", [](const Val& v) { return v.is(Kind::Function); }},
    {"method", [](const Val& v) { return v.is(Kind::Method); }},
    {"builtin_function_or_method",
     [](const Val& v) {
         return v.is(Kind::Builtin) ||
                (v.is(Kind::Method) && v.as<MethodObj>()->function.is(Kind::Builtin));
     }},
    {"module", [](const Val& v) { return v.is(Kind::Module); }},
    {"generator",
     [](const Val& v) { return v.is(Kind::Generator) && !v.as<GeneratorObj>()->coroutine; }},
    {"coroutine",
     [](const Val& v) { return v.is(Kind::Generator) && v.as<GeneratorObj>()->coroutine; }},
    {"iterator", [](const Val& v) { return v.is(Kind::Iterator); }},
    {"cell", [](const Val& v) { return v.is(Kind::Cell); }},
    {"traceback", [](const Val& v) { return v.is(Kind::Traceback); }},
    {"dict_keys",
     [](const Val& v) { return v.is(Kind::View) && v.as<ViewObj>()->of == ViewObj::Of::Keys; }},
    {"dict_values",
     [](const Val& v) { return v.is(Kind::View) && v.as<ViewObj>()->of == ViewObj::Of::Values; }},
    {"dict_items",
     [](const Val& v) { return v.is(Kind::View) && v.as<ViewObj>()->of == ViewObj::Of::Items; }},
    {"ellipsis", [](const Val& v) { return v.tag() == Tag::Ellipsis; }},
    {"NotImplementedType", [](const Val& v) { return v.tag() == Tag::NotImplemented; }},
    {"dtype", [](const Val& v) { return v.tag() == Tag::DType; }},
    {"device", [](const Val& v) { return v.tag() == Tag::Device; }},
    {"Size", [](const Val& v) { return v.is(Kind::Tuple) && v.as<TupleObj>()->size; }}};

constexpr std::pair<Tag, const char*> kTagNames[] = {
    {Tag::None, "NoneType"},     {Tag::Bool, "bool"},
    {Tag::Int, "int"},           {Tag::Float, "float"},
    {Tag::DType, "dtype"},       {Tag::Device, "device"},
    {Tag::Ellipsis, "ellipsis"}, {Tag::NotImplemented, "NotImplementedType"}};

constexpr std::pair<Kind, const char*> kKindNames[] = {
    {Kind::Str, "str"},
    {Kind::List, "list"},
    {Kind::Tuple, "tuple"},
    {Kind::Dict, "dict"},
    {Kind::Set, "set"},
    {Kind::Range, "range"},
    {Kind::Slice, "slice"},
    {Kind::Cell, "cell"},
    {Kind::Function, "function"},
    {Kind::Method, "method"},
    {Kind::Builtin, "builtin_function_or_method"},
    {Kind::Class, "type"},
    {Kind::Module, "module"},
    {Kind::Iterator, "iterator"},
    {Kind::Generator, "generator"},
    {Kind::Property, "property"},
    {Kind::StaticMethod, "staticmethod"},
    {Kind::ClassMethod, "classmethod"},
    {Kind::Symbol, "int"},
    {Kind::Truth, "bool"},
    {Kind::Integer, "int"},
    {Kind::Real, "float"},
    {Kind::Bytes, "bytes"},
    {Kind::Complex, "complex"},
    {Kind::Traceback, "traceback"}};

} // namespace

void Interp::setUpTypes() {
    auto type = [&](const char* name, BuiltinFunction make_, bool (*recognises)(const Val&),
                    bool global = true) {
        auto* c = make<ClassObj>(name);
        Ref<ClassObj> keep(c);
        c->qualifiedName = name;
        c->attributes = Ref<DictObj>(make<DictObj>());
        c->native = true;
        c->order = {c};
        if (objectClass_) {
            c->bases = {objectClass_};
            c->order.push_back(objectClass_.get());
        }
        c->recognises = recognises;
        if (make_) c->constructor = builtin(name, make_);
        types_[name] = keep;
        if (global) builtins_->set(intern(name), keep.val());
        return keep;
    };
    auto kind = [](auto k) { return static_cast<size_t>(k); };
    objectClass_ = type("object", makeObject, [](const Val&) { return true; });
    tagTypes_.fill(objectClass_.get());
    kindTypes_.fill(objectClass_.get());
    type("int", makeInt, [](const Val& v) {
        return isInteger(v) || v.is(Kind::Symbol) || v.is(Kind::Truth) ||
               (v.is(Kind::Number) && !isGraphNumber(v, ir::DType::Float64));
    });
    type("float", makeFloat, [](const Val& v) {
        return v.isFloat() || v.is(Kind::Real) || isGraphNumber(v, ir::DType::Float64);
    });
    type("bool", makeBool, [](const Val& v) {
        return v.isBool() || v.is(Kind::Truth) || isGraphNumber(v, ir::DType::Bool);
    });
    types_["bool"]->bases = {types_["int"]};
    types_["bool"]->order = {types_["bool"].get(), types_["int"].get(), objectClass_.get()};
    type("complex", makeComplex, [](const Val& v) { return v.is(Kind::Complex); });
    type("str", makeStr, [](const Val& v) { return v.is(Kind::Str); });
    type("bytes", makeBytes,
         [](const Val& v) { return v.is(Kind::Bytes) && !v.as<BytesObj>()->changeable; });
    type("bytearray", makeBytes,
         [](const Val& v) { return v.is(Kind::Bytes) && v.as<BytesObj>()->changeable; });
    type("list", makeList, [](const Val& v) { return v.is(Kind::List); });
    type("tuple", makeTuple, [](const Val& v) { return v.is(Kind::Tuple); });
    type("dict", makeDict, [](const Val& v) { return v.is(Kind::Dict); });
    type("set", makeSet, [](const Val& v) { return v.is(Kind::Set) && !v.as<SetObj>()->frozen; });
    type("frozenset", makeSet,
         [](const Val& v) { return v.is(Kind::Set) && v.as<SetObj>()->frozen; });
    type("range", range, [](const Val& v) { return v.is(Kind::Range); });
    type("slice", makeSlice, [](const Val& v) { return v.is(Kind::Slice); });
    typeClass_ = type("type", makeType, [](const Val& v) { return v.is(Kind::Class); });
    type("property", propertyCall, [](const Val& v) { return v.is(Kind::Property); });
    type("staticmethod", staticMethod, [](const Val& v) { return v.is(Kind::StaticMethod); });
    type("classmethod", classMethod, [](const Val& v) { return v.is(Kind::ClassMethod); });
    for (const HiddenType& row : kHiddenTypes)
        type(row.name, nullptr, row.recognises, false);
    types_["Size"]->bases = {types_["tuple"]};
    types_["Size"]->order = {types_["Size"].get(), types_["tuple"].get(), objectClass_.get()};
    for (const char* name :
         {"int", "float", "str", "list", "dict", "set", "tuple", "frozenset", "bytes", "type"})
        types_[name]->layout = types_[name].get();
    for (const char* name : {"int", "float", "bool", "list", "tuple", "dict", "type"})
        types_[name]->constructor.as<BuiltinObj>()->takesSymbols = true;
    for (auto [tag, name] : kTagNames)
        tagTypes_[kind(tag)] = types_[name].get();
    for (auto [k, name] : kKindNames)
        kindTypes_[kind(k)] = types_[name].get();
    Ref<ClassObj> base = errors_[static_cast<size_t>(Error::Base)];
    for (auto& e : builtins_->entries())
        if (auto* c = e.value.to<ClassObj>();
            c && c->exception && c->order.back() != objectClass_.get())
            c->order.push_back(objectClass_.get());
    for (auto& e : errors_)
        if (e->order.back() != objectClass_.get()) e->order.push_back(objectClass_.get());
    base->bases = {objectClass_};
}

} // namespace cutaway::capture
