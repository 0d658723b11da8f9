// SPDX-License-Identifier: Apache-2.0
/// \file
/// The syntax tree of a script. One struct for expressions and one for statements; the tables at
/// the enumerators say which fields a kind uses.
#pragma once

#include "core/frontend/script/token.h"

#include <memory>
#include <optional>

namespace cutaway::frontend {

struct Expr;
struct Stmt;
using ExprPtr = std::unique_ptr<Expr>;
using StmtPtr = std::unique_ptr<Stmt>;
using Block = std::vector<StmtPtr>;

enum class ExprKind : uint8_t {
    Name, ///< text
    None,
    Bool,      ///< integer 0 or 1
    Int,       ///< integer; one of more than 64 bits: its digits in text
    Float,     ///< real
    Imaginary, ///< real
    Bytes,     ///< text
    String,    ///< text
    Ellipsis,
    Formatted,   ///< f-string: items are String or Replacement
    Replacement, ///< {a!c:spec}: a; text is the conversion; b the spec (a Formatted) or null
    Tuple,
    List,
    Set,         ///< items, Starred among them
    Dict,        ///< items key, value, key, value ...; a null key is **value
    Unary,       ///< text "-" "+" "~" "not"; a
    Binary,      ///< text "+" ...; a, b
    BoolOp,      ///< text "and" "or"; items
    Compare,     ///< items: operands; names: operators between them ("<", "is not", "not in")
    Conditional, ///< a if b else c
    Call,        ///< a; items: arguments (Starred among them); keywords
    Attribute,   ///< a, text
    Subscript,   ///< a, b
    Slice,       ///< a, b, c; each may be null
    Starred,     ///< a
    Lambda,      ///< function
    ListComp,
    SetComp,
    Generator, ///< a: element; loops
    DictComp,  ///< a: key, b: value; loops
    Walrus,    ///< a: Name, b
    Yield,     ///< a or null
    YieldFrom  ///< a; text "await": of a coroutine
};

struct Keyword {
    std::string name; ///< empty: **value
    Span span;
    ExprPtr value;
};

struct Parameter {
    enum class Kind : uint8_t { Plain, KeywordOnly, Args, Kwargs };
    std::string name;
    Kind kind = Kind::Plain;
    bool positionalOnly = false;
    Span span;
    Span annotation; ///< line 0: none
    ExprPtr defaultValue;
};

/// A def or a lambda.
struct FunctionNode {
    std::string name; ///< "<lambda>"
    std::vector<Parameter> parameters;
    Block body;   ///< a lambda's: one Return
    Span span;    ///< all of it
    Span header;  ///< the line with its name
    Span returns; ///< the annotation; line 0: none
    bool generator = false;
    bool asynchronous = false; ///< what it waits for it yields; `values`: it is a generator besides
    bool values = false;
};

struct ComprehensionLoop {
    ExprPtr target, iterable;
    std::vector<ExprPtr> conditions;
};

struct Expr {
    ExprKind kind = ExprKind::None;
    Span span;
    Span mark; ///< the part that a message points at: an operator, an attribute's name
    std::string text;
    int64_t integer = 0;
    double real = 0;
    int depth = 1; ///< of the tree below; bounded, so that walking it cannot exhaust the stack
    ExprPtr a, b, c;
    std::vector<ExprPtr> items;
    std::vector<std::string> names;
    std::vector<Keyword> keywords;
    std::vector<ComprehensionLoop> loops;
    std::unique_ptr<FunctionNode> function;
};

enum class StmtKind : uint8_t {
    Expression, ///< value
    Assign,     ///< targets, value
    AugAssign,  ///< targets[0], text "+", value
    Annotated,  ///< targets[0], value or null; the annotation in `cause`
    Return,     ///< value or null
    Raise,      ///< value or null; cause or null
    Assert,     ///< value; message or null in `cause`
    Delete,     ///< targets
    Pass,
    Break,
    Continue,
    Global,
    Nonlocal,   ///< names
    Import,     ///< aliases: name = dotted module
    ImportFrom, ///< text = module; aliases; none of them: `*`
    If,         ///< value, body, orElse
    While,      ///< value, body, orElse
    For,        ///< targets[0], value, body, orElse
    Try,        ///< body, handlers, orElse, finally
    With,       ///< withItems, body
    Function,   ///< function, decorators
    Class,      ///< text, bases (Starred among them), keywords, body, decorators
    Match       ///< value, cases
};

struct Alias {
    std::string name, as; ///< `as` is empty when not given
    Span span;
};

struct Handler {
    ExprPtr type; ///< null: everything
    std::string name;
    Block body;
    Span span;
};

struct WithItem {
    ExprPtr context, target;
};

struct Pattern;
using PatternPtr = std::unique_ptr<Pattern>;

/// What a `case` looks for.
struct Pattern {
    enum class Kind : uint8_t {
        Value,    ///< value: equal to it; None, True, False: identical
        Capture,  ///< name; empty: anything, kept nowhere
        Sequence, ///< items, at most one of them a Star
        Star,     ///< name; empty: kept nowhere
        Mapping,  ///< keys, items; name: **rest
        Class,    ///< value: the class; items: first the positional ones, then those of `names`
        Or,       ///< items
        As        ///< items[0], name
    };
    Kind kind = Kind::Capture;
    Span span;
    ExprPtr value;
    std::string name;
    std::vector<ExprPtr> keys;
    std::vector<std::string> names;
    std::vector<PatternPtr> items;
};

struct MatchCase {
    PatternPtr pattern;
    ExprPtr guard; ///< or null
    Block body;
    Span span;
};

struct Stmt {
    StmtKind kind = StmtKind::Pass;
    Span span;
    std::string text;
    ExprPtr value, cause;
    std::vector<ExprPtr> targets, bases, decorators;
    std::vector<std::string> names;
    std::vector<Alias> aliases;
    std::vector<Handler> handlers;
    std::vector<WithItem> withItems;
    std::vector<Keyword> keywords;
    std::vector<MatchCase> cases;
    Block body, orElse, finally;
    std::unique_ptr<FunctionNode> function;
};

struct Script {
    std::string file;
    Block body;
};

/// Parses a whole script. Errors: one located user error that names what was found and expected;
/// for syntax of Python that is not supported, the construct and the nearest thing that works.
base::Result<std::unique_ptr<Script>> parse(const std::string& file, std::string_view text);

} // namespace cutaway::frontend
