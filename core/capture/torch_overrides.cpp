// SPDX-License-Identifier: Apache-2.0
// __torch_function__: classes of arguments, and modes, that take calls of torch's functions. Who is
// asked, and in which order, stands in torch/overrides.py.
#include "core/capture/code.h"
#include "core/capture/interp.h"
#include "core/capture/overrides.h"
#include "core/capture/torch_calls.h"
#include "core/capture/torch_support.h"
#include "core/capture/type_methods.h"

#include <algorithm>

namespace cutaway::capture {

namespace {

constexpr std::string_view kName = "__torch_function__";

/// Whether the class of \p v, or of one of its elements, has __torch_function__.
bool overrides(Interp& in, const Val& v, bool elements) {
    if (auto* instance = v.to<InstanceObj>())
        return !instance->type->module && instance->type->find(in.intern(kName));
    if (auto* tensor = v.to<TensorObj>()) return static_cast<bool>(tensor->subclass);
    const auto one = [&](const Val& item) { return overrides(in, item, false); };
    if (!elements) return false;
    if (auto* list = v.to<ListObj>()) return std::ranges::any_of(list->items, one);
    if (auto* tuple = v.to<TupleObj>()) return std::ranges::any_of(tuple->items, one);
    return false;
}

/// Modules of the script library that hold functions of torch beside those of the evaluator.
constexpr std::string_view kModules[] = {
    "torch",           "torch.nn.functional", "torch._methods", "torch._linalg",
    "torch._sampling", "torch._aten",         "torch.fft",      "torch.linalg",
    "torch.special",   "torch.signal.windows"};
/// Functions there that are about torch, not about tensors.
constexpr std::string_view kOthers[] = {"compile", "is_tensor", "is_storage", "typename", "cond"};

Val ask(Interp& in, const Val& function, std::vector<Val> positional, const Arguments& given) {
    Val keywords(in.make<DictObj>());
    for (const auto& [name, value] : given.keywords)
        keywords.as<DictObj>()->set(name, value);
    return in.call(in.getAttr(in.import("torch.overrides"), in.intern("_dispatch")),
                   {function, in.tuple(std::move(positional)), keywords});
}

/// override_torch(whether): whether there are modes.
Val overrideTorch(Interp& in, const BuiltinObj&, const Arguments& args) {
    in.torchOverrides.modes = in.truthy(args.positional[0]);
    return Val::none();
}

/// plain_torch(whether): whether no class is asked. \returns what it was
Val plainTorch(Interp& in, const BuiltinObj&, const Arguments& args) {
    TensorModes modes = in.tensorModes();
    const bool before = modes.plain;
    modes.plain = in.truthy(args.positional[0]);
    in.setTensorModes(modes);
    return Val::boolean(before);
}

/// Into how many names the caller of the running function unpacks what it asks to iterate; None:
/// into none.
Val unpackedLength(Interp& in, const BuiltinObj&, const Arguments&) {
    const Frame* caller = in.top() ? in.top()->caller : nullptr;
    if (!caller || caller->ip >= caller->code->instructions.size()) return Val::none();
    const Instruction at = caller->code->instructions[caller->ip];
    return at.op == Op::Unpack ? Val::integer(at.a) : Val::none();
}

/// as_subclass(tensor, class): the same tensor as an object of the class.
Val asSubclass(Interp& in, const BuiltinObj&, const Arguments& args) {
    auto& from = wantTensor(in, args.positional[0], "the tensor");
    auto* type = args.positional[1].to<ClassObj>();
    if (!type || !type->isSubclassOf(in.tensorClass()))
        in.raise(Error::Type, "a class of torch.Tensor is wanted");
    Val made = in.tensor(in.real(args.positional[0], "the tensor"));
    auto& t = *made.as<TensorObj>();
    t.joinAliases(from);
    t.views = from.views;
    t.parameter = from.parameter;
    if (type->native || type == in.tensorClass()) return made;
    t.subclass = Ref<ClassObj>(type);
    in.namesOf(t);
    return made;
}

} // namespace

bool isFunctionOfTorch(Interp& in, const Val& callee) {
    if (auto* builtin = callee.to<BuiltinObj>()) {
        const std::string_view name = builtin->name;
        if (name.starts_with("Tensor.")) return true;
        if (!name.starts_with("torch.") || name.starts_with("torch._")) return false;
        const std::string_view last = name.substr(name.rfind('.') + 1);
        return std::ranges::find(kOthers, last) == std::end(kOthers);
    }
    auto* function = callee.to<FunctionObj>();
    if (!function || !function->code->source->library || function->name.starts_with('_'))
        return false;
    // What a function of torch makes (a decorated function of the script) is none.
    const Val* own = function->globals->find(in.intern(function->name));
    if (!own || !own->identical(callee)) return false;
    const Val* module = function->globals->find(in.intern("__name__"));
    return module && module->is(Kind::Str) &&
           std::ranges::find(kModules, module->as<StrObj>()->text) != std::end(kModules) &&
           std::ranges::find(kOthers, function->name) == std::end(kOthers);
}

std::string tensorMethod(const MethodObj& method) {
    std::string name;
    if (auto* builtin = method.function.to<BuiltinObj>())
        name = builtin->name.substr(builtin->name.rfind('.') + 1);
    else if (auto* f = method.function.to<FunctionObj>(); f && f->code->source->library)
        name = f->name;
    return name.starts_with("__torch") ? std::string() : name;
}

void addOverrides(Interp& in, ModuleObj& internal) {
    internal.attributes->set(in.intern("override_torch"),
                             in.builtin("torch._C.override_torch", overrideTorch,
                                        "changes who is asked for calls of torch's functions"));
    internal.attributes->set(in.intern("plain_torch"),
                             in.builtin("torch._C.plain_torch", plainTorch));
    internal.attributes->set(in.intern("unpacked_length"),
                             in.builtin("torch._C.unpacked_length", unpackedLength));
    internal.attributes->set(
        in.intern("as_subclass"),
        in.builtin("torch._C.as_subclass", asSubclass, "makes a tensor of a script's class"));
}

/// Whether a tensor has an attribute from a script's class or from the script itself, which hides
/// what torch.Tensor has.
bool Interp::givenByScript(const Val& tensor, StrObj* name) const {
    const ClassObj* type = classOf(tensor);
    if (!type) return false;
    for (const ClassObj* c : type->order) {
        if (c->native || c == tensorClass_.get() || c == parameterClass_.get()) break;
        if (c->attributes->find(name)) return true;
    }
    return attributesOf(tensor)->find(name) != nullptr;
}

Val overriddenProtocol(Interp& in, const char* method, const Val& tensor, std::vector<Val> rest) {
    if (!tensor.is(Kind::Tensor)) return {};
    const TorchOverrides& asked = in.torchOverrides;
    const bool own = asked.classes && !asked.off && overrides(in, tensor, false);
    if (!own && !asked.modes) return {};
    return in.call(in.getAttr(in.import("torch.overrides"), in.intern("_protocol")),
                   {in.str(method), tensor, in.tuple(std::move(rest))});
}

Val Interp::overridden(const Val& callee, const Arguments& arguments) {
    if (torchOverrides.calls)
        if (Val result = torchOverrides.calls->call(callee, arguments); result.bound())
            return result;
    const auto takes = [&](const Val& v) { return overrides(*this, v, true); };
    const bool classes = torchOverrides.classes && !torchOverrides.off;
    if (auto* method = callee.to<MethodObj>()) {
        if (!method->self.is(Kind::Tensor)) return {};
        const bool any =
            classes && (takes(method->self) || std::ranges::any_of(arguments.positional, takes));
        if (!any && !torchOverrides.modes) return {};
        const std::string name = tensorMethod(*method);
        const Val function = name.empty() ? Val() : tryAttr(tensorClass_.val(), intern(name));
        if (!function.bound()) return {};
        std::vector<Val> all{method->self};
        all.insert(all.end(), arguments.positional.begin(), arguments.positional.end());
        return ask(*this, function, std::move(all), arguments);
    }
    const bool any = classes && (std::ranges::any_of(arguments.positional, takes) ||
                                 std::ranges::any_of(arguments.keywords, [&](const auto& keyword) {
                                     return takes(keyword.second);
                                 }));
    if ((!any && !torchOverrides.modes) || !isFunctionOfTorch(*this, callee)) return {};
    return ask(*this, callee, {arguments.positional.begin(), arguments.positional.end()},
               arguments);
}

Val Interp::overriddenOperator(const char* method, const char* reflected, const Val& a,
                               const Val& b) {
    const bool any = torchOverrides.classes && !torchOverrides.off &&
                     (overrides(*this, a, false) || overrides(*this, b, false));
    if (!any && !torchOverrides.modes) return {};
    // A left side that is no tensor is asked first, as Python does.
    if (reflected && (!a.is(Kind::Tensor) || classOf(a) || (b.is(Kind::Tensor) && classOf(b))))
        if (Val own = overloaded(method, reflected, a, b); own.bound()) return own;
    const bool swapped = !a.is(Kind::Tensor);
    return call(getAttr(import("torch.overrides"), intern("_operator")),
                {str(swapped ? reflected : method), swapped ? b : a, swapped ? a : b});
}

} // namespace cutaway::capture
