// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/convert_rows.h"
#include "core/runtime/matmul.h"
#include "core/runtime/share_out.h"

#include <algorithm>
#include <type_traits>

namespace cutaway::runtime {
namespace {

using Kind = kernel::Epilogue::Kind;

/// Work (multiplications or elements) that is worth waking threads for.
constexpr int64_t kParallelWork = 1 << 15;

/// Rows that share one pass over b.
constexpr int64_t kRows = 4;

/// a * b + c; integers wrap around, as in torch.
template <typename T> T multiplyAdd(T a, T b, T c) {
    if constexpr (std::is_integral_v<T>) {
        auto product = static_cast<uint64_t>(a) * static_cast<uint64_t>(b);
        return static_cast<T>(product + static_cast<uint64_t>(c));
    } else {
        return a * b + c;
    }
}

/// Rows [0, Rows) of the result before epilogues, each \p spec.n elements of \p rows.
template <typename T, int Rows>
void productRows(const MatmulSpec& spec, const T* a, const T* b, T* rows) {
    int64_t n = spec.n, step = spec.b.columnStride;
    std::fill_n(rows, Rows * n, T{0});
    if (step != 1 && spec.b.rowStride == 1) {
        for (int64_t j = 0; j < n; ++j)
            for (int64_t k = 0; k < spec.k; ++k)
                for (int r = 0; r < Rows; ++r)
                    rows[r * n + j] = multiplyAdd(a[r * spec.a.rowStride + k * spec.a.columnStride],
                                                  b[j * step + k], rows[r * n + j]);
        return;
    }
    for (int64_t k = 0; k < spec.k; ++k) {
        T factors[Rows];
        for (int r = 0; r < Rows; ++r)
            factors[r] = a[r * spec.a.rowStride + k * spec.a.columnStride];
        const T* from = b + k * spec.b.rowStride;
        for (int r = 0; r < Rows; ++r) {
            T* row = rows + r * n;
            if (step == 1)
                for (int64_t j = 0; j < n; ++j)
                    row[j] = multiplyAdd(factors[r], from[j], row[j]);
            else
                for (int64_t j = 0; j < n; ++j)
                    row[j] = multiplyAdd(factors[r], from[j * step], row[j]);
        }
    }
}

/// Columns that stay in L1 while epilogues pass over them.
constexpr int64_t kPiece = 2048;

/// What elements of type T are computed in; each step's result is rounded to T.
template <typename T> using Computed = std::conditional_t<std::is_arithmetic_v<T>, T, float>;
/// \param n up to kPiece where there is something to round
template <typename T> void roundRow(Computed<T>* row, int64_t n) {
    if constexpr (!std::is_arithmetic_v<T>) {
        T narrow[kPiece];
        convertRow(narrow, row, n);
        convertRow(row, narrow, n);
    }
}

template <typename T> T relu(T value) {
    // NaN stays: it is not less than zero.
    return value < T{0} ? T{0} : value;
}

template <typename T>
void addRow(Computed<T>* row, int64_t step, const T* from, int64_t fromStep, int64_t n) {
    using C = Computed<T>;
    if constexpr (!std::is_arithmetic_v<T>)
        if (step == 1 && fromStep == 1) {
            C wide[kPiece];
            convertRow(wide, from, n);
            for (int64_t j = 0; j < n; ++j)
                row[j] += wide[j];
            return;
        }
    if (step == 1 && fromStep == 1)
        for (int64_t j = 0; j < n; ++j)
            row[j] = static_cast<C>(row[j] + static_cast<C>(from[j]));
    else
        for (int64_t j = 0; j < n; ++j)
            row[j * step] = static_cast<C>(row[j * step] + static_cast<C>(from[j * fromStep]));
}

template <typename T, typename F> void mapRow(T* row, int64_t step, int64_t n, F f) {
    if (step == 1)
        for (int64_t j = 0; j < n; ++j)
            row[j] = f(row[j]);
    else
        for (int64_t j = 0; j < n; ++j)
            row[j * step] = f(row[j * step]);
}

/// Bias and epilogues for elements [range.nBegin, range.nEnd) of row m, which start at \p row. The last
/// one's result is not rounded yet.
template <typename T>
void finishRow(const ResultSpec& spec, bool addBias, size_t first, void* const* pointers,
               const MatrixRange& range, int64_t m, Computed<T>* row, int64_t step) {
    using C = Computed<T>;
    int64_t n = range.nEnd - range.nBegin;
    auto add = [&](const MatrixView& operand, const void* tensor) {
        const T* from = static_cast<const T*>(tensor) +
                        batchOffset(operand, spec.batch, range.batch) + m * operand.rowStride +
                        range.nBegin * operand.columnStride;
        addRow<T>(row, step, from, operand.columnStride, n);
    };
    if (addBias && spec.bias) {
        add(*spec.bias, pointers[2]);
        if (first < spec.epilogues.size()) roundRow<T>(row, n);
    }
    size_t pointer = spec.firstTensor();
    for (size_t e = 0; e < spec.epilogues.size(); ++e) {
        const EpilogueSpec& epilogue = spec.epilogues[e];
        const void* tensor = epilogue.kind == Kind::AddTensor ? pointers[pointer++] : nullptr;
        if (e < first) continue;
        const C scalar = static_cast<C>(epilogue.scalar);
        switch (epilogue.kind) {
        case Kind::AddTensor:
            add(epilogue.tensor, tensor);
            break;
        case Kind::AddScalar:
            mapRow(row, step, n, [=](C x) { return static_cast<C>(x + scalar); });
            break;
        case Kind::MulScalar:
            mapRow(row, step, n, [=](C x) { return static_cast<C>(x * scalar); });
            break;
        case Kind::Relu:
            mapRow(row, step, n, [](C x) { return relu(x); });
            continue; // of a rounded number it is one
        }
        if (e + 1 < spec.epilogues.size()) roundRow<T>(row, n);
    }
}

template <typename T>
void finishRange(const ResultSpec& spec, bool addBias, size_t first, void* const* pointers,
                 const MatrixRange& range) {
    auto* result = static_cast<T*>(pointers[spec.pointerCount() - 1]) +
                   batchOffset(spec.result, spec.batch, range.batch);
    const int64_t step = spec.result.columnStride;
    for (int64_t m = range.mBegin; m < range.mEnd; ++m)
        for (int64_t n = range.nBegin; n < range.nEnd; n += kPiece) {
            MatrixRange piece = range;
            piece.nBegin = n;
            piece.nEnd = std::min(n + kPiece, range.nEnd);
            T* row = result + m * spec.result.rowStride + n * step;
            if constexpr (std::is_arithmetic_v<T>) {
                finishRow<T>(spec, addBias, first, pointers, piece, m, row, step);
            } else {
                float wide[kPiece];
                const int64_t length = piece.nEnd - n;
                if (step == 1)
                    convertRow(wide, row, length);
                else
                    for (int64_t j = 0; j < length; ++j)
                        wide[j] = row[j * step];
                finishRow<T>(spec, addBias, first, pointers, piece, m, wide, 1);
                if (step == 1)
                    convertRow(row, wide, length);
                else
                    for (int64_t j = 0; j < length; ++j)
                        row[j * step] = T(wide[j]);
            }
        }
}

template <typename T> void runLoops(const MatmulSpec& spec, void* const* pointers, int threads) {
    auto* a = static_cast<const T*>(pointers[0]);
    auto* b = static_cast<const T*>(pointers[1]);
    auto* result = static_cast<T*>(pointers[spec.pointerCount() - 1]);
    const int64_t step = spec.k > 0 ? spec.a.rowStride : 0; // nothing has no rows to go to
    int64_t groups = (spec.m + kRows - 1) / kRows, items = spec.batches() * groups;
    bool parallel = items * spec.n * std::max<int64_t>(spec.k, 1) >= kParallelWork && threads > 1;
#pragma omp parallel num_threads(threads) if (parallel)
    {
        std::vector<T> rows(static_cast<size_t>(kRows * spec.n));
#pragma omp for
        for (int64_t item = 0; item < items; ++item) {
            int64_t batch = item / groups, first = item % groups * kRows;
            int64_t last = std::min(first + kRows, spec.m);
            const T* aRow = a + batchOffset(spec.a, spec.batch, batch) + first * step;
            const T* bStart = b + batchOffset(spec.b, spec.batch, batch);
            if (last - first == kRows)
                productRows<T, kRows>(spec, aRow, bStart, rows.data());
            else
                for (int64_t m = first; m < last; ++m)
                    productRows<T, 1>(spec, aRow + (m - first) * step, bStart,
                                      rows.data() + (m - first) * spec.n);
            T* out = result + batchOffset(spec.result, spec.batch, batch);
            for (int64_t m = first; m < last; ++m) {
                T* row = rows.data() + (m - first) * spec.n;
                finishRow<T>(spec, true, 0, pointers, {batch, m, m + 1, 0, spec.n}, m, row, 1);
                for (int64_t j = 0; j < spec.n; ++j)
                    out[m * spec.result.rowStride + j * spec.result.columnStride] = row[j];
            }
        }
    }
}

class LoopMatmul : public LibraryKernel {
public:
    explicit LoopMatmul(const MatmulSpec& spec) : spec_(spec) {}
    base::Status run(void* const* pointers, void* /*memory*/, int threads) override {
        withType(spec_.dtype, [&]<typename T>(T) { runLoops<T>(spec_, pointers, threads); });
        return {};
    }
    std::string implementation() const override { return "loops"; }

private:
    MatmulSpec spec_;
};

} // namespace

void finishResult(const ResultSpec& spec, bool addBias, size_t first, void* const* pointers,
                  const MatrixRange& range) {
    const auto finish = [&]<typename T>(T) {
        finishRange<T>(spec, addBias, first, pointers, range);
    };
    if (spec.dtype == ir::DType::BFloat16) return finish(ir::BFloat16{});
    if (spec.dtype == ir::DType::Float16) return finish(ir::Float16{});
    withType(spec.dtype, finish);
}

void finishResult(const ResultSpec& spec, bool addBias, size_t first, void* const* pointers,
                  int threads) {
    if ((!addBias || !spec.bias) && first >= spec.epilogues.size()) return;
    const int64_t batches = spec.batches(), rows = batches * spec.m;
    if (rows * spec.n < kParallelWork || threads == 1) {
        for (int64_t batch = 0; batch < batches; ++batch)
            finishResult(spec, addBias, first, pointers, MatrixRange{batch, 0, spec.m, 0, spec.n});
        return;
    }
    shareOut(rows, threads, [&](int64_t r) {
        const int64_t m = r % spec.m;
        finishResult(spec, addBias, first, pointers, MatrixRange{r / spec.m, m, m + 1, 0, spec.n});
    });
}

LibraryKernelPtr makeLoopMatmul(const MatmulSpec& spec) {
    return std::make_unique<LoopMatmul>(spec);
}

} // namespace cutaway::runtime
