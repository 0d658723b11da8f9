// SPDX-License-Identifier: Apache-2.0
// The torch module: creation, random numbers, devices, compile. Operations come from the catalogue.
#include "core/capture/compiled_unit.h"
#include "core/capture/complex_tensors.h"
#include "core/capture/control_flow.h"
#include "core/capture/graph_numbers.h"
#include "core/capture/integers.h"
#include "core/capture/interp.h"
#include "core/capture/script_graph.h"
#include "core/capture/script_observer.h"
#include "core/capture/settings.h"
#include "core/capture/tensor_world.h"
#include "core/capture/torch_support.h"
#include "core/capture/type_methods.h"
#include "core/ops/call_forms.h"
#include "core/ops/catalogue.h"
#include "core/runtime/cuda.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cutaway::capture {

namespace {

using Self = const BuiltinObj&;
using Args = const Arguments&;

Val finish(Interp& in, Val t, const TensorOptions& options) {
    if (options.requiresGrad) in.setAttr(t, in.intern("requires_grad"), Val::boolean(true));
    return t;
}

using Named = std::vector<std::pair<StrObj*, Val>>;

/// The operation of a function that makes a tensor.
const ops::OpDef& madeBy(const std::string& base) {
    return *ops::catalogue().overloads(base).front();
}
/// Whether it makes one like another: torch.zeros_like.
bool makesLike(const std::string& base) {
    return madeBy(base).traits.ignoresValues;
}

/// The tensor of an array of numpy; unbound for other values.
Val tensorOfArray(Interp& in, const Val& v) {
    if (!v.is(Kind::Instance)) return {};
    const Val tensor = in.tryAttr(v, in.intern("_tensor"));
    return tensor.is(Kind::Tensor) ? tensor : Val();
}

bool isSequence(Interp& in, const Val& v) {
    return v.is(Kind::List) || v.is(Kind::Tuple) || v.is(Kind::Range) ||
           (v.is(Kind::Instance) && in.special(v, "__len__") && in.special(v, "__getitem__"));
}
/// The sizes of a nested list: the lengths of its first items.
std::vector<int64_t> nestedSizes(Interp& in, Val v) {
    std::vector<int64_t> sizes;
    for (;;) {
        if (tensorOfArray(in, v).bound()) v = in.callMethod(v, "tolist", {});
        if (!isSequence(in, v)) return sizes;
        if (sizes.size() > 32) in.raise(Error::Value, "the data are nested too deeply");
        const std::vector<Val> items = in.items(v);
        sizes.push_back(static_cast<int64_t>(items.size()));
        if (items.empty()) return sizes;
        v = items[0];
    }
}
/// The elements of a nested list of \p sizes in order.
void flattenData(Interp& in, const Val& v, size_t depth, const std::vector<int64_t>& sizes,
                 std::vector<Val>& out) {
    if (tensorOfArray(in, v).bound())
        return flattenData(in, in.callMethod(v, "tolist", {}), depth, sizes, out);
    if (isSequence(in, v) && depth < sizes.size()) {
        std::vector<Val> values = in.items(v);
        int64_t n = static_cast<int64_t>(values.size());
        if (sizes[depth] != n)
            in.raise(Error::Value, fmt::format("expected sequence of length {} at dim {} (got {})",
                                               sizes[depth], depth, n));
        for (const Val& item : values)
            flattenData(in, item, depth + 1, sizes, out);
        return;
    }
    if (isSequence(in, v))
        in.raise(Error::Type,
                 fmt::format("'{}' object cannot be interpreted as an integer", in.typeName(v)));
    if (depth != sizes.size()) in.raise(Error::Type, "not a sequence");
    if (v.is(Kind::Tensor)) {
        in.add(out, in.elementNumber(*v.as<TensorObj>(), "torch.tensor() of a tensor"));
        return;
    }
    if (v.is(Kind::Number)) return in.add(out, v);
    const Val number = in.plain(v);
    if (number.is(Kind::Integer)) return in.add(out, number);
    if (v.is(Kind::Str) && depth > 0 && out.empty())
        in.raise(Error::Value, "too many dimensions 'str'");
    if (v.is(Kind::Str)) in.raise(Error::Type, "new(): invalid data type 'str'");
    if (!number.isNumber() && !number.is(Kind::Complex))
        in.raise(Error::Runtime, fmt::format("Could not infer dtype of {}", in.typeName(v)));
    in.add(out, number);
}

/// _C.dtype_limits(dtype): (bits, floating, eps or None, max, min, smallest normal or None), what
/// torch.finfo and torch.iinfo say.
Val dtypeLimits(Interp& in, Self self, Args args) {
    auto v = parseArguments(in, self.name, args, {"dtype"});
    if (v[0].tag() != Tag::DType)
        in.raise(Error::Type, fmt::format("expected a dtype, found {}", in.typeName(v[0])));
    const ir::DType dtype = v[0].asDType();
    const Val bits = Val::integer(static_cast<int64_t>(8 * ir::sizeBytes(dtype)));
    if (ir::hasGradients(dtype)) {
        const ir::FloatLimits limits = ir::floatLimits(dtype);
        return in.tuple({bits, Val::boolean(true), Val::real(limits.eps), Val::real(limits.max),
                         Val::real(-limits.max), Val::real(limits.smallestNormal)});
    }
    const ir::IntegerLimits limits = ir::integerLimits(dtype);
    return in.tuple({bits, Val::boolean(false), Val::none(), Val::integer(limits.max),
                     Val::integer(limits.min), Val::none()});
}

Val makeTensor(Interp& in, Self self, Args args) {
    TensorOptions options = tensorOptions(in, args, self.name, {"data"});
    Val data = !args.positional.empty() ? args.positional[0] : Val();
    for (const auto& [name, v] : args.keywords)
        if (name->text == "data") data = v;
    if (!data.bound()) in.raise(Error::Type, "torch.tensor() misses the data");
    if (Val array = tensorOfArray(in, data); array.bound()) data = array;
    if (data.is(Kind::Tensor)) {
        Val copy = in.operation("clone", {in.operation("detach", {data})});
        return finish(in, options.dtype ? convertTo(in, copy, *options.dtype) : copy, options);
    }
    if (options.requiresGrad) wantNoNewLeaf(in);
    return finish(in, tensorOfData(in, data, options.dtype, options.device), options);
}

} // namespace

