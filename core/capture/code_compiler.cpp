// SPDX-License-Identifier: Apache-2.0
#include "core/capture/code_compiler.h"

#include "core/capture/integers.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cutaway::capture {

using namespace frontend;

CodeCompiler::CodeCompiler(Interp& interp, std::shared_ptr<const SourceText> source, Scope& scope,
                           CodeCompiler* outer)
    : interp_(interp), source_(std::move(source)), scope_(scope), outer_(outer) {}

void CodeCompiler::fail(const Span& span, std::string message, std::string hint) const {
    throw base::userError(locate(source_->file, span), std::move(message), std::move(hint));
}

int32_t CodeCompiler::emit(Op op, int32_t a, const Span& span) {
    constexpr size_t kMaxInstructions = 400000; // nested finally blocks are copied
    if (code_->instructions.size() >= kMaxInstructions)
        fail(span, "this function is too large", "split it");
    code_->instructions.push_back({op, a});
    code_->spans.push_back(span);
    return here() - 1;
}

void CodeCompiler::patch(size_t jump) {
    code_->instructions[jump].a = here();
}

int32_t CodeCompiler::constant(Val v) {
    auto [at, fresh] = constantNumbers_.emplace(std::pair{v.tag(), v.bits()},
                                                static_cast<int32_t>(code_->constants.size()));
    if (fresh) code_->constants.push_back(std::move(v));
    return at->second;
}

int32_t CodeCompiler::string(const std::string& text) {
    return constant(Val(interp_.intern(text)));
}

int32_t CodeCompiler::name(const std::string& text) {
    StrObj* interned = interp_.intern(text);
    auto [at, fresh] = nameNumbers_.emplace(interned, static_cast<int32_t>(code_->names.size()));
    if (fresh) code_->names.emplace_back(interned);
    return at->second;
}

int32_t CodeCompiler::local(const std::string& name) {
    for (size_t i = localNumbers_.size(); i < code_->locals.size(); ++i) // the parameters
        localNumbers_.emplace(code_->locals[i], static_cast<int32_t>(i));
    auto [at, fresh] = localNumbers_.emplace(name, static_cast<int32_t>(code_->locals.size()));
    if (fresh) code_->locals.push_back(name);
    return at->second;
}

int32_t CodeCompiler::cell(const std::string& name) const {
    auto at = std::find(code_->cells.begin(), code_->cells.end(), name);
    if (at == code_->cells.end()) throw std::logic_error("no cell for the variable " + name);
    return static_cast<int32_t>(at - code_->cells.begin());
}

void CodeCompiler::begin(std::string name, const Span& span) {
    code_ = std::make_shared<Code>();
    code_->qualifiedName =
        outer_ && !outer_->code_->qualifiedName.empty()
            ? outer_->code_->qualifiedName +
                  (outer_->scope_.kind == Scope::Kind::Class ? "." : ".<locals>.") + name
            : name;
    code_->name = std::move(name);
    code_->source = source_;
    code_->span = code_->header = span;
    code_->cells = scope_.cells;
    code_->cells.insert(code_->cells.end(), scope_.frees.begin(), scope_.frees.end());
    code_->freeVariables = scope_.frees.size();
}

std::shared_ptr<const Code> CodeCompiler::finish() {
    Span end{code_->span.endLine, 0, code_->span.endLine, 0};
    push(Val::none(), code_->spans.empty() ? end : code_->spans.back());
    emit(Op::Return, 0, code_->spans.back());
    code_->hints.assign(code_->instructions.size(), 0);
    return code_;
}

std::shared_ptr<const Code> CodeCompiler::script(const Script& script) {
    begin("<script>", {});
    code_->qualifiedName.clear();
    docstring(script.body);
    block(script.body);
    return finish();
}

