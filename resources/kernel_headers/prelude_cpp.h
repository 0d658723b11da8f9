// SPDX-License-Identifier: Apache-2.0
// What generated C++ builds on: vectors of LANES elements, loads and stores, and vector math. It
// includes nothing and compiles with g++ 12 and clang++ 14 or newer. A kernel's text begins with the
// sections that it uses: a line "// ---- names < needs" opens a section that is taken when the text
// below names one of `names`, together with the sections of `needs`; the first one is always there.
//
// Largest error of the float32 vector functions, in units in the last place, over all magnitudes
// (tests/unit/codegen/test_prelude_math.cpp); float64, and what is not named here, is libm's:
//     exp 1.1  expm1 1.5  log 1.0  log1p 1.6  sin 2.1  cos 2.1  tan 3.8  tanh 2.5  erf 1.3
//     sigmoid 2.4  rsqrt 1.5
#ifdef __clang__
#define INLINE static inline __attribute__((always_inline, nodebug))
#define ROLLED _Pragma("clang loop unroll(disable)")
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define INLINE static inline __attribute__((always_inline))
#define ROLLED
#define UNROLLED _Pragma("GCC unroll 16")
#endif
#pragma GCC diagnostic ignored "-Wpsabi" // wide vectors are never passed between files
#define INLINE_LAMBDA __attribute__((always_inline))
#define EACH_LANE(l) UNROLLED for (int l = 0; l < LANES; ++l)
#define ROLLED_LANES(l) ROLLED for (int l = 0; l < LANES; ++l)
#define NOINLINE __attribute__((noinline))
#ifndef LARGE
#define LARGE INLINE // functions of many instructions; out of line in a text with very many calls
#endif

typedef float f32v __attribute__((vector_size(4 * LANES)));
typedef double f64v __attribute__((vector_size(8 * LANES)));
typedef int i32v __attribute__((vector_size(4 * LANES)));
typedef long i64v __attribute__((vector_size(8 * LANES)));
typedef unsigned char u8v __attribute__((vector_size(LANES)));
typedef i32v boolv; // lanes are 0 or -1; in memory a bool is one byte, 0 or another

template <class T> struct VectorOf;
template <> struct VectorOf<float> { typedef f32v type; };
template <> struct VectorOf<double> { typedef f64v type; };
template <> struct VectorOf<int> { typedef i32v type; };
template <> struct VectorOf<long> { typedef i64v type; };
template <> struct VectorOf<unsigned char> { typedef u8v type; };

template <class V, class S> INLINE V convert(S x) { return __builtin_convertvector(x, V); }
template <class S> INLINE boolv to_bool(S x) { return convert<boolv>(x != 0); }
template <class T> INLINE typename VectorOf<T>::type splat(T x) {
    return x - typename VectorOf<T>::type{};
}
INLINE boolv splat(bool x) { return splat(-int(x)); }

struct All {}; // lanes; First{count}: only the first ones, memory behind them is not touched
template <class T> INLINE typename VectorOf<T>::type load(const T* p, All = {}) {
    typename VectorOf<T>::type v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}
template <class T> INLINE void store(T* p, typename VectorOf<T>::type v, All = {}) {
    __builtin_memcpy(p, &v, sizeof v);
}

// ---- i8 i16 u16 u32 u64 i8v i16v u16v u32v u64v
#define NARROW_INTEGERS
typedef signed char i8;
typedef short i16;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;
typedef i8 i8v __attribute__((vector_size(LANES)));
typedef i16 i16v __attribute__((vector_size(2 * LANES)));
typedef u16 u16v __attribute__((vector_size(2 * LANES)));
typedef u32 u32v __attribute__((vector_size(4 * LANES)));
typedef u64 u64v __attribute__((vector_size(8 * LANES)));
template <> struct VectorOf<i8> { typedef i8v type; };
template <> struct VectorOf<i16> { typedef i16v type; };
template <> struct VectorOf<u16> { typedef u16v type; };
template <> struct VectorOf<u32> { typedef u32v type; };
template <> struct VectorOf<u64> { typedef u64v type; };

// ---- to_u64 < i8
// As x86 converts: what is below 0 wraps around.
INLINE u64 to_u64(double x) {
    const double half = 9223372036854775808.0;
    return x >= half ? (u64)(long)(x - half) ^ (1ul << 63) : (u64)(long)x;
}
template <class V> INLINE u64v to_u64(V x) {
    u64v result;
    EACH_LANE(l) result[l] = to_u64((double)x[l]);
    return result;
}

// ---- same_bits
template <class T, class S> INLINE T same_bits(S x) { return __builtin_bit_cast(T, x); }

// ---- lane_numbers
INLINE i64v lane_numbers() {
    i64v v;
    EACH_LANE(l) v[l] = l;
    return v;
}

// ---- First
// The other lanes of what is loaded are 1: LLVM 19 for X86 takes 0 / 0 for 0, and leaves out masks
// that only clear such lanes.
struct First {
    long count;
};
template <class T> INLINE typename VectorOf<T>::type load(const T* p, First lanes) {
    typename VectorOf<T>::type v = splat(T(1));
    __builtin_memcpy(&v, p, lanes.count * sizeof(T));
    return v;
}
template <class T> INLINE void store(T* p, typename VectorOf<T>::type v, First lanes) {
    __builtin_memcpy(p, &v, lanes.count * sizeof(T));
}
#if LANES == 16 && defined(__AVX512F__)
INLINE f32v load(const float* p, First lanes) {
    return __builtin_ia32_loadups512_mask(p, splat(1.0f), (unsigned short)((1 << lanes.count) - 1));
}
INLINE void store(float* p, f32v v, First lanes) {
    __builtin_ia32_storeups512_mask(p, v, (unsigned short)((1 << lanes.count) - 1));
}
#endif

// ---- boolv bool
INLINE boolv load(const bool* p) { return to_bool(load((const unsigned char*)p)); }
template <class L> INLINE boolv load(const bool* p, L lanes) {
    return to_bool(load((const unsigned char*)p, lanes));
}
INLINE void store(bool* p, boolv m) { store((unsigned char*)p, convert<u8v>(m & 1)); }
template <class L> INLINE void store(bool* p, boolv m, L lanes) {
    store((unsigned char*)p, convert<u8v>(m & 1), lanes);
}

// ---- load_ahead < First
// A load that also asks for what lies 2 KiB further on.
template <class T, class... L> INLINE auto load_ahead(const T* p, L... lanes) {
    __builtin_prefetch((const char*)p + 2048);
    return load(p, lanes...);
}

// ---- stream stream_end
// Past the caches, when p lies on a vector's boundary; else a plain store.
#if defined(__clang__) && LANES > 1
template <class T> INLINE void stream(T* p, typename VectorOf<T>::type v) {
    typedef typename VectorOf<T>::type V;
    if ((long)p % sizeof(V) == 0)
        __builtin_nontemporal_store(v, (V*)p);
    else
        store(p, v);
}
#else
template <class T> INLINE void stream(T* p, typename VectorOf<T>::type v) { store(p, v); }
#if LANES == 16 && defined(__AVX512F__)
INLINE void stream(float* p, f32v v) {
    if ((long)p % 64 == 0)
        __builtin_ia32_movntps512(p, v);
    else
        store(p, v);
}
#elif LANES == 8 && defined(__AVX__)
INLINE void stream(float* p, f32v v) {
    if ((long)p % 32 == 0)
        __builtin_ia32_movntps256(p, v);
    else
        store(p, v);
}
#endif
#endif
template <class V> INLINE void stream(bool* p, V v) { store(p, v); }
template <class T, class V> INLINE void stream(T* p, V v, All) { stream(p, v); }
template <class T, class V, class L> INLINE void stream(T* p, V v, L lanes) { store(p, v, lanes); }
// What was streamed becomes visible to other threads.
INLINE void stream_end() {
#ifdef __SSE__
    __builtin_ia32_sfence();
#endif
}

