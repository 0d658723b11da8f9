// SPDX-License-Identifier: Apache-2.0
// Methods of str and bytes.
#include "core/capture/characters.h"
#include "core/capture/integers.h"
#include "core/capture/torch_support.h"
#include "core/capture/type_methods.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::capture {

namespace {

using Self = const BuiltinObj&;
using Args = const Arguments&;

bool isBytes(Args a) {
    return a.positional[0].is(Kind::Bytes);
}
/// The text, or the bytes.
const std::string& textOf(Args a) {
    return isBytes(a) ? a.positional[0].as<BytesObj>()->bytes : a.positional[0].as<StrObj>()->text;
}
/// A result of the same type.
Val made(Interp& in, Args a, std::string text) {
    return isBytes(a) ? Val(in.make<BytesObj>(std::move(text))) : in.str(std::move(text));
}
Arguments rest(Args a) {
    return {a.positional.subspan(1), a.keywords};
}
/// An argument of the same type as the receiver.
const std::string& want(Interp& in, Args a, const Val& v, std::string_view what) {
    if (!isBytes(a)) return wantStr(in, v, what);
    if (auto* b = v.to<BytesObj>()) return b->bytes;
    in.raise(Error::Type, fmt::format("a bytes-like object is required, not '{}'", in.typeName(v)));
}
std::u32string characters(Args a) {
    if (!isBytes(a)) return charactersOf(textOf(a));
    std::u32string out;
    for (char c : textOf(a))
        out += static_cast<unsigned char>(c);
    return out;
}

Val strCase(Interp& in, Self self, Args a) {
    const std::string& name = self.text;
    std::u32string out;
    bool start = true;
    for (char32_t c : characters(a)) {
        const bool letter = isLetter(c) || isUpper(c) || isLower(c);
        if (isBytes(a) && c >= 128)
            out += c;
        else if (name == "upper" || (name == "swapcase" && isLower(c)))
            out += upperCase(c);
        else if ((name == "title" || name == "capitalize") && start)
            out += titleCase(c);
        else if (name == "casefold")
            out += foldCase(c);
        else
            out += lowerCase(c);
        start = name == "title" ? !letter : false;
    }
    if (!isBytes(a)) return in.str(utf8Of(out));
    std::string bytes;
    for (char32_t c : out)
        bytes += static_cast<char>(c);
    return made(in, a, bytes);
}

Val strStrip(Interp& in, Self self, Args a) {
    auto v = parseArguments(in, self.text, rest(a), {"chars="});
    const bool given = v[0].bound() && !v[0].isNone();
    std::u32string set;
    if (given)
        for (char32_t c : charactersOf(want(in, a, v[0], "chars")))
            set += c;
    auto drops = [&](char32_t c) { return given ? set.find(c) != set.npos : isSpace(c); };
    std::u32string s = characters(a);
    size_t from = 0, to = s.size();
    while (self.text != "rstrip" && from < to && drops(s[from]))
        ++from;
    while (self.text != "lstrip" && to > from && drops(s[to - 1]))
        --to;
    if (isBytes(a)) return made(in, a, textOf(a).substr(from, to - from));
    return in.str(utf8Of(std::u32string_view(s).substr(from, to - from)));
}

/// By runs of spaces.
std::vector<std::string> words(const std::string& s, int64_t limit, bool fromRight) {
    std::u32string text = charactersOf(s);
    if (fromRight) std::reverse(text.begin(), text.end());
    std::vector<std::string> parts;
    auto put = [&](std::u32string part) {
        if (fromRight) std::reverse(part.begin(), part.end());
        parts.push_back(utf8Of(part));
    };
    size_t at = 0;
    for (;;) {
        while (at < text.size() && isSpace(text[at]))
            ++at;
        if (at == text.size()) break;
        if (limit >= 0 && static_cast<int64_t>(parts.size()) == limit) {
            size_t end = text.size();
            while (end > at && isSpace(text[end - 1]))
                --end;
            put(text.substr(at, end - at));
            break;
        }
        size_t end = at;
        while (end < text.size() && !isSpace(text[end]))
            ++end;
        put(text.substr(at, end - at));
        at = end;
    }
    if (fromRight) std::reverse(parts.begin(), parts.end());
    return parts;
}

Val strSplit(Interp& in, Self self, Args a) {
    auto v = parseArguments(in, self.text, rest(a), {"sep=", "maxsplit="});
    const std::string& s = textOf(a);
    const int64_t limit = v[1].bound() ? wantInt(in, v[1], "maxsplit") : -1;
    const bool right = self.text == "rsplit";
    std::vector<Val> parts;
    if (!v[0].bound() || v[0].isNone()) {
        for (std::string& word : words(s, limit, right))
            in.add(parts, made(in, a, std::move(word)));
        return in.list(std::move(parts));
    }
    const std::string& sep = want(in, a, v[0], "sep");
    if (sep.empty()) in.raise(Error::Value, "empty separator");
    if (right && limit >= 0) {
        size_t end = s.size();
        while (static_cast<int64_t>(parts.size()) < limit && end >= sep.size()) {
            const size_t at = s.rfind(sep, end - sep.size());
            if (at == std::string::npos) break;
            in.add(parts, made(in, a, s.substr(at + sep.size(), end - at - sep.size())));
            end = at;
        }
        in.add(parts, made(in, a, s.substr(0, end)));
        std::reverse(parts.begin(), parts.end());
        return in.list(std::move(parts));
    }
    for (size_t at = 0;;) {
        const size_t end = limit >= 0 && static_cast<int64_t>(parts.size()) == limit
                               ? std::string::npos
                               : findText(s, sep, at);
        in.add(parts, made(in, a, s.substr(at, end == std::string::npos ? end : end - at)));
        if (end == std::string::npos) return in.list(std::move(parts));
        at = end + sep.size();
    }
}

Val strPartition(Interp& in, Self self, Args a) {
    const bool right = self.text == "rpartition";
    const Val sepVal = parseArguments(in, self.text, rest(a), {"sep"})[0];
    const std::string &s = textOf(a), &sep = want(in, a, sepVal, "sep");
    if (sep.empty()) in.raise(Error::Value, "empty separator");
    const size_t at = right ? s.rfind(sep) : findText(s, sep);
    const Val none = made(in, a, "");
    if (at == std::string::npos)
        return right ? in.tuple({none, none, made(in, a, s)})
                     : in.tuple({made(in, a, s), none, none});
    return in.tuple({made(in, a, s.substr(0, at)), sepVal, made(in, a, s.substr(at + sep.size()))});
}

Val strJoin(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "join", rest(a), {"iterable"});
    std::string out;
    size_t at = 0;
    for (const Val& item : in.items(v[0])) {
        if (at > 0) in.append(out, textOf(a));
        if (!isBytes(a) && !item.is(Kind::Str))
            in.raisePython(
                Error::Type,
                fmt::format("sequence item {}: expected str instance, {} found", at,
                            in.typeName(item)),
                fmt::format("an item to join must be a str, found {}", in.typeName(item)));
        in.append(out, want(in, a, item, "an item to join"));
        ++at;
    }
    return made(in, a, std::move(out));
}

