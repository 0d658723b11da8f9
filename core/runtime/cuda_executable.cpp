// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cuda_generic.h"
#include "core/runtime/executable_internal.h"
#include "core/runtime/library.h"

#include <fmt/format.h>

#include <map>
#include <string_view>

namespace cutaway::runtime {
namespace {

using memory::Placement;

/// Where one pointer of a launch comes from.
struct Argument {
    Slot slot;
    int64_t bytes = 0; ///< added to the slot's start
};

struct Step {
    CudaKernelPtr kernel; ///< null: a library call
    LibraryKernelPtr call;
    size_t first = 0; ///< of its pointers
    size_t count = 0;
};

/// Bytes that an input's window spans; an input that begins at an odd place is copied to an even
/// one.
int64_t windowBytes(const kernel::Buffer& buffer) {
    int64_t last = 0;
    for (size_t d = 0; d < buffer.sizes.size(); ++d) {
        if (buffer.sizes[d].is(0)) return 0;
        last += (buffer.sizes[d].constant() - 1) * buffer.strides[d].constant();
    }
    return (last + 1) * static_cast<int64_t>(ir::sizeBytes(buffer.dtype));
}

class CudaExecutable : public Executable {
public:
    CudaExecutable(CudaDevice& device, ProgramPtr program, memory::MemoryPlan plan)
        : device_(device), program_(std::move(program)), plan_(std::move(plan)) {}

    base::Status prepare(const std::vector<CompiledKernel>& kernels);
    base::Result<std::vector<TensorPtr>> run(std::span<const TensorPtr> inputs,
                                             std::span<const int64_t>) override {
        return call(inputs, nullptr);
    }
    base::Result<std::vector<TensorPtr>> profile(std::span<const TensorPtr> inputs,
                                                 std::vector<KernelTime>& times,
                                                 std::span<const int64_t>) override {
        times.clear();
        return call(inputs, &times);
    }
    int launches() const override { return static_cast<int>(steps_.size()); }
    int64_t arenaBytes() const override { return plan_.arenaBytes; }

private:
    using Modules = std::map<std::string_view, CudaModulePtr>; ///< by their binary
    base::Status addKernel(const kernel::Kernel& kernel, const CompiledKernel& compiled,
                           Modules& modules);
    base::Status addCall(const kernel::Kernel& kernel);
    base::Status reserveMemory();
    base::Status reserveFaults();
    base::Result<std::vector<TensorPtr>> call(std::span<const TensorPtr> inputs,
                                              std::vector<KernelTime>* times);
    base::Status bindInputs(std::span<const TensorPtr> inputs);
    base::Status launchAll();
    base::Status launchTimed(std::vector<KernelTime>& times);
    base::Status launchStep(const Step& step) {
        return step.kernel ? step.kernel->launch(addresses_.data() + step.first)
                           : step.call->run(pointers_.data() + step.first, 1);
    }
    void* start(const Slot& slot) const;

    CudaDevice& device_;
    ProgramPtr program_;
    memory::MemoryPlan plan_;
    ProgramLayout layout_;
    std::vector<TensorPtr> constants_;
    std::vector<Step> steps_;
    std::vector<Argument> arguments_;
    std::vector<void*> pointers_;  ///< values of the arguments
    std::vector<void*> addresses_; ///< of the values: what a launch takes, made once
    std::vector<size_t> perCall_;  ///< arguments that are inputs or outputs: they change every call
    std::vector<std::pair<size_t, int64_t>> scratchAt_; ///< argument, offset into scratch_
    std::vector<size_t> faultsAt_;                      ///< arguments that are the fault words
    std::shared_ptr<CudaFaults> faults_;                ///< null when no kernel has checks
    int64_t scratchBytes_ = 0;
    StoragePtr arena_, scratch_;

