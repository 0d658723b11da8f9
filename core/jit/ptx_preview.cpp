// SPDX-License-Identifier: Apache-2.0
#include "core/jit/machine.h"

#include <fmt/format.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace cutaway::jit {

namespace {

/// What NVRTC declares by itself. Functions of libdevice, which comes with the toolkit, stay calls.
constexpr std::string_view kCudaWords = R"(
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline, nodebug))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))
struct CudaIndex { unsigned x, y, z; };
#define CUDA_INDEX(name, register)                                                                 \
    __device__ __forceinline__ CudaIndex name() {                                                  \
        return {(unsigned)__nvvm_read_ptx_sreg_##register##_x(),                                   \
                (unsigned)__nvvm_read_ptx_sreg_##register##_y(),                                   \
                (unsigned)__nvvm_read_ptx_sreg_##register##_z()};                                  \
    }
CUDA_INDEX(cudaThreadIdx, tid)
CUDA_INDEX(cudaBlockIdx, ctaid)
CUDA_INDEX(cudaBlockDim, ntid)
CUDA_INDEX(cudaGridDim, nctaid)
#define threadIdx cudaThreadIdx()
#define blockIdx cudaBlockIdx()
#define blockDim cudaBlockDim()
#define gridDim cudaGridDim()
__device__ __forceinline__ void __threadfence() { __nvvm_membar_gl(); }
__device__ __forceinline__ unsigned atomicInc(unsigned* p, unsigned v) {
    return __nvvm_atom_inc_gen_ui(p, v);
}
__device__ __forceinline__ float atomicAdd(float* p, float v) {
    return __nvvm_atom_add_gen_f(p, v);
}
__device__ __forceinline__ double atomicAdd(double* p, double v) {
    return __nvvm_atom_add_gen_d(p, v);
}
__device__ __forceinline__ int atomicAdd(int* p, int v) { return __nvvm_atom_add_gen_i(p, v); }
__device__ __forceinline__ unsigned long long atomicAdd(unsigned long long* p,
                                                        unsigned long long v) {
    return __nvvm_atom_add_gen_ll((long long*)p, v);
}
__device__ __forceinline__ int atomicMax(int* p, int v) { return __nvvm_atom_max_gen_i(p, v); }
__device__ __forceinline__ long long atomicMax(long long* p, long long v) {
    return __nvvm_atom_max_gen_ll(p, v);
}
__device__ __forceinline__ int atomicMin(int* p, int v) { return __nvvm_atom_min_gen_i(p, v); }
__device__ __forceinline__ long long atomicMin(long long* p, long long v) {
    return __nvvm_atom_min_gen_ll(p, v);
}
__device__ __forceinline__ unsigned atomicCAS(unsigned* p, unsigned seen, unsigned v) {
    return __nvvm_atom_cas_gen_i((int*)p, seen, v);
}
__device__ __forceinline__ int __shfl_xor_sync(unsigned lanes, int v, int distance) {
    return __nvvm_shfl_sync_bfly_i32(lanes, v, distance, 31);
}
__device__ __forceinline__ int __shfl_up_sync(unsigned lanes, int v, int distance) {
    return __nvvm_shfl_sync_up_i32(lanes, v, distance, 0);
}
__device__ __forceinline__ int __shfl_down_sync(unsigned lanes, int v, int distance) {
    return __nvvm_shfl_sync_down_i32(lanes, v, distance, 31);
}
__device__ __forceinline__ int __shfl_sync(unsigned lanes, int v, int lane) {
    return __nvvm_shfl_sync_idx_i32(lanes, v, lane, 31);
}
#define SHUFFLE_WORDS(name)                                                                        \
    template <typename T> __device__ __forceinline__ T name(unsigned lanes, T v, int from) {       \
        int words[sizeof(T) / 4];                                                                  \
        __builtin_memcpy(words, &v, sizeof v);                                                     \
        _Pragma("unroll") for (int& word : words) word = name(lanes, word, from);                  \
        __builtin_memcpy(&v, words, sizeof v);                                                     \
        return v;                                                                                  \
    }
SHUFFLE_WORDS(__shfl_xor_sync)
SHUFFLE_WORDS(__shfl_up_sync)
SHUFFLE_WORDS(__shfl_down_sync)
SHUFFLE_WORDS(__shfl_sync)
#undef SHUFFLE_WORDS
__device__ __forceinline__ float __int_as_float(int v) { return __builtin_bit_cast(float, v); }
__device__ __forceinline__ float __uint_as_float(unsigned v) { return __builtin_bit_cast(float, v); }
__device__ __forceinline__ unsigned __float_as_uint(float v) { return __builtin_bit_cast(unsigned, v); }
__device__ __forceinline__ int __float_as_int(float v) { return __builtin_bit_cast(int, v); }
__device__ __forceinline__ double __longlong_as_double(long long v) {
    return __builtin_bit_cast(double, v);
}
__device__ __forceinline__ long long __double_as_longlong(double v) {
    return __builtin_bit_cast(long long, v);
}
#define INLINE_MATH(name)                                                                          \
    __device__ __forceinline__ float name##f(float x) { return __builtin_##name##f(x); }           \
    __device__ __forceinline__ double name(double x) { return __builtin_##name(x); }
INLINE_MATH(sqrt) INLINE_MATH(floor) INLINE_MATH(ceil) INLINE_MATH(rint) INLINE_MATH(trunc)
INLINE_MATH(fabs)
__device__ __forceinline__ float ceil(float x) { return ceilf(x); }
__device__ __forceinline__ float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__device__ __forceinline__ double fma(double x, double y, double z) {
    return __builtin_fma(x, y, z);
}
__device__ __forceinline__ float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
__device__ __forceinline__ double rsqrt(double x) { return __nvvm_rsqrt_approx_d(x); }
#define DEVICE_MATH(name)                                                                          \
    extern "C" __device__ float name##f(float);                                                    \
    extern "C" __device__ double name(double);
DEVICE_MATH(exp) DEVICE_MATH(expm1) DEVICE_MATH(log) DEVICE_MATH(log1p) DEVICE_MATH(sin)
DEVICE_MATH(cos) DEVICE_MATH(tan) DEVICE_MATH(tanh) DEVICE_MATH(erf)
extern "C" __device__ float powf(float, float);
extern "C" __device__ double pow(double, double);
extern "C" __device__ float fmodf(float, float);
extern "C" __device__ double fmod(double, double);
#define DEVICE_DOUBLE(name) extern "C" __device__ double name(double);
DEVICE_DOUBLE(acos) DEVICE_DOUBLE(acosh) DEVICE_DOUBLE(asin) DEVICE_DOUBLE(asinh)
DEVICE_DOUBLE(atan) DEVICE_DOUBLE(atanh) DEVICE_DOUBLE(cosh) DEVICE_DOUBLE(sinh)
DEVICE_DOUBLE(exp2) DEVICE_DOUBLE(log2) DEVICE_DOUBLE(log10) DEVICE_DOUBLE(erfc)
DEVICE_DOUBLE(lgamma) DEVICE_DOUBLE(j0) DEVICE_DOUBLE(j1) DEVICE_DOUBLE(y0) DEVICE_DOUBLE(y1)
extern "C" __device__ double atan2(double, double);
extern "C" __device__ double hypot(double, double);
extern "C" __device__ double copysign(double, double);
extern "C" __device__ double nextafter(double, double);
extern "C" __device__ float nextafterf(float, float);
extern "C" __device__ double frexp(double, int*);
extern "C" __device__ float __expf(float);
extern "C" __device__ float __logf(float);
extern "C" __device__ float __tanf(float);
extern "C" __device__ void __sincosf(float, float*, float*);
extern "C" __device__ void sincospi(double, double*, double*);
template <typename T> __device__ __forceinline__ T min(T a, T b) { return a < b ? a : b; }
template <typename T> __device__ __forceinline__ T max(T a, T b) { return a > b ? a : b; }
)";

std::vector<std::string> cudaArguments(const CpuTarget& target) {
    return {"-triple", target.triple, "-aux-triple", "x86_64-pc-linux-gnu", "-emit-llvm", "-x",
            "cuda", "-fcuda-is-device", "-std=gnu++20", "-target-cpu", target.cpu,
            "-target-feature", target.features, "-O3", "-disable-llvm-passes", "-ffp-contract=fast",
            // Else Clang turns expf into an intrinsic that the target cannot expand.
            "-fno-builtin", "-w", "-fno-caret-diagnostics",
            "-debug-info-kind=line-directives-only"};
}

} // namespace

base::Result<std::string> previewPtx(const std::string& name, const std::string& text,
                                     const std::string& architecture) {
    CpuTarget target;
    target.triple = "nvptx64-nvidia-cuda";
    target.cpu = architecture;
    target.features = "+ptx83";
    CUTAWAY_TRY(auto machine, Machine::create(target, 3));
    llvm::LLVMContext context;
    CUTAWAY_TRY(auto module, toModule(context, name, text, cudaArguments(target), kCudaWords));
    machine->optimise(*module);
    return machine->assembly(*module);
}

} // namespace cutaway::jit
