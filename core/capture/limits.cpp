// SPDX-License-Identifier: Apache-2.0
// What a script may take: time until it is cancelled, memory, the thread's stack.
#include "core/base/sanitizers.h"
#include "core/capture/interp.h"

#include <fmt/format.h>

#include <algorithm>
#include <pthread.h>

namespace cutaway::capture {

void Interp::setUpLimits() {
    heap_->onCancel = [this] { stopped(); };
    heap_->onLimit = [this] { tooLarge(); };
}

ScriptError Interp::interruption() {
    if (!options_.cancel.takeInterrupt()) return {{}, base::cancelledError(), {}, false};
    return {newException(Error::KeyboardInterrupt, {}),
            base::userError({}, "KeyboardInterrupt"),
            {},
            false};
}

void Interp::stopped() {
    throw interruption();
}

void Interp::tooLarge() {
    raise(Error::Memory,
          fmt::format("the values of a script may take {} MiB, this one needs more",
                      heap_->limit() >> 20),
          "keep large data in tensors, or work on a part at a time");
}

void Interp::wantTextLength(size_t bytes) {
    if (bytes > kMaxText)
        raise(Error::Memory,
              fmt::format("a text may take {} MiB, this one needs more", kMaxText >> 20));
    room(bytes);
}

void Interp::append(std::string& text, std::string_view more) {
    tick();
    if (text.size() + more.size() > text.capacity()) wantTextLength(text.size() + more.size());
    text += more;
}

void Interp::tooDeep() {
    raise(Error::Recursion, "calls are nested too deeply",
          "look for a function that calls itself without an end");
}

void Interp::findStackLimit() {
    std::thread::id self = std::this_thread::get_id();
    if (self == stackThread_) return;
    stackThread_ = self;
    // For what runs between two checks; sanitizers make frames several times as large.
    constexpr size_t kReserve = size_t{base::kSanitized ? 4096 : 512} << 10;
    stackLimit_ = nullptr;
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void* lowest = nullptr;
    size_t size = 0;
    if (pthread_attr_getstack(&attributes, &lowest, &size) == 0)
        stackLimit_ = static_cast<const char*>(lowest) + std::min(kReserve, size / 2);
    pthread_attr_destroy(&attributes);
}

} // namespace cutaway::capture
