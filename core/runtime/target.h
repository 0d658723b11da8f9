// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a kind of device must offer to be compiled for: text, machine code, something that runs.
/// Adding a target is a Target and a DeviceBackend in files of their own, and one row in
/// targets.cpp.
#pragma once

#include "core/base/cancel.h"
#include "core/runtime/device.h"
#include "core/runtime/executable.h"
#include "core/schedule/schedule.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace cutaway::runtime {

/// What a user may hold back of a processor.
struct DeviceLimits {
    int threads = 1;     ///< that its kernels may use
    int vectorBytes = 0; ///< widest vector register; 0: what it has
};

/// What the kernels of one device depend on.
struct TargetDevice {
    std::string architecture; ///< "sm_90"; empty: this machine's processor
    schedule::DeviceModel model;
};

struct BinaryOptions {
    std::string cacheFolder; ///< empty: no disk cache
    base::CancelToken cancel;
    /// Told how many texts are done; may be null.
    std::function<void(size_t done, size_t all)> progress;
};

struct ListingRequest {
    std::string_view language; ///< one of Target::listings()
    std::string name, text;    ///< of the kernel
    int preludeLines = 0;      ///< leading lines of the text that are its prelude
    int deviceIndex = 0;       ///< where it is there; else an example is shown
    std::string cacheFolder;
};

/// What a compiler makes of a text, to look at; every line with the line of the text that it comes
/// from.
struct CompilerListing {
    std::vector<jit::AsmLine> lines;
    std::vector<jit::Remark> remarks;
    std::string note; ///< what it was made for, or by: "x86-64, sapphirerapids, LLVM 19.1.7"
};

/// One kind of device, with its compiler. Thread-safe.
class Target {
public:
    virtual ~Target() = default;
    virtual std::string_view language() const = 0; ///< of its texts: "cpp", "cuda"

    /// The device with this number. Errors: environment error telling what is missing.
    virtual base::Result<TargetDevice> device(int index, const DeviceLimits& limits) = 0;
    /// A device to show texts for on a machine that may have none.
    virtual TargetDevice exampleDevice(const DeviceLimits& limits) const = 0;

    /// Whether its texts take sizes as arguments; else sizes are numbers when a kernel is compiled.
    virtual bool takesSizes() const = 0;

    /// Ways to run a kernel on a device of this target, and the one to take; for a library call
    /// the providers, which need its sizes to be numbers: without them it is empty.
    virtual schedule::Schedule schedule(const kernel::KernelProgram& program,
                                        const kernel::Kernel& kernel,
                                        const TargetDevice& device) const;
    /// The text of a kernel that has loops. \param how a candidate of its schedule
    virtual codegen::KernelSource emit(const kernel::KernelProgram& program,
                                       const kernel::Kernel& kernel,
                                       const schedule::Candidate& how) const = 0;
    /// How the kernel is launched, in words; empty when there is nothing to say.
    virtual std::string launchText(const codegen::KernelSource& source) const = 0;
    /// Machine code of each text; same order. Errors: bug when a text does not compile;
    /// cancelledError() for texts that were not ready when that was asked for; environment error
    /// when there is no compiler.
    virtual std::vector<base::Result<CompiledKernel>>
    compile(std::span<const codegen::KernelSource> sources, const TargetDevice& device,
            const BinaryOptions& options) = 0;
    /// \param program, plan    kept inside; \param kernels one per kernel of the program, same
    /// order
    virtual base::Result<std::shared_ptr<Executable>>
    load(std::shared_ptr<const kernel::KernelProgram> program, memory::MemoryPlan plan,
         std::vector<CompiledKernel> kernels) = 0;

    /// The languages that list() knows: "llvm", "asm".
    virtual std::span<const std::string_view> listings() const = 0;
    /// Errors: environment error when a tool is missing.
    virtual base::Result<CompilerListing> list(const ListingRequest& request) = 0;

    /// Which line of the text each instruction of what compile() made comes from. Errors: user error
    /// where this target does not know.
    virtual base::Result<jit::LineTable> lineTable(const codegen::KernelSource& source) {
        return base::userError({}, "lines of machine code in memory are not known of " +
                                       std::string(language()) + " kernel " + source.entry);
    }

    /// A warning for the user when the disk cache could not be read or written; said once.
    virtual std::optional<base::Diagnostic> cacheProblem() = 0;
};

struct TargetRow {
    ir::Device::Kind kind;
    std::unique_ptr<Target> (*create)(); ///< cheap: a compiler starts with its first text
    base::Result<DeviceBackend*> (*open)(int index);
    std::vector<DeviceBackend*> (*opened)(); ///< those that are open already
};
std::span<const TargetRow> targetTable();
const TargetRow& targetRow(ir::Device::Kind kind);

} // namespace cutaway::runtime
