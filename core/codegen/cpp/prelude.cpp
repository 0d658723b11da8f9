// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/cpp/prelude.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace cutaway::codegen::cpp {

namespace {

constexpr std::string_view kMarker = "// ---- ";

struct Section {
    std::string_view text; ///< its marker line included
    std::vector<std::string_view> names, needs;
    std::string_view space; ///< namespace that the names live in: "math"
    bool taken = false;
};

std::vector<std::string_view> words(std::string_view line) {
    std::vector<std::string_view> found;
    while (!line.empty()) {
        const size_t end = std::min(line.find(' '), line.size());
        if (end > 0) found.push_back(line.substr(0, end));
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    return found;
}

std::vector<Section> sectionsOf(std::string_view prelude) {
    std::vector<Section> sections;
    size_t begin = 0;
    while (begin < prelude.size()) {
        const size_t next = prelude.find(std::string("\n") + std::string(kMarker), begin);
        const size_t end = next == std::string_view::npos ? prelude.size() : next + 1;
        Section section;
        section.text = prelude.substr(begin, end - begin);
        const size_t lineEnd = std::min(section.text.find('\n'), section.text.size());
        if (section.text.starts_with(kMarker)) {
            auto* list = &section.names;
            for (std::string_view word :
                 words(section.text.substr(kMarker.size(), lineEnd - kMarker.size()))) {
                if (word == "<")
                    list = &section.needs;
                else
                    list->push_back(word);
            }
            for (std::string_view space : {"math", "special"})
                if (section.text.substr(lineEnd + 1)
                        .starts_with(fmt::format("namespace {} {{", space)))
                    section.space = space;
        }
        sections.push_back(std::move(section));
        begin = end;
    }
    return sections;
}

bool isWord(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

} // namespace

namespace {

/// Comments name the graph's buffers, which may be called as a function of the prelude is.
std::string withoutCommentLines(std::string_view text) {
    std::string code;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        if (!text.starts_with("//")) code += text.substr(0, end);
        text.remove_prefix(end);
    }
    return code;
}

} // namespace

bool mentions(std::string_view text, std::string_view name) {
    for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const size_t end = at + name.size();
        const bool before = at > 0 && isWord(text[at - 1]);
        const bool after = end < text.size() && isWord(text[end]);
        if (!before && !after) return true;
    }
    return false;
}

std::string_view withoutFirst(std::string_view prelude) {
    if (prelude.starts_with(kMarker)) return prelude;
    const size_t end =
        prelude.find("\n" + std::string(kMarker)); // a line's start: comments name it
    return prelude.substr(std::min(end, prelude.size() - 1) + 1);
}

std::string neededSections(std::string_view prelude, std::string_view text) {
    const std::string code = withoutCommentLines(text);
    std::vector<Section> sections = sectionsOf(prelude);
    // Needs name earlier sections, so one walk from the end finds them all.
    for (size_t k = sections.size(); k-- > 0;) {
        Section& section = sections[k];
        for (std::string_view name : section.names)
            section.taken |=
                mentions(code, section.space.empty() ? std::string(name)
                                                     : fmt::format("{}::{}", section.space, name));
        if (!section.taken) continue;
        for (std::string_view need : section.needs)
            for (size_t earlier = 0; earlier < k; ++earlier)
                for (std::string_view name : sections[earlier].names)
                    sections[earlier].taken |= name == need;
    }
    std::string result;
    for (const Section& section : sections)
        if (section.taken) result += section.text;
    return result;
}

std::string neededPrelude(std::string_view prelude, std::string_view text) {
    const std::string_view marked = withoutFirst(prelude);
    const std::string_view first = prelude.substr(0, prelude.size() - marked.size());
    // The polynomials above may use fused multiply-add. What follows is rounded operation by
    // operation: x * y in one statement minus x * y in another is 0, as in PyTorch.
    return std::string(first) + neededSections(marked, text) + "#pragma clang fp contract(on)\n";
}

size_t largeCalls(std::string_view prelude, std::string_view text) {
    size_t count = 0;
    for (const Section& section : sectionsOf(prelude)) {
        if (section.space != "math" || section.text.find("\nLARGE ") == std::string_view::npos)
            continue;
        for (std::string_view name : section.names) {
            const std::string call = "math::" + std::string(name) + "(";
            for (size_t at = text.find(call); at != std::string_view::npos;
                 at = text.find(call, at + 1))
                ++count;
        }
    }
    return count;
}

} // namespace cutaway::codegen::cpp