static Val sizesValue(Interp& in, const std::vector<int64_t>& sizes) {
    std::vector<Val> values;
    for (int64_t size : sizes)
        values.push_back(Val::integer(size));
    return in.tuple(std::move(values));
}

Val tensorOfData(Interp& in, const Val& data, const std::optional<ir::DType>& wanted,
                 ir::Device device) {
    const std::vector<int64_t> sizes = nestedSizes(in, data);
    std::vector<Val> values;
    // Of a list whose first lists hold nothing, nothing is read.
    if (std::ranges::find(sizes, 0) == sizes.end()) flattenData(in, data, 0, sizes, values);
    if (std::any_of(values.begin(), values.end(),
                    [](const Val& v) { return v.is(Kind::Complex); }) ||
        (wanted && ir::isComplex(*wanted)))
        return callComplex(in, "of_data",
                           {in.list(std::move(values)), sizesValue(in, sizes),
                            wanted ? Val::dtype(*wanted) : Val::none(), Val::device(device)});
    ir::DType dtype = values.empty() ? in.defaultDType() : ir::DType::Bool;
    for (Val& v : values) {
        if (auto* truth = v.to<TruthObj>()) // on open sizes: the graph computes it
            v = Val(in.make<NumberObj>(Ref<TensorObj>(tensorOfTruth(in, *truth).as<TensorObj>())));
        if (v.isFloat()) dtype = in.defaultDType();
        if ((v.isInt() || v.is(Kind::Integer)) && dtype == ir::DType::Bool)
            dtype = ir::DType::Int64;
    }
    if (std::ranges::any_of(values, [](const Val& v) { return v.is(Kind::Number); }))
        return tensorOfNumbers(in, values, sizes, wanted, device);
    dtype = wanted.value_or(dtype);
    ir::HostTensor host = ir::HostTensor::zeros(dtype, sizes);
    for (size_t i = 0; i < values.size(); ++i)
        setElement(in, host, static_cast<int64_t>(i), values[i]);
    in.observer().readDefaultDevice();
    return in.world().constant(std::move(host), device);
}

