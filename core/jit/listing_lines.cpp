// SPDX-License-Identifier: Apache-2.0
#include "core/jit/listing_lines.h"

#include <cstdio>

namespace cutaway::jit {

std::optional<int> sourceLineNamedBy(const std::string& line) {
    int at = 0;
    // What was inlined belongs to the statement that called it.
    if (size_t caller = line.find("inlined_at "); caller != std::string::npos)
        if (std::sscanf(line.c_str() + caller, "inlined_at %*d %d", &at) == 1) return at;
    if (std::sscanf(line.c_str(), " .loc %*d %d", &at) == 1) return at;
    size_t last =
        line.find("//## File ") == std::string::npos ? std::string::npos : line.rfind("\", line ");
    if (last != std::string::npos && std::sscanf(line.c_str() + last, "\", line %d", &at) == 1)
        return at;
    return std::nullopt;
}

} // namespace cutaway::jit
