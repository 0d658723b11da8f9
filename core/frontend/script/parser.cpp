// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/script/parser.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

namespace cutaway::frontend {

namespace {
constexpr int kMaxBlocks = 60;
}

const Token& Parser::peek(size_t ahead) const {
    size_t i = std::min(index_ + ahead, tokens_.size() - 1);
    return tokens_[i];
}

Token Parser::take() {
    Token token = peek();
    const bool hidden = !class_.empty() && token.kind == TokenKind::Name &&
                        token.text.starts_with("__") && !token.text.ends_with("__");
    if (hidden) token.text = "_" + class_ + token.text;
    last_ = token.span;
    if (index_ + 1 < tokens_.size()) ++index_;
    return token;
}

bool Parser::takeOp(std::string_view text) {
    if (!atOp(text)) return false;
    take();
    return true;
}

bool Parser::takeKeyword(std::string_view text) {
    if (!atKeyword(text)) return false;
    take();
    return true;
}

void Parser::fail(const Span& span, std::string message, std::string hint) const {
    throw ParseError{base::userError(locate(file_, span), std::move(message), std::move(hint))};
}

void Parser::failExpected(std::string_view expected) const {
    fail(peek().span, fmt::format("found {}, expected {}", peek().describe(), expected));
}

Token Parser::expectOp(std::string_view text, std::string_view where) {
    if (!atOp(text)) failExpected(fmt::format("'{}' {}", text, where));
    return take();
}

Token Parser::expectName(std::string_view what) {
    if (peek().kind == TokenKind::Keyword)
        fail(peek().span, fmt::format("found the keyword '{}', expected {}", peek().text, what));
    if (peek().kind != TokenKind::Name) failExpected(what);
    return take();
}

Block Parser::script() {
    Block body;
    while (peek().kind != TokenKind::End) {
        if (peek().kind == TokenKind::Newline) {
            take();
            continue;
        }
        if (peek().kind == TokenKind::Indent)
            fail(peek().span,
                 "found an indented line, expected one at the level of the line before",
                 "remove the spaces at its start");
        statement(body);
    }
    return body;
}

void Parser::statement(Block& out) {
    const Token& token = peek();
    if (token.is(TokenKind::Operator, "@")) return out.push_back(decorated());
    if (token.kind == TokenKind::Keyword) {
        if (token.text == "if") return out.push_back(ifStatement());
        if (token.text == "while") return out.push_back(whileStatement());
        if (token.text == "for") return out.push_back(forStatement());
        if (token.text == "try") return out.push_back(tryStatement());
        if (token.text == "with") return out.push_back(withStatement());
        if (token.text == "def") return out.push_back(functionStatement());
        if (token.text == "class") return out.push_back(classStatement());
        if (token.text == "async") return asyncStatement(out);
        for (std::string_view orphan : {"else", "elif", "except", "finally"})
            if (token.text == orphan)
                fail(token.span,
                     fmt::format("found '{}' without the statement that it belongs to", orphan),
                     "check its indentation");
    }
    if (token.is(TokenKind::Name, "match") && startsMatch()) return out.push_back(matchStatement());
    simpleLine(out);
}

void Parser::simpleLine(Block& out) {
    out.push_back(simple());
    while (takeOp(";")) {
        if (peek().kind == TokenKind::Newline || peek().kind == TokenKind::End) break;
        out.push_back(simple());
    }
    if (peek().kind == TokenKind::Newline)
        take();
    else if (peek().kind != TokenKind::End)
        failExpected("the end of the statement");
}

StmtPtr Parser::simple() {
    Span start = peek().span;
    auto statement = std::make_unique<Stmt>();
    auto finish = [&](StmtKind kind) {
        statement->kind = kind;
        statement->span = join(start, lastSpan());
        return std::move(statement);
    };
    auto lineEnds = [&] {
        return peek().kind == TokenKind::Newline || peek().kind == TokenKind::End || atOp(";");
    };
    if (takeKeyword("pass")) return finish(StmtKind::Pass);
    if (atKeyword("break") || atKeyword("continue")) {
        Token word = take();
        if (loops_ == 0) fail(word.span, fmt::format("'{}' outside a loop", word.text));
        return finish(word.text == "break" ? StmtKind::Break : StmtKind::Continue);
    }
    if (takeKeyword("return")) {
        if (functions_.empty()) fail(start, "'return' outside a function");
        if (!lineEnds()) statement->value = expressionList();
        return finish(StmtKind::Return);
    }
    if (takeKeyword("raise")) {
        if (!lineEnds()) statement->value = expression();
        if (takeKeyword("from")) statement->cause = expression();
        return finish(StmtKind::Raise);
    }
    if (takeKeyword("assert")) {
        statement->value = expression();
        if (takeOp(",")) statement->cause = expression();
        return finish(StmtKind::Assert);
    }
    if (takeKeyword("del")) {
        do {
            ExprPtr target = binary(0);
            checkTarget(*target, "be deleted");
            statement->targets.push_back(std::move(target));
        } while (takeOp(",") && !lineEnds());
        return finish(StmtKind::Delete);
    }
    if (atKeyword("global") || atKeyword("nonlocal")) {
        Token word = take();
        if (word.text == "nonlocal" && functions_.empty())
            fail(word.span, "'nonlocal' outside a function");
        do
            statement->names.push_back(expectName("a name").text);
        while (takeOp(","));
        return finish(word.text == "global" ? StmtKind::Global : StmtKind::Nonlocal);
    }
    if (atKeyword("import")) return importStatement();
    if (atKeyword("from")) return importFrom();
    return expressionStatement();
}

void Parser::checkTarget(const Expr& target, std::string_view what) const {
    switch (target.kind) {
    case ExprKind::Name:
    case ExprKind::Attribute:
    case ExprKind::Subscript:
        return;
    case ExprKind::Starred:
        return checkTarget(*target.a, what);
    case ExprKind::Tuple:
    case ExprKind::List: {
        int starred = 0;
        for (const ExprPtr& item : target.items) {
            if (item->kind == ExprKind::Starred && ++starred > 1)
                fail(item->span, "two starred targets in one assignment");
            checkTarget(*item, what);
        }
        return;
    }
    default:
        break;
    }
    static constexpr std::array<std::pair<ExprKind, std::string_view>, 6> kNames = {
        {{ExprKind::Call, "the result of a call"},
         {ExprKind::Int, "a number"},
         {ExprKind::Float, "a number"},
         {ExprKind::String, "a string"},
         {ExprKind::Compare, "a comparison"},
         {ExprKind::Conditional, "a conditional expression"}}};
    std::string_view found = "an expression";
    for (auto [kind, name] : kNames)
        if (kind == target.kind) found = name;
    fail(target.span, fmt::format("{} cannot {}", found, what),
         target.kind == ExprKind::Compare ? "use '=' once to assign" : "");
}

StmtPtr Parser::expressionStatement() {
    static constexpr std::array<std::string_view, 13> kAug = {
        "+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**="};
    auto s = std::make_unique<Stmt>();
    Span start = peek().span;
    auto value = [&] { return atKeyword("yield") ? yieldExpression() : expressionList(); };
    ExprPtr first = value();
    for (std::string_view op : kAug) {
        if (!atOp(op)) continue;
        checkTarget(*first, "be assigned to");
        if (first->kind != ExprKind::Name && first->kind != ExprKind::Attribute &&
            first->kind != ExprKind::Subscript)
            fail(first->span, fmt::format("several targets cannot take '{}'", op));
        take();
        s->kind = StmtKind::AugAssign;
        s->text = std::string(op.substr(0, op.size() - 1));
        s->targets.push_back(std::move(first));
        s->value = value();
        s->span = join(start, lastSpan());
        return s;
    }
    if (atOp(":")) {
        checkTarget(*first, "be annotated");
        take();
        s->cause = expression();
        s->kind = StmtKind::Annotated;
        s->targets.push_back(std::move(first));
        if (takeOp("=")) s->value = value();
    } else if (atOp("=")) {
        s->kind = StmtKind::Assign;
        while (takeOp("=")) {
            checkTarget(*first, "be assigned to");
            s->targets.push_back(std::move(first));
            first = value();
        }
        s->value = std::move(first);
    } else {
        s->kind = StmtKind::Expression;
        s->value = std::move(first);
    }
    s->span = join(start, lastSpan());
    return s;
}

std::string Parser::dottedName() {
    std::string name = expectName("a module name").text;
    while (takeOp("."))
        name += "." + expectName("a module name after '.'").text;
    return name;
}

StmtPtr Parser::importStatement() {
    auto s = std::make_unique<Stmt>();
    s->kind = StmtKind::Import;
    Span start = take().span;
    do {
        Alias alias;
        alias.span = peek().span;
        alias.name = dottedName();
        alias.span = join(alias.span, lastSpan());
        if (takeKeyword("as")) alias.as = expectName("a name").text;
        s->aliases.push_back(std::move(alias));
    } while (takeOp(","));
    s->span = join(start, lastSpan());
    return s;
}

StmtPtr Parser::importFrom() {
    auto s = std::make_unique<Stmt>();
    s->kind = StmtKind::ImportFrom;
    Span start = take().span;
    if (atOp(".") || atOp("..."))
        fail(peek().span, "relative imports are not supported",
             "a script is one file; put the code into it");
    s->text = dottedName();
    if (!takeKeyword("import")) failExpected("'import'");
    if (takeOp("*")) {
        s->span = join(start, lastSpan());
        if (!functions_.empty() || !class_.empty())
            fail(s->span, "import * is only allowed at the top of a script");
        return s;
    }
    bool bracket = takeOp("(");
    do {
        if (bracket && atOp(")")) break;
        Alias alias;
        Token name = expectName("a name to import");
        alias.name = name.text;
        alias.span = name.span;
        if (takeKeyword("as")) alias.as = expectName("a name").text;
        s->aliases.push_back(std::move(alias));
    } while (takeOp(","));
    if (bracket) expectOp(")", "after the imported names");
    s->span = join(start, lastSpan());
    return s;
}

Block Parser::block(std::string_view after) {
    if (!atOp(":")) failExpected(fmt::format("':' after {}", after));
    take();
    Block body;
    if (peek().kind != TokenKind::Newline) {
        simpleLine(body);
        return body;
    }
    take();
    if (peek().kind != TokenKind::Indent)
        fail(peek().span, fmt::format("found {}, expected an indented block after {}",
                                      peek().describe(), after));
    if (++depth_ > kMaxBlocks)
        fail(peek().span, fmt::format("blocks are nested more than {} levels deep", kMaxBlocks));
    take();
    while (peek().kind != TokenKind::Dedent && peek().kind != TokenKind::End) {
        if (peek().kind == TokenKind::Newline) {
            take();
            continue;
        }
        if (peek().kind == TokenKind::Indent)
            fail(peek().span, "found a line that is indented more than the block it stands in");
        statement(body);
    }
    if (peek().kind == TokenKind::Dedent) take();
    --depth_;
    return body;
}

StmtPtr Parser::ifStatement() {
    auto s = std::make_unique<Stmt>();
    s->kind = StmtKind::If;
    Span start = take().span;
    s->value = expression();
    if (atOp("=")) fail(peek().span, "found '=' in a condition", "compare with '=='");
    s->span = join(start, lastSpan());
    s->body = block("the condition");
    if (atKeyword("elif")) {
        if (++depth_ > kMaxBlocks * 2)
            fail(peek().span, "too many elif branches", "use a dict or a loop");
        s->orElse.push_back(ifStatement());
        --depth_;
    } else if (takeKeyword("else")) {
        s->orElse = block("'else'");
    }
    return s;
}

StmtPtr Parser::whileStatement() {
    auto s = std::make_unique<Stmt>();
    s->kind = StmtKind::While;
    Span start = take().span;
    s->value = expression();
    s->span = join(start, lastSpan());
    ++loops_;
    s->body = block("the condition");
    --loops_;
    if (takeKeyword("else")) s->orElse = block("'else'");
    return s;
}

StmtPtr Parser::forStatement() {
    auto s = std::make_unique<Stmt>();
    s->kind = StmtKind::For;
    Span start = take().span;
    s->targets.push_back(targetList());
    if (!takeKeyword("in")) failExpected("'in'");
    s->value = expressionList();
    s->span = join(start, lastSpan());
    ++loops_;
    s->body = block("the loop's header");
    --loops_;
    if (takeKeyword("else")) s->orElse = block("'else'");
    return s;
}

StmtPtr Parser::tryStatement() {
    auto s = std::make_unique<Stmt>();
    s->kind = StmtKind::Try;
    s->span = take().span;
    s->body = block("'try'");
    bool groups = false;
    while (atKeyword("except")) {
        Handler handler;
        handler.span = take().span;
        const bool starred = takeOp("*");
        if (!s->handlers.empty() && starred != groups)
            fail(handler.span, "cannot have both 'except' and 'except*' on the same 'try'");
        groups = starred;
        if (groups && atOp(":")) failExpected("one or more exception types");
        if (!atOp(":")) {
            handler.type = expression();
            if (takeKeyword("as")) handler.name = expectName("a name").text;
        }
        handler.span = join(handler.span, lastSpan());
        handler.body = block("'except'");
        s->handlers.push_back(std::move(handler));
    }
    if (!s->handlers.empty() && takeKeyword("else")) s->orElse = block("'else'");
    if (takeKeyword("finally")) s->finally = block("'finally'");
    if (s->handlers.empty() && s->finally.empty()) failExpected("'except' or 'finally'");
    if (groups) groupHandlers(*s);
    return s;
}

WithItem Parser::withItem() {
    WithItem item;
    item.context = expression();
    if (takeKeyword("as")) {
        item.target = binary(0);
        checkTarget(*item.target, "be assigned to");
    }
    return item;
}

/// with (a as b, c as d): ... False, and nothing is taken, when the parenthesis is an expression.
bool Parser::withItemsInParentheses(Stmt& s) {
    if (!atOp("(")) return false;
    const size_t start = index_;
    const Span last = last_;
    take();
    try {
        do {
            if (atOp(")")) break;
            s.withItems.push_back(withItem());
        } while (takeOp(","));
        if (takeOp(")") && atOp(":")) return true;
    } catch (ParseError&) { // an expression, or wrong: the other way tells
    }
    s.withItems.clear();
    index_ = start;
    last_ = last;
    return false;
}

StmtPtr Parser::withStatement() {
    auto s = std::make_unique<Stmt>();
    s->kind = StmtKind::With;
    Span start = take().span;
    if (!withItemsInParentheses(*s)) do
            s->withItems.push_back(withItem());
        while (takeOp(","));
    s->span = join(start, lastSpan());
    s->body = block("'with'");
    return s;
}

StmtPtr Parser::decorated() {
    std::vector<ExprPtr> decorators;
    while (takeOp("@")) {
        decorators.push_back(expression());
        if (peek().kind != TokenKind::Newline) failExpected("the end of the decorator's line");
        take();
    }
    const bool asynchronous = takeKeyword("async");
    if (!atKeyword("def") && (asynchronous || !atKeyword("class")))
        failExpected("'def' or 'class' after the decorator");
    StmtPtr s = atKeyword("def") ? functionStatement(asynchronous) : classStatement();
    s->decorators = std::move(decorators);
    return s;
}

StmtPtr Parser::functionStatement(bool asynchronous) {
    auto s = std::make_unique<Stmt>();
    s->kind = StmtKind::Function;
    Span start = take().span;
    s->function = std::make_unique<FunctionNode>();
    s->function->asynchronous = s->function->generator = asynchronous;
    s->function->name = expectName("a function name").text;
    expectOp("(", "after the function's name");
    s->function->parameters = parameters(")", true);
    expectOp(")", "after the parameters");
    if (takeOp("->")) s->function->returns = expression()->span;
    s->span = s->function->header = join(start, lastSpan());
    functions_.push_back(s->function.get());
    int loops = std::exchange(loops_, 0);
    s->function->body = block("the function's header");
    loops_ = loops;
    functions_.pop_back();
    s->function->span = join(start, s->function->body.back()->span);
    return s;
}

StmtPtr Parser::classStatement() {
    auto s = std::make_unique<Stmt>();
    s->kind = StmtKind::Class;
    Span start = take().span;
    s->text = expectName("a class name").text;
    if (takeOp("(")) {
        ExprPtr call = make(ExprKind::Call, start);
        callArguments(*call);
        s->bases = std::move(call->items);
        s->keywords = std::move(call->keywords);
    }
    s->span = join(start, lastSpan());
    auto functions = std::exchange(functions_, {});
    std::string mangling = s->text.substr(std::min(s->text.find_first_not_of('_'), s->text.size()));
    std::string outer = std::exchange(class_, std::move(mangling));
    int loops = std::exchange(loops_, 0);
    s->body = block("the class's header");
    functions_ = std::move(functions);
    class_ = std::move(outer);
    loops_ = loops;
    return s;
}

std::vector<Parameter> Parser::parameters(std::string_view end, bool annotations) {
    std::vector<Parameter> list;
    bool keywordOnly = false;
    while (!atOp(end)) {
        Parameter p;
        p.span = peek().span;
        if (takeOp("/")) {
            for (Parameter& q : list)
                q.positionalOnly = true;
            if (!takeOp(",")) break;
            continue;
        }
        if (takeOp("**")) {
            p.kind = Parameter::Kind::Kwargs;
        } else if (takeOp("*")) {
            if (keywordOnly) fail(p.span, "two '*' among the parameters");
            keywordOnly = true;
            if (takeOp(",")) continue;
            p.kind = Parameter::Kind::Args;
        } else if (keywordOnly) {
            p.kind = Parameter::Kind::KeywordOnly;
        }
        Token name = expectName("a parameter name");
        p.name = name.text;
        p.span = join(p.span, name.span);
        if (annotations && takeOp(":")) {
            ExprPtr annotation = starredOrExpression();
            p.annotation = annotation->span;
        }
        if (takeOp("=")) {
            if (p.kind == Parameter::Kind::Args || p.kind == Parameter::Kind::Kwargs)
                fail(lastSpan(), "a starred parameter has no default");
            p.defaultValue = expression();
        }
        list.push_back(std::move(p));
        if (!takeOp(",")) break;
    }
    checkParameters(list);
    return list;
}

void Parser::checkParameters(const std::vector<Parameter>& list) const {
    bool hasDefault = false;
    std::unordered_set<std::string_view> names;
    for (size_t i = 0; i < list.size(); ++i) {
        const Parameter& p = list[i];
        if (!names.insert(p.name).second)
            fail(p.span, fmt::format("parameter '{}' is given twice", p.name));
        if (i > 0 && list[i - 1].kind == Parameter::Kind::Kwargs)
            fail(p.span, "a parameter after '**'");
        if (p.kind != Parameter::Kind::Plain) continue;
        if (hasDefault && !p.defaultValue)
            fail(p.span, fmt::format("parameter '{}' without a default follows one with a default",
                                     p.name));
        hasDefault |= p.defaultValue != nullptr;
    }
}

base::Result<std::unique_ptr<Script>> parse(const std::string& file, std::string_view text) {
    auto place = [&](size_t byte) {
        std::string_view before = text.substr(0, byte);
        size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0
        Span at;
        at.line = at.endLine = static_cast<int>(1 + std::count(before.begin(), before.end(), '\n'));
        at.column = static_cast<int>(
            1 +
            std::count_if(before.begin() + static_cast<std::ptrdiff_t>(lineStart), before.end(),
                          [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
        at.endColumn = at.column + 1;
        return locate(file, at);
    };
    if (size_t bad = base::findInvalidUtf8(text); bad != std::string_view::npos)
        return base::userError(place(bad),
                               fmt::format("the script is not UTF-8: found the byte {:#04x}",
                                           static_cast<unsigned char>(text[bad])),
                               "save the file as UTF-8");
    if (size_t zero = text.find('\0'); zero != std::string_view::npos)
        return base::userError(place(zero), "source code cannot contain null bytes");
    CUTAWAY_TRY(std::vector<Token> tokens, tokenize(file, text));
    try {
        auto script = std::make_unique<Script>();
        script->file = file;
        script->body = Parser(script->file, std::move(tokens)).script();
        return script;
    } catch (ParseError& error) {
        return std::move(error.diagnostic);
    }
}

} // namespace cutaway::frontend