void CodeCompiler::parameters(const FunctionNode& node) {
    std::vector<const Parameter*> ordered;
    for (const Parameter& p : node.parameters)
        if (p.kind == Parameter::Kind::Plain) ordered.push_back(&p);
    code_->positional = ordered.size();
    for (const Parameter& p : node.parameters) {
        if (p.kind == Parameter::Kind::KeywordOnly) ordered.push_back(&p);
        code_->positionalOnly += p.positionalOnly;
    }
    code_->keywordOnly = ordered.size() - code_->positional;
    for (auto kind : {Parameter::Kind::Args, Parameter::Kind::Kwargs})
        for (const Parameter& p : node.parameters)
            if (p.kind == kind) {
                ordered.push_back(&p);
                (kind == Parameter::Kind::Args ? code_->takesArgs : code_->takesKwargs) = true;
            }
    for (size_t i = 0; i < ordered.size(); ++i) {
        code_->locals.push_back(ordered[i]->name);
        if (scope_.binding(ordered[i]->name) == Scope::Binding::Cell)
            code_->cellParameters.emplace_back(static_cast<int>(i), cell(ordered[i]->name));
    }
}

std::shared_ptr<const Code> CodeCompiler::function(const FunctionNode& node) {
    begin(node.name, node.span);
    code_->header = node.header;
    code_->generator = node.generator;
    code_->asynchronous = node.asynchronous;
    code_->values = node.values;
    docstring(node.body);
    for (const Parameter& p : node.parameters)
        if (p.annotation.line > 0)
            code_->annotations.emplace_back(p.name, source_->between(p.annotation));
    if (node.returns.line > 0)
        code_->annotations.emplace_back("return", source_->between(node.returns));
    parameters(node);
    block(node.body);
    return finish();
}

std::shared_ptr<const Code> CodeCompiler::classBody(const Stmt& node) {
    begin(node.text, node.span);
    docstring(node.body);
    block(node.body);
    return finish();
}

std::shared_ptr<const Code> CodeCompiler::generator(const Expr& node) {
    begin("<genexpr>", node.span);
    code_->generator = true;
    code_->positional = 1;
    code_->locals.push_back("@iterable");
    comprehensionLoop(node, 0);
    return finish();
}

void CodeCompiler::load(const std::string& n, const Span& span) {
    switch (scope_.binding(n)) {
    case Scope::Binding::Local:
        emit(Op::LoadFast, local(n), span);
        return;
    case Scope::Binding::Cell:
    case Scope::Binding::Free:
        emit(Op::LoadCell, cell(n), span);
        return;
    case Scope::Binding::Name:
        emit(Op::LoadName, name(n), span);
        return;
    case Scope::Binding::Global:
        emit(Op::LoadGlobal, name(n), span);
        return;
    }
}

void CodeCompiler::store(const std::string& n, const Span& span) {
    switch (scope_.binding(n)) {
    case Scope::Binding::Local:
        emit(Op::StoreFast, local(n), span);
        return;
    case Scope::Binding::Cell:
    case Scope::Binding::Free:
        emit(Op::StoreCell, cell(n), span);
        return;
    case Scope::Binding::Name:
        emit(Op::StoreName, name(n), span);
        return;
    case Scope::Binding::Global:
        emit(Op::StoreGlobal, name(n), span);
        return;
    }
}

void CodeCompiler::remove(const std::string& n, const Span& span) {
    switch (scope_.binding(n)) {
    case Scope::Binding::Local:
        emit(Op::DeleteFast, local(n), span);
        return;
    case Scope::Binding::Cell:
    case Scope::Binding::Free:
        emit(Op::DeleteCell, cell(n), span);
        return;
    case Scope::Binding::Name:
        emit(Op::DeleteName, name(n), span);
        return;
    case Scope::Binding::Global:
        emit(Op::DeleteGlobal, name(n), span);
        return;
    }
}

