// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is counted while this process computes: instructions, cycles and misses by the processor
/// (Linux' perf events, in user mode), page faults and context switches by the kernel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::runtime {

struct Count {
    std::string_view what; ///< "instructions"
    double value = 0;
};

class Counters {
public:
    /// Opens what this machine offers, for the calling thread and all that come of it later; they
    /// count between start() and stop().
    Counters();
    ~Counters();
    Counters(const Counters&) = delete;
    Counters& operator=(const Counters&) = delete;

    void start();
    /// What was counted since start(), in all of these threads; of counters that had to share a
    /// register of the processor, what they would have counted alone.
    std::vector<Count> stop();
    struct Usage {
        double faults = 0, switches = 0;
    };
    /// Why the processor's own counters are not among them; empty: they are.
    const std::string& missing() const { return missing_; }

private:
    struct Open {
        size_t kind;
        int file;
    };
    std::vector<Open> open_;
    Usage before_;
    std::string missing_;
};

/// Those of this process, opened by the first call. A program that confines itself (base/box.h) or
/// has a pool of threads makes that call before: none can be opened inside the box.
Counters& processCounters();

} // namespace cutaway::runtime
