// SPDX-License-Identifier: Apache-2.0
#include "core/capture/settings.h"

#include "core/capture/interp.h"
#include "core/capture/pytorch_names.h"
#include "core/capture/torch_support.h"
#include "core/runtime/deterministic.h"
#include "core/runtime/precision.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cutaway::capture {

namespace {

constexpr std::string_view kTf32 = "allow_tf32", kCudnn = "torch.backends.cudnn",
                           kMatmul = "torch.backends.cuda.matmul";
constexpr std::string_view kFunctorch = "torch._functorch.config",
                           kBudget = "activation_memory_budget";
constexpr std::string_view kInductor = "torch._inductor.config", kFreezing = "freezing",
                           kAutotune = "max_autotune";
constexpr std::string_view kDynamo = "torch._dynamo.config", kStatic = "assume_static_by_default",
                           kAutomatic = "automatic_dynamic_shapes",
                           kNumbers = "capture_scalar_outputs",
                           kCounts = "capture_dynamic_output_shape_ops",
                           kRefuses = "error_on_recompile", kSuppresses = "suppress_errors",
                           kInts = "specialize_int", kFloats = "specialize_float";
constexpr std::string_view kSymbols = "torch.fx.experimental._config", kDuck = "use_duck_shape";
/// Where a name that PyTorch does not have is a mistake.
constexpr std::string_view kConfigurations[] = {kDynamo, kInductor, kFunctorch};
/// How many entries a function may have, by both of its names.
constexpr std::string_view kLimits[] = {"recompile_limit", "cache_size_limit"};
constexpr std::string_view kPrecision = "_float32_matmul_precision";
constexpr std::string_view kWarnOnly = "_deterministic_warn_only";

void set(Interp& in, ModuleObj& module, std::string_view name, Val value) {
    module.attributes->set(in.intern(std::string(name)), std::move(value));
}

ModuleObj& matmulModule(Interp& in) {
    return *in.module(std::string(kMatmul));
}

/// 'highest' keeps float32 as it is, 'high' and 'medium' let products round it to TF32.
Val setMatmulPrecision(Interp& in, const BuiltinObj& self, const Arguments& args) {
    const std::string name =
        wantStr(in, parseArguments(in, self.name, args, {"precision"})[0], "the precision");
    if (name != "highest" && name != "high" && name != "medium") {
        in.warn({base::Severity::Warning,
                 base::Fault::User,
                 {in.options().path},
                 fmt::format("{} is not one of 'highest', 'high', or 'medium'; the current "
                             "setFloat32MatmulPrecision call has no effect.",
                             name),
                 {},
                 {}});
        return Val::none();
    }
    ModuleObj& matmul = matmulModule(in);
    const Val allowed = Val::boolean(name != "highest");
    applySetting(in, matmul, kTf32, allowed);
    set(in, matmul, kTf32, allowed);
    set(in, matmul, kPrecision, in.str(name));
    return Val::none();
}

Val getMatmulPrecision(Interp& in, const BuiltinObj& self, const Arguments& args) {
    parseArguments(in, self.name, args, {});
    Val* name = matmulModule(in).attributes->find(kPrecision);
    return name ? *name : in.str("highest");
}

/// \p warn_only has nothing to warn of: what has no order of its own gets one.
Val useDeterministic(Interp& in, const BuiltinObj& self, const Arguments& args) {
    const std::vector<Val> given = parseArguments(in, self.name, args, {"mode", "warn_only="});
    runtime::setDeterministic(in.truthy(given[0]));
    set(in, *in.module("torch"), kWarnOnly, Val::boolean(given[1].bound() && in.truthy(given[1])));
    return Val::none();
}

Val areDeterministic(Interp& in, const BuiltinObj& self, const Arguments& args) {
    parseArguments(in, self.name, args, {});
    return Val::boolean(runtime::deterministic());
}

Val isWarnOnly(Interp& in, const BuiltinObj& self, const Arguments& args) {
    parseArguments(in, self.name, args, {});
    return in.getAttr(Val(in.module("torch")), in.intern(kWarnOnly)); // which is guarded
}

} // namespace

void applySetting(Interp& in, const ModuleObj& module, std::string_view name, const Val& value) {
    if (std::ranges::find(kConfigurations, module.name) != std::end(kConfigurations) &&
        !module.attributes->find(name) && !pytorchHas(module.name, name))
        in.raise(Error::Attribute, fmt::format("{}.{} does not exist", module.name, name));
    if (module.name == kFunctorch && name == kBudget) {
        const double share = wantFloat(in, value, "the memory budget");
        if (!(share >= 0 && share <= 1))
            in.raise(Error::Runtime, fmt::format("The valid ranges for memory budget are "
                                                 "0 <= m <= 1. The provided value is {}",
                                                 share));
        return;
    }
    if (module.name == kInductor && (name == kFreezing || name == kAutotune)) {
        if (!value.isBool())
            in.raise(Error::Type, fmt::format("{}.{} must be a bool, found {}", kInductor, name,
                                              in.typeName(value)));
        return;
    }
    if (module.name == kDynamo && std::ranges::find(kLimits, name) != std::end(kLimits)) {
        if (wantInt(in, value, std::string(name)) < 1)
            in.raise(Error::Value, fmt::format("{} must be 1 or more", name));
        for (std::string_view each : kLimits)
            set(in, *in.module(std::string(kDynamo)), each, value);
        return;
    }
    if (name != kTf32) return;
    runtime::Precision allowed = runtime::precision();
    if (module.name == kCudnn) allowed.convolutionTf32 = in.truthy(value);
    if (module.name == kMatmul) {
        allowed.matmulTf32 = in.truthy(value);
        set(in, matmulModule(in), kPrecision, in.str(allowed.matmulTf32 ? "high" : "highest"));
    }
    runtime::setPrecision(allowed);
}

