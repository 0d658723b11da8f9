// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cuda_device.h"

#include "core/runtime/call_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace cutaway::runtime {
namespace {

enum Attribute { kMultiprocessors = 16, kL2Bytes = 38, kMajor = 75, kMinor = 76 };
constexpr unsigned kNonBlocking = 1;
constexpr unsigned kHostMapped = 1 | 2; // CU_MEMHOSTALLOC_PORTABLE and _DEVICEMAP

class CudaStorage : public Storage {
public:
    CudaStorage(CudaDevice& owner, void* data, size_t bytes, size_t blockBytes)
        : owner_(owner), blockBytes_(blockBytes) {
        data_ = data;
        sizeBytes_ = bytes;
        device_ = owner.device();
    }
    ~CudaStorage() override { owner_.giveBack(data_, blockBytes_); }
    CudaStorage(const CudaStorage&) = delete;
    CudaStorage& operator=(const CudaStorage&) = delete;

private:
    CudaDevice& owner_;
    size_t blockBytes_;
};

CuDevicePtr address(const void* data) {
    return reinterpret_cast<CuDevicePtr>(data);
}

// Few sizes, so that blocks fit the next request.
size_t sizeClass(size_t bytes) {
    const size_t step = bytes <= (1 << 20) ? 512 : 2 << 20;
    return std::max<size_t>((bytes + step - 1) / step * step, step);
}

std::string readable(size_t bytes) {
    return fmt::format("{:.2f} GiB", static_cast<double>(bytes) / (1 << 30));
}

struct OpenDevices {
    std::mutex mutex;
    std::map<int, CudaDevice*> devices;
};

OpenDevices& openDevices() {
    static auto* const opened = new OpenDevices;
    return *opened;
}

} // namespace

base::Result<CudaDevice*> CudaDevice::open(int index) {
    CUTAWAY_TRY(const CudaDriver* driver, cudaDriver());
    OpenDevices& opened = openDevices();
    std::lock_guard lock(opened.mutex);
    if (auto found = opened.devices.find(index); found != opened.devices.end())
        return found->second;
    int count = 0;
    CUTAWAY_CHECK(driver->check(driver->deviceCount(&count), "count the devices"));
    if (index < 0 || index >= count)
        return base::environmentError(
            count == 0 ? "no CUDA device: the driver finds no GPU"
                       : fmt::format("no CUDA device {}: the driver finds {}", index, count),
            count == 0 ? "check that nvidia-smi lists a GPU, or use the device \"cpu\""
                       : fmt::format("use cuda:0 to cuda:{}", count - 1));
    auto device = std::make_unique<CudaDevice>(*driver, index);
    CUTAWAY_CHECK(device->start());
    return opened.devices[index] = device.release();
}

std::vector<CudaDevice*> CudaDevice::opened() {
    OpenDevices& opened = openDevices();
    std::lock_guard lock(opened.mutex);
    std::vector<CudaDevice*> all;
    for (const auto& [index, device] : opened.devices)
        all.push_back(device);
    return all;
}

base::Status CudaDevice::start() {
    int handle = 0;
    CUTAWAY_CHECK(driver_.check(driver_.deviceGet(&handle, index_), "open the device"));
    char name[256] = {};
    driver_.deviceName(name, sizeof name, handle);
    info_.name = name;
    int major = 0, minor = 0, l2 = 0;
    driver_.deviceAttribute(&major, kMajor, handle);
    driver_.deviceAttribute(&minor, kMinor, handle);
    driver_.deviceAttribute(&info_.multiprocessors, kMultiprocessors, handle);
    driver_.deviceAttribute(&l2, kL2Bytes, handle);
    info_.architecture = fmt::format("sm_{}{}", major, minor);
    info_.l2Bytes = l2;
    size_t memory = 0;
    driver_.deviceMemory(&memory, handle);
    info_.memoryBytes = static_cast<int64_t>(memory);
    driver_.driverVersion(&info_.driverVersion);
    CUTAWAY_CHECK(driver_.check(driver_.retainContext(&context_, handle),
                                fmt::format("create a context on {}", info_.name)));
    activate();
    return driver_.check(driver_.streamCreate(&stream_, kNonBlocking), "create a stream");
}

void CudaDevice::freeCached() {
    driver_.streamSynchronize(stream_);
    for (auto& [size, blocks] : free_)
        for (void* block : blocks)
            driver_.memFree(address(block));
    free_.clear();
}

base::Result<void*> CudaDevice::take(size_t bytes) {
    std::lock_guard lock(mutex_);
    void* data = nullptr;
    if (auto found = free_.find(bytes); found != free_.end() && !found->second.empty()) {
        data = found->second.back();
        found->second.pop_back();
    } else {
        activate();
        CuDevicePtr fresh = 0;
        CuResult status = driver_.memAlloc(&fresh, bytes);
        if (status == kCudaOutOfMemory) {
            freeCached();
            status = driver_.memAlloc(&fresh, bytes);
        }
        if (status == kCudaOutOfMemory) {
            size_t left = 0, total = 0;
            driver_.memInfo(&left, &total);
            return base::environmentError(
                       fmt::format(
                           "out of memory on {}: asked for {} bytes ({}), {} of {} are free",
                           device().str(), bytes, readable(bytes), readable(left), readable(total)),
                       "make the tensors smaller, or free some that are no longer needed")
                .as(base::ErrorClass::OutOfMemory);
        }
        CUTAWAY_CHECK(driver_.check(status, fmt::format("allocate {} bytes", bytes)));
        data = reinterpret_cast<void*>(fresh);
    }
    statistics_.currentBytes += static_cast<int64_t>(bytes);
    statistics_.peakBytes = std::max(statistics_.peakBytes, statistics_.currentBytes);
    return data;
}

