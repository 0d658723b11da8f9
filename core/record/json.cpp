// SPDX-License-Identifier: Apache-2.0
#include "core/record/json.h"

#include "core/base/quote.h"
#include "core/base/tick.h"
#include "core/record/fields.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <type_traits>

namespace cutaway::record {

namespace {

using nlohmann::json;

template <typename T> struct IsVector : std::false_type {};
template <typename T> struct IsVector<std::vector<T>> : std::true_type {};

class Writer {
public:
    Writer(json& into, bool withTimings) : into_(into), withTimings_(withTimings) {}
    template <typename T> void operator()(const char* name, T& value) { write(into_[name], value); }
    template <typename T> void timing(const char* name, T& value) {
        if (withTimings_) write(into_[name], value);
    }

private:
    template <typename T> void write(json& at, T& value) {
        if constexpr (std::is_enum_v<T>) {
            at = static_cast<int>(value);
        } else if constexpr (IsVector<T>::value) {
            at = json::array();
            for (auto& element : value) {
                base::tick();
                json child;
                write(child, element);
                at.push_back(std::move(child));
            }
        } else if constexpr (std::is_same_v<T, std::string>) {
            at = base::validUtf8(value); // JSON holds nothing else; a script's text may
        } else if constexpr (std::is_arithmetic_v<T>) {
            at = value;
        } else {
            at = json::object();
            Writer writer(at, withTimings_);
            fields(writer, value);
        }
    }
    json& into_;
    bool withTimings_;
};

/// Thrown inside this file only.
struct ReadError {
    std::string path, expected, found;
};

constexpr int countOf(base::Severity) {
    return 3;
}
constexpr int countOf(base::Fault) {
    return 5;
}
constexpr int countOf(ItemKind) {
    return 5;
}

/// The largest item id seen, and where: ids in a damaged file must not lead out of bounds.
struct LargestItem {
    ItemId id = 0;
    std::string path;
};

class Reader {
public:
    Reader(const json& from, std::string path, LargestItem& largest)
        : from_(from), path_(std::move(path)), largest_(largest) {
        if (!from.is_object()) throw ReadError{path_, "an object", from.type_name()};
    }
    template <typename T> void operator()(const char* name, T& value) {
        if (auto at = from_.find(name); at != from_.end()) read(*at, value, path_ + "." + name);
    }
    template <typename T> void timing(const char* name, T& value) { (*this)(name, value); }

private:
    template <typename T> void read(const json& at, T& value, const std::string& path) {
        auto expect = [&](bool fits, const char* what) {
            if (!fits) throw ReadError{path, what, at.type_name()};
        };
        if constexpr (IsVector<T>::value) {
            expect(at.is_array(), "an array");
            value.clear();
            value.reserve(at.size());
            for (size_t i = 0; i < at.size(); ++i)
                read(at[i], value.emplace_back(), fmt::format("{}[{}]", path, i));
        } else if constexpr (std::is_same_v<T, std::string>) {
            expect(at.is_string(), "a string");
            value = at.get<std::string>();
        } else if constexpr (std::is_same_v<T, bool>) {
            expect(at.is_boolean(), "true or false");
            value = at.get<bool>();
        } else if constexpr (std::is_enum_v<T>) {
            expect(at.is_number_integer(), "an integer");
            const auto number = at.get<int64_t>();
            if (number < 0 || number >= countOf(T{}))
                throw ReadError{path, fmt::format("a number from 0 to {}", countOf(T{}) - 1),
                                std::to_string(number)};
            value = static_cast<T>(number);
        } else if constexpr (std::is_integral_v<T>) {
            expect(at.is_number_integer(), "an integer");
            const auto number = at.get<int64_t>();
            value = static_cast<T>(number);
            if (at.is_number_unsigned() ? at.get<uint64_t>() != static_cast<uint64_t>(value)
                                        : number != static_cast<int64_t>(value))
                throw ReadError{path, fmt::format("an integer of {} bits", 8 * sizeof(T)),
                                at.dump()};
            // Every field of this type is an item's id.
            if constexpr (std::is_same_v<T, ItemId>)
                if (value != kNoItem && value >= largest_.id) largest_ = {value, path};
        } else if constexpr (std::is_floating_point_v<T>) {
            // JSON has no NaN or infinity; the writer gives null.
            expect(at.is_number() || at.is_null(), "a number");
            value = at.is_null() ? -1 : at.get<T>();
        } else {
            Reader reader(at, path, largest_);
            fields(reader, value);
        }
    }
    const json& from_;
    std::string path_;
    LargestItem& largest_;
};

template <typename T> json write(const T& value, bool withTimings = true) {
    json result = json::object();
    Writer writer(result, withTimings);
    fields(writer, const_cast<T&>(value)); // the field lists serve both directions
    return result;
}

/// The reason, or nothing when \p value was filled in.
template <typename T>
std::optional<std::string> readInto(T& value, const json& from, const char* what,
                                    LargestItem& largest) {
    try {
        Reader reader(from, what, largest);
        fields(reader, value);
        return std::nullopt;
    } catch (const ReadError& error) {
        return fmt::format("{}: expected {}, found {}", error.path, error.expected, error.found);
    }
}

template <typename T> base::Result<T> read(const json& from, const char* what) {
    T value;
    LargestItem unused;
    if (auto problem = readInto(value, from, what, unused)) return base::userError({}, *problem);
    return value;
}

constexpr int kDeepestJson = 64;

/// How deep the text nests at most; brackets inside of strings do not count.
int nesting(std::string_view text) {
    int depth = 0, deepest = 0;
    bool inString = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\') ++i;
            if (c == '"') inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            deepest = std::max(deepest, ++depth);
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return deepest;
}

} // namespace

json toJson(const Record& record, bool withTimings) {
    return write(record, withTimings);
}
json toJson(const base::Diagnostic& diagnostic) {
    return write(diagnostic);
}
json toJson(const Run& run) {
    return write(run);
}
json toJson(const Check& check) {
    return write(check);
}
json toJson(const Entry& entry) {
    return write(entry);
}
json toJson(const Code& code) {
    return write(code);
}
json toJson(const Remark& remark) {
    return write(remark);
}

std::optional<base::Diagnostic> diagnosticFromJson(const json& from) {
    base::Diagnostic value;
    LargestItem unused;
    if (readInto(value, from, "diagnostic", unused)) return std::nullopt;
    return value;
}
base::Result<Run> runFromJson(const json& from) {
    return read<Run>(from, "run");
}
base::Result<Check> checkFromJson(const json& from) {
    return read<Check>(from, "check");
}
base::Result<Code> codeFromJson(const json& from) {
    return read<Code>(from, "code");
}
base::Result<Remark> remarkFromJson(const json& from) {
    return read<Remark>(from, "remark");
}

base::Result<json> parseJson(std::string_view text) {
    if (int depth = nesting(text); depth > kDeepestJson)
        return base::userError({}, fmt::format("expected at most {} levels of nesting, found {}",
                                               kDeepestJson, depth));
    json parsed = json::parse(text, nullptr, false);
    if (parsed.is_discarded()) return base::userError({}, "it cannot be parsed");
    return parsed;
}

base::Result<Record> fromJson(const json& from) {
    if (from.is_object() && from.contains("version") && from["version"].is_number_integer()) {
        const auto version = from["version"].get<int64_t>();
        if (version > Record::kVersion || version < 1)
            return base::userError({},
                                   fmt::format("the record has version {}, this program reads 1 "
                                               "to {}",
                                               version, Record::kVersion),
                                   "open it with a newer version of Cutaway");
    }
    Record record;
    LargestItem largest;
    if (auto problem = readInto(record, from, "record", largest))
        return base::userError({}, *problem);
    if (!largest.path.empty() && largest.id >= record.items.size())
        return base::userError({}, fmt::format("{} names item {}, but there are {} items",
                                               largest.path, largest.id, record.items.size()));
    for (const Link& link : record.links)
        if (link.item == kNoItem || link.from == kNoItem)
            return base::userError({}, "a link names no item");
    return record;
}

} // namespace cutaway::record
