// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/sized.h"
#include "core/runtime/cuda_generic.h"
#include "core/runtime/cuda_replays.h"
#include "core/runtime/executable_internal.h"
#include "core/runtime/library.h"
#include "core/runtime/precision.h"

#include <fmt/format.h>

#include <list>
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

/// One launch or library call.
struct Step {
    CudaKernelPtr kernel; ///< null: a library call
    size_t first = 0;     ///< of its pointers
    size_t count = 0;
    std::string provider;            ///< of a library call: see CompiledKernel
    std::vector<int32_t> sizes;      ///< size arguments: slots of the size program
    int32_t blocks = 0, scratch = 0; ///< likewise: of the grid, bytes
    std::optional<size_t> faultsAt;  ///< argument that is the fault words
};

/// What depends on the values of the size symbols, and of the settings that library calls follow.
struct Sizing {
    std::vector<int64_t> symbols;
    Precision precision; ///< that the library calls were made for
    ProgramLayout layout;
    std::vector<Argument> arguments;                   ///< of all steps
    std::vector<unsigned> blocks;                      ///< by step
    std::vector<LibraryKernelPtr> calls;               ///< by step
    std::vector<std::pair<size_t, int64_t>> scratchAt; ///< argument, offset into the scratch memory
    std::vector<std::pair<size_t, int64_t>> sizesAt;   ///< argument, its value
    std::vector<int64_t> inputBytes;                   ///< that inputs' windows span
    std::shared_ptr<CudaFaults> faults;                ///< null when no kernel has checks
    int64_t arenaBytes = 0, scratchBytes = 0;
    int64_t workspaceBytes = 0; ///< what the neediest of the library calls has for itself
};

/// Combinations of sizes that an executable stays prepared for.
constexpr size_t kKeptSizings = 16;

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
    CudaExecutable(CudaDevice& device, ProgramPtr program, memory::MemoryPlan plan,
                   std::vector<CompiledKernel> kernels)
        : device_(device), program_(std::move(program)), plan_(std::move(plan)),
          kernels_(std::move(kernels)), sized_(*program_) {}

    base::Status prepare();
    base::Result<std::vector<TensorPtr>> run(std::span<const TensorPtr> inputs,
                                             std::span<const int64_t> symbols) override {
        return call(inputs, symbols, nullptr);
    }
    base::Result<std::vector<TensorPtr>> profile(std::span<const TensorPtr> inputs,
                                                 std::vector<KernelTime>& times,
                                                 std::span<const int64_t> symbols) override {
        times.clear();
        return call(inputs, symbols, &times);
    }
    void replayLaunches() override { replays_ = std::make_unique<CudaReplays>(device_); }
    base::Result<std::shared_ptr<Executable>> replanned(ProgramPtr program,
                                                        memory::MemoryPlan plan) const override {
        return makeCudaExecutable(std::move(program), std::move(plan), kernels_);
    }
    int launches() const override { return static_cast<int>(steps_.size()); }
    int64_t arenaBytes() const override { return plan_.arenaBytes; }

private:
    using Modules = std::map<std::string_view, CudaModulePtr>; ///< by their binary
    base::Status addKernel(const kernel::Kernel& kernel, const CompiledKernel& compiled,
                           Modules& modules);
    base::Result<Sizing> sizingOf(std::span<const int64_t> symbols);
    base::Status addCall(const kernel::KernelProgram& numbers, size_t index, Sizing& sizing);
    void addLaunch(const kernel::Kernel& kernel, size_t index, Sizing& sizing);
    base::Status fit(std::span<const int64_t> symbols);
    base::Status bind();
    base::Result<std::vector<TensorPtr>> call(std::span<const TensorPtr> inputs,
                                              std::span<const int64_t> symbols,
                                              std::vector<KernelTime>* times);
    base::Status bindInputs(std::span<const TensorPtr> inputs);
    base::Status launchAll();
    base::Status launchTimed(std::vector<KernelTime>& times);
    base::Status launchStep(size_t index) {
        const Step& step = steps_[index];
        const Sizing& sizing = sizings_.front();
        return step.kernel
                   ? step.kernel->launch(addresses_.data() + step.first, sizing.blocks[index])
                   : sizing.calls[index]->run(pointers_.data() + step.first,
                                              workspace_ ? workspace_->data() : nullptr, 1);
    }
    void* start(const Slot& slot) const;

    CudaDevice& device_;
    ProgramPtr program_;
    memory::MemoryPlan plan_;
    std::vector<CompiledKernel> kernels_; ///< for replanned()
    kernel::SizedProgram sized_;
    std::vector<TensorPtr> constants_;
    std::vector<Step> steps_;
    size_t argumentCount_ = 0;
    bool checks_ = false;          ///< a kernel has some
    bool calls_ = false;           ///< there are library calls
    std::list<Sizing> sizings_;    ///< of the last combinations of sizes; the current one in front
    std::vector<void*> pointers_;  ///< values of the arguments
    std::vector<void*> addresses_; ///< of the values: what a launch takes, made once
    std::vector<size_t> perCall_;  ///< arguments but constants: they change every call
    StoragePtr arena_;             ///< during a call
    StoragePtr scratch_;

    std::mutex mutex_; ///< one call at a time queues its work
    std::vector<void*> inputs_;
    std::vector<StoragePtr> outputs_, moved_;
    StoragePtr workspace_;                 ///< during a call
    std::unique_ptr<CudaReplays> replays_; ///< null: every kernel is launched by itself
};

