// SPDX-License-Identifier: Apache-2.0
/// \file
/// CUDA text run by a processor: blocks one after the other, a block's threads as fibers that change
/// where they wait for each other. For tests only.
#pragma once

#include "core/codegen/source.h"
#include "core/kernel/interpret.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QString>

#include <dlfcn.h>

namespace cutaway::testing {

inline const char* const kCudaOnHost = R"(
#include <cmath>
#include <cstring>
#include <ucontext.h>
#include <utility>
#include <vector>
#define __device__
#define __forceinline__ inline
#define __noinline__
#define __global__
#define __restrict__
#define __launch_bounds__(n)
#define __shared__ static
struct Three { int x; };
static Three threadIdx, blockIdx, blockDim, gridDim;
static ucontext_t gScheduler;
static std::vector<ucontext_t> gFibers;
static int gDone;
struct Meeting { int here, turn; };
static void meet(Meeting& m, int many) {
    const int turn = m.turn;
    if (++m.here == many) { m.here = 0; ++m.turn; return; }
    while (m.turn == turn) swapcontext(&gFibers[threadIdx.x], &gScheduler);
}
static Meeting gBlock, gWarps[32];
static long long gLanes[1024][2];
static void __syncthreads() { meet(gBlock, blockDim.x - gDone); }
template <class T> T __shfl_sync(unsigned, T value, int lane) {
    static_assert(sizeof(T) <= sizeof gLanes[0]);
    const int warp = threadIdx.x / 32, many = blockDim.x < 32 ? blockDim.x : 32;
    memcpy(gLanes[threadIdx.x], &value, sizeof value);
    meet(gWarps[warp], many);
    memcpy(&value, gLanes[warp * 32 + lane % 32], sizeof value);
    meet(gWarps[warp], many);
    return value;
}
template <class T> T __shfl_xor_sync(unsigned mask, T value, int distance) {
    return __shfl_sync(mask, value, threadIdx.x % 32 ^ distance);
}
template <class T, class V> T atomicAdd(T* p, V v) { const T old = *p; *p += T(v); return old; }
template <class T, class V> T atomicMax(T* p, V v) { const T old = *p; if (v > old) *p = v; return old; }
template <class T, class V> T atomicMin(T* p, V v) { const T old = *p; if (v < old) *p = v; return old; }
template <class T> T atomicCAS(T* p, T was, T is) { const T old = *p; if (old == was) *p = is; return old; }
static unsigned atomicInc(unsigned* p, unsigned most) { const unsigned old = *p; *p = old >= most ? 0 : old + 1; return old; }
static void __threadfence() {}
static float __int_as_float(int bits) { float x; memcpy(&x, &bits, 4); return x; }
static double __longlong_as_double(long long bits) { double x; memcpy(&x, &bits, 8); return x; }
static float rsqrtf(float x) { return 1 / sqrtf(x); }
static double rsqrt(double x) { return 1 / sqrt(x); }
)";

inline const char* const kCudaOnHostCall = R"(
static void** gArguments;
template <class... A, size_t... I>
static void callWith(void (*kernel)(A...), std::index_sequence<I...>) {
    kernel(static_cast<A>(gArguments[I])...);
}
template <class... A> static void callAll(void (*kernel)(A...)) {
    callWith(kernel, std::index_sequence_for<A...>());
}
static void fiber() {
    callAll(ENTRY);
    ++gDone;
}
extern "C" void run_on_host(void** arguments, int blocks, int threads) {
    gArguments = arguments;
    blockDim.x = threads, gridDim.x = blocks;
    gFibers.resize(threads);
    std::vector<std::vector<char>> stacks(threads, std::vector<char>(64 << 10));
    for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
        std::vector<char> over(threads);
        gBlock = {};
        for (Meeting& warp : gWarps) warp = {};
        for (int t = 0; t < threads; ++t) {
            getcontext(&gFibers[t]);
            gFibers[t].uc_stack.ss_sp = stacks[t].data();
            gFibers[t].uc_stack.ss_size = stacks[t].size();
            gFibers[t].uc_link = &gScheduler;
            makecontext(&gFibers[t], fiber, 0);
        }
        for (gDone = 0; gDone < threads;)
            for (int t = 0; t < threads; ++t) {
                if (over[t]) continue;
                threadIdx.x = t;
                const int before = gDone;
                swapcontext(&gScheduler, &gFibers[t]);
                over[t] = gDone != before;
            }
    }
}
)";

/// Compiles kernels with the system's compiler and runs them.
class CudaOnHost {
public:
    explicit CudaOnHost(QString folder) : folder_(std::move(folder)) {
        compiler_ = QStandardPaths::findExecutable("c++");
    }
    /// Why it cannot; empty: it can.
    QString missing() const { return compiler_.isEmpty() ? "no c++ on PATH" : QString(); }

    /// Runs \p source with pointers to its arguments; what went wrong, or nothing.
    QString run(const codegen::KernelSource& source, std::vector<void*> arguments) {
        const QString base = folder_ + QString("/kernel_%1").arg(++count_);
        QFile file(base + ".cpp");
        if (!file.open(QIODevice::WriteOnly)) return "cannot write " + file.fileName();
        file.write(kCudaOnHost);
        file.write(source.text.c_str());
        file.write(QByteArray(kCudaOnHostCall).replace("ENTRY", source.entry.c_str()));
        file.close();
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(compiler_, {"-std=c++20", "-O1", "-w", "-shared", "-fPIC", file.fileName(),
                                  "-o", base + ".so"});
        if (!process.waitForFinished(60000)) return process.errorString();
        if (process.exitCode() != 0) return process.readAll();
        void* handle = dlopen(qPrintable(base + ".so"), RTLD_NOW | RTLD_LOCAL);
        if (!handle) return dlerror();
        auto* call = reinterpret_cast<void (*)(void**, int, int)>(dlsym(handle, "run_on_host"));
        call(arguments.data(), static_cast<int>(source.launch.blocks.constant()),
             source.launch.threads);
        dlclose(handle);
        return {};
    }

private:
    QString folder_, compiler_;
    int count_ = 0;
};

} // namespace cutaway::testing
