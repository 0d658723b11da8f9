// SPDX-License-Identifier: Apache-2.0
// Operations on tensors: from a script's values to a call of the world that is in force, and back.
#include "core/capture/call_observer.h"
#include "core/capture/complex_tensors.h"
#include "core/capture/graph_numbers.h"
#include "core/capture/integers.h"
#include "core/capture/interp.h"
#include "core/capture/named_results.h"
#include "core/capture/nan_identity.h"
#include "core/capture/tensor_world.h"
#include "core/capture/torch_support.h"
#include "core/ir/dtype_words.h"
#include "core/ir/meta_device.h"
#include "core/ops/held_numbers.h"
#include "core/ops/refused_dtypes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace cutaway::capture {

namespace {

/// Arguments for ops::bind: tensors become NodeId(k), the k-th of `tensors`.
struct Operands {
    std::vector<TensorObj*> tensors;
    ir::ArgList positional;
    std::vector<std::pair<std::string, ir::Arg>> keywords;
    size_t elements = 0;   ///< of lists
    std::vector<Val> made; ///< of numbers that no argument holds
};

/// Refuses an int that 64 bits do not hold.
[[noreturn]] void raiseBeyond(Interp& in, const Val& v, ir::DType wanted, std::string hint = {}) {
    if (compareInteger(v, 0) < 0)
        in.raise(Error::Overflow, "can't convert negative int to unsigned", std::move(hint));
    if (compareInteger(v, 0x1p64) >= 0)
        in.raise(Error::Overflow, "int too big to convert", std::move(hint));
    in.raise(Error::Runtime, ir::notHeld(wanted), std::move(hint));
}

/// Operations whose number becomes a tensor of one element, converted as tensors are.
constexpr std::string_view kOfNumbers =
    " add sub subtract rsub mul multiply floor_divide remainder fmod bitwise_and bitwise_or "
    "bitwise_xor bitwise_left_shift bitwise_right_shift eq ne lt le gt ge not_equal less "
    "less_equal "
    "greater greater_equal ";
/// The same, whose results are floats.
constexpr std::string_view kQuotients = " div divide true_divide xlogy ";

/// A number from 2^63 up to 2^64, beside the tensors so far: a float beside floats, a tensor of one
/// uint64 beside those, and the int64 of the same bits in arithmetic. Others do not go into 64 bits.
Val unsignedNumber(Interp& in, const Val& v, const Operands& operands,
                   const std::string& function) {
    const auto has = [&](auto property) {
        return std::ranges::any_of(operands.tensors, [&](const TensorObj* tensor) {
            return property(tensor->type().dtype);
        });
    };
    const bool fits = !(compareInteger(v, 0x1p64) >= 0 || compareInteger(v, 0) < 0);
    if (fits && has(ir::isFloating)) return newFloat(integerFloat(in, v));
    if (fits && has([](ir::DType dtype) { return dtype == ir::DType::UInt64; }))
        return tensorOfData(in, v, ir::DType::UInt64, operands.tensors.front()->type().device);
    const std::string word = " " + function + " ";
    const bool quotient = kQuotients.find(word) != kQuotients.npos;
    const auto promotes = [](ir::DType dtype) { return dtype != ir::DType::Bool; };
    const bool isOperand = operands.tensors.size() < 2; // behind two of them stands alpha
    if (fits && isOperand && (quotient || kOfNumbers.find(word) != kOfNumbers.npos)) {
        const bool refuses = word.find("sub") != word.npos; // bools, in words of its own
        if (!operands.tensors.empty() && !has(promotes) && !refuses)
            in.raise(Error::Runtime, "Promotion for uint16, uint32, uint64 types is not supported, "
                                     "attempted to promote Bool and UInt64");
        return quotient ? newFloat(integerFloat(in, v))
                        : integerFromBytes(in, integerBytes(in, v, 8, false), true);
    }
    raiseBeyond(in, v, ir::DType::Int64, fmt::format("{}() takes integers of 64 bits", function));
}

bool isSize(const std::string& type) {
    return type == "SymInt" || type == "int";
}
bool isSizes(const std::string& type) {
    return type.starts_with("SymInt[") || type.starts_with("int[");
}
/// Whether \p v is an int beyond 64 bits.
bool isBeyond(const Val& v) {
    return v.is(Kind::Integer) && !plainInteger(v).isInt();
}

/// Raises where the argument behind \p operands is one of \p values, sizes, that 64 bits do not hold;
/// \p inList: the argument is a list of them.
void wantSizes(Interp& in, std::span<const Val> values, bool inList, const Operands& operands,
               const std::string& function) {
    const auto beyond = std::ranges::find_if(values, isBeyond);
    if (beyond == values.end()) return;
    const size_t at = operands.positional.size();
    for (const ops::OpDef* def : ops::overloadsOf(function)) {
        const auto& named = def->parsed.args;
        const bool isNumber =
            at < named.size() && !inList &&
            (isSize(named[at].type) || named[at].type.find("[1]") != std::string::npos);
        if (isNumber) in.raise(Error::Value, "Overflow when unpacking long long");
        const auto sizes = std::ranges::find_if(named, isSizes, &ops::SchemaArg::type);
        const auto first = static_cast<size_t>(sizes - named.begin());
        const bool last =
            sizes != named.end() && (sizes + 1 == named.end() || sizes[1].keywordOnly);
        if (sizes == named.end() || at < first || (at > first && !last)) continue;
        in.raise(Error::Type,
                 fmt::format("{}(): argument '{}' failed to unpack the object at pos {} with error "
                             "\"Overflow when unpacking long long\"",
                             function, sizes->name,
                             at - first + static_cast<size_t>(beyond - values.begin()) + 1));
    }
}

ir::Arg toArg(Interp& in, const Val& v, Operands& operands, const std::string& function) {
    switch (v.tag()) {
    case Tag::None:
        return {};
    case Tag::Bool:
        return v.asBool();
    case Tag::Int:
        return ir::Sym(v.asInt());
    case Tag::Float:
        return plainNumber(v.asFloat());
    case Tag::DType:
        return v.asDType();
    case Tag::Device:
        return v.asDevice();
    case Tag::Object:
        break;
    default:
        in.raise(Error::Type, fmt::format("{}() cannot take a {}", function, in.typeName(v)));
    }
    switch (v.object()->kind) {
    case Kind::Tensor:
        operands.tensors.push_back(v.as<TensorObj>());
        return ir::NodeId(static_cast<uint32_t>(operands.tensors.size() - 1));
    case Kind::Str:
        return v.as<StrObj>()->text;
    case Kind::Symbol:
        return v.as<SymbolObj>()->size;
    case Kind::Truth:
    case Kind::Number:
    case Kind::Real:
        return toArg(in, in.plain(v), operands, function);
    case Kind::Integer:
        wantSizes(in, {&v, 1}, false, operands, function);
        if (const Val small = plainInteger(v); small.isInt()) return ir::Sym(small.asInt());
        operands.made.push_back(unsignedNumber(in, v, operands, function));
        return toArg(in, operands.made.back(), operands, function);
    case Kind::List:
    case Kind::Tuple: {
        in.checkStack();
        ir::ArgList list;
        std::vector<Val> values = in.items(v);
        operands.elements += values.size() + 1; // a shared nest has more of them than objects
        in.room(operands.elements * sizeof(ir::Arg));
        wantSizes(in, values, true, operands, function);
        for (const Val& item : values)
            list.push_back(toArg(in, item, operands, function));
        return list;
    }
    case Kind::Class:
        if (const std::optional<ir::DType> dtype = dtypeOfClass(v)) return *dtype;
        [[fallthrough]];
    default:
        if (Val* index = in.special(v, "__index__"))
            return toArg(in, in.call(in.bindMethod(*index, v, in.typeOf(v)), {}), operands,
                         function);
        if (in.repr(v) == "torch.strided") return {}; // the only layout that there is
        in.raise(Error::Type, fmt::format("{}() cannot take a {}", function, in.typeName(v)));
    }
}

bool isNumber(const std::string& type) {
    return type == "Scalar" || type == "Scalar?" || type == "float" || type == "float?";
}

/// A tensor of one whole number, which PyTorch takes for an int.
bool isWholeNumber(const Val& v) {
    auto* t = v.to<TensorObj>();
    return t && t->type().rank() == 0 && !ir::isFloating(t->type().dtype) &&
           !ir::isComplex(t->type().dtype);
}

/// Arguments made to fit a schema.
struct Adapted {
    std::vector<Val> positional;
    std::vector<std::pair<StrObj*, Val>> keywords;
};

/// The arguments of a call that no schema of \p base takes, as PyTorch's argument parser makes
/// them fit: tensors of one number as numbers, and for arithmetic numbers as tensors.
std::optional<Adapted> adapted(Interp& in, const std::string& base, const Arguments& arguments) {
    const auto overloads = ops::overloadsOf(base);
    const bool takesNumbers = std::ranges::any_of(
        overloads, [](const ops::OpDef* def) { return def->traits.numbersAsTensors; });
    for (const ops::OpDef* def : overloads) {
        Adapted made{{arguments.positional.begin(), arguments.positional.end()},
                     {arguments.keywords.begin(), arguments.keywords.end()}};
        const auto places =
            std::ranges::count(def->parsed.args, false, &ops::SchemaArg::keywordOnly);
        const bool spread = std::ranges::any_of(def->parsed.args, isSizes, &ops::SchemaArg::type);
        if (!spread && std::ssize(made.positional) > places) continue;
        bool changed = false;
        auto adapt = [&](Val& v, const std::string& type) {
            if (type == "Tensor" && v.isNumber() && takesNumbers) {
                const ir::DType dtype = v.isBool()    ? ir::DType::Bool
                                        : v.isFloat() ? in.defaultDType()
                                                      : ir::DType::Int64;
                v = in.world().number(v, dtype, ir::Device());
            } else if (isSize(type) && isWholeNumber(v)) {
                v = in.scalarOf(*v.as<TensorObj>(), "an argument that is an int");
                if (v.isBool()) v = Val::integer(v.asBool());
            } else if (isNumber(type) && v.is(Kind::Tensor) &&
                       v.as<TensorObj>()->type().rank() == 0) {
                if (v.as<TensorObj>()->type().requiresGrad) return; // none would come back to it
                v = in.scalarOf(*v.as<TensorObj>(), "an argument that is a number");
            } else {
                return;
            }
            changed = true;
        };
        const auto& parameters = def->parsed.args;
        const auto adaptTo = [&](Val& v, const ops::SchemaArg& parameter) {
            const ir::ArgList* otherwise =
                parameter.defaultValue ? parameter.defaultValue->list() : nullptr;
            if (!v.isNone() || !isSizes(parameter.type) || !otherwise || !otherwise->empty())
                return adapt(v, parameter.type);
            v = in.list({}); // dim=None: all
            changed = true;
        };
        for (size_t i = 0; i < std::min(made.positional.size(), parameters.size()); ++i) {
            const bool separate = isSizes(parameters[i].type) && isWholeNumber(made.positional[i]);
            if (!separate && isSizes(parameters[i].type) &&
                (made.positional[i].is(Kind::List) || made.positional[i].is(Kind::Tuple))) {
                std::vector<Val> items = in.items(made.positional[i]);
                for (Val& item : items)
                    adapt(item, "int");
                made.positional[i] = in.list(std::move(items));
            }
            for (size_t k = i; separate && k < made.positional.size(); ++k)
                adapt(made.positional[k], "int"); // permute(a, b)
            if (separate) break;
            adaptTo(made.positional[i], parameters[i]);
        }
        for (auto& [name, v] : made.keywords)
            if (const int at = def->parsed.find(name->text); at >= 0)
                adaptTo(v, parameters[static_cast<size_t>(at)]);
        if (changed) return made;
    }
    return std::nullopt;
}

/// upsample_...(input, None, scale_factors) and (input, None, align_corners, scale_factors), the
/// overloads named vec, as those that take the sizes; unbound: it is none of them.
std::optional<Adapted> ofScales(Interp& in, const std::string& base, const Arguments& arguments) {
    const auto& given = arguments.positional;
    if (!base.starts_with("upsample_") || given.size() < 3 || !given[0].is(Kind::Tensor) ||
        !given[1].isNone() || !given.back().is(Kind::List) || !arguments.keywords.empty())
        return std::nullopt;
    const ir::Shape sizes = in.world().type(*given[0].as<TensorObj>()).sizes;
    const std::vector<Val> scales = in.items(given.back());
    if (sizes.size() != scales.size() + 2) return std::nullopt;
    std::vector<Val> scaled;
    for (size_t i = 0; i < scales.size(); ++i)
        scaled.push_back(Val::integer(
            static_cast<int64_t>(static_cast<double>(in.world().sizeValue(sizes[i + 2])) *
                                 wantFloat(in, scales[i], "a scale"))));
    Adapted made;
    made.positional = {given[0], in.list(std::move(scaled))};
    made.positional.insert(made.positional.end(), given.begin() + 2, given.end() - 1);
    made.positional.insert(made.positional.end(), scales.begin(), scales.end());
    return made;
}

bool binds(Interp& in, const std::string& base, const Arguments& arguments) {
    Operands operands;
    for (const Val& v : arguments.positional)
        operands.positional.push_back(toArg(in, v, operands, base));
    for (const auto& [name, v] : arguments.keywords)
        operands.keywords.emplace_back(name->text, toArg(in, v, operands, base));
    return ops::bind(base, operands.positional, operands.keywords).ok();
}

/// Whether schemas of \p base take the arguments, a complex number being a number; true of what has none.
bool bindsComplex(Interp& in, const std::string& base, const Arguments& arguments) {
    if (ops::overloadsOf(base).empty()) return true;
    const auto real = [&](const Val& v) {
        if (v.is(Kind::Complex)) return newFloat(0.5);
        if (!v.is(Kind::List) && !v.is(Kind::Tuple)) return v;
        std::vector<Val> items = in.items(v);
        for (Val& item : items)
            if (item.is(Kind::Complex)) item = newFloat(0.5);
        return in.list(std::move(items));
    };
    Adapted as;
    for (const Val& v : arguments.positional)
        in.add(as.positional, real(v));
    for (const auto& [name, v] : arguments.keywords)
        if (name->text != "out") as.keywords.emplace_back(name, real(v));
    const Arguments given{as.positional, as.keywords};
    if (binds(in, base, given)) return true;
    const auto fitting = adapted(in, base, given);
    return fitting && binds(in, base, Arguments{fitting->positional, fitting->keywords});
}

/// Adds where the operands were made, with their types: both lines of a shape mismatch.
void explainOperands(base::Diagnostic& d, const Operands& operands) {
    std::vector<const TensorObj*> seen;
    for (const TensorObj* t : operands.tensors) {
        if (!t->madeAt.source || std::find(seen.begin(), seen.end(), t) != seen.end()) continue;
        seen.push_back(t);
        d.notes.push_back({frontend::locate(t->madeAt.source->file, t->madeAt.span),
                           fmt::format("{} was made here", t->type().str())});
    }
}

} // namespace