Val strReplace(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "replace", rest(a), {"old", "new", "count="});
    const std::string &s = textOf(a), &from = want(in, a, v[0], "old"),
                      &to = want(in, a, v[1], "new");
    int64_t limit = v[2].bound() ? wantInt(in, v[2], "count") : -1;
    std::string out;
    if (from.empty()) {
        for (char32_t c : charactersOf(s)) {
            if (limit-- != 0)
                in.append(out, to);
            else
                ++limit;
            appendUtf8(out, c);
        }
        if (limit != 0) in.append(out, to);
        return made(in, a, std::move(out));
    }
    for (size_t at = 0;;) {
        const size_t found = limit == 0 ? std::string::npos : findText(s, from, at);
        in.append(out,
                  std::string_view(s).substr(at, found == std::string::npos ? found : found - at));
        if (found == std::string::npos) return made(in, a, std::move(out));
        in.append(out, to);
        at = found + from.size();
        --limit;
    }
}

/// The part of the text from character start to stop: as byte offsets.
std::pair<size_t, size_t> part(Interp& in, Args a, const Val& start, const Val& stop) {
    auto number = [&](const Val& v, int64_t otherwise) {
        return !v.bound() || v.isNone() ? otherwise : wantInt(in, v, "a bound");
    };
    // A bound may run a script's code, which may change a bytearray.
    const int64_t first = number(start, 0), last = number(stop, INT64_MAX);
    const std::string& s = textOf(a);
    const auto n = static_cast<int64_t>(isBytes(a) ? s.size() : textWidth(s));
    auto bound = [&](int64_t i) { return i < 0 ? std::max<int64_t>(i + n, 0) : i; };
    const int64_t from = bound(first), to = std::min(bound(last), n);
    if (from > n || from > to) return {1, 0};
    auto offset = [&](int64_t character) {
        if (isBytes(a) || n == static_cast<int64_t>(s.size()))
            return static_cast<size_t>(character);
        size_t at = 0;
        for (int64_t k = 0; at < s.size(); ++at)
            if ((static_cast<unsigned char>(s[at]) & 0xc0) != 0x80 && k++ == character) break;
        return at;
    };
    return {offset(from), offset(to)};
}

