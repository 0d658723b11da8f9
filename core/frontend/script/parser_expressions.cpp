// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/script/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace cutaway::frontend {

namespace {
constexpr int kMaxDepth = 150; ///< of the parser's recursion
constexpr int kMaxTree = 1000; ///< of the tree: a + b + c + ... leans to the left
} // namespace

struct Parser::Nesting {
    explicit Nesting(Parser& parser) : parser(parser) {
        if (++parser.depth_ > kMaxDepth)
            parser.fail(parser.peek().span,
                        fmt::format("nested more than {} levels deep", kMaxDepth),
                        "split it into several statements");
    }
    ~Nesting() { --parser.depth_; }
    Parser& parser;
};

ExprPtr Parser::make(ExprKind kind, const Span& span) const {
    auto e = std::make_unique<Expr>();
    e->kind = kind;
    e->span = e->mark = span;
    return e;
}

ExprPtr Parser::seal(ExprPtr e) const {
    int deepest = 0;
    auto look = [&](const ExprPtr& child) {
        if (child) deepest = std::max(deepest, child->depth);
    };
    look(e->a);
    look(e->b);
    look(e->c);
    for (const ExprPtr& item : e->items)
        look(item);
    for (const Keyword& k : e->keywords)
        look(k.value);
    for (const ComprehensionLoop& loop : e->loops) {
        look(loop.target);
        look(loop.iterable);
        for (const ExprPtr& condition : loop.conditions)
            look(condition);
    }
    if (e->function && !e->function->body.empty()) look(e->function->body.front()->value);
    e->depth = deepest + 1;
    if (e->depth > kMaxTree)
        fail(e->mark, fmt::format("expression of more than {} levels", kMaxTree),
             "split it into several statements");
    return e;
}

ExprPtr Parser::makeBinary(ExprKind kind, const Token& op, std::string text, ExprPtr a,
                           ExprPtr b) const {
    ExprPtr e = make(kind, join(a->span, b->span));
    e->mark = op.span;
    e->text = std::move(text);
    e->a = std::move(a);
    e->b = std::move(b);
    return seal(std::move(e));
}

ExprPtr Parser::wholeExpression() {
    ExprPtr e = atKeyword("yield") ? yieldExpression() : expressionList();
    if (peek().kind != TokenKind::End) failExpected("the end of the expression");
    return e;
}

ExprPtr Parser::expression() {
    Nesting nesting(*this);
    if (atKeyword("lambda")) return seal(lambda());
    if (peek().kind == TokenKind::Name && peek(1).is(TokenKind::Operator, ":=")) {
        Token name = take();
        Token op = take();
        ExprPtr target = make(ExprKind::Name, name.span);
        target->text = name.text;
        return makeBinary(ExprKind::Walrus, op, ":=", std::move(target), expression());
    }
    return ternary();
}

ExprPtr Parser::ternary() {
    ExprPtr value = disjunction();
    if (!atKeyword("if")) return value;
    Token mark = take();
    ExprPtr condition = disjunction();
    if (!takeKeyword("else")) failExpected("'else' of the conditional expression");
    ExprPtr other = expression();
    ExprPtr e = make(ExprKind::Conditional, join(value->span, other->span));
    e->mark = mark.span;
    e->a = std::move(value);
    e->b = std::move(condition);
    e->c = std::move(other);
    return seal(std::move(e));
}

ExprPtr Parser::disjunction() {
    ExprPtr first = conjunction();
    if (!atKeyword("or")) return first;
    ExprPtr e = make(ExprKind::BoolOp, first->span);
    e->text = "or";
    e->items.push_back(std::move(first));
    while (takeKeyword("or"))
        e->items.push_back(conjunction());
    e->span = e->mark = join(e->span, e->items.back()->span);
    return seal(std::move(e));
}

ExprPtr Parser::conjunction() {
    ExprPtr first = inversion();
    if (!atKeyword("and")) return first;
    ExprPtr e = make(ExprKind::BoolOp, first->span);
    e->text = "and";
    e->items.push_back(std::move(first));
    while (takeKeyword("and"))
        e->items.push_back(inversion());
    e->span = e->mark = join(e->span, e->items.back()->span);
    return seal(std::move(e));
}