    std::mutex mutex_; ///< one call at a time queues its work
    std::vector<void*> inputs_;
    std::vector<StoragePtr> outputs_, moved_;
};

base::Status CudaExecutable::prepare(const std::vector<CompiledKernel>& kernels) {
    CUTAWAY_TRY(layout_, layOut(*program_, plan_));
    CUTAWAY_TRY(constants_, uploadConstants(*program_, layout_, device_.device()));
    Modules modules;
    for (size_t i = 0; i < program_->kernels.size(); ++i) {
        const kernel::Kernel& kernel = program_->kernels[i];
        CUTAWAY_CHECK(kernel.call ? addCall(kernel) : addKernel(kernel, kernels[i], modules));
    }
    return reserveMemory();
}

base::Status CudaExecutable::addKernel(const kernel::Kernel& kernel,
                                       const CompiledKernel& compiled, Modules& modules) {
    if (compiled.cubin.empty())
        return base::bugError(fmt::format("kernel {} has no GPU code", kernel.name));
    Step step;
    step.first = arguments_.size();
    // Kernels that differ in names only have the same code, in memory too.
    CudaModulePtr& module = modules[compiled.cubin];
    if (!module) {
        CUTAWAY_TRY(module, CudaModule::load(device_, kernel.name, compiled.cubin));
    }
    CUTAWAY_TRY(step.kernel, CudaKernel::load(compiled.source, module));
    for (kernel::BufferId id : kernel.reads)
        arguments_.push_back({layout_.slots[id.index], 0});
    for (kernel::BufferId id : kernel.writes)
        arguments_.push_back({layout_.slots[id.index], 0});
    if (compiled.source.checks) {
        faultsAt_.push_back(arguments_.size());
        arguments_.emplace_back();
    }
    // Every kernel has scratch of its own: its tickets stay zero between calls.
    if (step.kernel->scratchBytes() > 0) {
        scratchAt_.emplace_back(arguments_.size(), scratchBytes_);
        scratchBytes_ += (step.kernel->scratchBytes() + 255) / 256 * 256;
    }
    arguments_.emplace_back();
    step.count = arguments_.size() - step.first;
    steps_.push_back(std::move(step));
    return {};
}

base::Status CudaExecutable::addCall(const kernel::Kernel& kernel) {
    CUTAWAY_TRY(LibraryBinding binding, bindCall(*program_, kernel));
    Step step;
    step.first = arguments_.size();
    const auto width = static_cast<int64_t>(ir::sizeBytes(binding.dtype));
    ProviderContext context;
    context.cuda = &device_;
    auto add = [&](kernel::BufferId id, int64_t bytes) {
        const Slot& slot = layout_.slots[id.index];
        arguments_.push_back({slot, bytes});
        // Inputs are only known to begin at a multiple of 16 bytes.
        const bool input = slot.kind == Placement::Kind::Input;
        context.offsets.push_back(input && bytes % 256 == 0 ? 16 : bytes);
    };
    for (const kernel::StridedView& view : binding.operands)
        add(view.buffer, view.offset.constant() * width);
    add(binding.result, 0);
    step.count = arguments_.size() - step.first;
    CUTAWAY_TRY(step.call,
                makeLibraryKernel(ir::Device::Kind::Cuda, binding.spec, context));
    steps_.push_back(std::move(step));
    return {};
}

base::Status CudaExecutable::reserveMemory() {
    CUTAWAY_TRY(arena_, device_.allocate(static_cast<size_t>(plan_.arenaBytes)));
    CUTAWAY_TRY(scratch_, device_.allocate(static_cast<size_t>(scratchBytes_)));
    CUTAWAY_CHECK(device_.zero(scratch_->data(), static_cast<size_t>(scratchBytes_)));
    pointers_.assign(arguments_.size(), nullptr);
    for (void*& pointer : pointers_)
        addresses_.push_back(&pointer);
    std::vector<bool> fixed(arguments_.size());
    CUTAWAY_CHECK(reserveFaults());
    for (size_t argument : faultsAt_) {
        pointers_[argument] = faults_->words();
        fixed[argument] = true;
    }
    for (auto [argument, offset] : scratchAt_) {
        pointers_[argument] = static_cast<std::byte*>(scratch_->data()) + offset;
        fixed[argument] = true;
    }
    for (const Step& step : steps_)
        if (step.kernel) fixed[step.first + step.count - 1] = true;
    for (size_t i = 0; i < arguments_.size(); ++i) {
        if (fixed[i]) continue;
        const Placement::Kind kind = arguments_[i].slot.kind;
        if (kind == Placement::Kind::Input || kind == Placement::Kind::Output)
            perCall_.push_back(i);
        else
            pointers_[i] = static_cast<std::byte*>(start(arguments_[i].slot)) + arguments_[i].bytes;
    }
    return {};
}

base::Status CudaExecutable::reserveFaults() {
    if (faultsAt_.empty()) return {};
    auto why = [program = program_](std::span<const int64_t> words) {
        return faultOf(program->loops.checks, words);
    };
    CUTAWAY_TRY(faults_, CudaFaults::make(device_, program_->loops.checks.size() + 1, why));
    return {};
}

void* CudaExecutable::start(const Slot& slot) const {
    const auto index = static_cast<size_t>(slot.index);
    void* data = nullptr;
    switch (slot.kind) {
    case Placement::Kind::Input:
        data = inputs_[index];
        break;
    case Placement::Kind::Constant:
        data = constants_[index]->data();
        break;
    case Placement::Kind::Output:
        data = outputs_[index]->data();
        break;
    case Placement::Kind::Arena:
        data = arena_->data();
        break;
    }
    return static_cast<std::byte*>(data) + slot.offset;
}

base::Status CudaExecutable::bindInputs(std::span<const TensorPtr> inputs) {
    inputs_.resize(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
        inputs_[i] = inputs[i]->data();
        if (reinterpret_cast<uintptr_t>(inputs_[i]) % 16 == 0) continue;
        const auto bytes =
            static_cast<size_t>(windowBytes(program_->loops.buffer(program_->loops.inputs[i])));
        CUTAWAY_TRY(StoragePtr copy, device_.allocate(bytes));
        CUTAWAY_CHECK(device_.copyWithin(copy->data(), inputs_[i], bytes));
        inputs_[i] = copy->data();
        moved_.push_back(std::move(copy));
    }
    return {};
}

base::Result<std::vector<TensorPtr>> CudaExecutable::call(std::span<const TensorPtr> inputs,
                                                          std::vector<KernelTime>* times) {
    std::lock_guard lock(mutex_);
    device_.activate();
    moved_.clear();
    outputs_.clear();
    for (int64_t bytes : layout_.outputBytes) {
        CUTAWAY_TRY(StoragePtr storage, device_.allocate(static_cast<size_t>(bytes)));
        outputs_.push_back(std::move(storage));
    }
    CUTAWAY_CHECK(bindInputs(inputs));
    for (size_t i : perCall_)
        pointers_[i] = static_cast<std::byte*>(start(arguments_[i].slot)) + arguments_[i].bytes;
    if (faults_) device_.watch(faults_);
    CUTAWAY_CHECK(times ? launchTimed(*times) : launchAll());
    std::vector<TensorPtr> results = makeOutputs(layout_, inputs, constants_, outputs_);
    outputs_.clear();
    moved_.clear();
    return results;
}

base::Status CudaExecutable::launchAll() {
    for (const Step& step : steps_)
        CUTAWAY_CHECK(launchStep(step));
    return {};
}

base::Status CudaExecutable::launchTimed(std::vector<KernelTime>& times) {
    const CudaDriver& driver = device_.driver();
    std::vector<CuEvent> events(steps_.size() + 1, nullptr);
    base::Status status;
    for (CuEvent& event : events)
        if (status.ok()) status = driver.check(driver.eventCreate(&event, 0), "create an event");
    for (size_t i = 0; status.ok() && i < events.size(); ++i) {
        status = driver.check(driver.eventRecord(events[i], device_.stream()), "record an event");
        if (status.ok() && i < steps_.size()) status = launchStep(steps_[i]);
    }
    if (status.ok()) status = driver.check(driver.eventSynchronize(events.back()), "wait");
    for (size_t i = 0; status.ok() && i < steps_.size(); ++i) {
        float ms = 0;
        driver.eventElapsed(&ms, events[i], events[i + 1]);
        times.push_back({static_cast<int>(i), ms * 1000.0});
    }
    for (CuEvent event : events)
        if (event) driver.eventDestroy(event);
    return status.ok() ? device_.takeFault() : status;
}

} // namespace

base::Result<std::shared_ptr<Executable>> makeCudaExecutable(ProgramPtr program,
                                                             memory::MemoryPlan plan,
                                                             std::vector<CompiledKernel> kernels) {
    CUTAWAY_CHECK(checkLoadable(*program, kernels));
    CUTAWAY_TRY(CudaDevice * device, CudaDevice::open(deviceOf(*program).index));
    auto executable =
        std::make_shared<CudaExecutable>(*device, std::move(program), std::move(plan));
    CUTAWAY_CHECK(executable->prepare(kernels));
    return std::shared_ptr<Executable>(std::move(executable));
}

} // namespace cutaway::runtime