Val strEnds(Interp& in, Self self, Args a) {
    auto v = parseArguments(in, self.text, rest(a), {"text", "start=", "stop="});
    const auto [from, to] = part(in, a, v[1], v[2]);
    if (from > to) return Val::boolean(false);
    const std::string_view s = std::string_view(textOf(a)).substr(from, to - from);
    for (const Val& o : v[0].is(Kind::Tuple) ? in.items(v[0]) : std::vector<Val>{v[0]}) {
        const std::string& wanted = want(in, a, o, "the text to look for");
        if (self.text == "startswith" ? s.starts_with(wanted) : s.ends_with(wanted))
            return Val::boolean(true);
    }
    return Val::boolean(false);
}

Val strFind(Interp& in, Self self, Args a) {
    auto v = parseArguments(in, self.text, rest(a), {"text", "start=", "stop="});
    std::string one;
    const std::string& wanted =
        isBytes(a) && isInteger(v[0])
            ? one = std::string(1, static_cast<char>(wantInt(in, v[0], "a byte")))
            : want(in, a, v[0], "the text to look for");
    const auto [from, to] = part(in, a, v[1], v[2]);
    const std::string_view s =
        from > to ? std::string_view() : std::string_view(textOf(a)).substr(from, to - from);
    auto width = [&](std::string_view t) {
        return static_cast<int64_t>(isBytes(a) ? t.size() : textWidth(t));
    };
    if (self.text == "count") {
        if (wanted.empty()) return Val::integer(from > to ? 0 : width(s) + 1);
        int64_t n = 0;
        for (size_t at = 0; (at = findText(s, wanted, at)) != std::string::npos;
             at += wanted.size())
            ++n;
        return Val::integer(n);
    }
    size_t at = from > to ? std::string::npos : findText(s, wanted);
    if (self.text[0] == 'r' && at != std::string::npos) { // the first one from the other end
        const std::string back(s.rbegin(), s.rend()), part(wanted.rbegin(), wanted.rend());
        at = back.size() - findText(back, part) - part.size();
    }
    if (at == std::string::npos) {
        if (self.text.ends_with("index"))
            in.raisePython(Error::Value,
                           isBytes(a) ? "subsection not found" : "substring not found",
                           "the text is not found");
        return Val::integer(-1);
    }
    return Val::integer(width(std::string_view(textOf(a)).substr(0, from + at)));
}

