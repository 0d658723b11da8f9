// SPDX-License-Identifier: Apache-2.0
#include "core/base/line_diff.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace cutaway::base {

namespace {
constexpr size_t kMostCells = 4'000'000;
}

std::vector<DiffLine> diffLines(const std::vector<std::string>& a,
                                const std::vector<std::string>& b) {
    size_t begin = 0, endA = a.size(), endB = b.size();
    while (begin < endA && begin < endB && a[begin] == b[begin])
        ++begin;
    while (endA > begin && endB > begin && a[endA - 1] == b[endB - 1])
        --endA, --endB;
    std::vector<DiffLine> lines;
    for (size_t i = 0; i < begin; ++i)
        lines.push_back({0, a[i]});
    size_t n = endA - begin, m = endB - begin;
    // Too long to align: everything in between changed.
    bool align = n * m <= kMostCells;
    std::vector<std::vector<uint32_t>> longest;
    if (align) longest.assign(n + 1, std::vector<uint32_t>(m + 1));
    for (size_t i = align ? n : 0; i-- > 0;)
        for (size_t j = m; j-- > 0;)
            longest[i][j] = a[begin + i] == b[begin + j]
                                ? longest[i + 1][j + 1] + 1
                                : std::max(longest[i + 1][j], longest[i][j + 1]);
    size_t i = 0, j = 0;
    while (i < n || j < m) {
        if (align && i < n && j < m && a[begin + i] == b[begin + j]) {
            lines.push_back({0, a[begin + i++]});
            ++j;
        } else if (i < n && (j == m || !align || longest[i + 1][j] >= longest[i][j + 1])) {
            lines.push_back({-1, a[begin + i++]});
        } else {
            lines.push_back({1, b[begin + j++]});
        }
    }
    for (size_t k = endA; k < a.size(); ++k)
        lines.push_back({0, a[k]});
    return lines;
}

} // namespace cutaway::base
