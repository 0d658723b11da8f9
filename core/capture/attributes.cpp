// SPDX-License-Identifier: Apache-2.0
// Attribute access on every kind of value.
#include "core/capture/capture.h"
#include "core/capture/compiled_unit.h"
#include "core/capture/interp.h"
#include "core/capture/script_graph.h"
#include "core/capture/torch_support.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::capture {

namespace {

constexpr std::string_view kModuleDicts[] = {"_parameters", "_buffers", "_modules"};

} // namespace

void Interp::mutating(Object* o, const char* what) {
    if (capture_) capture_->beforeChange(o, what);
}

void Interp::noteAttr(const Val& owner, StrObj* name, const Val& value) {
    if (!capture_ || !owner.isObject()) return;
    if (value.bound())
        capture_->readAttr(owner.object(), name, value);
    else
        capture_->readType(owner.object());
}

void Interp::noteItem(const Val& owner, const Val& key, const Val& value) {
    if (capture_ && owner.isObject()) capture_->readItem(owner.object(), key, value);
}

void Interp::noteLength(const Val& owner) {
    if (capture_ && owner.isObject()) capture_->readLength(owner.object());
}

void Interp::noteCompared(const Val& a, const Val& b) {
    if (capture_ && a.isObject() && b.isObject()) capture_->readDistinct(a.object(), b.object());
}

Val* Interp::classAttr(ClassObj& type, StrObj* name) {
    Val* found = type.find(name);
    if (capture_) capture_->readClass(type, nullptr, name, found);
    return found;
}

/// Parameters, buffers and submodules: found without running __getattr__.
Val Interp::moduleAttr(InstanceObj& instance, StrObj* name) {
    for (std::string_view dictName : kModuleDicts) {
        StrObj* key = intern(dictName);
        Val* dict = instance.attributes->find(key);
        auto* table = dict ? dict->to<DictObj>() : nullptr;
        if (!table) continue;
        Val* found = table->find(name);
        if (capture_) {
            capture_->readAttr(&instance, key, *dict);
            if (found)
                capture_->readItem(table, Val(name), *found);
            else
                capture_->readAbsent(table, name);
        }
        if (!found) continue;
        if (capture_) {
            // Graph inputs in PyTorch's order: parameters where they are read, arguments where
            // used.
            if (auto* tensor = found->to<TensorObj>()) capture_->input(*tensor);
        }
        return *found;
    }
    return {};
}

/// Assignments that register: parameters and submodules. \returns whether it was one.
bool Interp::setModuleAttr(InstanceObj& instance, StrObj* name, const Val& value) {
    auto* tensor = value.to<TensorObj>();
    auto* module = value.to<InstanceObj>();
    int target = tensor && tensor->parameter ? 0 : module && module->type->module ? 2 : -1;
    bool stored = false;
    for (int i = 0; i < 3; ++i) {
        Val* dict = instance.attributes->find(intern(kModuleDicts[i]));
        auto* table = dict ? dict->to<DictObj>() : nullptr;
        if (!table) {
            if (target < 0) continue;
            raise(Error::Attribute,
                  fmt::format("'{}' is assigned before Module.__init__() ran", name->text),
                  "call super().__init__() first in __init__");
        }
        bool has = table->find(name) != nullptr;
        bool keeps = has && target < 0 && (value.isNone() || (i == 1 && tensor));
        if (i == target || keeps) {
            mutating(table, "a module");
            table->set(name, value);
            stored = true;
        } else if (has && target >= 0) {
            mutating(table, "a module");
            table->erase(name);
        } else if (has) {
            raise(Error::Type,
                  fmt::format("cannot assign {} to the {} '{}'", typeName(value),
                              i == 0   ? "parameter"
                              : i == 1 ? "buffer"
                                       : "module",
                              name->text),
                  i == 0 ? "wrap the tensor in torch.nn.Parameter" : "");
        }
    }
    if (stored && target >= 0 && instance.attributes->find(name)) instance.attributes->erase(name);
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
        return call(getter, {self});
    }
    default:
        return attribute;
    }
}

Val Interp::superAttr(SuperObj& super, StrObj* name) {
    ClassObj* type = super.self.is(Kind::Class) ? super.self.as<ClassObj>() : typeOf(super.self);
    Val* found = type->findBehind(super.after.get(), name);
    if (capture_) capture_->readClass(*type, super.after.get(), name, found);
    if (!found) return {};
    if (super.self.is(Kind::Class))
        return found->is(Kind::StaticMethod) || found->is(Kind::ClassMethod)
                   ? bindMethod(*found, super.self, type)
                   : *found;
    return bindMethod(*found, super.self, type);
}

/// What a module's __getattr__ gives; unbound when it raises AttributeError.
static Val lazyAttr(Interp& in, const Val& lazy, StrObj* name) {
    Capture* keep = in.capture();
    in.setCapture(nullptr);
    try {
        Val found = in.call(lazy, {Val(name)});
        in.setCapture(keep);
        return found;
    } catch (const ScriptError& error) {
        in.setCapture(keep);
        if (error.exception.bound() &&
            in.isInstance(error.exception, Val(in.errorClass(Error::Attribute))))
            return {};
        throw;
    } catch (...) {
        in.setCapture(keep);
        throw;
    }
}

