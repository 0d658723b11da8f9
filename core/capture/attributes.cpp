// SPDX-License-Identifier: Apache-2.0
// Attribute access on every kind of value.
#include "core/capture/compiled_unit.h"
#include "core/capture/interp.h"
#include "core/capture/pytorch_names.h"
#include "core/capture/script_graph.h"
#include "core/capture/script_observer.h"
#include "core/capture/settings.h"
#include "core/capture/tensor_world.h"
#include "core/capture/torch_support.h"
#include "core/capture/type_methods.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::capture {

namespace {

constexpr std::string_view kModuleDicts[] = {"_parameters", "_buffers", "_modules"};

/// __code__: what scripts ask of it.
Val codeObject(Interp& in, FunctionObj& f) {
    const Code& code = *f.code;
    std::vector<Val> names;
    for (const std::string& name : code.locals)
        if (name.find('@') == std::string::npos) names.push_back(in.str(name));
    std::vector<Val> frees;
    for (size_t i = code.cells.size() - code.freeVariables; i < code.cells.size(); ++i)
        frees.push_back(in.str(code.cells[i]));
    Val type = in.import("types");
    return in.call(
        in.getAttr(type, in.intern("SimpleNamespace")), {},
        std::vector<std::pair<StrObj*, Val>>{
            {in.intern("co_name"), in.str(code.name)},
            {in.intern("co_argcount"), Val::integer(static_cast<int64_t>(code.positional))},
            {in.intern("co_posonlyargcount"),
             Val::integer(static_cast<int64_t>(code.positionalOnly))},
            {in.intern("co_kwonlyargcount"), Val::integer(static_cast<int64_t>(code.keywordOnly))},
            {in.intern("co_flags"),
             Val::integer((code.takesArgs ? 4 : 0) | (code.takesKwargs ? 8 : 0) |
                          (code.generator && !code.asynchronous ? 32 : 0) |
                          (code.asynchronous ? code.values ? 512 : 128 : 0))},
            {in.intern("co_varnames"), in.tuple(std::move(names))},
            {in.intern("co_freevars"), in.tuple(std::move(frees))},
            {in.intern("co_filename"), in.str(code.source->file)},
            {in.intern("co_firstlineno"), Val::integer(code.span.line)}});
}

} // namespace

void Interp::mutating(Object* o, const char* what) {
    observer_->beforeChange(o, what);
}

void Interp::noteAttr(const Val& owner, StrObj* name, const Val& value) {
    if (!owner.isObject()) return;
    if (value.bound())
        observer_->readAttr(owner.object(), name, value);
    else
        observer_->readType(owner.object());
}

void Interp::noteItem(const Val& owner, const Val& key, const Val& value) {
    if (owner.isObject()) observer_->readItem(owner.object(), key, value);
}

void Interp::noteLength(const Val& owner) {
    if (owner.isObject()) observer_->readLength(owner.object());
}

void Interp::noteCompared(const Val& a, const Val& b) {
    if (a.isObject() && b.isObject()) observer_->readDistinct(a.object(), b.object());
}

Val* Interp::classAttr(ClassObj& type, StrObj* name) {
    Val* found = type.find(name);
    observer_->readClass(type, nullptr, name, found);
    return found;
}

/// Parameters, buffers, submodules: found without running __getattr__.
Val Interp::moduleAttr(InstanceObj& instance, StrObj* name) {
    for (std::string_view dictName : kModuleDicts) {
        StrObj* key = intern(dictName);
        Val* dict = instance.attributes->find(key);
        auto* table = dict ? dict->to<DictObj>() : nullptr;
        if (!table) continue;
        Val* found = table->find(name);
        observer_->readAttr(&instance, key, *dict);
        if (!found) {
            observer_->readAbsent(table, name);
            continue;
        }
        observer_->readItem(table, Val(name), *found);
        if (auto* tensor = found->to<TensorObj>()) observer_->readModuleTensor(*tensor);
        return *found;
    }
    return {};
}

