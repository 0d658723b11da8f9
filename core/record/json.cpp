// SPDX-License-Identifier: Apache-2.0
#include "core/record/json.h"

#include "core/record/fields.h"

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
                json child;
                write(child, element);
                at.push_back(std::move(child));
            }
        } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
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

class Reader {
public:
    Reader(const json& from, std::string path) : from_(from), path_(std::move(path)) {
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
            value = static_cast<T>(at.get<int>());
        } else if constexpr (std::is_integral_v<T>) {
            expect(at.is_number_integer(), "an integer");
            value = at.get<T>();
        } else if constexpr (std::is_floating_point_v<T>) {
            // JSON has no NaN or infinity; the writer gives null.
            expect(at.is_number() || at.is_null(), "a number");
            value = at.is_null() ? -1 : at.get<T>();
        } else {
            Reader reader(at, path);
            fields(reader, value);
        }
    }
    const json& from_;
    std::string path_;
};

template <typename T> json write(const T& value, bool withTimings = true) {
    json result = json::object();
    Writer writer(result, withTimings);
    fields(writer, const_cast<T&>(value)); // the field lists serve both directions
    return result;
}

/// The reason, or nothing when \p value was filled in.
template <typename T>
std::optional<std::string> readInto(T& value, const json& from, const char* what) {
    try {
        Reader reader(from, what);
        fields(reader, value);
        return std::nullopt;
    } catch (const ReadError& error) {
        return fmt::format("{}: expected {}, found {}", error.path, error.expected, error.found);
    }
}

template <typename T> base::Result<T> read(const json& from, const char* what) {
    T value;
    if (auto problem = readInto(value, from, what)) return base::userError({}, *problem);
    return value;
}

/// Item ids in a damaged file must not lead out of bounds.
base::Status checkItems(const Record& record) {
    size_t count = record.items.size();
    for (const Link& link : record.links)
        if (link.item >= count || link.from >= count)
            return base::userError({}, fmt::format("links name item {}, but there are {} items",
                                                   std::max(link.item, link.from), count));
    return {};
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
json toJson(const Code& code) {
    return write(code);
}
json toJson(const Remark& remark) {
    return write(remark);
}

std::optional<base::Diagnostic> diagnosticFromJson(const json& from) {
    base::Diagnostic value;
    if (readInto(value, from, "diagnostic")) return std::nullopt;
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

base::Result<Record> fromJson(const json& from) {
    if (from.is_object() && from.contains("version") && from["version"].is_number_integer() &&
        (from["version"].get<int>() > Record::kVersion || from["version"].get<int>() < 1))
        return base::userError({},
                               fmt::format("the record has version {}, this program reads 1 to {}",
                                           from["version"].get<int>(), Record::kVersion),
                               "open it with a newer version of Cutaway");
    CUTAWAY_TRY(Record record, read<Record>(from, "record"));
    CUTAWAY_CHECK(checkItems(record));
    return record;
}

} // namespace cutaway::record
