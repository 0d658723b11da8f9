// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether two texts differ in names only. For tests only.
#pragma once

#include "core/codegen/source.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace cutaway::testing {

/// The first place where \p b is not \p a with other names, each name of a standing for one of b
/// and the other way round, and lines indented as a name before them is long; nothing when there is
/// none. What follows "::" or "." is no variable; a comment speaks of buffers, whose names values may
/// have as well.
inline std::optional<std::string> differsInMoreThanNames(std::string_view a, std::string_view b) {
    auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    auto word = [&](std::string_view text, size_t at) {
        size_t end = at;
        while (end < text.size() && isWord(text[end]))
            ++end;
        return text.substr(at, end - at);
    };
    using Names = std::map<std::string_view, std::string_view>;
    Names variables, variablesBack, buffers, buffersBack;
    bool comment = false;
    size_t i = 0, j = 0, line = 1;
    while (i < a.size() && j < b.size()) {
        auto differs = [&] {
            const auto rest = [](std::string_view text, size_t at) {
                return std::string(text.substr(at, text.find('\n', at) - at));
            };
            return "line " + std::to_string(line) + ": '" + rest(a, i) + "' against '" +
                   rest(b, j) + "'";
        };
        if (!isWord(a[i]) || std::isdigit(static_cast<unsigned char>(a[i]))) {
            const std::string_view x = isWord(a[i]) ? word(a, i) : a.substr(i, 1);
            if (b.substr(j, x.size()) != x) return differs();
            comment = x != "\n" && (comment || a.substr(i, 2) == "//");
            i += x.size();
            j += x.size();
            if (x != "\n") continue;
            ++line;
            i = std::min(a.find_first_not_of(' ', i), a.size());
            j = std::min(b.find_first_not_of(' ', j), b.size());
            continue;
        }
        const std::string_view x = word(a, i), y = word(b, j);
        Names& forth = comment ? buffers : variables;
        Names& back = comment ? buffersBack : variablesBack;
        const bool member = i > 0 && (a[i - 1] == ':' || a[i - 1] == '.');
        if (member
                ? x != y
                : forth.emplace(x, y).first->second != y || back.emplace(y, x).first->second != x)
            return differs();
        i += x.size();
        j += y.size();
    }
    if (i == a.size() && j == b.size()) return std::nullopt;
    return "one text is longer";
}

/// The same for the texts of kernels, below equal preludes.
inline std::optional<std::string> differsInMoreThanNames(const codegen::KernelSource& a,
                                                         const codegen::KernelSource& b) {
    auto own = [](const codegen::KernelSource& source) {
        size_t begin = 0;
        for (int line = 0; line < source.preludeLines; ++line)
            begin = source.text.find('\n', begin) + 1;
        return begin;
    };
    const std::string_view x = a.text, y = b.text;
    if (x.substr(0, own(a)) != y.substr(0, own(b))) return "the preludes differ";
    return differsInMoreThanNames(x.substr(own(a)), y.substr(own(b)));
}

} // namespace cutaway::testing
