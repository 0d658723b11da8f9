// SPDX-License-Identifier: Apache-2.0
// Classes, instances and what a value's type is.
#include "core/capture/integers.h"
#include "core/capture/script_observer.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::capture {

namespace {

/// C3 linearisation; empty when the bases contradict each other.
std::vector<ClassObj*> linearise(Interp& in, ClassObj* type) {
    std::vector<std::vector<ClassObj*>> lists;
    std::vector<ClassObj*> direct;
    for (const Ref<ClassObj>& base : type->bases) {
        lists.push_back(base->order);
        direct.push_back(base.get());
    }
    lists.push_back(direct);
    std::vector<ClassObj*> order = {type};
    for (;;) {
        std::erase_if(lists, [](const auto& l) { return l.empty(); });
        if (lists.empty()) return order;
        ClassObj* pick = nullptr;
        for (const auto& list : lists) {
            in.tick();
            bool inTail = std::any_of(lists.begin(), lists.end(), [&](const auto& other) {
                return std::find(other.begin() + 1, other.end(), list[0]) != other.end();
            });
            if (inTail) continue;
            pick = list[0];
            break;
        }
        if (!pick) return {};
        order.push_back(pick);
        for (auto& list : lists)
            if (list[0] == pick) list.erase(list.begin());
    }
}

} // namespace

/// A function of a class body as what its name makes of it, and what that says of instances.
static void settleMember(Interp& in, ClassObj& type, const DictObj::Entry& e) {
    const std::string& name = e.key.as<StrObj>()->text;
    if (e.value.is(Kind::Function)) {
        if (name == "__new__")
            type.attributes->set(e.key, e.hash,
                                 Val(in.make<WrappedMethodObj>(Kind::StaticMethod, e.value)));
        if (name == "__init_subclass__" || name == "__class_getitem__")
            type.attributes->set(e.key, e.hash,
                                 Val(in.make<WrappedMethodObj>(Kind::ClassMethod, e.value)));
    }
    if (name == "__getattribute__") type.ownHooks |= ClassObj::GetAttribute;
    if (name == "__setattr__") type.ownHooks |= ClassObj::SetAttribute;
    if (name == "__delattr__") type.ownHooks |= ClassObj::DeleteAttribute;
    if (name == "__del__") type.ownHooks |= ClassObj::Finalizer;
    if (e.value.is(Kind::Property) || in.special(e.value, "__set__"))
        type.ownHooks |= ClassObj::Data;
}

/// super() in a function of the class body looks behind \p type.
static void adopt(const Val& member, const Val& type) {
    if (member.is(Kind::StaticMethod) || member.is(Kind::ClassMethod))
        return adopt(member.as<WrappedMethodObj>()->function, type);
    if (auto* p = member.to<PropertyObj>())
        for (const Val* f : {&p->getter, &p->setter, &p->deleter})
            adopt(*f, type);
    auto* f = member.to<FunctionObj>();
    if (f && !f->definingClass.bound()) f->definingClass = type;
}

static void takeSlots(Interp& in, ClassObj& type) {
    Val* own = type.attributes->find(in.intern("__slots__"));
    if (!own) return;
    auto all = std::make_unique<std::vector<std::string>>();
    for (const Ref<ClassObj>& base : type.bases) {
        if (base->native) continue;
        if (!base->slots) return;
        all->insert(all->end(), base->slots->begin(), base->slots->end());
    }
    for (const Val& name : own->is(Kind::Str) ? std::vector<Val>{*own} : in.items(*own))
        all->push_back(wantStr(in, name, "a slot's name"));
    if (std::find(all->begin(), all->end(), "__dict__") == all->end()) type.slots = std::move(all);
}

