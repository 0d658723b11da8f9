// SPDX-License-Identifier: Apache-2.0
#include "core/capture/guards.h"

#include "core/capture/integers.h"
#include "core/capture/interp.h"

#include <algorithm>
#include <cmath>

namespace cutaway::capture {

namespace {

bool matches(const TensorPattern& want, const Val& v) {
    if (!v.is(Kind::Tensor)) return false;
    const runtime::Tensor* t = v.as<TensorObj>()->real.get();
    if (!t) return false;
    const ir::TensorType& type = t->type;
    if (type.dtype != want.dtype || type.requiresGrad != want.requiresGrad ||
        type.device != want.device || v.as<TensorObj>()->inference != want.inference)
        return false;
    if (type.sizes.size() != want.sizes.size()) return false;
    for (size_t i = 0; i < want.sizes.size(); ++i) {
        if (want.sizes[i] != kAnySize && !type.sizes[i].is(want.sizes[i])) return false;
        if (want.strides[i] != kAnySize && !type.strides[i].is(want.strides[i])) return false;
    }
    const auto& marks = v.as<TensorObj>()->marks;
    return !marks || *marks == want.marks;
}

/// The class that a script gave to an object of a built-in type, or null.
const Object* ownType(const Val& v) {
    const auto& own = static_cast<const BuiltinTypeObj*>(v.object())->own;
    return own && own->type.bound() ? own->type.object() : nullptr;
}

bool sameConstant(const Val& a, const Val& b) {
    if (a.tag() != b.tag()) return false;
    if (!a.bound()) return true;
    if (a.is(Kind::Integer))
        return b.is(Kind::Integer) && ownType(a) == ownType(b) && compareIntegers(a, b) == 0;
    if (a.is(Kind::Real))
        return b.is(Kind::Real) && ownType(a) == ownType(b) &&
               sameConstant(plainNumber(a), plainNumber(b));
    if (a.is(Kind::Str))
        return b.is(Kind::Str) && ownType(a) == ownType(b) &&
               (a.object() == b.object() || a.as<StrObj>()->text == b.as<StrObj>()->text);
    if (a.isFloat() && std::isnan(a.asFloat())) return std::isnan(b.asFloat());
    return a.identical(b);
}

/// The same key, and of the same type: 1, 1.0 and True are one key, but not one value.
bool sameKeyValue(const Val& a, const Val& b) {
    if (auto* t = a.to<TupleObj>()) {
        auto* u = b.to<TupleObj>();
        if (!u || t->items.size() != u->items.size()) return false;
        for (size_t i = 0; i < t->items.size(); ++i)
            if (!sameKeyValue(t->items[i], u->items[i])) return false;
        return true;
    }
    return sameConstant(a, b);
}

/// Where a value keeps its names; null when it has none.
DictObj* namesOf(const Val& v) {
    if (auto* instance = v.to<InstanceObj>()) return instance->attributes.get();
    if (v.isObject() && BuiltinTypeObj::holds(v.object()->kind))
        if (const auto& own = static_cast<BuiltinTypeObj*>(v.object())->own)
            return own->attributes.as<DictObj>();
    if (auto* function = v.to<FunctionObj>()) return function->attributes.get();
    if (auto* module = v.to<ModuleObj>()) return module->attributes.get();
    if (auto* tensor = v.to<TensorObj>()) return tensor->attributes.get();
    return v.to<DictObj>();
}

/// Looks for each name only when the set of keys is another than when there was none of them.
bool absent(GuardStep& s, const Val& v) {
    DictObj* names = namesOf(v);
    if (!names) return v.is(Kind::Function) || v.is(Kind::Tensor);
    int64_t keys = static_cast<int64_t>(names->keySet());
    if (keys == s.number) return true;
    for (const Val& name : s.value.as<TupleObj>()->items)
        if (names->find(name.as<StrObj>())) return false;
    s.number = keys;
    return true;
}

/// The keys of a dict or set in order.
bool sameKeys(const Val& dict, const Val& keys) {
    if (!dict.is(Kind::Dict) && !dict.is(Kind::Set)) return false;
    const auto& want = keys.as<TupleObj>()->items;
    auto* table = static_cast<DictObj*>(dict.object());
    if (table->size() != want.size()) return false;
    size_t at = 0;
    for (size_t i = 0; i < table->places(); ++i)
        if (auto* e = table->at(i); e && !sameKeyValue(e->key, want[at++])) return false;
    return true;
}

} // namespace

bool isInOrder(CompareOp op, double a, double b) {
    const bool results[] = {a < b, a <= b, a == b, a != b, a > b, a >= b};
    return results[static_cast<size_t>(op)];
}

bool isPlainClosure(const FunctionObj& f) {
    const bool bare = !f.attributes || f.attributes->size() == 0;
    return bare && f.defaults.empty() && !f.keywordDefaults && !f.definingClass.bound();
}

int64_t guardedKind(const Val& v) {
    auto* tuple = v.to<TupleObj>();
    const bool own = BuiltinTypeObj::holds(v.object()->kind) &&
                     static_cast<const BuiltinTypeObj*>(v.object())->own;
    return static_cast<int64_t>(v.object()->kind) + (tuple && tuple->size ? 256 : 0) +
           (own ? 512 : 0);
}

/// Null where there are not as many.
static const Val* itemAt(const std::vector<Val>& items, int64_t i) {
    return i < static_cast<int64_t>(items.size()) ? &items[static_cast<size_t>(i)] : nullptr;
}

bool Lookup::holds() const {
    if (auto* instance = holder.to<InstanceObj>()) return instance->type.get() == found.object();
    const Val* now = nullptr;
    if (auto* type = holder.to<ClassObj>(); type && !name.bound()) {
        const auto& items = found.as<TupleObj>()->items;
        return std::ranges::equal(items, type->subclasses, {},
                                  [](const Val& v) { return v.object(); });
    } else if (type) {
        now = after ? type->findBehind(after, name.as<StrObj>()) : type->find(name.as<StrObj>());
    } else {
        const auto& defaults = holder.as<FunctionObj>()->defaults;
        size_t at = static_cast<size_t>(name.asInt());
        if (at < defaults.size()) now = &defaults[defaults.size() - 1 - at];
    }
    if (!now || !found.bound()) return !now && !found.bound();
    return sameConstant(*now, found);
}

bool GuardProgram::lookupsHold(uint64_t epoch) {
    for (const Lookup& l : lookups)
        if (!l.holds()) return false;
    lookupEpoch = epoch;
    return true;
}

[[gnu::hot]] bool GuardProgram::load(GuardStep& s, const Roots& roots) {
    const Val*& out = values_[static_cast<size_t>(s.slot)];
    using What = GuardStep::What;
    switch (s.what) {
    case What::LoadLocal:
        out = &roots.locals[s.number];
        return true;
    case What::LoadStack:
        out = &roots.stack[s.number];
        return true;
    case What::LoadRootCell:
        out = &roots.cells[s.number];
        return true;
    case What::LoadFixed:
        out = &s.value;
        return true;
    default:
        break;
    }
    const Val& parent = *values_[static_cast<size_t>(s.from)];
    out = nullptr;
    switch (s.what) {
    case What::LoadGlobal:
        out = parent.as<DictObj>()->find(s.value.as<StrObj>(), s.hint);
        break;
    case What::LoadGrad: {
        auto* t = parent.to<TensorObj>();
        if (!t || !t->real || !t->real->grad) return false;
        out = &gradientOf(*roots.interp, *t);
        return true;
    }
    case What::LoadCell:
        if (!parent.is(Kind::Cell)) return false;
        out = &parent.as<CellObj>()->value;
        return true;
    case What::LoadAttr: {
        const bool plainDict = parent.is(Kind::Dict) && !parent.as<DictObj>()->own;
        DictObj* names = plainDict ? nullptr : namesOf(parent);
        out = names ? names->find(s.value.as<StrObj>(), s.hint) : nullptr;
        break;
    }
    case What::LoadClassAttr: {
        auto* type = parent.to<ClassObj>();
        out = type ? type->find(s.value.as<StrObj>()) : nullptr;
        break;
    }
    case What::LoadNames: {
        auto* instance = parent.to<InstanceObj>();
        out = instance ? &instance->attributes.val() : nullptr;
        if (auto* tensor = parent.to<TensorObj>()) {
            if (!tensor->attributes)
                tensor->attributes = Ref<DictObj>(roots.interp->make<DictObj>());
            out = &tensor->attributes.val();
        }
        if (parent.isObject() && BuiltinTypeObj::holds(parent.object()->kind))
            if (const auto& own = static_cast<BuiltinTypeObj*>(parent.object())->own)
                out = &own->attributes;
        break;
    }
    case What::LoadKeywordDefaults: {
        auto* function = parent.to<FunctionObj>();
        out = function ? &function->keywordDefaults.val() : nullptr;
        break;
    }
    case What::LoadClosure: {
        auto* function = parent.to<FunctionObj>();
        out = function ? itemAt(function->closure, s.number) : nullptr;
        break;
    }
    case What::LoadBound: {
        auto* method = parent.to<MethodObj>();
        out = !method ? nullptr : s.number ? &method->self : &method->function;
        break;
    }
    case What::LoadPart:
        if (auto* iterator = parent.to<IteratorObj>()) out = itemAt(iterator->parts, s.number);
        break;
    case What::LoadItem:
        if (auto* list = parent.to<ListObj>()) out = itemAt(list->items, s.number);
        if (auto* tuple = parent.to<TupleObj>()) out = itemAt(tuple->items, s.number);
        break;
    case What::LoadKey: {
        auto* dict = parent.to<DictObj>();
        if (!dict)
            out = nullptr;
        else if (auto* name = s.value.to<StrObj>())
            out = dict->find(name, s.hint);
        else
            out = dict->find(s.value, static_cast<size_t>(s.number));
        break;
    }
    default:
        break;
    }
    return out != nullptr;
}

[[gnu::hot]] bool GuardProgram::holds(GuardStep& s, const Roots& roots) const {
    using What = GuardStep::What;
    const Val* v = values_[static_cast<size_t>(s.slot)];
    switch (s.what) {
    case What::CheckIdentity:
        return v->isObject() && v->object() == s.value.object();
    case What::CheckCode: {
        auto* function = v->to<FunctionObj>();
        return function && function->code == s.value.as<FunctionObj>()->code &&
               isPlainClosure(*function);
    }
    case What::CheckConstant:
        return sameConstant(*v, s.value);
    case What::CheckClass:
        if (v->isObject() && BuiltinTypeObj::holds(v->object()->kind))
            return ownType(*v) == s.value.object();
        return v->is(Kind::Instance) && v->as<InstanceObj>()->type.get() == s.value.object();
    case What::CheckAbsent:
        return absent(s, *v);
    case What::CheckKind:
        return v->isObject() && guardedKind(*v) == s.number;
    case What::CheckParameter:
        return v->is(Kind::Tensor) && v->as<TensorObj>()->parameter == (s.number != 0);
    case What::CheckNoGrad:
        return v->is(Kind::Tensor) && v->as<TensorObj>()->real && !v->as<TensorObj>()->real->grad;
    case What::CheckBegins:
        return v->is(Kind::Tensor) && v->as<TensorObj>()->real &&
               v->as<TensorObj>()->real->offset == s.number;
    case What::CheckLeaf:
        return v->is(Kind::Tensor) && v->as<TensorObj>()->real &&
               v->as<TensorObj>()->real->isLeaf() && !hasHooks(*v->as<TensorObj>()->real);
    case What::CheckLength:
        if (auto* list = v->to<ListObj>())
            return list->items.size() == static_cast<size_t>(s.number);
        if (auto* tuple = v->to<TupleObj>())
            return tuple->items.size() == static_cast<size_t>(s.number);
        return false;
    case What::CheckKeys:
        return sameKeys(*v, s.value);
    case What::CheckPlace: {
        const auto *now = v->to<IteratorObj>(), *then = s.value.as<IteratorObj>();
        return now && now->over == then->over && now->at == then->at && now->stop == then->stop &&
               now->step == then->step;
    }
    case What::CheckMissing:
        return v->is(Kind::Dict) && !v->as<DictObj>()->find(s.value, static_cast<size_t>(s.number));
    case What::CheckTensor:
        return matches(tensors[static_cast<size_t>(s.number)], *v);
    case What::CheckInt:
        return v->isInt();
    case What::CheckFloat:
        return v->isFloat() && std::isfinite(v->asFloat());
    case What::CheckOrder:
        return v->isFloat() && isInOrder(static_cast<CompareOp>(s.number / 2), v->asFloat(),
                                         s.value.asFloat()) == (s.number % 2 != 0);
    case What::CheckSame:
        return v->isObject() && v->identical(*values_[static_cast<size_t>(s.from)]);
    case What::CheckDistinct:
        return !v->identical(*values_[static_cast<size_t>(s.from)]);
    case What::CheckGradMode:
        return roots.gradMode == (s.number != 0) && roots.tensorModes == tensorModes;
    case What::CheckDevice:
        return roots.defaultDevice == s.value.asDevice();
    case What::CheckGpu:
        return roots.interp->currentGpu() == s.number;
    default:
        return true;
    }
}

[[gnu::hot]] bool GuardProgram::check(const Roots& roots) {
    if (roots.lookupEpoch != lookupEpoch && !lookupsHold(roots.lookupEpoch)) return false;
    for (GuardStep& s : steps) {
        bool good = s.what <= GuardStep::What::LoadKey ? load(s, roots) : holds(s, roots);
        if (!good) return false;
    }
    return (apart.empty() || allApart()) && sizes.hold(values_);
}

bool GuardProgram::allApart() {
    scratch_.clear();
    for (int32_t slot : apart)
        scratch_.push_back(value(slot).object());
    std::sort(scratch_.begin(), scratch_.end());
    return std::adjacent_find(scratch_.begin(), scratch_.end()) == scratch_.end();
}

bool hasHooks(const runtime::Tensor& t) {
    return t.hooks && !(t.hooks->onGradient.empty() && t.hooks->afterAccumulation.empty());
}

} // namespace cutaway::capture
