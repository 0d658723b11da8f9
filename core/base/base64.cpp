// SPDX-License-Identifier: Apache-2.0
#include "core/base/base64.h"

#include <sodium.h>

namespace cutaway::base {

std::string toBase64(std::string_view bytes) {
    constexpr int kForm = sodium_base64_VARIANT_ORIGINAL;
    std::string text(sodium_base64_encoded_len(bytes.size(), kForm), '\0');
    sodium_bin2base64(text.data(), text.size(),
                      reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), kForm);
    text.pop_back(); // the zero at its end
    return text;
}

std::optional<std::string> fromBase64(std::string_view text) {
    std::string bytes(text.size() / 4 * 3 + 3, '\0');
    size_t length = 0;
    const char* end = nullptr;
    if (sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(),
                          text.size(), nullptr, &length, &end,
                          sodium_base64_VARIANT_ORIGINAL) != 0 ||
        end != text.data() + text.size())
        return std::nullopt;
    bytes.resize(length);
    return bytes;
}

} // namespace cutaway::base
