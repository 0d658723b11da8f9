// SPDX-License-Identifier: Apache-2.0
// What the instructions do, but for those that say which comes next (vm.cpp).
#include "core/capture/graph_numbers.h"
#include "core/capture/interp.h"
#include "core/capture/script_observer.h"
#include "core/capture/sets.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::capture {

void Interp::executeName(Frame& frame, Instruction in) {
    const Code& code = *frame.code;
    std::vector<Val>& stack = frame.stack;
    switch (in.op) {
    case Op::DeleteFast:
        if (!frame.unread.empty()) frame.unread[static_cast<size_t>(in.a)] = false;
        frame.locals[static_cast<size_t>(in.a)] = Val();
        break;
    case Op::LoadCell: {
        auto* cell = frame.cells[static_cast<size_t>(in.a)].as<CellObj>();
        if (auto symbol = observer_->cellSymbol(cell, code.cells[static_cast<size_t>(in.a)])) {
            stack.push_back(*symbol);
            break;
        }
        observer_->readCell(cell, code.cells[static_cast<size_t>(in.a)]);
        if (!cell->value.bound())
            raisePython(Error::Name,
                        fmt::format("cannot access free variable '{}' where it is not associated "
                                    "with a value in enclosing scope",
                                    code.cells[static_cast<size_t>(in.a)]),
                        fmt::format("variable '{}' is used before it has a value",
                                    code.cells[static_cast<size_t>(in.a)]));
        stack.push_back(cell->value);
        break;
    }
    case Op::StoreCell: {
        Val& cell = frame.cells[static_cast<size_t>(in.a)];
        mutating(cell.object(), "a variable of an outer function");
        cell.as<CellObj>()->value = pop(stack);
        break;
    }
    case Op::DeleteCell: {
        Val& cell = frame.cells[static_cast<size_t>(in.a)];
        mutating(cell.object(), "a variable of an outer function");
        cell.as<CellObj>()->value = Val();
        break;
    }
    case Op::PushCell:
        stack.push_back(frame.cells[static_cast<size_t>(in.a)]);
        break;
    case Op::LoadGlobal:
        stack.push_back(loadGlobal(frame, frame.ip, in.a));
        break;
    case Op::StoreGlobal:
        tick();
        mutating(frame.globals.get(), "a global variable");
        frame.globals->set(code.names[static_cast<size_t>(in.a)].get(), pop(stack));
        break;
    case Op::DeleteGlobal:
        mutating(frame.globals.get(), "a global variable");
        if (!frame.globals->erase(code.names[static_cast<size_t>(in.a)].get()))
            unknownName(frame, code.names[static_cast<size_t>(in.a)].get());
        break;
    case Op::LoadName: {
        StrObj* name = code.names[static_cast<size_t>(in.a)].get();
        const Val found = namedHere(frame, name);
        stack.push_back(found.bound() ? found : loadGlobal(frame, frame.ip, in.a));
        break;
    }
    case Op::StoreName:
        storeName(frame, code.names[static_cast<size_t>(in.a)].get(), pop(stack));
        break;
    case Op::DeleteName:
        if (!frame.names->erase(code.names[static_cast<size_t>(in.a)].get()))
            unknownName(frame, code.names[static_cast<size_t>(in.a)].get());
        break;
    default:
        break;
    }
}

