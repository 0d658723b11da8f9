// SPDX-License-Identifier: Apache-2.0
// Of an entry's text, what comes behind its graph: the instruction that runs for real, what only
// moves values behind it, and the call of the resume function there.
#include "core/capture/transformed_text.h"

#include "core/capture/scope.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::capture {

namespace {

const char* symbolOf(BinaryOp op) {
    constexpr const char* kSymbols[] = {"+", "-", "*", "/", "//", "%", "**",
                                        "@", "&", "|", "^", "<<", ">>"};
    return kSymbols[static_cast<size_t>(op)];
}

const char* symbolOf(CompareOp op) {
    constexpr const char* kSymbols[] = {"<",  "<=", "==",     "!=", ">",
                                        ">=", "is", "is not", "in", "not in"};
    return kSymbols[static_cast<size_t>(op)];
}

const char* symbolOf(UnaryOp op) {
    constexpr const char* kSymbols[] = {"-", "+", "~", "not "};
    return kSymbols[static_cast<size_t>(op)];
}

std::string take(TextState& state) {
    std::string top = std::move(state.back().stack.back());
    state.back().stack.pop_back();
    return top;
}

std::vector<std::string> takeLast(TextState& state, size_t n) {
    auto& stack = state.back().stack;
    const auto first = stack.end() - static_cast<std::ptrdiff_t>(n);
    std::vector<std::string> last(first, stack.end());
    stack.erase(first, stack.end());
    return last;
}

/// How many values more an instruction leaves on the stack: of those that no expression shows.
int stackEffect(Instruction in) {
    switch (in.op) {
    case Op::LoadFast:
    case Op::LoadGlobal:
    case Op::Import:
    case Op::ImportFrom:
        return 1;
    case Op::StoreGlobal:
    case Op::ListAppend:
    case Op::SetAdd:
    case Op::ListExtend:
    case Op::DictUpdate:
    case Op::MatchKeys:
    case Op::MatchRest:
    case Op::ImportStar:
    case Op::Annotate:
        return -1;
    case Op::DictSet:
    case Op::MatchClass:
    case Op::BuildSlice:
    case Op::ExitWithError:
        return -2;
    case Op::MakeClass:
        return -3;
    case Op::Unpack:
        return in.a - 1;
    case Op::UnpackRest:
        return (in.a & 0xffff) + (in.a >> 16);
    case Op::BuildTuple:
    case Op::BuildList:
    case Op::BuildSet:
    case Op::BuildSetOfConstants:
    case Op::BuildString:
        return 1 - in.a;
    case Op::AssertFailed:
        return -in.a;
    default: // MatchSequence, MatchMapping, MatchException, ListToTuple, DeleteFast, DeleteGlobal
        return 0;
    }
}

} // namespace

TextState TransformedText::stateOf(const std::vector<FrameRecipe>& frames) {
    TextState state;
    for (const FrameRecipe& from : frames) {
        TextFrame frame{&from, from.ip, from.blocks, {}, {}, {}, {}, {}, {}};
        const Code& code = *from.code;
        for (auto [slot, recipe] : from.locals) {
            const Recipe& r = entry_.recipes[static_cast<size_t>(recipe)];
            if (r.what == Recipe::What::Constant && !r.value.bound()) continue;
            frame.locals[slot] =
                value(recipe, plainName(code.locals[static_cast<size_t>(slot)]), false);
        }
        for (size_t i = 0; i < from.cells.size(); ++i)
            frame.cells.push_back(value(from.cells[i], "cell_" + code.cells[i], false));
        for (size_t i = 0; i < from.stack.size(); ++i)
            frame.stack.push_back(value(from.stack[i], fmt::format("stack_{}", i), false));
        if (from.function >= 0) frame.function = value(from.function, code.name, false);
        if (from.module >= 0) frame.module = value(from.module, "module", false);
        if (from.gives >= 0) frame.gives = value(from.gives, "gives", false);
        state.push_back(std::move(frame));
    }
    return state;
}

/// Lines that may raise: an exception goes on in the innermost handler of the frames.
void TransformedText::guarded(const TextState& state, const std::vector<std::string>& lines) {
    size_t f = state.size();
    while (f > 0 && state[f - 1].blocks.empty())
        --f;
    if (f == 0) {
        for (const std::string& text : lines)
            line(text);
        return;
    }
    TextState handler(state.begin(), state.begin() + static_cast<std::ptrdiff_t>(f));
    const TryBlock block = handler.back().blocks.back();
    handler.back().blocks.pop_back();
    handler.back().stack.resize(block.stackSize);
    const std::string error = unique("error");
    handler.back().stack.push_back(error);
    handler.back().ip = static_cast<uint32_t>(block.handler);
    line("try:");
    ++indent_;
    for (const std::string& text : lines)
        line(text);
    --indent_;
    line(fmt::format("except {} as {}:", builtin("BaseException"), error));
    ++indent_;
    goOn(std::move(handler));
    --indent_;
}

