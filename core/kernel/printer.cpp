// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/printer.h"

#include "core/kernel/address.h"

#include <fmt/format.h>

namespace cutaway::kernel {

namespace {

std::string typeText(const Buffer& buffer) {
    return fmt::format("{}{}", ir::shortName(buffer.dtype), ir::str(buffer.sizes));
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

std::string productText(const LoopProgram& program, const MatmulCall& call) {
    std::string text =
        fmt::format("matmul({}, {})", print(program, call.a), print(program, call.b));
    if (call.bias) text += " + " + print(program, *call.bias);
    return text;
}

/// Text of one kernel's loops.
class NestPrinter {
public:
    NestPrinter(const LoopProgram& program, const LoopNest& nest)
        : program_(program), nest_(nest) {}

    std::string run() {
        std::string indent = "    ";
        if (!nest_.outer.empty()) {
            text_ += indent + "for ";
            for (size_t i = 0; i < nest_.outer.size(); ++i)
                text_ += fmt::format("{}{} in 0..{}", i ? ", " : "", nest_.outer[i].variable.str(),
                                     nest_.outer[i].size.str());
            text_ += nest_.schedule.parallel ? " (parallel):\n" : ":\n";
            indent += "    ";
        }
        for (const Phase& phase : nest_.phases)
            printPhase(phase, indent);
        if (nest_.finish.empty()) return text_;
        text_ += "    after all rows:\n";
        for (const Phase& phase : nest_.finish)
            printPhase(phase, "        ");
        return text_;
    }

private:
    void printPhase(const Phase& phase, std::string indent) {
        if (phase.inner) {
            const bool parallel = nest_.outer.empty() && nest_.schedule.parallel;
            text_ += fmt::format("{}for i in 0..{}{}:\n", indent, nest_.inner->size.str(),
                                 parallel ? " (parallel)" : "");
            indent += "    ";
        }
        for (const Statement& s : phase.statements)
            text_ += indent + statementText(s) + "\n";
    }

    std::string valueText(ExprId id) const {
        ExprPool::Names names;
        names.buffer = [this](BufferId b) { return program_.buffer(b).name; };
        names.local = [this](LocalId l) { return nest_.locals[l.index].name; };
        names.place = [this](const Expr& load) -> std::string {
            std::vector<ir::Sym> coords;
            for (const Coord& c : load.coords) {
                if (c.indirect.valid()) return {};
                coords.push_back(c.index);
            }
            return placeText(program_.buffer(load.buffer), coords);
        };
        return program_.pool.str(id, names);
    }

    // Coordinates, or one offset where coordinates are digits of a merged loop's index.
    static std::string placeText(const Buffer& buffer, const std::vector<ir::Sym>& coords) {
        std::string text;
        bool plain = true;
        for (const ir::Sym& c : coords) {
            text += (text.empty() ? "" : ", ") + indexText(c);
            plain =
                plain && text.find('/') == std::string::npos && text.find('%') == std::string::npos;
        }
        const std::string offset = indexText(offsetOf(buffer, coords));
        return plain || offset.find_first_of("/%") != std::string::npos ? text : offset;
    }

    std::string statementText(const Statement& s) const {
        if (s.kind == Statement::Kind::Store)
            return fmt::format("{}[{}] = {}", program_.buffer(s.target).name,
                               placeText(program_.buffer(s.target), s.coords), valueText(s.value));
        const Local& local = nest_.locals[s.local.index];
        const std::string left = fmt::format("{}: {}{}", local.name, ir::shortName(local.dtype),
                                             local.kept ? " (kept)" : "");
        switch (s.kind) {
        case Statement::Kind::ReduceRow:
            return fmt::format("{} = {} over i of {}", left, text(s.reduce), valueText(s.value));
        case Statement::Kind::ReduceColumn:
            return fmt::format("{} = {} over rows of {}", left, text(s.reduce), valueText(s.value));
        case Statement::Kind::ReduceAll:
            return fmt::format("{} = {} over all of {}", left, text(s.reduce), valueText(s.value));
        case Statement::Kind::Let:
        case Statement::Kind::Store:
            break;
        }
        return fmt::format("{} = {}", left, valueText(s.value));
    }

    const LoopProgram& program_;
    const LoopNest& nest_;
    std::string text_;
};

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
        return fmt::format("{} = input, strides {}", head, ir::str(buffer.strides));
    case BufferKind::Constant:
        return head + " = constant";
    case BufferKind::Library:
        return fmt::format("{} = {}", head, productText(program, *buffer.matmul));
    case BufferKind::Pointwise:
        return buffer.sizes.empty()
                   ? fmt::format("{} = {}", head, body())
                   : fmt::format("{} = {}  for {}", head, body(), loops('d', buffer.sizes));
    case BufferKind::Reduction:
        break;
    }
    std::string text = fmt::format("{} = {} over {} of {}", head, kernel::text(buffer.reduce),
                                   loops('r', buffer.reduced), body());
    if (!buffer.sizes.empty()) text += "  for " + loops('d', buffer.sizes);
    return text;
}

std::string print(const LoopProgram& program) {
    std::string text = fmt::format("loops {}:\n", program.name);
    for (const Buffer& buffer : program.buffers)
        text += "    " + print(program, buffer) + "\n";
    for (size_t i = 0; i < program.outputs.size(); ++i) {
        const StridedView& view = program.outputs[i];
        const std::string name = i < program.outputNames.size() ? program.outputNames[i] : "output";
        text += fmt::format("    return {} = {}\n", name,
                            view.buffer.valid() ? print(program, view) : "none");
    }
    return text;
}

std::string print(const LoopProgram& program, const Kernel& kernel) {
    std::string text = fmt::format("kernel {}(reads {}; writes {}):\n", kernel.name,
                                   names(program, kernel.reads), names(program, kernel.writes));
    if (kernel.loops) return text + NestPrinter(program, *kernel.loops).run();
    text += fmt::format("    {} = {}\n", program.buffer(kernel.writes.front()).name,
                        productText(program, kernel.matmul->call));
    for (const Epilogue& epilogue : kernel.matmul->epilogues)
        text += fmt::format("    then {}\n", epilogueText(program, epilogue));
    return text;
}

std::string print(const KernelProgram& program) {
    std::string text;
    for (const Kernel& kernel : program.kernels)
        text += print(program.loops, kernel);
    return text;
}

} // namespace cutaway::kernel
