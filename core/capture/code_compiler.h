// SPDX-License-Identifier: Apache-2.0
/// \file
/// Syntax tree → instructions. code_compiler.cpp holds functions and expressions,
/// code_statements.cpp statements.
#pragma once

#include "core/capture/code.h"
#include "core/capture/scope.h"

#include <functional>

namespace cutaway::capture {

class CodeCompiler {
public:
    CodeCompiler(Interp& interp, std::shared_ptr<const SourceText> source, Scope& scope,
                 CodeCompiler* outer);

    std::shared_ptr<const Code> script(const frontend::Script& script);
    std::shared_ptr<const Code> function(const frontend::FunctionNode& node);
    std::shared_ptr<const Code> classBody(const frontend::Stmt& node);
    std::shared_ptr<const Code> generator(const frontend::Expr& node);

private:
    /// What break, continue and return must undo on their way out.
    struct Enclosing {
        enum class Kind : uint8_t {
            WhileLoop,
            ForLoop,
            Try,
            Finally,
            With,
            Handler,
            Pending, ///< a finally block on the way out: the value to return lies on the stack
        };
        Kind kind;
        int32_t start = 0;            ///< loops: where continue goes
        std::vector<size_t> breaks{}; ///< loops: jumps to patch
        const frontend::Block* finally = nullptr;
    };

    int32_t emit(Op op, int32_t a, const frontend::Span& span);
    void patch(size_t jump);
    int32_t here() const { return static_cast<int32_t>(code_->instructions.size()); }
    int32_t constant(Val v);
    int32_t string(const std::string& text);
    int32_t name(const std::string& text);
    int32_t local(const std::string& name);
    int32_t cell(const std::string& name) const;
    void begin(std::string name, const frontend::Span& span);
    std::shared_ptr<const Code> finish();
    void parameters(const frontend::FunctionNode& node);

    void push(Val value, const frontend::Span& span); ///< a constant
    void load(const std::string& name, const frontend::Span& span);
    void store(const std::string& name, const frontend::Span& span);
    void remove(const std::string& name, const frontend::Span& span);
    void assign(const frontend::Expr& target);
    void deleteTarget(const frontend::Expr& target);

    void expression(const frontend::Expr& e);
    void call(const frontend::Expr& e);
    void spreadCall(const frontend::Expr& e);
    void items(const std::vector<frontend::ExprPtr>& list, Op build, const frontend::Span& span);
    void dictDisplay(const frontend::Expr& e);
    void compare(const frontend::Expr& e);
    void formatted(const frontend::Expr& e);
    void replacement(const frontend::Expr& e);
    void comprehension(const frontend::Expr& e);
    void comprehensionLoop(const frontend::Expr& e, size_t level);
    void forget(const frontend::Expr& target);
    void makeFunction(std::shared_ptr<const Code> code, frontend::FunctionNode* node,
                      const frontend::Span& span);
    void boolean(const frontend::Expr& e);     ///< and, or
    void conditional(const frontend::Expr& e); ///< a if b else c
    void yieldFrom(const frontend::Expr& e);

    void block(const frontend::Block& body);
    void statement(const frontend::Stmt& s);
    void ifStatement(const frontend::Stmt& s);
    void whileStatement(const frontend::Stmt& s);
    void forStatement(const frontend::Stmt& s);
    void tryStatement(const frontend::Stmt& s);
    void tryExcept(const frontend::Stmt& s);
    void withFinally(const frontend::Block& finally, const frontend::Span& span,
                     const std::function<void()>& body);
    void withStatement(const frontend::Stmt& s, size_t item);
    void augmented(const frontend::Stmt& s);
    void functionStatement(const frontend::Stmt& s);
    void classStatement(const frontend::Stmt& s);
    void matchStatement(const frontend::Stmt& s);
    /// Leaves nothing on the stack; jumps where the value of the hidden local \p of does not match.
    void pattern(const frontend::Pattern& p, int32_t of, std::vector<size_t>& failures);
    void sequencePattern(const frontend::Pattern& p, int32_t of, std::vector<size_t>& failures);
    /// Matches \p items against the parts of a tuple on the stack, or fails where that is None.
    void parts(const frontend::Pattern& p, std::vector<size_t>& failures);
    int32_t hiddenLocal();
    void annotation(const frontend::Stmt& s);
    void docstring(const frontend::Block& body);
    void keywords(const std::vector<frontend::Keyword>& list, int32_t mode);
    /// What \p body emits runs while the hidden local \p hidden holds the exception being handled.
    void handling(const std::string& hidden, const std::function<void()>& body);
    void endHandled();
    void import(const frontend::Stmt& s);
    void leaveLoop(const frontend::Stmt& s, bool isBreak);
    void unwind(size_t downTo, bool valueOnStack, const frontend::Span& span);
    void jumpIf(const frontend::Expr& condition, bool value, std::vector<size_t>& jumps);
    [[noreturn]] void fail(const frontend::Span& span, std::string message,
                           std::string hint = {}) const;

    Interp& interp_;
    std::shared_ptr<const SourceText> source_;
    Scope& scope_;
    CodeCompiler* outer_;
    std::shared_ptr<Code> code_;
    std::vector<Enclosing> enclosing_;
    std::unordered_map<std::string, int32_t> localNumbers_; ///< of the first locals of `code_`
    std::unordered_map<const StrObj*, int32_t> nameNumbers_;
    std::map<std::pair<Tag, int64_t>, int32_t> constantNumbers_; ///< by what identical() compares
    struct Handled {
        std::string hidden; ///< the local that holds the exception
        size_t from;        ///< the first instruction
    };
    std::vector<Handled> handled_; ///< the exceptions being handled here
    int hidden_ = 0;
};

} // namespace cutaway::capture
