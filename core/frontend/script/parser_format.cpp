// SPDX-License-Identifier: Apache-2.0
// Format strings: f"{expression!r:spec}".
#include "core/frontend/script/parser.h"

#include <fmt/format.h>

namespace cutaway::frontend {

namespace {

/// Moves a position over text.
void step(Span& at, std::string_view text) {
    for (char c : text) {
        if (c == '\n') {
            ++at.line;
            at.column = 1;
        } else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) {
            ++at.column;
        }
    }
    at.endLine = at.line;
    at.endColumn = at.column;
}

/// Index of the '}' that closes the field whose inside starts at \p from; npos when there is none.
size_t closing(std::string_view text, size_t from) {
    int depth = 0;
    char quote = 0;
    for (size_t i = from; i < text.size(); ++i) {
        char c = text[i];
        if (quote) {
            if (c == quote) quote = 0;
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (c == '(' || c == '[' || c == '{') {
            ++depth;
        } else if (c == ')' || c == ']') {
            --depth;
        } else if (c == '}' && depth-- <= 0) {
            return i;
        }
    }
    return std::string_view::npos;
}

/// Where the expression of a field ends: at '!', ':' or '=' outside brackets.
size_t expressionEnd(std::string_view text) {
    int depth = 0;
    char quote = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (quote) {
            if (c == quote) quote = 0;
            continue;
        }
        if (c == '\'' || c == '"') quote = c;
        if (c == '(' || c == '[' || c == '{') ++depth;
        if (c == ')' || c == ']' || c == '}') --depth;
        if (depth > 0) continue;
        bool equals = i + 1 < text.size() && text[i + 1] == '=';
        if (c == ':' || (c == '!' && !equals)) return i;
    }
    return text.size();
}

} // namespace

void Parser::formatted(Expr& into, std::string_view text, bool raw, Span start, int level) {
    if (level > 2) fail(start, "format specifications are nested too deeply");
    Span at = start;
    std::string literal;
    Span literalStart = at;
    auto flush = [&] {
        if (literal.empty()) return;
        ExprPtr part = make(ExprKind::String, literalStart);
        if (raw) {
            part->text = literal;
        } else {
            auto decoded = decodeEscapes(literal);
            if (!decoded.ok()) fail(literalStart, decoded.error().message, decoded.error().hint);
            part->text = std::move(*decoded);
        }
        literal.clear();
        into.items.push_back(std::move(part));
    };
    for (size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        bool twice = i + 1 < text.size() && text[i + 1] == c;
        if (c == '\\' && !raw) { // the braces of \N{NAME} hold no expression
            const bool field = text.substr(i + 1, 1) == "{";
            size_t end = std::min(i + (field ? 1 : 2), text.size());
            if (text.substr(i, 3) == "\\N{") end = std::min(text.find('}', i), text.size() - 1) + 1;
            literal += text.substr(i, end - i);
            step(at, text.substr(i, end - i));
            i = end - 1;
            continue;
        }
        if ((c == '{' || c == '}') && twice && level == 0) {
            literal += c;
            step(at, text.substr(i++, 2));
        } else if (c == '}') {
            fail({at.line, at.column, at.line, at.column + 1},
                 "found a single '}' in a format string", "write '}}' for the character");
        } else if (c == '{') {
            flush();
            Span open{at.line, at.column, at.line, at.column + 1};
            size_t close = closing(text, i + 1);
            if (close == std::string_view::npos)
                fail(open, "'{' of the format string is never closed",
                     "write '{{' for the character");
            step(at, "{");
            std::string_view inside = text.substr(i + 1, close - i - 1);
            into.items.push_back(replacement(inside, raw, at, level));
            step(at, inside);
            step(at, "}");
            i = close;
            literalStart = at;
        } else {
            literal += c;
            step(at, text.substr(i, 1));
        }
    }
    flush();
}

ExprPtr Parser::replacement(std::string_view text, bool raw, Span start, int level) {
    size_t end = expressionEnd(text);
    std::string_view code = text.substr(0, end);
    bool debug = false;
    size_t last = code.find_last_not_of(" \t\n");
    if (last == std::string_view::npos)
        fail(start, "empty replacement field in a format string",
             "put an expression between the braces");
    if (code[last] == '=' &&
        (last == 0 || std::string_view("=!<>").find(code[last - 1]) == std::string_view::npos)) {
        debug = true;
        code = code.substr(0, last);
    }
    auto tokens = tokenizeExpression(file_, code, start);
    if (!tokens.ok()) throw ParseError{tokens.error()};
    Parser inner(file_, std::move(*tokens), depth_ + 1);
    inner.functions_ = functions_;
    inner.class_ = class_;
    ExprPtr e = make(ExprKind::Replacement, start);
    e->a = inner.wholeExpression();
    e->span = e->mark = e->a->span;
    if (debug) e->names.push_back(std::string(text.substr(0, end)));
    if (end < text.size() && text[end] == '!') {
        char conversion = end + 1 < text.size() ? text[end + 1] : '\0';
        if (conversion != 'r' && conversion != 's' && conversion != 'a')
            fail(start, fmt::format("found conversion '!{}', expected !r, !s or !a", conversion));
        e->text = std::string(1, conversion);
        end += 2;
        if (end < text.size() && text[end] != ':')
            fail(start, "expected ':' or '}' after the conversion");
    }
    if (end < text.size() && text[end] == ':') {
        Span at = start;
        step(at, text.substr(0, end + 1));
        e->b = make(ExprKind::Formatted, at);
        formatted(*e->b, text.substr(end + 1), raw, at, level + 1);
    }
    return e;
}

} // namespace cutaway::frontend
