// SPDX-License-Identifier: Apache-2.0
// Methods of built-in types: text, lists, tuples, dicts, sets, numbers.
#include "core/capture/interp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace cutaway::capture {

namespace {

using Self = const BuiltinObj&;
using Args = const Arguments&;

const std::string& textOf(Args a) {
    return a.positional[0].as<StrObj>()->text;
}
std::vector<Val>& listOf(Args a) {
    return a.positional[0].as<ListObj>()->items;
}
Arguments rest(Args a) {
    return {a.positional.subspan(1), a.keywords};
}

// ---- str

Val strCase(Interp& in, Self self, Args a) {
    std::string s = textOf(a);
    bool start = true;
    for (char& c : s) {
        unsigned char u = static_cast<unsigned char>(c);
        if (self.text == "upper" || (self.text != "lower" && start))
            c = static_cast<char>(u < 128 ? std::toupper(u) : u);
        else
            c = static_cast<char>(u < 128 ? std::tolower(u) : u);
        start = self.text == "title" && !std::isalpha(u);
    }
    return in.str(s);
}

Val strStrip(Interp& in, Self self, Args a) {
    auto v = parseArguments(in, self.text, rest(a), {"chars="});
    std::string set = v[0].bound() && !v[0].isNone() ? wantStr(in, v[0], "chars") : " \t\n\r\f\v";
    auto inside = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
    auto first = [&](std::string_view s) {
        size_t n = 1;
        while (n < s.size() && inside(s[n]))
            ++n;
        return s.substr(0, n);
    };
    // A set of characters, not of bytes: what is left is a text, too.
    std::set<std::string_view> characters;
    for (std::string_view left = set; !left.empty(); left.remove_prefix(first(left).size()))
        characters.insert(first(left));
    std::string_view s = textOf(a);
    while (self.text != "rstrip" && !s.empty() && characters.contains(first(s)))
        s.remove_prefix(first(s).size());
    while (self.text != "lstrip" && !s.empty()) {
        size_t last = s.size() - 1;
        while (last > 0 && inside(s[last]))
            --last;
        if (!characters.contains(s.substr(last))) break;
        s = s.substr(0, last);
    }
    return in.str(std::string(s));
}

Val strSplit(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "split", rest(a), {"sep=", "maxsplit="});
    const std::string& s = textOf(a);
    int64_t limit = v[1].bound() ? wantInt(in, v[1], "maxsplit") : -1;
    std::vector<Val> parts;
    if (!v[0].bound() || v[0].isNone()) {
        size_t at = 0;
        while ((at = s.find_first_not_of(" \t\n\r\f", at)) != std::string::npos) {
            size_t end = s.find_first_of(" \t\n\r\f", at);
            if (limit >= 0 && static_cast<int64_t>(parts.size()) == limit) end = std::string::npos;
            in.add(parts, in.str(s.substr(at, end == std::string::npos ? end : end - at)));
            if (end == std::string::npos) break;
            at = end;
        }
        return in.list(std::move(parts));
    }
    const std::string& sep = wantStr(in, v[0], "sep");
    if (sep.empty()) in.raise(Error::Value, "empty separator");
    size_t at = 0;
    for (;;) {
        size_t end = limit >= 0 && static_cast<int64_t>(parts.size()) == limit
                         ? std::string::npos
                         : findText(s, sep, at);
        in.add(parts, in.str(s.substr(at, end == std::string::npos ? end : end - at)));
        if (end == std::string::npos) return in.list(std::move(parts));
        at = end + sep.size();
    }
}

Val strJoin(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "join", rest(a), {"iterable"});
    std::string out;
    bool first = true;
    for (const Val& item : in.items(v[0])) {
        if (!first) in.append(out, textOf(a));
        in.append(out, wantStr(in, item, "an item to join"));
        first = false;
    }
    return in.str(out);
}

Val strReplace(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "replace", rest(a), {"old", "new", "count="});
    const std::string &s = textOf(a), &from = wantStr(in, v[0], "old"),
                      &to = wantStr(in, v[1], "new");
    int64_t limit = v[2].bound() ? wantInt(in, v[2], "count") : -1;
    if (from.empty()) in.raise(Error::Value, "replace() of an empty text");
    std::string out;
    size_t at = 0;
    for (;;) {
        size_t found = limit == 0 ? std::string::npos : findText(s, from, at);
        if (found == std::string::npos) {
            in.append(out, std::string_view(s).substr(at));
            return in.str(std::move(out));
        }
        in.append(out, std::string_view(s).substr(at, found - at));
        in.append(out, to);
        at = found + from.size();
        --limit;
    }
}

