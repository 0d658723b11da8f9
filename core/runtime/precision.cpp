// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/precision.h"

#include <atomic>

namespace cutaway::runtime {

static std::atomic<Precision> current = Precision();
static std::atomic<int> exact = 0; ///< FullPrecision objects

Precision precision() {
    return exact > 0 ? Precision{false, false} : current.load();
}

FullPrecision::FullPrecision() {
    ++exact;
}
FullPrecision::~FullPrecision() {
    --exact;
}

void setPrecision(const Precision& allowed) {
    current = allowed;
}

} // namespace cutaway::runtime
