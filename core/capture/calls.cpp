// SPDX-License-Identifier: Apache-2.0
// Calls: arguments into parameters, functions, methods, classes, instances.
#include "core/capture/compiled_unit.h"
#include "core/capture/integers.h"
#include "core/capture/script_observer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace cutaway::capture {

namespace {

/// "'a', 'b', and 'c'"
std::string joinedNames(const std::vector<std::string>& names) {
    if (names.size() == 1) return names[0];
    if (names.size() == 2) return names[0] + " and " + names[1];
    std::string out;
    for (size_t i = 0; i + 1 < names.size(); ++i)
        out += names[i] + ", ";
    return out + "and " + names.back();
}

std::string plural(size_t n, std::string_view word) {
    return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s");
}

/// Raises where names are given for parameters that take none.
void wantPlaces(Interp& in, const FunctionObj& f, const Arguments& arguments) {
    const Code& code = *f.code;
    std::vector<std::string> given;
    for (size_t i = 0; i < code.positionalOnly; ++i)
        for (const auto& [name, value] : arguments.keywords)
            if (name->text == code.locals[i]) given.push_back(name->text);
    if (given.empty()) return;
    in.raise(
        Error::Type,
        fmt::format("{}() got some positional-only arguments passed as keyword arguments: '{}'",
                    f.qualifiedName, fmt::join(given, ", ")));
}

} // namespace

std::vector<Val> Interp::bindArguments(FunctionObj& f, const Val* self,
                                       const Arguments& arguments) {
    const Code& code = *f.code;
    const size_t named = code.positional + code.keywordOnly;
    std::vector<Val> locals(code.locals.size());
    size_t shift = self ? 1 : 0;
    size_t given = arguments.positional.size() + shift;
    auto positional = [&](size_t i) -> const Val& {
        return i < shift ? *self : arguments.positional[i - shift];
    };
    for (size_t i = 0; i < std::min(given, code.positional); ++i)
        locals[i] = positional(i);
    if (given > code.positional && !code.takesArgs)
        raisePython(
            Error::Type,
            fmt::format("{}() takes {} positional argument{} but {} {} given", f.qualifiedName,
                        f.defaults.empty()
                            ? std::to_string(code.positional)
                            : fmt::format("from {} to {}", code.positional - f.defaults.size(),
                                          code.positional),
                        code.positional == 1 && f.defaults.empty() ? "" : "s", given,
                        given == 1 ? "was" : "were"),
            fmt::format("{}() takes {}, found {}", f.name,
                        plural(code.positional - shift, "positional argument"), given - shift));
    if (code.takesArgs) {
        std::vector<Val> rest;
        for (size_t i = code.positional; i < given; ++i)
            rest.push_back(positional(i));
        locals[named] = tuple(std::move(rest));
    }
    DictObj* kwargs = nullptr;
    if (code.takesKwargs) {
        kwargs = make<DictObj>();
        locals[named + (code.takesArgs ? 1 : 0)] = Val(kwargs);
    }
    for (const auto& [name, value] : arguments.keywords) {
        size_t i = 0;
        while (i < named && (code.locals[i] != name->text || i < code.positionalOnly))
            ++i;
        if (i < named) {
            if (locals[i].bound())
                raisePython(Error::Type,
                            fmt::format("{}() got multiple values for argument '{}'",
                                        f.qualifiedName, name->text),
                            fmt::format("{}() got argument '{}' twice", f.name, name->text));
            locals[i] = value;
        } else if (kwargs) {
            kwargs->set(name, value);
        } else {
            wantPlaces(*this, f, arguments);
            std::string near =
                nearest(name->text, {code.locals.begin(),
                                     code.locals.begin() + static_cast<std::ptrdiff_t>(named)});
            raisePython(Error::Type,
                        fmt::format("{}() got an unexpected keyword argument '{}'", f.qualifiedName,
                                    name->text),
                        fmt::format("{}() has no parameter '{}'", f.name, name->text),
                        near.empty() ? "" : fmt::format("did you mean '{}'?", near));
        }
    }
    size_t firstDefault = code.positional - std::min(f.defaults.size(), code.positional);
    for (size_t i = 0; i < code.positional; ++i) {
        if (locals[i].bound()) continue;
        if (i >= firstDefault) locals[i] = f.defaults[i - firstDefault];
        observer_->readDefault(f, i, locals[i]);
    }
    for (size_t i = code.positional; i < named && f.keywordDefaults; ++i) {
        if (locals[i].bound()) continue;
        StrObj* name = intern(code.locals[i]);
        if (Val* v = f.keywordDefaults->find(name)) locals[i] = *v;
        observer_->readKeywordDefault(f, name, locals[i]);
    }
    std::vector<std::string> missing;
    bool keywordOnly = true;
    for (size_t i = 0; i < named; ++i) {
        if (locals[i].bound()) continue;
        if (!missing.empty() && keywordOnly != (i >= code.positional)) break;
        keywordOnly = i >= code.positional;
        missing.push_back("'" + code.locals[i] + "'");
    }
    if (!missing.empty())
        raisePython(Error::Type,
                    fmt::format("{}() missing {} required {} argument{}: {}", f.qualifiedName,
                                missing.size(), keywordOnly ? "keyword-only" : "positional",
                                missing.size() == 1 ? "" : "s", joinedNames(missing)),
                    fmt::format("{}() misses {} {}", f.name,
                                missing.size() == 1 ? "argument" : "arguments",
                                fmt::join(missing, ", ")));
    return locals;
}

