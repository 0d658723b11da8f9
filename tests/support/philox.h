// SPDX-License-Identifier: Apache-2.0
/// \file
/// The block function Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
/// SC 2011): four words from a 128-bit counter and a 64-bit key. Bit for bit that of Random123 and
/// of curand. For tests only.
#pragma once

#include <cstdint>

namespace cutaway::tests {

/// Turns the counter c0..c3 (low word first) into the four words of its block. Scalars, not arrays:
/// a loop over counters becomes vector code.
inline void philox4x32(uint32_t& c0, uint32_t& c1, uint32_t& c2, uint32_t& c3, uint32_t key0,
                       uint32_t key1) {
    for (int round = 0; round < 10; ++round) {
        uint64_t a = uint64_t{0xD2511F53u} * c0;
        uint64_t b = uint64_t{0xCD9E8D57u} * c2;
        c0 = static_cast<uint32_t>(b >> 32) ^ c1 ^ key0;
        c1 = static_cast<uint32_t>(b);
        c2 = static_cast<uint32_t>(a >> 32) ^ c3 ^ key1;
        c3 = static_cast<uint32_t>(a);
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
}

} // namespace cutaway::tests
