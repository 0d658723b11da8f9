// SPDX-License-Identifier: Apache-2.0
// Run-time part of an exported graph: matrix products, aligned memory, reading and comparing data.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace cutaway_export {

/// A strided window: up to two batch dimensions are not enough for every model, so any number.
struct View {
    std::vector<int64_t> sizes, strides;
    int64_t offset = 0;
};

template <typename T> struct Epilogue {
    enum Kind { kAddTensor, kAddScalar, kMulScalar, kRelu } kind;
    double scalar = 0;
    const T* data = nullptr;
    View view;
};

inline int64_t offsetOf(const View& view, const std::vector<int64_t>& index) {
    int64_t at = view.offset;
    for (size_t i = 0; i < index.size(); ++i) at += index[i] * view.strides[i];
    return at;
}

/// What the fault words say, which are zero afterwards: a value that does not meet check k is in word
/// k + 1, and k + 1 in word 0. Null for nothing.
template <size_t N>
const char* takeFault(volatile long long* words, const char* const (&checks)[N]) {
    static char message[256];
    const long long number = words[0];
    if (number == 0) return nullptr;
    std::snprintf(message, sizeof message, checks[number - 1], static_cast<long long>(words[number]));
    for (size_t k = 0; k <= N; ++k) words[k] = 0;
    return message;
}

/// Fewer steps are done before a team of threads is awake.
constexpr int64_t kWorthThreads = int64_t(1) << 16;

/// result[b.., m, n] = sum_k a[b.., m, k] * b[b.., k, n] (+ bias), then the epilogues in order.
template <typename T>
void matmul(const T* a, const View& av, const T* b, const View& bv, const T* bias, const View* biasView,
            T* result, const View& rv, const std::vector<Epilogue<T>>& epilogues) {
    const size_t rank = rv.sizes.size();
    const int64_t rows = rv.sizes[rank - 2], columns = rv.sizes[rank - 1], inner = av.sizes[rank - 1];
    int64_t lines = rows;
    for (size_t i = 0; i + 2 < rank; ++i) lines *= rv.sizes[i];
#pragma omp parallel if (lines * inner * columns >= kWorthThreads)
    {
        std::vector<double> sums(static_cast<size_t>(columns));
#pragma omp for
        for (int64_t line = 0; line < lines; ++line) {
            std::vector<int64_t> index(rank);
            int64_t rest = line;
            for (size_t i = rank - 1; i-- > 0;) {
                index[i] = rest % rv.sizes[i];
                rest /= rv.sizes[i];
            }
            sums.assign(static_cast<size_t>(columns), 0.0);
            const int64_t aBase = offsetOf(av, index);
            std::vector<int64_t> bIndex = index;
            bIndex[rank - 2] = 0;
            const int64_t bBase = offsetOf(bv, bIndex);
            for (int64_t k = 0; k < inner; ++k) {
                const double x = static_cast<double>(a[aBase + k * av.strides[rank - 1]]);
                const T* row = b + bBase + k * bv.strides[rank - 2];
                for (int64_t n = 0; n < columns; ++n)
                    sums[static_cast<size_t>(n)] += x * static_cast<double>(row[n * bv.strides[rank - 1]]);
            }
            for (int64_t n = 0; n < columns; ++n) {
                index[rank - 1] = n;
                T value = static_cast<T>(sums[static_cast<size_t>(n)]);
                if (bias) value += bias[offsetOf(*biasView, index)];
                for (const Epilogue<T>& e : epilogues) {
                    switch (e.kind) {
                    case Epilogue<T>::kAddTensor: value += e.data[offsetOf(e.view, index)]; break;
                    case Epilogue<T>::kAddScalar: value += static_cast<T>(e.scalar); break;
                    case Epilogue<T>::kMulScalar: value *= static_cast<T>(e.scalar); break;
                    case Epilogue<T>::kRelu: value = value < T(0) ? T(0) : value; break;
                    }
                }
                result[offsetOf(rv, index)] = value;
            }
        }
    }
}

#ifdef __CUDACC__
#define CUTAWAY_BOTH __host__ __device__
#else
#define CUTAWAY_BOTH
#endif

/// How a convolution's taps lie in the image, and which tensor is the result: 0 the output (operands
/// image, weight), 1 the image (output, weight), 2 the weight (image, output).
struct Window {
    int result = 0;
    int64_t groups = 1, stride[3] = {1, 1, 1}, padding[3] = {0, 0, 0}, dilation[3] = {1, 1, 1};
};