Val Interp::classStatement(const std::string& name, std::vector<Val> bases,
                           std::vector<std::pair<StrObj*, Val>> keywords,
                           const std::function<void(const Ref<DictObj>& names)>& body) {
    std::vector<Val> resolved;
    bool replaced = false;
    for (const Val& base : bases) {
        if (base.is(Kind::Class) || !tryAttr(base, intern("__mro_entries__")).bound()) {
            resolved.push_back(base);
            continue;
        }
        replaced = true;
        for (const Val& v : items(callMethod(base, "__mro_entries__", {tuple(bases)})))
            resolved.push_back(v);
    }
    Val meta;
    std::erase_if(keywords, [&](const auto& k) {
        if (k.first->text == "metaclass") meta = k.second;
        return k.first->text == "metaclass";
    });
    for (const Val& base : resolved)
        if (auto* b = base.to<ClassObj>(); b && b->meta.bound())
            if (!meta.is(Kind::Class) || b->meta.as<ClassObj>()->isSubclassOf(meta.as<ClassObj>()))
                meta = b->meta;
    const bool plainly = !meta.bound() || meta.identical(typeClass_.val());
    Val prepare = plainly ? Val() : tryAttr(meta, intern("__prepare__"));
    Val names(make<DictObj>());
    if (prepare.bound()) {
        const Val arguments[] = {str(name), tuple(resolved)};
        names = call(prepare, arguments, keywords);
    }
    if (!names.is(Kind::Dict))
        raise(Error::Type,
              fmt::format("{}.__prepare__() must return a mapping, not {}",
                          meta.is(Kind::Class) ? meta.as<ClassObj>()->name : "<metaclass>",
                          typeName(names)));
    const Ref<DictObj> filled(names.as<DictObj>());
    body(filled);
    if (replaced) filled->set(intern("__orig_bases__"), tuple(bases));
    if (plainly) return makeClass(name, resolved, filled, nullptr, keywords);
    const Val arguments[] = {str(name), tuple(std::move(resolved)), names};
    return call(meta, arguments, keywords);
}

Val Interp::makeClass(const std::string& name, const std::vector<Val>& bases,
                      const Ref<DictObj>& body, ClassObj* meta,
                      std::span<const std::pair<StrObj*, Val>> keywords) {
    auto* type = make<ClassObj>(name);
    Val keep(type);
    type->qualifiedName = name;
    if (Val* given = body->find(intern("__qualname__"))) {
        type->qualifiedName = text(*given);
        body->erase(intern("__qualname__"));
    }
    for (const Val& base : bases) {
        auto* b = base.to<ClassObj>();
        if (!b)
            raise(Error::Type,
                  fmt::format("class {} extends a {}, expected a class", name, typeName(base)));
        const bool tensors = b == tensorClass_.get() || b == parameterClass_.get();
        const bool final = b->recognises && !b->layout && !tensors && b != objectClass_.get();
        if (final || b == types_["bool"].get())
            raisePython(Error::Type,
                        fmt::format("type '{}' is not an acceptable base type", b->name),
                        fmt::format("class {} extends {}, which is not supported", name, b->name),
                        "keep a value of that type in an attribute");
        type->bases.emplace_back(b);
        type->module |= b->module;
        type->exception |= b->exception;
        if (b->layout) type->layout = b->layout;
        if (!meta && b->meta.bound()) meta = b->meta.as<ClassObj>();
    }
    if (type->bases.empty()) type->bases.push_back(objectClass_);
    if (meta && meta != typeClass_.get()) type->meta = Val(meta);
    type->attributes = body;
    constexpr size_t kMaxOrder = 1000; // every class keeps the list of all those above it
    size_t above = 0;
    for (const Ref<ClassObj>& base : type->bases)
        above += base->order.size();
    if (above > kMaxOrder)
        raise(Error::Type, fmt::format("class {} stands below {} classes, at most {} work", name,
                                       above, kMaxOrder));
    type->order = linearise(*this, type);
    type->account(type->order.capacity() * sizeof(ClassObj*));
    if (type->order.empty())
        raise(Error::Type, fmt::format("the base classes of {} have no consistent order", name));
    for (const Ref<ClassObj>& base : type->bases)
        if (base.get() != objectClass_.get()) base->subclasses.push_back(type);
    ++lookupEpoch_; // of __subclasses__()
    std::vector<DictObj::Entry> members;
    for (const auto& e : body->entries())
        if (e.live() && e.key.is(Kind::Str)) members.push_back(e);
    bool equality = false, hashes = false;
    for (const DictObj::Entry& e : members) {
        adopt(e.value, keep);
        torchOverrides.classes |= e.key.as<StrObj>()->text == "__torch_function__";
        settleMember(*this, *type, e);
        equality |= e.key.as<StrObj>()->text == "__eq__";
        hashes |= e.key.as<StrObj>()->text == "__hash__";
    }
    if (equality && !hashes) body->set(intern("__hash__"), Val::none());
    if (type->isSubclassOf(tensorClass_.get())) {
        torchOverrides.classes = true;
        import("torch.overrides"); // gives torch.Tensor its __new__ and __torch_function__
    }
    takeSlots(*this, *type);
    for (const DictObj::Entry& e : members)
        if (Val* hook = special(e.value, "__set_name__"))
            call(bindMethod(*hook, e.value, typeOf(e.value)), {keep, e.key});
    if (Val* hook = type->findBehind(type, intern("__init_subclass__"))) {
        if (hook->is(Kind::ClassMethod)) call(bindMethod(*hook, keep, type), {}, keywords);
    } else if (!keywords.empty()) {
        raise(Error::Type, fmt::format("{}.__init_subclass__() takes no keyword arguments", name));
    }
    return keep;
}

