// SPDX-License-Identifier: Apache-2.0
// A zip: entries that stay below the limit and can be packed again, or one message.
#include "core/formats/zip.h"

#include <cstdint>
#include <cstdlib>

using namespace cutaway;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    constexpr size_t kLimit = size_t{1} << 20;
    auto entries = formats::readZip({reinterpret_cast<const char*>(data), size}, kLimit);
    if (!entries.ok()) {
        if (entries.error().message.empty()) std::abort();
        return 0;
    }
    size_t unpacked = 0;
    for (const auto& [name, bytes] : *entries)
        unpacked += bytes.size();
    if (unpacked > kLimit) std::abort();
    // Names may repeat in a stranger's zip; ours have each once.
    if (auto again = formats::writeZip(*entries); again.ok() && !formats::readZip(*again).ok())
        std::abort();
    return 0;
}