std::optional<ir::DType> dtypeOfClass(const Val& v) {
    auto* type = v.to<ClassObj>();
    if (!type || !type->native) return std::nullopt;
    if (type->name == "int") return ir::DType::Int64;
    if (type->name == "float") return ir::DType::Float64;
    if (type->name == "bool") return ir::DType::Bool;
    if (type->name == "complex") return ir::DType::Complex128;
    return std::nullopt;
}

void MemoryViews::add(const runtime::TensorPtr& window, ViewOrigin origin) {
    if (windows.size() >= prune) {
        std::erase_if(windows, [](const Window& each) { return each.tensor.expired(); });
        prune = std::max<size_t>(16, 2 * windows.size());
    }
    windows.push_back({window, origin});
}

void MemoryViews::follow(bool requiresGrad) {
    for (const Window& each : windows) {
        const runtime::TensorPtr seen = each.tensor.lock();
        if (!seen || seen == base || seen->gradFunction) continue;
        if (seen->type.requiresGrad && !seen->asBase) continue; // a leaf of its own
        seen->type.requiresGrad = seen->asBase = requiresGrad;
    }
}

[[gnu::hot]] Val Interp::tensor(runtime::TensorPtr real) {
    auto* t = make<TensorObj>();
    t->real = std::move(real);
    t->weigh(static_cast<size_t>(t->real->type.numel().constant()) *
             ir::sizeBytes(t->real->type.dtype));
    t->madeAt = userSite();
    t->inference = tensorModes_.inference;
    return Val(t);
}