namespace {

Val operationFunction(Interp& in, Self self, Args args) {
    const auto isOut = [](const auto& keyword) { return keyword.first->text == "out"; };
    if (!ops::takesOut(self.text) && self.name == "torch." + self.text &&
        std::ranges::any_of(args.keywords, isOut))
        in.raise(Error::Type,
                 fmt::format("{}() got an unexpected keyword argument 'out'", self.text));
    return withOut(in, self.text, args, [&](Args rest) { return in.operation(self.text, rest); });
}

/// empty(memory_format=): \p made, whose values mean nothing, lying so.
Val lyingIn(Interp& in, const Val& made, const Val& format) {
    if (!format.is(Kind::Str))
        in.raise(
            Error::Type,
            fmt::format("empty(): argument 'memory_format' must be torch.memory_format, not {}",
                        in.typeName(format)));
    if (format.as<StrObj>()->text == "preserve_format")
        in.raise(Error::Runtime, "unsupported memory format Preserve");
    const Val operands[] = {made};
    const std::pair<StrObj*, Val> named[] = {{in.intern("memory_format"), format}};
    return in.operation("clone", Arguments{operands, named});
}

/// zeros_like(x, device=) and its kin where x lies elsewhere: of x, only its sizes and dtype count.
Val madeElsewhere(Interp& in, const std::string& like, Args args, Named keywords) {
    std::vector<Val> positional(args.positional.begin(), args.positional.end());
    const auto named = [](const char* name) {
        return [name](const auto& keyword) { return keyword.first->text == name; };
    };
    if (std::ranges::none_of(keywords, named("dtype")))
        keywords.emplace_back(in.intern("dtype"), in.getAttr(positional[0], in.intern("dtype")));
    std::erase_if(keywords, named("memory_format"));
    positional[0] = in.getAttr(positional[0], in.intern("shape"));
    return in.operation(like.substr(0, like.find("_like")), Arguments{positional, keywords});
}

/// zeros, ones, full, arange ...: the catalogue's, with the default device and requires_grad.
Val factory(Interp& in, Self self, Args args) {
    Named keywords;
    bool hasDevice = false, requiresGrad = false;
    Val format = Val::none();
    for (const auto& [name, v] : args.keywords) {
        if (name->text == "requires_grad") {
            requiresGrad = wantBool(in, v, "requires_grad");
            continue;
        }
        if (name->text == "device") {
            if (v.isNone()) continue;
            hasDevice = true;
            keywords.emplace_back(name, Val::device(wantDevice(in, v)));
            continue;
        }
        if (name->text == "dtype" && v.isNone()) continue;
        if (name->text == "layout" && in.repr(v) == "torch.strided") continue; // the only one
        if (name->text == "memory_format" && self.text == "empty") {
            format = v;
            continue;
        }
        keywords.emplace_back(name, v);
    }
    // An empty tensor's values mean nothing; zeros do as well as any.
    const std::string base = self.text == "empty"        ? "zeros"
                             : self.text == "empty_like" ? "zeros_like"
                                                         : self.text;
    if (!hasDevice && !makesLike(base)) {
        in.observer().readDefaultDevice();
        if (in.defaultDevice() != ir::Device())
            keywords.emplace_back(in.intern("device"), Val::device(in.defaultDevice()));
    }
    if (requiresGrad) wantNoNewLeaf(in);
    const auto given = [&](std::string_view name) {
        const auto at = std::ranges::find_if(
            keywords, [&](const auto& keyword) { return keyword.first->text == name; });
        return at == keywords.end() ? Val() : at->second;
    };
    if (const Val out = given("out"); out.bound() && !given("dtype").bound())
        if (auto* written = out.to<TensorObj>())
            keywords.emplace_back(in.intern("dtype"), Val::dtype(written->type().dtype));
    const auto* like = makesLike(base) && hasDevice && !args.positional.empty()
                           ? args.positional[0].to<TensorObj>()
                           : nullptr;
    Val t = like && given("device").asDevice() != like->type().device
                ? madeElsewhere(in, base, args, keywords)
                : withOut(in, self.text, Arguments{args.positional, keywords},
                          [&](Args rest) { return in.operation(base, rest); });
    if (!format.isNone()) t = lyingIn(in, t, format);
    if (requiresGrad) in.setAttr(t, in.intern("requires_grad"), Val::boolean(true));
    return t;
}

Val missingOperation(Interp& in, ModuleObj& module, StrObj* name) {
    const std::string n = (module.name == "torch.special" ? "special_" : "") + name->text;
    const bool torchModule = module.name == "torch";
    if (const CountedFunction* counted = torchModule ? countedFunction(n) : nullptr) {
        Val f = in.builtin(module.name + "." + n, counted->function, kCounted);
        f.as<BuiltinObj>()->text = n;
        module.attributes->set(name, f);
        return f;
    }
    if (module.name == "torch.ops.aten" && !operationExists(n)) // index_put_, new_empty_strided
        if (Val method = tensorFunction(in, n); method.bound()) {
            method.as<BuiltinObj>()->name = module.name + "." + n;
            module.attributes->set(name, method);
            return method;
        }
    bool empty = n == "empty" || n == "empty_like";
    if (module.name == "torch._ops" && n.starts_with("OpOverload"))
        return in.getAttr(in.libraryImport("torch._aten"), name);
    if (!empty && (n.starts_with("prims.") || !operationExists(n)))
        return module.name == "torch.ops.aten" ? writtenInScript(in, "packets", n) : Val();
    bool makes = empty;
    for (const ops::OpDef* def : ops::catalogue().overloads(n))
        makes |= def->parsed.find("device") >= 0;
    Val f = in.builtin(module.name + "." + name->text, makes ? factory : operationFunction);
    f.as<BuiltinObj>()->takesSymbols = true;
    f.as<BuiltinObj>()->text = n;
    module.attributes->set(name, f);
    return f;
}

/// torch.ops.prims.X, as code of graphs names them.
Val missingPrim(Interp& in, ModuleObj& module, StrObj* name) {
    if (!operationExists("prims." + name->text)) return {};
    const Val made = overload(in, "prims." + name->text);
    module.attributes->set(name, made);
    return made;
}

/// torch.linalg.X is the operation linalg_X.
Val missingLinalg(Interp& in, ModuleObj& module, StrObj* name) {
    const std::string base = "linalg_" + name->text;
    if (!operationExists(base)) { // written in the script language
        const Val written = in.libraryImport("torch._linalg");
        Val* found =
            name->text.starts_with("_") ? nullptr : written.as<ModuleObj>()->attributes->find(name);
        return found && found->is(Kind::Function) ? *found : Val();
    }
    Val f = in.builtin(module.name + "." + name->text, operationFunction);
    f.as<BuiltinObj>()->takesSymbols = true;
    f.as<BuiltinObj>()->text = base;
    module.attributes->set(name, f);
    return f;
}

Val isTensor(Interp& in, Self, Args args) {
    Val v = parseArguments(in, "torch.is_tensor", args, {"obj"})[0];
    return Val::boolean(v.is(Kind::Tensor));
}
Val isGradEnabled(Interp& in, Self, Args) {
    return Val::boolean(in.gradMode());
}
Val setGradEnabled(Interp& in, Self self, Args args) {
    in.setGradMode(wantBool(in, parseArguments(in, self.name, args, {"mode"})[0], "the mode"));
    return Val::none();
}
Val chooseDefaultDevice(Interp& in, Self, Args args) {
    in.setDefaultDevice(
        wantDevice(in, parseArguments(in, "torch.set_default_device", args, {"device"})[0]));
    return Val::none();
}
Val makeDevice(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "torch.device", args, {"type", "index="});
    ir::Device device = wantDevice(in, v[0]);
    if (v[1].bound()) device.index = static_cast<int>(wantInt(in, v[1], "the index"));
    return Val::device(device);
}
Val askDefaultDevice(Interp& in, Self, Args) {
    in.observer().readDefaultDevice();
    return Val::device(in.defaultDevice());
}
/// with torch.device(...): what is made without device= is made there.
Val deviceScope(Interp& in, Self self, Args args) {
    const Val settings = in.libraryImport("torch._settings");
    const bool enters = self.text == "__enter__";
    return in.call(in.getAttr(settings, in.intern(enters ? "_enter_device" : "_leave_device")),
                   args.positional.first(1));
}
Val makeSize(Interp& in, Self, Args args) {
    const Val given = parseArguments(in, "torch.Size", args, {"sizes="})[0];
    Val t = in.tuple(given.bound() ? in.items(given) : std::vector<Val>());
    for (const Val& size : t.as<TupleObj>()->items)
        wantInt(in, size, "a size");
    t.as<TupleObj>()->size = true;
    return t;
}
Val threads(Interp& in, Self self, Args args) {
    if (self.text == "get") return Val::integer(runtime::threads());
    const int64_t wanted =
        wantInt(in, parseArguments(in, self.name, args, {"threads"})[0], "the number of threads");
    if (wanted < 1) in.raise(Error::Runtime, "set_num_threads expects a positive integer");
    runtime::setThreads(static_cast<int>(std::min<int64_t>(wanted, 1024)));
    return Val::none();
}
Val noDevice(Interp&, Self, Args) {
    return Val::boolean(false);
}