ExprPtr Parser::inversion() {
    if (!atKeyword("not")) return comparison();
    Nesting nesting(*this);
    Token op = take();
    ExprPtr operand = inversion();
    ExprPtr e = make(ExprKind::Unary, join(op.span, operand->span));
    e->mark = op.span;
    e->text = "not";
    e->a = std::move(operand);
    return seal(std::move(e));
}

ExprPtr Parser::comparison() {
    ExprPtr first = binary(0);
    auto next = [&]() -> std::string {
        static constexpr std::array<std::string_view, 6> kOps = {"<", ">", "==", ">=", "<=", "!="};
        for (std::string_view op : kOps)
            if (takeOp(op)) return std::string(op);
        if (takeKeyword("in")) return "in";
        if (takeKeyword("is")) return takeKeyword("not") ? "is not" : "is";
        if (atKeyword("not") && peek(1).is(TokenKind::Keyword, "in")) {
            take();
            take();
            return "not in";
        }
        return {};
    };
    Span mark = peek().span;
    std::string op = next();
    if (op.empty()) return first;
    ExprPtr e = make(ExprKind::Compare, first->span);
    e->items.push_back(std::move(first));
    for (; !op.empty(); op = next()) {
        e->names.push_back(op);
        e->items.push_back(binary(0));
    }
    e->span = join(e->span, e->items.back()->span);
    e->mark = mark;
    return seal(std::move(e));
}

/// How tightly a binary operator binds: | 0, ^ 1, & 2, shifts 3, sums 4, products 5; -1: another
/// token.
static int precedence(const Token& token) {
    if (token.kind != TokenKind::Operator || token.text.size() > 2) return -1;
    const char first = token.text[0];
    if (token.text.size() == 2) {
        if (token.text[1] != first) return -1;
        return first == '<' || first == '>' ? 3 : first == '/' ? 5 : -1;
    }
    static constexpr std::string_view kOperators = "|^&+-*/%@";
    static constexpr int kPrecedence[] = {0, 1, 2, 4, 4, 5, 5, 5, 5};
    const size_t at = kOperators.find(first);
    return at == std::string_view::npos ? -1 : kPrecedence[at];
}

ExprPtr Parser::binary(int lowest) {
    ExprPtr left = unary();
    for (int binds; (binds = precedence(peek())) >= lowest;) {
        Token op = take();
        ExprPtr right = binary(binds + 1);
        left = makeBinary(ExprKind::Binary, op, op.text, std::move(left), std::move(right));
    }
    return left;
}

ExprPtr Parser::unary() {
    if (!atOp("-") && !atOp("+") && !atOp("~")) return power();
    Nesting nesting(*this);
    Token op = take();
    ExprPtr operand = unary();
    ExprPtr e = make(ExprKind::Unary, join(op.span, operand->span));
    e->mark = op.span;
    e->text = op.text;
    e->a = std::move(operand);
    return seal(std::move(e));
}

ExprPtr Parser::power() {
    ExprPtr base = primary();
    if (!atOp("**")) return base;
    Nesting nesting(*this);
    Token op = take();
    return makeBinary(ExprKind::Binary, op, "**", std::move(base), unary());
}

ExprPtr Parser::primary() {
    if (atKeyword("await")) return awaitExpression();
    ExprPtr e = atom();
    for (;;) {
        if (takeOp(".")) {
            Token name = expectName("an attribute name after '.'");
            ExprPtr attribute = make(ExprKind::Attribute, join(e->span, name.span));
            attribute->mark = name.span;
            attribute->text = name.text;
            attribute->a = std::move(e);
            e = seal(std::move(attribute));
        } else if (takeOp("(")) {
            ExprPtr call = make(ExprKind::Call, e->span);
            call->a = std::move(e);
            callArguments(*call);
            call->span = join(call->span, lastSpan());
            call->mark = call->span;
            e = seal(std::move(call));
        } else if (takeOp("[")) {
            ExprPtr subscript = make(ExprKind::Subscript, e->span);
            subscript->a = std::move(e);
            subscript->b = subscriptIndex();
            expectOp("]", "after the index");
            subscript->span = subscript->mark = join(subscript->span, lastSpan());
            e = seal(std::move(subscript));
        } else {
            return e;
        }
    }
}

