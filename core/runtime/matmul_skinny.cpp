// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/matmul.h"
#include "core/runtime/share_out.h"
#include "core/runtime/skinny_kernels.h"

#include <algorithm>

namespace cutaway::runtime {
namespace {

/// Up to here reading the long operand once costs more than the arithmetic.
constexpr int64_t kSmallSide = 16;
/// A sum this short is a pass over the result, whatever its sides.
constexpr int64_t kShortSum = 8;
/// Dot products this short spend their time in summing lanes; oneDNN is faster.
constexpr int64_t kShortDot = 64;
/// Pieces of the long side: whole vectors, and no two threads on one cache line.
constexpr int64_t kPiece = 64;
/// Multiplications that are worth waking threads for.
constexpr int64_t kParallelWork = 1 << 16;

/// The product as the kernels see it: which operand is the small one.
struct Roles {
    bool swapped = false; ///< the small side is n: the transposed product is computed
    int64_t rows = 0, length = 0;
    MatrixView small, large, out; ///< rowStride: along the operand's own side
};

Roles rolesOf(const MatmulSpec& spec, bool swapped) {
    Roles roles;
    roles.swapped = swapped;
    MatrixView bT = spec.b, outT = spec.result;
    std::swap(bT.rowStride, bT.columnStride);
    std::swap(outT.rowStride, outT.columnStride);
    roles.rows = swapped ? spec.n : spec.m;
    roles.length = swapped ? spec.m : spec.n;
    roles.small = swapped ? bT : spec.a;
    roles.large = swapped ? spec.a : bT;
    roles.out = swapped ? outT : spec.result;
    return roles;
}

enum class Form { None, Dots, Sweep };

Form formOf(const Roles& roles, int64_t k) {
    if (roles.large.columnStride == 1) return k < kShortDot ? Form::None : Form::Dots;
    if (roles.large.rowStride == 1 && roles.out.columnStride == 1) return Form::Sweep;
    return Form::None;
}

/// Those for this machine.
const SkinnyKernels& skinnyKernels() {
    static const SkinnyKernels kernels = [] {
#if defined(__x86_64__)
        if (__builtin_cpu_supports("avx512f")) return skinnyKernelsAvx512();
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
            return skinnyKernelsAvx2();
#endif
        return skinnyKernelsBase();
    }();
    return kernels;
}

class SkinnyMatmul : public LibraryKernel {
public:
    SkinnyMatmul(const MatmulSpec& spec, Roles roles, Form form)
        : spec_(spec), roles_(std::move(roles)), form_(form), kernels_(skinnyKernels()) {}

    base::Status run(void* const* pointers, void* memory, int threads) override;
    std::string implementation() const override {
        return std::string(form_ == Form::Dots ? "dots " : "sweep ") + kernels_.name;
    }

private:
    SkinnyProblem problem(void* const* pointers, int64_t batch) const;
    void packSmall(const float* small);
    void runPiece(SkinnyProblem problem, void* const* pointers, int64_t batch, int64_t begin,
                  int64_t end) const;

