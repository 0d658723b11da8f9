// SPDX-License-Identifier: Apache-2.0
#include "core/capture/scope.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::capture {

using namespace frontend;

std::string plainName(const std::string& name) {
    return name.substr(0, name.find('@'));
}

const std::string& Scope::name(const Expr& name) const {
    const auto at = renamed.find(&name);
    return at == renamed.end() ? name.text : at->second;
}

Scope::Binding Scope::binding(const std::string& name) const {
    auto at = bindings.find(name);
    return at == bindings.end() ? Binding::Global : at->second;
}

namespace {

using Renames = std::map<std::string, std::string>;

class Analyser {
public:
    explicit Analyser(const std::string& file) : file_(file) {}

    std::unique_ptr<Scope> run(const Script& script) {
        auto scope = std::make_unique<Scope>();
        scope_ = scope.get();
        block(script.body);
        resolve(*scope);
        return scope;
    }

private:
    void bind(const std::string& name) {
        if (scope_->bound.emplace(name, true).second) scope_->order.push_back(name);
    }
    void use(const std::string& name) { scope_->used.push_back(name); }

    /// What a name is called where it stands.
    const std::string& named(const Expr& name) {
        const auto renamed = renames_.find(name.text);
        if (renamed == renames_.end()) return name.text;
        return scope_->renamed[&name] = renamed->second;
    }

    void block(const Block& body) {
        for (const StmtPtr& s : body)
            statement(*s);
    }
    void statement(const Stmt& s);
    void expression(const ExprPtr& e) {
        if (e) expression(*e);
    }
    void expression(const Expr& e);
    void target(const Expr& e);
    void pattern(const Pattern& p);
    void comprehension(const Expr& e);
    void generator(const Expr& e);
    void renameTargets(const Expr& e, Renames& renames);
    void function(const FunctionNode& f, const void* key);
    Scope* enter(Scope::Kind kind, const void* key);
    void resolve(Scope& scope);
    Scope::Binding resolveName(Scope& scope, const std::string& name);

