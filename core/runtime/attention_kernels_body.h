// SPDX-License-Identifier: Apache-2.0
// The text of the attention kernels; attention_kernels_*.cpp include it with a namespace
// (ATTENTION_NAMESPACE), bytes of a vector (ATTENTION_BYTES) and the rows of a tile
// (ATTENTION_TILE), each compiled for its instruction set. Nothing of the standard library is used
// here: its inline functions must not be compiled for a set that others lack.
//
// Matrices of scores lie transposed, a panel of queries in the lanes of two vectors: maxima and sums
// of rows are maxima and sums of vectors, and keys and values are read as they lie, one element for
// all lanes.
#include "core/runtime/attention_kernels.h"

namespace cutaway::runtime::ATTENTION_NAMESPACE {
namespace {

typedef float FloatVector __attribute__((vector_size(ATTENTION_BYTES)));
typedef double DoubleVector __attribute__((vector_size(ATTENTION_BYTES)));
typedef int32_t IntVector __attribute__((vector_size(ATTENTION_BYTES)));
typedef int64_t LongVector __attribute__((vector_size(ATTENTION_BYTES)));

template <typename T> struct VectorOf;
template <> struct VectorOf<float> {
    using Type = FloatVector;
    using Bits = IntVector;
    static constexpr int kDegree = 7, kMantissa = 23;
    static constexpr float kRound = 0x1.8p23f, kLog2High = 0.693359375f, kLog2Low = -2.12194440e-4f,
                           kLeast = -87.0f;
    static constexpr int32_t kBias = 127;
};
template <> struct VectorOf<double> {
    using Type = DoubleVector;
    using Bits = LongVector;
    static constexpr int kDegree = 13, kMantissa = 52;
    static constexpr double kRound = 0x1.8p52, kLog2High = 6.93145751953125e-1,
                            kLog2Low = 1.42860682030941723212e-6, kLeast = -708.0;
    static constexpr int64_t kBias = 1023;
};
template <typename T> using Vector = typename VectorOf<T>::Type;
template <typename T> constexpr int64_t kLanes = ATTENTION_BYTES / sizeof(T);
template <typename T> constexpr int64_t kPanel = 2 * kLanes<T>;
/// Panels of queries that a block of keys is used for, keys of a block.
constexpr int64_t kPanels = 4, kKeys = 128;
template <typename T> constexpr T kLowest = -static_cast<T>(__builtin_inff());

template <typename T> inline Vector<T> load(const T* at) {
    typedef T Loose __attribute__((vector_size(ATTENTION_BYTES), aligned(alignof(T)), may_alias));
    return *reinterpret_cast<const Loose*>(at);
}
template <typename T> inline void store(T* at, Vector<T> value) {
    typedef T Loose __attribute__((vector_size(ATTENTION_BYTES), aligned(alignof(T)), may_alias));
    *reinterpret_cast<Loose*>(at) = value;
}
template <typename T> inline Vector<T> all(T x) {
    return Vector<T>{} + x;
}

/// e^x of what is at most about 0; 0 below e^kLeast. Taylor's series of the rest of x / log 2.
template <typename T> inline Vector<T> exponential(Vector<T> x) {
    using V = VectorOf<T>;
    const auto tiny = x < V::kLeast;
    const Vector<T> least = all<T>(V::kLeast), bounded = tiny ? least : x;
    const Vector<T> shifted = bounded * static_cast<T>(1.44269504088896340736) + V::kRound;
    const Vector<T> whole = shifted - V::kRound;
    const Vector<T> rest = (bounded - whole * V::kLog2High) - whole * V::kLog2Low;
    T factors[V::kDegree + 1] = {1};
    for (int i = 1; i <= V::kDegree; ++i)
        factors[i] = factors[i - 1] / static_cast<T>(i);
    Vector<T> sum = all<T>(factors[V::kDegree]);
#pragma GCC unroll 16
    for (int i = V::kDegree - 1; i >= 0; --i)
        sum = sum * rest + factors[i];
    using Bits = typename V::Bits;
    const Bits exponent =
        (reinterpret_cast<Bits>(shifted) << V::kMantissa) + (V::kBias << V::kMantissa);
    return tiny ? Vector<T>{} : sum * reinterpret_cast<Vector<T>>(exponent);
}

/// A factor of a product: element [row, depth] lies at row * rowStride + depth * depthStride.
template <typename T> struct Factor {
    const T* at;
    int64_t rowStride, depthStride;
};

/// c[M, panel] (+)= a[M, depth] b[depth, panel]; rows of b and c begin bRow and cRow apart.
template <int M, bool Add, typename T>
inline void tile(const Factor<T>& a, const T* b, int64_t bRow, T* c, int64_t cRow, int64_t depth) {
    Vector<T> sums[M][2];
#pragma GCC unroll 16
    for (int m = 0; m < M; ++m) {
        sums[m][0] = Add ? load(c + m * cRow) : Vector<T>{};
        sums[m][1] = Add ? load(c + m * cRow + kLanes<T>) : Vector<T>{};
    }
    const T* from = a.at;
    for (int64_t d = 0; d < depth; ++d, b += bRow, from += a.depthStride) {
        const Vector<T> low = load(b), high = load(b + kLanes<T>);
#pragma GCC unroll 16
        for (int m = 0; m < M; ++m) {
            const T x = from[m * a.rowStride];
            sums[m][0] += low * x;
            sums[m][1] += high * x;
        }
    }
#pragma GCC unroll 16
    for (int m = 0; m < M; ++m) {
        store(c + m * cRow, sums[m][0]);
        store(c + m * cRow + kLanes<T>, sums[m][1]);
    }
}

template <bool Add, typename T>
void product(Factor<T> a, const T* b, int64_t bRow, T* c, int64_t cRow, int64_t rows,
             int64_t depth) {
    const auto step = [&](int64_t m) {
        a.at += m * a.rowStride;
        c += m * cRow;
        rows -= m;
    };
    for (; rows >= ATTENTION_TILE; step(ATTENTION_TILE))
        tile<ATTENTION_TILE, Add>(a, b, bRow, c, cRow, depth);
    for (; rows >= 4; step(4))
        tile<4, Add>(a, b, bRow, c, cRow, depth);
    for (; rows >= 1; step(1))
        tile<1, Add>(a, b, bRow, c, cRow, depth);
}

/// Rows [begin, begin + count) as the columns of a panel, times \p scale; 0 beyond.
template <typename T>
void transposed(const T* from, int64_t row, int64_t count, int64_t width, T scale, T* panel) {
    for (int64_t i = 0; i < width; ++i) {
        T* to = panel + i * kPanel<T>;
        for (int64_t lane = 0; lane < count; ++lane)
            to[lane] = from[lane * row + i] * scale;
        for (int64_t lane = count; lane < kPanel<T>; ++lane)
            to[lane] = 0;
    }
}
/// Rows next to each other, \p padded elements each; \p total rows, 0 beyond \p count.
template <typename T>
void packed(const T* from, int64_t row, int64_t count, int64_t total, int64_t width, int64_t padded,
            T* to) {
    for (int64_t r = 0; r < total; ++r, to += padded)
        for (int64_t i = 0; i < padded; ++i)
            to[i] = r < count && i < width ? from[r * row + i] : 0;
}
template <typename T> int64_t padded(int64_t width) {
    return (width + kPanel<T> - 1) / kPanel<T> * kPanel<T>;
}

inline int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/// A panel's part of a block of keys: what the scores are before they are exponentiated.
template <typename T>
void finishScores(const AttentionHead<T>& h, int64_t row, int64_t count, int64_t key, int64_t keys,
                  T* scores) {
    if (h.mask) {
        const T* mask = h.mask + row * h.maskRow + key * h.maskKey;
        if (h.maskRow == 0)
            for (int64_t k = 0; k < keys; ++k) {
                T* at = scores + k * kPanel<T>;
                store(at, load(at) + mask[k * h.maskKey]);
                store(at + kLanes<T>, load(at + kLanes<T>) + mask[k * h.maskKey]);
            }
        else
            for (int64_t lane = 0; lane < count; ++lane)
                for (int64_t k = 0; k < keys; ++k)
                    scores[k * kPanel<T> + lane] += mask[lane * h.maskRow + k * h.maskKey];
    }
    if (h.causal)
        for (int64_t k = key > row ? 0 : row - key + 1; k < keys; ++k)
            for (int64_t lane = 0; lane < kPanel<T> && row + lane < key + k; ++lane)
                scores[k * kPanel<T> + lane] = kLowest<T>;
}

/// The keys from \p key on that rows up to \p lastRow see, at most a block of them.
template <typename T> int64_t keysOf(const AttentionHead<T>& h, int64_t key, int64_t lastRow) {
    const int64_t end = h.causal ? least(h.keys, lastRow + 1) : h.keys;
    return end - key < kKeys ? (end > key ? end - key : 0) : kKeys;
}

/// A block of rows that lie apart is copied together: rows a page apart would share a few sets of
/// the cache.
template <typename T>
const T* together(const T* from, int64_t& row, int64_t count, int64_t width, T* to) {
    if (row == width) return from;
    packed(from, row, count, count, width, width, to);
    row = width;
    return to;
}

template <typename T> int64_t forwardWorkspace(const AttentionHead<T>& h) {
    const int64_t panel = (h.width + h.valueWidth + 2) * kPanel<T>;
    return kPanels * panel + kKeys * (kPanel<T> + h.width + h.valueWidth);
}

/// One panel meets one block of keys: weights from scores, earlier sums rescaled.
template <typename T>
void softmaxStep(int64_t keys, int64_t valueWidth, T* scores, T* largest, T* sums, T* output) {
    for (int64_t half = 0; half < kPanel<T>; half += kLanes<T>) {
        T* at = scores + half;
        const Vector<T> before = load(largest + half);
        Vector<T> most = before;
        for (int64_t k = 0; k < keys; ++k) {
            const Vector<T> score = load(at + k * kPanel<T>);
            most = score > most ? score : most;
        }
        const Vector<T> none = all<T>(kLowest<T>), base = most == none ? Vector<T>{} : most;
        Vector<T> sum{};
        for (int64_t k = 0; k < keys; ++k) {
            const Vector<T> weight = exponential<T>(load(at + k * kPanel<T>) - base);
            store(at + k * kPanel<T>, weight);
            sum += weight;
        }
        const Vector<T> factor = exponential<T>(before - base);
        store(sums + half, load(sums + half) * factor + sum);
        store(largest + half, most);
        for (int64_t i = 0; i < valueWidth; ++i)
            store(output + i * kPanel<T> + half, load(output + i * kPanel<T> + half) * factor);
    }
}

template <typename T> inline T logarithm(T x) {
    if constexpr (sizeof(T) == 4)
        return __builtin_logf(x);
    else
        return __builtin_log(x);
}

template <typename T>
void finishRows(const AttentionHead<T>& h, int64_t row, int64_t count, const T* largest,
                const T* sums, const T* output) {
    for (int64_t lane = 0; lane < count; ++lane) {
        const bool unseen = sums[lane] == 0 && h.safe;
        const T factor = unseen ? 0 : 1 / sums[lane];
        T* to = h.output + (row + lane) * h.outputRow;
        for (int64_t i = 0; i < h.valueWidth; ++i)
            to[i] = output[i * kPanel<T> + lane] * factor;
        h.logarithms[row + lane] = unseen ? 0 : largest[lane] + logarithm(sums[lane]);
    }
}

template <typename T> void forward(const AttentionHead<T>& h, int64_t begin, T* workspace) {
    constexpr int64_t kP = kPanel<T>;
    const int64_t end = least(begin + kPanels * kP, h.rows);
    T* const queries = workspace;
    T* const outputs = queries + kPanels * h.width * kP;
    T* const largest = outputs + kPanels * h.valueWidth * kP;
    T* const sums = largest + kPanels * kP;
    T* const scores = sums + kPanels * kP;
    T* const keyBlock = scores + kKeys * kP;
    T* const valueBlock = keyBlock + kKeys * h.width;
    const int64_t lanes = (end - begin + kP - 1) / kP * kP;
    for (int64_t i = 0; i < lanes * h.valueWidth; ++i)
        outputs[i] = 0;
    for (int64_t i = 0; i < lanes; ++i)
        largest[i] = kLowest<T>, sums[i] = 0;
    for (int64_t row = begin, p = 0; row < end; row += kP, ++p)
        transposed(h.query + row * h.queryRow, h.queryRow, least(kP, end - row), h.width, h.scale,
                   queries + p * h.width * kP);
    for (int64_t key = 0; key < h.keys; key += kKeys) {
        const int64_t keys = keysOf(h, key, end - 1);
        if (keys == 0) break;
        int64_t keyRow = h.keyRow, valueRow = h.valueRow;
        const T* k = together(h.key + key * keyRow, keyRow, keys, h.width, keyBlock);
        const T* v = together(h.value + key * valueRow, valueRow, keys, h.valueWidth, valueBlock);
        for (int64_t row = begin, p = 0; row < end; row += kP, ++p) {
            const int64_t count = least(kP, end - row), seen = keysOf(h, key, row + count - 1);
            if (seen == 0) continue;
            T* output = outputs + p * h.valueWidth * kP;
            product<false>(Factor<T>{k, keyRow, 1}, queries + p * h.width * kP, kP, scores, kP,
                           seen, h.width);
            finishScores(h, row, count, key, seen, scores);
            softmaxStep(seen, h.valueWidth, scores, largest + p * kP, sums + p * kP, output);
            product<true>(Factor<T>{v, 1, valueRow}, scores, kP, output, kP, h.valueWidth, seen);
        }
    }
    for (int64_t row = begin, p = 0; row < end; row += kP, ++p)
        finishRows(h, row, least(kP, end - row), largest + p * kP, sums + p * kP,
                   outputs + p * h.valueWidth * kP);
}

template <typename T> int64_t backwardWorkspace(const AttentionHead<T>& h) {
    const int64_t wide = padded<T>(h.width), wideValue = padded<T>(h.valueWidth);
    const int64_t panel = (2 * h.width + h.valueWidth + wide + wideValue + 2) * kPanel<T>;
    return kPanels * panel + kKeys * (2 * kPanel<T> + h.width + h.valueWidth) +
           h.keys * (wide + wideValue);
}

/// A panel of queries, prepared for all blocks of keys.
template <typename T> struct BackwardPanel {
    T *query, *gradient;         ///< transposed; the query times the scale
    T *queryRows, *gradientRows; ///< padded rows
    T* queryGradient;            ///< transposed, grows
    T *logarithms, *both;        ///< both: sums of gradient times output

    BackwardPanel() = default;
    BackwardPanel(const AttentionHead<T>& h, T* at, int64_t row, int64_t count) {
        constexpr int64_t kP = kPanel<T>;
        const auto take = [&](int64_t elements) {
            T* const taken = at;
            at += elements;
            return taken;
        };
        const int64_t wide = padded<T>(h.width), wideValue = padded<T>(h.valueWidth);
        query = take(h.width * kP), gradient = take(h.valueWidth * kP);
        queryRows = take(wide * kP), gradientRows = take(wideValue * kP);
        queryGradient = take(h.width * kP), logarithms = take(kP), both = take(kP);
        const T* q = h.query + row * h.queryRow;
        const T* g = h.gradient + row * h.gradientRow;
        transposed(q, h.queryRow, count, h.width, h.scale, query);
        transposed(g, h.gradientRow, count, h.valueWidth, T{1}, gradient);
        packed(q, h.queryRow, count, kP, h.width, wide, queryRows);
        packed(g, h.gradientRow, count, kP, h.valueWidth, wideValue, gradientRows);
        for (int64_t i = 0; i < h.width * kP; ++i)
            queryGradient[i] = 0;
        for (int64_t lane = 0; lane < kP; ++lane) {
            // A lane without a row has weights of 0.
            logarithms[lane] = lane < count ? h.sums[(row + lane) * h.sumRow] : -kLowest<T>;
            both[lane] = 0;
            for (int64_t i = 0; lane < count && i < h.valueWidth; ++i)
                both[lane] +=
                    g[lane * h.gradientRow + i] * h.result[(row + lane) * h.resultRow + i];
        }
    }
};

/// Scores and gradients of weights become weights and gradients of scores.
template <typename T>
void backwardStep(const BackwardPanel<T>& panel, int64_t keys, T scale, T* scores, T* towards) {
    for (int64_t half = 0; half < kPanel<T>; half += kLanes<T>) {
        const Vector<T> logarithm = load(panel.logarithms + half), both = load(panel.both + half);
        for (int64_t k = 0; k < keys; ++k) {
            T* const score = scores + k * kPanel<T> + half;
            T* const toward = towards + k * kPanel<T> + half;
            const Vector<T> weight = exponential<T>(load(score) - logarithm);
            store(score, weight);
            store(toward, weight * (load(toward) - both) * scale);
        }
    }
}

template <typename T> void backward(const AttentionHead<T>& h, T* workspace) {
    constexpr int64_t kP = kPanel<T>;
    const int64_t wide = padded<T>(h.width), wideValue = padded<T>(h.valueWidth);
    const int64_t panelSize = (2 * h.width + h.valueWidth + wide + wideValue + 2) * kP;
    T* const scores = workspace + kPanels * panelSize;
    T* const towards = scores + kKeys * kP;
    T* const keyGradients = towards + kKeys * kP;
    T* const valueGradients = keyGradients + h.keys * wide;
    T* const keyBlock = valueGradients + h.keys * wideValue;
    T* const valueBlock = keyBlock + kKeys * h.width;
    for (int64_t i = 0; i < h.keys * (wide + wideValue); ++i)
        keyGradients[i] = 0;
    for (int64_t begin = 0; begin < h.rows; begin += kPanels * kP) {
        const int64_t end = least(begin + kPanels * kP, h.rows);
        const auto panelAt = [&](int64_t p) { return workspace + p * panelSize; };
        BackwardPanel<T> panels[kPanels];
        for (int64_t row = begin, p = 0; row < end; row += kP, ++p)
            panels[p] = BackwardPanel<T>(h, panelAt(p), row, least(kP, end - row));
        for (int64_t key = 0; key < h.keys; key += kKeys) {
            const int64_t keys = keysOf(h, key, end - 1);
            if (keys == 0) break;
            int64_t keyRow = h.keyRow, valueRow = h.valueRow;
            const T* k = together(h.key + key * keyRow, keyRow, keys, h.width, keyBlock);
            const T* v =
                together(h.value + key * valueRow, valueRow, keys, h.valueWidth, valueBlock);
            for (int64_t row = begin, p = 0; row < end; row += kP, ++p) {
                const int64_t count = least(kP, end - row), seen = keysOf(h, key, row + count - 1);
                if (seen == 0) continue;
                const BackwardPanel<T>& panel = panels[p];
                product<false>(Factor<T>{k, keyRow, 1}, panel.query, kP, scores, kP, seen, h.width);
                finishScores(h, row, count, key, seen, scores);
                product<false>(Factor<T>{v, valueRow, 1}, panel.gradient, kP, towards, kP, seen,
                               h.valueWidth);
                backwardStep(panel, seen, h.scale, scores, towards);
                for (int64_t i = 0; i < wideValue; i += kP)
                    product<true>(Factor<T>{scores, kP, 1}, panel.gradientRows + i, wideValue,
                                  valueGradients + key * wideValue + i, wideValue, seen, kP);
                for (int64_t i = 0; i < wide; i += kP)
                    product<true>(Factor<T>{towards, kP, 1}, panel.queryRows + i, wide,
                                  keyGradients + key * wide + i, wide, seen, kP);
                product<true>(Factor<T>{k, 1, keyRow}, towards, kP, panel.queryGradient, kP,
                              h.width, seen);
            }
        }
        for (int64_t row = begin, p = 0; row < end; row += kP, ++p)
            for (int64_t lane = 0; lane < least(kP, end - row); ++lane)
                for (int64_t i = 0; i < h.width; ++i)
                    h.queryGradient[(row + lane) * h.queryGradientRow + i] =
                        panels[p].queryGradient[i * kP + lane];
    }
    for (int64_t key = 0; key < h.keys; ++key) {
        for (int64_t i = 0; i < h.width; ++i)
            h.keyGradient[key * h.keyGradientRow + i] = keyGradients[key * wide + i];
        for (int64_t i = 0; i < h.valueWidth; ++i)
            h.valueGradient[key * h.valueGradientRow + i] = valueGradients[key * wideValue + i];
    }
}

template <typename T> AttentionKernels<T> kernels() {
    return {forward<T>, backward<T>, kPanels * kPanel<T>, forwardWorkspace<T>,
            backwardWorkspace<T>};
}

} // namespace
} // namespace cutaway::runtime::ATTENTION_NAMESPACE
