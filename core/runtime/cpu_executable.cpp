// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/device.h"
#include "core/runtime/executable_internal.h"
#include "core/runtime/library.h"
#include "core/runtime/run_aside.h"

#include "core/kernel/sized.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <list>
#include <mutex>
#include <optional>

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
    size_t firstArgument = 0;          ///< into the table of pointers
    std::vector<int32_t> sizes;        ///< size arguments: slots of the size program
    size_t sizesAt = 0;                ///< the argument that is these, if there are any
};

/// An input or a constant of which a library call keeps a copy in its own layout (packed weights),
/// and which memory that copy was made of.
struct Kept {
    size_t step = 0, operand = 0;
    Slot slot;
    std::weak_ptr<Storage> storage;
    uint32_t writes = 0;
    void* data = nullptr;

    /// Whether the memory is the last call's and nobody wrote to it since; remembers it.
    bool same(const Tensor& tensor) {
        const bool unchanged = storage.lock() == tensor.storage &&
                               writes == tensor.storage->writes && data == tensor.data();
        storage = tensor.storage;
        writes = tensor.storage->writes;
        data = tensor.data();
        return unchanged;
    }
};

/// What depends on the values of the size symbols; without symbols there is one of these.
struct Sizing {
    std::vector<int64_t> symbols;
    ProgramLayout layout;
    std::vector<Argument> arguments;               ///< of all steps
    std::vector<std::vector<int64_t>> sizes;       ///< by step: values of size arguments
    std::vector<std::optional<LibrarySpec>> specs; ///< by step; none for generated kernels
    std::vector<LibraryKernelPtr> calls;           ///< by step, made by the space
    std::vector<Kept> kept;                        ///< of calls
    std::vector<kernel::Check> checks;             ///< with numbers
    int64_t arenaBytes = 0, scratchBytes = 0;
    double passes = 0; ///< of all kernels
};

/// What one call in progress owns. Two calls at once have two spaces.
struct CallSpace {
    StoragePtr arena, scratch;
    void* arenaAt = nullptr;     ///< what the pointers were made for
    std::vector<int64_t> faults; ///< the fault words; empty when no kernel has checks
    std::vector<void*> pointers; ///< all kernels' arguments; arena and constants filled in once
    std::list<Sizing> sizings;   ///< of the last combinations of sizes; the current one in front
    std::vector<StoragePtr> outputs; ///< during a call

    const Sizing& sizing() const { return sizings.front(); }
};

/// Combinations of sizes that a space stays prepared for.
constexpr size_t kKeptSizings = 16;

/// Arenas from this size on are the allocator's between calls, so that one program's memory is the
/// next one's: a backward's arena is what its forward's was. Smaller ones are kept: a call costs less.
constexpr int64_t kSharedArena = 1 << 20;

/// From here on a call takes a good part of a second: somebody may want to cancel it.
constexpr double kLongCall = 0x1p28;

class CpuExecutable : public Executable, public std::enable_shared_from_this<CpuExecutable> {
public:
    CpuExecutable(ProgramPtr program, memory::MemoryPlan plan, std::vector<CompiledKernel> kernels)
        : program_(std::move(program)), plan_(std::move(plan)), kernels_(std::move(kernels)),
          maxThreads_(threads()), sized_(*program_) {}
    CpuExecutable(const CpuExecutable&) = delete;
    CpuExecutable& operator=(const CpuExecutable&) = delete;
    ~CpuExecutable() override { delete spare_.load(); }