Val strTest(Interp&, Self self, Args a) {
    const std::string& name = self.text;
    const std::u32string s = characters(a);
    if (name == "isascii")
        return Val::boolean(std::all_of(s.begin(), s.end(), [](char32_t c) { return c < 128; }));
    if (name == "isprintable") return Val::boolean(std::all_of(s.begin(), s.end(), isPrintable));
    if (s.empty()) return Val::boolean(false);
    if (name == "isidentifier") {
        bool good = !isDecimal(s[0]);
        for (char32_t c : s)
            good &= c == '_' || isLetter(c) || isDecimal(c);
        return Val::boolean(good);
    }
    if (name == "isupper" || name == "islower") {
        const bool up = name == "isupper";
        bool any = false;
        for (char32_t c : s) {
            if (up ? isLower(c) && !isUpper(c) : isUpper(c)) return Val::boolean(false);
            any |= up ? isUpper(c) : isLower(c);
        }
        return Val::boolean(any);
    }
    if (name == "istitle") {
        bool any = false, inside = false;
        for (char32_t c : s) {
            const bool up = isUpper(c), low = isLower(c);
            if ((up && inside) || (low && !up && !inside)) return Val::boolean(false);
            inside = up || low;
            any |= inside;
        }
        return Val::boolean(any);
    }
    auto test = name == "isdigit"     ? isDigit
                : name == "isdecimal" ? isDecimal
                : name == "isnumeric" ? isNumeric
                : name == "isalpha"   ? isLetter
                : name == "isspace"   ? isSpace
                                      : +[](char32_t c) { return isLetter(c) || isNumeric(c); };
    return Val::boolean(std::all_of(s.begin(), s.end(), test));
}

Val strAlign(Interp& in, Self self, Args a) {
    auto v = parseArguments(in, self.text, rest(a), {"width", "fill="});
    const std::string fill = v[1].bound() ? want(in, a, v[1], "fill") : " ";
    if (textWidth(fill) != 1)
        in.raisePython(Error::Type, "The fill character must be exactly one character long",
                       fmt::format("{}() fills with exactly one character, found {}", self.text,
                                   textWidth(fill)));
    const int64_t width = wantInt(in, v[0], "width"), have = in.lengthOfBuiltin(a.positional[0]);
    const std::string& s = textOf(a);
    if (width <= have) return made(in, a, s);
    const int64_t missing = width - have;
    if (self.text == "zfill") {
        const bool sign = !s.empty() && (s[0] == '-' || s[0] == '+');
        return made(in, a, s.substr(0, sign) + repeatText(in, "0", missing) + s.substr(sign));
    }
    const int64_t left = self.text == "ljust"    ? 0
                         : self.text == "center" ? missing / 2 + (missing & width & 1)
                                                 : missing;
    std::string out = repeatText(in, fill, left);
    in.append(out, s);
    in.append(out, repeatText(in, fill, missing - left));
    return made(in, a, std::move(out));
}

Val strFormat(Interp& in, Self, Args a) {
    return in.str(formatFields(in, textOf(a), rest(a)));
}

Val strFormatMap(Interp& in, Self, Args a) {
    Val map = parseArguments(in, "format_map", rest(a), {"mapping"})[0];
    std::vector<std::pair<StrObj*, Val>> keywords;
    for (const Val& key : in.items(map))
        if (key.is(Kind::Str)) keywords.emplace_back(key.as<StrObj>(), in.getItem(map, key));
    return in.str(formatFields(in, textOf(a), Arguments{{}, keywords}));
}

Val strLines(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "splitlines", rest(a), {"keepends="});
    const bool keep = v[0].bound() && in.truthy(v[0]);
    std::vector<Val> lines;
    const std::string& s = textOf(a);
    for (size_t at = 0; at < s.size();) {
        const size_t end = std::min(s.find_first_of("\n\r\v\f", at), s.size());
        const size_t next = std::min(s.size(), end + (s.substr(end, 2) == "\r\n" ? 2 : 1));
        in.add(lines, made(in, a, s.substr(at, (keep ? next : end) - at)));
        at = next;
    }
    return in.list(std::move(lines));
}

Val strRemove(Interp& in, Self self, Args a) {
    const Val v = parseArguments(in, self.text, rest(a), {"text"})[0];
    const std::string &s = textOf(a), &gone = want(in, a, v, "the text");
    if (self.text == "removeprefix")
        return made(in, a, s.starts_with(gone) ? s.substr(gone.size()) : s);
    return made(in, a, s.ends_with(gone) ? s.substr(0, s.size() - gone.size()) : s);
}

Val strExpandTabs(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "expandtabs", rest(a), {"tabsize="});
    const int64_t size = v[0].bound() ? wantInt(in, v[0], "tabsize") : 8;
    std::string out;
    int64_t column = 0;
    for (char32_t c : characters(a)) {
        if (c == '\t') {
            const int64_t n = size > 0 ? size - column % size : 0;
            in.append(out, repeatText(in, " ", n));
            column += n;
            continue;
        }
        appendUtf8(out, c);
        column = c == '\n' || c == '\r' ? 0 : column + 1;
    }
    return made(in, a, std::move(out));
}