/// Whether a result is float32 though no operand is a floating one and no argument wants it.
static bool tookUsualDefault(TensorWorld& world, const ir::ArgList& args, const Operands& operands,
                             const std::vector<Val>& results) {
    const auto wants = [](const ir::Arg& arg) { return std::holds_alternative<ir::DType>(arg); };
    const auto floats = [&](TensorObj* t) {
        const ir::DType dtype = world.type(*t).dtype;
        return ir::isFloating(dtype) || ir::isComplex(dtype);
    };
    return std::ranges::none_of(args, wants) && std::ranges::none_of(operands.tensors, floats) &&
           std::ranges::any_of(results, [&](const Val& v) {
               auto* t = v.to<TensorObj>();
               return t && world.type(*t).dtype == ir::DType::Float32;
           });
}

static base::Result<std::vector<Val>> callWithDefault(Interp& in, const ops::OpDef& def,
                                                      ir::ArgList args, const Operands& operands) {
    if (const int at = def.parsed.find("dtype"); at >= 0) {
        args[static_cast<size_t>(at)] = ir::Arg(in.defaultDType());
        return in.world().call(def, std::move(args), operands.tensors);
    }
    std::vector<Val> converted;
    std::vector<TensorObj*> tensors;
    for (TensorObj* t : operands.tensors) {
        in.add(converted, convertTo(in, Val(t), in.defaultDType()));
        tensors.push_back(converted.back().as<TensorObj>());
    }
    return in.world().call(def, std::move(args), tensors);
}