void CodeCompiler::assign(const Expr& target) {
    switch (target.kind) {
    case ExprKind::Name:
        return store(scope_.name(target), target.span);
    case ExprKind::Attribute:
        expression(*target.a);
        emit(Op::StoreAttr, name(target.text), target.span);
        return;
    case ExprKind::Subscript:
        expression(*target.a);
        expression(*target.b);
        emit(Op::StoreItem, 0, target.span);
        return;
    case ExprKind::Tuple:
    case ExprKind::List: {
        auto starred =
            std::find_if(target.items.begin(), target.items.end(),
                         [](const ExprPtr& item) { return item->kind == ExprKind::Starred; });
        int32_t count = static_cast<int32_t>(target.items.size());
        if (starred == target.items.end()) {
            emit(Op::Unpack, count, target.span);
        } else {
            if (count > 0x7fff)
                fail(target.span, fmt::format("{} targets around a starred one, at most {} work",
                                              count - 1, 0x7ffe));
            int32_t before = static_cast<int32_t>(starred - target.items.begin());
            emit(Op::UnpackRest, before | ((count - before - 1) << 16), target.span);
        }
        for (const ExprPtr& item : target.items)
            assign(item->kind == ExprKind::Starred ? *item->a : *item);
        return;
    }
    default:
        fail(target.span, "this cannot be assigned to");
    }
}

void CodeCompiler::deleteTarget(const Expr& target) {
    switch (target.kind) {
    case ExprKind::Name:
        return remove(scope_.name(target), target.span);
    case ExprKind::Attribute:
        expression(*target.a);
        emit(Op::DeleteAttr, name(target.text), target.span);
        return;
    case ExprKind::Subscript:
        expression(*target.a);
        expression(*target.b);
        emit(Op::DeleteItem, 0, target.span);
        return;
    default:
        for (const ExprPtr& item : target.items)
            deleteTarget(*item);
    }
}

namespace {

BinaryOp binaryOp(const std::string& text) {
    static const std::vector<std::pair<std::string_view, BinaryOp>> kTable = {
        {"+", BinaryOp::Add},        {"-", BinaryOp::Sub},       {"*", BinaryOp::Mul},
        {"/", BinaryOp::Div},        {"//", BinaryOp::FloorDiv}, {"%", BinaryOp::Mod},
        {"**", BinaryOp::Pow},       {"@", BinaryOp::MatMul},    {"&", BinaryOp::And},
        {"|", BinaryOp::Or},         {"^", BinaryOp::Xor},       {"<<", BinaryOp::LeftShift},
        {">>", BinaryOp::RightShift}};
    for (auto [name, op] : kTable)
        if (name == text) return op;
    return BinaryOp::Add;
}

CompareOp compareOp(const std::string& text) {
    static const std::vector<std::pair<std::string_view, CompareOp>> kTable = {
        {"<", CompareOp::Less},      {"<=", CompareOp::LessEqual}, {"==", CompareOp::Equal},
        {"!=", CompareOp::NotEqual}, {">", CompareOp::Greater},    {">=", CompareOp::GreaterEqual},
        {"is", CompareOp::Is},       {"is not", CompareOp::IsNot}, {"in", CompareOp::In},
        {"not in", CompareOp::NotIn}};
    for (auto [name, op] : kTable)
        if (name == text) return op;
    return CompareOp::Equal;
}

UnaryOp unaryOp(const std::string& text) {
    return text == "-"   ? UnaryOp::Negate
           : text == "+" ? UnaryOp::Plus
           : text == "~" ? UnaryOp::Invert
                         : UnaryOp::Not;
}

/// The value of a literal that is no text; unbound for other expressions.
Val literal(Interp& in, const Expr& e) {
    switch (e.kind) {
    case ExprKind::Bool:
        return Val::boolean(e.integer != 0);
    case ExprKind::Int:
        return e.text.empty() ? Val::integer(e.integer) : parseInteger(in, e.text, 0);
    case ExprKind::Imaginary:
        return Val(in.make<ComplexObj>(0.0, e.real));
    case ExprKind::Bytes:
        return Val(in.make<BytesObj>(e.text));
    case ExprKind::Float:
        return Val::real(e.real);
    case ExprKind::Ellipsis:
        return Val::ellipsis();
    case ExprKind::None:
        return Val::none();
    default:
        return {};
    }
}

/// A literal, or an expression of some that Python computes when it reads the script.
bool isConstant(Interp& in, const Expr& e) {
    auto all = [&](const ExprPtr& item) { return isConstant(in, *item); };
    switch (e.kind) {
    case ExprKind::Unary:
        return all(e.a);
    case ExprKind::Binary:
        return all(e.a) && all(e.b);
    case ExprKind::Tuple:
        return std::ranges::all_of(e.items, all);
    default:
        return e.kind == ExprKind::String || literal(in, e).bound();
    }
}

} // namespace

