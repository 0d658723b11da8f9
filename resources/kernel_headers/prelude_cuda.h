// SPDX-License-Identifier: Apache-2.0
// What every generated CUDA kernel begins with: scalar operations with PyTorch's meaning, vector
// accesses, reductions in a fixed order. Includes nothing, so that NVRTC needs no toolkit headers.
#define DEVICE __device__ __forceinline__
// Functions of many instructions. A kernel that calls hundreds of them has each once, or it takes
// the compiler longer than it runs, and leaves the code cache.
#ifdef MANY_CALLS
#define FUNCTION static __device__ __noinline__
#else
#define FUNCTION DEVICE
#endif

namespace op {

#define BOTH(name, single, twice)                                                                  \
    FUNCTION float name(float x) { return single(x); }                                             \
    FUNCTION double name(double x) { return twice(x); }
BOTH(exp, ::expf, ::exp)
BOTH(expm1, ::expm1f, ::expm1)
BOTH(log, ::logf, ::log)
BOTH(log1p, ::log1pf, ::log1p)
BOTH(tan, ::tanf, ::tan)
BOTH(tanh, ::tanhf, ::tanh)
BOTH(erf, ::erff, ::erf)
#undef BOTH
#define BOTH(name, single, twice)                                                                  \
    DEVICE float name(float x) { return single(x); }                                               \
    DEVICE double name(double x) { return twice(x); }
BOTH(sqrt, ::sqrtf, ::sqrt)
BOTH(rsqrt, ::rsqrtf, ::rsqrt)
BOTH(floor, ::floorf, ::floor)
BOTH(ceil, ::ceilf, ::ceil)
BOTH(round, ::rintf, ::rint) // half to even
BOTH(trunc, ::truncf, ::trunc)
BOTH(abs, ::fabsf, ::fabs)
#undef BOTH

// Sine and cosine: the argument less a multiple of pi/2 in three parts, then a polynomial (about
// 1.5 ulp). Far arguments take the library's exact reduction, out of line: inlined, it is most of
// a kernel's code and of its compile time.
static __device__ __noinline__ float farSine(float x, int quadrant) {
    return quadrant ? ::cosf(x) : ::sinf(x);
}
FUNCTION float sineOf(float x, int quadrant) {
    if (!(::fabsf(x) < 32768.0f)) return farSine(x, quadrant);
    const float turns = ::rintf(x * 0.636619772f);
    float r = ::fmaf(turns, -1.57079601f, x);
    r = ::fmaf(turns, -3.13916473e-7f, r);
    r = ::fmaf(turns, -5.39030253e-15f, r);
    const float r2 = r * r;
    const int q = int(turns) + quadrant;
    float s = ::fmaf(r2, -1.95152959e-4f, 8.33216087e-3f);
    s = ::fmaf(s, r2, -1.66666546e-1f);
    s = ::fmaf(s * r2, r, r);
    float c = ::fmaf(r2, 2.44331571e-5f, -1.38873163e-3f);
    c = ::fmaf(c, r2, 4.16666456e-2f);
    c = ::fmaf(c, r2, -0.5f);
    c = ::fmaf(c, r2, 1.0f);
    const float value = q & 1 ? c : s;
    return q & 2 ? -value : value;
}
DEVICE float sin(float x) { return sineOf(x, 0); }
DEVICE float cos(float x) { return sineOf(x, 1); }
DEVICE double sin(double x) { return ::sin(x); }
DEVICE double cos(double x) { return ::cos(x); }

template <typename T> DEVICE T abs(T x) { return x < 0 ? -x : x; }
template <typename T> DEVICE T sign(T x) { return T((x > T(0)) - (x < T(0))); }
template <typename T> DEVICE T reciprocal(T x) { return T(1) / x; }
template <typename T> DEVICE T sigmoid(T x) { return T(1) / (T(1) + exp(-x)); }
template <typename T> DEVICE bool isnan(T x) { return x != x; }

FUNCTION float pow(float a, float b) { return ::powf(a, b); }
FUNCTION double pow(double a, double b) { return ::pow(a, b); }
template <typename T> DEVICE T pow(T base, T exponent) {
    if (exponent < 0) return base == 1 ? 1 : base == T(-1) ? (exponent % 2 ? T(-1) : T(1)) : T(0);
    T result = 1;
    for (; exponent; exponent >>= 1, base *= base)
        if (exponent & 1) result *= base;
    return result;
}

// Maxima and minima give NaN when an operand is NaN.
template <typename T> DEVICE T max(T a, T b) { return b != b || b > a ? b : a; }
template <typename T> DEVICE T min(T a, T b) { return b != b || b < a ? b : a; }
#if __CUDA_ARCH__ >= 800
DEVICE float max(float a, float b) {
    float result;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
    return result;
}
DEVICE float min(float a, float b) {
    float result;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
    return result;
}
#endif

// Python's % and //: the remainder has the divisor's sign. Integers by zero give 0.
template <typename T> DEVICE T remainder(T a, T b) {
    if (b == 0 || (T(-1) < T(0) && b == T(-1))) return 0;
    const T rest = a % b;
    return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
}
DEVICE float remainder(float a, float b) {
    const float rest = ::fmodf(a, b);
    return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
}
DEVICE double remainder(double a, double b) {
    const double rest = ::fmod(a, b);
    return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
}
template <typename T> DEVICE T floorDiv(T a, T b) {
    if (b == 0) return 0;
    if (T(-1) < T(0) && b == T(-1)) return -a;
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
template <typename T> DEVICE T floorQuotient(T a, T b, T rest) {
    if (b == 0) return a / b;
    T quotient = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
    if (quotient == 0) return a / b < 0 ? T(-0.0) : T(0.0);
    const T floored = floor(quotient);
    return quotient - floored > T(0.5) ? floored + 1 : floored;
}
DEVICE float floorDiv(float a, float b) { return floorQuotient(a, b, ::fmodf(a, b)); }
DEVICE double floorDiv(double a, double b) { return floorQuotient(a, b, ::fmod(a, b)); }

// The same bits as a number of another type of as many bytes.
template <typename T, typename S> DEVICE T sameBits(S x) {
    union {
        S from;
        T to;
    } both;
    both.from = x;
    return both.to;
}

// Truncates; out of range gives the smallest integer, as on x86.
template <typename T> DEVICE int toInt32(T x) {
    return x > T(-2147483649.0) && x < T(2147483648.0) ? int(x) : -2147483647 - 1;
}
template <typename T> DEVICE long long toInt64(T x) {
    const bool fits = x >= T(-9223372036854775808.0) && x < T(9223372036854775808.0);
    return fits ? (long long)(x) : -9223372036854775807ll - 1;
}

// What does not hold goes into its check's fault word, and the check's number into word 0; the
// first ones stay. The words are the host's, which reads them when the work is done.
DEVICE void fault(volatile long long* faults, int number, long long value) {
    if (!faults[number]) faults[number] = value;
    if (!faults[0]) faults[0] = number;
}
DEVICE long long checkIndex(long long index, long long size, long long* faults, int number) {
    if (index < 0 || index >= size) fault(faults, number, index);
    return index;
}
template <typename T> DEVICE T checkDivisor(T divisor, long long* faults, int number) {
    if (divisor == 0) fault(faults, number, 0);
    return divisor;
}
/// A computed index, kept inside the dimension whatever its value: memory safety.
DEVICE long long within(long long index, long long size) {
    return index < 0 ? 0 : index < size ? index : size - 1;
}

/// Sorts the first \p count numbers of a list in shared memory that has room for a power of two, by
/// all threads of the block (K. E. Batcher: Sorting networks and their applications, 1968).
DEVICE void sortList(unsigned long long* list, int count) {
    int size = 1;
    while (size < count) size *= 2;
    for (int at = count + threadIdx.x; at < size; at += blockDim.x) list[at] = ~0ull;
    __syncthreads();
    for (int run = 2; run <= size; run *= 2)
        for (int apart = run / 2; apart > 0; apart /= 2) {
            for (int at = threadIdx.x; at < size; at += blockDim.x) {
                const int other = at ^ apart;
                const unsigned long long a = list[at], b = list[other];
                if (other > at && (a > b) == ((at & run) == 0)) list[at] = b, list[other] = a;
            }
            __syncthreads();
        }
}

// Adds to memory that other threads may add to at the same time, in any order.
DEVICE void accumulate(float* p, float value) { atomicAdd(p, value); }
DEVICE void accumulate(double* p, double value) { atomicAdd(p, value); }
DEVICE void accumulate(int* p, int value) { atomicAdd(p, value); }
DEVICE void accumulate(long long* p, long long value) {
    atomicAdd((unsigned long long*)p, (unsigned long long)value);
}
/// One byte of a word of 32 bits.
DEVICE void accumulate(unsigned char* p, unsigned char value) {
    const unsigned shift = ((unsigned long long)p & 3) * 8;
    unsigned* word = (unsigned*)((unsigned long long)p & ~3ull);
    unsigned old = *word, seen;
    do {
        seen = old;
        const unsigned byte = ((seen >> shift) + value) & 255u;
        old = atomicCAS(word, seen, (seen & ~(255u << shift)) | (byte << shift));
    } while (old != seen);
}
DEVICE void accumulate(bool* p, bool value) {
    if (value) *p = true;
}

// Ways to combine two partial results of a reduction.
struct Sum { template <typename T> static DEVICE T combine(T a, T b) { return a + b; } };
struct Prod { template <typename T> static DEVICE T combine(T a, T b) { return a * b; } };
struct Max { template <typename T> static DEVICE T combine(T a, T b) { return max(a, b); } };
struct Min { template <typename T> static DEVICE T combine(T a, T b) { return min(a, b); } };
struct Any { template <typename T> static DEVICE T combine(T a, T b) { return a || b; } };
struct All { template <typename T> static DEVICE T combine(T a, T b) { return a && b; } };

/// Memory becomes Combine of itself and the value, whatever other threads make of it at the same
/// time, in any order. An element is a word of 32 or 64 bits, or a part of one.
template <class Combine, class T> DEVICE void update(T* p, T value) {
    if constexpr (sizeof(T) == 8) {
        union Bits { unsigned long long word; T value; };
        unsigned long long *word = (unsigned long long*)p, old = *word, seen;
        do {
            seen = old;
            Bits now;
            now.word = seen;
            now.value = Combine::combine(now.value, value);
            if (now.word == seen) return;
            old = atomicCAS(word, seen, now.word);
        } while (old != seen);
    } else {
        union Bits { unsigned word; T value; };
        const unsigned shift = ((unsigned long long)p & 3) * 8;
        const unsigned mask = (sizeof(T) == 4 ? ~0u : (1u << sizeof(T) % 4 * 8) - 1u) << shift;
        unsigned *word = (unsigned*)((unsigned long long)p & ~3ull), old = *word, seen;
        do {
            seen = old;
            Bits now;
            now.word = (seen & mask) >> shift;
            now.value = Combine::combine(now.value, value);
            const unsigned next = (seen & ~mask) | (now.word << shift & mask);
            if (next == seen) return;
            old = atomicCAS(word, seen, next);
        } while (old != seen);
    }
}

// What other threads may change at the same time: the largest value stays, or the smallest, or the
// product of all. A NaN wins.
template <class T> DEVICE void raise(T* p, T value) { update<Max>(p, value); }
DEVICE void raise(int* p, int value) { atomicMax(p, value); }
DEVICE void raise(long long* p, long long value) { atomicMax(p, value); }
template <class T> DEVICE void lower(T* p, T value) { update<Min>(p, value); }
DEVICE void lower(int* p, int value) { atomicMin(p, value); }
DEVICE void lower(long long* p, long long value) { atomicMin(p, value); }
template <class T> DEVICE void multiply(T* p, T value) { update<Prod>(p, value); }

/// An extreme and where it is: the first NaN wins, then the first extreme.
template <typename T> struct Arg { T value; long long index; };
template <typename T> DEVICE bool first(Arg<T> a, Arg<T> b, bool ahead, bool behind) {
    if (isnan(a.value) != isnan(b.value)) return isnan(a.value);
    return ahead || (!behind && a.index < b.index);
}
struct ArgMax {
    template <typename T> static DEVICE Arg<T> combine(Arg<T> a, Arg<T> b) {
        return first(a, b, a.value > b.value, a.value < b.value) ? a : b;
    }
};
struct ArgMin {
    template <typename T> static DEVICE Arg<T> combine(Arg<T> a, Arg<T> b) {
        return first(a, b, a.value < b.value, a.value > b.value) ? a : b;
    }
};

template <typename T> DEVICE T fromLane(unsigned lanes, T value, int distance) {
    return __shfl_xor_sync(lanes, value, distance);
}
DEVICE bool fromLane(unsigned lanes, bool value, int distance) {
    return __shfl_xor_sync(lanes, int(value), distance);
}
template <typename T> DEVICE Arg<T> fromLane(unsigned lanes, Arg<T> a, int distance) {
    return {fromLane(lanes, a.value, distance), fromLane(lanes, a.index, distance)};
}
/// The mean of `count` values and the sum of their squared deviations from it (Welford; Chan, Golub
/// and LeVeque for two parts).
template <typename T> struct Moments { T mean, squares, count; };
template <typename T> DEVICE void addMoment(Moments<T>& m, T value) {
    m.count += 1;
    const T deviation = value - m.mean;
    m.mean += deviation / m.count;
    m.squares += deviation * (value - m.mean);
}
struct Welford {
    template <typename T> static DEVICE Moments<T> combine(Moments<T> a, Moments<T> b) {
        const T count = a.count + b.count;
        if (count == 0) return a;
        const T apart = b.mean - a.mean, share = b.count / count;
        return {a.mean + apart * share, a.squares + b.squares + apart * apart * a.count * share,
                count};
    }
};
template <typename T> DEVICE Moments<T> fromLane(unsigned lanes, Moments<T> m, int distance) {
    return {fromLane(lanes, m.mean, distance), fromLane(lanes, m.squares, distance),
            fromLane(lanes, m.count, distance)};
}
/// Reduces over aligned groups of Width lanes of a warp; every lane gets the result.
template <typename Op, int Width, typename T> DEVICE T reduceLanes(T value) {
    const unsigned group = Width == 32 ? 0xffffffffu : (1u << (Width % 32)) - 1;
    const unsigned lanes = group << (threadIdx.x % 32 & ~(Width - 1));
#pragma unroll
    for (int distance = Width / 2; distance > 0; distance /= 2)
        value = Op::combine(value, fromLane(lanes, value, distance));
    return value;
}
/// Reduces over the block (a power of two of threads, at least a warp); every thread gets the
/// result. `shared` has a place for every warp.
template <typename Op, int Threads, typename T> DEVICE T reduceBlock(T value, T* shared) {
    value = reduceLanes<Op, 32>(value);
    if (Threads == 32) return value;
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
    __syncthreads();
    return reduceLanes<Op, Threads / 32>(shared[threadIdx.x % (Threads / 32)]);
}
/// Of running values: a stands before b; index -1: there is none yet.
struct LastArgMax {
    template <typename T> static DEVICE Arg<T> combine(Arg<T> a, Arg<T> b) {
        if (a.index < 0 || b.index < 0) return b.index < 0 ? a : b;
        return b.value >= a.value || isnan(b.value) ? b : a;
    }
};
struct LastArgMin {
    template <typename T> static DEVICE Arg<T> combine(Arg<T> a, Arg<T> b) {
        if (a.index < 0 || b.index < 0) return b.index < 0 ? a : b;
        return b.value <= a.value || isnan(b.value) ? b : a;
    }
};
struct LogSumExp {
    static DEVICE double combine(double a, double b) {
        if (isnan(a) || isnan(b)) return a + b;
        if (a == b && a - a != 0) return a;
        return (a > b ? a : b) + ::log1p(::exp(a > b ? b - a : a - b));
    }
};

/// The value of the lane `distance` lanes before (behind, where Back).
template <bool Back, typename T> DEVICE T laneBefore(T value, int distance) {
    return Back ? __shfl_down_sync(0xffffffffu, value, distance)
                : __shfl_up_sync(0xffffffffu, value, distance);
}
template <bool Back> DEVICE unsigned char laneBefore(unsigned char value, int distance) {
    return laneBefore<Back>(int(value), distance);
}
template <bool Back> DEVICE signed char laneBefore(signed char value, int distance) {
    return laneBefore<Back>(int(value), distance);
}
template <bool Back> DEVICE short laneBefore(short value, int distance) {
    return laneBefore<Back>(int(value), distance);
}
template <bool Back> DEVICE unsigned short laneBefore(unsigned short value, int distance) {
    return laneBefore<Back>(int(value), distance);
}
template <bool Back, typename T> DEVICE Arg<T> laneBefore(Arg<T> a, int distance) {
    return {laneBefore<Back>(a.value, distance), laneBefore<Back>(a.index, distance)};
}
template <typename T> DEVICE T laneOf(T value, int lane) {
    return __shfl_sync(0xffffffffu, value, lane);
}
DEVICE unsigned char laneOf(unsigned char value, int lane) { return laneOf(int(value), lane); }
DEVICE signed char laneOf(signed char value, int lane) { return laneOf(int(value), lane); }
DEVICE short laneOf(short value, int lane) { return laneOf(int(value), lane); }
DEVICE unsigned short laneOf(unsigned short value, int lane) { return laneOf(int(value), lane); }
template <typename T> DEVICE Arg<T> laneOf(Arg<T> a, int lane) {
    return {laneOf(a.value, lane), laneOf(a.index, lane)};
}
/// What Op makes of `sofar` and the values of the row's threads up to this one (from it on, where
/// Back); `sofar` becomes that of all. Threads of whole warps; `shared` has a place for every warp.
template <typename Op, int Threads, bool Back, typename T>
DEVICE T scanRow(T value, T& sofar, T* shared) {
    const int lane = Back ? 31 - threadIdx.x % 32 : threadIdx.x % 32;
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
        const T before = laneBefore<Back>(value, distance);
        if (lane >= distance) value = Op::combine(before, value);
    }
    if (Threads == 32) {
        value = Op::combine(sofar, value);
        sofar = laneOf(value, Back ? 0 : 31);
        return value;
    }
    constexpr int kWarps = Threads / 32;
    const int warp = Back ? kWarps - 1 - threadIdx.x / 32 : threadIdx.x / 32;
    if (lane == 31) shared[warp] = value;
    __syncthreads();
    T before = sofar;
    for (int w = 0; w < kWarps; ++w) {
        if (w == warp) value = Op::combine(before, value);
        before = Op::combine(before, shared[w]);
    }
    sofar = before;
    __syncthreads();
    return value;
}
/// The same for a block of Rows rows beside each other, whose threads are Rows apart; `shared` has a
/// place for every thread, or there is one thread a row.
template <typename Op, int Threads, int Rows, bool Back, typename T>
DEVICE T scanBeside(T value, T& sofar, T* shared) {
    if (Threads == 1) return sofar = Op::combine(sofar, value);
    const int row = threadIdx.x % Rows, mine = threadIdx.x / Rows;
    shared[threadIdx.x] = value;
    __syncthreads();
    T before = sofar;
    for (int k = 0; k < Threads; ++k) {
        const int x = Back ? Threads - 1 - k : k;
        before = Op::combine(before, shared[x * Rows + row]);
        if (x == mine) value = before;
    }
    sofar = before;
    __syncthreads();
    return value;
}
/// Makes this block's writes visible and counts it in; true for the last of `count` blocks. The
/// ticket is zero again afterwards.
DEVICE bool arriveLast(unsigned* ticket, unsigned count) {
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicInc(ticket, count - 1) == count - 1;
    __syncthreads();
    __threadfence();
    return last;
}

/// N consecutive elements, moved in accesses of up to 16 bytes.
template <typename T, int N> struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) Vec {
    T at[N];
    DEVICE T& operator[](int i) { return at[i]; }
    DEVICE const T& operator[](int i) const { return at[i]; }
};
template <int N, typename T> DEVICE Vec<T, N> load(const T* from) {
    return *reinterpret_cast<const Vec<T, N>*>(from);
}
template <int N, typename T> DEVICE Vec<T, N> loadIf(bool reads, const T* from) {
    return reads ? load<N>(from) : Vec<T, N>{};
}
template <int N, typename T> DEVICE void store(T* to, const Vec<T, N>& value) {
    *reinterpret_cast<Vec<T, N>*>(to) = value;
}

} // namespace op

