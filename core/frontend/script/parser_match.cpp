// SPDX-License-Identifier: Apache-2.0
// match and its patterns.
#include "core/frontend/script/parser.h"

#include <fmt/format.h>

namespace cutaway::frontend {

/// `match` is a name but at the start of a line that ends with ':' before an indented `case`.
bool Parser::startsMatch() const {
    size_t i = 1;
    while (peek(i).kind != TokenKind::Newline && peek(i).kind != TokenKind::End)
        ++i;
    return i > 2 && peek(i - 1).is(TokenKind::Operator, ":") &&
           peek(i + 1).kind == TokenKind::Indent && peek(i + 2).is(TokenKind::Name, "case");
}

StmtPtr Parser::matchStatement() {
    auto s = std::make_unique<Stmt>();
    s->kind = StmtKind::Match;
    Span start = take().span;
    s->value = expressionList();
    s->span = join(start, lastSpan());
    expectOp(":", "after the subject of 'match'");
    take(); // the line's end
    take(); // the indentation
    while (peek().kind != TokenKind::Dedent && peek().kind != TokenKind::End) {
        if (peek().kind == TokenKind::Newline) {
            take();
            continue;
        }
        if (!peek().is(TokenKind::Name, "case")) failExpected("'case'");
        MatchCase one;
        one.span = take().span;
        one.pattern = patterns();
        if (takeKeyword("if")) one.guard = expression();
        one.span = join(one.span, lastSpan());
        one.body = block("'case'");
        s->cases.push_back(std::move(one));
    }
    if (peek().kind == TokenKind::Dedent) take();
    return s;
}

PatternPtr Parser::pattern(Pattern::Kind kind) const {
    auto p = std::make_unique<Pattern>();
    p->kind = kind;
    p->span = peek().span;
    return p;
}

PatternPtr Parser::patterns() {
    PatternPtr first = asPattern();
    if (!atOp(",") && first->kind != Pattern::Kind::Star) return first;
    PatternPtr all = pattern(Pattern::Kind::Sequence);
    all->span = first->span;
    all->items.push_back(std::move(first));
    while (takeOp(",") && !atOp(":") && !atKeyword("if"))
        all->items.push_back(asPattern());
    return all;
}

PatternPtr Parser::asPattern() {
    if (++depth_ > 100) fail(peek().span, "patterns are nested too deeply");
    PatternPtr inner = orPattern();
    --depth_;
    if (!takeKeyword("as")) return inner;
    PatternPtr p = pattern(Pattern::Kind::As);
    p->span = inner->span;
    p->name = expectName("a name after 'as'").text;
    p->items.push_back(std::move(inner));
    return p;
}

PatternPtr Parser::orPattern() {
    PatternPtr first = closedPattern();
    if (!atOp("|")) return first;
    PatternPtr p = pattern(Pattern::Kind::Or);
    p->span = first->span;
    p->items.push_back(std::move(first));
    while (takeOp("|"))
        p->items.push_back(closedPattern());
    return p;
}

/// A number with its sign, also a complex one.
ExprPtr Parser::patternNumber() {
    return binary(4);
}

PatternPtr Parser::closedPattern() {
    PatternPtr p = pattern(Pattern::Kind::Value);
    const Token& token = peek();
    if (takeOp("*")) {
        p->kind = Pattern::Kind::Star;
        p->name = expectName("a name after '*'").text;
        if (p->name == "_") p->name.clear();
        return p;
    }
    if (takeOp("[")) return sequencePattern("]");
    if (takeOp("(")) return sequencePattern(")");
    if (takeOp("{")) return mappingPattern();
    const bool constant = atKeyword("None") || atKeyword("True") || atKeyword("False");
    if (constant || token.kind == TokenKind::String) {
        p->value = atom();
        return p;
    }
    if (token.kind == TokenKind::Int || token.kind == TokenKind::Float || atOp("-")) {
        p->value = patternNumber();
        return p;
    }
    Token name = expectName("a pattern");
    const bool dotted = atOp(".");
    ExprPtr value = make(ExprKind::Name, name.span);
    value->text = name.text;
    while (takeOp(".")) {
        Token attribute = expectName("an attribute name after '.'");
        ExprPtr e = make(ExprKind::Attribute, join(value->span, attribute.span));
        e->text = attribute.text;
        e->a = std::move(value);
        value = seal(std::move(e));
    }
    if (takeOp("(")) return classPattern(std::move(value));
    if (dotted) {
        p->value = std::move(value);
        return p;
    }
    p->kind = Pattern::Kind::Capture;
    if (name.text != "_") p->name = name.text;
    return p;
}

/// After its opening bracket. (a) is a; (a,) and [a] are sequences.
PatternPtr Parser::sequencePattern(std::string_view close) {
    PatternPtr p = pattern(Pattern::Kind::Sequence);
    bool comma = false;
    while (!atOp(close)) {
        p->items.push_back(asPattern());
        comma = takeOp(",");
        if (!comma) break;
    }
    expectOp(close, "to close the pattern");
    int stars = 0;
    for (const PatternPtr& item : p->items)
        stars += item->kind == Pattern::Kind::Star;
    if (stars > 1) fail(p->span, "several starred names in one sequence pattern");
    if (close == ")" && p->items.size() == 1 && !comma && stars == 0) return std::move(p->items[0]);
    return p;
}

PatternPtr Parser::mappingPattern() {
    PatternPtr p = pattern(Pattern::Kind::Mapping);
    while (!atOp("}")) {
        if (takeOp("**")) {
            p->name = expectName("a name after '**'").text;
        } else {
            p->keys.push_back(binary(0));
            expectOp(":", "after the pattern's key");
            p->items.push_back(asPattern());
        }
        if (!takeOp(",")) break;
    }
    expectOp("}", "to close the pattern");
    return p;
}

PatternPtr Parser::classPattern(ExprPtr type) {
    PatternPtr p = pattern(Pattern::Kind::Class);
    p->span = type->span;
    p->value = std::move(type);
    while (!atOp(")")) {
        if (peek().kind == TokenKind::Name && peek(1).is(TokenKind::Operator, "=")) {
            p->names.push_back(take().text);
            take();
        } else if (!p->names.empty()) {
            fail(peek().span, "positional pattern after a keyword pattern");
        }
        p->items.push_back(asPattern());
        if (!takeOp(",")) break;
    }
    expectOp(")", "to close the pattern");
    return p;
}

} // namespace cutaway::frontend