void Parser::callArguments(Expr& call) {
    while (!atOp(")")) {
        Span start = peek().span;
        if (takeOp("**")) {
            ExprPtr value = expression();
            Span span = join(start, value->span);
            call.keywords.push_back({"", span, std::move(value)});
        } else if (peek().kind == TokenKind::Name && peek(1).is(TokenKind::Operator, "=")) {
            Token name = take();
            take();
            for (const Keyword& k : call.keywords)
                if (k.name == name.text)
                    fail(name.span, fmt::format("keyword argument '{}' is given twice", name.text));
            ExprPtr value = expression();
            Span span = join(start, value->span);
            call.keywords.push_back({name.text, span, std::move(value)});
        } else {
            ExprPtr value = starredOrExpression();
            if (atKeyword("for") || atKeyword("async")) {
                ExprPtr generator = make(ExprKind::Generator, value->span);
                generator->a = std::move(value);
                generator->loops = comprehensionLoops();
                generator->span = join(generator->span, lastSpan());
                value = std::move(generator);
            }
            if (!call.keywords.empty() && value->kind != ExprKind::Starred)
                fail(value->span, "positional argument after a keyword argument",
                     "move it before the keyword arguments or give its name");
            call.items.push_back(std::move(value));
        }
        if (!takeOp(",")) break;
    }
    expectOp(")", "after the arguments");
}

ExprPtr Parser::starredOrExpression() {
    if (!atOp("*")) return expression();
    Token star = take();
    ExprPtr value = binary(0);
    ExprPtr e = make(ExprKind::Starred, join(star.span, value->span));
    e->a = std::move(value);
    return e;
}

ExprPtr Parser::expressionList() {
    ExprPtr first = starredOrExpression();
    if (!atOp(",")) {
        if (first->kind == ExprKind::Starred && !atOp("="))
            fail(first->span, "a starred expression stands alone", "write (*x,) for a tuple");
        return first;
    }
    ExprPtr tuple = make(ExprKind::Tuple, first->span);
    tuple->items.push_back(std::move(first));
    while (takeOp(",")) {
        const Token& next = peek();
        bool ends =
            next.kind == TokenKind::Newline || next.kind == TokenKind::End ||
            (next.kind == TokenKind::Operator &&
             (next.text == "=" || next.text == ")" || next.text == "]" || next.text == "}" ||
              next.text == ":" || next.text == ";" || next.text.ends_with("=")));
        if (ends) break;
        tuple->items.push_back(starredOrExpression());
    }
    tuple->span = tuple->mark = join(tuple->span, lastSpan());
    return tuple;
}

ExprPtr Parser::targetList() {
    auto one = [&] {
        if (!atOp("*")) return binary(0);
        Token star = take();
        ExprPtr value = binary(0);
        ExprPtr e = make(ExprKind::Starred, join(star.span, value->span));
        e->a = std::move(value);
        return e;
    };
    ExprPtr first = one();
    if (atOp(",")) {
        ExprPtr tuple = make(ExprKind::Tuple, first->span);
        tuple->items.push_back(std::move(first));
        while (takeOp(",") && !atKeyword("in"))
            tuple->items.push_back(one());
        tuple->span = join(tuple->span, lastSpan());
        first = std::move(tuple);
    }
    checkTarget(*first, "be a loop variable");
    return first;
}

std::vector<ComprehensionLoop> Parser::comprehensionLoops() {
    std::vector<ComprehensionLoop> loops;
    while (atKeyword("for") || atKeyword("async")) {
        const Token word = take();
        const bool asynchronous = word.text == "async";
        if (asynchronous) {
            wantAsync(word.span, "asynchronous comprehension");
            if (!takeKeyword("for")) failExpected("'for' after 'async'");
        }
        ComprehensionLoop loop;
        loop.target = targetList();
        if (!takeKeyword("in")) failExpected("'in'");
        loop.iterable = disjunction();
        if (asynchronous) loop.iterable = awaited(syntaxCall("drained", std::move(loop.iterable)));
        while (takeKeyword("if"))
            loop.conditions.push_back(disjunction());
        loops.push_back(std::move(loop));
    }
    return loops;
}

