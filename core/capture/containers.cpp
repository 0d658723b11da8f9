// SPDX-License-Identifier: Apache-2.0
// Indexing, slicing, membership and length of containers.
#include "core/capture/integers.h"
#include "core/capture/overrides.h"
#include "core/capture/script_observer.h"
#include "core/capture/tensor_world.h"
#include "core/capture/torch_calls.h"
#include "core/capture/torch_support.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::capture {

namespace {

struct SliceBounds {
    int64_t start, step, count, stop;
};

bool isSequence(const Val& v) {
    return v.is(Kind::List) || v.is(Kind::Tuple) || v.is(Kind::Str) || v.is(Kind::Range) ||
           v.is(Kind::Bytes);
}

/// An index of a sequence with its numbers made, which may run a script's code: before anything is
/// read of the sequence, which that code may change.
Val withNumbers(Interp& in, const Val& index) {
    if (index.isIntegral()) return index;
    if (auto* slice = index.to<SliceObj>()) {
        auto plain = [](const Val& v) { return v.isNone() || v.isIntegral(); };
        if (plain(slice->start) && plain(slice->stop) && plain(slice->step)) return index;
        auto number = [&](const Val& v, const char* what) {
            if (plain(v)) return v;
            if (v.is(Kind::Integer) && !plainInteger(v).isIntegral()) // beyond any sequence
                return Val::integer(compareIntegers(v, Val::integer(0)) < 0 ? -INT64_MAX
                                                                            : INT64_MAX);
            return Val::integer(wantInt(in, v, what));
        };
        auto* out = in.make<SliceObj>();
        const Val keep(out);
        out->start = number(slice->start, "the slice's start");
        out->stop = number(slice->stop, "the slice's end");
        out->step = number(slice->step, "the slice's step");
        return keep;
    }
    const Val plain = in.plain(index);
    if (auto* tensor = plain.to<TensorObj>()) return indexOfTensor(in, *tensor);
    if (Val* method = in.special(plain, "__index__"); method && !plain.is(Kind::Integer))
        return in.plain(in.call(in.bindMethod(*method, plain, in.typeOf(plain)), {}));
    return plain;
}

/// \param slice with numbers (withNumbers)
SliceBounds sliceBounds(Interp& interp, const SliceObj& slice, int64_t length) {
    auto part = [](const Val& v, int64_t fallback) { return v.isNone() ? fallback : v.asInt(); };
    // A step beyond the sequence is as good as a longer one, which would run over.
    const int64_t most = std::max<int64_t>(length + 1, 2);
    const int64_t step = std::clamp(part(slice.step, 1), -most, most);
    if (step == 0) interp.raise(Error::Value, "slice step cannot be zero");
    auto wrap = [&](int64_t i, int64_t low, int64_t high) {
        return std::clamp(i < 0 ? i + length : i, low, high);
    };
    int64_t start, stop;
    if (step > 0) {
        start = wrap(part(slice.start, 0), 0, length);
        stop = wrap(part(slice.stop, length), 0, length);
        return {start, step, stop > start ? (stop - start - 1) / step + 1 : 0, stop};
    }
    start = slice.start.isNone() ? length - 1 : wrap(part(slice.start, 0), -1, length - 1);
    stop = slice.stop.isNone() ? -1 : wrap(part(slice.stop, 0), -1, length - 1);
    return {start, step, start > stop ? (start - stop - 1) / -step + 1 : 0, stop};
}

/// Where the characters of a text start, its end included; nothing when every byte is one.
std::vector<uint32_t> characterStarts(const std::string& s) {
    std::vector<uint32_t> starts;
    auto inside = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
    if (std::none_of(s.begin(), s.end(), inside)) return starts;
    for (size_t i = 0; i < s.size(); ++i)
        if (!inside(s[i])) starts.push_back(static_cast<uint32_t>(i));
    starts.push_back(static_cast<uint32_t>(s.size()));
    return starts;
}

/// \param index with its number made (withNumbers)
/// \param assigned an item is assigned or deleted there.
size_t wrapIndex(Interp& interp, const Val& index, size_t length, std::string_view what,
                 bool assigned = false) {
    if (index.is(Kind::Integer))
        interp.raise(Error::Index, "cannot fit 'int' into an index-sized integer");
    if (!index.isIntegral())
        interp.raisePython(
            Error::Type,
            what == "str"
                ? fmt::format("string indices must be integers, not '{}'", interp.typeName(index))
                : fmt::format("{} indices must be integers or slices, not {}", what,
                              interp.typeName(index)),
            fmt::format("a {} is indexed with an int or a slice, found {}", what,
                        interp.typeName(index)));
    int64_t i = index.asInt(), n = static_cast<int64_t>(length);
    if (i < 0) i += n;
    if (i < 0 || i >= n)
        interp.raisePython(Error::Index,
                           fmt::format("{} {}index out of range",
                                       what == "str"     ? "string"
                                       : what == "range" ? "range object"
                                                         : what,
                                       assigned ? "assignment " : ""),
                           fmt::format("index {} is out of range for a {} of {} item{}",
                                       index.asInt(), what, n, n == 1 ? "" : "s"));
    return static_cast<size_t>(i);
}

std::vector<Val> pick(Interp& in, const std::vector<Val>& values, const SliceBounds& b) {
    std::vector<Val> out;
    for (int64_t k = 0, i = b.start; k < b.count; ++k, i += b.step)
        in.add(out, values[static_cast<size_t>(i)]);
    return out;
}

Val textItem(Interp& in, const std::string& s, const Val& index) {
    std::vector<uint32_t> starts = characterStarts(s);
    size_t count = starts.empty() ? s.size() : starts.size() - 1;
    auto character = [&](size_t i) {
        if (starts.empty()) return std::string_view(s).substr(i, 1);
        return std::string_view(s).substr(starts[i], starts[i + 1] - starts[i]);
    };
    auto* slice = index.to<SliceObj>();
    if (!slice) return in.str(std::string(character(wrapIndex(in, index, count, "str"))));
    SliceBounds b = sliceBounds(in, *slice, static_cast<int64_t>(count));
    std::string out;
    for (int64_t k = 0, i = b.start; k < b.count; ++k, i += b.step)
        out += character(static_cast<size_t>(i));
    return in.str(std::move(out));
}

/// What in a key has no hash: the key, or the first such item of a tuple.
const Val* unhashed(const Val& key) {
    if (auto* tuple = key.to<TupleObj>())
        for (const Val& item : tuple->items)
            if (!hashOf(item)) return unhashed(item);
    return &key;
}

} // namespace