/// Assignments that register: parameters and submodules. \returns whether it was one.
bool Interp::setModuleAttr(InstanceObj& instance, StrObj* name, const Val& value) {
    auto* tensor = value.to<TensorObj>();
    auto* compiled = value.to<CompiledObj>();
    const bool module = isModule(compiled ? compiled->original : value);
    const bool buffer =
        tensor && tensor->attributes && tensor->attributes->find(intern("_is_buffer"));
    const int target = tensor && tensor->parameter ? 0 : buffer ? 1 : module ? 2 : -1;
    bool stored = false;
    for (int i = 0; i < 3; ++i) {
        Val* dict = instance.attributes->find(intern(kModuleDicts[i]));
        auto* table = dict ? dict->to<DictObj>() : nullptr;
        if (!table) {
            if (target < 0) continue;
            constexpr const char* kWhat[] = {"parameters", "buffers", "module"};
            raise(Error::Attribute,
                  fmt::format("cannot assign {} before Module.__init__() call", kWhat[target]),
                  "call super().__init__() first in __init__");
        }
        bool has = table->find(name) != nullptr;
        bool keeps = has && target < 0 && (value.isNone() || (i == 1 && tensor));
        if (i == target || keeps) {
            Val kept = value;
            if (Val* told = moduleClass()->find(intern("_registered")); told && !value.isNone())
                kept =
                    call(*told, {Val(&instance), Val(intern(kModuleDicts[i])), Val(name), value});
            mutating(table, "a module");
            table->set(name, kept);
            stored = true;
        } else if (has && target >= 0) {
            mutating(table, "a module");
            table->erase(name);
        } else if (has) {
            constexpr const char* kTakes[] = {"parameter '{}' (torch.nn.Parameter",
                                              "buffer '{}' (torch.nn.Buffer, torch.Tensor",
                                              "child module '{}' (torch.nn.Module"};
            const Val kind = callMethod(Val(Interp::module("torch")), "typename", {value});
            raise(Error::Type,
                  fmt::format("cannot assign '{}' as {} or None expected)", kind.as<StrObj>()->text,
                              fmt::format(fmt::runtime(kTakes[i]), name->text)),
                  i == 0 ? "wrap the tensor in torch.nn.Parameter" : "");
        }
    }
    if (stored && target >= 0 && instance.attributes->find(name)) instance.attributes->erase(name);
    if (buffer && stored)
        callMethod(getAttr(Val(&instance), intern("_non_persistent_buffers_set")),
                   truthy(getAttr(value, intern("persistent"))) ? "discard" : "add", {Val(name)});
    return stored;
}

Val Interp::bindMethod(const Val& attribute, const Val& self, ClassObj* type) {
    if (!attribute.isObject()) return attribute;
    switch (attribute.object()->kind) {
    case Kind::Function:
    case Kind::Builtin:
    case Kind::Compiled:
        return Val(make<MethodObj>(attribute, self));
    case Kind::StaticMethod:
        return attribute.as<WrappedMethodObj>()->function;
    case Kind::ClassMethod:
        return Val(make<MethodObj>(attribute.as<WrappedMethodObj>()->function, Val(type)));
    case Kind::Property: {
        const Val& getter = attribute.as<PropertyObj>()->getter;
        if (getter.isNone()) raise(Error::Attribute, "property has no getter");
        return call(getter, {self});
    }
    case Kind::Instance:
        if (Val* get = special(attribute, "__get__"))
            return call(bindMethod(*get, attribute, attribute.as<InstanceObj>()->type.get()),
                        {self, Val(type)});
        return attribute;
    default:
        return attribute;
    }
}

Val Interp::superAttr(SuperObj& super, StrObj* name) {
    const bool ofClass =
        super.self.is(Kind::Class) && super.self.as<ClassObj>()->isSubclassOf(super.after.get());
    ClassObj* type = ofClass ? super.self.as<ClassObj>() : typeOf(super.self);
    Val* found = type->findBehind(super.after.get(), name);
    observer_->readClass(*type, super.after.get(), name, found);
    if ((!found || found->is(Kind::Builtin)) && super.self.is(Kind::Tensor))
        return tensorAttr(super.self, name);
    if (!found) return {};
    if (ofClass)
        return found->is(Kind::StaticMethod) || found->is(Kind::ClassMethod)
                   ? bindMethod(*found, super.self, type)
                   : *found;
    return bindMethod(*found, super.self, type);
}

/// What a module's __getattr__ gives; unbound when it raises AttributeError.
static Val lazyAttr(Interp& in, const Val& lazy, StrObj* name) {
    const OutsideCapture outside(in);
    try {
        return in.call(lazy, {Val(name)});
    } catch (const ScriptError& error) {
        if (error.exception.bound() &&
            in.isInstance(error.exception, Val(in.errorClass(Error::Attribute))))
            return {};
        throw;
    }
}