    base::Status prepare();
    base::Result<std::vector<TensorPtr>> run(std::span<const TensorPtr> inputs,
                                             std::span<const int64_t> symbols) override {
        return start(inputs, symbols, nullptr);
    }
    base::Result<std::vector<TensorPtr>> runGiven(std::vector<TensorPtr> inputs,
                                                  std::span<const int64_t> symbols) override {
        return start(inputs, symbols, nullptr, &inputs);
    }
    base::Result<std::vector<TensorPtr>> profile(std::span<const TensorPtr> inputs,
                                                 std::vector<KernelTime>& times,
                                                 std::span<const int64_t> symbols) override {
        times.clear();
        return start(inputs, symbols, &times);
    }
    base::Result<std::shared_ptr<Executable>> replanned(ProgramPtr program,
                                                        memory::MemoryPlan plan) const override {
        return makeCpuExecutable(std::move(program), std::move(plan), kernels_);
    }
    std::vector<CodeInMemory> code() const override {
        std::vector<CodeInMemory> all;
        for (size_t i = 0; i < kernels_.size(); ++i)
            if (const auto& module = kernels_[i].module)
                all.push_back({static_cast<int>(i), module->code(), &kernels_[i].source});
        return all;
    }
    int launches() const override { return static_cast<int>(steps_.size()); }
    int64_t arenaBytes() const override { return plan_.arenaBytes; }

private:
    using CallSpacePtr = std::unique_ptr<CallSpace>;
    base::Status addStep(size_t index);
    base::Result<Sizing> sizingOf(std::span<const int64_t> symbols);
    base::Status addArguments(size_t index, const kernel::KernelProgram& numbers, Sizing& sizing);
    base::Result<CallSpacePtr> takeSpace(std::span<const int64_t> symbols);
    void giveBack(CallSpacePtr space);
    base::Status fit(CallSpace& space, std::span<const int64_t> symbols);
    base::Status bind(CallSpace& space) const;
    /// \param given the inputs where they may be let go on the way, else null
    base::Result<std::vector<TensorPtr>> start(std::span<const TensorPtr> inputs,
                                               std::span<const int64_t> symbols,
                                               std::vector<KernelTime>* times,
                                               std::vector<TensorPtr>* given = nullptr);
    base::Result<std::vector<TensorPtr>> call(CallSpacePtr space, std::span<const TensorPtr> inputs,
                                              std::vector<KernelTime>* times,
                                              std::vector<TensorPtr>* given);
    base::Result<std::vector<TensorPtr>> callAside(CallSpacePtr space,
                                                   std::span<const TensorPtr> inputs,
                                                   std::vector<KernelTime>* times,
                                                   std::vector<TensorPtr>* given);
    void findTurnover();
    base::Status allocateOutput(CallSpace& space, size_t index) const;
    base::Status runSteps(CallSpace& space, std::vector<KernelTime>* times) const;
    base::Status runStep(CallSpace& space, size_t step, int team) const;
    base::Status runStepsOf(CallSpace& space, std::vector<TensorPtr>& given) const;
    void* start(const CallSpace& space, const Slot& slot, std::span<const TensorPtr> inputs) const;

    ProgramPtr program_;
    memory::MemoryPlan plan_;
    std::vector<CompiledKernel> kernels_; ///< keeps the machine code alive
    int maxThreads_;                      ///< scratch is sized for this many
    std::vector<TensorPtr> constants_;
    std::vector<Step> steps_;
    size_t argumentCount_ = 0;
    std::vector<size_t> perCall_; ///< arguments that are inputs or outputs: they change every call
    /// By step: outputs that it is the first to write, inputs that it is the last to read.
    std::vector<std::vector<size_t>> firstWrites_, lastReads_;
    std::vector<size_t> perSizing_;      ///< arguments in the arena, or constants
    std::vector<size_t> faultArguments_; ///< arguments that are the fault words
    std::vector<int32_t> scratchSizes_;  ///< slots of the size program

    std::mutex sizesMutex_;
    kernel::SizedProgram sized_;

    std::atomic<CallSpace*> spare_ =
        nullptr; ///< owned; the last space given back, taken without a lock
    std::mutex mutex_;
    std::vector<CallSpacePtr> idle_; ///< the others, of calls at the same time
};

