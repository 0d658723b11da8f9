// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/deterministic.h"

#include <atomic>

namespace cutaway::runtime {

static std::atomic<bool> wantedNow = false;

bool deterministic() {
    return wantedNow.load(std::memory_order_relaxed);
}

void setDeterministic(bool wanted) {
    wantedNow = wanted;
}

} // namespace cutaway::runtime
