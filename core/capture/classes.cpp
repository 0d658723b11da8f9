// SPDX-License-Identifier: Apache-2.0
// Classes, instances and what a value's type is.
#include "core/capture/capture.h"
#include "core/capture/interp.h"

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

Val Interp::makeClass(const std::string& name, const std::vector<Val>& bases,
                      const Ref<DictObj>& body) {
    auto* type = make<ClassObj>(name);
    Val keep(type);
    for (const Val& base : bases) {
        auto* b = base.to<ClassObj>();
        if (!b)
            raise(Error::Type,
                  fmt::format("class {} extends a {}, expected a class", name, typeName(base)));
        if (b->recognises && b != objectClass_.get())
            raise(Error::Type,
                  fmt::format("class {} extends {}, which is not supported", name, b->name),
                  "keep a value of that type in an attribute");
        type->bases.emplace_back(b);
        type->module |= b->module;
        type->exception |= b->exception;
    }
    if (type->bases.empty()) type->bases.push_back(objectClass_);
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
    for (const auto& e : body->entries()) {
        const Val* value = &e.value;
        if (value->is(Kind::StaticMethod) || value->is(Kind::ClassMethod))
            value = &value->as<WrappedMethodObj>()->function;
        if (value->is(Kind::Property)) value = &value->as<PropertyObj>()->getter;
        if (auto* f = value->to<FunctionObj>(); f && !f->definingClass.bound())
            f->definingClass = keep;
        if (auto* p = e.value.to<PropertyObj>())
            if (auto* f = p->setter.to<FunctionObj>()) f->definingClass = keep;
    }
    return keep;
}

Val Interp::instantiate(ClassObj& type, const Arguments& arguments) {
    if (type.constructor.bound())
        return call(type.constructor, arguments.positional, arguments.keywords);
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
    Val* init = classAttr(type, "__init__");
    if (auto* f = init ? init->to<FunctionObj>() : nullptr) {
        callFunction(*f, &self, arguments);
    } else if (!type.exception && (!arguments.positional.empty() || !arguments.keywords.empty())) {
        raise(Error::Type,
              fmt::format("{}() takes no arguments, found {}", type.name,
                          arguments.positional.size() + arguments.keywords.size()),
              "define __init__ in the class");
    }
    return self;
}

ClassObj* Interp::typeOf(const Val& v) const {
    auto named = [&](const char* name) -> ClassObj* {
        auto at = types_.find(name);
        return at == types_.end() ? nullptr : at->second.get();
    };
    switch (v.tag()) {
    case Tag::None:
        return named("NoneType");
    case Tag::Bool:
        return named("bool");
    case Tag::Int:
        return named("int");
    case Tag::Float:
        return named("float");
    case Tag::DType:
        return named("dtype");
    case Tag::Device:
        return named("device");
    case Tag::Ellipsis:
        return named("ellipsis");
    case Tag::NotImplemented:
        return named("NotImplementedType");
    case Tag::Object:
        break;
    default:
        return named("object");
    }
    switch (v.object()->kind) {
    case Kind::Str:
        return named("str");
    case Kind::Symbol:
        return named("int");
    case Kind::List:
        return named("list");
    case Kind::Tuple:
        return named(v.as<TupleObj>()->size ? "Size" : "tuple");
    case Kind::Dict:
        return named("dict");
    case Kind::Set:
        return named("set");
    case Kind::Range:
        return named("range");
    case Kind::Slice:
        return named("slice");
    case Kind::Class:
        return named("type");
    case Kind::Instance:
        return v.as<InstanceObj>()->type.get();
    case Kind::Tensor:
        return v.as<TensorObj>()->parameter ? parameterClass_.get() : tensorClass_.get();
    case Kind::Function:
        return named("function");
    case Kind::Method:
        return named("method");
    case Kind::Builtin:
        return named("builtin_function");
    case Kind::Module:
        return named("module");
    case Kind::Generator:
        return named("generator");
    case Kind::Iterator:
        return named("iterator");
    default:
        return named("object");
    }
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
    if (!wanted)
        raise(Error::Type, fmt::format("isinstance() needs a class or a tuple of classes, found {}",
                                       typeName(type)));
    if (capture_ && v.isObject()) capture_->readType(v.object());
    if (wanted == objectClass_.get()) return true;
    if (wanted->recognises) return wanted->recognises(v);
    if (auto* compiled = v.to<CompiledObj>()) return isInstance(compiled->original, type);
    if (auto* instance = v.to<InstanceObj>()) return instance->type->isSubclassOf(wanted);
    return false;
}

} // namespace cutaway::capture