Ref<DictObj> Interp::attributesOf(const Val& object) const {
    if (auto* instance = object.to<InstanceObj>()) return instance->attributes;
    if (auto* tensor = object.to<TensorObj>(); tensor && tensor->subclass)
        return tensor->attributes;
    if (object.isObject() && BuiltinTypeObj::holds(object.object()->kind))
        if (auto* o = static_cast<BuiltinTypeObj*>(object.object()); o->own)
            return Ref<DictObj>(o->own->attributes.as<DictObj>());
    return {};
}

/// Attributes that every exception has.
Val Interp::exceptionAttr(InstanceObj& exception, StrObj* name) {
    const std::string& n = name->text;
    if (n == "__cause__" || n == "__context__") return Val::none();
    if (n == "__suppress_context__") return Val::boolean(false);
    if (n == "__traceback__")
        return exception.raised ? Val(make<TracebackObj>(Val(&exception))) : Val::none();
    Val* args = exception.attributes->find(intern("args"));
    auto* all = args ? args->to<TupleObj>() : nullptr;
    auto argument = [&](size_t i) {
        return all && i < all->items.size() ? all->items[i] : Val::none();
    };
    auto is = [&](const char* type) {
        Val* c = builtins_->find(intern(type));
        return exception.type->isSubclassOf(c->as<ClassObj>());
    };
    if (n == "value" && is("StopIteration")) return argument(0);
    if (n == "code" && is("SystemExit")) return argument(0);
    if (is("OSError") && all && all->items.size() >= 2) {
        if (n == "errno") return argument(0);
        if (n == "strerror") return argument(1);
        if (n == "filename") return argument(2);
    }
    if ((n == "errno" || n == "strerror" || n == "filename") && is("OSError")) return Val::none();
    if (n == "name" && (is("ImportError") || is("NameError") || is("AttributeError")))
        return Val::none();
    return {};
}

/// An attribute of an object with a dict of its own.
Val Interp::ownAttr(const Val& object, ClassObj& type, StrObj* name) {
    const Ref<DictObj> attributes = attributesOf(object);
    if (type.hooks() & ClassObj::Data) { // a property hides what the object itself keeps
        Val* found = type.find(name);
        if (found && (found->is(Kind::Property) || special(*found, "__set__")))
            return bindMethod(*classAttr(type, name), object, &type);
    }
    if (Val* found = attributes->find(name)) {
        if (found->isInt() || found->isFloat())
            if (auto symbol = observer_->attrSymbol(object.object(), name, *found)) return *symbol;
        observer_->readAttr(object.object(), name, *found);
        return *found;
    }
    observer_->readAbsent(object.object(), name);
    if (Val* found = classAttr(type, name)) return bindMethod(*found, object, &type);
    if (type.module) {
        Val v = moduleAttr(*object.as<InstanceObj>(), name);
        if (v.bound()) return v;
    }
    if (name->text == "__class__") return Val(&type);
    if (name->text == "__dict__" && !type.slots) {
        observer_->readNames(object.object(), *attributes);
        return attributes.val();
    }
    if (type.exception)
        if (Val v = exceptionAttr(*object.as<InstanceObj>(), name); v.bound()) return v;
    if (name->text == "__doc__" || name->text == "__module__") return typeAttr(type, name);
    return {};
}