Val Interp::tryAttr(const Val& object, StrObj* name) {
    switch (object.tag()) {
    case Tag::Object:
        break;
    default:
        return builtinMethod(object, name);
    }
    switch (object.object()->kind) {
    case Kind::Instance: {
        auto* instance = object.as<InstanceObj>();
        if (Val* found = instance->attributes->find(name)) {
            if (capture_) capture_->readAttr(instance, name, *found);
            return *found;
        }
        if (capture_) capture_->readAbsent(instance, name);
        if (Val* found = classAttr(*instance->type, name))
            return bindMethod(*found, object, instance->type.get());
        if (instance->type->module) {
            Val v = moduleAttr(*instance, name);
            if (v.bound()) return v;
        }
        if (name->text == "__class__") return instance->type.val();
        if (name->text == "__dict__") {
            if (capture_) capture_->readNames(*instance);
            return instance->attributes.val();
        }
        if (Val* hook = classAttr(*instance->type, "__getattr__"))
            return call(bindMethod(*hook, object, instance->type.get()), {Val(name)});
        if (capture_) capture_->readNoAttr(instance, name);
        return {};
    }
    case Kind::Tensor:
        return tensorAttr(object, name);
    case Kind::GradFunction:
        return gradFunctionAttr(*this, object, name);
    case Kind::Module: {
        auto* module = object.as<ModuleObj>();
        if (Val* found = module->attributes->find(name)) {
            if (capture_ && module->settable) capture_->readAttr(module, name, *found);
            return *found;
        }
        if (capture_ && module->settable) {
            capture_->readAbsent(module, name);
            capture_->readNoAttr(module, name);
        }
        if (name->text == "__name__") return str(module->name);
        if (Val library = libraryImport(module->name + "." + name->text); library.bound())
            return library;
        // PEP 562, for the library's own modules: __getattr__ raises for what it does not know.
        static constexpr std::string_view kLazy = "__getattr__";
        if (Val* lazy = module->attributes->find(kLazy); lazy && name->text != kLazy) {
            Val found = lazyAttr(*this, *lazy, name);
            if (found.bound()) return found;
        }
        return module->missing ? module->missing(*this, *module, name) : Val();
    }
    case Kind::Class: {
        auto* type = object.as<ClassObj>();
        if (Val* found = classAttr(*type, name)) {
            if (found->is(Kind::StaticMethod)) return found->as<WrappedMethodObj>()->function;
            if (found->is(Kind::ClassMethod)) return bindMethod(*found, object, type);
            return *found;
        }
        if (name->text == "__name__" || name->text == "__qualname__") return str(type->name);
        if (name->text == "__mro__") {
            std::vector<Val> order;
            for (ClassObj* c : type->order)
                order.emplace_back(c);
            return tuple(std::move(order));
        }
        if (name->text == "__bases__") {
            std::vector<Val> bases;
            for (const Ref<ClassObj>& base : type->bases)
                bases.push_back(base.val());
            return tuple(std::move(bases));
        }
        if (capture_) capture_->readNoAttr(type, name);
        return {};
    }
    case Kind::Function: {
        auto* f = object.as<FunctionObj>();
        if (Val* found = f->attributes ? f->attributes->find(name) : nullptr) {
            if (capture_) capture_->readAttr(f, name, *found);
            return *found;
        }
        if (name->text == "__name__") return str(f->name);
        if (name->text == "__qualname__") return str(f->qualifiedName);
        if (name->text == "__defaults__") return functionDefaults(*f);
        if (name->text == "__kwdefaults__")
            return f->keywordDefaults ? f->keywordDefaults.val() : Val::none();
        if (capture_) {
            capture_->readAbsent(f, name);
            capture_->readNoAttr(f, name);
        }
        return {};
    }
    case Kind::Method: {
        auto* m = object.as<MethodObj>();
        if (name->text == "__self__") return m->self;
        // What is behind a built-in method would take anything for its object.
        if (name->text == "__func__" && m->function.is(Kind::Function)) return m->function;
        return tryAttr(m->function, name);
    }
    case Kind::Builtin:
        if (name->text == "__name__") return str(object.as<BuiltinObj>()->name);
        return overloadOf(*this, *object.as<BuiltinObj>(), name->text);
    case Kind::Super:
        return superAttr(*object.as<SuperObj>(), name);
    case Kind::Compiled: {
        if (name->text == "_orig_mod") return object.as<CompiledObj>()->original;
        return tryAttr(object.as<CompiledObj>()->original, name);
    }
    case Kind::Slice: {
        auto* s = object.as<SliceObj>();
        if (name->text == "start") return s->start;
        if (name->text == "stop") return s->stop;
        if (name->text == "step") return s->step;
        return {};
    }
    case Kind::Property: {
        if (name->text != "setter") return builtinMethod(object, name);
        break;
    }
    default:
        break;
    }
    return builtinMethod(object, name);
}