void Interp::executeOperator(Frame& frame, Instruction in) {
    const Code& code = *frame.code;
    std::vector<Val>& stack = frame.stack;
    switch (in.op) {
    case Op::LoadAttr:
        stack.back() = getAttr(Val(stack.back()), code.names[static_cast<size_t>(in.a)].get());
        break;
    case Op::StoreAttr: {
        Val object = pop(stack), value = pop(stack);
        setAttr(object, code.names[static_cast<size_t>(in.a)].get(), std::move(value));
        break;
    }
    case Op::DeleteAttr:
        deleteAttr(pop(stack), code.names[static_cast<size_t>(in.a)].get());
        break;
    case Op::LoadItem: {
        Val index = pop(stack);
        stack.back() = getItem(Val(stack.back()), index);
        break;
    }
    case Op::StoreItem: {
        Val index = pop(stack), object = pop(stack), value = pop(stack);
        setItem(object, index, std::move(value));
        break;
    }
    case Op::DeleteItem: {
        Val index = pop(stack), object = pop(stack);
        deleteItem(object, index);
        break;
    }
    case Op::BuildSlice: {
        auto* slice = make<SliceObj>();
        slice->step = pop(stack);
        slice->stop = pop(stack);
        slice->start = pop(stack);
        stack.emplace_back(slice);
        break;
    }
    case Op::Unary:
        stack.back() = unary(static_cast<UnaryOp>(in.a), Val(stack.back()));
        break;
    case Op::GetIter:
        if (auto* g = stack.back().to<GeneratorObj>(); in.a == 1 && g && g->coroutine) break;
        stack.back() = iterate(Val(stack.back()));
        break;
    case Op::Pop:
        stack.pop_back();
        break;
    case Op::Duplicate:
        stack.push_back(Val(stack.back()));
        break;
    case Op::DuplicateTwo: {
        Val a = stack[stack.size() - 2], b = stack.back();
        stack.push_back(std::move(a));
        stack.push_back(std::move(b));
        break;
    }
    case Op::RotateTwo:
        stack[stack.size() - 1].swap(stack[stack.size() - 2]);
        break;
    case Op::RotateThree: // a b c -> c a b
        stack[stack.size() - 1].swap(stack[stack.size() - 2]);
        stack[stack.size() - 2].swap(stack[stack.size() - 3]);
        break;
    case Op::Format: {
        std::string spec = in.a & 256 ? pop(stack).as<StrObj>()->text : std::string();
        Val v = pop(stack);
        int conversion = in.a & 255;
        if (conversion == 'r') v = str(repr(v));
        if (conversion == 'a') v = str(asciiText(repr(v)));
        if (conversion == 's') v = str(text(v));
        stack.push_back(str(format(v, spec)));
        break;
    }
    default:
        break;
    }
}

/// {**more} and f(**more): \p keywords are texts, each once.
static void addAll(Interp& interp, DictObj& into, const Val& more, bool keywords) {
    if (!more.is(Kind::Dict) && !interp.tryAttr(more, interp.intern("keys")).bound())
        interp.raisePython(Error::Type,
                           fmt::format("'{}' object is not a mapping", interp.typeName(more)),
                           fmt::format("'**' needs a dict, found {}", interp.typeName(more)));
    const bool plainDict = more.is(Kind::Dict) && !interp.special(more, "__iter__");
    for (const Val& key : interp.items(plainDict ? more : interp.callMethod(more, "keys", {}))) {
        if (keywords && !key.is(Kind::Str)) interp.raise(Error::Type, "keywords must be strings");
        if (keywords && interp.findKey(into, key))
            interp.raise(Error::Type, fmt::format("got multiple values for keyword argument {}",
                                                  interp.repr(key)));
        interp.put(into, keywords ? Val(interp.intern(key.as<StrObj>()->text)) : key,
                   plainDict ? interp.getItemOfBuiltin(more, key) : interp.getItem(more, key));
    }
}

