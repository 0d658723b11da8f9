// SPDX-License-Identifier: Apache-2.0
/// \file
/// Text from outside (a script's or a record's names) put into something else's language: one
/// function a language, used wherever such text is written.
#pragma once

#include <string>
#include <string_view>

namespace cutaway::base {

/// A name of one file, from any text: letters, digits, "_", "-" and "." stay (a "." not at the
/// start), so do other characters beyond ASCII; "<" and ">" go; all else, separators and NUL
/// included, becomes "_". Never empty, "." or "..", at most 100 bytes.
std::string fileName(std::string_view text);

/// A string literal of C and C++, quotes included.
std::string cString(std::string_view text);

/// A double-quoted string of Graphviz's language, quotes included, that shows the text as it is.
/// Nothing in it means anything to a shell either.
std::string dotString(std::string_view text);

/// Text between the tags or within the quotes of an XML file. Control characters, which XML cannot
/// hold, become spaces.
std::string xmlText(std::string_view text);

/// Text for a terminal: control characters but line ends and tabs are written as "\x1b".
std::string terminalText(std::string_view text);

/// The text with every byte that is not part of valid UTF-8 replaced by U+FFFD.
std::string validUtf8(std::string_view text);

} // namespace cutaway::base