void CodeCompiler::expression(const Expr& e) {
    switch (e.kind) {
    case ExprKind::Name:
        return load(scope_.name(e), e.span);
    case ExprKind::String:
        emit(Op::LoadConst, string(e.text), e.span);
        return;
    case ExprKind::None:
    case ExprKind::Bool:
    case ExprKind::Int:
    case ExprKind::Imaginary:
    case ExprKind::Bytes:
    case ExprKind::Float:
    case ExprKind::Ellipsis:
        return push(literal(interp_, e), e.span);
    case ExprKind::Formatted:
        return formatted(e);
    case ExprKind::Replacement:
        return replacement(e);
    case ExprKind::Tuple:
        return items(e.items, Op::BuildTuple, e.span);
    case ExprKind::List:
        return items(e.items, Op::BuildList, e.span);
    case ExprKind::Set:
        if (e.items.size() > 2 && std::ranges::all_of(e.items, [&](const ExprPtr& item) {
                return isConstant(interp_, *item);
            }))
            return items(e.items, Op::BuildSetOfConstants, e.span);
        return items(e.items, Op::BuildSet, e.span);
    case ExprKind::Dict:
        return dictDisplay(e);
    case ExprKind::Unary:
        expression(*e.a);
        emit(Op::Unary, static_cast<int32_t>(unaryOp(e.text)), e.span);
        return;
    case ExprKind::Binary:
        expression(*e.a);
        expression(*e.b);
        emit(Op::Binary, static_cast<int32_t>(binaryOp(e.text)), e.span);
        return;
    case ExprKind::BoolOp:
        return boolean(e);
    case ExprKind::Compare:
        return compare(e);
    case ExprKind::Conditional:
        return conditional(e);
    case ExprKind::Call:
        return call(e);
    case ExprKind::Attribute:
        expression(*e.a);
        emit(Op::LoadAttr, name(e.text), e.span);
        return;
    case ExprKind::Subscript:
        expression(*e.a);
        expression(*e.b);
        emit(Op::LoadItem, 0, e.span);
        return;
    case ExprKind::Slice:
        for (const ExprPtr* part : {&e.a, &e.b, &e.c}) {
            if (*part)
                expression(**part);
            else
                push(Val::none(), e.span);
        }
        emit(Op::BuildSlice, 0, e.span);
        return;
    case ExprKind::Starred:
        fail(e.span, "a starred expression is only allowed in a call, a display or an assignment");
    case ExprKind::Lambda: {
        CodeCompiler inner(interp_, source_, *scope_.inner.at(e.function.get()), this);
        makeFunction(inner.function(*e.function), e.function.get(), e.span);
        return;
    }
    case ExprKind::ListComp:
    case ExprKind::SetComp:
    case ExprKind::DictComp:
        return comprehension(e);
    case ExprKind::Generator: {
        CodeCompiler inner(interp_, source_, *scope_.inner.at(&e), this);
        makeFunction(inner.generator(e), nullptr, e.span);
        expression(*e.loops.front().iterable);
        emit(Op::GetIter, 0, e.loops.front().iterable->span);
        emit(Op::Call, 1, e.span);
        return;
    }
    case ExprKind::Walrus:
        expression(*e.b);
        emit(Op::Duplicate, 0, e.span);
        store(scope_.name(*e.a), e.a->span);
        return;
    case ExprKind::Yield:
        e.a ? expression(*e.a) : push(Val::none(), e.span);
        emit(Op::Yield, 0, e.span);
        return;
    case ExprKind::YieldFrom:
        return yieldFrom(e);
    }
}

