// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where this process computes: the instruction that each of its threads is at, some thousand times a
/// second (Linux' perf events: by the processor's cycles where it counts them, else by the clock).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::runtime {

class Sampler {
public:
    /// Opens what this machine offers, for the calling thread and all that come of it later.
    Sampler();
    ~Sampler();
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;

    void start();
    /// Addresses of instructions since start(), in user mode, of all of these threads.
    std::vector<uintptr_t> stop();
    /// By what the moments were chosen: "cycles", "clock".
    std::string_view what() const { return what_; }
    /// Why there are no samples; empty: there are.
    const std::string& missing() const { return missing_; }

private:
    struct Ring {
        int file = -1;
        void* pages = nullptr; ///< mapped from start() on
    };
    /// What came since the last time; what there was no more room for is left out.
    static void take(const Ring& ring, std::vector<uintptr_t>& into);

    std::vector<Ring> rings_; ///< one a processor
    std::string_view what_;
    std::string missing_;
};

/// Those of this process, opened by the first call, for which the same holds as for
/// processCounters().
Sampler& processSampler();

} // namespace cutaway::runtime
