// SPDX-License-Identifier: Apache-2.0
#include "core/base/timed_calls.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <sys/resource.h>

namespace cutaway::base {

namespace {

/// Involuntary switches a second: programs that compete for a processor change every few milliseconds.
constexpr double kBusy = 50;

double secondsNow() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

long involuntarySwitches() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return used.ru_nivcsw;
}

} // namespace

Preemptions::Preemptions() : begin_(secondsNow()), first_(involuntarySwitches()), seen_(first_) {}

bool Preemptions::disturbed() {
    const long now = involuntarySwitches();
    const bool during = now != seen_, before = before_;
    seen_ = now;
    before_ = during;
    return during || before;
}

bool Preemptions::isBusy(int threads) const {
    if (threads > static_cast<int>(std::thread::hardware_concurrency())) return false;
    return static_cast<double>(seen_ - first_) > kBusy * (secondsNow() - begin_);
}

void TimedCalls::add(double time, bool wasDisturbed) {
    us.push_back(time);
    disturbed.push_back(wasDisturbed);
}

size_t TimedCalls::undisturbed() const {
    return static_cast<size_t>(std::ranges::count(disturbed, false));
}

std::vector<double> TimedCalls::worth(size_t fewest) const {
    if (undisturbed() < fewest) return us;
    std::vector<double> quiet;
    for (size_t i = 0; i < us.size(); ++i)
        if (!disturbed[i]) quiet.push_back(us[i]);
    return quiet;
}

} // namespace cutaway::base
