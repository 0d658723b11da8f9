// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cpu_target.h"

#include "core/runtime/deterministic.h"
#include "core/runtime/executable_internal.h"
#include "core/runtime/meta_backend.h"

#include "core/base/text.h"
#include "core/ir/meta_device.h"

#include <mutex>

namespace cutaway::runtime {
namespace {

class Cpu : public Target {
public:
    std::string_view language() const override { return "cpp"; }
    base::Result<TargetDevice> device(int, const DeviceLimits& limits) override {
        return exampleDevice(limits);
    }
    TargetDevice exampleDevice(const DeviceLimits& limits) const override {
        static const jit::HostCpu host = jit::hostCpu();
        const int bytes = limits.vectorBytes > 0 ? limits.vectorBytes : host.vectorBytes;
        TargetDevice device{{},
                            schedule::cpuModel(limits.threads, bytes, host.l2Bytes, host.l3Bytes)};
        device.model.deterministic = deterministic();
        return device;
    }
    bool takesSizes() const override { return true; }

    codegen::KernelSource emit(const kernel::KernelProgram& program, const kernel::Kernel& kernel,
                               const schedule::Candidate& how) const override {
        return codegen::emitCpp(program, kernel, how);
    }
    std::string launchText(const codegen::KernelSource&) const override { return {}; }
    std::vector<base::Result<CompiledKernel>>
    compile(std::span<const codegen::KernelSource> sources, const TargetDevice& device,
            const BinaryOptions& options) override;
    base::Result<std::shared_ptr<Executable>> load(ProgramPtr program, memory::MemoryPlan plan,
                                                   std::vector<CompiledKernel> kernels) override {
        return makeCpuExecutable(std::move(program), std::move(plan), std::move(kernels));
    }
    std::span<const std::string_view> listings() const override { return kListings; }
    base::Result<CompilerListing> list(const ListingRequest& request) override;
    base::Result<jit::LineTable> lineTable(const codegen::KernelSource& source) override {
        jit::CpuCompileOptions options;
        options.preludeLines = source.preludeLines;
        return compiler().lineTable(source.entry, source.text, options);
    }
    std::optional<base::Diagnostic> cacheProblem() override { return compiler().cacheProblem(); }

private:
    jit::CpuCompiler& compiler() {
        std::call_once(started_, [this] { compiler_ = jit::CpuCompiler::create(); });
        return *compiler_;
    }

    static constexpr std::string_view kListings[] = {"llvm", "llvm-before", "asm"};
    std::once_flag started_;
    std::unique_ptr<jit::CpuCompiler> compiler_;
};

std::vector<base::Result<CompiledKernel>>
Cpu::compile(std::span<const codegen::KernelSource> sources, const TargetDevice& device,
             const BinaryOptions& options) {
    std::vector<std::pair<std::string, std::string>> texts;
    for (const codegen::KernelSource& source : sources)
        texts.emplace_back(source.entry, source.text);
    jit::CpuCompileOptions how;
    how.cpu = device.architecture;
    how.cacheFolder = options.cacheFolder;
    how.cancel = options.cancel;
    how.progress = options.progress;
    std::vector<base::Result<CompiledKernel>> compiled;
    size_t next = 0;
    for (auto& module : compiler().compileAll(texts, how)) {
        const codegen::KernelSource& source = sources[next++];
        if (module)
            compiled.emplace_back(CompiledKernel{source, std::move(*module), {}});
        else
            compiled.emplace_back(std::move(module.error()));
    }
    return compiled;
}

/// Machine code, with each statement of the C++ text before the instructions that it became.
std::vector<jit::AsmLine> withSource(const std::vector<jit::AsmLine>& assembly,
                                     const std::string& text, int preludeLines) {
    const std::vector<std::string> statements = base::splitLines(text);
    std::vector<jit::AsmLine> lines;
    int shown = 0;
    for (const jit::AsmLine& line : assembly) {
        const auto index = static_cast<size_t>(line.sourceLine) - 1;
        if (line.sourceLine > preludeLines && line.sourceLine != shown &&
            index < statements.size()) {
            const std::string& statement = statements[index];
            const size_t begin = std::min(statement.find_first_not_of(' '), statement.size());
            lines.push_back({"    # " + statement.substr(begin), line.sourceLine});
            shown = line.sourceLine;
        }
        lines.push_back(line);
    }
    return lines;
}

base::Result<CompilerListing> Cpu::list(const ListingRequest& request) {
    jit::CpuCompileOptions options;
    options.preludeLines = request.preludeLines;
    CUTAWAY_TRY(jit::CodeListing made, compiler().list(request.name, request.text, options));
    CompilerListing result;
    result.note = std::move(made.target);
    result.remarks = std::move(made.remarks);
    if (request.language == "asm")
        result.lines = withSource(made.assembly, request.text, request.preludeLines);
    else if (request.language == "llvm")
        result.lines = std::move(made.llvm);
    else
        for (std::string& line : base::splitLines(made.llvmBefore))
            result.lines.push_back({std::move(line)});
    return result;
}

} // namespace

std::unique_ptr<Target> makeCpuTarget() {
    return std::make_unique<Cpu>();
}

base::Result<DeviceBackend*> openCpuBackend(int index) {
    return index == ir::kMetaDevice.index ? &metaBackend() : &cpuBackend();
}

std::vector<DeviceBackend*> openedCpuBackends() {
    return {&cpuBackend()};
}

} // namespace cutaway::runtime
