// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/autotune.h"

#include "core/base/said.h"
#include "core/base/timed_calls.h"
#include "core/kernel/sized.h"
#include "core/pipeline/kernel_code.h"
#include "core/runtime/random.h"
#include "core/schedule/verify.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <unordered_map>

namespace cutaway::pipeline {

namespace {

using runtime::TensorPtr;
using Clock = std::chrono::steady_clock;

constexpr int kRounds = 7;
constexpr double kSeconds = 1;     ///< no round begins later
constexpr double kMostSeconds = 3; ///< while a candidate has only times that others disturbed

/// Values of the dtype in a tensor like \p type: from 0.5 to 1.5, or all of them \p whole.
base::Result<TensorPtr> madeUp(const ir::TensorType& type, int64_t whole,
                               runtime::Generator& generator) {
    TensorPtr values;
    if (ir::isFloating(type.dtype) || ir::isComplex(type.dtype)) {
        CUTAWAY_TRY(values, runtime::emptyTensor(
                                ir::TensorType::contiguous(ir::DType::Float32, type.sizes)));
        CUTAWAY_CHECK(runtime::fillRandom(
            *values, {.distribution = runtime::Distribution::Uniform, .a = 0.5, .b = 1.5},
            generator));
    } else {
        CUTAWAY_TRY(values,
                    runtime::fromHost(ir::HostTensor::scalar(ir::DType::Int64, double(whole)), {}));
        values = runtime::viewOf(values, type.sizes, ir::Shape(type.rank(), ir::Sym(0)), 0);
    }
    CUTAWAY_TRY(TensorPtr made, runtime::emptyTensor(type));
    CUTAWAY_CHECK(runtime::copyInto(*made, *values));
    return made;
}

base::Result<std::vector<TensorPtr>> madeUpInputs(const ir::Graph& graph, int64_t whole) {
    runtime::Generator generator;
    std::vector<TensorPtr> inputs;
    for (ir::NodeId id : graph.placeholders()) {
        ir::TensorType type = graph.node(id).type();
        type.requiresGrad = false;
        CUTAWAY_TRY(inputs.emplace_back(), madeUp(type, whole, generator));
    }
    return inputs;
}

/// All kernels by their candidates of one number; those that have none by the predicted one.
struct Variant {
    std::vector<int> taken;
    std::shared_ptr<runtime::Executable> executable;
};

class Autotuner {
public:
    explicit Autotuner(StageContext& context) : context_(context), schedules_(context.schedules) {
        for (size_t i = 0; i < schedules_.size(); ++i) {
            std::vector<int>& own = candidates_.emplace_back();
            const kernel::Kernel& kernel = context.program->kernels[i];
            if (!kernel.hasCode() || kernel.call || schedules_[i].forced) continue;
            for (size_t c = 0; c < schedules_[i].considered.size(); ++c)
                if (schedules_[i].considered[c].refused.empty()) own.push_back(static_cast<int>(c));
            if (own.size() < 2) own.clear();
        }
    }

    base::Status run() {
        size_t count = 0;
        for (const std::vector<int>& own : candidates_)
            count = std::max(count, own.size());
        if (count == 0) return {};
        const memory::MemoryPlan plan = memory::planMemory(*context_.program);
        for (size_t number = 0; number < count; ++number) {
            tell(number, count + kRounds);
            CUTAWAY_CHECK(addVariant(number, plan));
        }
        base::Status status;
        for (int64_t whole : {0, 1}) {
            status = measure(whole);
            if (status || status.error().fault != base::Fault::User) break;
        }
        if (!status && status.error().fault == base::Fault::User)
            return takeNone(status.error().message);
        if (status) take();
        return status;
    }

private:
    void tell(size_t done, size_t all) const {
        if (context_.options.progress)
            context_.options.progress(context_.graphName() + ": autotune",
                                      static_cast<double>(done) / static_cast<double>(all));
    }

    base::Status addVariant(size_t number, const memory::MemoryPlan& plan) {
        Variant variant;
        std::vector<schedule::Schedule> schedules = schedules_;
        for (size_t i = 0; i < schedules.size(); ++i) {
            if (number < candidates_[i].size()) schedules[i].taken = candidates_[i][number];
            variant.taken.push_back(schedules[i].taken);
        }
        CUTAWAY_TRY(std::vector<runtime::CompiledKernel> binaries, compiled(schedules));
        CUTAWAY_TRY(variant.executable,
                    context_.target->load(context_.program, plan, std::move(binaries)));
        variants_.push_back(std::move(variant));
        return {};
    }

    /// Kernels that a variant before had are not compiled again.
    base::Result<std::vector<runtime::CompiledKernel>>
    compiled(const std::vector<schedule::Schedule>& schedules) {
        KernelCode code = emitKernels(*context_.program, schedules, *context_.target);
        const std::vector<codegen::KernelSource> sources = code.compiled;
        for (codegen::KernelSource& source : code.compiled)
            if (known_.contains(source.text)) source.text.clear();
        CUTAWAY_TRY(std::vector<runtime::CompiledKernel> binaries,
                    compileKernels(code, *context_.target, context_.device,
                                   context_.toolchain->cacheFolder(), context_.graphName(),
                                   context_.options));
        for (size_t i = 0; i < binaries.size(); ++i) {
            if (sources[i].text.empty()) continue;
            auto [at, fresh] = known_.emplace(sources[i].text, binaries[i]);
            if (fresh) continue;
            binaries[i] = at->second;
            binaries[i].source = sources[i]; // its own launch
        }
        return binaries;
    }

