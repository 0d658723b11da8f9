// SPDX-License-Identifier: Apache-2.0
// Elements become unsigned keys in whose order they are; a key with its element's position behind
// it is unlike every other, so that any sort of them is stable and what it finds does not depend on
// the number of threads. Other orders than the stable one compare the keys alone.
#include "core/kernel/row_order.h"
#include "core/runtime/rows.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

namespace cutaway::runtime {
namespace {

/// Elements that are worth waking threads for, and from which on threads share one row.
constexpr int64_t kParallelWork = 4096, kParallelRow = 1 << 15;
/// From here on a pass over digits is faster than comparisons.
constexpr size_t kRadixFrom = 512;
/// Rows next to each other in memory that are read together, and elements of all of them.
constexpr int64_t kMostRows = 16, kMostTogether = 1 << 17;

/// The order of keys is the order of elements: a NaN is larger than all, zeros are equal.
template <typename T> auto keyOf(T x, bool truth) {
    if constexpr (std::is_floating_point_v<T>) {
        using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
        constexpr Bits kSign = Bits{1} << (sizeof(Bits) * 8 - 1);
        if (x != x) return std::numeric_limits<Bits>::max();
        const auto bits = std::bit_cast<Bits>(x == 0 ? T{0} : x);
        return static_cast<Bits>(bits & kSign ? ~bits : bits | kSign);
    } else {
        using Bits = std::make_unsigned_t<T>;
        if (truth) return static_cast<Bits>(x != 0);
        constexpr Bits kSign =
            std::is_signed_v<T> ? static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1)) : Bits{0};
        return static_cast<Bits>(static_cast<Bits>(x) ^ kSign);
    }
}

/// A key of up to 32 bits and a position in one number.
struct Narrow {
    uint64_t value;
    static Narrow make(uint64_t key, int64_t at) { return {key << 32 | static_cast<uint32_t>(at)}; }
    int64_t at() const { return static_cast<uint32_t>(value); }
    uint64_t key() const { return value >> 32; }
    bool operator<(const Narrow& other) const { return value < other.value; }
};
struct Wide {
    uint64_t value;
    int64_t place;
    static Wide make(uint64_t key, int64_t at) { return {key, at}; }
    int64_t at() const { return place; }
    uint64_t key() const { return value; }
    bool operator<(const Wide& other) const {
        return value != other.value ? value < other.value : place < other.place;
    }
};

/// Entries in the order of their positions, sorted by the digits of their keys, the last one first.
/// \returns where the result is, in either
template <typename Entry> Entry* radixSort(Entry* entries, Entry* spare, size_t n, int keyBits) {
    constexpr int kDigit = 11;
    constexpr size_t kBuckets = size_t{1} << kDigit;
    const int passes = (keyBits + kDigit - 1) / kDigit;
    std::vector<std::array<uint32_t, kBuckets>> counts(static_cast<size_t>(passes));
    for (auto& count : counts)
        count.fill(0);
    for (size_t i = 0; i < n; ++i)
        for (int p = 0; p < passes; ++p)
            ++counts[static_cast<size_t>(p)][entries[i].key() >> (p * kDigit) & (kBuckets - 1)];
    for (int p = 0; p < passes; ++p) {
        auto& count = counts[static_cast<size_t>(p)];
        if (count[entries[0].key() >> (p * kDigit) & (kBuckets - 1)] == n) continue;
        uint32_t before = 0;
        for (uint32_t& c : count)
            before += std::exchange(c, before);
        for (size_t i = 0; i < n; ++i)
            spare[count[entries[i].key() >> (p * kDigit) & (kBuckets - 1)]++] = entries[i];
        std::swap(entries, spare);
    }
    return entries;
}

template <typename Entry> Entry* sortEntries(Entry* entries, Entry* spare, size_t n, int keyBits) {
    if (n >= kRadixFrom && n <= std::numeric_limits<uint32_t>::max())
        return radixSort(entries, spare, n, keyBits);
    std::sort(entries, entries + n);
    return entries;
}

/// The first \p count of \p n entries in order, in front. \param make gives them one after the other;
/// it may read \p entries.
template <typename Entry, typename Make>
void selectFirst(Entry* entries, size_t n, size_t count, const Make& make) {
    // What is not below the worst of the best so far cannot be among them: few are looked at twice.
    const size_t room = std::max<size_t>(4 * count, 256);
    const size_t begin = n > 4 * room ? room : n;
    for (size_t i = 0; i < begin; ++i)
        entries[i] = make(i);
    if (begin < n) {
        size_t kept = begin;
        auto cut = [&] {
            std::nth_element(entries, entries + count - 1, entries + kept);
            kept = count;
        };
        cut();
        Entry worst = entries[count - 1];
        for (size_t i = begin; i < n; ++i) {
            const Entry entry = make(i);
            if (!(entry < worst)) continue;
            entries[kept++] = entry;
            if (kept < room) continue;
            cut();
            worst = entries[count - 1];
        }
        n = kept;
    }
    if (count < n) std::nth_element(entries, entries + count - 1, entries + n);
    std::sort(entries, entries + count);
}