base::Status CudaExecutable::prepare() {
    Modules modules;
    for (size_t i = 0; i < program_->kernels.size(); ++i) {
        const kernel::Kernel& kernel = program_->kernels[i];
        if (kernel.call) {
            Step step;
            step.first = argumentCount_;
            step.count = kernel.call->reads().size() + 1;
            step.provider = kernels_[i].provider;
            calls_ = true;
            argumentCount_ += step.count;
            steps_.push_back(std::move(step));
        } else {
            CUTAWAY_CHECK(addKernel(kernel, kernels_[i], modules));
        }
    }
    pointers_.assign(argumentCount_, nullptr);
    for (void*& pointer : pointers_)
        addresses_.push_back(&pointer);
    CUTAWAY_TRY(Sizing sizing, sizingOf(kernel::hintsOf(program_->loops)));
    CUTAWAY_TRY(constants_, uploadConstants(*program_, sizing.layout, device_.device()));
    sizings_.push_front(std::move(sizing));
    return bind();
}

/// What is the same for all sizes.
base::Status CudaExecutable::addKernel(const kernel::Kernel& kernel, const CompiledKernel& compiled,
                                       Modules& modules) {
    if (compiled.cubin.empty())
        return base::bugError(fmt::format("kernel {} has no GPU code", kernel.name));
    Step step;
    step.first = argumentCount_;
    // Kernels that differ in names only have the same code, in memory too.
    CudaModulePtr& module = modules[compiled.cubin];
    if (!module) {
        CUTAWAY_TRY(module, CudaModule::load(device_, kernel.name, compiled.cubin));
    }
    const codegen::KernelSource& source = compiled.source;
    CUTAWAY_TRY(step.kernel, CudaKernel::load(source, module));
    for (ir::Var variable : source.sizeArguments)
        step.sizes.push_back(sized_.slot(variable));
    step.blocks = sized_.slot(source.launch.blocks);
    step.scratch = sized_.slot(source.scratchBytes);
    // Reads, writes, sizes, fault words, scratch.
    step.count = kernel.reads.size() + kernel.writes.size() + step.sizes.size();
    if (source.checks) step.faultsAt = step.first + step.count++;
    checks_ |= source.checks;
    ++step.count;
    argumentCount_ += step.count;
    steps_.push_back(std::move(step));
    return {};
}

void CudaExecutable::addLaunch(const kernel::Kernel& kernel, size_t index, Sizing& sizing) {
    const Step& step = steps_[index];
    size_t at = step.first;
    for (const auto* buffers : {&kernel.reads, &kernel.writes})
        for (kernel::BufferId id : *buffers)
            sizing.arguments[at++] = {sizing.layout.slots[id.index], 0};
    for (int32_t slot : step.sizes)
        sizing.sizesAt.emplace_back(at++, sized_.value(slot));
    sizing.blocks[index] = static_cast<unsigned>(std::max<int64_t>(sized_.value(step.blocks), 1));
    const int64_t bytes = sized_.value(step.scratch);
    if (bytes == 0) return;
    // Every kernel has scratch of its own: its tickets stay zero between calls.
    sizing.scratchAt.emplace_back(step.first + step.count - 1, sizing.scratchBytes);
    sizing.scratchBytes += (bytes + 255) / 256 * 256;
}

base::Status CudaExecutable::addCall(const kernel::KernelProgram& numbers, size_t index,
                                     Sizing& sizing) {
    CUTAWAY_TRY(LibraryBinding binding, bindCall(numbers, numbers.kernels[index]));
    ProviderContext context;
    context.cuda = &device_;
    context.wanted = steps_[index].provider;
    size_t at = steps_[index].first;
    auto add = [&](kernel::BufferId id, int64_t bytes) {
        const Slot& slot = sizing.layout.slots[id.index];
        sizing.arguments[at++] = {slot, bytes};
        // Inputs are only known to begin at a multiple of 16 bytes.
        const bool input = slot.kind == Placement::Kind::Input;
        context.offsets.push_back(input && bytes % 256 == 0 ? 16 : bytes);
    };
    for (const kernel::StridedView& view : binding.operands)
        add(view.buffer, startOf(numbers, view));
    add(binding.result, 0);
    CUTAWAY_TRY(sizing.calls[index],
                makeLibraryKernel(ir::Device::Kind::Cuda, binding.spec, context));
    sizing.workspaceBytes = std::max(sizing.workspaceBytes, sizing.calls[index]->workspace(1));
    return {};
}

