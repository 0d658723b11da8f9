// SPDX-License-Identifier: Apache-2.0
// Modules a script can import.
#include "core/capture/capture.h"
#include "core/capture/compiled_unit.h"
#include "core/capture/graph_numbers.h"
#include "core/capture/integers.h"
#include "core/capture/pytorch_names.h"
#include "core/capture/tensor_world.h"
#include "core/capture/torch_support.h"

#include "core/frontend/script/ast.h"
#include "resources/script_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>
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

/// A library module's syntax tree. It is the same for every program of the process and is kept, also
/// at the process's end: most of the time that `import torch` takes is parsing.
const frontend::Script& parsedModule(const resources::ScriptModule& module) {
    static std::mutex mutex;
    static auto& parsed = *new std::map<std::string_view, std::unique_ptr<frontend::Script>>;
    const std::lock_guard lock(mutex);
    auto& slot = parsed[module.name];
    if (!slot) {
        auto script = frontend::parse(fmt::format("<{}>", module.file), module.text);
        if (!script.ok()) throw ScriptError{{}, std::move(script.error()), {}, true};
        slot = std::move(*script);
    }
    return *slot;
}

/// The logarithm of the gamma function's absolute value, digit by digit as Python computes it
/// (Modules/mathmodule.c: Lanczos' sum).
double logGamma(double x) {
    static constexpr double kAbove[] = {23531376880.410759688572007674451636754734846804940,
                                        42919803642.649098768957899047001988850926355848959,
                                        35711959237.355668049440185451547166705960488635843,
                                        17921034426.037209699919755754458931112671403265390,
                                        6039542586.3520280050642916443072979210699388420708,
                                        1439720407.3117216736632230727949123939715485786372,
                                        248874557.86205415651146038641322942321632125127801,
                                        31426415.585400194380614231628318205362874684987640,
                                        2876370.6289353724412254090516208496135991145378768,
                                        186056.26539522349504029498971604569928220784236328,
                                        8071.6720023658162106380029022722506138218516325024,
                                        210.82427775157934587250973392071336271166969580291,
                                        2.5066282746310002701649081771338373386264310793408};
    static constexpr double kBelow[] = {
        0.0,       39916800.0, 120543840.0, 150917976.0, 105258076.0, 45995730.0, 13339535.0,
        2637558.0, 357423.0,   32670.0,     1925.0,      66.0,        1.0};
    constexpr double kG = 6.024680040776729583740234375;
    if (!std::isfinite(x)) return std::isnan(x) ? x : INFINITY;
    if (x == std::floor(x) && x <= 2) return x <= 0 ? INFINITY : 0.0;
    const double size = std::fabs(x);
    if (size < 1e-20) return -std::log(size);
    double above = 0, below = 0;
    for (size_t i = 0; i < std::size(kAbove); ++i) {
        const size_t at = size < 5 ? std::size(kAbove) - 1 - i : i;
        above = (size < 5 ? above * size : above / size) + kAbove[at];
        below = (size < 5 ? below * size : below / size) + kBelow[at];
    }
    double r = std::log(above / below) - kG;
    r += (size - 0.5) * (std::log(size + kG - 0.5) - 1);
    if (x > 0) return r;
    const double y = std::fmod(size, 2.0); // sin(pi * y) by the quarter that y is in
    const double n = std::round(2 * y);
    const double sine = n == 1 || n == 3 ? std::cos(M_PI * (y - n / 2))
                                         : std::sin(M_PI * (n == 2 ? 1 - y : y - n / 2));
    return std::log(M_PI) - std::log(std::fabs(sine)) - std::log(size) - r;
}