Val Interp::typeAttr(ClassObj& type, StrObj* name) {
    const std::string& n = name->text;
    const Val self(&type);
    if (Val* found = n == "__dict__" ? nullptr : classAttr(type, name)) {
        if (found->is(Kind::StaticMethod)) return found->as<WrappedMethodObj>()->function;
        if (found->is(Kind::ClassMethod)) return bindMethod(*found, self, &type);
        if (found->is(Kind::Instance))
            if (Val* get = special(*found, "__get__"))
                return call(bindMethod(*get, *found, typeOf(*found)), {Val::none(), self});
        return *found;
    }
    if (n == "__name__") return str(type.name);
    if (n == "__qualname__")
        return str(type.qualifiedName.empty() ? type.name : type.qualifiedName);
    if (n == "__module__") return str(type.native ? "builtins" : "__main__");
    if (n == "__doc__") return Val::none();
    if (n == "__class__") return Val(typeOf(self));
    if (n == "__dict__") {
        world_->wantReal("the names of a class are looked at", "do that outside the function");
        return type.attributes.val();
    }
    if (n == "__mro__") {
        std::vector<Val> order;
        for (ClassObj* c : type.order)
            order.emplace_back(c);
        if (type.order.back() != objectClass_.get()) order.push_back(objectClass_.val());
        return tuple(std::move(order));
    }
    if (n == "__bases__" || n == "__base__") {
        if (n == "__base__") return type.bases.empty() ? Val::none() : type.bases[0].val();
        std::vector<Val> bases;
        for (const Ref<ClassObj>& base : type.bases)
            bases.push_back(base.val());
        return tuple(std::move(bases));
    }
    if (n == "__annotations__") {
        Val made(make<DictObj>());
        if (!type.native) type.attributes->set(name, made);
        return made;
    }
    ClassObj* meta = type.meta.bound() ? type.meta.as<ClassObj>() : typeClass_.get();
    if (Val* found = classAttr(*meta, name)) return bindMethod(*found, self, meta);
    if (Val* hook = special(self, "__getattr__"))
        return call(bindMethod(*hook, self, meta), {Val(name)});
    if (type.isSubclassOf(tensorClass_.get()))
        if (Val method = tensorFunction(*this, n); method.bound()) {
            tensorClass_->attributes->set(name, method);
            return method;
        }
    observer_->readNoAttr(&type, name);
    return {};
}

Val Interp::functionAttr(FunctionObj& f, StrObj* name) {
    const std::string& n = name->text;
    if (n == "__dict__") {
        if (!f.attributes) f.attributes = Ref<DictObj>(make<DictObj>());
        return f.attributes.val();
    }
    if (Val* found = f.attributes ? f.attributes->find(name) : nullptr) {
        observer_->readAttr(&f, name, *found);
        return *found;
    }
    if (n == "__name__") return str(f.name);
    if (n == "__qualname__") return str(f.qualifiedName);
    if (n == "__defaults__") return functionDefaults(f);
    if (n == "__kwdefaults__") return f.keywordDefaults ? f.keywordDefaults.val() : Val::none();
    if (n == "__doc__") return f.code->text.empty() ? Val::none() : str(f.code->text);
    if (n == "__module__") {
        Val* module = f.globals->find(intern("__name__"));
        return module ? *module : str("builtins");
    }
    if (n == "__annotations__") return annotationsOf(f);
    if (n == "__globals__") return f.globals.val();
    if (n == "__closure__") return f.closure.empty() ? Val::none() : tuple(f.closure);
    if (n == "__class__") return Val(typeOf(Val(&f)));
    if (n == "__code__") return codeObject(*this, f);
    observer_->readAbsent(&f, name);
    observer_->readNoAttr(&f, name);
    return builtinMethod(Val(&f), name);
}

static Val moduleNameAttr(Interp& in, ModuleObj& module, StrObj* name) {
    if (Val* found = module.attributes->find(name)) {
        if (module.settable) in.observer().readAttr(&module, name, *found);
        return *found;
    }
    if (module.settable) {
        in.observer().readAbsent(&module, name);
        in.observer().readNoAttr(&module, name);
    }
    if (name->text == "__name__") return in.str(module.name);
    if (name->text == "__dict__") return module.attributes.val();
    if (Val library = in.libraryImport(module.name + "." + name->text); library.bound())
        return library;
    // PEP 562, for the library's own modules: __getattr__ raises for what it does not know.
    static constexpr std::string_view kLazy = "__getattr__";
    if (Val* lazy = module.attributes->find(kLazy); lazy && name->text != kLazy) {
        Val found = lazyAttr(in, *lazy, name);
        if (found.bound()) return found;
    }
    return module.missing ? module.missing(in, module, name) : Val();
}

/// What slices, ranges and complex numbers are made of; unbound: another name.
static Val numberAttr(const Val& object, const std::string& name) {
    if (auto* s = object.to<SliceObj>()) {
        if (name == "start") return s->start;
        if (name == "stop") return s->stop;
        if (name == "step") return s->step;
    } else if (auto* r = object.to<RangeObj>()) {
        if (name == "start") return Val::integer(r->start);
        if (name == "stop") return Val::integer(r->stop);
        if (name == "step") return Val::integer(r->step);
    } else if (auto* z = object.to<ComplexObj>()) {
        if (name == "real") return Val::real(z->real);
        if (name == "imag") return Val::real(z->imaginary);
    }
    return {};
}

