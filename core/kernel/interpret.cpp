// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/interpret.h"

#include "core/base/tick.h"
#include "core/kernel/interpret_memory.h"

#include <fmt/format.h>

#include <stdexcept>

namespace cutaway::kernel {

using base::Result;
using Tensors = std::vector<ir::HostTensor>;

namespace {

Scalar noLocals(LocalId) {
    throw std::logic_error("loop IR has no locals");
}

void runScatter(Memory& memory, const Buffer& buffer) {
    Evaluation body(memory, buffer.body);
    std::vector<Evaluation> computed;
    const Expr& place = memory.program().pool[buffer.place];
    for (const Coord& c : place.coords)
        if (c.indirect.valid()) computed.emplace_back(memory, c.indirect);
    Image& target = memory.image(buffer.id);
    LoopState state = memory.sizes();
    forEachIndex(memory.sizesOf(buffer.reduced), [&](const std::vector<int64_t>& r) {
        state.r = r;
        std::vector<int64_t> coords;
        size_t next = 0;
        for (const Coord& c : place.coords)
            coords.push_back(c.indirect.valid() ? computed[next++](state, noLocals).integer
                                                : valueOf(c.index, state));
        const Scalar value = body(state, noLocals);
        Scalar& element = target.at(coords);
        const Scalar args[] = {element, value};
        element = stored(evaluate(combineOp(buffer.reduce), ir::computeType(buffer.dtype), args),
                         buffer.dtype);
    });
}

void runPointwise(Memory& memory, const Buffer& buffer) {
    Evaluation body(memory, buffer.body);
    Image& target = memory.image(buffer.id);
    LoopState state = memory.sizes();
    forEachIndex(memory.sizesOf(buffer.sizes), [&](const std::vector<int64_t>& d) {
        state.d = d;
        target.at(d) = stored(body(state, noLocals), buffer.dtype);
    });
}

/// \param buffer what \p reduction gives: its own, or its other result
void runReduction(Memory& memory, const Buffer& buffer, const Buffer& reduction) {
    Evaluation body(memory, reduction.body);
    Image& target = memory.image(buffer.id);
    LoopState state = memory.sizes();
    forEachIndex(memory.sizesOf(buffer.sizes), [&](const std::vector<int64_t>& d) {
        state.d = d;
        Accumulator total(reduction.reduce, body.dtype(), ir::computeType(reduction.dtype));
        int64_t count = 0;
        forEachIndex(memory.sizesOf(reduction.reduced), [&](const std::vector<int64_t>& r) {
            state.r = r;
            total.add(body(state, noLocals), count++);
        });
        const bool other = buffer.id != reduction.id;
        target.at(d) = stored(other ? total.other() : total.result(), buffer.dtype);
    });
}

void runBuffer(Memory& memory, const Buffer& buffer) {
    switch (buffer.kind) {
    case BufferKind::Input:
    case BufferKind::Constant:
        return;
    case BufferKind::Library:
        return memory.call(*buffer.call, buffer.id);
    case BufferKind::Scatter:
        return runScatter(memory, buffer);
    case BufferKind::Pointwise:
        return runPointwise(memory, buffer);
    case BufferKind::Reduction:
        return runReduction(memory, buffer, buffer);
    case BufferKind::Result:
        if (buffer.body.valid()) return runPointwise(memory, buffer);
        return runReduction(memory, buffer, memory.program().buffer(buffer.of));
    }
}

void runEpilogue(Memory& memory, const Epilogue& epilogue, Scalar& element, ir::DType dtype,
                 const std::vector<int64_t>& index) {
    auto apply = [&](ScalarOp op, const Scalar& other) {
        const Scalar args[] = {element, other};
        element = evaluate(op, dtype, args);
    };
    switch (epilogue.kind) {
    case Epilogue::Kind::AddTensor:
        return apply(ScalarOp::Add, memory.element(*epilogue.tensor, index));
    case Epilogue::Kind::AddScalar:
        return apply(ScalarOp::Add, scalarOf(dtype, epilogue.scalar));
    case Epilogue::Kind::MulScalar:
        return apply(ScalarOp::Mul, scalarOf(dtype, epilogue.scalar));
    case Epilogue::Kind::Relu:
        return apply(ScalarOp::Max, scalarOf(dtype, 0));
    }
}

void runCall(Memory& memory, const Kernel& kernel) {
    const LibraryCall& call = *kernel.call;
    const Buffer& product = memory.program().buffer(kernel.members.front());
    memory.call(call, product.id);
    // The result lies row-major in the last member's buffer, whatever shape that one gives it.
    Image& source = memory.image(product.id);
    Image& target = memory.image(kernel.writes.front());
    const std::vector<int64_t> sizes = memory.sizesOf(product.sizes);
    int64_t next = 0;
    forEachIndex(sizes, [&](const std::vector<int64_t>& index) {
        Scalar element = source.at(index);
        for (const Epilogue& epilogue : call.epilogues)
            runEpilogue(memory, epilogue, element, product.dtype, index);
        target.elements[next++] = element;
    });
}

template <typename Body>
Result<Tensors> runAll(const LoopProgram& program, std::span<const ir::HostTensor> inputs,
                       std::span<const int64_t> symbols, const Body& body) {
    Memory memory(program, symbols);
    try {
        CUTAWAY_CHECK(loadInputs(memory, inputs));
        body(memory);
        return readOutputs(memory);
    } catch (CheckFailed& failed) {
        return std::move(failed.why);
    } catch (const std::logic_error& error) {
        return base::bugError(fmt::format("interpreting {}: {}", program.name, error.what()));
    }
}

} // namespace

Result<Tensors> interpret(const LoopProgram& program, std::span<const ir::HostTensor> inputs) {
    return runAll(program, inputs, {}, [&](Memory& memory) {
        for (const Buffer& buffer : program.buffers)
            runBuffer(memory, buffer);
    });
}

Result<Tensors> interpret(const KernelProgram& program, std::span<const ir::HostTensor> inputs,
                          std::span<const int64_t> symbols) {
    return runAll(program.loops, inputs, symbols, [&](Memory& memory) {
        for (const Kernel& kernel : program.kernels) {
            base::tick();
            if (kernel.call)
                runCall(memory, kernel);
            else
                runTree(memory, *kernel.tree);
        }
    });
}

} // namespace cutaway::kernel
