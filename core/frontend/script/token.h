// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tokens of the script language (Python 3.11's) and where they stand.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::frontend {

/// A stretch of text. Lines and columns count from 1, columns in characters (not bytes); the end is
/// exclusive.
struct Span {
    int line = 0, column = 0, endLine = 0, endColumn = 0;
};

/// From the start of \p a to the end of \p b.
inline Span join(const Span& a, const Span& b) {
    return {a.line, a.column, b.endLine, b.endColumn};
}
base::Location locate(const std::string& file, const Span& span);

enum class TokenKind : uint8_t {
    Name,
    Keyword,
    Int,
    Float,
    String,
    Operator,
    Newline,
    Indent,
    Dedent,
    End
};

struct Token {
    TokenKind kind = TokenKind::End;
    Span span;
    std::string text; ///< as written; strings: the decoded value, format strings: the raw body
    int64_t integer = 0;
    double real = 0;
    bool formatted = false; ///< f"..."
    bool raw = false;       ///< r"..."
    bool bytes = false;     ///< b"..."; text holds the bytes
    bool large = false;     ///< an Int of more than 64 bits
    bool imaginary = false; ///< a Float that a 'j' follows
    Span body;              ///< strings: where the text between the quotes starts

    bool is(TokenKind k, std::string_view t) const { return kind == k && text == t; }
    /// For messages: "'foo'", "end of line", "a string".
    std::string describe() const;
};

/// Splits a script into tokens, line structure included. Errors: located user errors.
base::Result<std::vector<Token>> tokenize(const std::string& file, std::string_view text);
/// Tokens of one expression inside a format string, whose first character stands at \p start. No
/// line structure.
base::Result<std::vector<Token>> tokenizeExpression(const std::string& file, std::string_view text,
                                                    Span start);
/// Replaces backslash escapes. Errors: what is wrong with the escape.
base::Result<std::string> decodeEscapes(std::string_view text);

} // namespace cutaway::frontend