void Interp::executeContainer(Frame& frame, Instruction in) {
    std::vector<Val>& stack = frame.stack;
    switch (in.op) {
    case Op::BuildTuple:
    case Op::BuildList: {
        auto first = stack.end() - in.a;
        std::vector<Val> values(std::make_move_iterator(first),
                                std::make_move_iterator(stack.end()));
        stack.erase(first, stack.end());
        stack.push_back(in.op == Op::BuildTuple ? tuple(std::move(values))
                                                : list(std::move(values)));
        break;
    }
    case Op::BuildSet:
    case Op::BuildSetOfConstants: {
        Val set(make<SetObj>());
        for (auto it = stack.end() - in.a; it != stack.end(); ++it)
            put(*set.as<SetObj>(), Val(*it), Val::none());
        if (in.op == Op::BuildSetOfConstants) {
            Val constant(
                make<SetObj>(true)); // CPython keeps the elements in the order that they had once
            addAll(*this, *constant.as<SetObj>(), list(items(set)));
            set = copyOfSet(*this, *constant.as<SetObj>(), false);
        }
        stack.resize(stack.size() - static_cast<size_t>(in.a));
        stack.push_back(std::move(set));
        break;
    }
    case Op::BuildDict:
        stack.emplace_back(make<DictObj>());
        break;
    case Op::ListAppend: {
        mutating(stack[stack.size() - static_cast<size_t>(in.a) - 1].object(), "a list");
        Val v = pop(stack);
        auto* into = stack[stack.size() - static_cast<size_t>(in.a)].as<ListObj>();
        add(into->items, std::move(v));
        into->counted();
        break;
    }
    case Op::SetAdd: {
        mutating(stack[stack.size() - static_cast<size_t>(in.a) - 1].object(), "a set");
        Val v = pop(stack);
        put(*stack[stack.size() - static_cast<size_t>(in.a)].as<SetObj>(), v, Val::none());
        break;
    }
    case Op::DictSet: {
        mutating(stack[stack.size() - static_cast<size_t>(in.a) - 2].object(), "a dict");
        Val v = pop(stack), key = pop(stack);
        DictObj* dict = stack[stack.size() - static_cast<size_t>(in.a)].as<DictObj>();
        put(*dict, key, std::move(v));
        break;
    }
    case Op::ListExtend: {
        mutating(stack[stack.size() - 2].object(), "a container");
        const Val from = pop(stack);
        if (auto* set = stack.back().to<SetObj>()) {
            addAll(*this, *set, from);
        } else {
            std::vector<Val> more = items(from);
            auto* into = stack.back().as<ListObj>();
            room(more.size() * sizeof(Val));
            into->items.insert(into->items.end(), more.begin(), more.end());
            into->counted();
        }
        break;
    }
    case Op::DictUpdate: {
        mutating(stack[stack.size() - 2].object(), "a container");
        const Val more = pop(stack), into = stack.back();
        addAll(*this, *into.as<DictObj>(), more, in.a == 1);
        break;
    }
    case Op::MatchSequence:
    case Op::MatchMapping:
    case Op::MatchKeys:
    case Op::MatchRest:
    case Op::MatchClass:
    case Op::Annotate:
        executeMatch(frame, in);
        break;
    case Op::ListToTuple:
        stack.back() = tuple(stack.back().as<ListObj>()->items);
        break;
    case Op::Unpack:
        unpack(frame, in.a, 0, false);
        break;
    case Op::UnpackRest:
        return unpack(frame, in.a & 0xffff, in.a >> 16, true);
    case Op::BuildString: {
        std::string joined;
        for (auto it = stack.end() - in.a; it != stack.end(); ++it)
            append(joined, it->as<StrObj>()->text);
        stack.resize(stack.size() - static_cast<size_t>(in.a));
        stack.push_back(str(std::move(joined)));
        break;
    }
    default:
        break;
    }
}

void Interp::executeCall(Frame& frame, Instruction in) {
    const Code& code = *frame.code;
    std::vector<Val>& stack = frame.stack;
    switch (in.op) {
    case Op::Call: {
        size_t base = stack.size() - static_cast<size_t>(in.a);
        std::vector<Val> args(
            std::make_move_iterator(stack.begin() + static_cast<std::ptrdiff_t>(base)),
            std::make_move_iterator(stack.end()));
        stack.resize(base);
        Val f = pop(stack);
        auto* method = f.to<MethodObj>();
        const bool plain = (method ? method->function : f).is(Kind::Function);
        stack.push_back(call(f, args, {}, {frame.resumable, {}, plain ? &args : nullptr}));
        break;
    }
    case Op::CallKeywords: {
        Val names = pop(stack);
        const auto& given = names.as<TupleObj>()->items;
        size_t base = stack.size() - static_cast<size_t>(in.a);
        std::vector<Val> args(
            std::make_move_iterator(stack.begin() + static_cast<std::ptrdiff_t>(base)),
            std::make_move_iterator(stack.end()));
        stack.resize(base);
        Val f = pop(stack);
        size_t positional = args.size() - given.size();
        std::vector<std::pair<StrObj*, Val>> keywords;
        for (size_t i = 0; i < given.size(); ++i)
            keywords.emplace_back(given[i].as<StrObj>(), args[positional + i]);
        stack.push_back(call(f, std::span<const Val>(args.data(), positional), keywords,
                             {frame.resumable, {}}));
        break;
    }
    case Op::CallSpread: {
        Val dict = pop(stack), args = pop(stack), f = pop(stack);
        std::vector<std::pair<StrObj*, Val>> keywords;
        for (const auto& e : dict.as<DictObj>()->entries())
            if (e.live()) keywords.emplace_back(e.key.as<StrObj>(), e.value);
        stack.push_back(call(f, args.as<ListObj>()->items, keywords, {frame.resumable, {}}));
        break;
    }
    case Op::MakeFunction: {
        Val f = makeFunction(frame, in.a);
        stack.push_back(std::move(f));
        break;
    }
    case Op::MakeClass: {
        Val name = pop(stack), keywords = pop(stack), bases = pop(stack), body = pop(stack);
        Frame inner;
        prepareFrame(inner, *body.as<FunctionObj>(), {});
        auto fill = [&](const Ref<DictObj>& names) {
            inner.names = names;
            auto store = [&](const char* key, const Val& v) { storeName(inner, intern(key), v); };
            Val* module = frame.globals->find(intern("__name__"));
            if (module) store("__module__", *module);
            store("__qualname__", str(inner.code->qualifiedName));
            if (!inner.code->text.empty()) store("__doc__", str(inner.code->text));
            run(inner);
        };
        std::vector<Val> known; // the cells by which functions of its body know the class
        for (size_t i = 0; i + inner.code->freeVariables < inner.code->cells.size(); ++i)
            if (inner.code->cells[i] == "__class__") known.push_back(inner.cells[i]);
        std::vector<std::pair<StrObj*, Val>> given;
        for (const auto& e : keywords.as<DictObj>()->entries())
            if (e.live()) given.emplace_back(e.key.as<StrObj>(), e.value);
        Val made = classStatement(name.as<StrObj>()->text, bases.as<ListObj>()->items,
                                  std::move(given), fill);
        for (const Val& cell : known)
            cell.as<CellObj>()->value = made;
        stack.push_back(std::move(made));
        break;
    }
    case Op::Import:
        stack.push_back(import(code.names[static_cast<size_t>(in.a)]->text));
        break;
    case Op::ImportFrom:
        stack.push_back(importFrom(Val(stack.back()), code.names[static_cast<size_t>(in.a)].get()));
        break;
    case Op::ImportStar:
        importStar(pop(stack), frame);
        break;
    default:
        break;
    }
}