base::Result<Sizing> CudaExecutable::sizingOf(std::span<const int64_t> symbols) {
    const kernel::KernelProgram& numbers = sized_.at(symbols);
    CUTAWAY_CHECK(checkLoadable(numbers));
    Sizing sizing;
    sizing.symbols.assign(symbols.begin(), symbols.end());
    sizing.precision = precision();
    memory::MemoryPlan other;
    if (program_->loops.shapes) other = memory::planFor(plan_, numbers);
    const memory::MemoryPlan& plan = program_->loops.shapes ? other : plan_;
    CUTAWAY_TRY(sizing.layout, layOut(numbers, plan));
    sizing.arenaBytes = plan.arenaBytes;
    sizing.arguments.resize(argumentCount_);
    sizing.blocks.resize(steps_.size());
    sizing.calls.resize(steps_.size());
    for (kernel::BufferId id : numbers.loops.inputs)
        sizing.inputBytes.push_back(windowBytes(numbers.loops.buffer(id)));
    for (size_t i = 0; i < steps_.size(); ++i) {
        if (steps_[i].kernel)
            addLaunch(numbers.kernels[i], i, sizing);
        else
            CUTAWAY_CHECK(addCall(numbers, i, sizing));
    }
    if (checks_) {
        auto why = [checks = numbers.loops.checks](std::span<const int64_t> words) {
            return faultOf(checks, words);
        };
        CUTAWAY_TRY(sizing.faults, CudaFaults::make(device_, numbers.loops.checks.size() + 1, why));
    }
    return sizing;
}

/// Makes everything ready for these sizes, when it is not already.
base::Status CudaExecutable::fit(std::span<const int64_t> symbols) {
    auto isSame = [&, allowed = precision()](const Sizing& sizing) {
        return (!calls_ || sizing.precision == allowed) &&
               std::equal(symbols.begin(), symbols.end(), sizing.symbols.begin(),
                          sizing.symbols.end());
    };
    if (isSame(sizings_.front())) return {};
    if (replays_) replays_->clear();
    if (auto found = std::find_if(sizings_.begin(), sizings_.end(), isSame);
        found != sizings_.end()) {
        sizings_.splice(sizings_.begin(), sizings_, found);
        return bind();
    }
    CUTAWAY_TRY(Sizing fresh, sizingOf(symbols));
    sizings_.push_front(std::move(fresh));
    if (sizings_.size() > kKeptSizings) sizings_.pop_back();
    return bind();
}

/// Memory for the current sizes, and all pointers that do not change with every call. What runs
/// later on the one stream may use memory that is given back here at once.
base::Status CudaExecutable::bind() {
    const Sizing& sizing = sizings_.front();
    auto grow = [&](StoragePtr& storage, int64_t bytes) -> base::Status {
        if (storage && storage->sizeBytes() >= static_cast<size_t>(bytes)) return {};
        storage = nullptr;
        CUTAWAY_TRY(storage, device_.allocate(static_cast<size_t>(bytes)));
        return {};
    };
    CUTAWAY_CHECK(grow(scratch_, sizing.scratchBytes));
    // Tickets lie elsewhere than those of the sizes before.
    CUTAWAY_CHECK(device_.zero(scratch_->data(), static_cast<size_t>(sizing.scratchBytes)));
    std::vector<bool> fixed(argumentCount_);
    auto set = [&](size_t argument, void* value) {
        pointers_[argument] = value;
        fixed[argument] = true;
    };
    for (const Step& step : steps_) {
        if (!step.kernel) continue;
        set(step.first + step.count - 1, nullptr);
        if (step.faultsAt) set(*step.faultsAt, nullptr); // every call has its own
    }
    for (auto [argument, offset] : sizing.scratchAt)
        set(argument, static_cast<std::byte*>(scratch_->data()) + offset);
    // A launch takes the address of a value of 64 bits, whatever it is.
    for (auto [argument, value] : sizing.sizesAt)
        set(argument, reinterpret_cast<void*>(static_cast<intptr_t>(value)));
    perCall_.clear();
    for (size_t i = 0; i < argumentCount_; ++i) {
        if (fixed[i]) continue;
        const Argument& argument = sizing.arguments[i];
        if (argument.slot.kind != Placement::Kind::Constant)
            perCall_.push_back(i);
        else
            pointers_[i] = static_cast<std::byte*>(start(argument.slot)) + argument.bytes;
    }
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
    CUTAWAY_CHECK(checkPlaces(inputs, device_.device()));
    inputs_.resize(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
        inputs_[i] = inputs[i]->data();
        if (reinterpret_cast<uintptr_t>(inputs_[i]) % 16 == 0) continue;
        const auto bytes = static_cast<size_t>(sizings_.front().inputBytes[i]);
        CUTAWAY_TRY(StoragePtr copy, device_.allocate(bytes));
        CUTAWAY_CHECK(device_.copyWithin(copy->data(), inputs_[i], bytes));
        inputs_[i] = copy->data();
        moved_.push_back(std::move(copy));
    }
    return {};
}

