// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/random.h"

#include "core/base/sanitizers.h"
#include "core/base/tick.h"
#include "core/ir/meta_device.h"

#include "core/runtime/conjugate.h"
#include "core/runtime/cuda_random.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <numeric>
#include <utility>

// Products and sums are fused where PyTorch's kernels fuse them, and nowhere else: this file is
// compiled with -ffp-contract=off. One copy for processors with FMA, where std::fma is one
// instruction, one for the others.
#if defined(__x86_64__) && !CUTAWAY_THREAD_SANITIZER // whose functions cannot choose at load time
#define CUTAWAY_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define CUTAWAY_CLONES
#endif

namespace cutaway::runtime {

void Generator::seed(uint64_t value) {
    seed_ = value;
    auto word = static_cast<uint32_t>(value);
    state_[0] = word;
    for (uint32_t j = 1; j < state_.size(); ++j)
        state_[j] = word = 1812433253u * (word ^ word >> 30) + j;
    left_ = 1;
    next_ = 0;
    cachedNormal.reset();
    seedGpus(value);
}

void Generator::seedGpus(uint64_t value) {
    gpuSeed_ = value;
    gpus_.clear();
}

void Generator::refill() {
    base::tick();
    constexpr size_t n = 624, m = 397;
    for (size_t i = 0; i < n; ++i) {
        const uint32_t y = (state_[i] & 0x80000000u) | (state_[(i + 1) % n] & 0x7FFFFFFFu);
        state_[i] = state_[(i + m) % n] ^ y >> 1 ^ (y & 1 ? 0x9908B0DFu : 0);
    }
    left_ = n;
    next_ = 0;
}

std::vector<uint8_t> Generator::state() const {
    std::vector<uint8_t> bytes(5056);
    auto put = [&](size_t at, auto value) { std::memcpy(bytes.data() + at, &value, sizeof value); };
    put(0, seed_);
    put(8, left_);
    put(12, int32_t{1});
    put(16, uint64_t{next_});
    for (size_t i = 0; i < state_.size(); ++i)
        put(24 + 8 * i, uint64_t{state_[i]});
    put(5024, cachedNormal.value_or(0));
    put(5040, int32_t{cachedNormal.has_value()});
    return bytes;
}

base::Status Generator::setState(const std::vector<uint8_t>& bytes) {
    if (bytes.size() != 5056)
        return base::userError(
            {}, fmt::format("RNG state is wrong size: {} bytes, expected 5056", bytes.size()));
    auto get = [&](size_t at, auto value) {
        std::memcpy(&value, bytes.data() + at, sizeof value);
        return value;
    };
    const auto left = get(8, int32_t{});
    const auto next = get(16, uint64_t{});
    if (left < 1 || left > 625 || next > 624)
        return base::userError({}, "RNG state: its counters are out of range");
    seed_ = get(0, uint64_t{});
    left_ = left;
    next_ = static_cast<uint32_t>(next);
    for (size_t i = 0; i < state_.size(); ++i)
        state_[i] = static_cast<uint32_t>(get(24 + 8 * i, uint64_t{}));
    cachedNormal.reset();
    if (get(5040, int32_t{})) cachedNormal = get(5024, double{});
    return {};
}

double Generator::normal() {
    if (cachedNormal) return *std::exchange(cachedNormal, std::nullopt);
    const double u1 = unit(), u2 = unit();
    const double radius = std::sqrt(-2.0 * std::log1p(-u2)), angle = 2.0 * M_PI * u1;
    cachedNormal = radius * std::sin(angle);
    return radius * std::cos(angle);
}

namespace {

float unit32(Generator& g) {
    return static_cast<float>(g.draw32() & 0xFFFFFF) * 0x1p-24f;
}

/// Cephes' logf as PyTorch's vector kernels compute it (aten/src/ATen/native/cpu/avx_mathfun.h).
inline __attribute__((always_inline)) float cephesLog(float x) {
    int32_t bits;
    std::memcpy(&bits, &x, 4);
    auto e = static_cast<float>((bits >> 23) - 126);
    const int32_t mantissa = (bits & 0x007FFFFF) | 0x3F000000;
    float m;
    std::memcpy(&m, &mantissa, 4);
    const bool low = m < 0.707106781186547524f;
    e -= low ? 1.0f : 0.0f;
    x = (m - 1.0f) + (low ? m : 0.0f);
    const float z = x * x;
    float y = 7.0376836292e-2f;
    for (float c : {-1.1514610310e-1f, 1.1676998740e-1f, -1.2420140846e-1f, 1.4249322787e-1f,
                    -1.6668057665e-1f, 2.0000714765e-1f, -2.4999993993e-1f, 3.3333331174e-1f})
        y = std::fma(y, x, c);
    y = y * x;
    y = std::fma(y, z, e * -2.12194440e-4f);
    y = y - z * 0.5f;
    x = x + y;
    return std::fma(e, 0.693359375f, x);
}

/// Cephes' sinf and cosf of x >= 0, likewise.
inline __attribute__((always_inline)) void cephesSinCos(float x, float& sine, float& cosine) {
    const int32_t j = (static_cast<int32_t>(x * 1.27323954473516f) + 1) & ~1;
    const auto y = static_cast<float>(j);
    for (float d : {-0.78515625f, -2.4187564849853515625e-4f, -3.77489497744594108e-8f})
        x = std::fma(y, d, x);
    const float z = x * x;
    float c = std::fma(2.443315711809948e-5f, z, -1.388731625493765e-3f);
    c = std::fma(c, z, 4.166664568298827e-2f);
    c = std::fma(c * z, z, -(z * 0.5f)) + 1.0f;
    float s = std::fma(-1.9515295891e-4f, z, 8.3321608736e-3f);
    s = std::fma(s, z, -1.6666654611e-1f);
    s = std::fma(s * z, x, x);
    const bool straight = (j & 2) == 0;
    sine = straight ? s : c;
    cosine = straight ? c : s;
    if (j & 4) sine = -sine;
    if (((j - 2) & 4) == 0) cosine = -cosine;
}

/// Sixteen uniform numbers in place to normal ones: lane j pairs with lane j + 8.
CUTAWAY_CLONES void normal16(float* x, float mean, float deviation) {
    for (int j = 0; j < 8; ++j) {
        const float radius = std::sqrt(-2.0f * cephesLog(1.0f - x[j]));
        float sine, cosine;
        cephesSinCos(static_cast<float>(2 * M_PI) * x[j + 8], sine, cosine);
        x[j] = std::fma(radius * cosine, deviation, mean);
        x[j + 8] = std::fma(radius * sine, deviation, mean);
    }
}

void normal16(double* x, double mean, double deviation) {
    for (int j = 0; j < 8; ++j) {
        const double radius = std::sqrt(-2.0 * std::log(1.0 - x[j]));
        const double angle = 2.0 * M_PI * x[j + 8];
        x[j] = std::fma(radius * std::cos(angle), deviation, mean);
        x[j + 8] = std::fma(radius * std::sin(angle), deviation, mean);
    }
}

template <typename T> T unit(Generator& g) {
    if constexpr (sizeof(T) == 8)
        return g.unit();
    else
        return unit32(g);
}

/// \param whole contiguous: groups of sixteen; else one number after another
template <typename T> void fillNormal(T* out, int64_t n, const Draw& d, Generator& g, bool whole) {
    if (n < 16 || !whole) {
        for (int64_t i = 0; i < n; ++i)
            out[i] = static_cast<T>(std::fma(g.normal(), d.b, d.a));
        return;
    }
    const T mean = static_cast<T>(d.a), deviation = static_cast<T>(d.b);
    for (int64_t i = 0; i < n; ++i)
        out[i] = unit<T>(g);
    for (int64_t i = 0; i + 16 <= n; i += 16) {
        base::tick();
        normal16(out + i, mean, deviation);
    }
    if (n % 16 == 0) return;
    for (int64_t i = n - 16; i < n; ++i)
        out[i] = unit<T>(g);
    normal16(out + n - 16, mean, deviation);
}

template <typename T> void fillUniform(T* out, int64_t n, const Draw& d, Generator& g) {
    for (int64_t i = 0; i < n; ++i)
        out[i] = unit<T>(g);
    const T from = static_cast<T>(d.a), to = static_cast<T>(d.b);
    for (int64_t i = 0; i < n; ++i) {
        const T x = std::fma(out[i], to - from, from);
        out[i] = x == to ? from : x;
    }
}

/// The continuous distributions that are drawn one number after another in double.
double drawReal(const Draw& d, Generator& g) {
    switch (d.distribution) {
    case Distribution::Exponential:
        return -1.0 / d.a * std::log1p(-g.unit());
    case Distribution::Geometric:
        return std::ceil(std::log(g.unit()) / std::log1p(-d.a));
    case Distribution::Cauchy:
        return std::fma(std::tan(M_PI * (g.unit() - 0.5)), d.b, d.a);
    case Distribution::LogNormal:
        return std::exp(std::fma(g.normal(), d.b, d.a));
    case Distribution::Bernoulli:
    case Distribution::Dropout:
        return g.unit() < d.a ? 1 : 0;
    default:
        return 0;
    }
}

int64_t drawInteger(const Draw& d, Generator& g) {
    const uint64_t range = static_cast<uint64_t>(d.high) - static_cast<uint64_t>(d.low);
    const uint64_t word = range >= uint64_t{1} << 28 ? g.draw64() : g.draw32();
    return static_cast<int64_t>(static_cast<uint64_t>(d.low) + word % range);
}

int64_t drawAny(ir::DType dtype, Generator& g) {
    switch (dtype) {
    case ir::DType::Int64:
        return static_cast<int64_t>(g.draw64() % (uint64_t{1} << 63));
    case ir::DType::UInt64:
        return static_cast<int64_t>(g.draw64());
    case ir::DType::Float64:
        return static_cast<int64_t>(g.draw64() % ((uint64_t{1} << 53) + 1));
    default:
        break;
    }
    if (!ir::isFloating(dtype))
        return static_cast<int64_t>(g.draw32() %
                                    (static_cast<uint64_t>(ir::integerLimits(dtype).max) + 1));
    // As many integers as the dtype tells apart.
    const auto digits = static_cast<int>(1 - std::ilogb(ir::floatLimits(dtype).eps));
    return static_cast<int64_t>(g.draw32() % ((uint64_t{1} << digits) + 1));
}

void fillPermutation(ir::HostTensor& host, Generator& g) {
    const int64_t n = host.numel();
    std::vector<int64_t> order(static_cast<size_t>(n));
    if (n < int64_t{0xFFFFFFFF} / 20) {
        std::iota(order.begin(), order.end(), 0);
        for (int64_t i = 0; i < n - 1; ++i)
            std::swap(order[static_cast<size_t>(i)],
                      order[static_cast<size_t>(i + g.draw32() % static_cast<uint64_t>(n - i))]);
    } else {
        for (int64_t i = 0; i < n; ++i) {
            const auto z = static_cast<size_t>(g.draw64() % static_cast<uint64_t>(i + 1));
            order[static_cast<size_t>(i)] = order[z];
            order[z] = i;
        }
    }
    for (int64_t i = 0; i < n; ++i)
        host.setInt(i, order[static_cast<size_t>(i)]);
}

/// Of 16 bits: float32 numbers, rounded. Normal ones are made in groups of sixteen at once, where
/// float32 draws all its uniform numbers first.
void fillHalf(ir::HostTensor& out, const Draw& d, Generator& g, bool whole) {
    const int64_t n = out.numel();
    std::vector<float> numbers(static_cast<size_t>(n));
    if (d.distribution == Distribution::Uniform) {
        fillUniform(numbers.data(), n, d, g);
        for (int64_t i = 0; i < n; ++i) {
            out.set(i, numbers[static_cast<size_t>(i)]);
            if (out.get(i) == static_cast<double>(static_cast<float>(d.b))) out.set(i, d.a);
        }
        return;
    }
    if (n < 16 || !whole) {
        fillNormal(numbers.data(), n, d, g, whole);
    } else {
        for (int64_t i = 0; i + 16 <= n; i += 16)
            fillNormal(numbers.data() + i, 16, d, g, true);
        if (n % 16 != 0) fillNormal(numbers.data() + n - 16, 16, d, g, true);
    }
    for (int64_t i = 0; i < n; ++i)
        out.set(i, numbers[static_cast<size_t>(i)]);
}

/// Contiguous memory of the host.
base::Status fillHost(Tensor& tensor, const Draw& d, Generator& g, bool whole) {
    const int64_t n = tensor.type.numel().constant();
    const ir::DType dtype = tensor.type.dtype;
    const bool f32 = dtype == ir::DType::Float32, f64 = dtype == ir::DType::Float64;
    auto* single = static_cast<float*>(tensor.data());
    auto* twice = static_cast<double*>(tensor.data());
    const bool uniform = d.distribution == Distribution::Uniform;
    if ((uniform || d.distribution == Distribution::Normal) && ir::isHalf(dtype)) {
        ir::HostTensor host = ir::HostTensor::zeros(dtype, {n});
        fillHalf(host, d, g, whole);
        std::memcpy(tensor.data(), host.bytes.data(), host.bytes.size());
        return {};
    }
    const bool continuous = uniform || d.distribution == Distribution::Normal ||
                            d.distribution == Distribution::LogNormal ||
                            d.distribution == Distribution::Exponential ||
                            d.distribution == Distribution::Cauchy;
    if (d.distribution == Distribution::Geometric && dtype == ir::DType::Bool)
        return base::userError({}, "geometric numbers: not implemented for bool")
            .as(base::ErrorClass::NotImplemented);
    if (continuous && !ir::isFloating(dtype))
        return base::userError({}, fmt::format("random numbers of this distribution are floating "
                                               "point: found {}, expected a floating-point tensor",
                                               ir::name(dtype)));
    if (uniform || d.distribution == Distribution::Normal) {
        if (uniform && f32)
            fillUniform(single, n, d, g);
        else if (uniform && f64)
            fillUniform(twice, n, d, g);
        else if (f32)
            fillNormal(single, n, d, g, whole);
        else if (f64)
            fillNormal(twice, n, d, g, whole);
        else
            return base::userError({}, fmt::format("random numbers of this distribution are "
                                                   "floating point: found {}, expected float16, "
                                                   "bfloat16, float32 or float64",
                                                   ir::name(dtype)));
        return {};
    }
    ir::HostTensor host = ir::HostTensor::zeros(dtype, {n});
    if (d.distribution == Distribution::Permutation) {
        fillPermutation(host, g);
    } else if (d.distribution == Distribution::Integer) {
        for (int64_t i = 0; i < n; ++i)
            host.setInt(i, drawInteger(d, g));
    } else if (d.distribution == Distribution::Any) {
        for (int64_t i = 0; i < n; ++i)
            host.setInt(i, drawAny(dtype, g));
    } else {
        for (int64_t i = 0; i < n; ++i)
            host.set(i, drawReal(d, g));
    }
    CUTAWAY_TRY(TensorPtr made, fromHost(host, {}));
    std::memcpy(tensor.data(), made->data(), static_cast<size_t>(tensor.type.bytes()));
    return {};
}

/// The dimensions from the largest stride to the smallest: the order of the memory.
std::vector<size_t> memoryOrder(const ir::TensorType& type) {
    std::vector<size_t> order(type.rank());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        return type.strides[a].constant() > type.strides[b].constant();
    });
    return order;
}