Val Interp::plainOperation(const std::string& base, const Arguments& arguments) {
    if (isComplexOperation(base, arguments) && bindsComplex(*this, base, arguments))
        return complexOperation(*this, base, arguments);
    if (capture_) {
        std::vector<Val> positional(arguments.positional.begin(), arguments.positional.end());
        std::vector<std::pair<StrObj*, Val>> keywords(arguments.keywords.begin(),
                                                      arguments.keywords.end());
        if (Val r = graphOperation(*this, base, positional, keywords); r.bound()) return r;
        if (graphArguments(*this, base, positional, keywords))
            return plainOperation(base, Arguments{positional, keywords});
    }
    Operands operands;
    const bool otherDefault = defaultDType() != ir::DType::Float32;
    std::vector<Val> numbers; // kept: the choices of where() take the default dtype as tensors
    for (const Val& v : arguments.positional) {
        const bool choice = otherDefault && base == "where" && v.isFloat();
        if (choice) add(numbers, world_->number(v, defaultDType(), {}));
        operands.positional.push_back(toArg(*this, choice ? numbers.back() : v, operands, base));
    }
    for (const auto& [name, v] : arguments.keywords)
        operands.keywords.emplace_back(name->text, toArg(*this, v, operands, base));
    auto bound = ops::bind(base, operands.positional, operands.keywords);
    if (!bound.ok())
        if (auto scaled = ofScales(*this, base, arguments))
            return plainOperation(base, Arguments{scaled->positional, {}});
    if (!bound.ok())
        if (auto fitting = adapted(*this, base, arguments))
            if (const Arguments others{fitting->positional, fitting->keywords};
                binds(*this, base, others))
                return plainOperation(base, others);
    if (!bound.ok()) {
        explainOperands(bound.error(), operands);
        auto error = std::move(bound.error());
        fail(std::move(error));
    }
    const ops::OpDef& def = *bound->def;
    std::vector<ir::DType> dtypes;
    for (const TensorObj* tensor : operands.tensors)
        dtypes.push_back(tensor->type().dtype);
    if (auto refused = ops::refusedDType(def, base, bound->args, dtypes)) fail(std::move(*refused));
    if (def.isRandom())
        world_->wantReal(fmt::format("{} draws random numbers", base),
                         "draw them outside the compiled function and pass them in");
    // Shape rules know one default dtype, float32: what it gave of integers is computed again of
    // operands in the script's, or into it.
    const ir::ArgList given = otherDefault ? bound->args : ir::ArgList();
    auto results = world_->call(def, std::move(bound->args), operands.tensors);
    if (otherDefault && results.ok() && tookUsualDefault(*world_, given, operands, *results))
        results = callWithDefault(*this, def, given, operands);
    if (!results.ok()) {
        explainOperands(results.error(), operands);
        fail(std::move(results.error()));
    }
    return resultsOf(*this, def, std::move(*results));
}

