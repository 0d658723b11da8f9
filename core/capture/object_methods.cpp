// SPDX-License-Identifier: Apache-2.0
// Methods of object, type, generators, properties and exceptions, and those with __names__: the
// ways of the built-in types themselves, for super() and for calls by hand.
#include "core/base/said.h"
#include "core/capture/integers.h"
#include "core/capture/script_observer.h"
#include "core/capture/sets.h"
#include "core/capture/type_methods.h"

#include <fmt/format.h>

#include <cmath>

#include <algorithm>

namespace cutaway::capture {

namespace {

using Self = const BuiltinObj&;
using Args = const Arguments&;

Arguments rest(Args a) {
    return {a.positional.subspan(1), a.keywords};
}
const Val& first(Interp& in, Self self, Args a, size_t wanted) {
    if (a.positional.size() != wanted)
        in.raise(Error::Type,
                 fmt::format("{}() takes {} argument{}, found {}", self.text, wanted - 1,
                             wanted == 2 ? "" : "s",
                             a.positional.size() - std::min<size_t>(1, a.positional.size())));
    return a.positional[0];
}
StrObj* nameOf(Interp& in, Args a) {
    return in.intern(wantStr(in, a.positional[1], "the attribute's name"));
}

// ---- object

Val objectInit(Interp&, Self, Args) {
    return Val::none();
}
Val objectNew(Interp& in, Self, Args a) {
    auto* type = a.positional.empty() ? nullptr : a.positional[0].to<ClassObj>();
    if (!type) in.raise(Error::Type, "object.__new__(X): X is not a type object");
    return in.newInstance(*type, rest(a));
}
Val objectAttribute(Interp& in, Self self, Args a) {
    const Val& v = first(in, self, a, self.text == "__setattr__" ? 3 : 2);
    if (self.text == "__setattr__")
        in.setPlainAttr(v, nameOf(in, a), a.positional[2]);
    else if (self.text == "__delattr__")
        in.deletePlainAttr(v, nameOf(in, a));
    else {
        Val found = in.plainAttr(v, nameOf(in, a));
        if (!found.bound())
            in.raise(Error::Attribute, fmt::format("'{}' object has no attribute '{}'",
                                                   in.typeName(v), nameOf(in, a)->text));
        return found;
    }
    return Val::none();
}
Val objectText(Interp& in, Self self, Args a) {
    const Val& v = first(in, self, a, self.text == "__format__" ? 2 : 1);
    if (self.text == "__format__") {
        const std::string& spec = wantStr(in, a.positional[1], "the specification");
        if (!v.is(Kind::Instance)) return in.str(in.format(v, spec));
        if (!spec.empty())
            in.raise(Error::Type, fmt::format("unsupported format string passed to {}.__format__",
                                              in.typeName(v)));
        return in.str(in.text(v));
    }
    if (self.text == "__str__" && v.is(Kind::Instance) && !v.as<InstanceObj>()->type->exception)
        return in.str(in.repr(v));
    if (self.text == "__str__" && !v.is(Kind::Instance))
        return in.str(v.is(Kind::Str) ? v.as<StrObj>()->text : in.reprOfBuiltin(v));
    return in.str(self.text == "__str__" ? in.textOfException(v) : in.reprOfBuiltin(v));
}
Val objectHash(Interp& in, Self self, Args a) {
    const Val& v = first(in, self, a, 1);
    if (v.is(Kind::Instance)) return Val::integer(static_cast<int64_t>(v.object()->serial));
    if (!hashOf(v)) in.raise(Error::Type, fmt::format("unhashable type: '{}'", in.typeName(v)));
    return Val::integer(static_cast<int64_t>(publicHash(in, v)));
}
Val objectCompare(Interp& in, Self self, Args a) {
    const Val& v = first(in, self, a, 2);
    const Val& other = a.positional[1];
    static constexpr std::pair<const char*, CompareOp> kOps[] = {
        {"__lt__", CompareOp::Less},
        {"__le__", CompareOp::LessEqual},
        {"__gt__", CompareOp::Greater},
        {"__ge__", CompareOp::GreaterEqual}};
    for (auto [name, op] : kOps)
        if (self.text == name) {
            const bool ordered =
                (isInteger(v) || v.isFloat()) == (isInteger(other) || other.isFloat());
            if (v.is(Kind::Instance) || !ordered) return Val::notImplemented();
            return in.compareBuiltins(op, v, other);
        }
    bool same;
    if (v.is(Kind::Instance) || other.is(Kind::Instance)) {
        if (!v.identical(other)) return Val::notImplemented();
        same = true;
    } else {
        same = in.equalBuiltins(v, other);
    }
    return Val::boolean(same == (self.text == "__eq__"));
}
Val objectDir(Interp& in, Self self, Args a) {
    const Val& v = first(in, self, a, 1);
    std::vector<Val> names;
    for (const std::string& n : in.attributeNames(v))
        names.push_back(in.str(n));
    return in.list(std::move(names));
}

// ---- type

Val typeNew(Interp& in, Self, Args a) {
    if (a.positional.size() != 4 || !a.positional[0].is(Kind::Class))
        in.raise(Error::Type, "type.__new__() takes a class, a name, bases and a dict");
    auto* names = a.positional[3].to<DictObj>();
    if (!names) in.raise(Error::Type, "type.__new__() argument 4 must be dict");
    Val body(in.make<DictObj>());
    body.as<DictObj>()->restore(names->contents());
    return in.makeClass(wantStr(in, a.positional[1], "the class's name"), in.items(a.positional[2]),
                        Ref<DictObj>(body.as<DictObj>()), a.positional[0].as<ClassObj>(),
                        a.keywords);
}
Val typeCall(Interp& in, Self, Args a) {
    return in.instantiate(*a.positional[0].as<ClassObj>(), rest(a));
}
Val typeMro(Interp& in, Self, Args a) {
    return in.list(in.items(in.getAttr(a.positional[0], in.intern("__mro__"))));
}
Val typeSubclasses(Interp& in, Self self, Args a) {
    auto* type = first(in, self, a, 1).to<ClassObj>();
    std::vector<Val> found;
    if (type) found.assign(type->subclasses.begin(), type->subclasses.end());
    if (type) in.observer().readSubclasses(*type, in.tuple(found));
    return in.list(std::move(found));
}
Val typeCheck(Interp& in, Self self, Args a) {
    const Val& type = first(in, self, a, 2);
    if (self.text == "__instancecheck__")
        return Val::boolean(in.isInstanceOfClass(a.positional[1], *type.as<ClassObj>()));
    auto* c = a.positional[1].to<ClassObj>();
    return Val::boolean(c && c->isSubclassOf(type.as<ClassObj>()));
}

// ---- containers and numbers by their __names__

Val itemMethod(Interp& in, Self self, Args a) {
    const std::string& n = self.text;
    const Val& v = first(in, self, a,
                         n == "__setitem__"                  ? 3
                         : n == "__len__" || n == "__iter__" ? 1
                                                             : 2);
    if (n == "__len__") return Val::integer(in.lengthOfBuiltin(v));
    if (n == "__iter__") return in.iterateBuiltin(v);
    if (n == "__contains__") return Val::boolean(in.containsOfBuiltin(v, a.positional[1]));
    if (n == "__getitem__") {
        if (v.is(Kind::Dict) && !in.containsOfBuiltin(v, a.positional[1]))
            if (Val* missing = in.special(v, "__missing__"))
                return in.call(in.bindMethod(*missing, v, in.typeOf(v)), {a.positional[1]});
        return in.getItemOfBuiltin(v, a.positional[1]);
    }
    if (n == "__delitem__")
        in.deleteItemOfBuiltin(v, a.positional[1]);
    else
        in.setItemOfBuiltin(v, a.positional[1], a.positional[2]);
    return Val::none();
}
Val containerInit(Interp& in, Self, Args a) {
    const Val& v = a.positional[0];
    in.mutating(v.object(), "a container");
    if (auto* l = v.to<ListObj>()) {
        auto given = parseArguments(in, "list", rest(a), {"iterable="});
        l->items = given[0].bound() ? in.items(given[0]) : std::vector<Val>();
        l->counted();
    } else if (v.is(Kind::Dict)) {
        in.updateDict(*v.as<DictObj>(), rest(a));
    } else if (auto* set = v.to<SetObj>(); set && !set->frozen) {
        auto given = parseArguments(in, "set", rest(a), {"iterable="});
        set->empty();
        if (given[0].bound()) addAll(in, *set, given[0]);
    }
    return Val::none();
}

struct OperatorRow {
    const char *method, *reflected;
    BinaryOp op;
};
constexpr OperatorRow kOperators[] = {{"__add__", "__radd__", BinaryOp::Add},
                                      {"__sub__", "__rsub__", BinaryOp::Sub},
                                      {"__mul__", "__rmul__", BinaryOp::Mul},
                                      {"__truediv__", "__rtruediv__", BinaryOp::Div},
                                      {"__floordiv__", "__rfloordiv__", BinaryOp::FloorDiv},
                                      {"__mod__", "__rmod__", BinaryOp::Mod},
                                      {"__pow__", "__rpow__", BinaryOp::Pow},
                                      {"__and__", "__rand__", BinaryOp::And},
                                      {"__or__", "__ror__", BinaryOp::Or},
                                      {"__xor__", "__rxor__", BinaryOp::Xor},
                                      {"__lshift__", "__rlshift__", BinaryOp::LeftShift},
                                      {"__rshift__", "__rrshift__", BinaryOp::RightShift}};

Val operatorMethod(Interp& in, Self self, Args a) {
    const Val& v = first(in, self, a, 2);
    const Val& other = a.positional[1];
    for (const OperatorRow& row : kOperators) {
        const bool reflected = self.text == row.reflected;
        if (self.text != row.method && !reflected) continue;
        if (other.is(Kind::Instance)) return Val::notImplemented();
        Val r = reflected ? in.binaryOfBuiltins(row.op, other, v)
                          : in.binaryOfBuiltins(row.op, v, other);
        return r.bound() ? r : Val::notImplemented();
    }
    return Val::notImplemented();
}
Val unaryMethod(Interp& in, Self self, Args a) {
    const Val v = plainNumber(first(in, self, a, 1));
    const std::string& n = self.text;
    if (n == "__neg__") return in.unary(UnaryOp::Negate, v);
    if (n == "__pos__") return in.unary(UnaryOp::Plus, v);
    if (n == "__invert__") return in.unary(UnaryOp::Invert, v);
    if (n == "__abs__")
        return isInteger(v) ? (compareIntegers(v, Val::integer(0)) < 0 ? negated(in, v) : v)
                            : Val::real(std::fabs(v.asFloat()));
    if (n == "__bool__") return Val::boolean(in.truthy(v));
    if (n == "__float__") return Val::real(v.isFloat() ? v.asFloat() : integerFloat(in, v));
    const double f = v.isFloat() ? v.asFloat() : 0;
    if (n == "__floor__") return v.isFloat() ? integerOf(in, std::floor(f)) : v;
    if (n == "__ceil__") return v.isFloat() ? integerOf(in, std::ceil(f)) : v;
    return v.isFloat() ? integerOf(in, f) : in.unary(UnaryOp::Plus, v); // int, index, trunc
}

// ---- generators, properties, exceptions

Val generatorSend(Interp& in, Self, Args a) {
    auto* g = a.positional[0].as<GeneratorObj>();
    Val sent = parseArguments(in, "send", rest(a), {"value"})[0], out;
    in.mutating(g, "an iterator");
    if (in.resume(*g, &sent, nullptr, out)) return out;
    Val result = std::exchange(g->result, Val());
    std::vector<Val> carried;
    if (result.bound() && !result.isNone()) carried.push_back(result);
    in.raisePython(Error::StopIteration, carried, "the generator has ended");
}
Val generatorThrow(Interp& in, Self, Args a) {
    auto* g = a.positional[0].as<GeneratorObj>();
    auto v = parseArguments(in, "throw", rest(a), {"type", "value=", "traceback="});
    in.mutating(g, "an iterator");
    Val exception = v[1].bound() && !v[1].isNone()
                        ? (v[1].is(Kind::Instance) ? v[1] : in.call(v[0], {v[1]}))
                        : in.exceptionOf(v[0]);
    Val out;
    if (in.resume(*g, nullptr, &exception, out)) return out;
    Val result = std::exchange(g->result, Val());
    std::vector<Val> carried;
    if (result.bound() && !result.isNone()) carried.push_back(result);
    in.raisePython(Error::StopIteration, carried, "the generator has ended");
}
Val generatorClose(Interp& in, Self, Args a) {
    in.mutating(a.positional[0].object(), "an iterator");
    in.closeGenerator(*a.positional[0].as<GeneratorObj>());
    return Val::none();
}
Val iteratorMethod(Interp& in, Self self, Args a) {
    const Val& v = first(in, self, a, 1);
    if (self.text == "__iter__") return v;
    Val out;
    if (in.next(v, out)) return out;
    in.raisePython(Error::StopIteration, std::vector<Val>(), "the iterator has no more items");
}
Val propertyWith(Interp& in, Self self, Args a) {
    auto* old = a.positional[0].as<PropertyObj>();
    auto* p = in.make<PropertyObj>();
    Val keep(p);
    p->getter = old->getter;
    p->setter = old->setter;
    p->deleter = old->deleter;
    p->text = old->text;
    const Val f = parseArguments(in, self.text, rest(a), {"function"})[0];
    (self.text == "setter" ? p->setter : self.text == "getter" ? p->getter : p->deleter) = f;
    return keep;
}
Val propertyGet(Interp& in, Self, Args a) {
    if (a.positional.size() < 2 || a.positional[1].isNone()) return a.positional[0];
    return in.call(a.positional[0].as<PropertyObj>()->getter, {a.positional[1]});
}
Val functionGet(Interp& in, Self, Args a) {
    if (a.positional.size() < 2 || a.positional[1].isNone()) return a.positional[0];
    return in.bindMethod(a.positional[0], a.positional[1], in.typeOf(a.positional[1]));
}
Val callIt(Interp& in, Self, Args a) {
    return in.call(a.positional[0], a.positional.subspan(1), a.keywords);
}

Val exceptionInit(Interp& in, Self, Args a) {
    if (!a.positional[0].is(Kind::Instance)) in.raise(Error::Type, "__init__ needs an exception");
    if (!a.keywords.empty()) in.raise(Error::Type, "an exception takes no keyword arguments");
    a.positional[0].as<InstanceObj>()->attributes->set(
        in.intern("args"), in.tuple({a.positional.begin() + 1, a.positional.end()}));
    return Val::none();
}
Val exceptionWith(Interp& in, Self self, Args a) {
    const Val& e = first(in, self, a, 2);
    auto& attributes = *e.as<InstanceObj>()->attributes;
    if (self.text == "with_traceback") return e;
    StrObj* key = in.intern("__notes__");
    if (!attributes.find(key)) attributes.set(key, in.list({}));
    in.callMethod(*attributes.find(key), "append", {a.positional[1]});
    return Val::none();
}

const MethodRow kRows[] = {
    {"object", "__init__ __init_subclass__", objectInit},
    {"object", "__getattribute__ __setattr__ __delattr__", objectAttribute},
    {"object", "__repr__ __str__ __format__", objectText},
    {"object", "__hash__", objectHash},
    {"object", "__eq__ __ne__", objectCompare},
    {"int float complex str bytes list tuple dict set frozenset", "__eq__ __ne__", objectCompare},
    {"int float complex str bytes tuple frozenset", "__hash__", objectHash},
    {"int float str bytes list tuple set frozenset", "__lt__ __le__ __gt__ __ge__", objectCompare},
    {"object", "__dir__", objectDir},
    {"type", "__call__", typeCall},
    {"type", "mro", typeMro},
    {"type", "__subclasses__", typeSubclasses},
    {"type", "__instancecheck__ __subclasscheck__", typeCheck},
    {"list dict tuple str set frozenset bytes bytearray range dict_keys dict_values dict_items",
     "__len__ __iter__ __contains__", itemMethod},
    {"list dict tuple str bytes bytearray range", "__getitem__", itemMethod},
    {"list dict bytearray", "__setitem__ __delitem__", itemMethod},
    {"list dict set", "__init__", containerInit},
    {"int float complex str list tuple bytes", "__add__ __radd__ __mul__ __rmul__", operatorMethod},
    {"int float complex",
     "__sub__ __rsub__ __truediv__ __rtruediv__ __floordiv__ __rfloordiv__ __mod__ __rmod__ "
     "__pow__ "
     "__rpow__",
     operatorMethod},
    {"str", "__mod__", operatorMethod},
    {"int set frozenset dict", "__or__ __ror__", operatorMethod},
    {"int set frozenset", "__and__ __rand__ __xor__ __rxor__", operatorMethod},
    {"set frozenset", "__sub__ __rsub__", operatorMethod},
    {"int", "__lshift__ __rlshift__ __rshift__ __rrshift__", operatorMethod},
    {"int float", "__neg__ __pos__ __abs__ __bool__ __float__ __int__ __floor__ __ceil__ __trunc__",
     unaryMethod},
    {"int", "__invert__ __index__", unaryMethod},
    {"generator coroutine", "send", generatorSend},
    {"generator coroutine", "throw", generatorThrow},
    {"generator coroutine", "close", generatorClose},
    {"generator iterator", "__next__ __iter__", iteratorMethod},
    {"property", "setter getter deleter", propertyWith},
    {"property", "__get__", propertyGet},
    {"function", "__get__", functionGet},
    {"function method builtin_function_or_method", "__call__", callIt},
    {"BaseException", "__init__", exceptionInit},
    {"BaseException", "with_traceback add_note", exceptionWith},
};

} // namespace

/// Object, type, generators, __names__.
static std::span<const MethodRow> objectMethods() {
    return kRows;
}

/// Methods that put values as they are, or compare them: no size need be a number for that.
constexpr std::string_view kKeepsNumbers[] = {"append", "insert", "setdefault", "get", "pop"};

void Interp::setUpMethods() {
    auto add = [&](ClassObj& type, const std::string& name, const MethodRow& row) {
        Val method = builtin(name, row.function);
        auto* b = method.as<BuiltinObj>();
        b->text = name;
        b->receiver = row.ofClass ? nullptr : &type;
        b->takesSymbols = std::ranges::find(kKeepsNumbers, name) != std::end(kKeepsNumbers);
        if (row.ofClass) method = Val(make<WrappedMethodObj>(Kind::ClassMethod, method));
        type.attributes->set(intern(name), method);
    };
    auto words = [](std::string text) {
        std::vector<std::string> out;
        for (size_t at = 0; at < text.size();) {
            const size_t end = std::min(text.find(' ', at), text.size());
            out.push_back(text.substr(at, end - at));
            at = end + 1;
        }
        return out;
    };
    for (std::span<const MethodRow> table : {objectMethods(), containerMethods(), textMethods()})
        for (const MethodRow& row : table)
            for (const std::string& typeName : words(row.types)) {
                ClassObj& type =
                    typeName == "BaseException" ? *errorClass(Error::Base) : *types_.at(typeName);
                for (const std::string& name : words(row.names))
                    add(type, name, row);
            }
    auto isStatic = [&](const Ref<ClassObj>& type, const char* name, BuiltinFunction f) {
        type->attributes->set(intern(name),
                              Val(make<WrappedMethodObj>(Kind::StaticMethod, builtin(name, f))));
    };
    isStatic(objectClass_, "__new__", objectNew);
    isStatic(typeClass_, "__new__", typeNew);
    Val* hook = objectClass_->attributes->find(intern("__init_subclass__"));
    *hook = Val(make<WrappedMethodObj>(Kind::ClassMethod, *hook));
    hook->as<WrappedMethodObj>()->function.as<BuiltinObj>()->receiver = nullptr;
}

} // namespace cutaway::capture
