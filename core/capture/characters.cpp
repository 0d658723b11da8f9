// SPDX-License-Identifier: Apache-2.0
#include "core/capture/characters.h"

#include <clocale>
#include <cwctype>

namespace cutaway::capture {

namespace {

/// The C library's tables of all scripts, whatever the locale of the program is.
locale_t tables() {
    static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return locale;
}

bool within(char32_t c, char32_t low, char32_t high) {
    return c >= low && c <= high;
}

bool isSuperscript(char32_t c) {
    return c == 0xb2 || c == 0xb3 || c == 0xb9 || c == 0x2070 || within(c, 0x2074, 0x2079) ||
           within(c, 0x2080, 0x2089) || within(c, 0x2460, 0x2468);
}

bool isFraction(char32_t c) {
    return within(c, 0xbc, 0xbe) || within(c, 0x2150, 0x218b) || within(c, 0x2469, 0x249b);
}

char32_t mapped(char32_t c, bool up) {
    if (c < 128)
        return up ? (within(c, 'a', 'z') ? c - 32 : c) : (within(c, 'A', 'Z') ? c + 32 : c);
    if (!tables()) return c;
    const auto w = static_cast<wint_t>(c);
    return static_cast<char32_t>(up ? towupper_l(w, tables()) : towlower_l(w, tables()));
}

} // namespace

std::u32string charactersOf(std::string_view s) {
    std::u32string out;
    out.reserve(s.size());
    for (size_t i = 0; i < s.size();) {
        const auto b = static_cast<unsigned char>(s[i]);
        const size_t n = b < 0x80 ? 1 : b < 0xe0 ? 2 : b < 0xf0 ? 3 : 4;
        char32_t c = n == 1 ? b : b & (0xff >> (n + 1));
        for (size_t k = 1; k < n && i + k < s.size(); ++k)
            c = (c << 6) | (static_cast<unsigned char>(s[i + k]) & 0x3f);
        out += c;
        i += n;
    }
    return out;
}

void appendUtf8(std::string& out, char32_t c) {
    if (c < 0x80) {
        out += static_cast<char>(c);
        return;
    }
    const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    const char32_t head = more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0;
    out += static_cast<char>(head | (c >> (6 * more)));
    for (int k = more; k-- > 0;)
        out += static_cast<char>(0x80 | ((c >> (6 * k)) & 0x3f));
}

std::string utf8Of(std::u32string_view characters) {
    std::string out;
    for (char32_t c : characters)
        appendUtf8(out, c);
    return out;
}

bool isUpper(char32_t c) {
    return mapped(c, false) != c;
}

bool isLower(char32_t c) {
    return mapped(c, true) != c || c == 0xdf || c == 0xaa || c == 0xba || within(c, 0x138, 0x138);
}

bool isDecimal(char32_t c) {
    if (c < 128) return within(c, '0', '9');
    static constexpr char32_t kZeros[] = {0x660, 0x6f0,  0x7c0,  0x966,  0x9e6, 0xa66, 0xae6,
                                          0xb66, 0xbe6,  0xc66,  0xce6,  0xd66, 0xe50, 0xed0,
                                          0xf20, 0x1040, 0x17e0, 0x1810, 0xff10};
    for (char32_t zero : kZeros)
        if (within(c, zero, zero + 9)) return true;
    return false;
}

bool isDigit(char32_t c) {
    return isDecimal(c) || isSuperscript(c);
}

bool isNumeric(char32_t c) {
    return isDigit(c) || isFraction(c);
}

bool isLetter(char32_t c) {
    if (c < 128) return within(c, 'a', 'z') || within(c, 'A', 'Z');
    return tables() && iswalpha_l(static_cast<wint_t>(c), tables()) && !isNumeric(c);
}

bool isSpace(char32_t c) {
    return within(c, 9, 13) || within(c, 0x1c, 0x20) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
           within(c, 0x2000, 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f ||
           c == 0x3000;
}

bool isPrintable(char32_t c) {
    if (c < 128) return within(c, 32, 126);
    if (isSpace(c) || within(c, 0x80, 0x9f) || c == 0xad) return false;
    // What steers the text around it, and private characters.
    if (within(c, 0x200b, 0x200f) || within(c, 0x2028, 0x202e) || within(c, 0x2060, 0x206f) ||
        c == 0xfeff || within(c, 0xfff9, 0xfffb) || within(c, 0xe000, 0xf8ff))
        return false;
    return !tables() || iswprint_l(static_cast<wint_t>(c), tables());
}

std::u32string upperCase(char32_t c) {
    switch (c) {
    case 0xdf:
        return U"SS";
    case 0xfb00:
        return U"FF";
    case 0xfb01:
        return U"FI";
    case 0xfb02:
        return U"FL";
    case 0x149:
        return U"\u02bcN";
    default:
        return {mapped(c, true)};
    }
}

std::u32string lowerCase(char32_t c) {
    if (c == 0x130) return U"i\u0307";
    return {mapped(c, false)};
}

std::u32string titleCase(char32_t c) {
    std::u32string text = upperCase(c);
    for (size_t i = 1; i < text.size(); ++i)
        text[i] = c == 0x149 ? text[i] : mapped(text[i], false);
    return text;
}

std::u32string foldCase(char32_t c) {
    if (c == 0xdf || c == 0x1e9e) return U"ss";
    if (c == 0x3c2) return U"\u03c3";
    return lowerCase(c);
}

} // namespace cutaway::capture