base::Status CpuExecutable::prepare() {
    CUTAWAY_CHECK(checkComplete(*program_, kernels_));
    for (size_t i = 0; i < program_->kernels.size(); ++i)
        CUTAWAY_CHECK(addStep(i));
    CUTAWAY_TRY(Sizing sizing, sizingOf(kernel::hintsOf(program_->loops)));
    CUTAWAY_TRY(constants_, uploadConstants(*program_, sizing.layout, {}));
    std::vector<bool> fixed(argumentCount_);
    for (size_t i : faultArguments_)
        fixed[i] = true;
    for (const Step& step : steps_)
        if (!step.sizes.empty()) fixed[step.sizesAt] = true;
    for (size_t i = 0; i < argumentCount_; ++i) {
        if (fixed[i]) continue;
        Placement::Kind kind = sizing.arguments[i].slot.kind;
        const bool changes = kind == Placement::Kind::Input || kind == Placement::Kind::Output;
        (changes ? perCall_ : perSizing_).push_back(i);
    }
    findTurnover();
    return {};
}

void CpuExecutable::findTurnover() {
    firstWrites_.resize(steps_.size() + 1);
    lastReads_.resize(steps_.size() + 1);
    for (const Placement& placement : plan_.placements) {
        const auto index = static_cast<size_t>(placement.index);
        if (placement.kind == Placement::Kind::Input && placement.lastKernel >= 0)
            lastReads_[static_cast<size_t>(placement.lastKernel)].push_back(index);
        if (placement.kind != Placement::Kind::Output) continue;
        std::vector<size_t>& writes =
            firstWrites_[static_cast<size_t>(std::max(0, placement.firstKernel))];
        // A scatter shares the allocation of what it adds to.
        if (std::ranges::find(writes, index) == writes.end()) writes.push_back(index);
    }
}

/// What is the same for all sizes.
base::Status CpuExecutable::addStep(size_t index) {
    const kernel::Kernel& kernel = program_->kernels[index];
    Step step;
    step.firstArgument = argumentCount_;
    if (kernel.call) {
        argumentCount_ += kernel.call->reads().size() + 1;
        steps_.push_back(std::move(step));
        return {};
    }
    const CompiledKernel& compiled = kernels_[index];
    void* symbol = compiled.module ? compiled.module->symbol(compiled.source.entry) : nullptr;
    if (!symbol)
        return base::bugError(fmt::format("kernel {} has no machine code under the name {}",
                                          kernel.name, compiled.source.entry));
    step.function = reinterpret_cast<KernelFunction>(symbol);
    argumentCount_ += kernel.reads.size() + kernel.writes.size();
    if (compiled.source.checks) faultArguments_.push_back(argumentCount_++);
    for (ir::Var variable : compiled.source.sizeArguments)
        step.sizes.push_back(sized_.slot(variable));
    if (!step.sizes.empty()) step.sizesAt = argumentCount_++;
    scratchSizes_.push_back(sized_.slot(compiled.source.scratchBytes));
    steps_.push_back(std::move(step));
    return {};
}

base::Status CpuExecutable::addArguments(size_t index, const kernel::KernelProgram& numbers,
                                         Sizing& sizing) {
    const kernel::Kernel& kernel = numbers.kernels[index];
    const Step& step = steps_[index];
    sizing.passes += passes(kernel);
    size_t at = step.firstArgument;
    auto add = [&](kernel::BufferId id, int64_t bytes) {
        sizing.arguments[at++] = {sizing.layout.slots[id.index], bytes};
    };
    std::optional<LibrarySpec>& spec = sizing.specs.emplace_back();
    std::vector<int64_t>& sizes = sizing.sizes.emplace_back();
    if (kernel.call) {
        CUTAWAY_TRY(LibraryBinding binding, bindCall(numbers, kernel));
        for (const kernel::StridedView& view : binding.operands)
            add(view.buffer, startOf(numbers, view));
        add(binding.result, 0);
        spec = std::move(binding.spec);
        return {};
    }
    for (kernel::BufferId id : kernel.reads)
        add(id, 0);
    for (kernel::BufferId id : kernel.writes)
        add(id, 0);
    for (int32_t slot : step.sizes)
        sizes.push_back(sized_.value(slot));
    return {};
}

