// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is known of masked loads without memory: where they read, and what vectors make of their
/// conditions.
#pragma once

#include "core/kernel/loop_tree.h"

namespace cutaway::kernel {

struct LoopState;

/// The value of an integer or a condition at one place of the loops; nothing where it depends on
/// memory, a statement's value or a size that \p state does not know, or is floating.
std::optional<int64_t> valueAt(const ExprPool& pool, ExprId root, const LoopState& state);

/// That a masked load reads outside of its buffer at a corner of \p loops (size symbols have their
/// hints): "x is read at [-1, 0], outside of [4, 5], where d0 = 0, d1 = 0"; nothing where it does
/// not, or depends on memory.
std::optional<std::string> readsOutside(const LoopProgram& program, const Expr& load,
                                        const std::vector<Axis>& loops);

/// Whether a load's coordinates are numbers inside of the buffer: it needs no condition.
bool isFixedInside(const LoopProgram& program, const Expr& load);

/// A comparison of index expressions that holds from one lane of a vector on, or up to one: lanes l
/// stand for \p variable + l.
struct LaneBound {
    bool from = false; ///< lanes >= first; else lanes < first
    ir::Sym first;     ///< may be any number
};
/// Nothing where \p e is no such comparison, or is the same for all lanes.
std::optional<LaneBound> laneBound(const ExprPool& pool, const Expr& e, ir::Var variable);

} // namespace cutaway::kernel