ExprPtr Parser::subscriptIndex() {
    ExprPtr first = sliceItem();
    if (!atOp(",")) return first;
    ExprPtr tuple = make(ExprKind::Tuple, first->span);
    tuple->items.push_back(std::move(first));
    while (takeOp(",") && !atOp("]"))
        tuple->items.push_back(sliceItem());
    tuple->span = tuple->mark = join(tuple->span, lastSpan());
    return tuple;
}

ExprPtr Parser::sliceItem() {
    Span start = peek().span;
    ExprPtr lower;
    if (!atOp(":")) lower = starredOrExpression();
    if (!atOp(":")) return lower;
    ExprPtr e = make(ExprKind::Slice, start);
    e->a = std::move(lower);
    take();
    auto ends = [&] { return atOp(":") || atOp("]") || atOp(","); };
    if (!ends()) e->b = expression();
    if (takeOp(":") && !ends()) e->c = expression();
    e->span = e->mark = join(start, lastSpan());
    return e;
}

ExprPtr Parser::atom() {
    const Token& token = peek();
    switch (token.kind) {
    case TokenKind::Name: {
        Token name = take();
        ExprPtr e = make(ExprKind::Name, name.span);
        e->text = name.text;
        return e;
    }
    case TokenKind::Int: {
        Token number = take();
        ExprPtr e = make(ExprKind::Int, number.span);
        e->integer = number.integer;
        if (number.large) e->text = number.text;
        return e;
    }
    case TokenKind::Float: {
        Token number = take();
        ExprPtr e = make(number.imaginary ? ExprKind::Imaginary : ExprKind::Float, number.span);
        e->real = number.real;
        return e;
    }
    case TokenKind::String:
        return seal(strings());
    case TokenKind::Keyword: {
        if (token.text == "None") return make(ExprKind::None, take().span);
        if (token.text == "True" || token.text == "False") {
            Token word = take();
            ExprPtr e = make(ExprKind::Bool, word.span);
            e->integer = word.text == "True";
            return e;
        }
        break;
    }
    case TokenKind::Operator:
        if (token.text == "(") return seal(parenthesised());
        if (token.text == "[") return seal(listDisplay());
        if (token.text == "{") return seal(braces());
        if (token.text == "...") return make(ExprKind::Ellipsis, take().span);
        break;
    default:
        break;
    }
    failExpected("an expression");
}

ExprPtr Parser::parenthesised() {
    Nesting nesting(*this);
    Token open = take();
    if (atOp(")")) return make(ExprKind::Tuple, join(open.span, take().span));
    ExprPtr e;
    if (atKeyword("yield")) {
        e = yieldExpression();
    } else {
        ExprPtr first = starredOrExpression();
        if (atKeyword("for") || atKeyword("async")) {
            e = make(ExprKind::Generator, first->span);
            e->a = std::move(first);
            e->loops = comprehensionLoops();
        } else if (atOp(",") || first->kind == ExprKind::Starred) {
            e = make(ExprKind::Tuple, first->span);
            e->items.push_back(std::move(first));
            while (takeOp(",") && !atOp(")"))
                e->items.push_back(starredOrExpression());
        } else {
            e = std::move(first);
        }
    }
    Token close = expectOp(")", "to close the parenthesis");
    if (e->kind == ExprKind::Tuple || e->kind == ExprKind::Generator)
        e->mark = join(open.span, close.span);
    e->span = join(open.span, close.span);
    return e;
}

ExprPtr Parser::listDisplay() {
    Nesting nesting(*this);
    Token open = take();
    ExprPtr e = make(ExprKind::List, open.span);
    if (!atOp("]")) {
        ExprPtr first = starredOrExpression();
        if (atKeyword("for") || atKeyword("async")) {
            e->kind = ExprKind::ListComp;
            e->a = std::move(first);
            e->loops = comprehensionLoops();
        } else {
            e->items.push_back(std::move(first));
            while (takeOp(",") && !atOp("]"))
                e->items.push_back(starredOrExpression());
        }
    }
    expectOp("]", "to close the list");
    e->span = e->mark = join(open.span, lastSpan());
    return e;
}

