// SPDX-License-Identifier: Apache-2.0
/// \file
/// What operations ask of integers that they read, as checks of the loop program.
#pragma once

#include "core/kernel/loop_program.h"
#include "core/ops/op_def.h"

namespace cutaway::lower {

/// The innermost line of the script itself: the embedded library's files are called <...>.
base::Location locationOf(const ir::Node& node);

/// What the operation of one node asks becomes checks.
class NodeAsks final : public ops::Asks {
public:
    NodeAsks(kernel::LoopProgram& program, const ir::Node& node) : program_(program), node_(node) {}
    kernel::ExprId inside(kernel::ExprId position, const ir::Sym& size, int dim,
                          bool wraps) override;
    kernel::ExprId notZero(kernel::ExprId divisor) override;

    /// \p body, with every check in it. A place that does not depend on the position (a dimension
    /// of size 1, an expanded one) has lost it.
    kernel::ExprId keep(kernel::ExprId body) const;

private:
    kernel::Check made(kernel::Check::Kind kind) const;
    kernel::ExprId add(kernel::Check check, kernel::ExprId value);

    kernel::LoopProgram& program_;
    const ir::Node& node_;
    std::vector<kernel::ExprId> checks_;
};

} // namespace cutaway::lower