/// A tensor with three spatial dimensions, missing ones of size 1.
struct Tensor5 {
    int64_t size[5], stride[5], offset;
};
inline Tensor5 tensor5(const View& view) {
    const size_t spatial = view.sizes.size() - 2;
    Tensor5 t{{view.sizes[0], view.sizes[1], 1, 1, 1}, {view.strides[0], view.strides[1], 0, 0, 0}, view.offset};
    for (size_t d = 0; d < spatial; ++d) {
        t.size[5 - spatial + d] = view.sizes[2 + d];
        t.stride[5 - spatial + d] = view.strides[2 + d];
    }
    return t;
}
CUTAWAY_BOTH inline int64_t offsetOf(const Tensor5& t, const int64_t (&at)[5]) {
    int64_t offset = t.offset;
    for (int d = 0; d < 5; ++d) offset += at[d] * t.stride[d];
    return offset;
}

/// One element of the result; plain, not fast.
template <typename T>
CUTAWAY_BOTH double convolutionElement(const T* a, const Tensor5& av, const T* b, const Tensor5& bv, const Tensor5& rv,
                                       const Window& w, const int64_t (&at)[5]) {
    const Tensor5& weight = w.result == 2 ? rv : bv;
    const int64_t perGroup = weight.size[0] / w.groups, channels = weight.size[1];
    // What is summed over: weights when the result is no weight, else batch and places of the output.
    const Tensor5& over = w.result == 2 ? bv : weight;
    double sum = 0;
    for (int64_t i0 = 0; i0 < (w.result == 0 ? 1 : w.result == 1 ? perGroup : over.size[0]); ++i0)
        for (int64_t i1 = 0; i1 < (w.result == 0 ? channels : 1); ++i1)
            for (int64_t s0 = 0; s0 < over.size[2]; ++s0)
                for (int64_t s1 = 0; s1 < over.size[3]; ++s1)
                    for (int64_t s2 = 0; s2 < over.size[4]; ++s2) {
                        const int64_t s[3] = {s0, s1, s2};
                        int64_t x[5], y[5], k[5];
                        bool inside = true;
                        for (int d = 0; d < 3; ++d) {
                            k[d + 2] = w.result == 2 ? at[d + 2] : s[d];
                            const int64_t shift = k[d + 2] * w.dilation[d] - w.padding[d];
                            if (w.result == 1) {
                                const int64_t from = at[d + 2] - shift;
                                y[d + 2] = from / w.stride[d];
                                inside = inside && from >= 0 && from % w.stride[d] == 0 && y[d + 2] < av.size[d + 2];
                            } else {
                                y[d + 2] = w.result == 0 ? at[d + 2] : s[d];
                                x[d + 2] = y[d + 2] * w.stride[d] + shift;
                                inside = inside && x[d + 2] >= 0 && x[d + 2] < av.size[d + 2];
                            }
                        }
                        if (!inside) continue;
                        if (w.result == 0) {
                            x[0] = at[0], x[1] = at[1] / perGroup * channels + i1, k[0] = at[1], k[1] = i1;
                            sum += double(a[offsetOf(av, x)]) * double(b[offsetOf(bv, k)]);
                        } else if (w.result == 1) {
                            y[0] = at[0], y[1] = at[1] / channels * perGroup + i0, k[0] = y[1], k[1] = at[1] % channels;
                            sum += double(a[offsetOf(av, y)]) * double(b[offsetOf(bv, k)]);
                        } else {
                            y[0] = x[0] = i0, y[1] = at[0], x[1] = at[0] / perGroup * channels + at[1];
                            sum += double(a[offsetOf(av, x)]) * double(b[offsetOf(bv, y)]);
                        }
                    }
    return sum;
}

CUTAWAY_BOTH inline int64_t indexOf(const Tensor5& t, int64_t element, int64_t (&at)[5]) {
    for (int d = 4; d >= 0; --d) {
        at[d] = element % t.size[d];
        element /= t.size[d];
    }
    return offsetOf(t, at);
}
inline int64_t elementsOf(const Tensor5& t) {
    return t.size[0] * t.size[1] * t.size[2] * t.size[3] * t.size[4];
}

