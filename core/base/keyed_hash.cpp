// SPDX-License-Identifier: Apache-2.0
#include "core/base/keyed_hash.h"

#include <sodium.h>

namespace cutaway::base {

static_assert(kHashBytes == crypto_generichash_BYTES);
static_assert(kHashKeyBytes == crypto_generichash_KEYBYTES);

static const unsigned char* bytesOf(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

std::string keyedHash(std::string_view key, const std::vector<std::string_view>& parts) {
    crypto_generichash_state state;
    crypto_generichash_init(&state, key.empty() ? nullptr : bytesOf(key), key.size(), kHashBytes);
    for (std::string_view part : parts) {
        const uint64_t size = part.size();
        crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(&size),
                                  sizeof size);
        crypto_generichash_update(&state, bytesOf(part), part.size());
    }
    std::string hash(kHashBytes, '\0');
    crypto_generichash_final(&state, reinterpret_cast<unsigned char*>(hash.data()), hash.size());
    return hash;
}

std::string drawHashKey() {
    std::string key(kHashKeyBytes, '\0');
    randombytes_buf(key.data(), key.size());
    return key;
}

bool equalHashes(std::string_view a, std::string_view b) {
    return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string hexText(std::string_view bytes) {
    std::string text(bytes.size() * 2 + 1, '\0');
    sodium_bin2hex(text.data(), text.size(), bytesOf(bytes), bytes.size());
    text.pop_back();
    return text;
}

} // namespace cutaway::base
