// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/run_aside.h"

#include "core/base/tick.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

namespace cutaway::runtime {

void runAside(std::function<void()> work) {
    struct State {
        std::mutex mutex;
        std::condition_variable ended;
        bool done = false;
        std::exception_ptr thrown;
    };
    auto state = std::make_shared<State>();
    std::thread([state, work = std::move(work)] {
        std::exception_ptr thrown;
        try {
            work();
        } catch (...) {
            thrown = std::current_exception();
        }
        std::lock_guard lock(state->mutex);
        state->done = true;
        state->thrown = std::move(thrown);
        state->ended.notify_one();
    }).detach();
    constexpr std::chrono::milliseconds kLook(10);
    std::unique_lock lock(state->mutex);
    while (!state->ended.wait_for(lock, kLook, [&] { return state->done; }))
        base::tick();
    if (state->thrown) std::rethrow_exception(state->thrown);
}

} // namespace cutaway::runtime
