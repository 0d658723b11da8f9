// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cuda_generic.h"

#include "core/base/file_system.h"
#include "core/runtime/cuda_target.h"

#include <fmt/format.h>

#include <map>

namespace cutaway::runtime {

using namespace kernel;
using Kind = Statement::Kind;

namespace {

/// A program of one kernel over plain strided buffers.
class ProgramBuilder {
public:
    explicit ProgramBuilder(std::string name) {
        Kernel& kernel = program_.kernels.emplace_back();
        kernel.id = KernelId(0);
        kernel.name = std::move(name);
        kernel.device = {ir::Device::Kind::Cuda, 0};
        kernel.loops.emplace();
    }
    BufferId buffer(const std::string& name, ir::DType dtype, const std::vector<int64_t>& sizes,
                    const std::vector<int64_t>& strides, bool read) {
        Buffer buffer;
        buffer.id = BufferId(static_cast<uint32_t>(program_.loops.buffers.size()));
        buffer.name = name;
        buffer.kind = read ? BufferKind::Input : BufferKind::Pointwise;
        buffer.dtype = dtype;
        buffer.device = {ir::Device::Kind::Cuda, 0};
        buffer.sizes.assign(sizes.begin(), sizes.end());
        buffer.strides.assign(strides.begin(), strides.end());
        program_.loops.buffers.push_back(buffer);
        Kernel& kernel = program_.kernels[0];
        (read ? kernel.reads : kernel.writes).push_back(buffer.id);
        if (!read) kernel.members.push_back(buffer.id);
        return buffer.id;
    }
    LoopNest& nest() { return *program_.kernels[0].loops; }
    ExprPool& pool() { return program_.loops.pool; }
    ExprId load(BufferId id, const std::vector<ir::Sym>& at) {
        std::vector<Coord> coords;
        for (const ir::Sym& c : at)
            coords.push_back({c, {}});
        return pool().load(id, program_.loops.buffer(id).dtype, std::move(coords));
    }
    void store(Phase& phase, BufferId target, std::vector<ir::Sym> at, ExprId value) {
        Statement s;
        s.kind = Kind::Store;
        s.value = value;
        s.target = target;
        s.coords = std::move(at);
        s.from = target;
        phase.statements.push_back(std::move(s));
    }
    KernelProgram take() { return std::move(program_); }

private:
    KernelProgram program_;
};

std::vector<int64_t> sizesOf(const ResultSpec& spec) {
    std::vector<int64_t> sizes = spec.batch;
    sizes.insert(sizes.end(), {spec.m, spec.n});
    return sizes;
}

std::vector<int64_t> stridesOf(const MatrixView& operand) {
    std::vector<int64_t> strides = operand.batchStrides;
    strides.insert(strides.end(), {operand.rowStride, operand.columnStride});
    return strides;
}

ExprId applied(ProgramBuilder& builder, const ResultSpec& spec, size_t first,
               const std::vector<BufferId>& tensors, const std::vector<ir::Sym>& at, ExprId value) {
    ExprPool& pool = builder.pool();
    size_t tensor = 0;
    for (size_t e = first; e < spec.epilogues.size(); ++e) {
        const EpilogueSpec& epilogue = spec.epilogues[e];
        const ExprId scalar = pool.constant(spec.dtype, epilogue.scalar);
        switch (epilogue.kind) {
        case Epilogue::Kind::AddTensor:
            value = pool.op(ScalarOp::Add, {value, builder.load(tensors[tensor++], at)});
            break;
        case Epilogue::Kind::AddScalar:
            value = pool.op(ScalarOp::Add, {value, scalar});
            break;
        case Epilogue::Kind::MulScalar:
            value = pool.op(ScalarOp::Mul, {value, scalar});
            break;
        case Epilogue::Kind::Relu:
            value = pool.op(ScalarOp::Max, {value, pool.constant(spec.dtype, 0)});
            break;
        }
    }
    return value;
}

std::vector<BufferId> addTensors(ProgramBuilder& builder, const ResultSpec& spec, size_t first) {
    std::vector<BufferId> tensors;
    for (size_t e = first; e < spec.epilogues.size(); ++e)
        if (spec.epilogues[e].kind == Epilogue::Kind::AddTensor)
            tensors.push_back(builder.buffer(fmt::format("added_{}", e), spec.dtype, sizesOf(spec),
                                             stridesOf(spec.epilogues[e].tensor), true));
    return tensors;
}

} // namespace

base::Result<CudaKernelPtr> makeGenericKernel(CudaDevice& device, const KernelProgram& program) {
    Target& target = runtimeCudaTarget();
    CUTAWAY_TRY(const TargetDevice facts, target.device(device.device().index, {}));
    const schedule::Schedule schedule = target.schedule(program, program.kernels[0], facts);
    return loadSource(device, target.emit(program, program.kernels[0], schedule.chosen()));
}

base::Result<CudaModulePtr> loadModule(CudaDevice& device, const codegen::KernelSource& source) {
    Target& target = runtimeCudaTarget();
    CUTAWAY_TRY(const TargetDevice facts, target.device(device.device().index, {}));
    const auto cache = base::defaultCacheFolder();
    BinaryOptions options;
    if (cache) options.cacheFolder = *cache;
    CUTAWAY_TRY(CompiledKernel compiled,
                std::move(target.compile({&source, 1}, facts, options)[0]));
    return CudaModule::load(device, source.entry, compiled.cubin);
}

base::Result<CudaKernelPtr> loadSource(CudaDevice& device, const codegen::KernelSource& source) {
    CUTAWAY_TRY(CudaModulePtr module, loadModule(device, source));
    return CudaKernel::load(source, std::move(module));
}

base::Status runStridedCopy(CudaDevice& device, const StridedBlock& to, const StridedBlock& from) {
    static auto* const mutex = new std::mutex;
    static auto* const kernels = new std::map<std::string, CudaKernelPtr>;
    // Windows of other tensors begin anywhere: vector accesses only where both begin well.
    const bool aligned =
        (reinterpret_cast<uintptr_t>(to.data) | reinterpret_cast<uintptr_t>(from.data)) % 16 == 0;
    const std::string key = fmt::format(
        "{} {} {} {} {} {} {}", device.device().index, int(to.dtype), int(from.dtype), aligned,
        fmt::join(to.sizes, ","), fmt::join(to.strides, ","), fmt::join(from.strides, ","));
    std::lock_guard lock(*mutex);
    CudaKernelPtr& kernel = (*kernels)[key];
    if (!kernel) {
        ProgramBuilder builder("strided_copy");
        const BufferId source = builder.buffer("from", from.dtype, from.sizes, from.strides, true);
        const BufferId target = builder.buffer("to", to.dtype, to.sizes, to.strides, false);
        LoopNest& nest = builder.nest();
        std::vector<ir::Sym> at;
        for (size_t d = 0; d + 1 < to.sizes.size(); ++d) {
            nest.outer.push_back({outerVar(d), to.sizes[d]});
            at.emplace_back(outerVar(d));
        }
        if (!to.sizes.empty()) {
            nest.inner = LoopDim{innerVar(), to.sizes.back()};
            at.emplace_back(innerVar());
        }
        Phase& phase = nest.phases.emplace_back();
        phase.inner = nest.inner.has_value();
        nest.aligned = aligned;
        builder.store(phase, target, at, builder.pool().cast(to.dtype, builder.load(source, at)));
        CUTAWAY_TRY(kernel, makeGenericKernel(device, builder.take()));
    }
    const void* pointers[] = {from.data, to.data, nullptr};
    void* arguments[] = {&pointers[0], &pointers[1], &pointers[2]};
    device.activate();
    return kernel->launch(arguments);
}

KernelProgram epilogueProgram(const ResultSpec& spec, size_t first, bool withBias, bool aligned) {
    ProgramBuilder builder("matmul_epilogue");
    builder.nest().aligned = aligned;
    const std::vector<int64_t> strides = stridesOf(spec.result);
    const BufferId product = builder.buffer("product", spec.dtype, sizesOf(spec), strides, true);
    std::optional<BufferId> bias;
    if (withBias && spec.bias)
        bias = builder.buffer("bias", spec.dtype, sizesOf(spec), stridesOf(*spec.bias), true);
    const std::vector<BufferId> tensors = addTensors(builder, spec, first);
    const BufferId result = builder.buffer("result", spec.dtype, sizesOf(spec), strides, false);
    LoopNest& nest = builder.nest();
    std::vector<ir::Sym> at;
    for (size_t d = 0; d < spec.batch.size() + 1; ++d) {
        nest.outer.push_back({outerVar(d), d < spec.batch.size() ? spec.batch[d] : spec.m});
        at.emplace_back(outerVar(d));
    }
    nest.inner = LoopDim{innerVar(), spec.n};
    at.emplace_back(innerVar());
    Phase& phase = nest.phases.emplace_back();
    ExprId value = builder.load(product, at);
    if (bias) value = builder.pool().op(ScalarOp::Add, {value, builder.load(*bias, at)});
    builder.store(phase, result, at, applied(builder, spec, first, tensors, at, value));
    return builder.take();
}

base::Status launchEpilogues(const CudaKernel& kernel, const ResultSpec& spec, size_t first,
                             bool withBias, void* const* pointers) {
    void* result = pointers[spec.pointerCount() - 1];
    std::vector<void*> values{result};
    if (withBias) values.push_back(pointers[2]);
    size_t tensor = spec.firstTensor();
    for (size_t e = 0; e < spec.epilogues.size(); ++e) {
        if (spec.epilogues[e].kind != Epilogue::Kind::AddTensor) continue;
        if (e >= first) values.push_back(pointers[tensor]);
        ++tensor;
    }
    values.insert(values.end(), {result, nullptr});
    std::vector<void*> arguments;
    for (void*& value : values)
        arguments.push_back(&value);
    return kernel.launch(arguments.data());
}

KernelProgram matmulProgram(const MatmulSpec& spec) {
    ProgramBuilder builder("matmul");
    builder.nest().aligned = false; // operands may begin anywhere
    std::vector<int64_t> sizesA = spec.batch, sizesB = spec.batch;
    sizesA.insert(sizesA.end(), {spec.m, spec.k});
    sizesB.insert(sizesB.end(), {spec.k, spec.n});
    const BufferId a = builder.buffer("a", spec.dtype, sizesA, stridesOf(spec.a), true);
    const BufferId b = builder.buffer("b", spec.dtype, sizesB, stridesOf(spec.b), true);
    std::optional<BufferId> bias;
    if (spec.bias)
        bias = builder.buffer("bias", spec.dtype, sizesOf(spec), stridesOf(*spec.bias), true);
    const std::vector<BufferId> tensors = addTensors(builder, spec, 0);
    const BufferId result =
        builder.buffer("result", spec.dtype, sizesOf(spec), stridesOf(spec.result), false);
    LoopNest& nest = builder.nest();
    const size_t batch = spec.batch.size();
    std::vector<ir::Sym> at, atA, atB;
    for (size_t d = 0; d < batch + 2; ++d) {
        const int64_t size = d < batch ? spec.batch[d] : d == batch ? spec.m : spec.n;
        nest.outer.push_back({outerVar(d), size});
        at.emplace_back(outerVar(d));
    }
    atA.assign(at.begin(), at.end() - 2);
    atB = atA;
    atA.insert(atA.end(), {at[batch], ir::Sym(innerVar())});
    atB.insert(atB.end(), {ir::Sym(innerVar()), at[batch + 1]});
    nest.inner = LoopDim{innerVar(), spec.k};
    nest.locals.push_back({"sum", spec.dtype, Level::Row, false, result});
    Statement sum;
    sum.kind = Kind::ReduceRow;
    sum.local = LocalId(0);
    sum.value = builder.pool().op(ScalarOp::Mul, {builder.load(a, atA), builder.load(b, atB)});
    sum.from = result;
    nest.phases.push_back({true, {sum}});
    Phase& last = nest.phases.emplace_back();
    last.inner = false;
    ExprId value = builder.pool().local(LocalId(0), spec.dtype);
    if (bias) value = builder.pool().op(ScalarOp::Add, {value, builder.load(*bias, at)});
    builder.store(last, result, at, applied(builder, spec, 0, tensors, at, value));
    return builder.take();
}

} // namespace cutaway::runtime