/// v class names -> v values, or None.
void Interp::matchClass(Frame& frame, int32_t positional) {
    std::vector<Val>& stack = frame.stack;
    Val names = pop(stack), type = pop(stack), v = pop(stack);
    if (!type.is(Kind::Class)) raise(Error::Type, "called match pattern must be a class");
    stack.push_back(Val::none());
    if (!isInstance(v, type)) return;
    std::vector<Val> found;
    std::vector<Val> attributes = names.as<TupleObj>()->items;
    if (positional > 0) {
        auto* c = type.as<ClassObj>();
        const ClassObj* base = c->layout ? c->layout : c;
        const bool whole = base->recognises && base->native && !c->exception;
        Val* declared = classAttr(*c, "__match_args__");
        if (declared) {
            std::vector<Val> order = items(*declared);
            if (order.size() < static_cast<size_t>(positional))
                raise(Error::Type, fmt::format("{}() accepts {} positional sub-patterns ({} given)",
                                               c->name, order.size(), positional));
            attributes.insert(attributes.begin(), order.begin(), order.begin() + positional);
        } else if (whole && positional == 1) {
            found.push_back(v);
        } else {
            raise(Error::Type, fmt::format("{}() accepts 0 positional sub-patterns ({} given)",
                                           c->name, positional));
        }
    }
    for (const Val& name : attributes) {
        Val value = tryAttr(v, intern(wantStr(*this, name, "a name in __match_args__")));
        if (!value.bound()) return;
        found.push_back(value);
    }
    stack.back() = tuple(std::move(found));
}

void Interp::executeMatch(Frame& frame, Instruction in) {
    std::vector<Val>& stack = frame.stack;
    switch (in.op) {
    case Op::MatchSequence: {
        const Val v = pop(stack);
        const bool sequence = v.is(Kind::List) || v.is(Kind::Tuple) || v.is(Kind::Range);
        const int64_t n = in.a & 0xffff;
        const bool fits = sequence && (in.a >> 16 ? length(v) >= n : length(v) == n);
        stack.push_back(Val::boolean(fits));
        break;
    }
    case Op::MatchMapping:
        stack.back() = Val::boolean(stack.back().is(Kind::Dict));
        break;
    case Op::MatchKeys: {
        const Val keys = pop(stack), v = pop(stack);
        std::vector<Val> values;
        for (const Val& key : keys.as<TupleObj>()->items) {
            Val* found = dictFind(*v.as<DictObj>(), key);
            if (!found) break;
            values.push_back(*found);
        }
        const bool all = values.size() == keys.as<TupleObj>()->items.size();
        stack.push_back(all ? tuple(std::move(values)) : Val::none());
        break;
    }
    case Op::MatchRest: {
        const Val keys = pop(stack), v = pop(stack);
        Val rest(make<DictObj>());
        for (const Val& key : items(v))
            if (!contains(keys, key)) put(*rest.as<DictObj>(), key, getItem(v, key));
        stack.push_back(rest);
        break;
    }
    case Op::MatchClass:
        matchClass(frame, in.a);
        break;
    case Op::Annotate: {
        Val value = pop(stack);
        StrObj* all = intern("__annotations__");
        Val* found = frame.names->find(all);
        if (!found) {
            frame.names->set(all, Val(make<DictObj>()));
            found = frame.names->find(all);
        }
        found->as<DictObj>()->set(frame.code->names[static_cast<size_t>(in.a)].get(), value);
        break;
    }
    default:
        break;
    }
}

