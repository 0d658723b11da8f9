// SPDX-License-Identifier: Apache-2.0
// repr(), str() and format().
#include "core/capture/capture.h"
#include "core/capture/interp.h"
#include "core/capture/torch_support.h"

#include <fmt/format.h>

#include <algorithm>

#include <cmath>
#include <cstring>
#include <optional>

namespace cutaway::capture {

namespace {

std::string floatText(double f) {
    if (std::isnan(f)) return "nan";
    if (std::isinf(f)) return f > 0 ? "inf" : "-inf";
    double magnitude = std::fabs(f);
    if (magnitude != 0 && (magnitude < 1e-4 || magnitude >= 1e16)) {
        for (int digits = 0; digits < 18; ++digits) { // the shortest that reads back the same
            std::string s = fmt::format("{:.{}e}", f, digits);
            if (std::strtod(s.c_str(), nullptr) == f) return s;
        }
    }
    for (int digits = 1; digits <= 17; ++digits) {
        std::string s = fmt::format("{:.{}g}", f, digits);
        if (std::strtod(s.c_str(), nullptr) != f) continue;
        if (s.find('e') != std::string::npos) s = fmt::format("{:.0f}", f);
        return s.find('.') == std::string::npos ? s + ".0" : s;
    }
    return fmt::format("{}", f);
}

std::string quoted(const std::string& s) {
    char quote = s.find('\'') != std::string::npos && s.find('"') == std::string::npos ? '"' : '\'';
    std::string out(1, quote);
    for (char c : s) {
        if (c == quote || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else if (c == '\r') {
            out += "\\r";
        } else if (static_cast<unsigned char>(c) < 32 || c == 127) {
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        } else {
            out += c;
        }
    }
    return out + quote;
}

/// A parsed format specification: [[fill]align][sign][#][0][width][,_][.precision][type]
struct Spec {
    std::string fill = " ";
    char align = 0, sign = '-', type = 0, grouping = 0;
    bool alternate = false;
    size_t width = 0;
    std::optional<int> precision;
};

std::optional<Spec> parseSpec(const std::string& text) {
    Spec spec;
    size_t at = 0;
    auto isAlign = [](char c) { return c == '<' || c == '>' || c == '^' || c == '='; };
    size_t first = 1;
    while (first < text.size() && (static_cast<unsigned char>(text[first]) & 0xc0) == 0x80)
        ++first;
    if (text.size() > first && isAlign(text[first])) {
        spec.fill = text.substr(0, first);
        spec.align = text[first];
        at = first + 1;
    } else if (!text.empty() && isAlign(text[0])) {
        spec.align = text[0];
        at = 1;
    }
    auto peek = [&] { return at < text.size() ? text[at] : '\0'; };
    if (peek() == '+' || peek() == '-' || peek() == ' ') spec.sign = text[at++];
    if (peek() == '#') {
        spec.alternate = true;
        ++at;
    }
    if (peek() == '0') {
        if (!spec.align) {
            spec.fill = "0";
            spec.align = '=';
        }
        ++at;
    }
    while (peek() >= '0' && peek() <= '9') {
        spec.width = spec.width * 10 + static_cast<size_t>(text[at++] - '0');
        if (spec.width > 100000) return std::nullopt;
    }
    if (peek() == ',' || peek() == '_') spec.grouping = text[at++];
    if (peek() == '.') {
        ++at;
        int precision = 0;
        bool any = false;
        while (peek() >= '0' && peek() <= '9') {
            precision = precision * 10 + (text[at++] - '0');
            any = true;
            if (precision > 10000) return std::nullopt;
        }
        if (!any) return std::nullopt;
        spec.precision = precision;
    }
    if (at < text.size()) spec.type = text[at++];
    if (at != text.size()) return std::nullopt;
    return spec;
}

void group(std::string& digits, char separator) {
    size_t end = digits.find_first_not_of("0123456789");
    if (end == std::string::npos) end = digits.size();
    for (size_t at = end; at > 3; at -= 3)
        digits.insert(at - 3, 1, separator);
}

std::string pad(const Spec& spec, const std::string& sign, const std::string& body,
                char defaultAlign) {
    size_t have = textWidth(sign) + textWidth(body);
    if (have >= spec.width) return sign + body;
    size_t missing = spec.width - have;
    auto fill = [&](size_t n) {
        std::string s;
        for (size_t i = 0; i < n; ++i)
            s += spec.fill;
        return s;
    };
    switch (spec.align ? spec.align : defaultAlign) {
    case '<':
        return sign + body + fill(missing);
    case '^':
        return fill(missing / 2) + sign + body + fill(missing - missing / 2);
    case '=':
        return sign + fill(missing) + body;
    default:
        return fill(missing) + sign + body;
    }
}

} // namespace

size_t textWidth(std::string_view text) {
    return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    }));
}

