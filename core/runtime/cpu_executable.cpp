// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/device.h"
#include "core/runtime/executable_internal.h"
#include "core/runtime/library.h"
#include "core/runtime/run_aside.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <mutex>

namespace cutaway::runtime {
namespace {

using memory::Placement;
using KernelFunction = void (*)(void* const* buffers, void* scratch, long threads);

/// Where one pointer of a kernel's argument table comes from.
struct Argument {
    Slot slot;
    int64_t bytes = 0; ///< added to the slot's start
};

/// One kernel of the flat list.
struct Step {
    KernelFunction function = nullptr; ///< null: a library call
    std::optional<LibrarySpec> call;
    size_t firstArgument = 0; ///< into the table of pointers
};

/// An input or a constant of which a library call keeps a copy in its own layout (packed weights),
/// and which memory that copy was made of.
struct Kept {
    size_t step = 0, operand = 0;
    Slot slot;
    std::weak_ptr<Storage> storage;
    uint32_t version = 0;
    void* data = nullptr;

    /// Whether the memory is the last call's and nobody wrote to it since; remembers it.
    bool same(const Tensor& tensor) {
        const bool unchanged = storage.lock() == tensor.storage &&
                               version == tensor.storage->version && data == tensor.data();
        storage = tensor.storage;
        version = tensor.storage->version;
        data = tensor.data();
        return unchanged;
    }
};

/// What one call in progress owns. Two calls at once have two frames.
struct Frame {
    StoragePtr arena, scratch;
    std::vector<int64_t> faults; ///< the fault words; empty when no kernel has checks
    std::vector<void*> pointers; ///< all kernels' arguments; arena and constants filled in once
    std::vector<LibraryKernelPtr> calls; ///< by step; null for generated kernels
    std::vector<Kept> kept;
    std::vector<StoragePtr> outputs; ///< during a call
};

/// From here on a kernel takes a good part of a second: somebody may want to cancel it.
constexpr double kLongKernel = 0x1p30;

class CpuExecutable : public Executable, public std::enable_shared_from_this<CpuExecutable> {
public:
    CpuExecutable(ProgramPtr program, memory::MemoryPlan plan, std::vector<CompiledKernel> kernels)
        : program_(std::move(program)), plan_(std::move(plan)), kernels_(std::move(kernels)),
          maxThreads_(threads()) {}

    base::Status prepare();
    base::Result<std::vector<TensorPtr>> run(std::span<const TensorPtr> inputs) override {
        return long_ ? callAside(inputs, nullptr) : call(inputs, nullptr);
    }
    base::Result<std::vector<TensorPtr>> profile(std::span<const TensorPtr> inputs,
                                                 std::vector<KernelTime>& times) override {
        times.clear();
        return long_ ? callAside(inputs, &times) : call(inputs, &times);
    }
    int launches() const override { return static_cast<int>(steps_.size()); }
    int64_t arenaBytes() const override { return plan_.arenaBytes; }

private:
    base::Status addStep(size_t index);
    base::Result<std::unique_ptr<Frame>> makeFrame() const;
    base::Result<std::unique_ptr<Frame>> takeFrame();
    base::Result<std::vector<TensorPtr>> call(std::span<const TensorPtr> inputs,
                                              std::vector<KernelTime>* times);
    base::Result<std::vector<TensorPtr>> callAside(std::span<const TensorPtr> inputs,
                                                   std::vector<KernelTime>* times);
    bool isFaults(size_t argument) const {
        return std::binary_search(faultArguments_.begin(), faultArguments_.end(), argument);
    }
    base::Status runSteps(Frame& frame, std::vector<KernelTime>* times) const;
    void* start(const Frame& frame, const Slot& slot, std::span<const TensorPtr> inputs) const;

    ProgramPtr program_;
    memory::MemoryPlan plan_;
    std::vector<CompiledKernel> kernels_; ///< keeps the machine code alive
    int maxThreads_;                      ///< scratch is sized for this many
    ProgramLayout layout_;
    std::vector<TensorPtr> constants_;
    std::vector<Step> steps_;
    std::vector<Argument> arguments_;
    std::vector<size_t> perCall_; ///< arguments that are inputs or outputs: they change every call
    std::vector<size_t> faultArguments_; ///< arguments that are the fault words
    int64_t scratchBytes_ = 0;
    bool long_ = false; ///< a call may take seconds