Val close(Interp& in, Self self, Args args) {
    bool exact = self.text == "equal";
    auto v =
        parseArguments(in, self.name, args, {"input", "other", "rtol=", "atol=", "equal_nan="});
    ir::HostTensor a = in.need(runtime::toHost(*in.real(v[0], "input"))),
                   b = in.need(runtime::toHost(*in.real(v[1], "other")));
    if (a.sizes != b.sizes) {
        if (exact) return Val::boolean(false);
        in.raise(Error::Runtime, fmt::format("torch.allclose() of tensors with sizes {} and {}",
                                             v[0].as<TensorObj>()->type().str(),
                                             v[1].as<TensorObj>()->type().str()));
    }
    double rtol = v[2].bound() ? wantFloat(in, v[2], "rtol") : 1e-5,
           atol = v[3].bound() ? wantFloat(in, v[3], "atol") : 1e-8;
    bool nans = v[4].bound() && in.truthy(v[4]);
    for (int64_t i = 0; i < a.numel(); ++i) {
        double x = a.get(i), y = b.get(i);
        bool same = x == y || (nans && std::isnan(x) && std::isnan(y)) ||
                    (!exact && std::isfinite(y) && std::fabs(x - y) <= atol + rtol * std::fabs(y));
        if (!same) return Val::boolean(false);
    }
    return Val::boolean(true);
}