size_t findText(std::string_view text, std::string_view part, size_t from) {
    if (from > text.size()) return std::string_view::npos;
    // The C library's search is linear; std::string's takes the product of both lengths.
    const void* found = memmem(text.data() + from, text.size() - from, part.data(), part.size());
    if (!found) return std::string_view::npos;
    return static_cast<size_t>(static_cast<const char*>(found) - text.data());
}

std::string repeatText(Interp& in, std::string_view piece, int64_t times) {
    std::string out;
    size_t bytes = 0;
    if (times <= 0 || piece.empty()) return out;
    if (__builtin_mul_overflow(piece.size(), static_cast<size_t>(times), &bytes)) bytes = SIZE_MAX;
    in.wantTextLength(bytes);
    out.reserve(bytes);
    out = piece;
    while (out.size() < bytes)
        out.append(out, 0, bytes - out.size());
    return out;
}

std::string Interp::typeName(const Val& v) const {
    if (v.is(Kind::Tensor)) return v.as<TensorObj>()->parameter ? "Parameter" : "Tensor";
    ClassObj* type = typeOf(v);
    if (v.is(Kind::Compiled)) return "compiled function";
    return type ? type->name : "object";
}

/// "[1, [...]]": a container inside itself is three dots, as in Python. A script's __repr__ may
/// change the container while its text is made.
std::string Interp::containerText(const Val& v) {
    const bool dict = v.is(Kind::Dict), set = v.is(Kind::Set), list = v.is(Kind::List);
    const bool size = v.is(Kind::Tuple) && v.as<TupleObj>()->size;
    const std::string open = size          ? "torch.Size(["
                             : list        ? "["
                             : dict || set ? "{"
                                           : "(",
                      close = size          ? "])"
                              : list        ? "]"
                              : dict || set ? "}"
                                            : ")";
    const Object* self = v.object();
    if (std::find(printing_.begin(), printing_.end(), self) != printing_.end())
        return open + "..." + close;
    struct Printing {
        std::vector<const Object*>& list;
        ~Printing() { list.pop_back(); }
    };
    printing_.push_back(self);
    Printing ends{printing_};
    noteLength(v);
    std::string out = open;
    size_t count = 0;
    if (dict || set) {
        const auto& entries = static_cast<const DictObj*>(self)->entries();
        for (size_t i = 0; i < entries.size(); ++i) {
            DictObj::Entry e = entries[i];
            if (!e.live()) continue;
            if (count++) append(out, ", ");
            if (dict) noteItem(v, e.key, e.value);
            append(out, repr(e.key));
            if (dict) append(out, ": " + repr(e.value));
        }
        return set && count == 0 ? "set()" : out + close;
    }
    const auto& items = list ? v.as<ListObj>()->items : v.as<TupleObj>()->items;
    for (size_t i = 0; i < items.size(); ++i) {
        Val item = items[i];
        noteItem(v, Val::integer(static_cast<int64_t>(i)), item);
        if (count++) append(out, ", ");
        append(out, repr(item));
    }
    return out + (open == "(" && count == 1 ? "," : "") + close;
}

