// SPDX-License-Identifier: Apache-2.0
/// \file
/// Substituting variables of index expressions by coordinates, which may be computed values: what
/// composing views with gathers and inlining a producer at a consumer's index need.
#pragma once

#include "core/kernel/loop_program.h"

#include <optional>

namespace cutaway::kernel {

/// The coordinate that a variable stands for; nothing keeps the variable.
using CoordReplacement = std::function<std::optional<Coord>(ir::Var)>;
/// What to put in place of a load, given with rewritten coordinates; an invalid id keeps the load.
using LoadReplacement = std::function<ExprId(const Expr& load)>;

/// \returns an index expression when only plain indices go in, else an int64 expression.
Coord substitute(ExprPool& pool, const ir::Sym& sym, const CoordReplacement& replacement);

/// ExprPool::rewrite for replacements that may be computed values. \p bound (may be null)
/// simplifies index expressions.
ExprId rewrite(ExprPool& pool, ExprId root, const CoordReplacement& replacement,
               const ir::Sym::Bound& bound, const LoadReplacement& load);
/// The same of a value that matters only where \p under (an invalid id: always) holds: elsewhere no
/// load reads, and no check fails.
ExprId rewriteUnder(LoopProgram& program, ExprId under, ExprId root,
                    const CoordReplacement& replacement, const ir::Sym::Bound& bound,
                    const LoadReplacement& load);

} // namespace cutaway::kernel