/// PyTorch's scripts must run, so arguments without a meaning here are told, not refused.
void warnOfIgnored(Interp& in, const CompileOptions& options) {
    std::string ignored;
    static constexpr std::string_view kMeant[] = {"epilogue_fusion", "freezing", "max_autotune",
                                                  "triton.cudagraphs"};
    for (const auto& [name, value] : options.options)
        if (std::ranges::find(kMeant, name) == std::end(kMeant) && value == "True")
            ignored += fmt::format("{}option '{}'", ignored.empty() ? "" : ", ", name);
    if (ignored.empty()) return;
    in.warn({base::Severity::Warning,
             base::Fault::User,
             {in.options().path},
             fmt::format("torch.compile: {} has no effect in this version", ignored),
             {},
             "leave it out, or look at the pipeline in 'cutaway explain'"});
}

std::string wantMode(Interp& in, const Val& v) {
    static const std::vector<std::string> kModes = {"default", "reduce-overhead", "max-autotune",
                                                    "max-autotune-no-cudagraphs"};
    const std::string& mode = wantStr(in, v, "mode");
    if (std::find(kModes.begin(), kModes.end(), mode) == kModes.end())
        in.raise(Error::Runtime, fmt::format("torch.compile: unknown mode '{}'", mode),
                 fmt::format("known modes: {}", fmt::join(kModes, ", ")));
    return mode;
}

/// The options that torch.compile documents; each is on or off.
std::map<std::string, std::string> wantOptions(Interp& in, const Val& v) {
    static const std::vector<std::string> kOptions = {
        "epilogue_fusion",     "fallback_random",  "freezing",
        "max_autotune",        "shape_padding",    "trace.enabled",
        "trace.graph_diagram", "triton.cudagraphs"};
    auto* given = v.to<DictObj>();
    if (!given)
        in.raise(Error::Type, fmt::format("options must be a dict, found {}", in.typeName(v)));
    std::map<std::string, std::string> options;
    for (const auto& e : given->entries()) {
        if (!e.live()) continue;
        std::string name = wantStr(in, e.key, "an option's name");
        std::ranges::replace(name, '-', '_'); // as PyTorch
        if (std::find(kOptions.begin(), kOptions.end(), name) == kOptions.end())
            in.raise(Error::Runtime, fmt::format("torch.compile: unknown option '{}'", name),
                     fmt::format("known options: {}", fmt::join(kOptions, ", ")));
        if (!e.value.isBool())
            in.raise(Error::Runtime,
                     fmt::format("torch.compile: option '{}' must be a bool, found {}", name,
                                 in.typeName(e.value)));
        options[name] = e.value.asBool() ? "True" : "False";
    }
    return options;
}

bool isCallable(const Val& v) {
    return v.is(Kind::Function) || v.is(Kind::Method) || v.is(Kind::Builtin) ||
           v.is(Kind::Instance) || v.is(Kind::Compiled) || v.is(Kind::Class);
}

/// What torch._dynamo.register_backend() was given under a name; unbound: nothing.
Val registeredBackend(Interp& in, const Val& name) {
    if (!name.is(Kind::Str)) return {};
    Val* known = in.module("torch._dynamo")->attributes->find(in.intern("_backends"));
    Val* backend = known ? known->as<DictObj>()->find(name.as<StrObj>()) : nullptr;
    return backend ? *backend : Val();
}

CompileOptions compileOptions(Interp& in, Args args, bool& disabled) {
    auto v =
        parseArguments(in, "torch.compile", args,
                       {"model", "fullgraph", "dynamic", "backend", "mode", "options", "disable"});
    CompileOptions options = in.options().compileDefaults;
    options.fullgraph = in.truthy(v[1]) || options.fullgraph;
    if (!v[2].isNone()) {
        if (!v[2].isBool())
            in.raise(Error::Assertion,
                     fmt::format("torch.compile: dynamic must be True, False or None, found {}",
                                 in.typeName(v[2])));
        options.dynamic = v[2].asBool();
    }
    if (registeredBackend(in, v[3]).bound())
        options.backend = "eager"; // a callable stands in its place
    else if (v[3].is(Kind::Str))   // PyTorch's aot_eager neither decomposes nor partitions
        options.backend = v[3].as<StrObj>()->text == "aot_eager_decomp_partition"
                              ? "aot_eager"
                              : v[3].as<StrObj>()->text;
    else if (!v[3].isNone() && !isCallable(v[3]))
        in.raise(Error::Type,
                 fmt::format("backend must be a name or a callable, found a {}", in.typeName(v[3])),
                 "'inductor', 'aot_eager' and 'eager' work");
    // Known to PyTorch but not here: told when the function is first called.
    static constexpr std::string_view kElsewhere[] = {
        "cudagraphs", "nvfuser", "onnxrt", "ipex", "tvm", "openxla", "tensorrt", "openxla_eval"};
    if (std::ranges::find(kElsewhere, options.backend) == std::end(kElsewhere))
        if (auto known = in.compiler().wantBackend(options.backend); !known.ok())
            in.raise(Error::InvalidBackend, std::move(known.error()));
    if (!v[4].isNone()) options.mode = wantMode(in, v[4]);
    if (!v[5].isNone()) options.options = wantOptions(in, v[5]);
    if (!v[4].isNone() && !v[5].isNone()) // tutorials do
        in.warn({base::Severity::Warning,
                 base::Fault::User,
                 {in.options().path},
                 "torch.compile: mode and options are given; PyTorch takes one of them",
                 {},
                 "both apply here"});
    warnOfIgnored(in, options);
    disabled = in.truthy(v[6]);
    return options;
}