    const std::string& file_;
    Scope* scope_ = nullptr;
    Renames renames_;
    int comprehensions_ = 0;
};

Scope* Analyser::enter(Scope::Kind kind, const void* key) {
    auto inner = std::make_unique<Scope>();
    inner->kind = kind;
    inner->parent = scope_;
    Scope* raw = inner.get();
    scope_->inner[key] = std::move(inner);
    return raw;
}

void Analyser::function(const FunctionNode& f, const void* key) {
    for (const Parameter& p : f.parameters)
        expression(p.defaultValue);
    Scope* outer = scope_;
    Renames kept = renames_;
    scope_ = enter(Scope::Kind::Function, key);
    for (const Parameter& p : f.parameters) {
        renames_.erase(p.name);
        bind(p.name);
    }
    block(f.body);
    scope_ = outer;
    renames_ = std::move(kept);
}

void Analyser::statement(const Stmt& s) {
    switch (s.kind) {
    case StmtKind::Global:
    case StmtKind::Nonlocal:
        for (const std::string& name : s.names) {
            if (scope_->bound.count(name))
                throw base::userError(
                    locate(file_, s.span),
                    fmt::format("'{}' is assigned before it is declared {}", name,
                                s.kind == StmtKind::Global ? "global" : "nonlocal"),
                    "move the declaration to the top of the function");
            (s.kind == StmtKind::Global ? scope_->declaredGlobal : scope_->declaredNonlocal)[name] =
                s.span;
        }
        return;
    case StmtKind::Import:
        for (const Alias& a : s.aliases)
            bind(a.as.empty() ? a.name.substr(0, a.name.find('.')) : a.as);
        return;
    case StmtKind::ImportFrom:
        for (const Alias& a : s.aliases)
            bind(a.as.empty() ? a.name : a.as);
        return;
    case StmtKind::Function:
        for (const ExprPtr& d : s.decorators)
            expression(d);
        bind(s.function->name);
        function(*s.function, s.function.get());
        return;
    case StmtKind::Class: {
        for (const ExprPtr& d : s.decorators)
            expression(d);
        for (const ExprPtr& b : s.bases)
            expression(b);
        for (const Keyword& k : s.keywords)
            expression(k.value);
        bind(s.text);
        Scope* outer = scope_;
        scope_ = enter(Scope::Kind::Class, &s);
        block(s.body);
        scope_ = outer;
        return;
    }
    default:
        break;
    }
    expression(s.value);
    expression(s.cause);
    for (const ExprPtr& t : s.targets)
        s.kind == StmtKind::AugAssign ? (expression(*t), target(*t)) : target(*t);
    for (const MatchCase& one : s.cases) {
        pattern(*one.pattern);
        expression(one.guard);
        block(one.body);
    }
    for (const WithItem& item : s.withItems) {
        expression(item.context);
        if (item.target) target(*item.target);
    }
    block(s.body);
    for (const Handler& h : s.handlers) {
        expression(h.type);
        if (!h.name.empty()) bind(h.name);
        block(h.body);
    }
    block(s.orElse);
    block(s.finally);
}

void Analyser::pattern(const Pattern& p) {
    expression(p.value);
    for (const ExprPtr& key : p.keys)
        expression(key);
    for (const PatternPtr& item : p.items)
        pattern(*item);
    if (!p.name.empty()) bind(p.name);
}

void Analyser::target(const Expr& e) {
    switch (e.kind) {
    case ExprKind::Name: {
        bind(named(e));
        return;
    }
    case ExprKind::Starred:
        return target(*e.a);
    case ExprKind::Tuple:
    case ExprKind::List:
        for (const ExprPtr& item : e.items)
            target(*item);
        return;
    default:
        expression(e);
    }
}

void Analyser::renameTargets(const Expr& e, Renames& renames) {
    if (e.kind == ExprKind::Name) {
        if (!renames.count(e.text))
            renames[e.text] = fmt::format("{}@{}", plainName(e.text), ++comprehensions_);
    } else if (e.kind == ExprKind::Starred) {
        renameTargets(*e.a, renames);
    } else {
        for (const ExprPtr& item : e.items)
            renameTargets(*item, renames);
    }
}

void Analyser::comprehension(const Expr& e) {
    Renames kept = renames_;
    for (size_t i = 0; i < e.loops.size(); ++i) {
        const ComprehensionLoop& loop = e.loops[i];
        expression(loop.iterable);
        Renames fresh;
        renameTargets(*loop.target, fresh);
        for (auto& [from, to] : fresh)
            renames_[from] = to;
        target(*loop.target);
        for (const ExprPtr& c : loop.conditions)
            expression(c);
    }
    expression(e.a);
    expression(e.b);
    renames_ = std::move(kept);
}

void Analyser::generator(const Expr& e) {
    expression(e.loops.front().iterable);
    Scope* outer = scope_;
    Renames kept = renames_;
    scope_ = enter(Scope::Kind::Function, &e);
    bind("@iterable");
    for (size_t i = 0; i < e.loops.size(); ++i) {
        const ComprehensionLoop& loop = e.loops[i];
        if (i > 0) expression(loop.iterable);
        Renames mine;
        renameTargets(*loop.target, mine);
        for (auto& [from, to] : mine)
            renames_.erase(from);
        target(*loop.target);
        for (const ExprPtr& c : loop.conditions)
            expression(c);
    }
    expression(e.a);
    scope_ = outer;
    renames_ = std::move(kept);
}

void Analyser::expression(const Expr& e) {
    switch (e.kind) {
    case ExprKind::Name: {
        use(named(e));
        return;
    }
    case ExprKind::Walrus:
        expression(e.b);
        return target(*e.a);
    case ExprKind::ListComp:
    case ExprKind::SetComp:
    case ExprKind::DictComp:
        return comprehension(e);
    case ExprKind::Generator:
        return generator(e);
    case ExprKind::Lambda:
        return function(*e.function, e.function.get());
    default:
        break;
    }
    expression(e.a);
    expression(e.b);
    expression(e.c);
    for (const ExprPtr& item : e.items)
        expression(item);
    for (const Keyword& k : e.keywords)
        expression(k.value);
}

Scope::Binding Analyser::resolveName(Scope& scope, const std::string& name) {
    using Binding = Scope::Binding;
    if (auto known = scope.bindings.find(name); known != scope.bindings.end()) return known->second;
    auto settle = [&](Binding b) { return scope.bindings[name] = b; };
    if (scope.declaredGlobal.count(name)) return settle(Binding::Global);
    bool nonlocal = scope.declaredNonlocal.count(name) > 0;
    if (scope.bound.count(name) && !nonlocal) {
        bool slot = scope.kind == Scope::Kind::Function || name.find('@') != std::string::npos;
        if (slot) return settle(Binding::Local);
        return settle(scope.kind == Scope::Kind::Class ? Binding::Name : Binding::Global);
    }
    std::vector<Scope*> classes; // between here and there: they pass the cell on
    for (Scope* outer = scope.parent; outer; outer = outer->parent) {
        const bool own =
            outer->kind == Scope::Kind::Class && name == "__class__" && !outer->bound.count(name);
        if (own && outer->bindings.emplace(name, Binding::Cell).second)
            outer->cells.push_back(name); // which MakeClass fills with the class
        bool slot =
            own || outer->kind == Scope::Kind::Function || name.find('@') != std::string::npos;
        if (!slot) {
            if (outer->kind == Scope::Kind::Class) classes.push_back(outer);
            continue;
        }
        if (outer->declaredGlobal.count(name)) break;
        Binding there = resolveName(*outer, name);
        if (there == Binding::Global) break;
        if (there == Binding::Local) {
            outer->bindings[name] = Binding::Cell;
            outer->cells.push_back(name);
        }
        classes.push_back(&scope);
        for (Scope* s : classes)
            if (std::find(s->frees.begin(), s->frees.end(), name) == s->frees.end())
                s->frees.push_back(name);
        return settle(Binding::Free);
    }
    if (nonlocal)
        throw base::userError(
            locate(file_, scope.declaredNonlocal[name]),
            fmt::format("nonlocal '{}' is not assigned in an outer function", name));
    return settle(scope.kind == Scope::Kind::Class ? Binding::Name : Binding::Global);
}

void Analyser::resolve(Scope& scope) {
    for (const std::string& name : scope.order)
        resolveName(scope, name);
    for (const std::string& name : scope.used)
        resolveName(scope, name);
    for (const auto& [name, span] : scope.declaredNonlocal)
        resolveName(scope, name);
    for (auto& [key, inner] : scope.inner)
        resolve(*inner);
}

} // namespace

std::unique_ptr<Scope> analyseScopes(const Script& script) {
    return Analyser(script.file).run(script);
}

} // namespace cutaway::capture
