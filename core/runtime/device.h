// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the runtime asks of a device. tensor.cpp is written against this and knows no device by
/// name; the host is cpu_backend.cpp, CUDA is cuda_backend.cpp.
#pragma once

#include "core/runtime/tensor.h"

#include <vector>

namespace cutaway::runtime {

/// A strided window in a device's memory, with plain numbers.
struct StridedBlock {
    void* data = nullptr; ///< element [0, 0, ...]
    ir::DType dtype = ir::DType::Float32;
    std::vector<int64_t> sizes;
    std::vector<int64_t> strides; ///< elements; 0 repeats
};

/// One device. Work may be queued: the order of calls is the order of effects, and the copies to
/// host memory wait. Thread-safe.
class DeviceBackend {
public:
    virtual ~DeviceBackend() = default;

    /// Uninitialised, at least 64-byte aligned; freed into the device's cache with the last
    /// reference.
    virtual base::Result<StoragePtr> allocate(size_t bytes) = 0;
    /// The three plain copies of bytes.
    virtual base::Status copyToHost(void* host, const void* device, size_t bytes) = 0;
    virtual base::Status copyFromHost(void* device, const void* host, size_t bytes) = 0;
    virtual base::Status copyWithin(void* to, const void* from, size_t bytes) = 0;
    /// Element by element inside the device, converting the dtype; sizes are equal. The windows may
    /// not overlap unless they are the same window.
    virtual base::Status copyStrided(const StridedBlock& to, const StridedBlock& from) = 0;
    virtual base::Status synchronize() = 0;
    virtual MemoryStatistics memoryStatistics() const = 0;
    virtual void resetPeak() = 0;
    virtual void trimCache() = 0;
};

/// The host's memory; always there.
DeviceBackend& cpuBackend();
/// By the device's row of targetTable(). Errors: environment error when the device is not there.
base::Result<DeviceBackend*> backendFor(ir::Device device);
/// Those that are open already, of every target; opens none.
std::vector<DeviceBackend*> openBackends();

} // namespace cutaway::runtime
