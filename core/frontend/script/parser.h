// SPDX-License-Identifier: Apache-2.0
/// \file
/// Recursive-descent parser; parser.cpp holds statements, parser_expressions.cpp expressions.
#pragma once

#include "core/frontend/script/ast.h"

namespace cutaway::frontend {

/// Thrown inside the parser only; parse() turns it into a Result.
struct ParseError {
    base::Diagnostic diagnostic;
};

class Parser {
public:
    Parser(const std::string& file, std::vector<Token> tokens, int depth = 0)
        : file_(file), tokens_(std::move(tokens)), depth_(depth) {}

    Block script();
    /// One expression (a replacement field of a format string) and then the end.
    ExprPtr wholeExpression();

private:
    struct Nesting; ///< counts recursion: deep input must give a message, not a crash

    // tokens
    const Token& peek(size_t ahead = 0) const;
    Token take();
    bool at(TokenKind kind, std::string_view text) const { return peek().is(kind, text); }
    bool atOp(std::string_view text) const { return at(TokenKind::Operator, text); }
    bool atKeyword(std::string_view text) const { return at(TokenKind::Keyword, text); }
    bool takeOp(std::string_view text);
    bool takeKeyword(std::string_view text);
    Token expectOp(std::string_view text, std::string_view where);
    Token expectName(std::string_view what);
    [[noreturn]] void fail(const Span& span, std::string message, std::string hint = {}) const;
    [[noreturn]] void failExpected(std::string_view expected) const;
    Span lastSpan() const { return last_; }

    // statements
    void statement(Block& out);
    void simpleLine(Block& out);
    StmtPtr simple();
    StmtPtr expressionStatement();
    StmtPtr importStatement();
    StmtPtr importFrom();
    std::string dottedName();
    StmtPtr ifStatement();
    StmtPtr whileStatement();
    StmtPtr forStatement();
    StmtPtr tryStatement();
    StmtPtr withStatement();
    StmtPtr functionStatement(bool asynchronous = false);
    void asyncStatement(Block& out);
    void asyncFor(Block& out, StmtPtr s);
    void asyncWith(Block& out, StmtPtr s);
    void groupHandlers(Stmt& s); ///< of except*
    StmtPtr classStatement();
    bool startsMatch() const;
    StmtPtr matchStatement();
    PatternPtr patterns(); ///< with commas: a sequence
    PatternPtr asPattern();
    PatternPtr orPattern();
    PatternPtr closedPattern();
    PatternPtr sequencePattern(std::string_view close);
    PatternPtr mappingPattern();
    PatternPtr classPattern(ExprPtr type);
    PatternPtr pattern(Pattern::Kind kind) const;
    ExprPtr patternNumber();
    bool withItemsInParentheses(Stmt& s);
    WithItem withItem();
    StmtPtr decorated();
    Block block(std::string_view after);
    void checkTarget(const Expr& target, std::string_view what) const;

    // expressions
    ExprPtr expression();     ///< one, without commas; walrus allowed
    ExprPtr expressionList(); ///< with commas: a tuple; starred allowed
    ExprPtr targetList();     ///< of a for: up to `in`
    ExprPtr ternary();
    ExprPtr disjunction();
    ExprPtr conjunction();
    ExprPtr inversion();
    ExprPtr comparison();
    /// Operands joined by operators that bind at least as tightly as that (see precedence()).
    ExprPtr binary(int lowest);
    ExprPtr unary();
    ExprPtr power();
    ExprPtr primary();
    ExprPtr atom();
    ExprPtr parenthesised();
    ExprPtr listDisplay();
    ExprPtr braces();
    ExprPtr strings();
    void formatted(Expr& into, std::string_view text, bool raw, Span start, int level);
    ExprPtr replacement(std::string_view text, bool raw, Span start, int level);
    ExprPtr lambda();
    ExprPtr subscriptIndex();
    ExprPtr sliceItem();
    void callArguments(Expr& call);
    std::vector<ComprehensionLoop> comprehensionLoops();
    ExprPtr starredOrExpression();
    ExprPtr yieldExpression();
    ExprPtr awaitExpression();
    ExprPtr awaited(ExprPtr value) const;
    void wantAsync(const Span& span, std::string_view what) const;
    std::vector<Parameter> parameters(std::string_view end, bool annotations);
    void checkParameters(const std::vector<Parameter>& list) const;

    // trees of what stands in no text
    ExprPtr nameOf(std::string name, const Span& span) const;
    ExprPtr attributeOf(ExprPtr object, std::string name) const;
    ExprPtr callOf(ExprPtr function, std::vector<ExprPtr> arguments) const;
    ExprPtr syntaxCall(std::string_view what, ExprPtr argument) const;
    StmtPtr assignment(std::string name, ExprPtr value) const;
    std::string hiddenName(std::string_view what);

    /// Computes the depth of a finished node and refuses towers.
    ExprPtr seal(ExprPtr e) const;
    ExprPtr make(ExprKind kind, const Span& span) const;
    ExprPtr makeBinary(ExprKind kind, const Token& op, std::string text, ExprPtr a,
                       ExprPtr b) const;

    const std::string& file_;
    std::vector<Token> tokens_;
    size_t index_ = 0;
    Span last_;
    int depth_ = 0;
    std::vector<FunctionNode*> functions_;
    std::string class_; ///< of the innermost class body: __name means _class__name there
    int loops_ = 0, hidden_ = 0;
};

} // namespace cutaway::frontend
