// SPDX-License-Identifier: Apache-2.0
// Modules a script can import.
#include "core/capture/capture.h"
#include "core/capture/interp.h"
#include "core/capture/torch_support.h"

#include "resources/script_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <thread>

namespace cutaway::capture {

namespace {

using Self = const BuiltinObj&;
using Args = const Arguments&;

/// The module of the script library with that name; null when there is none.
const resources::ScriptModule* libraryModule(std::string_view name) {
    const auto modules = resources::scriptModules();
    const auto at = std::lower_bound(modules.begin(), modules.end(), name,
                                     [](const auto& m, std::string_view n) { return m.name < n; });
    return at != modules.end() && at->name == name ? &*at : nullptr;
}

struct MathFunction {
    const char* name;
    double (*function)(double);
    std::optional<Error> infinite = {}; ///< raised where a finite argument gives an infinity
};
constexpr MathFunction kMath[] = {
    {"sqrt", std::sqrt},
    {"exp", std::exp, Error::Overflow},
    {"log2", std::log2, Error::Value},
    {"log10", std::log10, Error::Value},
    {"log1p", std::log1p, Error::Value},
    {"expm1", std::expm1, Error::Overflow},
    {"sin", std::sin},
    {"cos", std::cos},
    {"tan", std::tan},
    {"asin", std::asin},
    {"acos", std::acos},
    {"atan", std::atan},
    {"sinh", std::sinh, Error::Overflow},
    {"cosh", std::cosh, Error::Overflow},
    {"tanh", std::tanh},
    {"erf", std::erf},
    {"fabs", std::fabs},
    {"radians", [](double x) { return x * M_PI / 180; }},
    {"degrees", [](double x) { return x * 180 / M_PI; }},
};

Val mathFunction(Interp& in, Self self, Args args) {
    double x = wantFloat(in, parseArguments(in, self.name, args, {"x"})[0], "the argument");
    for (const MathFunction& f : kMath)
        if (self.text == f.name) {
            double y = f.function(x);
            if (std::isnan(y) && !std::isnan(x))
                in.raise(Error::Value, fmt::format("{}({}) is not a real number", self.name,
                                                   in.repr(Val::real(x))));
            if (f.infinite && std::isinf(y) && !std::isinf(x))
                in.raise(*f.infinite,
                         *f.infinite == Error::Overflow ? "math range error" : "math domain error");
            return Val::real(y);
        }
    return {};
}

Val mathRound(Interp& in, Self self, Args args) {
    Val v = parseArguments(in, self.name, args, {"x"})[0];
    if (v.isIntegral()) return Val::integer(v.asInt());
    double x = wantFloat(in, v, "the argument");
    x = self.text == "floor" ? std::floor(x) : self.text == "ceil" ? std::ceil(x) : std::trunc(x);
    if (std::isnan(x)) in.raise(Error::Value, fmt::format("{}() of NaN", self.name));
    if (!(std::fabs(x) < 0x1p63)) in.raise(Error::Overflow, "the result does not fit in 64 bits");
    return Val::integer(static_cast<int64_t>(x));
}

Val mathOther(Interp& in, Self self, Args args) {
    if (self.text == "prod") {
        Val total = Val::integer(1);
        for (const Val& v : in.items(parseArguments(in, self.name, args, {"iterable"})[0]))
            total = in.binary(BinaryOp::Mul, total, v);
        return total;
    }
    if (self.text == "log") {
        auto v = parseArguments(in, self.name, args, {"x", "base="});
        double x = wantFloat(in, v[0], "the argument");
        if (x <= 0)
            in.raise(Error::Value, fmt::format("math.log({}) is not a real number", in.repr(v[0])));
        return Val::real(v[1].bound() ? std::log(x) / std::log(wantFloat(in, v[1], "the base"))
                                      : std::log(x));
    }
    if (self.text == "isnan" || self.text == "isinf" || self.text == "isfinite") {
        double x = wantFloat(in, parseArguments(in, self.name, args, {"x"})[0], "the argument");
        return Val::boolean(self.text == "isnan"   ? std::isnan(x)
                            : self.text == "isinf" ? std::isinf(x)
                                                   : std::isfinite(x));
    }
    auto v = parseArguments(in, self.name, args, {"a", "b"});
    if (self.text == "gcd") {
        int64_t a = std::abs(wantInt(in, v[0], "the argument")),
                b = std::abs(wantInt(in, v[1], "the argument"));
        while (b)
            std::swap(a %= b, b);
        return Val::integer(a);
    }
    double a = wantFloat(in, v[0], "the argument"), b = wantFloat(in, v[1], "the argument");
    if (self.text == "isclose")
        return Val::boolean(std::fabs(a - b) <= 1e-9 * std::max(std::fabs(a), std::fabs(b)));
    const double result = self.text == "pow"     ? std::pow(a, b)
                          : self.text == "atan2" ? std::atan2(a, b)
                          : self.text == "fmod"  ? std::fmod(a, b)
                                                 : std::hypot(a, b);
    const bool finite = std::isfinite(a) && std::isfinite(b);
    if (std::isnan(result) && !std::isnan(a) && !std::isnan(b))
        in.raise(Error::Value, "math domain error");
    if (std::isinf(result) && finite)
        in.raise(a == 0 ? Error::Value : Error::Overflow,
                 a == 0 ? "math domain error" : "math range error");
    return Val::real(result);
}

Val clock(Interp& in, Self self, Args args) {
    using namespace std::chrono;
    if (self.text == "sleep") {
        double seconds = wantFloat(in, parseArguments(in, self.name, args, {"seconds"})[0],
                                   "the number of seconds");
        if (!(seconds >= 0)) in.raise(Error::Value, "the number of seconds must not be negative");
        auto end = steady_clock::now() + duration<double>(std::min(seconds, 1e9));
        constexpr milliseconds kSlice(20); // so that a cancelled script ends
        for (; steady_clock::now() < end; in.tick())
            std::this_thread::sleep_for(
                std::min<duration<double>>(kSlice, end - steady_clock::now()));
        return Val::none();
    }
    if (self.text == "perf_counter_ns")
        return Val::integer(
            duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count());
    double seconds = self.text == "time"
                         ? duration<double>(system_clock::now().time_since_epoch()).count()
                         : duration<double>(steady_clock::now().time_since_epoch()).count();
    return Val::real(seconds);
}

} // namespace

Val Interp::builtin(const std::string& name, BuiltinFunction function, const char* stops) {
    auto* b = make<BuiltinObj>(name, function);
    Val keep(b);
    b->stops = stops;
    return keep;
}

ModuleObj* Interp::module(const std::string& name) {
    Ref<ModuleObj>& slot = modules_[name];
    if (!slot) {
        slot = Ref<ModuleObj>(make<ModuleObj>(name));
        slot->attributes = Ref<DictObj>(make<DictObj>());
        size_t dot = name.rfind('.');
        // A module of the library becomes its parent's attribute when it is loaded.
        if (dot != std::string::npos && !libraryModule(name))
            module(name.substr(0, dot))
                ->attributes->set(intern(name.substr(dot + 1)), modules_[name].val());
    }
    return modules_[name].get();
}

void Interp::setUpMath() {
    ModuleObj* math = module("math");
    auto add = [&](ModuleObj* m, const std::string& name, BuiltinFunction f,
                   const char* stops = nullptr) {
        Val v = builtin(m->name + "." + name, f, stops);
        v.as<BuiltinObj>()->text = name;
        m->attributes->set(intern(name), v);
    };
    for (const MathFunction& f : kMath)
        add(math, f.name, mathFunction);
    for (const char* name : {"floor", "ceil", "trunc"})
        add(math, name, mathRound);
    for (const char* name : {"log", "prod", "isnan", "isinf", "isfinite", "gcd", "isclose", "pow",
                             "atan2", "fmod", "hypot"})
        add(math, name, mathOther);
    for (auto [name, value] : {std::pair{"pi", M_PI},
                               {"e", M_E},
                               {"tau", 2 * M_PI},
                               {"inf", INFINITY},
                               {"nan", static_cast<double>(NAN)}})
        math->attributes->set(intern(name), Val::real(value));
    ModuleObj* time = module("time");
    for (const char* name : {"time", "perf_counter", "monotonic", "perf_counter_ns", "sleep"})
        add(time, name, clock, "reads the clock");
    ModuleObj* typing = module("typing");
    for (const char* name : {"Any", "Callable", "Dict", "Iterable", "Iterator", "List", "Literal",
                             "NamedTuple", "Optional", "Sequence", "Set", "Tuple", "Type", "Union"})
        typing->attributes->set(intern(name), objectClass_.val());
    module("__future__")->attributes->set(intern("annotations"), Val::none());
}

Val Interp::libraryImport(const std::string& name) {
    const resources::ScriptModule* library = libraryModule(name);
    if (!library) return {};
    if (std::find(loading_.begin(), loading_.end(), name) != loading_.end())
        return Val(module(name));
    loading_.push_back(name); // stays: a module is loaded once
    ModuleObj* m = module(name);
    if (size_t dot = name.rfind('.'); dot != std::string::npos)
        module(name.substr(0, dot))->attributes->set(intern(name.substr(dot + 1)), Val(m));
    auto source = std::make_shared<SourceText>();
    source->file = fmt::format("<{}>", library->file);
    source->library = true;
    // What the module does when it is loaded is none of the capture's business.
    struct Outside {
        Interp& in;
        Capture* capture;
        bool gradMode;
        ~Outside() {
            in.capture_ = capture;
            in.gradMode_ = gradMode;
        }
    } outside{*this, std::exchange(capture_, nullptr), std::exchange(gradMode_, true)};
    runScript(std::string(library->text), source, m->attributes);
    if (name == "torch.nn") {
        moduleClass_ = Ref<ClassObj>(m->attributes->find(intern("Module"))->as<ClassObj>());
        for (const auto& e : m->attributes->entries())
            if (auto* c = e.value.to<ClassObj>())
                c->module = c->isSubclassOf(moduleClass_.get());
    }
    return Val(m);
}

Val Interp::import(const std::string& name) {
    for (size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1))
        libraryImport(name.substr(0, dot));
    if (Val library = libraryImport(name); library.bound()) return library;
    auto at = modules_.find(name);
    if (at != modules_.end()) return at->second.val();
    std::vector<std::string> known;
    for (const auto& [known_, m] : modules_)
        if (known_.find("._") == std::string::npos) known.push_back(known_);
    for (const resources::ScriptModule& library : resources::scriptModules())
        known.emplace_back(library.name);
    std::string near = nearest(name, known);
    raise(Error::ModuleNotFound, fmt::format("module '{}' is not available", name),
          near.empty() ? "scripts can use torch, torch.nn, torch.nn.functional, torch.optim, math, "
                         "time and typing"
                       : fmt::format("did you mean '{}'?", near));
}

