// SPDX-License-Identifier: Apache-2.0
/// \file
/// A flag that a person (or the engine) raises and long work looks at between steps.
#pragma once

#include <atomic>
#include <memory>

namespace cutaway::base {

class CancelToken {
public:
    CancelToken() : state_(std::make_shared<std::atomic<char>>(kGoesOn)) {}
    void cancel() const { state_->store(kCancelled, std::memory_order_relaxed); }
    bool cancelled() const { return state_->load(std::memory_order_relaxed) != kGoesOn; }

    /// Ctrl-C: a cancellation that a script may answer. May be called by a handler of signals.
    /// \return false when an earlier one waits still
    bool interrupt() const {
        char before = kGoesOn;
        return state_->compare_exchange_strong(before, kInterrupted);
    }
    /// Whether there was an interruption; from now on it is answered, and the work goes on.
    bool takeInterrupt() const {
        char before = kInterrupted;
        return state_->compare_exchange_strong(before, kGoesOn);
    }

private:
    static constexpr char kGoesOn = 0, kInterrupted = 1, kCancelled = 2;
    std::shared_ptr<std::atomic<char>> state_;
};

} // namespace cutaway::base
