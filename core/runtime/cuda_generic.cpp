// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cuda_generic.h"

#include "core/base/file_system.h"
#include "core/kernel/row_tree.h"
#include "core/runtime/cuda_target.h"

#include <fmt/format.h>

#include <map>

namespace cutaway::runtime {

using namespace kernel;
using Body = RowTreeBuilder::Body;

namespace {

/// A program of one kernel over plain strided buffers.
class ProgramBuilder {
public:
    /// \param aligned every tensor begins at a multiple of 16 bytes
    ProgramBuilder(std::string name, bool aligned) {
        Kernel& kernel = program_.kernels.emplace_back();
        kernel.id = KernelId(0);
        kernel.name = std::move(name);
        kernel.device = {ir::Device::Kind::Cuda, 0};
        kernel.aligned = aligned;
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
    ExprPool& pool() { return program_.loops.pool; }
    ExprId load(BufferId id, const std::vector<ir::Sym>& at) {
        std::vector<Coord> coords;
        for (const ir::Sym& c : at)
            coords.push_back({c, {}});
        return pool().load(id, program_.loops.buffer(id).dtype, std::move(coords));
    }
    KernelProgram take(LoopTree tree) {
        program_.kernels[0].tree = std::move(tree);
        return std::move(program_);
    }
    const LoopProgram& loops() const { return program_.loops; }

private:
    KernelProgram program_;
};

/// Loops over all elements of \p sizes: rows, and passes over the last dimension.
struct Elements {
    std::vector<Axis> rows;
    std::optional<ir::Sym> inner;
    std::vector<ir::Sym> at; ///< the element's coordinates

    explicit Elements(const std::vector<int64_t>& sizes) {
        for (size_t d = 0; d + 1 < sizes.size(); ++d) {
            rows.push_back({outerVar(d), sizes[d]});
            at.emplace_back(outerVar(d));
        }
        if (sizes.empty()) return;
        inner = ir::Sym(sizes.back());
        at.emplace_back(innerVar());
    }
    RowTreeBuilder tree() const { return {rows, inner, Conflict::Atomic}; }
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

base::Result<std::vector<CudaModulePtr>>
loadModules(CudaDevice& device, std::span<const codegen::KernelSource> sources) {
    Target& target = runtimeCudaTarget();
    CUTAWAY_TRY(const TargetDevice facts, target.device(device.device().index, {}));
    const auto cache = base::defaultCacheFolder();
    BinaryOptions options;
    if (cache) options.cacheFolder = *cache;
    std::vector<CudaModulePtr> modules;
    for (base::Result<CompiledKernel>& made : target.compile(sources, facts, options)) {
        CUTAWAY_TRY(const CompiledKernel compiled, std::move(made));
        CUTAWAY_TRY(CudaModulePtr module,
                    CudaModule::load(device, compiled.source.entry, compiled.cubin));
        modules.push_back(std::move(module));
    }
    return modules;
}

base::Result<CudaModulePtr> loadModule(CudaDevice& device, const codegen::KernelSource& source) {
    CUTAWAY_TRY(std::vector<CudaModulePtr> modules, loadModules(device, {&source, 1}));
    return std::move(modules.front());
}

base::Result<std::vector<CudaKernelPtr>>
loadSources(CudaDevice& device, std::span<const codegen::KernelSource> sources) {
    CUTAWAY_TRY(std::vector<CudaModulePtr> modules, loadModules(device, sources));
    std::vector<CudaKernelPtr> kernels;
    for (size_t i = 0; i < sources.size(); ++i) {
        CUTAWAY_TRY(CudaKernelPtr kernel, CudaKernel::load(sources[i], std::move(modules[i])));
        kernels.push_back(std::move(kernel));
    }
    return kernels;
}

base::Result<CudaKernelPtr> loadSource(CudaDevice& device, const codegen::KernelSource& source) {
    CUTAWAY_TRY(std::vector<CudaKernelPtr> kernels, loadSources(device, {&source, 1}));
    return std::move(kernels.front());
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
        ProgramBuilder builder("strided_copy", aligned);
        const BufferId source = builder.buffer("from", from.dtype, from.sizes, from.strides, true);
        const BufferId target = builder.buffer("to", to.dtype, to.sizes, to.strides, false);
        const Elements all(to.sizes);
        RowTreeBuilder tree = all.tree();
        Body body{all.inner.has_value(), {}};
        const ExprId value = builder.load(source, all.at);
        tree.store(body, target, all.at, builder.pool().cast(to.dtype, value), target);
        CUTAWAY_TRY(kernel,
                    makeGenericKernel(device, builder.take(tree.take(builder.loops(), {body}))));
    }
    const void* pointers[] = {from.data, to.data, nullptr};
    void* arguments[] = {&pointers[0], &pointers[1], &pointers[2]};
    device.activate();
    return kernel->launch(arguments);
}

KernelProgram epilogueProgram(const ResultSpec& spec, size_t first, bool withBias, bool aligned) {
    ProgramBuilder builder("matmul_epilogue", aligned);
    const std::vector<int64_t> strides = stridesOf(spec.result);
    const BufferId product = builder.buffer("product", spec.dtype, sizesOf(spec), strides, true);
    std::optional<BufferId> bias;
    if (withBias && spec.bias)
        bias = builder.buffer("bias", spec.dtype, sizesOf(spec), stridesOf(*spec.bias), true);
    const std::vector<BufferId> tensors = addTensors(builder, spec, first);
    const BufferId result = builder.buffer("result", spec.dtype, sizesOf(spec), strides, false);
    const Elements all(sizesOf(spec));
    RowTreeBuilder tree = all.tree();
    Body body;
    ExprId value = builder.load(product, all.at);
    if (bias) value = builder.pool().op(ScalarOp::Add, {value, builder.load(*bias, all.at)});
    value = applied(builder, spec, first, tensors, all.at, value);
    tree.store(body, result, all.at, value, result);
    return builder.take(tree.take(builder.loops(), {body}));
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
    ProgramBuilder builder("matmul", false); // operands may begin anywhere
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
    const size_t batch = spec.batch.size();
    std::vector<int64_t> sizes = sizesOf(spec);
    sizes.push_back(spec.k);
    const Elements all(sizes);
    const ir::Sym m = all.at[batch], n = all.at[batch + 1], k = all.at[batch + 2];
    const std::vector<ir::Sym> at(all.at.begin(), all.at.end() - 1);
    std::vector<ir::Sym> atA(at.begin(), at.end() - 2), atB = atA;
    atA.insert(atA.end(), {m, k});
    atB.insert(atB.end(), {k, n});
    RowTreeBuilder tree = all.tree();
    const ir::DType sumType = ir::computeType(spec.dtype);
    Body along, after{false, {}};
    const ExprId term =
        builder.pool().op(ScalarOp::Mul, {builder.load(a, atA), builder.load(b, atB)});
    const LocalId sum = tree.reduce(along, RowOp::ReduceRow, {"sum", sumType, {}, result}, {},
                                    ReduceOp::Sum, term, result)
                            .result;
    ExprId value = builder.pool().local(sum, sumType);
    if (bias) value = builder.pool().op(ScalarOp::Add, {value, builder.load(*bias, at)});
    tree.store(after, result, at, applied(builder, spec, 0, tensors, at, value), result);
    return builder.take(tree.take(builder.loops(), {along, after}));
}

} // namespace cutaway::runtime
