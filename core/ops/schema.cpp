// SPDX-License-Identifier: Apache-2.0
#include "core/ops/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace cutaway::ops {

namespace {

std::string_view trim(std::string_view text) {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

/// Parts of a comma-separated list, commas in brackets and quotes apart.
std::vector<std::string_view> splitList(std::string_view text) {
    std::vector<std::string_view> parts;
    int depth = 0;
    size_t start = 0;
    for (size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && (text[i] == '(' || text[i] == '[')) ++depth;
        if (i < text.size() && (text[i] == ')' || text[i] == ']')) --depth;
        if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
        if (auto part = trim(text.substr(start, i - start)); !part.empty()) parts.push_back(part);
        start = i + 1;
    }
    return parts;
}

/// "Tensor(a -> *)[]" -> "Tensor[]"
std::string withoutAlias(std::string_view type) {
    size_t open = type.find('(');
    if (open == std::string_view::npos) return std::string(type);
    size_t close = type.find(')', open);
    return std::string(type.substr(0, open)) + std::string(type.substr(close + 1));
}

std::optional<ir::Arg> parseDefault(std::string_view text) {
    if (text == "None") return ir::Arg{};
    if (text == "True") return ir::Arg(true);
    if (text == "False") return ir::Arg(false);
    if (text.starts_with('[') && text.ends_with(']')) { // "[0,1]"
        ir::ArgList list;
        for (text = text.substr(1, text.size() - 2); !text.empty();) {
            const size_t end = std::min(text.find(','), text.size());
            auto element = parseDefault(text.substr(0, end));
            if (!element) return std::nullopt;
            list.push_back(std::move(*element));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        return ir::Arg(std::move(list));
    }
    if (text == "Mean") return ir::Arg(ir::Sym(1)); // at::Reduction::Mean
    if (text == "long") return ir::Arg(ir::DType::Int64);
    if (text == "contiguous_format") return ir::Arg(std::string(text));
    if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'')
        return ir::Arg(std::string(text.substr(1, text.size() - 2)));
    int64_t integer = 0;
    const char* end = text.data() + text.size();
    if (auto r = std::from_chars(text.data(), end, integer); r.ec == std::errc{} && r.ptr == end)
        return ir::Arg(ir::Sym(integer));
    double real = 0;
    if (auto r = std::from_chars(text.data(), end, real); r.ec == std::errc{} && r.ptr == end)
        return ir::Arg(real);
    return std::nullopt;
}

std::string defaultText(const ir::Arg& value, const SchemaArg& arg) {
    if (value.isNone()) return "None";
    if (auto b = std::get_if<bool>(&value)) return *b ? "True" : "False";
    if (auto s = std::get_if<ir::Sym>(&value)) return arg.name == "reduction" ? "Mean" : s->str();
    if (auto d = std::get_if<double>(&value)) {
        std::string text = fmt::format("{}", *d);
        return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
    }
    if (auto d = std::get_if<ir::DType>(&value); d && *d == ir::DType::Int64) return "long";
    if (auto s = std::get_if<std::string>(&value))
        return arg.type == "MemoryFormat" ? *s : "'" + *s + "'";
    std::string list;
    if (value.list())
        for (const ir::Arg& element : *value.list())
            list += (list.empty() ? "" : ",") + defaultText(element, arg);
    return "[" + list + "]";
}

base::Result<SchemaArg> parseArg(std::string_view text) {
    size_t space = text.rfind(' ');
    if (space == std::string_view::npos) return base::bugError("an argument lacks its name");
    SchemaArg arg;
    std::string type = withoutAlias(trim(text.substr(0, space)));
    std::string_view name = text.substr(space + 1);
    if (size_t equals = name.find('='); equals != std::string_view::npos) {
        arg.defaultValue = parseDefault(name.substr(equals + 1));
        if (!arg.defaultValue)
            return base::bugError(fmt::format("unknown default '{}'", name.substr(equals + 1)));
        name = name.substr(0, equals);
    }
    if (type.ends_with('?')) {
        arg.optional = true;
        type.pop_back();
    }
    arg.name = std::string(name);
    arg.type = type;
    return arg;
}

} // namespace

base::Result<Schema> parseSchema(std::string_view text) {
    auto wrong = [&](std::string_view what) {
        return base::bugError(fmt::format("schema '{}': {}", text, what));
    };
    size_t open = text.find('(');
    size_t arrow = text.rfind(") -> ");
    if (open == std::string_view::npos || arrow == std::string_view::npos)
        return wrong("expected name(arguments) -> returns");
    Schema schema;
    schema.name = std::string(text.substr(0, open));
    size_t prefix = schema.name.starts_with("prims.") ? 6 : 0;
    schema.base = schema.name.substr(0, schema.name.find('.', prefix));
    bool keywordOnly = false;
    for (std::string_view part : splitList(text.substr(open + 1, arrow - open - 1))) {
        if (part == "*") {
            keywordOnly = true;
            continue;
        }
        auto arg = parseArg(part);
        if (!arg.ok()) return wrong(arg.error().message);
        arg->keywordOnly = keywordOnly;
        schema.args.push_back(std::move(*arg));
    }
    std::string_view returns = trim(text.substr(arrow + 5));
    if (returns.starts_with('(')) returns = returns.substr(1, returns.size() - 2);
    for (std::string_view part : splitList(returns))
        schema.returns.push_back(withoutAlias(part));
    if (schema.returns.empty()) return wrong("returns nothing");
    return schema;
}

int Schema::find(std::string_view argName) const {
    for (size_t i = 0; i < args.size(); ++i)
        if (args[i].name == argName) return static_cast<int>(i);
    return -1;
}

std::string Schema::str() const {
    std::string text = name + "(";
    bool keywordOnly = false;
    for (size_t i = 0; i < args.size(); ++i) {
        const SchemaArg& arg = args[i];
        if (i) text += ", ";
        if (arg.keywordOnly && !keywordOnly) text += "*, ";
        keywordOnly = arg.keywordOnly;
        text += arg.type + (arg.optional ? "? " : " ") + arg.name;
        if (arg.defaultValue) text += "=" + defaultText(*arg.defaultValue, arg);
    }
    text += ") -> ";
    if (returns.size() == 1) return text + returns[0];
    return text + fmt::format("({})", fmt::join(returns, ", "));
}

} // namespace cutaway::ops