/// Where the runs a and b are cut so that the first \p k of both together are before the cut:
/// elements of a.
template <typename Entry>
int64_t cutOf(const Entry* a, int64_t sizeA, const Entry* b, int64_t sizeB, int64_t k) {
    int64_t low = std::max<int64_t>(k - sizeB, 0), high = std::min(k, sizeA);
    while (low < high) {
        const int64_t mid = (low + high) / 2;
        if (b[k - 1 - mid] < a[mid])
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

/// One row on several threads: a part for each, merged two and two, every merge cut into as many
/// pieces as there are threads. \returns where the result is
template <typename Entry>
Entry* sortShared(Entry* entries, Entry* spare, int64_t n, int keyBits, int threads) {
    const int64_t part = (n + threads - 1) / threads;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int t = 0; t < threads; ++t) {
        const int64_t begin = std::min(t * part, n), size = std::min(part, n - begin);
        if (size == 0) continue;
        Entry* sorted =
            sortEntries(entries + begin, spare + begin, static_cast<size_t>(size), keyBits);
        if (sorted != entries + begin) std::copy(sorted, sorted + size, entries + begin);
    }
    for (int64_t width = part; width < n; width *= 2) {
        const int64_t pairs = (n + 2 * width - 1) / (2 * width);
        const int64_t pieces = (threads + pairs - 1) / pairs;
#pragma omp parallel for num_threads(threads) schedule(static)
        for (int64_t task = 0; task < pairs * pieces; ++task) {
            const int64_t begin = task / pieces * 2 * width;
            const int64_t sizeA = std::min(width, n - begin);
            const int64_t sizeB = std::min(width, n - begin - sizeA);
            const Entry *a = entries + begin, *b = a + sizeA;
            const int64_t from = (sizeA + sizeB) * (task % pieces) / pieces;
            const int64_t to = (sizeA + sizeB) * (task % pieces + 1) / pieces;
            const int64_t fromA = cutOf(a, sizeA, b, sizeB, from);
            const int64_t toA = cutOf(a, sizeA, b, sizeB, to);
            std::merge(a + fromA, a + toA, b + (from - fromA), b + (to - toA),
                       spare + begin + from);
        }
        std::swap(entries, spare);
    }
    return entries;
}

class LoopSort : public LibraryKernel {
public:
    explicit LoopSort(const RowsSpec& spec) : spec_(spec) {}
    base::Status run(void* const* pointers, void* memory, int threads) override {
        if (spec_.isEmpty()) return {};
        auto* to = static_cast<int64_t*>(pointers[1]);
        withType(spec_.row.dtype, [&]<typename T>(T) {
            auto* from = static_cast<const T*>(pointers[0]);
            if (isNarrow())
                sortAll<Narrow>(from, to, static_cast<Narrow*>(memory), threads);
            else
                sortAll<Wide>(from, to, static_cast<Wide*>(memory), threads);
        });
        return {};
    }
    int64_t workspace(int threads) const override {
        if (spec_.isEmpty()) return 0;
        const auto entry = static_cast<int64_t>(isNarrow() ? sizeof(Narrow) : sizeof(Wide));
        const int64_t shared = isShared(threads) ? 2 * spec_.length : 0;
        return std::max(shared, teamOf(threads) * entriesEach()) * entry;
    }
    std::string implementation() const override { return "loops: " + rowsReason(spec_); }

private:
    bool isNarrow() const {
        return ir::sizeBytes(spec_.row.dtype) <= 4 &&
               spec_.length <= std::numeric_limits<uint32_t>::max();
    }
    /// Few long rows: all threads sort one after the other together.
    bool isShared(int threads) const {
        return threads > 1 && isStable() && !selects() && spec_.rows() < threads &&
               spec_.length >= kParallelRow;
    }
    bool isStable() const { return spec_.row.order == kernel::RowCall::Order::Stable; }
    int teamOf(int threads) const {
        return threads > 1 && spec_.rows() * spec_.length >= kParallelWork ? threads : 1;
    }
    /// Entries of a thread's own memory.
    int64_t entriesEach() const { return (rowsTogether() + 1) * spec_.length; }
    bool selects() const { return spec_.count < spec_.length; }
    /// Rows that lie beside each other where the elements of a row do not.
    int64_t rowsTogether() const {
        if (spec_.outer.empty() || spec_.outer.back().operand != 1 || spec_.operandStride == 1)
            return 1;
        return std::clamp<int64_t>(kMostTogether / std::max<int64_t>(spec_.length, 1), 1,
                                   std::min(kMostRows, spec_.outer.back().size));
    }

    template <typename Entry, typename T>
    void sortAll(const T* from, int64_t* to, Entry* memory, int threads) const {
        const int64_t rows = spec_.rows();
        if (isShared(threads)) {
            for (int64_t row = 0; row < rows; ++row)
                sortRow(memory, from, to, row, threads);
            return;
        }
        const int64_t together = rowsTogether();
        const int64_t line = spec_.outer.empty() ? 1 : spec_.outer.back().size;
        const int64_t blocks = (line + together - 1) / together, lines = rows / line;
        const int team = teamOf(threads);
#pragma omp parallel num_threads(team) if (team > 1)
        {
            Entry* const own = memory + omp_get_thread_num() * entriesEach();
#pragma omp for schedule(static)
            for (int64_t block = 0; block < lines * blocks; ++block) {
                const int64_t first = block / blocks * line + block % blocks * together;
                const int64_t count = std::min(together, line - block % blocks * together);
                sortBlock(own, from, to, first, count);
            }
        }
    }

    template <typename Entry, typename T> Entry entry(const T& x, int64_t at) const {
        auto key = keyOf(x, spec_.row.dtype == ir::DType::Bool);
        if (spec_.row.descending) key = static_cast<decltype(key)>(~key);
        return Entry::make(key, at);
    }
    template <typename T> static constexpr int kBits = sizeof(T) * 8;

    /// By the keys alone.
    template <typename Entry, typename T> void orderRow(Entry* row, size_t n) const {
        using Order = kernel::RowCall::Order;
        const auto order = [&](const auto& before) {
            kernel::orderFirst(spec_.row.order, row, n, static_cast<size_t>(spec_.count), before);
        };
        if (std::is_floating_point_v<T> && spec_.row.order == Order::Unstable) {
            const uint64_t nan = keyOf(std::numeric_limits<T>::quiet_NaN(), false);
            order([nan](const Entry& a, const Entry& b) {
                return a.key() < b.key() && b.key() != nan;
            });
        } else {
            order([](const Entry& a, const Entry& b) { return a.key() < b.key(); });
        }
    }

    /// \p count rows from \p first on, whose elements are beside each other. \p memory for one row
    /// more.
    template <typename Entry, typename T>
    void sortBlock(Entry* memory, const T* from, int64_t* to, int64_t first, int64_t count) const {
        const auto n = static_cast<size_t>(spec_.length);
        const RowStart start = startOfRow(spec_, first);
        const bool streams = selects() && isStable() && count == 1;
        for (int64_t i = 0; i < spec_.length && !streams; ++i)
            for (int64_t r = 0; r < count; ++r)
                memory[r * spec_.length + i] =
                    entry<Entry>(from[start.operand + r + i * spec_.operandStride], i);
        Entry* spare = memory + count * spec_.length;
        std::array<const Entry*, kMostRows> sorted{};
        for (int64_t r = 0; r < count; ++r) {
            Entry* row = memory + r * spec_.length;
            if (streams) {
                const T* elements = from + start.operand;
                selectFirst(row, n, static_cast<size_t>(spec_.count), [&](size_t i) {
                    const auto at = static_cast<int64_t>(i);
                    return entry<Entry>(elements[at * spec_.operandStride], at);
                });
            } else if (!isStable()) {
                orderRow<Entry, T>(row, n);
            } else if (selects()) {
                selectFirst(row, n, static_cast<size_t>(spec_.count),
                            [&](size_t i) { return row[i]; });
            } else if (Entry* done = sortEntries(row, spare, n, kBits<T>); done != row) {
                spare = row; // the memory of the row is free now
                row = done;
            }
            sorted[static_cast<size_t>(r)] = row;
        }
        const int64_t next = spec_.outer.empty() ? 0 : spec_.outer.back().result;
        for (int64_t i = 0; i < spec_.count; ++i)
            for (int64_t r = 0; r < count; ++r)
                to[start.result + r * next + i * spec_.resultStride] =
                    sorted[static_cast<size_t>(r)][i].at();
    }

    template <typename Entry, typename T>
    void sortRow(Entry* memory, const T* from, int64_t* to, int64_t row, int threads) const {
        const RowStart start = startOfRow(spec_, row);
#pragma omp parallel for num_threads(threads) schedule(static)
        for (int64_t i = 0; i < spec_.length; ++i)
            memory[i] = entry<Entry>(from[start.operand + i * spec_.operandStride], i);
        const Entry* sorted =
            sortShared(memory, memory + spec_.length, spec_.length, kBits<T>, threads);
#pragma omp parallel for num_threads(threads) schedule(static)
        for (int64_t i = 0; i < spec_.count; ++i)
            to[start.result + i * spec_.resultStride] = sorted[i].at();
    }

    RowsSpec spec_;
};

} // namespace

RowStart startOfRow(const RowsSpec& spec, int64_t row) {
    RowStart start;
    for (size_t d = spec.outer.size(); d-- > 0; row /= spec.outer[d].size) {
        const int64_t at = row % spec.outer[d].size;
        start.operand += at * spec.outer[d].operand;
        start.result += at * spec.outer[d].result;
    }
    return start;
}

std::string rowsReason(const RowsSpec& spec) {
    if (spec.op == kernel::LibraryOp::Scan) return "one after the other along rows";
    if (spec.count < spec.length) return "selects the first, sorts those";
    return spec.length >= static_cast<int64_t>(kRadixFrom) ? "sorts by digits"
                                                           : "sorts by comparisons";
}

LibraryKernelPtr makeLoopRows(const RowsSpec& spec) {
    if (spec.op == kernel::LibraryOp::Scan) return makeLoopScan(spec);
    return std::make_unique<LoopSort>(spec);
}

} // namespace cutaway::runtime