Val Interp::importFrom(const Val& from, StrObj* name) {
    auto* m = from.as<ModuleObj>();
    if (Val library = libraryImport(m->name + "." + name->text); library.bound()) return library;
    Val v = tryAttr(from, name);
    if (v.bound()) return v;
    std::vector<std::string> names = attributeNames(from);
    for (const std::string& n : ops::catalogue().nearest(name->text))
        names.push_back(n);
    std::string near = nearest(name->text, names);
    raise(Error::Import, fmt::format("module '{}' has no '{}'", m->name, name->text),
          near.empty() ? "" : fmt::format("did you mean '{}'?", near));
}

Interp::Interp(const ProgramOptions& options, EagerOps& eager, GraphCompiler& compiler)
    : options_(options), eager_(eager), compiler_(compiler), defaultDevice_(options.defaultDevice) {
    setUpLimits();
    builtins_ = Ref<DictObj>(make<DictObj>());
    setUpErrors();
    setUpBuiltins();
    setUpMethods();
    setUpMath();
    setUpTorch();
    base::Status status = guarded([&] { libraryImport("torch"); });
    if (!status.ok()) throw std::logic_error(status.error().str());
}

Interp::~Interp() {
    units_.clear();
    methods_.clear();
    modules_.clear();
    types_.clear();
    errors_ = {};
    builtins_ = libraryNames_ = {};
    objectClass_ = tensorClass_ = parameterClass_ = moduleClass_ = {};
    interned_.clear();
    heap_->onCancel = heap_->onLimit = [] {}; // values that a caller keeps live on
    heap_->clearAll();
}

void Interp::addUnit(std::shared_ptr<CompiledUnit> unit) {
    units_.push_back(std::move(unit));
    if (units_.size() < unitsToPrune_) return;
    std::vector<std::shared_ptr<CompiledUnit>> kept;
    for (auto& each : units_)
        if (each.use_count() > 1) kept.push_back(each);
    units_.swap(kept); // what goes may free values that compile again: not while units_ is walked
    unitsToPrune_ = std::max<size_t>(64, 2 * units_.size());
}

StrObj* Interp::intern(std::string_view text) {
    auto at = interned_.find(text);
    if (at == interned_.end())
        at = interned_.emplace(std::string(text), Ref<StrObj>(str(std::string(text)).as<StrObj>()))
                 .first;
    return at->second.get();
}

Val Interp::tuple(std::vector<Val> items) {
    auto* t = make<TupleObj>();
    t->items = std::move(items);
    t->account(t->items.capacity() * sizeof(Val));
    return Val(t);
}

Val Interp::list(std::vector<Val> items) {
    auto* l = make<ListObj>();
    l->items = std::move(items);
    l->counted();
    return Val(l);
}

} // namespace cutaway::capture
