// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cuda_attention.h"

namespace cutaway::runtime {
namespace {

/// Bytes of shared memory that a block may ask for.
int64_t sharedLimit(const CudaDevice& device) {
    constexpr int kSharedBytes = 97; // CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
    int handle = 0, bytes = 0;
    device.driver().deviceGet(&handle, device.device().index);
    device.driver().deviceAttribute(&bytes, kSharedBytes, handle);
    return bytes;
}

class GeneratedAttention : public LibraryKernel {
public:
    GeneratedAttention(CudaDevice& device, const AttentionSpec& spec)
        : device_(device), spec_(spec) {}

    base::Status prepare(bool aligned) {
        const AttentionSources sources = attentionSources(spec_, sharedLimit(device_), aligned);
        std::vector<codegen::KernelSource> texts;
        for (const codegen::KernelSource& source : sources.passes)
            if (source.launch.blocks.constant() > 0) texts.push_back(source);
        sumBytes_ = sources.sumBytes;
        if (sumBytes_ > 0) texts.push_back(sources.sums);
        CUTAWAY_TRY(passes_, loadSources(device_, texts));
        if (sumBytes_ == 0) return {};
        sums_ = std::move(passes_.back());
        passes_.pop_back();
        return {};
    }

    base::Status run(void* const* pointers, void* memory, int) override {
        device_.activate();
        std::vector<void*> values(pointers, pointers + (spec_.isBackward() ? 5 : 3));
        void* const mask = spec_.masked ? pointers[spec_.strides.size() - 1] : nullptr;
        if (spec_.isBackward()) {
            if (sums_) CUTAWAY_CHECK(launch(*sums_, {pointers[3], pointers[4], memory}));
            values[4] = pointers[5];
            values.push_back(memory);
        }
        values.insert(values.end(), {mask, pointers[spec_.strides.size()]});
        for (const CudaKernelPtr& pass : passes_)
            CUTAWAY_CHECK(launch(*pass, values));
        return {};
    }
    int64_t workspace(int) const override { return sumBytes_; }
    std::string implementation() const override { return "generated kernel, blocks of keys"; }

private:
    static base::Status launch(const CudaKernel& kernel, std::vector<void*> values) {
        std::vector<void*> arguments;
        for (void*& value : values)
            arguments.push_back(&value);
        return kernel.launch(arguments.data());
    }

    CudaDevice& device_;
    AttentionSpec spec_;
    CudaKernelPtr sums_;
    std::vector<CudaKernelPtr> passes_;
    int64_t sumBytes_ = 0;
};

} // namespace

base::Result<LibraryKernelPtr> makeGeneratedAttention(CudaDevice& device, const AttentionSpec& spec,
                                                      bool aligned) {
    auto call = std::make_unique<GeneratedAttention>(device, spec);
    CUTAWAY_CHECK(call->prepare(aligned));
    return LibraryKernelPtr(std::move(call));
}

} // namespace cutaway::runtime
