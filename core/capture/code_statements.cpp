// SPDX-License-Identifier: Apache-2.0
#include "core/capture/code_compiler.h"
#include "core/capture/interp.h"

#include <fmt/format.h>

namespace cutaway::capture {

using namespace frontend;

void CodeCompiler::block(const Block& body) {
    for (const StmtPtr& s : body)
        statement(*s);
}

void CodeCompiler::statement(const Stmt& s) {
    switch (s.kind) {
    case StmtKind::Expression:
        if (s.value->kind == ExprKind::String) return; // a docstring
        expression(*s.value);
        emit(Op::Pop, 0, s.span);
        return;
    case StmtKind::Assign:
        expression(*s.value);
        for (size_t i = 0; i < s.targets.size(); ++i) {
            if (i + 1 < s.targets.size()) emit(Op::Duplicate, 0, s.span);
            assign(*s.targets[i]);
        }
        return;
    case StmtKind::AugAssign:
        return augmented(s);
    case StmtKind::Annotated:
        if (s.value) {
            expression(*s.value);
            assign(*s.targets[0]);
        }
        return annotation(s);
    case StmtKind::Return:
        if (s.value)
            expression(*s.value);
        else
            emit(Op::LoadConst, constant(Val::none()), s.span);
        unwind(0, true, s.span);
        emit(Op::Return, 0, s.span);
        return;
    case StmtKind::Raise:
        if (!s.value && handled_.empty()) {
            emit(Op::RaiseHandled, 0, s.span);
            return;
        }
        if (!s.value) {
            emit(Op::LoadFast, local(handled_.back().hidden), s.span);
            emit(Op::Reraise, 0, s.span);
            return;
        }
        expression(*s.value);
        if (s.cause) expression(*s.cause);
        emit(Op::Raise, s.cause ? 2 : 1, s.span);
        return;
    case StmtKind::Assert: {
        std::vector<size_t> good;
        if (!s.cause || s.cause->kind == ExprKind::String) { // what a graph's own check can tell
            expression(*s.value);
            emit(Op::AssertLater, s.cause ? string(s.cause->text) : -1, s.span);
            good.push_back(static_cast<size_t>(emit(Op::JumpIfTrue, 0, s.value->span)));
        } else {
            jumpIf(*s.value, true, good);
        }
        if (s.cause) expression(*s.cause);
        emit(Op::AssertFailed, s.cause ? 1 : 0, s.span);
        for (size_t jump : good)
            patch(jump);
        return;
    }
    case StmtKind::Delete:
        for (const ExprPtr& target : s.targets)
            deleteTarget(*target);
        return;
    case StmtKind::Pass:
    case StmtKind::Global:
    case StmtKind::Nonlocal:
        return;
    case StmtKind::Break:
        return leaveLoop(s, true);
    case StmtKind::Continue:
        return leaveLoop(s, false);
    case StmtKind::Import:
    case StmtKind::ImportFrom:
        return import(s);
    case StmtKind::If:
        return ifStatement(s);
    case StmtKind::While:
        return whileStatement(s);
    case StmtKind::For:
        return forStatement(s);
    case StmtKind::Try:
        return tryStatement(s);
    case StmtKind::With:
        return withStatement(s, 0);
    case StmtKind::Function:
        return functionStatement(s);
    case StmtKind::Class:
        return classStatement(s);
    case StmtKind::Match:
        return matchStatement(s);
    }
}

void CodeCompiler::augmented(const Stmt& s) {
    static const std::pair<std::string_view, BinaryOp> kOps[] = {
        {"+", BinaryOp::Add},        {"-", BinaryOp::Sub},       {"*", BinaryOp::Mul},
        {"/", BinaryOp::Div},        {"//", BinaryOp::FloorDiv}, {"%", BinaryOp::Mod},
        {"**", BinaryOp::Pow},       {"@", BinaryOp::MatMul},    {"&", BinaryOp::And},
        {"|", BinaryOp::Or},         {"^", BinaryOp::Xor},       {"<<", BinaryOp::LeftShift},
        {">>", BinaryOp::RightShift}};
    int32_t op = 0;
    for (auto [text, code] : kOps)
        if (text == s.text) op = static_cast<int32_t>(code);
    const Expr& target = *s.targets[0];
    switch (target.kind) {
    case ExprKind::Attribute:
        expression(*target.a);
        emit(Op::Duplicate, 0, target.span);
        emit(Op::LoadAttr, name(target.text), target.span);
        expression(*s.value);
        emit(Op::InPlace, op, s.span);
        emit(Op::RotateTwo, 0, s.span);
        emit(Op::StoreAttr, name(target.text), target.span);
        return;
    case ExprKind::Subscript:
        expression(*target.a);
        expression(*target.b);
        emit(Op::DuplicateTwo, 0, target.span);
        emit(Op::LoadItem, 0, target.span);
        expression(*s.value);
        emit(Op::InPlace, op, s.span);
        emit(Op::RotateThree, 0, s.span);
        emit(Op::StoreItem, 0, target.span);
        return;
    default:
        load(target.text, target.span);
        expression(*s.value);
        emit(Op::InPlace, op, s.span);
        store(target.text, target.span);
    }
}

void CodeCompiler::ifStatement(const Stmt& s) {
    std::vector<size_t> toElse;
    jumpIf(*s.value, false, toElse);
    block(s.body);
    if (s.orElse.empty()) {
        for (size_t jump : toElse)
            patch(jump);
        return;
    }
    size_t end = static_cast<size_t>(emit(Op::Jump, 0, s.span));
    for (size_t jump : toElse)
        patch(jump);
    block(s.orElse);
    patch(end);
}

void CodeCompiler::whileStatement(const Stmt& s) {
    int32_t start = here();
    std::vector<size_t> toElse;
    jumpIf(*s.value, false, toElse);
    enclosing_.push_back({Enclosing::Kind::WhileLoop, start});
    block(s.body);
    emit(Op::Jump, start, s.span);
    Enclosing loop = std::move(enclosing_.back());
    enclosing_.pop_back();
    for (size_t jump : toElse)
        patch(jump);
    block(s.orElse);
    for (size_t jump : loop.breaks)
        patch(jump);
}

void CodeCompiler::forStatement(const Stmt& s) {
    expression(*s.value);
    emit(Op::GetIter, 0, s.value->span);
    int32_t start = here();
    size_t end = static_cast<size_t>(emit(Op::ForIter, 0, s.span));
    assign(*s.targets[0]);
    enclosing_.push_back({Enclosing::Kind::ForLoop, start});
    block(s.body);
    emit(Op::Jump, start, s.span);
    Enclosing loop = std::move(enclosing_.back());
    enclosing_.pop_back();
    patch(end);
    block(s.orElse);
    for (size_t jump : loop.breaks)
        patch(jump);
}

/// Emits what must happen when control leaves the enclosing statements down to \p downTo.
void CodeCompiler::unwind(size_t downTo, bool valueOnStack, const Span& span) {
    std::vector<Enclosing> kept;
    std::vector<Handled> ended;
    while (enclosing_.size() > downTo) {
        Enclosing entry = std::move(enclosing_.back());
        enclosing_.pop_back();
        switch (entry.kind) {
        case Enclosing::Kind::WhileLoop:
            break;
        case Enclosing::Kind::Handler:
            endHandled();
            ended.push_back(std::move(handled_.back()));
            handled_.pop_back();
            break;
        case Enclosing::Kind::ForLoop:
        case Enclosing::Kind::Pending:
            if (valueOnStack) emit(Op::RotateTwo, 0, span);
            emit(Op::Pop, 0, span);
            break;
        case Enclosing::Kind::Try:
            emit(Op::PopTry, 0, span);
            break;
        case Enclosing::Kind::Finally:
            emit(Op::PopTry, 0, span);
            if (valueOnStack) enclosing_.push_back({Enclosing::Kind::Pending});
            block(*entry.finally);
            if (valueOnStack) enclosing_.pop_back();
            break;
        case Enclosing::Kind::With:
            emit(Op::PopTry, 0, span);
            if (valueOnStack) emit(Op::RotateTwo, 0, span);
            emit(Op::ExitWith, 0, span);
            break;
        }
        kept.push_back(std::move(entry));
    }
    while (!kept.empty()) {
        enclosing_.push_back(std::move(kept.back()));
        kept.pop_back();
    }
    for (; !ended.empty(); ended.pop_back())
        handled_.push_back({std::move(ended.back().hidden), static_cast<size_t>(here())});
}

void CodeCompiler::leaveLoop(const Stmt& s, bool isBreak) {
    size_t at = enclosing_.size();
    auto isLoop = [](const Enclosing& e) {
        return e.kind == Enclosing::Kind::WhileLoop || e.kind == Enclosing::Kind::ForLoop;
    };
    while (at > 0 && !isLoop(enclosing_[at - 1]))
        --at;
    if (at == 0) fail(s.span, isBreak ? "'break' outside a loop" : "'continue' outside a loop");
    unwind(at, false, s.span);
    Enclosing& loop = enclosing_[at - 1];
    if (!isBreak) {
        emit(Op::Jump, loop.start, s.span);
        return;
    }
    if (loop.kind == Enclosing::Kind::ForLoop) emit(Op::Pop, 0, s.span);
    size_t jump = static_cast<size_t>(emit(Op::Jump, 0, s.span));
    enclosing_[at - 1].breaks.push_back(jump);
}

void CodeCompiler::tryStatement(const Stmt& s) {
    if (s.finally.empty()) return tryExcept(s);
    withFinally(s.finally, s.span, [&] {
        if (s.handlers.empty())
            block(s.body);
        else
            tryExcept(s);
    });
}

/// What \p body emits, and \p finally on every way out of it.
void CodeCompiler::withFinally(const Block& finally, const Span& span,
                               const std::function<void()>& body) {
    size_t setup = static_cast<size_t>(emit(Op::SetupTry, 0, span));
    Enclosing entry{Enclosing::Kind::Finally};
    entry.finally = &finally;
    enclosing_.push_back(std::move(entry));
    body();
    enclosing_.pop_back();
    emit(Op::PopTry, 0, span);
    block(finally);
    size_t end = static_cast<size_t>(emit(Op::Jump, 0, span));
    patch(setup);
    std::string hidden = fmt::format("@error{}", hidden_++);
    emit(Op::StoreFast, local(hidden), span);
    handling(hidden, [&] { block(finally); });
    emit(Op::LoadFast, local(hidden), span);
    emit(Op::Reraise, 0, span);
    patch(end);
}

namespace {

/// NAME = None; del NAME: how Python ends "except ... as NAME".
Block forgetting(const std::string& name, const Span& span) {
    auto target = [&] {
        auto e = std::make_unique<Expr>();
        e->kind = ExprKind::Name;
        e->text = name;
        e->span = e->mark = span;
        return e;
    };
    auto statement = [&](StmtKind kind) {
        auto s = std::make_unique<Stmt>();
        s->kind = kind;
        s->span = span;
        s->targets.push_back(target());
        return s;
    };
    Block body;
    body.push_back(statement(StmtKind::Assign));
    body.back()->value = std::make_unique<Expr>();
    body.back()->value->span = body.back()->value->mark = span;
    body.push_back(statement(StmtKind::Delete));
    return body;
}

} // namespace

void CodeCompiler::tryExcept(const Stmt& s) {
    size_t setup = static_cast<size_t>(emit(Op::SetupTry, 0, s.span));
    enclosing_.push_back({Enclosing::Kind::Try});
    block(s.body);
    enclosing_.pop_back();
    emit(Op::PopTry, 0, s.span);
    block(s.orElse);
    std::vector<size_t> ends = {static_cast<size_t>(emit(Op::Jump, 0, s.span))};
    patch(setup);
    std::string hidden = fmt::format("@error{}", hidden_++);
    for (const Handler& handler : s.handlers) {
        size_t next = 0;
        if (handler.type) {
            expression(*handler.type);
            emit(Op::MatchException, 0, handler.span);
            next = static_cast<size_t>(emit(Op::JumpIfFalse, 0, handler.span));
        }
        emit(Op::StoreFast, local(hidden), handler.span);
        handling(hidden, [&] {
            if (handler.name.empty()) return block(handler.body);
            emit(Op::LoadFast, local(hidden), handler.span);
            store(handler.name, handler.span);
            Block forget = forgetting(handler.name, handler.span);
            withFinally(forget, handler.span, [&] { block(handler.body); });
        });
        ends.push_back(static_cast<size_t>(emit(Op::Jump, 0, handler.span)));
        if (handler.type) patch(next);
    }
    emit(Op::Reraise, 0, s.span);
    for (size_t jump : ends)
        patch(jump);
}

void CodeCompiler::withStatement(const Stmt& s, size_t item) {
    if (item == s.withItems.size()) return block(s.body);
    const WithItem& with = s.withItems[item];
    expression(*with.context);
    emit(Op::EnterWith, 0, with.context->span); // exit result
    size_t setup = static_cast<size_t>(emit(Op::SetupWith, 0, s.span));
    if (with.target)
        assign(*with.target);
    else
        emit(Op::Pop, 0, s.span);
    enclosing_.push_back({Enclosing::Kind::With});
    withStatement(s, item + 1);
    enclosing_.pop_back();
    emit(Op::PopTry, 0, s.span);
    emit(Op::ExitWith, 0, s.span);
    size_t end = static_cast<size_t>(emit(Op::Jump, 0, s.span));
    patch(setup);
    emit(Op::ExitWithError, 0, with.context->span);
    patch(end);
}

void CodeCompiler::handling(const std::string& hidden, const std::function<void()>& body) {
    handled_.push_back({hidden, static_cast<size_t>(here())});
    enclosing_.push_back({Enclosing::Kind::Handler});
    body();
    enclosing_.pop_back();
    endHandled();
    handled_.pop_back();
}

/// What was emitted since the last of `handled_` began, ran under it.
void CodeCompiler::endHandled() {
    code_->handled.push_back({static_cast<uint32_t>(handled_.back().from),
                              static_cast<uint32_t>(here()), local(handled_.back().hidden)});
}

void CodeCompiler::docstring(const Block& body) {
    const bool text = !body.empty() && body[0]->kind == StmtKind::Expression &&
                      body[0]->value->kind == ExprKind::String;
    if (text) code_->text = body[0]->value->text;
}

/// Only class bodies keep annotations; what cannot be evaluated is kept as text.
void CodeCompiler::annotation(const Stmt& s) {
    if (scope_.kind != Scope::Kind::Class || s.targets[0]->kind != ExprKind::Name) return;
    size_t setup = static_cast<size_t>(emit(Op::SetupTry, 0, s.span));
    expression(*s.cause);
    emit(Op::PopTry, 0, s.span);
    size_t end = static_cast<size_t>(emit(Op::Jump, 0, s.span));
    patch(setup);
    emit(Op::Pop, 0, s.span);
    emit(Op::LoadConst, string(source_->between(s.cause->span)), s.span);
    patch(end);
    emit(Op::Annotate, name(s.targets[0]->text), s.span);
}

void CodeCompiler::functionStatement(const Stmt& s) {
    for (const ExprPtr& decorator : s.decorators)
        expression(*decorator);
    CodeCompiler inner(interp_, source_, *scope_.inner.at(s.function.get()), this);
    makeFunction(inner.function(*s.function), s.function.get(), s.function->header);
    for (size_t i = s.decorators.size(); i-- > 0;)
        emit(Op::Call, 1, s.decorators[i]->span);
    store(s.function->name, s.function->header);
}

void CodeCompiler::classStatement(const Stmt& s) {
    for (const ExprPtr& decorator : s.decorators)
        expression(*decorator);
    CodeCompiler inner(interp_, source_, *scope_.inner.at(&s), this);
    makeFunction(inner.classBody(s), nullptr, s.span);
    items(s.bases, Op::BuildList, s.span);
    keywords(s.keywords, 1);
    emit(Op::LoadConst, string(s.text), s.span);
    emit(Op::MakeClass, 0, s.span);
    for (size_t i = s.decorators.size(); i-- > 0;)
        emit(Op::Call, 1, s.decorators[i]->span);
    store(s.text, s.span);
}

void CodeCompiler::import(const Stmt& s) {
    if (s.kind == StmtKind::ImportFrom) {
        emit(Op::Import, name(s.text), s.span);
        if (s.aliases.empty()) {
            emit(Op::ImportStar, 0, s.span);
            return;
        }
        for (const Alias& alias : s.aliases) {
            emit(Op::ImportFrom, name(alias.name), alias.span);
            store(alias.as.empty() ? alias.name : alias.as, alias.span);
        }
        emit(Op::Pop, 0, s.span);
        return;
    }
    for (const Alias& alias : s.aliases) {
        emit(Op::Import, name(alias.name), alias.span);
        if (!alias.as.empty()) {
            store(alias.as, alias.span);
            continue;
        }
        size_t dot = alias.name.find('.');
        if (dot != std::string::npos) { // `import a.b` checks a.b and binds a
            emit(Op::Pop, 0, alias.span);
            emit(Op::Import, name(alias.name.substr(0, dot)), alias.span);
        }
        store(alias.name.substr(0, dot), alias.span);
    }
}

} // namespace cutaway::capture
