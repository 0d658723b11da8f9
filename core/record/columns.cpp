// SPDX-License-Identifier: Apache-2.0
#include "core/record/columns.h"

#include "core/base/quote.h"
#include "core/base/text.h"
#include "core/base/tick.h"
#include "core/record/checks.h"
#include "core/record/fields.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <memory>
#include <type_traits>
#include <unordered_map>

namespace cutaway::record {

namespace {

constexpr std::string_view kMark = "cutaway columns\n";
constexpr int kDeepest = 32;
constexpr size_t kMostColumns = 4096;
/// What a record may take in memory. One of ten thousand operations takes a tenth of it.
constexpr size_t kMostBytes = size_t{1} << 30;

enum class Kind : char {
    Number = 'n',
    Natural = 'u',
    Item = 'i',
    Truth = 'b',
    Real = 'r',
    Text = 't',
    List = 'l',
    Object = 'o'
};

template <typename T> struct ElementOf {
    static constexpr bool kList = false;
};
template <typename T> struct ElementOf<std::vector<T>> {
    static constexpr bool kList = true;
};

template <typename T> constexpr Kind kindOf() {
    if constexpr (ElementOf<T>::kList)
        return Kind::List;
    else if constexpr (std::is_same_v<T, std::string>)
        return Kind::Text;
    else if constexpr (std::is_same_v<T, bool>)
        return Kind::Truth;
    else if constexpr (std::is_same_v<T, ItemId>) // every field of this type is an item's id
        return Kind::Item;
    else if constexpr (std::is_enum_v<T>)
        return Kind::Natural;
    else if constexpr (std::is_floating_point_v<T>)
        return Kind::Real;
    else if constexpr (std::is_integral_v<T>)
        return Kind::Number;
    else
        return Kind::Object;
}

uint64_t zigzag(int64_t value) {
    return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
}
int64_t unzigzag(uint64_t value) {
    return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

void put(std::string& bytes, uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        bytes += static_cast<char>(value | 0x80);
    bytes += static_cast<char>(value);
}

// Writing.

struct Texts {
    uint32_t number(const std::string& text) {
        const auto at = numbers.find(text);
        if (at != numbers.end()) return at->second;
        const bool sound = base::findInvalidUtf8(text) == std::string_view::npos;
        const std::string& kept = sound ? text : mended.emplace_back(base::validUtf8(text));
        const auto next = static_cast<uint32_t>(inOrder.size());
        numbers.emplace(text, next);
        inOrder.push_back(kept);
        return next;
    }
    std::unordered_map<std::string_view, uint32_t> numbers; ///< into the record's own texts
    std::vector<std::string_view> inOrder;
    std::deque<std::string> mended; ///< a script's text may be no UTF-8
    bool ofCode = true;             ///< whether lines of code keep theirs
};

struct Column {
    Kind kind = Kind::Object;
    std::string_view name;
    std::string values; ///< of a list: how many elements each has
    ItemId last = 0;
    std::vector<std::unique_ptr<Column>> inner; ///< fields of an object; a list's elements
};

class Writer {
public:
    Writer(Column& into, Texts& texts, Part part) : into_(into), texts_(texts), part_(part) {}
    template <typename T> void operator()(const char* name, T& value) {
        if (next_ == into_.inner.size()) add<T>(into_, name);
        write(*into_.inner[next_++], value);
    }
    template <typename T> void timing(const char* name, T& value) {
        if (part_ == Part::All) (*this)(name, value);
    }
    void packed(const char* name, std::vector<Link>& links) { (*this)(name, links); }

private:
    template <typename T> static void add(Column& into, std::string_view name) {
        into.inner.push_back(std::make_unique<Column>());
        into.inner.back()->kind = kindOf<T>();
        into.inner.back()->name = name;
    }
    template <typename T> void write(Column& column, T& value) {
        constexpr Kind kind = kindOf<T>();
        if constexpr (kind == Kind::List) {
            put(column.values, value.size());
            if (column.inner.empty()) add<typename T::value_type>(column, {});
            for (auto& element : value) {
                base::tick();
                write(*column.inner[0], element);
            }
        } else if constexpr (std::is_same_v<T, CodeLine>) {
            CodeLine bare{value.item, {}};
            Writer writer(column, texts_, part_);
            fields(writer, texts_.ofCode ? value : bare);
        } else if constexpr (kind == Kind::Object) {
            Writer writer(column, texts_, part_);
            fields(writer, value);
        } else if constexpr (kind == Kind::Text) {
            put(column.values, texts_.number(value));
        } else if constexpr (kind == Kind::Item) {
            put(column.values, zigzag(static_cast<int32_t>(value - column.last)));
            column.last = value;
        } else if constexpr (kind == Kind::Number) {
            put(column.values, zigzag(value));
        } else if constexpr (kind == Kind::Real) {
            auto bits = std::bit_cast<uint64_t>(static_cast<double>(value));
            for (int byte = 0; byte < 8; ++byte, bits >>= 8)
                column.values += static_cast<char>(bits);
        } else {
            put(column.values, static_cast<uint64_t>(value));
        }
    }
    Column& into_;
    Texts& texts_;
    Part part_;
    size_t next_ = 0;
};

void putText(std::string& bytes, std::string_view text) {
    put(bytes, text.size());
    bytes += text;
}

void putColumn(std::string& bytes, const Column& column) {
    bytes += static_cast<char>(column.kind);
    putText(bytes, column.name);
    if (column.kind == Kind::Object)
        put(bytes, column.inner.size());
    else
        putText(bytes, column.values);
    for (const auto& inner : column.inner)
        putColumn(bytes, *inner);
}

// Reading.

/// Thrown inside this file only.
struct ReadError {
    std::string where, what;
};

/// The next number of \p left. Throws ReadError.
uint64_t take(std::string_view& left, const std::string& where) {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (left.empty()) throw ReadError{where, "it ends too early"};
        const auto byte = static_cast<unsigned char>(left[0]);
        left.remove_prefix(1);
        if (shift == 63 && byte > 1) break;
        value |= uint64_t{byte & 0x7fu} << shift;
        if (byte < 0x80) return value;
    }
    throw ReadError{where, "a number is longer than 64 bits"};
}

std::string_view takeBytes(std::string_view& left, const std::string& where) {
    const uint64_t size = take(left, where);
    if (size > left.size())
        throw ReadError{where, fmt::format("{} bytes are told, {} are there", size, left.size())};
    const std::string_view bytes = left.substr(0, size);
    left.remove_prefix(size);
    return bytes;
}

/// What is left of a column that came from outside.
struct Source {
    Kind kind = Kind::Object;
    std::string_view name;
    std::string path; ///< "record.items.key"
    std::string_view left;
    ItemId last = 0;
    std::vector<Source> inner;
    std::vector<Source*> known; ///< by our fields in their order; null: it has none such