void CodeCompiler::push(Val value, const frontend::Span& span) {
    emit(Op::LoadConst, constant(std::move(value)), span);
}

void CodeCompiler::boolean(const Expr& e) {
    std::vector<size_t> jumps;
    for (size_t i = 0; i < e.items.size(); ++i) {
        expression(*e.items[i]);
        if (i + 1 < e.items.size())
            jumps.push_back(static_cast<size_t>(
                emit(e.text == "and" ? Op::JumpIfFalseOrPop : Op::JumpIfTrueOrPop, 0,
                     e.items[i]->span)));
    }
    for (size_t jump : jumps)
        patch(jump);
}

void CodeCompiler::conditional(const Expr& e) {
    std::vector<size_t> toElse;
    jumpIf(*e.b, false, toElse);
    expression(*e.a);
    size_t end = static_cast<size_t>(emit(Op::Jump, 0, e.span));
    for (size_t jump : toElse)
        patch(jump);
    expression(*e.c);
    patch(end);
}

void CodeCompiler::yieldFrom(const Expr& e) {
    expression(*e.a);
    emit(Op::GetIter, e.text == "await", e.a->span);
    push(Val::none(), e.span); // what is sent to it
    const int32_t loop = emit(Op::YieldFrom, 0, e.span);
    patch(static_cast<size_t>(loop));
}

void CodeCompiler::items(const std::vector<ExprPtr>& list, Op build, const Span& span) {
    bool starred = std::any_of(list.begin(), list.end(),
                               [](const ExprPtr& item) { return item->kind == ExprKind::Starred; });
    if (!starred) {
        for (const ExprPtr& item : list)
            expression(*item);
        emit(build, static_cast<int32_t>(list.size()), span);
        return;
    }
    emit(build == Op::BuildSet ? Op::BuildSet : Op::BuildList, 0, span);
    for (const ExprPtr& item : list) {
        if (item->kind == ExprKind::Starred) {
            expression(*item->a);
            emit(Op::ListExtend, 0, item->span);
        } else {
            expression(*item);
            emit(build == Op::BuildSet ? Op::SetAdd : Op::ListAppend, 1, item->span);
        }
    }
    if (build == Op::BuildTuple) emit(Op::ListToTuple, 0, span);
}

void CodeCompiler::dictDisplay(const Expr& e) {
    emit(Op::BuildDict, 0, e.span);
    for (size_t i = 0; i < e.items.size(); i += 2) {
        if (!e.items[i]) {
            expression(*e.items[i + 1]);
            emit(Op::DictUpdate, 0, e.items[i + 1]->span);
            continue;
        }
        expression(*e.items[i]);
        expression(*e.items[i + 1]);
        emit(Op::DictSet, 1, e.items[i]->span);
    }
}

void CodeCompiler::compare(const Expr& e) {
    expression(*e.items[0]);
    std::vector<size_t> failures;
    for (size_t i = 0; i < e.names.size(); ++i) {
        expression(*e.items[i + 1]);
        bool last = i + 1 == e.names.size();
        if (!last) { // a < b < c: keep b for the next comparison
            emit(Op::Duplicate, 0, e.span);
            emit(Op::RotateThree, 0, e.span);
        }
        Span span = join(e.items[i]->span, e.items[i + 1]->span);
        emit(Op::Compare, static_cast<int32_t>(compareOp(e.names[i])), span);
        if (!last) failures.push_back(static_cast<size_t>(emit(Op::JumpIfFalseOrPop, 0, span)));
    }
    if (failures.empty()) return;
    size_t end = static_cast<size_t>(emit(Op::Jump, 0, e.span));
    for (size_t jump : failures)
        patch(jump);
    emit(Op::RotateTwo, 0, e.span); // drop the kept operand below the result
    emit(Op::Pop, 0, e.span);
    patch(end);
}