base::Result<Sizing> CpuExecutable::sizingOf(std::span<const int64_t> symbols) {
    std::lock_guard lock(sizesMutex_);
    const kernel::KernelProgram& numbers = sized_.at(symbols);
    CUTAWAY_CHECK(checkLoadable(numbers));
    Sizing sizing;
    sizing.symbols.assign(symbols.begin(), symbols.end());
    memory::MemoryPlan other;
    if (program_->loops.shapes) other = memory::planFor(plan_, numbers);
    const memory::MemoryPlan& plan = program_->loops.shapes ? other : plan_;
    CUTAWAY_TRY(sizing.layout, layOut(numbers, plan));
    sizing.arenaBytes = plan.arenaBytes;
    sizing.checks = numbers.loops.checks;
    for (int32_t slot : scratchSizes_)
        sizing.scratchBytes = std::max(sizing.scratchBytes, sized_.value(slot));
    sizing.arguments.resize(argumentCount_);
    for (size_t i = 0; i < steps_.size(); ++i)
        CUTAWAY_CHECK(addArguments(i, numbers, sizing));
    return sizing;
}

[[gnu::hot]] void* CpuExecutable::start(const CallSpace& space, const Slot& slot,
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
        data = space.outputs[index]->data();
        break;
    case Placement::Kind::Arena:
        data = space.arena->data();
        break;
    }
    return static_cast<std::byte*>(data) + slot.offset;
}

/// Makes the space ready for these sizes, when it is not already.
base::Status CpuExecutable::fit(CallSpace& space, std::span<const int64_t> symbols) {
    std::list<Sizing>& known = space.sizings;
    auto isSame = [&](const Sizing& sizing) {
        return std::equal(symbols.begin(), symbols.end(), sizing.symbols.begin(),
                          sizing.symbols.end());
    };
    if (!known.empty() && isSame(known.front())) return {};
    if (auto found = std::find_if(known.begin(), known.end(), isSame); found != known.end()) {
        known.splice(known.begin(), known, found);
        return bind(space);
    }
    CUTAWAY_TRY(Sizing fresh, sizingOf(symbols));
    for (const std::optional<LibrarySpec>& spec : fresh.specs) {
        const size_t step = fresh.calls.size();
        fresh.calls.emplace_back();
        if (!spec) continue;
        CUTAWAY_TRY(fresh.calls.back(),
                    makeLibraryKernel(ir::Device::Kind::Cpu, *spec,
                                      {.threads = maxThreads_, .wanted = kernels_[step].provider}));
        // One after the other, all of them and the kernels have the same memory for themselves.
        fresh.scratchBytes =
            std::max(fresh.scratchBytes, fresh.calls.back()->workspace(maxThreads_));
        for (size_t operand = 0; operand < program_->kernels[step].call->operands.size();
             ++operand) {
            const Slot& slot = fresh.arguments[steps_[step].firstArgument + operand].slot;
            if (slot.kind != Placement::Kind::Input && slot.kind != Placement::Kind::Constant)
                continue;
            if (fresh.calls.back()->keeps(operand))
                fresh.kept.push_back({step, operand, slot, {}, 0, nullptr});
        }
    }
    known.push_front(std::move(fresh));
    if (known.size() > kKeptSizings) known.pop_back();
    return bind(space);
}

/// Memory for the current sizes, and all pointers that do not change with every call.
base::Status CpuExecutable::bind(CallSpace& space) const {
    const Sizing& sizing = space.sizing();
    auto grow = [](StoragePtr& storage, int64_t bytes) -> base::Status {
        if (storage && storage->sizeBytes() >= static_cast<size_t>(bytes)) return {};
        storage = nullptr;
        CUTAWAY_TRY(storage, allocate({}, static_cast<size_t>(bytes)));
        return {};
    };
    CUTAWAY_CHECK(grow(space.arena, sizing.arenaBytes));
    CUTAWAY_CHECK(grow(space.scratch, sizing.scratchBytes));
    space.arenaAt = space.arena->data();
    space.pointers.resize(argumentCount_);
    if (!faultArguments_.empty()) space.faults.resize(program_->loops.checks.size() + 1);
    for (size_t i : faultArguments_)
        space.pointers[i] = space.faults.data();
    for (size_t i = 0; i < steps_.size(); ++i)
        if (!steps_[i].sizes.empty())
            space.pointers[steps_[i].sizesAt] = const_cast<int64_t*>(sizing.sizes[i].data());
    for (size_t i : perSizing_)
        space.pointers[i] = static_cast<std::byte*>(start(space, sizing.arguments[i].slot, {})) +
                            sizing.arguments[i].bytes;
    space.outputs.reserve(sizing.layout.outputBytes.size());
    return {};
}

