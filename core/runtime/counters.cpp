// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/counters.h"

#include "core/runtime/perf_events.h"

#include <array>
#include <cstdint>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace cutaway::runtime {

namespace {

constexpr std::array kProcessor{
    CountedEvent{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    CountedEvent{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    CountedEvent{"cache misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    CountedEvent{"branch misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES}};

/// A file that counts; negative: -errno.
int openCounter(const CountedEvent& event) {
    perf_event_attr how{};
    how.type = event.type;
    how.config = event.config;
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

std::span<const CountedEvent> processorEvents() {
    return kProcessor;
}

Counters::Counters(std::span<const CountedEvent> events) {
    for (const CountedEvent& event : events) {
        const int file = openCounter(event);
        if (file >= 0)
            open_.push_back({event.what, file});
        else if (missing_.empty())
            missing_ = whyNoEvent(-file);
    }
}

Counters::~Counters() {
    for (const Open& one : open_)
        close(one.file);
}

Counters::Moment Counters::now() const {
    Moment moment;
    for (const Open& one : open_) {
        std::array<uint64_t, 3> got{}; // in the order of read_format
        if (read(one.file, got.data(), sizeof got) != static_cast<ssize_t>(sizeof got)) got = {};
        moment.readings.push_back({got[0], got[1], got[2]});
    }
    moment.usage = usageNow();
    return moment;
}

/// The kernel resets no times, nor what threads counted that have ended: only differences tell.
std::vector<Count> Counters::between(const Moment& before, const Moment& after) const {
    std::vector<Count> all;
    for (size_t i = 0; i < open_.size(); ++i) {
        const Reading &a = before.readings[i], &b = after.readings[i];
        if (b.counted <= a.counted) continue; // it had no register of the processor
        all.push_back({open_[i].what, static_cast<double>(b.count - a.count) *
                                          static_cast<double>(b.wanted - a.wanted) /
                                          static_cast<double>(b.counted - a.counted)});
    }
    all.push_back({"page faults", after.usage.faults - before.usage.faults});
    all.push_back({"context switches", after.usage.switches - before.usage.switches});
    return all;
}

void Counters::start() {
    for (const Open& one : open_)
        ioctl(one.file, PERF_EVENT_IOC_ENABLE, 0);
    start_ = lap_ = now();
    isCounting_ = true;
}

std::vector<Count> Counters::lap() {
    Moment here = now();
    std::vector<Count> all = between(lap_, here);
    lap_ = std::move(here);
    return all;
}

std::vector<Count> Counters::stop() {
    for (const Open& one : open_)
        ioctl(one.file, PERF_EVENT_IOC_DISABLE, 0);
    isCounting_ = false;
    return between(start_, now());
}

Counters& processCounters() {
    static Counters counters;
    return counters;
}

} // namespace cutaway::runtime
