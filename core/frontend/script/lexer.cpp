// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/script/character_names.h"
#include "core/frontend/script/token.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>

namespace cutaway::frontend {

base::Location locate(const std::string& file, const Span& span) {
    return {file, span.line, span.column, span.endLine, span.endColumn};
}

std::string Token::describe() const {
    switch (kind) {
    case TokenKind::Name:
    case TokenKind::Keyword:
    case TokenKind::Operator:
        return "'" + text + "'";
    case TokenKind::Int:
    case TokenKind::Float:
        return "number " + text;
    case TokenKind::String:
        return "a string";
    case TokenKind::Newline:
        return "end of line";
    case TokenKind::Indent:
        return "an indented line";
    case TokenKind::Dedent:
        return "a line that is indented less";
    case TokenKind::End:
        return "end of file";
    }
    return {};
}

namespace {

/// Sorted.
constexpr std::array<std::string_view, 35> kKeywords = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

constexpr std::array<std::string_view, 46> kOperators = {
    "**=", "//=", ">>=", "<<=", "...", "**", "//", ">>", "<<", "<=", ">=", "==",
    "!=",  "->",  "+=",  "-=",  "*=",  "/=", "%=", "@=", "&=", "|=", "^=", ":=",
    "+",   "-",   "*",   "/",   "%",   "@",  "<",  ">",  "(",  ")",  "[",  "]",
    "{",   "}",   ",",   ":",   ".",   ";",  "=",  "&",  "|",  "^"};

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isNameStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}
bool isNamePart(char c) {
    return isNameStart(c) || isDigit(c);
}
int hexValue(char c) {
    if (isDigit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

void appendUtf8(std::string& out, uint32_t code) {
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xc0 | (code >> 6));
        out += static_cast<char>(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        out += static_cast<char>(0xe0 | (code >> 12));
        out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
        out += static_cast<char>(0x80 | (code & 0x3f));
    } else {
        out += static_cast<char>(0xf0 | (code >> 18));
        out += static_cast<char>(0x80 | ((code >> 12) & 0x3f));
        out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
        out += static_cast<char>(0x80 | (code & 0x3f));
    }
}

/// Full-width punctuation that an input method leaves in code, with what was meant.
struct Lookalike {
    std::string_view wide, plain;
};
constexpr std::array<Lookalike, 12> kLookalikes = {{{"，", ","},
                                                    {"：", ":"},
                                                    {"（", "("},
                                                    {"）", ")"},
                                                    {"；", ";"},
                                                    {"“", "\""},
                                                    {"”", "\""},
                                                    {"‘", "'"},
                                                    {"’", "'"},
                                                    {"。", "."},
                                                    {"＝", "="},
                                                    {"　", " "}}};

struct LexError {
    base::Diagnostic diagnostic;
};

class Lexer {
public:
    Lexer(const std::string& file, std::string_view text, int line, int column, bool lines)
        : file_(file), text_(text), line_(line), column_(column), lines_(lines) {}

    std::vector<Token> run();

private:
    char peek(size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    bool atEnd() const { return at_ >= text_.size(); }
    bool startsWith(std::string_view s) const { return text_.substr(at_).starts_with(s); }
    void advance(size_t bytes = 1);
    Span here() const { return {line_, column_, line_, column_}; }
    Span since(const Span& start) const { return {start.line, start.column, line_, column_}; }
    [[noreturn]] void fail(const Span& span, std::string message, std::string hint = {}) const {
        throw LexError{base::userError(locate(file_, span), std::move(message), std::move(hint))};
    }
    Token& push(TokenKind kind, const Span& start, std::string text);

    void lineStart();
    void newline();
    void skipComment();
    void name();
    void refuseLookalike();
    void number();
    void numberWithBase(const Span& start, int base);
    void string(size_t prefixLength);
    std::optional<size_t> stringPrefix() const;
    void operatorToken();
    void closeBracket(char bracket, const Span& where);

    const std::string& file_;
    std::string_view text_;
    size_t at_ = 0;
    int line_, column_;
    bool lines_; ///< produce Newline, Indent, Dedent
    std::vector<Token> tokens_;
    /// A line's leading space measured with tabs of eight columns and of one: lines whose order
    /// depends on which are refused, as Python does.
    struct Indent {
        int wide = 0, narrow = 0;
    };
    std::vector<Indent> indents_ = {{}};
    void wantSameOrder(bool same) const {
        if (!same)
            fail(here(), "inconsistent use of tabs and spaces in indentation",
                 "indent with spaces alone");
    }
    std::vector<std::pair<char, Span>> brackets_;
};

void Lexer::advance(size_t bytes) {
    for (size_t i = 0; i < bytes && at_ < text_.size(); ++i) {
        char c = text_[at_++];
        if (c == '\n') {
            ++line_;
            column_ = 1;
        } else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) {
            ++column_;
        }
    }
}

Token& Lexer::push(TokenKind kind, const Span& start, std::string text) {
    Token token;
    token.kind = kind;
    token.span = since(start);
    token.text = std::move(text);
    tokens_.push_back(std::move(token));
    return tokens_.back();
}

void Lexer::skipComment() {
    while (!atEnd() && peek() != '\n')
        advance();
}

/// Measures the indentation of a line that holds something, and opens or closes blocks.
void Lexer::lineStart() {
    for (;;) {
        Indent found;
        while (peek() == ' ' || peek() == '\t' || peek() == '\f') {
            found.wide = peek() == '\t' ? (found.wide / 8 + 1) * 8 : found.wide + 1;
            ++found.narrow;
            advance();
        }
        if (peek() == '#') skipComment();
        if (peek() == '\r' && peek(1) == '\n') advance();
        if (peek() == '\n') {
            advance();
            continue;
        }
        if (atEnd()) return;
        if (found.wide > indents_.back().wide) {
            wantSameOrder(found.narrow > indents_.back().narrow);
            indents_.push_back(found);
            push(TokenKind::Indent, here(), "");
            return;
        }
        while (found.wide < indents_.back().wide) {
            wantSameOrder(found.narrow < indents_.back().narrow);
            indents_.pop_back();
            push(TokenKind::Dedent, here(), "");
        }
        if (found.wide != indents_.back().wide)
            fail(here(), "this line's indentation matches no block that is open",
                 "indent it like the line that the block starts with");
        wantSameOrder(found.narrow == indents_.back().narrow);
        return;
    }
}

void Lexer::newline() {
    Span start = here();
    advance();
    if (!lines_ || !brackets_.empty()) return;
    if (!tokens_.empty() && tokens_.back().kind != TokenKind::Newline) {
        Token& token = push(TokenKind::Newline, start, "");
        token.span = {start.line, start.column, start.line, start.column + 1};
    }
    lineStart();
}

void Lexer::refuseLookalike() {
    for (const Lookalike& look : kLookalikes) {
        if (!startsWith(look.wide)) continue;
        Span start = here();
        advance(look.wide.size());
        fail(since(start), fmt::format("found the full-width character '{}'", look.wide),
             fmt::format("write '{}'", look.plain));
    }
}

void Lexer::name() {
    Span start = here();
    size_t from = at_;
    while (isNamePart(peek())) {
        if (static_cast<unsigned char>(peek()) >= 0x80) refuseLookalike();
        advance();
    }
    std::string text(text_.substr(from, at_ - from));
    bool keyword = std::ranges::binary_search(kKeywords, std::string_view(text));
    push(keyword ? TokenKind::Keyword : TokenKind::Name, start, std::move(text));
}

void Lexer::numberWithBase(const Span& start, int base) {
    size_t from = at_;
    advance(2);
    std::string digits;
    while (isNamePart(peek())) {
        if (peek() != '_') digits += peek();
        advance();
    }
    int64_t value = 0;
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (digits.empty() || end != digits.data() + digits.size())
        fail(since(start), fmt::format("malformed number '{}'", text_.substr(from, at_ - from)));
    Token& token = push(TokenKind::Int, start, std::string(text_.substr(from, at_ - from)));
    token.integer = value;
    token.large = error == std::errc::result_out_of_range;
}

void Lexer::number() {
    Span start = here();
    size_t from = at_;
    if (peek() == '0' && (peek(1) | 32) == 'x') return numberWithBase(start, 16);
    if (peek() == '0' && (peek(1) | 32) == 'b') return numberWithBase(start, 2);
    if (peek() == '0' && (peek(1) | 32) == 'o') return numberWithBase(start, 8);
    bool real = false;
    auto digits = [&] {
        while (isDigit(peek()) || (peek() == '_' && isDigit(peek(1))))
            advance();
    };
    digits();
    if (peek() == '.') {
        real = true;
        advance();
        digits();
    }
    bool exponent = (peek() | 32) == 'e' &&
                    (isDigit(peek(1)) || ((peek(1) == '+' || peek(1) == '-') && isDigit(peek(2))));
    if (exponent) {
        real = true;
        advance(2);
        digits();
    }
    std::string written(text_.substr(from, at_ - from)), plain = written;
    std::erase(plain, '_');
    if (peek() == 'j' || peek() == 'J') {
        advance();
        Token& token = push(TokenKind::Float, start, written + "j");
        token.real = std::strtod(plain.c_str(), nullptr);
        token.imaginary = true;
        return;
    }
    if (isNameStart(peek()))
        fail(since(start),
             fmt::format("malformed number: '{}' is followed by '{}'", written, peek()));
    if (real) {
        push(TokenKind::Float, start, written).real = std::strtod(plain.c_str(), nullptr);
        return;
    }
    if (plain.size() > 1 && plain[0] == '0' && plain.find_first_not_of('0') != std::string::npos)
        fail(since(start), fmt::format("integer '{}' starts with 0", written),
             "for base 8 write 0o" + plain.substr(1));
    int64_t value = 0;
    auto parsed = std::from_chars(plain.data(), plain.data() + plain.size(), value);
    Token& token = push(TokenKind::Int, start, written);
    token.integer = value;
    token.large = parsed.ec == std::errc::result_out_of_range;
}

/// The length of a string prefix (r, f, b, u and their pairs) when a quote follows it.
std::optional<size_t> Lexer::stringPrefix() const {
    size_t length = 0;
    while (length < 3) {
        char c = peek(length);
        if (c == '"' || c == '\'') return length;
        char lower = static_cast<char>(c | 32);
        if (lower != 'r' && lower != 'f' && lower != 'b' && lower != 'u') return std::nullopt;
        ++length;
    }
    return std::nullopt;
}

namespace {

/// The escapes of a bytes literal: no characters beyond one byte.
std::string decodeBytes(std::string_view text) {
    constexpr std::string_view kWritten = "\n\\'\"abfnrtv";
    constexpr char kResults[] = {'\0', '\\', '\'', '"', '\a', '\b', '\f', '\n', '\r', '\t', '\v'};
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            out += text[i];
            continue;
        }
        const char c = text[++i];
        if (c == 'x' && i + 2 < text.size() && hexValue(text[i + 1]) >= 0 &&
            hexValue(text[i + 2]) >= 0) {
            out += static_cast<char>(hexValue(text[i + 1]) * 16 + hexValue(text[i + 2]));
            i += 2;
        } else if (c >= '0' && c <= '7') {
            int code = 0;
            const size_t end = std::min(i + 3, text.size());
            for (; i < end && text[i] >= '0' && text[i] <= '7'; ++i)
                code = code * 8 + (text[i] - '0');
            --i;
            out += static_cast<char>(code);
        } else if (const size_t at = kWritten.find(c); at == std::string_view::npos) {
            out += '\\';
            out += c;
        } else if (at > 0) {
            out += kResults[at];
        }
    }
    return out;
}

} // namespace