struct MathFunction {
    const char* name;
    double (*function)(double);
    std::optional<Error> infinite = {}; ///< raised where a finite argument gives an infinity
    Val (*ofSize)(Interp&, const Val&) = nullptr; ///< unbound: it is no size
    const char* operation = nullptr;              ///< of numbers that a graph computes
};
constexpr MathFunction kMath[] = {
    {"sqrt", std::sqrt, {}, rootOfSize},
    {"exp", std::exp, Error::Overflow},
    {"log2", std::log2, Error::Value},
    {"log10", std::log10, Error::Value},
    {"log1p", std::log1p, Error::Value},
    {"expm1", std::expm1, Error::Overflow},
    {"sin", std::sin, {}, {}, "sin"},
    {"cos", std::cos, {}, {}, "cos"},
    {"tan", std::tan, {}, {}, "tan"},
    {"asin", std::asin},
    {"acos", std::acos},
    {"atan", std::atan, {}, {}, "atan"},
    {"sinh", std::sinh, Error::Overflow},
    {"cosh", std::cosh, Error::Overflow},
    {"tanh", std::tanh, {}, {}, "tanh"},
    {"erf", std::erf},
    {"erfc", std::erfc},
    {"gamma", std::tgamma, Error::Overflow},
    {"lgamma", logGamma, Error::Overflow},
    {"asinh", std::asinh, {}, {}, "asinh"},
    {"acosh", std::acosh},
    {"atanh", std::atanh, Error::Value},
    {"cbrt", std::cbrt},
    {"exp2", std::exp2, Error::Overflow},
    {"ulp",
     [](double x) {
         x = std::fabs(x);
         return std::isfinite(x) ? std::nextafter(x, INFINITY) - x : x;
     }},
    {"fabs", std::fabs},
    {"radians", [](double x) { return x * M_PI / 180; }},
    {"degrees", [](double x) { return x * (180 / M_PI); }},
};

Val mathFunction(Interp& in, Self self, Args args) {
    const Val given = parseArguments(in, self.name, args, {"x"})[0];
    for (const MathFunction& f : kMath)
        if (self.text == f.name) {
            if (Val r = f.ofSize ? f.ofSize(in, given) : Val(); r.bound()) return r;
            if (Val r = f.operation ? graphFunction(in, given, f.operation, f.function) : Val();
                r.bound())
                return r;
            const double x = wantFloat(in, given, "the argument");
            const double y = f.function(x);
            if (std::isnan(y) && !std::isnan(x))
                in.raisePython(
                    Error::Value, "math domain error",
                    fmt::format("{}({}) is not a real number", self.name, in.repr(Val::real(x))));
            if (f.infinite && std::isinf(y) && !std::isinf(x))
                in.raise(*f.infinite,
                         *f.infinite == Error::Overflow ? "math range error" : "math domain error");
            return Val::real(y);
        }
    return {};
}

Val mathRound(Interp& in, Self self, Args args) {
    Val v = parseArguments(in, self.name, args, {"x"})[0];
    if (isInteger(v)) return in.unary(UnaryOp::Plus, v);
    if (Val* method = in.special(v, "__" + self.text + "__"))
        return in.call(in.bindMethod(*method, v, in.typeOf(v)), {});
    double x = wantFloat(in, v, "the argument");
    return integerOf(in, self.text == "floor"  ? std::floor(x)
                         : self.text == "ceil" ? std::ceil(x)
                                               : std::trunc(x));
}

/// log of any integer: big ones have no float.
double logarithm(Interp& in, const Val& v) {
    if (v.is(Kind::Integer) && compareIntegers(v, Val::integer(0)) > 0) {
        const int64_t shift = std::max<int64_t>(bitLength(v) - 1000, 0);
        const Val head = integers(in, BinaryOp::RightShift, v, Val::integer(shift));
        return std::log(integerFloat(in, head)) + static_cast<double>(shift) * M_LN2;
    }
    const double x = wantFloat(in, v, "the argument");
    if (x <= 0)
        in.raisePython(Error::Value, "math domain error",
                       fmt::format("math.log({}) is not a real number", in.repr(v)));
    return std::log(x);
}