/// Its class defines __hash__ or __eq__; a tuple of such.
bool Interp::hashesItself(const Val& key) {
    if (classOf(key)) {
        if (special(key, "__hash__") || special(key, "__eq__")) return true;
        if (key.is(Kind::Instance)) return false;
    }
    auto* tuple = key.to<TupleObj>();
    if (!tuple || tuple->hash != 0) return false;
    checkStack();
    tick();
    if (std::any_of(tuple->items.begin(), tuple->items.end(),
                    [&](const Val& item) { return hashesItself(item); }))
        return true;
    hashOf(key); // which the tuple remembers: a shared nest is walked once
    return false;
}

size_t Interp::hash(const Val& key) {
    if (hashesItself(key)) {
        if (auto* tuple = key.to<TupleObj>()) {
            size_t h = 1;
            for (const Val& item : tuple->items)
                h = h * 1000003 + hash(item);
            return h | 1;
        }
        Val* method = special(key, "__hash__");
        if (!method || method->isNone())
            raisePython(Error::Type, fmt::format("unhashable type: '{}'", typeName(key)),
                        fmt::format("a {} cannot be a dict key or set element", typeName(key)),
                        "define __hash__ beside __eq__ in its class");
        const Val h = plain(call(bindMethod(*method, key, typeOf(key)), {}));
        if (!isInteger(h)) raise(Error::Type, "__hash__ method should return an integer");
        return (static_cast<size_t>(integerHash(h)) << 1) | 1; // hash() gives it back
    }
    auto h = hashOf(key);
    if (!h)
        raisePython(Error::Type, fmt::format("unhashable type: '{}'", typeName(*unhashed(key))),
                    fmt::format("a {} cannot be a dict key or set element", typeName(key)),
                    "use a tuple");
    if (key.isObject()) observer_->readIdentity(key.object());
    return *h;
}