base::Result<std::vector<TensorPtr>> CudaExecutable::call(std::span<const TensorPtr> inputs,
                                                          std::span<const int64_t> symbols,
                                                          std::vector<KernelTime>* times) {
    std::lock_guard lock(mutex_);
    device_.activate();
    CUTAWAY_CHECK(fit(symbols));
    const Sizing& sizing = sizings_.front();
    moved_.clear();
    outputs_.clear();
    for (int64_t bytes : sizing.layout.outputBytes) {
        CUTAWAY_TRY(StoragePtr storage, device_.allocate(static_cast<size_t>(bytes)));
        outputs_.push_back(std::move(storage));
    }
    // What runs later on the stream may have the memory: library calls, too, one after the other,
    // and other programs.
    if (sizing.arenaBytes > 0) {
        CUTAWAY_TRY(arena_, device_.allocate(static_cast<size_t>(sizing.arenaBytes)));
    }
    workspace_ = nullptr;
    if (sizing.workspaceBytes > 0) {
        CUTAWAY_TRY(workspace_, device_.allocate(static_cast<size_t>(sizing.workspaceBytes)));
    }
    CUTAWAY_CHECK(bindInputs(inputs));
    for (size_t i : perCall_)
        pointers_[i] =
            static_cast<std::byte*>(start(sizing.arguments[i].slot)) + sizing.arguments[i].bytes;
    if (sizing.faults) {
        CUTAWAY_TRY(int64_t* const words, sizing.faults->next());
        for (const Step& step : steps_)
            if (step.faultsAt) pointers_[*step.faultsAt] = words;
        device_.watch(sizing.faults);
    }
    if (times) {
        CUTAWAY_CHECK(launchTimed(*times));
    } else if (replays_) {
        std::vector<void*> arguments = pointers_;
        arguments.push_back(workspace_ ? workspace_->data() : nullptr);
        CUTAWAY_CHECK(replays_->run(std::move(arguments), [this] { return launchAll(); }));
    } else {
        CUTAWAY_CHECK(launchAll());
    }
    std::vector<TensorPtr> results = makeOutputs(sizing.layout, inputs, constants_, outputs_);
    outputs_.clear();
    moved_.clear();
    workspace_ = arena_ = nullptr;
    return results;
}

base::Status CudaExecutable::launchAll() {
    for (size_t i = 0; i < steps_.size(); ++i)
        CUTAWAY_CHECK(launchStep(i));
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
        if (status.ok() && i < steps_.size()) status = launchStep(i);
    }
    if (status.ok()) status = driver.check(driver.eventSynchronize(events.back()), "wait");
    for (size_t i = 0; status.ok() && i < steps_.size(); ++i) {
        float ms = 0;
        driver.eventElapsed(&ms, events[i], events[i + 1]);
        times.push_back({static_cast<int>(i), ms * 1000.0});
    }
    for (CuEvent event : events)
        if (event) driver.eventDestroy(event);
    if (status.ok()) status = device_.takeFault();
    return status;
}

} // namespace

base::Result<std::shared_ptr<Executable>> makeCudaExecutable(ProgramPtr program,
                                                             memory::MemoryPlan plan,
                                                             std::vector<CompiledKernel> kernels) {
    CUTAWAY_CHECK(checkComplete(*program, kernels));
    CUTAWAY_CHECK(checkLoadable(*program));
    CUTAWAY_TRY(CudaDevice * device, CudaDevice::open(deviceOf(*program).index));
    auto executable = std::make_shared<CudaExecutable>(*device, std::move(program), std::move(plan),
                                                       std::move(kernels));
    CUTAWAY_CHECK(executable->prepare());
    return std::shared_ptr<Executable>(std::move(executable));
}

} // namespace cutaway::runtime