std::string whyNotFollowed(ViewOrigin origin, const std::string& result, bool indirectly) {
    const std::string_view how =
        indirectly ? "its base or another view of its base has been" : "is being";
    const bool several = origin == ViewOrigin::OneOfSeveral;
    const std::string what =
        several && !result.empty()
            ? fmt::format("{} is a view and {} modified inplace.", result, how)
            : fmt::format("{} created in no_grad mode and {} modified inplace with grad mode "
                          "enabled.",
                          result.empty() ? "A view was" : result + " is a view of a view which was",
                          how);
    if (several)
        return what + " This view is the output of a function that returns multiple views. Such "
                      "functions do not allow the output views to be modified inplace. You should "
                      "replace the inplace operation by an out-of-place one.";
    return what + " Given that this use case is ambiguous and error-prone, it is forbidden. You "
                  "can clarify your code by moving both the view and the inplace either both "
                  "inside the no_grad block (if you don't want the inplace to be tracked) or both "
                  "outside (if you want the inplace to be tracked).";
}

void wantSeparateElements(Interp& in, const ir::TensorType& type) {
    bool shared = false;
    for (size_t i = 0; i < type.rank(); ++i) {
        if (type.sizes[i].is(0)) return;
        shared |= type.strides[i].is(0) && !type.sizes[i].is(1);
    }
    if (shared)
        in.raise(
            Error::Runtime,
            "unsupported operation: more than one element of the written-to tensor refers to a "
            "single memory location. Please clone() the tensor before performing the operation.");
}

