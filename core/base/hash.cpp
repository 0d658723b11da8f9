// SPDX-License-Identifier: Apache-2.0
#include "core/base/hash.h"

namespace cutaway::base {

static uint64_t finalise(uint64_t x) {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdull;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ull;
    return x ^ (x >> 33);
}

Hasher& Hasher::add(std::string_view bytes) {
    for (unsigned char c : bytes) {
        a_ = (a_ ^ c) * 0x100000001b3ull;
        b_ = (b_ + c) * 0x9e3779b97f4a7c15ull;
        b_ ^= b_ >> 29;
    }
    return add(static_cast<uint64_t>(bytes.size()));
}

Hasher& Hasher::add(uint64_t value) {
    a_ = (a_ ^ value) * 0x100000001b3ull;
    b_ = finalise(b_ + value);
    return *this;
}

uint64_t Hasher::word() const {
    return finalise(a_) ^ b_;
}

} // namespace cutaway::base
