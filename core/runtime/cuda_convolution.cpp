// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cuda_convolution.h"

#include "core/runtime/cudnn.h"
#include "core/runtime/precision.h"

#include <fmt/format.h>

namespace cutaway::runtime {
namespace {

/// The tensor cores take TF32 from sm_80 on.
bool hasTf32(const CudaDeviceInfo& info) {
    return info.architecture.size() > 4 || info.architecture >= "sm_80";
}

/// What follows the operation from epilogue number `first` on, in one pass over the result.
class Finish {
public:
    base::Status prepare(CudaDevice& device, const ConvolutionSpec& spec, size_t first,
                         bool withBias) {
        first_ = first;
        withBias_ = withBias && spec.bias.has_value();
        if (!withBias_ && first == spec.epilogues.size()) return {};
        CUTAWAY_TRY(kernel_,
                    makeGenericKernel(device, epilogueProgram(spec, first, withBias_, false)));
        return {};
    }
    base::Status run(const ConvolutionSpec& spec, void* const* pointers) const {
        if (!kernel_) return {};
        return launchEpilogues(*kernel_, spec, first_, withBias_, pointers);
    }
    std::string text(std::string name) const { return kernel_ ? name + ", epilogue kernel" : name; }

private:
    CudaKernelPtr kernel_;
    size_t first_ = 0;
    bool withBias_ = false;
};

/// Bytes rounded up, so that the next part begins on a line of its own.
constexpr int64_t wholeLines(int64_t bytes) {
    return (bytes + 255) / 256 * 256;
}

class CudnnCall : public LibraryKernel {
public:
    CudnnCall(CudaDevice& device, const ConvolutionSpec& spec,
              std::unique_ptr<CudnnConvolution> convolution)
        : device_(device), spec_(spec), convolution_(std::move(convolution)) {}
    base::Status prepare() {
        return finish_.prepare(device_, spec_, convolution_->epiloguesInside(),
                               !convolution_->biasInside());
    }
    base::Status run(void* const* pointers, void* memory, int threads) override {
        device_.activate();
        if (!instead_) {
            if (convolution_->run(pointers, memory).ok()) return finish_.run(spec_, pointers);
            // It refuses some calls only now: ours takes them from here on.
            CUTAWAY_TRY(instead_, makeGeneratedConvolution(device_, spec_, false));
        }
        // What that needs is known only now.
        CUTAWAY_TRY(const StoragePtr own,
                    device_.allocate(static_cast<size_t>(instead_->workspace(threads))));
        return instead_->run(pointers, own->data(), threads);
    }
    int64_t workspace(int) const override { return convolution_->workspace(); }
    std::string implementation() const override {
        if (instead_) return instead_->implementation();
        std::string name = "cuDNN";
        if (convolution_->isLast()) name += ", channels last";
        if (convolution_->biasInside()) name += ", bias inside";
        if (convolution_->epiloguesInside() > 0) name += ", epilogues inside";
        return finish_.text(name);
    }

private:
    CudaDevice& device_;
    ConvolutionSpec spec_;
    std::unique_ptr<CudnnConvolution> convolution_;
    LibraryKernelPtr instead_; ///< once it has refused the call
    Finish finish_;
};

class GeneratedCall : public LibraryKernel {
public:
    GeneratedCall(CudaDevice& device, const ConvolutionSpec& spec) : device_(device), spec_(spec) {}
    base::Status prepare(bool aligned) {
        if (spec_.batches() * spec_.m * spec_.n > 0) {
            tf32_ = precision().convolutionTf32 && spec_.dtype == ir::DType::Float32 &&
                    hasTf32(device_.info()) && !isDirectConvolution(spec_);
            const ConvolutionSources sources =
                convolutionSources(spec_, tf32_, device_.info().multiprocessors, aligned);
            finishes_ = sources.finishes;
            partBytes_ = sources.partBytes;
            std::vector<codegen::KernelSource> texts = {sources.product};
            for (const ConvolutionSources::Copy& copy : sources.copies)
                texts.push_back(copy.source);
            if (partBytes_ > 0) texts.push_back(sources.sum);
            CUTAWAY_TRY(std::vector<CudaKernelPtr> kernels, loadSources(device_, texts));
            product_ = std::move(kernels.front());
            for (size_t i = 0; i < sources.copies.size(); ++i) {
                const ConvolutionSources::Copy& copy = sources.copies[i];
                copies_.push_back({copy.operand, std::move(kernels[i + 1]), copy.bytes});
            }
            if (partBytes_ > 0) sum_ = std::move(kernels.back());
        }
        if (finishes_) return {};
        return finish_.prepare(device_, spec_, 0, true);
    }
    base::Status run(void* const* pointers, void* memory, int) override {
        if (!product_) return {};
        device_.activate();
        auto* next = static_cast<std::byte*>(memory);
        void* operands[] = {pointers[0], pointers[1]};
        for (const Copy& copy : copies_) {
            CUTAWAY_CHECK(launch(*copy.kernel, {operands[copy.operand], next}, nullptr));
            operands[copy.operand] = next;
            next += wholeLines(copy.bytes);
        }
        void* result = pointers[spec_.pointerCount() - 1];
        void* part = sum_ ? next : nullptr;
        void* const* further = finishes_ ? pointers + 2 : nullptr;
        CUTAWAY_CHECK(launch(*product_, {operands[0], operands[1], result, part}, further));
        if (sum_) CUTAWAY_CHECK(launch(*sum_, {part, result}, further));
        return finish_.run(spec_, pointers);
    }
    /// Operands that are turned first, one behind the other, then results over parts of the sums.
    int64_t workspace(int) const override {
        int64_t bytes = partBytes_;
        for (const Copy& copy : copies_)
            bytes += wholeLines(copy.bytes);
        return bytes;
    }
    std::string implementation() const override {
        std::string name = "generated kernel";
        if (tf32_) name += ", TF32";
        if (ir::isHalf(spec_.dtype)) name += ", " + std::string(ir::name(spec_.dtype));
        if (finishes_ && spec_.pointerCount() > 3) name += ", epilogues inside";
        return finish_.text(name);
    }

private:
    /// \param further bias and tensors, up to the result; or null
    base::Status launch(const CudaKernel& kernel, std::vector<void*> values,
                        void* const* further) const {
        if (further) values.insert(values.end(), further, further + spec_.pointerCount() - 3);
        std::vector<void*> arguments;
        for (void*& value : values)
            arguments.push_back(&value);
        return kernel.launch(arguments.data());
    }