Interp::DictKey Interp::keyIn(DictObj& dict, const Val& given) {
    const Val key = plain(given);
    DictKey k{key, hash(key)};
    if (!hashesItself(key)) return k;
    Val keep(&dict);
    noteLength(keep);
    for (size_t i = 0; i < dict.entries().size(); ++i) {
        DictObj::Entry e = dict.entries()[i]; // __eq__ may change the dict
        if (e.live() && e.hash == k.hash && (e.key.identical(key) || equal(e.key, key)))
            return {e.key, e.hash};
    }
    return k;
}

Val* Interp::findKey(DictObj& dict, const Val& key) {
    DictKey k = keyIn(dict, key);
    return dict.find(k.key, k.hash);
}

void Interp::put(DictObj& dict, const Val& key, Val value) {
    DictKey k = keyIn(dict, key);
    dict.set(k.key, k.hash, std::move(value));
}

bool Interp::eraseKey(DictObj& dict, const Val& key) {
    DictKey k = keyIn(dict, key);
    return dict.erase(k.key, k.hash);
}

Val* Interp::dictFind(DictObj& dict, const Val& key) {
    DictKey k = keyIn(dict, key);
    Val* found = dict.find(k.key, k.hash);
    if (found)
        observer_->readItem(&dict, k.key, *found);
    else if (!hashesItself(key)) // else all keys are noted
        observer_->readMissing(&dict, key);
    return found;
}

void Interp::dictSet(DictObj& dict, const Val& key, Val value) {
    mutating(&dict, "a dict");
    put(dict, key, std::move(value));
}

Val Interp::getItem(const Val& container, const Val& index) {
    if (classOf(container)) {
        if (Val* method = special(container, "__getitem__"))
            return call(bindMethod(*method, container, typeOf(container)), {index});
        if (container.is(Kind::Dict))
            if (Val* missing = special(container, "__missing__");
                missing && !containsOfBuiltin(container, index))
                return call(bindMethod(*missing, container, typeOf(container)), {index});
    }
    return getItemOfBuiltin(container, index);
}

static Val sequenceItem(Interp& in, const Val& container, const Val& index) {
    const bool isList = container.is(Kind::List);
    const auto& values = isList ? container.as<ListObj>()->items : container.as<TupleObj>()->items;
    if (auto* slice = index.to<SliceObj>()) {
        in.noteLength(container);
        SliceBounds b = sliceBounds(in, *slice, static_cast<int64_t>(values.size()));
        in.observer().readItems(container.object(), values, b.start, b.step, b.count);
        Val result = isList ? in.list(pick(in, values, b)) : in.tuple(pick(in, values, b));
        if (!isList) result.as<TupleObj>()->size = container.as<TupleObj>()->size;
        return result;
    }
    const bool inside = index.isIntegral() && index.asInt() >= 0 &&
                        index.asInt() < static_cast<int64_t>(values.size());
    if (!inside) in.noteLength(container);
    const size_t i = wrapIndex(in, index, values.size(), isList ? "list" : "tuple");
    Val v = values[i];
    const Val at = Val::integer(static_cast<int64_t>(i));
    if (v.isInt() || v.isFloat())
        if (auto symbol = in.observer().itemSymbol(container.object(), at, v)) return *symbol;
    in.noteItem(container, at, v);
    return v;
}

