// SPDX-License-Identifier: Apache-2.0
#include "core/driver/case.h"
#include "core/driver/timed_calls.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace cutaway::driver {

namespace {

constexpr int kCalls = 3;  ///< of one compilation in its turn; a round keeps the fastest
constexpr int kLonger = 3; ///< times as many rounds as were asked for, on a busy machine

/// The case compiled with every kernel run by the candidate of one number, where it has it.
struct Variant {
    LoadedProgram loaded;
    std::optional<CaseStep> step;
    std::map<std::string, TimedCalls> times; ///< of its kernels, a round each
};

/// The fastest of a round's calls that nobody disturbed, or of all.
struct Fastest {
    double us;
    bool disturbed;
    void take(double time, bool wasDisturbed) {
        if (wasDisturbed != disturbed ? disturbed : time < us) *this = {time, wasDisturbed};
    }
};

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
        Compiled compiled = compile(tools_, options_);
        if (compiled.error) return *compiled.error;
        readCandidates(compiled.record);
        CUTAWAY_CHECK(load());
        fewest_ = static_cast<size_t>(rounds + 1) / 2;
        Preemptions preemptions;
        for (int round = 0; round < kLonger * rounds; ++round)
            for (Variant& variant : variants_)
                if (round < rounds || !isQuiet(variant))
                    CUTAWAY_CHECK(measure(variant, preemptions));
        const bool busy = preemptions.isBusy(runtime::threads());
        for (TunedKernel& kernel : kernels_)
            for (TunedCandidate& candidate : kernel.candidates) {
                const TimedCalls& times = variants_[static_cast<size_t>(candidate.number) - 1]
                                              .times[kernel.graph + "/" + kernel.kernel];
                candidate.measuredUs = medianOf(times.worth(1));
                candidate.disturbed = busy && times.undisturbed() == 0;
            }
        return std::move(kernels_);
    }

private:
    void readCandidates(const record::Record& record) {
        for (const record::Function& function : record.functions)
            for (const record::Entry& entry : function.entries)
                for (const record::LoweredGraph& lowered : entry.lowered)
                    for (const record::KernelInfo& kernel : lowered.kernels)
                        add(lowered.graph, kernel);
    }

    void add(const std::string& graph, const record::KernelInfo& kernel) {
        TunedKernel row{graph, kernel.name, {}};
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

    base::Status load() {
        variants_.resize(count_);
        for (size_t number = 0; number < count_; ++number) {
            SessionOptions forced = options_;
            forced.schedules = {fmt::format("*={}", number + 1)};
            Variant& variant = variants_[number];
            CUTAWAY_TRY(variant.loaded, loadProgram(tools_, forced, options_.backend, nullptr));
            CUTAWAY_TRY(variant.step,
                        CaseStep::make(variant.loaded, options_.size, options_.backend));
            CUTAWAY_CHECK(variant.step->run());
        }
        return {};
    }

    /// Whether enough rounds of each kernel were its own.
    bool isQuiet(const Variant& variant) const {
        return std::ranges::all_of(variant.times, [&](const auto& kernel) {
            return kernel.second.undisturbed() >= fewest_;
        });
    }

    base::Status measure(Variant& variant, Preemptions& preemptions) {
        const bool host = *ir::deviceFromName(options_.device) == ir::Device();
        std::map<std::string, Fastest> fastest;
        for (int call = 0; call < kCalls; ++call) {
            if (options_.cancel.cancelled()) return base::userError({}, "cancelled");
            std::vector<record::KernelTiming> timings;
            variant.loaded.compiler->setProfile(&timings);
            base::Status status = variant.step->run();
            variant.loaded.compiler->setProfile(nullptr);
            CUTAWAY_CHECK(status);
            const bool disturbed = host && preemptions.disturbed();
            for (const record::KernelTiming& timing : timings) {
                const Fastest own{timing.us, disturbed};
                auto [at, first] = fastest.emplace(timing.graph + "/" + timing.kernel, own);
                if (!first) at->second.take(timing.us, disturbed);
            }
        }
        for (const auto& [kernel, round] : fastest)
            variant.times[kernel].add(round.us, round.disturbed);
        return {};
    }

    Tools& tools_;
    SessionOptions options_;
    std::vector<TunedKernel> kernels_;
    size_t count_ = 0; ///< candidates of the kernel with the most
    std::vector<Variant> variants_;
    size_t fewest_ = 1; ///< undisturbed rounds that are enough
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