Val strEnds(Interp& in, Self self, Args a) {
    auto v = parseArguments(in, self.text, rest(a), {"text"});
    std::vector<Val> options = v[0].is(Kind::Tuple) ? in.items(v[0]) : std::vector<Val>{v[0]};
    for (const Val& o : options) {
        const std::string& part = wantStr(in, o, "the text to look for");
        if (self.text == "startswith" ? textOf(a).starts_with(part) : textOf(a).ends_with(part))
            return Val::boolean(true);
    }
    return Val::boolean(false);
}

Val strFind(Interp& in, Self self, Args a) {
    auto v = parseArguments(in, self.text, rest(a), {"text"});
    const std::string& part = wantStr(in, v[0], "the text to look for");
    if (self.text == "count") {
        int64_t n = 0;
        for (size_t at = 0;
             !part.empty() && (at = findText(textOf(a), part, at)) != std::string::npos;
             at += part.size())
            ++n;
        return Val::integer(n);
    }
    size_t at = findText(textOf(a), part);
    if (self.text == "rfind" && at != std::string::npos) { // the first one from the other end
        std::string text(textOf(a).rbegin(), textOf(a).rend()), wanted(part.rbegin(), part.rend());
        at = text.size() - findText(text, wanted) - part.size();
    }
    if (at == std::string::npos) {
        if (self.text == "index") in.raise(Error::Value, "the text is not found");
        return Val::integer(-1);
    }
    return Val::integer(in.length(in.str(textOf(a).substr(0, at))));
}

Val strTest(Interp&, Self self, Args a) {
    const std::string& s = textOf(a);
    auto test = [&](char c) -> int {
        int u = static_cast<unsigned char>(c);
        if (self.text == "isdigit") return std::isdigit(u);
        if (self.text == "isalpha") return std::isalpha(u);
        if (self.text == "isspace") return std::isspace(u);
        if (self.text == "isupper") return std::isupper(u);
        return self.text == "islower" ? std::islower(u) : std::isalnum(u);
    };
    return Val::boolean(!s.empty() &&
                        std::all_of(s.begin(), s.end(), [&](char c) { return test(c) != 0; }));
}

Val strAlign(Interp& in, Self self, Args a) {
    auto v = parseArguments(in, self.text, rest(a), {"width", "fill="});
    std::string fill = v[1].bound() ? wantStr(in, v[1], "fill") : self.text == "zfill" ? "0" : " ";
    if (textWidth(fill) != 1)
        in.raise(Error::Type, fmt::format("{}() fills with exactly one character, found {}",
                                          self.text, textWidth(fill)));
    int64_t width = wantInt(in, v[0], "width"), have = in.length(a.positional[0]);
    if (width <= have) return a.positional[0];
    int64_t missing = width - have, left = self.text == "ljust"    ? 0
                                           : self.text == "center" ? missing / 2
                                                                   : missing;
    std::string out = repeatText(in, fill, left);
    in.append(out, textOf(a));
    in.append(out, repeatText(in, fill, missing - left));
    return in.str(std::move(out));
}

Val strFormat(Interp& in, Self, Args a) {
    return in.str(formatFields(in, textOf(a), rest(a)));
}

Val strLines(Interp& in, Self, Args a) {
    std::vector<Val> lines;
    const std::string& s = textOf(a);
    for (size_t at = 0; at < s.size();) {
        size_t end = std::min(s.find('\n', at), s.size());
        in.add(lines, in.str(s.substr(at, end - at)));
        at = end + 1;
    }
    return in.list(std::move(lines));
}

// ---- list