/// except takes classes of exceptions only, or a tuple of them.
void Interp::checkCatchable(const Val& type) {
    auto check = [this](const Val& one) {
        auto* c = one.to<ClassObj>();
        if (!c || !c->exception)
            raise(Error::Type,
                  "catching classes that do not inherit from BaseException is not allowed");
    };
    if (auto* options = type.to<TupleObj>())
        std::for_each(options->items.begin(), options->items.end(), check);
    else
        check(type);
}

void Interp::executeBlock(Frame& frame, Instruction in) {
    std::vector<Val>& stack = frame.stack;
    switch (in.op) {
    case Op::SetupTry:
        frame.blocks.push_back({in.a, static_cast<uint32_t>(stack.size())});
        break;
    case Op::SetupWith:
        frame.blocks.push_back({in.a, static_cast<uint32_t>(stack.size() - 1)});
        break;
    case Op::PopTry:
        frame.blocks.pop_back();
        break;
    case Op::MatchException: {
        Val type = pop(stack);
        checkCatchable(type);
        stack.push_back(Val::boolean(isInstance(stack.back(), type)));
        break;
    }
    case Op::Raise: {
        if (in.a != 2) raise(pop(stack));
        Val cause = pop(stack);
        raiseFrom(pop(stack), cause);
    }
    case Op::RaiseHandled: {
        Val now = handled();
        if (!now.bound()) raise(Error::Runtime, "No active exception to reraise");
        raiseAgain(now);
    }
    case Op::Reraise:
        raiseAgain(pop(stack));
    case Op::AssertLater:
        if (capture_) {
            const std::string message =
                in.a < 0 ? "assertion error"
                         : text(frame.code->constants[static_cast<size_t>(in.a)]);
            if (assertedLater(*this, stack.back(), message)) stack.back() = Val::boolean(true);
        }
        break;
    case Op::AssertFailed: {
        if (!in.a) raisePython(Error::Assertion, std::vector<Val>(), "assertion failed");
        Val given = pop(stack);
        std::string message = text(given);
        raisePython(Error::Assertion, {given}, message.empty() ? "assertion failed" : message);
    }
    case Op::EnterWith: {
        Val manager = pop(stack);
        Val exit = tryAttr(manager, intern("__exit__")),
            enter = tryAttr(manager, intern("__enter__"));
        if (!exit.bound() || !enter.bound())
            raisePython(Error::Type,
                        fmt::format("'{}' object does not support the context manager protocol",
                                    typeName(manager)),
                        fmt::format("'with' needs a context manager, found {}", typeName(manager)),
                        "a context manager has __enter__ and __exit__");
        stack.push_back(std::move(exit));
        stack.push_back(call(enter, {}));
        break;
    }
    case Op::ExitWith: {
        Val exit = pop(stack);
        call(exit, {Val::none(), Val::none(), Val::none()});
        break;
    }
    case Op::ExitWithError: {
        Val error = pop(stack), exit = pop(stack);
        Val type(typeOf(error));
        Val swallowed;
        try {
            swallowed = call(exit, {type, error, tryAttr(error, intern("__traceback__"))});
        } catch (ScriptError& second) {
            if (auto* e = second.exception.to<InstanceObj>();
                e && !second.exception.identical(error))
                if (!e->attributes->find(intern("__context__")))
                    e->attributes->set(intern("__context__"), error);
            throw;
        }
        if (!truthy(swallowed)) raiseAgain(error);
        break;
    }
    default:
        break;
    }
}

} // namespace cutaway::capture
