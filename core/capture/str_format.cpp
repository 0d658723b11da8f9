// SPDX-License-Identifier: Apache-2.0
// str.format(): the fields of a text replaced by values.
#include "core/capture/interp.h"
#include "core/capture/type_methods.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

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
    interp_.raisePython(Error::Key, std::vector<Val>{interp_.str(std::string(name))},
                        fmt::format("format() misses a value for '{{{}}}'", name));
}

Val Fields::at(size_t index) {
    if (index < arguments_.positional.size()) return arguments_.positional[index];
    interp_.raisePython(
        Error::Index,
        fmt::format("Replacement index {} out of range for positional args tuple", index),
        fmt::format("format() misses value {}: it has {} without names", index,
                    arguments_.positional.size()));
}

} // namespace

std::string formatFields(Interp& interp, std::string_view text, const Arguments& arguments) {
    return Fields(interp, arguments).replaced(text, 0);
}

namespace {

/// One "%..." of a printf-style format, applied.
class Percent {
public:
    Percent(Interp& in, std::string_view text, const Val& values, bool ofBytes)
        : in_(in), text_(text), values_(values), ofBytes_(ofBytes) {}
    std::string run();

private:
    Val next();
    std::string conversion(const Val& v, char type);
    int64_t number(); ///< digits, or '*'

    Interp& in_;
    std::string_view text_;
    const Val& values_;
    size_t at_ = 0, used_ = 0;
    std::string flags_;
    std::optional<int64_t> width_, precision_;
    bool ofBytes_;
};

Val Percent::next() {
    auto* tuple = values_.to<TupleObj>();
    if (used_ < (tuple ? tuple->items.size() : 1))
        return tuple ? tuple->items[used_++] : (++used_, values_);
    in_.raise(Error::Type, "not enough arguments for format string");
}

int64_t Percent::number() {
    if (at_ < text_.size() && text_[at_] == '*') {
        ++at_;
        return wantInt(in_, next(), "a width");
    }
    int64_t n = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
        n = n * 10 + (text_[at_] - '0');
        if (n > 1000000) in_.raise(Error::Value, "width too big");
    }
    return n;
}

std::string Percent::conversion(const Val& v, char type) {
    const bool left = flags_.find('-') != flags_.npos,
               zero = flags_.find('0') != flags_.npos && !left;
    std::string body;
    if (type == 's' || type == 'r' || type == 'a' || type == 'c') {
        body = type == 's'       ? in_.text(v)
               : type == 'r'     ? in_.repr(v)
               : type == 'a'     ? asciiText(in_.repr(v))
               : v.is(Kind::Str) ? v.as<StrObj>()->text
                                 : in_.format(v, "c");
        if (precision_ && type != 'c')
            body = in_.format(in_.str(body), fmt::format(".{}", *precision_));
        if (!width_) return body;
        return in_.format(in_.str(body), fmt::format("{}{}", left ? '<' : '>', *width_));
    }
    std::string spec = left ? "<" : zero ? "" : ">";
    if (flags_.find('+') != flags_.npos)
        spec += '+';
    else if (flags_.find(' ') != flags_.npos)
        spec += ' ';
    if (flags_.find('#') != flags_.npos) spec += '#';
    if (zero) spec += '0';
    if (width_) spec += std::to_string(*width_);
    const bool whole = std::string_view("diuxXo").find(type) != std::string_view::npos;
    Val value = in_.plain(v);
    if (value.is(Kind::Tensor)) value = in_.scalarOf(*value.as<TensorObj>(), "formatting a tensor");
    const bool real = value.isNumber() || value.is(Kind::Integer);
    if (!real && !in_.special(value, whole ? "__int__" : "__float__"))
        in_.raise(Error::Type,
                  whole ? fmt::format("%{} format: a real number is required, not {}", type,
                                      in_.typeName(value))
                        : fmt::format("must be real number, not {}", in_.typeName(value)));
    if (whole) {
        if ((type == 'x' || type == 'X' || type == 'o') && value.isFloat())
            in_.raise(Error::Type,
                      fmt::format("%{} format: an integer is required, not float", type));
        value = in_.call(*in_.builtins()->find(in_.intern("int")), {value});
        return in_.format(value, spec + (type == 'i' || type == 'u' ? 'd' : type));
    }
    if (std::string_view("eEfFgG").find(type) == std::string_view::npos)
        in_.raise(Error::Value, fmt::format("unsupported format character '{}' ({:#x}) at index {}",
                                            type, static_cast<unsigned char>(type), at_ - 1));
    value = in_.call(*in_.builtins()->find(in_.intern("float")), {value});
    return in_.format(value, fmt::format("{}.{}{}", spec, precision_.value_or(6), type));
}

std::string Percent::run() {
    std::string out;
    const bool mapping =
        values_.is(Kind::Dict) || values_.is(Kind::List) ||
        (values_.is(Kind::Bytes) && !ofBytes_) || values_.is(Kind::Range) ||
        (values_.is(Kind::Instance) && in_.special(values_, "__getitem__")); // what [] takes
    bool named = false;
    while (at_ < text_.size()) {
        const size_t percent = std::min(text_.find('%', at_), text_.size());
        in_.append(out, text_.substr(at_, percent - at_));
        at_ = percent + 1;
        if (percent == text_.size()) break;
        if (at_ >= text_.size()) in_.raise(Error::Value, "incomplete format");
        std::optional<Val> value;
        if (text_[at_] == '(') {
            const size_t close = text_.find(')', at_);
            if (close == text_.npos) in_.raise(Error::Value, "incomplete format key");
            if (!mapping) in_.raise(Error::Type, "format requires a mapping");
            value =
                in_.getItem(values_, in_.str(std::string(text_.substr(at_ + 1, close - at_ - 1))));
            named = true;
            at_ = close + 1;
        }
        flags_.clear();
        while (at_ < text_.size() &&
               std::string_view("-+ #0").find(text_[at_]) != std::string_view::npos)
            flags_ += text_[at_++];
        width_.reset();
        precision_.reset();
        if (at_ < text_.size() && (text_[at_] == '*' || (text_[at_] >= '1' && text_[at_] <= '9')))
            width_ = number();
        if (width_ && *width_ < 0) {
            width_ = -*width_;
            flags_ += '-';
        }
        if (at_ < text_.size() && text_[at_] == '.') {
            ++at_;
            precision_ = number();
        }
        while (at_ < text_.size() &&
               std::string_view("hlL").find(text_[at_]) != std::string_view::npos)
            ++at_;
        if (at_ >= text_.size()) in_.raise(Error::Value, "incomplete format");
        const char type = text_[at_++];
        if (type == '%')
            out += '%';
        else
            in_.append(out, conversion(value ? *value : next(), type));
    }
    auto* tuple = values_.to<TupleObj>();
    const bool left = tuple ? used_ < tuple->items.size() : used_ == 0 && !mapping && !named;
    if (left)
        in_.raise(Error::Type, fmt::format("not all arguments converted during {} formatting",
                                           ofBytes_ ? "bytes" : "string"));
    return out;
}

} // namespace

std::string formatPercent(Interp& interp, std::string_view text, const Val& values) {
    return Percent(interp, text, values, false).run();
}

std::string formatPercentOfBytes(Interp& interp, std::string_view text, const Val& values) {
    return Percent(interp, text, values, true).run();
}

} // namespace cutaway::capture