// ---- within
// A computed index, kept inside the dimension whatever its value: memory safety.
INLINE long within(long index, long size) {
    index = index > size - 1 ? size - 1 : index;
    return index < 0 ? 0 : index;
}
INLINE i64v within(i64v index, long size) {
    index = index > size - 1 ? splat(size - 1) : index;
    return index < 0 ? i64v{} : index;
}

// ---- any_lane
template <class M> INLINE bool any_lane(M m) {
#if defined(__clang__) && __clang_major__ >= 15
    return __builtin_reduce_or(m) != 0;
#else
    int found = 0;
    EACH_LANE(l) found |= m[l] != 0;
    return found != 0;
#endif
}

// ---- check_index check_divisor < First lane_numbers any_lane
// What does not hold goes into its check's fault word, and the check's number into word 0; the
// first ones stay. Lanes that are not part of the row may hold anything.
static __attribute__((noinline, cold)) void fault(long* faults, long number, long value) {
    long none = 0;
    if (!__atomic_load_n(faults + number, __ATOMIC_RELAXED))
        __atomic_store_n(faults + number, value, __ATOMIC_RELAXED);
    __atomic_compare_exchange_n(faults, &none, number, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}
template <class M> INLINE M lanes_of(M bad, All) { return bad; }
template <class M> INLINE M lanes_of(M bad, First lanes) {
    return bad & convert<M>(lane_numbers() < lanes.count);
}
template <class V, class M>
static __attribute__((noinline, cold)) void fault(long* faults, long number, V value, M bad) {
    ROLLED_LANES(l)
        if (bad[l]) return fault(faults, number, (long)value[l]);
}
INLINE long check_index(long index, long size, long* faults, long number) {
    if (__builtin_expect(index < 0 || index >= size, 0)) fault(faults, number, index);
    return index;
}
template <class L = All>
INLINE i64v check_index(i64v index, long size, long* faults, long number, L lanes = {}) {
    auto bad = lanes_of((index < 0) | (index >= size), lanes);
    if (__builtin_expect(any_lane(bad), 0)) fault(faults, number, index, bad);
    return index;
}
#define CHECK_DIVISOR(T)                                                                           \
    INLINE T check_divisor(T divisor, long* faults, long number) {                                 \
        if (__builtin_expect(divisor == 0, 0)) fault(faults, number, 0L);                          \
        return divisor;                                                                            \
    }
CHECK_DIVISOR(long)
CHECK_DIVISOR(int)
CHECK_DIVISOR(unsigned char)
#ifdef NARROW_INTEGERS
CHECK_DIVISOR(i8)
CHECK_DIVISOR(i16)
CHECK_DIVISOR(u16)
CHECK_DIVISOR(u32)
CHECK_DIVISOR(u64)
#endif
template <class V, class L = All>
INLINE V check_divisor(V divisor, long* faults, long number, L lanes = {}) {
    if (__builtin_expect(any_lane(lanes_of(divisor == 0, lanes)), 0)) fault(faults, number, 0L);
    return divisor;
}

// ---- gather scatter < First bool lane_numbers
INLINE int count_of(All) { return LANES; }
INLINE int count_of(First lanes) { return (int)lanes.count; }
// p[index[0]], p[index[1]], ...
template <class T, class L = All>
INLINE typename VectorOf<T>::type gather(const T* p, i64v index, L lanes = {}) {
    typename VectorOf<T>::type v = splat(T(1));
    UNROLLED for (int l = 0; l < count_of(lanes); ++l) v[l] = p[index[l]];
    return v;
}
template <class I, class L = All> INLINE boolv gather(const bool* p, I index, L lanes = {}) {
    return to_bool(gather((const unsigned char*)p, index, lanes));
}
template <class T, class L = All>
INLINE void scatter(T* p, i64v index, typename VectorOf<T>::type v, L lanes = {}) {
    UNROLLED for (int l = 0; l < count_of(lanes); ++l) p[index[l]] = v[l];
}
template <class L = All> INLINE void scatter(bool* p, i64v index, boolv m, L lanes = {}) {
    scatter((unsigned char*)p, index, convert<u8v>(m & 1), lanes);
}

// ---- Where < bool gather lane_numbers
// The lanes that a condition holds for. The others are 0 when loaded: they read one of ours.
struct Where {
    boolv lanes;
};
template <class T> INLINE typename VectorOf<T>::type gather(const T* p, i64v index, Where where) {
    static const T zero = 0;
    const i64v held = convert<i64v>(where.lanes), none = splat((long)&zero);
    const i64v address = held ? (long)p + index * (long)sizeof(T) : none;
    typename VectorOf<T>::type v = splat(zero);
    EACH_LANE(l) v[l] = *(const T*)address[l];
    return v;
}
#if defined(__clang__) && LANES == 16 && defined(__AVX512BW__) && defined(__AVX512VL__)
template <class T> INLINE typename VectorOf<T>::type load(const T* p, Where where) {
    typedef typename VectorOf<T>::type V;
    const unsigned short held =
        __builtin_ia32_cmpd512_mask(where.lanes, boolv{}, 4, (unsigned short)-1);
    if constexpr (sizeof(T) == 1) {
        typedef char B __attribute__((vector_size(16)));
        return (V)__builtin_ia32_loaddquqi128_mask((const B*)p, B{}, held);
    } else if constexpr (sizeof(T) == 2) {
        typedef short B __attribute__((vector_size(32)));
        return (V)__builtin_ia32_loaddquhi256_mask((const B*)p, B{}, held);
    } else if constexpr (sizeof(T) == 4) {
        return (V)__builtin_ia32_loaddqusi512_mask((const int*)p, i32v{}, held);
    } else {
        typedef long long B __attribute__((vector_size(64)));
        struct {
            B low, high;
        } v = {__builtin_ia32_loaddqudi512_mask((const long long*)p, B{}, (unsigned char)held),
               __builtin_ia32_loaddqudi512_mask((const long long*)p + 8, B{},
                                                (unsigned char)(held >> 8))};
        return __builtin_bit_cast(V, v);
    }
}
#elif defined(__clang__) && LANES == 8 && defined(__AVX512BW__) && defined(__AVX512VL__)
template <class T> INLINE typename VectorOf<T>::type load(const T* p, Where where) {
    typedef typename VectorOf<T>::type V;
    const unsigned char held =
        __builtin_ia32_cmpd256_mask(where.lanes, boolv{}, 4, (unsigned char)-1);
    if constexpr (sizeof(T) == 1) {
        return gather(p, lane_numbers(), where);
    } else if constexpr (sizeof(T) == 2) {
        typedef short B __attribute__((vector_size(16)));
        return (V)__builtin_ia32_loaddquhi128_mask((const B*)p, B{}, held);
    } else if constexpr (sizeof(T) == 4) {
        return (V)__builtin_ia32_loaddqusi256_mask((const i32v*)p, i32v{}, held);
    } else {
        typedef long long B __attribute__((vector_size(64)));
        return (V)__builtin_ia32_loaddqudi512_mask((const long long*)p, B{}, held);
    }
}
#else
template <class T> INLINE typename VectorOf<T>::type load(const T* p, Where where) {
    return gather(p, lane_numbers(), where);
}
#if LANES == 8 && defined(__AVX__)
INLINE f32v load(const float* p, Where where) {
    return __builtin_ia32_maskloadps256((const f32v*)p, where.lanes);
}
#endif
#endif

// ---- EverySecond < First gather Where
// As an index: p[0], p[2], ... of two vectors, of which the second begins at p[LANES - 1], so that
// nothing behind the last lane's element is read.
struct EverySecond {};
template <class V> INLINE V every_second(V low, V high) {
    V v = low;
    EACH_LANE(l) v[l] = l < LANES / 2 ? low[2 * l] : high[2 * l - LANES + 1];
    return v;
}
template <class T> INLINE typename VectorOf<T>::type gather(const T* p, EverySecond, All = {}) {
    return every_second(load(p), load(p + LANES - 1));
}
template <class T> INLINE typename VectorOf<T>::type gather(const T* p, EverySecond, First lanes) {
    const long last = 2 * lanes.count - 1;
    if (last < LANES) return every_second(load(p, First{last}), splat(T(1)));
    return every_second(load(p), load(p + LANES - 1, First{last - LANES + 1}));
}
template <class T> INLINE typename VectorOf<T>::type gather(const T* p, EverySecond, Where where) {
#if defined(__AVX512F__)
    boolv low = {}, high = {};
    UNROLLED for (int l = 0; l < LANES / 2; ++l) low[2 * l] = where.lanes[l];
    UNROLLED for (int l = LANES / 2; l < LANES; ++l) high[2 * l - LANES + 1] = where.lanes[l];
    return every_second(load(p, Where{low}), load(p + LANES - 1, Where{high}));
#else
    return gather(p, 2 * lane_numbers(), where);
#endif
}

// ---- lanes_from lanes_below
// The lanes from `first` on, and those below it, whatever number that is.
INLINE i32v lanes_as_int() {
    i32v v;
    EACH_LANE(l) v[l] = l;
    return v;
}
INLINE int one_of_lanes(long lane) { return (int)(lane < 0 ? 0 : lane > LANES ? LANES : lane); }
INLINE boolv lanes_from(long first) { return lanes_as_int() >= one_of_lanes(first); }
INLINE boolv lanes_below(long first) { return lanes_as_int() < one_of_lanes(first); }

// ---- f16 bf16 f8e4m3fn f8e5m2 < i8 bool First stream gather
// Floating numbers of 16 and 8 bits, in memory only: a load gives float32, a store rounds to nearest
// even. A format has 1 + Exponent + Mantissa bits; Finite ones have no infinities, and what is too
// large becomes their largest number.
INLINE u32 bits_of(float x) {
    u32 bits;
    __builtin_memcpy(&bits, &x, 4);
    return bits;
}
INLINE float float_of(u32 bits) {
    float x;
    __builtin_memcpy(&x, &bits, 4);
    return x;
}
INLINE u32v bits_of(f32v x) { return (u32v)x; }
INLINE f32v float_of(u32v bits) { return (f32v)bits; }
template <int Exponent, int Mantissa, bool Finite, class F> INLINE auto narrowed(F value) {
    constexpr u32 bias = (1u << (Exponent - 1)) - 1, shift = 23 - Mantissa;
    constexpr u32 infinity = ((1u << Exponent) - 1) << Mantissa, mantissas = (1u << Mantissa) - 1;
    constexpr u32 nan = Finite ? infinity + mantissas : infinity + (1u << (Mantissa - 1));
    constexpr u32 limit = Finite ? nan - 1 : infinity, magic = (128 - bias + shift) << 23;
    auto f = bits_of(value);
    const auto sign = f & 0x80000000u;
    f ^= sign;
    const auto none = f ^ f;
    const auto low = bits_of(float_of(f) + float_of(magic)) - magic;
    auto result = (f + ((bias - 127) << 23) + ((1u << (shift - 1)) - 1) + (f >> shift & 1u)) >> shift;
    result = f < ((128 - bias) << 23) ? low : result;
    result = f >= ((bias + 128 + Finite) << 23) ? none + limit : result;
    result = result > limit ? none + limit : result;
    result = f > 0x7f800000u ? none + nan : result;
    return result | sign >> (31 - Exponent - Mantissa);
}
template <int Exponent, int Mantissa, bool Finite, class U> INLINE auto widened(U bits) {
    constexpr u32 bias = (1u << (Exponent - 1)) - 1, mantissas = (1u << Mantissa) - 1;
    constexpr u32 infinity = ((1u << Exponent) - 1) << Mantissa;
    const U magnitude = bits & (infinity | mantissas), wide = magnitude << (23 - Mantissa);
    const U finite = bits_of(float_of(wide) * float_of((254 - bias) << 23));
    const U special = wide | 0x7f800000u;
    const U value = magnitude >= (Finite ? infinity + mantissas : infinity) ? special : finite;
    return float_of(value | (bits ^ magnitude) << (31 - Exponent - Mantissa));
}
template <class B, int Exponent, int Mantissa, bool Finite> struct SmallFloat {
    typedef B Bits;
    typedef f32v Wide;
    static constexpr bool half = Exponent == 5 && Mantissa == 10;
    static f32v wide(u32v bits) { return widened<Exponent, Mantissa, Finite>(bits); }
    static u32v narrow(f32v value) { return narrowed<Exponent, Mantissa, Finite>(value); }
    B bits;
    SmallFloat() = default;
    SmallFloat(float value) : bits((B)narrowed<Exponent, Mantissa, Finite>(value)) {}
    operator float() const { return widened<Exponent, Mantissa, Finite>((u32)bits); }
};
typedef SmallFloat<u16, 5, 10, false> f16;
typedef SmallFloat<unsigned char, 4, 3, true> f8e4m3fn;
typedef SmallFloat<unsigned char, 5, 2, false> f8e5m2;
struct bf16 {
    typedef u16 Bits;
    typedef f32v Wide;
    static constexpr bool half = false;
    static f32v wide(u32v bits) { return (f32v)(bits << 16); }
    static u32v narrow(f32v value) {
        const u32v f = (u32v)value, rounded = (f + 0x7fffu + (f >> 16 & 1u)) >> 16;
        return (f & 0x7fffffffu) > 0x7f800000u ? u32v{} + 0x7fc0u : rounded;
    }
    u16 bits;
    bf16() = default;
    bf16(float value) {
        const u32 f = bits_of(value);
        bits = (f & 0x7fffffffu) > 0x7f800000u ? (u16)0x7fc0
                                               : (u16)((f + 0x7fffu + (f >> 16 & 1u)) >> 16);
    }
    operator float() const { return float_of((u32)bits << 16); }
};
// Processors convert float16 themselves.
#if defined(__F16C__) && LANES == 8
INLINE f32v half_to_float(i16v bits) { return __builtin_ia32_vcvtph2ps256(bits); }
INLINE i16v float_to_half(f32v value) { return __builtin_ia32_vcvtps2ph256(value, 0); }
#define HALF_CONVERSIONS
#elif defined(__AVX512F__) && LANES == 16
INLINE f32v half_to_float(i16v bits) {
    return __builtin_ia32_vcvtph2ps512_mask(bits, f32v{}, (unsigned short)-1, 4);
}
INLINE i16v float_to_half(f32v value) {
    return __builtin_ia32_vcvtps2ph512_mask(value, 0, i16v{}, (unsigned short)-1);
}
#define HALF_CONVERSIONS
#endif
template <class T> INLINE f32v from_bits(typename VectorOf<typename T::Bits>::type bits) {
#ifdef HALF_CONVERSIONS
    if constexpr (T::half) return half_to_float((i16v)bits);
#endif
    return T::wide(convert<u32v>(bits));
}
template <class T> INLINE typename VectorOf<typename T::Bits>::type to_bits(f32v value) {
    typedef typename VectorOf<typename T::Bits>::type V;
#ifdef HALF_CONVERSIONS
    if constexpr (T::half) return (V)float_to_half(value);
#endif
    return convert<V>(T::narrow(value));
}
template <class T, class L = All> INLINE typename T::Wide load(const T* p, L lanes = {}) {
    return from_bits<T>(load((const typename T::Bits*)p, lanes));
}
template <class T, class L = All> INLINE void store(T* p, typename T::Wide v, L lanes = {}) {
    store((typename T::Bits*)p, to_bits<T>(v), lanes);
}
template <class T> INLINE void stream(T* p, typename T::Wide v) { store(p, v); }
template <class T, class I, class L = All>
INLINE typename T::Wide gather(const T* p, I index, L lanes = {}) {
    return from_bits<T>(gather((const typename T::Bits*)p, index, lanes));
}
template <class T, class L = All>
INLINE void scatter(T* p, i64v index, typename T::Wide v, L lanes = {}) {
    scatter((typename T::Bits*)p, index, to_bits<T>(v), lanes);
}

// ---- scatter_add < gather First bool
// p[index[0]] += v[0], p[index[1]] += v[1], ... in this order; lanes may meet.
template <class T, class V, class L = All>
INLINE void scatter_add(T* p, i64v index, V v, L lanes = {}) {
    for (int l = 0; l < count_of(lanes); ++l) p[index[l]] = (T)(p[index[l]] + v[l]);
}
template <class V, class L = All> INLINE void scatter_add(bool* p, i64v index, V v, L lanes = {}) {
    for (int l = 0; l < count_of(lanes); ++l) p[index[l]] = p[index[l]] || v[l];
}
// The same for the lanes whose owner is one of first ... last - 1.
template <class T, class V, class L = All>
INLINE void scatter_add(T* p, i64v index, V v, i64v owner, long first, long last, L lanes = {}) {
    for (int l = 0; l < count_of(lanes); ++l)
        if (owner[l] >= first && owner[l] < last) p[index[l]] = (T)(p[index[l]] + v[l]);
}
template <class V, class L = All>
INLINE void scatter_add(bool* p, i64v index, V v, i64v owner, long first, long last, L lanes = {}) {
    for (int l = 0; l < count_of(lanes); ++l)
        if (owner[l] >= first && owner[l] < last) p[index[l]] = p[index[l]] || v[l];
}

// ---- scatter_max < gather First
// p[index[l]] becomes v[l] where that is larger or NaN, lane by lane; lanes may meet. Of numbers.
template <class T, class V, class L = All>
INLINE void scatter_max(T* p, i64v index, V v, L lanes = {}) {
    for (int l = 0; l < count_of(lanes); ++l)
        if (v[l] > p[index[l]] || v[l] != v[l]) p[index[l]] = (T)v[l];
}
// The same for the lanes whose owner is one of first ... last - 1.
template <class T, class V, class L = All>
INLINE void scatter_max(T* p, i64v index, V v, i64v owner, long first, long last, L lanes = {}) {
    for (int l = 0; l < count_of(lanes); ++l)
        if (owner[l] >= first && owner[l] < last && (v[l] > p[index[l]] || v[l] != v[l]))
            p[index[l]] = (T)v[l];
}

// ---- scatter_min < gather First
// p[index[l]] becomes v[l] where that is smaller or NaN, lane by lane; lanes may meet. Of numbers.
template <class T, class V, class L = All>
INLINE void scatter_min(T* p, i64v index, V v, L lanes = {}) {
    for (int l = 0; l < count_of(lanes); ++l)
        if (v[l] < p[index[l]] || v[l] != v[l]) p[index[l]] = (T)v[l];
}
// The same for the lanes whose owner is one of first ... last - 1.
template <class T, class V, class L = All>
INLINE void scatter_min(T* p, i64v index, V v, i64v owner, long first, long last, L lanes = {}) {
    for (int l = 0; l < count_of(lanes); ++l)
        if (owner[l] >= first && owner[l] < last && (v[l] < p[index[l]] || v[l] != v[l]))
            p[index[l]] = (T)v[l];
}

// ---- scatter_prod < gather First
// p[index[l]] is multiplied by v[l], lane by lane; lanes may meet. Of numbers.
template <class T, class V, class L = All>
INLINE void scatter_prod(T* p, i64v index, V v, L lanes = {}) {
    for (int l = 0; l < count_of(lanes); ++l)
        p[index[l]] = (T)(p[index[l]] * v[l]);
}
// The same for the lanes whose owner is one of first ... last - 1.
template <class T, class V, class L = All>
INLINE void scatter_prod(T* p, i64v index, V v, i64v owner, long first, long last, L lanes = {}) {
    for (int l = 0; l < count_of(lanes); ++l)
        if (owner[l] >= first && owner[l] < last) p[index[l]] = (T)(p[index[l]] * v[l]);
}

// ---- atomic_add atomic_prod atomic_max atomic_min < gather First bool
// What other threads may update at the same time becomes next(what it was).
template <class T, class F> INLINE void atomically(T* p, F next) {
    T old, wanted;
    __atomic_load(p, &old, __ATOMIC_RELAXED);
    do
        wanted = next(old);
    while (!__atomic_compare_exchange(p, &old, &wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}
template <class T, class V> INLINE void atomic_add(T* p, V v) {
    atomically(p, [v](T old) { return (T)(old + v); });
}
template <class V> INLINE void atomic_add(bool* p, V v) {
    atomically(p, [v](bool old) { return old || v; });
}
template <class T, class V> INLINE void atomic_prod(T* p, V v) {
    atomically(p, [v](T old) { return (T)(old * v); });
}
template <class T, class V> INLINE void atomic_max(T* p, V v) {
    atomically(p, [v](T old) { return v > old || v != v ? (T)v : old; });
}
template <class T, class V> INLINE void atomic_min(T* p, V v) {
    atomically(p, [v](T old) { return v < old || v != v ? (T)v : old; });
}
// The same at p + index[0], p + index[1], ...
template <class T, class V, class L = All>
INLINE void atomic_add(T* p, i64v index, V v, L lanes = {}) {
    for (int l = 0; l < count_of(lanes); ++l) atomic_add(p + index[l], v[l]);
}
template <class T, class V, class L = All>
INLINE void atomic_prod(T* p, i64v index, V v, L lanes = {}) {
    for (int l = 0; l < count_of(lanes); ++l) atomic_prod(p + index[l], v[l]);
}
template <class T, class V, class L = All>
INLINE void atomic_max(T* p, i64v index, V v, L lanes = {}) {
    for (int l = 0; l < count_of(lanes); ++l) atomic_max(p + index[l], v[l]);
}
template <class T, class V, class L = All>
INLINE void atomic_min(T* p, i64v index, V v, L lanes = {}) {
    for (int l = 0; l < count_of(lanes); ++l) atomic_min(p + index[l], v[l]);
}

// ---- parallel omp_get_thread_num omp_get_num_threads
#ifdef _OPENMP
extern "C" int omp_get_thread_num(void);
extern "C" int omp_get_num_threads(void);
#else
INLINE int omp_get_thread_num() { return 0; }
INLINE int omp_get_num_threads() { return 1; }
#endif

// ---- share
// Where part `part` of `parts` begins; shares are whole granules, but for the end.
INLINE long share(long count, long granule, long part, long parts) {
    if (part == parts) return count;
    long pieces = count / granule;
    return (long)((double)(pieces * part) / parts) * granule;
}

// ---- where
namespace math {
template <class V> INLINE V where(boolv m, V a, V b) {
    return __builtin_convertvector(m, decltype(a < b)) ? a : b;
}
template <class T> INLINE T where(bool m, T a, T b) { return m ? a : b; }
}

// ---- max
namespace math {
// NaN wins, and of equal numbers (0 and -0) the first, as in torch.maximum.
template <class V> INLINE V max(V a, V b) { return ((b > a) | (b != b)) ? b : a; }
}

// ---- min
namespace math {
template <class V> INLINE V min(V a, V b) { return ((b < a) | (b != b)) ? b : a; }
}

// ---- by_lane
// Lane by lane through a scalar function.
#define BY_LANE_1(name, V)                                                                         \
    LARGE V name(V x) {                                                                            \
        ROLLED_LANES(l) x[l] = name(x[l]);                                                     \
        return x;                                                                                  \
    }
#define BY_LANE_2(name, V)                                                                         \
    LARGE V name(V x, V y) {                                                                       \
        ROLLED_LANES(l) x[l] = name(x[l], y[l]);                                               \
        return x;                                                                                  \
    }

// ---- from_libm < by_lane
#define FROM_LIBM(name)                                                                            \
    INLINE double name(double x) { return __builtin_##name(x); }                                   \
    BY_LANE_1(name, f64v)
// What is computed once in rows and again in vectors must be the same number: a backward compares a
// recomputed value with the largest one that the forward found.
#define OF_ONE_LANE(name) INLINE float name(float x) { return name(splat(x))[0]; }

// ---- rounding < by_lane
#if defined(__clang__) && __clang_major__ >= 17
#define ROUNDING(name, builtin)                                                                    \
    INLINE float name(float x) { return __builtin_elementwise_##builtin(x); }                      \
    INLINE double name(double x) { return __builtin_elementwise_##builtin(x); }                    \
    INLINE f32v name(f32v x) { return __builtin_elementwise_##builtin(x); }                        \
    INLINE f64v name(f64v x) { return __builtin_elementwise_##builtin(x); }
#else
#define ROUNDING(name, builtin)                                                                    \
    INLINE float name(float x) { return __builtin_##builtin##f(x); }                               \
    INLINE double name(double x) { return __builtin_##builtin(x); }                                \
    BY_LANE_1(name, f32v)                                                                          \
    BY_LANE_1(name, f64v)
#endif

// ---- sqrt < rounding
namespace math {
ROUNDING(sqrt, sqrt)
}

// ---- floor < rounding
namespace math {
ROUNDING(floor, floor)
}

// ---- ceil < rounding
namespace math {
ROUNDING(ceil, ceil)
}

// ---- round < rounding
namespace math {
ROUNDING(round, rint)
}

// ---- trunc < rounding
namespace math {
ROUNDING(trunc, trunc)
}

// ---- abs
namespace math {
INLINE f32v abs(f32v x) { return (f32v)((i32v)x & 0x7fffffff); }
INLINE f64v abs(f64v x) { return (f64v)((i64v)x & 0x7fffffffffffffff); }
INLINE float abs(float x) { return __builtin_fabsf(x); }
INLINE double abs(double x) { return __builtin_fabs(x); }
template <class V> INLINE V abs(V x) { return x < 0 ? -x : x; }
}

// ---- sign
namespace math {
template <class V> INLINE V sign(V x) { return (x > 0 ? V{} + 1 : V{}) - (x < 0 ? V{} + 1 : V{}); }
}

// ---- reciprocal
namespace math {
template <class V> INLINE V reciprocal(V x) { return 1 / x; }
}

// ---- rsqrt < sqrt
namespace math {
template <class V> INLINE V rsqrt(V x) { return 1 / sqrt(x); }
}

// ---- two_by_lane < by_lane
#ifdef NARROW_INTEGERS
#define BY_LANE_2_NARROW(name)                                                                     \
    BY_LANE_2(name, i8v)                                                                           \
    BY_LANE_2(name, i16v)                                                                          \
    BY_LANE_2(name, u16v)                                                                          \
    BY_LANE_2(name, u32v)                                                                          \
    BY_LANE_2(name, u64v)
#else
#define BY_LANE_2_NARROW(name)
#endif
#define BY_LANE_2_ALL(name)                                                                        \
    BY_LANE_2(name, f32v)                                                                          \
    BY_LANE_2(name, f64v)                                                                          \
    BY_LANE_2(name, i32v)                                                                          \
    BY_LANE_2(name, i64v)                                                                          \
    BY_LANE_2(name, u8v)                                                                           \
    BY_LANE_2_NARROW(name)

// ---- floor_div < two_by_lane
namespace math {
INLINE float floor_div(float x, float y) {
    float rest = __builtin_fmodf(x, y), quotient = (x - rest) / y;
    if (y == 0) return x / y;
    if (rest != 0 && (y < 0) != (rest < 0)) quotient -= 1;
    if (quotient == 0) return __builtin_copysignf(0, x / y);
    float floored = __builtin_floorf(quotient);
    return quotient - floored > 0.5f ? floored + 1 : floored;
}
INLINE double floor_div(double x, double y) {
    double rest = __builtin_fmod(x, y), quotient = (x - rest) / y;
    if (y == 0) return x / y;
    if (rest != 0 && (y < 0) != (rest < 0)) quotient -= 1;
    if (quotient == 0) return __builtin_copysign(0, x / y);
    double floored = __builtin_floor(quotient);
    return quotient - floored > 0.5 ? floored + 1 : floored;
}
// Division by zero gives 0, and the smallest integer divided by -1 wraps: neither may trap.
template <class T> INLINE T floor_div(T x, T y) {
    if (y == 0) return 0;
    if (T(-1) < T(0) && y == T(-1)) return T(0) - x;
    return x / y - (x % y != 0 && (x < 0) != (y < 0));
}
BY_LANE_2_ALL(floor_div)
}

// ---- remainder < floor_div
namespace math {
INLINE float remainder(float x, float y) {
    float rest = __builtin_fmodf(x, y);
    return rest != 0 && (y < 0) != (rest < 0) ? rest + y : rest;
}
INLINE double remainder(double x, double y) {
    double rest = __builtin_fmod(x, y);
    return rest != 0 && (y < 0) != (rest < 0) ? rest + y : rest;
}
template <class T> INLINE T remainder(T x, T y) { return y == 0 ? 0 : x - floor_div(x, y) * y; }
BY_LANE_2_ALL(remainder)
}

// ---- pow < two_by_lane
namespace math {
INLINE float pow(float x, float y) { return __builtin_powf(x, y); }
INLINE double pow(double x, double y) { return __builtin_pow(x, y); }
template <class T> INLINE T pow(T x, T y) {
    if (y < 0) return x == 1 ? 1 : x == T(-1) ? (y % 2 ? -1 : 1) : 0;
    T result = 1;
    for (; y; y >>= 1, x *= x)
        if (y & 1) result *= x;
    return result;
}
BY_LANE_2_ALL(pow)
}

// ---- nearest
namespace math {
// Nearest integer, for |x| < 2^22: adding 1.5 * 2^23 leaves no bits for a fraction.
INLINE f32v nearest(f32v x) { return (x + 12582912.0f) - 12582912.0f; }
// What nearest gave as integers; anything of a NaN, which has no integer that it converts to: of one that
// the compiler knows it would leave the result out.
INLINE i32v whole(f32v n) { return (i32v)(n + 12582912.0f) - 0x4B400000; }
}

// ---- scale < nearest
namespace math {
// x * 2^n, n from -200 to 200, with one rounding when the result is subnormal.
INLINE f32v scale(f32v x, f32v n) {
#if LANES == 16 && defined(__AVX512F__)
    return __builtin_ia32_scalefps512_mask(x, n, f32v{}, (unsigned short)-1, 4);
#else
    i32v all = whole(n), half = all >> 1;
    return x * (f32v)((half + 127) << 23) * (f32v)((all - half + 127) << 23);
#endif
}
}

// ---- exp_within < nearest scale
namespace math {
// e^x of numbers from -104 to 89, and of NaN.
INLINE f32v exp_within(f32v x) {
    f32v n = nearest(x * 1.442695041f);
    f32v r = x - n * 0.693359375f;
    r = r + n * 2.121944401e-4f;
    f32v p = 1.392692661e-3f * r + 8.363773874e-3f;
    p = p * r + 4.166655011e-2f;
    p = p * r + 1.666657338e-1f;
    p = p * r + 0.5f;
    return scale(p * (r * r) + r + 1, n);
}
}

// ---- exp < from_libm exp_within
namespace math {
FROM_LIBM(exp)
LARGE f32v exp(f32v x) {
    f32v most = splat(89.0f);
    // What gives 0 (masked scores) is left out of the last step, which takes hundreds of cycles to underflow;
    // a NaN stays.
    i32v some = ~(x < -104.0f);
#if LANES != 16 || !defined(__AVX512F__)
    x = some ? x : f32v{};
#endif
    f32v result = exp_within(x > most ? most : x);
    return some ? result : f32v{};
}
OF_ONE_LANE(exp)
}

// ---- expm1 < from_libm nearest
namespace math {
FROM_LIBM(expm1)
// (e^r - 1 - r) / r^2 for |r| < 0.35.
INLINE f32v exp_tail(f32v r) {
    f32v p = 1.989198131e-4f * r + 1.393454192e-3f;
    p = p * r + 8.333310024e-3f;
    p = p * r + 4.166645680e-2f;
    p = p * r + 1.666666668e-1f;
    return p * r + 0.5f;
}
LARGE f32v expm1(f32v x) {
    f32v least = splat(-18.0f), most = splat(89.0f);
    f32v y = x < least ? least : x;
    y = y > most ? most : y;
    f32v n = nearest(y * 1.442695041f);
    f32v r = y - n * 0.693359375f;
    r = r + n * 2.121944401e-4f;
    f32v p = exp_tail(r) * (r * r) + r;
    f32v half = (f32v)((whole(n) + 126) << 23); // 2^n / 2
    f32v result = (half * p + (half - 0.5f)) * 2;
    return x == 0 ? x : result;
}
OF_ONE_LANE(expm1)
}

// ---- log < from_libm
namespace math {
FROM_LIBM(log)
LARGE f32v log(f32v x) {
    i32v small = x < 1.17549435e-38f;
    f32v y = small ? x * 8388608.0f : x;
    i32v bits = (i32v)y - 0x3f3504f3; // the exponent turns over at sqrt(1/2)
    f32v n = convert<f32v>(bits >> 23) - (small ? splat(23.0f) : f32v{});
    f32v f = (f32v)((bits & 0x007fffff) + 0x3f3504f3) - 1;
    f32v p = 6.971611471e-2f * f - 1.147973385e-1f;
    p = p * f + 1.168541992e-1f;
    p = p * f - 1.242568733e-1f;
    p = p * f + 1.424905765e-1f;
    p = p * f - 1.666780232e-1f;
    p = p * f + 2.000071575e-1f;
    p = p * f - 2.499999696e-1f;
    p = p * f + 3.333333118e-1f;
    f32v s = f * f;
    f32v tail = p * f * s - n * 2.121944401e-4f - 0.5f * s;
    f32v result = n * 0.693359375f + (f + tail);
    f32v infinity = splat(__builtin_inff());
    result = x == infinity ? infinity : result;
    result = x == 0 ? -infinity : result;
    return ((x < 0) | (x != x)) ? splat(__builtin_nanf("")) : result;
}
OF_ONE_LANE(log)
}

// ---- log1p < log
namespace math {
FROM_LIBM(log1p)
LARGE f32v log1p(f32v x) {
    f32v u = 1 + x;
    f32v lost = x > 1 ? 1 - (u - x) : x - (u - 1); // what the addition rounded away
    i32v plain = (x == 0) | (u == __builtin_inff());
    f32v result = log(u) + (u == 0 ? f32v{} : lost / u);
    return plain ? x : result;
}
OF_ONE_LANE(log1p)
}

// ---- sine
namespace math {
// Beyond |x| = 10000 the reduction below loses bits.
#define FAR_LANES(name)                                                                            \
    static __attribute__((noinline, cold)) f32v name##_far(f32v x) {                               \
        ROLLED_LANES(l) x[l] = __builtin_##name##f(x[l]);                                          \
        return x;                                                                                  \
    }
INLINE bool is_far(f32v x) {
    i32v far = (f32v)((i32v)x & 0x7fffffff) > 10000.0f;
#if defined(__clang__) && __clang_major__ >= 15
    return __builtin_expect(__builtin_reduce_or(far) != 0, 0);
#else
    int found = 0;
    EACH_LANE(l) found |= far[l];
    return __builtin_expect(found != 0, 0);
#endif
}
// sin(x - m pi/2) for odd (or even) whole m, where the difference is at most pi/2; 1 at pi/2, so that
// cos(0) is 1. Within 1.7 units in the last place.
INLINE f32v sin_reduced(f32v x, f32v m) {
    f32v r = x - m * 1.5703125f;
    r = r - m * 4.837512969970703e-4f;
    r = r - m * 7.549533620476723e-8f;
    r = r - m * 2.563344068257090e-12f;
    f32v s = r * r;
    f32v p = -2.407542359e-8f * s + 2.753966783e-6f;
    p = p * s - 1.984114206e-4f;
    p = p * s + 8.333334699e-3f;
    p = p * s - 1.666666666e-1f;
    return p * (s * r) + r;
}
}

// ---- sin < from_libm sine
namespace math {
FROM_LIBM(sin)
FAR_LANES(sin)
// Adding 1.5 * 2^23 rounds to a whole number whose parity is then the lowest bit: the sign.
LARGE f32v sin(f32v x) {
    if (is_far(x)) return sin_far(x);
    f32v t = x * 0.318309886f + 12582912.0f;
    f32v result = sin_reduced(x, (t - 12582912.0f) * 2);
    result = (f32v)((i32v)result ^ ((i32v)t << 31));
    return x == 0 ? x : result;
}
OF_ONE_LANE(sin)
}

// ---- cos < from_libm sine
namespace math {
FROM_LIBM(cos)
FAR_LANES(cos)
LARGE f32v cos(f32v x) {
    if (is_far(x)) return cos_far(x);
    f32v t = (x * 0.318309886f - 0.5f) + 12582913.0f;
    f32v result = sin_reduced(x, (t - 12582913.0f) * 2 + 1);
    return (f32v)((i32v)result ^ ((i32v)t << 31));
}
OF_ONE_LANE(cos)
}

// ---- tan < sin cos
namespace math {
FROM_LIBM(tan)
LARGE f32v tan(f32v x) { return sin(x) / cos(x); }
OF_ONE_LANE(tan)
}

// ---- with_sign
namespace math {
INLINE f32v with_sign(f32v magnitude, f32v sign) {
    return (f32v)((i32v)magnitude | ((i32v)sign & (i32v)splat(-0.0f)));
}
}

// ---- tanh < expm1 abs with_sign
namespace math {
FROM_LIBM(tanh)
LARGE f32v tanh(f32v x) {
    f32v y = abs(x), most = splat(10.0f);
    y = y > most ? most : y;
    f32v e = expm1(2 * y);
    return with_sign(e / (e + 2), x);
}
OF_ONE_LANE(tanh)
}

// ---- erf < from_libm exp_within abs with_sign
namespace math {
FROM_LIBM(erf)
LARGE f32v erf(f32v x) {
    f32v t = abs(x), s = x * x;
    f32v near = 8.334718615e-5f * s - 8.134709332e-4f;
    near = near * s + 5.200368587e-3f;
    near = near * s - 2.685915147e-2f;
    near = near * s + 1.128369152e-1f;
    near = near * s - 3.761263352e-1f;
    near = near * s + 1.283791666e-1f;
    near = near * x + x;
    f32v most = splat(4.0f);
    t = t > most ? most : t;
    f32v far = 1.653977908e-5f * t - 3.727074941e-4f;
    far = far * t + 3.827122777e-3f;
    far = far * t - 2.410253504e-2f;
    far = far * t + 1.065612778e-1f;
    far = far * t + 6.350042870e-1f;
    far = far * t + 1.286715876e-1f;
    far = with_sign(1 - exp_within(-(far * t + t)), x);
    return abs(x) > 0.92f ? far : near;
}
OF_ONE_LANE(erf)
}

// ---- sigmoid < exp abs
namespace math {
template <class V> INLINE V sigmoid(V x) {
    V z = exp(-abs(x));
    return (x < 0 ? z : V{} + 1) / (1 + z);
}
}

// ---- is_lane < First bool lane_numbers
INLINE boolv is_lane(All) { return splat(true); }
INLINE boolv is_lane(First lanes) { return to_bool(lane_numbers() < lanes.count); }

// ---- keep < is_lane where
// Lanes that are not part of the row get the value that changes nothing.
template <class V> INLINE V keep(V v, V, All) { return v; }
template <class V> INLINE V keep(V v, V identity, First lanes) {
    return math::where(is_lane(lanes), v, identity);
}

// ---- load_where gather_where load_one_where < Where First bool is_lane where any_lane
// What lies at p where the lane's condition holds, else `none`; other memory is not touched. Lanes
// that are not part of the row are 1, as those of First are.
template <class T, class V> INLINE V load_where(const T* p, boolv m, V none, All = {}) {
    return math::where(m, load(p, Where{m}), none);
}
template <class T, class I, class V>
INLINE V gather_where(const T* p, I index, boolv m, V none, All = {}) {
    return math::where(m, gather(p, index, Where{m}), none);
}
// One element for all lanes.
template <class T, class V> INLINE V load_one_where(const T* p, boolv m, V none, All = {}) {
    V v = none;
    if (any_lane(m)) EACH_LANE(l) v[l] = *p;
    return math::where(m, v, none);
}
INLINE boolv load_one_where(const bool* p, boolv m, boolv none, All = {}) {
    return m ? splat(any_lane(m) && *p) : none;
}
template <class V> INLINE V ones_of(V v) {
    EACH_LANE(l) v[l] = 1;
    return v;
}
template <class T, class V> INLINE V load_where(const T* p, boolv m, V none, First lanes) {
    const boolv part = is_lane(lanes);
    return math::where(part, load_where(p, m & part, none), ones_of(none));
}
template <class T, class V> INLINE V load_one_where(const T* p, boolv m, V none, First lanes) {
    const boolv part = is_lane(lanes);
    return math::where(part, load_one_where(p, m & part, none), ones_of(none));
}
template <class T, class I, class V>
INLINE V gather_where(const T* p, I index, boolv m, V none, First lanes) {
    const boolv part = is_lane(lanes);
    return math::where(part, gather_where(p, index, m & part, none), ones_of(none));
}

// ---- Sum
struct Sum {
    template <class V> INLINE V of(V a, V b) { return a + b; }
};

// ---- Product
struct Product {
    template <class V> INLINE V of(V a, V b) { return a * b; }
};

// ---- Max < max
struct Max {
    template <class V> INLINE V of(V a, V b) { return math::max(a, b); }
};

// ---- Min < min
struct Min {
    template <class V> INLINE V of(V a, V b) { return math::min(a, b); }
};

// ---- Or
struct Or {
    template <class V> INLINE V of(V a, V b) { return a | b; }
};

// ---- And
struct And {
    template <class V> INLINE V of(V a, V b) { return a & b; }
};

// ---- across
// All lanes into one value, by halves.
template <class F, int N, class T> INLINE T fold(const T* p) {
    if constexpr (N == 1) {
        return *p;
    } else {
        typedef T Half __attribute__((vector_size(N / 2 * sizeof(T))));
        Half a, b;
        __builtin_memcpy(&a, p, sizeof a);
        __builtin_memcpy(&b, p + N / 2, sizeof b);
        a = F::of(a, b);
        T rest[N / 2];
        __builtin_memcpy(rest, &a, sizeof a);
        return fold<F, N / 2>(rest);
    }
}
template <class F, class V> INLINE auto across(V v) {
    typedef __typeof__(v[0]) T;
    T lanes[LANES];
    __builtin_memcpy(lanes, &v, sizeof v);
    return fold<F, LANES>(lanes);
}
template <class F, class V, int N> INLINE auto across(const V (&v)[N]) {
    V all = v[0];
    UNROLLED for (int u = 1; u < N; ++u) all = F::of(all, v[u]);
    return across<F>(all);
}

// ---- Extreme take position_of < where bool lane_numbers is_lane
// Position of an extreme: the first NaN, else the first largest (smallest) value.
template <class V> struct Extreme {
    V value;
    i64v position;
};
template <bool Largest, class T> INLINE auto beats(T a, T b) {
    return ((Largest ? a > b : a < b) & (b == b)) | ((a != a) & (b == b));
}
template <bool Largest, class V>
INLINE void take(Extreme<V>& best, V value, i64v position, boolv lanes) {
    boolv better = to_bool(beats<Largest>(value, best.value)) & lanes;
    best.value = math::where(better, value, best.value);
    best.position = math::where(better, position, best.position);
}
template <bool Largest, class V> INLINE long position_of(const Extreme<V>& best) {
    int at = 0;
    for (int l = 1; l < LANES; ++l) {
        bool equal = best.value[l] == best.value[at] ||
                     (best.value[l] != best.value[l] && best.value[at] != best.value[at]);
        if (beats<Largest>(best.value[l], best.value[at]) ||
            (equal && best.position[l] < best.position[at]))
            at = l;
    }
    return best.position[at];
}

// ---- extreme_of < Extreme
// The value at the position.
template <class V> INLINE auto extreme_of(const Extreme<V>& best, long position) {
    int at = 0;
    for (int l = 1; l < LANES; ++l)
        if (best.position[l] == position) at = l;
    return best.value[at];
}

// ---- Moments add_moment < is_lane where
// The mean so far and the sum of squared deviations from it, of every lane (B. P. Welford, "Note on
// a method for calculating corrected sums of squares and products", 1962). The mean is kept as its
// distance from the lane's first value: beside a large one its last steps would be lost.
template <class V> struct Moments {
    V first, mean, squares, count;
};
template <class V, class L> INLINE void add_moment(Moments<V>& m, V value, L lanes) {
    const boolv counts = is_lane(lanes);
    m.first = math::where(to_bool(m.count == 0) & counts, value, m.first);
    const V moved = value - m.first, deviation = moved - m.mean, count = m.count + 1;
    const V mean = m.mean + deviation / count;
    m.squares = math::where(counts, m.squares + deviation * (moved - mean), m.squares);
    m.mean = math::where(counts, mean, m.mean);
    m.count = math::where(counts, count, m.count);
}

// ---- moments_of Spread < Moments
// All lanes together (T. Chan, G. Golub and R. LeVeque, "Updating formulae and a pairwise algorithm
// for computing sample variances", 1979).
struct Spread {
    double mean, squares;
};
template <class V, int N> INLINE Spread moments_of(const Moments<V> (&parts)[N]) {
    Spread all = {0, 0};
    double count = 0;
    for (int part = 0; part < N; ++part)
        for (int l = 0; l < LANES; ++l) {
            const double own = parts[part].count[l];
            if (own == 0) continue;
            const double mean = (double)parts[part].first[l] + parts[part].mean[l];
            const double apart = mean - all.mean;
            const double share = own / (count + own);
            all.squares += parts[part].squares[l] + apart * apart * count * share;
            all.mean += apart * share;
            count += own;
        }
    return all;
}

// ---- moved
// Lanes moved up by Step (down, where Back); what comes in is `none`.
template <int N, int... I> struct LaneList : LaneList<N - 1, N - 1, I...> {};
template <int... I> struct LaneList<0, I...> {
    template <int Step, bool Back, class V> INLINE V moved(V v, V none) {
        if constexpr (Back)
            return __builtin_shufflevector(v, none, (I + Step)...);
        else
            return __builtin_shufflevector(none, v, (LANES + I - Step)...);
    }
};
template <int Step, bool Back, class V> INLINE V moved(V v, V none) {
    return LaneList<LANES>::template moved<Step, Back>(v, none);
}

// ---- running < moved
// What F makes of `sofar` and the lanes up to each (from each on, where Back); `sofar` becomes that
// of all lanes. By doubling steps (W. D. Hillis, G. L. Steele: Data parallel algorithms, 1986).
template <class F, bool Back, int Step = 1, class V> INLINE V prefixes(V v, V none) {
    if constexpr (Step < LANES)
        return prefixes<F, Back, 2 * Step>(F::of(v, moved<Step, Back>(v, none)), none);
    else
        return v;
}
template <class F, bool Back, class S, class V> INLINE V running(S& sofar, V v, S none) {
    typedef typename VectorOf<S>::type W;
    const W all = F::of(prefixes<F, Back>(convert<W>(v), splat(none)), splat(sofar));
    sofar = all[Back ? 0 : LANES - 1];
    return convert<V>(all);
}

// ---- takes_over overtakes
// Whether the later of two takes over from the one before: what is larger (smaller), and NaN once.
template <bool Largest, class T> INLINE bool overtakes(T late, T early) {
    return ((Largest ? late > early : late < early) || late != late) && early == early;
}
template <bool Largest, class V> INLINE boolv takes_over(V late, V early) {
    return (to_bool(Largest ? late > early : late < early) | to_bool(late != late)) &
           to_bool(early == early);
}

// ---- at_least
// Whether the later of two takes over: NaN does, and what is not smaller (larger).
template <bool Largest, class V> INLINE boolv at_least(V late, V early) {
    return to_bool(Largest ? late >= early : late <= early) | to_bool(late != late);
}

// ---- running_extreme RunningExtreme < is_lane moved where at_least
// The extremes so far and their positions: the last NaN, else the last largest (smallest) value;
// position -1: there is none yet. Among the lanes, positions are their numbers.
template <class T> struct RunningExtreme {
    T value;
    long position;
};
template <class V> struct LaneExtreme {
    V value;
    i32v lane;
};
template <class L> constexpr bool kAllLanes = false;
template <> constexpr bool kAllLanes<All> = true;
template <bool Largest, bool Back, bool Whole, int Step = 1, class V>
INLINE LaneExtreme<V> lane_extremes(const LaneExtreme<V>& late) {
    if constexpr (Step < LANES) {
        const V value = moved<Step, Back>(late.value, late.value);
        const i32v lane = moved<Step, Back>(late.lane, splat(-1));
        boolv stays = (lane < 0) | at_least<Largest>(late.value, value);
        if constexpr (!Whole) stays = stays & (late.lane >= 0);
        return lane_extremes<Largest, Back, Whole, 2 * Step>(LaneExtreme<V>{
            math::where(stays, late.value, value), math::where(stays, late.lane, lane)});
    } else {
        return late;
    }
}
template <class V> struct Extremes {
    V value;
    i64v position;
};
template <bool Largest, bool Back, class T, class V, class L>
INLINE Extremes<V> running_extreme(RunningExtreme<T>& sofar, V value, long i, L lanes) {
    const i32v numbers = convert<i32v>(lane_numbers());
    const LaneExtreme<V> own = lane_extremes<Largest, Back, kAllLanes<L>>(
        LaneExtreme<V>{value, math::where(is_lane(lanes), numbers, splat(-1))});
    const V before = splat(sofar.value);
    const boolv stays = (own.lane >= 0) &
                        (splat(sofar.position < 0) | at_least<Largest>(own.value, before));
    const Extremes<V> all = {
        math::where(stays, own.value, before),
        math::where(stays, convert<i64v>(own.lane) + i, splat(sofar.position))};
    sofar = {all.value[Back ? 0 : LANES - 1], all.position[Back ? 0 : LANES - 1]};
    return all;
}

// ---- share_of < exp where
// e^(x - most), 1 where they are the same infinity.
template <class V> INLINE V share_of(V x, V most) {
    const V one = convert<V>(i32v{} + 1);
    return math::where(to_bool(x == most), one, math::exp(x - most));
}

// ---- running_log_sum RunningLogSum < Max moved running exp log1p where share_of
// ln(e^x0 + e^x1 + ...) as the largest and the sum of the rest's e^(x - largest).
template <class T> struct RunningLogSum {
    T most;
    double sum;
};
template <bool Back, class T, class V> INLINE V running_log_sum(RunningLogSum<T>& sofar, V x) {
    const V before = splat(sofar.most);
    const V most =
        Max::of(prefixes<Max, Back>(x, splat(-T(__builtin_inf()))), before);
    const V earlier = moved<1, Back>(most, before);
    const V scale = share_of(earlier, most), own = share_of(x, most);
    f64v sums;
    double sum = sofar.sum;
    EACH_LANE(k) {
        const int l = Back ? LANES - 1 - k : k;
        sums[l] = sum = sum * scale[l] + own[l];
    }
    sofar = {most[Back ? 0 : LANES - 1], sum};
    return most + math::log1p(convert<V>(sums - 1));
}

// ---- LaneTotal < across
// What F makes of all that was added, each lane for itself until it is asked for.
template <class F, class S> struct LaneTotal {
    typename VectorOf<S>::type all;
};
template <class F, class S, class V> INLINE void add_to(LaneTotal<F, S>& lanes, V v) {
    lanes.all = F::of(lanes.all, convert<typename VectorOf<S>::type>(v));
}
template <class F, class S> INLINE S total_of(const LaneTotal<F, S>& lanes) {
    return across<F>(lanes.all);
}

// ---- LaneExtremes after_extreme < running_extreme
// The extreme of a part, or of one and the next (walked later): as running_extreme ends.
template <bool Largest, class T>
INLINE RunningExtreme<T> after_extreme(RunningExtreme<T> before, RunningExtreme<T> own) {
    const bool later = Largest ? own.value >= before.value : own.value <= before.value;
    const bool stays = before.position < 0 || later || own.value != own.value;
    return own.position >= 0 && stays ? own : before;
}
template <bool Largest, bool Back, class T> struct LaneExtremes {
    typename VectorOf<T>::type value;
    i64v position;
};
template <bool Largest, bool Back, class T, class V, class L>
INLINE void add_to(LaneExtremes<Largest, Back, T>& all, V v, long i, L lanes) {
    const boolv later =
        is_lane(lanes) & (to_bool(all.position < 0) | at_least<Largest>(v, all.value));
    all.value = math::where(later, v, all.value);
    all.position = math::where(later, convert<i64v>(lane_numbers()) + i, all.position);
}
template <bool Largest, bool Back, class T>
INLINE RunningExtreme<T> total_of(const LaneExtremes<Largest, Back, T>& lanes) {
    RunningExtreme<T> all = {lanes.value[0], lanes.position[0]};
    for (int l = 1; l < LANES; ++l) {
        const RunningExtreme<T> own = {lanes.value[l], lanes.position[l]};
        const bool first = Back ? own.position > all.position : own.position < all.position;
        if (own.position >= 0)
            all = first ? after_extreme<Largest>(own, all) : after_extreme<Largest>(all, own);
    }
    return all;
}

// ---- LaneLogSum after_log_sum < running_log_sum
template <class T>
INLINE RunningLogSum<T> after_log_sum(RunningLogSum<T> before, RunningLogSum<T> own) {
    const auto a = splat(before.most), b = splat(own.most), most = Max::of(a, b);
    return {most[0], before.sum * share_of(a, most)[0] + own.sum * share_of(b, most)[0]};
}
template <class T> struct LaneLogSum {
    typename VectorOf<T>::type most;
    f64v sum;
};
template <class T, class V> INLINE void add_to(LaneLogSum<T>& all, V x) {
    const V next = Max::of(all.most, x);
    all.sum = all.sum * convert<f64v>(share_of(all.most, next)) + convert<f64v>(share_of(x, next));
    all.most = next;
}
template <class T> INLINE RunningLogSum<T> total_of(const LaneLogSum<T>& lanes) {
    RunningLogSum<T> all = {lanes.most[0], lanes.sum[0]};
    for (int l = 1; l < LANES; ++l)
        all = after_log_sum(all, RunningLogSum<T>{lanes.most[l], lanes.sum[l]});
    return all;
}

// ---- end