std::string Interp::repr(const Val& v) {
    checkStack();
    tick();
    switch (v.tag()) {
    case Tag::Unbound:
        return "<unbound>";
    case Tag::None:
        return "None";
    case Tag::Bool:
        return v.asBool() ? "True" : "False";
    case Tag::Int:
        return std::to_string(v.asInt());
    case Tag::Float:
        return floatText(v.asFloat());
    case Tag::DType:
        return fmt::format("torch.{}", ir::name(v.asDType()));
    case Tag::Device: {
        ir::Device d = v.asDevice();
        return d.isCuda() ? fmt::format("device(type='cuda', index={})", d.index)
                          : "device(type='cpu')";
    }
    case Tag::Ellipsis:
        return "Ellipsis";
    case Tag::NotImplemented:
        return "NotImplemented";
    case Tag::Object:
        break;
    }
    switch (v.object()->kind) {
    case Kind::Symbol:
        return repr(plain(v));
    case Kind::GradFunction:
        return gradFunctionText(*v.as<GradFunctionObj>());
    case Kind::Str:
        return quoted(v.as<StrObj>()->text);
    case Kind::List:
    case Kind::Tuple:
    case Kind::Dict:
    case Kind::Set:
        return containerText(v);
    case Kind::Range: {
        auto* r = v.as<RangeObj>();
        return r->step == 1 ? fmt::format("range({}, {})", r->start, r->stop)
                            : fmt::format("range({}, {}, {})", r->start, r->stop, r->step);
    }
    case Kind::Slice: {
        auto* s = v.as<SliceObj>();
        return fmt::format("slice({}, {}, {})", repr(s->start), repr(s->stop), repr(s->step));
    }
    case Kind::Function:
        return fmt::format("<function {}>", v.as<FunctionObj>()->qualifiedName);
    case Kind::Method:
        return fmt::format("<bound method {}>",
                           text(tryAttr(v.as<MethodObj>()->function, intern("__name__"))));
    case Kind::Builtin:
        return fmt::format("<built-in function {}>", v.as<BuiltinObj>()->name);
    case Kind::Class:
        return fmt::format("<class '{}'>", v.as<ClassObj>()->name);
    case Kind::Module:
        return fmt::format("<module '{}'>", v.as<ModuleObj>()->name);
    case Kind::Tensor:
        if (capture_)
            stop("the text of a tensor needs its values",
                 "make the text outside the compiled function");
        return tensorText(*v.as<TensorObj>());
    case Kind::Compiled:
        return fmt::format("<compiled {}>", repr(v.as<CompiledObj>()->original));
    case Kind::Instance: {
        auto* instance = v.as<InstanceObj>();
        for (const char* name : {"__repr__", "__str__"})
            if (Val* method = classAttr(*instance->type, name)) return textOf(*method, v, name);
        if (instance->type->exception) {
            Val args = tryAttr(v, intern("args"));
            std::string text = args.is(Kind::Tuple) ? repr(args) : "()";
            if (text.ends_with(",)")) text.erase(text.size() - 2, 1); // Python: ValueError('x')
            return instance->type->name + text;
        }
        return fmt::format("<{} object>", instance->type->name);
    }
    default:
        return fmt::format("<{} object>", typeName(v));
    }
}

/// What a class's own __repr__ or __str__ gives.
std::string Interp::textOf(const Val& method, const Val& self, const char* name) {
    Val made = call(bindMethod(method, self, self.as<InstanceObj>()->type.get()), {});
    if (auto* s = made.to<StrObj>()) return s->text;
    raise(Error::Type, fmt::format("{} gave a {}, expected a str", name, typeName(made)));
}