static Val setPrintOptions(Interp& in, const BuiltinObj& self, const Arguments& args) {
    auto v = wantPositional(in, self, args, 5);
    PrintOptions& options = in.printOptions;
    options.precision =
        static_cast<int>(std::clamp<int64_t>(wantInt(in, v[0], "precision"), 0, 60));
    options.threshold = wantInt(in, v[1], "threshold");
    options.edgeItems = std::max<int64_t>(1, wantInt(in, v[2], "edgeitems"));
    options.lineWidth = static_cast<size_t>(std::max<int64_t>(1, wantInt(in, v[3], "linewidth")));
    options.scientific = v[4].isNone() ? std::nullopt : std::optional(in.truthy(v[4]));
    return Val::none();
}

/// set_stance(name): what compiled functions do from now on; the name before.
static Val setStance(Interp& in, const BuiltinObj& self, const Arguments& args) {
    const std::string name = wantStr(in, wantPositional(in, self, args, 1)[0], "the stance");
    return in.str(std::exchange(in.stance, name));
}

CompileOptions withSettings(Interp& in, CompileOptions options) {
    const Val* share = in.module(std::string(kFunctorch))->attributes->find(kBudget);
    const double value = share ? wantFloat(in, *share, "the memory budget") : 1;
    if (value < 1) options.options[std::string(kBudget)] = fmt::format("{}", value);
    auto take = [&](const std::string& module, std::string_view name, const std::string& option) {
        const Val* value = in.module(module)->attributes->find(name);
        if (value && in.truthy(*value)) options.options.emplace(option, "True");
    };
    for (std::string_view name : {kFreezing, kAutotune})
        take(std::string(kInductor), name, std::string(name));
    take(std::string(kInductor) + ".triton", "cudagraphs", "triton.cudagraphs");
    return options;
}

size_t recompileLimit(Interp& in) {
    const Val* limit = in.module(std::string(kDynamo))->attributes->find(kLimits[0]);
    return limit ? static_cast<size_t>(wantInt(in, *limit, std::string(kLimits[0]))) : 8;
}

static bool isOn(Interp& in, std::string_view name) {
    const Val* value = in.module(std::string(kDynamo))->attributes->find(name);
    return value && in.truthy(*value);
}

bool capturesNumbers(Interp& in) {
    return isOn(in, kNumbers);
}

bool refusesAnotherEntry(Interp& in) {
    return isOn(in, kRefuses);
}

bool suppressesErrors(Interp& in) {
    return isOn(in, kSuppresses);
}

bool specializesInts(Interp& in) {
    return isOn(in, kInts);
}

bool specializesFloats(Interp& in) {
    return isOn(in, kFloats);
}

bool capturesCounts(Interp& in) {
    return isOn(in, kCounts);
}

bool sharesSymbols(Interp& in) {
    const Val* value = in.module(std::string(kSymbols))->attributes->find(kDuck);
    return !value || in.truthy(*value);
}

std::optional<bool> dynamicByDefault(Interp& in) {
    auto off = [&](std::string_view name) {
        const Val* value = in.module(std::string(kDynamo))->attributes->find(name);
        return value && !in.truthy(*value);
    };
    if (off(kStatic)) return true;
    if (off(kAutomatic)) return false;
    return std::nullopt;
}

void addSettings(Interp& in, ModuleObj& torch) {
    for (std::string_view limit : kLimits)
        set(in, *in.module(std::string(kDynamo)), limit, Val::integer(8));
    for (std::string_view name : {kStatic, kAutomatic})
        set(in, *in.module(std::string(kDynamo)), name, Val::boolean(true));
    for (std::string_view name : {kNumbers, kCounts, kRefuses, kSuppresses, kInts, kFloats})
        set(in, *in.module(std::string(kDynamo)), name, Val::boolean(false));
    set(in, *in.module(std::string(kSymbols)), kDuck, Val::boolean(true));
    set(in, *in.module(std::string(kFunctorch)), kBudget, Val::real(1));
    for (std::string_view name : {kFreezing, kAutotune})
        set(in, *in.module(std::string(kInductor)), name, Val::boolean(false));
    runtime::setPrecision({});
    runtime::setDeterministic(false);
    set(in, torch, kWarnOnly, Val::boolean(false));
    const runtime::Precision allowed = runtime::precision();
    ModuleObj& cudnn = *in.module(std::string(kCudnn));
    for (const char* name : {"enabled", "benchmark", "deterministic"})
        set(in, cudnn, name, Val::boolean(std::string_view(name) == "enabled"));
    set(in, cudnn, kTf32, Val::boolean(allowed.convolutionTf32));
    set(in, matmulModule(in), kTf32, Val::boolean(allowed.matmulTf32));
    auto add = [&](const char* name, BuiltinFunction function, const char* stops) {
        Val made = in.builtin(torch.name + "." + name, function, stops);
        made.as<BuiltinObj>()->text = name;
        set(in, torch, name, std::move(made));
    };
    add("_set_stance", setStance, "changes a setting");
    add("_set_print_options", setPrintOptions, "changes a setting");
    add("set_float32_matmul_precision", setMatmulPrecision, "changes a setting");
    add("use_deterministic_algorithms", useDeterministic, "changes a setting");
    add("are_deterministic_algorithms_enabled", areDeterministic,
        nullptr); // entries are told apart
    add("is_deterministic_algorithms_warn_only_enabled", isWarnOnly, nullptr);
    add("get_float32_matmul_precision", getMatmulPrecision, "reads a setting that may change");
}

} // namespace cutaway::capture
