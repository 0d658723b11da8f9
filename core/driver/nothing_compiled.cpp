// SPDX-License-Identifier: Apache-2.0
#include "core/driver/nothing_compiled.h"

#include "core/base/said.h"

#include <optional>
#include <regex>
#include <string>
#include <vector>

namespace cutaway::driver {

namespace {

std::vector<std::string> linesOf(std::string_view text) {
    std::vector<std::string> lines;
    while (true) {
        const size_t end = text.find('\n');
        lines.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos) return lines;
        text.remove_prefix(end + 1);
    }
}

size_t indentOf(const std::string& line) {
    return line.find_first_not_of(" \t");
}

/// The variable on which the line at \p at depends: "x if NAME else y" or a block under "if NAME:".
std::optional<std::string> conditionOf(const std::vector<std::string>& lines, size_t at) {
    static const std::regex inside(R"(\bif\s+(\w+)\s+else\b)"), head(R"(^\s*if\s+(\w+)\s*:)");
    std::smatch found;
    for (const std::regex& form : {inside, head})
        if (std::regex_search(lines[at], found, form)) return found[1];
    for (size_t above = at; above-- > 0;) {
        if (indentOf(lines[above]) == std::string::npos) continue;
        if (indentOf(lines[above]) >= indentOf(lines[at])) continue;
        if (std::regex_search(lines[above], found, head)) return found[1];
        return std::nullopt;
    }
    return std::nullopt;
}

} // namespace

base::Diagnostic nothingCompiled(const std::string& path, std::string_view text) {
    base::Diagnostic said{
        base::Severity::Warning,
        base::Fault::User,
        {path},
        base::said("nothing was compiled: the script calls no compiled function"),
        {},
        base::said("add torch.compile, or define 'model' and 'example_inputs(size)'")};
    if (path.ends_with(".pt2")) {
        said.message = base::said("nothing was compiled: the exported program computes nothing");
        said.hint = base::said("export a model that does more than to give what it is given");
        return said;
    }
    const std::vector<std::string> lines = linesOf(text);
    for (size_t i = 0; i < lines.size(); ++i) {
        const size_t call = lines[i].find("torch.compile");
        if (call == std::string::npos || lines[i].substr(0, call).find('#') != std::string::npos)
            continue;
        const std::string line = std::to_string(i + 1);
        said.message = base::said(
            "nothing was compiled: what torch.compile makes in line {} is not called", line);
        said.hint = base::said("call it");
        const std::optional<std::string> name = conditionOf(lines, i);
        if (!name) continue;
        const std::regex off("^\\s*" + *name + R"(\s*(:\s*bool\s*)?=\s*False\b)");
        for (size_t k = 0; k < lines.size(); ++k) {
            if (!std::regex_search(lines[k], off)) continue;
            said.where.line = static_cast<int>(k + 1);
            said.message = base::said(
                "nothing was compiled: '{}' is False, and line {} compiles only when it is true",
                *name, line);
            said.hint = base::said("write '{} = True' in line {}", *name, k + 1);
            return said;
        }
    }
    return said;
}

} // namespace cutaway::driver
