// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/sized.h"

namespace cutaway::kernel {
namespace {

class Sizer {
public:
    explicit Sizer(std::span<const int64_t> symbols) : symbols_(symbols) {}

    void size(ir::Sym& s) const {
        if (!s.isConst()) s = s.evaluate([&](ir::Var v) { return symbols_[v.index]; });
    }
    void size(ir::Shape& shape) const {
        for (ir::Sym& s : shape)
            size(s);
    }
    void size(StridedView& view) const {
        size(view.sizes);
        size(view.strides);
        size(view.offset);
    }
    void size(MatmulCall& call) const {
        size(call.a);
        size(call.b);
        if (call.bias) size(*call.bias);
    }
    void size(Buffer& buffer) const {
        size(buffer.sizes);
        size(buffer.strides);
        size(buffer.reduced);
        if (buffer.matmul) size(*buffer.matmul);
    }
    void size(Kernel& kernel) const {
        if (!kernel.matmul) return;
        size(kernel.matmul->call);
        size(kernel.matmul->sizes);
        for (Epilogue& epilogue : kernel.matmul->epilogues)
            if (epilogue.tensor) size(*epilogue.tensor);
    }

private:
    std::span<const int64_t> symbols_;
};

} // namespace

KernelProgram sized(const KernelProgram& program, std::span<const int64_t> symbols) {
    KernelProgram result;
    LoopProgram& loops = result.loops;
    loops.name = program.loops.name;
    loops.checks = program.loops.checks;
    loops.buffers = program.loops.buffers;
    loops.inputs = program.loops.inputs;
    loops.outputs = program.loops.outputs;
    loops.outputNames = program.loops.outputNames;
    auto shapes = std::make_shared<ir::ShapeEnv>();
    for (int64_t value : symbols)
        shapes->add(value, {});
    loops.shapes = std::move(shapes);
    result.kernels = program.kernels;
    const Sizer sizer(symbols);
    for (Buffer& buffer : loops.buffers)
        sizer.size(buffer);
    for (StridedView& view : loops.outputs)
        sizer.size(view);
    for (Kernel& kernel : result.kernels)
        sizer.size(kernel);
    return result;
}

std::vector<int64_t> hintsOf(const KernelProgram& program) {
    std::vector<int64_t> hints;
    if (program.loops.shapes)
        for (const ir::SizeSymbol& symbol : program.loops.shapes->symbols())
            hints.push_back(symbol.hint);
    return hints;
}

KernelProgram sizedByHints(const KernelProgram& program) {
    return program.loops.shapes ? sized(program, hintsOf(program)) : program;
}

} // namespace cutaway::kernel