Val Interp::plainAttr(const Val& object, StrObj* name) {
    if (object.tag() != Tag::Object) return builtinMethod(object, name);
    if (object.is(Kind::Tensor) && !givenByScript(object, name)) return tensorAttr(object, name);
    if (attributesOf(object)) return ownAttr(object, *classOf(object), name);
    switch (object.object()->kind) {
    case Kind::GradFunction:
        return gradFunctionAttr(*this, object, name);
    case Kind::Tensor:
        return tensorAttr(object, name);
    case Kind::Module:
        return moduleNameAttr(*this, *object.as<ModuleObj>(), name);
    case Kind::Class:
        return typeAttr(*object.as<ClassObj>(), name);
    case Kind::Function:
        return functionAttr(*object.as<FunctionObj>(), name);
    case Kind::Method: {
        auto* m = object.as<MethodObj>();
        if (name->text == "__self__") return m->self;
        // What is behind a built-in method would take anything for its object.
        if (name->text == "__func__" && m->function.is(Kind::Function)) return m->function;
        if (name->text == "__class__") return Val(typeOf(object));
        return tryAttr(m->function, name);
    }
    case Kind::Builtin:
        if (name->text == "__name__" || name->text == "__qualname__") {
            const std::string& full =
                object.as<BuiltinObj>()->name; // "aten.mul.Tensor": mul.Tensor
            return str(full.substr(full.starts_with("aten.") ? 5 : full.rfind('.') + 1));
        }
        if (Val v = overloadOf(*this, *object.as<BuiltinObj>(), name->text); v.bound()) return v;
        return name->text == "__doc__" ? Val::none() : builtinMethod(object, name);
    case Kind::Super:
        return superAttr(*object.as<SuperObj>(), name);
    case Kind::Compiled: {
        const Val& original = object.as<CompiledObj>()->original;
        if (name->text == "_orig_mod" || name->text == "_torchdynamo_orig_callable")
            return original;
        if (isModule(original))
            if (const Val* own = optimizedClass_->find(name))
                return bindMethod(*own, object, optimizedClass_.get());
        return tryAttr(original, name);
    }
    case Kind::Slice:
    case Kind::Range:
    case Kind::Complex:
        if (Val v = numberAttr(object, name->text); v.bound()) return v;
        break;
    case Kind::Cell:
        if (name->text == "cell_contents") {
            observer_->readCell(object.as<CellObj>(), "cell_contents");
            return object.as<CellObj>()->value;
        }
        break;
    case Kind::Property: {
        auto* p = object.as<PropertyObj>();
        if (name->text == "fget") return p->getter;
        if (name->text == "fset") return p->setter.bound() ? p->setter : Val::none();
        if (name->text == "__doc__") return p->text.bound() ? p->text : tryAttr(p->getter, name);
        if (name->text == "__isabstractmethod__") return tryAttr(p->getter, name);
        break;
    }
    case Kind::StaticMethod:
    case Kind::ClassMethod: {
        if (name->text == "__func__") return object.as<WrappedMethodObj>()->function;
        if (Val v = builtinMethod(object, name); v.bound()) return v;
        return tryAttr(object.as<WrappedMethodObj>()->function, name);
    }
    case Kind::Generator:
        if (name->text == "__name__") return str(object.as<GeneratorObj>()->name);
        break;
    default:
        break;
    }
    return builtinMethod(object, name);
}

Val Interp::tryAttr(const Val& object, StrObj* name) {
    ClassObj* type = object.is(Kind::Class) ? nullptr : classOf(object);
    if (!type) return plainAttr(object, name);
    if (type->hooks() & ClassObj::GetAttribute) {
        Val* hook = special(object, "__getattribute__");
        try {
            if (hook) return call(bindMethod(*hook, object, type), {Val(name)});
        } catch (ScriptError& error) {
            if (!error.exception.bound() ||
                !isInstance(error.exception, Val(errorClass(Error::Attribute))) ||
                !special(object, "__getattr__"))
                throw;
        }
    }
    Val v = plainAttr(object, name);
    if (v.bound()) return v;
    if (Val* hook = special(object, "__getattr__"))
        return call(bindMethod(*hook, object, type), {Val(name)});
    observer_->readNoAttr(object.object(), name);
    return {};
}