Val strMakeTable(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "maketrans", rest(a), {"x", "y=", "z="});
    Val table(in.make<DictObj>());
    auto key = [&](const Val& k) {
        if (!k.is(Kind::Str)) return k;
        return Val::integer(static_cast<int64_t>(charactersOf(k.as<StrObj>()->text).at(0)));
    };
    auto put = [&](const Val& k, const Val& to) { in.put(*table.as<DictObj>(), key(k), to); };
    if (!v[1].bound()) {
        for (const Val& k : in.items(v[0]))
            put(k, in.getItem(v[0], k));
        return table;
    }
    std::vector<Val> from = in.items(v[0]), to = in.items(v[1]);
    if (from.size() != to.size())
        in.raise(Error::Value, "the first two maketrans arguments must have equal length");
    for (size_t i = 0; i < from.size(); ++i)
        put(from[i], key(to[i]));
    if (v[2].bound())
        for (const Val& gone : in.items(v[2]))
            put(gone, Val::none());
    return table;
}

Val strTranslate(Interp& in, Self, Args a) {
    Val table = parseArguments(in, "translate", rest(a), {"table"})[0];
    std::string out;
    for (char32_t c : characters(a)) {
        const Val key = Val::integer(static_cast<int64_t>(c));
        if (!in.contains(table, key)) {
            appendUtf8(out, c);
            continue;
        }
        const Val to = in.getItem(table, key);
        if (to.is(Kind::Str))
            in.append(out, to.as<StrObj>()->text);
        else if (!to.isNone())
            appendUtf8(out, static_cast<char32_t>(wantInt(in, to, "a character")));
    }
    return in.str(std::move(out));
}

std::string encodingOf(Interp& in, const Val& v) {
    std::string name = v.bound() ? wantStr(in, v, "encoding") : "utf-8";
    for (char& c : name)
        c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (name == "utf8") name = "utf-8";
    if (name == "latin1" || name == "iso-8859-1") name = "latin-1";
    if (name != "utf-8" && name != "ascii" && name != "latin-1")
        in.raise(Error::Lookup, fmt::format("unknown encoding: {}", name), "use 'utf-8'");
    return name;
}

std::string escapedCharacter(char32_t c) {
    const auto number = static_cast<uint32_t>(c);
    return number < 0x100     ? fmt::format("\\x{:02x}", number)
           : number < 0x10000 ? fmt::format("\\u{:04x}", number)
                              : fmt::format("\\U{:08x}", number);
}

[[noreturn]] void refuseCharacter(Interp& in, const std::string& encoding, char32_t c, size_t at) {
    const Val type = *in.builtins()->find(in.intern("UnicodeEncodeError"));
    const std::string shown = escapedCharacter(c);
    in.raise(
        in.call(type, {in.str(fmt::format("'{}' codec can't encode character '{}' in position "
                                          "{}: ordinal not in range({})",
                                          encoding, shown, at, encoding == "ascii" ? 128 : 256))}));
}

Val strEncode(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "encode", rest(a), {"encoding=", "errors="});
    const std::string encoding = encodingOf(in, v[0]);
    if (encoding == "utf-8") return Val(in.make<BytesObj>(textOf(a)));
    std::string out;
    const std::string errors = v[1].bound() ? wantStr(in, v[1], "errors") : "strict";
    size_t at = 0;
    for (char32_t c : characters(a)) {
        if (c < (encoding == "ascii" ? 128u : 256u))
            out += static_cast<char>(c);
        else if (errors == "replace")
            out += '?';
        else if (errors == "backslashreplace")
            out += escapedCharacter(c);
        else if (errors == "xmlcharrefreplace")
            out += fmt::format("&#{};", static_cast<uint32_t>(c));
        else if (errors != "ignore")
            refuseCharacter(in, encoding, c, at);
        ++at;
    }
    return Val(in.make<BytesObj>(std::move(out)));
}

