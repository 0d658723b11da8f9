// SPDX-License-Identifier: Apache-2.0
// The iteration protocol.
#include "core/capture/interp.h"
#include "core/capture/overrides.h"
#include "core/capture/script_observer.h"
#include "core/capture/tensor_world.h"

#include <fmt/format.h>
#include <limits>

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
    if (Val* method = special(iterable, "__iter__"); method && !method->isNone())
        return call(bindMethod(*method, iterable, typeOf(iterable)), {});
    return iterateBuiltin(iterable);
}

Val Interp::iterateBuiltin(const Val& iterable) {
    auto refuse = [&] {
        raisePython(Error::Type, fmt::format("'{}' object is not iterable", typeName(iterable)),
                    fmt::format("a value of type {} cannot be iterated", typeName(iterable)),
                    iterable.isInt() ? "write range(n) to count" : "");
    };
    if (!iterable.isObject()) refuse();
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
        if (Val rows = overriddenProtocol(*this, "unbind", iterable, {Val::integer(0)});
            rows.bound())
            return iterate(rows);
        auto* it = over(IteratorObj::Over::Tensor);
        Val keep(it);
        if (iterable.as<TensorObj>()->type().sizes.empty())
            raise(Error::Type, "iteration over a 0-d tensor");
        it->stop = length(iterable);
        if (Val rows = world_->rows(iterable); rows.bound()) return iterateBuiltin(rows);
        return keep;
    }
    case Kind::Iterator:
    case Kind::Generator:
        if (auto* g = iterable.to<GeneratorObj>(); g && g->coroutine) refuse();
        mutating(iterable.object(), "an iterator");
        return iterable;
    case Kind::Bytes: {
        std::vector<Val> numbers;
        for (char c : iterable.as<BytesObj>()->bytes)
            add(numbers, Val::integer(static_cast<unsigned char>(c)));
        return iterateBuiltin(list(std::move(numbers)));
    }
    case Kind::View: {
        auto* view = iterable.as<ViewObj>();
        Val it = iterateBuiltin(view->dict);
        it.as<IteratorObj>()->step = 1 + static_cast<int64_t>(view->of);
        return it;
    }
    case Kind::Instance:
        if (special(iterable, "__getitem__")) return Val(over(IteratorObj::Over::Callable));
        if (special(iterable, "__next__") && iterable.as<InstanceObj>()->type->native) break;
        break;
    default:
        break;
    }
    refuse();
    return {};
}

bool Interp::resume(GeneratorObj& generator, const Val* sent, const Val* thrown, Val& out) {
    Val keep(&generator);
    if (!generator.frame) {
        if (thrown) raise(*thrown);
        return false;
    }
    if (generator.running) raise(Error::Value, "generator already executing");
    if (sent && !sent->isNone() && !generator.started)
        raise(Error::Type, "can't send non-None value to a just-started generator");
    Frame& frame = *generator.frame;
    const bool fresh = !std::exchange(generator.started, true);
    if (thrown && fresh) {
        generator.frame.reset();
        raise(*thrown);
    }
    generator.running = true;
    frame.yielded = false;
    Val pending = thrown ? *thrown : Val();
    try {
        const Instruction at = frame.code->instructions[frame.ip];
        if (thrown && at.op == Op::YieldFrom && frame.stack.size() >= 2) {
            // The inner generator gets the exception first.
            Val inner = frame.stack[frame.stack.size() - 2];
            auto* other = inner.to<GeneratorObj>();
            const bool leaves = isInstance(*thrown, Val(errorClass(Error::GeneratorExit)));
            if (other && leaves) closeGenerator(*other);
            if (other && !leaves) try {
                    if (resume(*other, nullptr, thrown, out)) {
                        generator.running = false;
                        frame.yielded = true;
                        return true;
                    }
                    pending = Val();
                    frame.stack.pop_back();
                    Val result = std::exchange(other->result, Val());
                    frame.stack.back() = result.bound() ? result : Val::none();
                    frame.ip = static_cast<uint32_t>(at.a);
                } catch (ScriptError& error) {
                    if (!error.exception.bound()) throw;
                    pending = error.exception;
                }
        } else if (!fresh && sent) {
            frame.stack.back() = *sent;
        }
        out = pending.bound() ? runThrowing(frame, pending) : run(frame);
    } catch (ScriptError& error) {
        generator.running = false;
        generator.frame.reset();
        if (error.exception.bound() &&
            isInstance(error.exception, Val(errorClass(Error::StopIteration)))) {
            Val wrapped = newException(Error::Runtime, {str("generator raised StopIteration")});
            wrapped.as<InstanceObj>()->attributes->set(intern("__cause__"), error.exception);
            raise(wrapped);
        }
        throw;
    } catch (...) {
        generator.running = false;
        generator.frame.reset();
        throw;
    }
    generator.running = false;
    if (generator.frame && frame.yielded) return true;
    generator.result = std::exchange(out, Val());
    generator.frame.reset();
    return false;
}