void Interp::prepareFrame(Frame& frame, FunctionObj& f, std::vector<Val> locals) {
    frame.code = f.code;
    frame.function = Ref<FunctionObj>(&f);
    frame.globals = f.globals;
    frame.locals = std::move(locals);
    frame.locals.resize(f.code->locals.size());
    size_t own = f.code->cells.size() - f.code->freeVariables;
    frame.cells.reserve(f.code->cells.size());
    for (size_t i = 0; i < own; ++i)
        frame.cells.emplace_back(make<CellObj>());
    frame.cells.insert(frame.cells.end(), f.closure.begin(), f.closure.end());
    for (auto [parameter, cell] : f.code->cellParameters)
        frame.cells[static_cast<size_t>(cell)].as<CellObj>()->value =
            frame.locals[static_cast<size_t>(parameter)];
    frame.stack.reserve(12);
}

Val Interp::callFunction(FunctionObj& f, const Val* self, const Arguments& arguments,
                         const CallLink& link) {
    if (f.code->generator) {
        auto* generator = make<GeneratorObj>();
        Val keep(generator);
        auto frame = std::make_unique<Frame>();
        prepareFrame(*frame, f, bindArguments(f, self, arguments));
        generator->frame = std::move(frame);
        generator->name = f.name;
        observer_->madeGenerator(*generator);
        generator->account(sizeof(Frame) + f.code->locals.size() * sizeof(Val));
        generator->coroutine = f.code->asynchronous && !f.code->values;
        if (!f.code->values) return keep;
        return call(getAttr(libraryImport("_syntax"), intern("AsyncGenerator")), {keep});
    }
    Frame frame;
    const Code& code = *f.code;
    size_t given = arguments.positional.size() + (self ? 1 : 0);
    bool plain = arguments.keywords.empty() && given == code.positional && code.keywordOnly == 0 &&
                 !code.takesArgs && !code.takesKwargs;
    std::vector<Val> locals;
    if (plain) {
        locals.resize(code.locals.size());
        size_t at = 0;
        if (self) locals[at++] = *self;
        for (const Val& v : arguments.positional)
            locals[at++] = v;
    } else {
        locals = bindArguments(f, self, arguments);
    }
    prepareFrame(frame, f, std::move(locals));
    if (link.taken) link.taken->clear(); // the function may be the last to hold one, and give it up
    if (self)
        if (auto* instance = self->to<InstanceObj>();
            instance && instance->type->module && f.name == "forward")
            frame.module = instance;
    frame.resumable = link.direct && observer_->resumesCalls();
    frame.gives = link.gives;
    return run(frame);
}