/// The length of the valid UTF-8 character at \p at, or 0.
size_t validLength(std::string_view s, size_t at) {
    const auto b = static_cast<unsigned char>(s[at]);
    const size_t n = b < 0x80                ? 1
                     : b >= 0xc2 && b < 0xe0 ? 2
                     : b >= 0xe0 && b < 0xf0 ? 3
                     : b >= 0xf0 && b < 0xf5 ? 4
                                             : 0;
    if (n == 0 || at + n > s.size()) return 0;
    for (size_t k = 1; k < n; ++k)
        if ((static_cast<unsigned char>(s[at + k]) & 0xc0) != 0x80) return 0;
    const auto second = n > 1 ? static_cast<unsigned char>(s[at + 1]) : 0;
    const bool bad = (b == 0xe0 && second < 0xa0) || (b == 0xed && second > 0x9f) ||
                     (b == 0xf0 && second < 0x90) || (b == 0xf4 && second > 0x8f);
    return bad ? 0 : n;
}

Val bytesDecode(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "decode", rest(a), {"encoding=", "errors="});
    const std::string encoding = encodingOf(in, v[0]);
    const std::string errors = v[1].bound() ? wantStr(in, v[1], "errors") : "strict";
    const std::string& s = textOf(a);
    std::string out;
    for (size_t i = 0; i < s.size();) {
        if (encoding == "latin-1") {
            appendUtf8(out, static_cast<unsigned char>(s[i++]));
            continue;
        }
        const size_t n =
            encoding == "ascii" && static_cast<unsigned char>(s[i]) >= 128 ? 0 : validLength(s, i);
        if (n > 0) {
            out += s.substr(i, n);
            i += n;
            continue;
        }
        if (errors == "strict") {
            Val type = *in.builtins()->find(in.intern("UnicodeDecodeError"));
            in.raise(in.call(
                type, {in.str(fmt::format(
                          "'{}' codec can't decode byte {:#04x} in position {}: invalid start byte",
                          encoding, static_cast<unsigned char>(s[i]), i))}));
        }
        if (errors == "replace") appendUtf8(out, 0xfffd);
        ++i;
    }
    return in.str(std::move(out));
}

Val bytesHex(Interp& in, Self, Args a) {
    std::string out;
    for (char c : textOf(a))
        out += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return in.str(std::move(out));
}

Val bytesFromHex(Interp& in, Self, Args a) {
    const std::string& s = wantStr(in, parseArguments(in, "fromhex", rest(a), {"text"})[0], "text");
    std::string digits, out;
    for (char c : s)
        if (c != ' ') digits += c;
    for (size_t i = 0; i + 1 < digits.size(); i += 2) {
        const Val n = parseInteger(in, digits.substr(i, 2), 16);
        if (!n.bound()) in.raise(Error::Value, "non-hexadecimal number found in fromhex() arg");
        out += static_cast<char>(n.asInt());
    }
    if (digits.size() % 2) in.raise(Error::Value, "non-hexadecimal number found in fromhex() arg");
    return Val(in.make<BytesObj>(std::move(out)));
}

char byteOf(Interp& in, const Val& v) {
    const int64_t n = wantInt(in, v, "a byte");
    if (n < 0 || n > 255) in.raise(Error::Value, "byte must be in range(0, 256)");
    return static_cast<char>(n);
}

/// append, extend, +=
Val bytesAdd(Interp& in, Self self, Args a) {
    Val v = parseArguments(in, self.text, rest(a), {"item"})[0];
    in.mutating(a.positional[0].object(), "a bytearray");
    auto& self_ = *a.positional[0].as<BytesObj>();
    std::string more;
    for (const Val& item : self.text == "append" ? std::vector<Val>{v} : in.items(v))
        more += byteOf(in, item);
    wantOwnSize(in, self_, self_.bytes.size() + more.size());
    in.append(self_.bytes, more);
    return self.text == "__iadd__" ? a.positional[0] : Val::none();
}