std::vector<std::string> Interp::attributeNames(const Val& object) {
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
    if (auto* instance = object.to<InstanceObj>()) {
        add(instance->attributes);
        for (std::string_view dictName : kModuleDicts)
            if (Val* dict = instance->attributes->find(intern(dictName));
                dict && dict->is(Kind::Dict))
                for (const auto& e : dict->as<DictObj>()->entries())
                    if (e.key.is(Kind::Str)) names.push_back(e.key.as<StrObj>()->text);
    }
    if (auto* module = object.to<ModuleObj>()) add(module->attributes);
    for (const auto& [key, method] : methods_)
        if (key.first == object.kindNumber()) names.push_back(key.second);
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
    raise(Error::Attribute, fmt::format("{} has no attribute '{}'", what, name->text), hint);
}

Val Interp::functionDefaults(FunctionObj& f) {
    if (capture_)
        for (size_t i = 0; i < f.code->positional; ++i) {
            size_t fromEnd = f.code->positional - i;
            capture_->readDefault(
                f, i,
                fromEnd <= f.defaults.size() ? f.defaults[f.defaults.size() - fromEnd] : Val());
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

/// Raises unless an attribute of that name of a class may be set or deleted.
void Interp::wantChangeable(ClassObj& type, StrObj* name) {
    const bool ofErrors = std::any_of(errors_.begin(), errors_.end(),
                                      [&](const auto& e) { return e.get() == &type; });
    const bool ofTorch = &type == tensorClass_.get() || &type == parameterClass_.get();
    if (ofErrors || (type.recognises && !ofTorch))
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
    mutating(&instance, "the class of an object");
    ++lookupEpoch_;
    instance.type = Ref<ClassObj>(type);
}

void Interp::setAttr(const Val& object, StrObj* name, Val value) {
    if (object.isObject()) switch (object.object()->kind) {
        case Kind::Instance: {
            auto* instance = object.as<InstanceObj>();
            if (name->text == "__class__") return setClass(*instance, value);
            if (Val* found = classAttr(*instance->type, name); found && found->is(Kind::Property)) {
                const Val& setter = found->as<PropertyObj>()->setter;
                if (!setter.bound())
                    raise(Error::Attribute, fmt::format("property '{}' has no setter", name->text));
                call(setter, {object, value});
                return;
            }
            if (instance->type->module && setModuleAttr(*instance, name, value)) return;
            mutating(instance, "an attribute of an object");
            instance->attributes->set(name, std::move(value));
            return;
        }
        case Kind::Tensor:
            return setTensorAttr(*object.as<TensorObj>(), name, value);
        case Kind::Class:
            wantChangeable(*object.as<ClassObj>(), name);
            mutating(object.object(), "a class");
            ++lookupEpoch_;
            object.as<ClassObj>()->attributes->set(name, std::move(value));
            return;
        case Kind::Function: {
            auto* f = object.as<FunctionObj>();
            mutating(f, "a function's attribute");
            if (name->text == "__defaults__" || name->text == "__kwdefaults__")
                return setFunctionDefaults(*f, name, value);
            if (!f->attributes) f->attributes = Ref<DictObj>(make<DictObj>());
            f->attributes->set(name, std::move(value));
            return;
        }
        case Kind::Module: {
            auto* module = object.as<ModuleObj>();
            if (!module->settable) break;
            mutating(module, "a setting");
            module->attributes->set(name, std::move(value));
            return;
        }
        case Kind::Compiled:
            return setAttr(object.as<CompiledObj>()->original, name, std::move(value));
        default:
            break;
        }
    raise(Error::Attribute, fmt::format("attribute '{}' of a {} cannot be set", name->text,
                                        object.is(Kind::Module) ? "module" : typeName(object)));
}

void Interp::deleteAttr(const Val& object, StrObj* name) {
    DictObj* dict = nullptr;
    if (auto* instance = object.to<InstanceObj>()) dict = instance->attributes.get();
    if (auto* f = object.to<FunctionObj>(); f && f->attributes) dict = f->attributes.get();
    if (auto* type = object.to<ClassObj>()) {
        wantChangeable(*type, name);
        dict = type->attributes.get();
        ++lookupEpoch_;
    }
    if (dict) mutating(object.object(), "an attribute of an object");
    if (dict && dict->erase(name)) return;
    if (auto* instance = object.to<InstanceObj>(); instance && instance->type->module)
        for (std::string_view dictName : kModuleDicts)
            if (Val* table = instance->attributes->find(intern(dictName));
                table && table->is(Kind::Dict) && table->as<DictObj>()->erase(name))
                return;
    raise(Error::Attribute,
          fmt::format("'{}' object has no attribute '{}' to delete", typeName(object), name->text));
}

} // namespace cutaway::capture