[[gnu::hot]] base::Result<CpuExecutable::CallSpacePtr>
CpuExecutable::takeSpace(std::span<const int64_t> symbols) {
    CallSpacePtr space(spare_.exchange(nullptr));
    if (!space) {
        std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            space = std::move(idle_.back());
            idle_.pop_back();
        }
    }
    if (!space) space = std::make_unique<CallSpace>();
    CUTAWAY_CHECK(fit(*space, symbols));
    if (!space->arena) {
        CUTAWAY_TRY(space->arena, allocate({}, static_cast<size_t>(space->sizing().arenaBytes)));
        if (space->arena->data() != space->arenaAt) CUTAWAY_CHECK(bind(*space));
    }
    return space;
}

[[gnu::hot]] void CpuExecutable::giveBack(CallSpacePtr space) {
    if (space->sizing().arenaBytes >= kSharedArena) space->arena = nullptr;
    space.reset(spare_.exchange(space.release()));
    if (!space) return;
    std::lock_guard lock(mutex_);
    idle_.push_back(std::move(space));
}

[[gnu::hot]] base::Result<std::vector<TensorPtr>>
CpuExecutable::start(std::span<const TensorPtr> inputs, std::span<const int64_t> symbols,
                     std::vector<KernelTime>* times, std::vector<TensorPtr>* given) {
    CUTAWAY_CHECK(checkPlaces(inputs, ir::Device()));
    CUTAWAY_TRY(CallSpacePtr space, takeSpace(symbols));
    return space->sizing().passes > kLongCall ? callAside(std::move(space), inputs, times, given)
                                              : call(std::move(space), inputs, times, given);
}

[[gnu::hot]] base::Status CpuExecutable::allocateOutput(CallSpace& space, size_t index) const {
    const int64_t bytes = space.sizing().layout.outputBytes[index];
    CUTAWAY_TRY(space.outputs[index], cpuBackend().allocate(static_cast<size_t>(bytes)));
    return {};
}

[[gnu::hot]] base::Result<std::vector<TensorPtr>>
CpuExecutable::call(CallSpacePtr space, std::span<const TensorPtr> inputs,
                    std::vector<KernelTime>* times, std::vector<TensorPtr>* given) {
    const Sizing& sizing = space->sizing();
    space->outputs.resize(sizing.layout.outputBytes.size());
    // A space that fails is not used again: its copies may be unfinished.
    for (Kept& kept : space->sizings.front().kept) {
        const auto index = static_cast<size_t>(kept.slot.index);
        const bool input = kept.slot.kind == Placement::Kind::Input;
        if (kept.same(input ? *inputs[index] : *constants_[index]))
            sizing.calls[kept.step]->sameAsLast(kept.operand);
    }
    if (given) {
        CUTAWAY_CHECK(runStepsOf(*space, *given));
    } else {
        for (size_t i = 0; i < space->outputs.size(); ++i)
            CUTAWAY_CHECK(allocateOutput(*space, i));
        for (size_t i : perCall_)
            space->pointers[i] =
                static_cast<std::byte*>(start(*space, sizing.arguments[i].slot, inputs)) +
                sizing.arguments[i].bytes;
        CUTAWAY_CHECK(runSteps(*space, times));
    }
    if (auto fault = faultOf(sizing.checks, space->faults)) return std::move(*fault);
    std::vector<TensorPtr> results = makeOutputs(sizing.layout, inputs, constants_, space->outputs);
    space->outputs.clear();
    giveBack(std::move(space));
    return results;
}