/// mark_dynamic(t, index, *, min, max), maybe_mark_dynamic(t, index), mark_static(t, index).
Val markSizes(Interp& in, Self self, Args args) {
    auto v = parseArguments(in, self.text, args, {"t", "index=", "*", "min=", "max="});
    if (in.capture() && self.text != "mark_static")
        in.raise(Error::Assertion,
                 fmt::format("Attempt to trace forbidden callable <function {}>", self.text),
                 "mark the tensor before it is given to the compiled function");
    TensorObj& t = wantTensor(in, v[0], self.text + "()'s argument");
    const auto rank = static_cast<int64_t>(t.type().rank());
    std::vector<Val> dims;
    if (!v[1].bound() || v[1].isNone())
        for (int64_t i = 0; i < rank; ++i)
            dims.push_back(Val::integer(i));
    else
        dims = v[1].isInt() ? std::vector<Val>{v[1]} : in.items(v[1]);
    if (self.text != "mark_static" && !v[1].bound())
        in.raise(Error::Type, fmt::format("{}() misses argument 'index'", self.text));
    SizeMark mark;
    mark.kind = self.text == "mark_dynamic"  ? SizeMark::Kind::Dynamic
                : self.text == "mark_static" ? SizeMark::Kind::Static
                                             : SizeMark::Kind::Maybe;
    for (size_t i : {2, 3}) {
        if (!v[i].bound() || v[i].isNone()) continue;
        if (mark.kind != SizeMark::Kind::Dynamic)
            in.raise(Error::Type, fmt::format("{}() takes no range", self.text));
        (i == 2 ? mark.range.least : mark.range.most) = wantInt(in, v[i], i == 2 ? "min" : "max");
    }
    mark.range.least = std::max<int64_t>(mark.range.least, 2);
    if (mark.range.least > mark.range.most)
        in.raise(Error::Value, fmt::format("mark_dynamic: an empty range, {} to {}",
                                           mark.range.least, mark.range.most));
    if (!t.marks) t.marks = std::make_unique<std::vector<SizeMark>>();
    for (const Val& dim : dims) {
        const int64_t i = wantInt(in, dim, "the dimension");
        if (i < -rank || i >= rank)
            in.raise(Error::Index, fmt::format("{}: dimension {} of a tensor of {}", self.text, i,
                                               t.type().str()));
        mark.dim = static_cast<size_t>(i < 0 ? i + rank : i);
        std::erase_if(*t.marks, [&](const SizeMark& m) { return m.dim == mark.dim; });
        t.marks->push_back(mark);
    }
    std::sort(t.marks->begin(), t.marks->end(),
              [](const SizeMark& a, const SizeMark& b) { return a.dim < b.dim; });
    return Val::none();
}

Val compileFunction(Interp& in, Self self, Args args) {
    bool disabled = false;
    CompileOptions options = compileOptions(in, args, disabled);
    Val target = args.positional[0];
    if (disabled) return target;
    if (auto* inner = target.to<CompiledObj>()) target = inner->original; // the outer one counts
    auto* module = target.to<InstanceObj>();
    if (self.text == "module" && !(module && module->type->module))
        in.raise(Error::Type, fmt::format("Module.compile() of a {}", in.typeName(target)));
    bool callable = target.is(Kind::Function) || target.is(Kind::Method) ||
                    target.is(Kind::Builtin) || target.is(Kind::Instance);
    if (!callable)
        in.raise(Error::Assertion,
                 fmt::format("torch.compile() needs a function or a module, found {}",
                             in.typeName(target)));
    auto* compiled = in.make<CompiledObj>();
    Val keep(compiled);
    compiled->original = target;
    const Val& given = args.positional[3];
    Val backend = registeredBackend(in, given);
    if (!backend.bound() && !given.is(Kind::Str) && !given.isNone()) backend = given;
    const auto known = std::ranges::find_if(
        in.units(), [&](const auto& unit) { return unit->is(target, options, backend); });
    if (known != in.units().end()) {
        compiled->unit = *known;
    } else {
        compiled->unit = std::make_shared<CompiledUnit>(in, target, options, backend);
        in.addUnit(compiled->unit);
    }
    if (self.text == "module") {
        module->compiled = keep;
        return Val::none();
    }
    return keep;
}

