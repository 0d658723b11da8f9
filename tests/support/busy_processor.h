// SPDX-License-Identifier: Apache-2.0
/// \file
/// A program that competes for the processor of a test. For tests only.
#pragma once

#include <csignal>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cutaway::testing {

/// While it lives, this thread and another process that never rests have one processor: the system
/// has to take it from one to give it to the other.
class BusyProcessor {
public:
    BusyProcessor() {
        if (sched_getaffinity(0, sizeof before_, &before_) != 0) return;
        cpu_set_t one;
        CPU_ZERO(&one);
        for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
            if (CPU_ISSET(cpu, &before_)) CPU_SET(cpu, &one);
        if (sched_setaffinity(0, sizeof one, &one) != 0) return;
        other_ = fork();
        if (other_ == 0)
            for (;;) {
            } // until it is killed
    }
    BusyProcessor(const BusyProcessor&) = delete;
    BusyProcessor& operator=(const BusyProcessor&) = delete;
    ~BusyProcessor() {
        if (other_ <= 0) return;
        kill(other_, SIGKILL);
        waitpid(other_, nullptr, 0);
        sched_setaffinity(0, sizeof before_, &before_);
    }
    bool isBusy() const { return other_ > 0; }

private:
    cpu_set_t before_{};
    pid_t other_ = -1;
};

} // namespace cutaway::testing
