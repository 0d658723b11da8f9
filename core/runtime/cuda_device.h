// SPDX-License-Identifier: Apache-2.0
/// \file
/// One GPU: its context, its one stream, its caching allocator. Private to this folder.
#pragma once

#include "core/runtime/cuda.h"
#include "core/runtime/cuda_driver.h"
#include "core/runtime/device.h"

#include <map>
#include <mutex>

namespace cutaway::runtime {

class CudaDevice : public DeviceBackend {
public:
    /// Opened once per index and never closed. Errors: those of cudaDevice().
    static base::Result<CudaDevice*> open(int index);
    static std::vector<DeviceBackend*> opened();

    CudaDevice(const CudaDriver& driver, int index) : driver_(driver), index_(index) {}
    base::Status start();

    base::Result<StoragePtr> allocate(size_t bytes) override;
    base::Status copyToHost(void* host, const void* device, size_t bytes) override;
    base::Status copyFromHost(void* device, const void* host, size_t bytes) override;
    base::Status copyWithin(void* to, const void* from, size_t bytes) override;
    base::Status copyStrided(const StridedBlock& to, const StridedBlock& from) override;
    base::Status synchronize() override;
    MemoryStatistics memoryStatistics() const override;
    void resetPeak() override;
    void trimCache() override;

    base::Status zero(void* data, size_t bytes);
    /// Makes the context this thread's; needed before any driver call.
    void activate() const { driver_.setContext(context_); }
    const CudaDriver& driver() const { return driver_; }
    CuStream stream() const { return stream_; }
    const CudaDeviceInfo& info() const { return info_; }
    ir::Device device() const { return {ir::Device::Kind::Cuda, index_}; }

    /// Back into the cache: later work on the one stream may use it at once, since it runs later.
    void giveBack(void* data, size_t bytes);

private:
    base::Result<void*> take(size_t bytes);
    void freeCached();

    const CudaDriver& driver_;
    int index_ = 0;
    CuContext context_ = nullptr;
    CuStream stream_ = nullptr;
    CudaDeviceInfo info_;

    mutable std::mutex mutex_;
    std::map<size_t, std::vector<void*>> free_; ///< by size
    MemoryStatistics statistics_;
};

} // namespace cutaway::runtime
