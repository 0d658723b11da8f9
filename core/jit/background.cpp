// SPDX-License-Identifier: Apache-2.0
#include "core/jit/background.h"

#include <thread>

namespace cutaway::jit {

Background::~Background() {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return running_ == 0; });
}

void Background::start(std::function<void()> work) {
    // Counted once the thread exists: it cannot end before the lock is free.
    const std::lock_guard lock(mutex_);
    std::thread([this, work = std::move(work)]() mutable {
        work();
        work = nullptr;
        const std::lock_guard done(mutex_);
        --running_;
        ended_.notify_all();
    }).detach();
    ++running_;
}

} // namespace cutaway::jit