void wantOtherMemory(Interp& in, const TensorObj& written, const Val& read, bool whole) {
    if (read.is(Kind::List) || read.is(Kind::Tuple))
        for (const Val& each : in.items(read))
            if (each.is(Kind::Tensor)) wantOtherMemory(in, written, each, whole);
    auto* input = read.to<TensorObj>();
    if (!input || !in.world().overlap(written, *input, whole)) return;
    in.raise(Error::Runtime,
             "unsupported operation: some elements of the input tensor and the written-to tensor "
             "refer to a single memory location. Please clone() the tensor before performing the "
             "operation.");
}

bool goesByPlaces(const std::string& base) {
    return std::ranges::any_of(ops::overloadsOf(base),
                               [](const ops::OpDef* def) { return def->traits.index.has_value(); });
}

bool TensorWorld::sharesMemory(const ops::OpDef& def) {
    return def.schema.find("-> Tensor(a") != std::string_view::npos;
}

std::string TensorWorld::outOfPlace(const std::string& base) {
    if (base == "copy") return "src.clone()";
    if (base == "zero") return "torch.zeros_like(x)";
    if (base == "fill") return "torch.full_like(x, value)";
    return fmt::format("x.{}(...)", base);
}

void TensorWorld::wantNoneSaved(const ops::OpDef& def,
                                const std::vector<TensorObj*>& tensors) const {
    if (std::ranges::none_of(tensors, &TensorObj::inference) || sharesMemory(def) ||
        def.traits.savesNothing || !in_.gradMode() || in_.tensorModes().inference)
        return;
    if (std::ranges::any_of(tensors, [](const TensorObj* t) { return t->type().requiresGrad; }))
        in_.raise(
            Error::Runtime,
            "Inference tensors cannot be saved for backward. Please do not use Tensors created "
            "in inference mode in computation tracked by autograd. To work around this, you "
            "can make a clone to get a normal tensor and use it in autograd, or use "
            "`torch.no_grad()` instead of `torch.inference_mode()`.");
}

