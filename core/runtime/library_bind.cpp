// SPDX-License-Identifier: Apache-2.0
// From a kernel's call to plain numbers.
#include "core/runtime/library.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::runtime {
namespace {

using kernel::LibraryCall;
using kernel::LibraryOp;
using kernel::StridedView;

bool allConstant(const ir::Shape& shape) {
    return std::all_of(shape.begin(), shape.end(), [](const ir::Sym& s) { return s.isConst(); });
}

/// Reads the last two dimensions as rows and columns; missing leading dimensions repeat.
MatrixView matrixView(const ir::Shape& sizes, const ir::Shape& strides, size_t batchRank) {
    MatrixView out;
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

/// What follows the operation, over a result of \p sizes that lies row-major in memory.
void bindResult(const LibraryCall& call, const ir::Shape& sizes, ResultSpec& spec) {
    spec.batch = ir::constants(sizes);
    spec.n = spec.batch.back();
    spec.batch.pop_back();
    spec.m = spec.batch.back();
    spec.batch.pop_back();
    const size_t batchRank = spec.batch.size();
    spec.result = matrixView(sizes, ir::contiguousStrides(sizes), batchRank);
    if (call.bias) spec.bias = matrixView(call.bias->sizes, call.bias->strides, batchRank);
    for (const kernel::Epilogue& epilogue : call.epilogues) {
        EpilogueSpec& out = spec.epilogues.emplace_back();
        out.kind = epilogue.kind;
        out.scalar = epilogue.scalar;
        if (epilogue.tensor)
            out.tensor = matrixView(epilogue.tensor->sizes, epilogue.tensor->strides, batchRank);
    }
}

MatmulSpec bindMatmul(const LibraryCall& call) {
    MatmulSpec spec;
    // A follower may see the product with other sizes (heads split off a row); the memory is one
    // dense block all the same (fusion/epilogue.cpp).
    bindResult(call, call.sizes, spec);
    const StridedView &a = call.operands[0], &b = call.operands[1];
    spec.k = a.sizes.back().constant();
    spec.a = matrixView(a.sizes, a.strides, spec.batch.size());
    spec.b = matrixView(b.sizes, b.strides, spec.batch.size());
    return spec;
}

/// Joins neighbouring dimensions that the result, the bias and the tensors all walk with one
/// stride, so that a pass over the result runs long rows. What is all one block becomes rows of
/// a few thousand elements, for threads to share.
void mergeDimensions(ResultSpec& spec) {
    constexpr int64_t kRow = 4096;
    std::vector<MatrixView*> views{&spec.result};
    if (spec.bias) views.push_back(&*spec.bias);
    for (EpilogueSpec& epilogue : spec.epilogues)
        if (epilogue.kind == kernel::Epilogue::Kind::AddTensor) views.push_back(&epilogue.tensor);
    std::vector<int64_t> sizes;
    std::vector<std::vector<int64_t>> strides(views.size());
    auto add = [&](int64_t size, auto strideOf) {
        if (size == 1) return;
        bool joins = !sizes.empty();
        for (size_t v = 0; joins && v < views.size(); ++v)
            joins = strides[v].back() == strideOf(*views[v]) * size;
        if (!joins) sizes.push_back(1);
        sizes.back() *= size;
        for (size_t v = 0; v < views.size(); ++v) {
            if (!joins) strides[v].push_back(0);
            strides[v].back() = strideOf(*views[v]);
        }
    };
    for (size_t d = 0; d < spec.batch.size(); ++d)
        add(spec.batch[d], [d](const MatrixView& v) { return v.batchStrides[d]; });
    add(spec.m, [](const MatrixView& v) { return v.rowStride; });
    add(spec.n, [](const MatrixView& v) { return v.columnStride; });
    if (sizes.size() == 1 && sizes[0] > kRow) {
        int64_t row = kRow;
        while (row > 1 && sizes[0] % row != 0)
            row /= 2;
        sizes = {sizes[0] / row, row};
        for (std::vector<int64_t>& s : strides)
            s = {s[0] * row, s[0]};
    }
    while (sizes.size() < 2) {
        sizes.insert(sizes.begin(), 1);
        for (std::vector<int64_t>& s : strides)
            s.insert(s.begin(), 0);
    }
    spec.n = sizes.back();
    spec.m = sizes[sizes.size() - 2];
    spec.batch.assign(sizes.begin(), sizes.end() - 2);
    for (size_t v = 0; v < views.size(); ++v) {
        const std::vector<int64_t>& s = strides[v];
        *views[v] = {{s.begin(), s.end() - 2}, s[s.size() - 2], s.back()};
    }
}

ConvolutionTensor tensorOf(const ir::Shape& sizes, const ir::Shape& strides) {
    return {ir::constants(sizes), ir::constants(strides)};
}
ConvolutionTensor tensorOf(const StridedView& view) {
    return tensorOf(view.sizes, view.strides);
}

/// Whether the bias has a stride along the result's channels alone, and that is 1.
bool isByChannel(const LibraryCall& call) {
    const StridedView& bias = *call.bias;
    const ir::Shape dense = ir::contiguousStrides(bias.sizes);
    for (size_t d = 0; d < bias.sizes.size(); ++d) {
        if (bias.sizes[d].is(1)) continue;
        const bool channel = dense[d] == call.strides[1] && bias.sizes[d] == call.sizes[1];
        if (!bias.strides[d].is(channel ? 1 : 0)) return false;
    }
    return true;
}

ConvolutionSpec bindConvolution(const LibraryCall& call, const ir::Shape& inMemory) {
    ConvolutionSpec spec;
    spec.op = call.op;
    spec.window = call.window;
    bindResult(call, inMemory, spec);
    spec.biasByChannel = call.bias && isByChannel(call);
    const ConvolutionTensor result = tensorOf(call.sizes, call.strides);
    const ConvolutionTensor first = tensorOf(call.operands[0]), second = tensorOf(call.operands[1]);
    spec.image = call.op == LibraryOp::ConvolutionImage ? result : first;
    spec.weight = call.op == LibraryOp::ConvolutionWeight ? result : second;
    spec.output = call.op == LibraryOp::Convolution        ? result
                  : call.op == LibraryOp::ConvolutionImage ? first
                                                           : second;
    mergeDimensions(spec);
    return spec;
}

RowsSpec bindRows(const LibraryCall& call) {
    RowsSpec spec;
    spec.op = call.op;
    spec.row = call.row;
    const auto dim = static_cast<size_t>(call.row.dim);
    const auto sizes = ir::constants(call.operands[0].sizes);
    const auto from = ir::constants(call.operands[0].strides), to = ir::constants(call.strides);
    spec.length = sizes[dim];
    spec.count = call.sizes[dim].constant();
    spec.operandStride = from[dim];
    spec.resultStride = to[dim];
    for (size_t d = 0; d < sizes.size(); ++d) {
        if (d == dim || sizes[d] == 1) continue;
        RowsSpec::Dim outer{sizes[d], from[d], to[d]};
        // Neighbours that both sides walk with one stride are one.
        if (!spec.outer.empty() && spec.outer.back().operand == outer.operand * outer.size &&
            spec.outer.back().result == outer.result * outer.size) {
            outer.size *= spec.outer.back().size;
            spec.outer.pop_back();
        }
        spec.outer.push_back(outer);
    }
    return spec;
}

MatricesSpec bindMatrices(const LibraryCall& call) {
    MatricesSpec spec;
    spec.task = call.task;
    spec.batch = ir::constants(call.sizes);
    spec.batch.pop_back();
    const size_t batchRank = spec.batch.size();
    const StridedView& a = call.operands[0];
    spec.rows = a.sizes[batchRank].constant();
    spec.columns = a.sizes.back().constant();
    spec.matrix = matrixView(a.sizes, a.strides, batchRank);
    if (call.task.hasTwoOperands()) {
        const StridedView& b = call.operands[1];
        spec.right = b.sizes.back().constant();
        spec.second = matrixView(b.sizes, b.strides, batchRank);
    }
    for (size_t d = 0; d < batchRank; ++d)
        spec.result.batchStrides.push_back(call.strides[d].constant());
    spec.result.columnStride = call.strides.back().constant();
    return spec;
}

AttentionSpec bindAttention(const kernel::KernelProgram& program, const LibraryCall& call) {
    AttentionSpec spec;
    spec.operands = program.loops.buffer(call.operands[0].buffer).dtype;
    spec.op = call.op;
    spec.task = call.attention;
    const auto q = ir::constants(call.operands[0].sizes), v = ir::constants(call.operands[2].sizes);
    spec.batch = q[0], spec.heads = q[1], spec.rows = q[2], spec.width = q[3];
    spec.keys = v[2], spec.valueWidth = v[3];
    for (const StridedView& view : call.operands)
        spec.strides.push_back(ir::constants(view.strides));
    spec.masked = call.operands.size() == kernel::info(call.op).operands.size();
    return spec;
}

} // namespace

int64_t startOf(const kernel::KernelProgram& program, const StridedView& view) {
    return view.offset.constant() *
           static_cast<int64_t>(ir::sizeBytes(program.loops.buffer(view.buffer).dtype));
}

base::Result<LibraryBinding> bindCall(const kernel::KernelProgram& program,
                                      const kernel::Kernel& kernel) {
    const LibraryCall& call = *kernel.call;
    bool constant =
        kernel.writes.size() == 1 && allConstant(call.sizes) && allConstant(call.strides);
    for (const StridedView& view : call.reads())
        constant = constant && allConstant(view.sizes) && allConstant(view.strides) &&
                   view.offset.isConst();
    if (!constant)
        return base::bugError(fmt::format("{}: a library call writes one buffer, and all its sizes "
                                          "are constants",
                                          kernel.name));
    LibraryBinding binding;
    binding.result = kernel.writes[0];
    binding.operands = call.reads();
    if (call.op == LibraryOp::MatrixProduct)
        binding.spec = bindMatmul(call);
    else if (call.op == LibraryOp::Sort || call.op == LibraryOp::Scan)
        binding.spec = bindRows(call);
    else if (call.op == LibraryOp::LinearAlgebra)
        binding.spec = bindMatrices(call);
    else if (call.op == LibraryOp::Attention || call.op == LibraryOp::AttentionBackward)
        binding.spec = bindAttention(program, call);
    else
        binding.spec = bindConvolution(call, program.loops.buffer(kernel.members.front()).sizes);
    const ir::DType dtype = program.loops.buffer(binding.result).dtype;
    std::visit([&](auto& spec) { spec.dtype = dtype; }, binding.spec);
    return binding;
}

} // namespace cutaway::runtime