Val makeParameter(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "torch.nn.Parameter", args, {"data", "requires_grad="});
    if (!v[0].is(Kind::Tensor)) in.getAttr(v[0], in.intern("detach")); // which raises
    runtime::TensorPtr from = in.real(v[0], "the data");
    auto own = std::make_shared<runtime::Tensor>(*from);
    own->gradFunction = nullptr;
    own->grad = nullptr;
    own->asBase = false;
    own->type.requiresGrad = !v[1].bound() || in.truthy(v[1]);
    if (own->type.requiresGrad && !ir::hasGradients(own->type.dtype))
        in.raise(Error::Runtime,
                 "Only Tensors of floating point and complex dtype can require gradients",
                 "give requires_grad=False");
    Val t = in.tensor(own);
    t.as<TensorObj>()->parameter = true;
    t.as<TensorObj>()->madeAt = in.userSite();
    return t;
}

/// held_tensors(file): (kind, name, tensor, requires_grad) of each tensor that the open file holds;
/// None where that is another file, or no model.
Val heldTensors(Interp& in, Self self, Args args) {
    const std::vector<Val> v = parseArguments(in, self.name, args, {"file"});
    const ProgramOptions& options = in.options();
    const std::string file = wantStr(in, v[0], "a file's name");
    const bool holds =
        options.path.ends_with(".pt2") || options.path.ends_with(".onnx"); // of no tensors, too
    if (!holds || !("/" + options.path).ends_with("/" + file)) return Val::none();
    static constexpr const char* kKinds[] = {"parameter", "buffer", "constant", "input"};
    Val list(in.make<ListObj>());
    for (const HeldTensor& held : options.held)
        list.as<ListObj>()->items.push_back(
            in.tuple({in.str(kKinds[static_cast<size_t>(held.kind)]), in.str(held.name),
                      in.tensor(held.tensor), Val::boolean(held.requiresGrad)}));
    return list;
}

/// torch._C._scan: an operation that only scripts of the library may call.
Val internalOperation(Interp& in, ModuleObj& module, StrObj* name) {
    const auto overloads = ops::catalogue().overloads(name->text);
    if (overloads.empty() || !ops::isInternal(*overloads.front())) return {};
    Val f = in.builtin(module.name + "." + name->text, operationFunction);
    f.as<BuiltinObj>()->takesSymbols = true;
    f.as<BuiltinObj>()->text = name->text;
    module.attributes->set(name, f);
    return f;
}

/// Modules whose names are operations, and those whose names are settings.
void addModules(Interp& in) {
    in.module("torch._ops")->missing = missingOperation;
    in.module("torch.ops");
    in.module("torch.ops.aten")->missing = missingOperation;
    in.module("torch.ops.prims")->missing = missingPrim;
    in.module("torch.linalg")->missing = missingLinalg;
    in.module("torch.special")->missing = missingOperation;
    in.module("torch.nn.functional")->missing = missingOperation;
    for (const char* name :
         {"torch._inductor.config", "torch._inductor.config.triton", "torch._inductor.config.cpp",
          "torch._inductor.config.trace", "torch._dynamo.config", "torch._functorch.config",
          "torch.backends.cudnn", "torch.backends.cuda.matmul", "torch.backends.mkldnn",
          "torch.backends.mps", "torch.fx.experimental._config", "sys"})
        in.module(name)->settable = true;
}

/// torch._dynamo.mark_dynamic and its kin.
void addMarks(Interp& in) {
    for (const char* name : {"mark_dynamic", "maybe_mark_dynamic", "mark_static"}) {
        const bool isStatic = name == std::string_view("mark_static");
        const Val mark = in.builtin(fmt::format("torch._dynamo.{}", name), markSizes,
                                    isStatic ? "marks sizes of a tensor" : nullptr);
        mark.as<BuiltinObj>()->text = name;
        in.module("torch._dynamo")->attributes->set(in.intern(name), mark);
    }
}

} // namespace

