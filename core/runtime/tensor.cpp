// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/tensor.h"

#include "core/ir/meta_device.h"
#include "core/runtime/conjugate.h"
#include "core/runtime/device.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fmt/format.h>
#include <omp.h>
#include <thread>

namespace cutaway::runtime {
namespace {

/// Kernels get the number as an argument, so this is only the default for calls that name none.
std::atomic<int>& threadCount() {
    static std::atomic<int> count{
        std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, mostThreads())};
    return count;
}

/// Bytes that a window with these sizes and strides spans from its first element. It stays at the
/// limit of 64 bits, which no allocator grants.
int64_t spanBytes(const ir::TensorType& type) {
    ir::Sym count(1);
    for (size_t i = 0; i < type.rank(); ++i) {
        if (type.sizes[i].is(0)) return 0;
        count = count + (type.sizes[i] - 1) * type.strides[i];
    }
    return (count * static_cast<int64_t>(ir::sizeBytes(type.dtype))).constant();
}

StridedBlock blockOf(const Tensor& tensor) {
    return {tensor.data(), tensor.type.dtype, ir::constants(tensor.type.sizes),
            ir::constants(tensor.type.strides)};
}

/// Of a complex tensor: the real numbers that it lies in.
Tensor pairsOf(const Tensor& tensor) {
    Tensor pairs;
    pairs.type = pairsType(tensor.type);
    pairs.storage = tensor.storage;
    pairs.offset = tensor.offset * 2;
    pairs.ownVersion = tensor.ownVersion;
    return pairs;
}

/// The same values, row-major, in memory of their own on the same device.
base::Result<TensorPtr> contiguousCopy(const Tensor& tensor, ir::DType dtype) {
    CUTAWAY_TRY(DeviceBackend * backend, backendFor(tensor.type.device));
    auto type = ir::TensorType::contiguous(dtype, tensor.type.sizes, tensor.type.device);
    CUTAWAY_TRY(TensorPtr copy, emptyTensor(type));
    if (ir::isComplex(dtype) && dtype == tensor.type.dtype) {
        CUTAWAY_CHECK(backend->copyStrided(blockOf(pairsOf(*copy)), blockOf(pairsOf(tensor))));
        return copy;
    }
    CUTAWAY_CHECK(backend->copyStrided(blockOf(*copy), blockOf(tensor)));
    return copy;
}

/// Whether writing one window can change the other while it is read.
bool overlaps(const Tensor& a, const Tensor& b) {
    if (a.storage != b.storage) return false;
    int64_t bytesA = spanBytes(a.type), bytesB = spanBytes(b.type);
    auto* beginA = static_cast<std::byte*>(a.data());
    auto* beginB = static_cast<std::byte*>(b.data());
    return beginA < beginB + bytesB && beginB < beginA + bytesA;
}

} // namespace

base::Result<StoragePtr> allocate(ir::Device device, size_t bytes) {
    CUTAWAY_TRY(DeviceBackend * backend, backendFor(device));
    return backend->allocate(bytes);
}

base::Result<TensorPtr> emptyTensor(const ir::TensorType& type) {
    CUTAWAY_CHECK(ir::checkAddressable(type));
    auto tensor = std::make_shared<Tensor>();
    CUTAWAY_TRY(tensor->storage, allocate(type.device, static_cast<size_t>(spanBytes(type))));
    tensor->type = type;
    return tensor;
}

base::Result<ir::HostTensor> toHost(const Tensor& tensor) {
    CUTAWAY_TRY(DeviceBackend * backend, backendFor(tensor.type.device));
    if (ir::isMeta(tensor.type.device)) CUTAWAY_CHECK(backend->copyToHost(nullptr, nullptr, 0));
    const Tensor* dense = &tensor;
    TensorPtr copy;
    // First: the allocator refuses an expanded view that is larger than the memory.
    if (!tensor.type.isContiguous()) {
        CUTAWAY_TRY(copy, contiguousCopy(tensor, tensor.type.dtype));
        dense = copy.get();
    }
    ir::HostTensor host =
        ir::HostTensor::zeros(tensor.type.dtype, ir::constants(tensor.type.sizes));
    if (host.bytes.empty()) return host;
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
    view->ownVersion = base->ownVersion;
    return view;
}