void Lexer::string(size_t prefixLength) {
    Span start = here();
    bool raw = false, formatted = false, bytes = false;
    for (size_t i = 0; i < prefixLength; ++i) {
        char c = static_cast<char>(peek(i) | 32);
        raw |= c == 'r';
        formatted |= c == 'f';
        bytes |= c == 'b';
    }
    advance(prefixLength);
    std::string quote(1, peek());
    if (peek(1) == quote[0] && peek(2) == quote[0]) quote = std::string(3, quote[0]);
    advance(quote.size());
    Span body = here();
    size_t from = at_;
    while (!startsWith(quote)) {
        if (atEnd() || (quote.size() == 1 && peek() == '\n'))
            fail({start.line, start.column, start.line,
                  start.column + static_cast<int>(prefixLength + quote.size())},
                 fmt::format("string is not closed: expected {}", quote));
        advance(peek() == '\\' && at_ + 1 < text_.size() ? 2 : 1);
    }
    std::string_view inside = text_.substr(from, at_ - from);
    advance(quote.size());
    std::string value(inside);
    if (bytes && !raw) {
        value = decodeBytes(inside);
    } else if (!raw && !formatted) {
        auto decoded = decodeEscapes(inside);
        if (!decoded.ok()) fail(since(start), decoded.error().message, decoded.error().hint);
        value = std::move(*decoded);
    }
    Token& token = push(TokenKind::String, start, std::move(value));
    token.raw = raw;
    token.formatted = formatted;
    token.bytes = bytes;
    token.body = body;
}

