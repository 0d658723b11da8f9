// SPDX-License-Identifier: Apache-2.0
// Choosing an overload for a Python call, as torch/csrc/utils/python_arg_parser.cpp does.
#include "core/ops/call_forms.h"
#include "core/ops/catalogue.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::ops {

namespace {

/// How PyTorch begins what it says of arguments that are not given.
constexpr std::string_view kMissing = "missing ";

using ir::Arg;
using Keywords = std::vector<std::pair<std::string, Arg>>;

/// Other names by which PyTorch's Python functions go.
constexpr std::pair<std::string_view, std::string_view> kAliases[] = {
    {"multiply", "mul"},
    {"subtract", "sub"},
    {"divide", "div"},
    {"true_divide", "div"},
    {"negative", "neg"},
    {"absolute", "abs"},
    {"clip", "clamp"},
    {"concat", "cat"},
    {"concatenate", "cat"},
    {"greater", "gt"},
    {"greater_equal", "ge"},
    {"less", "lt"},
    {"less_equal", "le"},
    {"not_equal", "ne"},
    {"swapaxes", "transpose"},
    {"cross_entropy", "cross_entropy_loss"},
    {"swapdims", "transpose"},
    {"moveaxis", "movedim"},
    {"row_stack", "vstack"},
    {"ger", "outer"},
    {"spmm", "mm"},
    {"linalg_matmul", "matmul"},
    {"arccos", "acos"},
    {"arccosh", "acosh"},
    {"arcsin", "asin"},
    {"arcsinh", "asinh"},
    {"arctan", "atan"},
    {"arctanh", "atanh"},
    {"arctan2", "atan2"},
    {"fix", "trunc"},
    {"special_expit", "sigmoid"},
    {"special_psi", "digamma"},
    {"special_gammaln", "lgamma"},
    {"special_gammainc", "igamma"},
    {"special_gammaincc", "igammac"},
    {"special_multigammaln", "mvlgamma"},
};

std::string_view kindName(const Arg& arg) {
    constexpr std::string_view names[] = {"None",  "Tensor", "bool", "int",  "float",
                                          "dtype", "device", "str",  "tuple"};
    return names[arg.index()];
}

bool isNumber(const Arg& arg) {
    return std::holds_alternative<bool>(arg) || std::holds_alternative<ir::Sym>(arg) ||
           std::holds_alternative<double>(arg);
}

bool isListOf(const Arg& arg, bool (*accepts)(const Arg&)) {
    return arg.list() && std::all_of(arg.list()->begin(), arg.list()->end(), accepts);
}

bool isInt(const Arg& arg) {
    return std::holds_alternative<ir::Sym>(arg);
}
bool isBool(const Arg& arg) {
    return std::holds_alternative<bool>(arg);
}
bool isTensor(const Arg& arg) {
    return arg.node() != nullptr;
}

/// The value as the schema's type wants it, or nothing when it does not fit.
std::optional<Arg> convert(const OpDef& def, const SchemaArg& want, size_t position,
                           const Arg& value) {
    if (value.isNone()) return want.optional ? std::optional<Arg>(value) : std::nullopt;
    std::string_view type = want.type;
    bool fits = false;
    if (type == "Tensor")
        fits = isTensor(value) || (position > 0 && isNumber(value) && def.traits.numbersAsTensors);
    else if (type == "Tensor[]")
        fits = isListOf(value, isTensor);
    else if (type == "Tensor?[]")
        fits = isListOf(value, [](const Arg& arg) { return arg.isNone() || isTensor(arg); });
    else if (type == "Scalar")
        fits = isNumber(value);
    else if (type == "int" || type == "SymInt")
        fits = isInt(value);
    else if (type == "bool")
        fits = isBool(value);
    else if (type == "ScalarType")
        fits = std::holds_alternative<ir::DType>(value);
    else if (type == "str" || type == "MemoryFormat" || type == "Layout")
        fits = std::holds_alternative<std::string>(value);
    else if (type.starts_with("bool[")) // "bool[3]": as many
        fits = isListOf(value, isBool) &&
               (type[5] == ']' || value.list()->size() == static_cast<size_t>(type[5] - '0'));
    else if (type == "float[]")
        fits = isListOf(value, isNumber);
    else if (type.starts_with("int[") || type.starts_with("SymInt[")) {
        // One number for all: only where the list's length is known, "int[2]".
        if (isInt(value) && type[type.find('[') + 1] != ']') return Arg(ir::ArgList{value});
        fits = isListOf(value, isInt);
    } else if (type == "float") {
        if (isInt(value) && std::get<ir::Sym>(value).isConst())
            return Arg(static_cast<double>(std::get<ir::Sym>(value).constant()));
        fits = std::holds_alternative<double>(value);
    } else if (type == "Device") {
        if (auto name = std::get_if<std::string>(&value))
            if (auto device = ir::deviceFromName(*name)) return Arg(*device);
        fits = std::holds_alternative<ir::Device>(value);
    }
    return fits ? std::optional<Arg>(value) : std::nullopt;
}

/// A single positional integer list may be spread: x.view(2, 3), torch.zeros(2, 3).
bool takesSpreadInts(const Schema& schema) {
    size_t count = 0;
    const SchemaArg* last = nullptr;
    for (const SchemaArg& arg : schema.args) {
        if (arg.keywordOnly) break;
        if (arg.type == "Tensor" && count == 0 && !last) continue;
        ++count;
        last = &arg;
    }
    return count == 1 && (last->type == "SymInt[]" || last->type == "int[]");
}

/// Without any, the list is empty; the operation says what it makes of that.
ir::ArgList withGatheredTensors(const Schema& schema, const ir::ArgList& positional) {
    size_t first = 0;
    while (first < schema.args.size() && schema.args[first].type != "Tensor[]")
        ++first;
    if (first >= schema.args.size() || first > positional.size()) return positional;
    const auto split = positional.begin() + static_cast<std::ptrdiff_t>(first);
    if (!std::all_of(split, positional.end(), isTensor)) return positional;
    ir::ArgList gathered(positional.begin(), split);
    gathered.push_back(Arg(ir::ArgList(split, positional.end())));
    return gathered;
}

ir::ArgList withGatheredInts(const Schema& schema, const ir::ArgList& positional) {
    size_t first = !schema.args.empty() && schema.args[0].type == "Tensor" ? 1 : 0;
    if (!takesSpreadInts(schema) || positional.size() <= first) return positional;
    if (!std::all_of(positional.begin() + static_cast<std::ptrdiff_t>(first), positional.end(),
                     isInt))
        return positional;
    auto split = positional.begin() + static_cast<std::ptrdiff_t>(first);
    ir::ArgList gathered(positional.begin(), split);
    gathered.push_back(Arg(ir::ArgList(split, positional.end())));
    return gathered;
}

/// Python spellings of schema argument names (numpy's included).
int findKeyword(const Schema& schema, std::string_view name) {
    if (int i = schema.find(name); i >= 0) return i;
    if (name == "input") return schema.find("self");
    if (name == "axis") return schema.find("dim");
    if (name == "keepdims") return schema.find("keepdim");
    return -1;
}

base::Diagnostic wrongKind(const SchemaArg& want, const Arg& value) {
    return base::userError({}, fmt::format("argument '{}' must be {}, found {}", want.name,
                                           want.type + (want.optional ? " or None" : ""),
                                           kindName(value)));
}

base::Result<ir::ArgList> tryBind(const OpDef& def, const ir::ArgList& given,
                                  const Keywords& keywords) {
    const Schema& schema = def.parsed;
    const bool spread = def.traits.spreadTensors && (!given.empty() || keywords.empty());
    ir::ArgList positional =
        spread ? withGatheredTensors(schema, given) : withGatheredInts(schema, given);
    size_t limit = 0;
    while (limit < schema.args.size() && !schema.args[limit].keywordOnly)
        ++limit;
    if (positional.size() > limit)
        return base::userError({},
                               fmt::format("expected at most {} positional argument{}, found {}",
                                           limit, limit == 1 ? "" : "s", positional.size()));
    std::vector<std::optional<Arg>> slots(schema.args.size());
    auto place = [&](size_t i, const Arg& value) -> base::Status {
        const SchemaArg& want = schema.args[i];
        if (slots[i])
            return base::userError({}, fmt::format("argument '{}' is given twice", want.name));
        slots[i] = convert(def, want, i, value);
        if (slots[i]) return {};
        return wrongKind(want, value);
    };
    for (size_t i = 0; i < positional.size(); ++i)
        CUTAWAY_CHECK(place(i, positional[i]));
    for (const auto& [name, value] : keywords) {
        int i = findKeyword(schema, name);
        if (i < 0) return base::userError({}, fmt::format("unknown argument '{}'", name));
        CUTAWAY_CHECK(place(static_cast<size_t>(i), value));
    }
    ir::ArgList args;
    std::vector<std::string> missing;
    for (size_t i = 0; i < slots.size(); ++i) {
        if (!slots[i]) slots[i] = schema.args[i].defaultValue;
        if (slots[i])
            args.push_back(std::move(*slots[i]));
        else
            missing.push_back(fmt::format("\"{}\"", schema.args[i].name));
    }
    if (missing.empty()) return args;
    return base::userError({}, fmt::format("{}{} required positional arguments: {}", kMissing,
                                           missing.size(), fmt::join(missing, ", ")));
}

std::string describeCall(const ir::ArgList& positional, const Keywords& keywords) {
    std::vector<std::string> parts;
    for (const Arg& arg : positional)
        parts.emplace_back(kindName(arg));
    for (const auto& [name, value] : keywords)
        parts.push_back(fmt::format("{}={}", name, kindName(value)));
    return fmt::format("({})", fmt::join(parts, ", "));
}

base::Diagnostic unknownOperation(std::string_view base) {
    auto names = catalogue().nearest(base);
    std::string hint = names.empty() ? "" : fmt::format("did you mean {}?", fmt::join(names, ", "));
    return base::userError({}, fmt::format("unknown operation '{}'", base), std::move(hint));
}

} // namespace

