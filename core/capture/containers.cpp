// SPDX-License-Identifier: Apache-2.0
// Indexing, slicing, membership and length of containers.
#include "core/capture/capture.h"
#include "core/capture/interp.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::capture {

namespace {

struct SliceBounds {
    int64_t start, step, count;
};

SliceBounds sliceBounds(Interp& interp, const SliceObj& slice, int64_t length) {
    auto part = [&](const Val& v, int64_t fallback, const char* what) {
        if (v.isNone()) return fallback;
        return wantInt(interp, v, what);
    };
    int64_t step = part(slice.step, 1, "the slice's step");
    if (step == 0) interp.raise(Error::Value, "the slice's step is 0");
    auto wrap = [&](int64_t i, int64_t low, int64_t high) {
        return std::clamp(i < 0 ? i + length : i, low, high);
    };
    int64_t start, stop;
    if (step > 0) {
        start = wrap(part(slice.start, 0, "the slice's start"), 0, length);
        stop = wrap(part(slice.stop, length, "the slice's end"), 0, length);
        return {start, step, stop > start ? (stop - start - 1) / step + 1 : 0};
    }
    start = slice.start.isNone() ? length - 1
                                 : wrap(part(slice.start, 0, "the slice's start"), -1, length - 1);
    stop = slice.stop.isNone() ? -1 : wrap(part(slice.stop, 0, "the slice's end"), -1, length - 1);
    return {start, step, start > stop ? (start - stop - 1) / -step + 1 : 0};
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

size_t wrapIndex(Interp& interp, const Val& given, size_t length, std::string_view what) {
    const Val index = interp.plain(given);
    if (!index.isIntegral())
        interp.raise(Error::Type, fmt::format("a {} is indexed with an int or a slice, found {}",
                                              what, interp.typeName(index)));
    int64_t i = index.asInt(), n = static_cast<int64_t>(length);
    if (i < 0) i += n;
    if (i < 0 || i >= n)
        interp.raise(Error::Index, fmt::format("index {} is out of range for a {} of {} item{}",
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

} // namespace

/// Its class defines __hash__ or __eq__; a tuple of such.
bool Interp::hashesItself(const Val& key) {
    if (auto* instance = key.to<InstanceObj>())
        return classAttr(*instance->type, "__hash__") || classAttr(*instance->type, "__eq__");
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
        auto* instance = key.as<InstanceObj>();
        Val* method = classAttr(*instance->type, "__hash__");
        if (!method || method->isNone())
            raise(Error::Type,
                  fmt::format("a {} cannot be a dict key or set element", typeName(key)),
                  "define __hash__ beside __eq__ in its class");
        int64_t h = wantInt(*this, call(bindMethod(*method, key, instance->type.get()), {}),
                            "the result of __hash__");
        return (static_cast<size_t>(h) << 1) | 1; // hash() gives it back
    }
    auto h = hashOf(key);
    if (!h)
        raise(Error::Type, fmt::format("a {} cannot be a dict key or set element", typeName(key)),
              "use a tuple");
    if (capture_ && key.isObject()) capture_->readIdentity(key.object());
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
    if (capture_) {
        if (found)
            capture_->readItem(&dict, k.key, *found);
        else if (!hashesItself(key)) // else all keys are noted
            capture_->readMissing(&dict, key);
    }
    return found;
}

void Interp::dictSet(DictObj& dict, const Val& key, Val value) {
    mutating(&dict, "a dict");
    put(dict, key, std::move(value));
}

Val Interp::getItem(const Val& container, const Val& index) {
    if (!container.isObject())
        raise(Error::Type,
              fmt::format("a value of type {} cannot be indexed", typeName(container)));
    switch (container.object()->kind) {
    case Kind::List:
    case Kind::Tuple: {
        bool isList = container.is(Kind::List);
        const auto& values =
            isList ? container.as<ListObj>()->items : container.as<TupleObj>()->items;
        if (auto* slice = index.to<SliceObj>()) {
            noteLength(container);
            SliceBounds b = sliceBounds(*this, *slice, static_cast<int64_t>(values.size()));
            if (capture_)
                for (int64_t k = 0, i = b.start; k < b.count; ++k, i += b.step)
                    noteItem(container, Val::integer(i), values[static_cast<size_t>(i)]);
            Val result = isList ? list(pick(*this, values, b)) : tuple(pick(*this, values, b));
            if (!isList) result.as<TupleObj>()->size = container.as<TupleObj>()->size;
            return result;
        }
        bool inside = index.isIntegral() && index.asInt() >= 0 &&
                      index.asInt() < static_cast<int64_t>(values.size());
        if (!inside) noteLength(container);
        size_t i = wrapIndex(*this, index, values.size(), isList ? "list" : "tuple");
        Val v = values[i];
        noteItem(container, Val::integer(static_cast<int64_t>(i)), v);
        return v;
    }
    case Kind::Dict: {
        Val* found = dictFind(*container.as<DictObj>(), index);
        if (!found) {
            std::vector<std::string> keys;
            for (const auto& e : container.as<DictObj>()->entries())
                if (e.key.is(Kind::Str)) keys.push_back(e.key.as<StrObj>()->text);
            std::string near = index.is(Kind::Str) ? nearest(index.as<StrObj>()->text, keys) : "";
            raise(Error::Key, fmt::format("the dict has no key {}", repr(index)),
                  near.empty() ? "" : fmt::format("did you mean '{}'?", near));
        }
        return *found;
    }
    case Kind::Str:
        return textItem(*this, container.as<StrObj>()->text, index);
    case Kind::Range: {
        auto* range = container.as<RangeObj>();
        if (auto* slice = index.to<SliceObj>()) {
            SliceBounds b = sliceBounds(*this, *slice, range->length());
            auto* out = make<RangeObj>();
            out->start = range->start + b.start * range->step;
            out->step = range->step * b.step;
            out->stop = out->start + b.count * out->step;
            return Val(out);
        }
        return Val::integer(range->start +
                            range->step *
                                static_cast<int64_t>(wrapIndex(
                                    *this, index, static_cast<size_t>(range->length()), "range")));
    }
    case Kind::Tensor:
        return tensorItem(container, index);
    case Kind::Class:
        return container; // List[int] in an expression: types carry no meaning
    case Kind::Instance: {
        Val method = tryAttr(container, intern("__getitem__"));
        if (method.bound()) return call(method, {index});
        break;
    }
    case Kind::Compiled:
        return getItem(container.as<CompiledObj>()->original, index);
    default:
        break;
    }
    raise(Error::Type, fmt::format("a value of type {} cannot be indexed", typeName(container)));
}

void Interp::setItem(const Val& container, const Val& index, Val value) {
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
                raise(Error::Value,
                      fmt::format("found {} values for a slice of {}", more.size(), b.count));
            for (int64_t k = 0, i = b.start; k < b.count; ++k, i += b.step)
                l->items[static_cast<size_t>(i)] = more[static_cast<size_t>(k)];
            return;
        }
        size_t i = wrapIndex(*this, index, l->items.size(), "list");
        l->items[i] = std::move(value);
        return;
    }
    if (auto* dict = container.to<DictObj>()) return dictSet(*dict, index, std::move(value));
    if (container.is(Kind::Tensor)) return setTensorItem(container, index, value);
    if (container.is(Kind::Instance)) {
        Val method = tryAttr(container, intern("__setitem__"));
        if (method.bound()) {
            call(method, {index, value});
            return;
        }
    }
    raise(Error::Type, fmt::format("items of a {} cannot be assigned", typeName(container)),
          container.is(Kind::Tuple) ? "make a new tuple, or use a list" : "");
}

void Interp::deleteItem(const Val& container, const Val& index) {
    if (auto* dict = container.to<DictObj>()) {
        mutating(dict, "a dict");
        if (!eraseKey(*dict, index))
            raise(Error::Key, fmt::format("the dict has no key {}", repr(index)));
        return;
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
        l->items.erase(l->items.begin() + static_cast<std::ptrdiff_t>(
                                              wrapIndex(*this, index, l->items.size(), "list")));
        return;
    }
    if (container.is(Kind::Instance)) {
        Val method = tryAttr(container, intern("__delitem__"));
        if (method.bound()) {
            call(method, {index});
            return;
        }
    }
    raise(Error::Type, fmt::format("items of a {} cannot be deleted", typeName(container)));
}

bool Interp::contains(const Val& container, const Val& item) {
    if (container.isObject()) switch (container.object()->kind) {
        case Kind::Dict:
            return dictFind(*container.as<DictObj>(), item) != nullptr;
        case Kind::Set:
            noteLength(container);
            return findKey(*container.as<SetObj>(), item) != nullptr;
        case Kind::Str:
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
            if (!item.is(Kind::Tensor) && !item.isNumber())
                raise(Error::Runtime,
                      fmt::format("'in' a tensor looks for a number or a tensor, found {}",
                                  typeName(item)));
            return truthy(operation("any", {compare(CompareOp::Equal, container, item)}));
        case Kind::Instance: {
            Val method = tryAttr(container, intern("__contains__"));
            if (method.bound()) return truthy(call(method, {item}));
            break;
        }
        default:
            break;
        }
    Val it = iterate(container), v;
    while (next(it, v))
        if (v.identical(item) || equal(v, item)) return true;
    return false;
}

int64_t Interp::length(const Val& v) {
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
            if (capture_) capture_->readTensor(*t);
            if (t->type().sizes.empty())
                raise(Error::Type, "a tensor without dimensions has no length");
            const ir::Sym& size = t->type().sizes[0];
            return size.isConst() ? size.constant() : capture_->specialize(size);
        }
        case Kind::Instance: {
            Val method = tryAttr(v, intern("__len__"));
            if (!method.bound()) break;
            int64_t n = wantInt(*this, call(method, {}), "the result of __len__");
            if (n < 0) raise(Error::Value, "__len__() should return >= 0");
            return n;
        }
        case Kind::Compiled:
            return length(v.as<CompiledObj>()->original);
        default:
            break;
        }
    raise(Error::Type, fmt::format("a value of type {} has no length", typeName(v)));
}

} // namespace cutaway::capture