Val Interp::callInstance(InstanceObj& instance, const Val& callee, const Arguments& arguments,
                         const CallLink& link) {
    if (instance.type->module) {
        if (instance.compiled.bound() && !capture_)
            return call(instance.compiled, arguments.positional, arguments.keywords);
        // Set by the registration of the first hook; a capture relies on its absence.
        StrObj* hooked = intern("_hooked");
        Val* hooks = instance.attributes->find(hooked);
        if (hooks)
            observer_->readAttr(&instance, hooked, *hooks);
        else {
            observer_->readAbsent(&instance, hooked);
            hooks = classAttr(*instance.type, hooked); // hooks of all modules
        }
        Val& method = *classAttr(*instance.type, "__call__");
        if (hooks || !isLibraryFunction(method))
            return call(bindMethod(method, callee, instance.type.get()), arguments.positional,
                        arguments.keywords, link);
        Val forward = tryAttr(callee, intern("forward"));
        if (!forward.bound())
            raise(Error::NotImplemented,
                  fmt::format("module {} has no forward()", instance.type->name),
                  "define 'def forward(self, x):' in the class");
        return call(forward, arguments.positional, arguments.keywords, link);
    }
    Val* method = classAttr(*instance.type, "__call__");
    if (!method)
        raisePython(Error::Type, fmt::format("'{}' object is not callable", instance.type->name),
                    fmt::format("a {} cannot be called", instance.type->name),
                    "define __call__ in its class");
    if (auto* f = method->to<FunctionObj>()) return callFunction(*f, &callee, arguments, link);
    return call(bindMethod(*method, callee, instance.type.get()), arguments.positional,
                arguments.keywords, link);
}

/// Calls a function that needs the numbers behind symbols.
Val Interp::callWithNumbers(BuiltinObj& builtin, const Arguments& arguments) {
    auto isSymbol = [](const Val& v) {
        return v.is(Kind::Symbol) || v.is(Kind::Truth) || v.is(Kind::Number);
    };
    bool any = std::any_of(arguments.positional.begin(), arguments.positional.end(), isSymbol);
    for (const auto& [name, v] : arguments.keywords)
        any |= isSymbol(v);
    if (!any) return builtin.function(*this, builtin, arguments);
    std::vector<Val> positional;
    std::vector<std::pair<StrObj*, Val>> keywords;
    for (const Val& v : arguments.positional)
        positional.push_back(plain(v));
    for (const auto& [name, v] : arguments.keywords)
        keywords.emplace_back(name, plain(v));
    return builtin.function(*this, builtin, Arguments{positional, keywords});
}

Val Interp::call(const Val& callee, std::span<const Val> positional,
                 std::span<const std::pair<StrObj*, Val>> keywords, const CallLink& link) {
    checkStack();
    Arguments arguments{positional, keywords};
    auto refuse = [&] {
        raisePython(Error::Type, fmt::format("'{}' object is not callable", typeName(callee)),
                    fmt::format("a value of type {} cannot be called", typeName(callee)));
    };
    if (!callee.isObject()) refuse();
    if (torchOverrides.asked())
        if (Val answer = overridden(callee, arguments); answer.bound()) return answer;
    switch (callee.object()->kind) {
    case Kind::Function:
        return callFunction(*callee.as<FunctionObj>(), nullptr, arguments, link);
    case Kind::Builtin: {
        auto* builtin = callee.as<BuiltinObj>();
        if (builtin->stops) observer_->beforeStop(*builtin);
        auto fits = [&](const Val& v) {
            const ClassObj& type = *builtin->receiver;
            return type.recognises
                       ? type.recognises(v)
                       : v.is(Kind::Instance) && v.as<InstanceObj>()->type->isSubclassOf(&type);
        };
        if (builtin->receiver && (positional.empty() || !fits(positional[0])))
            raise(Error::Type,
                  fmt::format("{}() is a method of another type, found {}", builtin->name,
                              positional.empty() ? "nothing" : typeName(positional[0])));
        if (!builtin->takesSymbols) return callWithNumbers(*builtin, arguments);
        return builtin->function(*this, *builtin, arguments);
    }
    case Kind::Method: {
        auto* method = callee.as<MethodObj>();
        if (auto* f = method->function.to<FunctionObj>())
            return callFunction(*f, &method->self, arguments, link);
        std::vector<Val> all;
        all.reserve(positional.size() + 1);
        all.push_back(method->self);
        all.insert(all.end(), positional.begin(), positional.end());
        return call(method->function, all, keywords, link);
    }
    case Kind::Class:
        if (Val* method = special(callee, "__call__"))
            return call(bindMethod(*method, callee, typeOf(callee)), positional, keywords, link);
        return instantiate(*callee.as<ClassObj>(), arguments, link);
    case Kind::Instance:
        return callInstance(*callee.as<InstanceObj>(), callee, arguments, link);
    case Kind::StaticMethod:
        return call(callee.as<WrappedMethodObj>()->function, positional, keywords, link);
    case Kind::Compiled: {
        auto* compiled = callee.as<CompiledObj>();
        if (capture_)
            return call(compiled->original, positional, keywords, link); // inlined, as PyTorch does
        const Val alive = callee; // the call may drop what called it
        return compiled->unit->callValues(arguments);
    }
    default:
        // An instance of a class made of a built-in type.
        if (Val* method = special(callee, "__call__"))
            return call(bindMethod(*method, callee, typeOf(callee)), positional, keywords, link);
        refuse();
    }
    return {};
}