void TensorWorld::wantNormal(const TensorObj& t) const {
    if (t.inference && !in_.tensorModes().inference)
        in_.raise(Error::Runtime,
                  "Inplace update to inference tensor outside InferenceMode is not allowed.You can "
                  "make a clone to get a normal tensor before doing inplace update.See "
                  "https://github.com/pytorch/rfcs/pull/17 for more details.");
}

Val TensorWorld::fitting(const std::string& base, TensorObj& t, const Computation& compute) {
    const ir::Shape sizes = type(t).sizes;
    Val result = compute();
    auto& r = *result.as<TensorObj>();
    bool same = r.type().sizes.size() == sizes.size();
    for (size_t d = 0; same && d < sizes.size(); ++d)
        same = r.type().sizes[d] == sizes[d] || decide(ir::equal(r.type().sizes[d], sizes[d]));
    if (!same)
        in_.raise(Error::Runtime,
                  fmt::format("output with shape {} doesn't match the broadcast shape {}",
                              ir::str(sizes), ir::str(r.type().sizes)),
                  "use x = " + outOfPlace(base));
    const ir::DType dtype = t.type().dtype;
    if (r.type().dtype == dtype) return result;
    // torch::canCast: no fraction is lost, and no number becomes a truth value.
    if ((ir::isFloating(r.type().dtype) && !ir::hasGradients(dtype)) ||
        (ir::isComplex(r.type().dtype) && !ir::isComplex(dtype)) || dtype == ir::DType::Bool)
        in_.raise(Error::Runtime,
                  fmt::format("result type {} can't be cast to the desired output type {}",
                              ir::scalarType(r.type().dtype), ir::scalarType(dtype)),
                  "use x = " + outOfPlace(base));
    return in_.operation("prims.convert_element_type", {result, Val::dtype(dtype)});
}

/// Whether an operation puts values at some places of a tensor, each place's apart from what is
/// there: it may write a tensor whose elements share memory, where the last of several stays.
static bool putsValues(const std::string& base, const Arguments& arguments) {
    if (base == "masked_fill" || base == "index_fill" || base == "tril" || base == "triu")
        return true;
    const auto& given = arguments.positional;
    return base == "index_put" && !(given.size() > 3 && given[3].isBool() && given[3].asBool());
}

/// Whether operand \p i of masked_fill and index_fill is the number, which a tensor may hold.
static bool takesNumber(const std::string& base, const std::vector<Val>& operands, size_t i) {
    return i + 1 == operands.size() &&
           ((base == "masked_fill" && i == 2) || (base == "index_fill" && i == 3));
}

