// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cuda_matmul.h"

#include "core/runtime/cublas_lt.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::runtime {
namespace {

using Kind = kernel::Epilogue::Kind;

/// A product computed by one generated kernel.
class GenericMatmul : public LibraryKernel {
public:
    GenericMatmul(CudaDevice& device, CudaKernelPtr kernel, size_t pointers)
        : device_(device), kernel_(std::move(kernel)), pointers_(pointers) {}
    base::Status run(void* const* pointers, void* /*memory*/, int) override {
        std::vector<void*> values(pointers, pointers + pointers_);
        values.push_back(nullptr);
        std::vector<void*> arguments;
        for (void*& value : values)
            arguments.push_back(&value);
        device_.activate();
        return kernel_->launch(arguments.data());
    }
    std::string implementation() const override { return "generated kernel"; }

private:
    CudaDevice& device_;
    CudaKernelPtr kernel_;
    size_t pointers_;
};

/// A row-major window [rows, columns] as the library's column-major transpose of it; nothing when
/// neither direction is dense.
std::optional<LtMatrix> operand(const MatrixView& o, int64_t rows, int64_t columns) {
    const bool rowMajor =
        (o.columnStride == 1 || columns == 1) && (rows == 1 || o.rowStride >= columns);
    if (rowMajor) {
        LtMatrix m;
        m.rows = columns;
        m.columns = rows;
        m.leading = rows == 1 ? columns : o.rowStride;
        return m;
    }
    const bool columnMajor =
        (o.rowStride == 1 || rows == 1) && (columns == 1 || o.columnStride >= rows);
    if (!columnMajor) return std::nullopt;
    LtMatrix m;
    m.rows = rows;
    m.columns = columns;
    m.leading = columns == 1 ? rows : o.columnStride;
    m.transposed = true;
    return m;
}

/// The batch as one stride each (what the library takes) and offsets of the repetitions around it.
struct Batches {
    int64_t count = 1;                                 ///< inside one call
    std::vector<int64_t> strides;                      ///< one per operand
    std::vector<std::vector<int64_t>> repetitions{{}}; ///< offsets in elements, one per operand
};

Batches planBatches(const std::vector<int64_t>& sizes, const std::vector<MatrixView>& operands) {
    Batches plan;
    plan.strides.assign(operands.size(), 0);
    plan.repetitions[0].assign(operands.size(), 0);
    bool open = true, started = false;
    for (size_t d = sizes.size(); d-- > 0;) {
        if (sizes[d] == 1) continue;
        bool fits = open;
        for (size_t o = 0; fits && started && o < operands.size(); ++o)
            fits = operands[o].batchStrides[d] == plan.strides[o] * plan.count;
        if (fits) {
            for (size_t o = 0; !started && o < operands.size(); ++o)
                plan.strides[o] = operands[o].batchStrides[d];
            plan.count *= sizes[d];
            started = true;
            continue;
        }
        open = false;
        std::vector<std::vector<int64_t>> more;
        for (int64_t index = 0; index < sizes[d]; ++index)
            for (std::vector<int64_t> offsets : plan.repetitions) {
                for (size_t o = 0; o < operands.size(); ++o)
                    offsets[o] += index * operands[o].batchStrides[d];
                more.push_back(std::move(offsets));
            }
        plan.repetitions = std::move(more);
    }
    return plan;
}

bool isColumnVector(const MatrixView& o) {
    return o.rowStride == 0 && o.columnStride == 1 &&
           std::all_of(o.batchStrides.begin(), o.batchStrides.end(),
                       [](int64_t s) { return s == 0; });
}

int alignmentOf(int64_t bytes) {
    int alignment = 256;
    while (bytes % alignment != 0)
        alignment /= 2;
    return alignment;
}

/// What the library does of the epilogues, and from which on a kernel follows.
struct Division {
    LtProblem problem;
    int bias = -1, added = -1; ///< pointers: a vector along the columns, a whole matrix
    double filledBias = 0;     ///< a vector of one scalar stands in for AddScalar
    bool fillBias = false;
    size_t next = 0;       ///< first epilogue that is left
    bool biasLeft = false; ///< the specification's bias is left too
};

class LtMatmul : public LibraryKernel {
public:
    LtMatmul(CudaDevice& device, MatmulSpec spec, bool tf32)
        : device_(device), spec_(std::move(spec)), tf32_(tf32) {}
    /// \returns whether the library takes the product.
    base::Result<bool> prepare(const std::vector<int64_t>& offsets);
    base::Status run(void* const* pointers, void* memory, int threads) override;
    int64_t workspace(int) const override { return product_->workspace(); }
    std::string implementation() const override {
        std::string text = "cuBLASLt";
        if (division_.problem.bias)
            text += division_.fillBias ? ", scalar inside" : ", bias inside";
        if (division_.problem.c) text += ", sum inside";
        if (division_.problem.relu) text += ", relu inside";
        return kernel_ ? text + ", epilogue kernel" : text;
    }

private:
    void foldBatch();
    Division divide(bool useEpilogues) const;
    base::Result<bool> choose(const Division& division, const std::vector<int64_t>& offsets);
    base::Status prepareRest(bool aligned);