Val listAppend(Interp& in, Self, Args a) {
    Val v = parseArguments(in, "append", rest(a), {"item"})[0];
    in.mutating(a.positional[0].object(), "a list");
    in.add(listOf(a), v);
    a.positional[0].as<ListObj>()->counted();
    return Val::none();
}
Val listExtend(Interp& in, Self, Args a) {
    std::vector<Val> more = in.items(parseArguments(in, "extend", rest(a), {"iterable"})[0]);
    in.mutating(a.positional[0].object(), "a list");
    in.room(more.size() * sizeof(Val));
    listOf(a).insert(listOf(a).end(), more.begin(), more.end());
    a.positional[0].as<ListObj>()->counted();
    return Val::none();
}
Val listInsert(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "insert", rest(a), {"index", "item"});
    in.mutating(a.positional[0].object(), "a list");
    int64_t n = static_cast<int64_t>(listOf(a).size()), i = wantInt(in, v[0], "index");
    listOf(a).insert(listOf(a).begin() + std::clamp<int64_t>(i < 0 ? i + n : i, 0, n), v[1]);
    a.positional[0].as<ListObj>()->counted();
    return Val::none();
}
Val listPop(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "pop", rest(a), {"index="});
    in.mutating(a.positional[0].object(), "a list");
    if (listOf(a).empty()) in.raise(Error::Index, "pop() from an empty list");
    Val index = v[0].bound() ? v[0] : Val::integer(-1);
    Val out = in.getItem(a.positional[0], index);
    in.deleteItem(a.positional[0], index);
    return out;
}
Val listRemove(Interp& in, Self, Args a) {
    Val v = parseArguments(in, "remove", rest(a), {"item"})[0];
    in.mutating(a.positional[0].object(), "a list");
    for (size_t i = 0; i < listOf(a).size(); ++i) {
        in.tick();
        Val item = listOf(a)[i];
        if (!(item.identical(v) || in.equal(item, v)) || i >= listOf(a).size()) continue;
        listOf(a).erase(listOf(a).begin() + static_cast<std::ptrdiff_t>(i));
        return Val::none();
    }
    in.raise(Error::Value, "remove(): the item is not in the list");
}
Val sequenceIndex(Interp& in, Self self, Args a) {
    Val v = parseArguments(in, self.text, rest(a), {"item"})[0];
    std::vector<Val> values = in.items(a.positional[0]);
    int64_t count = 0;
    for (size_t i = 0; i < values.size(); ++i) {
        in.tick();
        if (!values[i].identical(v) && !in.equal(values[i], v)) continue;
        if (self.text == "index") return Val::integer(static_cast<int64_t>(i));
        ++count;
    }
    if (self.text == "index")
        in.raise(Error::Value,
                 fmt::format("{} is not in the {}", in.repr(v), in.typeName(a.positional[0])));
    return Val::integer(count);
}
Val listReverse(Interp& in, Self, Args a) {
    in.mutating(a.positional[0].object(), "a list");
    std::reverse(listOf(a).begin(), listOf(a).end());
    return Val::none();
}

/// Merge sort by hand: std::sort may read out of range when a comparison is inconsistent.
void mergeSort(Interp& in, std::vector<std::pair<Val, Val>>& rows, bool reverse) {
    std::vector<std::pair<Val, Val>> other(rows.size());
    for (size_t width = 1; width < rows.size(); width *= 2) {
        for (size_t low = 0; low < rows.size(); low += 2 * width) {
            size_t mid = std::min(low + width, rows.size()),
                   high = std::min(low + 2 * width, rows.size());
            size_t i = low, j = mid;
            for (size_t k = low; k < high; ++k) {
                in.tick();
                bool second =
                    i >= mid || (j < high && (reverse ? in.less(rows[i].first, rows[j].first)
                                                      : in.less(rows[j].first, rows[i].first)));
                other[k] = second ? rows[j++] : rows[i++];
            }
        }
        rows.swap(other);
    }
}

Val listSort(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "sort", rest(a), {"*", "key=", "reverse="});
    in.mutating(a.positional[0].object(), "a list");
    bool reverse = v[1].bound() && in.truthy(v[1]);
    // The list is empty while its items are compared, so that it shows when a script changes it.
    std::vector<Val> taken;
    taken.swap(listOf(a));
    std::vector<std::pair<Val, Val>> rows;
    try {
        for (const Val& item : taken)
            rows.emplace_back(v[0].bound() && !v[0].isNone() ? in.call(v[0], {item}) : item, item);
        mergeSort(in, rows, reverse);
    } catch (...) {
        listOf(a) = std::move(taken);
        throw;
    }
    bool changed = listOf(a).capacity() > 0;
    for (size_t i = 0; i < rows.size(); ++i)
        taken[i] = rows[i].second;
    listOf(a) = std::move(taken);
    a.positional[0].as<ListObj>()->counted();
    if (changed) in.raise(Error::Value, "list modified during sort");
    return Val::none();
}
Val copyOf(Interp& in, Self, Args a) {
    if (a.positional[0].is(Kind::List)) return in.list(in.items(a.positional[0]));
    DictObj* copy = a.positional[0].is(Kind::Set) ? in.make<SetObj>() : in.make<DictObj>();
    Val keep(copy);
    bool dict = a.positional[0].is(Kind::Dict);
    for (const Val& key : in.items(a.positional[0]))
        in.put(*copy, key, dict ? in.getItem(a.positional[0], key) : Val::none());
    return keep;
}
Val clearIt(Interp& in, Self, Args a) {
    in.mutating(a.positional[0].object(), "a container");
    a.positional[0].object()->clear();
    return Val::none();
}

// ---- dict and set