static Val dictItem(Interp& in, const Val& container, const Val& index) {
    DictObj& dict = *container.as<DictObj>();
    if (auto* name = index.to<StrObj>())
        if (Val* number = dict.find(name); number && (number->isInt() || number->isFloat()))
            if (auto symbol = in.observer().itemSymbol(&dict, index, *number)) return *symbol;
    if (Val* found = in.dictFind(dict, index)) return *found;
    std::vector<std::string> keys;
    for (const auto& e : dict.entries())
        if (e.key.is(Kind::Str)) keys.push_back(e.key.as<StrObj>()->text);
    const std::string near =
        index.is(Kind::Str) ? in.nearest(index.as<StrObj>()->text, keys) : std::string();
    in.raisePython(Error::Key, std::vector<Val>{index},
                   fmt::format("the dict has no key {}", in.repr(index)),
                   near.empty() ? "" : fmt::format("did you mean '{}'?", near));
}

Val Interp::getItemOfBuiltin(const Val& container, const Val& given) {
    const Val index = isSequence(container) ? withNumbers(*this, given) : given;
    auto refuse = [&] {
        raisePython(
            Error::Type,
            container.is(Kind::Class)
                ? fmt::format("type '{}' is not subscriptable", container.as<ClassObj>()->name)
                : fmt::format("'{}' object is not subscriptable", typeName(container)),
            fmt::format("a value of type {} cannot be indexed", typeName(container)));
    };
    if (!container.isObject()) refuse();
    switch (container.object()->kind) {
    case Kind::List:
    case Kind::Tuple:
        return sequenceItem(*this, container, index);
    case Kind::Dict:
        return dictItem(*this, container, index);
    case Kind::Str:
        return textItem(*this, container.as<StrObj>()->text, index);
    case Kind::Range: {
        auto* range = container.as<RangeObj>();
        if (auto* slice = index.to<SliceObj>()) {
            SliceBounds b = sliceBounds(*this, *slice, range->length());
            auto number = [this](__int128 n) {
                if (n < INT64_MIN || n > INT64_MAX)
                    raise(Error::Overflow, "Python int too large to convert to C ssize_t");
                return static_cast<int64_t>(n);
            };
            auto* out = make<RangeObj>();
            out->start = number(range->start + static_cast<__int128>(b.start) * range->step);
            out->step = number(static_cast<__int128>(range->step) * b.step);
            out->stop = number(range->start + static_cast<__int128>(b.stop) * range->step);
            return Val(out);
        }
        return Val::integer(range->start +
                            range->step *
                                static_cast<int64_t>(wrapIndex(
                                    *this, index, static_cast<size_t>(range->length()), "range")));
    }
    case Kind::Tensor:
        if (torchOverrides.calls)
            return torchOverrides.calls->operation("__getitem__", {container, index},
                                                   [&] { return tensorItem(container, index); });
        if (torchOverrides.asked())
            if (Val r = overriddenOperator("__getitem__", nullptr, container, index); r.bound())
                return r;
        return tensorItem(container, index);
    case Kind::Class: {
        if (Val* method = classAttr(*container.as<ClassObj>(), "__class_getitem__"))
            return call(bindMethod(*method, container, container.as<ClassObj>()), {index});
        if (capture_ || container.as<ClassObj>()->native == false) return container;
        Val typing = import("typing"); // list[int]
        return call(getAttr(typing, intern("_Alias")), {container, index});
    }
    case Kind::Bytes: {
        auto* bytes = container.as<BytesObj>();
        if (auto* slice = index.to<SliceObj>()) {
            SliceBounds b = sliceBounds(*this, *slice, static_cast<int64_t>(bytes->bytes.size()));
            std::string out;
            for (int64_t k = 0, i = b.start; k < b.count; ++k, i += b.step)
                out += bytes->bytes[static_cast<size_t>(i)];
            return Val(make<BytesObj>(std::move(out), bytes->changeable));
        }
        return Val::integer(static_cast<unsigned char>(
            bytes->bytes[wrapIndex(*this, index, bytes->bytes.size(), typeName(container))]));
    }
    case Kind::Compiled:
        return getItem(container.as<CompiledObj>()->original, index);
    default:
        break;
    }
    refuse();
    return {};
}