    CudaDevice& device_;
    MatmulSpec spec_;
    bool tf32_;
    Division division_;
    Batches batches_;
    std::unique_ptr<LtProduct> product_;
    StoragePtr filled_;
    CudaKernelPtr kernel_;
};

// [b, m, k] x one [k, n] is [b * m, k] x [k, n] when the rows of the batches follow each other.
void LtMatmul::foldBatch() {
    if (spec_.batch.size() != 1) return;
    auto follows = [&](const MatrixView& o) { return o.batchStrides[0] == o.rowStride * spec_.m; };
    auto folds = [&](const MatrixView& o) { return follows(o); };
    if (spec_.b.batchStrides[0] != 0 || !follows(spec_.a) || !follows(spec_.result)) return;
    if (spec_.a.rowStride == 0 || (spec_.bias && !folds(*spec_.bias))) return;
    for (const EpilogueSpec& e : spec_.epilogues)
        if (e.kind == Kind::AddTensor && !folds(e.tensor)) return;
    spec_.m *= spec_.batch[0];
    spec_.batch.clear();
    for (MatrixView* o : {&spec_.a, &spec_.b, &spec_.result})
        o->batchStrides.clear();
    if (spec_.bias) spec_.bias->batchStrides.clear();
    for (EpilogueSpec& e : spec_.epilogues)
        e.tensor.batchStrides.clear();
}

Division LtMatmul::divide(bool useEpilogues) const {
    Division d;
    d.biasLeft = spec_.bias.has_value();
    if (!useEpilogues) return d;
    int tensor = static_cast<int>(spec_.firstTensor());
    auto take = [&](const MatrixView& o, int pointer) {
        if (isColumnVector(o) && !d.problem.bias) {
            d.problem.bias = true;
            d.bias = pointer;
            return true;
        }
        auto whole = operand(o, spec_.m, spec_.n);
        if (!whole || whole->transposed || d.problem.c || o.rowStride == 0) return false;
        d.problem.c = whole;
        d.added = pointer;
        return true;
    };
    if (spec_.bias && !take(*spec_.bias, 2)) return d;
    d.biasLeft = false;
    bool sums = spec_.bias.has_value();
    for (; d.next < spec_.epilogues.size(); ++d.next) {
        const EpilogueSpec& e = spec_.epilogues[d.next];
        if (e.kind == Kind::Relu) {
            d.problem.relu = true;
            ++d.next;
            return d;
        }
        if (e.kind == Kind::MulScalar) {
            if (sums) return d;
            d.problem.alpha *= e.scalar;
        } else if (e.kind == Kind::AddScalar) {
            // The vector that stands in for it would be rounded.
            if (d.problem.bias || ir::isHalf(spec_.dtype)) return d;
            d.problem.bias = d.fillBias = sums = true;
            d.filledBias = e.scalar;
        } else {
            if (!take(e.tensor, tensor)) return d;
            ++tensor;
            sums = true;
        }
    }
    return d;
}

base::Result<bool> LtMatmul::choose(const Division& division, const std::vector<int64_t>& offsets) {
    // The library is column-major: it computes the transpose, b' a', in place of a b.
    auto a = operand(spec_.b, spec_.k, spec_.n), b = operand(spec_.a, spec_.m, spec_.k);
    auto d = operand(spec_.result, spec_.m, spec_.n);
    if (!a || !b || !d || d->transposed) return false;
    division_ = division;
    LtProblem& problem = division_.problem;
    problem.dtype = spec_.dtype;
    problem.tf32 = tf32_;
    std::vector<MatrixView> operands{spec_.b, spec_.a, spec_.result};
    if (division.added >= 0)
        operands.push_back(division.added == 2 && spec_.bias ? *spec_.bias : MatrixView());
    if (division.added > 2 || (division.added == 2 && !spec_.bias)) {
        int pointer = static_cast<int>(spec_.firstTensor());
        for (const EpilogueSpec& e : spec_.epilogues)
            if (e.kind == Kind::AddTensor && pointer++ == division.added)
                operands.back() = e.tensor;
    }
    batches_ = planBatches(spec_.batch, operands);
    if (batches_.repetitions.size() > 64) return false;
    problem.batch = batches_.count;
    const auto width = static_cast<int64_t>(ir::sizeBytes(spec_.dtype));
    auto fill = [&](LtMatrix& m, size_t o, int64_t offset) {
        m.batchStride = batches_.strides[o];
        m.alignment = alignmentOf(offset);
        for (const auto& repetition : batches_.repetitions)
            m.alignment = std::min(m.alignment, alignmentOf(repetition[o] * width));
    };
    problem.a = *a;
    problem.b = *b;
    problem.d = *d;
    fill(problem.a, 0, offsets[1]);
    fill(problem.b, 1, offsets[0]);
    fill(problem.d, 2, offsets.back());
    if (problem.c) fill(*problem.c, 3, offsets[static_cast<size_t>(division.added)]);
    CUTAWAY_TRY(product_, LtProduct::make(device_, problem));
    return product_ != nullptr;
}

base::Status LtMatmul::prepareRest(bool aligned) {
    const Division& d = division_;
    if (d.fillBias) {
        const auto width = static_cast<int64_t>(ir::sizeBytes(spec_.dtype));
        ir::HostTensor host = ir::HostTensor::zeros(spec_.dtype, {spec_.n});
        for (int64_t i = 0; i < spec_.n; ++i)
            host.set(i, d.filledBias);
        CUTAWAY_TRY(filled_, device_.allocate(static_cast<size_t>(spec_.n * width)));
        CUTAWAY_CHECK(device_.copyFromHost(filled_->data(), host.bytes.data(), host.bytes.size()));
    }
    if (!d.biasLeft && d.next == spec_.epilogues.size()) return {};
    CUTAWAY_TRY(kernel_,
                makeGenericKernel(device_, epilogueProgram(spec_, d.next, d.biasLeft, aligned)));
    return {};
}

base::Result<bool> LtMatmul::prepare(const std::vector<int64_t>& offsets) {
    foldBatch();
    const bool aligned = std::all_of(offsets.begin(), offsets.end(),
                                     [](int64_t offset) { return offset % 16 == 0; });
    for (bool useEpilogues : {true, false}) {
        CUTAWAY_TRY(bool taken, choose(divide(useEpilogues), offsets));
        if (!taken) continue;
        CUTAWAY_CHECK(prepareRest(aligned));
        return true;
    }
    return false;
}

base::Status LtMatmul::run(void* const* pointers, void* memory, int) {
    device_.activate();
    const Division& d = division_;
    void* result = pointers[spec_.pointerCount() - 1];
    const void* bias = d.bias >= 0 ? pointers[d.bias] : d.fillBias ? filled_->data() : nullptr;
    const auto width = static_cast<int64_t>(ir::sizeBytes(spec_.dtype));
    for (const std::vector<int64_t>& offsets : batches_.repetitions) {
        auto at = [&](const void* pointer, size_t o) {
            return const_cast<std::byte*>(static_cast<const std::byte*>(pointer)) +
                   offsets[o] * width;
        };
        const void* added = d.added >= 0 ? at(pointers[d.added], 3) : nullptr;
        CUTAWAY_CHECK(product_->run(at(pointers[1], 0), at(pointers[0], 1), added, bias,
                                    at(result, 2), memory));
    }
    if (!kernel_) return {};
    return launchEpilogues(*kernel_, spec_, d.next, d.biasLeft, pointers);
}

} // namespace

base::Result<LibraryKernelPtr> makeLtMatmul(CudaDevice& device, const MatmulSpec& spec,
                                            const std::vector<int64_t>& offsets, bool tf32) {
    auto matmul = std::make_unique<LtMatmul>(device, spec, tf32);
    CUTAWAY_TRY(bool taken, matmul->prepare(offsets));
    return taken ? LibraryKernelPtr(std::move(matmul)) : LibraryKernelPtr();
}

base::Result<LibraryKernelPtr> makeGeneratedMatmul(CudaDevice& device, const MatmulSpec& spec) {
    CUTAWAY_TRY(CudaKernelPtr kernel, makeGenericKernel(device, matmulProgram(spec)));
    return LibraryKernelPtr(
        std::make_unique<GenericMatmul>(device, std::move(kernel), spec.pointerCount()));
}

} // namespace cutaway::runtime
