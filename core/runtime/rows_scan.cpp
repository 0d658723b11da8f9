// SPDX-License-Identifier: Apache-2.0
// Running values, one element after the other; floating sums in double, as PyTorch's CPU has them.
#include "core/runtime/rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutaway::runtime {
namespace {

using Running = kernel::RowCall::Running;

/// Elements that are worth waking threads for.
constexpr int64_t kParallelWork = 1 << 14;
/// Rows beside each other in memory that are walked together.
constexpr int64_t kTogether = 64;
/// Rows one after the other that are: an addition waits for the one before it in its row. More
/// would meet in one set of the first cache where rows are a power of two long.
constexpr int64_t kInterleaved = 4;

template <typename T> struct SumOf {
    using State = std::conditional_t<std::is_floating_point_v<T>, double, uint64_t>;
    State state = 0;
    State add(T x, int64_t) { return state += static_cast<State>(x); }
};
template <typename T> struct ProductOf {
    using State = std::conditional_t<std::is_floating_point_v<T>, double, uint64_t>;
    State state = 1;
    State add(T x, int64_t) { return state *= static_cast<State>(x); }
};
template <typename T> struct LogSumOf {
    double state = -std::numeric_limits<double>::infinity();
    double add(T element, int64_t) {
        const auto x = static_cast<double>(element);
        const double least = std::min(state, x), most = std::max(state, x);
        if (std::isnan(x) || std::isnan(state))
            state += x;
        else if (least != most || std::isfinite(least))
            state = std::log1p(std::exp(least - most)) + most;
        return state;
    }
};
/// The position of the last of the extremes, of the last NaN.
template <typename T, bool largest> struct PlaceOf {
    T extreme = 0;
    int64_t place = -1;
    int64_t add(T x, int64_t at) {
        const bool better = largest ? x >= extreme : x <= extreme;
        if (place < 0 || x != x || (better && extreme == extreme)) extreme = x, place = at;
        return place;
    }
};

/// Calls \p body with what runs over elements of type T.
template <typename T, typename Body> void withRunning(Running running, const Body& body) {
    switch (running) {
    case Running::Sum:
        return body(SumOf<T>{});
    case Running::Product:
        return body(ProductOf<T>{});
    case Running::LogSumExp:
        return body(LogSumOf<T>{});
    case Running::Max:
        return body(PlaceOf<T, true>{});
    case Running::Min:
        return body(PlaceOf<T, false>{});
    }
}

class LoopScan : public LibraryKernel {
public:
    explicit LoopScan(const RowsSpec& spec) : spec_(spec) {}
    base::Status run(void* const* pointers, void* /*memory*/, int threads) override {
        if (spec_.isEmpty()) return {};
        withType(spec_.row.dtype, [&]<typename T>(T) {
            withRunning<T>(spec_.row.running, [&]<typename Run>(Run) {
                auto* from = static_cast<const T*>(pointers[0]);
                if (spec_.row.givesPlaces())
                    scan<Run>(from, static_cast<int64_t*>(pointers[1]), threads);
                else
                    scan<Run>(from, static_cast<T*>(pointers[1]), threads);
            });
        });
        return {};
    }
    std::string implementation() const override { return "loops: " + rowsReason(spec_); }

private:
    template <typename Run, typename T, typename R>
    void scan(const T* from, R* to, int threads) const {
        const int64_t rows = spec_.rows();
        const bool beside = !spec_.outer.empty() && spec_.operandStride != 1;
        const int64_t line = spec_.outer.empty() ? 1 : spec_.outer.back().size;
        // Where rows are few, every thread gets some.
        const int64_t share = std::max<int64_t>(rows / std::max(threads, 1), 1);
        const int64_t together = std::min(line, beside                 ? kTogether
                                                : share < kInterleaved ? 1
                                                                       : kInterleaved);
        const int64_t blocks = (line + together - 1) / together;
        const bool parallel = threads > 1 && rows * spec_.length >= kParallelWork;
#pragma omp parallel for num_threads(threads) schedule(static) if (parallel)
        for (int64_t block = 0; block < rows / line * blocks; ++block) {
            const int64_t at = block % blocks * together;
            const RowStart start = startOfRow(spec_, block / blocks * line + at);
            const int64_t count = std::min(together, line - at);
            if (!beside && count == kInterleaved)
                interleave<Run>(from + start.operand, to + start.result);
            else if (count == 1)
                scanRow<Run>(from + start.operand, to + start.result);
            else
                scanRows<Run>(from + start.operand, to + start.result, count);
        }
    }
    template <typename R, typename V> static R stored(V value, bool truth) {
        return truth ? static_cast<R>(value != 0) : static_cast<R>(value);
    }
    template <typename Run, typename T, typename R> void scanRow(const T* from, R* to) const {
        Run run;
        const bool truth = spec_.dtype == ir::DType::Bool;
        for (int64_t i = 0; i < spec_.length; ++i) {
            const int64_t at = spec_.row.backwards ? spec_.length - 1 - i : i;
            to[at * spec_.resultStride] =
                stored<R>(run.add(from[at * spec_.operandStride], at), truth);
        }
    }
    template <typename Run, typename T, typename R> void interleave(const T* from, R* to) const {
        Run runs[kInterleaved];
        const RowsSpec::Dim& next = spec_.outer.back();
        const bool truth = spec_.dtype == ir::DType::Bool;
        for (int64_t i = 0; i < spec_.length; ++i) {
            const int64_t at = spec_.row.backwards ? spec_.length - 1 - i : i;
            const T* x = from + at * spec_.operandStride;
            R* y = to + at * spec_.resultStride;
#pragma GCC unroll 4
            for (int64_t r = 0; r < kInterleaved; ++r)
                y[r * next.result] = stored<R>(runs[r].add(x[r * next.operand], at), truth);
        }
    }
    /// \p count rows beside each other.
    template <typename Run, typename T, typename R>
    void scanRows(const T* from, R* to, int64_t count) const {
        Run runs[kTogether];
        const RowsSpec::Dim& next = spec_.outer.back();
        const bool truth = spec_.dtype == ir::DType::Bool;
        for (int64_t i = 0; i < spec_.length; ++i) {
            const int64_t at = spec_.row.backwards ? spec_.length - 1 - i : i;
            const T* x = from + at * spec_.operandStride;
            R* y = to + at * spec_.resultStride;
            if (next.operand == 1 && next.result == 1)
                for (int64_t r = 0; r < count; ++r)
                    y[r] = stored<R>(runs[r].add(x[r], at), truth);
            else
                for (int64_t r = 0; r < count; ++r)
                    y[r * next.result] = stored<R>(runs[r].add(x[r * next.operand], at), truth);
        }
    }

    RowsSpec spec_;
};

} // namespace

LibraryKernelPtr makeLoopScan(const RowsSpec& spec) {
    return std::make_unique<LoopScan>(spec);
}

} // namespace cutaway::runtime
