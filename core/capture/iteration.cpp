// SPDX-License-Identifier: Apache-2.0
// The iteration protocol.
#include "core/capture/capture.h"
#include "core/capture/interp.h"

#include <fmt/format.h>

namespace cutaway::capture {

namespace {

constexpr int64_t kEnded = -1; ///< `stop` of a dict's or set's iterator that gave its last key

/// Length in bytes of the UTF-8 character at \p at.
size_t characterLength(const std::string& s, size_t at) {
    size_t n = 1;
    while (at + n < s.size() && (static_cast<unsigned char>(s[at + n]) & 0xc0) == 0x80)
        ++n;
    return n;
}

} // namespace

Val Interp::iterate(const Val& iterable) {
    if (!iterable.isObject())
        raise(Error::Type, fmt::format("a value of type {} cannot be iterated", typeName(iterable)),
              iterable.isInt() ? "write range(n) to count" : "");
    auto over = [&](IteratorObj::Over kind) {
        auto* it = make<IteratorObj>(kind);
        it->parts.push_back(iterable);
        return it;
    };
    switch (iterable.object()->kind) {
    case Kind::List:
    case Kind::Tuple:
        noteLength(iterable);
        return Val(over(IteratorObj::Over::Sequence));
    case Kind::Dict:
    case Kind::Set: {
        noteLength(iterable);
        auto* it = over(IteratorObj::Over::Dict);
        it->stop = static_cast<int64_t>(static_cast<DictObj*>(iterable.object())->size());
        return Val(it);
    }
    case Kind::Str:
        return Val(over(IteratorObj::Over::String));
    case Kind::Range: {
        auto* range = iterable.as<RangeObj>();
        auto* it = make<IteratorObj>(IteratorObj::Over::Range);
        it->at = range->start;
        it->step = range->step;
        it->stop = range->length();
        return Val(it);
    }
    case Kind::Tensor: {
        auto* it = over(IteratorObj::Over::Tensor);
        Val keep(it);
        it->stop = length(iterable);
        return keep;
    }
    case Kind::Iterator:
    case Kind::Generator:
        mutating(iterable.object(), "an iterator");
        return iterable;
    case Kind::Instance: {
        Val method = tryAttr(iterable, intern("__iter__"));
        if (method.bound()) return call(method, {});
        if (tryAttr(iterable, intern("__getitem__")).bound())
            return Val(over(IteratorObj::Over::Callable));
        break;
    }
    default:
        break;
    }
    raise(Error::Type, fmt::format("a value of type {} cannot be iterated", typeName(iterable)));
}

/// zip(strict=True): part \p ended has no more items; no other may have one.
void Interp::checkZipEnd(const IteratorObj& zip, size_t ended) {
    auto others = [](size_t n) {
        return n == 1 ? std::string("argument 1") : fmt::format("arguments 1-{}", n);
    };
    if (ended > 0)
        raise(Error::Value,
              fmt::format("zip() argument {} is shorter than {}", ended + 1, others(ended)));
    Val item;
    for (size_t i = 1; i < zip.parts.size(); ++i)
        if (next(zip.parts[i], item))
            raise(Error::Value,
                  fmt::format("zip() argument {} is longer than {}", i + 1, others(i)));
}

bool Interp::next(const Val& iterator, Val& out) {
    checkStack();
    tick();
    if (capture_ && iterator.isObject()) mutating(iterator.object(), "an iterator");
    if (auto* generator = iterator.to<GeneratorObj>()) {
        if (!generator->frame) return false;
        if (generator->running) raise(Error::Value, "the generator is already running");
        generator->running = true;
        Val keep = iterator;
        std::unique_ptr<Frame>& frame = generator->frame;
        frame->yielded = false;
        try {
            out = run(*frame);
        } catch (...) {
            generator->running = false;
            frame.reset();
            throw;
        }
        generator->running = false;
        if (frame && frame->yielded) return true;
        frame.reset();
        return false;
    }
    auto* it = iterator.to<IteratorObj>();
    if (!it) {
        Val method = tryAttr(iterator, intern("__next__"));
        if (!method.bound())
            raise(Error::Type,
                  fmt::format("a value of type {} is no iterator", typeName(iterator)));
        try {
            out = call(method, {});
            return true;
        } catch (ScriptError& error) {
            if (error.exception.bound() &&
                isInstance(error.exception, errors_[static_cast<size_t>(Error::StopIteration)]))
                return false;
            throw;
        }
    }
    switch (it->over) {
    case IteratorObj::Over::Sequence: {
        const Val& owner = it->parts[0];
        const auto& values =
            owner.is(Kind::List) ? owner.as<ListObj>()->items : owner.as<TupleObj>()->items;
        if (it->at >= static_cast<int64_t>(values.size())) return false;
        out = values[static_cast<size_t>(it->at)];
        if (capture_) noteItem(owner, Val::integer(it->at), out);
        ++it->at;
        return true;
    }
    case IteratorObj::Over::Range:
        if (it->stop <= 0) return false;
        out = Val::integer(it->at);
        if (--it->stop > 0) it->at += it->step;
        return true;
    case IteratorObj::Over::Dict: {
        auto* dict = it->parts[0].as<DictObj>();
        if (it->stop == kEnded) return false;
        if (it->stop != static_cast<int64_t>(dict->size()))
            raise(Error::Runtime, dict->kind == Kind::Set
                                      ? "Set changed size during iteration"
                                      : "dictionary changed size during iteration");
        const auto& entries = dict->entries();
        while (it->at < static_cast<int64_t>(entries.size()) &&
               !entries[static_cast<size_t>(it->at)].live())
            ++it->at;
        if (it->at >= static_cast<int64_t>(entries.size())) {
            it->stop = kEnded;
            return false;
        }
        out = entries[static_cast<size_t>(it->at++)].key;
        return true;
    }
    case IteratorObj::Over::String: {
        const std::string& s = it->parts[0].as<StrObj>()->text;
        if (it->at >= static_cast<int64_t>(s.size())) return false;
        size_t n = characterLength(s, static_cast<size_t>(it->at));
        out = str(s.substr(static_cast<size_t>(it->at), n));
        it->at += static_cast<int64_t>(n);
        return true;
    }
    case IteratorObj::Over::Tensor:
        if (it->at >= it->stop) return false;
        out = tensorItem(it->parts[0], Val::integer(it->at++));
        return true;
    case IteratorObj::Over::Zip: {
        if (it->parts.empty()) return false;
        std::vector<Val> row(it->parts.size());
        for (size_t i = 0; i < row.size(); ++i) {
            if (next(it->parts[i], row[i])) continue;
            if (it->step == IteratorObj::kStrict) checkZipEnd(*it, i);
            return false;
        }
        out = tuple(std::move(row));
        return true;
    }
    case IteratorObj::Over::Enumerate: {
        Val v;
        if (!next(it->parts[0], v)) return false;
        out = tuple({Val::integer(it->at++), v});
        return true;
    }
    case IteratorObj::Over::Map: {
        std::vector<Val> args(it->parts.size() - 1);
        for (size_t i = 0; i < args.size(); ++i)
            if (!next(it->parts[i + 1], args[i])) return false;
        out = call(it->parts[0], args);
        return true;
    }
    case IteratorObj::Over::Filter: {
        Val v;
        while (next(it->parts[1], v))
            if (truthy(it->parts[0].isNone() ? v : call(it->parts[0], {v}))) {
                out = v;
                return true;
            }
        return false;
    }
    case IteratorObj::Over::Reversed: {
        if (it->at < 0) return false;
        out = getItem(it->parts[0], Val::integer(it->at--));
        return true;
    }
    case IteratorObj::Over::Callable:
        try {
            out = getItem(it->parts[0], Val::integer(it->at++));
            return true;
        } catch (ScriptError& error) {
            if (error.exception.bound() &&
                isInstance(error.exception, errors_[static_cast<size_t>(Error::Index)]))
                return false;
            throw;
        }
    }
    return false;
}

std::vector<Val> Interp::items(const Val& iterable) {
    std::vector<Val> values;
    Val it = iterate(iterable);
    Val v;
    while (next(it, v))
        add(values, std::move(v));
    return values;
}

} // namespace cutaway::capture
