// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cuda_convolution.h"

#include "core/runtime/cudnn.h"
#include "core/runtime/precision.h"

#include <fmt/format.h>

namespace cutaway::runtime {
namespace {

/// What follows either way: bias and epilogues in one pass over the result.
class Finish {
public:
    base::Status prepare(CudaDevice& device, const ConvolutionSpec& spec) {
        if (!spec.bias && spec.epilogues.empty()) return {};
        CUTAWAY_TRY(kernel_, makeGenericKernel(device, epilogueProgram(spec, 0, true, false)));
        return {};
    }
    base::Status run(const ConvolutionSpec& spec, void* const* pointers) const {
        if (!kernel_) return {};
        return launchEpilogues(*kernel_, spec, 0, spec.bias.has_value(), pointers);
    }
    std::string text(std::string name) const { return kernel_ ? name + ", epilogue kernel" : name; }

private:
    CudaKernelPtr kernel_;
};

class CudnnCall : public LibraryKernel {
public:
    CudnnCall(CudaDevice& device, const ConvolutionSpec& spec,
              std::unique_ptr<CudnnConvolution> convolution)
        : device_(device), spec_(spec), convolution_(std::move(convolution)) {}
    base::Status prepare() { return finish_.prepare(device_, spec_); }
    base::Status run(void* const* pointers, int) override {
        device_.activate();
        CUTAWAY_CHECK(
            convolution_->run(pointers[0], pointers[1], pointers[spec_.pointerCount() - 1]));
        return finish_.run(spec_, pointers);
    }
    std::string implementation() const override { return finish_.text("cuDNN"); }

private:
    CudaDevice& device_;
    ConvolutionSpec spec_;
    std::unique_ptr<CudnnConvolution> convolution_;
    Finish finish_;
};

class GeneratedCall : public LibraryKernel {
public:
    GeneratedCall(CudaDevice& device, const ConvolutionSpec& spec) : device_(device), spec_(spec) {}
    base::Status prepare() {
        if (spec_.batches() * spec_.m * spec_.n > 0) {
            tf32_ = precision().convolutionTf32 && spec_.dtype == ir::DType::Float32;
            const ConvolutionSources sources =
                convolutionSources(spec_, tf32_, device_.info().multiprocessors);
            CUTAWAY_TRY(product_, loadSource(device_, sources.product));
            if (sources.partBytes > 0) {
                CUTAWAY_TRY(sum_, loadSource(device_, sources.sum));
                partBytes_ = static_cast<size_t>(sources.partBytes);
            }
        }
        return finish_.prepare(device_, spec_);
    }
    base::Status run(void* const* pointers, int) override {
        if (!product_) return {};
        device_.activate();
        // Of this call alone: what runs later on the stream may have the memory.
        StoragePtr parts;
        if (sum_) {
            CUTAWAY_TRY(parts, device_.allocate(partBytes_));
        }
        void* values[] = {pointers[0], pointers[1], pointers[spec_.pointerCount() - 1],
                          parts ? parts->data() : nullptr};
        void* arguments[] = {&values[0], &values[1], &values[2], &values[3]};
        CUTAWAY_CHECK(product_->launch(arguments));
        if (sum_) {
            void* adding[] = {&values[3], &values[2]};
            CUTAWAY_CHECK(sum_->launch(adding));
        }
        return finish_.run(spec_, pointers);
    }
    std::string implementation() const override {
        return finish_.text(tf32_ ? "generated kernel, TF32" : "generated kernel");
    }

private:
    CudaDevice& device_;
    ConvolutionSpec spec_;
    bool tf32_ = false;
    CudaKernelPtr product_, sum_;
    size_t partBytes_ = 0;
    Finish finish_;
};

} // namespace

base::Result<LibraryKernelPtr> makeCudnnConvolution(CudaDevice& device,
                                                    const ConvolutionSpec& spec) {
    CUTAWAY_TRY(std::unique_ptr<CudnnConvolution> convolution,
                CudnnConvolution::make(device, spec));
    if (!convolution) return LibraryKernelPtr();
    auto call = std::make_unique<CudnnCall>(device, spec, std::move(convolution));
    CUTAWAY_CHECK(call->prepare());
    return LibraryKernelPtr(std::move(call));
}

base::Result<LibraryKernelPtr> makeGeneratedConvolution(CudaDevice& device,
                                                        const ConvolutionSpec& spec) {
    auto call = std::make_unique<GeneratedCall>(device, spec);
    CUTAWAY_CHECK(call->prepare());
    return LibraryKernelPtr(std::move(call));
}

} // namespace cutaway::runtime
