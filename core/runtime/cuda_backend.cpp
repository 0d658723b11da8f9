// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cuda_generic.h"
#include "core/runtime/cuda_target.h"

#include <map>
#include <memory>
#include <mutex>

namespace cutaway::runtime {
namespace {

/// A GPU's memory as tensors see it.
class CudaBackend : public DeviceBackend {
public:
    explicit CudaBackend(CudaDevice& device) : device_(device) {}
    base::Result<StoragePtr> allocate(size_t bytes) override { return device_.allocate(bytes); }
    base::Status copyToHost(void* host, const void* data, size_t bytes) override {
        return device_.copyToHost(host, data, bytes);
    }
    base::Status copyFromHost(void* data, const void* host, size_t bytes) override {
        return device_.copyFromHost(data, host, bytes);
    }
    base::Status copyWithin(void* to, const void* from, size_t bytes) override {
        return device_.copyWithin(to, from, bytes);
    }
    base::Status copyStrided(const StridedBlock& to, const StridedBlock& from) override;
    base::Status synchronize() override { return device_.synchronize(); }
    MemoryStatistics memoryStatistics() const override { return device_.memoryStatistics(); }
    void resetPeak() override { device_.resetPeak(); }
    void trimCache() override { device_.trimCache(); }

private:
    CudaDevice& device_;
};

base::Status CudaBackend::copyStrided(const StridedBlock& to, const StridedBlock& from) {
    if (to.data == from.data && to.strides == from.strides && to.dtype == from.dtype) return {};
    int64_t count = 1;
    for (int64_t size : to.sizes)
        count *= size;
    if (count == 0) return {};
    bool dense = to.dtype == from.dtype;
    int64_t expected = 1;
    for (size_t d = to.sizes.size(); d-- > 0; expected *= to.sizes[d])
        dense &= to.sizes[d] == 1 || (to.strides[d] == expected && from.strides[d] == expected);
    if (dense)
        return copyWithin(to.data, from.data, static_cast<size_t>(count) * ir::sizeBytes(to.dtype));
    return runStridedCopy(device_, to, from);
}

/// One per device, never destroyed: as the devices.
CudaBackend* backendOf(CudaDevice* device) {
    static auto* const mutex = new std::mutex;
    static auto* const backends = new std::map<CudaDevice*, std::unique_ptr<CudaBackend>>;
    const std::lock_guard lock(*mutex);
    std::unique_ptr<CudaBackend>& backend = (*backends)[device];
    if (!backend) backend = std::make_unique<CudaBackend>(*device);
    return backend.get();
}

} // namespace

base::Result<DeviceBackend*> openCudaBackend(int index) {
    CUTAWAY_TRY(CudaDevice * device, CudaDevice::open(index));
    return backendOf(device);
}

std::vector<DeviceBackend*> openedCudaBackends() {
    std::vector<DeviceBackend*> all;
    for (CudaDevice* device : CudaDevice::opened())
        all.push_back(backendOf(device));
    return all;
}

} // namespace cutaway::runtime