void Interp::setItem(const Val& container, const Val& index, Val value) {
    if (torchOverrides.calls && container.is(Kind::Tensor)) {
        torchOverrides.calls->operation("__setitem__", {container, index, value}, [&] {
            setItem(container, index, value);
            return Val::none();
        });
        return;
    }
    if (container.is(Kind::Tensor) && torchOverrides.asked()) {
        const Val operands[] = {index, value};
        const Val method = getAttr(container, intern("__setitem__"));
        if (overridden(method, Arguments{operands, {}}).bound()) return;
    }
    if (Val* method = special(container, "__setitem__")) {
        call(bindMethod(*method, container, typeOf(container)), {index, value});
        return;
    }
    setItemOfBuiltin(container, index, std::move(value));
}

/// a[...] = b of a bytearray.
static void setBytes(Interp& in, BytesObj& bytes, const Val& index, const Val& value) {
    in.mutating(&bytes, "a bytearray");
    auto byte = [&](const Val& v) {
        const int64_t n = wantInt(in, v, "a byte");
        if (n < 0 || n > 255) in.raise(Error::Value, "byte must be in range(0, 256)");
        return static_cast<char>(n);
    };
    auto* slice = index.to<SliceObj>();
    if (!slice) {
        bytes.bytes[wrapIndex(in, index, bytes.bytes.size(), "bytearray")] = byte(value);
        return;
    }
    std::string more;
    for (const Val& v : in.items(value))
        more += byte(v);
    SliceBounds b = sliceBounds(in, *slice, static_cast<int64_t>(bytes.bytes.size()));
    if (b.step == 1) {
        wantOwnSize(in, bytes, bytes.bytes.size() - static_cast<size_t>(b.count) + more.size());
        bytes.bytes.replace(static_cast<size_t>(b.start), static_cast<size_t>(b.count), more);
        return;
    }
    if (static_cast<int64_t>(more.size()) != b.count)
        in.raise(Error::Value,
                 fmt::format("attempt to assign bytes of size {} to extended slice of size {}",
                             more.size(), b.count));
    for (int64_t k = 0, i = b.start; k < b.count; ++k, i += b.step)
        bytes.bytes[static_cast<size_t>(i)] = more[static_cast<size_t>(k)];
}

void Interp::setItemOfBuiltin(const Val& container, const Val& given, Val value) {
    const Val index = isSequence(container) ? withNumbers(*this, given) : given;
    if (auto* bytes = container.to<BytesObj>(); bytes && bytes->changeable)
        return setBytes(*this, *bytes, index, value);
    if (auto* l = container.to<ListObj>()) {
        mutating(l, "a list");
        if (auto* slice = index.to<SliceObj>()) {
            std::vector<Val> more = items(value); // may run a script's code, which may change l
            SliceBounds b = sliceBounds(*this, *slice, static_cast<int64_t>(l->items.size()));
            if (b.step == 1) {
                auto first = l->items.begin() + b.start;
                room(more.size() * sizeof(Val));
                first = l->items.erase(first, first + b.count);
                l->items.insert(first, more.begin(), more.end());
                l->counted();
                return;
            }
            if (static_cast<int64_t>(more.size()) != b.count)
                raisePython(
                    Error::Value,
                    fmt::format("attempt to assign sequence of size {} to extended slice of "
                                "size {}",
                                more.size(), b.count),
                    fmt::format("found {} values for a slice of {}", more.size(), b.count));
            for (int64_t k = 0, i = b.start; k < b.count; ++k, i += b.step)
                l->items[static_cast<size_t>(i)] = more[static_cast<size_t>(k)];
            return;
        }
        size_t i = wrapIndex(*this, index, l->items.size(), "list", true);
        l->items[i] = std::move(value);
        return;
    }
    if (container.is(Kind::Dict)) return dictSet(*container.as<DictObj>(), index, std::move(value));
    if (container.is(Kind::Tensor)) return setTensorItem(container, index, value);
    raisePython(Error::Type,
                fmt::format("'{}' object does not support item assignment", typeName(container)),
                fmt::format("items of a {} cannot be assigned", typeName(container)),
                container.is(Kind::Tuple) ? "make a new tuple, or use a list" : "");
}

