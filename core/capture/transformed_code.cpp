// SPDX-License-Identifier: Apache-2.0
#include "core/capture/compiled_unit.h"

#include "core/capture/scope.h"

#include <fmt/format.h>

namespace cutaway::capture {

/// The function as it runs now, as source: what depyf shows for PyTorch.
std::string CompiledUnit::transformedCode(const Segment& segment, const Capture& capture,
                                          const Entry& entry, int compiled) const {
    const Code& code = segment.code();
    std::vector<std::string> parameters;
    if (segment.name.empty()) {
        for (size_t i = 0; i < code.positional + code.keywordOnly; ++i)
            parameters.push_back(code.locals[i]);
        if (code.takesArgs) parameters.push_back("*" + code.locals[parameters.size()]);
        if (code.takesKwargs)
            parameters.push_back(
                "**" + code.locals[code.positional + code.keywordOnly + (code.takesArgs ? 1 : 0)]);
    } else {
        const Position& at = segment.frames.back();
        std::vector<bool> live = liveLocals(code, at.ip, at.blocks);
        for (size_t i = 0; i < code.locals.size(); ++i)
            if (live[i]) parameters.push_back(plainName(code.locals[i]));
    }
    std::string name = segment.name.empty() ? code.name : "__" + segment.name;
    std::string text = fmt::format("def {}({}):\n", name, fmt::join(parameters, ", "));
    std::vector<std::string> inputs, outputs;
    auto plain = [](std::string source) { // L['x'] is the variable x
        if (source.starts_with("L['")) {
            size_t end = source.find("']");
            return source.substr(3, end - 3) + source.substr(end + 2);
        }
        return source;
    };
    for (ir::NodeId id : capture.graph.placeholders())
        inputs.push_back(plain(capture.graph.node(id).inputSource));
    outputs = capture.graph.outputNames;
    if (!outputs.empty())
        text += fmt::format("    {}{} = __compiled_fn_{}({})\n", fmt::join(outputs, ", "),
                            outputs.size() == 1 ? "," : "", compiled, fmt::join(inputs, ", "));
    int shown = 0; // a shared nest has more parts than recipes
    std::function<std::string(int32_t)> show = [&](int32_t r) -> std::string {
        constexpr int kMaxShown = 1000;
        if (++shown > kMaxShown) return "...";
        const Recipe& recipe = entry.recipes[static_cast<size_t>(r)];
        std::vector<std::string> parts;
        for (int32_t part : recipe.parts)
            parts.push_back(show(part));
        switch (recipe.what) {
        case Recipe::What::Output:
            return outputs[static_cast<size_t>(recipe.number)];
        case Recipe::What::Source:
            return plain(capture.sourceText(recipe.number));
        case Recipe::What::Constant:
            return capture.show(recipe.value);
        case Recipe::What::Operation: {
            const std::string self = parts[0];
            parts.erase(parts.begin());
            return fmt::format("{}.{}({})", self, interp_.text(recipe.value),
                               fmt::join(parts, ", "));
        }
        case Recipe::What::Item:
            return fmt::format("{}[{}]", parts[0], recipe.number);
        case Recipe::What::Tuple:
        case Recipe::What::Size:
            return fmt::format("({}{})", fmt::join(parts, ", "), parts.size() == 1 ? "," : "");
        case Recipe::What::List:
            return fmt::format("[{}]", fmt::join(parts, ", "));
        case Recipe::What::Dict: {
            std::string dict;
            for (size_t i = 0; i + 1 < parts.size(); i += 2)
                dict += (i ? ", " : "") + parts[i] + ": " + parts[i + 1];
            return "{" + dict + "}";
        }
        default:
            return fmt::format("<{}>", interp_.typeName(recipe.value));
        }
    };
    for (auto [source, output] : entry.writes)
        text += fmt::format("    {}.copy_({})\n", plain(capture.sourceText(source)),
                            outputs[static_cast<size_t>(output)]);
    if (entry.result >= 0) return text + fmt::format("    return {}\n", show(entry.result));
    // The frames that wait for each other: a variable of a caller is told apart by its name.
    const FrameRecipe& last = entry.frames.back();
    auto variableOf = [&](const FrameRecipe& frame, size_t slot) {
        const std::string name = plainName(frame.code->locals[slot]);
        return &frame == &last ? name : fmt::format("{}_of_{}", name, frame.code->name);
    };
    std::vector<std::string> stack;
    for (const FrameRecipe& frame : entry.frames) {
        for (auto [slot, recipe] : frame.locals) {
            const std::string value = show(recipe),
                              variable = variableOf(frame, static_cast<size_t>(slot));
            if (variable != value) text += fmt::format("    {} = {}\n", variable, value);
        }
        stack.clear();
        for (int32_t recipe : frame.stack)
            stack.push_back(show(recipe));
        const auto& at = frame.code->spans[frame.ip];
        const std::string in =
            &frame == &last && entry.frames.size() == 1 ? "" : " in " + frame.code->name;
        text +=
            fmt::format("    # line {}{}: {}\n", at.line, in, frame.code->source->trimmed(at.line));
        if (!stack.empty())
            text += fmt::format("    # waiting on the stack: {}\n", fmt::join(stack, ", "));
    }
    const Code& stopped = *last.code;
    const Instruction& in = stopped.instructions[last.ip];
    auto resume = [&](uint32_t ip) {
        std::vector<std::string> live;
        for (size_t f = entry.frames.size(); f-- > 0;) { // as the innermost counts first
            const FrameRecipe& frame = entry.frames[f];
            const uint32_t from = &frame == &last ? ip : frame.ip + 1;
            const std::vector<bool> used = liveLocals(*frame.code, from, frame.blocks);
            for (size_t i = 0; i < used.size(); ++i)
                if (used[i]) live.push_back(variableOf(frame, i));
        }
        return fmt::format("return __resume_at_{}({})\n", stopped.spans[ip].line,
                           fmt::join(live, ", "));
    };
    bool branch = in.op == Op::JumpIfFalse || in.op == Op::JumpIfTrue;
    if (!branch) return text + fmt::format("    {}", resume(last.ip + 1));
    text += fmt::format("    if {}{}:\n        {}    {}", in.op == Op::JumpIfTrue ? "not " : "",
                        stack.empty() ? "..." : stack.back(), resume(last.ip + 1),
                        resume(static_cast<uint32_t>(in.a)));
    return text;
}

} // namespace cutaway::capture
