// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/counters.h"

#include "core/runtime/perf_events.h"

#include <array>
#include <cstdint>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace cutaway::runtime {

namespace {

struct Kind {
    std::string_view what;
    uint64_t config;
};
constexpr std::array kKinds{Kind{"instructions", PERF_COUNT_HW_INSTRUCTIONS},
                            Kind{"cycles", PERF_COUNT_HW_CPU_CYCLES},
                            Kind{"cache misses", PERF_COUNT_HW_CACHE_MISSES},
                            Kind{"branch misses", PERF_COUNT_HW_BRANCH_MISSES}};

/// A file that counts; negative: -errno.
int openCounter(const Kind& kind) {
    perf_event_attr how{};
    how.type = PERF_TYPE_HARDWARE;
    how.config = kind.config;
    how.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    return openEvent(how, -1);
}

/// What the kernel counts of every process.
Counters::Usage usageNow() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return {static_cast<double>(used.ru_minflt + used.ru_majflt),
            static_cast<double>(used.ru_nvcsw + used.ru_nivcsw)};
}

} // namespace

Counters::Counters() {
    for (size_t kind = 0; kind < kKinds.size(); ++kind) {
        const int file = openCounter(kKinds[kind]);
        if (file >= 0)
            open_.push_back({kind, file});
        else if (missing_.empty())
            missing_ = whyNoEvent(-file);
    }
}

Counters::~Counters() {
    for (const Open& one : open_)
        close(one.file);
}

void Counters::start() {
    before_ = usageNow();
    for (const Open& one : open_)
        ioctl(one.file, PERF_EVENT_IOC_RESET, 0);
    for (const Open& one : open_)
        ioctl(one.file, PERF_EVENT_IOC_ENABLE, 0);
}

std::vector<Count> Counters::stop() {
    for (const Open& one : open_)
        ioctl(one.file, PERF_EVENT_IOC_DISABLE, 0);
    std::array<double, kKinds.size()> sums{};
    std::array<bool, kKinds.size()> counted{};
    for (const Open& one : open_) {
        std::array<uint64_t, 3> got{}; // the count, nanoseconds wanted, nanoseconds counted
        if (read(one.file, got.data(), sizeof got) != static_cast<ssize_t>(sizeof got)) continue;
        counted[one.kind] = true;
        if (got[2] > 0)
            sums[one.kind] += static_cast<double>(got[0]) * static_cast<double>(got[1]) /
                              static_cast<double>(got[2]);
    }
    std::vector<Count> all;
    for (size_t kind = 0; kind < kKinds.size(); ++kind)
        if (counted[kind]) all.push_back({kKinds[kind].what, sums[kind]});
    const Usage now = usageNow();
    all.push_back({"page faults", now.faults - before_.faults});
    all.push_back({"context switches", now.switches - before_.switches});
    return all;
}

Counters& processCounters() {
    static Counters counters;
    return counters;
}

} // namespace cutaway::runtime
