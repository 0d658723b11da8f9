// SPDX-License-Identifier: Apache-2.0
// repr(), str() and format().
#include "core/capture/characters.h"
#include "core/capture/integers.h"
#include "core/capture/overrides.h"
#include "core/capture/tensor_world.h"
#include "core/capture/torch_support.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

namespace cutaway::capture {

namespace {

std::string floatText(double f) {
    if (std::isnan(f)) return "nan";
    if (std::isinf(f)) return f > 0 ? "inf" : "-inf";
    // The shortest digits that read back the same, as Python writes them.
    const double magnitude = std::fabs(f);
    const bool far = magnitude != 0 && (magnitude < 1e-4 || magnitude >= 1e16);
    char digits[32];
    const auto end = std::to_chars(digits, std::end(digits), f,
                                   far ? std::chars_format::scientific : std::chars_format::fixed);
    std::string s(digits, end.ptr);
    return far || s.find('.') != std::string::npos ? s : s + ".0";
}

std::string quoted(const std::string& s) {
    char quote = s.find('\'') != std::string::npos && s.find('"') == std::string::npos ? '"' : '\'';
    std::string out(1, quote);
    for (char32_t c : charactersOf(s)) {
        if (c == static_cast<char32_t>(quote) || c == '\\') {
            out += '\\';
            appendUtf8(out, c);
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else if (c == '\r') {
            out += "\\r";
        } else if (isPrintable(c)) {
            appendUtf8(out, c);
        } else {
            const auto code = static_cast<uint32_t>(c);
            out += code < 0x100     ? fmt::format("\\x{:02x}", code)
                   : code < 0x10000 ? fmt::format("\\u{:04x}", code)
                                    : fmt::format("\\U{:08x}", code);
        }
    }
    return out + quote;
}

std::string quotedBytes(const std::string& s) {
    char quote = s.find('\'') != std::string::npos && s.find('"') == std::string::npos ? '"' : '\'';
    std::string out = "b";
    out += quote;
    for (char c : s) {
        const auto u = static_cast<unsigned char>(c);
        if (c == quote || c == '\\')
            out += std::string("\\") + c;
        else if (c == '\n' || c == '\t' || c == '\r')
            out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
        else if (u < 32 || u > 126)
            out += fmt::format("\\x{:02x}", u);
        else
            out += c;
    }
    return out + quote;
}

/// A part of a complex number: without ".0".
std::string complexPart(double f) {
    std::string s = floatText(f);
    if (s.ends_with(".0")) s.resize(s.size() - 2);
    return s;
}

/// A parsed format specification: [[fill]align][sign][#][0][width][,_][.precision][type]
struct Spec {
    std::string fill = " ";
    char align = 0, sign = '-', type = 0, grouping = 0;
    bool alternate = false;
    bool given = false; ///< the alignment was written
    bool signGiven = false;
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
        spec.given = true;
        at = first + 1;
    } else if (!text.empty() && isAlign(text[0])) {
        spec.align = text[0];
        spec.given = true;
        at = 1;
    }
    auto peek = [&] { return at < text.size() ? text[at] : '\0'; };
    spec.signGiven = peek() == '+' || peek() == '-' || peek() == ' ';
    if (spec.signGiven) spec.sign = text[at++];
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

void group(std::string& digits, char separator, size_t each) {
    size_t end = digits.find_first_not_of("0123456789abcdefABCDEF");
    if (each == 3) end = digits.find_first_not_of("0123456789");
    if (end == std::string::npos) end = digits.size();
    for (size_t at = end; at > each; at -= each)
        digits.insert(at - each, 1, separator);
}

size_t groupedWidth(std::string digits, size_t each) {
    group(digits, ',', each);
    return digits.size();
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
    if (v.is(Kind::Tensor) && !v.as<TensorObj>()->subclass)
        return v.as<TensorObj>()->parameter ? "Parameter" : "Tensor";
    if (!v.bound()) return "nothing";
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
        auto* entries = static_cast<const DictObj*>(self);
        for (size_t i = 0; i < entries->places(); ++i) {
            if (!entries->at(i)) continue;
            const DictObj::Entry e = *entries->at(i);
            if (count++) append(out, ", ");
            if (dict) noteItem(v, e.key, e.value);
            append(out, repr(e.key));
            if (dict) append(out, ": " + repr(e.value));
        }
        if (set && v.as<SetObj>()->frozen)
            return count == 0 ? "frozenset()" : "frozenset(" + out + close + ")";
        if (set && classOf(v)) return typeName(v) + (count == 0 ? "()" : "(" + out + close + ")");
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

/// An overload says its operation's name and its own.
static std::string quotedFunction(const std::string& name) {
    constexpr std::string_view kOverload = "aten.";
    const size_t dot = name.rfind('.');
    if (!name.starts_with(kOverload) || dot < kOverload.size())
        return fmt::format("<built-in function {}>", name);
    return fmt::format("<OpOverload(op='{}', overload='{}')>", name.substr(0, dot),
                       name.substr(dot + 1));
}

std::string Interp::repr(const Val& v) {
    checkStack();
    tick();
    if (classOf(v))
        if (Val* method = special(v, "__repr__")) return textOf(*method, v, "__repr__");
    if (Val told = overriddenProtocol(*this, "__repr__", v); told.bound())
        if (auto* s = told.to<StrObj>()) return s->text;
    return reprOfBuiltin(v);
}

/// "<__main__.A object at 0x7f0000000040>"
static std::string addressed(const Interp& in, const Val& v) {
    const ClassObj* type = in.typeOf(v);
    return fmt::format("<{}{} object at {:#014x}>", type->native ? "" : "__main__.",
                       type->qualifiedName.empty() ? type->name : type->qualifiedName,
                       0x7f0000000000 + v.object()->serial * 16);
}

/// Of values that are no objects.
static std::string reprOfPlain(const Val& v) {
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
                          : fmt::format("device(type='{}')", d.str());
    }
    case Tag::Ellipsis:
        return "Ellipsis";
    case Tag::NotImplemented:
        return "NotImplemented";
    case Tag::Object:
        break;
    }
    return {};
}

/// Those of the script library that are built in there and written here print as those.
static std::string functionText(Interp& in, const FunctionObj& f) {
    const Code& code = *f.code;
    const std::string& file = code.source->file;
    if (code.source->library && file == "<operator.py>")
        return fmt::format("<built-in function {}>", code.name);
    if (f.attributes && file == "<torch/_aten.py>")
        if (const Val* name = f.attributes->find(in.intern("_overload"))) {
            const std::string overload = in.text(*name);
            return "aten." + overload + (overload.find('.') != std::string::npos ? "" : ".default");
        }
    return fmt::format("<function {} at {:#014x}>", f.qualifiedName,
                       0x7f0000000000 + f.serial * 16);
}

std::string Interp::reprOfBuiltin(const Val& v) {
    if (!v.isObject()) return reprOfPlain(v);
    switch (v.object()->kind) {
    case Kind::Symbol:
    case Kind::Truth:
    case Kind::Number:
        return repr(plain(v));
    case Kind::GradFunction:
        return gradFunctionText(*v.as<GradFunctionObj>());
    case Kind::Integer:
        return integerText(*this, v);
    case Kind::Real:
        return reprOfPlain(plainNumber(v));
    case Kind::Bytes: {
        auto* bytes = v.as<BytesObj>();
        return bytes->changeable ? "bytearray(" + quotedBytes(bytes->bytes) + ")"
                                 : quotedBytes(bytes->bytes);
    }
    case Kind::Complex: {
        auto* z = v.as<ComplexObj>();
        const std::string imaginary = complexPart(z->imaginary);
        if (z->real == 0 && !std::signbit(z->real)) return imaginary + "j";
        return fmt::format("({}{}{}j)", complexPart(z->real), imaginary[0] == '-' ? "" : "+",
                           imaginary);
    }
    case Kind::View: {
        const Val all = list(items(v));
        return typeName(v) + "(" + repr(all) + ")";
    }
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
        return functionText(*this, *v.as<FunctionObj>());
    case Kind::Method:
        if (v.as<MethodObj>()->function.is(Kind::Builtin))
            return fmt::format("<built-in method {} of {} object>",
                               text(tryAttr(v.as<MethodObj>()->function, intern("__name__"))),
                               typeName(v.as<MethodObj>()->self));
        return fmt::format("<bound method {} of {}>",
                           text(tryAttr(v.as<MethodObj>()->function, intern("__qualname__"))),
                           repr(v.as<MethodObj>()->self));
    case Kind::Builtin:
        return quotedFunction(v.as<BuiltinObj>()->name);
    case Kind::Class: {
        auto* type = v.as<ClassObj>();
        const std::string& name = type->qualifiedName.empty() ? type->name : type->qualifiedName;
        Val* home = type->attributes->find(intern("__module__"));
        if (home && home->is(Kind::Str))
            return fmt::format("<class '{}.{}'>", home->as<StrObj>()->text, name);
        return fmt::format("<class '{}'>", name);
    }
    case Kind::Module:
        return fmt::format("<module '{}'>", v.as<ModuleObj>()->name);
    case Kind::Tensor:
        world_->wantReal("the text of a tensor needs its values",
                         "make the text outside the compiled function");
        return tensorText(*v.as<TensorObj>());
    case Kind::Compiled:
        if (isModule(v.as<CompiledObj>()->original)) return text(callMethod(v, "__repr__", {}));
        return fmt::format("<compiled {}>", repr(v.as<CompiledObj>()->original));
    case Kind::Instance: {
        auto* instance = v.as<InstanceObj>();
        if (instance->type->exception) {
            Val args = tryAttr(v, intern("args"));
            std::string text = args.is(Kind::Tuple) ? repr(args) : "()";
            if (text.ends_with(",)")) text.erase(text.size() - 2, 1); // Python: ValueError('x')
            return instance->type->name + text;
        }
        return addressed(*this, v);
    }
    case Kind::Generator:
        return fmt::format("<{} object {} at {:#014x}>", typeName(v), v.as<GeneratorObj>()->name,
                           0x7f0000000000 + v.object()->serial * 16);
    default:
        return addressed(*this, v);
    }
}

/// What a class's own __repr__ or __str__ gives.
std::string Interp::textOf(const Val& method, const Val& self, const char* name) {
    Val made = call(bindMethod(method, self, typeOf(self)), {});
    if (auto* s = made.to<StrObj>()) return s->text;
    raise(Error::Type, fmt::format("{} returned non-string (type {})", name, typeName(made)));
}

/// str() of an exception: its arguments.
std::string Interp::textOfException(const Val& v) {
    Val args = tryAttr(v, intern("args"));
    if (!args.is(Kind::Tuple) || length(args) == 0) return "";
    const std::vector<Val> all = items(args);
    const ClassObj* type = v.as<InstanceObj>()->type.get();
    if (all.size() == 1)
        return type->isSubclassOf(errorClass(Error::Key)) ? repr(all[0]) : text(all[0]);
    if (all.size() == 2 && type->isSubclassOf(errorClass(Error::OS)))
        return fmt::format("[Errno {}] {}", text(all[0]), text(all[1]));
    return repr(args);
}

std::string Interp::text(const Val& v) {
    checkStack();
    if (!v.bound()) return "";
    if (classOf(v)) {
        if (Val* method = special(v, "__str__")) return textOf(*method, v, "__str__");
        if (auto* instance = v.to<InstanceObj>(); instance && instance->type->exception)
            return textOfException(v);
    }
    if (v.is(Kind::Str)) return v.as<StrObj>()->text;
    if (v.tag() == Tag::Device) return v.asDevice().str();
    if (auto* builtin = v.to<BuiltinObj>(); builtin && builtin->name.starts_with("aten."))
        return builtin->name; // of torch.ops
    return repr(v);
}

[[noreturn]] static void unknownFormat(Interp& in, char type, const Val& v) {
    in.raisePython(
        Error::Value,
        fmt::format("Unknown format code '{}' for object of type '{}'", type, in.typeName(v)),
        fmt::format("format '{}' does not fit a {}", type, in.typeName(v)));
}

static std::string formatString(Interp& in, Spec spec, const Val& v) {
    std::string body = v.as<StrObj>()->text;
    if (spec.type && spec.type != 's') unknownFormat(in, spec.type, v);
    if (spec.signGiven)
        in.raise(Error::Value, fmt::format("{} not allowed in string format specifier",
                                           spec.sign == ' ' ? "Space" : "Sign"));
    if (spec.grouping)
        in.raise(Error::Value, fmt::format("Cannot specify '{}' with 's'.", spec.grouping));
    if (spec.align == '=' && spec.given)
        in.raise(Error::Value, "'=' alignment not allowed in string format specifier");
    if (spec.precision) {
        std::u32string characters = charactersOf(body);
        if (characters.size() > static_cast<size_t>(*spec.precision))
            body = utf8Of(characters.substr(0, static_cast<size_t>(*spec.precision)));
    }
    if (spec.align == '=') spec.align = '<';
    return pad(spec, "", body, '<');
}

/// "{:c}"
static std::string formatCharacter(Interp& in, const Spec& spec, const Val& v) {
    if (v.is(Kind::Integer)) in.raise(Error::Overflow, "Python int too large to convert to C long");
    const int64_t code = wantInt(in, v, "a character's number");
    if (code < 0 || code > 0x10ffff) in.raise(Error::Overflow, "%c arg not in range(0x110000)");
    std::string body;
    appendUtf8(body, static_cast<char32_t>(code));
    return pad(spec, "", body, '<');
}

/// An integer's digits without its sign. \p prefix: "0x" and the like, where the format wants it.
static std::string digitsOf(Interp& in, const Spec& spec, const Val& v, bool negative,
                            std::string& prefix) {
    const char type = spec.type;
    const int base = type == 'x' || type == 'X' ? 16 : type == 'o' ? 8 : type == 'b' ? 2 : 10;
    std::string body = integerText(in, v, base).substr(negative ? 1 : 0);
    if (type == 'X')
        for (char& c : body)
            c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (spec.alternate && base != 10) prefix = fmt::format("0{}", type);
    return body;
}

/// The magnitude of \p f, which is \p v as a number.
static std::string floatBody(Interp& in, const Spec& spec, const Val& v, double f) {
    const char type = spec.type;
    if (!std::isfinite(f)) {
        if (type && std::string_view("fFeEgGn%").find(type) == std::string_view::npos)
            unknownFormat(in, type, v);
        const bool capitals = type == 'F' || type == 'E' || type == 'G';
        std::string body = std::isnan(f) ? (capitals ? "NAN" : "nan") : capitals ? "INF" : "inf";
        return type == '%' ? body + "%" : body;
    }
    const double magnitude = std::fabs(f);
    const int precision = spec.precision.value_or(6);
    auto written = [&](double x, int digits, char form) {
        return fmt::format(
            fmt::runtime(fmt::format("{{:{}.{}{}}}", spec.alternate ? "#" : "", digits, form)), x);
    };
    switch (type) {
    case 'f':
    case 'F':
        return written(magnitude, precision, 'f');
    case 'e':
    case 'E':
        return written(magnitude, precision, type);
    case '%':
        return written(magnitude * 100, precision, 'f') + "%";
    case 'g':
    case 'n':
        return written(magnitude, std::max(precision, 1), 'g');
    case 'G':
        return written(magnitude, std::max(precision, 1), 'G');
    case 0: {
        if (!spec.precision) return floatText(magnitude);
        const std::string body = written(magnitude, std::max(precision, 1), 'g');
        return body.find_first_of(".en") == std::string::npos ? body + ".0" : body;
    }
    default:
        unknownFormat(in, type, v);
    }
}

static std::string signOf(const Spec& spec, bool negative) {
    return negative ? "-" : spec.sign == '+' ? "+" : spec.sign == ' ' ? " " : "";
}

/// One part after the other, in parentheses where no type is given.
static std::string formatComplex(Interp& in, const Spec& spec, const Val& v) {
    if (spec.fill == "0")
        in.raise(Error::Value, "Zero padding is not allowed in complex format specifier");
    if (spec.align == '=')
        in.raise(Error::Value, "'=' alignment flag is not allowed in complex format specifier");
    if (spec.type == '%') unknownFormat(in, spec.type, v);
    const auto part = [&](double f) {
        Spec one = spec;
        if (!spec.type && spec.precision) one.type = 'g';
        std::string body =
            one.type || !std::isfinite(f) ? floatBody(in, one, v, f) : complexPart(std::fabs(f));
        if (spec.grouping) group(body, spec.grouping, 3);
        return body;
    };
    const auto negative = [](double f) { return std::signbit(f) && !std::isnan(f); };
    auto [real, imaginary] = std::pair(v.as<ComplexObj>()->real, v.as<ComplexObj>()->imaginary);
    std::string body = part(imaginary) + "j";
    if (spec.type || real != 0 || std::signbit(real)) {
        body = part(real) + (negative(imaginary) ? "-" : "+") + body;
        body = signOf(spec, negative(real)) + body;
        if (!spec.type) body = "(" + body + ")";
    } else {
        body = signOf(spec, negative(imaginary)) + body;
    }
    return pad(spec, "", body, '>');
}

std::string Interp::format(const Val& value, const std::string& specText) {
    if (Val* method = special(value, "__format__")) {
        Val made = call(bindMethod(*method, value, typeOf(value)), {str(specText)});
        if (auto* s = made.to<StrObj>()) return s->text;
        raise(Error::Type, fmt::format("__format__ must return a str, not {}", typeName(made)));
    }
    if (Val told = overriddenProtocol(*this, "__format__", value, {str(specText)}); told.bound())
        if (auto* s = told.to<StrObj>()) return s->text;
    // A tensor of no dimensions is written as its number (torch/_tensor.py: __format__).
    auto* tensor = value.to<TensorObj>();
    const bool single = tensor && !tensor->parameter && tensor->type().rank() == 0;
    if (specText.empty()) return text(single ? scalarOf(*tensor, "formatting a tensor") : value);
    Val v = plain(value);
    const bool number = v.isNumber() || v.is(Kind::Integer) || v.is(Kind::Complex);
    if (!number && !v.is(Kind::Str) && !single)
        raise(Error::Type,
              fmt::format("unsupported format string passed to {}.__format__", typeName(v)));
    auto spec = parseSpec(specText);
    if (!spec)
        raisePython(Error::Value, "Invalid format specifier",
                    fmt::format("malformed format specification '{}'", specText),
                    "an example: {x:>10.3f}");
    if (v.is(Kind::Tensor))
        v = scalarOf(*v.as<TensorObj>(), "formatting a tensor with a specification");
    if (v.is(Kind::Str)) return formatString(*this, *spec, v);
    if (v.is(Kind::Complex)) return formatComplex(*this, *spec, v);
    std::string body, prefix;
    bool negative;
    const bool asInteger =
        isInteger(v) &&
        (spec->type == 0 || std::string_view("dxXobcn").find(spec->type) != std::string_view::npos);
    if (asInteger) {
        if (spec->precision)
            raise(Error::Value, "Precision not allowed in integer format specifier");
        if (spec->type == 'c') return formatCharacter(*this, *spec, v);
        negative = compareIntegers(v, Val::integer(0)) < 0;
        body = digitsOf(*this, *spec, v, negative, prefix);
    } else {
        const double f = v.is(Kind::Integer) ? integerFloat(*this, v) : v.asFloat();
        negative = std::signbit(f) && !std::isnan(f);
        body = floatBody(*this, *spec, v, f);
    }
    const std::string sign = signOf(*spec, negative);
    if (spec->grouping) {
        const char type = spec->type;
        const bool bits = asInteger && (type == 'x' || type == 'X' || type == 'o' || type == 'b');
        // Zeros in front are grouped, too.
        if (spec->align == '=' && spec->fill == "0") {
            const size_t have = sign.size() + prefix.size();
            while (have + groupedWidth(body, bits ? 4 : 3) < spec->width)
                body.insert(0, 1, '0');
            if (have + groupedWidth(body, bits ? 4 : 3) > spec->width && body.size() > 1 &&
                body[0] == '0' && body[1] != '.' &&
                groupedWidth(body.substr(1), bits ? 4 : 3) + have >= spec->width)
                body.erase(0, 1);
        }
        group(body, spec->grouping, bits ? 4 : 3);
    }
    return pad(*spec, sign + prefix, body, '>');
}

std::string asciiText(std::string_view text) {
    std::string out;
    for (char32_t c : charactersOf(text)) {
        const auto code = static_cast<uint32_t>(c);
        out += code < 0x80      ? std::string(1, static_cast<char>(c))
               : code < 0x100   ? fmt::format("\\x{:02x}", code)
               : code < 0x10000 ? fmt::format("\\u{:04x}", code)
                                : fmt::format("\\U{:08x}", code);
    }
    return out;
}

} // namespace cutaway::capture