Val Interp::newInstance(ClassObj& type, const Arguments& arguments) {
    if (type.layout) {
        Val made;
        const Kind kind = type.layout == types_["int"].get()     ? Kind::Integer
                          : type.layout == types_["float"].get() ? Kind::Real
                          : type.layout == types_["list"].get()  ? Kind::List
                          : type.layout == types_["dict"].get()  ? Kind::Dict
                          : type.layout == types_["set"].get()   ? Kind::Set
                                                                 : Kind::Str;
        const bool filledLater = kind == Kind::List || kind == Kind::Dict || kind == Kind::Set;
        made = filledLater
                   ? call(type.layout->constructor, {})
                   : call(type.layout->constructor, arguments.positional, arguments.keywords);
        if (&type == type.layout) return made;
        if (made.isIntegral()) made = boxedInteger(*this, made);
        if (made.isFloat()) made = Val(make<RealObj>(made.asFloat()));
        auto* object = made.as<BuiltinTypeObj>();
        object->own = std::make_unique<BuiltinTypeObj::Own>();
        object->own->type = Val(&type);
        object->own->attributes = Val(make<DictObj>());
        return made;
    }
    if (type.hooks() & ClassObj::Finalizer) observer_->beforeFinalizable(type);
    auto* instance = make<InstanceObj>();
    Val self(instance);
    instance->type = Ref<ClassObj>(&type);
    instance->attributes = Ref<DictObj>(make<DictObj>());
    if (type.exception)
        instance->attributes->set(
            intern("args"), tuple({arguments.positional.begin(), arguments.positional.end()}));
    if (type.module) {
        instance->madeAt = userSite();
        instance->madeAt.function = type.name;
    }
    return self;
}

