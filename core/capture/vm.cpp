// SPDX-License-Identifier: Apache-2.0
// The instruction loop.
#include "core/base/tick.h"
#include "core/capture/interp.h"
#include "core/capture/quick_numbers.h"
#include "core/capture/script_observer.h"

#include <fmt/format.h>

#include <optional>

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
} // namespace

Val Interp::run(Frame& frame) {
    bool ended = false;
    return dispatch(frame, false, ended);
}

Val Interp::runThrowing(Frame& frame, const Val& exception) {
    bool ended = false;
    return dispatch(frame, false, ended, &exception);
}

Val Interp::run(FrameStack frames) {
    bool ended = false;
    return dispatch(*frames.front(), false, ended, nullptr, frames.subspan(1));
}

std::optional<Val> Interp::step(FrameStack frames) {
    bool ended = false;
    Val v = dispatch(*frames.front(), true, ended, nullptr, frames.subspan(1));
    return ended ? std::optional<Val>(std::move(v)) : std::nullopt;
}

/// What the call that \p frame ran for gives, when the function returned \p result.
Val Interp::givenBy(const Frame& frame, Val result) {
    if (!frame.gives.bound()) return result;
    if (!result.isNone())
        raise(Error::Type,
              fmt::format("__init__() should return None, not '{}'", typeName(result)));
    return frame.gives;
}

bool Interp::unwindTo(Frame& frame, ScriptError& error) {
    if (!error.exception.bound() || frame.blocks.empty()) return false;
    TryBlock block = frame.blocks.back();
    frame.blocks.pop_back();
    frame.stack.resize(block.stackSize);
    frame.stack.push_back(error.exception);
    if (!error.traced) addTrace(error.trace, frame);
    error.exception.as<InstanceObj>()->raised = std::make_shared<const Raised>(
        Raised{std::move(error.diagnostic), std::move(error.trace), error.sealed});
    frame.ip = static_cast<uint32_t>(block.handler);
    return true;
}

/// A built-in that the script library defines: made when its name is first read.
static Val* lateBuiltin(Interp& in, StrObj* name) {
    static constexpr std::pair<std::string_view, const char*> kHomes[] = {
        {"memoryview", "_memoryview"},
        {"BaseExceptionGroup", "_syntax"},
        {"ExceptionGroup", "_syntax"},
        {"$syntax", "_syntax"}};
    for (auto [known, home] : kHomes) {
        if (name->text != known) continue;
        StrObj* there = known == "$syntax" ? in.intern("part") : name;
        in.builtins()->set(name, in.getAttr(in.libraryImport(home), there));
        return in.builtins()->find(name);
    }
    return nullptr;
}

void Interp::storeName(Frame& frame, StrObj* name, Val value) {
    if (frame.names->own) return setItem(frame.names.val(), Val(name), std::move(value));
    frame.names->set(name, std::move(value));
}

Val Interp::namedHere(Frame& frame, StrObj* name) {
    if (!frame.names) return {};
    if (!frame.names->own) {
        Val* found = frame.names->find(name);
        return found ? *found : Val();
    }
    try {
        return getItem(frame.names.val(), Val(name));
    } catch (ScriptError& error) {
        if (!error.exception.bound() || !isInstance(error.exception, Val(errorClass(Error::Key))))
            throw;
        return {};
    }
}

Val Interp::loadGlobal(Frame& frame, size_t ip, int32_t index) {
    StrObj* name = frame.code->names[static_cast<size_t>(index)].get();
    if (Val* found = frame.globals->find(name, frame.code->hints[ip])) {
        if (found->isFloat())
            if (auto symbol = observer_->globalSymbol(frame.globals.get(), name, *found))
                return *symbol;
        observer_->readGlobal(frame.globals.get(), name, *found);
        return *found;
    }
    Val* builtin = builtins_->find(name);
    if (!builtin) builtin = lateBuiltin(*this, name);
    observer_->readNoGlobal(frame.globals.get(), name, builtin);
    if (builtin) return *builtin;
    if (frame.code->source->library)
        if (Val* found = libraryNames_->find(name)) return *found;
    unknownName(frame, name);
}

