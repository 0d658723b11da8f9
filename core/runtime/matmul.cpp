// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/matmul.h"

#include <fmt/format.h>

namespace cutaway::runtime {
namespace {

using Kind = kernel::Epilogue::Kind;

bool allConstant(const ir::Shape& shape) {
    for (const ir::Sym& size : shape)
        if (!size.isConst()) return false;
    return true;
}

/// Reads the last two dimensions as rows and columns; missing leading dimensions repeat.
MatmulOperand operand(const ir::Shape& sizes, const ir::Shape& strides, size_t batchRank) {
    MatmulOperand out;
    size_t rank = sizes.size();
    auto stride = [&](size_t fromEnd) {
        if (fromEnd > rank) return int64_t{0};
        return sizes[rank - fromEnd].is(1) ? int64_t{0} : strides[rank - fromEnd].constant();
    };
    for (size_t i = batchRank; i > 0; --i)
        out.batchStrides.push_back(stride(i + 2));
    out.rowStride = stride(2);
    out.columnStride = stride(1);
    return out;
}

base::Status checkView(const kernel::Kernel& kernel, const kernel::StridedView& view) {
    if (allConstant(view.sizes) && allConstant(view.strides) && view.offset.isConst()) return {};
    return base::bugError(fmt::format("{}: an operand's sizes are no constants", kernel.name));
}

} // namespace

int64_t MatmulSpec::batches() const {
    int64_t count = 1;
    for (int64_t size : batch)
        count *= size;
    return count;
}

size_t MatmulSpec::pointerCount() const {
    size_t count = bias ? 4 : 3;
    for (const MatmulEpilogue& epilogue : epilogues)
        count += epilogue.kind == Kind::AddTensor;
    return count;
}

base::Result<MatmulBinding> bindMatmul(const kernel::KernelProgram& program,
                                       const kernel::Kernel& kernel) {
    const kernel::MatmulKernel& matmul = *kernel.matmul;
    const kernel::MatmulCall& call = matmul.call;
    if (kernel.writes.size() != 1 || matmul.sizes.size() < 2 || !allConstant(matmul.sizes))
        return base::bugError(
            fmt::format("{}: a matrix product writes one buffer of constant sizes", kernel.name));
    CUTAWAY_CHECK(checkView(kernel, call.a));
    CUTAWAY_CHECK(checkView(kernel, call.b));
    MatmulBinding binding;
    MatmulSpec& spec = binding.spec;
    binding.result = kernel.writes[0];
    const kernel::Buffer& result = program.loops.buffer(binding.result);
    spec.dtype = result.dtype;
    spec.batch = ir::constants(matmul.sizes);
    spec.n = spec.batch.back();
    spec.batch.pop_back();
    spec.m = spec.batch.back();
    spec.batch.pop_back();
    spec.k = call.a.sizes.back().constant();
    size_t batchRank = spec.batch.size();
    spec.a = operand(call.a.sizes, call.a.strides, batchRank);
    spec.b = operand(call.b.sizes, call.b.strides, batchRank);
    // A follower may see the product with other sizes (heads split off a row); the memory is one
    // dense block all the same (fusion/epilogue.cpp).
    spec.result = operand(
        matmul.sizes,
        matmul.epilogues.empty() ? result.strides : ir::contiguousStrides(matmul.sizes), batchRank);
    binding.operands = {call.a, call.b};
    if (call.bias) {
        CUTAWAY_CHECK(checkView(kernel, *call.bias));
        spec.bias = operand(call.bias->sizes, call.bias->strides, batchRank);
        binding.operands.push_back(*call.bias);
    }
    for (const kernel::Epilogue& epilogue : matmul.epilogues) {
        MatmulEpilogue& out = spec.epilogues.emplace_back();
        out.kind = epilogue.kind;
        out.scalar = epilogue.scalar;
        if (epilogue.kind != Kind::AddTensor) continue;
        CUTAWAY_CHECK(checkView(kernel, *epilogue.tensor));
        out.tensor = operand(epilogue.tensor->sizes, epilogue.tensor->strides, batchRank);
        binding.operands.push_back(*epilogue.tensor);
    }
    return binding;
}

int64_t batchOffset(const MatmulOperand& operand, const std::vector<int64_t>& sizes,
                    int64_t index) {
    int64_t offset = 0;
    for (size_t d = sizes.size(); d-- > 0; index /= sizes[d])
        offset += index % sizes[d] * operand.batchStrides[d];
    return offset;
}

base::Result<std::unique_ptr<CpuMatmul>> makeCpuMatmul(const MatmulSpec& spec, int threads) {
    bool empty = spec.batches() == 0 || spec.m == 0 || spec.n == 0 || spec.k == 0;
    if (spec.dtype != ir::DType::Float32 || empty) return makeLoopMatmul(spec);
    if (auto skinny = makeSkinnyMatmul(spec)) return skinny;
    CUTAWAY_TRY(std::unique_ptr<CpuMatmul> library, makeDnnlMatmul(spec, threads));
    return library ? std::move(library) : makeLoopMatmul(spec);
}

} // namespace cutaway::runtime
