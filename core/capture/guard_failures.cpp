// SPDX-License-Identifier: Apache-2.0
// Why a guard program does not hold: what was expected and what came, in PyTorch's words where it
// has some (torch/csrc/dynamo/guards.cpp). Read only when a function is compiled once more.
#include "core/capture/guards.h"

#include "core/capture/interp.h"

#include <fmt/format.h>

namespace cutaway::capture {

namespace {

using What = GuardStep::What;

/// A value in a word or two.
std::string shown(Interp& in, const Val& v) {
    if (!v.bound()) return "nothing";
    const bool plain = v.isNone() || v.isNumber() || v.is(Kind::Str) || v.is(Kind::Integer) ||
                       v.is(Kind::Real) || v.tag() == Tag::DType || v.tag() == Tag::Device;
    return plain ? in.repr(v) : "a " + in.typeName(v);
}

std::string mismatch(Interp& in, const TensorPattern& want, const Val& v, const std::string& name) {
    auto* tensor = v.to<TensorObj>();
    if (!tensor || !tensor->real)
        return fmt::format("expected type of '{}' to be a tensor, actual {}", name, shown(in, v));
    const ir::TensorType& type = tensor->real->type;
    auto differs = [&](std::string_view what, const std::string& expected, const std::string& now) {
        return fmt::format("tensor '{}' {} mismatch. expected {}, actual {}", name, what, expected,
                           now);
    };
    if (type.dtype != want.dtype)
        return differs("dtype", std::string(ir::name(want.dtype)),
                       std::string(ir::name(type.dtype)));
    if (type.device != want.device) return differs("device", want.device.str(), type.device.str());
    if (type.requiresGrad != want.requiresGrad)
        return differs("requires_grad", fmt::format("requires_grad={:d}", want.requiresGrad),
                       fmt::format("requires_grad={:d}", type.requiresGrad));
    if (tensor->inference != want.inference)
        return differs("is_inference", want.inference ? "True" : "False",
                       want.inference ? "False" : "True");
    if (type.sizes.size() != want.sizes.size())
        return differs("rank", fmt::format("{}", want.sizes.size()),
                       fmt::format("{}", type.sizes.size()));
    for (const auto& [what, wanted, now] : {std::tuple{"size", &want.sizes, &type.sizes},
                                            std::tuple{"stride", &want.strides, &type.strides}})
        for (size_t i = 0; i < wanted->size(); ++i)
            if ((*wanted)[i] != kAnySize && !(*now)[i].is((*wanted)[i]))
                return fmt::format("tensor '{}' {} mismatch at index {}. expected {}, actual {}",
                                   name, what, i, (*wanted)[i], (*now)[i].constant());
    return fmt::format("tensor '{}' has other marks of dynamic sizes", name);
}

/// The source of what a step loads, given its parent's.
std::string loaded(Interp& in, const GuardStep& s, const std::string& parent,
                   std::span<const std::string> locals, std::span<const std::string> cells) {
    const auto at = static_cast<size_t>(s.number);
    switch (s.what) {
    case What::LoadLocal:
        return at < locals.size() ? fmt::format("L['{}']", locals[at]) : "a local";
    case What::LoadStack:
        return fmt::format("stack[{}]", at);
    case What::LoadRootCell:
        return at < cells.size() ? fmt::format("L['{}']", cells[at]) : "a variable";
    case What::LoadFixed:
        return "G";
    case What::LoadGlobal:
        return fmt::format("G['{}']", s.value.as<StrObj>()->text);
    case What::LoadCell:
        return parent;
    case What::LoadAttr:
        return parent + "." + s.value.as<StrObj>()->text;
    case What::LoadClassAttr:
        return fmt::format("type({}).{}", parent, s.value.as<StrObj>()->text);
    case What::LoadNames:
        return parent + ".__dict__";
    case What::LoadKeywordDefaults:
        return parent + ".__kwdefaults__";
    case What::LoadClosure:
        return fmt::format("{}.__closure__[{}]", parent, s.number);
    case What::LoadBound:
        return parent + (s.number ? ".__self__" : ".__func__");
    case What::LoadGrad:
        return parent + ".grad";
    case What::LoadPart:
        return "what is iterated by " + parent;
    case What::LoadItem:
        return fmt::format("{}[{}]", parent, s.number);
    case What::LoadKey:
        return fmt::format("{}[{}]", parent, shown(in, s.value));
    default:
        return {};
    }
}

} // namespace

std::string SizeChecks::failure(std::span<const Val* const> values,
                                const std::function<std::string(int32_t)>& name) {
    if (hold(values)) return {};
    if (!exact_.empty() && !isExact(exact_, symbolValues_, exactSlots_))
        return "an int that is computed from sizes has more than 64 bits";
    for (const Place& p : places_) {
        const int64_t now = p.place.read(*values[static_cast<size_t>(p.place.slot)]);
        const int64_t want = slots_[static_cast<size_t>(p.slot)];
        const std::string of = name(p.place.slot);
        if (now == want) continue;
        if (p.place.kind == SizePlace::Kind::Int)
            return fmt::format("{} == {}, actual {}", of, want, now);
        const char* what = p.place.kind == SizePlace::Kind::Size ? "size" : "stride";
        return fmt::format("tensor '{}' {} mismatch at index {}. expected {}, actual {}", of, what,
                           p.place.dim, want, now);
    }
    std::string sizes;
    for (size_t i = 0; i < symbols_.size(); ++i) {
        const SizePlace& place = symbols_[i];
        const std::string of = name(place.slot);
        sizes += i ? ", " : "";
        sizes += place.kind == SizePlace::Kind::Int
                     ? fmt::format("{} = {}", of, symbolValues_[i])
                     : fmt::format("{}.{}()[{}] = {}", of,
                                   place.kind == SizePlace::Kind::Size ? "size" : "stride",
                                   place.dim, symbolValues_[i]);
    }
    return "a relation of sizes does not hold for " + sizes;
}

std::string GuardProgram::failureOf(const GuardStep& s, const Roots& roots,
                                    const std::function<std::string(int32_t)>& name) const {
    Interp& in = *roots.interp;
    const Val* v = values_[static_cast<size_t>(s.slot)];
    const std::string of = name(s.slot);
    switch (s.what) {
    case What::CheckConstant:
        return fmt::format("{} == {}, actual {}", of, shown(in, s.value), shown(in, *v));
    case What::CheckTensor:
        return mismatch(in, tensors[static_cast<size_t>(s.number)], *v, of);
    case What::CheckCode:
        return fmt::format("{} is made of another text than before", of);
    case What::CheckIdentity:
        return fmt::format("{} is another object than before", of);
    case What::CheckClass:
    case What::CheckKind:
    case What::CheckInt:
    case What::CheckFloat:
    case What::CheckOrder:
    case What::CheckParameter:
        return fmt::format("{} is of another kind than before, actual {}", of, shown(in, *v));
    case What::CheckLength:
        return fmt::format("len({}) == {}, actual {}", of, s.number,
                           v->is(Kind::List) || v->is(Kind::Tuple) ? in.items(*v).size() : 0);
    case What::CheckKeys:
        return fmt::format("{} has other keys than before", of);
    case What::CheckPlace:
        return fmt::format("{} stands elsewhere than before", of);
    case What::CheckAbsent:
    case What::CheckMissing:
        return fmt::format("{} has a name that it did not have", of);
    case What::CheckNoGrad:
        return fmt::format("{}.grad is None, actual a tensor", of);
    case What::CheckBegins:
        return fmt::format("{}.storage_offset() == {}", of, s.number);
    case What::CheckLeaf:
        return fmt::format("{} is a leaf without hooks", of);
    case What::CheckSame:
        return fmt::format("{} is {}", of, name(s.from));
    case What::CheckDistinct:
        return fmt::format("{} is not {}", of, name(s.from));
    case What::CheckGradMode:
        return fmt::format("grad mode and autocast are as before: grad mode was {}, actual {}",
                           s.number != 0, roots.gradMode);
    case What::CheckDevice:
        return fmt::format("the default device was {}, actual {}", s.value.asDevice().str(),
                           roots.defaultDevice.str());
    case What::CheckGpu:
        return fmt::format("the current GPU was {}, actual {}", s.number,
                           roots.interp->currentGpu());
    default:
        return fmt::format("{} is not there", of);
    }
}

std::string GuardProgram::failure(const Roots& roots, std::span<const std::string> locals,
                                  std::span<const std::string> cells) {
    const std::function<std::string(int32_t)> name = [&](int32_t slot) -> std::string {
        for (const GuardStep& s : steps)
            if (s.slot == slot && s.what <= What::LoadKey) {
                const bool root = s.what <= What::LoadFixed;
                return loaded(*roots.interp, s, root ? std::string() : name(s.from), locals, cells);
            }
        return "a value";
    };
    if (roots.lookupEpoch != lookupEpoch && !lookupsHold(roots.lookupEpoch)) {
        std::string which;
        for (const Lookup& l : lookups) {
            auto* type = l.holder.to<ClassObj>();
            if (!l.holds() && type)
                which =
                    fmt::format(" ({}.{})", type->name,
                                l.name.bound() ? l.name.as<StrObj>()->text : "__subclasses__()");
        }
        return "an attribute of a class, or a parameter's default, is another than before" + which;
    }
    for (GuardStep& s : steps)
        if (!(s.what <= What::LoadKey ? load(s, roots) : holds(s, roots)))
            return failureOf(s, roots, name);
    if (!apart.empty() && !allApart()) return "two arguments are one object";
    return sizes.failure(values_, name);
}

} // namespace cutaway::capture
