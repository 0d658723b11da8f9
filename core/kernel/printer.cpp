// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/printer.h"

#include "core/ir/printer.h"
#include "core/kernel/attention_call.h"
#include "core/kernel/row_call.h"
#include "core/kernel/tree_text.h"

#include <fmt/format.h>

namespace cutaway::kernel {

namespace {

std::string typeText(const Buffer& buffer) {
    return ir::typeText({buffer.dtype, buffer.sizes, buffer.strides, buffer.device, false});
}

std::string join(const ir::Shape& shape) {
    std::string text = ir::str(shape);
    return text.substr(1, text.size() - 2);
}

std::string loops(char kind, const ir::Shape& sizes) {
    std::string text;
    for (size_t i = 0; i < sizes.size(); ++i)
        text += fmt::format("{}{}{} in 0..{}", i ? ", " : "", kind, i, sizes[i].str());
    return text;
}

/// What computes \p result, whose memory the call may see under other sizes.
std::string callText(const LoopProgram& program, const LibraryCall& call, const Buffer& result) {
    std::string text = std::string(info(call.op).name) + "(";
    for (size_t i = 0; i < call.operands.size(); ++i)
        text += (i ? ", " : "") + print(program, call.operands[i]);
    const ConvolutionWindow& w = call.window;
    if (!w.stride.empty())
        text += fmt::format("; stride {}; padding {}; dilation {}; groups {}",
                            fmt::join(w.stride, ", "), fmt::join(w.padding, ", "),
                            fmt::join(w.dilation, ", "), w.groups);
    text += rowText(call) + taskText(call) + attentionText(call) + ")";
    if (call.sizes != result.sizes || call.strides != ir::contiguousStrides(result.sizes))
        text += fmt::format(" as [{}; strides {}]", join(call.sizes), join(call.strides));
    if (call.bias) text += " + " + print(program, *call.bias);
    return text;
}

std::string checkText(const Check& check) {
    if (check.kind == Check::Kind::Divisor) return "divisor of " + check.operation;
    return fmt::format("index '{}' of {}, dimension {} of size {}", check.argument, check.operation,
                       check.dimension, check.size.str());
}

std::string epilogueText(const LoopProgram& program, const Epilogue& epilogue) {
    switch (epilogue.kind) {
    case Epilogue::Kind::AddTensor:
        return "add " + print(program, *epilogue.tensor);
    case Epilogue::Kind::AddScalar:
        return fmt::format("add {}", epilogue.scalar);
    case Epilogue::Kind::MulScalar:
        return fmt::format("multiply by {}", epilogue.scalar);
    case Epilogue::Kind::Relu:
        return "relu";
    }
    return {};
}

std::string names(const LoopProgram& program, const std::vector<BufferId>& ids) {
    std::string text;
    for (BufferId id : ids)
        text += (text.empty() ? "" : ", ") + program.buffer(id).name;
    return text;
}

/// size s0 = 16, from 4 to 64
std::string sizeText(const ir::SizeSymbol& size) {
    const ir::SizeRange any;
    std::string text = fmt::format("size {} = {}", size.variable.str(), size.hint);
    if (size.range == any) return text;
    text += fmt::format(", from {}", size.range.least);
    return size.range.most == any.most ? text : text + fmt::format(" to {}", size.range.most);
}

} // namespace

std::string print(const LoopProgram& program, const StridedView& view) {
    return fmt::format("{}[{}; strides {}; offset {}]", program.buffer(view.buffer).name,
                       join(view.sizes), join(view.strides), view.offset.str());
}

std::string print(const LoopProgram& program, const Buffer& buffer) {
    const std::string head = fmt::format("{}: {}", buffer.name, typeText(buffer));
    auto body = [&] {
        return program.pool.str(buffer.body, [&](BufferId b) { return program.buffer(b).name; });
    };
    switch (buffer.kind) {
    case BufferKind::Input:
        return head + " = input";
    case BufferKind::Constant:
        return fmt::format("{} = constant({})", head, ir::valuesText(*buffer.constant));
    case BufferKind::Library:
        return fmt::format("{} = {}", head, callText(program, *buffer.call, buffer));
    case BufferKind::Pointwise:
        return buffer.sizes.empty()
                   ? fmt::format("{} = {}", head, body())
                   : fmt::format("{} = {}  for {}", head, body(), loops('d', buffer.sizes));
    case BufferKind::Result: {
        const std::string other =
            fmt::format("{} = other result of {}", head, program.buffer(buffer.of).name);
        if (!buffer.body.valid()) return other;
        return fmt::format("{}, {}  for {}", other, body(), loops('d', buffer.sizes));
    }
    case BufferKind::Scatter:
        return fmt::format(
            "{} = {} of {} into {} at {}  for {}", head, kernel::text(buffer.reduce), body(),
            program.buffer(buffer.base).name,
            program.pool.str(buffer.place, [&](BufferId b) { return program.buffer(b).name; }),
            loops('r', buffer.reduced));
    case BufferKind::Reduction:
        break;
    }
    std::string text = fmt::format("{} = {} over {} of {}", head, kernel::text(buffer.reduce),
                                   loops('r', buffer.reduced), body());
    if (!buffer.sizes.empty()) text += "  for " + loops('d', buffer.sizes);
    return text;
}

std::string printSizes(const LoopProgram& program) {
    std::string text;
    if (program.shapes)
        for (const ir::SizeSymbol& size : program.shapes->symbols())
            text += "    " + sizeText(size) + "\n";
    return text;
}

std::string printEnding(const LoopProgram& program) {
    std::string text;
    for (size_t i = 0; i < program.checks.size(); ++i)
        text += fmt::format("    check{}: {}\n", i, checkText(program.checks[i]));
    for (size_t i = 0; i < program.outputs.size(); ++i) {
        const StridedView& view = program.outputs[i];
        const std::string name = i < program.outputNames.size() ? program.outputNames[i] : "output";
        text += fmt::format("    return {} = {}\n", name,
                            view.buffer.valid() ? print(program, view) : "none");
    }
    return text;
}

std::string print(const LoopProgram& program) {
    std::string text = fmt::format("loops {}:\n", program.name) + printSizes(program);
    for (const Buffer& buffer : program.buffers)
        text += "    " + print(program, buffer) + "\n";
    return text + printEnding(program);
}

std::string print(const LoopProgram& program, const Kernel& kernel) {
    std::string text = fmt::format("kernel {}(reads {}; writes {}):\n", kernel.name,
                                   names(program, kernel.reads), names(program, kernel.writes));
    if (kernel.hasCode()) return text + print(program, *kernel.tree, 1);
    const Buffer& result = program.buffer(kernel.writes.front());
    text += fmt::format("    {} = {}\n", result.name, callText(program, *kernel.call, result));
    for (const Epilogue& epilogue : kernel.call->epilogues)
        text += fmt::format("    then {}\n", epilogueText(program, epilogue));
    return text;
}

std::string print(const KernelProgram& program) {
    std::string text = print(program.loops);
    for (const Kernel& kernel : program.kernels)
        text += print(program.loops, kernel);
    return text;
}

} // namespace cutaway::kernel