Val wantInteger(Interp& in, const Val& given) {
    const Val v = in.plain(given);
    if (isInteger(v)) return v;
    if (Val* index = in.special(v, "__index__"))
        return in.call(in.bindMethod(*index, v, in.typeOf(v)), {});
    in.raise(Error::Type,
             fmt::format("'{}' object cannot be interpreted as an integer", in.typeName(v)));
}

Val mathInteger(Interp& in, Self self, Args args) {
    std::vector<Val> v;
    for (const Val& given : args.positional)
        v.push_back(wantInteger(in, given));
    const std::string& name = self.text;
    auto mul = [&](const Val& a, const Val& b) { return integers(in, BinaryOp::Mul, a, b); };
    if (name == "gcd" || name == "lcm") {
        Val total = Val::integer(name == "gcd" ? 0 : 1);
        for (const Val& x : v) {
            const Val common = integerGcd(in, total, x);
            if (name == "gcd")
                total = common;
            else if (integerIsZero(common))
                total = Val::integer(0);
            else
                total = integerGcd(in, Val::integer(0),
                                   mul(integers(in, BinaryOp::FloorDiv, total, common), x));
        }
        return total;
    }
    if (v.empty() || v.size() > 2)
        in.raise(Error::Type, fmt::format("{}() takes one or two integers", name));
    for (const Val& x : v)
        if (compareIntegers(x, Val::integer(0)) < 0)
            in.raise(Error::Value, name == "factorial"
                                       ? "factorial() not defined for negative values"
                                   : name == "isqrt" ? "isqrt() argument must be nonnegative"
                                                     : "n must be a non-negative integer");
    if (name == "isqrt") return integerRoot(in, v[0]);
    const int64_t n = wantInt(in, v[0], "n"), k = v.size() > 1 ? wantInt(in, v[1], "k") : n;
    if (k > n) return Val::integer(0);
    Val result = Val::integer(1);
    if (name == "comb") {
        for (int64_t i = 1; i <= std::min(k, n - k); ++i, in.tick())
            result = integers(in, BinaryOp::FloorDiv, mul(result, Val::integer(n - i + 1)),
                              Val::integer(i));
        return result;
    }
    for (int64_t i = n - k + 1; i <= n; ++i, in.tick()) // factorial, perm
        result = mul(result, Val::integer(i));
    return result;
}

std::vector<double> floatsOf(Interp& in, const Val& iterable) {
    std::vector<double> values;
    for (const Val& v : in.items(iterable))
        values.push_back(wantFloat(in, v, "an item"));
    return values;
}

Val mathMany(Interp& in, Self self, Args args) {
    const std::string& name = self.text;
    if (name == "hypot") {
        double total = 0;
        for (const Val& v : args.positional)
            total = std::hypot(total, wantFloat(in, v, "a coordinate"));
        return Val::real(total);
    }
    if (name == "dist") {
        auto v = parseArguments(in, name, args, {"p", "q"});
        const auto p = floatsOf(in, v[0]), q = floatsOf(in, v[1]);
        if (p.size() != q.size())
            in.raise(Error::Value, "both points must have the same number of dimensions");
        double total = 0;
        for (size_t i = 0; i < p.size(); ++i)
            total = std::hypot(total, p[i] - q[i]);
        return Val::real(total);
    }
    if (name == "fsum") { // Shewchuk's: partial sums that do not overlap
        std::vector<double> partials;
        for (double x : floatsOf(in, args.positional.empty() ? Val() : args.positional[0])) {
            std::vector<double> next;
            for (double y : partials) {
                if (std::fabs(x) < std::fabs(y)) std::swap(x, y);
                const double high = x + y, low = y - (high - x);
                if (low != 0) next.push_back(low);
                x = high;
            }
            next.push_back(x);
            partials = std::move(next);
        }
        double total = 0;
        for (size_t i = 0; i < partials.size(); ++i)
            total += partials[i];
        return Val::real(total);
    }
    const double x = wantFloat(in, parseArguments(in, name, args, {"x"})[0], "the argument");
    if (name == "modf") {
        double whole = 0;
        const double rest = std::modf(x, &whole);
        return in.tuple({Val::real(rest), Val::real(whole)});
    }
    int exponent = 0;
    const double fraction = std::frexp(x, &exponent);
    return in.tuple({Val::real(fraction), Val::integer(exponent)});
}