std::string Interp::text(const Val& v) {
    checkStack();
    if (!v.bound()) return "";
    if (v.is(Kind::Str)) return v.as<StrObj>()->text;
    if (v.tag() == Tag::Device) return v.asDevice().str();
    if (auto* instance = v.to<InstanceObj>()) {
        if (Val* method = classAttr(*instance->type, "__str__"))
            return textOf(*method, v, "__str__");
        if (instance->type->exception) {
            Val args = tryAttr(v, intern("args"));
            if (!args.is(Kind::Tuple) || length(args) == 0) return "";
            return length(args) == 1 ? text(getItem(args, Val::integer(0))) : repr(args);
        }
    }
    return repr(v);
}

std::string Interp::format(const Val& value, const std::string& specText) {
    if (specText.empty()) return text(value);
    auto spec = parseSpec(specText);
    if (!spec)
        raise(Error::Value, fmt::format("malformed format specification '{}'", specText),
              "an example: {x:>10.3f}");
    Val v = plain(value);
    if (v.is(Kind::Tensor))
        v = scalarOf(*v.as<TensorObj>(), "formatting a tensor with a specification");
    if (!v.isNumber() || (v.isBool() && spec->type == 0)) {
        std::string body = text(v);
        if (spec->type && spec->type != 's')
            raise(Error::Value,
                  fmt::format("format '{}' does not fit a {}", spec->type, typeName(v)));
        if (spec->precision) {
            std::string cut;
            size_t n = 0;
            for (char c : body) {
                if ((static_cast<unsigned char>(c) & 0xc0) != 0x80 &&
                    n++ == static_cast<size_t>(*spec->precision))
                    break;
                cut += c;
            }
            body = cut;
        }
        return pad(*spec, "", body, '<');
    }
    char type = spec->type;
    std::string body;
    bool negative;
    bool asInteger = v.isIntegral() && (type == 0 || std::string_view("dxXobcn").find(type) !=
                                                         std::string_view::npos);
    if (asInteger) {
        int64_t i = v.asInt();
        negative = i < 0;
        uint64_t magnitude = negative ? 0 - static_cast<uint64_t>(i) : static_cast<uint64_t>(i);
        switch (type) {
        case 'x':
            body = fmt::format("{}{:x}", spec->alternate ? "0x" : "", magnitude);
            break;
        case 'X':
            body = fmt::format("{}{:X}", spec->alternate ? "0X" : "", magnitude);
            break;
        case 'o':
            body = fmt::format("{}{:o}", spec->alternate ? "0o" : "", magnitude);
            break;
        case 'b':
            body = fmt::format("{}{:b}", spec->alternate ? "0b" : "", magnitude);
            break;
        default:
            body = std::to_string(magnitude);
        }
    } else {
        double f = v.asFloat();
        negative = std::signbit(f) && !std::isnan(f);
        double magnitude = std::fabs(f);
        int precision = spec->precision.value_or(6);
        switch (type) {
        case 'f':
        case 'F':
            body = fmt::format("{:.{}f}", magnitude, precision);
            break;
        case 'e':
            body = fmt::format("{:.{}e}", magnitude, precision);
            break;
        case 'E':
            body = fmt::format("{:.{}E}", magnitude, precision);
            break;
        case '%':
            body = fmt::format("{:.{}f}%", magnitude * 100, precision);
            break;
        case 'g':
        case 'G':
            body = fmt::format("{:.{}g}", magnitude, std::max(precision, 1));
            break;
        case 0:
            body = spec->precision ? fmt::format("{:.{}g}", magnitude, std::max(precision, 1))
                                   : floatText(magnitude);
            break;
        default:
            raise(Error::Value, fmt::format("format '{}' does not fit a {}", type, typeName(v)));
        }
        if (type == 0 && spec->precision && body.find_first_of(".en") == std::string::npos)
            body += ".0";
    }
    if (spec->grouping) group(body, spec->grouping);
    std::string sign = negative ? "-" : spec->sign == '+' ? "+" : spec->sign == ' ' ? " " : "";
    return pad(*spec, sign, body, '>');
}

} // namespace cutaway::capture
