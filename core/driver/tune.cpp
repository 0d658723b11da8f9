// SPDX-License-Identifier: Apache-2.0
#include "core/base/timed_calls.h"
#include "core/driver/case.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <memory>

namespace cutaway::driver {

namespace {

constexpr int kCalls = 3;  ///< of one compilation in its turn; a round keeps the fastest
constexpr int kLonger = 3; ///< times as many rounds as were asked for, on a busy machine

using Step = std::function<base::Status()>;

/// All compiled with every kernel run by the candidate of one number, where it has it.
struct Variant {
    pipeline::RecordBuilder recorder; ///< names the entries
    LoadedProgram loaded;
    std::vector<Step> steps;
};

/// The fastest of a round's calls that nobody disturbed, or of all.
struct Fastest {
    double us;
    bool disturbed;
    void take(double time, bool wasDisturbed) {
        if (wasDisturbed != disturbed ? disturbed : time < us) *this = {time, wasDisturbed};
    }
};

/// A case file's step, or the script's last calls.
base::Result<std::vector<Step>> stepsOf(LoadedProgram& loaded, const SessionOptions& options) {
    if (isOfCase(loaded, options)) {
        CUTAWAY_TRY(CaseStep made, CaseStep::make(loaded, options.size, options.backend));
        CUTAWAY_CHECK(askedIsThere(loaded, options));
        auto step = std::make_shared<CaseStep>(std::move(made));
        return std::vector<Step>{[step] { return step->run(); }};
    }
    CUTAWAY_CHECK(askedIsThere(loaded, options));
    std::vector<Step> steps;
    for (capture::KeptCall& call : loaded.program->keptCalls()) {
        auto step = std::make_shared<CallStep>(loaded, std::move(call), true);
        steps.push_back([step] { return step->run(); });
    }
    if (!steps.empty()) return steps;
    return base::userError({options.path}, "nothing to time: the script calls no compiled function",
                           "add torch.compile, or define 'model' and 'example_inputs(size)'");
}

double medianOf(std::vector<double> values) {
    if (values.empty()) return 0;
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

/// Candidates of the device that the kernel runs on, in their order.
std::vector<const record::ScheduleCandidate*> ownCandidates(const record::KernelInfo& kernel) {
    std::vector<const record::ScheduleCandidate*> own;
    for (const record::ScheduleCandidate& candidate : kernel.candidates)
        if (kernel.device.starts_with(candidate.target)) own.push_back(&candidate);
    return own;
}

class Tuner {
public:
    Tuner(Tools& tools, const SessionOptions& options) : tools_(tools), options_(options) {
        options_.progress = nullptr;
    }

    base::Result<std::vector<TunedKernel>> run(int rounds) {
        SessionOptions all = options_; // entries count as in the variants, where none is left out
        all.call = 0;
        Compiled compiled = compile(tools_, all);
        if (compiled.error) return *compiled.error;
        readCandidates(compiled.record);
        rounds_ = rounds;
        base::Preemptions preemptions;
        if (options_.call > 0) {
            for (size_t number = 1; number <= std::max<size_t>(count_, 1); ++number)
                CUTAWAY_CHECK(measureWithin(number, preemptions));
        } else {
            CUTAWAY_CHECK(load());
            for (int round = 0; round < kLonger * rounds; ++round)
                for (size_t i = 0; i < variants_.size(); ++i)
                    for (const Step& step : variants_[i]->steps)
                        if (isWanted(round, i + 1))
                            CUTAWAY_CHECK(measure(variants_[i]->loaded, step, i + 1, preemptions));
        }
        const bool busy = preemptions.isBusy(runtime::threads());
        for (TunedKernel& kernel : kernels_)
            for (TunedCandidate& candidate : kernel.candidates) {
                const base::TimedCalls& times =
                    times_[static_cast<size_t>(candidate.number)]
                          [nameOf(kernel.entry, kernel.graph, kernel.kernel)];
                candidate.measuredUs = medianOf(times.worth(1));
                candidate.disturbed = busy && times.undisturbed() == 0;
            }
        // Of a script, what became of other calls.
        std::erase_if(kernels_, [](const TunedKernel& kernel) {
            return std::ranges::all_of(kernel.candidates,
                                       [](const auto& each) { return each.measuredUs == 0; });
        });
        return std::move(kernels_);
    }

private:
    static std::string nameOf(const std::string& entry, const std::string& graph,
                              const std::string& kernel) {
        return entry + "/" + graph + "/" + kernel;
    }

    void readCandidates(const record::Record& record) {
        for (const record::Function& function : record.functions)
            for (size_t i = 0; i < function.entries.size(); ++i) {
                const record::Entry& entry = function.entries[i];
                const int number = entry.backwardOf >= 0 ? entry.backwardOf : static_cast<int>(i);
                for (const record::LoweredGraph& lowered : entry.lowered)
                    for (const record::KernelInfo& kernel : lowered.kernels)
                        add(fmt::format("{}.{}", function.name, number), lowered.graph, kernel);
            }
    }

    void add(const std::string& entry, const std::string& graph, const record::KernelInfo& kernel) {
        TunedKernel row{entry, graph, kernel.name, {}};
        const auto own = ownCandidates(kernel);
        // Of a library call only who computes it, its first: others may take minutes.
        const size_t timed = kernel.kind == "loops" ? own.size() : std::min<size_t>(own.size(), 1);
        for (size_t i = 0; i < timed; ++i)
            if (own[i]->refused.empty())
                row.candidates.push_back({static_cast<int>(i) + 1, own[i]->text(),
                                          own[i]->predictedUs, 0, own[i]->taken});
        count_ = std::max(count_, timed);
        if (!row.candidates.empty()) kernels_.push_back(std::move(row));
    }

    /// Every kernel by its candidate \p number, counted from 1.
    SessionOptions forced(size_t number) const {
        SessionOptions options = options_;
        options.schedules = {fmt::format("*={}", number)};
        return options;
    }

    base::Status load() {
        const CallsKept calls{options_.function, 0, nullptr};
        for (size_t number = 1; number <= count_; ++number) {
            Variant& variant = *variants_.emplace_back(std::make_unique<Variant>());
            CUTAWAY_TRY(variant.loaded,
                        loadProgram(tools_, forced(number), options_.backend, &variant.recorder,
                                    backend::KeepRuns::No, &calls));
            CUTAWAY_TRY(variant.steps, stepsOf(variant.loaded, options_));
            for (const Step& step : variant.steps)
                CUTAWAY_CHECK(step());
        }
        return {};
    }

    /// Whether a round more is: until enough of each kernel were its own.
    bool isWanted(int round, size_t number) {
        const size_t fewest = static_cast<size_t>(rounds_ + 1) / 2;
        return round < rounds_ ||
               std::ranges::any_of(
                   times_[number],
                   [&](const auto& kernel) { return kernel.second.undisturbed() < fewest; });
    }

    /// While the script stands behind the call.
    base::Status measureWithin(size_t number, base::Preemptions& preemptions) {
        base::Status status;
        auto measureCall = [&](LoadedProgram& loaded, const capture::KeptCall& call) {
            CallStep step(loaded, call, true);
            if (status) status = step.run();
            for (int round = 0; status && round < kLonger * rounds_; ++round)
                if (isWanted(round, number))
                    status = measure(loaded, [&] { return step.run(); }, number, preemptions);
        };
        pipeline::RecordBuilder recorder;
        const CallsKept calls{options_.function, options_.call, measureCall};
        CUTAWAY_TRY(const LoadedProgram ran, loadProgram(tools_, forced(number), options_.backend,
                                                         &recorder, backend::KeepRuns::No, &calls));
        CUTAWAY_CHECK(askedIsThere(ran, options_));
        return status;
    }

    base::Status measure(LoadedProgram& loaded, const Step& step, size_t number,
                         base::Preemptions& preemptions) {
        const bool host = *ir::deviceFromName(options_.device) == ir::Device();
        std::map<std::string, Fastest> fastest;
        for (int call = 0; call < kCalls; ++call) {
            if (options_.cancel.cancelled()) return base::cancelledError();
            std::vector<backend::ProfiledKernel> timings;
            loaded.compiler->setProfile(&timings);
            base::Status status = step();
            loaded.compiler->setProfile(nullptr);
            if (!status.ok()) return status.error();
            const bool disturbed = host && preemptions.disturbed();
            for (const auto& [entry, timing] : timings) {
                const Fastest own{timing.us, disturbed};
                auto [at, first] = fastest.emplace(nameOf(entry, timing.graph, timing.kernel), own);
                if (!first) at->second.take(timing.us, disturbed);
            }
        }
        for (const auto& [kernel, round] : fastest)
            times_[number][kernel].add(round.us, round.disturbed);
        return {};
    }

    Tools& tools_;
    SessionOptions options_;
    std::vector<TunedKernel> kernels_;
    size_t count_ = 0; ///< candidates of the kernel with the most
    std::vector<std::unique_ptr<Variant>> variants_;
    int rounds_ = 1;
    std::map<size_t, std::map<std::string, base::TimedCalls>>
        times_; ///< a round each: by number, by kernel
};

/// Correlation of the logarithms.
double correlation(const std::vector<std::pair<double, double>>& points) {
    const auto n = static_cast<double>(points.size());
    double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (const auto& [predicted, measured] : points) {
        const double a = std::log(predicted), b = std::log(measured);
        x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
    }
    const double spread = (n * xx - x * x) * (n * yy - y * y);
    return spread > 0 ? (n * xy - x * y) / std::sqrt(spread) : 1;
}

} // namespace

bool TunedKernel::isDisturbed() const {
    return std::ranges::any_of(candidates, &TunedCandidate::disturbed);
}

base::Result<std::vector<TunedKernel>> tune(Tools& tools, const SessionOptions& options,
                                            int rounds) {
    if (!options.schedules.empty())
        return base::usageError("tune times every schedule: --schedule has no say in it",
                                "use --schedule with bench --kernels");
    return Tuner(tools, options).run(rounds);
}

std::string tuneSummary(const std::vector<TunedKernel>& kernels) {
    std::vector<std::pair<double, double>> points;
    double ratios = 0, taken = 0, fastest = 0;
    int within2 = 0, within3 = 0, near = 0;
    size_t quiet = 0;
    for (const TunedKernel& kernel : kernels) {
        if (kernel.isDisturbed()) continue;
        ++quiet;
        double best = 0, own = 0;
        for (const TunedCandidate& candidate : kernel.candidates) {
            if (candidate.measuredUs <= 0 || candidate.predictedUs <= 0) continue;
            points.emplace_back(candidate.predictedUs, candidate.measuredUs);
            const double ratio = candidate.predictedUs / candidate.measuredUs;
            ratios += std::log(ratio);
            within2 += ratio < 2 && ratio > 0.5;
            within3 += ratio < 3 && ratio > 1 / 3.0;
            if (best == 0 || candidate.measuredUs < best) best = candidate.measuredUs;
            if (candidate.taken) own = candidate.measuredUs;
        }
        taken += own, fastest += best;
        near += own <= best * 1.1;
    }
    std::string left;
    if (quiet < kernels.size())
        left = fmt::format(
            "left out, because other programs disturbed their times: {} of {} kernels\n",
            kernels.size() - quiet, kernels.size());
    if (points.empty()) return left.empty() ? "no candidate was timed\n" : left;
    const auto count = static_cast<double>(points.size());
    std::string text = left + fmt::format("{} candidates of {} kernels\n", points.size(), quiet);
    text += fmt::format("predicted / measured: geometric mean {:.2f}; {:.0f} % within a factor of "
                        "2, {:.0f} % within 3; correlation of logarithms {:.3f}\n",
                        std::exp(ratios / count), 100 * within2 / count, 100 * within3 / count,
                        correlation(points));
    text += fmt::format("taken: {:.1f} us together, the fastest measured: {:.1f} us; {} of {} are "
                        "within 10 % of the fastest\n",
                        taken, fastest, near, quiet);
    return text;
}

} // namespace cutaway::driver