TensorPtr seenAs(const TensorPtr& tensor, const ir::TensorType& type) {
    TensorPtr seen = viewOf(tensor, type.sizes, type.strides, 0);
    const auto from = static_cast<int64_t>(ir::sizeBytes(tensor->type.dtype));
    seen->type.dtype = type.dtype;
    seen->offset = tensor->offset * from / static_cast<int64_t>(ir::sizeBytes(type.dtype));
    return seen;
}

ir::TensorType pairsType(const ir::TensorType& complex) {
    ir::TensorType pairs = complex;
    pairs.dtype = ir::realType(complex.dtype);
    for (ir::Sym& stride : pairs.strides)
        stride = stride * ir::Sym(2);
    pairs.sizes.push_back(ir::Sym(2));
    pairs.strides.push_back(ir::Sym(1));
    return pairs;
}

/// Of the same sizes.
static base::Status copyValues(const Tensor& destination, const Tensor& source) {
    CUTAWAY_TRY(DeviceBackend * to, backendFor(destination.type.device));
    if (destination.type.device == source.type.device) {
        if (!overlaps(destination, source))
            return to->copyStrided(blockOf(destination), blockOf(source));
        CUTAWAY_TRY(TensorPtr copy, contiguousCopy(source, destination.type.dtype));
        return to->copyStrided(blockOf(destination), blockOf(*copy));
    }
    if (ir::isMeta(destination.type.device)) return {};
    CUTAWAY_TRY(ir::HostTensor host, toHost(source));
    CUTAWAY_TRY(TensorPtr moved, fromHost(host, destination.type.device));
    return to->copyStrided(blockOf(destination), blockOf(*moved));
}

base::Status copyInto(Tensor& destination, const Tensor& source) {
    if (ir::isComplex(destination.type.dtype) && ir::isComplex(source.type.dtype) &&
        destination.type.sizes == source.type.sizes) {
        Tensor to = pairsOf(destination);
        return copyInto(to, pairsOf(source));
    }
    if (destination.type.sizes != source.type.sizes)
        return base::userError({}, fmt::format("copy between different sizes: destination is {}, "
                                               "source is {}",
                                               ir::str(destination.type.sizes),
                                               ir::str(source.type.sizes)));
    destination.countWrite();
    CUTAWAY_CHECK(copyValues(destination, source));
    return conjugateWritten(destination);
}

MemoryStatistics memoryStatistics(ir::Device device) {
    auto backend = backendFor(device);
    return backend ? (*backend)->memoryStatistics() : MemoryStatistics{};
}

void resetPeak(ir::Device device) {
    if (auto backend = backendFor(device)) (*backend)->resetPeak();
}

void trimCaches() {
    for (DeviceBackend* backend : openBackends())
        backend->trimCache();
}

base::Status synchronize(ir::Device device) {
    CUTAWAY_TRY(DeviceBackend * backend, backendFor(device));
    return backend->synchronize();
}

/// Whether it is a list of counts; OpenMP ends the program at some that are not.
static bool isListOfCounts(std::string_view text) {
    return !text.empty() && text.front() != ',' &&
           text.find_first_not_of("0123456789,") == std::string_view::npos;
}

int mostThreads() {
    static const int most = [] {
        if (const char* wish = std::getenv("OMP_NUM_THREADS"); wish && !isListOfCounts(wish))
            ::unsetenv("OMP_NUM_THREADS");
        // The threads of a kernel spin afterwards in case of a next one, for 200 ms by default: all the
        // while that the backward is compiled. A wish of the user's stands.
        if (!std::getenv("OMP_WAIT_POLICY")) ::setenv("KMP_BLOCKTIME", "10", 0);
        return std::max(1, omp_get_thread_limit());
    }();
    return most;
}

void setThreads(int threads) {
    threadCount() = std::clamp(threads, 1, mostThreads());
}

int threads() {
    return threadCount();
}

} // namespace cutaway::runtime
