// SPDX-License-Identifier: Apache-2.0
/// \file
/// Builds one kernel by hand, runs its generated C++ and the slow interpreter, and compares.
#pragma once

#include "core/codegen/source.h"
#include "core/jit/cpu_compiler.h"
#include "core/kernel/interpret.h"
#include "core/kernel/nest.h"
#include "core/kernel/row_tree.h"
#include "core/kernel/scalar_eval.h"
#include "tests/support/schedules.h"

#include <cmath>
#include <cstring>
#include <deque>
#include <random>

namespace cutaway::test {

using namespace kernel;
using ir::DType;
using ir::Sym;

inline Sym o(size_t k = 0) {
    return Sym(outerVar(k));
}
inline Sym i() {
    return Sym(innerVar());
}
inline Coord at(Sym sym) {
    return {std::move(sym), {}};
}

/// Statements of one pass, or between passes.
using Phase = RowTreeBuilder::Body;

struct KernelFixture {
    KernelProgram program;
    std::vector<Axis> rows, nest; ///< nest: further loops of a pass
    std::optional<Sym> inner;
    std::optional<RowTreeBuilder> tree; ///< while statements are added
    std::deque<Phase> phases, finish;
    std::vector<BufferId> reads, writes;
    int lanes = 16;
    bool parallel = true, stream = false;

    ExprPool& pool() { return program.loops.pool; }