void Interp::unsetLocal(const Frame& frame, int32_t slot) {
    const std::string& name = frame.code->locals[static_cast<size_t>(slot)];
    observer_->readUnset(frame, slot);
    raisePython(Error::UnboundLocal,
                fmt::format("cannot access local variable '{}' where it is not associated with a "
                            "value",
                            name.substr(0, name.find('@'))),
                fmt::format("local variable '{}' is used before it has a value",
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
    const std::string message = fmt::format("name '{}' is not defined", name->text);
    Val error = newException(Error::Name, {str(message)});
    error.as<InstanceObj>()->attributes->set(intern("name"), Val(name));
    throw ScriptError{error, base::userError({}, message, hint), {}, false};
}

void Interp::unpack(Frame& frame, int32_t before, int32_t after, bool rest) {
    Val source = pop(frame.stack);
    std::vector<Val> values;
    bool sequence = source.is(Kind::Tuple) || source.is(Kind::List);
    if (source.is(Kind::Tensor) || sequence) {
        values = items(source);
    } else if (!source.isObject()) {
        raisePython(Error::Type,
                    fmt::format("cannot unpack non-iterable {} object", typeName(source)),
                    fmt::format("a value of type {} cannot be iterated", typeName(source)));
    } else {
        Val it = iterate(source);
        Val v;
        while ((rest || values.size() <= static_cast<size_t>(before)) && next(it, v))
            add(values, v);
    }
    const size_t fixed = static_cast<size_t>(before) + static_cast<size_t>(after);
    if (values.size() < fixed || (!rest && values.size() > fixed)) {
        bool tooMany = values.size() > fixed && !sequence && !source.is(Kind::Tensor);
        raisePython(Error::Value,
                    values.size() > fixed
                        ? fmt::format("too many values to unpack (expected {})", fixed)
                        : fmt::format("not enough values to unpack (expected {}{}, got {})",
                                      rest ? "at least " : "", fixed, values.size()),
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

/// Which function of vm_instructions.cpp executes an instruction.
enum class Family { None, Name, Operator, Container, Call, Block };

static Family familyOf(Op op) {
    switch (op) {
    case Op::LoadConst:
    case Op::LoadFast:
    case Op::StoreFast:
    case Op::Binary:
    case Op::InPlace:
    case Op::Compare:
    case Op::Jump:
    case Op::JumpIfFalse:
    case Op::JumpIfTrue:
    case Op::JumpIfFalseOrPop:
    case Op::JumpIfTrueOrPop:
    case Op::ForIter:
    case Op::Return:
    case Op::Yield:
    case Op::YieldFrom:
        return Family::None; // execute's and dispatch's business
    case Op::DeleteFast:
    case Op::LoadCell:
    case Op::StoreCell:
    case Op::DeleteCell:
    case Op::PushCell:
    case Op::LoadGlobal:
    case Op::StoreGlobal:
    case Op::DeleteGlobal:
    case Op::LoadName:
    case Op::StoreName:
    case Op::DeleteName:
        return Family::Name;
    case Op::LoadAttr:
    case Op::StoreAttr:
    case Op::DeleteAttr:
    case Op::LoadItem:
    case Op::StoreItem:
    case Op::DeleteItem:
    case Op::BuildSlice:
    case Op::Unary:
    case Op::GetIter:
    case Op::Format:
    case Op::Pop:
    case Op::Duplicate:
    case Op::DuplicateTwo:
    case Op::RotateTwo:
    case Op::RotateThree:
        return Family::Operator;
    case Op::BuildTuple:
    case Op::BuildList:
    case Op::BuildSet:
    case Op::BuildSetOfConstants:
    case Op::BuildDict:
    case Op::BuildString:
    case Op::ListAppend:
    case Op::SetAdd:
    case Op::DictSet:
    case Op::ListExtend:
    case Op::DictUpdate:
    case Op::ListToTuple:
    case Op::MatchSequence:
    case Op::MatchMapping:
    case Op::MatchKeys:
    case Op::MatchRest:
    case Op::MatchClass:
    case Op::Annotate:
    case Op::Unpack:
    case Op::UnpackRest:
        return Family::Container;
    case Op::Call:
    case Op::CallKeywords:
    case Op::CallSpread:
    case Op::MakeFunction:
    case Op::MakeClass:
    case Op::Import:
    case Op::ImportFrom:
    case Op::ImportStar:
        return Family::Call;
    case Op::SetupTry:
    case Op::SetupWith:
    case Op::PopTry:
    case Op::MatchException:
    case Op::Raise:
    case Op::Reraise:
    case Op::RaiseHandled:
    case Op::AssertLater:
    case Op::AssertFailed:
    case Op::EnterWith:
    case Op::ExitWith:
    case Op::ExitWithError:
        return Family::Block;
    }
    return Family::None;
}

// In the loop itself: half of a simple instruction would be the call.
[[gnu::always_inline]] inline uint32_t Interp::execute(Frame& frame, Instruction in) {
    std::vector<Val>& stack = frame.stack;
    const uint32_t next = frame.ip + 1, target = static_cast<uint32_t>(in.a);
    switch (in.op) {
    // The most frequent ones are here.
    case Op::LoadConst:
        stack.push_back(frame.code->constants[static_cast<size_t>(in.a)]);
        return next;
    case Op::LoadFast: {
        const Val& v = frame.locals[static_cast<size_t>(in.a)];
        if (!v.bound()) unsetLocal(frame, in.a);
        if (!frame.unread.empty()) readLocal(frame, static_cast<size_t>(in.a));
        if (v.isObject()) observer_->readValue(v.object());
        stack.push_back(v);
        return next;
    }
    case Op::StoreFast:
        if (!frame.unread.empty()) frame.unread[static_cast<size_t>(in.a)] = false;
        frame.locals[static_cast<size_t>(in.a)] = pop(stack);
        return next;
    case Op::Binary:
    case Op::InPlace: {
        const auto op = static_cast<BinaryOp>(in.a);
        const Val b = pop(stack);
        if (Val r = quickBinary(op, stack.back(), b); r.bound())
            stack.back() = std::move(r);
        else if (const Val a = stack.back(); in.op == Op::Binary)
            stack.back() = binary(op, a, b);
        else
            stack.back() = inPlace(op, a, b);
        return next;
    }
    case Op::Compare: {
        const auto op = static_cast<CompareOp>(in.a);
        const Val b = pop(stack);
        const std::optional<bool> quick = quickCompare(op, stack.back(), b);
        stack.back() = quick ? Val::boolean(*quick) : compare(op, Val(stack.back()), b);
        return next;
    }
    case Op::Jump:
        tick();
        return target;
    case Op::JumpIfFalse:
    case Op::JumpIfTrue: {
        const Val v = pop(stack);
        return (v.isBool() ? v.asBool() : truthy(v)) == (in.op == Op::JumpIfTrue) ? target : next;
    }
    case Op::JumpIfFalseOrPop:
    case Op::JumpIfTrueOrPop:
        if (truthy(stack.back()) == (in.op == Op::JumpIfTrueOrPop)) return target;
        stack.pop_back();
        return next;
    case Op::ForIter: {
        tick();
        Val v, iterator = stack.back();
        if (this->next(iterator, v)) {
            if (auto* g = iterator.to<GeneratorObj>(); g && g->captured)
                observer_->steppedGenerator(*g);
            stack.push_back(std::move(v));
            return next;
        }
        stack.pop_back();
        return target;
    }
    default:
        break;
    }
    switch (familyOf(in.op)) {
    case Family::None:
        break;
    case Family::Name:
        executeName(frame, in);
        break;
    case Family::Operator:
        executeOperator(frame, in);
        break;
    case Family::Container:
        executeContainer(frame, in);
        break;
    case Family::Call:
        executeCall(frame, in);
        break;
    case Family::Block:
        executeBlock(frame, in);
        break;
    }
    return next;
}

void Interp::readLocal(Frame& frame, size_t slot) {
    if (frame.unread[slot]) observer_->readUnread(frame, slot);
}

Val Interp::dispatch(Frame& frame, bool once, bool& ended, const Val* thrown, FrameStack inner) {
    checkStack();
    if (depth_ >= kMaxCalls) tooDeep();
    tick();
    FrameScope scope(*this, frame);
    const std::vector<Instruction>& instructions = frame.code->instructions;
    for (;;) {
        std::optional<ScriptError> outside; // what an instruction threw that is no script's error
        try {
            if (const Val* now = std::exchange(thrown, nullptr)) raiseAgain(*now);
            if (FrameStack now = std::exchange(inner, {}); !now.empty()) {
                bool returned = false;
                Val v = dispatch(*now.front(), once, returned, nullptr, now.subspan(1));
                if (!returned) return Val();
                frame.stack.push_back(givenBy(*now.front(), std::move(v)));
                ++frame.ip;
                if (once) return Val();
            }
            do {
                if (heap_->hasAbandoned()) heap_->finishAbandoned();
                const Instruction in = instructions[frame.ip];
                if (frame.resumable) observer_->remember(frame);
                if (in.op == Op::Return || in.op == Op::Yield) {
                    ended = frame.finished = true;
                    return leave(frame, in.op == Op::Yield);
                }
                if (in.op == Op::YieldFrom) {
                    Val v;
                    if (delegate(frame, v)) {
                        frame.stack.push_back(Val::none()); // what will be sent
                        frame.yielded = ended = true;
                        return v;
                    }
                    frame.ip = static_cast<uint32_t>(in.a);
                    continue;
                }
                frame.ip = execute(frame, in);
            } while (!once);
            if (heap_->hasAbandoned()) heap_->finishAbandoned(); // a graph may come next
            return Val();
        } catch (std::bad_alloc&) {
            outside = memoryError();
        } catch (const base::Cancelled&) { // of a long operation
            outside = interruption();
        } catch (ScriptError& error) {
            if (!unwindTo(frame, error)) {
                frame.finished = true;
                if (!error.traced) addTrace(error.trace, frame);
                error.traced = false;
                throw;
            }
        } catch (CaptureStop& reason) {
            addTrace(reason.trace, frame);
            if (frame.resumable) reason.frames.push_back(frame);
            throw;
        }
        if (outside && !unwindTo(frame, *outside)) {
            frame.finished = true;
            addTrace(outside->trace, frame);
            throw *outside;
        }
        if (once) return Val();
    }
}

/// `yield from`: one step of the inner iterator. False at its end: its result is on the stack.
bool Interp::delegate(Frame& frame, Val& out) {
    Val sent = pop(frame.stack), inner = frame.stack.back();
    bool more = false;
    Val result = Val::none();
    if (auto* generator = inner.to<GeneratorObj>()) {
        more = resume(*generator, sent.isNone() ? nullptr : &sent, nullptr, out);
        if (!more) result = std::exchange(generator->result, Val());
    } else if (sent.isNone()) {
        more = next(inner, out, &result);
    } else {
        out = callMethod(inner, "send", {sent});
        more = true;
    }
    if (more) return true;
    frame.stack.back() = result.bound() ? result : Val::none();
    return false;
}

Val Interp::leave(Frame& frame, bool yielded) {
    frame.yielded = yielded;
    Val result = pop(frame.stack);
    if (yielded) {
        frame.stack.push_back(Val::none()); // what the yield expression gives
        ++frame.ip;
    }
    return result;
}

static void splitLines(SourceText& source, std::string_view text) {
    for (size_t at = 0; at <= text.size();) {
        size_t end = std::min(text.find('\n', at), text.size());
        source.lines.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
}

Val Interp::runScript(const std::string& text, std::shared_ptr<SourceText> source,
                      const Ref<DictObj>& globals) {
    auto script = frontend::parse(source->file, text);
    if (!script.ok()) throw ScriptError{{}, std::move(script.error()), {}, true};
    return runScript(**script, text, std::move(source), globals);
}

Val Interp::runScript(const frontend::Script& script, std::string_view text,
                      std::shared_ptr<SourceText> source, const Ref<DictObj>& globals) {
    splitLines(*source, text);
    auto code = compileScript(*this, script, source);
    if (!code.ok()) throw ScriptError{{}, std::move(code.error()), {}, true};
    if (!source->library)
        globals->set(intern("__doc__"), (*code)->text.empty() ? Val::none() : str((*code)->text));
    return runCode(*code, globals);
}

Val Interp::runCode(std::shared_ptr<const Code> code, const Ref<DictObj>& globals) {
    Frame frame;
    frame.code = std::move(code);
    frame.globals = frame.names = globals;
    frame.locals.resize(frame.code->locals.size());
    for (size_t i = 0; i < frame.code->cells.size(); ++i)
        frame.cells.emplace_back(make<CellObj>());
    return run(frame);
}

Val Interp::evaluate(const std::string& text, const Ref<DictObj>& globals, bool expression) {
    auto source = std::make_shared<SourceText>();
    source->file = "<string>";
    const size_t start = std::min(text.find_first_not_of(" \t\n"), text.size());
    const std::string whole = expression ? text.substr(start) : text;
    splitLines(*source, whole);
    auto wrong = [&](base::Diagnostic d) {
        Val type = *builtins_->find(intern("SyntaxError"));
        Val exception = call(type, {str(d.message)});
        throw ScriptError{exception, std::move(d), {}, false};
    };
    auto script = frontend::parse(source->file, whole);
    if (!script.ok()) wrong(std::move(script.error()));
    auto& body = (*script)->body;
    if (expression) {
        if (body.size() != 1 || body[0]->kind != frontend::StmtKind::Expression)
            wrong(base::userError({}, "invalid syntax: eval() takes one expression"));
        body[0]->kind = frontend::StmtKind::Return;
    }
    auto code = compileScript(*this, **script, source);
    if (!code.ok()) wrong(std::move(code.error()));
    return runCode(*code, globals);
}

} // namespace cutaway::capture
