// SPDX-License-Identifier: Apache-2.0
#include "core/driver/case.h"

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
constexpr int kQueuedBatch = 5; ///< steps between two synchronisations, as the PyTorch runner

/// Medians as torch_runner.py takes them: three warm-up steps, then until \p minSeconds.
base::Status timeSteps(CaseStep& step, ir::Device device, double minSeconds,
                       const base::CancelToken& cancel, record::Run& row) {
    for (int i = 0; i < 3; ++i) {
        if (cancel.cancelled()) return base::cancelledError();
        CUTAWAY_CHECK(step.run());
    }
    CUTAWAY_CHECK(runtime::synchronize(device));
    runtime::resetPeak(device);
    std::vector<double> us;
    const int batch = device == ir::Device() ? 1 : kQueuedBatch; // only the host queues nothing
    Clock::time_point begin = Clock::now();
    while ((secondsSince(begin) < minSeconds || us.size() < kFewestRuns) && us.size() < kMostRuns) {
        if (cancel.cancelled()) return base::cancelledError();
        Clock::time_point start = Clock::now();
        for (int i = 0; i < batch; ++i)
            CUTAWAY_CHECK(step.run());
        if (batch > 1) CUTAWAY_CHECK(runtime::synchronize(device));
        us.push_back(secondsSince(start) * 1e6 / batch);
    }
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

base::Status profileKernels(LoadedProgram& loaded, CaseStep& step, ir::Device device,
                            const base::CancelToken& cancel, record::Run& row) {
    constexpr int kCalls = 5;
    std::vector<record::KernelTiming> all;
    loaded.compiler->setProfile(&all);
    for (int i = 0; i < kCalls; ++i) {
        if (cancel.cancelled()) return base::cancelledError();
        CUTAWAY_CHECK(step.run());
    }
    loaded.compiler->setProfile(nullptr);
    CUTAWAY_CHECK(runtime::synchronize(device));
    size_t kernels = all.size() / kCalls; // the same kernels in the same order, call after call
    for (size_t k = 0; k < kernels; ++k) {
        std::vector<double> us;
        for (int i = 0; i < kCalls; ++i)
            us.push_back(all[k + static_cast<size_t>(i) * kernels].us);
        std::nth_element(us.begin(), us.begin() + kCalls / 2, us.end());
        record::KernelTiming timing = all[k];
        timing.us = us[kCalls / 2];
        row.kernels.push_back(std::move(timing));
    }
    return {};
}

base::Status benchBackend(Tools& tools, const SessionOptions& options, const BenchOptions& how,
                          record::Run& row) {
    CUTAWAY_TRY(LoadedProgram loaded, loadProgram(tools, options, row.backend, nullptr));
    if (!loaded.program->isCaseFile())
        return base::userError({options.path},
                               "not a case file: it defines no 'model' and 'example_inputs'",
                               "see the README's section on case files");
    CUTAWAY_TRY(CaseStep step, CaseStep::make(loaded, options.size, row.backend));
    ir::Device device = *ir::deviceFromName(options.device);
    row.size = step.size();
    row.train = step.train();
    row.threads = runtime::threads();
    row.textHash = loaded.textHash;
    row.decisions = decisionsText(options);
    CUTAWAY_CHECK(runtime::synchronize(device));
    Clock::time_point start = Clock::now();
    CUTAWAY_CHECK(step.run());
    CUTAWAY_CHECK(runtime::synchronize(device));
    row.compileSeconds = secondsSince(start);
    if (row.backend == options.backend) CUTAWAY_CHECK(schedulesMet(loaded));
    CUTAWAY_CHECK(timeSteps(step, device, how.minSeconds, options.cancel, row));
    loaded.eager->takeWork();
    CUTAWAY_CHECK(step.run());
    const backend::EagerRunner::Work eager = loaded.eager->takeWork();
    backend::GraphStatistics statistics = loaded.compiler->statistics();
    row.eagerLaunches = static_cast<int>(eager.launches);
    row.launches = statistics.launches + row.eagerLaunches;
    row.savedBytes = statistics.savedBytes;
    row.bytesMoved = statistics.bytesMoved + eager.bytesMoved;
    if (how.profileKernels) CUTAWAY_CHECK(profileKernels(loaded, step, device, options.cancel, row));
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
        if (options.progress)
            options.progress("measuring " + backendName,
                             static_cast<double>(i) / static_cast<double>(how.backends.size()));
        record::Run row;
        row.caseName = std::filesystem::path(options.path).stem().string();
        row.device = options.device;
        row.size = options.size;
        row.backend = backendName;
        row.threads = options.threads;
        base::Status status = benchBackend(tools, quiet, how, row);
        if (!status && status.error().fault == base::Fault::Cancelled) return status;
        report(row, status ? std::nullopt : std::optional(status.error()));
    }
    return {};
}

} // namespace cutaway::driver