void Lexer::closeBracket(char bracket, const Span& where) {
    Span at{where.line, where.column, where.line, where.column + 1};
    if (brackets_.empty()) fail(at, fmt::format("found '{}' without an opening bracket", bracket));
    auto [open, opened] = brackets_.back();
    char expected = open == '(' ? ')' : open == '[' ? ']' : '}';
    if (expected != bracket) {
        base::Diagnostic d = base::userError(
            locate(file_, at), fmt::format("found '{}', expected '{}'", bracket, expected));
        d.notes.push_back({locate(file_, opened), fmt::format("'{}' was opened here", open)});
        throw LexError{std::move(d)};
    }
    brackets_.pop_back();
}

void Lexer::operatorToken() {
    Span start = here();
    if (peek() == '~') {
        advance();
        push(TokenKind::Operator, start, "~");
        return;
    }
    for (std::string_view op : kOperators) {
        const char c = op[0];
        if (c != peek() || !startsWith(op)) continue;
        if (op.size() == 1 && (c == '(' || c == '[' || c == '{'))
            brackets_.emplace_back(c, Span{line_, column_, line_, column_ + 1});
        if (op.size() == 1 && (c == ')' || c == ']' || c == '}')) closeBracket(c, start);
        advance(op.size());
        push(TokenKind::Operator, start, std::string(op));
        return;
    }
    char c = peek();
    advance();
    if (static_cast<unsigned char>(c) < 32)
        fail(since(start), fmt::format("found the control character {:#04x}", c));
    fail(since(start), fmt::format("found the character '{}', which starts nothing", c));
}

