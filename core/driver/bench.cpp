// SPDX-License-Identifier: Apache-2.0
#include "core/base/timed_calls.h"
#include "core/driver/case.h"
#include "core/driver/sample_steps.h"
#include "core/runtime/counters.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>

namespace cutaway::driver {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr size_t kMostRuns = 2000;
constexpr size_t kFewestRuns = 5;
constexpr size_t kFewestQuiet = 20; ///< undisturbed calls that are better than many disturbed ones
constexpr int kQueuedBatch = 5;     ///< steps between two synchronisations, as the PyTorch runner
constexpr double kShortest = 50e-6; ///< seconds, of what one time is taken of on the host

using Step = std::function<base::Status()>;

/// Medians as torch_runner.py takes them: three warm-up steps, then until \p minSeconds; on the host
/// of the calls that no other program disturbed, and up to three times as long until they are enough.
/// There a time is that of several short calls in a row: a call behind a system call, which asks about
/// other programs, finds cold caches and takes up to twice as long.
base::Status timeSteps(const Step& step, ir::Device device, double minSeconds,
                       const base::CancelToken& cancel, record::Run& row) {
    double warm = 0; // seconds of the last one
    for (int i = 0; i < 3; ++i) {
        if (cancel.cancelled()) return base::cancelledError();
        const Clock::time_point start = Clock::now();
        CUTAWAY_CHECK(step());
        warm = secondsSince(start);
    }
    CUTAWAY_CHECK(runtime::synchronize(device));
    runtime::resetPeak(device);
    base::TimedCalls calls;
    const bool host = device == ir::Device(); // it alone queues nothing
    const int batch = host ? std::clamp(static_cast<int>(kShortest / warm), 1, 100) : kQueuedBatch;
    const Clock::time_point begin = Clock::now();
    auto isEnough = [&] {
        if (calls.us.size() >= kMostRuns) return true;
        const double seconds = secondsSince(begin);
        if (seconds < minSeconds || calls.us.size() < kFewestRuns) return false;
        return calls.undisturbed() >= kFewestQuiet || calls.undisturbed() == calls.us.size() ||
               seconds > 3 * minSeconds;
    };
    base::Preemptions preemptions;
    while (!isEnough()) {
        if (cancel.cancelled()) return base::cancelledError();
        Clock::time_point start = Clock::now();
        for (int i = 0; i < batch; ++i)
            CUTAWAY_CHECK(step());
        CUTAWAY_CHECK(runtime::synchronize(device));
        const double us = secondsSince(start) * 1e6 / batch;
        calls.add(us, host && preemptions.disturbed());
    }
    row.disturbed = host && calls.undisturbed() < kFewestQuiet && preemptions.isBusy(row.threads);
    std::vector<double> us = calls.worth(kFewestQuiet);
    constexpr size_t kMostKept = 200;
    const size_t every = std::max<size_t>(1, us.size() / kMostKept);
    for (size_t i = 0; i < us.size(); i += every)
        row.samples.push_back(us[i]);
    std::sort(us.begin(), us.end());
    row.us = us.size() % 2 ? us[us.size() / 2] : (us[us.size() / 2 - 1] + us[us.size() / 2]) / 2;
    row.usMin = us.front();
    row.runs = static_cast<int>(us.size());
    row.peakMiB = static_cast<double>(runtime::memoryStatistics(device).peakBytes) / (1 << 20);
    return {};
}

/// Medians of the kernels of calls, the same ones in the same order call after call: of the calls
/// that nobody \p disturbed, or of all where there is none.
std::vector<record::KernelTiming> medians(const std::vector<backend::ProfiledKernel>& all,
                                          const std::vector<bool>& disturbed) {
    const size_t kernels = all.size() / disturbed.size();
    std::vector<record::KernelTiming> result;
    for (size_t k = 0; k < kernels; ++k) {
        base::TimedCalls calls;
        for (size_t i = 0; i < disturbed.size(); ++i)
            calls.add(all[k + i * kernels].timing.us, disturbed[i]);
        std::vector<double> us = calls.worth(1);
        const auto middle = us.begin() + static_cast<ptrdiff_t>(us.size() / 2);
        std::nth_element(us.begin(), middle, us.end());
        size_t shown = 0; // the call that took as long: its threads are told
        for (size_t i = 0; i < disturbed.size(); ++i)
            if (all[k + i * kernels].timing.us == *middle) shown = i;
        result.push_back(all[k + shown * kernels].timing);
    }
    return result;
}

/// Of five calls; of more while the kernels together take far longer than \p row says of a call:
/// other programs have the processors then.
base::Status profileKernels(LoadedProgram& loaded, const Step& step, ir::Device device,
                            double seconds, const base::CancelToken& cancel, record::Run& row) {
    constexpr size_t kCalls = 5, kMostCalls = 100;
    constexpr double kFarLonger = 2;
    const Clock::time_point begin = Clock::now();
    std::vector<backend::ProfiledKernel> all;
    auto isFarLonger = [&] {
        double sum = 0;
        for (const record::KernelTiming& timing : row.kernels)
            sum += timing.us;
        return sum > kFarLonger * row.us;
    };
    std::vector<bool> disturbed;
    base::Preemptions preemptions;
    loaded.compiler->setProfile(&all);
    for (size_t calls = kCalls; calls <= kMostCalls; calls += kCalls) {
        for (size_t i = 0; i < kCalls; ++i) {
            if (cancel.cancelled()) return base::cancelledError();
            CUTAWAY_CHECK(step());
            disturbed.push_back(device == ir::Device() && preemptions.disturbed());
        }
        CUTAWAY_CHECK(runtime::synchronize(device));
        row.kernels = medians(all, disturbed);
        if (!isFarLonger() || secondsSince(begin) > seconds) break;
    }
    loaded.compiler->setProfile(nullptr);
    return {};
}

/// What each kernel of \p row does, from calls that are timed no more: reading counters takes time.
base::Status countKernels(LoadedProgram& loaded, const Step& step, const base::CancelToken& cancel,
                          record::Run& row) {
    constexpr size_t kCalls = 5;
    std::vector<backend::ProfiledKernel> all;
    loaded.compiler->setProfile(&all);
    runtime::processCounters().start();
    base::Status status;
    for (size_t i = 0; i < kCalls && status; ++i)
        status = cancel.cancelled() ? base::cancelledError() : step();
    runtime::processCounters().stop();
    loaded.compiler->setProfile(nullptr);
    CUTAWAY_CHECK(std::move(status));
    if (all.size() != row.kernels.size() * kCalls) return {}; // calls that differ from each other
    for (size_t i = 0; i < all.size(); ++i)
        for (const record::KernelCount& one : all[i].timing.counts) {
            std::vector<record::KernelCount>& counts = row.kernels[i % row.kernels.size()].counts;
            auto at = std::ranges::find(counts, one.what, &record::KernelCount::what);
            if (at == counts.end()) at = counts.insert(at, {one.what, 0});
            at->value += one.value / static_cast<double>(kCalls);
        }
    return {};
}

base::Result<Counted> countSteps(const Step& step, ir::Device device,
                                 const base::CancelToken& cancel) {
    constexpr int kCalls = 10;
    runtime::Counters& counters = runtime::processCounters();
    counters.start();
    for (int i = 0; i < kCalls; ++i) {
        if (cancel.cancelled()) return base::cancelledError();
        CUTAWAY_CHECK(step());
    }
    CUTAWAY_CHECK(runtime::synchronize(device));
    Counted all;
    for (const runtime::Count& one : counters.stop())
        all.perCall.emplace_back(one.what, one.value / kCalls);
    all.missing = counters.missing();
    return all;
}

/// Times \p step, which has run once, and counts what one call of it does.
base::Status benchStep(LoadedProgram& loaded, const Step& step, const SessionOptions& options,
                       const BenchOptions& how, record::Run& row) {
    const ir::Device device = *ir::deviceFromName(options.device);
    CUTAWAY_CHECK(timeSteps(step, device, how.minSeconds, options.cancel, row));
    loaded.eager->takeWork();
    loaded.compiler->beginCount();
    CUTAWAY_CHECK(step());
    const backend::EagerRunner::Work eager = loaded.eager->takeWork();
    const backend::GraphStatistics statistics = loaded.compiler->statistics();
    row.eagerLaunches = static_cast<int>(eager.launches);
    row.launches = statistics.launches + row.eagerLaunches;
    row.savedBytes = statistics.savedBytes;
    row.bytesMoved = statistics.bytesMoved + eager.bytesMoved;
    if (how.profileKernels)
        CUTAWAY_CHECK(profileKernels(loaded, step, device, how.minSeconds, options.cancel, row));
    if (how.counted) {
        CUTAWAY_TRY(Counted counted, countSteps(step, device, options.cancel));
        how.counted(std::move(counted));
        if (device == ir::Device()) CUTAWAY_CHECK(countKernels(loaded, step, options.cancel, row));
    }
    if (how.sampled && device != ir::Device()) {
        Sampled none;
        none.missing = "the kernels run on a GPU, where lines are not sampled";
        how.sampled(std::move(none));
    } else if (how.sampled) {
        CUTAWAY_TRY(Sampled sampled,
                    sampleSteps(*loaded.toolchain, statistics.code, step, options.cancel));
        how.sampled(std::move(sampled));
    }
    return {};
}

base::Status benchCase(LoadedProgram& loaded, const SessionOptions& options,
                       const BenchOptions& how, record::Run& row) {
    CUTAWAY_TRY(CaseStep step, CaseStep::make(loaded, options.size, row.backend));
    CUTAWAY_CHECK(askedIsThere(loaded, options));
    const ir::Device device = *ir::deviceFromName(options.device);
    row.size = step.size();
    row.train = step.train();
    CUTAWAY_CHECK(runtime::synchronize(device));
    const Clock::time_point start = Clock::now();
    CUTAWAY_CHECK(step.run());
    CUTAWAY_CHECK(runtime::synchronize(device));
    row.compileSeconds = secondsSince(start);
    if (row.backend == options.backend) CUTAWAY_CHECK(schedulesMet(loaded));
    return benchStep(loaded, [&] { return step.run(); }, options, how, row);
}

/// What is under way, and which share of one backend's work is done.
using Tell = std::function<void(const std::string& what, double done)>;

/// Times one call, made again as often as that takes, and reports it.
base::Status benchCall(LoadedProgram& loaded, const capture::KeptCall& call,
                       const SessionOptions& options, const BenchOptions& how, record::Run own,
                       const BenchReport& report) {
    own.caseName += ":" + call.function;
    own.size = fmt::format("call {}", call.number);
    own.compileSeconds = call.firstSeconds;
    own.threads = runtime::threads();
    own.textHash = loaded.textHash;
    own.train = how.backward;
    CallStep step(loaded, call, how.backward);
    base::Status status = step.run();
    if (status) status = benchStep(loaded, [&] { return step.run(); }, options, how, own);
    if (!status && status.error().fault == base::Fault::Cancelled) return status;
    report(own, status ? std::nullopt : std::optional(status.error()));
    return {};
}

/// One backend's rows; errors of a function are reported with its row.
base::Status benchBackend(Tools& tools, const SessionOptions& options, const BenchOptions& how,
                          record::Run& row, const BenchReport& report, const Tell& tell) {
    row.decisions = decisionsText(options);
    base::Status told; // of the calls that were timed while the script stood behind them
    bool timed = false;
    CallsKept keep{options.function, options.call, nullptr};
    if (options.call > 0)
        keep.made = [&](LoadedProgram& loaded, const capture::KeptCall& call) {
            timed = true;
            if (told) told = benchCall(loaded, call, options, how, row, report);
        };
    auto run = loadProgram(tools, options, row.backend, nullptr, backend::KeepRuns::No, &keep);
    if (timed) return told; // what the script does afterwards is no matter of it
    CUTAWAY_TRY(LoadedProgram loaded, std::move(run));
    row.threads = runtime::threads();
    row.textHash = loaded.textHash;
    if (isOfCase(loaded, options)) {
        CUTAWAY_CHECK(benchCase(loaded, options, how, row));
        report(row, std::nullopt);
        return {};
    }
    const std::vector<capture::KeptCall> calls = loaded.program->keptCalls();
    CUTAWAY_CHECK(askedIsThere(loaded, options));
    if (calls.empty())
        return base::userError({options.path},
                               "nothing to measure: the script calls no compiled function",
                               "add torch.compile, or define 'model' and 'example_inputs(size)'");
    if (row.backend == options.backend) CUTAWAY_CHECK(schedulesMet(loaded));
    for (size_t i = 0; i < calls.size(); ++i) {
        if (calls.size() > 1)
            tell(fmt::format("measuring {}, part {} of {}", row.backend, i + 1, calls.size()),
                 static_cast<double>(i) / static_cast<double>(calls.size()));
        CUTAWAY_CHECK(benchCall(loaded, calls[i], options, how, row, report));
    }
    return {};
}

} // namespace

base::Status bench(Tools& tools, const SessionOptions& options, const BenchOptions& how,
                   const BenchReport& report) {
    // How long the next one takes is not known: compiling it may take longer than measuring.
    SessionOptions quiet = options;
    quiet.progress = nullptr;
    for (size_t i = 0; i < how.backends.size(); ++i) {
        const std::string& backendName = how.backends[i];
        const Tell tell = [&](const std::string& what, double done) {
            if (options.progress)
                options.progress(what, (static_cast<double>(i) + done) /
                                           static_cast<double>(how.backends.size()));
        };
        tell("measuring " + backendName, 0);
        record::Run row;
        row.caseName = std::filesystem::path(options.path).stem().string();
        row.device = options.device;
        row.size = options.size;
        row.backend = backendName;
        row.threads = options.threads;
        base::Status status = benchBackend(tools, quiet, how, row, report, tell);
        if (!status && status.error().fault == base::Fault::Cancelled) return status;
        if (!status) report(row, status.error());
    }
    return {};
}

} // namespace cutaway::driver
