// SPDX-License-Identifier: Apache-2.0
/// \file
/// One GPU: its context, its one stream, its caching allocator. Private to this folder.
#pragma once

#include "core/runtime/cuda.h"
#include "core/runtime/cuda_driver.h"
#include "core/runtime/tensor.h"

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>

namespace cutaway::runtime {

class CudaDevice;

/// The fault words of one program (codegen::KernelSource): host memory that its kernels write to
/// when a value does not meet a check, and that is looked at once the device has been waited for.
/// Every call has words of its own, so that what is wrong is told with the line that called. Costs
/// no copy, and a wait only when many calls are queued.
class CudaFaults {
public:
    static constexpr size_t kCalls = 64; ///< that are queued at once
    /// \param why what the words tell, or nothing
    using Why = std::function<std::optional<base::Diagnostic>(std::span<const int64_t>)>;
    static base::Result<std::shared_ptr<CudaFaults>> make(CudaDevice& device, size_t words,
                                                          Why why);
    ~CudaFaults();
    CudaFaults(const CudaFaults&) = delete;
    CudaFaults& operator=(const CudaFaults&) = delete;

    /// The words of the next call, which is made here (CallPlace). Errors: those of calls before,
    /// when there were so many that they had to be waited for.
    base::Result<int64_t*> next();
    /// What the words tell of the first call that tells anything; they are zero afterwards. The
    /// device must be idle.
    std::optional<base::Diagnostic> take();

private:
    CudaFaults(CudaDevice& device, Why why) : device_(device), why_(std::move(why)) {}
    CudaDevice& device_;
    Why why_;
    int64_t* words_ = nullptr;
    size_t count_ = 0;                   ///< words of a call
    std::vector<base::Location> places_; ///< of the calls since the last wait
};

class CudaDevice {
public:
    /// Opened once per index and never closed. Errors: those of cudaDevice().
    static base::Result<CudaDevice*> open(int index);
    static std::vector<CudaDevice*> opened();

    CudaDevice(const CudaDriver& driver, int index) : driver_(driver), index_(index) {}
    base::Status start();

    base::Result<StoragePtr> allocate(size_t bytes);
    base::Status copyToHost(void* host, const void* device, size_t bytes);
    base::Status copyFromHost(void* device, const void* host, size_t bytes);
    base::Status copyWithin(void* to, const void* from, size_t bytes);
    base::Status synchronize();
    MemoryStatistics memoryStatistics() const;
    void resetPeak();
    void trimCache();

    base::Status zero(void* data, size_t bytes);
    /// Work that may set these words is about to be queued: the next wait looks at them.
    void watch(std::shared_ptr<CudaFaults> faults);
    /// The first fault among the words that are watched, which are not any longer. The device must
    /// be idle.
    base::Status takeFault();
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
    std::vector<std::shared_ptr<CudaFaults>> watched_;
};

} // namespace cutaway::runtime
