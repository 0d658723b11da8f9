// SPDX-License-Identifier: Apache-2.0
// str.format(): the fields of a text replaced by values.
#include "core/capture/interp.h"

#include <fmt/format.h>

#include <charconv>

namespace cutaway::capture {

namespace {

class Fields {
public:
    Fields(Interp& interp, const Arguments& arguments) : interp_(interp), arguments_(arguments) {}

    std::string replaced(std::string_view text, int level);

private:
    std::string field(std::string_view inside, int level);
    Val named(std::string_view name);
    Val argument(std::string_view name);
    Val at(size_t index);
    Val item(const Val& v, std::string_view key);
    [[noreturn]] void bad(std::string message) { interp_.raise(Error::Value, std::move(message)); }

    Interp& interp_;
    const Arguments& arguments_;
    size_t automatic_ = 0;
    bool counted_ = false, numbered_ = false; ///< "{}" and "{0}" exclude each other
};

std::optional<size_t> number(std::string_view text) {
    size_t value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// Where the field that starts behind a '{' ends: the '}' that closes it, or npos.
size_t closing(std::string_view text, size_t from) {
    int depth = 0;
    for (size_t i = from; i < text.size(); ++i) {
        if (text[i] == '{') ++depth;
        if (text[i] == '}' && depth-- == 0) return i;
    }
    return std::string_view::npos;
}

std::string Fields::replaced(std::string_view text, int level) {
    if (level > 1) bad("Max string recursion exceeded");
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c != '{' && c != '}') {
            out += c;
            continue;
        }
        if (level == 0 && i + 1 < text.size() && text[i + 1] == c) {
            out += text[i++];
            continue;
        }
        if (c == '}') bad("Single '}' encountered in format string");
        const size_t close = closing(text, i + 1);
        if (close == std::string_view::npos) bad("expected '}' before end of string");
        interp_.append(out, field(text.substr(i + 1, close - i - 1), level));
        i = close;
    }
    return out;
}

/// name!conversion:specification
std::string Fields::field(std::string_view inside, int level) {
    size_t end = 0;
    for (bool key = false; end < inside.size(); ++end) {
        if (inside[end] == '[') key = true;
        if (inside[end] == ']') key = false;
        if (!key && (inside[end] == '!' || inside[end] == ':')) break;
        if (!key && inside[end] == '{') bad("unexpected '{' in field name");
    }
    Val v = named(inside.substr(0, end));
    if (end < inside.size() && inside[end] == '!') {
        const std::string_view rest = inside.substr(end + 1);
        if (rest.empty()) bad("end of string while looking for conversion specifier");
        if (rest.size() > 1 && rest[1] != ':') bad("expected ':' after conversion specifier");
        if (rest[0] == 'r' || rest[0] == 'a')
            v = interp_.str(interp_.repr(v));
        else if (rest[0] == 's')
            v = interp_.str(interp_.text(v));
        else
            bad(fmt::format("Unknown conversion specifier '{}'", rest[0]));
        end += 2;
    }
    if (end >= inside.size()) return interp_.format(v, "");
    return interp_.format(v, replaced(inside.substr(end + 1), level + 1));
}

/// An argument, then ".attribute" and "[key]" as often as they stand there.
Val Fields::named(std::string_view name) {
    size_t i = std::min(name.find_first_of(".["), name.size());
    Val v = argument(name.substr(0, i));
    while (i < name.size()) {
        if (name[i] == '.') {
            const size_t end = std::min(name.find_first_of(".[", i + 1), name.size());
            if (end == i + 1) bad("Empty attribute in format string");
            v = interp_.getAttr(v, interp_.intern(name.substr(i + 1, end - i - 1)));
            i = end;
            continue;
        }
        if (name[i] != '[') bad("Only '.' or '[' may follow ']' in format field specifier");
        const size_t end = name.find(']', i);
        if (end == std::string_view::npos) bad("Missing ']' in format string");
        if (end == i + 1) bad("Empty attribute in format string");
        v = item(v, name.substr(i + 1, end - i - 1));
        i = end + 1;
    }
    return v;
}

Val Fields::item(const Val& v, std::string_view key) {
    if (auto index = number(key))
        return interp_.getItem(v, Val::integer(static_cast<int64_t>(*index)));
    return interp_.getItem(v, interp_.str(std::string(key)));
}

Val Fields::argument(std::string_view name) {
    const auto index = number(name);
    counted_ |= name.empty();
    numbered_ |= index.has_value();
    if (counted_ && numbered_)
        bad(name.empty() ? "cannot switch from manual field specification to automatic field "
                           "numbering"
                         : "cannot switch from automatic field numbering to manual field "
                           "specification");
    if (name.empty()) return at(automatic_++);
    if (index) return at(*index);
    for (const auto& [key, value] : arguments_.keywords)
        if (key->text == name) return value;
    interp_.raise(Error::Key, fmt::format("format() misses a value for '{{{}}}'", name));
}

Val Fields::at(size_t index) {
    if (index < arguments_.positional.size()) return arguments_.positional[index];
    interp_.raise(Error::Index, fmt::format("format() misses value {}: it has {} without names",
                                            index, arguments_.positional.size()));
}

} // namespace

std::string formatFields(Interp& interp, std::string_view text, const Arguments& arguments) {
    return Fields(interp, arguments).replaced(text, 0);
}

} // namespace cutaway::capture
