// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/sized.h"

namespace cutaway::kernel {

SizedProgram::SizedProgram(const KernelProgram& program) : program_(program) {
    if (!program_.loops.shapes) return;
    LoopProgram& loops = numbers_.loops;
    loops.name = program_.loops.name;
    loops.checks = program_.loops.checks;
    loops.buffers = program_.loops.buffers;
    loops.inputs = program_.loops.inputs;
    loops.outputs = program_.loops.outputs;
    loops.outputNames = program_.loops.outputNames;
    numbers_.kernels = program_.kernels;
    for (Check& check : loops.checks)
        add(check.size);
    for (Buffer& buffer : loops.buffers)
        add(buffer);
    for (StridedView& view : loops.outputs)
        add(view);
    for (Kernel& kernel : numbers_.kernels)
        add(kernel);
}

void SizedProgram::add(ir::Sym& size) {
    if (!size.isConst()) places_.emplace_back(&size, flat_.slot(size));
}

void SizedProgram::add(ir::Shape& shape) {
    for (ir::Sym& size : shape)
        add(size);
}

void SizedProgram::add(StridedView& view) {
    add(view.sizes);
    add(view.strides);
    add(view.offset);
}

void SizedProgram::add(Buffer& buffer) {
    add(buffer.sizes);
    add(buffer.strides);
    add(buffer.reduced);
}

void SizedProgram::add(Kernel& kernel) {
    for (auto* tree : {&kernel.tree, &kernel.oneLoop})
        if (*tree)
            for (Axis& axis : (*tree)->axes)
                add(axis.extent);
    if (!kernel.call) return;
    LibraryCall& call = *kernel.call;
    for (StridedView& operand : call.operands)
        add(operand);
    if (call.bias) add(*call.bias);
    add(call.sizes);
    add(call.strides);
    for (Epilogue& epilogue : call.epilogues)
        if (epilogue.tensor) add(*epilogue.tensor);
}

const KernelProgram& SizedProgram::at(std::span<const int64_t> symbols) {
    flat_.run(symbols, values_);
    if (!program_.loops.shapes) return program_;
    for (const auto& [size, slot] : places_)
        *size = value(slot);
    return numbers_;
}

std::vector<int64_t> hintsOf(const LoopProgram& program) {
    std::vector<int64_t> hints;
    if (program.shapes)
        for (const ir::SizeSymbol& symbol : program.shapes->symbols())
            hints.push_back(symbol.hint);
    return hints;
}

} // namespace cutaway::kernel
