// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is counted while this process computes: instructions, cycles and misses by the processor
/// (Linux' perf events, in user mode), page faults and context switches by the kernel.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::runtime {

struct Count {
    std::string_view what; ///< "instructions"
    double value = 0;
};

/// One of Linux' perf events (linux/perf_event.h).
struct CountedEvent {
    std::string_view what;
    uint32_t type = 0;
    uint64_t config = 0;
};
/// Instructions, cycles, misses of caches and of predicted branches, as the processor counts them.
std::span<const CountedEvent> processorEvents();

class Counters {
public:
    /// Opens those of \p events that this machine offers, for the calling thread and all that come of
    /// it later; they count between start() and stop().
    explicit Counters(std::span<const CountedEvent> events = processorEvents());
    ~Counters();
    Counters(const Counters&) = delete;
    Counters& operator=(const Counters&) = delete;

    void start();
    /// What was counted since start(), in all of these threads; of counters that had to share a
    /// register of the processor, what they would have counted alone.
    std::vector<Count> stop();
    /// The same since start() or the last lap(), which goes on.
    std::vector<Count> lap();
    bool isCounting() const { return isCounting_; }
    struct Usage {
        double faults = 0, switches = 0;
    };
    /// Why the processor's own counters are not among them; empty: they are.
    const std::string& missing() const { return missing_; }

private:
    /// Of one event: what it counted, nanoseconds in which it was wanted, and in which it counted.
    struct Reading {
        uint64_t count = 0, wanted = 0, counted = 0;
    };
    struct Moment {
        std::vector<Reading> readings; ///< one for each of open_
        Usage usage;
    };
    struct Open {
        std::string_view what;
        int file;
    };
    Moment now() const;
    std::vector<Count> between(const Moment& before, const Moment& after) const;

    std::vector<Open> open_;
    Moment start_, lap_;
    bool isCounting_ = false;
    std::string missing_;
};

/// Those of this process, opened by the first call. A program that confines itself (base/box.h) or
/// has a pool of threads makes that call before: none can be opened inside the box.
Counters& processCounters();

} // namespace cutaway::runtime