template <typename T>
void convolution(const T* a, const View& av, const T* b, const View& bv, T* result, const View& rv, const Window& w) {
    const Tensor5 at = tensor5(av), bt = tensor5(bv), rt = tensor5(rv);
    const int64_t elements = elementsOf(rt);
#pragma omp parallel for if (elements * bt.size[1] >= kWorthThreads / 16)
    for (int64_t e = 0; e < elements; ++e) {
        int64_t index[5];
        const int64_t where = indexOf(rt, e, index);
        result[where] = static_cast<T>(convolutionElement(a, at, b, bt, rt, w, index));
    }
}

/// What is done along dimension \p dim: positions in order, a NaN the largest, or what runs
/// (0 sum, 1 product, 2 logarithm of the sum of exponentials, 3 and 4 places of maxima and minima).
/// What comes first of equal elements: 0 the first, 1 as std::sort finds it, 2 as std::partial_sort and
/// std::nth_element do, 3 the same in any order, 4 as quickSelect does (a GPU: always the first).
struct Rows {
    bool sorts = true;
    int dim = 0, running = 0;
    bool descending = false, backwards = false;
    int order = 0;
};

template <typename T> CUTAWAY_BOTH bool comesBefore(T a, T b, bool descending) {
    if (a != a || b != b) return descending ? a != a && b == b : b != b && a == a;
    return descending ? a > b : a < b;
}

/// One row of \p n elements, \p count of the result; plain, not fast.
template <typename T, typename R>
CUTAWAY_BOTH void oneRow(const T* from, int64_t fromStride, R* to, int64_t toStride, int64_t n, int64_t count,
                         const Rows& how) {
    if (how.sorts) {
        // Where each element goes: behind all that come before it.
        for (int64_t i = 0; i < n; ++i) {
            const T x = from[i * fromStride];
            int64_t place = 0;
            for (int64_t j = 0; j < n; ++j) {
                const T y = from[j * fromStride];
                place += comesBefore(y, x, how.descending) || (j < i && !comesBefore(x, y, how.descending));
            }
            if (place < count) to[place * toStride] = R(i);
        }
        return;
    }
    double sum = how.running == 1 ? 1 : 0;
    long long whole = how.running == 1 ? 1 : 0;
    T extreme{};
    int64_t best = -1;
    for (int64_t k = 0; k < n; ++k) {
        const int64_t i = how.backwards ? n - 1 - k : k;
        const T x = from[i * fromStride];
        const double element = double(x);
        if (how.running == 0) sum += element, whole += (long long)x;
        if (how.running == 1) sum *= element, whole *= (long long)x;
        if (how.running == 2)
            sum = k == 0 ? element
                         : (sum == element && sum - sum != 0
                                ? sum
                                : (sum < element ? element : sum) + std::log1p(std::exp(-std::fabs(sum - element))));
        if (how.running >= 3) {
            const bool better = how.running == 3 ? x >= extreme : x <= extreme;
            if (best < 0 || x != x || (better && extreme == extreme)) extreme = x, best = i;
            to[i * toStride] = R(best);
        } else {
            to[i * toStride] = T(0.5) == T(0) ? R(whole) : R(sum);
        }
    }
}

/// Where row number \p row begins.
CUTAWAY_BOTH inline int64_t rowStart(const int64_t* sizes, const int64_t* strides, int rank, int dim, int64_t row) {
    int64_t at = 0;
    for (int d = rank - 1; d >= 0; --d) {
        if (d == dim) continue;
        at += row % sizes[d] * strides[d];
        row /= sizes[d];
    }
    return at;
}