Val mathClose(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "isclose", args, {"a", "b", "*", "rel_tol=", "abs_tol="});
    const double a = wantFloat(in, v[0], "a"), b = wantFloat(in, v[1], "b"),
                 relative = v[2].bound() ? wantFloat(in, v[2], "rel_tol") : 1e-9,
                 absolute = v[3].bound() ? wantFloat(in, v[3], "abs_tol") : 0;
    if (a == b) return Val::boolean(true);
    if (std::isinf(a) || std::isinf(b)) return Val::boolean(false);
    return Val::boolean(std::fabs(a - b) <=
                        std::max(relative * std::max(std::fabs(a), std::fabs(b)), absolute));
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
        const double x = logarithm(in, v[0]);
        return Val::real(v[1].bound() ? x / logarithm(in, v[1]) : x);
    }
    if (self.text == "isnan" || self.text == "isinf" || self.text == "isfinite") {
        double x = wantFloat(in, parseArguments(in, self.name, args, {"x"})[0], "the argument");
        return Val::boolean(self.text == "isnan"   ? std::isnan(x)
                            : self.text == "isinf" ? std::isinf(x)
                                                   : std::isfinite(x));
    }
    auto v = parseArguments(in, self.name, args, {"a", "b"});
    double a = wantFloat(in, v[0], "the argument"), b = wantFloat(in, v[1], "the argument");
    const double result = self.text == "pow"         ? std::pow(a, b)
                          : self.text == "atan2"     ? std::atan2(a, b)
                          : self.text == "fmod"      ? std::fmod(a, b)
                          : self.text == "copysign"  ? std::copysign(a, b)
                          : self.text == "remainder" ? std::remainder(a, b)
                          : self.text == "ldexp"     ? std::ldexp(a, static_cast<int>(b))
                                                     : std::nextafter(a, b);
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
    if (self.text.ends_with("_ns"))
        return Val::integer(duration_cast<nanoseconds>(self.text == "time_ns"
                                                           ? system_clock::now().time_since_epoch()
                                                           : steady_clock::now().time_since_epoch())
                                .count());
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
        return v;
    };
    for (const MathFunction& f : kMath)
        add(math, f.name, mathFunction).as<BuiltinObj>()->takesSymbols = f.ofSize || f.operation;
    for (const char* name : {"floor", "ceil", "trunc"})
        add(math, name, mathRound);
    for (const char* name : {"log", "prod", "isnan", "isinf", "isfinite", "pow", "atan2", "fmod",
                             "copysign", "remainder", "ldexp", "nextafter"})
        add(math, name, mathOther);
    for (const char* name : {"gcd", "lcm", "factorial", "comb", "perm", "isqrt"})
        add(math, name, mathInteger);
    for (const char* name : {"hypot", "dist", "fsum", "modf", "frexp"})
        add(math, name, mathMany);
    add(math, "isclose", mathClose);
    for (auto [name, value] : {std::pair{"pi", M_PI},
                               {"e", M_E},
                               {"tau", 2 * M_PI},
                               {"inf", INFINITY},
                               {"nan", static_cast<double>(NAN)}})
        math->attributes->set(intern(name), Val::real(value));
    ModuleObj* time = module("time");
    for (const char* name : {"time", "perf_counter", "monotonic", "process_time", "perf_counter_ns",
                             "time_ns", "monotonic_ns", "sleep"})
        add(time, name, clock, "reads the clock");
    for (const char* name :
         {"annotations", "print_function", "division", "absolute_import", "unicode_literals",
          "with_statement", "generators", "nested_scopes", "generator_stop"})
        module("__future__")->attributes->set(intern(name), Val::none());
}