void Interp::setUpTorch() {
    ModuleObj* torch = module("torch");
    torch->missing = missingOperation;
    auto set = [&](ModuleObj* m, const char* name, Val v) {
        m->attributes->set(intern(name), std::move(v));
    };
    auto add = [&](ModuleObj* m, const std::string& name, BuiltinFunction f,
                   const char* stops = nullptr, const char* text = nullptr) {
        Val v = builtin(m->name + "." + name, f, stops);
        v.as<BuiltinObj>()->text = text ? text : name;
        m->attributes->set(intern(name), v);
    };
    for (const ir::DTypeInfo& row : ir::allDTypes())
        for (std::string_view name : {row.name, row.alias})
            if (!name.empty()) set(torch, std::string(name).c_str(), Val::dtype(row.id));
    for (auto [name, value] :
         {std::pair{"pi", M_PI}, {"e", M_E}, {"inf", INFINITY}, {"nan", static_cast<double>(NAN)}})
        set(torch, name, Val::real(value));
    for (const char* format :
         {"contiguous_format", "preserve_format", "channels_last", "channels_last_3d"})
        set(torch, format, str(format));
    add(torch, "tensor", makeTensor);
    add(torch, "is_tensor", isTensor);
    add(torch, "is_grad_enabled", isGradEnabled);
    add(torch, "set_default_device", chooseDefaultDevice, "changes the default device");
    add(torch, "allclose", close, "needs the values of tensors");
    add(torch, "equal", close, "needs the values of tensors");
    add(torch, "get_num_threads", threads, "reads a setting that may change", "get");
    add(torch, "set_num_threads", threads, "changes the number of threads", "set");
    auto type = [&](const char* name, BuiltinFunction construct, bool (*recognises)(const Val&)) {
        auto* c = make<ClassObj>(name);
        Ref<ClassObj> keep(c);
        c->attributes = Ref<DictObj>(make<DictObj>());
        c->order = {c};
        c->recognises = recognises;
        if (construct) c->constructor = builtin(name, construct);
        return keep;
    };
    tensorClass_ = type("Tensor", nullptr, [](const Val& v) { return v.is(Kind::Tensor); });
    parameterClass_ = type("Parameter", makeParameter, [](const Val& v) {
        return v.is(Kind::Tensor) && v.as<TensorObj>()->parameter;
    });
    parameterClass_->bases = {tensorClass_};
    parameterClass_->order.push_back(tensorClass_.get());
    set(torch, "Tensor", tensorClass_.val());
    const auto callable = [&](ClassObj& c) {
        c.constructor = builtin("torch." + c.name, constructTensor);
        c.constructor.as<BuiltinObj>()->text = c.name;
        c.constructor.as<BuiltinObj>()->takesSymbols = true;
    };
    callable(*tensorClass_);
    for (const TensorClass& row : tensorClasses()) {
        const Ref<ClassObj> made = type(row.name.c_str(), nullptr, row.recognises);
        callable(*made.get());
        set(torch, row.name.c_str(), made.val());
    }
    types_["device"]->constructor = builtin("torch.device", makeDevice);
    for (const char* name : {"__enter__", "__exit__"}) {
        const Val method = builtin(fmt::format("torch.device.{}", name), deviceScope,
                                   "changes the default device");
        method.as<BuiltinObj>()->text = name;
        method.as<BuiltinObj>()->receiver = types_["device"].get();
        types_["device"]->attributes->set(intern(name), method);
    }
    types_["Size"]->constructor = builtin("torch.Size", makeSize);
    set(torch, "device", types_["device"].val());
    set(torch, "Size", types_["Size"].val());
    set(torch, "dtype", types_["dtype"].val());

    // No module of modules_: scripts cannot import it, nor reach it through torch.
    ModuleObj* internal = make<ModuleObj>("torch._C");
    Ref<ModuleObj> keepInternal(internal);
    internal->attributes = Ref<DictObj>(make<DictObj>());
    internal->missing = internalOperation;
    libraryNames_ = Ref<DictObj>(make<DictObj>());
    libraryNames_->set(intern("_C"), keepInternal.val());
    add(internal, "dtype_limits", dtypeLimits);
    add(internal, "held_tensors", heldTensors);
    add(internal, "is_grad_enabled", isGradEnabled);
    add(internal, "set_grad_enabled", setGradEnabled);
    add(internal, "compile", compileFunction, "compiles a function");
    add(internal, "compile_module", compileFunction, "compiles a module", "module");
    set(internal, "Parameter", parameterClass_.val());
    set(internal, "device", types_["device"].val());
    add(internal, "default_device", askDefaultDevice);
    addAutograd(*this, *internal);
    addRandom(*this, *torch, *internal);
    addFx(*this, *internal);
    addTensorModes(*this, *internal);
    addOverrides(*this, *internal);
    addModules(*this);
    addMarks(*this);
    addCuda(*this, *internal);
    addSettings(*this, *torch);
    for (const char* absent : {"torch.backends.mps", "torch.backends.cudnn", "torch.xpu"})
        add(module(absent), "is_available", noDevice);
    add(module("torch.backends.mps"), "is_built", noDevice);
}

} // namespace cutaway::capture