base::Result<StoragePtr> CudaDevice::allocate(size_t bytes) {
    const size_t block = sizeClass(bytes);
    CUTAWAY_TRY(void* data, take(block));
    return StoragePtr(std::make_shared<CudaStorage>(*this, data, bytes, block));
}

void CudaDevice::giveBack(void* data, size_t bytes) {
    std::lock_guard lock(mutex_);
    free_[bytes].push_back(data);
    statistics_.currentBytes -= static_cast<int64_t>(bytes);
}

base::Status CudaDevice::copyToHost(void* host, const void* device, size_t bytes) {
    if (bytes == 0) return {};
    activate();
    CUTAWAY_CHECK(driver_.check(driver_.copyToHost(host, address(device), bytes, stream_),
                                fmt::format("copy {} bytes to the host", bytes)));
    return synchronize();
}

base::Status CudaDevice::copyFromHost(void* device, const void* host, size_t bytes) {
    if (bytes == 0) return {};
    activate();
    CUTAWAY_CHECK(driver_.check(driver_.copyToDevice(address(device), host, bytes, stream_),
                                fmt::format("copy {} bytes to the device", bytes)));
    return synchronize();
}

base::Status CudaDevice::copyWithin(void* to, const void* from, size_t bytes) {
    if (bytes == 0 || to == from) return {};
    activate();
    return driver_.check(driver_.copyOnDevice(address(to), address(from), bytes, stream_),
                         fmt::format("copy {} bytes", bytes));
}

base::Status CudaDevice::zero(void* data, size_t bytes) {
    if (bytes == 0) return {};
    activate();
    return driver_.check(driver_.fillBytes(address(data), 0, bytes, stream_), "clear memory");
}

base::Status CudaDevice::synchronize() {
    activate();
    CUTAWAY_CHECK(driver_.check(driver_.streamSynchronize(stream_), "finish the queued work"));
    return takeFault();
}

void CudaDevice::watch(std::shared_ptr<CudaFaults> faults) {
    std::lock_guard lock(mutex_);
    if (std::find(watched_.begin(), watched_.end(), faults) == watched_.end())
        watched_.push_back(std::move(faults));
}

base::Status CudaDevice::takeFault() {
    std::vector<std::shared_ptr<CudaFaults>> watched;
    {
        std::lock_guard lock(mutex_);
        watched.swap(watched_);
    }
    std::optional<base::Diagnostic> first;
    for (const auto& faults : watched)
        if (auto why = faults->take(); why && !first) first = std::move(why);
    return first ? base::Status(std::move(*first)) : base::Status();
}

base::Result<std::shared_ptr<CudaFaults>> CudaFaults::make(CudaDevice& device, size_t words,
                                                           Why why) {
    std::shared_ptr<CudaFaults> faults(new CudaFaults(device, std::move(why)));
    device.activate();
    void* memory = nullptr;
    CUTAWAY_CHECK(device.driver().check(
        device.driver().hostAlloc(&memory, kCalls * words * sizeof(int64_t), kHostMapped),
        "allocate fault words"));
    faults->words_ = static_cast<int64_t*>(memory);
    faults->count_ = words;
    std::fill_n(faults->words_, kCalls * words, 0);
    return faults;
}

CudaFaults::~CudaFaults() {
    if (!words_) return;
    // Queued launches may still write.
    device_.activate();
    device_.driver().streamSynchronize(device_.stream());
    device_.driver().hostFree(words_);
}

std::optional<base::Diagnostic> CudaFaults::take() {
    std::optional<base::Diagnostic> first;
    for (size_t call = 0; call < places_.size(); ++call) {
        auto found = why_({words_ + call * count_, count_});
        if (!found) continue;
        std::fill_n(words_ + call * count_, count_, 0);
        if (!found->where.known()) found->where = places_[call];
        if (!first) first = std::move(found);
    }
    places_.clear();
    return first;
}

base::Result<int64_t*> CudaFaults::next() {
    if (places_.size() == kCalls) CUTAWAY_CHECK(device_.synchronize());
    places_.push_back(CallPlace::now());
    return words_ + (places_.size() - 1) * count_;
}

MemoryStatistics CudaDevice::memoryStatistics() const {
    std::lock_guard lock(mutex_);
    return statistics_;
}

void CudaDevice::resetPeak() {
    std::lock_guard lock(mutex_);
    statistics_.peakBytes = statistics_.currentBytes;
}

void CudaDevice::trimCache() {
    std::lock_guard lock(mutex_);
    activate();
    freeCached();
}

int cudaDeviceCount() {
    auto driver = cudaDriver();
    int count = 0;
    return driver && (*driver)->deviceCount(&count) == 0 ? count : 0;
}

base::Result<int64_t> cudaFreeBytes(int index) {
    CUTAWAY_TRY(CudaDevice * device, CudaDevice::open(index));
    device->activate();
    size_t left = 0, total = 0;
    CUTAWAY_CHECK(device->driver().check(device->driver().memInfo(&left, &total),
                                         "ask for the memory that is left"));
    return static_cast<int64_t>(left);
}

base::Result<CudaDeviceInfo> cudaDevice(int index) {
    CUTAWAY_TRY(CudaDevice * device, CudaDevice::open(index));
    return device->info();
}

} // namespace cutaway::runtime