Val Interp::instantiate(ClassObj& type, const Arguments& arguments, const CallLink& link) {
    if (type.constructor.bound())
        return call(type.constructor, arguments.positional, arguments.keywords, link);
    if (type.isSubclassOf(typeClass_.get())) return callMetaclass(Val(&type), arguments);
    if (type.recognises && !type.exception)
        raise(Error::Type, fmt::format("cannot create '{}' instances", type.name));
    if (Val* abstract = classAttr(type, "__abstractmethods__");
        abstract && abstract->is(Kind::Set) && abstract->as<SetObj>()->size() > 0) {
        std::vector<std::string> names;
        for (const Val& n : items(*abstract))
            names.push_back(text(n));
        std::sort(names.begin(), names.end());
        raise(Error::Type,
              fmt::format("Can't instantiate abstract class {} with abstract method{} {}",
                          type.name, names.size() == 1 ? "" : "s", fmt::join(names, ", ")));
    }
    Val self;
    Val* maker = classAttr(type, "__new__");
    if (maker && maker->is(Kind::StaticMethod) &&
        !maker->as<WrappedMethodObj>()->function.is(Kind::Builtin)) {
        std::vector<Val> all = {Val(&type)};
        all.insert(all.end(), arguments.positional.begin(), arguments.positional.end());
        self = call(maker->as<WrappedMethodObj>()->function, all, arguments.keywords);
        if (!isInstanceOfClass(self, type)) return self;
    } else {
        maker = nullptr;
        self = newInstance(type, arguments);
    }
    Val* init = classAttr(type, "__init__");
    if (auto* f = init ? init->to<FunctionObj>() : nullptr) {
        Val r = callFunction(*f, &self, arguments, {link.direct, self});
        if (!r.isNone())
            raise(Error::Type, fmt::format("__init__() should return None, not '{}'", typeName(r)));
    } else if (type.layout && (self.is(Kind::List) || self.is(Kind::Dict) || self.is(Kind::Set))) {
        call(bindMethod(*init, self, &type), arguments.positional, arguments.keywords);
    } else if (!type.exception && !type.layout && !maker &&
               (!arguments.positional.empty() || !arguments.keywords.empty())) {
        raisePython(Error::Type, fmt::format("{}() takes no arguments", type.name),
                    fmt::format("{}() takes no arguments, found {}", type.name,
                                arguments.positional.size() + arguments.keywords.size()),
                    "define __init__ in the class");
    } else if (type.exception && !arguments.keywords.empty()) {
        raise(Error::Type, fmt::format("{}() takes no keyword arguments", type.name));
    }
    return self;
}

/// Meta(name, bases, body): its __new__ and __init__.
Val Interp::callMetaclass(const Val& meta, const Arguments& arguments) {
    std::vector<Val> all = {meta};
    all.insert(all.end(), arguments.positional.begin(), arguments.positional.end());
    auto* type = meta.as<ClassObj>();
    Val* maker = classAttr(*type, "__new__");
    Val made = call(maker->as<WrappedMethodObj>()->function, all, arguments.keywords);
    if (!made.is(Kind::Class)) return made;
    Val* init = classAttr(*type, "__init__");
    if (init && init->is(Kind::Function))
        call(bindMethod(*init, made, type), arguments.positional, arguments.keywords);
    return made;
}

ClassObj* Interp::classOf(const Val& v) const {
    if (!v.isObject()) return nullptr;
    if (auto* instance = v.to<InstanceObj>()) return instance->type.get();
    if (auto* type = v.to<ClassObj>())
        return type->meta.bound() ? type->meta.as<ClassObj>() : nullptr;
    if (auto* tensor = v.to<TensorObj>()) return tensor->subclass.get();
    if (auto* function = v.to<GradFunctionObj>()) return function->type.get();
    if (!BuiltinTypeObj::holds(v.object()->kind)) return nullptr;
    auto* object = static_cast<BuiltinTypeObj*>(v.object());
    return object->own && object->own->type.bound() ? object->own->type.as<ClassObj>() : nullptr;
}

Val* Interp::special(const Val& v, std::string_view name) {
    ClassObj* type = classOf(v);
    if (!type || (v.is(Kind::Tensor) && !givenByScript(v, intern(name)))) return nullptr;
    Val* found = classAttr(*type, name);
    if (!found) return nullptr;
    // A built-in type's own; under another name, as in __getattr__ = dict.__getitem__, a script put
    // it there.
    if (auto* builtin = found->to<BuiltinObj>()) return builtin->name == name ? nullptr : found;
    return found->is(Kind::StaticMethod) &&
                   found->as<WrappedMethodObj>()->function.is(Kind::Builtin)
               ? nullptr
               : found;
}