void CodeCompiler::call(const Expr& e) {
    bool spread =
        std::any_of(e.items.begin(), e.items.end(),
                    [](const ExprPtr& item) { return item->kind == ExprKind::Starred; }) ||
        std::any_of(e.keywords.begin(), e.keywords.end(),
                    [](const Keyword& k) { return k.name.empty(); });
    expression(*e.a);
    if (spread) return spreadCall(e);
    for (const ExprPtr& item : e.items)
        expression(*item);
    if (e.keywords.empty()) {
        emit(Op::Call, static_cast<int32_t>(e.items.size()), e.span);
        return;
    }
    auto* names = interp_.make<TupleObj>();
    Val keep(names);
    for (const Keyword& k : e.keywords) {
        expression(*k.value);
        names->items.emplace_back(interp_.intern(k.name));
    }
    emit(Op::LoadConst, constant(keep), e.span);
    emit(Op::CallKeywords, static_cast<int32_t>(e.items.size() + e.keywords.size()), e.span);
}

/// A dict of the keyword arguments.
void CodeCompiler::keywords(const std::vector<Keyword>& list, int32_t mode) {
    emit(Op::BuildDict, 0, list.empty() ? code_->spans.back() : list.front().span);
    for (const Keyword& k : list) {
        if (k.name.empty()) {
            expression(*k.value);
            emit(Op::DictUpdate, mode, k.span);
        } else {
            emit(Op::LoadConst, string(k.name), k.span);
            expression(*k.value);
            emit(Op::DictSet, 1, k.span);
        }
    }
}

void CodeCompiler::spreadCall(const Expr& e) {
    emit(Op::BuildList, 0, e.span);
    for (const ExprPtr& item : e.items) {
        bool starred = item->kind == ExprKind::Starred;
        expression(starred ? *item->a : *item);
        emit(starred ? Op::ListExtend : Op::ListAppend, starred ? 0 : 1, item->span);
    }
    keywords(e.keywords, 1);
    emit(Op::CallSpread, 0, e.span);
}

void CodeCompiler::formatted(const Expr& e) {
    for (const ExprPtr& item : e.items)
        expression(*item);
    emit(Op::BuildString, static_cast<int32_t>(e.items.size()), e.span);
}

void CodeCompiler::replacement(const Expr& e) {
    bool debug = !e.names.empty();
    if (debug) emit(Op::LoadConst, string(e.names.front()), e.span);
    expression(*e.a);
    if (e.b) formatted(*e.b);
    int32_t conversion = e.text.empty() ? (debug && !e.b ? 'r' : 0) : e.text[0];
    emit(Op::Format, conversion | (e.b ? 1 << 8 : 0), e.span);
    if (debug) emit(Op::BuildString, 2, e.span);
}

void CodeCompiler::comprehension(const Expr& e) {
    Op build = e.kind == ExprKind::ListComp  ? Op::BuildList
               : e.kind == ExprKind::SetComp ? Op::BuildSet
                                             : Op::BuildDict;
    emit(build, 0, e.span);
    comprehensionLoop(e, 0);
    for (const ComprehensionLoop& loop : e.loops)
        forget(*loop.target);
}

/// What a comprehension's variables held last is given up with it.
void CodeCompiler::forget(const Expr& target) {
    if (target.kind == ExprKind::Starred) return forget(*target.a);
    if (target.kind == ExprKind::Tuple || target.kind == ExprKind::List) {
        for (const ExprPtr& item : target.items)
            forget(*item);
    } else if (target.kind == ExprKind::Name) {
        const Scope::Binding binding = scope_.binding(scope_.name(target));
        if (binding != Scope::Binding::Local && binding != Scope::Binding::Name) return;
        push(Val::none(), target.span);
        assign(target);
    }
}