    CudaDevice& device_;
    ConvolutionSpec spec_;
    bool tf32_ = false, finishes_ = false;
    struct Copy {
        size_t operand;
        CudaKernelPtr kernel;
        int64_t bytes;
    };
    std::vector<Copy> copies_;
    CudaKernelPtr product_, sum_;
    int64_t partBytes_ = 0;
    Finish finish_;
};

} // namespace

base::Result<LibraryKernelPtr> makeCudnnConvolution(CudaDevice& device, const ConvolutionSpec& spec,
                                                    bool aligned, bool endInside) {
    CUTAWAY_TRY(std::unique_ptr<CudnnConvolution> convolution,
                CudnnConvolution::make(device, spec, aligned, endInside));
    if (!convolution) return LibraryKernelPtr();
    auto call = std::make_unique<CudnnCall>(device, spec, std::move(convolution));
    CUTAWAY_CHECK(call->prepare());
    return LibraryKernelPtr(std::move(call));
}

base::Result<LibraryKernelPtr> makeGeneratedConvolution(CudaDevice& device,
                                                        const ConvolutionSpec& spec, bool aligned) {
    auto call = std::make_unique<GeneratedCall>(device, spec);
    CUTAWAY_CHECK(call->prepare(aligned));
    return LibraryKernelPtr(std::move(call));
}

} // namespace cutaway::runtime