Val Interp::callMethod(const Val& self, std::string_view name, std::initializer_list<Val> args) {
    return call(getAttr(self, intern(name)), args);
}

std::vector<Val> parseArguments(Interp& interp, const std::string& function,
                                const Arguments& arguments,
                                std::initializer_list<std::string_view> names) {
    struct Want {
        std::string_view name;
        bool optional, keywordOnly;
    };
    std::vector<Want> wants;
    bool keywordOnly = false;
    for (std::string_view n : names) {
        if (n == "*") {
            keywordOnly = true;
            continue;
        }
        bool optional = n.ends_with('=');
        wants.push_back({optional ? n.substr(0, n.size() - 1) : n, optional, keywordOnly});
    }
    size_t limit = static_cast<size_t>(
        std::count_if(wants.begin(), wants.end(), [](const Want& w) { return !w.keywordOnly; }));
    if (arguments.positional.size() > limit)
        interp.raise(Error::Type, fmt::format("{}() takes {} ({} given)", function,
                                              limit == 0 ? "no arguments"
                                              : wants[limit - 1].optional
                                                  ? "at most " + plural(limit, "argument")
                                              : limit == 1 && wants.size() < 2
                                                  ? "exactly one argument"
                                                  : "exactly " + plural(limit, "argument"),
                                              arguments.positional.size()));
    std::vector<Val> values(wants.size());
    std::copy(arguments.positional.begin(), arguments.positional.end(), values.begin());
    for (const auto& [name, value] : arguments.keywords) {
        auto at = std::find_if(wants.begin(), wants.end(),
                               [&](const Want& w) { return w.name == name->text; });
        if (at == wants.end()) {
            std::vector<std::string> known;
            for (const Want& w : wants)
                known.emplace_back(w.name);
            std::string near = Interp::nearest(name->text, known);
            interp.raise(
                Error::Type,
                fmt::format("{}() got an unexpected keyword argument '{}'", function, name->text),
                near.empty() ? "" : fmt::format("did you mean '{}'?", near));
        }
        Val& slot = values[static_cast<size_t>(at - wants.begin())];
        if (slot.bound())
            interp.raise(Error::Type,
                         fmt::format("{}() got argument '{}' twice", function, name->text));
        slot = value;
    }
    for (size_t i = 0; i < wants.size(); ++i)
        if (!wants[i].optional && !values[i].bound())
            interp.raise(Error::Type, fmt::format("{}() missing required argument '{}' (pos {})",
                                                  function, wants[i].name, i + 1));
    return values;
}

int64_t wantInt(Interp& interp, const Val& v, std::string_view what) {
    if (v.is(Kind::Symbol) || v.is(Kind::Truth) || v.is(Kind::Number))
        return interp.plain(v).asInt();
    if (v.isIntegral()) return v.asInt();
    if (v.is(Kind::Integer)) {
        const Val small = plainInteger(v);
        if (small.isIntegral()) return small.asInt();
        interp.raisePython(Error::Overflow, "Python int too large to convert to C ssize_t",
                           fmt::format("{} must fit in 64 bits", what));
    }
    if (auto* t = v.to<TensorObj>()) {
        if (ir::isFloating(t->type().dtype) || ir::isComplex(t->type().dtype))
            interp.raise(Error::Type, "only integer tensors of a single element can be converted "
                                      "to an index");
        const Val number = interp.scalarOf(*t, what, Error::Type);
        return wantInt(interp, number, what);
    }
    if (Val* index = interp.special(v, "__index__"))
        return wantInt(interp, interp.call(interp.bindMethod(*index, v, interp.typeOf(v)), {}),
                       what);
    if (auto* tensor = v.to<TensorObj>()) return indexOfTensor(interp, *tensor).asInt();
    interp.raisePython(
        Error::Type,
        fmt::format("'{}' object cannot be interpreted as an integer", interp.typeName(v)),
        fmt::format("{} must be an int, found {}", what, interp.typeName(v)));
}

