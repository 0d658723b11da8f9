// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which values differ from one iteration of a loop to the next.
#pragma once

#include "core/kernel/loop_program.h"

#include <unordered_map>

namespace cutaway::kernel {

/// Remembers its answers, each of which looks at an expression once.
class Varying {
public:
    /// \param program outlives this
    /// \param local whether a local has another value in every iteration
    /// \param broadcast whether an access varies that a broadcast dimension, of stride 0, keeps at
    /// one place
    Varying(const LoopProgram& program, ir::Var variable, std::function<bool(LocalId)> local,
            bool broadcast)
        : program_(program), variable_(variable), local_(std::move(local)), broadcast_(broadcast) {}

    bool operator()(ExprId root);

private:
    bool operation(const Expr& e) const;

    const LoopProgram& program_;
    ir::Var variable_;
    std::function<bool(LocalId)> local_;
    bool broadcast_;
    std::unordered_map<ExprId, bool> known_;
};

} // namespace cutaway::kernel