void Interp::deleteItem(const Val& container, const Val& index) {
    if (Val* method = special(container, "__delitem__")) {
        call(bindMethod(*method, container, typeOf(container)), {index});
        return;
    }
    deleteItemOfBuiltin(container, index);
}

void Interp::deleteItemOfBuiltin(const Val& container, const Val& given) {
    const Val index = isSequence(container) ? withNumbers(*this, given) : given;
    if (container.is(Kind::Dict)) {
        auto* dict = container.as<DictObj>();
        mutating(dict, "a dict");
        if (!eraseKey(*dict, index))
            raisePython(Error::Key, std::vector<Val>{index},
                        fmt::format("the dict has no key {}", repr(index)));
        return;
    }
    if (auto* bytes = container.to<BytesObj>(); bytes && bytes->changeable) {
        Val one = index;
        if (!index.is(Kind::Slice)) {
            const size_t at = wrapIndex(*this, index, bytes->bytes.size(), "bytearray");
            mutating(bytes, "a bytearray");
            wantOwnSize(*this, *bytes, bytes->bytes.size() - 1);
            bytes->bytes.erase(at, 1);
            return;
        }
        return setBytes(*this, *bytes, index, Val(make<BytesObj>("")));
    }
    if (auto* l = container.to<ListObj>()) {
        mutating(l, "a list");
        if (auto* slice = index.to<SliceObj>()) {
            SliceBounds b = sliceBounds(*this, *slice, static_cast<int64_t>(l->items.size()));
            std::vector<bool> gone(l->items.size());
            for (int64_t k = 0, i = b.start; k < b.count; ++k, i += b.step)
                gone[static_cast<size_t>(i)] = true;
            std::vector<Val> kept;
            for (size_t i = 0; i < gone.size(); ++i)
                if (!gone[i]) add(kept, l->items[i]);
            l->items = std::move(kept);
            l->counted();
            return;
        }
        l->items.erase(l->items.begin() + static_cast<std::ptrdiff_t>(wrapIndex(
                                              *this, index, l->items.size(), "list", true)));
        return;
    }
    raisePython(Error::Type,
                fmt::format("'{}' object doesn't support item deletion", typeName(container)),
                fmt::format("items of a {} cannot be deleted", typeName(container)));
}

bool Interp::contains(const Val& container, const Val& item) {
    if (Val* method = special(container, "__contains__"))
        return truthy(call(bindMethod(*method, container, typeOf(container)), {item}));
    if (Val told = overriddenProtocol(*this, "__contains__", container, {item}); told.bound())
        return truthy(told);
    return containsOfBuiltin(container, item);
}

