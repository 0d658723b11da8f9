// SPDX-License-Identifier: Apache-2.0
/// \file
/// Characters of UTF-8 texts: what letters, digits and spaces are, and their case.
#pragma once

#include <string>
#include <string_view>

namespace cutaway::capture {

std::u32string charactersOf(std::string_view utf8);
std::string utf8Of(std::u32string_view characters);
void appendUtf8(std::string& out, char32_t c);

bool isLetter(char32_t c);
bool isUpper(char32_t c);
bool isLower(char32_t c);
bool isDecimal(char32_t c); ///< 0 to 9 of any script
bool isDigit(char32_t c);   ///< superscripts, too
bool isNumeric(char32_t c); ///< fractions, too
bool isSpace(char32_t c);
bool isPrintable(char32_t c);
/// One character may become several: "ß" is "SS".
std::u32string upperCase(char32_t c);
std::u32string lowerCase(char32_t c);
std::u32string titleCase(char32_t c);
std::u32string foldCase(char32_t c);

} // namespace cutaway::capture