/// What belongs at position \p at goes there, what comes before it in front of it.
template <typename Before> void quickSelect(int64_t* row, int64_t size, int64_t at, const Before& before) {
    int64_t left = 0, right = size - 1;
    while (left + 1 < right) {
        std::swap(row[left + (right - left) / 2], row[left + 1]);
        if (before(row[right], row[left + 1])) std::swap(row[left + 1], row[right]);
        if (before(row[right], row[left])) std::swap(row[left], row[right]);
        if (before(row[left], row[left + 1])) std::swap(row[left + 1], row[left]);
        const int64_t divides = row[left];
        int64_t i = left + 1, j = right;
        while (true) {
            do ++i;
            while (before(row[i], divides));
            do --j;
            while (before(divides, row[j]));
            if (j < i) break;
            std::swap(row[i], row[j]);
        }
        std::swap(row[left], row[j]);
        if (j <= at) left = i;
        if (j >= at) right = j - 1;
    }
    if (left + 1 == right && before(row[right], row[left])) std::swap(row[left], row[right]);
}
/// One row in another order than the stable one.
template <typename T, typename R>
void orderRow(const T* from, int64_t fromStride, R* to, int64_t toStride, int64_t n, int64_t count, const Rows& how) {
    std::vector<int64_t> places(static_cast<size_t>(n));
    for (size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int64_t>(i);
    const auto before = [&](int64_t i, int64_t j) {
        const T a = from[i * fromStride], b = from[j * fromStride];
        return how.order == 1 ? a < b : comesBefore(a, b, how.descending);
    };
    const auto first = places.begin();
    if (how.order == 1)
        std::sort(first, places.end(), before);
    else if (how.order == 4)
        quickSelect(places.data(), n, count - 1, before);
    else if (count * 64 <= n)
        std::partial_sort(first, first + count, places.end(), before);
    else {
        std::nth_element(first, first + count - 1, places.end(), before);
        if (how.order == 2) std::sort(first, first + count - 1, before);
    }
    for (int64_t i = 0; i < count; ++i) to[i * toStride] = R(places[static_cast<size_t>(i)]);
}

template <typename T, typename R>
void rows(const T* from, const View& fv, R* to, const View& rv, const Rows& how) {
    const int rank = static_cast<int>(fv.sizes.size());
    const size_t dim = static_cast<size_t>(how.dim);
    int64_t count = 1;
    for (size_t d = 0; d < fv.sizes.size(); ++d)
        if (d != dim) count *= fv.sizes[d];
#pragma omp parallel for if (count * fv.sizes[dim] >= kWorthThreads / 16)
    for (int64_t row = 0; row < count; ++row) {
        const T* in = from + fv.offset + rowStart(fv.sizes.data(), fv.strides.data(), rank, how.dim, row);
        R* out = to + rv.offset + rowStart(fv.sizes.data(), rv.strides.data(), rank, how.dim, row);
        if (how.order != 0 && rv.sizes[dim] > 0)
            orderRow(in, fv.strides[dim], out, rv.strides[dim], fv.sizes[dim], rv.sizes[dim], how);
        else
            oneRow(in, fv.strides[dim], out, rv.strides[dim], fv.sizes[dim], rv.sizes[dim], how);
    }
}

/// Attention of heads, forwards or backwards; the results lie one behind the other.
struct Attention {
    bool backward, masked, causal, safe, inner;
    double scale;
};
/// Operands query, key, value [B, H, rows, width]; backwards gradient, output and logarithms; a mask.
template <typename T>
void attention(const std::vector<const T*>& data, const std::vector<View>& views, T* result, const Attention& how) {
    const int64_t heads = views[0].sizes[1], rows = views[0].sizes[2], width = views[0].sizes[3];
    const int64_t keys = views[2].sizes[2], valueWidth = views[2].sizes[3];
    const int64_t batch = views[0].sizes[0], all = batch * heads;
#pragma omp parallel for if (all * rows * keys * width >= kWorthThreads)
    for (int64_t head = 0; head < all; ++head) {
        const int64_t b = head / heads, h = head % heads;
        auto at = [&](size_t which, int64_t row, int64_t column) {
            std::vector<int64_t> index{b, h, row, column};
            index.resize(views[which].sizes.size());
            return static_cast<double>(data[which][offsetOf(views[which], index)]);
        };
        auto place = [&](int64_t begin, int64_t length, int64_t wide, int64_t row, int64_t column) -> T& {
            const int64_t line = how.inner ? (b * length + row) * heads + h : (b * heads + h) * length + row;
            return result[begin + line * wide + column];
        };
        std::vector<double> weights(static_cast<size_t>(keys));
        std::vector<double> keySums(static_cast<size_t>(keys * width)), valueSums(static_cast<size_t>(keys * valueWidth));
        for (int64_t row = 0; row < rows; ++row) {
            double largest = -INFINITY, sum = 0;
            for (int64_t key = 0; key < keys; ++key) {
                double score = 0;
                for (int64_t i = 0; i < width; ++i) score += at(0, row, i) * at(1, key, i);
                score *= how.scale;
                if (how.masked) score += at(views.size() - 1, row, key);
                if (how.causal && key > row) score = -INFINITY;
                weights[static_cast<size_t>(key)] = score;
                largest = score != score ? score : std::fmax(largest, score);
            }
            const bool unseen = how.safe && largest == -INFINITY;
            const double base = how.backward ? at(5, row, 0) : largest;
            for (double& weight : weights)
                sum += weight = unseen || (how.backward && weight == -INFINITY) ? 0 : std::exp(weight - base);
            if (!how.backward) {
                for (int64_t i = 0; i < valueWidth; ++i) {
                    double y = 0;
                    for (int64_t key = 0; key < keys; ++key) y += weights[static_cast<size_t>(key)] * at(2, key, i);
                    place(0, rows, valueWidth, row, i) = static_cast<T>(unseen ? 0 : y / sum);
                }
                result[all * rows * valueWidth + head * rows + row] = static_cast<T>(unseen ? 0 : base + std::log(sum));
                continue;
            }
            double both = 0;
            for (int64_t i = 0; i < valueWidth; ++i) both += at(3, row, i) * at(4, row, i);
            std::vector<double> querySums(static_cast<size_t>(width));
            for (int64_t key = 0; key < keys; ++key) {
                const double weight = weights[static_cast<size_t>(key)];
                double towards = -both;
                for (int64_t i = 0; i < valueWidth; ++i) {
                    towards += at(3, row, i) * at(2, key, i);
                    valueSums[static_cast<size_t>(key * valueWidth + i)] += weight * at(3, row, i);
                }
                towards *= weight * how.scale;
                for (int64_t i = 0; i < width; ++i) {
                    querySums[static_cast<size_t>(i)] += towards * at(1, key, i);
                    keySums[static_cast<size_t>(key * width + i)] += towards * at(0, row, i);
                }
            }
            for (int64_t i = 0; i < width; ++i) place(0, rows, width, row, i) = static_cast<T>(querySums[static_cast<size_t>(i)]);
        }
        for (int64_t key = 0; how.backward && key < keys; ++key) {
            for (int64_t i = 0; i < width; ++i)
                place(all * rows * width, keys, width, key, i) = static_cast<T>(keySums[static_cast<size_t>(key * width + i)]);
            for (int64_t i = 0; i < valueWidth; ++i)
                place(all * (rows + keys) * width, keys, valueWidth, key, i) =
                    static_cast<T>(valueSums[static_cast<size_t>(key * valueWidth + i)]);
        }
    }
}

inline void* allocate(size_t bytes) {
    void* memory = std::aligned_alloc(64, (bytes + 127) / 64 * 64);
    if (!memory) {
        std::fprintf(stderr, "out of memory: %zu bytes\n", bytes);
        std::exit(3);
    }
    return memory;
}

/// Reads a file of exactly \p bytes into new memory.
inline void* readData(const std::string& path, size_t bytes) {
    void* memory = allocate(bytes);
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (!file || std::fread(memory, 1, bytes, file) != bytes) {
        std::fprintf(stderr, "%s: expected %zu bytes\n", path.c_str(), bytes);
        std::exit(1);
    }
    std::fclose(file);
    return memory;
}

/// Largest difference between a strided result and the dense expected values, relative to the
/// expected values' root mean square.
template <typename T> double largestError(const T* got, const View& view, const T* expected) {
    int64_t count = 1;
    for (int64_t size : view.sizes) count *= size;
    double worst = 0, squares = 0;
    std::vector<int64_t> index(view.sizes.size());
    for (int64_t i = 0; i < count; ++i) {
        int64_t rest = i;
        for (size_t d = view.sizes.size(); d-- > 0;) {
            index[d] = rest % view.sizes[d];
            rest /= view.sizes[d];
        }
        const double want = static_cast<double>(expected[i]);
        const double have = static_cast<double>(got[offsetOf(view, index)]);
        squares += want * want;
        if (want == have || (std::isnan(want) && std::isnan(have))) continue;
        const double difference = std::fabs(want - have);
        worst = std::isnan(difference) || difference > worst ? difference : worst;
    }
    const double scale = std::sqrt(squares / static_cast<double>(count > 0 ? count : 1));
    return worst / (scale > 0 ? scale : 1);
}

} // namespace cutaway_export