std::vector<std::string> Interp::attributeNames(const Val& object) {
    if (auto* compiled = object.to<CompiledObj>()) return attributeNames(compiled->original);
    std::vector<std::string> names;
    auto add = [&](const Ref<DictObj>& dict) {
        if (dict)
            for (const auto& e : dict->entries())
                if (e.key.is(Kind::Str)) names.push_back(e.key.as<StrObj>()->text);
    };
    ClassObj* type = object.is(Kind::Class) ? object.as<ClassObj>() : typeOf(object);
    if (type)
        for (ClassObj* c : type->order)
            add(c->attributes);
    add(attributesOf(object));
    if (auto* instance = object.to<InstanceObj>()) {
        for (std::string_view dictName : kModuleDicts)
            if (Val* dict = instance->attributes->find(intern(dictName));
                dict && dict->is(Kind::Dict))
                for (const auto& e : dict->as<DictObj>()->entries())
                    if (e.key.is(Kind::Str)) names.push_back(e.key.as<StrObj>()->text);
    }
    if (auto* module = object.to<ModuleObj>()) add(module->attributes);
    return names;
}

Val Interp::getAttr(const Val& object, StrObj* name) {
    Val v = tryAttr(object, name);
    if (v.bound()) return v;
    std::vector<std::string> names = attributeNames(object);
    bool tensorLike = object.is(Kind::Tensor);
    auto* module = object.to<ModuleObj>();
    if (tensorLike || (module && module->missing))
        for (const std::string& n : ops::catalogue().nearest(name->text))
            names.push_back(n);
    std::string near = nearest(name->text, names);
    std::string hint = near.empty() ? "" : fmt::format("did you mean '{}'?", near);
    std::string what = module ? fmt::format("module '{}'", module->name)
                       : object.is(Kind::Class)
                           ? fmt::format("class '{}'", object.as<ClassObj>()->name)
                           : fmt::format("'{}' object", typeName(object));
    std::string message = fmt::format("{} has no attribute '{}'", what, name->text);
    const std::string owner = module ? module->name : tensorLike ? "torch.Tensor" : "";
    if (pytorchHas(owner, name->text)) // the name is right, so no other one is meant
        message = fmt::format("{}.{} of PyTorch is not part of Cutaway", owner, name->text),
        hint.clear();
    Val error = newException(
        Error::Attribute,
        {str(object.is(Kind::Class) ? fmt::format("type object '{}' has no attribute '{}'",
                                                  object.as<ClassObj>()->name, name->text)
                                    : message)});
    error.as<InstanceObj>()->attributes->set(intern("name"), Val(name));
    error.as<InstanceObj>()->attributes->set(intern("obj"), object);
    throw ScriptError{error, base::userError({}, message, hint), {}, false};
}

/// Raises unless an attribute of that name of a class may be set or deleted.
void Interp::wantChangeable(ClassObj& type, StrObj* name) {
    const bool ofTorch = &type == tensorClass_.get() || &type == parameterClass_.get();
    if (type.native || (type.recognises && !ofTorch))
        raise(Error::Type, fmt::format("cannot set '{}' attribute of immutable type '{}'",
                                       name->text, type.name));
    for (std::string_view fixed : {"__bases__", "__mro__", "__class__", "__dict__"})
        if (name->text == fixed)
            raise(Error::Type, fmt::format("{} of class '{}' cannot be set", fixed, type.name),
                  "define another class");
}

/// x.__class__ = value: between classes that scripts defined and whose instances are alike.
void Interp::setClass(InstanceObj& instance, const Val& value) {
    auto* type = value.to<ClassObj>();
    if (!type)
        raise(Error::Type,
              fmt::format("__class__ must be set to a class, found {}", typeName(value)));
    const ClassObj& old = *instance.type;
    if (type->recognises || type->exception != old.exception || type->module != old.module)
        raise(Error::Type, fmt::format("a {} cannot become a {}: their instances differ in kind",
                                       old.name, type->name));
    world_->wantReal("the class of an object is set", "set it outside the compiled function");
    ++lookupEpoch_;
    instance.type = Ref<ClassObj>(type);
}