void Interp::closeGenerator(GeneratorObj& generator) {
    if (!generator.frame) return;
    if (!generator.started) {
        generator.frame.reset();
        return;
    }
    Val out, leaving = newException(Error::GeneratorExit, {});
    try {
        if (!resume(generator, nullptr, &leaving, out)) return;
    } catch (ScriptError& error) {
        if (error.exception.identical(leaving) ||
            (error.exception.bound() &&
             isInstance(error.exception, Val(errorClass(Error::GeneratorExit)))))
            return;
        throw;
    }
    raise(Error::Runtime, "generator ignored GeneratorExit");
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

/// What a script's own __next__ gives; StopIteration is the end.
static bool nextByMethod(Interp& in, const Val& iterator, Val& out, Val* result) {
    Val* method = in.special(iterator, "__next__");
    if (!method)
        in.raisePython(Error::Type,
                       fmt::format("'{}' object is not an iterator", in.typeName(iterator)),
                       fmt::format("a value of type {} is no iterator", in.typeName(iterator)));
    try {
        out = in.call(in.bindMethod(*method, iterator, in.typeOf(iterator)), {});
        return true;
    } catch (ScriptError& error) {
        if (error.exception.bound() &&
            in.isInstance(error.exception, Val(in.errorClass(Error::StopIteration)))) {
            if (result) *result = in.getAttr(error.exception, in.intern("value"));
            return false;
        }
        throw;
    }
}

/// An item as a script has it: a number that varies from call to call is none to rely upon.
static Val readItem(Interp& in, const Val& owner, const Val& key, const Val& v) {
    if ((v.isInt() || v.isFloat()) && owner.isObject())
        if (auto number = in.observer().itemSymbol(owner.object(), key, v)) return *number;
    in.noteItem(owner, key, v);
    return v;
}

static bool nextOfDict(Interp& in, IteratorObj& it, Val& out) {
    auto* dict = it.parts[0].as<DictObj>();
    if (it.stop == kEnded) return false;
    if (it.stop != static_cast<int64_t>(dict->size()))
        in.raise(Error::Runtime, dict->kind == Kind::Set
                                     ? "Set changed size during iteration"
                                     : "dictionary changed size during iteration");
    const auto places = static_cast<int64_t>(dict->places());
    while (it.at < places && !dict->at(static_cast<size_t>(it.at)))
        ++it.at;
    if (it.at >= places) {
        it.stop = kEnded;
        return false;
    }
    const Val key = dict->at(static_cast<size_t>(it.at))->key;
    const auto of = static_cast<ViewObj::Of>(it.step - 1);
    Val value = dict->at(static_cast<size_t>(it.at++))->value;
    if (of != ViewObj::Of::Keys) value = readItem(in, it.parts[0], key, value);
    out = of == ViewObj::Of::Keys     ? key
          : of == ViewObj::Of::Values ? value
                                      : in.tuple({key, value});
    return true;
}

/// Of an object with __getitem__ alone: IndexError and StopIteration are the end.
static bool nextByIndex(Interp& in, IteratorObj& it, Val& out) {
    try {
        out = in.getItem(it.parts[0], Val::integer(it.at++));
        return true;
    } catch (ScriptError& error) {
        if (error.exception.bound() &&
            (in.isInstance(error.exception, Val(in.errorClass(Error::Index))) ||
             in.isInstance(error.exception, Val(in.errorClass(Error::StopIteration)))))
            return false;
        throw;
    }
}

bool Interp::next(const Val& iterator, Val& out, Val* result) {
    checkStack();
    tick();
    if (iterator.isObject()) mutating(iterator.object(), "an iterator");
    if (auto* generator = iterator.to<GeneratorObj>()) {
        if (resume(*generator, nullptr, nullptr, out)) return true;
        if (result) *result = std::exchange(generator->result, Val());
        return false;
    }
    auto* it = iterator.to<IteratorObj>();
    if (!it) return nextByMethod(*this, iterator, out, result);
    switch (it->over) {
    case IteratorObj::Over::Sequence: {
        const Val& owner = it->parts[0];
        const auto& values =
            owner.is(Kind::List) ? owner.as<ListObj>()->items : owner.as<TupleObj>()->items;
        if (it->at >= static_cast<int64_t>(values.size())) {
            it->at = std::numeric_limits<int64_t>::max(); // for good, however the list grows
            return false;
        }
        out = readItem(*this, owner, Val::integer(it->at), values[static_cast<size_t>(it->at)]);
        ++it->at;
        return true;
    }
    case IteratorObj::Over::Range:
        if (it->stop <= 0) return false;
        out = Val::integer(it->at);
        if (--it->stop > 0) it->at += it->step;
        return true;
    case IteratorObj::Over::Dict:
        return nextOfDict(*this, *it, out);
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
        out = getItemOfBuiltin(it->parts[0], Val::integer(it->at++));
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
        return nextByIndex(*this, *it, out);
    case IteratorObj::Over::Sentinel: {
        if (it->stop == kEnded) return false;
        out = call(it->parts[0], {});
        if (!out.identical(it->parts[1]) && !equal(out, it->parts[1])) return true;
        it->stop = kEnded;
        return false;
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