    /// How many more elements it can hold at most: each has a byte of its first field.
    size_t atMost() const {
        if (kind != Kind::Object) return left.size();
        return inner.empty() ? 0 : inner[0].atMost();
    }
};

class Parser {
public:
    explicit Parser(std::string_view bytes) : left_(bytes) {}

    uint64_t version() { return take(left_, "version"); }
    std::vector<std::string_view> texts() {
        std::string_view lengths = takeBytes(left_, "texts"), bytes = takeBytes(left_, "texts");
        std::vector<std::string_view> all;
        while (!lengths.empty()) {
            const uint64_t length = take(lengths, "texts");
            if (length > bytes.size()) throw ReadError{"texts", "they end too early"};
            all.push_back(bytes.substr(0, length));
            bytes.remove_prefix(length);
            if (base::findInvalidUtf8(all.back()) != std::string_view::npos)
                throw ReadError{"texts", fmt::format("text {} is no UTF-8", all.size())};
        }
        if (!bytes.empty()) throw ReadError{"texts", "there are more bytes than texts"};
        return all;
    }
    Source column(const std::string& parent, int depth = 0) {
        if (depth > kDeepest || ++columns_ > kMostColumns)
            throw ReadError{parent, "there are too many columns"};
        if (left_.empty()) throw ReadError{parent, "a column is missing"};
        Source source;
        source.kind = static_cast<Kind>(left_[0]);
        left_.remove_prefix(1);
        source.name = takeBytes(left_, parent);
        source.path = parent;
        if (!source.name.empty())
            source.path += (parent.empty() ? "" : ".") + base::validUtf8(source.name);
        size_t inner = source.kind == Kind::List ? 1 : 0;
        if (source.kind == Kind::Object)
            inner = take(left_, source.path);
        else
            source.left = takeBytes(left_, source.path);
        for (size_t i = 0; i < inner; ++i)
            source.inner.push_back(column(source.path, depth + 1));
        return source;
    }
    bool atEnd() const { return left_.empty(); }

private:
    std::string_view left_;
    size_t columns_ = 0;
};

struct Reading {
    std::vector<std::string_view> texts;
    ItemId largestItem = 0;
    const Source* largestAt = nullptr;
    size_t bytes = 0; ///< taken so far