/// A property or another descriptor with __set__ of the class; false: there is none.
static bool setByDescriptor(Interp& in, const Val& object, ClassObj& type, StrObj* name,
                            const Val& value) {
    Val* found = type.hooks() & ClassObj::Data ? in.classAttr(type, name) : nullptr;
    if (!found) return false;
    if (found->is(Kind::Property)) {
        const Val setter = found->as<PropertyObj>()->setter;
        if (!setter.bound() || setter.isNone())
            in.raisePython(
                Error::Attribute,
                fmt::format("property '{}' of '{}' object has no setter", name->text, type.name),
                fmt::format("property '{}' has no setter", name->text));
        in.call(setter, {object, value});
        return true;
    }
    Val* set = in.special(*found, "__set__");
    if (set) in.call(in.bindMethod(*set, *found, in.typeOf(*found)), {object, value});
    return set != nullptr;
}

/// An attribute of a class that decides what setting and getting attributes of its objects asks.
static void noteHook(Interp& in, ClassObj& type, const std::string& name, const Val& value) {
    if (name == "__getattribute__") type.ownHooks |= ClassObj::GetAttribute;
    if (name == "__setattr__") type.ownHooks |= ClassObj::SetAttribute;
    if (name == "__delattr__") type.ownHooks |= ClassObj::DeleteAttribute;
    if (name == "__del__") type.ownHooks |= ClassObj::Finalizer;
    if (value.is(Kind::Property) || in.special(value, "__set__")) type.ownHooks |= ClassObj::Data;
}

static void setOwnAttr(Interp& in, FunctionObj& f, StrObj* name, Val value) {
    if (name->text == "__dict__" && value.is(Kind::Dict)) {
        f.attributes = Ref<DictObj>(value.as<DictObj>());
        return;
    }
    if (!f.attributes) f.attributes = Ref<DictObj>(in.make<DictObj>());
    f.attributes->set(name, std::move(value));
}

void Interp::setClassAttr(ClassObj& type, StrObj* name, Val value) {
    wantChangeable(type, name);
    mutating(&type, "a class");
    ++lookupEpoch_;
    if (name->text == "__name__" || name->text == "__qualname__") {
        (name->text == "__name__" ? type.name : type.qualifiedName) =
            wantStr(*this, value, name->text);
        return;
    }
    noteHook(*this, type, name->text, value);
    type.attributes->set(name, std::move(value));
}

void Interp::setPlainAttr(const Val& object, StrObj* name, Val value) {
    if (auto* tensor = object.to<TensorObj>()) {
        if (!givenByScript(object, name) ||
            !setByDescriptor(*this, object, *classOf(object), name, value))
            setTensorAttr(*tensor, name, value);
        return;
    }
    if (const Ref<DictObj> attributes = attributesOf(object)) {
        ClassObj& type = *classOf(object);
        auto* instance = object.to<InstanceObj>();
        if (name->text == "__class__" && instance) return setClass(*instance, value);
        if (name->text == "__dict__" && instance && value.is(Kind::Dict)) {
            mutating(instance, "an attribute of an object");
            instance->attributes = Ref<DictObj>(value.as<DictObj>());
            return;
        }
        if (setByDescriptor(*this, object, type, name, value)) return;
        if (type.slots &&
            std::find(type.slots->begin(), type.slots->end(), name->text) == type.slots->end())
            raise(Error::Attribute,
                  fmt::format("'{}' object has no attribute '{}'", type.name, name->text),
                  "its class has __slots__ without that name");
        if (type.native && !type.exception)
            raise(Error::Attribute,
                  fmt::format("'{}' object has no attribute '{}'", type.name, name->text));
        if (type.module && setModuleAttr(*instance, name, value)) return;
        mutating(object.object(), "an attribute of an object");
        attributes->set(name, std::move(value));
        return;
    }
    if (object.isObject()) switch (object.object()->kind) {
        case Kind::Class:
            return setClassAttr(*object.as<ClassObj>(), name, std::move(value));
        case Kind::Function: {
            auto* f = object.as<FunctionObj>();
            mutating(f, "a function's attribute");
            if (name->text == "__defaults__" || name->text == "__kwdefaults__")
                return setFunctionDefaults(*f, name, value);
            if (name->text == "__name__" || name->text == "__qualname__") {
                (name->text == "__name__" ? f->name : f->qualifiedName) =
                    wantStr(*this, value, name->text);
                return;
            }
            if (name->text == "__code__" || name->text == "__closure__" ||
                name->text == "__globals__")
                raise(Error::Attribute, fmt::format("a function's {} cannot be set", name->text),
                      "give the other function its name instead");
            return setOwnAttr(*this, *f, name, std::move(value));
        }
        case Kind::Module: {
            auto* module = object.as<ModuleObj>();
            mutating(module, "a module");
            if (module->settable)
                applySetting(*this, *module, name->text, value);
            else
                forgetEntries(); // which did not look at its names again
            module->settable = true;
            module->attributes->set(name, std::move(value));
            return;
        }
        case Kind::StaticMethod:
        case Kind::ClassMethod:
            return setAttr(object.as<WrappedMethodObj>()->function, name, std::move(value));
        case Kind::Property:
            if (name->text == "__doc__") {
                object.as<PropertyObj>()->text = std::move(value);
                return;
            }
            if (name->text == "__isabstractmethod__")
                return setAttr(object.as<PropertyObj>()->getter, name, std::move(value));
            break;
        case Kind::Cell:
            if (name->text == "cell_contents") {
                mutating(object.object(), "a variable of an outer function");
                object.as<CellObj>()->value = std::move(value);
                return;
            }
            break;
        case Kind::Compiled:
            return setAttr(object.as<CompiledObj>()->original, name, std::move(value));
        default:
            break;
        }
    const bool has = tryAttr(object, name).bound();
    raisePython(
        Error::Attribute,
        has ? fmt::format("'{}' object attribute '{}' is read-only", typeName(object), name->text)
            : fmt::format("'{}' object has no attribute '{}'", typeName(object), name->text),
        fmt::format("attribute '{}' of a {} cannot be set", name->text,
                    object.is(Kind::Module) ? "module" : typeName(object)));
}