/// A new variable with the value of an expression, which may raise.
std::string TransformedText::computed(TextState& state, const TextState& before,
                                      const std::string& expression) {
    const std::string variable = unique("value");
    guarded(before, {variable + " = " + expression});
    state.back().stack.push_back(variable);
    return variable;
}

/// The arguments of the resume function: the innermost frame's first.
std::string TransformedText::resumeCall(const TextState& state) {
    TextHelper resume{TextHelper::What::Resume, 0, nullptr, {}, nullptr, 0};
    std::vector<std::string> arguments;
    std::vector<Position> positions;
    for (const TextFrame& frame : state)
        positions.push_back({frame.from->code, frame.ip, frame.blocks});
    using Of = ResumeSlot::Of;
    for (size_t f = state.size(); f-- > 0;) {
        const TextFrame& frame = state[f];
        auto add = [&](Of of, size_t slot, const std::string& text) {
            resume.slots.push_back({of, f, static_cast<int32_t>(slot)});
            arguments.push_back(text);
        };
        const uint32_t ip = f + 1 == state.size() ? frame.ip : frame.ip + 1;
        for (int32_t slot : resumedLocals(frame.code(), ip, frame.blocks))
            if (auto known = frame.locals.find(slot); known != frame.locals.end())
                add(Of::Local, static_cast<size_t>(slot), known->second);
        for (size_t i = 0; i < frame.cells.size(); ++i)
            add(Of::Cell, i, frame.cells[i]);
        for (size_t i = 0; i < frame.stack.size(); ++i)
            add(Of::Stack, i, frame.stack[i]);
        if (!frame.function.empty()) add(Of::Function, 0, frame.function);
        if (!frame.module.empty()) add(Of::Module, 0, frame.module);
        if (!frame.gives.empty()) add(Of::Gives, 0, frame.gives);
    }
    Segment& segment = segmentAt_(std::move(positions));
    resume.segment = &segment;
    std::string name;
    for (const auto& [known, other] : code_.helpers)
        if (other.segment == &segment && other.slots == resume.slots) name = known;
    if (name.empty()) name = helper("__" + segment.name, std::move(resume));
    return fmt::format("{}({})", name, fmt::join(arguments, ", "));
}

/// What only moves values that are there, then the resume function.
void TransformedText::goOn(TextState state, bool sawLoop) {
    for (;;) {
        TextFrame& frame = state.back();
        const Instruction in = frame.code().instructions[frame.ip];
        if (in.op == Op::StoreFast) {
            frame.locals[in.a] = take(state);
            ++frame.ip;
        } else if (in.op == Op::Pop) {
            take(state);
            ++frame.ip;
        } else if (in.op == Op::DeleteFast) {
            frame.locals.erase(in.a);
            ++frame.ip;
        } else if (in.op == Op::Jump) {
            frame.ip = static_cast<uint32_t>(in.a);
        } else if (in.op == Op::ForIter && !sawLoop) {
            return addNext(std::move(state));
        } else if (in.op == Op::Unpack) {
            return addUnpack(std::move(state), in.a);
        } else {
            break;
        }
    }
    line("return " + resumeCall(state));
}

void TransformedText::addNext(TextState state) {
    const Instruction in = state.back().code().instructions[state.back().ip];
    if (!ended_.size()) {
        ended_ = unique("__end");
        code_.constants.emplace_back(ended_, interp_.list({})); // nothing else is this object
    }
    const std::string item = unique("item");
    guarded(state, {fmt::format("{} = {}({}, {})", item, builtin("next"), state.back().stack.back(),
                                ended_)});
    TextState end = state;
    take(end);
    end.back().ip = static_cast<uint32_t>(in.a);
    line(fmt::format("if {} is {}:", item, ended_));
    ++indent_;
    goOn(std::move(end), true);
    --indent_;
    state.back().stack.push_back(item);
    ++state.back().ip;
    goOn(std::move(state), true);
}

/// Tuples and lists are taken apart at once: others run code of their own.
void TransformedText::addUnpack(TextState state, int32_t count) {
    const std::string given = state.back().stack.back();
    line(fmt::format("if {}({}, ({}, {})):", builtin("isinstance"), given, builtin("tuple"),
                     builtin("list")));
    ++indent_;
    TextState apart = state;
    take(apart);
    std::vector<std::string> names;
    for (int32_t i = 0; i < count; ++i)
        names.push_back(unique("item"));
    const std::string targets = fmt::format("{}", fmt::join(names, ", "));
    guarded(state, {fmt::format("[{}] = {}", targets, given)});
    apart.back().stack.insert(apart.back().stack.end(), names.rbegin(), names.rend());
    ++apart.back().ip;
    goOn(std::move(apart), true);
    --indent_;
    line("return " + resumeCall(state));
}

