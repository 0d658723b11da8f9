// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/attention.h"

#include "core/runtime/attention_kernels.h"

#include <omp.h>

#include <algorithm>

namespace cutaway::runtime {

namespace {

/// Multiplications that are worth waking threads for.
constexpr double kParallelWork = 1 << 19;
constexpr int64_t kAlignment = 64;

const AttentionKernelSet& attentionKernels() {
    static const AttentionKernelSet kernels = [] {
#if defined(__x86_64__)
        if (__builtin_cpu_supports("avx512f")) return attentionKernelsAvx512();
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
            return attentionKernelsAvx2();
#endif
        return attentionKernelsBase();
    }();
    return kernels;
}

template <typename T> const AttentionKernels<T>& kernelsOf() {
    if constexpr (std::is_same_v<T, float>)
        return attentionKernels().single;
    else
        return attentionKernels().twofold;
}

class BlockAttention : public LibraryKernel {
public:
    explicit BlockAttention(AttentionSpec spec) : spec_(std::move(spec)) {}

    base::Status run(void* const* pointers, void* memory, int threads) override {
        if (spec_.dtype == ir::DType::Float64)
            runAs<double>(pointers, memory, threads);
        else
            runAs<float>(pointers, memory, threads);
        return {};
    }
    int64_t workspace(int threads) const override {
        return spec_.dtype == ir::DType::Float64 ? teamOf<double>(threads) * eachOf<double>()
                                                 : teamOf<float>(threads) * eachOf<float>();
    }
    std::string implementation() const override {
        return std::string("blocks of keys, ") + attentionKernels().name;
    }

private:
    /// Backwards every row adds to every key's gradient: a head is one task.
    template <typename T> int64_t blocks() const {
        const int64_t rows = kernelsOf<T>().blockRows;
        return spec_.isBackward() ? 1 : (spec_.rows + rows - 1) / rows;
    }
    template <typename T> int64_t teamOf(int threads) const {
        const int64_t tasks = spec_.batch * spec_.heads * blocks<T>();
        return spec_.flops() < kParallelWork ? 1 : std::clamp<int64_t>(tasks, 1, threads);
    }
    /// Bytes of a thread's workspace.
    template <typename T> int64_t eachOf() const {
        const AttentionHead<T> head = sizesOf<T>();
        const AttentionKernels<T>& kernels = kernelsOf<T>();
        const int64_t elements =
            spec_.isBackward() ? kernels.backwardWorkspace(head) : kernels.forwardWorkspace(head);
        const auto bytes = elements * static_cast<int64_t>(sizeof(T));
        return (bytes + kAlignment - 1) / kAlignment * kAlignment;
    }

    template <typename T> void runAs(void* const* pointers, void* memory, int threads) const {
        const AttentionKernels<T>& kernels = kernelsOf<T>();
        const int64_t heads = spec_.batch * spec_.heads, blocks = this->blocks<T>();
        const int64_t tasks = heads * blocks, team = teamOf<T>(threads), each = eachOf<T>();
        const auto run = [&](int64_t task, int thread) {
            T* workspace = reinterpret_cast<T*>(static_cast<std::byte*>(memory) + thread * each);
            const int64_t head = task / blocks;
            const AttentionHead<T> h = headOf<T>(pointers, head / spec_.heads, head % spec_.heads);
            if (spec_.isBackward())
                kernels.backward(h, workspace);
            else
                kernels.forward(h, task % blocks * kernels.blockRows, workspace);
        };
        if (team == 1) {
            for (int64_t task = 0; task < tasks; ++task)
                run(task, 0);
            return;
        }
        // Rows that see fewer keys come first otherwise: the long ones do.
#pragma omp parallel for num_threads(team) schedule(dynamic)
        for (int64_t task = tasks - 1; task >= 0; --task)
            run(task, omp_get_thread_num());
    }

    /// A result's part at \p at: [B, H, length, width], or by rows first.
    template <typename T>
    T* part(T* at, int64_t batch, int64_t head, int64_t length, int64_t width, int64_t& row) const {
        row = spec_.task.inner ? spec_.heads * width : width;
        return at + batch * spec_.heads * length * width +
               head * (spec_.task.inner ? width : length * width);
    }

    template <typename T> AttentionHead<T> sizesOf() const {
        AttentionHead<T> h;
        h.rows = spec_.rows, h.keys = spec_.keys;
        h.width = spec_.width, h.valueWidth = spec_.valueWidth;
        h.scale = static_cast<T>(spec_.task.scale);
        h.causal = spec_.task.causal, h.safe = spec_.task.safe;
        return h;
    }

    template <typename T>
    AttentionHead<T> headOf(void* const* pointers, int64_t batch, int64_t head) const {
        const auto start = [&](size_t which) {
            const std::vector<int64_t>& s = spec_.strides[which];
            return static_cast<const T*>(pointers[which]) + batch * s[0] + head * s[1];
        };
        AttentionHead<T> h = sizesOf<T>();
        h.query = start(0), h.queryRow = spec_.strides[0][2];
        h.key = start(1), h.keyRow = spec_.strides[1][2];
        h.value = start(2), h.valueRow = spec_.strides[2][2];
        if (spec_.masked) {
            const size_t mask = spec_.strides.size() - 1;
            h.mask = start(mask);
            h.maskRow = spec_.strides[mask][2], h.maskKey = spec_.strides[mask][3];
        }
        T* result = static_cast<T*>(pointers[spec_.strides.size()]);
        const int64_t heads = spec_.batch * spec_.heads;
        if (!spec_.isBackward()) {
            h.output = part(result, batch, head, spec_.rows, spec_.valueWidth, h.outputRow);
            h.logarithms = result + heads * spec_.rows * spec_.valueWidth +
                           (batch * spec_.heads + head) * spec_.rows;
            return h;
        }
        h.gradient = start(3), h.gradientRow = spec_.strides[3][2];
        h.result = start(4), h.resultRow = spec_.strides[4][2];
        h.sums = start(5), h.sumRow = spec_.strides[5][2];
        h.queryGradient = part(result, batch, head, spec_.rows, spec_.width, h.queryGradientRow);
        result += heads * spec_.rows * spec_.width;
        h.keyGradient = part(result, batch, head, spec_.keys, spec_.width, h.keyGradientRow);
        result += heads * spec_.keys * spec_.width;
        h.valueGradient =
            part(result, batch, head, spec_.keys, spec_.valueWidth, h.valueGradientRow);
        return h;
    }

    AttentionSpec spec_;
};

} // namespace

double AttentionSpec::flops() const {
    const double pairs =
        static_cast<double>(batch * heads) * static_cast<double>(rows) * static_cast<double>(keys);
    const double product = isBackward() ? 2.5 : 1;
    return 2 * product * pairs * static_cast<double>(width + valueWidth) * (task.causal ? 0.5 : 1);
}

LibraryKernelPtr makeAttention(const AttentionSpec& spec) {
    return std::make_unique<BlockAttention>(spec);
}

} // namespace cutaway::runtime
