// SPDX-License-Identifier: Apache-2.0
// async, await and except*: statements whose meaning Python tells by simpler ones, which is what the
// tree holds. What they call stands in the script library's _syntax; names with '@' and '$' are no script's.
#include "core/frontend/script/parser.h"

#include <fmt/format.h>

namespace cutaway::frontend {

namespace {

StmtPtr makeStatement(StmtKind kind, const Span& span) {
    auto s = std::make_unique<Stmt>();
    s->kind = kind;
    s->span = span;
    return s;
}

/// except BaseException as NAME: body
Handler everything(ExprPtr type, std::string name, Block body, const Span& span) {
    Handler handler;
    handler.type = std::move(type);
    handler.name = std::move(name);
    handler.body = std::move(body);
    handler.span = span;
    return handler;
}

} // namespace

ExprPtr Parser::nameOf(std::string name, const Span& span) const {
    ExprPtr e = make(ExprKind::Name, span);
    e->text = std::move(name);
    return e;
}

ExprPtr Parser::attributeOf(ExprPtr object, std::string name) const {
    ExprPtr e = make(ExprKind::Attribute, object->span);
    e->text = std::move(name);
    e->a = std::move(object);
    return seal(std::move(e));
}

ExprPtr Parser::callOf(ExprPtr function, std::vector<ExprPtr> arguments) const {
    ExprPtr e = make(ExprKind::Call, function->span);
    e->a = std::move(function);
    e->items = std::move(arguments);
    return seal(std::move(e));
}

/// A call of what the script library's _syntax has under that name.
ExprPtr Parser::syntaxCall(std::string_view what, ExprPtr argument) const {
    const Span span = argument->span;
    ExprPtr name = make(ExprKind::String, span);
    name->text = std::string(what);
    std::vector<ExprPtr> names, arguments;
    names.push_back(std::move(name));
    arguments.push_back(std::move(argument));
    return callOf(callOf(nameOf("$syntax", span), std::move(names)), std::move(arguments));
}

StmtPtr Parser::assignment(std::string name, ExprPtr value) const {
    StmtPtr s = makeStatement(StmtKind::Assign, value->span);
    s->targets.push_back(nameOf(std::move(name), value->span));
    s->value = std::move(value);
    return s;
}

std::string Parser::hiddenName(std::string_view what) {
    return fmt::format("@{}{}", what, hidden_++);
}

ExprPtr Parser::awaited(ExprPtr value) const {
    ExprPtr e = make(ExprKind::YieldFrom, value->span);
    e->text = "await";
    e->a = syntaxCall("awaitable", std::move(value));
    return seal(std::move(e));
}

void Parser::wantAsync(const Span& span, std::string_view what) const {
    if (functions_.empty() || !functions_.back()->asynchronous)
        fail(span, fmt::format("'{}' outside async function", what));
}

ExprPtr Parser::awaitExpression() {
    const Token word = take();
    wantAsync(word.span, "await");
    ExprPtr e = awaited(primary());
    e->span = e->mark = join(word.span, lastSpan());
    return e;
}

/// What follows `async`: a def, for or with.
void Parser::asyncStatement(Block& out) {
    const Token word = take();
    if (atKeyword("def")) return out.push_back(functionStatement(true));
    if (!atKeyword("for") && !atKeyword("with"))
        failExpected("'def', 'for' or 'with' after 'async'");
    const bool loop = atKeyword("for");
    wantAsync(word.span, loop ? "async for" : "async with");
    loop ? asyncFor(out, forStatement()) : asyncWith(out, withStatement());
}

/// it = X.__aiter__()
/// more = True
/// while more:
///     try: v = await it.__anext__()
///     except StopAsyncIteration: more = False
///     else: TARGET = v; BODY
/// else: ...
void Parser::asyncFor(Block& out, StmtPtr s) {
    const Span span = s->span;
    const std::string it = hiddenName("iterator"), more = hiddenName("more"), v = hiddenName("v");
    out.push_back(assignment(it, callOf(attributeOf(std::move(s->value), "__aiter__"), {})));
    auto truth = [&](bool value) {
        ExprPtr e = make(ExprKind::Bool, span);
        e->integer = value;
        return e;
    };
    out.push_back(assignment(more, truth(true)));
    StmtPtr attempt = makeStatement(StmtKind::Try, span);
    attempt->body.push_back(
        assignment(v, awaited(callOf(attributeOf(nameOf(it, span), "__anext__"), {}))));
    Block ends;
    ends.push_back(assignment(more, truth(false)));
    attempt->handlers.push_back(
        everything(nameOf("StopAsyncIteration", span), "", std::move(ends), span));
    StmtPtr bind = makeStatement(StmtKind::Assign, span);
    bind->targets = std::move(s->targets);
    bind->value = nameOf(v, span);
    attempt->orElse.push_back(std::move(bind));
    for (StmtPtr& inner : s->body)
        attempt->orElse.push_back(std::move(inner));
    StmtPtr loop = makeStatement(StmtKind::While, span);
    loop->value = nameOf(more, span);
    loop->body.push_back(std::move(attempt));
    loop->orElse = std::move(s->orElse);
    out.push_back(std::move(loop));
}

/// manager = X
/// leave = manager.__aexit__
/// v = await manager.__aenter__()
/// well = True
/// try:
///     try: TARGET = v; BODY
///     except BaseException as e:
///         well = False
///         if not await leave(e.__class__, e, e.__traceback__): raise
/// finally:
///     if well: await leave(None, None, None)
void Parser::asyncWith(Block& out, StmtPtr s) {
    const Span span = s->span;
    Block body = std::move(s->body);
    for (size_t i = s->withItems.size(); i-- > 0;) {
        WithItem& item = s->withItems[i];
        const std::string manager = hiddenName("manager"), leave = hiddenName("leave"),
                          v = hiddenName("v"), well = hiddenName("well"), e = hiddenName("e");
        auto truth = [&](bool value) {
            ExprPtr made = make(ExprKind::Bool, span);
            made->integer = value;
            return made;
        };
        auto leaving = [&](bool failed) {
            std::vector<ExprPtr> arguments;
            for (const char* part : {"__class__", "", "__traceback__"})
                arguments.push_back(!failed      ? make(ExprKind::None, span)
                                    : *part == 0 ? nameOf(e, span)
                                                 : attributeOf(nameOf(e, span), part));
            return awaited(callOf(nameOf(leave, span), std::move(arguments)));
        };
        Block whole;
        whole.push_back(assignment(manager, std::move(item.context)));
        whole.push_back(assignment(leave, attributeOf(nameOf(manager, span), "__aexit__")));
        whole.push_back(
            assignment(v, awaited(callOf(attributeOf(nameOf(manager, span), "__aenter__"), {}))));
        whole.push_back(assignment(well, truth(true)));
        StmtPtr inner = makeStatement(StmtKind::Try, span);
        if (item.target) {
            inner->body.push_back(makeStatement(StmtKind::Assign, span));
            inner->body.back()->targets.push_back(std::move(item.target));
            inner->body.back()->value = nameOf(v, span);
        }
        for (StmtPtr& each : body)
            inner->body.push_back(std::move(each));
        Block failed;
        failed.push_back(assignment(well, truth(false)));
        failed.push_back(makeStatement(StmtKind::If, span));
        failed.back()->value = make(ExprKind::Unary, span);
        failed.back()->value->text = "not";
        failed.back()->value->a = leaving(true);
        failed.back()->body.push_back(makeStatement(StmtKind::Raise, span));
        inner->handlers.push_back(
            everything(nameOf("BaseException", span), e, std::move(failed), span));
        StmtPtr outer = makeStatement(StmtKind::Try, span);
        outer->body.push_back(std::move(inner));
        outer->finally.push_back(makeStatement(StmtKind::If, span));
        outer->finally.back()->value = nameOf(well, span);
        outer->finally.back()->body.push_back(makeStatement(StmtKind::Expression, span));
        outer->finally.back()->body.back()->value = leaving(false);
        whole.push_back(std::move(outer));
        body = std::move(whole);
    }
    for (StmtPtr& each : body)
        out.push_back(std::move(each));
}

/// except BaseException as g:
///     group = Group(g)
///     part = group.matching(TYPE)      for every clause
///     if part is not None:
///         try: NAME = part; BODY
///         except BaseException as r: group.raised.append(r)
///         finally: NAME = None; del NAME
///     group.end()
void Parser::groupHandlers(Stmt& s) {
    const std::string g = hiddenName("error"), group = hiddenName("group");
    Block body;
    body.push_back(assignment(group, syntaxCall("Group", nameOf(g, s.span))));
    auto told = [&](const char* method, ExprPtr argument, const Span& span) {
        std::vector<ExprPtr> arguments;
        if (argument) arguments.push_back(std::move(argument));
        return callOf(attributeOf(nameOf(group, span), method), std::move(arguments));
    };
    auto expression = [&](ExprPtr value) {
        StmtPtr e = makeStatement(StmtKind::Expression, value->span);
        e->value = std::move(value);
        return e;
    };
    for (Handler& h : s.handlers) {
        const std::string part = hiddenName("part"), r = hiddenName("raised");
        body.push_back(assignment(part, told("matching", std::move(h.type), h.span)));
        StmtPtr attempt = makeStatement(StmtKind::Try, h.span);
        if (!h.name.empty()) attempt->body.push_back(assignment(h.name, nameOf(part, h.span)));
        for (StmtPtr& each : h.body)
            attempt->body.push_back(std::move(each));
        Block keeps;
        keeps.push_back(expression(told("note", nameOf(r, h.span), h.span)));
        attempt->handlers.push_back(
            everything(nameOf("BaseException", h.span), r, std::move(keeps), h.span));
        if (!h.name.empty()) {
            attempt->finally.push_back(assignment(h.name, make(ExprKind::None, h.span)));
            attempt->finally.push_back(makeStatement(StmtKind::Delete, h.span));
            attempt->finally.back()->targets.push_back(nameOf(h.name, h.span));
        }
        StmtPtr found = makeStatement(StmtKind::If, h.span);
        found->value = make(ExprKind::Compare, h.span);
        found->value->items.push_back(nameOf(part, h.span));
        found->value->items.push_back(make(ExprKind::None, h.span));
        found->value->names.emplace_back("is not");
        found->body.push_back(std::move(attempt));
        body.push_back(std::move(found));
    }
    body.push_back(expression(told("end", nullptr, s.span)));
    s.handlers.clear();
    s.handlers.push_back(everything(nameOf("BaseException", s.span), g, std::move(body), s.span));
}

} // namespace cutaway::frontend