    std::mutex mutex_;
    std::vector<std::unique_ptr<Frame>> idle_;
};

base::Status CpuExecutable::prepare() {
    CUTAWAY_TRY(layout_, layOut(*program_, plan_));
    CUTAWAY_TRY(constants_, uploadConstants(*program_, layout_, {}));
    for (size_t i = 0; i < program_->kernels.size(); ++i)
        CUTAWAY_CHECK(addStep(i));
    for (size_t i = 0; i < arguments_.size(); ++i) {
        if (isFaults(i)) continue;
        Placement::Kind kind = arguments_[i].slot.kind;
        if (kind == Placement::Kind::Input || kind == Placement::Kind::Output)
            perCall_.push_back(i);
    }
    return {};
}

base::Status CpuExecutable::addStep(size_t index) {
    const kernel::Kernel& kernel = program_->kernels[index];
    long_ |= passes(kernel) > kLongKernel;
    Step step;
    step.firstArgument = arguments_.size();
    auto slot = [&](kernel::BufferId id) { return layout_.slots[id.index]; };
    if (kernel.call) {
        CUTAWAY_TRY(LibraryBinding binding, bindCall(*program_, kernel));
        auto width = static_cast<int64_t>(ir::sizeBytes(binding.dtype));
        for (const kernel::StridedView& view : binding.operands)
            arguments_.push_back({slot(view.buffer), view.offset.constant() * width});
        arguments_.push_back({slot(binding.result), 0});
        step.call = std::move(binding.spec);
        steps_.push_back(std::move(step));
        return {};
    }
    const CompiledKernel& compiled = kernels_[index];
    void* symbol = compiled.module ? compiled.module->symbol(compiled.source.entry) : nullptr;
    if (!symbol)
        return base::bugError(fmt::format("kernel {} has no machine code under the name {}",
                                          kernel.name, compiled.source.entry));
    step.function = reinterpret_cast<KernelFunction>(symbol);
    for (kernel::BufferId id : kernel.reads)
        arguments_.push_back({slot(id), 0});
    for (kernel::BufferId id : kernel.writes)
        arguments_.push_back({slot(id), 0});
    if (compiled.source.checks) {
        faultArguments_.push_back(arguments_.size());
        arguments_.emplace_back();
    }
    scratchBytes_ = std::max(scratchBytes_, compiled.source.scratchBytes);
    steps_.push_back(std::move(step));
    return {};
}

void* CpuExecutable::start(const Frame& frame, const Slot& slot,
                           std::span<const TensorPtr> inputs) const {
    auto index = static_cast<size_t>(slot.index);
    void* data = nullptr;
    switch (slot.kind) {
    case Placement::Kind::Input:
        data = inputs[index]->data();
        break;
    case Placement::Kind::Constant:
        data = constants_[index]->data();
        break;
    case Placement::Kind::Output:
        data = frame.outputs[index]->data();
        break;
    case Placement::Kind::Arena:
        data = frame.arena->data();
        break;
    }
    return static_cast<std::byte*>(data) + slot.offset;
}

base::Result<std::unique_ptr<Frame>> CpuExecutable::makeFrame() const {
    auto frame = std::make_unique<Frame>();
    CUTAWAY_TRY(frame->arena, allocate({}, static_cast<size_t>(plan_.arenaBytes)));
    CUTAWAY_TRY(frame->scratch, allocate({}, static_cast<size_t>(scratchBytes_)));
    frame->pointers.resize(arguments_.size());
    if (!faultArguments_.empty()) frame->faults.resize(program_->loops.checks.size() + 1);
    for (size_t i : faultArguments_)
        frame->pointers[i] = frame->faults.data();
    for (size_t i = 0; i < arguments_.size(); ++i) {
        if (isFaults(i)) continue;
        Placement::Kind kind = arguments_[i].slot.kind;
        if (kind != Placement::Kind::Arena && kind != Placement::Kind::Constant) continue;
        frame->pointers[i] =
            static_cast<std::byte*>(start(*frame, arguments_[i].slot, {})) + arguments_[i].bytes;
    }
    for (const Step& step : steps_) {
        frame->calls.emplace_back();
        if (!step.call) continue;
        CUTAWAY_TRY(frame->calls.back(),
                    makeLibraryKernel(ir::Device::Kind::Cpu, *step.call, {.threads = maxThreads_}));
        for (size_t operand = 0; operand < kOperands; ++operand) {
            const Slot& slot = arguments_[step.firstArgument + operand].slot;
            if (slot.kind != Placement::Kind::Input && slot.kind != Placement::Kind::Constant)
                continue;
            if (frame->calls.back()->keeps(operand))
                frame->kept.push_back({frame->calls.size() - 1, operand, slot, {}, 0, nullptr});
        }
    }
    frame->outputs.reserve(layout_.outputBytes.size());
    return frame;
}

base::Result<std::unique_ptr<Frame>> CpuExecutable::takeFrame() {
    {
        std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            std::unique_ptr<Frame> frame = std::move(idle_.back());
            idle_.pop_back();
            return frame;
        }
    }
    return makeFrame();
}

base::Result<std::vector<TensorPtr>> CpuExecutable::call(std::span<const TensorPtr> inputs,
                                                         std::vector<KernelTime>* times) {
    CUTAWAY_TRY(std::unique_ptr<Frame> frame, takeFrame());
    DeviceBackend& memory = cpuBackend();
    for (int64_t bytes : layout_.outputBytes) {
        CUTAWAY_TRY(StoragePtr storage, memory.allocate(static_cast<size_t>(bytes)));
        frame->outputs.push_back(std::move(storage));
    }
    for (size_t i : perCall_)
        frame->pointers[i] = static_cast<std::byte*>(start(*frame, arguments_[i].slot, inputs)) +
                             arguments_[i].bytes;
    // A frame that fails is not used again: its copies may be unfinished.
    for (Kept& kept : frame->kept) {
        const auto index = static_cast<size_t>(kept.slot.index);
        const bool input = kept.slot.kind == Placement::Kind::Input;
        if (kept.same(input ? *inputs[index] : *constants_[index]))
            frame->calls[kept.step]->sameAsLast(kept.operand);
    }
    CUTAWAY_CHECK(runSteps(*frame, times));
    if (auto fault = faultOf(*program_, frame->faults)) return std::move(*fault);
    std::vector<TensorPtr> results = makeOutputs(layout_, inputs, constants_, frame->outputs);
    frame->outputs.clear();
    std::lock_guard lock(mutex_);
    idle_.push_back(std::move(frame));
    return results;
}

/// A call that can be cancelled: it owns all that it needs, in case it goes on without its caller.
base::Result<std::vector<TensorPtr>> CpuExecutable::callAside(std::span<const TensorPtr> inputs,
                                                              std::vector<KernelTime>* times) {
    struct Call {
        std::shared_ptr<CpuExecutable> executable;
        std::vector<TensorPtr> inputs;
        std::vector<KernelTime> times;
        base::Result<std::vector<TensorPtr>> result;
    };
    auto made = std::make_shared<Call>(
        Call{shared_from_this(), {inputs.begin(), inputs.end()}, {}, std::vector<TensorPtr>()});
    const bool timed = times != nullptr;
    runAside([made, timed] {
        made->result = made->executable->call(made->inputs, timed ? &made->times : nullptr);
    });
    if (timed) *times = std::move(made->times);
    return std::move(made->result);
}

base::Status CpuExecutable::runSteps(Frame& frame, std::vector<KernelTime>* times) const {
    using Clock = std::chrono::steady_clock;
    int team = std::min(threads(), maxThreads_);
    void* scratch = frame.scratch->data();
    Clock::time_point before;
    for (size_t i = 0; i < steps_.size(); ++i) {
        const Step& step = steps_[i];
        if (times) before = Clock::now();
        void* const* pointers = frame.pointers.data() + step.firstArgument;
        if (step.function)
            step.function(pointers, scratch, team);
        else
            CUTAWAY_CHECK(frame.calls[i]->run(pointers, team));
        if (!times) continue;
        std::chrono::duration<double, std::micro> took = Clock::now() - before;
        times->push_back({static_cast<int>(i), took.count()});
    }
    return {};
}

} // namespace

base::Result<std::shared_ptr<Executable>> makeCpuExecutable(ProgramPtr program,
                                                            memory::MemoryPlan plan,
                                                            std::vector<CompiledKernel> kernels) {
    CUTAWAY_CHECK(checkLoadable(*program, kernels));
    auto executable =
        std::make_shared<CpuExecutable>(std::move(program), std::move(plan), std::move(kernels));
    CUTAWAY_CHECK(executable->prepare());
    return std::shared_ptr<Executable>(std::move(executable));
}

} // namespace cutaway::runtime