Val dictGet(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "get", rest(a), {"key", "default="});
    Val* found = in.dictFind(*a.positional[0].as<DictObj>(), v[0]);
    return found ? *found : v[1].bound() ? v[1] : Val::none();
}
Val dictParts(Interp& in, Self self, Args a) {
    std::vector<Val> out;
    for (const Val& key : in.items(a.positional[0])) {
        if (self.text == "keys") {
            in.add(out, key);
            continue;
        }
        Val value = in.getItem(a.positional[0], key);
        in.add(out, self.text == "values" ? value : in.tuple({key, value}));
    }
    return in.list(std::move(out));
}
Val dictPop(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "pop", rest(a), {"key", "default="});
    auto* dict = a.positional[0].as<DictObj>();
    in.mutating(dict, "a dict");
    Val* found = in.findKey(*dict, v[0]);
    if (!found) {
        if (v[1].bound()) return v[1];
        in.raise(Error::Key, fmt::format("the dict has no key {}", in.repr(v[0])));
    }
    Val out = *found;
    in.eraseKey(*dict, v[0]);
    return out;
}
Val dictSetDefault(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "setdefault", rest(a), {"key", "default="});
    auto* dict = a.positional[0].as<DictObj>();
    if (Val* found = in.dictFind(*dict, v[0])) return *found;
    in.dictSet(*dict, v[0], v[1].bound() ? v[1] : Val::none());
    return v[1].bound() ? v[1] : Val::none();
}
Val dictUpdate(Interp& in, Self, Args a) {
    auto* dict = a.positional[0].as<DictObj>();
    for (const Val& from : a.positional.subspan(1)) {
        if (from.is(Kind::Dict)) {
            for (const Val& key : in.items(from))
                in.dictSet(*dict, key, in.getItem(from, key));
            continue;
        }
        for (const Val& pair : in.items(from)) {
            std::vector<Val> two = in.items(pair);
            if (two.size() != 2) in.raise(Error::Value, "update() needs pairs of key and value");
            in.dictSet(*dict, two[0], two[1]);
        }
    }
    for (const auto& [name, value] : a.keywords)
        in.dictSet(*dict, Val(name), value);
    return Val::none();
}
/// popitem() takes the newest pair; pop() of a set any item, here the newest.
Val popNewest(Interp& in, Self self, Args a) {
    parseArguments(in, self.text, rest(a), {});
    const Val from = a.positional[0];
    const std::vector<Val> keys = in.items(from);
    if (keys.empty())
        in.raise(Error::Key, fmt::format("{}() of an empty {}", self.text, in.typeName(from)));
    in.mutating(from.object(), from.is(Kind::Set) ? "a set" : "a dict");
    const Val key = keys.back();
    const Val value = from.is(Kind::Set) ? key : in.tuple({key, in.getItem(from, key)});
    in.eraseKey(*from.as<DictObj>(), key);
    return value;
}
Val setAdd(Interp& in, Self, Args a) {
    Val v = parseArguments(in, "add", rest(a), {"item"})[0];
    in.mutating(a.positional[0].object(), "a set");
    in.put(*a.positional[0].as<SetObj>(), v, Val::none());
    return Val::none();
}
Val setRemove(Interp& in, Self self, Args a) {
    Val v = parseArguments(in, self.text, rest(a), {"item"})[0];
    in.mutating(a.positional[0].object(), "a set");
    if (!in.eraseKey(*a.positional[0].as<SetObj>(), v) && self.text == "remove")
        in.raise(Error::Key, fmt::format("the set has no {}", in.repr(v)));
    return Val::none();
}
Val setCombine(Interp& in, Self self, Args a) {
    Val other = parseArguments(in, self.text, rest(a), {"other"})[0];
    Val set = other;
    if (!other.is(Kind::Set)) {
        auto* made = in.make<SetObj>();
        set = Val(made);
        for (const Val& v : in.items(other))
            in.put(*made, v, Val::none());
    }
    if (self.text == "issubset") return in.compare(CompareOp::LessEqual, a.positional[0], set);
    if (self.text == "update") {
        for (const Val& v : in.items(set)) {
            in.mutating(a.positional[0].object(), "a set");
            in.put(*a.positional[0].as<SetObj>(), v, Val::none());
        }
        return Val::none();
    }
    BinaryOp op = self.text == "union"          ? BinaryOp::Or
                  : self.text == "intersection" ? BinaryOp::And
                                                : BinaryOp::Sub;
    return in.binary(op, a.positional[0], set);
}

// ---- numbers, generators, properties