Val Interp::libraryImport(const std::string& name) {
    const resources::ScriptModule* library = libraryModule(name);
    if (!library) return {};
    if (std::find(loading_.begin(), loading_.end(), name) != loading_.end())
        return Val(module(name));
    loading_.push_back(name); // stays: a module is loaded once
    ModuleObj* m = module(name);
    m->attributes->set(intern("__name__"), str(name));
    // torch's own code knows another _C: the evaluator's functions.
    if (size_t dot = name.rfind('.');
        dot != std::string::npos && !libraryNames_->find(intern(name.substr(dot + 1))))
        module(name.substr(0, dot))->attributes->set(intern(name.substr(dot + 1)), Val(m));
    auto source = std::make_shared<SourceText>();
    source->file = fmt::format("<{}>", library->file);
    source->library = true;
    // What the module does when it is loaded is none of the capture's business.
    const OutsideCapture outside(*this);
    struct Loading {
        Interp& in;
        bool gradMode, library, refused;
        ~Loading() {
            in.heap_->countAsLibrary(library);
            in.gradMode_ = gradMode;
            in.drawsRefused = refused;
        }
    } loading{*this, std::exchange(gradMode_, true), heap_->countAsLibrary(true),
              std::exchange(drawsRefused, false)};
    runScript(parsedModule(*library), library->text, source, m->attributes);
    if (name == "torch.nn") {
        moduleClass_ = Ref<ClassObj>(m->attributes->find(intern("Module"))->as<ClassObj>());
        // What super().__getattr__(name) calls; no hook of those who look for attributes.
        moduleClass_->attributes->set(intern("__getattr__"), builtin("__getattr__", moduleGetAttr));
        optimizedClass_ = Ref<ClassObj>(m->attributes->find(intern("_Optimized"))->as<ClassObj>());
        optimizedClass_->recognises = [](const Val& v) {
            auto* compiled = v.to<CompiledObj>();
            return compiled && isModule(compiled->original);
        };
        for (const char* where : {"torch._dynamo", "torch._dynamo.eval_frame"})
            module(where)->attributes->set(intern("OptimizedModule"), optimizedClass_.val());
        for (const auto& e : m->attributes->entries())
            if (auto* c = e.value.to<ClassObj>()) c->module = c->isSubclassOf(moduleClass_.get());
    }
    return Val(m);
}

Val Interp::moduleGetAttr(Interp& in, const BuiltinObj&, const Arguments& a) {
    if (a.positional.size() != 2 || !isModule(a.positional[0]))
        in.raise(Error::Type, "Module.__getattr__() takes a module and a name");
    auto& module = *a.positional[0].as<InstanceObj>();
    StrObj* name = in.intern(wantStr(in, a.positional[1], "an attribute's name"));
    if (Val found = in.moduleAttr(module, name); found.bound()) return found;
    in.raise(Error::Attribute,
             fmt::format("'{}' object has no attribute '{}'", module.type->name, name->text));
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
    // Python tells of the first part that is not there.
    std::string absent = name;
    for (size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1))
        if (!modules_.contains(name.substr(0, dot))) {
            absent = name.substr(0, dot);
            break;
        }
    Val missing =
        newException(Error::ModuleNotFound, {str(fmt::format("No module named '{}'", absent))});
    missing.as<InstanceObj>()->attributes->set(intern("name"), str(absent));
    const std::string hint =
        near.empty()
            ? "scripts can use torch, einops and those of Python's modules that touch no files"
            : fmt::format("did you mean '{}'?", near);
    throw ScriptError{missing,
                      base::userError({}, fmt::format("module '{}' is not available", name), hint),
                      {},
                      false};
}