/// A call that can be cancelled: it owns all that it needs, in case it goes on without its caller.
base::Result<std::vector<TensorPtr>> CpuExecutable::callAside(CallSpacePtr space,
                                                              std::span<const TensorPtr> inputs,
                                                              std::vector<KernelTime>* times,
                                                              std::vector<TensorPtr>* given) {
    struct Call {
        std::shared_ptr<CpuExecutable> executable;
        CallSpacePtr space;
        std::vector<TensorPtr> inputs;
        std::vector<KernelTime> times;
        base::Result<std::vector<TensorPtr>> result;
    };
    auto made = std::make_shared<Call>(Call{shared_from_this(),
                                            std::move(space),
                                            {inputs.begin(), inputs.end()},
                                            {},
                                            std::vector<TensorPtr>()});
    if (given) given->clear();
    const bool timed = times != nullptr, giving = given != nullptr;
    runAside([made, timed, giving] {
        made->result = made->executable->call(std::move(made->space), made->inputs,
                                              timed ? &made->times : nullptr,
                                              giving ? &made->inputs : nullptr);
    });
    if (timed) *times = std::move(made->times);
    return std::move(made->result);
}

[[gnu::hot]] base::Status CpuExecutable::runStep(CallSpace& space, size_t i, int team) const {
    void* const* pointers = space.pointers.data() + steps_[i].firstArgument;
    void* const scratch = space.scratch->data();
    if (!steps_[i].function) return space.sizing().calls[i]->run(pointers, scratch, team);
    steps_[i].function(pointers, scratch, team);
    return {};
}

base::Status CpuExecutable::runSteps(CallSpace& space, std::vector<KernelTime>* times) const {
    using Clock = std::chrono::steady_clock;
    const int team = std::min(threads(), maxThreads_);
    std::optional<TeamWatch> watch;
    if (times) watch.emplace();
    Counters* counters = times && processCounters().isCounting() ? &processCounters() : nullptr;
    Clock::time_point before;
    for (size_t i = 0; i < steps_.size(); ++i) {
        if (counters) counters->lap(); // what lies between two kernels is of none
        if (times) before = Clock::now();
        CUTAWAY_CHECK(runStep(space, i, team));
        if (!times) continue;
        std::chrono::duration<double, std::micro> took = Clock::now() - before;
        times->push_back({static_cast<int>(i), took.count(), {}, {}});
        if (counters) times->back().counts = counters->lap();
        times->back().team = watch->take();
    }
    return {};
}

/// With memory for an output from its first step on, and for an input until its last.
base::Status CpuExecutable::runStepsOf(CallSpace& space, std::vector<TensorPtr>& given) const {
    const int team = std::min(threads(), maxThreads_);
    const std::vector<Argument>& arguments = space.sizing().arguments;
    auto next = perCall_.begin();
    for (size_t i = 0; i <= steps_.size(); ++i) {
        for (size_t output : firstWrites_[i])
            CUTAWAY_CHECK(allocateOutput(space, output));
        if (i == steps_.size()) break;
        const size_t end = i + 1 < steps_.size() ? steps_[i + 1].firstArgument : argumentCount_;
        for (; next != perCall_.end() && *next < end; ++next)
            space.pointers[*next] =
                static_cast<std::byte*>(start(space, arguments[*next].slot, given)) +
                arguments[*next].bytes;
        CUTAWAY_CHECK(runStep(space, i, team));
        for (size_t input : lastReads_[i])
            given[input] = nullptr;
    }
    return {};
}

} // namespace

base::Result<std::shared_ptr<Executable>> makeCpuExecutable(ProgramPtr program,
                                                            memory::MemoryPlan plan,
                                                            std::vector<CompiledKernel> kernels) {
    auto executable =
        std::make_shared<CpuExecutable>(std::move(program), std::move(plan), std::move(kernels));
    CUTAWAY_CHECK(executable->prepare());
    return std::shared_ptr<Executable>(std::move(executable));
}

} // namespace cutaway::runtime