    /// Rounds over all variants; a kernel's time by a candidate is its shortest that no other program
    /// disturbed.
    base::Status measure(int64_t whole) {
        const std::vector<int64_t> sizes = kernel::hintsOf(context_.program->loops);
        const ir::Graph& graph = *context_.graph;
        CUTAWAY_TRY(const std::vector<TensorPtr> inputs,
                    madeUpInputs(graph.shapes ? graph.withSizes(sizes) : graph.clone(), whole));
        const bool host = context_.device.model.kind == ir::Device::Kind::Cpu;
        base::Preemptions preemptions;
        const Clock::time_point begin = Clock::now();
        for (int round = 0;; ++round) {
            const std::chrono::duration<double> spent = Clock::now() - begin;
            const bool enough = round >= kRounds || (round > 1 && spent.count() > kSeconds);
            if (enough && (!isDisturbed() || spent.count() > kMostSeconds)) break;
            tell(variants_.size() + static_cast<size_t>(std::min(round, kRounds)),
                 variants_.size() + kRounds);
            for (const Variant& variant : variants_) {
                if (context_.options.cancel.cancelled()) return base::cancelledError();
                std::vector<runtime::KernelTime> times;
                CUTAWAY_TRY(const auto outputs, variant.executable->profile(inputs, times, sizes));
                const bool disturbed = host && preemptions.disturbed();
                for (const runtime::KernelTime& time : times)
                    if (const auto kernel = static_cast<size_t>(time.kernel);
                        !candidates_[kernel].empty())
                        times_[{kernel, variant.taken[kernel]}].add(time.us, disturbed);
            }
        }
        busy_ = host && preemptions.isBusy(runtime::threads());
        return {};
    }

    /// Whether a candidate has no time of its own yet.
    bool isDisturbed() const {
        return std::ranges::any_of(times_,
                                   [](const auto& each) { return each.second.undisturbed() == 0; });
    }

    void take() {
        for (size_t i = 0; i < schedules_.size(); ++i)
            if (!candidates_[i].empty()) takeFastest(i);
        context_.schedules = std::move(schedules_);
    }

    void takeFastest(size_t kernel) {
        schedule::Schedule& schedule = schedules_[kernel];
        const int predicted = schedule.taken;
        bool disturbed = false;
        for (int c : candidates_[kernel]) {
            const base::TimedCalls& times = times_.at({kernel, c});
            disturbed = disturbed || (busy_ && times.undisturbed() == 0);
            schedule.considered[static_cast<size_t>(c)].measuredUs =
                std::ranges::min(times.worth(1));
        }
        auto of = [&](int c) -> schedule::Candidate& {
            return schedule.considered[static_cast<size_t>(c)];
        };
        if (disturbed) {
            for (int c : candidates_[kernel])
                of(c).measuredUs = 0;
            of(predicted).reasons.push_back(
                base::said("not taken by time: other programs had the processors "
                           "all the while"));
            return;
        }
        const int fastest = *std::ranges::min_element(candidates_[kernel], {},
                                                      [&](int c) { return of(c).measuredUs; });
        if (schedule::isWorthChanging(of(fastest).measuredUs, of(predicted).measuredUs))
            schedule.taken = fastest;
        schedule::Candidate& chosen = of(schedule.taken);
        chosen.reasons.push_back(
            schedule.taken != predicted
                ? base::said("measured {:.2f} us, {:.2f} us by {}, which is predicted to be the "
                             "fastest",
                             chosen.measuredUs, of(predicted).measuredUs, of(predicted).str())
                : base::said("measured {:.2f} us, of {} none is so much faster that it is no "
                             "accident",
                             chosen.measuredUs, candidates_[kernel].size()));
    }

    /// Predictions stand.
    base::Status takeNone(const std::string& problem) {
        for (size_t i = 0; i < candidates_.size(); ++i)
            if (schedule::Schedule& schedule = context_.schedules[i]; !candidates_[i].empty())
                schedule.considered[static_cast<size_t>(schedule.taken)].reasons.push_back(
                    base::said("not timed, made-up inputs are refused: {}", problem));
        return {};
    }

    StageContext& context_;
    std::vector<schedule::Schedule> schedules_;
    std::vector<std::vector<int>> candidates_; ///< of each kernel that has two or more
    std::vector<Variant> variants_;
    std::map<std::pair<size_t, int>, base::TimedCalls> times_; ///< by kernel and candidate
    bool busy_ = false; ///< other programs had the processors
    std::unordered_map<std::string, runtime::CompiledKernel> known_; ///< by canonical text
};

} // namespace

bool wantsAutotune(const StageContext& context) {
    const Options& options = context.options;
    const auto told = options.settings.find("max_autotune");
    return options.strategy.fuse && (options.mode.starts_with("max-autotune") ||
                                     (told != options.settings.end() && told->second == "True"));
}

base::Status runAutotune(StageContext& context) {
    return Autotuner(context).run();
}

void recordAutotune(EntryRecorder& recorder, const StageContext& context) {
    recorder.addMeasured(context.program->loops.name, context.device.model.kind, context.schedules);
}

} // namespace cutaway::pipeline
