// SPDX-License-Identifier: Apache-2.0
/// \file
/// The loops of one group: which of its dimensions become rows, which one the inner loop, and what
/// each member's own variables are in terms of them. Internal to core/fusion.
#pragma once

#include "core/fusion/grouping.h"

namespace cutaway::fusion {

struct Loops {
    std::vector<kernel::Axis> outer;
    /// Loops of a pass around the inner one: reduced axes that accesses do not walk as one.
    std::vector<kernel::Axis> nest;
    kernel::Axis inner{kernel::innerVar(), ir::Sym(1)};
    std::vector<std::string> reasons;
    /// By dimension of the group (axis): its index in terms of outer and inner variables.
    std::vector<ir::Sym> axes;
    size_t cut = 0; ///< axes before it run over rows (where the group has rows)

    ir::Sym::Bound bounds() const;
    /// Whether the variable is of the inner loop or one of the nest.
    bool isOfPass(ir::Var v) const;
};

/// \param stores by BufferId: written to memory.
Loops chooseLoops(const kernel::LoopProgram& program, const Analysis& analysis,
                  const Grouping& grouping, const Group& group, const std::vector<bool>& stores);

/// A member's variables as expressions over the kernel's.
std::function<std::optional<ir::Sym>(ir::Var)> memberVariables(const BufferInfo& info, Role role,
                                                               const Group& group,
                                                               const std::vector<ir::Sym>& axes,
                                                               size_t cut);

} // namespace cutaway::fusion