void CodeCompiler::comprehensionLoop(const Expr& e, size_t level) {
    const ComprehensionLoop& loop = e.loops[level];
    if (e.kind == ExprKind::Generator && level == 0) {
        emit(Op::LoadFast, 0, loop.iterable->span);
    } else {
        expression(*loop.iterable);
        emit(Op::GetIter, 0, loop.iterable->span);
    }
    int32_t start = here();
    size_t end = static_cast<size_t>(emit(Op::ForIter, 0, loop.iterable->span));
    assign(*loop.target);
    std::vector<size_t> skips;
    for (const ExprPtr& condition : loop.conditions)
        jumpIf(*condition, false, skips);
    if (level + 1 < e.loops.size()) {
        comprehensionLoop(e, level + 1);
    } else {
        int32_t depth = static_cast<int32_t>(e.loops.size()) + 1;
        expression(*e.a);
        switch (e.kind) {
        case ExprKind::ListComp:
            emit(Op::ListAppend, depth, e.a->span);
            break;
        case ExprKind::SetComp:
            emit(Op::SetAdd, depth, e.a->span);
            break;
        case ExprKind::DictComp:
            expression(*e.b);
            emit(Op::DictSet, depth, e.a->span);
            break;
        default:
            emit(Op::Yield, 0, e.a->span);
            emit(Op::Pop, 0, e.a->span);
        }
    }
    for (size_t skip : skips)
        patch(skip);
    emit(Op::Jump, start, loop.iterable->span);
    patch(end);
}

void CodeCompiler::makeFunction(std::shared_ptr<const Code> code, FunctionNode* node,
                                const Span& span) {
    int32_t flags = 0;
    if (node) {
        int32_t defaults = 0, keywordDefaults = 0;
        for (const Parameter& p : node->parameters)
            if (p.defaultValue && p.kind == Parameter::Kind::Plain) {
                expression(*p.defaultValue);
                ++defaults;
            }
        if (defaults) {
            emit(Op::BuildTuple, defaults, span);
            flags |= 1;
        }
        for (const Parameter& p : node->parameters) {
            if (!p.defaultValue || p.kind != Parameter::Kind::KeywordOnly) continue;
            if (keywordDefaults++ == 0) emit(Op::BuildDict, 0, span);
            emit(Op::LoadConst, string(p.name), span);
            expression(*p.defaultValue);
            emit(Op::DictSet, 1, span);
        }
        if (keywordDefaults) flags |= 2;
    }
    if (code->freeVariables > 0) {
        for (size_t i = code->cells.size() - code->freeVariables; i < code->cells.size(); ++i)
            emit(Op::PushCell, cell(code->cells[i]), span);
        emit(Op::BuildTuple, static_cast<int32_t>(code->freeVariables), span);
        flags |= 4;
    }
    code_->codes.push_back(std::move(code));
    emit(Op::MakeFunction, flags | (static_cast<int32_t>(code_->codes.size() - 1) << 3), span);
}

void CodeCompiler::jumpIf(const Expr& condition, bool value, std::vector<size_t>& jumps) {
    if (condition.kind == ExprKind::Unary && condition.text == "not")
        return jumpIf(*condition.a, !value, jumps);
    bool both = condition.kind == ExprKind::BoolOp && (condition.text == "and") == !value;
    if (both) { // a and b is false when one is: every operand may jump by itself
        for (const ExprPtr& item : condition.items)
            jumpIf(*item, value, jumps);
        return;
    }
    expression(condition);
    jumps.push_back(
        static_cast<size_t>(emit(value ? Op::JumpIfTrue : Op::JumpIfFalse, 0, condition.span)));
}

base::Result<std::shared_ptr<const Code>> compileScript(Interp& interp, const Script& script,
                                                        std::shared_ptr<const SourceText> source) {
    try {
        std::unique_ptr<Scope> scope = analyseScopes(script);
        return CodeCompiler(interp, std::move(source), *scope, nullptr).script(script);
    } catch (base::Diagnostic& problem) {
        return std::move(problem);
    }
}

} // namespace cutaway::capture