base::Status checkKinds(const OpDef& def, const ir::ArgList& args) {
    for (size_t i = 0; i < args.size(); ++i)
        if (const SchemaArg& want = def.parsed.args[i]; !convert(def, want, i, args[i]))
            return wrongKind(want, args[i]);
    return {};
}

std::span<const OpDef* const> overloadsOf(std::string_view base) {
    auto defs = catalogue().overloads(base);
    for (const auto& [alias, name] : kAliases)
        if (defs.empty() && alias == base) defs = catalogue().overloads(name);
    // torch.special has names of its own for what torch has, too.
    constexpr std::string_view kSpecial = "special_";
    if (defs.empty() && base.starts_with(kSpecial))
        defs = catalogue().overloads(base.substr(kSpecial.size()));
    return defs;
}

base::Result<BoundCall> bind(std::string_view base, const ir::ArgList& positional,
                             const Keywords& keywords) {
    const auto defs = overloadsOf(base);
    if (defs.empty()) return unknownOperation(base);
    std::vector<base::DiagnosticNote> notes;
    for (const OpDef* def : defs) {
        auto args = tryBind(*def, positional, keywords);
        if (args.ok()) return BoundCall{def, std::move(*args)};
        notes.push_back({{}, fmt::format("{}: {}", def->parsed.str(), args.error().message)});
        const std::string_view call = args.error().message.starts_with(kMissing) ? "() " : ": ";
        if (defs.size() == 1)
            return base::userError({}, fmt::format("{}{}{}", base, call, args.error().message),
                                   "the schema is " + def->parsed.str())
                .as(base::ErrorClass::Type);
    }
    auto error = base::userError({}, fmt::format("{}: no overload accepts {}", base,
                                                 describeCall(positional, keywords)))
                     .as(base::ErrorClass::Type);
    error.notes = std::move(notes);
    return error;
}

} // namespace cutaway::ops
