// SPDX-License-Identifier: Apache-2.0
#include "core/base/line_diff.h"

#include <dtl/dtl.hpp>

#include <string_view>
#include <unordered_map>

namespace cutaway::base {

std::vector<DiffLine> diffLines(const std::vector<std::string>& before,
                                const std::vector<std::string>& after) {
    // Lines as numbers: equal ones have the same.
    std::vector<std::string_view> lines;
    std::unordered_map<std::string_view, int> numbers;
    auto number = [&](const std::vector<std::string>& text) {
        std::vector<int> result;
        for (const std::string& line : text) {
            auto [place, isNew] = numbers.emplace(line, static_cast<int>(lines.size()));
            if (isNew) lines.push_back(line);
            result.push_back(place->second);
        }
        return result;
    };
    dtl::Diff<int> diff(number(before), number(after), true);
    diff.compose();
    std::vector<DiffLine> result;
    for (const auto& [line, how] : diff.getSes().getSequence())
        result.push_back({how.type == dtl::SES_ADD      ? 1
                          : how.type == dtl::SES_DELETE ? -1
                                                        : 0,
                          std::string(lines[static_cast<size_t>(line)])});
    return result;
}

} // namespace cutaway::base