    KernelFixture(std::vector<int64_t> outer, int64_t inner, int lanes = 16,
                  std::vector<int64_t> around = {})
        : lanes(lanes) {
        program.loops.name = "test";
        for (size_t k = 0; k < outer.size(); ++k)
            rows.push_back({outerVar(k), outer[k]});
        if (inner >= 0) this->inner = Sym(inner);
        for (size_t k = 0; k < around.size(); ++k)
            nest.push_back({outerVar(outer.size() + k), around[k]});
        tree.emplace(rows, this->inner, Conflict::Owner, nest);
    }
    BufferId buffer(const std::string& name, DType dtype, std::vector<int64_t> sizes, bool input,
                    std::vector<int64_t> strides = {}) {
        Buffer made;
        made.id = BufferId(static_cast<uint32_t>(program.loops.buffers.size()));
        made.name = name;
        made.kind = input ? BufferKind::Input : BufferKind::Pointwise;
        made.dtype = dtype;
        made.sizes = ir::Shape(sizes.begin(), sizes.end());
        made.strides = strides.empty() ? ir::contiguousStrides(made.sizes)
                                       : ir::Shape(strides.begin(), strides.end());
        program.loops.buffers.push_back(made);
        if (input) program.loops.inputs.push_back(made.id);
        return made.id;
    }
    BufferId input(const std::string& name, DType dtype, std::vector<int64_t> sizes,
                   std::vector<int64_t> strides = {}) {
        reads.push_back(buffer(name, dtype, std::move(sizes), true, std::move(strides)));
        return reads.back();
    }
    BufferId output(const std::string& name, DType dtype, std::vector<int64_t> sizes,
                    std::vector<int64_t> strides = {}) {
        const BufferId id = buffer(name, dtype, std::move(sizes), false, std::move(strides));
        const Buffer& made = program.loops.buffer(id);
        program.loops.outputs.push_back({id, made.sizes, made.strides, 0});
        program.loops.outputNames.push_back(name);
        writes.push_back(id);
        return id;
    }
    ExprId load(BufferId id, std::vector<Coord> coords) {
        return pool().load(id, program.loops.buffer(id).dtype, std::move(coords));
    }
    ExprId constant(double value, DType dtype = DType::Float32) {
        return ir::isFloating(dtype) ? pool().constant(dtype, value)
                                     : pool().constantInt(dtype, static_cast<int64_t>(value));
    }
    Phase& phase(bool inner = true, bool after = false) {
        return (after ? finish : phases).emplace_back(Phase{inner, {}});
    }
    TreeLocal local(const std::string& name, DType dtype) {
        return {name, dtype, {}, buffer(name, dtype, {}, false)};
    }
    /// Elements are kept for later phases.
    ExprId let(Phase& phase, const std::string& name, ExprId value, Level level = Level::Element) {
        TreeLocal made = local(name, pool()[value].dtype);
        return pool().local(tree->let(phase, made, value, made.buffer, level == Level::Element),
                            made.dtype);
    }
    ExprId reduce(Phase& phase, RowOp op, const std::string& name, ReduceOp how, ExprId value,
                  DType dtype) {
        TreeLocal made = local(name, dtype);
        const TreeLocal other{name + "_value", pool()[value].dtype, {}, {}};
        return pool().local(tree->reduce(phase, op, made, other, how, value, made.buffer).result,
                            dtype);
    }
    ExprId reduceRow(Phase& phase, const std::string& name, ReduceOp op, ExprId value,
                     DType dtype = DType::Float32) {
        return reduce(phase, RowOp::ReduceRow, name, op, value, dtype);
    }
    ExprId reduceColumn(Phase& phase, const std::string& name, ExprId value,
                        ReduceOp op = ReduceOp::Sum) {
        return reduce(phase, RowOp::ReduceColumn, name, op, value, pool()[value].dtype);
    }
    ExprId reduceAll(Phase& phase, const std::string& name, ReduceOp op, ExprId value) {
        return reduce(phase, RowOp::ReduceAll, name, op, value, pool()[value].dtype);
    }
    void store(Phase& phase, BufferId target, const std::vector<Sym>& coords, ExprId value) {
        tree->store(phase, target, coords, value, target);
    }
    /// For the processor, with the fixture's vectors, on up to so many threads.
    schedule::Candidate how(int threads) {
        return cutaway::testing::cpuCandidate(program, finished(), lanes, parallel ? threads : 1,
                                              stream);
    }
    const Kernel& finished() {
        if (!tree) return program.kernels.front();
        Kernel kernel;
        kernel.id = KernelId(0);
        kernel.name = "fused_test";
        kernel.reads = reads;
        kernel.writes = writes;
        kernel.tree = tree->take(program.loops, {phases.begin(), phases.end()},
                                 {finish.begin(), finish.end()});
        tree.reset();
        kernel.oneLoop = withOneLoop(program.loops, *kernel.tree);
        program.kernels = {kernel};
        return program.kernels.front();
    }
};

/// Values of every kind that the dtype has, the awkward ones first.
inline ir::HostTensor randomTensor(DType dtype, std::vector<int64_t> sizes, uint64_t seed,
                                   double scale = 2, bool special = false) {
    ir::HostTensor tensor = ir::HostTensor::zeros(dtype, std::move(sizes));
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal(0, scale);
    const double awkward[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1e30, -1e-30};
    for (int64_t k = 0; k < tensor.numel(); ++k) {
        if (dtype == DType::Bool)
            tensor.setInt(k, static_cast<int64_t>(engine() % 2));
        else if (ir::isFloating(dtype))
            tensor.set(k, special && k % 5 == 1 ? awkward[k / 5 % 7] : normal(engine));
        else
            tensor.setInt(k,
                          static_cast<int64_t>(engine() % 23) - (dtype == DType::UInt8 ? 0 : 11));
    }
    return tensor;
}

/// Memory with guard zones, at a chosen distance from a 64-byte boundary.
class GuardedMemory {
public:
    GuardedMemory(size_t bytes, size_t misalign) : bytes_(bytes) {
        const size_t rounded = (bytes + 3 * kGuard + 64) / 64 * 64;
        base_.reset(static_cast<std::byte*>(std::aligned_alloc(64, rounded)));
        std::memset(base_.get(), 0xa5, rounded);
        data_ = base_.get() + kGuard + misalign;
    }
    std::byte* data() const { return data_; }
    bool intact() const {
        for (size_t k = 1; k <= 64; ++k)
            if (data_[-static_cast<ptrdiff_t>(k)] != std::byte{0xa5} ||
                data_[bytes_ + k - 1] != std::byte{0xa5})
                return false;
        return true;
    }

private:
    static constexpr size_t kGuard = 128;
    struct Free {
        void operator()(std::byte* p) const { std::free(p); }
    };
    std::unique_ptr<std::byte, Free> base_;
    std::byte* data_ = nullptr;
    size_t bytes_;
};

using Entry = void (*)(void* const*, void*, long);

/// What a run gave: row-major outputs, or a complaint.
struct RunResult {
    std::vector<ir::HostTensor> outputs;
    std::string complaint;
    std::vector<int64_t> faults; ///< the fault words
};

inline int64_t extentOf(const Buffer& buffer) {
    int64_t extent = 1;
    for (size_t k = 0; k < buffer.sizes.size(); ++k) {
        if (buffer.sizes[k].is(0)) return 0;
        extent += (buffer.sizes[k].constant() - 1) * buffer.strides[k].constant();
    }
    return extent;
}

template <typename Visit> void forEachElement(const Buffer& buffer, const Visit& visit) {
    const int64_t count = buffer.numel().constant();
    for (int64_t k = 0; k < count; ++k) {
        int64_t rest = k, offset = 0;
        for (size_t d = buffer.sizes.size(); d-- > 0;) {
            const int64_t size = buffer.sizes[d].constant();
            offset += rest % size * buffer.strides[d].constant();
            rest /= size;
        }
        visit(k, offset);
    }
}

inline RunResult runEntry(const KernelProgram& program, const Kernel& kernel, Entry entry,
                          int64_t scratchBytes, const std::vector<ir::HostTensor>& inputs,
                          int threads, size_t misalign, std::vector<int64_t> sizes = {}) {
    RunResult result;
    std::vector<std::unique_ptr<GuardedMemory>> memory;
    std::vector<void*> buffers;
    auto add = [&](BufferId id) {
        const Buffer& buffer = program.loops.buffer(id);
        const size_t size = ir::sizeBytes(buffer.dtype);
        memory.push_back(std::make_unique<GuardedMemory>(extentOf(buffer) * size, misalign * size));
        buffers.push_back(memory.back()->data());
        return size;
    };
    for (size_t n = 0; n < kernel.reads.size(); ++n) {
        const size_t size = add(kernel.reads[n]);
        forEachElement(program.loops.buffer(kernel.reads[n]), [&](int64_t k, int64_t offset) {
            std::memcpy(memory.back()->data() + offset * size, inputs[n].bytes.data() + k * size,
                        size);
        });
    }
    for (BufferId id : kernel.writes) {
        const size_t size = add(id);
        const auto& given = program.loops.inputs;
        const auto found = std::find(given.begin(), given.end(), id);
        if (found == given.end()) continue;
        // What is accumulated into.
        const ir::HostTensor& start = inputs[static_cast<size_t>(found - given.begin())];
        forEachElement(program.loops.buffer(id), [&](int64_t k, int64_t offset) {
            std::memcpy(memory.back()->data() + offset * size, start.bytes.data() + k * size, size);
        });
    }
    result.faults.assign(program.loops.checks.size() + 1, 0);
    if (makesChecks(program, kernel)) buffers.push_back(result.faults.data());
    if (!sizes.empty()) buffers.push_back(sizes.data());
    GuardedMemory scratch(scratchBytes, 0);
    entry(buffers.data(), scratch.data(), threads);
    for (const auto& block : memory)
        if (!block->intact()) result.complaint = "wrote outside a buffer";
    if (!scratch.intact()) result.complaint = "wrote outside the scratch memory";
    for (size_t n = 0; n < kernel.writes.size(); ++n) {
        const Buffer& buffer = program.loops.buffer(kernel.writes[n]);
        ir::HostTensor tensor = ir::HostTensor::zeros(buffer.dtype, ir::constants(buffer.sizes));
        const size_t size = ir::sizeBytes(buffer.dtype);
        forEachElement(buffer, [&](int64_t k, int64_t offset) {
            std::memcpy(tensor.bytes.data() + k * size,
                        memory[kernel.reads.size() + n]->data() + offset * size, size);
        });
        result.outputs.push_back(std::move(tensor));
    }
    return result;
}

/// "" when the values agree: bit for bit for integers, else within \p tolerance relative to the
/// value (and to \p scale, for sums that cancel).
inline std::string difference(const ir::HostTensor& got, const ir::HostTensor& want,
                              double tolerance, double scale) {
    for (int64_t k = 0; k < want.numel(); ++k) {
        if (!ir::isFloating(want.dtype)) {
            if (got.getInt(k) != want.getInt(k))
                return "element " + std::to_string(k) + ": " + std::to_string(got.getInt(k)) +
                       ", expected " + std::to_string(want.getInt(k));
            continue;
        }
        const double a = got.get(k), b = want.get(k);
        if (std::isnan(a) && std::isnan(b)) continue;
        if (a == b) continue;
        if (!(std::fabs(a - b) <= tolerance * std::max(std::fabs(b), scale)))
            return "element " + std::to_string(k) + ": " + std::to_string(a) + ", expected " +
                   std::to_string(b);
    }
    return {};
}

} // namespace cutaway::test
