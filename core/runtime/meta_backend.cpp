// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/meta_backend.h"

#include "core/ir/meta_device.h"

namespace cutaway::runtime {
namespace {

class MetaStorage : public Storage {
public:
    explicit MetaStorage(size_t bytes) {
        sizeBytes_ = bytes;
        device_ = ir::kMetaDevice;
    }
};

class MetaBackend : public DeviceBackend {
public:
    base::Result<StoragePtr> allocate(size_t bytes) override {
        return StoragePtr(std::make_shared<MetaStorage>(bytes));
    }
    base::Status copyToHost(void*, const void*, size_t) override {
        return base::userError({}, "Cannot copy out of meta tensor; no data!",
                               "make the module's tensors for real with .to_empty(device=...)")
            .as(base::ErrorClass::NotImplemented);
    }
    base::Status copyFromHost(void*, const void*, size_t) override { return {}; }
    base::Status copyWithin(void*, const void*, size_t) override { return {}; }
    base::Status copyStrided(const StridedBlock&, const StridedBlock&) override { return {}; }
    base::Status synchronize() override { return {}; }
    MemoryStatistics memoryStatistics() const override { return {}; }
    void resetPeak() override {}
    void trimCache() override {}
};

} // namespace

DeviceBackend& metaBackend() {
    static MetaBackend backend;
    return backend;
}

} // namespace cutaway::runtime