// ---- f16 bf16 f8e4m3fn f8e5m2
// Floating numbers of 16 and 8 bits, in memory only; see prelude_cpp.h. A store rounds to nearest
// even. A format has 1 + Exponent + Mantissa bits; Finite ones have no infinities.
template <typename B, int Exponent, int Mantissa, bool Finite> struct SmallFloat {
    B bits;
    SmallFloat() = default;
    DEVICE SmallFloat(float value) {
        const unsigned bias = (1u << (Exponent - 1)) - 1, shift = 23 - Mantissa;
        const unsigned infinity = ((1u << Exponent) - 1) << Mantissa;
        const unsigned nan =
            Finite ? infinity + (1u << Mantissa) - 1 : infinity + (1u << (Mantissa - 1));
        const unsigned limit = Finite ? nan - 1 : infinity, magic = (128 - bias + shift) << 23;
        unsigned f = __float_as_uint(value);
        const unsigned sign = f & 0x80000000u;
        f ^= sign;
        const unsigned low = __float_as_uint(__uint_as_float(f) + __uint_as_float(magic)) - magic;
        unsigned result =
            (f + ((bias - 127) << 23) + ((1u << (shift - 1)) - 1) + (f >> shift & 1)) >> shift;
        result = f < ((128 - bias) << 23) ? low : result;
        result = f >= ((bias + 128 + Finite) << 23) || result > limit ? limit : result;
        result = f > 0x7f800000u ? nan : result;
        bits = B(result | sign >> (31 - Exponent - Mantissa));
    }
    DEVICE operator float() const {
        const unsigned bias = (1u << (Exponent - 1)) - 1, mantissas = (1u << Mantissa) - 1;
        const unsigned infinity = ((1u << Exponent) - 1) << Mantissa;
        const unsigned magnitude = bits & (infinity | mantissas), wide = magnitude << (23 - Mantissa);
        const unsigned value =
            magnitude >= (Finite ? infinity + mantissas : infinity)
                ? wide | 0x7f800000u
                : __float_as_uint(__uint_as_float(wide) * __uint_as_float((254 - bias) << 23));
        return __uint_as_float(value | (bits ^ magnitude) << (31 - Exponent - Mantissa));
    }
};
typedef SmallFloat<unsigned char, 4, 3, true> f8e4m3fn;
typedef SmallFloat<unsigned char, 5, 2, false> f8e5m2;
struct f16 {
    unsigned short bits;
    f16() = default;
    DEVICE f16(float value) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value)); }
    DEVICE operator float() const {
        float value;
        asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
        return value;
    }
};
struct bf16 {
    unsigned short bits;
    bf16() = default;
    DEVICE bf16(float value) {
        const unsigned f = __float_as_uint(value);
        bits = (f & 0x7fffffffu) > 0x7f800000u
                   ? (unsigned short)0x7fc0
                   : (unsigned short)((f + 0x7fffu + (f >> 16 & 1)) >> 16);
    }
    DEVICE operator float() const { return __uint_as_float(unsigned(bits) << 16); }
};
namespace op {
/// Two bytes of a word of 32 bits.
template <typename T> DEVICE void accumulateHalf(T* p, float value) {
    const unsigned shift = ((unsigned long long)p & 2) * 8;
    unsigned* word = (unsigned*)((unsigned long long)p & ~3ull);
    unsigned old = *word, seen;
    do {
        seen = old;
        T element;
        element.bits = (unsigned short)(seen >> shift);
        element = T(float(element) + value);
        old = atomicCAS(word, seen, (seen & ~(65535u << shift)) | (unsigned(element.bits) << shift));
    } while (old != seen);
}
DEVICE void accumulate(f16* p, float value) { accumulateHalf(p, value); }
DEVICE void accumulate(bf16* p, float value) { accumulateHalf(p, value); }
}
// ---- end