void TransformedText::addInstruction(TextState state) {
    const TextFrame& frame = state.back();
    const Instruction in = frame.code().instructions[frame.ip];
    const auto& at = frame.code().spans[frame.ip];
    line(fmt::format("# line {}{}: {}", at.line,
                     state.size() == 1 ? "" : " in " + frame.code().name,
                     frame.code().source->trimmed(at.line)));
    if (in.op == Op::StoreFast || in.op == Op::DeleteFast || in.op == Op::Pop)
        return goOn(std::move(state)); // what is given up there ends with this function
    if (addBranch(state, in) || addLast(state, in)) return;
    if (!addOperator(state, in) && !addCall(state, in)) addUnshown(state, in);
    // Behind the last one nothing follows: it leaves the function by itself.
    if (++state.back().ip < state.back().code().instructions.size()) goOn(std::move(state));
}

/// Instructions that say which comes next.
bool TransformedText::addBranch(TextState& state, Instruction in) {
    const bool keeps = in.op == Op::JumpIfFalseOrPop || in.op == Op::JumpIfTrueOrPop;
    const bool ifTrue = in.op == Op::JumpIfTrue || in.op == Op::JumpIfTrueOrPop;
    if (in.op == Op::ForIter) {
        addNext(std::move(state));
        return true;
    }
    if (!keeps && in.op != Op::JumpIfFalse && !ifTrue) return false;
    TextState jumped = state;
    jumped.back().ip = static_cast<uint32_t>(in.a);
    std::string asked = take(state);
    if (!keeps) take(jumped);
    const bool handled = std::any_of(state.begin(), state.end(),
                                     [](const TextFrame& f) { return !f.blocks.empty(); });
    if (handled) {
        const std::string truth = unique("truth");
        guarded(state, {fmt::format("{} = {}({})", truth, builtin("bool"), asked)});
        asked = truth;
    }
    ++state.back().ip;
    line(fmt::format("if {}{}:", ifTrue ? "not " : "", asked));
    ++indent_;
    goOn(std::move(state));
    --indent_;
    goOn(std::move(jumped));
    return true;
}

/// Instructions behind which only a handler can go on.
bool TransformedText::addLast(TextState& state, Instruction in) {
    const TextState before = state;
    if (in.op == Op::RaiseHandled) {
        const TextFrame& frame = state.back();
        for (const Code::Handled& h : frame.code().handled)
            if (frame.ip >= h.from && frame.ip < h.to && frame.locals.count(h.local)) {
                guarded(before, {"raise " + frame.locals.at(h.local)});
                return true;
            }
    }
    if (in.op == Op::Return) {
        std::string result = take(state);
        if (!state.back().gives.empty()) result = state.back().gives;
        state.pop_back();
        if (state.empty()) {
            line("return " + result);
            return true;
        }
        state.back().stack.push_back(result);
        ++state.back().ip;
        goOn(std::move(state));
        return true;
    }
    if (in.op != Op::Raise && in.op != Op::Reraise) return false;
    const std::string cause = in.op == Op::Raise && in.a == 2 ? " from " + take(state) : "";
    guarded(before, {fmt::format("raise {}{}", take(state), cause)});
    return true;
}