Val bytesPop(Interp& in, Self self, Args a) {
    auto v = parseArguments(in, self.text, rest(a), {"index="});
    auto& self_ = *a.positional[0].as<BytesObj>();
    const auto size = static_cast<int64_t>(self_.bytes.size());
    if (size == 0) in.raise(Error::Index, "pop from empty bytearray");
    int64_t at = v[0].bound() ? wantInt(in, v[0], "the index") : -1;
    if (at < 0) at += size;
    if (at < 0 || at >= size) in.raise(Error::Index, "pop index out of range");
    in.mutating(&self_, "a bytearray");
    wantOwnSize(in, self_, self_.bytes.size() - 1);
    const auto gone = static_cast<unsigned char>(self_.bytes[static_cast<size_t>(at)]);
    self_.bytes.erase(static_cast<size_t>(at), 1);
    return Val::integer(gone);
}

Val bytesInsert(Interp& in, Self self, Args a) {
    auto v = parseArguments(in, self.text, rest(a), {"index", "item"});
    auto& self_ = *a.positional[0].as<BytesObj>();
    const auto size = static_cast<int64_t>(self_.bytes.size());
    int64_t at = wantInt(in, v[0], "the index");
    if (at < 0) at += size;
    const char byte = byteOf(in, v[1]);
    in.mutating(&self_, "a bytearray");
    wantOwnSize(in, self_, self_.bytes.size() + 1);
    self_.bytes.insert(static_cast<size_t>(std::clamp<int64_t>(at, 0, size)), 1, byte);
    return Val::none();
}

Val bytesRemove(Interp& in, Self self, Args a) {
    auto v = parseArguments(in, self.text, rest(a), {"value"});
    auto& self_ = *a.positional[0].as<BytesObj>();
    const size_t at = self_.bytes.find(byteOf(in, v[0]));
    if (at == std::string::npos) in.raise(Error::Value, "value not found in bytearray");
    in.mutating(&self_, "a bytearray");
    wantOwnSize(in, self_, self_.bytes.size() - 1);
    self_.bytes.erase(at, 1);
    return Val::none();
}

/// clear, reverse
Val bytesRearrange(Interp& in, Self self, Args a) {
    parseArguments(in, self.text, rest(a), {});
    auto& self_ = *a.positional[0].as<BytesObj>();
    in.mutating(&self_, "a bytearray");
    if (self.text == "reverse") {
        std::ranges::reverse(self_.bytes);
        return Val::none();
    }
    wantOwnSize(in, self_, 0);
    self_.bytes.clear();
    return Val::none();
}

Val bytesCopy(Interp& in, Self self, Args a) {
    parseArguments(in, self.text, rest(a), {});
    return Val(in.make<BytesObj>(a.positional[0].as<BytesObj>()->bytes, true));
}

constexpr const char* kBoth = "str bytes bytearray";
const MethodRow kRows[] = {
    {kBoth, "upper lower title capitalize swapcase", strCase},
    {"str", "casefold", strCase},
    {kBoth, "strip lstrip rstrip", strStrip},
    {kBoth, "split rsplit", strSplit},
    {kBoth, "partition rpartition", strPartition},
    {kBoth, "join", strJoin},
    {kBoth, "replace", strReplace},
    {kBoth, "startswith endswith", strEnds},
    {kBoth, "find rfind index rindex count", strFind},
    {kBoth, "isdigit isalpha isalnum isspace isupper islower istitle isascii", strTest},
    {"str", "isdecimal isnumeric isidentifier isprintable", strTest},
    {kBoth, "ljust rjust center zfill", strAlign},
    {kBoth, "removeprefix removesuffix", strRemove},
    {kBoth, "splitlines", strLines},
    {kBoth, "expandtabs", strExpandTabs},
    {"str", "format", strFormat},
    {"str", "format_map", strFormatMap},
    {"str", "encode", strEncode},
    {"str", "translate", strTranslate},
    {"str", "maketrans", strMakeTable, true},
    {"bytes bytearray", "decode", bytesDecode},
    {"bytes bytearray", "hex", bytesHex},
    {"bytes bytearray", "fromhex", bytesFromHex, true},
    {"bytearray", "append extend __iadd__", bytesAdd},
    {"bytearray", "pop", bytesPop},
    {"bytearray", "insert", bytesInsert},
    {"bytearray", "remove", bytesRemove},
    {"bytearray", "clear reverse", bytesRearrange},
    {"bytearray", "copy", bytesCopy},
};

} // namespace

std::span<const MethodRow> textMethods() {
    return kRows;
}

} // namespace cutaway::capture