Val Interp::changeInPlace(const std::string& base, const Val& self, const Computation& compute,
                          bool fills) {
    if (!fills) wantSeparateElements(*this, self.as<TensorObj>()->type());
    return world_->mutate(base, self, compute);
}

Val Interp::inPlaceOperation(const std::string& base, const Arguments& arguments) {
    std::vector<Val> operands(arguments.positional.begin(), arguments.positional.end());
    if (auto* written = arguments.positional[0].to<TensorObj>()) {
        wantOwn(*written, base);
        const bool whole = goesByPlaces(base);
        for (size_t i = 1; i < operands.size(); ++i) {
            const bool number = takesNumber(base, operands, i);
            if (!number) wantOtherMemory(*this, *written, operands[i], whole);
            operands[i] = world_->savedBefore(operands[i], *written);
        }
        for (const auto& [name, v] : arguments.keywords)
            if (name->text != "value") wantOtherMemory(*this, *written, v, whole);
        for (const auto& [name, v] : arguments.keywords)
            if (name->text == "dtype" && v.tag() == Tag::DType &&
                v.asDType() != written->type().dtype)
                raise(Error::Runtime,
                      fmt::format("Bad in-place call: input tensor dtype {} and output tensor "
                                  "dtype {} should match",
                                  ir::name(written->type().dtype), ir::name(v.asDType())));
    }
    const CallObserver* observer = capture_ ? nullptr : CallObserver::current();
    std::optional<CallObserver::Write> write;
    if (auto* into = operands[0].to<TensorObj>(); into && observer && observer->replaces())
        write.emplace(base, *into->real);
    return changeInPlace(
        base, operands[0], [&] { return operation(base, Arguments{operands, arguments.keywords}); },
        putsValues(base, arguments));
}

Val Interp::scalarOf(TensorObj& t, std::string_view why, Error several) {
    if (world_->type(t).numel().is(1))
        if (const Val number = world_->number(t); number.bound()) return plain(number);
    const runtime::TensorPtr& tensor =
        world_->value(t, why, "keep it a tensor, or do this outside the compiled function");
    if (t.type().numel().constant() != 1)
        raise(several,
              several == Error::Value
                  ? std::string("only one element tensors can be converted to Python scalars")
                  : fmt::format("a Tensor with {} elements cannot be converted to Scalar",
                                t.type().numel().constant()));
    if (ir::isMeta(tensor->type.device))
        raise(Error::Runtime, "Tensor.item() cannot be called on meta tensors");
    ir::HostTensor host = need(runtime::toHost(*tensor));
    return elementOf(*this, host, 0);
}

Val Interp::elementNumber(TensorObj& t, std::string_view why, Error several) {
    if (world_->type(t).numel().is(1))
        if (Val number = world_->number(t); number.bound()) return number;
    return scalarOf(t, why, several);
}

runtime::TensorPtr Interp::real(const Val& v, std::string_view what) {
    auto* t = v.to<TensorObj>();
    if (!t) raise(Error::Type, fmt::format("{} must be a tensor, found {}", what, typeName(v)));
    return world_->value(*t, what, "do this outside the compiled function");
}

void wantHeld(Interp& in, const Val& given, ir::DType dtype) {
    const Val number = plainNumber(given);
    if (number.is(Kind::Integer)) {
        const bool fits = dtype == ir::DType::UInt64 && compareInteger(number, 0x1p64) < 0 &&
                          compareInteger(number, 0) >= 0;
        if (fits) return;
        raiseBeyond(in, number, dtype);
    }
    if (number.to<ComplexObj>() && !ir::isComplex(dtype))
        callComplex(in, "real_number", {number, Val::dtype(dtype)}); // raises
    const bool held = number.isFloat()      ? ops::holds(dtype, number.asFloat())
                      : number.isIntegral() ? ops::holds(dtype, number.asInt())
                                            : true;
    if (!held)
        in.raise(Error::Runtime, ir::notHeld(dtype), fmt::format("it is {}", in.repr(number)));
}

} // namespace cutaway::capture
