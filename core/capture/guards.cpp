// SPDX-License-Identifier: Apache-2.0
#include "core/capture/guards.h"

namespace cutaway::capture {

namespace {

bool matches(const TensorPattern& want, const Val& v) {
    if (!v.is(Kind::Tensor)) return false;
    const runtime::Tensor* t = v.as<TensorObj>()->real.get();
    if (!t) return false;
    const ir::TensorType& type = t->type;
    if (type.dtype != want.dtype || type.requiresGrad != want.requiresGrad ||
        type.device != want.device)
        return false;
    if (type.sizes.size() != want.sizes.size()) return false;
    for (size_t i = 0; i < want.sizes.size(); ++i)
        if (!type.sizes[i].is(want.sizes[i]) || !type.strides[i].is(want.strides[i])) return false;
    return true;
}

bool sameConstant(const Val& a, const Val& b) {
    if (a.tag() != b.tag()) return false;
    if (a.is(Kind::Str))
        return b.is(Kind::Str) &&
               (a.object() == b.object() || a.as<StrObj>()->text == b.as<StrObj>()->text);
    return a.identical(b);
}

/// The keys of a dict or set in order.
bool sameKeys(const Val& dict, const Val& keys) {
    if (!dict.is(Kind::Dict) && !dict.is(Kind::Set)) return false;
    const auto& want = keys.as<TupleObj>()->items;
    auto* table = static_cast<DictObj*>(dict.object());
    if (table->size() != want.size()) return false;
    size_t at = 0;
    for (const auto& e : table->entries())
        if (e.live() && !sameKey(e.key, want[at++])) return false;
    return true;
}

} // namespace

bool GuardProgram::load(GuardStep& s, const Roots& roots) {
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
    switch (s.what) {
    case What::LoadGlobal:
        out = parent.as<DictObj>()->find(s.value.as<StrObj>(), s.hint);
        break;
    case What::LoadCell:
        if (!parent.is(Kind::Cell)) return false;
        out = &parent.as<CellObj>()->value;
        return out->bound();
    case What::LoadAttr: {
        DictObj* names = nullptr;
        if (auto* instance = parent.to<InstanceObj>()) names = instance->attributes.get();
        if (auto* module = parent.to<ModuleObj>()) names = module->attributes.get();
        out = names ? names->find(s.value.as<StrObj>(), s.hint) : nullptr;
        break;
    }
    case What::LoadItem: {
        const std::vector<Val>* items = nullptr;
        if (auto* list = parent.to<ListObj>()) items = &list->items;
        if (auto* tuple = parent.to<TupleObj>()) items = &tuple->items;
        bool has = items && s.number < static_cast<int64_t>(items->size());
        out = has ? &(*items)[static_cast<size_t>(s.number)] : nullptr;
        break;
    }
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

bool GuardProgram::holds(GuardStep& s, const Roots& roots) const {
    using What = GuardStep::What;
    const Val* v = values_[static_cast<size_t>(s.slot)];
    switch (s.what) {
    case What::CheckIdentity:
        return v->isObject() && v->object() == s.value.object();
    case What::CheckConstant:
        return sameConstant(*v, s.value);
    case What::CheckClass:
        return v->is(Kind::Instance) && v->as<InstanceObj>()->type.get() == s.value.object();
    case What::CheckLayout:
        return v->is(Kind::Instance) &&
               v->as<InstanceObj>()->attributes->layout() == static_cast<uint32_t>(s.number);
    case What::CheckKind:
        return v->is(static_cast<Kind>(s.number));
    case What::CheckLength:
        if (auto* list = v->to<ListObj>())
            return list->items.size() == static_cast<size_t>(s.number);
        if (auto* tuple = v->to<TupleObj>())
            return tuple->items.size() == static_cast<size_t>(s.number);
        return false;
    case What::CheckKeys:
        return sameKeys(*v, s.value);
    case What::CheckMissing:
        return v->is(Kind::Dict) && !v->as<DictObj>()->find(s.value, static_cast<size_t>(s.number));
    case What::CheckTensor:
        return matches(tensors[static_cast<size_t>(s.number)], *v);
    case What::CheckSame:
        return v->isObject() && v->identical(*values_[static_cast<size_t>(s.from)]);
    case What::CheckGradMode:
        return roots.gradMode == (s.number != 0);
    case What::CheckDevice:
        return roots.defaultDevice == s.value.asDevice();
    default:
        return true;
    }
}

bool GuardProgram::check(const Roots& roots) {
    for (GuardStep& s : steps) {
        bool good = s.what <= GuardStep::What::LoadKey ? load(s, roots) : holds(s, roots);
        if (!good) return false;
    }
    return true;
}

} // namespace cutaway::capture