ExprPtr Parser::braces() {
    Nesting nesting(*this);
    Token open = take();
    ExprPtr e = make(ExprKind::Dict, open.span);
    bool first = true;
    while (!atOp("}")) {
        if (takeOp("**")) {
            if (e->kind == ExprKind::Set) failExpected("a set's element");
            e->items.push_back(nullptr);
            e->items.push_back(binary(0));
        } else {
            ExprPtr key = starredOrExpression();
            bool pair = atOp(":");
            if (first && !pair) e->kind = ExprKind::Set;
            if (pair != (e->kind == ExprKind::Dict))
                failExpected(pair ? "',' or '}'" : "':' and the key's value");
            ExprPtr value;
            if (takeOp(":")) value = expression();
            if (first && (atKeyword("for") || atKeyword("async"))) {
                e->kind = pair ? ExprKind::DictComp : ExprKind::SetComp;
                e->a = std::move(key);
                e->b = std::move(value);
                e->loops = comprehensionLoops();
                break;
            }
            e->items.push_back(std::move(key));
            if (pair) e->items.push_back(std::move(value));
        }
        first = false;
        if (!takeOp(",")) break;
    }
    expectOp("}", "to close the braces");
    e->span = e->mark = join(open.span, lastSpan());
    return e;
}

ExprPtr Parser::lambda() {
    Token start = take();
    ExprPtr e = make(ExprKind::Lambda, start.span);
    e->function = std::make_unique<FunctionNode>();
    e->function->name = "<lambda>";
    e->function->parameters = parameters(":", false);
    expectOp(":", "after the lambda's parameters");
    functions_.push_back(e->function.get());
    auto body = std::make_unique<Stmt>();
    body->kind = StmtKind::Return;
    body->value = expression();
    functions_.pop_back();
    body->span = body->value->span;
    e->span = join(start.span, body->span);
    e->function->body.push_back(std::move(body));
    e->function->span = e->function->header = e->span;
    return e;
}

ExprPtr Parser::yieldExpression() {
    Token word = take();
    if (functions_.empty()) fail(word.span, "'yield' outside a function");
    functions_.back()->generator = true;
    ExprPtr e = make(ExprKind::Yield, word.span);
    if (takeKeyword("from")) {
        e->kind = ExprKind::YieldFrom;
        e->a = expression();
    } else if (peek().kind != TokenKind::Newline && !atOp(")") && !atOp("]") && !atOp("}") &&
               !atOp(";") && !atOp("=")) {
        e->a = expressionList();
    }
    if (functions_.back()->asynchronous) {
        if (e->kind == ExprKind::YieldFrom) fail(word.span, "'yield from' inside async function");
        functions_.back()->values = true;
        e->a = syntaxCall("Yielded", e->a ? std::move(e->a) : make(ExprKind::None, word.span));
    }
    e->span = e->mark = join(word.span, lastSpan());
    return e;
}

ExprPtr Parser::strings() {
    ExprPtr e = make(ExprKind::String, peek().span);
    ExprPtr joined = make(ExprKind::Formatted, peek().span);
    auto flush = [&] {
        if (e->text.empty()) return;
        ExprPtr part = make(ExprKind::String, e->span);
        part->text = std::move(e->text);
        e->text.clear();
        joined->items.push_back(std::move(part));
    };
    bool anyFormatted = false;
    const bool bytes = peek().bytes;
    while (peek().kind == TokenKind::String) {
        Token token = take();
        if (token.bytes != bytes)
            fail(token.span, "bytes and text literals cannot be joined", "write one kind only");
        if (token.formatted) {
            anyFormatted = true;
            flush();
            formatted(*joined, token.text, token.raw, token.body, 0);
        } else {
            e->text += token.text;
        }
    }
    e->span = e->mark = join(e->span, lastSpan());
    if (bytes) e->kind = ExprKind::Bytes;
    if (!anyFormatted) return e;
    flush();
    joined->span = joined->mark = e->span;
    return joined;
}

} // namespace cutaway::frontend
