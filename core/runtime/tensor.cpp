// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/tensor.h"

#include "core/runtime/device.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <optional>
#include <thread>

namespace cutaway::runtime {
namespace {

/// Kernels get the number as an argument, so this is only the default for calls that name none.
std::atomic<int>& threadCount() {
    static std::atomic<int> count{
        std::max(1, static_cast<int>(std::thread::hardware_concurrency()))};
    return count;
}

/// Bytes that a window with these sizes and strides spans from its first element, or nothing when
/// the number does not fit.
std::optional<int64_t> spanBytes(const ir::TensorType& type) {
    int64_t last = 0;
    for (size_t i = 0; i < type.rank(); ++i) {
        int64_t size = type.sizes[i].constant(), stride = type.strides[i].constant(), step = 0;
        if (size == 0) return 0;
        if (__builtin_mul_overflow(size - 1, stride, &step)) return std::nullopt;
        if (__builtin_add_overflow(last, step, &last)) return std::nullopt;
    }
    int64_t bytes = 0;
    if (__builtin_add_overflow(last, 1, &last)) return std::nullopt;
    if (__builtin_mul_overflow(last, static_cast<int64_t>(ir::sizeBytes(type.dtype)), &bytes))
        return std::nullopt;
    return bytes;
}

StridedBlock blockOf(const Tensor& tensor) {
    return {tensor.data(), tensor.type.dtype, ir::constants(tensor.type.sizes),
            ir::constants(tensor.type.strides)};
}

/// The same values, row-major, in memory of their own on the same device.
base::Result<TensorPtr> contiguousCopy(const Tensor& tensor, ir::DType dtype) {
    CUTAWAY_TRY(DeviceBackend * backend, backendFor(tensor.type.device));
    auto type = ir::TensorType::contiguous(dtype, tensor.type.sizes, tensor.type.device);
    CUTAWAY_TRY(TensorPtr copy, emptyTensor(type));
    CUTAWAY_CHECK(backend->copyStrided(blockOf(*copy), blockOf(tensor)));
    return copy;
}

/// Whether writing one window can change the other while it is read.
bool overlaps(const Tensor& a, const Tensor& b) {
    if (a.storage != b.storage) return false;
    auto bytesA = spanBytes(a.type), bytesB = spanBytes(b.type);
    auto* beginA = static_cast<std::byte*>(a.data());
    auto* beginB = static_cast<std::byte*>(b.data());
    return beginA < beginB + *bytesB && beginB < beginA + *bytesA;
}

} // namespace

base::Result<StoragePtr> allocate(ir::Device device, size_t bytes) {
    CUTAWAY_TRY(DeviceBackend * backend, backendFor(device));
    return backend->allocate(bytes);
}

base::Result<TensorPtr> emptyTensor(const ir::TensorType& type) {
    auto bytes = spanBytes(type);
    if (!bytes)
        return base::environmentError(fmt::format("out of memory on {}: a tensor {} has more bytes "
                                                  "than can be addressed",
                                                  type.device.str(), type.str()),
                                      "make the tensor smaller");
    auto tensor = std::make_shared<Tensor>();
    CUTAWAY_TRY(tensor->storage, allocate(type.device, static_cast<size_t>(*bytes)));
    tensor->type = type;
    return tensor;
}

base::Result<ir::HostTensor> toHost(const Tensor& tensor) {
    CUTAWAY_TRY(DeviceBackend * backend, backendFor(tensor.type.device));
    ir::HostTensor host =
        ir::HostTensor::zeros(tensor.type.dtype, ir::constants(tensor.type.sizes));
    if (host.bytes.empty()) return host;
    if (tensor.type.isContiguous()) {
        CUTAWAY_CHECK(backend->copyToHost(host.bytes.data(), tensor.data(), host.bytes.size()));
        return host;
    }
    CUTAWAY_TRY(TensorPtr dense, contiguousCopy(tensor, tensor.type.dtype));
    CUTAWAY_CHECK(backend->copyToHost(host.bytes.data(), dense->data(), host.bytes.size()));
    return host;
}

base::Result<TensorPtr> fromHost(const ir::HostTensor& host, ir::Device device) {
    CUTAWAY_TRY(DeviceBackend * backend, backendFor(device));
    CUTAWAY_TRY(TensorPtr tensor, emptyTensor(host.type(device)));
    CUTAWAY_CHECK(backend->copyFromHost(tensor->data(), host.bytes.data(), host.bytes.size()));
    return tensor;
}

TensorPtr viewOf(const TensorPtr& base, ir::Shape sizes, ir::Shape strides, int64_t offset) {
    auto view = std::make_shared<Tensor>();
    view->type = {base->type.dtype, std::move(sizes), std::move(strides), base->type.device, false};
    view->storage = base->storage;
    view->offset = base->offset + offset;
    return view;
}

base::Status copyInto(Tensor& destination, const Tensor& source) {
    if (destination.type.sizes != source.type.sizes)
        return base::userError({}, fmt::format("copy between different sizes: destination is {}, "
                                               "source is {}",
                                               ir::str(destination.type.sizes),
                                               ir::str(source.type.sizes)));
    ++destination.version;
    CUTAWAY_TRY(DeviceBackend * to, backendFor(destination.type.device));
    if (destination.type.device == source.type.device) {
        if (!overlaps(destination, source))
            return to->copyStrided(blockOf(destination), blockOf(source));
        CUTAWAY_TRY(TensorPtr copy, contiguousCopy(source, destination.type.dtype));
        return to->copyStrided(blockOf(destination), blockOf(*copy));
    }
    CUTAWAY_TRY(ir::HostTensor host, toHost(source));
    CUTAWAY_TRY(TensorPtr moved, fromHost(host, destination.type.device));
    return to->copyStrided(blockOf(destination), blockOf(*moved));
}

MemoryStatistics memoryStatistics(ir::Device device) {
    auto backend = backendFor(device);
    return backend ? (*backend)->memoryStatistics() : MemoryStatistics{};
}

void resetPeak(ir::Device device) {
    if (auto backend = backendFor(device)) (*backend)->resetPeak();
}

void trimCaches() {
    cpuBackend().trimCache();
    for (DeviceBackend* backend : openCudaBackends())
        backend->trimCache();
}

base::Status synchronize(ir::Device device) {
    CUTAWAY_TRY(DeviceBackend * backend, backendFor(device));
    return backend->synchronize();
}

void setThreads(int threads) {
    threadCount() = std::max(1, threads);
}

int threads() {
    return threadCount();
}

} // namespace cutaway::runtime