ClassObj* Interp::typeOf(const Val& v) const {
    if (v.tag() != Tag::Object) return tagTypes_[static_cast<size_t>(v.tag())];
    if (ClassObj* own = classOf(v)) return own;
    const Kind kind = v.object()->kind;
    if (kind == Kind::Tensor)
        return v.as<TensorObj>()->parameter ? parameterClass_.get() : tensorClass_.get();
    if (kind == Kind::Tuple && v.as<TupleObj>()->size) return type("Size");
    if (kind == Kind::Set && v.as<SetObj>()->frozen) return type("frozenset");
    if (kind == Kind::Bytes && v.as<BytesObj>()->changeable) return type("bytearray");
    if (kind == Kind::Generator && v.as<GeneratorObj>()->coroutine) return type("coroutine");
    if (kind == Kind::View) {
        const auto of = v.as<ViewObj>()->of;
        return type(of == ViewObj::Of::Keys     ? "dict_keys"
                    : of == ViewObj::Of::Values ? "dict_values"
                                                : "dict_items");
    }
    if (auto* number = v.to<NumberObj>())
        return type(number->dtype() == ir::DType::Bool      ? "bool"
                    : number->dtype() == ir::DType::Float64 ? "float"
                                                            : "int");
    if (kind == Kind::Compiled && isModule(v.as<CompiledObj>()->original))
        return optimizedClass_.get();
    return kindTypes_[static_cast<size_t>(kind)];
}

bool Interp::isInstanceOfClass(const Val& v, const ClassObj& wanted) {
    if (v.isObject()) observer_->readType(v.object());
    if (&wanted == objectClass_.get()) return true;
    if (wanted.recognises) return wanted.recognises(v);
    if (auto* compiled = v.to<CompiledObj>()) return isInstanceOfClass(compiled->original, wanted);
    if (v.is(Kind::Class) && wanted.isSubclassOf(typeClass_.get()))
        return v.as<ClassObj>()->meta.bound() &&
               v.as<ClassObj>()->meta.as<ClassObj>()->isSubclassOf(&wanted);
    ClassObj* own = classOf(v);
    return own && !v.is(Kind::Class) && own->isSubclassOf(&wanted);
}

bool Interp::isInstance(const Val& v, const Val& type) {
    if (auto* options = type.to<TupleObj>()) {
        checkStack();
        tick();
        for (const Val& option : options->items)
            if (isInstance(v, option)) return true;
        return false;
    }
    auto* wanted = type.to<ClassObj>();
    if (Val* hook = special(type, "__instancecheck__"))
        return truthy(call(bindMethod(*hook, type, typeOf(type)), {v}));
    if (!wanted)
        raisePython(Error::Type, "isinstance() arg 2 must be a type, a tuple of types, or a union",
                    fmt::format("isinstance() needs a class or a tuple of classes, found {}",
                                typeName(type)));
    return isInstanceOfClass(v, *wanted);
}

bool Interp::isSubclass(const Val& type, const Val& of) {
    if (auto* options = of.to<TupleObj>())
        return std::any_of(options->items.begin(), options->items.end(),
                           [&](const Val& option) { return isSubclass(type, option); });
    if (Val* hook = special(of, "__subclasscheck__"))
        return truthy(call(bindMethod(*hook, of, typeOf(of)), {type}));
    auto *a = type.to<ClassObj>(), *b = of.to<ClassObj>();
    if (!a) raise(Error::Type, "issubclass() arg 1 must be a class");
    if (!b) raise(Error::Type, "issubclass() arg 2 must be a class or tuple of classes");
    return a->isSubclassOf(b);
}

void Interp::deleteAttr(const Val& object, StrObj* name) {
    ClassObj* type = classOf(object);
    if (type && (type->hooks() & ClassObj::DeleteAttribute))
        if (Val* hook = special(object, "__delattr__")) {
            call(bindMethod(*hook, object, type), {Val(name)});
            return;
        }
    deletePlainAttr(object, name);
}

} // namespace cutaway::capture
