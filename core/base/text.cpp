// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include "core/base/quote.h"

#include <algorithm>
#include <numeric>
#include <utility>

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

size_t findInvalidUtf8(std::string_view text) {
    auto byte = [&](size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
    for (size_t at = 0; at < text.size();) {
        const unsigned char first = byte(at);
        const size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        if (first >= 0x80 && (first < 0xc2 || first > 0xf4)) return at;
        for (size_t k = 1; k < length; ++k)
            if ((byte(at + k) & 0xc0) != 0x80) return at;
        const bool overlong =
            (first == 0xe0 && byte(at + 1) < 0xa0) || (first == 0xf0 && byte(at + 1) < 0x90);
        const bool surrogate = first == 0xed && byte(at + 1) > 0x9f;
        const bool tooLarge = first == 0xf4 && byte(at + 1) > 0x8f;
        if (overlong || surrogate || tooLarge) return at;
        at += length;
    }
    return std::string_view::npos;
}

size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = std::exchange(row[0], i);
        for (size_t j = 1; j <= b.size(); ++j) {
            size_t above = row[j];
            size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({above + 1, row[j - 1] + 1, change});
            diagonal = above;
        }
    }
    return row.back();
}

std::string FileNames::next(std::string_view wanted) {
    const std::string plain = fileName(wanted);
    std::string name = plain;
    for (int number = 2; !taken_.insert(name).second; ++number)
        name = plain + "_" + std::to_string(number);
    return name;
}

} // namespace cutaway::base