    void charge(size_t more, const std::string& where) {
        bytes += more;
        if (bytes > kMostBytes)
            throw ReadError{where, fmt::format("it takes more than {} MiB", kMostBytes >> 20)};
    }
};

class Reader {
public:
    Reader(Source& from, Reading& reading) : from_(from), reading_(reading) {}
    template <typename T> void operator()(const char* name, T& value) {
        if (next_ == from_.known.size()) from_.known.push_back(find(name, kindOf<T>()));
        if (Source* source = from_.known[next_++]) read(*source, value);
    }
    template <typename T> void timing(const char* name, T& value) { (*this)(name, value); }
    void packed(const char* name, std::vector<Link>& links) { (*this)(name, links); }

private:
    Source* find(std::string_view name, Kind kind) {
        for (Source& field : from_.inner)
            if (field.name == name) return &wanted(field, kind);
        return nullptr;
    }
    static Source& wanted(Source& source, Kind kind) {
        if (source.kind != kind)
            throw ReadError{source.path,
                            fmt::format("expected kind '{}'", static_cast<char>(kind))};
        return source;
    }
    /// One value of a number's column. Throws ReadError unless it is \p fits.
    template <typename Number>
    static Number fitting(const Source& source, Number value, bool fits) {
        if (!fits) throw ReadError{source.path, fmt::format("{} is out of bounds", value)};
        return value;
    }
    template <typename T> void readList(Source& source, T& list) {
        using Element = typename T::value_type;
        Source& elements = wanted(source.inner[0], kindOf<Element>());
        const uint64_t count = take(source.left, source.path);
        if (count > elements.atMost())
            throw ReadError{source.path, fmt::format("{} elements are told, at most {} are there",
                                                     count, elements.atMost())};
        reading_.charge(count * sizeof(Element), source.path);
        list.resize(count);
        for (Element& element : list) {
            base::tick();
            read(elements, element);
        }
    }
    template <typename T> void read(Source& source, T& value) {
        constexpr Kind kind = kindOf<T>();
        if constexpr (kind == Kind::List) {
            readList(source, value);
        } else if constexpr (kind == Kind::Object) {
            Reader reader(source, reading_);
            fields(reader, value);
        } else if constexpr (kind == Kind::Real) {
            if (source.left.size() < 8) throw ReadError{source.path, "it ends too early"};
            uint64_t bits = 0;
            for (int byte = 8; byte-- > 0;)
                bits = bits << 8 | static_cast<unsigned char>(source.left[size_t(byte)]);
            source.left.remove_prefix(8);
            const auto number = std::bit_cast<double>(bits);
            value = std::isfinite(number) ? number : -1; // as in JSON, which has no others
        } else {
            readWhole(source, value);
        }
    }
    template <typename T> void readWhole(Source& source, T& value) {
        constexpr Kind kind = kindOf<T>();
        const uint64_t number = take(source.left, source.path);
        if constexpr (kind == Kind::Text) {
            fitting(source, number, number < reading_.texts.size());
            const std::string_view text = reading_.texts[number];
            reading_.charge(text.size(), source.path);
            value = text;
        } else if constexpr (kind == Kind::Item) {
            const int64_t step = unzigzag(number);
            fitting(source, step, step == static_cast<int32_t>(step));
            value = source.last += static_cast<ItemId>(step);
            if (value == kNoItem || (reading_.largestAt && value <= reading_.largestItem)) return;
            reading_.largestItem = value;
            reading_.largestAt = &source;
        } else if constexpr (kind == Kind::Number) {
            const int64_t whole = unzigzag(number);
            value = static_cast<T>(fitting(source, whole, whole == static_cast<T>(whole)));
        } else if constexpr (kind == Kind::Truth) {
            value = fitting(source, number, number < 2) == 1;
        } else {
            value = static_cast<T>(fitting(source, number, number < countOf(T{})));
        }
    }
    Source& from_;
    Reading& reading_;
    size_t next_ = 0;
};

/// Throws ReadError where a column that was read holds more than its lists told.
void checkEnds(const Source& source) {
    if (!source.left.empty()) throw ReadError{source.path, "it holds more than is told"};
    if (source.kind == Kind::List) checkEnds(source.inner[0]);
    for (const Source* field : source.known)
        if (field) checkEnds(*field);
}

Record readRecord(std::string_view bytes, base::Status& version, LargestItem& largest) {
    Record record;
    Parser parser(bytes);
    version = checkVersion(static_cast<int64_t>(std::min<uint64_t>(parser.version(), 1u << 30)));
    if (!version) return record;
    Reading reading;
    reading.texts = parser.texts();
    Source source = parser.column("");
    if (source.kind != Kind::Object || !parser.atEnd())
        throw ReadError{source.path, "expected one record"};
    Reader reader(source, reading);
    fields(reader, record);
    checkEnds(source);
    if (reading.largestAt) largest.see(reading.largestItem, reading.largestAt->path);
    return record;
}

} // namespace

std::string toColumns(const Record& record, Part part, bool codeTexts) {
    static const std::string kNone; // outlives the lines that are written without a text
    Texts texts;
    texts.ofCode = codeTexts;
    if (!codeTexts) texts.number(kNone);
    Column all;
    all.name = "record";
    Writer writer(all, texts, part);
    fields(writer, const_cast<Record&>(record)); // the field lists serve both directions
    std::string lengths, content;
    for (const std::string_view text : texts.inOrder) {
        put(lengths, text.size());
        content += text;
    }
    std::string bytes(kMark);
    put(bytes, Record::kVersion);
    putText(bytes, lengths);
    putText(bytes, content);
    putColumn(bytes, all);
    return bytes;
}

base::Result<Record> fromColumns(std::string_view bytes) {
    if (!bytes.starts_with(kMark)) return base::userError({}, "expected a record's columns");
    bytes.remove_prefix(kMark.size());
    try {
        base::Status version;
        LargestItem largest;
        Record record = readRecord(bytes, version, largest);
        if (!version) return version.error();
        CUTAWAY_CHECK(checkItems(record, largest));
        record.version = Record::kVersion;
        return record;
    } catch (const ReadError& error) {
        return base::userError({}, fmt::format("{}: {}", error.where, error.what));
    }
}

/// \param use is told every text of every kernel, until it says true
template <typename F> static bool anyCode(const Record& record, F use) {
    for (const Function& function : record.functions)
        for (const Entry& entry : function.entries)
            for (const LoweredGraph& lowered : entry.lowered)
                for (const KernelInfo& kernel : lowered.kernels)
                    if (std::ranges::any_of(kernel.codes, use)) return true;
    return false;
}

size_t codeLineCount(const Record& record) {
    size_t lines = 0;
    anyCode(record, [&](const Code& code) {
        lines += code.lines.size();
        return false;
    });
    return lines;
}

bool lacksTexts(const Code& code) {
    return !code.lines.empty() &&
           std::ranges::all_of(code.lines, [](const CodeLine& line) { return line.text.empty(); });
}

bool lacksTexts(const Record& record) {
    return anyCode(record, [](const Code& code) { return lacksTexts(code); });
}

} // namespace cutaway::record
