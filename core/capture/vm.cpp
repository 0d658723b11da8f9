// SPDX-License-Identifier: Apache-2.0
// The instruction loop.
#include "core/capture/capture.h"
#include "core/capture/interp.h"

#include <fmt/format.h>

namespace cutaway::capture {

/// Links a frame into the chain of calls for as long as it runs.
struct FrameScope {
    FrameScope(Interp& interp, Frame& frame) : interp(interp), keep(interp.top_) {
        frame.caller = keep;
        interp.top_ = &frame;
        ++interp.depth_;
    }
    ~FrameScope() {
        interp.top_ = keep;
        --interp.depth_;
    }
    Interp& interp;
    Frame* keep;
};

namespace {

constexpr int kMaxCalls = 1000; ///< as in Python

Val pop(std::vector<Val>& stack) {
    Val v = std::move(stack.back());
    stack.pop_back();
    return v;
}

} // namespace

Val Interp::run(Frame& frame) {
    bool ended = false;
    return dispatch(frame, false, ended);
}

std::optional<Val> Interp::step(Frame& frame) {
    bool ended = false;
    Val v = dispatch(frame, true, ended);
    return ended ? std::optional<Val>(std::move(v)) : std::nullopt;
}

bool Interp::unwindTo(Frame& frame, ScriptError& error) {
    if (!error.exception.bound() || frame.blocks.empty()) return false;
    TryBlock block = frame.blocks.back();
    frame.blocks.pop_back();
    frame.stack.resize(block.stackSize);
    frame.stack.push_back(error.exception);
    frame.ip = static_cast<uint32_t>(block.handler);
    return true;
}

Val Interp::loadGlobal(Frame& frame, size_t ip, int32_t index) {
    StrObj* name = frame.code->names[static_cast<size_t>(index)].get();
    if (Val* found = frame.globals->find(name, frame.code->hints[ip])) {
        if (capture_) capture_->readGlobal(frame.globals.get(), name, *found);
        return *found;
    }
    Val* builtin = builtins_->find(name);
    if (capture_) capture_->readNoGlobal(frame.globals.get(), name, builtin);
    if (builtin) return *builtin;
    if (frame.code->source->library)
        if (Val* found = libraryNames_->find(name)) return *found;
    unknownName(frame, name);
}

void Interp::unsetLocal(const Frame& frame, int32_t slot) {
    const std::string& name = frame.code->locals[static_cast<size_t>(slot)];
    if (capture_ && capture_->atRoot(frame)) capture_->readUnset(slot, name);
    raise(Error::UnboundLocal, fmt::format("local variable '{}' is used before it has a value",
                                           name.substr(0, name.find('@'))));
}

void Interp::unknownName(const Frame& frame, StrObj* name) {
    std::vector<std::string> known = frame.code->locals;
    known.insert(known.end(), frame.code->cells.begin(), frame.code->cells.end());
    for (const Ref<DictObj>* names :
         std::initializer_list<const Ref<DictObj>*>{&frame.globals, &frame.names, &builtins_})
        if (*names)
            for (const auto& e : (*names)->entries())
                if (e.key.is(Kind::Str)) known.push_back(e.key.as<StrObj>()->text);
    std::string near = nearest(name->text, known);
    std::string hint = near.empty() ? "" : fmt::format("did you mean '{}'?", near);
    if (name->text == "torch") hint = "add 'import torch' at the top";
    raise(Error::Name, fmt::format("name '{}' is not defined", name->text), hint);
}

void Interp::unpack(Frame& frame, int32_t before, int32_t after, bool rest) {
    Val source = pop(frame.stack);
    std::vector<Val> values;
    bool sequence = source.is(Kind::Tuple) || source.is(Kind::List);
    if (source.is(Kind::Tensor) || sequence) {
        values = items(source);
    } else {
        Val it = iterate(source);
        Val v;
        while ((rest || values.size() <= static_cast<size_t>(before)) && next(it, v))
            add(values, v);
    }
    size_t fixed = static_cast<size_t>(before + after);
    if (values.size() < fixed || (!rest && values.size() > fixed)) {
        bool tooMany = values.size() > fixed && !sequence && !source.is(Kind::Tensor);
        raise(Error::Value,
              fmt::format("{} values to unpack, expected {}{}",
                          tooMany ? "too many" : fmt::format("found {}", values.size()),
                          rest ? "at least " : "", fixed));
    }
    for (size_t i = static_cast<size_t>(after); i-- > 0;)
        frame.stack.push_back(values[values.size() - static_cast<size_t>(after) + i]);
    if (rest) {
        auto first = values.begin() + before, last = values.end() - after;
        frame.stack.push_back(list(std::vector<Val>(first, last)));
    }
    for (size_t i = static_cast<size_t>(before); i-- > 0;)
        frame.stack.push_back(values[i]);
}

Val Interp::makeFunction(Frame& frame, int32_t operand) {
    auto* f = make<FunctionObj>();
    Val keep(f);
    f->code = frame.code->codes[static_cast<size_t>(operand >> 3)];
    f->name = f->code->name;
    f->qualifiedName = f->code->qualifiedName;
    f->globals = frame.globals;
    if (operand & 4) f->closure = pop(frame.stack).as<TupleObj>()->items;
    if (operand & 2) f->keywordDefaults = Ref<DictObj>(pop(frame.stack).as<DictObj>());
    if (operand & 1) f->defaults = pop(frame.stack).as<TupleObj>()->items;
    return keep;
}

Val Interp::dispatch(Frame& frame, bool once, bool& ended) {
    checkStack();
    if (depth_ >= kMaxCalls) tooDeep();
    tick();
    FrameScope scope(*this, frame);
    const Code& code = *frame.code;
    std::vector<Val>& stack = frame.stack;
    for (;;) {
        try {
            for (;;) {
                const size_t ip = frame.ip;
                const Instruction in = code.instructions[ip];
                if (capture_ && capture_->atRoot(frame)) capture_->remember(frame);
                switch (in.op) {
                case Op::LoadConst:
                    stack.push_back(code.constants[static_cast<size_t>(in.a)]);
                    break;
                case Op::LoadFast: {
                    const Val& v = frame.locals[static_cast<size_t>(in.a)];
                    if (!v.bound()) unsetLocal(frame, in.a);
                    if (capture_ && v.isObject()) capture_->readValue(v.object());
                    stack.push_back(v);
                    break;
                }
                case Op::StoreFast:
                    frame.locals[static_cast<size_t>(in.a)] = pop(stack);
                    break;
                case Op::DeleteFast:
                    frame.locals[static_cast<size_t>(in.a)] = Val();
                    break;
                case Op::CheckLocal:
                    break;
                case Op::LoadCell: {
                    auto* cell = frame.cells[static_cast<size_t>(in.a)].as<CellObj>();
                    if (capture_) capture_->readCell(cell, code.cells[static_cast<size_t>(in.a)]);
                    if (!cell->value.bound())
                        raise(Error::Name,
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
                case Op::DeleteCell:
                    frame.cells[static_cast<size_t>(in.a)].as<CellObj>()->value = Val();
                    break;
                case Op::PushCell:
                    stack.push_back(frame.cells[static_cast<size_t>(in.a)]);
                    break;
                case Op::LoadGlobal:
                    stack.push_back(loadGlobal(frame, ip, in.a));
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
                    Val* found = frame.names ? frame.names->find(name) : nullptr;
                    stack.push_back(found ? *found : loadGlobal(frame, ip, in.a));
                    break;
                }
                case Op::StoreName:
                    frame.names->set(code.names[static_cast<size_t>(in.a)].get(), pop(stack));
                    break;
                case Op::DeleteName:
                    if (!frame.names->erase(code.names[static_cast<size_t>(in.a)].get()))
                        unknownName(frame, code.names[static_cast<size_t>(in.a)].get());
                    break;
                case Op::LoadAttr:
                    stack.back() =
                        getAttr(Val(stack.back()), code.names[static_cast<size_t>(in.a)].get());
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
                case Op::Binary: {
                    Val b = pop(stack);
                    stack.back() = binary(static_cast<BinaryOp>(in.a), Val(stack.back()), b);
                    break;
                }
                case Op::InPlace: {
                    Val b = pop(stack);
                    stack.back() = inPlace(static_cast<BinaryOp>(in.a), Val(stack.back()), b);
                    break;
                }
                case Op::Unary:
                    stack.back() = unary(static_cast<UnaryOp>(in.a), Val(stack.back()));
                    break;
                case Op::Compare: {
                    Val b = pop(stack);
                    stack.back() = compare(static_cast<CompareOp>(in.a), Val(stack.back()), b);
                    break;
                }
                case Op::Jump:
                    tick();
                    frame.ip = static_cast<uint32_t>(in.a);
                    goto jumped;
                case Op::JumpIfFalse:
                case Op::JumpIfTrue:
                    if (truthy(pop(stack)) == (in.op == Op::JumpIfTrue)) {
                        frame.ip = static_cast<uint32_t>(in.a);
                        goto jumped;
                    }
                    break;
                case Op::JumpIfFalseOrPop:
                case Op::JumpIfTrueOrPop:
                    if (truthy(stack.back()) == (in.op == Op::JumpIfTrueOrPop)) {
                        frame.ip = static_cast<uint32_t>(in.a);
                        goto jumped;
                    }
                    stack.pop_back();
                    break;
                case Op::GetIter:
                    stack.back() = iterate(Val(stack.back()));
                    break;
                case Op::ForIter: {
                    tick();
                    Val v;
                    Val iterator = stack.back();
                    if (next(iterator, v)) {
                        stack.push_back(std::move(v));
                    } else {
                        stack.pop_back();
                        frame.ip = static_cast<uint32_t>(in.a);
                        goto jumped;
                    }
                    break;
                }
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
                case Op::BuildSet: {
                    Val set(make<SetObj>());
                    for (auto it = stack.end() - in.a; it != stack.end(); ++it)
                        put(*set.as<SetObj>(), Val(*it), Val::none());
                    stack.resize(stack.size() - static_cast<size_t>(in.a));
                    stack.push_back(std::move(set));
                    break;
                }
                case Op::BuildDict:
                    stack.emplace_back(make<DictObj>());
                    break;
                case Op::ListAppend: {
                    if (capture_)
                        mutating(stack[stack.size() - static_cast<size_t>(in.a) - 1].object(),
                                 "a list");
                    Val v = pop(stack);
                    auto* into = stack[stack.size() - static_cast<size_t>(in.a)].as<ListObj>();
                    add(into->items, std::move(v));
                    into->counted();
                    break;
                }
                case Op::SetAdd: {
                    if (capture_)
                        mutating(stack[stack.size() - static_cast<size_t>(in.a) - 1].object(),
                                 "a set");
                    Val v = pop(stack);
                    put(*stack[stack.size() - static_cast<size_t>(in.a)].as<SetObj>(), v,
                        Val::none());
                    break;
                }
                case Op::DictSet: {
                    if (capture_)
                        mutating(stack[stack.size() - static_cast<size_t>(in.a) - 2].object(),
                                 "a dict");
                    Val v = pop(stack), key = pop(stack);
                    DictObj* dict = stack[stack.size() - static_cast<size_t>(in.a)].as<DictObj>();
                    put(*dict, key, std::move(v));
                    break;
                }
                case Op::ListExtend: {
                    if (capture_) mutating(stack[stack.size() - 2].object(), "a container");
                    std::vector<Val> more = items(pop(stack));
                    if (auto* set = stack.back().to<SetObj>()) {
                        for (Val& v : more)
                            put(*set, v, Val::none());
                    } else {
                        auto* into = stack.back().as<ListObj>();
                        room(more.size() * sizeof(Val));
                        into->items.insert(into->items.end(), more.begin(), more.end());
                        into->counted();
                    }
                    break;
                }
                case Op::DictUpdate: {
                    if (capture_) mutating(stack[stack.size() - 2].object(), "a container");
                    Val more = pop(stack);
                    auto* from = more.to<DictObj>();
                    if (!from)
                        raise(Error::Type,
                              fmt::format("'**' needs a dict, found {}", typeName(more)));
                    noteLength(more);
                    auto* into = stack.back().as<DictObj>();
                    for (const auto& e : from->entries())
                        if (e.live()) {
                            noteItem(more, e.key, e.value);
                            if (in.a == 1 && !e.key.is(Kind::Str))
                                raise(Error::Type, "keyword arguments must be named by strings");
                            into->set(e.key, e.hash, e.value);
                        }
                    break;
                }
                case Op::ListToTuple:
                    stack.back() = tuple(stack.back().as<ListObj>()->items);
                    break;
                case Op::Unpack:
                    unpack(frame, in.a, 0, false);
                    break;
                case Op::UnpackRest:
                    unpack(frame, in.a & 0xffff, in.a >> 16, true);
                    break;
                case Op::Call: {
                    size_t base = stack.size() - static_cast<size_t>(in.a);
                    std::vector<Val> args(
                        std::make_move_iterator(stack.begin() + static_cast<std::ptrdiff_t>(base)),
                        std::make_move_iterator(stack.end()));
                    stack.resize(base);
                    Val f = std::move(stack.back());
                    stack.back() = call(f, args);
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
                    Val f = std::move(stack.back());
                    size_t positional = args.size() - given.size();
                    std::vector<std::pair<StrObj*, Val>> keywords;
                    for (size_t i = 0; i < given.size(); ++i)
                        keywords.emplace_back(given[i].as<StrObj>(), args[positional + i]);
                    stack.back() = call(f, std::span<const Val>(args.data(), positional), keywords);
                    break;
                }
                case Op::CallSpread: {
                    Val dict = pop(stack), args = pop(stack), f = pop(stack);
                    std::vector<std::pair<StrObj*, Val>> keywords;
                    for (const auto& e : dict.as<DictObj>()->entries())
                        if (e.live()) keywords.emplace_back(e.key.as<StrObj>(), e.value);
                    stack.push_back(call(f, args.as<ListObj>()->items, keywords));
                    break;
                }
                case Op::MakeFunction: {
                    Val f = makeFunction(frame, in.a);
                    stack.push_back(std::move(f));
                    break;
                }
                case Op::MakeClass: {
                    Val name = pop(stack);
                    size_t base = stack.size() - static_cast<size_t>(in.a);
                    std::vector<Val> bases(stack.begin() + static_cast<std::ptrdiff_t>(base),
                                           stack.end());
                    stack.resize(base);
                    Val body = pop(stack);
                    Frame inner;
                    prepareFrame(inner, *body.as<FunctionObj>(), {});
                    inner.names = Ref<DictObj>(make<DictObj>());
                    run(inner);
                    stack.push_back(makeClass(name.as<StrObj>()->text, bases, inner.names));
                    break;
                }
                case Op::Return: {
                    ended = true;
                    Val result = pop(stack);
                    frame.yielded = false;
                    return result;
                }
                case Op::Yield: {
                    frame.yielded = true;
                    Val result = pop(stack);
                    stack.push_back(Val::none()); // what the yield expression gives
                    ++frame.ip;
                    ended = true;
                    return result;
                }
                case Op::YieldFromNext:
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
                    stack.push_back(Val::boolean(isInstance(stack.back(), type)));
                    break;
                }
                case Op::Raise:
                    raise(pop(stack));
                case Op::Reraise:
                    raise(pop(stack));
                case Op::AssertFailed: {
                    std::string message = in.a ? text(pop(stack)) : "";
                    raise(Error::Assertion, message.empty() ? "assertion failed" : message);
                }
                case Op::EnterWith: {
                    Val manager = pop(stack);
                    Val exit = tryAttr(manager, intern("__exit__")),
                        enter = tryAttr(manager, intern("__enter__"));
                    if (!exit.bound() || !enter.bound())
                        raise(Error::Type,
                              fmt::format("'with' needs a context manager, found {}",
                                          typeName(manager)),
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
                    if (!truthy(call(exit, {type, error, Val::none()}))) raise(error);
                    break;
                }
                case Op::Import:
                    stack.push_back(import(code.names[static_cast<size_t>(in.a)]->text));
                    break;
                case Op::ImportFrom:
                    stack.push_back(
                        importFrom(Val(stack.back()), code.names[static_cast<size_t>(in.a)].get()));
                    break;
                case Op::Format: {
                    std::string spec = in.a & 256 ? pop(stack).as<StrObj>()->text : std::string();
                    Val v = pop(stack);
                    int conversion = in.a & 255;
                    if (conversion == 'r' || conversion == 'a') v = str(repr(v));
                    if (conversion == 's') v = str(text(v));
                    stack.push_back(str(format(v, spec)));
                    break;
                }
                case Op::BuildString: {
                    std::string joined;
                    for (auto it = stack.end() - in.a; it != stack.end(); ++it)
                        append(joined, it->as<StrObj>()->text);
                    stack.resize(stack.size() - static_cast<size_t>(in.a));
                    stack.push_back(str(std::move(joined)));
                    break;
                }
                }
                ++frame.ip;
            jumped:
                if (once) return Val();
            }
        } catch (std::bad_alloc&) {
            ScriptError error = memoryError();
            if (unwindTo(frame, error)) {
                if (once) return Val();
                continue;
            }
            addTrace(error.trace, frame);
            throw error;
        } catch (ScriptError& error) {
            if (unwindTo(frame, error)) {
                if (once) return Val();
                continue;
            }
            addTrace(error.trace, frame);
            throw;
        } catch (CaptureStop& reason) {
            addTrace(reason.trace, frame);
            throw;
        }
    }
}

Val Interp::runScript(const std::string& text, std::shared_ptr<SourceText> source,
                      const Ref<DictObj>& globals) {
    for (size_t at = 0; at <= text.size();) {
        size_t end = std::min(text.find('\n', at), text.size());
        source->lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    auto script = frontend::parse(source->file, text);
    if (!script.ok()) throw ScriptError{{}, std::move(script.error()), {}, true};
    auto code = compileScript(*this, **script, source);
    if (!code.ok()) throw ScriptError{{}, std::move(code.error()), {}, true};
    Frame frame;
    frame.code = *code;
    frame.globals = frame.names = globals;
    frame.locals.resize(frame.code->locals.size());
    for (size_t i = 0; i < frame.code->cells.size(); ++i)
        frame.cells.emplace_back(make<CellObj>());
    return run(frame);
}

} // namespace cutaway::capture
