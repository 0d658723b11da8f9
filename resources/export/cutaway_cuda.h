// SPDX-License-Identifier: Apache-2.0
// Device memory and matrix products of an exported CUDA graph.
#pragma once

#include "cutaway_export.h"

#include <cuda_runtime.h>

namespace cutaway_export {

inline void require(cudaError_t code, const char* what) {
    if (code == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
    std::exit(3);
}

/// Zero-filled: the kernels' tickets begin at zero.
inline void* deviceMemory(size_t bytes) {
    void* memory = nullptr;
    require(cudaMalloc(&memory, bytes), "cudaMalloc");
    require(cudaMemset(memory, 0, bytes), "cudaMemset");
    return memory;
}
inline void* toDevice(const void* host, size_t bytes) {
    void* memory = deviceMemory(bytes);
    require(cudaMemcpy(memory, host, bytes, cudaMemcpyHostToDevice), "copy to the device");
    return memory;
}
inline void* readToDevice(const std::string& path, size_t bytes) {
    return toDevice(readData(path, bytes), bytes);
}
inline void* toHost(const void* device, size_t bytes) {
    void* memory = allocate(bytes);
    require(cudaMemcpy(memory, device, bytes, cudaMemcpyDeviceToHost), "copy from the device");
    return memory;
}
/// Zeroes in the host's memory that kernels can write to.
inline long long* mappedWords(size_t count) {
    void* memory = nullptr;
    require(cudaHostAlloc(&memory, count * sizeof(long long), cudaHostAllocMapped), "cudaHostAlloc");
    for (size_t i = 0; i < count; ++i) static_cast<long long*>(memory)[i] = 0;
    return static_cast<long long*>(memory);
}
inline void synchronize() { require(cudaDeviceSynchronize(), "a kernel"); }

#ifdef __CUDACC__
/// A constant's copy on the device, made once.
inline void* deviceCopy(const void* host, size_t bytes) {
    static std::vector<std::pair<const void*, void*>> known;
    for (auto& [from, to] : known)
        if (from == host) return to;
    known.emplace_back(host, toDevice(host, bytes));
    return known.back().second;
}

struct DeviceView {
    int64_t sizes[8], strides[8], offset;
    int rank;
};
inline DeviceView deviceView(const View& view) {
    DeviceView out{};
    out.rank = static_cast<int>(view.sizes.size());
    out.offset = view.offset;
    for (int i = 0; i < out.rank; ++i) {
        out.sizes[i] = view.sizes[static_cast<size_t>(i)];
        out.strides[i] = view.strides[static_cast<size_t>(i)];
    }
    return out;
}
struct DeviceEpilogue {
    int kind;
    double scalar;
    const void* data;
    DeviceView view;
};

/// One thread an element; plain, not fast: link a library of your choice for speed.
template <typename T>
__global__ void matmulKernel(const T* a, DeviceView av, const T* b, DeviceView bv, const T* bias,
                             DeviceView biasView, T* result, DeviceView rv, const DeviceEpilogue* steps,
                             int count, int64_t elements) {
    for (int64_t e = blockIdx.x * int64_t(blockDim.x) + threadIdx.x; e < elements;
         e += int64_t(gridDim.x) * blockDim.x) {
        int64_t rest = e, at[8], aBase = av.offset, bBase = bv.offset, where = rv.offset;
        for (int d = rv.rank - 1; d >= 0; --d) {
            at[d] = rest % rv.sizes[d];
            rest /= rv.sizes[d];
            where += at[d] * rv.strides[d];
            if (d != rv.rank - 1) aBase += at[d] * av.strides[d];
            if (d != rv.rank - 2) bBase += at[d] * bv.strides[d];
        }
        auto offset = [&](const DeviceView& v) {
            int64_t o = v.offset;
            for (int d = 0; d < v.rank; ++d) o += at[d] * v.strides[d];
            return o;
        };
        double sum = 0;
        for (int64_t k = 0; k < av.sizes[av.rank - 1]; ++k)
            sum += double(a[aBase + k * av.strides[av.rank - 1]]) * double(b[bBase + k * bv.strides[bv.rank - 2]]);
        T value = T(sum);
        if (bias) value += bias[offset(biasView)];
        for (int s = 0; s < count; ++s) {
            if (steps[s].kind == 0) value += static_cast<const T*>(steps[s].data)[offset(steps[s].view)];
            if (steps[s].kind == 1) value += T(steps[s].scalar);
            if (steps[s].kind == 2) value *= T(steps[s].scalar);
            if (steps[s].kind == 3) value = value < T(0) ? T(0) : value;
        }
        result[where] = value;
    }
}

template <typename T>
__global__ void convolutionKernel(const T* a, Tensor5 av, const T* b, Tensor5 bv, T* result, Tensor5 rv, Window w,
                                  int64_t elements) {
    for (int64_t e = blockIdx.x * int64_t(blockDim.x) + threadIdx.x; e < elements;
         e += int64_t(gridDim.x) * blockDim.x) {
        int64_t index[5];
        const int64_t where = indexOf(rv, e, index);
        result[where] = T(convolutionElement(a, av, b, bv, rv, w, index));
    }
}

template <typename T>
void deviceConvolution(const T* a, const View& av, const T* b, const View& bv, T* result, const View& rv,
                       const Window& w) {
    const Tensor5 out = tensor5(rv);
    const int64_t elements = elementsOf(out);
    if (elements == 0) return;
    convolutionKernel<T><<<static_cast<unsigned>((elements + 255) / 256), 256>>>(a, tensor5(av), b, tensor5(bv),
                                                                                 result, out, w, elements);
    require(cudaGetLastError(), "convolution");
}

/// A thread a row; plain, not fast.
template <typename T, typename R>
__global__ void rowsKernel(const T* from, DeviceView fv, R* to, DeviceView rv, Rows how, int64_t count) {
    for (int64_t row = blockIdx.x * int64_t(blockDim.x) + threadIdx.x; row < count;
         row += int64_t(gridDim.x) * blockDim.x)
        oneRow(from + fv.offset + rowStart(fv.sizes, fv.strides, fv.rank, how.dim, row), fv.strides[how.dim],
               to + rv.offset + rowStart(fv.sizes, rv.strides, fv.rank, how.dim, row), rv.strides[how.dim],
               fv.sizes[how.dim], rv.sizes[how.dim], how);
}

template <typename T, typename R>
void deviceRows(const T* from, const View& fv, R* to, const View& rv, const Rows& how) {
    int64_t count = 1;
    for (size_t d = 0; d < fv.sizes.size(); ++d)
        if (d != static_cast<size_t>(how.dim)) count *= fv.sizes[d];
    if (count == 0) return;
    rowsKernel<T, R><<<static_cast<unsigned>((count + 255) / 256), 256>>>(from, deviceView(fv), to, deviceView(rv),
                                                                         how, count);
    require(cudaGetLastError(), "rows");
}

template <typename T>
void deviceMatmul(const T* a, const View& av, const T* b, const View& bv, const T* bias, const View* biasView,
                  T* result, const View& rv, const std::vector<Epilogue<T>>& epilogues) {
    std::vector<DeviceEpilogue> steps;
    for (const Epilogue<T>& e : epilogues)
        steps.push_back({static_cast<int>(e.kind), e.scalar, e.data, deviceView(e.view)});
    DeviceEpilogue* onDevice = nullptr;
    if (!steps.empty())
        onDevice = static_cast<DeviceEpilogue*>(toDevice(steps.data(), steps.size() * sizeof steps[0]));
    int64_t elements = 1;
    for (int64_t size : rv.sizes) elements *= size;
    matmulKernel<T><<<static_cast<unsigned>((elements + 255) / 256), 256>>>(
        a, deviceView(av), b, deviceView(bv), bias, biasView ? deviceView(*biasView) : DeviceView{}, result,
        deviceView(rv), onDevice, static_cast<int>(steps.size()), elements);
    require(cudaGetLastError(), "matrix product");
    if (onDevice) cudaFree(onDevice);
}
#endif

} // namespace cutaway_export
