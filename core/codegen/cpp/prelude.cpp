// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/cpp/prelude.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace cutaway::codegen::cpp {

namespace {

constexpr std::string_view kMarker = "// ---- ";

struct Section {
    std::string_view text;          ///< its marker line included
    std::vector<std::string> calls; ///< its names as they are called: "math::exp"
    std::vector<size_t> needs;      ///< earlier sections
    bool large = false;             ///< its functions are marked as LARGE
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

/// Namespace that begins \p code: "math"; empty: none.
std::string spaceOf(std::string_view code) {
    for (const std::string space : {"math", "special"})
        if (code.starts_with("namespace " + space + " {")) return space;
    return {};
}

std::vector<Section> takenApart(std::string_view prelude) {
    const std::string border = "\n" + std::string(kMarker);
    std::vector<Section> sections;
    std::unordered_map<std::string_view, std::vector<size_t>> byName;
    for (size_t begin = 0; begin < prelude.size();) {
        const size_t next = prelude.find(border, begin);
        const size_t end = next == std::string_view::npos ? prelude.size() : next + 1;
        Section section;
        section.text = prelude.substr(begin, end - begin);
        if (section.text.starts_with(kMarker)) {
            const size_t lineEnd = std::min(section.text.find('\n'), section.text.size());
            const std::string space = spaceOf(section.text.substr(lineEnd + 1));
            section.large =
                space == "math" && section.text.find("\nLARGE ") != std::string_view::npos;
            bool needs = false;
            for (std::string_view word :
                 words(section.text.substr(kMarker.size(), lineEnd - kMarker.size()))) {
                if (word == "<") {
                    needs = true;
                } else if (needs) {
                    const std::vector<size_t>& of = byName[word];
                    section.needs.insert(section.needs.end(), of.begin(), of.end());
                } else {
                    byName[word].push_back(sections.size());
                    section.calls.push_back((space.empty() ? "" : space + "::") +
                                            std::string(word));
                }
            }
        }
        sections.push_back(std::move(section));
        begin = end;
    }
    return sections;
}

/// \param prelude a constant of the program: it is taken apart once
const std::vector<Section>& sectionsOf(std::string_view prelude) {
    static std::mutex mutex;
    static std::map<std::pair<const char*, size_t>, std::vector<Section>> known;
    const std::lock_guard lock(mutex);
    const auto [at, fresh] = known.try_emplace({prelude.data(), prelude.size()});
    if (fresh) at->second = takenApart(prelude);
    return at->second;
}

bool isWord(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

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

/// Identifiers of \p text, and those with the name before their "::" as well.
std::unordered_set<std::string_view> identifiers(std::string_view text) {
    std::unordered_set<std::string_view> found;
    size_t before = 0, beforeEnd = 0; // the last identifier
    for (size_t i = 0; i < text.size();) {
        if (!isWord(text[i])) {
            ++i;
            continue;
        }
        const size_t begin = i;
        while (i < text.size() && isWord(text[i]))
            ++i;
        found.insert(text.substr(begin, i - begin));
        if (beforeEnd > 0 && text.substr(beforeEnd, begin - beforeEnd) == "::")
            found.insert(text.substr(before, i - before));
        before = begin;
        beforeEnd = i;
    }
    return found;
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
    const std::unordered_set<std::string_view> named = identifiers(code);
    const std::vector<Section>& sections = sectionsOf(prelude);
    std::vector<bool> taken(sections.size());
    // Needs name earlier sections, so one walk from the end finds them all.
    for (size_t k = sections.size(); k-- > 0;) {
        for (const std::string& call : sections[k].calls)
            taken[k] = taken[k] || named.contains(call);
        if (!taken[k]) continue;
        for (size_t need : sections[k].needs)
            taken[need] = true;
    }
    std::string result;
    for (size_t k = 0; k < sections.size(); ++k)
        if (taken[k]) result += sections[k].text;
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
        if (!section.large) continue;
        for (const std::string& name : section.calls) {
            const std::string call = name + "(";
            for (size_t at = text.find(call); at != std::string_view::npos;
                 at = text.find(call, at + 1))
                ++count;
        }
    }
    return count;
}

} // namespace cutaway::codegen::cpp
