// SPDX-License-Identifier: Apache-2.0
#include "core/base/quote.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <utility>

namespace cutaway::base {

namespace {

constexpr size_t kLongestFileName = 100;
constexpr std::string_view kReplacement = "\xef\xbf\xbd";

bool isAsciiWord(unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

bool isControl(unsigned char c) {
    return c < 0x20 || c == 0x7f;
}

/// Bytes of the character that starts at \p at; 0: not valid UTF-8 (overlong forms, surrogates and
/// what lies beyond Unicode included).
size_t characterBytes(std::string_view text, size_t at) {
    auto byte = [&](size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || at + length > text.size()) return 0;
    for (size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    const unsigned char second = byte(1);
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
        (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
        return 0;
    return length;
}

} // namespace

std::string validUtf8(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
        const size_t length = characterBytes(text, at);
        out += length ? text.substr(at, length) : kReplacement;
        at += std::max<size_t>(length, 1);
    }
    return out;
}

/// A character that is not seen in a name, or changes how others are: C1 controls, marks of the
/// writing direction, spaces without width, separators of lines, tags.
static bool isUnseen(std::string_view character) {
    uint32_t code = static_cast<unsigned char>(character[0]) & (0x7fu >> character.size());
    for (char c : character.substr(1))
        code = code << 6 | (static_cast<unsigned char>(c) & 0x3fu);
    constexpr std::pair<uint32_t, uint32_t> kRanges[] = {
        {0x80, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},   {0x180e, 0x180e}, {0x200b, 0x200f},
        {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
    for (auto [first, last] : kRanges)
        if (code >= first && code <= last) return true;
    return false;
}

std::string fileName(std::string_view text) {
    std::string out;
    for (size_t at = 0; at < text.size();) {
        const size_t length = characterBytes(text, at);
        const auto c = static_cast<unsigned char>(text[at]);
        std::string_view kept = text.substr(at, std::max<size_t>(length, 1));
        at += kept.size();
        if (c == '<' || c == '>') continue;
        const bool plain = isAsciiWord(c) || ((c == '-' || c == '.') && !out.empty());
        if (!plain && (length < 2 || isUnseen(kept))) kept = "_";
        if (out.size() + kept.size() > kLongestFileName) break;
        out += kept;
    }
    return out.empty() ? "unnamed" : out;
}

std::string cString(std::string_view text) {
    std::string out = "\"";
    for (unsigned char c : text) {
        if (c == '"' || c == '\\' || c == '?') // "?" could start a trigraph
            (out += '\\') += static_cast<char>(c);
        else if (isControl(c) || c >= 0x80)
            out += fmt::format("\\{:03o}", c); // three digits: none of the text joins them
        else
            out += static_cast<char>(c);
    }
    return out + '"';
}

std::string dotString(std::string_view text) {
    std::string out = "\"";
    for (char c : validUtf8(text)) {
        if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (c == '\n')
            out += "\\n";
        else if (c == '&' || c == '$' || c == '`' || c == '!')
            out += fmt::format("&#{};", static_cast<int>(c)); // Graphviz reads HTML's entities
        else
            out += isControl(static_cast<unsigned char>(c)) ? ' ' : c;
    }
    return out + '"';
}

std::string xmlText(std::string_view text) {
    std::string out;
    for (char c : validUtf8(text)) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else
            out += isControl(static_cast<unsigned char>(c)) && c != '\n' && c != '\t' ? ' ' : c;
    }
    return out;
}

std::string terminalText(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (size_t at = 0; at < text.size(); ++at) {
        const auto c = static_cast<unsigned char>(text[at]);
        const bool c1 = c == 0xc2 && at + 1 < text.size() &&
                        static_cast<unsigned char>(text[at + 1]) >= 0x80 &&
                        static_cast<unsigned char>(text[at + 1]) < 0xa0;
        if (c1)
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++at]));
        else if (isControl(c) && c != '\n' && c != '\t')
            out += fmt::format("\\x{:02x}", c);
        else
            out += static_cast<char>(c);
    }
    return out;
}

} // namespace cutaway::base
