// SPDX-License-Identifier: Apache-2.0
#include "core/record/json.h"

#include "core/base/quote.h"
#include "core/base/tick.h"
#include "core/record/checks.h"
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
    Writer(json& into, Part part) : into_(into), part_(part) {}
    template <typename T> void operator()(const char* name, T& value) {
        json written;
        write(written, value);
        if (!written.is_null()) into_[name] = std::move(written);
    }
    template <typename T> void timing(const char* name, T& value) {
        if (part_ != Part::Deterministic) Writer(into_, Part::All)(name, value);
    }
    /// One flat list of numbers: there are millions.
    void packed(const char* name, const std::vector<Link>& links) {
        if (part_ == Part::Timings) return;
        json& flat = into_[name] = json::array();
        for (const Link& link : links)
            flat.push_back(link.item), flat.push_back(link.from);
    }

private:
    /// Leaves \p at null where the part holds nothing of the value.
    template <typename T> void write(json& at, T& value) {
        if constexpr (IsVector<T>::value) {
            bool any = part_ != Part::Timings;
            json elements = json::array();
            for (auto& element : value) {
                base::tick();
                json child;
                write(child, element);
                any = any || !child.is_null();
                elements.push_back(std::move(child));
            }
            if (any) at = std::move(elements);
        } else if constexpr (std::is_class_v<T> && !std::is_same_v<T, std::string>) {
            at = json::object();
            Writer writer(at, part_);
            fields(writer, value);
            if (part_ == Part::Timings && at.empty()) at = nullptr;
        } else if (part_ != Part::Timings) {
            at = leaf(value);
        }
    }
    template <typename T> static json leaf(const T& value) {
        if constexpr (std::is_enum_v<T>)
            return static_cast<int>(value);
        else if constexpr (std::is_same_v<T, std::string>)
            return base::validUtf8(value); // JSON holds nothing else; a script's text may
        else
            return value;
    }
    json& into_;
    Part part_;
};

/// Thrown inside this file only.
struct ReadError {
    std::string path, expected, found;
};

/// Reads what is there. Over a value that is read already (\p over), a list's elements are matched
/// by place, null is "nothing of this one", and what is no timing may stand there again: in files
/// of version 1 it does.
class Reader {
public:
    Reader(const json& from, std::string path, LargestItem& largest, bool over)
        : from_(from), path_(std::move(path)), largest_(largest), over_(over) {
        if (!from.is_object()) throw ReadError{path_, "an object", from.type_name()};
    }
    template <typename T> void operator()(const char* name, T& value) {
        if (auto at = from_.find(name); at != from_.end()) read(*at, value, path_ + "." + name);
    }
    template <typename T> void timing(const char* name, T& value) {
        Reader(from_, path_, largest_, false)(name, value);
    }
    void packed(const char* name, std::vector<Link>& links) {
        auto at = from_.find(name);
        if (at == from_.end()) return;
        const bool objects = at->is_array() && !at->empty() && at->front().is_object();
        if (objects) return (*this)(name, links); // version 1
        std::vector<ItemId> flat;
        Reader(from_, path_, largest_, false)(name, flat);
        if (flat.size() % 2 != 0)
            throw ReadError{path_ + "." + name, "pairs of items",
                            fmt::format("{} numbers", flat.size())};
        links.clear();
        links.reserve(flat.size() / 2);
        for (size_t i = 0; i < flat.size(); i += 2)
            links.push_back({flat[i], flat[i + 1]});
    }

private:
    template <typename T> void read(const json& at, T& value, const std::string& path) {
        auto expect = [&](bool fits, const char* what) {
            if (!fits) throw ReadError{path, what, at.type_name()};
        };
        if constexpr (IsVector<T>::value) {
            if (over_ && at.is_null()) return;
            expect(at.is_array(), "an array");
            if (!over_) {
                value.clear();
                value.resize(at.size());
            }
            if (value.size() != at.size())
                throw ReadError{path, fmt::format("{} elements", value.size()),
                                fmt::format("{}", at.size())};
            for (size_t i = 0; i < at.size(); ++i)
                read(at[i], value[i], fmt::format("{}[{}]", path, i));
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
            if constexpr (std::is_same_v<T, ItemId>) largest_.see(value, path);
        } else if constexpr (std::is_floating_point_v<T>) {
            // JSON has no NaN or infinity; the writer gives null.
            expect(at.is_number() || at.is_null(), "a number");
            value = at.is_null() ? -1 : at.get<T>();
        } else {
            if (over_ && at.is_null()) return;
            Reader reader(at, path, largest_, over_);
            fields(reader, value);
        }
    }
    const json& from_;
    std::string path_;
    LargestItem& largest_;
    bool over_;
};

template <typename T> json write(const T& value, Part part = Part::All) {
    json result = json::object();
    Writer writer(result, part);
    fields(writer, const_cast<T&>(value)); // the field lists serve both directions
    return result;
}

/// The reason, or nothing when \p value was filled in.
template <typename T>
std::optional<std::string> readInto(T& value, const json& from, const char* what,
                                    LargestItem& largest, bool over = false) {
    try {
        Reader reader(from, what, largest, over);
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

/// Reads and checks that no id leads out of bounds.
base::Status readChecked(Record& record, const json& from, bool over) {
    LargestItem largest;
    if (auto problem = readInto(record, from, "record", largest, over))
        return base::userError({}, *problem);
    CUTAWAY_CHECK(checkItems(record, largest));
    record.version = Record::kVersion;
    return {};
}

constexpr int kDeepestJson = 64;
/// A value takes up to 100 bytes in memory, and two in a text that is made to fill it. A record of
/// ten thousand operations has one million.
constexpr size_t kMostJsonValues = 12'000'000;

/// Upper bounds of a text's nesting and of its values; what is inside of strings does not count.
struct JsonSize {
    int deepest = 0;
    size_t values = 1;
};
JsonSize sizeOf(std::string_view text) {
    JsonSize size;
    int depth = 0;
    bool inString = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\') ++i;
            if (c == '"') inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            size.deepest = std::max(size.deepest, ++depth);
            ++size.values;
        } else if (c == ',') {
            ++size.values;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return size;
}

} // namespace

json toJson(const Record& record, Part part) {
    return write(record, part);
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
    const JsonSize size = sizeOf(text);
    if (size.deepest > kDeepestJson)
        return base::userError({}, fmt::format("expected at most {} levels of nesting, found {}",
                                               kDeepestJson, size.deepest));
    if (size.values > kMostJsonValues)
        return base::userError(
            {}, fmt::format("expected at most {} values, found {}", kMostJsonValues, size.values));
    json parsed = json::parse(text, nullptr, false);
    if (parsed.is_discarded()) return base::userError({}, "it cannot be parsed");
    return parsed;
}

base::Result<Record> fromJson(const json& from) {
    CUTAWAY_CHECK(checkVersionOf(from));
    Record record;
    if (auto status = readChecked(record, from, false); !status) return status.error();
    return record;
}

base::Status addTimings(Record& record, const json& from) {
    return readChecked(record, from, true);
}

} // namespace cutaway::record