double wantFloat(Interp& interp, const Val& v, std::string_view what) {
    if (v.is(Kind::Symbol) || v.is(Kind::Truth) || v.is(Kind::Number))
        return interp.plain(v).asFloat();
    if (v.isNumber()) return v.asFloat();
    if (v.is(Kind::Integer)) return integerFloat(interp, v);
    if (v.is(Kind::Real) && !interp.special(v, "__float__")) return v.as<RealObj>()->value;
    for (const char* name : {"__float__", "__index__"})
        if (Val* method = interp.special(v, name))
            return wantFloat(
                interp, interp.call(interp.bindMethod(*method, v, interp.typeOf(v)), {}), what);
    if (v.is(Kind::Tensor))
        return realNumber(interp, interp.scalarOf(*v.as<TensorObj>(), what)).asFloat();
    interp.raise(Error::Type,
                 fmt::format("{} must be a number, found {}", what, interp.typeName(v)));
}

Val realNumber(Interp& interp, const Val& v, std::string_view type) {
    if (v.is(Kind::Integer)) { // of a uint64 from 2^63
        if (type != "int64_t") return Val::real(integerFloat(interp, v));
        interp.raise(Error::Runtime,
                     fmt::format("value cannot be converted to type {} without overflow", type));
    }
    auto* complex = v.to<ComplexObj>();
    if (!complex) return v;
    if (complex->imaginary != 0)
        interp.raise(Error::Runtime,
                     fmt::format("value cannot be converted to type {} without overflow", type),
                     "take its .real or its .imag");
    return Val::real(complex->real);
}

Val indexOfTensor(Interp& interp, TensorObj& t) {
    const ir::TensorType& type = t.type();
    if (ir::isFloating(type.dtype) || ir::isComplex(type.dtype) || !type.numel().is(1))
        interp.raise(Error::Type,
                     "only integer tensors of a single element can be converted to an index");
    return Val::integer(wantInt(interp, interp.scalarOf(t, "an index"), "an index"));
}

TensorObj& wantTensor(Interp& interp, const Val& v, std::string_view what) {
    if (auto* t = v.to<TensorObj>()) return *t;
    interp.raise(Error::Type,
                 fmt::format("{} must be a tensor, found {}", what, interp.typeName(v)));
}

const std::string& wantStr(Interp& interp, const Val& v, std::string_view what) {
    if (v.is(Kind::Str)) return v.as<StrObj>()->text;
    interp.raise(Error::Type, fmt::format("{} must be a str, found {}", what, interp.typeName(v)));
}

Val Interp::functionDefaults(FunctionObj& f) {
    for (size_t i = 0; i < f.code->positional; ++i) {
        const size_t fromEnd = f.code->positional - i;
        observer_->readDefault(
            f, i, fromEnd <= f.defaults.size() ? f.defaults[f.defaults.size() - fromEnd] : Val());
    }
    return f.defaults.empty() ? Val::none() : tuple(f.defaults);
}

void Interp::setFunctionDefaults(FunctionObj& f, StrObj* name, const Val& value) {
    if (f.code->source->library)
        raise(Error::Attribute, fmt::format("{} of {}() cannot be set", name->text, f.name),
              "wrap the function in one of your own");
    bool positional = name->text == "__defaults__";
    if (!value.isNone() && !value.is(positional ? Kind::Tuple : Kind::Dict))
        raise(Error::Type, fmt::format("{} must be a {} or None, found {}", name->text,
                                       positional ? "tuple" : "dict", typeName(value)));
    ++lookupEpoch_;
    if (!positional)
        f.keywordDefaults = value.isNone() ? Ref<DictObj>() : Ref<DictObj>(value.as<DictObj>());
    else if (value.isNone())
        f.defaults.clear();
    else
        f.defaults = value.as<TupleObj>()->items;
}

} // namespace cutaway::capture