bool Interp::containsOfBuiltin(const Val& container, const Val& item) {
    if (container.isObject()) switch (container.object()->kind) {
        case Kind::Dict:
            return dictFind(*container.as<DictObj>(), item) != nullptr;
        case Kind::Set:
            noteLength(container);
            if (item.is(Kind::Set)) { // equal to a frozenset of the same elements
                Val it = iterate(container), v;
                while (next(it, v))
                    if (v.is(Kind::Set) && equal(v, item)) return true;
                return false;
            }
            return findKey(*container.as<SetObj>(), item) != nullptr;
        case Kind::Str:
            if (!item.is(Kind::Str))
                raisePython(
                    Error::Type,
                    fmt::format("'in <string>' requires string as left operand, not {}",
                                typeName(item)),
                    fmt::format("the text to look for must be a str, found {}", typeName(item)));
            return findText(container.as<StrObj>()->text,
                            wantStr(*this, item, "the text to look for")) != std::string::npos;
        case Kind::Range: {
            auto* range = container.as<RangeObj>();
            const Val number = plain(item);
            if (!number.isIntegral()) return false;
            int64_t x = number.asInt();
            bool between = range->step > 0 ? x >= range->start && x < range->stop
                                           : x <= range->start && x > range->stop;
            return between && (x - range->start) % range->step == 0;
        }
        case Kind::Tensor:
            if (!item.is(Kind::Tensor) && !item.isNumber() && !item.is(Kind::Symbol) &&
                !item.is(Kind::Number))
                raise(Error::Runtime,
                      fmt::format("'in' a tensor looks for a number or a tensor, found {}",
                                  typeName(item)));
            return truthy(operation("any", {compare(CompareOp::Equal, container, item)}));
        case Kind::Bytes: {
            const std::string& bytes = container.as<BytesObj>()->bytes;
            if (auto* part = item.to<BytesObj>())
                return findText(bytes, part->bytes) != std::string::npos;
            if (!isInteger(item) && !special(item, "__index__"))
                raise(Error::Type,
                      fmt::format("a bytes-like object is required, not '{}'", typeName(item)));
            return bytes.find(static_cast<char>(wantInt(*this, item, "a byte"))) !=
                   std::string::npos;
        }
        case Kind::View: {
            auto* view = container.as<ViewObj>();
            if (view->of == ViewObj::Of::Keys) return containsOfBuiltin(view->dict, item);
            if (view->of == ViewObj::Of::Values) break;
            auto* pair = item.to<TupleObj>();
            if (!pair || pair->items.size() != 2) return false;
            Val* found = dictFind(*view->dict.as<DictObj>(), pair->items[0]);
            return found &&
                   (found->identical(pair->items[1]) || equal(Val(*found), pair->items[1]));
        }
        default:
            break;
        }
    const bool plainObject = container.is(Kind::Instance) && !special(container, "__iter__") &&
                             !special(container, "__getitem__");
    if (!container.isObject() || plainObject)
        raise(Error::Type,
              fmt::format("argument of type '{}' is not iterable", typeName(container)));
    Val it = iterate(container), v;
    while (next(it, v))
        if (v.identical(item) || equal(v, item)) return true;
    return false;
}

int64_t Interp::length(const Val& v) {
    if (Val* method = special(v, "__len__")) {
        int64_t n =
            wantInt(*this, call(bindMethod(*method, v, typeOf(v)), {}), "the result of __len__");
        if (n < 0) raise(Error::Value, "__len__() should return >= 0");
        return n;
    }
    if (Val told = overriddenProtocol(*this, "__len__", v); told.bound())
        return wantInt(*this, told, "the result of __len__");
    return lengthOfBuiltin(v);
}

int64_t Interp::lengthOfBuiltin(const Val& v) {
    if (v.isObject()) switch (v.object()->kind) {
        case Kind::List:
            noteLength(v);
            return static_cast<int64_t>(v.as<ListObj>()->items.size());
        case Kind::Tuple:
            noteLength(v);
            return static_cast<int64_t>(v.as<TupleObj>()->items.size());
        case Kind::Dict:
        case Kind::Set:
            noteLength(v);
            return static_cast<int64_t>(static_cast<DictObj*>(v.object())->size());
        case Kind::Str:
            return static_cast<int64_t>(textWidth(v.as<StrObj>()->text));
        case Kind::Range:
            return v.as<RangeObj>()->length();
        case Kind::Tensor: {
            auto* t = v.as<TensorObj>();
            observer_->readTensor(*t);
            if (t->type().sizes.empty()) raise(Error::Type, "len() of a 0-d tensor");
            const ir::Sym& size = t->type().sizes[0];
            return size.isConst() ? size.constant() : world_->sizeValue(size);
        }
        case Kind::Bytes:
            return static_cast<int64_t>(v.as<BytesObj>()->bytes.size());
        case Kind::View:
            return lengthOfBuiltin(v.as<ViewObj>()->dict);
        case Kind::Compiled:
            return length(v.as<CompiledObj>()->original);
        default:
            break;
        }
    raisePython(Error::Type, fmt::format("object of type '{}' has no len()", typeName(v)),
                fmt::format("a value of type {} has no length", typeName(v)));
}

} // namespace cutaway::capture