Val isInteger(Interp&, Self, Args a) {
    return Val::boolean(std::floor(a.positional[0].asFloat()) == a.positional[0].asFloat());
}
Val bitLength(Interp&, Self, Args a) {
    uint64_t v = static_cast<uint64_t>(std::abs(a.positional[0].asInt()));
    return Val::integer(v == 0 ? 0 : 64 - __builtin_clzll(v));
}
Val sizeNumel(Interp& in, Self, Args a) {
    int64_t n = 1;
    for (const Val& v : in.items(a.positional[0]))
        n *= wantInt(in, v, "a size");
    return Val::integer(n);
}
Val propertySetter(Interp& in, Self, Args a) {
    auto* old = a.positional[0].as<PropertyObj>();
    auto* p = in.make<PropertyObj>();
    p->getter = old->getter;
    p->setter = parseArguments(in, "setter", rest(a), {"function"})[0];
    return Val(p);
}

struct Row {
    Kind kind;
    const char* names; ///< separated by spaces
    BuiltinFunction function;
};

constexpr Row kRows[] = {
    {Kind::Str, "upper lower title capitalize", strCase},
    {Kind::Str, "strip lstrip rstrip", strStrip},
    {Kind::Str, "split", strSplit},
    {Kind::Str, "join", strJoin},
    {Kind::Str, "replace", strReplace},
    {Kind::Str, "startswith endswith", strEnds},
    {Kind::Str, "find rfind index count", strFind},
    {Kind::Str, "isdigit isalpha isalnum isspace isupper islower", strTest},
    {Kind::Str, "ljust rjust center zfill", strAlign},
    {Kind::Str, "format", strFormat},
    {Kind::Str, "splitlines", strLines},
    {Kind::List, "append", listAppend},
    {Kind::List, "extend", listExtend},
    {Kind::List, "insert", listInsert},
    {Kind::List, "pop", listPop},
    {Kind::List, "remove", listRemove},
    {Kind::List, "index count", sequenceIndex},
    {Kind::List, "reverse", listReverse},
    {Kind::List, "sort", listSort},
    {Kind::List, "copy", copyOf},
    {Kind::List, "clear", clearIt},
    {Kind::Tuple, "index count", sequenceIndex},
    {Kind::Tuple, "numel", sizeNumel},
    {Kind::Dict, "get", dictGet},
    {Kind::Dict, "keys values items", dictParts},
    {Kind::Dict, "pop", dictPop},
    {Kind::Dict, "popitem", popNewest},
    {Kind::Dict, "setdefault", dictSetDefault},
    {Kind::Dict, "update", dictUpdate},
    {Kind::Dict, "copy", copyOf},
    {Kind::Dict, "clear", clearIt},
    {Kind::Set, "add", setAdd},
    {Kind::Set, "remove discard", setRemove},
    {Kind::Set, "pop", popNewest},
    {Kind::Set, "union intersection difference issubset update", setCombine},
    {Kind::Set, "copy", copyOf},
    {Kind::Set, "clear", clearIt},
    {Kind::Property, "setter", propertySetter},
};

} // namespace

void Interp::setUpMethods() {
    auto add = [&](int k, const std::string& n, BuiltinFunction f) {
        Val method = builtin(n, f);
        method.as<BuiltinObj>()->text = n;
        method.as<BuiltinObj>()->receiver = k;
        methods_[{k, n}] = method;
    };
    for (const Row& row : kRows) {
        std::string names = row.names;
        for (size_t at = 0; at < names.size();) {
            size_t end = std::min(names.find(' ', at), names.size());
            add(static_cast<int>(row.kind), names.substr(at, end - at), row.function);
            at = end + 1;
        }
    }
    add(Val::real(0).kindNumber(), "is_integer", isInteger);
    add(Val::integer(0).kindNumber(), "bit_length", bitLength);
}

Val Interp::builtinMethod(const Val& self, StrObj* name) {
    auto at = methods_.find({self.kindNumber(), name->text});
    if (at != methods_.end()) return Val(make<MethodObj>(at->second, self));
    if (self.tag() == Tag::DType) {
        if (name->text == "is_floating_point") return Val::boolean(ir::isFloating(self.asDType()));
        if (name->text == "itemsize")
            return Val::integer(static_cast<int64_t>(ir::sizeBytes(self.asDType())));
    }
    if (self.tag() == Tag::Device) {
        if (name->text == "type") return str(self.asDevice().isCuda() ? "cuda" : "cpu");
        if (name->text == "index")
            return self.asDevice().isCuda() ? Val::integer(self.asDevice().index) : Val::none();
    }
    if (name->text == "__class__") return Val(typeOf(self));
    return {};
}

} // namespace cutaway::capture