void Interp::setAttr(const Val& object, StrObj* name, Val value) {
    ClassObj* type = classOf(object);
    if (type && (type->hooks() & ClassObj::SetAttribute))
        if (Val* hook = special(object, "__setattr__")) {
            call(bindMethod(*hook, object, type), {Val(name), value});
            return;
        }
    setPlainAttr(object, name, std::move(value));
}

void Interp::deletePlainAttr(const Val& object, StrObj* name) {
    const Ref<DictObj> attributes = attributesOf(object);
    DictObj* dict = attributes.get();
    if (dict) {
        ClassObj& type = *classOf(object);
        Val* found = type.hooks() & ClassObj::Data ? classAttr(type, name) : nullptr;
        if (found && found->is(Kind::Property)) {
            const Val deleter = found->as<PropertyObj>()->deleter;
            if (!deleter.bound())
                raise(Error::Attribute, fmt::format("property '{}' of '{}' object has no deleter",
                                                    name->text, type.name));
            call(deleter, {object});
            return;
        }
        if (Val* remove = found ? special(*found, "__delete__") : nullptr) {
            call(bindMethod(*remove, *found, typeOf(*found)), {object});
            return;
        }
    }
    if (auto* f = object.to<FunctionObj>()) {
        if (name->text == "__defaults__" || name->text == "__kwdefaults__") {
            mutating(f, "a function's attribute");
            return setFunctionDefaults(*f, name, Val::none());
        }
        if (f->attributes) dict = f->attributes.get();
    }
    if (auto* t = object.to<TensorObj>(); t && t->attributes) dict = t->attributes.get();
    if (auto* type = object.to<ClassObj>()) {
        wantChangeable(*type, name);
        dict = type->attributes.get();
        ++lookupEpoch_;
    }
    if (auto* module = object.to<ModuleObj>(); module && module->settable)
        dict = module->attributes.get();
    if (dict) mutating(object.object(), "an attribute of an object");
    if (dict && dict->erase(name)) return;
    if (auto* instance = object.to<InstanceObj>(); instance && instance->type->module)
        for (std::string_view dictName : kModuleDicts)
            if (Val* table = instance->attributes->find(intern(dictName));
                table && table->is(Kind::Dict) && table->as<DictObj>()->find(name)) {
                mutating(table->object(), "what a module consists of");
                table->as<DictObj>()->erase(name);
                return;
            }
    raisePython(
        Error::Attribute, std::vector<Val>{Val(name)},
        fmt::format("'{}' object has no attribute '{}' to delete", typeName(object), name->text));
}

} // namespace cutaway::capture
