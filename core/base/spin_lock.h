// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <thread>

namespace cutaway::base {

/// For what is held a few instructions and seldom waited for: half of a mutex's atomic operations.
/// Whoever has waited long lets others run.
class SpinLock {
public:
    void lock() {
        for (int tries = 0; taken_.exchange(true, std::memory_order_acquire); ++tries)
            if (tries > 100) std::this_thread::yield();
    }
    void unlock() { taken_.store(false, std::memory_order_release); }

private:
    std::atomic<bool> taken_ = false;
};

} // namespace cutaway::base
