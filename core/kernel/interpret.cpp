// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/interpret.h"

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

void runBuffer(Memory& memory, const Buffer& buffer) {
    if (buffer.kind == BufferKind::Library) return memory.multiply(*buffer.matmul, buffer.id);
    if (buffer.kind != BufferKind::Pointwise && buffer.kind != BufferKind::Reduction) return;
    Evaluation body(memory, buffer.body);
    Image& target = memory.image(buffer.id);
    LoopState state;
    forEachIndex(ir::constants(buffer.sizes), [&](const std::vector<int64_t>& d) {
        state.d = d;
        if (buffer.kind == BufferKind::Pointwise) {
            target.at(d) = body(state, noLocals);
            return;
        }
        Accumulator total(buffer.reduce, body.dtype(), buffer.dtype);
        int64_t count = 0;
        forEachIndex(ir::constants(buffer.reduced), [&](const std::vector<int64_t>& r) {
            state.r = r;
            total.add(body(state, noLocals), count++);
        });
        target.at(d) = total.result();
    });
}

/// Runs one LoopNest: rows one after the other, phases in order.
class NestRunner {
public:
    NestRunner(Memory& memory, const LoopNest& nest) : memory_(memory), nest_(nest) {
        width_ = nest.inner ? nest.inner->size.constant() : 1;
        for (const Local& local : nest.locals) {
            const bool wide = local.level == Level::Column || local.kept;
            cells_.push_back(std::vector<Scalar>(wide ? width_ : 1));
        }
        sums_.resize(nest.locals.size());
        prepare(nest.phases);
        prepare(nest.finish);
    }

    void run() {
        std::vector<int64_t> rows;
        for (const LoopDim& dim : nest_.outer)
            rows.push_back(dim.size.constant());
        for (const Phase& phase : nest_.phases)
            startSums(phase, true);
        forEachIndex(rows, [&](const std::vector<int64_t>& o) {
            state_.o = o;
            for (const Phase& phase : nest_.phases) {
                startSums(phase, false);
                runPhase(phase);
                endSums(phase, false);
            }
        });
        for (const Phase& phase : nest_.phases)
            endSums(phase, true);
        for (const Phase& phase : nest_.finish)
            runPhase(phase);
    }

private:
    static bool acrossRows(const Statement& s) {
        return s.kind == Statement::Kind::ReduceColumn || s.kind == Statement::Kind::ReduceAll;
    }
    static bool reduces(const Statement& s) {
        return acrossRows(s) || s.kind == Statement::Kind::ReduceRow;
    }
    void prepare(const std::vector<Phase>& phases) {
        for (const Phase& phase : phases)
            for (const Statement& s : phase.statements)
                evaluations_.emplace(&s, Evaluation(memory_, s.value));
    }
    Scalar& cell(LocalId id) {
        auto& cells = cells_[id.index];
        return cells[cells.size() > 1 ? state_.i : 0];
    }
    void startSums(const Phase& phase, bool across) {
        for (const Statement& s : phase.statements)
            if (reduces(s) && acrossRows(s) == across)
                sums_[s.local.index].assign(cells_[s.local.index].size(),
                                            Accumulator(s.reduce, evaluations_.at(&s).dtype(),
                                                        nest_.locals[s.local.index].dtype));
    }
    void endSums(const Phase& phase, bool across) {
        for (const Statement& s : phase.statements)
            if (reduces(s) && acrossRows(s) == across)
                for (size_t i = 0; i < sums_[s.local.index].size(); ++i)
                    cells_[s.local.index][i] = sums_[s.local.index][i].result();
    }
    void runPhase(const Phase& phase) {
        const int64_t count = phase.inner ? width_ : 1;
        for (state_.i = 0; state_.i < count; ++state_.i)
            for (const Statement& s : phase.statements)
                runStatement(s);
        state_.i = 0;
    }
    void runStatement(const Statement& s) {
        const Scalar value = evaluations_.at(&s)(state_, [this](LocalId id) { return cell(id); });
        if (s.kind == Statement::Kind::Let) {
            cell(s.local) = value;
        } else if (s.kind == Statement::Kind::Store) {
            std::vector<int64_t> coords;
            for (const ir::Sym& c : s.coords)
                coords.push_back(valueOf(c, state_));
            memory_.image(s.target).at(coords) = value;
        } else {
            auto& sums = sums_[s.local.index];
            sums[sums.size() > 1 ? state_.i : 0].add(value, state_.i);
        }
    }

    Memory& memory_;
    const LoopNest& nest_;
    LoopState state_;
    int64_t width_ = 1;
    std::vector<std::vector<Scalar>> cells_;
    std::vector<std::vector<Accumulator>> sums_;
    std::map<const Statement*, Evaluation> evaluations_;
};

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

void runMatmul(Memory& memory, const Kernel& kernel) {
    const MatmulKernel& matmul = *kernel.matmul;
    const Buffer& product = memory.program().buffer(kernel.members.front());
    memory.multiply(matmul.call, product.id);
    // The result lies row-major in the last member's buffer, whatever shape that one gives it.
    Image& source = memory.image(product.id);
    Image& target = memory.image(kernel.writes.front());
    const std::vector<int64_t> sizes = ir::constants(matmul.sizes);
    int64_t next = 0;
    forEachIndex(sizes, [&](const std::vector<int64_t>& index) {
        Scalar element = source.at(index);
        for (const Epilogue& epilogue : matmul.epilogues)
            runEpilogue(memory, epilogue, element, product.dtype, index);
        target.elements[next++] = element;
    });
}

template <typename Body>
Result<Tensors> runAll(const LoopProgram& program, std::span<const ir::HostTensor> inputs,
                       const Body& body) {
    Memory memory(program);
    CUTAWAY_CHECK(loadInputs(memory, inputs));
    try {
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
    return runAll(program, inputs, [&](Memory& memory) {
        for (const Buffer& buffer : program.buffers)
            runBuffer(memory, buffer);
    });
}

Result<Tensors> interpret(const KernelProgram& program, std::span<const ir::HostTensor> inputs) {
    return runAll(program.loops, inputs, [&](Memory& memory) {
        for (const Kernel& kernel : program.kernels) {
            if (kernel.matmul)
                runMatmul(memory, kernel);
            else
                NestRunner(memory, *kernel.loops).run();
        }
    });
}

} // namespace cutaway::kernel