    MatmulSpec spec_;
    Roles roles_;
    Form form_;
    const SkinnyKernels& kernels_;
    /// Copies of the small operand, batch after batch, when its sums do not run along memory.
    std::vector<float> packed_;
};

SkinnyProblem SkinnyMatmul::problem(void* const* pointers, int64_t batch) const {
    const MatmulSpec& s = spec_;
    auto* small = static_cast<const float*>(pointers[roles_.swapped ? 1 : 0]);
    auto* large = static_cast<const float*>(pointers[roles_.swapped ? 0 : 1]);
    auto* out = static_cast<float*>(pointers[s.pointerCount() - 1]);
    SkinnyProblem p;
    p.small = small + batchOffset(roles_.small, s.batch, batch);
    p.smallRow = roles_.small.rowStride;
    p.smallK = roles_.small.columnStride;
    p.large = large + batchOffset(roles_.large, s.batch, batch);
    p.largeRow = roles_.large.rowStride;
    p.largeK = roles_.large.columnStride;
    p.out = out + batchOffset(roles_.out, s.batch, batch);
    p.outSmall = roles_.out.rowStride;
    p.outLarge = roles_.out.columnStride;
    p.rows = roles_.rows;
    p.k = s.k;
    if (packed_.empty()) return p;
    p.small = packed_.data() + batch * p.rows * p.k;
    p.smallRow = p.k;
    p.smallK = 1;
    return p;
}

void SkinnyMatmul::packSmall(const float* small) {
    packed_.resize(static_cast<size_t>(spec_.batches() * roles_.rows * spec_.k));
    float* to = packed_.data();
    for (int64_t batch = 0; batch < spec_.batches(); ++batch) {
        const float* from = small + batchOffset(roles_.small, spec_.batch, batch);
        for (int64_t r = 0; r < roles_.rows; ++r)
            for (int64_t k = 0; k < spec_.k; ++k)
                *to++ = from[r * roles_.small.rowStride + k * roles_.small.columnStride];
    }
}

/// Sweeps share out the small side's rows when the sum is short (both sides may be long then), else
/// pieces are of the long side.
void SkinnyMatmul::runPiece(SkinnyProblem p, void* const* pointers, int64_t batch, int64_t begin,
                            int64_t end) const {
    bool byRows = roles_.rows > kSmallSide;
    int64_t from = byRows ? 0 : begin, to = byRows ? roles_.length : end;
    int64_t firstRow = byRows ? begin : 0, lastRow = byRows ? end : roles_.rows;
    p.small += firstRow * p.smallRow;
    p.out += firstRow * p.outSmall;
    p.rows = lastRow - firstRow;
    (form_ == Form::Dots ? kernels_.dots : kernels_.sweep)(p, from, to);
    if (!spec_.bias && spec_.epilogues.empty()) return;
    MatrixRange range{batch, firstRow, lastRow, from, to};
    if (roles_.swapped) range = {batch, from, to, firstRow, lastRow};
    finishResult(spec_, true, 0, pointers, range);
}

base::Status SkinnyMatmul::run(void* const* pointers, void* /*memory*/, int threads) {
    bool byRows = roles_.rows > kSmallSide;
    int64_t length = byRows ? roles_.rows : roles_.length;
    int64_t batches = spec_.batches();
    bool parallel = threads > 1 && batches * spec_.m * spec_.n * spec_.k >= kParallelWork;
    if (form_ == Form::Dots && roles_.small.columnStride != 1 && spec_.k > 1)
        packSmall(static_cast<const float*>(pointers[roles_.swapped ? 1 : 0]));
    // Rows of the result in pieces of 16 so that their epilogues find them in the cache.
    int64_t grain = byRows ? kSmallSide : kPiece;
    int64_t pieces = 1;
    if (byRows) pieces = (length + grain - 1) / grain;
    if (!byRows && parallel)
        pieces = std::clamp<int64_t>(length / grain, 1, batches >= threads ? 1 : threads);
    int64_t step = ((length + pieces - 1) / pieces + grain - 1) / grain * grain;
    shareOut(batches * pieces, parallel ? threads : 1, [&](int64_t item) {
        int64_t batch = item / pieces, begin = item % pieces * step;
        if (begin < length)
            runPiece(problem(pointers, batch), pointers, batch, begin,
                     std::min(begin + step, length));
    });
    return {};
}

} // namespace

LibraryKernelPtr makeSkinnyMatmul(const MatmulSpec& spec) {
    if (std::min(spec.m, spec.n) <= kSmallSide) {
        Roles roles = rolesOf(spec, spec.n < spec.m);
        Form form = formOf(roles, spec.k);
        if (form != Form::None) return std::make_unique<SkinnyMatmul>(spec, roles, form);
    }
    if (spec.k > kShortSum) return nullptr;
    for (bool swapped : {false, true}) {
        Roles roles = rolesOf(spec, swapped);
        bool sweeps = roles.large.rowStride == 1 && roles.out.columnStride == 1;
        if (sweeps) return std::make_unique<SkinnyMatmul>(spec, roles, Form::Sweep);
    }
    return nullptr;
}

} // namespace cutaway::runtime
