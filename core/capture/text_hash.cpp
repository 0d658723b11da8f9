// SPDX-License-Identifier: Apache-2.0
#include "core/capture/text_hash.h"

#include <array>
#include <cstring>
#include <sodium.h>

namespace cutaway::capture {

size_t textHash(std::string_view text) {
    static const auto key = [] {
        std::array<unsigned char, crypto_shorthash_KEYBYTES> bytes;
        randombytes_buf(bytes.data(), bytes.size());
        return bytes;
    }();
    unsigned char digest[crypto_shorthash_BYTES];
    crypto_shorthash(digest, reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                     key.data());
    size_t hash;
    static_assert(sizeof hash <= sizeof digest);
    std::memcpy(&hash, digest, sizeof hash);
    return hash | 1;
}

} // namespace cutaway::capture