bool TransformedText::addOperator(TextState& state, Instruction in) {
    const TextState before = state;
    const Code& code = before.back().code();
    auto name = [&] { return code.names[static_cast<size_t>(in.a)]->text; };
    switch (in.op) {
    case Op::LoadAttr:
        computed(state, before, fmt::format("{}.{}", take(state), name()));
        return true;
    case Op::StoreAttr: {
        const auto given = takeLast(state, 2); // the value, the object
        guarded(before, {fmt::format("{}.{} = {}", given[1], name(), given[0])});
        return true;
    }
    case Op::DeleteAttr:
        guarded(before, {fmt::format("del {}.{}", take(state), name())});
        return true;
    case Op::LoadItem: {
        const auto given = takeLast(state, 2);
        computed(state, before, fmt::format("{}[{}]", given[0], given[1]));
        return true;
    }
    case Op::StoreItem: {
        const auto given = takeLast(state, 3);
        guarded(before, {fmt::format("{}[{}] = {}", given[1], given[2], given[0])});
        return true;
    }
    case Op::DeleteItem: {
        const auto given = takeLast(state, 2);
        guarded(before, {fmt::format("del {}[{}]", given[0], given[1])});
        return true;
    }
    case Op::Binary:
    case Op::Compare: {
        const auto given = takeLast(state, 2);
        computed(state, before,
                 fmt::format("{} {} {}", given[0],
                             in.op == Op::Binary ? symbolOf(static_cast<BinaryOp>(in.a))
                                                 : symbolOf(static_cast<CompareOp>(in.a)),
                             given[1]));
        return true;
    }
    case Op::InPlace: {
        const auto given = takeLast(state, 2);
        const std::string variable = unique("value");
        guarded(before, {fmt::format("{} = {}", variable, given[0]),
                         fmt::format("{} {}= {}", variable, symbolOf(static_cast<BinaryOp>(in.a)),
                                     given[1])});
        state.back().stack.push_back(variable);
        return true;
    }
    case Op::Format: {
        const std::string spec = in.a & 256 ? ", " + take(state) : "";
        const int conversion = in.a & 255;
        const char* by = conversion == 'r' ? "repr" : conversion == 'a' ? "ascii" : "str";
        std::string given = take(state);
        if (conversion) given = fmt::format("{}({})", builtin(by), given);
        computed(state, before, fmt::format("{}({}{})", builtin("format"), given, spec));
        return true;
    }
    case Op::LoadCell:
        computed(state, before, state.back().cells[static_cast<size_t>(in.a)] + ".cell_contents");
        return true;
    case Op::StoreCell: {
        const std::string given = take(state);
        guarded(before, {fmt::format("{}.cell_contents = {}",
                                     state.back().cells[static_cast<size_t>(in.a)], given)});
        return true;
    }
    case Op::Unary:
        computed(state, before, symbolOf(static_cast<UnaryOp>(in.a)) + take(state));
        return true;
    case Op::GetIter:
        computed(state, before, fmt::format("{}({})", builtin("iter"), take(state)));
        return true;
    case Op::EnterWith: {
        const std::string manager = take(state), exit = unique("leave"), entered = unique("value");
        guarded(before, {fmt::format("{} = {}.__exit__", exit, manager),
                         fmt::format("{} = {}.__enter__()", entered, manager)});
        state.back().stack.push_back(exit);
        state.back().stack.push_back(entered);
        return true;
    }
    case Op::ExitWith:
        guarded(before, {fmt::format("{}(None, None, None)", take(state))});
        return true;
    default:
        return false;
    }
}

bool TransformedText::addCall(TextState& state, Instruction in) {
    const TextState before = state;
    if (in.op == Op::Call) {
        const auto arguments = takeLast(state, static_cast<size_t>(in.a));
        computed(state, before, fmt::format("{}({})", take(state), fmt::join(arguments, ", ")));
        return true;
    }
    if (in.op == Op::CallSpread) {
        const auto given = takeLast(state, 2);
        computed(state, before, fmt::format("{}(*{}, **{})", take(state), given[0], given[1]));
        return true;
    }
    if (in.op != Op::CallKeywords) return false;
    const std::string& shown = state.back().stack.back();
    const auto known = std::find_if(code_.constants.begin(), code_.constants.end(),
                                    [&](const auto& c) { return c.first == shown; });
    if (known == code_.constants.end()) return false;
    const std::vector<Val> names = known->second.as<TupleObj>()->items;
    take(state);
    auto arguments = takeLast(state, static_cast<size_t>(in.a));
    const size_t positional = arguments.size() - names.size();
    for (size_t i = 0; i < names.size(); ++i)
        arguments[positional + i] = names[i].as<StrObj>()->text + "=" + arguments[positional + i];
    computed(state, before, fmt::format("{}({})", take(state), fmt::join(arguments, ", ")));
    return true;
}

/// An instruction that no expression shows: a helper does it on the values on the stack.
void TransformedText::addUnshown(TextState& state, Instruction in) {
    const TextState before = state;
    const std::string given = fmt::format("{}", fmt::join(state.back().stack, ", "));
    const std::string result = unique("stack");
    const int after = static_cast<int>(state.back().stack.size()) + stackEffect(in);
    const std::string function = helper(
        "__instruction",
        {TextHelper::What::Instruction, 0, nullptr, {}, state.back().from->code, state.back().ip});
    const std::string& own = state.back().function;
    guarded(before, {fmt::format("{} = {}({}{}{})", result, function, own.empty() ? "None" : own,
                                 given.empty() ? "" : ", ", given)});
    state.back().stack.clear();
    for (int i = 0; i < after; ++i)
        state.back().stack.push_back(fmt::format("{}[{}]", result, i));
}

} // namespace cutaway::capture
