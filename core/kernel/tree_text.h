// SPDX-License-Identifier: Apache-2.0
/// \file
/// Loop trees as text, and back: what is printed is what tests write by hand.
#pragma once

#include "core/base/result.h"
#include "core/kernel/loop_tree.h"

namespace cutaway::kernel {

/// A line for every step, four spaces a level, from \p depth on. Places of contiguous buffers are
/// written as one offset where coordinates would be digits of a merged loop's index.
std::string print(const LoopProgram& program, const LoopTree& tree, int depth = 0);

/// The tree that is printed like \p text, on the buffers and checks of \p program, whose pool gets
/// the expressions. Errors: user error with the line's number; for a tree that breaks an invariant
/// (verify.h), too. \param before the line above the text's first one, where that is in a file
base::Result<LoopTree> parseTree(LoopProgram& program, std::string_view text,
                                 const base::Location& before = {});

} // namespace cutaway::kernel
