// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include "core/base/quote.h"

#include <algorithm>

namespace cutaway::base {

std::vector<std::string> splitLines(std::string_view text) {
    std::vector<std::string> lines;
    for (size_t at = 0; at < text.size();) {
        size_t end = std::min(text.find('\n', at), text.size());
        lines.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

std::string FileNames::next(std::string_view wanted) {
    const std::string plain = fileName(wanted);
    std::string name = plain;
    for (int number = 2; !taken_.insert(name).second; ++number)
        name = plain + "_" + std::to_string(number);
    return name;
}

} // namespace cutaway::base
