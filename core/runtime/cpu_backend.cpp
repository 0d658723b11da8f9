// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/device.h"
#include "core/runtime/host_memory.h"
#include "core/runtime/strided_copy.h"

namespace cutaway::runtime {
namespace {

class HostStorage : public Storage {
public:
    HostStorage(HostAllocator& allocator, HostAllocator::Block block, size_t bytes)
        : allocator_(allocator), block_(block) {
        data_ = block.data;
        sizeBytes_ = bytes;
    }
    HostStorage(const HostStorage&) = delete;
    HostStorage& operator=(const HostStorage&) = delete;
    ~HostStorage() override { allocator_.giveBack(block_, sizeBytes_); }

private:
    HostAllocator& allocator_;
    HostAllocator::Block block_;
};

class CpuBackend : public DeviceBackend {
public:
    base::Result<StoragePtr> allocate(size_t bytes) override {
        CUTAWAY_TRY(HostAllocator::Block block, allocator_.take(bytes));
        return StoragePtr(std::make_shared<HostStorage>(allocator_, block, bytes));
    }
    base::Status copyToHost(void* host, const void* device, size_t bytes) override {
        return copyWithin(host, device, bytes);
    }
    base::Status copyFromHost(void* device, const void* host, size_t bytes) override {
        return copyWithin(device, host, bytes);
    }
    base::Status copyWithin(void* to, const void* from, size_t bytes) override {
        copyBytesHost(to, from, bytes, threads());
        return {};
    }
    base::Status copyStrided(const StridedBlock& to, const StridedBlock& from) override {
        copyStridedHost(to, from, threads());
        return {};
    }
    base::Status synchronize() override { return {}; }
    MemoryStatistics memoryStatistics() const override { return allocator_.statistics(); }
    void resetPeak() override { allocator_.resetPeak(); }
    void trimCache() override { allocator_.trim(); }

private:
    HostAllocator allocator_;
};

} // namespace

DeviceBackend& cpuBackend() {
    // Never destroyed: tensors held by other static objects give their memory back to it at exit.
    static auto* backend = new CpuBackend;
    return *backend;
}

} // namespace cutaway::runtime