void Interp::importStar(const Val& from, const Frame& frame) {
    auto* m = from.as<ModuleObj>();
    auto put = [&](const Val& name) {
        frame.names->set(intern(name.as<StrObj>()->text), getAttr(from, name.as<StrObj>()));
    };
    if (Val* all = m->attributes->find(intern("__all__"))) {
        for (const Val& name : items(*all))
            put(name);
        return;
    }
    std::vector<DictObj::Entry> entries = m->attributes->entries();
    for (const auto& e : entries)
        if (e.live() && e.key.is(Kind::Str) && !e.key.as<StrObj>()->text.starts_with('_'))
            put(e.key);
}

Val Interp::importFrom(const Val& from, StrObj* name) {
    auto* m = from.as<ModuleObj>();
    // A package's own name comes before a module of it that is called the same.
    Val v = tryAttr(from, name);
    if (v.bound() && !v.is(Kind::Module)) return v;
    if (Val library = libraryImport(m->name + "." + name->text); library.bound()) return library;
    if (v.bound()) return v;
    std::vector<std::string> names = attributeNames(from);
    for (const std::string& n : ops::catalogue().nearest(name->text))
        names.push_back(n);
    std::string near = nearest(name->text, names);
    if (pytorchHas(m->name, name->text))
        raise(Error::Import,
              fmt::format("{}.{} of PyTorch is not part of Cutaway", m->name, name->text), {});
    raise(Error::Import, fmt::format("module '{}' has no '{}'", m->name, name->text),
          near.empty() ? "" : fmt::format("did you mean '{}'?", near));
}

Interp::Interp(const ProgramOptions& options, EagerOps& eager, GraphCompiler& compiler)
    : options_(options), eager_(eager), compiler_(compiler),
      eagerWorld_(std::make_unique<EagerWorld>(*this)), nobody_(std::make_unique<ScriptObserver>()),
      defaultDevice_(options.defaultDevice),
      currentGpu_(options.defaultDevice.isCuda() ? options.defaultDevice.index : 0) {
    setCapture(nullptr);
    setUpLimits();
    builtins_ = Ref<DictObj>(make<DictObj>());
    setUpErrors();
    setUpBuiltins();
    setUpMethods();
    setUpMath();
    setUpTorch();
    const std::pair<ClassObj*, const char*> homes[] = {
        {tensorClass_.get(), "torch"}, {parameterClass_.get(), "torch.nn.parameter"},
        {type("dtype"), "torch"},      {type("device"), "torch"},
        {type("Size"), "torch"},
    };
    for (const auto& [c, home] : homes)
        c->attributes->set(intern("__module__"), str(home));
    setUpPython();
}

Interp::~Interp() {
    units_.clear();
    tensorMethods_.clear();
    modules_.clear();
    types_.clear();
    errors_ = {};
    builtins_ = libraryNames_ = {};
    objectClass_ = tensorClass_ = parameterClass_ = moduleClass_ = optimizedClass_ =
        typeClass_ = {};
    interned_.clear();
    heap_->onCancel = heap_->onLimit = [] {}; // values that a caller keeps live on
    heap_->clearAll();
}

void Interp::setCapture(Capture* capture) {
    capture_ = capture;
    world_ = capture ? &capture->world() : static_cast<TensorWorld*>(eagerWorld_.get());
    observer_ = capture ? static_cast<ScriptObserver*>(capture) : nobody_.get();
    torchOverrides.calls =
        capture && capture->calls && !capture->calls->busy() ? capture->calls.get() : nullptr;
}

void Interp::addUnit(std::shared_ptr<CompiledUnit> unit) {
    units_.push_back(std::move(unit));
    if (units_.size() < unitsToPrune_) return;
    std::vector<std::shared_ptr<CompiledUnit>> kept;
    for (auto& each : units_)
        if (each.use_count() > 1 || each->running()) kept.push_back(each);
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
