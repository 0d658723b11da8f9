// SPDX-License-Identifier: Apache-2.0
/// \file
/// Instructions for the evaluator's stack machine. A flat program (rather than a walk over the
/// syntax tree) lets capture stop at any instruction and a resume function start there.
#pragma once

#include "core/capture/objects.h"
#include "core/frontend/script/ast.h"

namespace cutaway::capture {

/// `a` is the operand; stack effects are written before -> after, top of the stack last.
enum class Op : uint8_t {
    LoadConst,
    LoadFast,
    StoreFast,
    DeleteFast,
    LoadCell,
    StoreCell,
    DeleteCell, ///< a: index into the frame's cells
    PushCell,   ///< the cell itself, for closures
    LoadGlobal,
    StoreGlobal,
    DeleteGlobal,
    LoadName,
    StoreName,
    DeleteName, ///< module and class bodies
    LoadAttr,
    StoreAttr,
    DeleteAttr, ///< o -> v; v o -> ; o ->
    LoadItem,
    StoreItem,
    DeleteItem, ///< o i -> v; v o i -> ; o i ->
    BuildSlice, ///< start stop step -> slice
    Binary,
    InPlace,
    Unary,
    Compare, ///< a: BinaryOp, UnaryOp, CompareOp
    Jump,
    JumpIfFalse,
    JumpIfTrue, ///< conditional ones pop
    JumpIfFalseOrPop,
    JumpIfTrueOrPop,
    GetIter, ///< a: 1: of what `await` waits for
    ForIter, ///< iterator -> iterator v; at the end pops it and jumps to a
    BuildTuple,
    BuildList,
    BuildSet,
    BuildSetOfConstants, ///< more than two: in the order of a frozenset made of them
    BuildDict,
    ListAppend,
    SetAdd,
    DictSet, ///< a: depth of the container below the popped values
    ListExtend,
    DictUpdate, ///< container x -> container
    ListToTuple,
    MatchSequence, ///< v -> bool; a: length | at least << 16
    MatchMapping,  ///< v -> bool
    MatchKeys,     ///< v keys -> values-or-None
    MatchRest,     ///< v keys -> rest of the dict v
    MatchClass,    ///< v class names -> values-or-None; a: how many are positional
    Annotate,      ///< a: name; value -> ; to __annotations__
    Unpack,
    UnpackRest,   ///< a: count; before | after << 16
    Call,         ///< f x1 .. xa -> v
    CallKeywords, ///< f x1 .. xa names -> v
    CallSpread,   ///< f list dict -> v
    MakeFunction, ///< [defaults] [keyword defaults] [cells] code -> f
    MakeClass,    ///< body bases keywords name -> class
    Return,
    Yield,
    YieldFrom, ///< iterator sent -> iterator value, and yields; at its end: -> result, jumps to a
    Pop,
    Duplicate,
    DuplicateTwo,
    RotateTwo,
    RotateThree,
    SetupTry,
    SetupWith,
    PopTry, ///< a: handler, which finds the exception on the stack; With drops one more value
    MatchException, ///< e type -> e bool
    Raise,          ///< a: 2: e cause ->
    Reraise,
    RaiseHandled,  ///< `raise` alone, outside of any `except` of this function
    AssertLater,   ///< v -> v; True where every call checks it. a: the message; -1: none
    AssertFailed,  ///< a: 0 or 1 values
    EnterWith,     ///< manager -> exit result
    ExitWith,      ///< exit ->
    ExitWithError, ///< exit e -> , raises e again unless swallowed
    Import,
    ImportFrom, ///< -> module; module -> module v
    ImportStar, ///< module ->
    Format,     ///< a: conversion | has spec << 8; v [spec] -> str
    BuildString
};

enum class BinaryOp : uint8_t {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    Mod,
    Pow,
    MatMul,
    And,
    Or,
    Xor,
    LeftShift,
    RightShift
};
enum class UnaryOp : uint8_t { Negate, Plus, Invert, Not };
enum class CompareOp : uint8_t {
    Less,
    LessEqual,
    Equal,
    NotEqual,
    Greater,
    GreaterEqual,
    Is,
    IsNot,
    In,
    NotIn
};

struct Instruction {
    Op op = Op::Pop;
    int32_t a = 0;
};

struct Code {
    std::string name, qualifiedName;
    std::shared_ptr<const SourceText> source;
    std::vector<Instruction> instructions;
    std::vector<frontend::Span> spans; ///< one per instruction
    std::vector<Val> constants;
    std::vector<std::shared_ptr<const Code>> codes;
    std::vector<Ref<StrObj>> names;
    mutable std::vector<uint32_t> hints; ///< one per instruction: where a name was found last

    std::vector<std::string> locals;                 ///< parameters first
    std::vector<std::string> cells;                  ///< own cells, then free variables
    size_t freeVariables = 0;                        ///< how many of `cells` come from outside
    std::vector<std::pair<int, int>> cellParameters; ///< parameter -> cell
    size_t positional = 0;                           ///< parameters that may be given by position
    size_t positionalOnly = 0;
    size_t keywordOnly = 0;
    bool takesArgs = false, takesKwargs = false; ///< *args, **kwargs: after the others
    bool generator = false;
    bool asynchronous = false; ///< calls give coroutines; with `values` asynchronous generators
    bool values = false;
    std::string text;                                             ///< the docstring
    std::vector<std::pair<std::string, std::string>> annotations; ///< parameter or "return" -> text
    /// Instructions during which a local holds the exception that is being handled.
    struct Handled {
        uint32_t from, to;
        int32_t local;
    };
    std::vector<Handled> handled;
    frontend::Span span; ///< the whole definition
    frontend::Span header;
};

/// Compiles a parsed script's top level.
/// Errors: what cannot be compiled (nonlocal without a binding ...).
base::Result<std::shared_ptr<const Code>> compileScript(Interp& interp,
                                                        const frontend::Script& script,
                                                        std::shared_ptr<const SourceText> source);

} // namespace cutaway::capture