/// The tensor with its dimensions in that order.
Tensor permuted(const Tensor& tensor, const std::vector<size_t>& order) {
    Tensor seen = tensor;
    for (size_t at = 0; at < order.size(); ++at) {
        seen.type.sizes[at] = tensor.type.sizes[order[at]];
        seen.type.strides[at] = tensor.type.strides[order[at]];
    }
    return seen;
}

} // namespace

base::Status fillRandom(Tensor& tensor, const Draw& draw, Generator& generator) {
    if (draw.distribution == Distribution::Integer && draw.high <= draw.low)
        return base::userError({}, fmt::format("random_ expects 'from' to be less than 'to', but "
                                               "got from={} >= to={}",
                                               draw.low, draw.high));
    const ir::Device device = tensor.type.device;
    if (tensor.type.numel().is(0) || ir::isMeta(device)) return {};
    auto fill = [&](Tensor& dense, bool whole) {
        return device.isCuda() ? fillOnCuda(dense, draw, generator)
                               : fillHost(dense, draw, generator, whole);
    };
    if (tensor.type.isContiguous()) {
        tensor.countWrite();
        CUTAWAY_CHECK(fill(tensor, true));
        return conjugateWritten(tensor);
    }
    Tensor window = permuted(tensor, memoryOrder(tensor.type));
    CUTAWAY_TRY(TensorPtr made, emptyTensor(ir::TensorType::contiguous(tensor.type.dtype,
                                                                       window.type.sizes, device)));
    CUTAWAY_CHECK(fill(*made, false));
    return copyInto(window, *made);
}