std::vector<Token> Lexer::run() {
    if (startsWith("\xef\xbb\xbf")) at_ += 3;
    tokens_.reserve(std::min<size_t>(text_.size() / 4, 65536)); // about what the samples have
    if (lines_) lineStart();
    while (!atEnd()) {
        char c = peek();
        if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
            advance();
        } else if (c == '#') {
            skipComment();
        } else if (c == '\n') {
            newline();
        } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
            advance(peek(1) == '\n' ? 2 : 3);
        } else if (auto prefix = stringPrefix()) {
            string(*prefix);
        } else if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
            number();
        } else if (isNameStart(c)) {
            name();
        } else {
            operatorToken();
        }
    }
    if (!brackets_.empty())
        fail(brackets_.back().second, fmt::format("'{}' is never closed", brackets_.back().first));
    if (lines_ && !tokens_.empty() && tokens_.back().kind != TokenKind::Newline &&
        tokens_.back().kind != TokenKind::Dedent)
        push(TokenKind::Newline, here(), "");
    for (; indents_.size() > 1; indents_.pop_back())
        push(TokenKind::Dedent, here(), "");
    push(TokenKind::End, here(), "");
    return std::move(tokens_);
}

} // namespace

base::Result<std::string> decodeEscapes(std::string_view text) {
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            out += text[i];
            continue;
        }
        char c = text[++i];
        if (c == 'N') {
            const size_t close = text.find('}', i);
            if (i + 1 >= text.size() || text[i + 1] != '{' || close == std::string_view::npos)
                return base::userError({}, "escape \\N needs a character's name in braces",
                                       "write \\N{BULLET}, or \\\\N for the two characters");
            const std::string_view name = text.substr(i + 2, close - i - 2);
            const auto code = characterNamed(name);
            if (!code) return base::userError({}, fmt::format("no character is named '{}'", name));
            appendUtf8(out, *code);
            i = close;
            continue;
        }
        int digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
        if (digits > 0) {
            uint32_t code = 0;
            for (int k = 0; k < digits; ++k) {
                int v = ++i < text.size() ? hexValue(text[i]) : -1;
                if (v < 0)
                    return base::userError(
                        {}, fmt::format("escape \\{} needs {} hexadecimal digits", c, digits));
                code = code * 16 + static_cast<uint32_t>(v);
            }
            if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
                return base::userError(
                    {}, code > 0x10ffff
                            ? "escape names no character"
                            : "escape names half a surrogate pair, which is no character");
            appendUtf8(out, code);
            continue;
        }
        if (c >= '0' && c <= '7') {
            uint32_t code = 0;
            size_t end = std::min(i + 3, text.size());
            for (; i < end && text[i] >= '0' && text[i] <= '7'; ++i)
                code = code * 8 + static_cast<uint32_t>(text[i] - '0');
            --i;
            appendUtf8(out, code);
            continue;
        }
        constexpr std::string_view kWritten = "\n\\'\"abfnrtv";
        constexpr char kResults[] = {'\0', '\\', '\'', '"',  '\a', '\b',
                                     '\f', '\n', '\r', '\t', '\v'};
        size_t at = kWritten.find(c);
        if (at == std::string_view::npos) {
            out += '\\'; // Python keeps unknown escapes.
            out += c;
        } else if (at > 0) {
            out += kResults[at];
        } // a backslash at the end of a line joins the lines
    }
    return out;
}

base::Result<std::vector<Token>> tokenize(const std::string& file, std::string_view text) {
    try {
        return Lexer(file, text, 1, 1, true).run();
    } catch (LexError& error) {
        return std::move(error.diagnostic);
    }
}

base::Result<std::vector<Token>> tokenizeExpression(const std::string& file, std::string_view text,
                                                    Span start) {
    try {
        return Lexer(file, text, start.line, start.column, false).run();
    } catch (LexError& error) {
        return std::move(error.diagnostic);
    }
}

} // namespace cutaway::frontend
