// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cuda_target.h"

#include "core/base/text.h"
#include "core/jit/cpu_compiler.h"
#include "core/jit/cubin.h"
#include "core/jit/cuda_compiler.h"
#include "core/jit/listing_lines.h"
#include "core/runtime/cuda.h"
#include "core/runtime/deterministic.h"
#include "core/runtime/executable_internal.h"

#include <fmt/format.h>

#include <mutex>

namespace cutaway::runtime {
namespace {

/// The model with what was asked of results.
schedule::DeviceModel following(schedule::DeviceModel model) {
    model.deterministic = deterministic();
    return model;
}

class Cuda : public Target {
public:
    std::string_view language() const override { return "cuda"; }
    base::Result<TargetDevice> device(int index, const DeviceLimits&) override {
        CUTAWAY_TRY(CudaDeviceInfo info, cudaDevice(index));
        return TargetDevice{info.architecture,
                            following(schedule::cudaModel(info.multiprocessors, info.l2Bytes))};
    }
    TargetDevice exampleDevice(const DeviceLimits&) const override {
        return {"sm_90", following(schedule::cudaModel())};
    }
    bool takesSizes() const override { return true; }

    codegen::KernelSource emit(const kernel::KernelProgram& program, const kernel::Kernel& kernel,
                               const schedule::Candidate& how) const override {
        return codegen::emitCuda(program, kernel, how);
    }
    std::string launchText(const codegen::KernelSource& source) const override {
        return fmt::format(
            "launch: {} blocks of {} threads, {} bytes of shared memory, {} bytes of scratch",
            source.launch.blocks.str(), source.launch.threads, source.launch.sharedBytes,
            source.scratchBytes.str());
    }
    std::vector<base::Result<CompiledKernel>>
    compile(std::span<const codegen::KernelSource> sources, const TargetDevice& device,
            const BinaryOptions& options) override;
    base::Result<std::shared_ptr<Executable>> load(ProgramPtr program, memory::MemoryPlan plan,
                                                   std::vector<CompiledKernel> kernels) override {
        return makeCudaExecutable(std::move(program), std::move(plan), std::move(kernels));
    }
    std::span<const std::string_view> listings() const override { return kListings; }
    base::Result<CompilerListing> list(const ListingRequest& request) override;
    std::optional<base::Diagnostic> cacheProblem() override {
        const std::lock_guard lock(mutex_);
        return compiler_ ? compiler_->cacheProblem() : std::nullopt;
    }

private:
    /// Errors: environment error that tells what is missing.
    base::Result<jit::CudaCompiler*> compiler() {
        const std::lock_guard lock(mutex_);
        if (!compiler_) {
            CUTAWAY_TRY(compiler_, jit::CudaCompiler::create());
        }
        return compiler_.get();
    }

    static constexpr std::string_view kListings[] = {"ptx", "sass"};
    std::mutex mutex_;
    std::unique_ptr<jit::CudaCompiler> compiler_;
};

std::vector<base::Result<CompiledKernel>>
Cuda::compile(std::span<const codegen::KernelSource> sources, const TargetDevice& device,
              const BinaryOptions& options) {
    std::vector<base::Result<CompiledKernel>> compiled;
    auto nvrtc = compiler();
    if (!nvrtc) {
        for (size_t i = 0; i < sources.size(); ++i)
            compiled.emplace_back(nvrtc.error());
        return compiled;
    }
    std::vector<std::pair<std::string, std::string>> texts;
    for (const codegen::KernelSource& source : sources)
        texts.emplace_back(source.entry, source.text);
    auto binaries = (*nvrtc)->compileAll(texts, device.architecture, options.cacheFolder,
                                         options.cancel, options.progress);
    for (size_t i = 0; i < sources.size(); ++i) {
        if (binaries[i])
            compiled.emplace_back(
                CompiledKernel{sources[i], nullptr, std::move(binaries[i]->cubin)});
        else
            compiled.emplace_back(std::move(binaries[i].error()));
    }
    return compiled;
}

/// What the kernel takes of a multiprocessor; empty: the cubin does not say.
std::string resourcesOf(const std::string& cubin, const std::string& name,
                        const std::string& architecture) {
    for (const jit::KernelResources& kernel : jit::kernelResources(cubin))
        if (kernel.kernel == name) return ": " + jit::resourcesText(kernel, architecture);
    return {};
}

/// GPU code, each line with the line of the CUDA text that it was made from.
std::vector<jit::AsmLine> withLines(const std::string& code) {
    std::vector<jit::AsmLine> lines;
    int current = 0;
    for (std::string& line : base::splitLines(code)) {
        if (auto location = jit::sourceLineNamedBy(line)) current = *location;
        lines.push_back({std::move(line), current});
    }
    return lines;
}

base::Result<CompilerListing> Cuda::list(const ListingRequest& request) {
    const auto here = device(request.deviceIndex, {});
    const std::string architecture = (here ? *here : exampleDevice({})).architecture;
    auto nvrtc = compiler();
    if (!nvrtc && request.language == "ptx") { // Clang's NVPTX target needs no toolkit
        CUTAWAY_TRY(std::string preview, jit::previewPtx(request.name, request.text, architecture));
        return CompilerListing{withLines(preview),
                               {},
                               "made by Clang's NVPTX target; NVRTC: " + nvrtc.error().message};
    }
    if (!nvrtc) return nvrtc.error();
    CUTAWAY_TRY(jit::CudaBinary binary,
                (*nvrtc)->compile(request.name, request.text, architecture, request.cacheFolder));
    const std::string note = fmt::format("NVRTC {}, {}{}", (*nvrtc)->version(), architecture,
                                         resourcesOf(binary.cubin, request.name, architecture));
    if (request.language == "ptx") return CompilerListing{withLines(binary.ptx), {}, note};
    CUTAWAY_TRY(std::string sass, jit::disassembleSass(binary.cubin));
    return CompilerListing{withLines(sass), {}, note};
}

} // namespace

std::unique_ptr<Target> makeCudaTarget() {
    return std::make_unique<Cuda>();
}

Target& runtimeCudaTarget() {
    // Never destroyed: tensors are copied while other static objects end.
    static auto* const target = new Cuda;
    return *target;
}

} // namespace cutaway::runtime