base::Status fillBernoulli(Tensor& tensor, const Tensor& probability, Generator& generator) {
    const std::vector<size_t> order = memoryOrder(tensor.type);
    Tensor window = permuted(tensor, order);
    CUTAWAY_TRY(ir::HostTensor below, toHost(permuted(probability, order)));
    ir::HostTensor host =
        ir::HostTensor::zeros(tensor.type.dtype, ir::constants(window.type.sizes));
    for (int64_t i = 0; i < below.numel(); ++i) {
        const double p = below.get(i);
        if (!(p >= 0 && p <= 1))
            return base::userError({},
                                   "Expected p_in >= 0 && p_in <= 1 to be true, but got false.");
        const bool one = below.dtype == ir::DType::Float64
                             ? generator.unit() < p
                             : unit32(generator) < static_cast<float>(p);
        host.setInt(i, one ? 1 : 0);
    }
    CUTAWAY_TRY(TensorPtr made, fromHost(host, tensor.type.device));
    return copyInto(window, *made);
}

base::Result<TensorPtr> drawMultinomial(const Tensor& weights, int64_t count, bool replacement,
                                        Generator& generator) {
    CUTAWAY_TRY(ir::HostTensor w, toHost(weights));
    if (w.sizes.empty() || w.sizes.size() > 2)
        return base::userError(
            {}, fmt::format("prob_dist must be 1 or 2 dim, found {} dimensions", w.sizes.size()));
    const int64_t n = w.sizes.back();
    const int64_t rows = w.sizes.size() == 1 ? 1 : w.sizes.front();
    if (count < 1 || (!replacement && count > n))
        return base::userError({}, fmt::format("cannot sample {} of {} categories without "
                                               "replacement: n_sample > prob_dist.size(-1)",
                                               count, n));
    std::vector<int64_t> sizes(w.sizes.begin(), w.sizes.end());
    sizes.back() = count;
    for (int64_t i = 0; i < w.numel(); ++i)
        if (!(w.get(i) >= 0) || std::isinf(w.get(i)))
            return base::userError({}, "probability tensor contains either `inf`, `nan` or element "
                                       "< 0");
    for (int64_t r = 0; r < rows; ++r) {
        double sum = 0;
        for (int64_t i = 0; i < n; ++i)
            sum += w.get(r * n + i);
        if (!(sum > 0))
            return base::userError({}, "invalid multinomial distribution (sum of probabilities <= "
                                       "0)");
    }
    const bool f64 = w.dtype == ir::DType::Float64;
    auto rounded = [&](double x) { return f64 ? x : static_cast<double>(static_cast<float>(x)); };
    ir::HostTensor host = ir::HostTensor::zeros(ir::DType::Int64, sizes);
    if (!replacement || count == 1) {
        std::vector<double> key(static_cast<size_t>(w.numel()));
        const ir::Shape& strides = weights.type.strides;
        const bool byColumns = strides.size() == 2 && !strides[0].is(0) &&
                               strides[0].constant() < strides[1].constant();
        for (int64_t drawn = 0; drawn < w.numel(); ++drawn) { // in the order of memory
            const int64_t i = byColumns ? drawn % rows * n + drawn / rows : drawn;
            key[static_cast<size_t>(i)] =
                rounded(w.get(i) / rounded(drawReal({Distribution::Exponential, 1.0}, generator)));
        }
        for (int64_t r = 0; r < rows; ++r) {
            std::vector<int64_t> order(static_cast<size_t>(n));
            std::iota(order.begin(), order.end(), 0);
            const double* row = key.data() + r * n;
            std::stable_sort(order.begin(), order.end(),
                             [&](int64_t a, int64_t b) { return row[a] > row[b]; });
            for (int64_t k = 0; k < count; ++k)
                host.setInt(r * count + k, order[static_cast<size_t>(k)]);
        }
        return fromHost(host, weights.type.device);
    }
    for (int64_t r = 0; r < rows; ++r) {
        std::vector<double> sums;
        double total = 0;
        for (int64_t i = 0; i < n; ++i)
            sums.push_back(total = rounded(total + w.get(r * n + i)));
        if (!(total > 0))
            return base::userError({},
                                   "invalid multinomial distribution (sum of probabilities <= 0)");
        for (double& s : sums)
            s = rounded(s / total);
        sums.back() = 1;
        for (int64_t k = 0; k < count; ++k)
            host.setInt(r * count + k,
                        std::lower_bound(sums.begin(), sums.end(), generator.unit()) -
                            sums.begin());
    }
    return fromHost(host, weights.type.device);
}

} // namespace cutaway::runtime
